# Several answers, the path, any other class, robust answers, a range to reach, audit and keep.
. "$(dirname "$0")/common.sh"
status 0 "$scfe" fit --model "$data/models/german_credit.onnx" --data "$data/german_credit.csv" \
  --schema "$data/german_credit.schema.json" -o german.scfe
head -41 "$data/german_credit.csv" >rows.csv
head -6 rows.csv >few_rows.csv
wish=(--target good --threads 2)

status 0 "$scfe" explain german.scfe rows.csv "${wish[@]}" --answers 3 -o three.csv -o three.html
grep -q "<b>$(($(wc -l <rows.csv) - 1))</b><span>rows" three.html || fail "a report counts rows, not answers"
status 0 "$scfe" verify german.scfe rows.csv three.csv "${wish[@]}"
[ "$(sed 1d three.csv | cut -d, -f1,5 | grep -v ',$' | sort | uniq -d | wc -l)" = 0 ] || fail "the same features twice"
[ "$(grep -c '^2,' three.csv)" = 3 ] || fail "three answers for row 2"
# Rows and answers are counted separately.
status 0 "$scfe" evaluate german.scfe rows.csv three.csv "${wish[@]}"
counted() { sed -nE "s/^$1 +([0-9]+).*/\1/p" stdout; }
[ $(($(counted rows) + $(counted already))) -eq 40 ] && [ "$(counted answered)" -eq "$(counted rows)" ] &&
  [ "$(counted answers)" -gt "$(counted rows)" ] && [ "$(counted valid)" -eq "$(counted answers)" ] ||
  fail "evaluate of several answers: $(head -6 stdout)"
grep -v '^2,' three.csv >lacking.csv
status 1 "$scfe" verify german.scfe rows.csv lacking.csv "${wish[@]}"
grep -q '^row 2: missing' stdout || fail "a missing row among several answers"
sed '3p' three.csv >doubled.csv
status 1 "$scfe" verify german.scfe rows.csv doubled.csv "${wish[@]}"

# Rows with the same name are distinguished by their order.
(echo "applicant,$(head -1 rows.csv)"; sed 1d rows.csv | sed 's/^/twin,/') >twins.csv
status 0 "$scfe" explain german.scfe twins.csv "${wish[@]}" --id applicant --answers 3 -o twins_out.csv
status 0 "$scfe" verify german.scfe twins.csv twins_out.csv "${wish[@]}" --id applicant
sed 1d twins_out.csv | cut -d, -f3- | cmp -s - <(sed 1d three.csv | cut -d, -f3-) || fail "names change answers"

status 0 "$scfe" explain german.scfe rows.csv "${wish[@]}" --answers 3 --diverse values -o values.csv
status 0 "$scfe" verify german.scfe rows.csv values.csv "${wish[@]}"
[ "$(sed 1d values.csv | cut -d, -f1,5 | grep -v ',$' | sort | uniq -d | wc -l)" -gt 0 ] || fail "features are not shared"
status 2 "$scfe" explain german.scfe rows.csv "${wish[@]}" --diverse nonsense

status 0 "$scfe" explain german.scfe rows.csv "${wish[@]}" --path -o path.csv
head -1 path.csv | grep -q ',distance,plausibility,knee,reason' || fail "no columns for the trade-off and the knee"
# Within one row, the distance falls with every further change allowed.
sed 1d path.csv | awk -F, '$3 == "valid" {d = $(NF - 3); if ($1 == row && d >= last) bad = 1; row = $1; last = d; n++; if ($(NF - 2) < 0.099) bad = 1}
  END {exit bad || n < 20}' || fail "distance and plausibility along the path"
status 0 "$scfe" verify german.scfe rows.csv path.csv "${wish[@]}"
grep -q 'knee' path.csv || fail "no knee"
status 0 "$scfe" explain german.scfe rows.csv "${wish[@]}" --path --table
grep -q 'at most 2 changes' stdout || fail "the table does not name the changes allowed"

"$scfe" explain german.scfe rows.csv "${wish[@]}" --robust 0.02 -o robust.json
grep -q '"stability": "bounded"' robust.json || fail "no word on stability"
grep -q '"room": ' robust.json || fail "no room in the changes"
"$scfe" explain german.scfe rows.csv "${wish[@]}" --robust 0.02 -o robust.csv -o robust.html
head -1 robust.csv | grep -q ',stability,room,reason' || fail "no column for stability"
for room in $(grep -o 'amount=[0-9.]*' robust.csv); do
  grep -q "\"room\": ${room#*=}[,}]" robust.json || fail "room: the CSV says $room, the JSON does not"
