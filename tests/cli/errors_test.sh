# Whatever is wrong: exit 2, one line that names it, no output.
. "$(dirname "$0")/common.sh"
fit wine
rows=$data/wine.csv
model=$data/models/wine.json
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
complains "--output" "$scfe" fit --model "$model" --data "$rows" --label class
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
head -c 500 "$model" >short.json
out "short.json" "$scfe" explain --model short.json --data "$rows" --schema "$data/wine.schema.json" "$rows"
if [ -e "$data/models/wine.onnx" ]; then
  head -c 1000 "$data/models/wine.onnx" >short.onnx
  out "short.onnx" "$scfe" explain --model short.onnx --data "$rows" --schema "$data/wine.schema.json" "$rows"
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
out "deep.csv: row 3561, column 'alcohol'" "$scfe" explain wine.scfe deep.csv

# Answers.
status 0 "$scfe" explain wine.scfe some.csv -o good.csv
sed 's/^2,/7,/' good.csv >strange.csv
complains "'7'" "$scfe" verify wine.scfe some.csv strange.csv
cut -d, -f1-10 good.csv >thin.csv
complains "column" "$scfe" evaluate wine.scfe some.csv thin.csv
cut -d, -f2- good.csv | head -2 >fewer.csv
complains "3 rows" "$scfe" verify wine.scfe some.csv fewer.csv
finish
