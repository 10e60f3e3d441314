# fit, explain, verify, evaluate on every set; with and without fit, one and two threads: the same bytes.
. "$(dirname "$0")/common.sh"
changes() { case $1 in wdbc) echo 10 ;; *) echo 3 ;; esac; }
for name in wine housing wdbc; do
  m=$(changes "$name")
  (head -1 "$data/$name.csv"; sed 1d "$data/$name.csv" | awk 'NR % 6 == 1') >rows.csv
  fit "$name"
  status 0 "$scfe" explain "$name.scfe" rows.csv --max-changes "$m" --threads 1 -o one.csv
  status 0 "$scfe" explain "$name.scfe" rows.csv --max-changes "$m" --threads 2 -o two.csv
  same one.csv two.csv
  status 0 "$scfe" explain --model "$data/models/$name.json" --data "$data/$name.csv" \
    --schema "$data/$name.schema.json" rows.csv --max-changes "$m" -o straight.csv
  same one.csv straight.csv
  status 0 "$scfe" verify "$name.scfe" rows.csv one.csv --max-changes "$m"
  grep -q ' 0 break a limit' stdout || fail "$name: $(tail -1 stdout)"
  status 0 "$scfe" evaluate "$name.scfe" rows.csv one.csv --max-changes "$m"
  grep -q '(100 %)' stdout || fail "$name: not all valid"
  grep -Eq '^LOF +[0-9]' stdout || fail "$name: no LOF"
  [ "$(wc -l <one.csv)" -eq "$(wc -l <rows.csv)" ] || fail "$name: rows are missing"
  ls | grep -q partial && fail "$name: a partial file is left"
done
# A class by name, by number; rows that are in it already.
status 0 "$scfe" explain wine.scfe "$data/wine.csv" --target 'cultivar 2' -o name.csv
status 0 "$scfe" explain wine.scfe "$data/wine.csv" --target 1 -o number.csv
same name.csv number.csv
grep -q ',already,0,,' name.csv || fail "no row is in its class already"
status 0 "$scfe" verify wine.scfe "$data/wine.csv" name.csv --target 1
# Without -o: CSV for programs, tables for people.
"$scfe" explain wine.scfe "$data/wine.csv" --target 1 >piped.csv
same piped.csv name.csv
status 0 "$scfe" explain wine.scfe "$data/wine.csv" --table
grep -q '^Row 178: ' stdout || fail "the table does not reach the last row"
# Rows without an answer: exit 1, and they are in the output with their reason.
status 1 "$scfe" explain wdbc.scfe "$data/wdbc.csv" --max-changes 1 --density none -o few.csv
[ "$(wc -l <few.csv)" -eq 570 ] || fail "rows without an answer are missing"
grep -q 'not_found,,,.*no counterfactual with at most 1 changes' few.csv || fail "no reason"
status 0 "$scfe" verify wdbc.scfe "$data/wdbc.csv" few.csv --max-changes 1 --density none
status 1 "$scfe" evaluate wdbc.scfe "$data/wdbc.csv" few.csv
status 0 "$scfe" schema "$data/wine.csv" --label class -o inferred.json
status 0 "$scfe" inspect wine.scfe
grep -q 'proline .*integer' stdout || fail "inspect does not list the features"
status 0 "$scfe" inspect "$data/models/wine.json"
finish
