# scfe compare: the lines of docs/baseline.md, agreement with explain and evaluate, --resume, errors.
. "$(dirname "$0")/common.sh"
mkdir build
ln -s "$scfe" build/scfe
ln -s "$data" data
awk '/^```sh$/ {inside = 1; next} inside && /^```/ {exit} inside' "$data/../docs/baseline.md" >baseline.sh
[ "$(wc -l <baseline.sh)" -ge 8 ] || fail "no commands in docs/baseline.md"
status 0 bash -e baseline.sh
for file in table.tex table.md table.csv front.svg; do [ -s $file ] || fail "docs/baseline.md leaves no $file"; done
[ "$(grep -c '^[^%].*\\\\$' table.tex)" -eq 6 ] || fail "not five methods in the table: $(cat table.tex)"
[ "$(grep -c '<circle' front.svg)" -eq 10 ] || fail "the picture and its legend have not five dots each"
[ -z "$(ls | grep partial)" ] || fail "a journal is left"

# measures FILE NAME: the measures of a row, without its name and its times
measures() { grep "^$2," "$1" | cut -d, -f2-18; }
same_measures() { [ -n "$(measures "$1" "$2")" ] && [ "$(measures "$1" "$2")" = "$(measures "$3" "$4")" ] || fail "$2 of $1 and $4 of $3 differ"; }
fit wine
status 0 "$scfe" explain wine.scfe rows.csv --plausible 50% -o half.csv
status 0 "$scfe" explain wine.scfe rows.csv --method nearest -o nearest.csv
status 0 "$scfe" compare wine.scfe rows.csv --plausible 50% --run 'half:' --run 'near & far_1: --method nearest' \
  --given near2=nearest.csv --given half2=half.csv --lof-neighbours 5 --lof-metric l1 -o both.csv -o both.tex -o both.txt --each each.csv
# --each: a line for each answer, the given ones too; the table has their means.
[ "$(cut -d, -f1 each.csv | sort | uniq -c | tr -s ' ' | tr '\n' ';')" = " 30 half; 30 half2; 1 method; 30 near & far_1; 30 near2;" ] || fail "not every answer: $(cut -d, -f1 each.csv | sort | uniq -c)"
same <(grep '^half,' each.csv | cut -d, -f2-12) <(grep '^half2,' each.csv | cut -d, -f2-12)
same <(grep '^half,' each.csv | cut -d, -f2) <(seq 30)
awk -F, 'NR == FNR {if ($1 == "near2" && $3) {sum += $8; n++}; next} $1 == "near2" {exit !(n == $3 && (sum / n - $11) ^ 2 < 1e-18)}' each.csv both.csv ||
  fail "the mean LOF is not that of the answers"
same_measures both.csv half both.csv half2
same_measures both.csv 'near & far_1' both.csv near2
[ "$(measures both.csv half)" != "$(measures both.csv near2)" ] || fail "two methods have the same measures"
grep -qF 'near \& far\_1 &' both.tex || fail "a name is not escaped in LaTeX: $(cat both.tex)"
grep -qF 'LOF(5, l1)' both.txt || fail "no LOF(k, p) in: $(cat both.txt)"
below=$(grep -c ',below_floor,' half.csv)
[ "$(measures both.csv half | cut -d, -f3)" = "$below" ] || fail "$below answers below the floor: $(measures both.csv half)"
status 0 "$scfe" evaluate wine.scfe rows.csv half.csv --plausible 50% --lof-neighbours 5 --lof-metric l1 -o one.csv -o one.md --each each_one.csv
same <(grep '^half2,' each.csv | cut -d, -f2-12) <(tail -n +2 each_one.csv | cut -d, -f2-12)
same_measures both.csv half one.csv half.csv
# The command that stands beside a row gives its answers.
eval "$(sed -n 's/^half (seed 0): scfe/"$scfe"/p' both.txt) -o again.csv"
same half.csv again.csv
# Also if the rows have a space in their path, and the run another fit than the flags.
cp rows.csv 'two words.csv'
status 0 "$scfe" compare "${given[@]}" 'two words.csv' --plausible 50% --run 'half: --fitted wine.scfe' -o spaced.txt
eval "$(sed -n 's/^half (seed 0): scfe/"$scfe"/p' spaced.txt) -o spaced.csv"
same half.csv spaced.csv

# A run that is killed and resumed has the same measures as an unbroken one, and asks nothing twice.
long=(compare wine.scfe "$data/wine.csv" --target other --run 'quick:' --run 'cem: --method cem-pn --sections 20' --threads 1)
status 0 "$scfe" "${long[@]}" -o whole.csv
"$scfe" "${long[@]}" -o broken.csv >/dev/null 2>&1 &
run=$!
for _ in $(seq 3000); do [ "$(stat -c %s broken.csv.partial 2>/dev/null || echo 0)" -ge 20000 ] && break; sleep 0.01; done
kill -KILL $run
wait $run 2>/dev/null
[ ! -e broken.csv ] && [ -s broken.csv.partial ] || fail "was over before it was killed"
complains "same question" "$scfe" "${long[@]}" --probability 0.9 -o broken.csv --resume
status 0 "$scfe" "${long[@]}" -o broken.csv --resume
same_measures whole.csv quick broken.csv quick
same_measures whole.csv cem broken.csv cem
[ ! -e broken.csv.partial ] || fail "the journal is left"

# Methods that do not apply are named; bad input is an error.
status 0 "$scfe" compare wine.scfe rows.csv --run 'pcfe: --method pcfe' --run 'a: --method nearest'
grep -q '^pcfe does not apply: .*linear' stdout || fail "no reason: $(cat stdout)"
ask=("$scfe" compare wine.scfe rows.csv)
complains "--run 'a': unknown flag '--methd': did you mean '--method'?" "${ask[@]}" --run 'a: --methd nearest'
complains "--run 'a': method: expected" "${ask[@]}" --run 'a: --method near'
complains "cem-pp, whose rows keep it" "${ask[@]}" --run 'a: --method cem-pp'
complains "'a' twice" "${ask[@]}" --run 'a:' --run 'a: --tau 2'
complains "expected 'NAME: --flag value ...'" "${ask[@]}" --run nearest
complains "--run 'a': expected a closing" "${ask[@]}" --run "a: --range 'x"
complains "as fitted, or none" "${ask[@]}" --run 'a: --density gmm'
complains "NAME=answers.csv" "${ask[@]}" --given half.csv
complains ".txt, .csv, .md, .tex or .svg" "${ask[@]}" -o out.pdf
complains "a table" "$scfe" evaluate wine.scfe rows.csv half.csv -o out.svg
complains "a file that is not read" "${ask[@]}" --each rows.csv
complains "no-such" "${ask[@]}" --runs no-such.txt
finish
