"""The exact solver on tree ensembles that people use: valid under the library itself, and how long it takes.

    python bench/trees.py path/to/bench_trees [--rows 100] [--data folder with adult.csv] [--only xgboost]

Trains XGBoost, LightGBM and scikit-learn's gradient boosting, histogram boosting and random forests on German
Credit, Adult, Wine and WDBC; explains rows of the test part with one, two and three changes; reads the written
answers back and asks the library for their class. One line per case: share of rows with an answer, of answers that
the library confirms, of rows that are proven, median and 99th percentile of CPU time per row.
"""
import argparse
import json
import os
import subprocess
import tempfile

import lightgbm
import numpy as np
import pandas
import xgboost
from skl2onnx import to_onnx
from sklearn.ensemble import GradientBoostingClassifier, HistGradientBoostingClassifier, RandomForestClassifier

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(HERE, "..", "data")


class Table:
    """A CSV file with its schema, one-hot encoded as the schema says."""

    def __init__(self, name, csv, schema):
        self.name, self.csv = name, csv
        self.frame = pandas.read_csv(csv, keep_default_na=False)
        with open(schema) as file:
            self.schema = json.load(file)
        self.schema_path = schema
        self.features = self.schema["features"]
        label = self.schema["label"]
        values = [c["values"] if isinstance(c, dict) else [c] for c in label["classes"]]
        column = self.frame[label["column"]].astype(str)
        self.y = np.array([[v in group for group in values].index(True) for v in column])
        self.x = self.encode(self.frame)

    def encode(self, frame):
        columns = []
        for f in self.features:
            cells = frame[f["name"]].astype(str)
            if f["type"] in ("categorical", "binary") and "levels" in f:
                places = [f["levels"].index(c) for c in cells]
                columns.append(np.eye(len(f["levels"]))[places])
            else:
                columns.append(cells.astype(float).to_numpy()[:, None])
        return np.hstack(columns)


def adult(folder, scratch):
    """Without the survey weight and the text twin of education_num; rows with gaps are dropped."""
    path = os.path.join(folder, "adult.csv")
    if not os.path.exists(path):
        return None
    frame = pandas.read_csv(path, keep_default_na=False).drop(columns=["fnlwgt", "education"])
    frame = frame[~(frame == "?").any(axis=1)]
    csv, schema = os.path.join(scratch, "adult.csv"), os.path.join(scratch, "adult.schema.json")
    frame.to_csv(csv, index=False)
    fixed = {"age", "race", "sex", "native_country", "relationship", "marital_status"}
    features = []
    for name in frame.columns[:-1]:
        if frame[name].dtype == object or str(frame[name].dtype).startswith("str"):
            levels = sorted(frame[name].unique())
            kind = "binary" if len(levels) == 2 else "categorical"
            features.append({"name": name, "type": kind, "levels": levels, "immutable": name in fixed})
        else:
            features.append({"name": name, "type": "integer", "range": [int(frame[name].min()), int(frame[name].max())],
                             "immutable": name in fixed})
    with open(schema, "w") as file:
        json.dump({"format": "scfe-schema", "version": 1, "label": {"column": "income", "classes": ["<=50K", ">50K"]},
                   "missing": {"policy": "error", "strings": [""]}, "features": features}, file)
    return Table("adult", csv, schema)


def models(x, y):
    """Name, suffix, how it is saved, how it predicts."""
    classes = int(y.max()) + 1
    for depth, trees in ((3, 100), (6, 300)):
        model = xgboost.XGBClassifier(n_estimators=trees, max_depth=depth, learning_rate=0.1).fit(x, y)
        yield f"xgboost {trees}x{depth}", "ubj", lambda path, m=model: m.save_model(path), lambda z, m=model: m.predict(z)
    for leaves, trees in ((8, 100), (31, 300)):
        model = lightgbm.LGBMClassifier(n_estimators=trees, num_leaves=leaves, verbose=-1).fit(x, y)
        yield (f"lightgbm {trees}x{leaves} leaves", "txt", lambda path, m=model: m.booster_.save_model(path),
               lambda z, m=model: m.predict(z))
    others = [("sklearn gb 100x3", GradientBoostingClassifier(n_estimators=100, max_depth=3, random_state=0)),
              ("sklearn hist 100x8 leaves", HistGradientBoostingClassifier(max_iter=100, max_leaf_nodes=8, random_state=0)),
              ("random forest 100x5", RandomForestClassifier(100, max_depth=5, random_state=0, n_jobs=2)),
              ("random forest 500x8", RandomForestClassifier(500, max_depth=8, random_state=0, n_jobs=2))]
    for name, model in others:
        model.fit(x.astype(np.float32), y)

        def save(path, m=model):
            with open(path, "wb") as file:
                file.write(to_onnx(m, x[:1].astype(np.float32), target_opset={"": 18, "ai.onnx.ml": 3}).SerializeToString())
        yield name, "onnx", save, lambda z, m=model: m.predict(z.astype(np.float32))
    assert classes >= 2


def run(tool, table, saved, rows, m, scratch):
    given, out = os.path.join(scratch, "rows.csv"), os.path.join(scratch, "out.csv")
    rows.to_csv(given, index=False)
    done = subprocess.run([tool, saved, table.schema_path, table.csv, given, out, str(m)], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr.strip())
    return json.loads(done.stdout), pandas.read_csv(out, keep_default_na=False)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--rows", type=int, default=100)
    parser.add_argument("--data", default=DATA)
    parser.add_argument("--only", default="")
    parser.add_argument("--set", default="")
    arguments = parser.parse_args()
    print("| data | model | m | answered % | valid % | proven % | median ms | p99 ms |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as scratch:
        tables = [Table(n, os.path.join(DATA, f"{c}.csv"), os.path.join(DATA, f"{n}.schema.json"))
                  for n, c in (("german_credit", "german_credit"), ("wine3", "wine"), ("wdbc", "wdbc"))]
        tables += [t for t in [adult(arguments.data, scratch)] if t]
        for table in tables:
            if arguments.set not in table.name:
                continue
            order = np.random.default_rng(0).permutation(len(table.y))
            train, test = order[: 3 * len(order) // 4], order[3 * len(order) // 4:][: arguments.rows]
            rows = table.frame.iloc[test].drop(columns=[table.schema["label"]["column"]])
            for name, suffix, save, predict in models(table.x[train], table.y[train]):
                if arguments.only not in name:
                    continue
                path = os.path.join(scratch, "model." + suffix)
                save(path)
                for m in (1, 2, 3):
                    try:
                        result, answers = run(arguments.tool, table, path, rows, m, scratch)
                    except RuntimeError as error:
                        print(f"| {table.name} | {name} | {m} | {error} |", flush=True)
                        continue
                    found = answers[answers.status == "valid"]
                    valid = (predict(table.encode(found)) == found.target.to_numpy()).mean() if len(found) else 1
                    ms = np.array(result["ms"])
                    print(f"| {table.name} | {name} | {m} | {100 * len(found) / len(answers):.0f} | {100 * valid:.1f} | "
                          f"{100 * answers.proven.mean():.0f} | {np.median(ms):.2f} | {np.quantile(ms, 0.99):.2f} |", flush=True)


if __name__ == "__main__":
    main()
