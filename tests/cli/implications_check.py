"""Checks written answers against implications and maps, said once more in plain Python.

usage: implications_check.py RULES rows.csv answers.csv

Prints how many answers were checked; exit status 1 if one breaks a rule. An answer has to
keep a rule of which it changes a feature.
"""

import csv
import sys
from collections.abc import Iterator

Row = dict[str, str]


def german(f: Row, x: Row) -> Iterator[tuple[list[str], bool]]:
    """(features, holds) of each rule for the row f and its answer x."""
    rate = {"none": 1, "bank": 2, "stores": 3}
    order = ["unemployed", "below_1", "1_to_4", "4_to_7", "above_7"]
    rank = order.index
    yield ["housing", "property"], not (x["housing"] == "rent" and x["property"] in ("realestate", "unknown"))
    yield ["purpose", "amount"], not (x["purpose"] == "newcar" and float(x["amount"]) < 2000)
    yield (
        ["duration_months", "amount"],
        float(x["duration_months"]) >= float(f["duration_months"]) or float(x["amount"]) < float(f["amount"]),
    )
    yield (
        ["checking_account", "savings"],
        (x["checking_account"] == "none") == (x["savings"] in ("unknown", "below_100")),
    )
    yield ["employment", "telephone"], rank(x["employment"]) <= rank(f["employment"]) or x["telephone"] == "yes"
    if x["other_installments"] != f["other_installments"]:
        yield ["other_installments"], int(x["installment_rate"]) == rate[x["other_installments"]]
    else:
        yield ["installment_rate"], x["installment_rate"] == f["installment_rate"]


def levels(f: Row, x: Row) -> Iterator[tuple[list[str], bool]]:
    income = {"low": 100, "mid": 200, "high": 300}
    yield ["job", "smoker"], not (x["job"] == "boss, big" and x["smoker"] == "True")
    yield ["month", "rate"], (int(x["month"]) == 12) == (float(x["rate"]) == 9.25)
    yield ["age, years", "size (cm)"], int(x["age, years"]) <= int(f["age, years"]) or float(x["size (cm)"]) >= 160
    if x["school"] != f["school"]:
        yield ["school"], int(x["2nd income"]) == income[x["school"]]
    else:
        yield ["2nd income"], x["2nd income"] == f["2nd income"]


def table(path: str) -> list[Row]:
    with open(path, encoding="utf-8") as file:
        return list(csv.DictReader(file))


def main() -> bool:
    rules = {"german": german, "levels": levels}[sys.argv[1]]
    rows = table(sys.argv[2])
    checked = broken = 0
    for line in table(sys.argv[3]):
        if line["status"] not in ("valid", "below_floor"):
            continue
        factual = rows[int(line["row"]) - 1]
        checked += 1
        for features, holds in rules(factual, line):
            if any(line[name] != factual[name] for name in features) and not holds:
                broken += 1
                print("row", line["row"], "breaks the rule on", features, [line[name] for name in features])
    print(checked)
    return broken > 0


if __name__ == "__main__":
    sys.exit(main())
