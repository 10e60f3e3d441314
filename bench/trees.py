"""Tree ensembles that people use, through the whole explainer: valid under the library itself, and how long a row takes.

    python bench/trees.py path/to/bench_trees [--rows 60] [--data folder with adult.csv] [--set wine] [--only xgboost]
                          [--questions bars|changes] [--ask floor,robust] [--keep folder]

Trains XGBoost, LightGBM and scikit-learn's ensembles on three quarters of German Credit, Adult, Wine, WDBC and a synthetic
table, fits an explainer without learned rules (the densities are those that a fit chooses), and asks it about rows of the last
quarter, one row at a time, each towards the other class (of three: the next one). Questions:

    bars      at most 2 changes: plain (no floor), floor (10 %), sure (a probability of 70 %), sure and floor, robust (2 %),
              robust and floor
    changes   the closest answer with at most 1, 2, 3 changes, no floor, no hints

A line for each: share of rows with an answer, of answers that the library confirms, of rows that are proven, median and 99th
percentile of CPU milliseconds per row. Confirmed: the library gives the written answer the target class (sure: with at least
70 %; robust: at 32 random points of the box around it as well). --keep: leaves tables, models and answers in that folder, and
reads models that are there already.
"""
import argparse
import os
import pickle
import tempfile

import numpy as np
import tree_models
from tree_tables import DATA, Table, adult, asked, synthetic

ROBUST, SURE = 0.02, 0.70
PLAIN = {"max-changes": 2, "plausible": 0}
FLOOR = {"max-changes": 2}
QUESTIONS = {
    "bars": {"plain": PLAIN, "floor": FLOOR, "sure": PLAIN | {"probability": SURE}, "sure and floor": FLOOR | {"probability": SURE},
             "robust": PLAIN | {"robust": ROBUST}, "robust and floor": FLOOR | {"robust": ROBUST}},
    "changes": {f"m = {m}": {"max-changes": m, "plausible": 0, "fewest-first": False, "hints": False} for m in (1, 2, 3)},
}


def trained(ensemble, x, y, path):
    """The ensemble, read from beside the path if it was trained before; and its file there."""
    kept = path + ".pickle"
    if os.path.exists(kept):
        with open(kept, "rb") as file:
            return pickle.load(file)
    ensemble.fit(x, y)
    ensemble.save(path)
    with open(kept, "wb") as file:
        pickle.dump(ensemble, file)
    return ensemble


def shaken(table, found, share, random):
    """The rows with each number moved by up to this share of its range, in whole steps for integers."""
    moved = found.copy()
    for f in table.features:
        if "levels" in f:
            continue
        reach = share * (table.frame[f["name"]].max() - table.frame[f["name"]].min())
        if f["type"] == "integer":
            moved[f["name"]] += random.integers(-int(reach), int(reach) + 1, len(moved))
        else:
            moved[f["name"]] = moved[f["name"]].astype(float) + 0.999 * reach * random.uniform(-1, 1, len(moved))
    return moved


def confirmed(table, ensemble, found, options):
    """The share of the answers that hold in the library."""
    if not len(found):
        return 1.0
    target = found.target.to_numpy()

    def holds(frame):
        of_target = ensemble.probabilities(table.encode(frame))
        wins = of_target.argmax(1) == target
        return wins & (of_target[np.arange(len(target)), target] >= options.get("probability", 0) - 1e-6)

    good, random = holds(found), np.random.default_rng(0)
    for _ in range(32 if "robust" in options else 0):
        good &= holds(shaken(table, found, options["robust"], random))
    return good.mean()


def measure(arguments, table, ensemble, scratch, questions):
    order = np.random.default_rng(0).permutation(len(table.y))
    train, test = order[: 3 * len(order) // 4], order[3 * len(order) // 4:][: arguments.rows]
    rows = table.frame.iloc[test].drop(columns=[table.schema["label"]["column"]])
    path = os.path.join(scratch, f"{table.name} {ensemble.name}.{ensemble.suffix}".replace(" ", "_"))
    ensemble = trained(ensemble, table.x[train], table.y[train], path)
    for result, answers in asked(arguments.tool, table, path, rows, questions, scratch):
        found = answers[answers.status == "valid"]
        good = confirmed(table, ensemble, found, questions[result["question"]])
        ms = np.array(result["ms"])
        print(f"| {table.name} | {ensemble.name} | {result['question']} | {100 * len(found) / len(answers):.0f} | {100 * good:.1f} | "
              f"{100 * answers.proven.mean():.0f} | {np.median(ms):.2f} | {np.quantile(ms, 0.99):.2f} |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--rows", type=int, default=60)
    parser.add_argument("--data", default=DATA)
    parser.add_argument("--only", default="")
    parser.add_argument("--set", default="")
    parser.add_argument("--questions", default="bars", choices=list(QUESTIONS))
    parser.add_argument("--ask", default="")
    parser.add_argument("--keep")
    arguments = parser.parse_args()
    wanted = arguments.ask.split(",") if arguments.ask else list(QUESTIONS[arguments.questions])
    questions = {name: QUESTIONS[arguments.questions][name] for name in wanted}
    print("| data | model | question | answered % | confirmed % | proven % | median ms | p99 ms |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as temporary:
        scratch = arguments.keep or temporary
        os.makedirs(scratch, exist_ok=True)
        tables = [Table(n, os.path.join(DATA, f"{c}.csv"), os.path.join(DATA, f"{n}.schema.json"))
                  for n, c in (("german_credit", "german_credit"), ("wine3", "wine"), ("wdbc", "wdbc"))]
        tables += [t for t in [adult(arguments.data, scratch), synthetic(scratch)] if t]
        for table in tables:
            if arguments.set not in table.name:
                continue
            for ensemble in getattr(tree_models, "of_" + arguments.questions)():
                if arguments.only in ensemble.name:
                    measure(arguments, table, ensemble, scratch, questions)


if __name__ == "__main__":
    main()
