# The demo of every built-in set prints aligned tables and leaves a report.
. "$(dirname "$0")/common.sh"
for name in wine housing wdbc; do
  status 0 "$scfe" demo "$name"
  for words in feature from 'kept:' 'as typical as' ' -> ' "scfe-demo-$name.html"; do
    grep -qF -- "$words" stdout || fail "demo $name: '$words' is missing"
  done
  [ -s "scfe-demo-$name.html" ] || fail "demo $name: no report"
done
status 0 "$scfe" demo
status 0 "$scfe" demo -o here.html
same here.html scfe-demo-wine.html
complains "one of wine, housing" "$scfe" demo nothing
complains "nowhere" "$scfe" demo --data-dir nowhere
status 0 "$scfe" --version
status 0 "$scfe" --help
for verb in demo fit explain evaluate verify schema inspect; do
  status 0 "$scfe" "$verb" --help
  grep -q "^  $verb" <("$scfe" --help) || fail "--help does not name $verb"
done
finish
