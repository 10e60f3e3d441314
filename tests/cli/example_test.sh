# The example runs, and demo rows are the same for every file format of the model.
. "$(dirname "$0")/common.sh"
status 0 bash "$data/../examples/cli/explain.sh" "$scfe" "$data"
grep -q ' 0 break a limit' stdout || fail "$(tail -3 stdout)"
grep -q '^LOF' stdout || fail "no metrics"
finish