done
# If only levels change, unchanged numbers may move up or down by at least what was asked.
awk -F, '$2 == "valid" && $NF == "" && $(NF - 2) != "" && $(NF - 1) == "" {exit 1}' robust.csv || fail "an answer without room"
grep -q 'amount+-[0-9]' robust.csv && grep -q '"room_either_way": {[^}]*"amount": ' robust.json || fail "no room of numbers that stay"
for room in $(grep -o 'amount+-[0-9]*' robust.csv); do
  [ "${room#*+-}" -ge 363 ] || fail "room below 2 % of the range: $room"
done
grep -q 'Room to go up or down, each alone: .*amount [0-9]* DM' robust.html || fail "the report does not speak of numbers that stay"
grep -q 'Robust: still valid if every number is off by up to 2 % of its range (bounded)' robust.html || fail "the report does not speak of stability"
status 0 "$scfe" verify german.scfe rows.csv robust.csv "${wish[@]}" --robust 2%
grep -q 'robust within 2 % of the ranges: bounded' stdout || fail "verify does not say how stability was shown"
"$scfe" explain german.scfe rows.csv "${wish[@]}" -o plain.csv
status 1 "$scfe" verify german.scfe rows.csv plain.csv "${wish[@]}" --robust 0.05
grep -q 'robust: within 5 % ' stdout || fail "verify does not notice an unstable answer"

"$scfe" explain german.scfe rows.csv "${wish[@]}" --max-changes 1 --plausible 40% \
  --freeze checking_account,duration_months,credit_history -o strict.json
grep -q '"hints": \[' strict.json || fail "no hints"
# A percentage and a plain number mean the same.
"$scfe" explain german.scfe few_rows.csv "${wish[@]}" --probability 0.9 -o plain_number.csv
"$scfe" explain german.scfe few_rows.csv "${wish[@]}" --probability 90% -o per_cent.csv
same plain_number.csv per_cent.csv
# The time limit passes long before there are a thousand answers: those found so far are given.
"$scfe" explain german.scfe few_rows.csv "${wish[@]}" --answers 1000 --time-limit 1 -o many.csv
[ "$(sed 1d many.csv | cut -d, -f1 | sort -u | wc -l)" -eq 5 ] && [ "$(wc -l <many.csv)" -gt 20 ] || fail "many answers: $(wc -l <many.csv)"
# A limit of one row blocks: the reason names it and the hint lifts it. Limits of the schema (age) are not offered.
awk -F, 'NR == 1 {print $0 ",duration_months:min"} NR > 1 {print $0 ",30"}' rows.csv >limited.csv
"$scfe" explain german.scfe limited.csv "${wish[@]}" --max-changes 1 --plausible none --range amount=:3000 \
  --rule "installment_rate >= 4" \
  --freeze "$(head -1 "$data/german_credit.csv" | tr ',' '\n' | grep -v -e duration_months -e amount -e installment_rate -e risk | paste -sd,)" \
  -o rowed.csv
grep -q 'duration_months >= 30' rowed.csv || fail "the limit of the row is not named"
grep -q 'possible if duration_months may fall below 30' rowed.csv || fail "lifting the limit of the row is not offered"
grep -q 'may change' rowed.csv || fail "a frozen feature is not offered"
grep -q 'possible if \(age\|foreign_worker\) may' rowed.csv && fail "a limit of the schema is offered"

status 0 "$scfe" audit german.scfe rows.csv --by housing "${wish[@]}" -o audit.csv -o audit.html
[ "$(head -1 audit.csv | cut -d, -f1-3)" = housing,rows,refused ] || fail "head of the audit"
[ "$(sed 1d audit.csv | awk -F, '{s += $2} END {print s}')" = 40 ] || fail "the groups do not add up"
grep -q 'Recourse by housing' audit.html || fail "page of the audit"
# The share of answers that change a feature has an interval in the table, the CSV, the page, and the report of explain.
awk -F, 'NR == 1 {for (i = 1; i <= NF; ++i) at[$i] = i} $1 == "own" {m = $at["changed_amount"]; lo = $at["changed_amount_lo"]; hi = $at["changed_amount_hi"]
  exit !(lo != "" && lo <= m && m <= hi && lo < hi)}' audit.csv || fail "shares of changed features: $(cat audit.csv)"
