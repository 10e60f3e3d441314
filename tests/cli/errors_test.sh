# Whatever is wrong: exit 2, one line that names it, no output.
. "$(dirname "$0")/common.sh"
fit wine
rows=$data/wine.csv
model=$data/models/wine.onnx
out() { complains "$@" -o out.csv; [ -z "$(ls | grep '^out')" ] || fail "output beside an error: $*"; rm -f out*; }

# Flags.
complains "--nonsense" "$scfe" explain wine.scfe "$rows" --nonsense
complains "nonsense" "$scfe" nonsense
complains "--max-changes" "$scfe" explain wine.scfe "$rows" --max-changes
out "max-changes: expected a whole number" "$scfe" explain wine.scfe "$rows" --max-changes three
out "max-changes" "$scfe" explain wine.scfe "$rows" --max-changes 0
out "max-changes" "$scfe" explain wine.scfe "$rows" --max-changes 99
out "plausible" "$scfe" explain wine.scfe "$rows" --plausible 140%
out "plausible" "$scfe" explain wine.scfe "$rows" --plausible much
out "probability" "$scfe" explain wine.scfe "$rows" --probability 1.5
out "solver" "$scfe" explain wine.scfe "$rows" --solver magic
out "density" "$scfe" explain wine.scfe "$rows" --density gmm
out "space" "$scfe" explain wine.scfe "$rows" --space zscore
out "threads" "$scfe" explain wine.scfe "$rows" --threads -1
out "target" "$scfe" explain wine.scfe "$rows" --target red
out "'colour'" "$scfe" explain wine.scfe "$rows" --freeze colour
out "'colour'" "$scfe" explain wine.scfe "$rows" --only-up colour
out "--range" "$scfe" explain wine.scfe "$rows" --range hue
out "--range" "$scfe" explain wine.scfe "$rows" --range hue=2:1
out "--range" "$scfe" explain wine.scfe "$rows" --range hue=low:high
complains ".csv" "$scfe" explain wine.scfe "$rows" -o out.txt
complains "nowhere" "$scfe" explain wine.scfe "$rows" -o nowhere/out.csv
complains "nowhere" "$scfe" explain wine.scfe "$rows" -o nowhere/out.html
out "each file once" "$scfe" explain wine.scfe "$rows" -o out.csv
out "nowhere" "$scfe" explain wine.scfe "$rows" -o nowhere/out.csv
complains "--output" "$scfe" fit --model "$model" --data "$rows" --label class
complains "--model" "$scfe" fit --data "$rows" --label class -o out.scfe
complains "--label" "$scfe" fit --model "$model" --data "$rows" -o out.scfe
complains "files" "$scfe" fit "$rows" --model "$model" --data "$rows" --label class -o out.scfe
out "files" "$scfe" explain wine.scfe
out "files" "$scfe" explain wine.scfe "$rows" "$rows"
out "--model" "$scfe" explain wine.scfe "$rows" --data "$rows"

# Files.
out "none.csv" "$scfe" explain wine.scfe none.csv
out "none.scfe" "$scfe" explain none.scfe "$rows"
out "none.json" "$scfe" explain --model none.json --data "$rows" --label class "$rows"
: >empty
out "empty" "$scfe" explain wine.scfe empty
out "empty" "$scfe" explain empty "$rows"
out "empty" "$scfe" explain --model empty --data "$rows" --label class "$rows"
out "." "$scfe" explain . "$rows"
for size in 4 40 1000 20000; do
  head -c $size wine.scfe >short.scfe
  out "short.scfe" "$scfe" explain short.scfe "$rows"
done
straight=(--data "$rows" --schema "$data/wine.schema.json" "$rows")
head -c 500 "$data/models/wine.json" >short.json
out "short.json" "$scfe" explain --model short.json "${straight[@]}"
for size in 1 100 1000 $(($(stat -c %s "$model") - 1)); do
  head -c $size "$model" >short.onnx
  out "short.onnx" "$scfe" explain --model short.onnx "${straight[@]}"
done
head -c 5000 /bin/sh >foreign.onnx
out "foreign.onnx" "$scfe" explain --model foreign.onnx "${straight[@]}"
cp foreign.onnx foreign.scfe
out "foreign.scfe" "$scfe" explain foreign.scfe "$rows"
out "wine.csv" "$scfe" explain --model "$rows" "${straight[@]}"
head -c 300 "$data/wine.schema.json" >short.schema.json
out "short.schema.json" "$scfe" explain --model "$model" --data "$rows" --schema short.schema.json "$rows"
mkdir folder.csv
out "folder.csv" "$scfe" explain wine.scfe folder.csv
complains "folder.csv" "$scfe" explain wine.scfe "$rows" "${quick[@]}" -o folder.csv
[ -z "$(ls | grep partial)" ] || fail "a partial file is left"
if [ "$(id -u)" -ne 0 ]; then
  cp "$rows" locked.csv && chmod 000 locked.csv
  out "locked.csv" "$scfe" explain wine.scfe locked.csv
