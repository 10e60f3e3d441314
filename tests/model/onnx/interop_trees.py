"""Compares tree ensembles saved by their libraries with the libraries' own predictions on 1000 rows.

    python interop_trees.py path/to/run_onnx

XGBoost (JSON, UBJSON) and LightGBM (text) files are read directly; scikit-learn models are converted to ONNX and must
be recognised as ensembles, also behind every kind of preprocessing. Labels must be identical, margins (log-odds,
log-probabilities) within 1e-5.
"""
import os
import subprocess
import sys
import tempfile

import lightgbm
import numpy as np
import onnx.helper
import onnxruntime
import pandas
import xgboost
from skl2onnx import to_onnx
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import (ExtraTreesClassifier, GradientBoostingClassifier, HistGradientBoostingClassifier,
                              RandomForestClassifier)
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline, make_union
from sklearn.preprocessing import (Binarizer, KBinsDiscretizer, MaxAbsScaler, MinMaxScaler, OneHotEncoder, OrdinalEncoder,
                                   RobustScaler, StandardScaler)
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


def mixed(count=1500):
    """Integers, numbers with few decimals and text, and classes that depend on all of them."""
    rng = np.random.default_rng(7)
    x = pandas.DataFrame({
        "age": rng.integers(18, 80, count), "income": np.round(rng.lognormal(3, 1, count), 2), "rate": rng.normal(size=count).round(3),
        "children": rng.integers(0, 5, count), "job": rng.choice(["none", "clerk", "engineer", "chef", "guard"], count).astype(object),
        "region": rng.choice(["n", "s"], count).astype(object)})
    points = (x.age > 45) * 1 + (x.job == "clerk") + (x.children % 2) + (x.rate > 0.3) + (x.income > 25) + rng.random(count)
    return x, (points > 2.7).to_numpy().astype(int)


NUMBERS, CODES, TEXTS = ["age", "income", "rate"], ["children"], ["job", "region"]


def columns(*parts):
    return ColumnTransformer([(str(i), encoder, names) for i, (encoder, names) in enumerate(parts)], remainder="passthrough")


def preparations():
    """Name, transformer, its columns (None: all), and whether unknown levels are accepted."""
    def hot(**more):
        return OneHotEncoder(sparse_output=False, **more)
    numeric = NUMBERS + CODES
    yield "StandardScaler", StandardScaler(), numeric, False
    yield "MinMaxScaler", MinMaxScaler(), numeric, False
    yield "MinMaxScaler clip", MinMaxScaler(clip=True), numeric, False
    yield "MaxAbsScaler", MaxAbsScaler(), numeric, False
    yield "RobustScaler", RobustScaler(), numeric, False
    yield "KBins ordinal", KBinsDiscretizer(4, encode="ordinal", quantile_method="averaged_inverted_cdf"), NUMBERS, False
    yield "KBins one-hot", KBinsDiscretizer(4, encode="onehot-dense", quantile_method="averaged_inverted_cdf"), NUMBERS, False
    yield "Binarizer", columns((Binarizer(threshold=0.5), ["rate"])), NUMBERS, False
    yield "Imputer + Scaler", make_pipeline(SimpleImputer(strategy="median"), StandardScaler()), numeric, False
    yield "Union", make_union(StandardScaler(), MinMaxScaler()), NUMBERS, False
    yield "Ordinal", columns((OrdinalEncoder(), TEXTS)), None, False
    yield "Ordinal unknown", columns((OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1), TEXTS)), None, True
    yield "Ordinal + Scaler", make_pipeline(columns((OrdinalEncoder(), TEXTS)), StandardScaler()), None, False
    yield "one-hot", columns((hot(handle_unknown="ignore"), TEXTS)), None, True
    yield "one-hot sparse", columns((OneHotEncoder(handle_unknown="ignore"), TEXTS)), None, True
    yield "one-hot drop", columns((hot(drop="first"), TEXTS)), None, False
    yield "one-hot if_binary", columns((hot(drop="if_binary"), TEXTS)), None, False
    yield "one-hot + scaled columns", columns((hot(handle_unknown="ignore"), TEXTS), (StandardScaler(), NUMBERS)), None, True
    yield "one-hot + Scaler", make_pipeline(columns((hot(handle_unknown="ignore"), TEXTS)), StandardScaler()), None, True
    yield "one-hot of integers", columns((hot(handle_unknown="ignore"), TEXTS + CODES), (MinMaxScaler(), NUMBERS)), None, True
    yield "one-hot of floats", columns((hot(handle_unknown="ignore"), CODES), (StandardScaler(), NUMBERS)), numeric, False


