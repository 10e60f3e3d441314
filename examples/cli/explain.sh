#!/usr/bin/env bash
# From a model and a CSV file to checked answers: bash explain.sh PATH_OF_SCFE FOLDER_OF_DATA
set -euo pipefail
scfe=$1 data=$2
cd "$(mktemp -d)"

# Once: write model, schema, densities and quantiles into one file.
"$scfe" fit --model "$data/models/housing.onnx" --data "$data/housing.csv" --schema "$data/housing.schema.json" -o housing.scfe

# Then: what would put these tracts above the median, with at most two changes, none of them the crime rate?
head -21 "$data/housing.csv" >rows.csv
"$scfe" explain housing.scfe rows.csv --target "higher value" --max-changes 2 --freeze crim -o answers.csv -o report.html

# Check the answers and measure them.
"$scfe" verify housing.scfe rows.csv answers.csv --target "higher value" --max-changes 2 --freeze crim
"$scfe" evaluate housing.scfe rows.csv answers.csv --target "higher value"
