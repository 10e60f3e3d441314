# Codes of categories are taken from the booster's file; a model that contradicts the labels causes a warning.
. "$(dirname "$0")/common.sh"
levels=$data/../tests/fixtures/levels
margins=(--ignore xgboost,lightgbm)
said() { grep -qF -- "$1" stderr || fail "'$1' is not in: $(cat stderr)"; }

# Types and levels are inferred from the data, codes come from the model's file.
for model in xgboost.json xgboost.ubj lightgbm.txt; do
  status 0 "$scfe" fit --model "$levels/$model" --data "$levels/rows.csv" --label label "${margins[@]}" -o e.scfe
  said "levels of 'job' are in the model's order: none, clerk, nobody, Müller, boss, big"
  said "levels of 'month' are in the model's order: 12, 2, 3, 7"
  status 0 "$scfe" explain e.scfe "$levels/rows.csv" --plausible none --hints false -o "$model.csv"
  [ ! -s stderr ] || fail "explain with $model: $(cat stderr)"
  grep -q nobody "$model.csv" && fail "$model: a level that no row has"
done
same xgboost.json.csv xgboost.ubj.csv

sed 's/^\([^,]*\|"[^"]*"\),clerk,/\1,pilot,/' "$levels/rows.csv" >pilot.csv
complains "feature 'job': levels of the model: expected one of none, clerk" "$scfe" fit --model "$levels/lightgbm.txt" \
  --data pilot.csv --label label "${margins[@]}" -o e.scfe

# Swapped labels, and class names that the model does not have.
sed 's/,yes,/,\x01,/; s/,no,/,yes,/; s/,\x01,/,no,/' "$levels/rows.csv" >turned.csv
status 0 "$scfe" fit --model "$levels/xgboost.json" --data turned.csv --label label "${margins[@]}" --density none -o e.scfe
grep -q "the model agrees with the label of only [0-9.]* % of the training rows; if the classes are in another order than the model.s, --classes sets it" stderr ||
  fail "no word on contradicted labels: $(cat stderr)"
others=(--ignore job,month,rate,smoker,school,country,xgboost,lightgbm)
linear=(--model "$levels/logistic.onnx" --label label "${others[@]}" -o e.scfe)
status 0 "$scfe" fit "${linear[@]}" --data "$levels/rows.csv"
said "columns are matched with the model's inputs by name: size__cm_, _2nd_income, age__years"
grep -q "agrees\|classes" stderr && fail "warned of nothing: $(cat stderr)"
sed 's/,yes,/,AAA,/; s/,no,/,BBB,/' "$levels/rows.csv" >named.csv
status 0 "$scfe" fit "${linear[@]}" --data named.csv
said "none of the model's classes no, yes is one of the label's AAA, BBB; they are taken in the label's order"
said "the model agrees with the label of only"
finish
