# The written answers keep the limits of a question, and verify detects answers that do not.
. "$(dirname "$0")/common.sh"
fit wine
rows=$data/wine.csv
limits=(--target 1 --freeze alcohol,hue --only-up ash --only-down proline --range malic_acid=1:4 --range flavanoids=:3)
"$scfe" explain wine.scfe "$rows" "${limits[@]}" -o limited.csv
[ $? -le 1 ] || fail "explain with limits"
status 0 "$scfe" verify wine.scfe "$rows" limited.csv "${limits[@]}"
# Compares the cells of answers and rows column by column, without the program.
column() { head -1 "$1" | tr ',' '\n' | grep -nx "$2" | cut -d: -f1; }
compare() { # compare FEATURE AWK-CONDITION on from, to
  paste -d, <(sed 1d "$rows" | cut -d, -f"$(column "$rows" "$1")") \
    <(sed 1d limited.csv | cut -d, -f2,"$(column limited.csv "$1")") |
    awk -F, -v feature="$1" '($2 == "valid" || $2 == "below_floor") && !('"$2"') {print feature, $0; bad = 1} END {exit bad}' ||
    fail "limit of $1"
}
compare alcohol '$1 == $3'
compare hue '$1 == $3'
compare ash '$3 >= $1'
compare proline '$3 <= $1'
compare malic_acid '$3 == $1 || ($3 >= 1 && $3 <= 4)'
compare flavanoids '$3 == $1 || $3 <= 3'
awk -F, 'NR > 1 && $3 > 3 {exit 1}' limited.csv || fail "more than three changes"

# Answers that were found without the limits break them.
status 0 "$scfe" explain wine.scfe "$rows" --target 1 -o free.csv
expect() { # expect WORD FLAGS...
  local word=$1
  shift
  status 1 "$scfe" verify wine.scfe "$rows" free.csv --target 1 "$@"
  grep -q "$word" stdout || fail "no '$word' for $*: $(head -2 stdout)"
}
expect 'frozen: proline' --freeze proline
expect 'direction: proline' --only-up proline
expect 'direction: .* may only fall' --only-down alcalinity_of_ash
expect 'range: proline' --range proline=700:
expect 'changes: ' --max-changes 1
expect 'floor: ' --plausible 60%
expect 'probability: ' --probability 0.9
sed '2s/,[0-9]*,$/,563.5,/' free.csv >half.csv
complains "row 1, column 'proline'" "$scfe" verify wine.scfe "$rows" half.csv --target 1
sed '2s/,12.13,/,14.23,/' free.csv >changed.csv
status 1 "$scfe" verify wine.scfe "$rows" changed.csv --target 1
grep -q 'row 1: ' stdout || fail "a changed cell is not noticed"
sed '2s/;/|/' free.csv >names.csv
status 1 "$scfe" verify wine.scfe "$rows" names.csv --target 1
grep -q "row 1: changed: the file says '" stdout || fail "other names in 'changed' are not noticed"
sed '2s/valid/fine/' free.csv >fine.csv
status 1 "$scfe" verify wine.scfe "$rows" fine.csv --target 1
grep -q "row 1: status: 'fine' is none of" stdout || fail "a foreign status is not noticed"

status 0 "$scfe" explain wine.scfe "$rows" --target 1 --probability 0.9 --max-changes 4 -o sure.csv
status 0 "$scfe" verify wine.scfe "$rows" sure.csv --target 1 --probability 0.9 --max-changes 4
status 0 "$scfe" explain wine.scfe "$rows" --target 1 --plausible none -o none.csv
status 0 "$scfe" explain wine.scfe "$rows" --target 1 --plausible 0 -o zero.csv
same none.csv zero.csv
status 0 "$scfe" explain wine.scfe "$rows" --target 1 --plausible 10% -o percent.csv
same percent.csv free.csv

# A floor for each row: answers pass at their own log-density, and fail with a higher floor.
status 0 "$scfe" explain wine.scfe "$rows" --target 1 -o free.jsonl
floors() { # floors ADD: the rows with a column log_density:min, ADD above that of their answers
  { echo log_density:min; sed 1d free.jsonl | sed -nE 's/.*"log_density": *([-0-9.e]+).*/\1/p;t;s/.*//p' |
      awk -v add="$1" '{print $1 == "" ? "" : $1 + add}'; } | paste -d, "$rows" -
}
floors -0.001 >same_floor.csv
status 0 "$scfe" verify wine.scfe same_floor.csv free.csv --target 1
floors 1 >higher_floor.csv
status 1 "$scfe" verify wine.scfe higher_floor.csv free.csv --target 1
grep -q 'floor: ' stdout || fail "a floor of the row's own is not noticed"
"$scfe" explain wine.scfe higher_floor.csv --target 1 -o typical.csv
[ $? -le 1 ] || fail "explain with floors of rows"
status 0 "$scfe" verify wine.scfe higher_floor.csv typical.csv --target 1

# Answers of another tool: no columns status and row, and another order of columns.
awk -F, -v OFS=, '{print $17, $16, $15, $14, $13, $12, $11, $10, $9, $8, $7, $6, $5}' free.csv >other.csv
status 0 "$scfe" verify wine.scfe "$rows" other.csv --target 1
finish
