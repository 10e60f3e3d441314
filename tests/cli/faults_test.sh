# Faults: kills, full disks, failing reads and damaged journals (faults.py).
exec python3 "$(dirname "$0")/faults.py" "$(realpath "$1")" "$(realpath "$2")"
