"""A table with rules that nobody wrote down, a model of it, and a check of answers in plain Python.

usage: learned_rules_check.py make FOLDER       writes train.csv, asked.csv, model.json, trees.txt's table and schema.json
       learned_rules_check.py count asked.csv answers.csv

`count` prints how many answers there are, and how many of them change a feature of a planted rule and break it.
"""

import csv
import json
import random
import sys

SCHOOLS = {"none": 2, "primary": 5, "secondary": 9, "college": 13, "doctor": 18}
ROLES = ["child", "husband", "other", "wife"]
NAMES = ["school", "grade", "pdays", "previous", "role", "sex", "married", "used", "limit", "hours"]
LEVELS = {"school": list(SCHOOLS), "role": ROLES, "sex": ["f", "m"], "married": ["no", "once", "yes"]}


def person(draw: random.Random, odd: bool) -> list[str | int]:
    school = draw.choice(list(SCHOOLS))
    contacted = draw.random() < 0.3
    sex, married = draw.choice("fm"), draw.choice(["no", "once", "yes"])
    role = "other" if married != "yes" or draw.random() < 0.1 else {"f": "wife", "m": "husband"}[sex]
    if married == "no" and draw.random() < 0.3:
        role = "child"
    if odd:
        role = {"husband": "wife", "wife": "husband"}.get(role, role)
    limit = draw.randrange(10, 1000)
    return [
        school,
        SCHOOLS[school],
        draw.randrange(1, 300) if contacted else -1,
        draw.randrange(1, 6) if contacted else 0,
        role,
        sex,
        married,
        draw.randrange(limit + 1),
        limit,
        draw.randrange(10, 60),
    ]


def score(cells: list[str | int]) -> float:
    """Rises with what a rule ties: the role alone, the grade alone, previous alone, used alone."""
    row = dict(zip(NAMES, cells, strict=True))
    number = {name: float(row[name]) for name in ("grade", "previous", "used", "hours")}
    return (
        0.25 * (number["grade"] - 9)
        + 0.9 * (number["previous"] - 1)
        + 1.5 * (row["role"] in ("husband", "wife"))
        + 0.004 * (number["used"] - 250)
        + 0.02 * (number["hours"] - 35)
        - 1.0
    )


def weights() -> list[float]:
    """Of the model's inputs: a number has one, a category one for each level, sex as a binary one."""
    by_name = {"grade": 0.25, "previous": 0.9, "used": 0.004, "hours": 0.02}
    row: list[float] = []
    for name in NAMES:
        if name == "role":
            row += [1.5 if level in ("husband", "wife") else 0.0 for level in ROLES]
        elif name in ("school", "married"):
            row += [0.0] * len(LEVELS[name])
        else:
            row.append(by_name.get(name, 0.0))
    return row


def make(folder: str) -> None:
    draw = random.Random(5)
    rows = [person(draw, i < 6) for i in range(4300)]
    for name, part in (("train", rows[:4000]), ("asked", rows[:6] + rows[4000:])):
        with open(f"{folder}/{name}.csv", "w", newline="", encoding="utf-8") as file:
            out = csv.writer(file)
            out.writerow([*NAMES, "label"])
            out.writerows([*cells, "yes" if score(cells) > 0 else "no"] for cells in part)
    bias = -0.25 * 9 - 0.9 - 0.004 * 250 - 0.02 * 35 - 1.0
    layer = {"activation": "sigmoid", "weight": [weights()], "bias": [bias]}
    with open(f"{folder}/model.json", "w", encoding="utf-8") as file:
        json.dump({"format": "scfe-dense", "version": 1, "classes": ["no", "yes"], "layers": [layer]}, file)


def breaks(f: dict[str, str], x: dict[str, str]) -> bool:
    def touched(*names: str) -> bool:
        return any(f[name] != x[name] for name in names)

    husband, wife = x["role"] == "husband", x["role"] == "wife"
    return (
        (touched("school", "grade") and SCHOOLS[x["school"]] != float(x["grade"]))
        or (touched("pdays", "previous") and (float(x["pdays"]) == -1) != (float(x["previous"]) == 0))
        or (touched("role", "sex") and ((husband and x["sex"] == "f") or (wife and x["sex"] == "m")))
        or (touched("role", "married") and (husband or wife) and x["married"] != "yes")
        or (touched("used", "limit") and float(x["used"]) > float(x["limit"]))
    )


def table(path: str) -> list[dict[str, str]]:
    with open(path, encoding="utf-8") as file:
        return list(csv.DictReader(file))


def count(asked: str, answers: str) -> None:
    rows = table(asked)
    found = broken = 0
    for line in table(answers):
        if line["status"] not in ("valid", "below_floor"):
            continue
        found += 1
        broken += breaks(rows[int(line["row"]) - 1], line)
    print(found, broken)


if __name__ == "__main__":
    make(sys.argv[2]) if sys.argv[1] == "make" else count(sys.argv[2], sys.argv[3])