fi
if [ -w /dev/full ]; then
  "$scfe" explain wine.scfe "$rows" "${quick[@]}" >/dev/full 2>stderr
  [ $? -eq 2 ] && grep -q '^scfe: stdout' stderr || fail "a full disk is not noticed: $(cat stderr)"
fi
(cat wine.scfe | head -c 3000; printf X; tail -c +3002 wine.scfe) >damaged.scfe
out "damaged.scfe" "$scfe" explain damaged.scfe "$rows"
out "wine.csv" "$scfe" explain "$rows" "$rows"
complains "wine.csv" "$scfe" inspect "$rows"
out "inputs" "$scfe" explain --model "$model" --data "$data/housing.csv" --schema "$data/housing.schema.json" "$data/housing.csv"

# Cells and columns: file, row and column are named.
head -4 "$rows" >some.csv
sed '3s/^[^,]*/many/' some.csv >bad.csv
out "bad.csv: row 2, column 'alcohol'" "$scfe" explain wine.scfe bad.csv
sed '3s/^[^,]*//' some.csv >gap.csv
out "gap.csv: row 2, column 'alcohol'" "$scfe" explain wine.scfe gap.csv
sed '3s/^[^,]*,//' some.csv >narrow.csv
out "narrow.csv: row 2" "$scfe" explain wine.scfe narrow.csv
sed '1s/alcohol/spirit/' some.csv >named.csv
complains_of=$("$scfe" explain wine.scfe named.csv -o out.csv 2>&1)
grep -q "'alcohol'" <<<"$complains_of" || fail "a missing column is not named: $complains_of"
out "'grape'" "$scfe" explain --model "$model" --data "$rows" --label grape "$rows"
out "'name'" "$scfe" explain wine.scfe "$rows" --id name
sed '1s/$/,extra/; 2,$s/$/,1/' some.csv >extra.csv
status 0 "$scfe" explain wine.scfe extra.csv -o ok.csv
grep -q "warning: extra.csv: column 'extra'" stderr || fail "an extra column is no warning"
# A bad cell deep in the file leaves nothing behind either.
(head -1 "$rows"; for i in $(seq 20); do sed 1d "$rows"; done; sed -n 2p "$rows" | sed 's/^[^,]*/x/') >deep.csv
out "deep.csv: row 3561, column 'alcohol'" "$scfe" explain wine.scfe deep.csv "${quick[@]}"

# Classes: three of them want a name; one without training rows cannot be wished for.
complains "one of the classes: cultivar 1, cultivar 2, cultivar 3, got nothing" \
  "$scfe" explain --model "$data/models/wine3.onnx" --data "$rows" --schema "$data/wine3.schema.json" some.csv
wine3=(--model "$data/models/wine3.onnx" --data "$rows" --schema "$data/wine3.schema.json")
status 0 "$scfe" explain "${wine3[@]}" some.csv --target any -o any.csv
status 0 "$scfe" verify "${wine3[@]}" some.csv any.csv --target any
(head -1 "$rows"; sed 1d "$rows" | awk -F, '$14 != 1') >without.csv
out "'cultivar 2', which has none" "$scfe" explain --model "$model" --data without.csv \
  --schema "$data/wine.schema.json" some.csv --target 'cultivar 2'

# A model that is not finite at a row: a status of that row, not the end of the run.
cat >overflow.json <<'JSON'
{"format": "scfe-dense", "version": 1, "layers": [
  {"weight": [[1e30, 0], [1e30, 0], [0, 1]], "bias": [-5e30, -5e30, 0], "activation": "relu"},
  {"weight": [[1, -1, 1]], "bias": [-1]}]}
JSON
awk 'BEGIN {print "x,y,class"; for (i = 0; i < 40; ++i) printf "%.2f,%.2f,%d\n", i % 7 / 7, i / 20, (i > 20)}' >line.csv
(head -3 line.csv; echo '1e10,0.5,0') >far.csv
status 1 "$scfe" explain --model overflow.json --data line.csv --label class far.csv -o far_out.csv -o far_out.json -o far_out.html
grep -q '^3,not_finite,,,' far_out.csv || fail "not_finite: $(cat far_out.csv)"
grep -q '^1,valid,' far_out.csv || fail "the other rows: $(cat far_out.csv)"

# Answers.
status 0 "$scfe" explain wine.scfe some.csv -o good.csv
sed 's/^2,/7,/' good.csv >strange.csv
complains "'7'" "$scfe" verify wine.scfe some.csv strange.csv
cut -d, -f1-10 good.csv >thin.csv
complains "column" "$scfe" evaluate wine.scfe some.csv thin.csv
cut -d, -f2- good.csv | head -2 >fewer.csv
complains "3 rows" "$scfe" verify wine.scfe some.csv fewer.csv
finish
