#!/usr/bin/env bash
# From a model and a CSV to answers that were checked: bash explain.sh PATH_OF_SCFE FOLDER_OF_DATA
set -euo pipefail
scfe=$1 data=$2
cd "$(mktemp -d)"

# Once: model, schema, densities and quantiles into one file.
"$scfe" fit --model "$data/models/housing.onnx" --data "$data/housing.csv" --schema "$data/housing.schema.json" -o housing.scfe

# Any time: what would put these tracts above the median, without touching crime, and with at most two changes?
head -21 "$data/housing.csv" >rows.csv
"$scfe" explain housing.scfe rows.csv --target "higher value" --max-changes 2 --freeze crim -o answers.csv -o report.html

# Trust, but verify.
"$scfe" verify housing.scfe rows.csv answers.csv --target "higher value" --max-changes 2 --freeze crim
"$scfe" evaluate housing.scfe rows.csv answers.csv --target "higher value"
