# Killed in the middle, continued, and not a byte differs from an unbroken run.
. "$(dirname "$0")/common.sh"
fit wine
(echo "id,$(head -1 "$data/wine.csv")"
 for i in $(seq 20); do sed 1d "$data/wine.csv" | awk -v i="$i" '{printf "\"row %s,\n%s\",%s\n", i, NR, $0}'; done) >rows.csv
ask=(explain wine.scfe rows.csv --id id --threads 1 "${quick[@]}")
for ending in csv json; do
  "$scfe" "${ask[@]}" -o whole.$ending || [ $? -eq 1 ] || fail "unbroken run"
  for signal in KILL INT; do
    rm -f broken.$ending*
    "$scfe" "${ask[@]}" -o broken.$ending 2>stderr &
    run=$!
    for _ in $(seq 1000); do
      [ -e broken.$ending.partial ] && [ "$(wc -l <broken.$ending.partial)" -gt 200 ] && break
      sleep 0.01
    done
    kill -$signal $run
    wait $run 2>/dev/null
    got=$?
    [ "$signal" = KILL ] || [ $got -eq 2 ] || fail "interrupted with exit $got"
    [ ! -e broken.$ending ] || fail "$ending: was over before it was killed"
    [ -s broken.$ending.partial ] || fail "$ending: nothing is left to resume"
    head -c -7 broken.$ending.partial >cut && mv cut broken.$ending.partial # killed within a line
    complains "same question" "$scfe" "${ask[@]}" --probability 0.9 -o broken.$ending --resume
    "$scfe" "${ask[@]}" -o broken.$ending --resume
    [ $? -le 1 ] || fail "resume"
    same whole.$ending broken.$ending
    [ ! -e broken.$ending.partial ] || fail "a partial file is left"
  done
done
# Nothing to resume is a plain run; a report cannot be resumed.
"$scfe" "${ask[@]}" -o fresh.csv --resume
same whole.csv fresh.csv
complains "--resume" "$scfe" "${ask[@]}" -o x.html --resume
finish
