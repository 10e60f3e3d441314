# A run that is killed and resumed writes the same bytes as an uninterrupted one.
. "$(dirname "$0")/common.sh"
fit wine
(echo "id,$(head -1 "$data/wine.csv")"
 for i in $(seq 20); do sed 1d "$data/wine.csv" | awk -v i="$i" '{printf "\"row %s,\n%s\",%s\n", i, NR, $0}'; done) >rows.csv
ask=(explain wine.scfe rows.csv --id id --threads 1 --density none "${quick[@]}")

# size FILE: 0 if there is none
size() { stat -c %s "$1" 2>/dev/null || echo 0; }
# interrupted SIGNAL BYTES FILE...: kills a run once the first file's journal has that many
interrupted() {
  local signal=$1 bytes=$2 outputs=() file run got
  shift 2
  for file in "$@"; do rm -f "$file"*; outputs+=(-o "$file"); done
  "$scfe" "${ask[@]}" "${outputs[@]}" 2>stderr &
  run=$!
  for _ in $(seq 3000); do
    [ "$(size "$1.partial")" -ge "$bytes" ] && break
    sleep 0.01
  done
  kill -"$signal" $run
  wait $run 2>/dev/null
  got=$?
  [ "$signal" = KILL ] || { [ $got -eq 2 ] && grep -q '^scfe: interrupted after row .*--resume' stderr; } ||
    fail "interrupted with exit $got: $(cat stderr)"
  for file in "$@"; do
    [ ! -e "$file" ] || fail "$file: was over before it was killed"
    [ -s "$file.partial" ] || fail "$file: nothing is left to resume"
  done
}
whole() {
  "$scfe" "${ask[@]}" -o "$1" || [ $? -eq 1 ] || fail "unbroken run"
}
resumed() { # resumed FILE...: checks for the same bytes as whole.ENDING, and no other files
  local outputs=() file
  for file in "$@"; do outputs+=(-o "$file"); done
  "$scfe" "${ask[@]}" "${outputs[@]}" --resume
  [ $? -le 1 ] || fail "resume"
  for file in "$@"; do
    same "whole.${file##*.}" "$file"
    [ -z "$(ls | grep "^$file.part")" ] || fail "a partial file is left"
  done
}

for ending in csv json html; do
  whole whole.$ending
  for signal in KILL INT; do
    interrupted $signal 20000 broken.$ending
    head -c -7 broken.$ending.partial >cut && mv cut broken.$ending.partial # killed within a line
    complains "same question" "$scfe" "${ask[@]}" --probability 0.9 -o broken.$ending --resume
    # The journal of another question is not resumed, but kept.
    cp broken.$ending.partial kept
    complains "same question" "$scfe" "${ask[@]}" --freeze ash -o broken.$ending --resume
    same kept broken.$ending.partial
    resumed broken.$ending
  done
done
# Killed before the first rows, so that there is only the key, or not even that.
for bytes in 0 10 32 60 100; do
  interrupted KILL 20000 broken.csv
  head -c $bytes broken.csv.partial >cut && mv cut broken.csv.partial
  resumed broken.csv
done
# Several files are resumed together, although one has more rows than another.
interrupted KILL 40000 broken.json broken.csv broken.html
head -c 5000 broken.csv.partial >cut && mv cut broken.csv.partial
resumed broken.json broken.csv broken.html
# Several answers per row.
(head -1 rows.csv; for i in $(seq 3); do sed 1d "$data/wine.csv" | sed "s/^/$i,/"; done) >few.csv && mv few.csv rows.csv
ask=(explain wine.scfe rows.csv --id id --threads 1 --density none --plausible none --hints false --answers 2 --max-changes 2)
whole whole.csv
interrupted KILL 5000 broken.csv
head -c -7 broken.csv.partial >cut && mv cut broken.csv.partial
resumed broken.csv
# Resumes from a pipe; other rows make it another question.
interrupted KILL 5000 broken.csv
ask[2]=-
complains "same question" "$scfe" "${ask[@]}" -o broken.csv --resume < <(sed 2,3d rows.csv)
resumed broken.csv < <(cat rows.csv)
ask[2]=rows.csv
# --resume without a partial file is a normal run; without an output file it is an error.
"$scfe" "${ask[@]}" -o fresh.csv --resume
same whole.csv fresh.csv
complains "--resume" "$scfe" "${ask[@]}" --resume
finish
