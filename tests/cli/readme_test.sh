# The README shows what the program prints: the demo, and the quick start of the command line.
. "$(dirname "$0")/common.sh"
readme=$data/../README.md
block() { # the first fenced block of that language after the marker line
  awk -v marker="$1" -v fence="^\`\`\`$2\$" \
    'index($0, marker) {seen = 1} seen && $0 ~ fence {inside = 1; next} inside && /^```/ {exit} inside' "$readme"
}
mkdir build
ln -s "$scfe" build/scfe
ln -s "$data" data
status 0 build/scfe demo
diff <(block '`make demo` ends with' text) <(grep -v '^Report: ' stdout) || fail "the demo differs"
block '## Command line' sh >quick.sh
[ "$(wc -l <quick.sh)" -ge 3 ] || fail "no quick start"
bash quick.sh >stdout 2>stderr
diff <(block 'They print' text) stdout || fail "the quick start differs: $(cat stderr)"
[ -s answers.csv ] && [ -s report.html ] || fail "the quick start left no answers"
finish
