"""Limits on 200 written answers each of German Credit and Adult, checked by experiments/check_limits.py (pandas alone),
and the wished class at every answer by ONNX Runtime.

    python interop_limits.py path/to/run_onnx path/to/scfe

Adult is trained on the spot from ../shared/data/adult.csv (or SCFE_SHARED) and left out where that is absent.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import onnxruntime
import pandas as pd

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCFE = str(pathlib.Path(sys.argv[2]).resolve())
sys.path.insert(0, str(ROOT / "experiments"))
COUNT = 200
# Flags of the question, and limits of single rows: column -> value for every third row.
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


def query(table, schema, extra, path):
    """Every so many rows of the table, with limits for each third of them."""
    rows = pd.read_csv(table, dtype=str, keep_default_na=False)
    rows = rows.iloc[:: len(rows) // COUNT].head(COUNT).drop(columns=[schema["label"]["column"]])
    for column, value in extra.items():
        rows[column] = [value if i % 3 == 0 else "" for i in range(len(rows))]
    rows.to_csv(path, index=False)


def labels(model, schema, answers):
    columns = []
    for feature in schema["features"]:
        cells = answers[feature["name"]]
        if feature["type"] == "categorical" and feature.get("encoding", "one_hot") == "one_hot":
            columns += [(cells == level).astype(np.float32) for level in feature["levels"]]
        else:
            places = {level: i for i, level in enumerate(feature.get("levels", []))}
            columns.append(cells.map(lambda c: float(places.get(c, c) if places else c)).astype(np.float32))
    session = onnxruntime.InferenceSession(model)
    scores = session.run(None, {session.get_inputs()[0].name: np.stack(columns, axis=1)})[0].reshape(-1)
    return (scores > 0.5).astype(int)


def check(name, folder, flags, extra, target, work):
    schema = json.loads((folder / f"{name}.schema.json").read_text())
    schema_path, table = folder / f"{name}.schema.json", folder / f"{name}.csv"
    model, fitted = folder / "models" / f"{name}.onnx", work / f"{name}.scfe"
    status, text = run(SCFE, "fit", "--model", model, "--data", table, "--schema", schema_path, "-o", fitted)
    if status != 0:
        return [f"{name}: fit: {text}"]
    rows, answers = work / f"{name}.rows.csv", work / f"{name}.answers.csv"
    query(table, schema, extra, rows)
    wish = ["--target", schema["label"]["classes"][target], "--max-changes", "3"]
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
    found = written[written.status.isin(["valid", "below_floor", "already"])]
    right = labels(str(model), schema, found) == target
    print(f"{name}: {right.sum()} of {len(found)} valid by ONNX Runtime, {len(written)} rows")
    # A check that never fails checks nothing: the same answers break a limit they were not asked to keep.
    broken = json.loads(found.changed.value_counts().to_json())
    feature = max(broken, key=broken.get).split(";")[0]
    status, _ = run(sys.executable, ROOT / "experiments" / "check_limits.py", schema_path, rows, answers, *limits[:-4],
                    "--freeze", feature)
    failures += [] if status == 1 else [f"{name}: a frozen {feature} is not noticed"]
    return failures + ([] if right.all() else [f"{name}: {(~right).sum()} answers are not valid"])


def main():
    failures, passed = [], 0
    with tempfile.TemporaryDirectory() as scratch:
        work = pathlib.Path(scratch)
        tasks = [("german_credit", ROOT / "data", *GERMAN, 1)]
        adult = pathlib.Path(os.environ.get("SCFE_SHARED", ROOT.parent / "shared")) / "data" / "adult.csv"
        if adult.exists():
            run(sys.executable, ROOT / "experiments" / "adult.py", adult, work / "adult")
            tasks.append(("adult", work / "adult", *ADULT, 1))
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
