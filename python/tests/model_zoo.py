"""One fitted model of every kind that the package opens, on a table; where a package is absent it is skipped."""

from __future__ import annotations

import functools
import os
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import model_data
import numpy as np
import pytest
from model_data import Data

os.environ.setdefault("KERAS_BACKEND", "torch")


@dataclass
class Case:
    """A model, the rows that it reads, and how it is expected to be handed over."""

    model: Any
    rows: Any
    kind: str
    options: dict[str, Any] = field(default_factory=dict)
    loses_digits: bool = False  # its file has single precision, so that a few rows may differ


def columns(data: Data, dense: bool = False) -> Any:
    pytest.importorskip("sklearn")
    from sklearn.compose import make_column_transformer
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    encoder = OneHotEncoder(handle_unknown="ignore", sparse_output=not dense)
    return make_column_transformer((StandardScaler(), list(data.numeric.columns)), (encoder, data.text_columns))


def pipeline(data: Data, *steps: Any) -> Any:
    from sklearn.pipeline import make_pipeline

    return make_pipeline(*steps).fit(data.rows, data.labels)


def sklearn_linear(data: Data) -> Case:
    before = columns(data)
    from sklearn.linear_model import LogisticRegression

    pytest.importorskip("skl2onnx")
    return Case(pipeline(data, before, LogisticRegression(max_iter=500)), data.rows, "onnx")


def sklearn_forest(data: Data) -> Case:
    before = columns(data)
    from sklearn.ensemble import RandomForestClassifier

    pytest.importorskip("skl2onnx")
    return Case(
        pipeline(data, before, RandomForestClassifier(40, max_depth=6, random_state=0)),
        data.rows,
        "onnx",
        loses_digits=True,
    )


def sklearn_boosting(data: Data) -> Case:
    before = columns(data, dense=True)
    from sklearn.ensemble import HistGradientBoostingClassifier

    pytest.importorskip("skl2onnx")
    return Case(
        pipeline(data, before, HistGradientBoostingClassifier(max_iter=30)), data.rows, "onnx", loses_digits=True
    )


def sklearn_network(data: Data) -> Case:
    before = columns(data)
    from sklearn.neural_network import MLPClassifier

    pytest.importorskip("skl2onnx")
    return Case(pipeline(data, before, MLPClassifier((12,), max_iter=60, random_state=0)), data.rows, "onnx")


def sklearn_ridge(data: Data) -> Case:
    before = columns(data)
    from sklearn.linear_model import RidgeClassifier

    pytest.importorskip("skl2onnx")
    return Case(pipeline(data, before, RidgeClassifier()), data.rows, "onnx", loses_digits=True)


def sklearn_numbers(data: Data) -> Case:
    pytest.importorskip("skl2onnx")
    from sklearn.ensemble import GradientBoostingClassifier

    return Case(
        GradientBoostingClassifier(n_estimators=30, random_state=0).fit(data.numeric, data.labels), data.numeric, "onnx"
    )


def sklearn_black_box(data: Data) -> Case:
    before = columns(data, dense=True)
    pytest.importorskip("skl2onnx")
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    class Own(LinearDiscriminantAnalysis):  # type: ignore[misc]
        """A class that no converter knows."""

    return Case(pipeline(data, before, Own()), data.rows, "callback")


def xgboost_categories(data: Data) -> Case:
    xgboost = pytest.importorskip("xgboost")
    model = xgboost.XGBClassifier(n_estimators=30, max_depth=3, enable_categorical=True)
    return Case(model.fit(data.categories, data.is_good), data.categories, "xgboost")


def xgboost_booster(data: Data) -> Case:
    xgboost = pytest.importorskip("xgboost")
    matrix = xgboost.DMatrix(data.numeric, data.is_good)
    return Case(xgboost.train({"objective": "binary:logistic", "max_depth": 3}, matrix, 20), data.numeric, "xgboost")


def xgboost_early(data: Data) -> Case:
    xgboost = pytest.importorskip("xgboost")
    model = xgboost.XGBClassifier(n_estimators=300, early_stopping_rounds=3)
    x, y, seen = data.numeric, data.is_good, len(data.rows) * 7 // 10
    model.fit(x[:seen], y[:seen], eval_set=[(x[seen:], y[seen:])], verbose=False)
    return Case(model, x, "xgboost")


def lightgbm_categories(data: Data) -> Case:
    lightgbm = pytest.importorskip("lightgbm")
    return Case(
        lightgbm.LGBMClassifier(n_estimators=30, verbose=-1).fit(data.categories, data.labels),
        data.categories,
        "lightgbm",
    )


