"""Compares tree ensembles saved by their libraries with the libraries' own predictions on 1000 rows.

    python interop_trees.py path/to/run_onnx

XGBoost (JSON, UBJSON) and LightGBM (text) files are read directly; scikit-learn models are converted to ONNX and must
be recognised as ensembles. Labels must be identical, margins (log-odds, log-probabilities) within 1e-5.
"""
import os
import subprocess
import sys
import tempfile

import lightgbm
import numpy as np
import onnx.helper
import onnxruntime
import xgboost
from skl2onnx import to_onnx
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import (ExtraTreesClassifier, GradientBoostingClassifier, HistGradientBoostingClassifier,
                              RandomForestClassifier)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

from interop import Refused, Report, Tool

# For histogram boosting, skl2onnx 1.20 passes booleans and NumPy numbers to onnx, which rejects them.
make_attribute = onnx.helper.make_attribute
onnx.helper.make_attribute = lambda key, value, *more, **named: make_attribute(
    key, [int(v) if isinstance(v, (bool, np.bool_, np.integer)) else v for v in value] if isinstance(value, list) else value, *more, **named)

COUNT = 2000


def table(classes, missing):
    """Five numbers (one with many zeros), a code of twelve levels, and classes that depend on all of them."""
    rng = np.random.default_rng(classes)
    x = rng.normal(size=(COUNT, 6)).astype(np.float32)
    x[:, 2] = np.where(rng.random(COUNT) < 0.4, 0, np.round(x[:, 2], 1))
    x[:, 5] = rng.integers(0, 12, COUNT)
    score = x[:, 0] + x[:, 1] * (x[:, 5] % 3) - x[:, 2] + x[:, 3] * x[:, 4] + rng.normal(size=COUNT)
    if missing:
        x[rng.random(x.shape) < 0.1] = np.nan
    return x, np.digitize(score, np.quantile(score, np.arange(1, classes) / classes))


def difference(scores, margins, labels):
    index = (scores[:, 0] > 0).astype(int) if scores.shape[1] == 1 else scores.argmax(axis=1)
    wrong = int((index != labels).sum())
    error = float(np.abs(scores - margins).max() / max(1.0, np.abs(margins).max()))
    return (f"{wrong} wrong labels, margins off by {error:.1e}" if wrong or error > 1e-5 else None), f"margins {error:.1e}"


def is_ensemble(tool, path):
    return subprocess.run([tool.path, "--trees", path], capture_output=True, text=True).stdout.strip() == "1"


def compare(tool, report, name, path, rows, margins, labels, ensemble=True):
    try:
        scores, _ = tool.run(path, rows)
        problem, note = difference(scores, np.asarray(margins).reshape(scores.shape), labels)
        if not problem and ensemble and not is_ensemble(tool, path):
            problem = "not recognised as an ensemble"
    except Refused as error:
        problem, note = str(error), ""
    report.add(name, problem, note)


def check_xgboost(tool, report, folder):
    for classes in (2, 3):
        for missing in (False, True):
            for codes in (False, True):
                for suffix in ("json", "ubj"):
                    x, y = table(classes, missing)
                    types = ["q"] * 5 + ["c" if codes else "q"]
                    settings = {"objective": "binary:logistic" if classes == 2 else "multi:softprob", "max_depth": 4, "nthread": 1}
                    if classes > 2:
                        settings["num_class"] = classes
                    data = xgboost.DMatrix(x[:1000], y[:1000], feature_types=types, enable_categorical=True)
                    booster = xgboost.train(settings, data, 30)
                    path = os.path.join(folder, "xgboost." + suffix)
                    booster.save_model(path)
                    test = xgboost.DMatrix(x[1000:], feature_types=types, enable_categorical=True)
                    margins, p = booster.predict(test, output_margin=True), booster.predict(test)
                    labels = (p > 0.5).astype(int) if classes == 2 else p.argmax(axis=1)
                    compare(tool, report, f"XGBoost {suffix}, {classes} classes, codes {codes}, missing {missing}", path,
                            x[1000:], margins, labels)


def check_lightgbm(tool, report, folder):
    for classes in (2, 3):
        for missing in (False, True):
            for codes in (False, True):
                for more in ({}, {"boosting": "rf", "bagging_freq": 1, "bagging_fraction": 0.6}, {"zero_as_missing": True}):
                    x, y = table(classes, missing)
                    settings = {"objective": "binary" if classes == 2 else "multiclass", "num_leaves": 15, "verbose": -1, "num_threads": 1, **more}
                    if classes > 2:
                        settings["num_class"] = classes
                    data = lightgbm.Dataset(x[:1000].astype(np.float64), y[:1000], categorical_feature=[5] if codes else [])
                    booster = lightgbm.train(settings, data, 30)
                    path = os.path.join(folder, "lightgbm.txt")
                    booster.save_model(path)
                    test = x[1000:].astype(np.float64)
                    p = booster.predict(test)
                    # The raw score of a forest is the sum of its trees, but its probability comes from their mean.
                    margins = booster.predict(test, raw_score=True) / (30 if more.get("boosting") == "rf" else 1)
                    labels = (p > 0.5).astype(int) if classes == 2 else p.argmax(axis=1)
                    compare(tool, report, f"LightGBM {more}, {classes} classes, codes {codes}, missing {missing}", path,
                            test.astype(np.float32), margins, labels)


