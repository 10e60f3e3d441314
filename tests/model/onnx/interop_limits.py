"""Checks 200 written answers each for German Credit and Adult, with a network and a gradient-boosting model: the limits by
experiments/check_limits.py (which uses only pandas), and the target class by ONNX Runtime.

    python interop_limits.py path/to/run_onnx path/to/scfe

Adult's network is trained by this script from ../shared/data/adult.csv (or SCFE_SHARED); without that file Adult is left
out. The boosting models are trained here too: scikit-learn's for German Credit, XGBoost's for Adult.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np
import onnxmltools
import onnxruntime
import pandas as pd
import xgboost
from onnxmltools.convert.common.data_types import FloatTensorType
from skl2onnx import to_onnx
from sklearn.ensemble import GradientBoostingClassifier

ROOT = pathlib.Path(__file__).resolve().parents[3]
SCFE = str(pathlib.Path(sys.argv[2]).resolve())
sys.path.insert(0, str(ROOT / "experiments"))
COUNT = 200
KINDS = ["network", "boosting"]
# Flags of the query, and limits of single rows: column -> value for every third row.
GERMAN = (["--freeze", "purpose,housing", "--only-up", "installment_rate", "--range", "amount=:9000", "--rule",
           "at most 1 of duration_months, checking_account", "--rule", "amount <= 400 * duration_months", "--rule",
           "existing_credits + dependents <= 5"],
          {"amount:max": "4000", "telephone:fixed": "yes", "duration_months:min": "12"})
ADULT = (["--rule", "capital_loss <= hours_per_week * 60", "--rule", "at most 1 of occupation, workclass", "--rule",
          "hours_per_week + age <= 120", "--only-down", "capital_loss"],
         {"hours_per_week:max": "50", "marital_status:fixed": "1"})


def run(*words):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True)
    return done.returncode, (done.stdout + done.stderr).strip()


def query(model, target, table, schema, extra, path):
    """Evenly spaced rows of the table that the model does not put into the target class, so that they need an answer. Every
    third has limits of its own."""
    rows = pd.read_csv(table, dtype=str, keep_default_na=False)
    rows = rows[labels(str(model), encoded(schema, rows)) != target]
    rows = rows.iloc[:: max(1, len(rows) // COUNT)].head(COUNT).drop(columns=[schema["label"]["column"]])
    for column, value in extra.items():
        rows[column] = [value if i % 3 == 0 else "" for i in range(len(rows))]
    rows.to_csv(path, index=False)


def encoded(schema, answers):
    columns = []
    for feature in schema["features"]:
        cells = answers[feature["name"]]
        if feature["type"] == "categorical" and feature.get("encoding", "one_hot") == "one_hot":
            columns += [(cells == level).astype(np.float32) for level in feature["levels"]]
        else:
            places = {level: i for i, level in enumerate(feature.get("levels", []))}
            columns.append(cells.map(lambda c: float(places.get(c, c) if places else c)).astype(np.float32))
    return np.stack(columns, axis=1)


def labels(model, inputs):
    """The graph's labels if it has them; else the probability of class 1 is compared with one half."""
    session = onnxruntime.InferenceSession(model)
    first = session.run(None, {session.get_inputs()[0].name: inputs})[0].reshape(-1)
    return first.astype(int) if first.dtype == np.int64 else (first > 0.5).astype(int)


def grow(name, schema, table, path):
    rows = pd.read_csv(table, dtype=str, keep_default_na=False)
    x, y = encoded(schema, rows), [schema["label"]["classes"].index(label) for label in class_names(schema, rows)]
    if name == "adult":
        model = xgboost.XGBClassifier(n_estimators=80, max_depth=4, random_state=0).fit(x, y)
        graph = onnxmltools.convert_xgboost(model, initial_types=[("x", FloatTensorType([None, x.shape[1]]))])
    else:
        model = GradientBoostingClassifier(n_estimators=80, max_depth=3, random_state=0).fit(x, y)
        graph = to_onnx(model, x[:1], options={"zipmap": False})
    path.write_bytes(graph.SerializeToString())


