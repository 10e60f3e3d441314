# 3,000 generated bad inputs: each a single line and exit status 2, quickly, with little memory, leaving nothing.
exec python3 "$(dirname "$0")/bad/bad_inputs.py" "$1" "$2" 3000