grep -q '^own  *[a-z_]*  *[0-9]* % \[[0-9]* %, [0-9]* %\]$' stdout || fail "the table has no such shares: $(cat stdout)"
share=$(sed -nE 's/^own +[a-z_]+ +([0-9]+ % \[.*\])$/\1/p' stdout)
status 0 "$scfe" explain german.scfe rows.csv "${wish[@]}" --by housing -o groups.html
for page in audit.html groups.html; do
  grep -qF ">$share</td>" $page || fail "$page has no share '$share'"
  [ "$(grep -c '<!DOCTYPE html>' $page)" = 1 ] && tail -1 $page | grep -q '</html>' || fail "$page is not whole"
done
grep -q '<h2>Recourse by housing</h2>' groups.html && grep -q '<details class="card"' groups.html || fail "the report does not carry the groups"
# The column of --by need not be a feature of the model.
awk -F, 'NR == 1 {print $0 ",branch"; next} {print $0 "," (NR % 2 ? "north" : "south")}' rows.csv >branches.csv
status 0 "$scfe" explain german.scfe branches.csv "${wish[@]}" --by branch -o branches.html
! grep -q branch stderr || fail "a warning of the groups' column: $(cat stderr)"
complains "--by: expected a report beside it" "$scfe" explain german.scfe rows.csv "${wish[@]}" --by housing -o groups.csv
complains "no column 'housin': did you mean 'housing'?" "$scfe" explain german.scfe rows.csv "${wish[@]}" --by housin -o no.html
complains "--target: expected the class" "$scfe" explain german.scfe rows.csv --by housing -o no.html
[ ! -e no.html ] || fail "a report beside an error"
complains "no column 'housin': did you mean 'housing'?" "$scfe" audit german.scfe rows.csv --by housin "${wish[@]}"
# A column of many numbers is grouped by quartiles, and the heading says so.
status 0 "$scfe" audit german.scfe rows.csv --by age "${wish[@]}" -o ages.csv
[ "$(head -1 ages.csv | cut -d, -f1)" = 'age (quartiles)' ] && [ "$(wc -l <ages.csv)" -le 5 ] || fail "ages: $(cut -d, -f1-3 ages.csv)"
[ "$(sed 1d ages.csv | awk -F, '{s += $2} END {print s}')" = 40 ] || fail "the quartiles do not add up"
sed 1d ages.csv | cut -d, -f1 | awk '$1 <= last {exit 1} {last = $NF}' || fail "quartiles overlap: $(cut -d, -f1 ages.csv)"
status 0 "$scfe" audit german.scfe rows.csv --by installment_rate "${wish[@]}"
grep -q '^installment_rate  ' stdout || fail "few numbers are groups of their own"
status 2 "$scfe" audit german.scfe rows.csv "${wish[@]}"
# A group of one or two rows has no interval, and the table says so.
awk -F, 'NR == 1 {print $0 ",who"} NR > 1 {print $0 "," (NR < 4 ? "few" : "many")}' rows.csv >groups.csv
"$scfe" audit german.scfe groups.csv --by who "${wish[@]}" -o groups_audit.csv >stdout
[ $? -le 1 ] || fail "audit of small groups"
grep '^few ' stdout | grep -q '(few rows)' || fail "a group of two rows has an interval: $(cat stdout)"
grep '^many ' stdout | grep -q '\[' || fail "no interval: $(cat stdout)"
grep '^few,' groups_audit.csv | awk -F, '{exit !($4 == 1 && $5 > 0 && $5 < 1 && $7 != "" && $8 == "" && $9 == "")}' || fail "$(cat groups_audit.csv)"

# There is no such column, but one whose levels fit the name is suggested.
complains "no column 'sex': did you mean 'personal_status' (female_notsingle, " "$scfe" audit german.scfe rows.csv --by sex "${wish[@]}"

# The reason says how close the best candidate came.
"$scfe" explain german.scfe rows.csv "${wish[@]}" --probability 0.99 --max-changes 1 --hints false -o sure.csv
grep -q 'with at most 1 change; the closest candidate reaches a probability of [0-9.]* %' sure.csv || fail "no word on the probability reached"
complains "--reach: expected an explainer that was fitted with it" "$scfe" explain german.scfe rows.csv --reach 3:
for verb in explain verify; do
  status 0 "$scfe" $verb --help
  grep -q -- '--target CLASS|any' stdout || fail "$verb --help does not speak of any"
