# Every error: exit status 2, one line that names the cause, no output.
. "$(dirname "$0")/common.sh"
fit wine
rows=$data/wine.csv
model=$data/models/wine.onnx
printf '\x80\x04\x95' >model.pkl
complains "got a Python pickle (export the model with skl2onnx" "$scfe" inspect model.pkl
out() { complains "$@" -o out.csv; [ -z "$(ls | grep '^out')" ] || fail "output beside an error: $*"; rm -f out*; }

# Flags.
complains "--nonsense" "$scfe" explain wine.scfe "$rows" --nonsense
complains "unknown flag '--max-change': did you mean '--max-changes'?" "$scfe" explain wine.scfe "$rows" --max-change 2
complains "unknown flag '--outptu': did you mean '--output'?" "$scfe" fit --outptu=x
complains "unknown verb 'explian': did you mean 'explain'?" "$scfe" explian wine.scfe "$rows"
out "--freeze: unknown feature 'alcohl': did you mean 'alcohol'?" "$scfe" explain wine.scfe "$rows" --freeze hue,alcohl
out "--only-down: unknown feature 'Hue': did you mean 'hue'?" "$scfe" explain wine.scfe "$rows" --only-down Hue
out "--range: unknown feature 'prolin': did you mean 'proline'?" "$scfe" explain wine.scfe "$rows" --range prolin=1:2
out "--target: unknown class 'cultivar 22': did you mean 'cultivar 2'?" "$scfe" explain wine.scfe "$rows" --target 'cultivar 22'
out "--solver: unknown value 'serach': did you mean 'search'?" "$scfe" explain wine.scfe "$rows" --solver serach
complains "unknown demo 'wien': did you mean 'wine'?" "$scfe" demo wien
out "--only-down: expected features that are not in --only-up, got 'hue'" "$scfe" explain wine.scfe "$rows" --only-up hue,ash --only-down hue
out "--range: expected LO <= HI (a side that is left open is the schema's or the training rows'), got 'hue=5:', which is 5 to " "$scfe" explain wine.scfe "$rows" --range hue=5:
out "--target: expected one value, got '0' and '1'" "$scfe" explain wine.scfe "$rows" --target 0 --target 1
complains "--label: expected one value" "$scfe" fit --model "$model" --data "$rows" --label class --label hue -o e.scfe
out "threads" "$scfe" explain wine.scfe "$rows" --threads x
out "threads" "$scfe" explain wine.scfe "$rows" --threads 99999999999999999999
out "seed" "$scfe" explain wine.scfe "$rows" --seed 99999999999999999999999
out "seed" "$scfe" explain wine.scfe "$rows" --seed -1
out "time-limit" "$scfe" explain wine.scfe "$rows" --time-limit -1
out "time-limit" "$scfe" explain wine.scfe "$rows" --time-limit nan
out "answers" "$scfe" explain wine.scfe "$rows" --answers 0
out "--answers: expected 1 beside path" "$scfe" explain wine.scfe "$rows" --answers 3 --path
complains "expected E.scfe rows.csv (or --model, --data, --label and rows.csv), got 'wine.scfe'" "$scfe" explain wine.scfe
complains "expected one file from standard input, got --data and rows" "$scfe" explain --model "$model" --data - --label class -
out "plausible" "$scfe" explain wine.scfe "$rows" --plausible nan
out "plausible" "$scfe" explain wine.scfe "$rows" --plausible 110%
out "--range" "$scfe" explain wine.scfe "$rows" --range hue=nan:1
complains "nonsense" "$scfe" nonsense
complains "--max-changes: expected a value, got nothing" "$scfe" explain wine.scfe "$rows" --max-changes
complains "the name of a file" "$scfe" explain wine.scfe ""
complains "nowhere" "$scfe" demo wine -o nowhere/out.html
complains "nowhere" "$scfe" audit wine.scfe "$rows" --by class --target 1 -o audit.csv -o nowhere/audit.html
[ -z "$(ls | grep '^audit')" ] || fail "output beside an error"
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
# Input files are never overwritten.
cp "$rows" own.csv; cp wine.scfe own.scfe; ln -s own.csv link.csv; before=$(sha256sum own.csv own.scfe)
complains "--output: expected a file that is not read, got 'own.csv'" "$scfe" explain wine.scfe own.csv -o own.csv
complains "--output" "$scfe" explain wine.scfe own.csv -o link.csv
complains "--output" "$scfe" explain wine.scfe own.csv -o ./own.csv
complains "--output" "$scfe" schema own.csv --label class -o own.csv
complains "--output" "$scfe" fit --model "$model" --data own.csv --label class -o own.csv
complains "--output" "$scfe" keep own.scfe own.csv -o own.csv
[ "$before" = "$(sha256sum own.csv own.scfe)" ] || fail "an input was written over"
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
sed 's/,/;/g' some.csv >semicolons.csv
head -1 "$rows" | sed 's/hue/hoo/' >header.csv
out "header.csv: expected a column 'hue'" "$scfe" explain wine.scfe header.csv
out "semicolons.csv: expected a column 'alcohol' (cells are separated by commas)" "$scfe" explain wine.scfe semicolons.csv
sed '1s/alcohol/alcohl/' some.csv >misspelt.csv
out "misspelt.csv: no column 'alcohol': did you mean 'alcohl'?" "$scfe" explain wine.scfe misspelt.csv
out "no column 'clas': did you mean 'class'?" "$scfe" explain --model "$model" --data "$rows" --label clas "$rows"
(head -1 some.csv | sed 's/hue/ash/'; sed 1d some.csv) >twice.csv
out "twice.csv: header: expected distinct column names, got 'ash' twice" "$scfe" explain wine.scfe twice.csv
sed '2s/^1/1\x00/' some.csv >nul.csv
out "nul.csv: row 1, column 'alcohol': expected text, got a NUL byte" "$scfe" explain wine.scfe nul.csv
printf '\xff\xfe' | cat - some.csv >utf16.csv
out "utf16.csv: expected UTF-8 text" "$scfe" explain wine.scfe utf16.csv
sed '2s/^[^,]*/\xe9/' some.csv >latin.csv
out "latin.csv: row 1, column 'alcohol'" "$scfe" explain wine.scfe latin.csv
printf 'a,y\n1,J\xfc\n2,N\n' >class.csv
complains "class.csv: row 1, column 'y': expected UTF-8 text, got 'J\xFC' in another encoding" "$scfe" schema class.csv --label y
complains "class.csv: row 1, column 'y': expected UTF-8 text" "$scfe" schema class.csv
# Half of a pair of UTF-16, and a letter longer than needed: no JSON text may hold them.
for bytes in '\xed\xa0\x80' '\xe0\x80\xaf' '\xf4\x90\x80\x80'; do
  printf "a,y\n1,J$bytes\n2,N\n" >class.csv
  complains "class.csv: row 1, column 'y': expected UTF-8 text" "$scfe" schema class.csv --label y
