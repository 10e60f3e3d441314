"""How many answers describe nobody, with and without learned rules.

Usage: impossible.py SCFE ADULT_CSV [ROWS [MODEL ...]]      (build/scfe, ../shared/data/adult.csv, 200, all nine kinds)

Several kinds of models of Adult and of a table like UCI's Bank are asked for the default answers of held-out rows, fitted with
`--learned-rules none` and `use`. Counted in pandas, on the written answers:

    found     rows with an answer of which the factual is not one already
    hand      answers that break a rule that people know (below)
    learned   answers that change a feature of a learned rule and break it; the rules are read from what `scfe fit` prints
"""
import json
import os
import re
import subprocess
import sys
import tempfile

import numpy as np
import onnx
import pandas
from skl2onnx import to_onnx
from sklearn.ensemble import (
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

# For histogram boosting, skl2onnx 1.20 passes booleans and NumPy numbers to onnx, which rejects them.
make_attribute = onnx.helper.make_attribute
onnx.helper.make_attribute = lambda key, value, *more, **named: make_attribute(
    key, [int(v) if isinstance(v, (bool, np.bool_, np.integer)) else v for v in value] if isinstance(value, list) else value, *more, **named)

MARRIED = ("Married-civ-spouse", "Married-AF-spouse")


def adult_rules(frame, table):
    """True where a row of the frame breaks what people know; `table` gives the grade of each school."""
    role, married = frame["relationship"], frame["marital_status"].isin(MARRIED)
    grade = table.groupby("education")["education_num"].first()
    return (
        ((role == "Husband") & ((frame["sex"] != "Male") | ~married))
        | ((role == "Wife") & ((frame["sex"] != "Female") | ~married))
        | (frame["education"].map(grade) != frame["education_num"].astype(float))
    )


def bank_rules(frame, _table):
    return (frame["pdays"].astype(float) == -1) != (frame["previous"].astype(float) == 0)


def bank(rows, seed):
    """Like UCI's Bank: whoever was never contacted has pdays = -1, previous = 0 and the outcome unknown."""
    draw = np.random.default_rng(seed)
    contacted = draw.random(rows) < 0.18
    frame = pandas.DataFrame({
        "age": draw.integers(18, 90, rows),
        "job": draw.choice(["admin", "blue-collar", "management", "retired", "services", "student"], rows),
        "balance": np.round(draw.gamma(1.2, 1200, rows)).astype(int) - 300,
        "housing": draw.choice(["no", "yes"], rows),
        "duration": np.round(draw.gamma(1.5, 170, rows)).astype(int),
        "campaign": 1 + draw.poisson(1.6, rows),
        "pdays": np.where(contacted, draw.integers(1, 400, rows), -1),
        "previous": np.where(contacted, 1 + draw.poisson(2, rows), 0),
        "poutcome": np.where(contacted, draw.choice(["failure", "other", "success"], rows, p=[0.6, 0.2, 0.2]), "unknown"),
    })
    score = (0.004 * frame["duration"] + 2.0 * (frame["poutcome"] == "success") + 0.3 * frame["previous"]
             - 0.8 * (frame["housing"] == "yes") + 0.0002 * frame["balance"] - 0.2 * frame["campaign"] - 1.5)
    frame["y"] = np.where(score + draw.logistic(0, 1, rows) > 0, "yes", "no")
    return frame


class Table:
    def __init__(self, name, frame, label, rules):
        self.name, self.frame, self.label, self.rules = name, frame, label, rules
        self.features = [c for c in frame.columns if c != label]
        self.levels = {c: sorted(frame[c].unique()) for c in self.features if frame[c].dtype.kind not in "iuf"}
        self.train, self.held_out = frame[::2], frame[1::2]

    def schema(self):
        features = []
        for c in self.features:
            if c in self.levels:
                features.append({"name": c, "type": "categorical", "levels": self.levels[c]})
            else:
                features.append({"name": c, "type": "integer"})
        return {"format": "scfe-schema", "version": 1, "label": {"column": self.label,
                "classes": sorted(self.frame[self.label].unique())}, "features": features}

    def encode(self, frame):
        columns = []
        for c in self.features:
            if c in self.levels:
                columns.append((frame[c].to_numpy()[:, None] == np.array(self.levels[c])[None, :]).astype(np.float32))
            else:
                columns.append(frame[c].to_numpy(np.float32)[:, None])
        return np.hstack(columns)

    def target(self, frame):
        return (frame[self.label] == sorted(self.frame[self.label].unique())[1]).to_numpy().astype(int)


def scikit(estimator):
    def save(table, folder):
        x = table.encode(table.train)
        model = estimator().fit(x, table.target(table.train))
        path = os.path.join(folder, "model.onnx")
        with open(path, "wb") as file:
            file.write(to_onnx(model, x[:1], options={"zipmap": False}, target_opset=17).SerializeToString())
        return path, {}
    return save


def categories(table):
    return table.train[table.features].astype({c: pandas.CategoricalDtype(v) for c, v in table.levels.items()})


def lightgbm(table, folder):
    import lightgbm as library
    model = library.LGBMClassifier(n_estimators=60, verbose=-1, n_jobs=1).fit(categories(table), table.target(table.train))
    path = os.path.join(folder, "model.txt")
    model.booster_.save_model(path)
    return path, {"encoding": "code"}


def xgboost(table, folder):
    import xgboost as library
    model = library.XGBClassifier(n_estimators=60, max_depth=5, enable_categorical=True, n_jobs=1)
    model.fit(categories(table), table.target(table.train))
    path = os.path.join(folder, "model.json")
    model.save_model(path)
    return path, {"encoding": "code"}


MODELS = {
    "logistic": scikit(lambda: make_pipeline(StandardScaler(), LogisticRegression(max_iter=300))),
    "network": scikit(lambda: make_pipeline(StandardScaler(), MLPClassifier((16,), max_iter=12, random_state=0))),
    "forest": scikit(lambda: RandomForestClassifier(30, max_depth=8, random_state=0, n_jobs=1)),
    "extra": scikit(lambda: ExtraTreesClassifier(30, max_depth=8, random_state=0, n_jobs=1)),
    "tree": scikit(lambda: DecisionTreeClassifier(max_depth=8, random_state=0)),
    "gradient": scikit(lambda: GradientBoostingClassifier(n_estimators=60, random_state=0)),
    "boosting": scikit(lambda: HistGradientBoostingClassifier(max_iter=60, random_state=0)),
    "lightgbm": lightgbm,
    "xgboost": xgboost,
}

VALUE = r'"[^"]*"|-?[0-9.eE+-]+'


def value(text):
    return text[1:-1] if text.startswith('"') else float(text)


def condition(text):
    """(feature, test of a cell) of one condition: NAME = VALUE, !=, <, <=, >, in (...), not in (...)."""
    name, sign, rest = re.fullmatch(r"(\w+) (not in|in|!=|<=|<|>|=) (.*)", text).groups()
    values = [value(v) for v in re.findall(VALUE, rest)]
    tests = {"in": lambda x: x in values, "=": lambda x: x in values, "not in": lambda x: x not in values,
             "!=": lambda x: x not in values, "<=": lambda x: x <= values[0], "<": lambda x: x < values[0],
             ">": lambda x: x > values[0]}
    return name, tests[sign]


def rule(text):
    """(features, test of a row) of a learned rule, said once more in Python."""
    if text.startswith("if "):
        premise, consequence = text[3:].split(" then ")
        first, rest = condition(premise), [condition(c) for c in re.split(r" and (?=\w+ )", consequence)]
        return ({first[0], *(c[0] for c in rest)},
                lambda x: not first[1](x[first[0]]) or all(test(x[name]) for name, test in rest))
    if ":=" in text:
        target, source, entries = re.fullmatch(r"(\w+) := map\((\w+), (.*)\)", text).groups()
        pairs = {value(k): value(v) for k, v in re.findall(f"({VALUE}): ({VALUE})", entries)}
        return {target, source}, lambda x: pairs.get(x[source]) == x[target]
    low, high = text.split(" <= ")
    return {low, high}, lambda x: x[low] <= x[high]


def cpu():
    used = os.times()
    return used.children_user + used.children_system


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode > 1:
        raise SystemExit(f"{' '.join(command)}: {done.stderr}")
    return done.stdout


def cells(row, table):
    return {c: row[c] if c in table.levels else float(row[c]) for c in table.features}


def measure(scfe, table, name, folder, rows):
    path, change = MODELS[name](table, folder)
    schema = table.schema()
    for feature in schema["features"]:
        if feature["type"] == "categorical":
            feature.update(change)
    train, asked = os.path.join(folder, "train.csv"), os.path.join(folder, "asked.csv")
    table.train.to_csv(train, index=False)
    table.held_out.head(rows).to_csv(asked, index=False)
    with open(os.path.join(folder, "schema.json"), "w") as file:
        json.dump(schema, file)
    line = f"{table.name:6} {name:9}"
    for use in ("none", "use"):
        begin = cpu()
        said = run(scfe, "fit", "--model", path, "--data", train, "--schema", file.name, "--learned-rules", use,
                   "-o", os.path.join(folder, "e.scfe"))
        fitted = cpu() - begin
        rules = [rule(text) for text in re.findall(r"^ +\d+ +[\d,]+ of [\d,]+ rows; +[\d,]+ expected +(.*)$", said, re.M)]
        begin = cpu()
        run(scfe, "explain", os.path.join(folder, "e.scfe"), asked, "--hints", "false",
            "-o", os.path.join(folder, "answers.csv"))
        explained = cpu() - begin
        answers = pandas.read_csv(os.path.join(folder, "answers.csv"), keep_default_na=False)
        factual = pandas.read_csv(asked, keep_default_na=False)
        assert len(answers) == len(factual)
        changed = answers["status"] != "already"
        found = answers["status"].isin(("valid", "below_floor"))
        hand = int(table.rules(answers[found], table.train).sum())  # a row without an answer has empty cells
        broken = 0
        for i in np.flatnonzero(found):
            before, after = cells(factual.iloc[i], table), cells(answers.iloc[i], table)
            moved = {c for c in table.features if before[c] != after[c]}
            broken += any(moved & features and not test(after) for features, test in rules)
        line += (f" | {use}: {len(rules):2} rules, found {found.sum()} of {changed.sum()}, valid "
                 f"{(answers['status'] == 'valid').sum()}, hand {100 * hand / max(1, found.sum()):.1f} %, "
                 f"learned {broken}, fit {fitted:.1f} s of CPU, explain {explained:.1f} s")
    print(line, flush=True)


def main():
    scfe, adult_csv = sys.argv[1], sys.argv[2]
    rows = int(sys.argv[3]) if len(sys.argv) > 3 else 200
    adult = pandas.read_csv(adult_csv, keep_default_na=False).drop(columns=["fnlwgt"])
    tables = [Table("adult", adult, "income", adult_rules), Table("bank", bank(9000, 1), "y", bank_rules)]
    only = sys.argv[4:] or list(MODELS)
    for table in tables:
        for name in only:
            with tempfile.TemporaryDirectory() as folder:
                measure(scfe, table, name, folder, rows)


if __name__ == "__main__":
    main()
