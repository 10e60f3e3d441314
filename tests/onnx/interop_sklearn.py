"""scikit-learn, XGBoost and LightGBM models through their converters, against ONNX Runtime on 1000 rows.

    python interop_sklearn.py path/to/run_onnx

Labels must be identical; probabilities (from the scores by the link that was looked through) to 1e-5.
Needs scikit-learn, skl2onnx, onnxmltools, xgboost, lightgbm, onnxruntime.
"""
import json
import os
import subprocess
import sys
import tempfile
import warnings

import numpy as np
import onnxruntime
from sklearn.compose import ColumnTransformer
from sklearn.datasets import make_classification
from sklearn.ensemble import GradientBoostingClassifier, HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, Normalizer, OneHotEncoder, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from skl2onnx import to_onnx
from skl2onnx.common.data_types import FloatTensorType, Int64TensorType, StringTensorType


def tool_run(tool, model, rows):
    with tempfile.TemporaryDirectory() as folder:
        path, x, y = (os.path.join(folder, n) for n in ("m.onnx", "x.bin", "y.bin"))
        with open(path, "wb") as file:
            file.write(model)
        rows.astype(np.float32).tofile(x)
        done = subprocess.run([tool, path, x, "-", y], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr.strip())
        features, scores = map(int, done.stdout.split())
        info = json.loads(subprocess.run([tool, "--inspect", path], capture_output=True, text=True, check=True).stdout)
        return np.fromfile(y, np.float32).reshape(-1, features + scores)[:, :scores], info


def tool_info(tool, model):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "m.onnx")
        with open(path, "wb") as file:
            file.write(model)
        return json.loads(subprocess.run([tool, "--inspect", path], capture_output=True, text=True, check=True).stdout)


def runtime(model, feed):
    session = onnxruntime.InferenceSession(model)
    label, probability = session.run(None, feed)
    if isinstance(probability, list):
        keys = list(probability[0])
        probability = np.array([[row[k] for k in keys] for row in probability])
    return label, probability


def compare(name, tool, model, feed, rows):
    label, probability = runtime(model, feed)
    scores, info = tool_run(tool, model, rows)
    index = (scores[:, 0] > 0).astype(int) if scores.shape[1] == 1 else scores.argmax(axis=1)
    classes = np.array(info["classes"])
    ours = classes[index] if len(classes) else index.astype(str)
    wrong = int((ours != label.astype(str)).sum())
    z = scores.astype(np.float64)
    links = {
        "sigmoid": lambda: 1 / (1 + np.exp(-z)) if z.shape[1] == 1 else None,
        "softmax": lambda: np.exp(z - z.max(1, keepdims=True)) / np.exp(z - z.max(1, keepdims=True)).sum(1, keepdims=True),
        "plain": lambda: z if z.shape[1] > 1 else z + 0.5,
        "ovr": lambda: (1 / (1 + np.exp(-z))) / (1 / (1 + np.exp(-z))).sum(1, keepdims=True)}
    best, best_error = "none", np.inf
    for link, function in links.items():
        p = function()
        if p is None:
            continue
        p = np.hstack([1 - p, p]) if p.shape[1] == 1 else p
        error = np.abs(p - probability).max() if p.shape == probability.shape else np.inf
        if error < best_error:
            best, best_error = link, error
    print(f"{name:34s} wrong labels {wrong:4d}  probabilities by {best}: {best_error:.1e}  differentiable {info['differentiable']}")
    return wrong == 0 and (best_error < 1e-5 or "SVC" in name)


def numeric_models(classes):
    yield "LogisticRegression", make_pipeline(StandardScaler(), LogisticRegression(max_iter=500))
    yield "MinMax + Normalizer + Logistic", make_pipeline(MinMaxScaler(), Normalizer(), LogisticRegression(max_iter=500))
    yield "MLPClassifier", make_pipeline(StandardScaler(), MLPClassifier((16, 8), max_iter=60, random_state=0))
    yield "MLPClassifier tanh", make_pipeline(StandardScaler(), MLPClassifier((16,), activation="tanh", max_iter=60, random_state=0))
    for kernel in ("rbf", "linear", "poly", "sigmoid"):
        yield f"SVC {kernel}", make_pipeline(StandardScaler(), SVC(kernel=kernel, random_state=0))
    yield "SVC probability", make_pipeline(StandardScaler(), SVC(probability=True, random_state=0))
    yield "DecisionTree", DecisionTreeClassifier(max_depth=6, random_state=0)
    yield "RandomForest", RandomForestClassifier(30, max_depth=8, random_state=0)
    yield "GradientBoosting", GradientBoostingClassifier(n_estimators=30, random_state=0)
    yield "HistGradientBoosting", HistGradientBoostingClassifier(max_iter=30, random_state=0)
    yield "Imputer + RandomForest", make_pipeline(SimpleImputer(), RandomForestClassifier(20, max_depth=6, random_state=0))


