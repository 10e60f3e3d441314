# Written answers keep rules between features and limits of single rows, and verify detects broken ones.
. "$(dirname "$0")/common.sh"
status 0 "$scfe" fit --model "$data/models/german_credit.onnx" --data "$data/german_credit.csv" \
  --schema "$data/german_credit.schema.json" -o credit.scfe
head -61 "$data/german_credit.csv" >rows.csv
rules=(--target good --rule "amount <= 150 * duration_months" --rule "at most 1 of checking_account, duration_months")
"$scfe" explain credit.scfe rows.csv "${rules[@]}" -o ruled.csv || [ $? -eq 1 ] || fail "explain with rules"
status 0 "$scfe" verify credit.scfe rows.csv ruled.csv "${rules[@]}"
# Checks amount and duration of rows that changed either, without the program.
column() { head -1 "$1" | tr ',' '\n' | grep -nx "$2" | cut -d: -f1; }
cells() { sed 1d "$1" | cut -d, -f"$(column "$1" "$2")"; }
paste -d, <(cells rows.csv amount) <(cells ruled.csv amount) <(cells rows.csv duration_months) \
  <(cells ruled.csv duration_months) <(cells rows.csv checking_account) <(cells ruled.csv checking_account) |
  awk -F, '$2 != "" && ($1 != $2 || $3 != $4) && $2 > 150 * $4 {bad = 1}
           $2 != "" && $3 != $4 && $5 != $6 {bad = 1} END {exit bad}' || fail "a rule is broken"
# Answers that were found without the rule break it.
status 0 "$scfe" explain credit.scfe rows.csv --target good -o free.csv
status 1 "$scfe" verify credit.scfe rows.csv free.csv --target good --rule "at most 1 of checking_account, savings" \
  --rule "duration_months >= 30" --rule "amount <= 1000"
grep -q 'rule: ' stdout || fail "a broken rule is not noticed"

# A rule of the schema applies to every question; a derived column follows and does not count as a change.
sed 's/"features": \[/"rules": ["existing_credits := installment_rate + 0", "amount <= 9000"], "features": [/' \
  "$data/german_credit.schema.json" >ruled.schema.json
status 0 "$scfe" fit --model "$data/models/german_credit.onnx" --data "$data/german_credit.csv" \
  --schema ruled.schema.json -o ruled.scfe
"$scfe" explain ruled.scfe rows.csv --target good -o derived.csv 2>warnings || [ $? -eq 1 ] || fail "explain with a derived column"
grep -q "rows not as the rule 'existing_credits := installment_rate + 0' says (first: row 1, 2 instead of 4)" warnings ||
  fail "rows that break their own rule: $(cat warnings)"
status 0 "$scfe" verify ruled.scfe rows.csv derived.csv --target good
grep -q '^[^,]*,[^,]*,[^,]*,[^,]*existing_credits' derived.csv && fail "a derived column counts as a change"

complains "rule 'amount <= amuont', position 11: unknown feature 'amuont': did you mean 'amount'?" \
  "$scfe" explain credit.scfe rows.csv --rule "amount <= amuont"
complains "position 8: expected <=, >=, = or :=" "$scfe" explain credit.scfe rows.csv --rule "amount < 3"

# Limits of single rows.
awk -F, -v OFS=, 'NR == 1 {print $0, "amount:max", "checking_account:fixed"; next} {print $0, NR % 2 ? 3000 : "", 1}' \
  rows.csv >limited.csv
"$scfe" explain credit.scfe limited.csv --target good -o own.csv 2>warnings || [ $? -eq 1 ] || fail "explain with row limits"
[ ! -s warnings ] || fail "warnings: $(cat warnings)"
status 0 "$scfe" verify credit.scfe limited.csv own.csv --target good
paste -d, <(cells rows.csv checking_account) <(cells own.csv checking_account) <(cells rows.csv amount) <(cells own.csv amount) |
  awk -F, '$2 != "" && $1 != $2 {bad = 1} $4 != "" && NR % 2 == 0 && $4 > 3000 && $4 > $3 {bad = 1} END {exit bad}' ||
  fail "a row's own limit is broken"
status 1 "$scfe" verify credit.scfe limited.csv free.csv --target good
grep -q 'frozen: checking_account' stdout || fail "a row's own limit is not noticed"
"$scfe" evaluate credit.scfe limited.csv own.csv --target good >stdout 2>stderr || [ $? -eq 1 ] || fail "evaluate with row limits"
[ ! -s stderr ] || fail "warnings of evaluate: $(cat stderr)"
sed '1s/amount:max/amuont:max/' limited.csv >typo.csv
complains "column 'amuont:max': unknown feature 'amuont': did you mean 'amount'?" "$scfe" explain credit.scfe typo.csv --target good
# Contradictory limits of a row are an error that names both values; no output is left.
awk -F, -v OFS=, 'NR == 1 {print $0, "amount:min", "amount:max"; next} {print $0, NR == 4 ? 3000 : "", NR == 4 ? 2000 : 9000}' \
  rows.csv >crossed.csv
complains "crossed.csv: row 3, column 'amount:min': expected no more than 2000, its amount:max, got 3000" \
  "$scfe" explain credit.scfe crossed.csv --target good -o crossed_out.csv
[ -z "$(ls | grep crossed_out)" ] || fail "output beside an error"
complains "row 3, column 'amount:min'" "$scfe" verify credit.scfe crossed.csv own.csv --target good
complains "--rule: rule 'amount * duration_months <= 3'" "$scfe" explain credit.scfe rows.csv --rule "amount * duration_months <= 3"
# Rules that nothing can meet, alone or together, are named; so is a direction that the schema forbids.
"$scfe" explain credit.scfe rows.csv --target good "${quick[@]}" --rule "amount <= 100" -o none.csv 2>warnings
grep -q "rule 'amount <= 100' cannot be met within the ranges" warnings || fail "a rule that cannot be met: $(cat warnings)"
"$scfe" explain credit.scfe rows.csv --target good "${quick[@]}" --rule "amount <= 100 * duration_months" \
  --rule "2 * amount >= 200 * duration_months + 10" -o none.csv 2>warnings
grep -q "contradict each other" warnings || fail "rules that exclude each other: $(cat warnings)"
sed '/"amount"/s/"direction": "any"/"direction": "up"/' "$data/german_credit.schema.json" >up.schema.json
status 0 "$scfe" fit --model "$data/models/german_credit.onnx" --data "$data/german_credit.csv" --schema up.schema.json -o up.scfe
complains "--only-down: expected features that the schema lets go that way, got 'amount', whose direction is up" \
  "$scfe" explain up.scfe rows.csv --target good --only-down amount
complains "'purpose', just before, is a category" "$scfe" explain credit.scfe rows.csv --rule "purpose <= 3"
complains "--only-up: expected numbers, or levels with an order (\`order\` in the schema gives them one), got 'purpose' with the levels " \
  "$scfe" explain credit.scfe rows.csv --only-up purpose
finish
