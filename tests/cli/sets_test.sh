# fit, explain, verify, evaluate on every data set; the same bytes with and without fit, with one and two threads.
. "$(dirname "$0")/common.sh"
# Enough changes for an answer to every row, and which rows are used: every n-th.
changes() { case $1 in wdbc) echo 10 ;; *) echo 3 ;; esac; }
every() { case $1 in wine) echo 2 ;; wdbc) echo 19 ;; *) echo 12 ;; esac; }
for name in wine housing wdbc german_credit; do
  m=$(changes "$name")
  (head -1 "$data/$name.csv"; sed 1d "$data/$name.csv" | awk -v n="$(every "$name")" 'NR % n == 1') >rows.csv
  fit "$name"
  status 0 "$scfe" explain "$name.scfe" rows.csv --max-changes "$m" --threads 1 -o one.csv
  status 0 "$scfe" explain "${given[@]}" rows.csv --max-changes "$m" --threads 2 -o straight.csv
  same one.csv straight.csv
  status 0 "$scfe" verify "$name.scfe" rows.csv one.csv --max-changes "$m"
  grep -q ' 0 break a limit' stdout || fail "$name: $(tail -1 stdout)"
  status 0 "$scfe" evaluate "$name.scfe" rows.csv one.csv --max-changes "$m"
  grep -q '(100 %)' stdout || fail "$name: not all valid"
  grep -Eq '^LOF +[0-9]' stdout || fail "$name: no LOF"
  [ "$(wc -l <one.csv)" -eq "$(wc -l <rows.csv)" ] || fail "$name: rows are missing"
  ls | grep -q partial && fail "$name: a partial file is left"
  # Frozen features do not change: compared cell by cell, without the program.
  [ "$name" = german_credit ] || continue
  for column in age personal_status foreign_worker; do
    at() { head -1 "$1" | tr ',' '\n' | grep -nx "$column" | cut -d: -f1; }
    same <(cut -d, -f"$(at rows.csv)" rows.csv) <(cut -d, -f"$(at one.csv)" one.csv)
  done
done
# A class by name, by a value of the label column, by number; rows that are in it already.
cp "$data/wine.csv" rows.csv
status 0 "$scfe" explain wine.scfe rows.csv --target 'cultivar 2' -o name.csv
status 0 "$scfe" explain wine.scfe rows.csv --target 1 -o number.csv
same name.csv number.csv
grep -q ',already,0,,' name.csv || fail "no row is in its class already"
status 0 "$scfe" verify wine.scfe rows.csv name.csv --target 1
head -20 "$data/german_credit.csv" >few.csv
for class in approved good 1; do status 0 "$scfe" explain german_credit.scfe few.csv --target $class "${quick[@]}" -o $class.csv; done
same approved.csv good.csv
same good.csv 1.csv
# Without -o: CSV into a pipe, tables on a terminal.
"$scfe" explain wine.scfe rows.csv --target 1 >piped.csv
same piped.csv name.csv
status 1 "$scfe" explain wine.scfe rows.csv --table "${quick[@]}"
grep -q '^Row 178: ' stdout || fail "the table does not reach the last row"
# Rows without an answer: exit 1, and they are in the output with their reason.
status 1 "$scfe" explain wdbc.scfe "$data/wdbc.csv" --max-changes 1 --density none -o few.csv
[ "$(wc -l <few.csv)" -eq 570 ] || fail "rows without an answer are missing"
grep -q 'not_found,,,.*no counterfactual was found with at most 1 change' few.csv || fail "no reason"
status 0 "$scfe" verify wdbc.scfe "$data/wdbc.csv" few.csv --max-changes 1 --density none
status 1 "$scfe" evaluate wdbc.scfe "$data/wdbc.csv" few.csv
# verify accepts the answers of other methods.
for method in nearest wachter dcfe; do
  "$scfe" explain wine.scfe rows.csv --method $method --target 1 -o method.csv
  status 0 "$scfe" verify wine.scfe rows.csv method.csv --method $method --target 1
  "$scfe" explain wine.scfe rows.csv --method $method --target 1 --max-changes 2 2>&1 >/dev/null | grep -q "warning: --max-changes" ||
    fail "$method ignores --max-changes without a word"
done
# Missing cells by policy: the row is in the output with its reason, or the cell is filled with a warning.
sed '3s/^[^,]*//' rows.csv >gaps.csv
given wine
complains "gaps.csv: row 2, column 'alcohol': expected a value" "$scfe" explain wine.scfe gaps.csv -o gaps_out.csv
status 1 "$scfe" explain "${given[@]}" --missing drop gaps.csv -o gaps_out.csv
grep -q "^2,not_found,.*'alcohol' is missing (policy: drop)" gaps_out.csv || fail "no reason for a dropped row"
[ "$(wc -l <gaps_out.csv)" -eq "$(wc -l <gaps.csv)" ] || fail "a dropped row is not in the output"
status 0 "$scfe" verify "${given[@]}" --missing drop gaps.csv gaps_out.csv
grep -q '1 rows have no answer' stdout || fail "verify does not count the dropped row"
grep -v '^2,' gaps_out.csv >gaps_less.csv
status 1 "$scfe" verify "${given[@]}" --missing drop gaps.csv gaps_less.csv
"$scfe" explain "${given[@]}" --missing impute gaps.csv -o gaps_out.csv 2>stderr
grep -q '1 missing cell filled' stderr || fail "filled cells are not mentioned"
sed '3s/^[^,]*/?/; 5s/^[^,]*/?/' "$data/wine.csv" >torn.csv
torn=(--model "$data/models/wine.onnx" --data torn.csv --schema "$data/wine.schema.json" --density none -o torn.scfe)
status 0 "$scfe" fit "${torn[@]}" --missing impute
grep -q 'torn.csv: 2 missing cells filled' stderr || fail "fit does not mention filled cells: $(cat stderr)"
status 0 "$scfe" fit "${torn[@]}" --missing drop
grep -q 'torn.csv: 2 rows with missing cells' stderr || fail "fit does not mention rows left out: $(cat stderr)"
# A status that contradicts the cells.
"$scfe" explain "${given[@]}" "$data/wine.csv" -o said.csv
sed '0,/,valid,/s/,valid,/,not_found,/' said.csv >unsaid.csv
status 1 "$scfe" verify "${given[@]}" "$data/wine.csv" unsaid.csv
grep -q "'not_found', but the cells are not empty" stdout || fail "verify takes not_found beside an answer: $(cat stdout)"
sed '0,/,valid,/s/,valid,/,below_floor,/' said.csv >unsaid.csv
status 1 "$scfe" verify "${given[@]}" "$data/wine.csv" unsaid.csv
grep -q "'below_floor', but as typical as" stdout || fail "verify takes below_floor of a typical answer: $(cat stdout)"
complains "--missing: expected error, drop or impute" "$scfe" explain "${given[@]}" --missing x gaps.csv
status 0 "$scfe" schema "$data/wine.csv" --label class -o inferred.json
status 0 "$scfe" inspect wine.scfe
grep -q 'proline .*integer' stdout || fail "inspect does not list the features"
status 0 "$scfe" inspect "$data/models/wine.json"
status 0 "$scfe" inspect "$data/models/german_credit.onnx"
finish