def lightgbm_booster(data: Data) -> Case:
    lightgbm = pytest.importorskip("lightgbm")
    rows = lightgbm.Dataset(data.numeric, data.is_good)
    return Case(lightgbm.train({"objective": "binary", "verbose": -1}, rows, 20), data.numeric, "lightgbm")


def catboost_numbers(data: Data) -> Case:
    catboost = pytest.importorskip("catboost")
    model = catboost.CatBoostClassifier(iterations=30, depth=4, verbose=0, allow_writing_files=False, thread_count=1)
    return Case(model.fit(data.numeric, data.labels), data.numeric, "onnx")


def catboost_categories(data: Data) -> Case:
    catboost = pytest.importorskip("catboost")
    model = catboost.CatBoostClassifier(iterations=30, depth=4, verbose=0, allow_writing_files=False, thread_count=1)
    return Case(model.fit(data.rows, data.labels, cat_features=data.text_columns), data.rows, "callback")


def trained(torch: Any, module: Any, x: Any, loss: Any, y: Any) -> Any:
    torch.manual_seed(0)
    optimizer = torch.optim.Adam(module.parameters(), 0.02)
    for _ in range(60):
        optimizer.zero_grad()
        loss(module(x), y).backward()
        optimizer.step()
    return module


def torch_logits(data: Data) -> Case:
    torch = pytest.importorskip("torch")
    torch.manual_seed(0)
    x = torch.tensor(data.numeric.to_numpy(), dtype=torch.float32)
    module = torch.nn.Sequential(
        torch.nn.BatchNorm1d(x.shape[1]), torch.nn.Linear(x.shape[1], 16), torch.nn.ReLU(), torch.nn.Linear(16, 2)
    )
    return Case(
        trained(torch, module, x, torch.nn.CrossEntropyLoss(), torch.tensor(data.is_good)), data.numeric, "callback"
    )


def torch_probability(data: Data) -> Case:
    case = torch_logits(data)
    torch = pytest.importorskip("torch")
    return Case(torch.nn.Sequential(*case.model, torch.nn.Softmax(dim=1)), case.rows, "callback")


def torch_export(data: Data) -> Case:
    pytest.importorskip("onnxscript")
    case = torch_logits(data)
    return Case(case.model, case.rows, "onnx", {"export": True})


def torch_preprocess(data: Data) -> Case:
    torch = pytest.importorskip("torch")
    before = columns(data, dense=True).fit(data.rows)
    torch.manual_seed(0)
    x = torch.tensor(before.transform(data.rows), dtype=torch.float32)
    module = torch.nn.Sequential(
        torch.nn.Linear(x.shape[1], 16), torch.nn.Tanh(), torch.nn.Linear(16, 1), torch.nn.Flatten(0)
    )
    target = torch.tensor(data.is_good, dtype=torch.float32)
    return Case(
        trained(torch, module, x, torch.nn.BCEWithLogitsLoss(), target), data.rows, "callback", {"preprocess": before}
    )


def keras_model(data: Data) -> Case:
    pytest.importorskip("torch")
    keras = pytest.importorskip("keras")
    keras.utils.set_random_seed(0)
    layers = [
        keras.layers.Input((data.numeric.shape[1],)),
        keras.layers.BatchNormalization(),
        keras.layers.Dense(8, "relu"),
    ]
    model = keras.Sequential([*layers, keras.layers.Dense(1, "sigmoid")])
    model.compile(optimizer=keras.optimizers.Adam(0.02), loss="binary_crossentropy")
    model.fit(data.numeric.to_numpy(np.float32), data.is_good, epochs=8, batch_size=100, verbose=0)
    return Case(model, data.numeric, "callback")


def slopes(data: Data) -> tuple[Any, float]:
    """Weights and offset of a linear score: each number by its correlation with the label, 0 at the average row."""
    x, y = data.numeric.to_numpy(float), data.is_good
    weights = np.array([np.corrcoef(column, y)[0, 1] / column.std() for column in x.T])
    return 2 * weights, float(np.log(y.mean() / (1 - y.mean())) - 2 * weights @ x.mean(axis=0))


def frame_function(data: Data) -> Case:
    weights, offset = slopes(data)
    names, text = list(data.numeric.columns), data.text_columns[0]
    best = data.labels.eq(data.good).groupby(data.rows[text]).mean().idxmax()

    def model(frame: Any) -> Any:
        return offset + frame[names].to_numpy(float) @ weights + np.where(frame[text] == best, 1.0, -0.2)

    return Case(model, data.rows, "callback")


