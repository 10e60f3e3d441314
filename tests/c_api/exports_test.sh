#!/usr/bin/env bash
# The shared library exports the functions of scfe/c_api.h: all of them, and nothing else.
set -euo pipefail
library=$1 source=$2

declared=$(grep -oE '\bscfe_[a-z_]+\(' "$source/include/scfe/c_api.h" | tr -d '(' | sort -u)
exported=$(nm -D --defined-only "$library" | awk '{print $3}' | sed 's/@.*//' | sort -u)
[[ $(wc -l <<<"$declared") -gt 30 ]] || { echo "the header has few functions"; exit 1; }
diff <(echo "$declared") <(echo "$exported") || { echo "declared (<) and exported (>) differ"; exit 1; }
