"""Typical exports of scikit-learn, XGBoost and LightGBM models, as fitted ONNX classifiers.

Each is a Case: the bytes of the model, the inputs of ONNX Runtime for a table, and whether it is differentiable.
"""
import dataclasses
import logging

import lightgbm
import numpy as np
import onnx
import onnxmltools
import onnxruntime
import skl2onnx.common._container
import xgboost
from onnxmltools.convert.common.data_types import FloatTensorType as Floats
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import GradientBoostingClassifier, HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, Normalizer, OneHotEncoder, OrdinalEncoder, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from skl2onnx import to_onnx
from skl2onnx.common.data_types import FloatTensorType, Int64TensorType, StringTensorType

onnxruntime.set_default_logger_severity(3)
logging.getLogger("skl2onnx").setLevel(logging.ERROR)


def _plain_numbers(make_node):
    """HistGradientBoosting is converted to lists of booleans and numpy integers, which onnx no longer accepts."""
    def plain(value):
        return [int(v) if isinstance(v, (np.integer, np.bool_, bool)) else v for v in value] if isinstance(value, list) else value
    return lambda *args, **attributes: make_node(*args, **{k: plain(v) for k, v in attributes.items()})


skl2onnx.common._container.make_node = _plain_numbers(skl2onnx.common._container.make_node)