def array_function(data: Data) -> Case:
    weights, offset = slopes(data)

    def model(x: Any) -> Any:
        p = 1 / (1 + np.exp(-offset - x @ weights))
        return np.stack([1 - p, p], axis=1)

    def gradient(x: Any, seed: Any) -> Any:
        p = model(x)[:, 1]
        return ((seed[:, 1] - seed[:, 0]) * p * (1 - p))[:, None] * weights

    return Case(model, data.numeric, "callback", {"gradient": gradient})


MAKERS: dict[str, Callable[[Data], Case]] = {
    "scikit-learn logistic regression": sklearn_linear,
    "scikit-learn random forest": sklearn_forest,
    "scikit-learn histogram boosting": sklearn_boosting,
    "scikit-learn network": sklearn_network,
    "scikit-learn ridge": sklearn_ridge,
    "scikit-learn numbers only": sklearn_numbers,
    "scikit-learn black box": sklearn_black_box,
    "XGBoost with categories": xgboost_categories,
    "XGBoost booster": xgboost_booster,
    "XGBoost stopped early": xgboost_early,
    "LightGBM with categories": lightgbm_categories,
    "LightGBM booster": lightgbm_booster,
    "CatBoost": catboost_numbers,
    "CatBoost with categories": catboost_categories,
    "PyTorch logits": torch_logits,
    "PyTorch probabilities": torch_probability,
    "PyTorch exported": torch_export,
    "PyTorch with preprocess": torch_preprocess,
    "Keras": keras_model,
    "function of a frame": frame_function,
    "function of an array": array_function,
}
NAMES = list(MAKERS)
_GRADIENTS = ("PyTorch logits", "PyTorch probabilities", "PyTorch with preprocess", "Keras", "function of an array")
_CALLBACKS = (*_GRADIENTS, "scikit-learn black box", "CatBoost with categories", "function of a frame")


def has_gradient(name: str) -> bool:
    return name in _GRADIENTS


def is_callback(name: str) -> bool:
    return name in _CALLBACKS


@functools.cache
def case(name: str, table: str = "German Credit") -> Case:
    data = model_data.DATA[table]()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of other libraries, which say that they were trained briefly
        return MAKERS[name](data)


def bad_models() -> dict[str, Any]:
    """What is refused: a function that makes the model and its options, and a part of the sentence."""

    def unfitted(package: str, module: str, name: str) -> Callable[[], tuple[Any, dict[str, Any]]]:
        def make() -> tuple[Any, dict[str, Any]]:
            pytest.importorskip(package)
            import importlib

            return getattr(importlib.import_module(module), name)(), {}

        return make

    def unfitted_pipeline() -> tuple[Any, dict[str, Any]]:
        before = columns(model_data.credit())
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline

        return make_pipeline(before, LogisticRegression()), {}

    def raw_torch() -> tuple[Any, dict[str, Any]]:
        return pytest.importorskip("torch").nn.Linear(20, 2), {}

    return {
        "a pipeline that was not fitted": (unfitted_pipeline, "the pipeline was not fitted"),
        "XGBoost not fitted": (unfitted("xgboost", "xgboost", "XGBClassifier"), "XGBClassifier was not fitted"),
        "LightGBM not fitted": (unfitted("lightgbm", "lightgbm", "LGBMClassifier"), "LGBMClassifier was not fitted"),
        "CatBoost not fitted": (
            unfitted("catboost", "catboost", "CatBoostClassifier"),
            "CatBoostClassifier was not fitted",
        ),
        "text labels": (lambda: (lambda frame: np.array(["good"] * len(frame)), {}), "returns labels only .'good'"),
        "numbers as labels": (lambda: (lambda frame: np.arange(len(frame)) % 2, {}), "returns labels only"),
        "real numbers as labels": (lambda: (lambda frame: np.arange(len(frame)) % 2 * 1.0, {}), "returns labels only"),
        "one score for all": (lambda: (lambda frame: np.array(0.5), {}), "expected one row of scores for each"),
        "text into torch": (raw_torch, "column 'telephone' holds text: give preprocess="),
        "a number": (lambda: (3, {}), "the model is a int: expected"),
        "no file": (lambda: ("nowhere.onnx", {}), "nowhere.onnx: the file of the model cannot be read"),
        "an empty file": (lambda: (b"", {}), "empty file"),
        "a pickle": (lambda: (b"\x80\x04", {}), "a Python pickle: load it"),
        "an unknown word": (
            lambda: (lambda frame: frame, {"output": "odds"}),
            "expected 'auto', 'probabilities' or 'logits'",
        ),
    }
