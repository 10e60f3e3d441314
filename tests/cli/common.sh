# Sourced by the scripts of this folder: bash NAME_test.sh PATH_OF_SCFE SOURCE_FOLDER
set -u
scfe=$(realpath "$1")
data=$(realpath "$2")/data
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0
# Flags for tests that do not check the answers themselves: these take a tenth of a millisecond per row.
quick=(--plausible none --max-changes 1 --hints false)

fail() {
  echo "FAILED: $*" >&2
  failures=$((failures + 1))
}

# status EXPECTED COMMAND...: runs the command, checks its exit status, and leaves ./stdout and ./stderr
status() {
  local expected=$1 got
  shift
  "$@" >stdout 2>stderr
  got=$?
  [ "$got" -eq "$expected" ] || fail "exit $got instead of $expected: $* ($(head -c 400 stderr))"
}

# complains TEXT COMMAND...: exit 2, one line on stderr that starts with "scfe: " and has the text, no stdout
complains() {
  local text=$1
  shift
  status 2 "$@"
  [ "$(wc -l <stderr)" -eq 1 ] || fail "not one line: $* ($(cat stderr))"
  grep -q '^scfe: ' stderr || fail "no 'scfe: ' in front: $(cat stderr)"
  grep -qF -- "$text" stderr || fail "'$text' is not in: $(cat stderr)"
  [ ! -s stdout ] || fail "output beside the error: $*"
}

same() { cmp -s "$1" "$2" || fail "$1 and $2 differ"; }

# given NAME: sets the array `given` to the flags that fit a built-in data set; fit NAME: writes ./NAME.scfe
# Without learned rules: the tests are about other things, and the 11 orders of wdbc make a row take half a second.
given() {
  given=(--model "$data/models/$1.onnx" --data "$data/$1.csv" --schema "$data/$1.schema.json" --learned-rules none)
}
fit() {
  given "$1"
  status 0 "$scfe" fit "${given[@]}" -o "$1.scfe"
}

finish() {
  [ "$failures" -eq 0 ] || { echo "$failures failures"; exit 1; }
  echo "all passed"
  exit 0
}
