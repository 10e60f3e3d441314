# --density FILE.onnx: the fitted file holds the density; answers are the same bits however they are asked; errors are one line.
. "$(dirname "$0")/common.sh"
flow=$data/models/wine_flow.onnx
rows=$data/wine.csv
given wine
status 0 "$scfe" fit "${given[@]}" --density "$flow" -o flow.scfe
grep -qF "own: $flow, $(wc -c <"$flow") bytes, output 2 of 2, of the model's inputs; floors from 70 rows" stdout || fail "fit: $(cat stdout)"
status 0 "$scfe" inspect flow.scfe
grep -qF "output 1 of 2, of the model's inputs" stdout || fail "inspect: $(cat stdout)"
grep -qE '^density +own' stdout || fail "inspect does not name the kind: $(cat stdout)"

# The same bits: threads, order of the rows, a fit on the spot, both solvers.
for solver in search apg; do
  ask=(--target 1 --hints false --solver "$solver" --iterations 60 --sections 5)
  status 0 "$scfe" explain flow.scfe "$rows" "${ask[@]}" --threads 1 -o "$solver-1.csv"
  status 0 "$scfe" explain flow.scfe "$rows" "${ask[@]}" --threads 3 -o "$solver-3.csv"
  same "$solver-1.csv" "$solver-3.csv"
  { head -1 "$rows"; tail -n +2 "$rows" | tac; } >turned.csv
  status 0 "$scfe" explain flow.scfe turned.csv "${ask[@]}" -o turned-out.csv
  cmp -s <(tail -n +2 "$solver-1.csv" | cut -d, -f2- | sort) <(tail -n +2 turned-out.csv | cut -d, -f2- | sort) || fail "$solver: the order of the rows matters"
  [ "$(grep -c ',valid,' "$solver-1.csv")" -ge 40 ] || fail "$solver: few valid answers"
done
status 0 "$scfe" explain "${given[@]}" --density "$flow" "$rows" --target 1 --hints false -o spot.csv
status 0 "$scfe" explain flow.scfe "$rows" --target 1 --hints false -o again.csv
same spot.csv again.csv
status 0 "$scfe" verify flow.scfe "$rows" again.csv --target 1

# Another density is another question: an output that was begun with one is not resumed with the other.
status 0 "$scfe" fit "${given[@]}" -o kde.scfe
key() { "$scfe" explain "$1" "$rows" --target 1 "${quick[@]}" -o key.json; head -1 key.json | tr ',' '\n' | grep fitted; rm -f key.json; }
[ "$(key flow.scfe)" != "$(key kde.scfe)" ] || fail "the record of an answer does not tell densities apart"

# Errors.
fit_with() { complains "$1" "$scfe" fit "${given[@]}" "${@:2}" -o e.scfe; [ ! -e e.scfe ] || fail "a file beside an error: $*"; }
fit_with "$flow: columns of its output: expected 1, the log-density of the class, got 2" --density "other cultivars=$flow,cultivar 2=$flow"
fit_with "--density: expected a file for class 'cultivar 2', got 'other cultivars=$flow'" --density "other cultivars=$flow"
fit_with "--density: expected one file for each class, got 'cultivar 2' twice" --density "cultivar 2=$flow,cultivar 2=$flow"
fit_with "none.onnx" --density none.onnx
fit_with "--density: expected a file, or CLASS=FILE for each class of other cultivars, cultivar 2, got 'cultivar 3=$flow'" --density "cultivar 3=$flow"
fit_with "density: expected a log-density of your own (--density FILE.onnx; in C++ Training::densities), got none" --density own
fit_with "density: unknown value 'kdo': did you mean 'kde'?" --density kdo
head -c 9000 "$flow" >cut.onnx
fit_with "cut.onnx: " --density cut.onnx
fit_with "$data/models/wine3.onnx: columns of its output: expected 1, or one for each of 2 classes, got 3" --density "$data/models/wine3.onnx"
complains "--density: expected a file only when fitting: a fitted explainer holds its density, got '$flow'" "$scfe" explain flow.scfe "$rows" --density "$flow"
given housing
fit_with "$flow: inputs: expected 12 (the model's inputs), got 13" --density "$flow"
finish
