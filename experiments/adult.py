"""Makes a schema and a small network for Adult, whose rows cannot be shipped.

Usage: adult.py ADULT_CSV OUT_DIR        (a copy of the table, adult.schema.json and models/adult.onnx in OUT_DIR)

The survey weight is left out and an unknown cell ("?") is a level of its own. Age only rises; race, sex and country
are frozen; education is ordered and only rises, and education_num follows from nothing here: it is left out too.
"""
import csv
import json
import pathlib
import shutil
import sys

import train

NUMBERS = ["age", "capital_gain", "capital_loss", "hours_per_week"]
FROZEN = ["race", "sex", "native_country"]
EDUCATION = ["Preschool", "1st-4th", "5th-6th", "7th-8th", "9th", "10th", "11th", "12th", "HS-grad", "Some-college",
             "Assoc-voc", "Assoc-acdm", "Bachelors", "Masters", "Prof-school", "Doctorate"]


def feature(name, cells):
    entry = {"name": name, "type": "integer" if name in NUMBERS else "categorical"}
    if name in NUMBERS:
        values = [int(cell) for cell in cells]
        entry.update(range=[min(values), max(values)], decimals=0)
    else:
        entry["levels"] = sorted(set(cells))
    if name == "education":
        entry.update(order=EDUCATION, direction="up")
    if name == "age":
        entry["direction"] = "up"
    if name in FROZEN:
        entry["immutable"] = True
    return entry


def main():
    table, out = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    (out / "models").mkdir(parents=True, exist_ok=True)
    shutil.copy(table, out / "adult.csv")
    with open(table, newline="") as file:
        rows = list(csv.DictReader(file))
    names = [name for name in rows[0] if name not in ("fnlwgt", "education_num", "income")]
    schema = {"format": "scfe-schema", "version": 1,
              "label": {"column": "income", "classes": ["<=50K", ">50K"]}, "ignore": ["fnlwgt", "education_num"],
              "missing": {"policy": "error", "strings": [""]},
              "features": [feature(name, [row[name] for row in rows]) for name in names]}
    (out / "adult.schema.json").write_text(json.dumps(schema, indent=1) + "\n")
    print(train.run(out, "adult", "adult"))


if __name__ == "__main__":
    main()