def session(model):
    """ONNX Runtime with one thread. With more, it adds trees in another order; the difference of 1e-6 decides ties."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(model, options)


@dataclasses.dataclass
class Case:
    name: str
    model: bytes
    columns: bool           # one input per column (else a single tensor)
    differentiable: bool
    missing: bool = False   # accepts missing values
    double: bool = False    # inputs are double

    def kind(self):
        return np.float64 if self.double else np.float32

    def feed(self, table):
        """The inputs of ONNX Runtime for the rows of a table."""
        inputs = session(self.model).get_inputs()
        if not self.columns:
            return {inputs[0].name: table.to_numpy(self.kind())}
        kinds = {"tensor(string)": object, "tensor(int64)": np.int64, "tensor(float)": np.float32}
        return {i.name: table[i.name].to_numpy().astype(kinds[i.type]).reshape(-1, 1) for i in inputs}

    def rows(self, table, info):
        """The same rows as our features: text as the index of its level."""
        if not self.columns:
            return table.to_numpy(self.kind())
        rows = np.empty((len(table), info["features"]), np.float32)
        for part in info["inputs"]:
            column = table[part["name"]]
            known = {level: k for k, level in enumerate(part["levels"][0])} if part["type"] == "text" else None
            rows[:, part["first"]] = column if known is None else [known.get(v, -1) for v in column]
        return rows

    def predict(self, table):
        """Labels as text and probabilities, by ONNX Runtime."""
        label, probability = session(self.model).run(None, self.feed(table))
        if isinstance(probability, list):  # ZipMap
            keys = list(probability[0])
            probability = np.array([[row[k] for k in keys] for row in probability])
        return np.asarray(label).ravel().astype(str), np.asarray(probability)

    def probability_value(self):
        """The name of the tensor of probabilities."""
        graph = onnx.load_from_string(self.model).graph
        name = graph.output[1].name
        return next((n.input[0] for n in graph.node if n.op_type == "ZipMap" and n.output[0] == name), name)


def numeric(table, labels, some=None):
    """Cases with numeric columns; `some` selects those whose name contains it."""
    x = table.to_numpy(np.float32)
    scaled = lambda model: make_pipeline(StandardScaler(), model)  # noqa: E731
    smooth = {
        "LogisticRegression": scaled(LogisticRegression(max_iter=500)),
        "MinMax + LogisticRegression": make_pipeline(MinMaxScaler(), LogisticRegression(max_iter=500)),
        "MinMax + Normalizer + LogisticRegression": make_pipeline(MinMaxScaler(), Normalizer(), LogisticRegression(max_iter=500)),
        "MLPClassifier relu": scaled(MLPClassifier((16, 8), max_iter=200, random_state=0)),
        "MLPClassifier tanh": scaled(MLPClassifier((16,), activation="tanh", max_iter=200, random_state=0)),
        "MLPClassifier logistic": scaled(MLPClassifier((16,), activation="logistic", max_iter=200, random_state=0)),
        **{f"SVC {kernel}": scaled(SVC(kernel=kernel, random_state=0)) for kernel in ("rbf", "linear", "poly", "sigmoid")},
        **{f"SVC {kernel} probability": scaled(SVC(kernel=kernel, probability=True, random_state=0)) for kernel in ("rbf", "linear")}}
    trees = {
        "DecisionTree": DecisionTreeClassifier(max_depth=6, random_state=0),
        "RandomForest": RandomForestClassifier(30, max_depth=8, random_state=0),
        "GradientBoosting": GradientBoostingClassifier(n_estimators=30, random_state=0),
        "HistGradientBoosting": HistGradientBoostingClassifier(max_iter=30, random_state=0),
        "Imputer + RandomForest": make_pipeline(SimpleImputer(), RandomForestClassifier(20, max_depth=6, random_state=0)),
        "Imputer + Scaler + HistGradientBoosting": make_pipeline(SimpleImputer(strategy="median"), StandardScaler(),
                                                                 HistGradientBoostingClassifier(max_iter=20, random_state=0))}
    for name, model in {**smooth, **trees}.items():
        if some and some not in name:
            continue
        model.fit(x, labels)
        yield Case(name, to_onnx(model, x[:1]).SerializeToString(), False, name in smooth,
                   "Hist" in name or "Imputer" in name)
    if some and some not in "XGBoost LightGBM":
        return
    codes = np.unique(labels, return_inverse=True)[1]
    types = [("x", Floats([None, x.shape[1]]))]
    boosted = xgboost.XGBClassifier(n_estimators=30, max_depth=4).fit(x, codes)
    yield Case("XGBoost", onnxmltools.convert_xgboost(boosted, initial_types=types).SerializeToString(), False, False, True)
    leaves = lightgbm.LGBMClassifier(n_estimators=30, verbose=-1).fit(x, codes)
    yield Case("LightGBM", onnxmltools.convert_lightgbm(leaves, initial_types=types, zipmap=False).SerializeToString(), False, False, True)


def tied(table, labels):
    """A forest of few trees with pure leaves, so that many rows are exact ties between two classes."""
    x = table.to_numpy(np.float32)
    model = RandomForestClassifier(4, random_state=0).fit(x, labels)
    return Case("RandomForest with ties", to_onnx(model, x[:1]).SerializeToString(), False, False)


def double(table, labels):
    """Cases with numeric columns that are exported in double. The only trees are forests, because ONNX Runtime refuses what
    skl2onnx writes for the others."""
    x = table.to_numpy(np.float64)
    scaled = lambda model: make_pipeline(StandardScaler(), model)  # noqa: E731
    models = {
        "LogisticRegression": scaled(LogisticRegression(max_iter=500)),
        "MinMax + LogisticRegression": make_pipeline(MinMaxScaler(), LogisticRegression(max_iter=500)),
        "MLPClassifier relu": scaled(MLPClassifier((16, 8), max_iter=200, random_state=0)),
        "MLPClassifier tanh": scaled(MLPClassifier((16,), activation="tanh", max_iter=200, random_state=0)),
        "MLPClassifier logistic": scaled(MLPClassifier((16,), activation="logistic", max_iter=200, random_state=0)),
        "RandomForest": RandomForestClassifier(30, max_depth=8, random_state=0)}
    for name, model in models.items():
        model.fit(x, labels)
        data = to_onnx(model, x[:1], options={"zipmap": False}).SerializeToString()
        yield Case(name, data, False, "Regression" in name or "MLP" in name, double=True)


def mixed(table, labels, numbers, integers, texts):
    """Cases with one input per column: scaled numbers, one-hot integers, one-hot text."""
    types = [*((c, FloatTensorType([None, 1])) for c in numbers), *((c, Int64TensorType([None, 1])) for c in integers),
             *((c, StringTensorType([None, 1])) for c in texts)]
    hot = lambda: OneHotEncoder(handle_unknown="ignore")  # noqa: E731

    def columns(scaler, encoder=None):
        return ColumnTransformer([("numbers", scaler, numbers), ("integers", hot(), integers), ("texts", encoder or hot(), texts)])

    models = {
        "columns + LogisticRegression": (make_pipeline(columns(StandardScaler()), LogisticRegression(max_iter=500)), True),
        "columns MinMax + LogisticRegression": (make_pipeline(columns(MinMaxScaler()), LogisticRegression(max_iter=500)), True),
        "columns + MLPClassifier": (make_pipeline(columns(StandardScaler()), MLPClassifier((12,), max_iter=200, random_state=0)), True),
        "columns + SVC probability": (make_pipeline(columns(StandardScaler()), SVC(probability=True, random_state=0)), True),
        "columns + RandomForest": (make_pipeline(columns("passthrough"), RandomForestClassifier(20, max_depth=8, random_state=0)), False),
        "columns + GradientBoosting": (make_pipeline(columns("passthrough"), GradientBoostingClassifier(n_estimators=20, random_state=0)), False),
        "columns Ordinal + GradientBoosting": (
            make_pipeline(columns("passthrough", OrdinalEncoder()), GradientBoostingClassifier(n_estimators=20, random_state=0)), False)}
    for name, (model, smooth) in models.items():
        model.fit(table, labels)
        yield Case(name, to_onnx(model, initial_types=types).SerializeToString(), True, smooth)


def neighbours(table, labels):
    model = KNeighborsClassifier().fit(table.to_numpy(np.float32), labels)
    return Case("KNeighbors", to_onnx(model, table.to_numpy(np.float32)[:1]).SerializeToString(), False, False)