def class_names(schema, rows):
    """The label column as names of classes: a class may list the values that stand for it."""
    names = {}
    for entry in schema["label"]["classes"]:
        for value in entry.get("values", [entry["name"]]) if isinstance(entry, dict) else [entry]:
            names[str(value)] = entry
    return [names[label] for label in rows[schema["label"]["column"]]]


def check(name, kind, folder, flags, extra, target, work):
    schema = json.loads((folder / f"{name}.schema.json").read_text())
    schema_path, table = folder / f"{name}.schema.json", folder / f"{name}.csv"
    model, fitted = folder / "models" / f"{name}.onnx", work / f"{name}.scfe"
    if kind == "boosting":
        model = work / f"{name}.boosting.onnx"
        grow(name, schema, table, model)
    began, name = time.monotonic(), f"{name}, {kind}"
    status, text = run(SCFE, "fit", "--model", model, "--data", table, "--schema", schema_path, "--learned-rules", "none", "-o", fitted)
    if status != 0:
        return [f"{name}: fit: {text}"]
    rows, answers = work / "rows.csv", work / "answers.csv"
    query(model, target, table, schema, extra, rows)
    wish = ["--target", str(target), "--max-changes", "3"]
    status, text = run(SCFE, "explain", fitted, rows, *wish, *flags, "-o", answers)
    failures = [f"{name}: explain: {text}"] if status > 1 else []
    limits = [*flags, "--max-changes", "3", "--data", table]
    status, text = run(sys.executable, ROOT / "experiments" / "check_limits.py", schema_path, rows, answers, *limits)
    print(f"{name}: {text.splitlines()[-1] if text else 'nothing'} (check_limits.py)")
    failures += [f"{name}: {line}" for line in text.splitlines()[:5]] if status else []
    status, text = run(SCFE, "verify", fitted, rows, answers, *wish, *flags)
    print(f"{name}: {text.splitlines()[-1]} (scfe verify)")
    failures += [f"{name}: {text[:300]}"] if status else []
    written = pd.read_csv(answers, dtype=str, keep_default_na=False)
    found = written[written.status.isin(["valid", "below_floor"])]  # a row with status `already` is no answer
    right = labels(str(model), encoded(schema, found)) == target
    print(f"{name}: {len(written)} rows that need an answer, {len(found)} answered, {right.sum()} of them valid by ONNX "
          f"Runtime, {time.monotonic() - began:.1f} s")
    already = (written.status == "already").sum()
    failures += [f"{name}: {already} rows are said to need no answer"] if already else []
    failures += [] if len(found) >= COUNT // 2 else [f"{name}: only {len(found)} answers"]
    # Makes sure that the check can fail: the same answers must violate a limit that was not part of the query.
    feature = found.changed[found.changed != ""].value_counts().index[0].split(";")[0]
    status, _ = run(sys.executable, ROOT / "experiments" / "check_limits.py", schema_path, rows, answers, *limits[:-4],
                    "--freeze", feature)
    failures += [] if status == 1 else [f"{name}: a frozen {feature} is not noticed"]
    return failures + ([] if right.all() else [f"{name}: {(~right).sum()} answers are not valid"])


def main():
    failures, passed = [], 0
    with tempfile.TemporaryDirectory() as scratch:
        work = pathlib.Path(scratch)
        tasks = [("german_credit", kind, ROOT / "data", *GERMAN, 1) for kind in KINDS]
        adult = pathlib.Path(os.environ.get("SCFE_SHARED", ROOT.parent / "shared")) / "data" / "adult.csv"
        if adult.exists():
            run(sys.executable, ROOT / "experiments" / "adult.py", adult, work / "adult")
            tasks += [("adult", kind, work / "adult", *ADULT, 1) for kind in KINDS]
        else:
            print(f"adult: left out, {adult} is absent")
        for task in tasks:
            found = check(*task, work)
            failures += found
            passed += not found
    for failure in failures:
        print(failure)
    print(f"{passed} passed, {len(tasks) - passed} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
