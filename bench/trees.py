"""The exact solver on tree ensembles that people use: valid under the library itself, and how long it takes.

    python bench/trees.py path/to/bench_trees [--rows 100] [--data folder with adult.csv] [--only xgboost]

Trains XGBoost, LightGBM and scikit-learn's gradient boosting, histogram boosting and random forests on German
Credit, Adult, Wine and WDBC; explains rows of the test part with one, two and three changes; reads the written
answers back and asks the library for their class. One line per case: share of rows with an answer, of answers that
the library confirms, of rows that are proven, median and 99th percentile of CPU time per row.
"""
import argparse
import os
import tempfile

import lightgbm
import numpy as np
import onnx.helper
import xgboost
from skl2onnx import to_onnx
from sklearn.ensemble import GradientBoostingClassifier, HistGradientBoostingClassifier, RandomForestClassifier

from tree_tables import DATA, Table, adult, run

# skl2onnx 1.20 hands booleans and NumPy numbers to onnx, which refuses them (histogram boosting).
make_attribute = onnx.helper.make_attribute
onnx.helper.make_attribute = lambda key, value, *more, **named: make_attribute(
    key, [int(v) if isinstance(v, (bool, np.bool_, np.integer)) else v for v in value] if isinstance(value, list) else value, *more, **named)


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
