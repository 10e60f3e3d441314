# Implications and maps hold on every written answer, for a network, two tree ensembles and two solvers; a script that knows nothing
# of the program checks them.
. "$(dirname "$0")/common.sh"
check=$(dirname "$data")/tests/cli/implications_check.py
fixtures=$(dirname "$data")/tests/fixtures/levels
checked=0
# keeps RULES rows.csv answers.csv: no answer breaks one of the rules
keeps() {
  local count
  count=$(python3 "$check" "$@") || fail "$1, $3: $(head -3 <<<"$count")"
  checked=$((checked + $(tail -1 <<<"$count")))
}

sed -e 's/"name": "employment", "type": "categorical"/& , "order": ["unemployed", "below_1", "1_to_4", "4_to_7", "above_7"]/' \
  "$data/german_credit.schema.json" >ordered.schema.json
status 0 "$scfe" fit --model "$data/models/german_credit.onnx" --data "$data/german_credit.csv" \
  --schema ordered.schema.json -o german.scfe
german=(--rule 'if housing = "rent" then property not in ("realestate", "unknown")'
  --rule 'if purpose = "newcar" then amount >= 2000'
  --rule 'if duration_months falls then amount falls'
  --rule 'checking_account = "none" if and only if savings in ("unknown", "below_100")'
  --rule 'if employment rises then telephone = "yes"'
  --rule 'installment_rate := map(other_installments, "none": 1, "bank": 2, "stores": 3)')
"$scfe" explain german.scfe "$data/german_credit.csv" "${german[@]}" --hints false -o german.csv 2>/dev/null
[ $? -le 1 ] || fail "explain with implications"
keeps german "$data/german_credit.csv" german.csv
[ "$checked" -ge 800 ] || fail "only $checked answers with implications"
status 0 "$scfe" verify german.scfe "$data/german_credit.csv" german.csv "${german[@]}"
grep -q '^[^,]*,[^,]*,[^,]*,[^,]*installment_rate' german.csv && fail "a mapped column counts as a change"
head -101 "$data/german_credit.csv" >hundred.csv
"$scfe" explain german.scfe hundred.csv "${german[@]}" --hints false --solver apg --iterations 60 -o apg.csv 2>/dev/null
[ $? -le 1 ] || fail "apg with implications"
keeps german hundred.csv apg.csv

# Answers that were found without the rules break them, and both checks say so.
status 0 "$scfe" explain german.scfe hundred.csv --hints false -o free.csv
python3 "$check" german hundred.csv free.csv >/dev/null && fail "the rules forbid nothing"
status 1 "$scfe" verify german.scfe hundred.csv free.csv "${german[@]}"
grep -q 'rule: if ' stdout || fail "verify does not name the implication: $(head -3 stdout)"

# Trees whose file has the levels in an order of its own.
levels=(--rule "if job = 'boss, big' then smoker = 'False'" --rule "month = 12 if and only if rate = 9.25"
  --rule "if 'age, years' rises then 'size (cm)' >= 160"
  --rule "'2nd income' := map(school, 'high': 300, 'mid': 200, 'low': 100)")
for model in lightgbm.txt xgboost.json; do
  status 0 "$scfe" fit --model "$fixtures/$model" --data "$fixtures/rows.csv" --label label \
    --ignore xgboost,lightgbm -o levels.scfe
  "$scfe" explain levels.scfe "$fixtures/rows.csv" "${levels[@]}" --hints false --answers 3 -o levels.csv 2>/dev/null
  [ $? -le 1 ] || fail "explain $model with implications"
  keeps levels "$fixtures/rows.csv" levels.csv
  status 0 "$scfe" verify levels.scfe "$fixtures/rows.csv" levels.csv "${levels[@]}" --answers 3
done
[ "$checked" -ge 1000 ] || fail "only $checked answers were checked"

# A contradiction is said at once, a rule of the question is named as what blocks.
status 0 "$scfe" explain german.scfe hundred.csv --hints false --rule 'if housing = "rent" then age <= 30' \
  --rule 'if housing = "rent" then age >= 40' -o contradiction.csv
grep -q 'no row meets both where the condition of the first holds' stderr || fail "contradiction: $(cat stderr)"
sed -n '1p;12p' hundred.csv >one.csv
status 1 "$scfe" explain german.scfe one.csv --max-changes 1 --plausible none \
  --freeze duration_months,amount,residence_years,existing_credits,dependents,telephone,checking_account,credit_history,purpose,savings \
  --freeze employment,other_debtors,property,other_installments,housing,job \
  --rule 'if installment_rate changes then telephone changes'
grep -q 'possible without the rule if installment_rate changes then telephone changes' stdout || fail "no hint: $(cat stdout)"
echo "checked: $checked answers"
finish
