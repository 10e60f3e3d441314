# The demo of every built-in set prints aligned tables and leaves a report.
. "$(dirname "$0")/common.sh"
for name in german_credit wine housing wdbc; do
  status 0 "$scfe" demo "$name"
  for words in feature from 'stay as they are' 'as typical as' ' -> ' "scfe-demo-$name.html"; do
    grep -qF -- "$words" stdout || fail "demo $name: '$words' is missing"
  done
  ! grep -q 'probability .* -> 50 %' stdout || fail "demo $name: half is no win"
  [ -s "scfe-demo-$name.html" ] || fail "demo $name: no report"
done
status 0 "$scfe" demo -o here.html
same here.html scfe-demo-german_credit.html
[ "$(tail -1 stdout)" = "Ask it yourself in a browser: build/scfe serve --demo" ] || fail "the demo does not name serve"
grep -q '^Applicant [0-9]*: refused -> approved ' stdout || fail "no applicant"
grep -q 'as typical as [0-9]* % of approved applicants' stdout || fail "no plausibility"
[ "$(grep -c 'age, foreign_worker, personal_status' stdout)" -eq 1 ] || fail "what may not change is not said once"
grep -q 'class="bars levels"' here.html || fail "levels are not drawn"
complains "one of german_credit, wine" "$scfe" demo nothing
complains "nowhere" "$scfe" demo --data-dir nowhere
status 0 "$scfe" --version
status 0 "$scfe" --help
for verb in demo fit explain evaluate compare verify schema inspect images serve; do
  status 0 "$scfe" "$verb" --help
  grep -q "^Usage: scfe $verb " stdout || fail "$verb --help says no usage"
  [ "$(wc -L <stdout)" -le 80 ] || fail "$verb --help: a line of $(wc -L <stdout) columns"
  grep -q "^  $verb" <("$scfe" --help) || fail "--help does not name $verb"
done
# Every option of the catalogue is in the help.
options=$(sed -nE 's/^\| `([a-z-]+)` \|.*/\1/p' "$data/../docs/options.md")
[ "$(wc -w <<<"$options")" -gt 20 ] || fail "no options in docs/options.md"
"$scfe" explain --help-all >help
for option in $options; do grep -q "^  --$option " help || fail "--$option is not in the help"; done
finish
