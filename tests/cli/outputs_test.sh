# The output formats: id column, quoted names, features named like our columns, JSON lines, HTML.
. "$(dirname "$0")/common.sh"
fit wine
(echo "bottle,$(head -1 "$data/wine.csv")"; sed 1d "$data/wine.csv" | head -40 |
  awk '{printf "\"No. %d, \"\"red\"\" <b>\",%s\n", NR, $0}') >rows.csv
status 0 "$scfe" explain wine.scfe rows.csv --id bottle -o out.csv -o out.json -o out.html
head -1 out.csv | grep -q '^bottle,status,changes,changed,alcohol,' || fail "header: $(head -1 out.csv)"
sed -n 2p out.csv | grep -q '^"No. 1, ""red"" <b>",valid,' || fail "id: $(sed -n 2p out.csv)"
status 0 "$scfe" verify wine.scfe rows.csv out.csv --id bottle

# Unchanged cells keep the text of the file; numbers have no more decimals than their column.
(head -1 "$data/wine.csv"; sed -n 2p "$data/wine.csv" | sed 's/^14.23/14.230/') >text.csv
status 0 "$scfe" explain wine.scfe text.csv --freeze alcohol -o text_out.csv
grep -q ',14.230,' text_out.csv || fail "an unchanged cell was rewritten"

# If all cells of a column have the same number of decimals, so have the answers, also with a given schema. An id of two rows causes a warning.
echo '{"format": "scfe-dense", "version": 1, "layers": [{"weight": [[1, 2]], "bias": [-30]}]}' >line.json
awk 'BEGIN {print "id,price,count,class"; for (i = 0; i < 60; ++i) {p = (i * 7 % 30) / 2 + 5
  printf "r%d,%.2f,%d.0,%d\n", i, p, i % 9, (p + 2 * (i % 9) > 30)}}' >prices.csv
"$scfe" schema prices.csv --label class --id id >prices.json
grep -q '"price".*"decimals": 1, "written_decimals": 2,' prices.json || fail "written decimals: $(grep price prices.json)"
sed -i 's/"written_decimals": [0-9], //' prices.json
(cat prices.csv; sed -n 3p prices.csv) >doubled.csv
for how in "--label class --id id" "--schema prices.json"; do
  status 0 "$scfe" explain --model line.json --data prices.csv $how doubled.csv --plausible none -o prices_out.csv
  [ "$(sed 1d prices_out.csv | cut -d, -f5,6 | grep -vc '^[0-9]*\.[0-9][0-9],[0-9]*\.0$')" -eq 0 ] || fail "decimals: $(head -3 prices_out.csv)"
  grep -q "warning: doubled.csv: column 'id': 'r1' names rows 2 and 61" stderr || fail "an id of two rows: $(cat stderr)"
done
# The default of max-changes may exceed the number of features, here two; a number that is given may not.
for most in 3 4; do
  complains "--max-changes: expected a whole number from 1 to 2 (features), got $most" \
    "$scfe" explain --model line.json --data prices.csv --label class --id id prices.csv --plausible none --max-changes $most
done
sed 's/"decimals": 1,/"decimals": 1, "written_decimals": 0,/' prices.json >bare.json
status 0 "$scfe" explain --model line.json --data prices.csv --schema bare.json prices.csv --plausible none -o bare_out.csv
cut -d, -f5 bare_out.csv | grep -q '^[0-9]*\.[1-9]$' || fail "a schema that wants no zeros"

# JSON: one object per line; the first is the question.
[ "$(wc -l <out.json)" -eq 41 ] || fail "JSON lines"
head -1 out.json | grep -q '^{"run": {"scfe": ".*"fnv1a64": "[0-9a-f]\{16\}".*"seed":0.*"schema": {' || fail "JSON head"
sed -n 2p out.json | grep -q '"status": "valid".*"changes": \[{"feature": .*"from": .*"quantile": ' || fail "JSON row"
if command -v jq >/dev/null; then
  jq -es 'length == 41 and .[1].row == "No. 1, \"red\" <b>" and (.[1].counterfactual | length) == 13' out.json >/dev/null || fail "jq"
  status 0 jq -er '.run.options["max-changes"]' <(head -1 out.json)
elif command -v python3 >/dev/null; then
  python3 -c 'import json, sys; rows = [json.loads(l) for l in open("out.json")]; sys.exit(rows[1]["row"] != "No. 1, \"red\" <b>")' || fail "JSON does not parse"
fi

# HTML: complete, escaped, without network access.
head -1 out.html | grep -q '^<!DOCTYPE html>' && tail -1 out.html | grep -q '</html>' || fail "HTML is not whole"
grep -q '&lt;b&gt;' out.html || fail "names are not escaped"
! grep -Eqi '(src|href)=|https?://|@import|url\(' out.html || fail "HTML reaches for the network"
[ "$(grep -c '<details class="card"' out.html)" -eq 40 ] || fail "cards"
for name in section details table svg div p tr ul li span; do
  [ "$(grep -Eo "<$name[ >]" out.html | wc -l)" -eq "$(grep -o "</$name>" out.html | wc -l)" ] || fail "<$name> is not balanced"
done

# A feature with the name of one of our columns.
sed '1s/alcohol/status/; 1s/hue/row/' "$data/wine.csv" >clash.csv
sed 's/"alcohol"/"status"/; s/"hue"/"row"/' "$data/wine.schema.json" >clash.json
clash=(--model "$data/models/wine.json" --data clash.csv --schema clash.json)
status 0 "$scfe" explain "${clash[@]}" clash.csv -o clash_out.csv
head -1 clash_out.csv | grep -q '^scfe_row,scfe_status,changes,changed,status,' || fail "clash: $(head -1 clash_out.csv)"
status 0 "$scfe" verify "${clash[@]}" clash.csv clash_out.csv

# A table without rows gives answers without rows.
head -1 "$data/wine.csv" >none.csv
status 0 "$scfe" explain wine.scfe rows.csv --id bottle --freeze ash --only-up hue --range proline=:900 --rule "alcohol <= 14.5" -o limits.html
for limit in 'May not change</dt><dd>ash' 'May only rise</dt><dd>hue' 'Within</dt><dd>proline up to 900' 'Rules</dt><dd>alcohol &lt;= 14.5'; do
  grep -q "<dt>$limit</dd>" limits.html || fail "limits in the report: $limit"
done
status 0 "$scfe" explain wine.scfe none.csv -o none_out.csv -o none_out.html
[ "$(wc -l <none_out.csv)" -eq 1 ] || fail "rows out of nothing"
finish