onnxruntime.set_default_logger_severity(4)


def as_inputs(model, rows):
    kinds = {"tensor(string)": object, "tensor(int64)": np.int64, "tensor(double)": np.float64, "tensor(float)": np.float32}
    inputs = onnxruntime.InferenceSession(model).get_inputs()
    if len(inputs) == 1 and inputs[0].name == "X":
        return {"X": rows.to_numpy().astype(kinds[inputs[0].type])}
    return {i.name: rows[[i.name]].to_numpy().astype(kinds[i.type]) for i in inputs}


def as_features(info, rows):
    """The same rows as our features: text as the index of its level, -1 if it is unknown."""
    if info["inputs"][0]["name"] == "X":
        return rows.to_numpy().astype(np.float64)
    features = []
    for part in info["inputs"]:
        known = {level: k for k, level in enumerate(part["levels"][0])} if part["type"] == "text" else None
        features.append([known.get(v, -1) for v in rows[part["name"]]] if known else rows[part["name"]].to_numpy(np.float64))
    return np.array(features, np.float64).T


def check_preparation(tool, report, name, model, table, flags):
    """The file is an ensemble, or one linear score, and decides like ONNX Runtime."""
    x, y, test, to_file = table
    model.fit(to_file(x), y)
    data = to_onnx(model, to_file(x[:1]), target_opset={"": 18, "ai.onnx.ml": 3}, options={"zipmap": False}).SerializeToString()
    try:
        label = onnxruntime.InferenceSession(data).run(None, as_inputs(data, test))[0]
    except Exception as error:  # skl2onnx does not always write what ONNX Runtime takes
        print(f"       {name}: not compared, {str(error)[:80]}")
        return
    try:
        info = tool.inspect(data, *flags)
        scores, _ = tool.run(data, as_features(info, test), None, *flags)
        form = tool.is_linear(data, *flags) if name.endswith("LogisticRegression") else tool.is_ensemble(data, *flags)
    except Refused as error:
        report.add(name, str(error))
        return
    wrong = int(((scores[:, 0] > 0).astype(int) != label).sum())
    report.add(name, f"{wrong} wrong labels" if wrong else None if form else f"not recognised: {info['tree_obstacle']}")


def check_columns(tool, report, _):
    """Every kind of preprocessing before trees and before a linear score: DataFrames with one input per column (single
    precision beside text: skl2onnx mixes types otherwise), and one matrix of floats."""
    x, y = mixed()
    rng = np.random.default_rng(0)
    for name, prepare, names, unknown in preparations():
        part = x if names is None else x[names]
        for model in (RandomForestClassifier(20, max_depth=6, random_state=0), HistGradientBoostingClassifier(max_iter=20, random_state=0),
                      LogisticRegression(max_iter=2000)):
            for kind in ("columns", "matrix"):
                if kind == "matrix" and (names is None or isinstance(prepare, ColumnTransformer)):
                    continue
                rows = part.astype({c: np.float32 for c in part.columns if c in NUMBERS or ("integers" not in name and c in CODES)})
                test = rows[1000:].copy()
                if "Imputer" in name:
                    test = test.mask(rng.random(test.shape) < 0.1)
                if unknown:
                    test.loc[rng.random(len(test)) < 0.1, "job"] = "astronaut"
                to_file = (lambda r: r) if kind == "columns" else (lambda r: r.to_numpy(np.float32))
                check_preparation(tool, report, f"{name}, {kind} + {name_of(model)}", make_pipeline(clone(prepare), clone(model)),
                                  (rows[:1000], y[:1000], test, to_file), [])


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
