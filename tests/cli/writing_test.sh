# How outputs are written: what is replaced and what is not, signals, closed descriptors, formulas in spreadsheets.
. "$(dirname "$0")/common.sh"
fit wine
rows=$data/wine.csv
ask=(explain wine.scfe "$rows" --density none "${quick[@]}")
answers() { "$scfe" "${ask[@]}" "$@" >stdout 2>stderr; [ $? -le 1 ] || fail "$*: $(cat stderr)"; }
answers -o plain.csv
nothing_left() { [ -z "$(ls -A | grep '\.part')" ] || fail "$1: left behind: $(ls -A | grep '\.part')"; }

# Permissions stay; so do links, whose files are replaced.
mkdir far
for verb in explain fit schema keep audit; do
  case $verb in
    explain) out=out.csv; run=("${ask[@]}");;
    fit) out=out.scfe; given wine; run=(fit "${given[@]}" --density none);;
    schema) out=out.json; run=(schema "$rows" --label class);;
    keep) head -4 "$rows" >three.csv; out=kept.csv; run=(keep wine.scfe three.csv);;
    audit) out=audit.csv; run=(audit wine.scfe three.csv --by class --target 1 "${quick[@]}");;
  esac
  echo old >"far/$out"
  chmod 600 "far/$out"
  ln -s "far/$out" "$out"
  "$scfe" "${run[@]}" -o "$out" >stdout 2>stderr
  [ $? -le 1 ] || fail "$verb: $(cat stderr)"
  [ -L "$out" ] || fail "$verb replaced a link"
  [ "$(stat -c %a "far/$out")" = 600 ] || fail "$verb: permissions $(stat -c %a "far/$out")"
  [ "$(head -c 3 "far/$out")" != old ] || fail "$verb wrote nothing"
  # Planted links under the names of temporary files are not followed.
  echo precious >"victim.$verb"
  for planted in "$out.part" "$out.partial" "far/$out.part" "far/$out.partial"; do ln -s "$PWD/victim.$verb" "$planted"; done
  "$scfe" "${run[@]}" -o "$out" >stdout 2>stderr
  case $? in
    0 | 1) [ $verb != explain ] || fail "explain used a journal that is a link" ;;
    *) [ $verb = explain ] && grep -q "a file of its own, got a link" stderr || fail "$verb with planted links: $(cat stderr)" ;;
  esac
  [ "$(cat "victim.$verb")" = precious ] || fail "$verb followed a planted link"
  rm -f "$out".part* far/*.part*
done
same plain.csv far/out.csv
# A journal that is a hard link to something else.
echo precious >victim && ln victim hard.csv.partial
complains "a file of its own" "$scfe" "${ask[@]}" -o hard.csv
[ "$(cat victim)" = precious ] || fail "a hard link was overwritten"
rm hard.csv.partial
# Devices and pipes are written to. The devices are the test's own: if this fails, those of the machine are not lost.
given wine
if mknod own_null c 1 3 2>stderr && mknod own_full c 1 7 2>stderr && (: >own_null) 2>stderr; then
  status 0 "$scfe" fit "${given[@]}" --density none -o own_null
  [ -c own_null ] || fail "a device was replaced"
  complains "room to write" "$scfe" fit "${given[@]}" --density none -o own_full
  [ -c own_full ] || fail "a device was replaced"
else
  echo "skipped: no devices can be made here"
fi
mkfifo pipe.csv
cat pipe.csv >piped.csv &
answers -o pipe.csv
wait $!
[ -p pipe.csv ] || fail "a pipe was replaced"
same plain.csv piped.csv
nothing_left "devices"

# Files are told apart by what they are.
complains "each file once" "$scfe" "${ask[@]}" -o twice.csv -o ./twice.csv
ln -s twice.csv again.csv
complains "each file once" "$scfe" "${ask[@]}" -o twice.csv -o again.csv
ln -s . here
complains "each file once" "$scfe" "${ask[@]}" -o twice.csv -o here/twice.csv
cp "$rows" mine.csv.partial
before=$(sha256sum mine.csv.partial)
complains "mine.csv.partial" "$scfe" explain wine.scfe mine.csv.partial -o mine.csv "${quick[@]}"
[ "$before" = "$(sha256sum mine.csv.partial)" ] || fail "an input was overwritten as a journal"
rm mine.csv.partial
printf '\0\0\010\003\0\0\0\1\0\0\0\1\0\0\0\1\7' >one.idx
complains "--schema: expected a file that is not read" "$scfe" images one.idx --schema ./one.idx -o images.csv
complains "each file once" "$scfe" images one.idx --schema images.csv -o ./images.csv
[ "$(wc -c <one.idx)" -eq 17 ] || fail "images overwrote its input"

# Descriptors that are closed are not reused: nothing but answers is in the output.
(head -1 "$rows"; sed -n '2p;2p' "$rows") | sed 's/^/id,/; 2,$s/^id/same/' >doubled.csv
"$scfe" explain wine.scfe doubled.csv --id id --density none "${quick[@]}" -o open.csv 2>stderr
grep -q warning stderr || fail "this run should warn"
for closed in '2>&-' '>&- 2>&-' '<&- >&- 2>&-'; do
  eval '"$scfe" explain wine.scfe doubled.csv --id id --density none "${quick[@]}" -o closed.csv '"$closed"
  same open.csv closed.csv
done
complains "stdout" bash -c '"$@" >&-' - "$scfe" explain wine.scfe "$rows" --density none "${quick[@]}"

# A file that may not grow is like a full disk: one line, and the rows are kept.
(head -1 "$rows"; for i in $(seq 40); do sed 1d "$rows"; done) >many.csv
(ulimit -f 40; exec "$scfe" explain wine.scfe many.csv --density none "${quick[@]}" --threads 1 -o big.csv) >stdout 2>stderr
[ $? -eq 2 ] && [ "$(wc -l <stderr)" -eq 1 ] && grep -q 'room to write.*--resume' stderr || fail "limit on size: $(cat stderr)"
[ -s big.csv.partial ] || fail "a full disk lost the rows"
"$scfe" explain wine.scfe many.csv --density none "${quick[@]}" --threads 1 -o whole.csv
"$scfe" explain wine.scfe many.csv --density none "${quick[@]}" --threads 1 -o big.csv --resume
same whole.csv big.csv
nothing_left "full disk"

# Signals end every verb at once, and nothing is left but rows to resume.
for i in $(seq 300); do sed 1d "$rows"; done >body && (head -1 "$rows"; cat body body body) >huge.csv
slow=(--plausible 10% --max-changes 6 --answers 3 --threads 1)
ends_at_once() { # SIGNAL NAME COMMAND...
  local signal=$1 name=$2 run got began took
  shift 2
  "$@" >stdout 2>stderr &
  run=$!
  sleep 0.4
  kill -0 $run 2>/dev/null || fail "$name was over too soon: $(cat stderr)"
  began=$(date +%s%N)
  kill -"$signal" $run
  wait $run
  got=$?
  took=$((($(date +%s%N) - began) / 1000000))
  [ $got -eq 2 ] || fail "$name: exit $got after SIG$signal"
  [ "$(wc -l <stderr)" -eq 1 ] && grep -q '^scfe: interrupted' stderr || fail "$name: $(cat stderr)"
  # Half a second, and as much for a machine that does other things as well.
  [ $took -le 1000 ] || fail "$name took $took ms to end after SIG$signal"
  [ -z "$(ls -A | grep '^\..*part')" ] || fail "$name left $(ls -A | grep '^\..*part')"
  slowest=$((took > slowest ? took : slowest))
}
slowest=0
for signal in INT TERM HUP; do
  ends_at_once $signal explain "$scfe" explain wine.scfe huge.csv "${slow[@]}" -o sig.csv -o sig.html
  rm -f sig.*
  ends_at_once $signal "explain, stdout" "$scfe" explain wine.scfe huge.csv "${slow[@]}"
  ends_at_once $signal keep "$scfe" keep wine.scfe huge.csv --threads 1 -o sig_keep.csv
  ends_at_once $signal audit "$scfe" audit wine.scfe huge.csv --by class --target 1 "${slow[@]:0:4}" -o sig_audit.csv
  ends_at_once $signal fit "$scfe" fit --model "$data/models/wine.onnx" --data huge.csv --schema "$data/wine.schema.json" --density gmm -o sig.scfe
  ends_at_once $signal mip-live "$scfe" explain --model "$data/models/wine.json" --data "$rows" --schema "$data/wine.schema.json" huge.csv --method mip-live --threads 1 -o sig_mip.csv
done
echo "slowest end after a signal: $slowest ms"

# Time limits hold whatever the number of iterations is.
began=$(date +%s)
(ulimit -v 4000000; "$scfe" explain wine.scfe "$rows" --solver apg --iterations 2000000000 --time-limit 1 --threads 1 -o limited.csv) >stdout 2>stderr
[ $? -le 1 ] || fail "apg: $(cat stderr)"
[ $(($(date +%s) - began)) -le 4 ] || fail "apg took $(($(date +%s) - began)) s for a limit of 1 s"

# --spreadsheet-safe: no cell of text is a formula, numbers stay, and verify and evaluate read what was written.
{ echo "id,$(head -1 "$rows")"; sed -n 2,9p "$rows" | awk 'BEGIN {split("=1+1|+x|-x|@sum(a)|\047=quoted|-5|plain|\t=tab", id, "|")} {print id[NR] "," $0}'; } >formulas.csv
status 0 "$scfe" explain wine.scfe formulas.csv --id id --spreadsheet-safe -o safe.csv
status 0 "$scfe" explain wine.scfe formulas.csv --id id -o unsafe.csv
for cell in "'=1+1" "'+x" "'-x" "'@sum(a)" "''=quoted" "-5" "plain"; do
  grep -qF -- "$cell," safe.csv || fail "no cell $cell in safe.csv: $(cut -d, -f1 safe.csv)"
done
[ "$(cut -d, -f1 safe.csv | grep -c '^[=+@]')" -eq 0 ] || fail "formulas: $(cut -d, -f1 safe.csv)"
[ "$(cut -d, -f2- safe.csv | cmp - <(cut -d, -f2- unsafe.csv))" = "" ] || fail "other columns have changed"
status 0 "$scfe" verify wine.scfe formulas.csv safe.csv --id id --spreadsheet-safe
grep -q '^8 answers checked, 0 break' stdout || fail "verify: $(cat stdout)"
status 1 "$scfe" verify wine.scfe formulas.csv safe.csv --id id
status 0 "$scfe" evaluate wine.scfe formulas.csv safe.csv --id id --spreadsheet-safe
status 0 "$scfe" keep wine.scfe formulas.csv --id id --spreadsheet-safe -o safe_keep.csv
grep -qF "'=1+1," safe_keep.csv || fail "keep: $(head -2 safe_keep.csv)"
finish