done
status 0 "$scfe" keep --help
grep -q -e '--reach' stdout || fail "keep --help does not show --reach"
! grep -q -e '--density\|--max-changes\|--distance' stdout || fail "keep --help shows options that have no effect"

head -4 rows.csv >few.csv
status 0 "$scfe" keep german.scfe few.csv --share 90%
grep -q 'approved, and with these values alone still so for [0-9.]* %' stdout || fail "keep"
status 2 "$scfe" keep german.scfe few.csv --share 190%
status 0 "$scfe" keep german.scfe few.csv --share 90% -o keep.csv
[ "$(wc -l <keep.csv)" -eq 4 ] && head -1 keep.csv | grep -q '^row,predicted,share,kept,duration_months,' || fail "$(head -2 keep.csv)"
status 0 "$scfe" keep german.scfe few.csv --share 90% -o keep.json
[ "$(grep -c '^{"row": "[123]", "predicted": "[a-z]*", "share": [0-9.]*, "kept": {"' keep.json)" -eq 3 ] || fail "$(cat keep.json)"
head -1 keep.csv | grep -q ',smallest$' && grep -q ',true$' keep.csv || fail "keep says nothing of smallest: $(cut -d, -f1-4 keep.csv)"
grep -q '"smallest": true' keep.json || fail "keep: smallest in JSON"
status 0 "$scfe" keep german.scfe few_rows.csv
grep -q '(no smaller set does, on the rows it was chosen by)' stdout || fail "keep does not say that it is the smallest"
status 0 "$scfe" keep german.scfe few.csv --share 90% -o keep_too.csv -o keep_too.json
same keep.csv keep_too.csv
same keep.json keep_too.json
complains "each file once" "$scfe" keep german.scfe few.csv -o keep_too.csv -o keep_too.csv
complains ".csv or .json" "$scfe" keep german.scfe few.csv -o keep.html

status 0 "$scfe" fit --model "$data/models/wine3.onnx" --data "$data/wine.csv" --schema "$data/wine3.schema.json" -o wine3.scfe
head -31 "$data/wine.csv" >wines.csv
"$scfe" explain wine3.scfe wines.csv --target any -o any.csv
[ $? -le 1 ] || fail "any other class"
status 0 "$scfe" verify wine3.scfe wines.csv any.csv --target any

# A regression model: the value of a home from two numbers, as a network of one layer.
cat >value.json <<'J'
{"format": "scfe-dense", "version": 1, "layers": [{"weight": [[9.1, -0.6]], "bias": [-28.0], "activation": "none"}]}
J
cut -d, -f6,13,14 "$data/housing.csv" >homes.csv
head -31 homes.csv >some.csv
# A report counts the limits that block, also if hints follow them in the reason.
"$scfe" explain german.scfe rows.csv "${wish[@]}" --max-changes 1 --probability 0.95 --freeze checking_account,job \
  --plausible none -o blocked.html
grep -q '<td>a probability of 95 %</td>' blocked.html || fail "limits of a report without their hints"
! grep -q '<td>[^<]*; possible' blocked.html || fail "hints among the limits of a report"

reach=(--model value.json --data homes.csv --label medv --reach)
"$scfe" explain "${reach[@]}" 30: some.csv -o homes_out.csv
[ $? -le 1 ] || fail "a range to reach"
status 0 "$scfe" verify "${reach[@]}" 30: some.csv homes_out.csv
complains 'reach: expected LO:HI' "$scfe" explain "${reach[@]}" 30 some.csv

# A score that ends in a sigmoid: the range is from 0 to 1.
sed 's/"none"/"sigmoid"/; s/-28.0/-50.0/' value.json >share.json
share=(--model share.json --data homes.csv --label medv --reach)
"$scfe" explain "${share[@]}" 0.7: some.csv --density none -o share.json.jsonl
[ $? -le 1 ] || fail "a share to reach"
grep -o '"output": [0-9.e-]*' share.json.jsonl |
  awk '{n++; if ($2 < 0.7 || $2 > 1) bad = 1} END {exit bad || n < 10}' || fail "outputs of a sigmoid"
complains 'reach: expected some but not all of 0 to 1' "$scfe" explain "${share[@]}" 30: some.csv
finish
