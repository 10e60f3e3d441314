# Rules that the training rows keep are learned, listed with their evidence, kept by every answer of every solver, and switched
# off one by one; a script that knows nothing of the program counts the answers that break what was planted.
. "$(dirname "$0")/common.sh"
check=$(dirname "$data")/tests/cli/learned_rules_check.py
python3 "$check" make . || fail "no table"
given=(--model model.json --data train.csv --label label)
learned='grade := map[(]school, |if pdays = -1 then previous = 0|used <= limit'
checked=0
# breaks asked.csv answers.csv: sets `found` and `broken`
breaks() {
  read -r found broken < <(python3 "$check" count "$@")
  checked=$((checked + found))
}

status 0 "$scfe" fit "${given[@]}" -o used.scfe  # use is the default
[ "$(grep -cE "$learned" stdout)" -eq 3 ] || fail "not all planted rules: $(cat stdout)"
grep -qE '^ +[0-9]+ +0 of 4,000 rows; +[0-9,]+ expected +grade := map' stdout || fail "no evidence: $(cat stdout)"
rules=$(grep -oE 'learned from the training rows: [0-9]+' stdout | grep -oE '[0-9]+')
[ "$(grep -cE '^ +[0-9]+ +[0-9,]+ of 4,000 rows; +[0-9,]+ expected' stdout)" -eq "$rules" ] || fail "$rules rules: $(cat stdout)"
[ "$rules" -le 14 ] || fail "$rules rules are many: $(cat stdout)"
grep -E '^ +[0-9]+ ' stdout >of_fit
status 0 "$scfe" inspect used.scfe
grep -E '^ +[0-9]+ +[0-9,]+ of 4,000 rows' stdout >of_inspect
same of_fit of_inspect

status 0 "$scfe" fit "${given[@]}" --learned-rules none -o free.scfe
grep -q 'learned' stdout && fail "none learns: $(cat stdout)"
status 0 "$scfe" fit "${given[@]}" --learned-rules list -o listed.scfe
grep -q "learned from the training rows: $rules rules, not used" stdout || fail "list: $(cat stdout)"

ask() { # ask E.scfe answers.csv FLAGS...
  "$scfe" explain "$1" asked.csv --hints false -o "$2" "${@:3}" 2>stderr
  [ $? -le 1 ] || fail "explain $*: $(cat stderr)"
  breaks asked.csv "$2"
}
ask free.scfe free.csv --target yes
[ "$broken" -gt 50 ] || fail "only $broken of $found answers break a rule without the rules"
ask listed.scfe listed.csv --target yes
same free.csv listed.csv
for floor in 10% none; do
  ask free.scfe free_too.csv --target yes --plausible "$floor"
  free=$found
  for solver in auto search exact apg; do
    [ "$solver" = exact ] && [ "$floor" != none ] && continue # a linear score is proven without a floor
    ask used.scfe "used.csv" --target yes --solver "$solver" --plausible "$floor"
    [ "$broken" -eq 0 ] || fail "$solver, $floor: $broken of $found answers break a rule"
    [ "$found" -ge $((free - 2)) ] || fail "$solver, $floor: $found answers in place of $free"
  done
done
# An answer that keeps the rules without being told to is proven, as it would be without them.
"$scfe" explain used.scfe asked.csv --target yes --plausible none --hints false --solver exact -o used.jsonl 2>stderr
[ $? -le 1 ] || fail "exact: $(cat stderr)"
proven=$(grep -cE '"proven": ?true' used.jsonl)
[ "$proven" -ge 30 ] || fail "only $proven answers are proven: $(head -1 used.jsonl)"
ask used.scfe several.csv --target yes --answers 3 --max-changes 4
[ "$broken" -eq 0 ] || fail "$broken of several answers break a rule"
ask used.scfe used.csv --target yes
status 0 "$scfe" verify used.scfe asked.csv used.csv --target yes
status 1 "$scfe" verify used.scfe asked.csv free.csv --target yes
grep -qE 'rule: (if|used|grade)' stdout || fail "verify names no learned rule: $(head -3 stdout)"
grep -q '^[^,]*,[^,]*,[^,]*,[^,]*grade' used.csv && fail "a mapped column counts as a change"
[ "$checked" -ge 1500 ] || fail "only $checked answers were checked"

# Rules are switched off one by one.
number=$(grep -oE '^ +[0-9]+ .*used <= limit' of_fit | grep -oE '^ +[0-9]+' | tr -d ' ')
status 0 "$scfe" fit "${given[@]}" --learned-rules use --drop-rules "$number" -o dropped.scfe
grep -q '(not used) used <= limit' stdout || fail "not dropped: $(cat stdout)"
ask dropped.scfe dropped.csv --target yes
[ "$broken" -gt 0 ] || fail "the dropped rule is still kept"
complains "numbers from 1 to $rules" "$scfe" fit "${given[@]}" --learned-rules use --drop-rules 99 -o x.scfe
complains "numbers from 1 with commas" "$scfe" fit "${given[@]}" --learned-rules use --drop-rules 1,,2 -o x.scfe

# One's own formula takes the place of a learned one.
own=(--rule 'grade := map(school, "none": 1, "primary": 2, "secondary": 3, "college": 4, "doctor": 5)')
"$scfe" explain used.scfe asked.csv --target yes --hints false "${own[@]}" -o own.csv 2>stderr
[ $? -le 1 ] || fail "own formula: $(cat stderr)"
echo "checked: $checked answers, $rules rules"
finish