done
(head -1 some.csv | sed 's/$/,name/'; sed 1d some.csv | sed 's/$/,J\xfcrgen/') >latin_group.csv
out "latin_group.csv: row 1, column 'name': expected UTF-8 text" "$scfe" audit wine.scfe latin_group.csv --by name --target 1
complains "latin_group.csv: row 1, column 'name': expected UTF-8 text" "$scfe" explain wine.scfe latin_group.csv --by name --target 1 -o groups.html
head -1 some.csv >heads.csv
complains "heads.csv: expected at least one row, got none" "$scfe" evaluate wine.scfe heads.csv heads.csv
fit german_credit
head -4 "$data/german_credit.csv" | sed '3s/own/\xf6wn/' >latin_level.csv
out "latin_level.csv: row 2, column 'housing': expected UTF-8 text" "$scfe" explain german_credit.scfe latin_level.csv --target good
head -4 "$data/german_credit.csv" | sed '1s/housing/h\xf6using/' >latin_head.csv
out "latin_head.csv: header, column 19: expected UTF-8 text" "$scfe" explain german_credit.scfe latin_head.csv --target good
# Errors of options name the flag, wherever they are detected.
out "--max-changes: expected" "$scfe" explain wine.scfe some.csv --max-changes 70
out "--answers: expected a whole number from 1 to 1000" "$scfe" explain wine.scfe some.csv --answers 100000
out "--answers: expected method scfe" "$scfe" explain wine.scfe some.csv --method pcfe --answers 2
out "--sparsity: expected" "$scfe" explain wine.scfe some.csv --solver apg --sparsity l0 --answers 2
out "--sparsity: expected" "$scfe" explain wine.scfe some.csv --sparsity l1 --path
complains "--share: expected" "$scfe" keep wine.scfe some.csv --share 190%
out "--robust: expected" "$scfe" explain wine.scfe some.csv --robust 120%
out "--probability: expected" "$scfe" explain wine.scfe some.csv --probability 40%
out "expected two or more features" "$scfe" explain wine.scfe some.csv --rule 'at most 5 of hue'
for cell in nan inf 1e999 0x10 1,5 '1 2' 1e; do
  awk -F, -v OFS=, -v c="\"$cell\"" 'NR == 3 {$1 = c} 1' some.csv >odd.csv
  out "odd.csv: row 2, column 'alcohol'" "$scfe" explain wine.scfe odd.csv
