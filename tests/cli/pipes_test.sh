# Rows can come through pipes, which are read only once; the progress bar is shown on terminals only.
. "$(dirname "$0")/common.sh"
fit wine
rows=$data/wine.csv
ask=("${quick[@]}" --target 1)
"$scfe" explain wine.scfe "$rows" "${ask[@]}" -o plain.csv
[ $? -le 1 ] || fail "explain"
for way in - /dev/stdin; do
  cat "$rows" | "$scfe" explain wine.scfe $way "${ask[@]}" -o piped.csv 2>stderr
  [ "${PIPESTATUS[1]}" -le 1 ] || fail "$way: $(cat stderr)"
  same plain.csv piped.csv
  "$scfe" explain wine.scfe $way "${ask[@]}" <"$rows" >redirected.csv
  same plain.csv redirected.csv
done
"$scfe" explain <(cat wine.scfe) <(cat "$rows") "${ask[@]}" -o substituted.csv
same plain.csv substituted.csv
# More rows than one read from a pipe returns.
(head -1 "$rows"; for i in $(seq 40); do sed 1d "$rows"; done) >many.csv
"$scfe" explain wine.scfe many.csv "${ask[@]}" -o many_plain.csv
"$scfe" explain wine.scfe <(cat many.csv) "${ask[@]}" -o many_piped.csv
same many_plain.csv many_piped.csv
status 0 "$scfe" verify wine.scfe <(cat "$rows") <(cat plain.csv) "${ask[@]}"
"$scfe" evaluate wine.scfe <(cat "$rows") <(cat plain.csv) "${ask[@]}" >stdout 2>stderr
[ $? -le 1 ] && grep -q '^rows ' stdout || fail "evaluate: $(cat stderr)"
status 0 "$scfe" audit wine.scfe <(head -20 "$rows") --by class --target 1
status 0 "$scfe" keep wine.scfe <(head -3 "$rows")
status 0 "$scfe" schema <(cat "$rows") --label class -o s.json
status 0 "$scfe" fit --model <(cat "$data/models/wine.onnx") --data <(cat "$rows") --schema <(cat "$data/wine.schema.json") -o piped.scfe
complains "a pipe" "$scfe" inspect <(cat wine.scfe)
complains "row 1, column 'alcohol'" "$scfe" explain wine.scfe <(sed '2s/^[^,]*/x/' "$rows")
complains "header line" "$scfe" explain wine.scfe - </dev/null

# No output on stderr unless it is a terminal.
"$scfe" explain wine.scfe many.csv "${ask[@]}" -o many.out.csv 2>stderr
[ ! -s stderr ] || fail "stderr is not a terminal: $(cat stderr)"
if ! script -qec true /dev/null >/dev/null 2>&1; then
  echo "skipped: no pseudo terminal to be had here, the bar of progress was not looked at"
else
  (head -1 "$rows"; for i in $(seq 150); do sed 1d "$rows"; done) >more.csv
  script -qec "'$scfe' explain wine.scfe more.csv --target 1 --plausible none --max-changes 2 --hints false --threads 1 -o more.out.csv" screen >/dev/null
  grep -q 'of 26700 rows, .* a second' screen || fail "no bar on a terminal: $(head -c 300 screen)"
fi
finish
