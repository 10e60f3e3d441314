"""A table and its network, the same rows through DiCE (dice-ml from PyPI) and through us.

    python bench/dice.py build/scfe [--rows 50] [--method random] [--table german_credit] [--folder data] [--json FILE]

The folder holds TABLE.csv, TABLE.schema.json and models/TABLE.onnx: data/ for German Credit; for Adult, what
experiments/adult.py makes. The bar is that of German Credit: no fewer valid, no more changes, LOF <= 1.12, 100 times
faster. DiCE knows no floor of plausibility, so we answer twice: as by default, and with --plausible none, where like is
compared with like.

Needs dice-ml, onnxruntime, scikit-learn, pandas. DiCE gets the same frozen features and ranges. Both kinds of answers
are checked by ONNX Runtime. LOF: of the numbers alone, against the approved training rows, as scikit-learn gives it
(20 neighbours, ranges scaled to 1). Times are CPU seconds of one thread: ours of one process over all rows, fitting
left out, DiCE's of its calls.
"""
import argparse
import json
import os
import resource
import subprocess
import tempfile
import time
import warnings

import dice_ml
import numpy as np
import onnxruntime
import pandas as pd
from sklearn.neighbors import LocalOutlierFactor

HERE = os.path.dirname(os.path.abspath(__file__))


class Network:
    """What DiCE calls a scikit-learn model: rows of the table in, probabilities out."""

    def __init__(self, features, path):
        self.features = features
        self.session = onnxruntime.InferenceSession(path)
        self.classes_ = np.array([0, 1])

    def inputs(self, frame):
        columns = []
        for f in self.features:
            cells = frame[f["name"]]
            if f["type"] == "categorical":
                columns += [(cells == level).astype("float32") for level in f["levels"]]
            elif "levels" in f:
                columns.append(cells.map({level: i for i, level in enumerate(f["levels"])}).astype("float32"))
            else:
                columns.append(cells.astype("float32"))
        return np.stack([np.asarray(c) for c in columns], axis=1)

    def predict_proba(self, frame):
        out = self.session.run(None, {self.session.get_inputs()[0].name: self.inputs(frame)})[-1]
        p = np.asarray(out, dtype=float).reshape(len(frame), -1)
        return np.hstack([1 - p, p]) if p.shape[1] == 1 else p

    def predict(self, frame):
        return self.predict_proba(frame).argmax(axis=1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("scfe")
    parser.add_argument("--rows", type=int, default=50)
    parser.add_argument("--method", default="random")
    parser.add_argument("--table", default="german_credit")
    parser.add_argument("--folder", default=os.path.join(HERE, "..", "data"))
    parser.add_argument("--json")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    path = os.path.join(arguments.folder, arguments.table)
    schema_path, model_path = path + ".schema.json", os.path.join(arguments.folder, "models", arguments.table + ".onnx")
    schema = json.load(open(schema_path))
    features = schema["features"]
    names = [f["name"] for f in features]
    numbers = [f["name"] for f in features if "levels" not in f]
    table = pd.read_csv(path + ".csv", skipinitialspace=True)
    target = schema["label"]["classes"][1]
    target, cells = (target["name"], target["values"]) if isinstance(target, dict) else (target, [target])
    label = schema["label"]["column"]
    model = Network(features, model_path)
    predicted = model.predict(table[names])
    refused = [i for i in range(len(table)) if predicted[i] == 0][: arguments.rows]

    data = table[names].astype({n: float for n in numbers})
    data[label] = table[label].astype(str).isin(cells).astype(int)
    dice = dice_ml.Dice(dice_ml.Data(dataframe=data, continuous_features=numbers, outcome_name=label),
                        dice_ml.Model(model=model, backend="sklearn"), method=arguments.method)
    free = [f["name"] for f in features if not f.get("immutable")]
    theirs, start = {}, time.process_time()
    for i in refused:
        try:
            seed = {"random_seed": 0} if arguments.method == "random" else {}
            found = dice.generate_counterfactuals(data[names].iloc[[i]], total_CFs=1, desired_class="opposite",
                                                  features_to_vary=free, verbose=False, **seed)
            answer = found.cf_examples_list[0].final_cfs_df
            if answer is not None and len(answer):
                theirs[i] = answer.iloc[0][names]
        except Exception as error:  # whatever DiCE throws where it finds nothing
            print("DiCE:", type(error).__name__, str(error)[:80])
    their_seconds = (time.process_time() - start) / len(refused)

    with tempfile.TemporaryDirectory() as scratch:
        rows, fitted, out = (os.path.join(scratch, n) for n in ("rows.csv", "g.scfe", "out.csv"))
        table.iloc[refused].to_csv(rows, index=False)
        subprocess.run([arguments.scfe, "fit", "--model", model_path, "--data", path + ".csv", "--schema", schema_path, "--learned-rules", "none", "-o", fitted], check=True,
                       stdout=subprocess.DEVNULL)

        def explain(*flags):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([arguments.scfe, "explain", fitted, rows, "--target", target, "--threads", "1", "-o", out, *flags])
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            written = pd.read_csv(out)
            answered = written["status"].isin(["valid", "below_floor"])  # the latter: less typical than was asked
            answers = {i: written.iloc[k][names] for k, i in enumerate(refused) if answered[k]}
            return answers, (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / len(refused)

        ours, our_seconds = explain()
        free_ours, free_seconds = explain("--plausible", "none")

    span = table[numbers].max() - table[numbers].min()
    approved = table[(predicted == 1) & table[label].astype(str).isin(cells)]
    lof = LocalOutlierFactor(n_neighbors=20, novelty=True).fit((approved[numbers] / span).values)

    def report(name, answers, seconds):
        frame = pd.DataFrame([answers[i] for i in answers]).astype({n: float for n in numbers})
        valid = model.predict(frame) == 1
        factual = table.loc[list(answers), names]
        changes = (frame.astype(str).values != factual.astype({n: float for n in numbers}).astype(str).values).sum(axis=1)
        outlier = -lof.score_samples((frame[numbers] / span).values)
        print(f"{name:15s} {len(answers)}/{len(refused)} answered, valid {100 * valid.mean():.0f} %, changes "
              f"{changes[valid].mean():.2f}, LOF of the numbers {outlier[valid].mean():.3f}, {1e3 * seconds:.2f} CPU ms a row")
        return valid.sum(), changes[valid].mean(), outlier[valid].mean()

    their = report("DiCE", theirs, their_seconds)
    our = report("scfe", ours, our_seconds)
    our_free = report("scfe, no floor", free_ours, free_seconds)
    print(f"times faster: {their_seconds / our_seconds:.0f}; without a floor {their_seconds / free_seconds:.0f}")
    good = our[0] >= their[0] and our[1] <= their[1] and our[2] <= 1.12 and their_seconds >= 100 * our_seconds
    if arguments.json:
        keys = ("valid", "changes", "lof")
        record = {"table": arguments.table, "method": arguments.method, "rows": len(refused), "ratio": their_seconds / our_seconds,
                  "load": os.getloadavg()[1],
                  "dice": dict(zip(keys, map(float, their)), seconds=their_seconds),
                  "scfe": dict(zip(keys, map(float, our)), seconds=our_seconds),
                  "scfe_no_floor": dict(zip(keys, map(float, our_free)), seconds=free_seconds)}
        with open(arguments.json, "w") as file:
            json.dump(record, file, indent=1)
    if arguments.table != "german_credit":
        return
    print("bar met" if good else "bar missed")
    raise SystemExit(0 if good else 1)


if __name__ == "__main__":
    main()
