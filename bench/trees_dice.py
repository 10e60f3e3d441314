"""The same rows and model through DiCE (dice-ml from PyPI): is our answer ever dearer, and how much sooner is it there?

    python bench/trees_dice.py path/to/bench_trees [--rows 30] [--method random|genetic|kdtree]

XGBoost of 100 trees of depth 6 on German Credit. DiCE gets the same frozen features; its answers are read back,
checked with the model and measured in our distance (differences over the range of the training rows, 1/sqrt(2) for
a category). DiCE knows no limit on changes, we get at most three, with and without a floor of 10 %.
"""
import argparse
import os
import tempfile
import time
import warnings

import dice_ml
import numpy as np
import xgboost
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from tree_tables import DATA, Table, asked


def cost(table, span, row, answer):
    total = 0
    for f in table.features:
        a, b = row[f["name"]], answer[f["name"]]
        if "levels" in f:
            total += 0.5 * (str(a) != str(b))
        else:
            total += ((float(a) - float(b)) / span[f["name"]]) ** 2
    return np.sqrt(total)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--rows", type=int, default=30)
    parser.add_argument("--method", default="random")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    table = Table("german_credit", os.path.join(DATA, "german_credit.csv"), os.path.join(DATA, "german_credit.schema.json"))
    label = table.schema["label"]["column"]
    order = np.random.default_rng(0).permutation(len(table.y))
    train = order[: 3 * len(order) // 4]
    frame = table.frame[[f["name"] for f in table.features]].astype({f["name"]: str for f in table.features if "levels" in f})
    numbers = [f["name"] for f in table.features if "levels" not in f]
    # The inputs in the order of the schema, as the encoder of the command line lays them out.
    def step(f):
        if "levels" not in f:
            return "passthrough"
        return OneHotEncoder(categories=[f["levels"]], sparse_output=False, drop="first" if f["type"] == "binary" else None)
    steps = ColumnTransformer([(f["name"], step(f), [f["name"]]) for f in table.features])
    booster = xgboost.XGBClassifier(n_estimators=100, max_depth=6, learning_rate=0.1)
    model = make_pipeline(steps, booster).fit(frame.iloc[train], table.y[train])
    assert (steps.transform(frame) == table.x).all()
    test = [i for i in order[3 * len(order) // 4:] if model.predict(frame.iloc[[i]])[0] == 0][: arguments.rows]

    data = frame.iloc[train].copy()
    data[label] = table.y[train]
    dice = dice_ml.Dice(dice_ml.Data(dataframe=data, continuous_features=numbers, outcome_name=label),
                        dice_ml.Model(model=model, backend="sklearn"), method=arguments.method)
    free = [f["name"] for f in table.features if not f["immutable"]]
    span = {n: table.frame[n].max() - table.frame[n].min() for n in numbers}
    theirs, spent = [], []
    for i in test:
        start = time.process_time()
        try:
            more = {} if arguments.method == "kdtree" else {"random_seed": 0} if arguments.method == "random" else {}
            found = dice.generate_counterfactuals(frame.iloc[[i]], total_CFs=1, desired_class="opposite",
                                                  features_to_vary=free, verbose=False, **more)
            answer = found.cf_examples_list[0].final_cfs_df
        except Exception as error:  # whatever DiCE throws where it finds nothing
            print("DiCE:", type(error).__name__, str(error)[:80])
            answer = None
        spent.append(1e3 * (time.process_time() - start))
        theirs.append(answer.iloc[0] if answer is not None and len(answer) else None)
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "model.ubj")
        booster.save_model(path)
        rows = table.frame.iloc[test].drop(columns=[label])
        questions = {"closest": {"plausible": 0, "fewest-first": False}, "floor": {}}
        answered = {result["question"]: result for result, _ in asked(arguments.tool, table, path, rows, questions, scratch)}
    result = answered["closest"]
    dearer, ratio, changes, valid = 0, [], [], 0
    for k, i in enumerate(test):
        if theirs[k] is None:
            continue
        answer = theirs[k].copy()
        row = answer.to_frame().T[[f["name"] for f in table.features]]
        row = row.astype({n: float for n in numbers}).astype({f["name"]: str for f in table.features if "levels" in f})
        if model.predict(row)[0] != 1:
            continue
        valid += 1
        theirs_cost, ours = cost(table, span, frame.iloc[i], answer), result["cost"][k]
        dearer += ours is None or ours > theirs_cost + 1e-6
        ratio.append(theirs_cost / ours if ours else np.nan)
        changes.append(sum(str(frame.iloc[i][f["name"]]) != str(answer[f["name"]]) and
                           not ("levels" not in f and float(frame.iloc[i][f["name"]]) == float(answer[f["name"]]))
                           for f in table.features))
    print(f"{len(test)} rows; DiCE {arguments.method}: {valid} valid answers, {np.mean(changes):.1f} changes, median {np.median(spent):.0f} ms")
    print(f"ours with a floor: {sum(c is not None for c in answered['floor']['cost'])} answers, median {np.median(answered['floor']['ms']):.2f} ms")
    print(f"ours: {sum(c is not None for c in result['cost'])} answers, median {np.median(result['ms']):.2f} ms; "
          f"dearer than DiCE's in {dearer} rows; DiCE's distance is {np.nanmedian(ratio):.1f} times ours (median)")


if __name__ == "__main__":
    main()