done
(sed 3q some.csv; printf '"'; sed -n '4,$p' some.csv) >open.csv
out "open.csv: row 3, column 'alcohol': expected a closing quote" "$scfe" explain wine.scfe open.csv
(sed 3q some.csv; head -c 3000000 /dev/zero | tr '\0' 9; sed -n 4p some.csv | sed 's/^[^,]*//') >huge.csv
out "huge.csv: row 3, column 'alcohol'" "$scfe" explain wine.scfe huge.csv
out "'grape'" "$scfe" explain --model "$model" --data "$rows" --label grape "$rows"
out "'name'" "$scfe" explain wine.scfe "$rows" --id name
sed '1s/$/,extra/; 2,$s/$/,1/' some.csv >extra.csv
status 0 "$scfe" explain wine.scfe extra.csv -o ok.csv
grep -q "warning: extra.csv: column 'extra'" stderr || fail "an extra column is no warning"
# A bad cell late in the file leaves no output either.
(head -1 "$rows"; for i in $(seq 20); do sed 1d "$rows"; done; sed -n 2p "$rows" | sed 's/^[^,]*/x/') >deep.csv
out "deep.csv: row 3561, column 'alcohol'" "$scfe" explain wine.scfe deep.csv "${quick[@]}"

head -c 3000 "$data/models/german_credit.onnx" >cut.onnx
complains "cut.onnx: " "$scfe" inspect cut.onnx
complains "got 'wine.scfe', 'rows.csv', 'no'" "$scfe" explain wine.scfe rows.csv --hints no
# Classes: with three of them a target is needed; a class without training rows cannot be the target.
complains "one of the classes: cultivar 1, cultivar 2, cultivar 3, got nothing" \
  "$scfe" explain --model "$data/models/wine3.onnx" --data "$rows" --schema "$data/wine3.schema.json" some.csv
wine3=(--model "$data/models/wine3.onnx" --data "$rows" --schema "$data/wine3.schema.json")
status 0 "$scfe" explain "${wine3[@]}" some.csv --target any -o any.csv
status 0 "$scfe" verify "${wine3[@]}" some.csv any.csv --target any
(head -1 "$rows"; sed 1d "$rows" | awk -F, '$14 != 1') >without.csv
out "'cultivar 2', which has none" "$scfe" explain --model "$model" --data without.csv \
  --schema "$data/wine.schema.json" some.csv --target 'cultivar 2'

# A model that is not finite at a row gives that row a status, and does not end the run.
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
complains "'7'" "$scfe" evaluate wine.scfe some.csv strange.csv
# Rows without an answer, rows with two, and answers without a row are all named.
status 1 "$scfe" verify wine.scfe some.csv strange.csv
grep -q "strange.csv: row 2, column 'row': expected a row that is asked about, once, got '7'" stdout || fail "$(cat stdout)"
grep -q '^row 2: missing' stdout && grep -q '^1 rows are missing' stdout || fail "$(cat stdout)"
sed 3d good.csv >lacking.csv
status 1 "$scfe" verify wine.scfe some.csv lacking.csv
grep -q '^row 2: missing' stdout || fail "a missing row is not named: $(cat stdout)"
status 1 "$scfe" evaluate wine.scfe some.csv lacking.csv
grep -q '^failures  1$' stdout || fail "a missing row is no failure: $(cat stdout)"
sed 3p good.csv >doubled.csv
status 1 "$scfe" verify wine.scfe some.csv doubled.csv
grep -q "doubled.csv: row 3, .*got '2' again" stdout || fail "a doubled row is not named: $(cat stdout)"
awk -F, -v OFS=, 'NR == 2 {for (i = 5; i <= NF; ++i) $i = ""} 1' good.csv >hollow.csv
status 1 "$scfe" verify wine.scfe some.csv hollow.csv
grep -q "^row 1: status: 'valid', but the cells are empty" stdout || fail "$(cat stdout)"
cut -d, -f1-10 good.csv >thin.csv
complains "column" "$scfe" evaluate wine.scfe some.csv thin.csv
cut -d, -f2- good.csv | head -2 >fewer.csv
complains "3 rows" "$scfe" verify wine.scfe some.csv fewer.csv
finish
