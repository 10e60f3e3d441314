# Fitted files, answers and reports do not depend on the instruction set, byte for byte: every solver, method and density, with the
# loops that the processor prefers and with those for any processor (docs/reliability.md).
set -eu
scfe=$(realpath "$1") source=$(realpath "$2")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf '#!/bin/sh\nexec "%s" "$@" --instructions baseline\n' "$scfe" >"$folder/baseline"
chmod +x "$folder/baseline"

# The flag is heeded: a set that does not exist is an error that names those that do.
if "$scfe" inspect "$source/data/models/wine.onnx" --instructions v9 2>"$folder/said"; then echo "v9 was accepted"; exit 1; fi
grep -q "instructions: expected baseline" "$folder/said" || { cat "$folder/said"; exit 1; }

asked='^(fit|explain)/columns(/(plain|density_[a-z_]*_plain|space_[a-z]*_plain|method_[a-z]*|(search|apg|exact)_(top_m|l1|l_half)|robust|three|path))?$'
asked="$asked|^(fit|explain)/(wine|housing|xgboost)(/(quick|density_(kde|gmm_full|knn)_plain|apg_top_m))?$"
TMPDIR=$folder "$source/scripts/same-answers" "$scfe" "$folder/baseline" --only "$asked" | tee "$folder/compared"
questions=$(sed -n 's/ questions, .*//p' "$folder/compared")
[ "$questions" -ge 40 ] || { echo "only $questions questions were compared"; exit 1; }
