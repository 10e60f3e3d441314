# Converts images of an idx file to a table and explains them: 2 x 2 pixels, dark or bright by the first column.
. "$(dirname "$0")/common.sh"
bytes() { printf '%b' "$(printf '\\x%02x' "$@")"; }
(bytes 0 0 8 3 0 0 0 40 0 0 0 2 0 0 0 2
 for i in $(seq 40); do bytes $((i * 6)) $((i % 5 * 50)) $((240 - i * 5)) $((i % 3 * 100)); done) >images.idx
(bytes 0 0 8 1 0 0 0 40; for i in $(seq 40); do bytes $((i > 20)); done) >labels.idx
gzip -k images.idx
status 0 "$scfe" images images.idx labels.idx -o rows.csv --schema rows.json
status 0 "$scfe" images images.idx.gz labels.idx -o again.csv
same rows.csv again.csv
[ "$(sed -n 1,2p rows.csv | tr '\n' ' ')" = "y0x0,y0x1,y1x0,y1x1,label 6,50,235,100,0 " ] || fail "$(head -2 rows.csv)"
status 0 "$scfe" images images.idx -o few.csv --count 3 --divide 255
[ "$(sed -n 2p few.csv)" = "0.0235,0.1961,0.9216,0.3922" ] && [ "$(wc -l <few.csv)" -eq 4 ] || fail "$(cat few.csv)"
echo '{"format": "scfe-dense", "version": 1, "layers": [{"weight": [[1, 0, 0, 0]], "bias": [-123]}]}' >model.json
status 0 "$scfe" explain --model model.json --data rows.csv --schema rows.json rows.csv --plausible none -o out.csv
status 0 "$scfe" verify --model model.json --data rows.csv --schema rows.json rows.csv out.csv --plausible none
grep -q '^1,valid,1,y0x0,124,50,235,100,' out.csv || fail "$(sed -n 2p out.csv)"
complains "cut off" "$scfe" images <(head -c 30 images.idx) -o x.csv
complains "another kind" "$scfe" images rows.csv -o x.csv
complains "40 labels" "$scfe" images images.idx <(bytes 0 0 8 1 0 0 0 1 1) -o x.csv
complains "--divide" "$scfe" images images.idx -o x.csv --divide 0
[ ! -e x.csv ] || fail "output beside an error"
finish
