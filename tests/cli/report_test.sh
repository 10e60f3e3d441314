# The report: whole, escaped, without network access; its script is the one that its policy allows; what is said once.
# How it looks and filters in a browser: app/web/tests/report.mjs.
. "$(dirname "$0")/common.sh"
fit german_credit
(head -1 "$data/german_credit.csv"; grep ',bad$' "$data/german_credit.csv" | head -30) >rows.csv
status 1 "$scfe" explain german_credit.scfe rows.csv --target approved --max-changes 1 --plausible 30% --below-floor none \
  --freeze checking_account --by housing -o out.html
count() { grep -o -- "$1" "$2" | wc -l; }

# The question names the label; the frozen features are named once; units stand behind values, and there is no column for them.
grep -q '<h1>What would it take for risk to be approved?</h1>' out.html || fail "title: $(grep -o '<h1>.*</h1>' out.html)"
[ "$(count 'age, foreign_worker, checking_account, personal_status' out.html)" -eq 1 ] || fail "frozen features are not said once"
! grep -q '<th>unit</th>' out.html || fail "a column of units"
grep -q '<b>[0-9]*</b> <span class="unit">months</span>' out.html || fail "no unit behind a value"

# A card for each row, with what the filters read; each filter offers every outcome and feature of the cards.
[ "$(count '<details class="card" open' out.html)" -eq 30 ] || fail "cards"
for value in $(grep -o 'data-status="[a-z_]*"' out.html | sort -u | cut -d'"' -f2); do
  [ "$(grep -o "<option value=\"$value\">[^<]*" out.html | grep -o '([0-9]*)$')" = "($(count "data-status=\"$value\"" out.html))" ] || fail "cards with $value"
done
# Numbers have an axis with values, levels have bars and no axis.
[ "$(count '<text class="tick"' out.html)" -ge "$((2 * $(count 'class="tip"' out.html)))" ] && [ "$(count 'class="tip"' out.html)" -gt 0 ] || fail "axes without values"
[ "$(count '<li class="was">' out.html)" -gt 0 ] && [ "$(count '<li class="was">' out.html)" -eq "$(count '<li class="new">' out.html)" ] || fail "levels"

# One script, which is the one that the policy names; nothing else can run or be loaded.
[ "$(count '<script' out.html)" -eq 1 ] || fail "scripts"
python3 - <<'PY' || fail "the policy names another script"
import base64, hashlib, re, sys
page = open("out.html", encoding="utf-8").read()
script = re.search(r"<script>(.*?)</script>", page, re.S).group(1)
named = re.search(r"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-([^']*)'", page).group(1)
sys.exit(named != base64.b64encode(hashlib.sha256(script.encode()).digest()).decode())
PY

# Few rows need no search, and so no script.
head -4 rows.csv >few.csv
status 0 "$scfe" explain german_credit.scfe few.csv --target approved -o few.html
! grep -q '<script\|class="tools"' few.html || fail "a search of three cards"
grep -q '@media screen and (prefers-color-scheme: dark)' few.html || fail "no dark colours"

# Groups have a chart with a mean for each, beside the table.
status 1 "$scfe" audit german_credit.scfe rows.csv --target approved --max-changes 1 --plausible 30% --below-floor none --by housing -o audit.html
for page in out.html audit.html; do
  [ "$(count '<figcaption>' $page)" -ge 6 ] && [ "$(count 'class="mean"' $page)" -ge 8 ] || fail "$page has no chart of the groups"
done
# Regression: the question is about the output.
awk 'BEGIN {print "a,b,y"; for (i = 0; i < 80; ++i) print i % 9 "," i % 7 "," i % 9 + 2 * (i % 7)}' >line.csv
echo '{"format": "scfe-dense", "version": 1, "layers": [{"activation": "none", "weight": [[1, 2]], "bias": [0]}]}' >line.json
status 0 "$scfe" explain --model line.json --data line.csv --label y --reach 12: line.csv --max-changes 2 --plausible none -o reach.html
grep -q '<h1>What would it take for the output to be in 12:?</h1>' reach.html && ! grep -q 'Probability' reach.html || fail "a report of a regression"
# A limit that blocks is one line of the summary, also if its text has commas.
status 1 "$scfe" explain --model line.json --data line.csv --label y --reach 14: line.csv --max-changes 2 --plausible none --rule 'at most 1 of a, b' -o rule.html
grep -q '<td>the rule at most 1 of a, b</td>' rule.html || fail "a blocking rule with a comma"
finish