def sklearn_models():
    yield DecisionTreeClassifier(max_depth=6, min_samples_leaf=5, random_state=0)
    yield RandomForestClassifier(50, max_depth=8, random_state=0)
    yield ExtraTreesClassifier(50, max_depth=8, random_state=0)
    yield GradientBoostingClassifier(n_estimators=50, random_state=0)
    yield HistGradientBoostingClassifier(max_iter=50, random_state=0)
    yield make_pipeline(StandardScaler(), GradientBoostingClassifier(n_estimators=50, random_state=0))
    yield make_pipeline(MinMaxScaler(), RandomForestClassifier(50, max_depth=8, random_state=0))


def name_of(model):
    return " + ".join(type(step).__name__ for step in getattr(model, "named_steps", {"": model}).values())


def runtime(path, rows):
    """Probabilities by ONNX Runtime."""
    probability = onnxruntime.InferenceSession(path).run(None, {"X": rows})[1]
    return np.array([list(row.values()) for row in probability]) if isinstance(probability, list) else probability


def check_sklearn(tool, report, folder):
    for classes in (2, 3):
        x, y = table(classes, False)
        for model in sklearn_models():
            model.fit(x[:1000], y[:1000])
            path = os.path.join(folder, "sklearn.onnx")
            with open(path, "wb") as file:
                file.write(to_onnx(model, x[:1], target_opset={"": 18, "ai.onnx.ml": 3}).SerializeToString())
            p = model.predict_proba(x[1000:])
            try:
                scores, _ = tool.run(path, x[1000:])
            except Refused as error:
                report.add(name_of(model), str(error))
                continue
            z = scores.astype(np.float64)
            if z.shape[1] == 1:
                ours = 1 / (1 + np.exp(-np.hstack([-z, z])))
            else:
                ours = np.exp(z - z.max(1, keepdims=True)) / np.exp(z - z.max(1, keepdims=True)).sum(1, keepdims=True)
            # sklearn decides by the largest probability in double. Rows closer to a tie than single precision are left
            # out, and so are the few that take another side of a split in the exported model.
            order = np.sort(p, axis=1)
            clear = (order[:, -1] - order[:, -2] > 1e-6) & (np.abs(runtime(path, x[1000:]) - p).max(axis=1) < 1e-5)
            label = (z[:, 0] > 0).astype(int) if z.shape[1] == 1 else z.argmax(axis=1)
            wrong, error = int((label != p.argmax(axis=1))[clear].sum()), float(np.abs(ours - p)[clear].max())
            problem = f"{wrong} wrong labels, probabilities off by {error:.1e}" if wrong or error > 1e-5 else None
            if clear.sum() < 900:
                problem = f"only {clear.sum()} rows to compare"
            if not problem and not is_ensemble(tool, path):
                problem = "not recognised as an ensemble"
            report.add(f"{name_of(model)}, {classes} classes", problem, f"probabilities {error:.1e}")


def check_columns(tool, report, folder):
    """Scaler and one-hot encoder before the trees, on one matrix of floats. The codes are cast to integers on the
    way: the model is predicted, but it is not recognised as a tree ensemble."""
    x, y = table(2, False)
    steps = ColumnTransformer([("n", StandardScaler(), [0, 1, 2, 3, 4]), ("c", OneHotEncoder(), [5])])
    model = make_pipeline(steps, GradientBoostingClassifier(n_estimators=50, random_state=0)).fit(x[:1000], y[:1000])
    path = os.path.join(folder, "columns.onnx")
    with open(path, "wb") as file:
        file.write(to_onnx(model, x[:1], target_opset={"": 18, "ai.onnx.ml": 3}).SerializeToString())
    rows = x[1000:]
    rows = rows[np.abs(runtime(path, rows) - model.predict_proba(rows)).max(axis=1) < 1e-5]
    report.add(name_of(model) + ": rows", None if len(rows) >= 900 else f"{len(rows)} rows to compare")
    compare(tool, report, name_of(model), path, rows, model.decision_function(rows), model.predict(rows),
            ensemble=False)


def main():
    tool, report = Tool(sys.argv[1]), Report()
    with tempfile.TemporaryDirectory() as folder:
        check_xgboost(tool, report, folder)
        check_lightgbm(tool, report, folder)
        check_sklearn(tool, report, folder)
        check_columns(tool, report, folder)
    report.finish()


if __name__ == "__main__":
    main()
