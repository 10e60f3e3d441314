"""The same rows and model through OCEAN (oceanpy from PyPI, constraint programming, no licence): how much sooner are we there?

    python bench/trees_ocean.py path/to/bench_trees [--rows 5] [--seconds 30] [--trees 100] [--depth 6]

Needs Python 3.12 or later. XGBoost on the numbers of WDBC, each scaled to 0 .. 1. OCEAN minimises the sum of lengths (norm 1) without a limit on
changes; we are asked for the closest answer with at most three changes by the same distance, without a floor. OCEAN runs on one
worker and stops after --seconds with its best answer so far. Its answers are checked with the model.
"""
import argparse
import json
import os
import subprocess
import tempfile
import time

import numpy as np
import pandas
import xgboost
from ocean import ConstraintProgrammingExplainer
from ocean.feature import parse_features

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--rows", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=30)
    parser.add_argument("--trees", type=int, default=100)
    parser.add_argument("--depth", type=int, default=6)
    arguments = parser.parse_args()
    frame = pandas.read_csv(os.path.join(DATA, "wdbc.csv"))
    with open(os.path.join(DATA, "wdbc.schema.json")) as file:
        schema = json.load(file)
    names, label = [f["name"] for f in schema["features"]], schema["label"]["column"]
    classes = [c["values"][0] if isinstance(c, dict) else c for c in schema["label"]["classes"]]
    y = np.array([classes.index(str(v)) for v in frame[label]])
    parsed, mapper = parse_features(frame[names])  # to 0 .. 1
    parsed = parsed.set_axis(names, axis=1)
    order = np.random.default_rng(0).permutation(len(y))
    train, test = order[: 3 * len(order) // 4], order[3 * len(order) // 4:][: arguments.rows]
    model = xgboost.XGBClassifier(n_estimators=arguments.trees, max_depth=arguments.depth, learning_rate=0.1, n_jobs=1)
    model.fit(parsed.iloc[train], y[train])
    explainer = ConstraintProgrammingExplainer(model, mapper=mapper)
    table = parsed.assign(**{label: frame[label]})
    schema["features"] = [{"name": name, "type": "continuous", "immutable": False} for name in names]
    theirs = []
    for i in test:
        x = parsed.iloc[i].to_numpy().astype(float)
        wanted = 1 - int(model.predict(parsed.iloc[[i]])[0])
        start, wall = time.process_time(), time.perf_counter()
        found = explainer.explain(x, y=wanted, norm=1, max_time=arguments.seconds, num_workers=1)
        spent, waited = 1e3 * (time.process_time() - start), time.perf_counter() - wall
        answer = None if found is None else np.asarray(found.to_numpy() if hasattr(found, "to_numpy") else found.x, float)
        valid = answer is not None and int(model.predict(pandas.DataFrame([answer], columns=parsed.columns))[0]) == wanted
        theirs.append((spent, valid, np.abs(answer - x).sum() if valid else np.nan, int((answer != x).sum()) if valid else -1, waited))
        print("OCEAN:", [round(float(v), 3) for v in theirs[-1]], flush=True)
    with tempfile.TemporaryDirectory() as scratch:
        def path(name):
            return os.path.join(scratch, name)
        model.get_booster().feature_names = None
        model.save_model(path("model.ubj"))
        table.to_csv(path("data.csv"), index=False)
        parsed.iloc[test].to_csv(path("rows.csv"), index=False)
        with open(path("schema.json"), "w") as file:
            json.dump(schema, file)
        with open(path("questions.json"), "w") as file:
            json.dump({"closest": {"options": {"max-changes": 3, "plausible": 0, "fewest-first": False, "hints": False, "distance": "l1"}}}, file)
        done = subprocess.run([arguments.tool, path("model.ubj"), path("schema.json"), path("data.csv"),
                               path("rows.csv"), path("questions.json"), path("answers")], capture_output=True, text=True, check=True)
    ours = json.loads(done.stdout)
    print("ours: ", [[round(ms, 2), cost and round(cost, 3)] for ms, cost in zip(ours["ms"], ours["cost"])])
    print(f"median ms of a row: OCEAN {np.median([t[0] for t in theirs]):.0f}, ours {np.median(ours['ms']):.2f}; "
          f"valid answers of OCEAN: {sum(t[1] for t in theirs)} of {len(test)}, ours: {sum(c is not None for c in ours['cost'])}")


if __name__ == "__main__":
    main()