def boosted_models(classes):
    import onnxmltools
    from onnxmltools.convert.common.data_types import FloatTensorType as Floats
    import lightgbm
    import xgboost
    yield "XGBoost", xgboost.XGBClassifier(n_estimators=30, max_depth=4), lambda m, d: onnxmltools.convert_xgboost(
        m, initial_types=[("x", Floats([None, d]))])
    yield "LightGBM", lightgbm.LGBMClassifier(n_estimators=30, verbose=-1), lambda m, d: onnxmltools.convert_lightgbm(
        m, initial_types=[("x", Floats([None, d]))], zipmap=False)


def converted(name, convert):
    """None where the converter itself fails on these versions: nothing to compare then."""
    try:
        return convert().SerializeToString()
    except Exception as error:  # whatever the converter throws
        print(f"{name:34s} not converted: {type(error).__name__} {str(error)[:80]!r}")
        return None


def check_numeric(tool):
    good = True
    for classes in (2, 3):
        x, y = make_classification(2000, 10, n_informative=6, n_classes=classes, random_state=classes)
        x = x.astype(np.float32)
        for name, model in numeric_models(classes):
            model.fit(x[:1000], y[:1000])
            onnx_model = converted(f"{name} ({classes})", lambda: to_onnx(model, x[:1], target_opset={"": 18, "ai.onnx.ml": 3}))
            good &= onnx_model is None or attempt(f"{name} ({classes})", tool, onnx_model, {"X": x[1000:]}, x[1000:])
        try:
            boosted = list(boosted_models(classes))
        except ImportError as error:
            print("skipped:", error)
            continue
        for name, model, convert in boosted:
            model.fit(x[:1000], y[:1000])
            onnx_model = converted(f"{name} ({classes})", lambda: convert(model, x.shape[1]))
            good &= onnx_model is None or attempt(f"{name} ({classes})", tool, onnx_model, {"x": x[1000:]}, x[1000:])
    return good


def attempt(name, tool, model, feed, rows):
    try:
        return compare(name, tool, model, feed, rows)
    except RuntimeError as error:
        print(f"{name:34s} {error}")
        return False


def check_columns(tool):
    """One input per column: two numbers, an integer and a text."""
    rng = np.random.default_rng(0)
    import pandas
    n = 2000
    table = pandas.DataFrame({"age": rng.uniform(18, 80, n).astype(np.float32), "income": rng.lognormal(3, 1, n).astype(np.float32),
                              "children": rng.integers(0, 4, n), "job": rng.choice(["none", "clerk", "engineer"], n)})
    y = np.where((table.age > 40) ^ (table.job == "clerk"), "yes", "no")
    steps = ColumnTransformer([("n", StandardScaler(), ["age", "income"]), ("c", OneHotEncoder(handle_unknown="ignore"), ["children"]),
                               ("t", OneHotEncoder(handle_unknown="ignore"), ["job"])])
    types = [("age", FloatTensorType([None, 1])), ("income", FloatTensorType([None, 1])),
             ("children", Int64TensorType([None, 1])), ("job", StringTensorType([None, 1]))]
    good = True
    for name, last in (("columns + Logistic", LogisticRegression()), ("columns + RandomForest", RandomForestClassifier(20, random_state=0))):
        model = make_pipeline(steps, last).fit(table[:1000], y[:1000])
        onnx_model = to_onnx(model, initial_types=types, target_opset={"": 18, "ai.onnx.ml": 3}).SerializeToString()
        test = table[1000:]
        info = tool_info(tool, onnx_model)
        if info["unsupported"]:
            print(name, info["unsupported"])
            good = False
            continue
        rows = np.empty((len(test), info["features"]), np.float32)
        for part in info["inputs"]:
            column = test[part["name"]]
            rows[:, part["first"]] = [part["levels"][0].index(v) for v in column] if part["type"] == "text" else column
        feed = {c: test[c].to_numpy().reshape(-1, 1).astype(object if c == "job" else None) if c == "job" else test[c].to_numpy().reshape(-1, 1) for c in test}
        good &= attempt(name, tool, onnx_model, feed, rows)
    return good


def check_refused(tool):
    x, y = make_classification(200, 5, random_state=0)
    model = KNeighborsClassifier().fit(x, y)
    info = tool_info(tool, to_onnx(model, x[:1].astype(np.float32), target_opset={"": 18, "ai.onnx.ml": 3}).SerializeToString())
    print("KNeighbors refused:", info["unsupported"][:1])
    return bool(info["unsupported"])


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    results = [check_numeric(sys.argv[1]), check_columns(sys.argv[1]), check_refused(sys.argv[1])]
    sys.exit(0 if all(results) else 1)
