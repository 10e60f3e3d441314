"""One fitted model of every kind that the package opens, on German Credit; where a package is absent it is skipped."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

os.environ.setdefault("KERAS_BACKEND", "torch")
ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Case:
    """A model, the rows that it reads, and how it is expected to be handed over."""

    model: Any
    rows: Any
    kind: str
    options: dict[str, Any] = field(default_factory=dict)
    loses_digits: bool = False  # its file has single precision, so that a few rows may differ


@functools.cache
def credit() -> tuple[Any, Any]:
    """The features and the labels of German Credit, as pandas has them."""
    pandas = pytest.importorskip("pandas")
    table = pandas.read_csv(ROOT / "data" / "german_credit.csv")
    return table.drop(columns="risk"), table["risk"]


def numeric() -> Any:
    return credit()[0].select_dtypes("number")


def text_columns() -> list[str]:
    return [name for name in credit()[0] if name not in numeric().columns]


def good() -> Any:
    return (credit()[1] == "good").to_numpy().astype(np.int64)


def categories() -> Any:
    rows = credit()[0].copy()
    return rows.astype(dict.fromkeys(text_columns(), "category"))


def columns(dense: bool = False) -> Any:
    pytest.importorskip("sklearn")
    from sklearn.compose import make_column_transformer
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    encoder = OneHotEncoder(handle_unknown="ignore", sparse_output=not dense)
    return make_column_transformer((StandardScaler(), list(numeric().columns)), (encoder, text_columns()))


def pipeline(*steps: Any) -> Any:
    from sklearn.pipeline import make_pipeline

    return make_pipeline(*steps).fit(*credit())


def sklearn_linear() -> Case:
    before = columns()
    from sklearn.linear_model import LogisticRegression

    pytest.importorskip("skl2onnx")
    return Case(pipeline(before, LogisticRegression(max_iter=500)), credit()[0], "onnx")


def sklearn_forest() -> Case:
    before = columns()
    from sklearn.ensemble import RandomForestClassifier

    pytest.importorskip("skl2onnx")
    return Case(
        pipeline(before, RandomForestClassifier(40, max_depth=6, random_state=0)),
        credit()[0],
        "onnx",
        loses_digits=True,
    )


def sklearn_boosting() -> Case:
    before = columns(dense=True)
    from sklearn.ensemble import HistGradientBoostingClassifier

    pytest.importorskip("skl2onnx")
    return Case(pipeline(before, HistGradientBoostingClassifier(max_iter=30)), credit()[0], "onnx", loses_digits=True)


def sklearn_network() -> Case:
    before = columns()
    from sklearn.neural_network import MLPClassifier

    pytest.importorskip("skl2onnx")
    return Case(pipeline(before, MLPClassifier((12,), max_iter=60, random_state=0)), credit()[0], "onnx")


def sklearn_ridge() -> Case:
    before = columns()
    from sklearn.linear_model import RidgeClassifier

    pytest.importorskip("skl2onnx")
    return Case(pipeline(before, RidgeClassifier()), credit()[0], "onnx", loses_digits=True)


def sklearn_numbers() -> Case:
    pytest.importorskip("skl2onnx")
    from sklearn.ensemble import GradientBoostingClassifier

    return Case(
        GradientBoostingClassifier(n_estimators=30, random_state=0).fit(numeric(), credit()[1]), numeric(), "onnx"
    )


def sklearn_black_box() -> Case:
    before = columns(dense=True)
    pytest.importorskip("skl2onnx")
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    class Own(LinearDiscriminantAnalysis):  # type: ignore[misc]
        """A class that no converter knows."""

    return Case(pipeline(before, Own()), credit()[0], "callback")


def xgboost_categories() -> Case:
    xgboost = pytest.importorskip("xgboost")
    model = xgboost.XGBClassifier(n_estimators=30, max_depth=3, enable_categorical=True)
    return Case(model.fit(categories(), good()), categories(), "xgboost")


def xgboost_booster() -> Case:
    xgboost = pytest.importorskip("xgboost")
    matrix = xgboost.DMatrix(numeric(), good())
    return Case(xgboost.train({"objective": "binary:logistic", "max_depth": 3}, matrix, 20), numeric(), "xgboost")


def xgboost_early() -> Case:
    xgboost = pytest.importorskip("xgboost")
    model = xgboost.XGBClassifier(n_estimators=300, early_stopping_rounds=3)
    return Case(
        model.fit(numeric()[:700], good()[:700], eval_set=[(numeric()[700:], good()[700:])], verbose=False),
        numeric(),
        "xgboost",
    )


def lightgbm_categories() -> Case:
    lightgbm = pytest.importorskip("lightgbm")
    return Case(
        lightgbm.LGBMClassifier(n_estimators=30, verbose=-1).fit(categories(), credit()[1]), categories(), "lightgbm"
    )


def lightgbm_booster() -> Case:
    lightgbm = pytest.importorskip("lightgbm")
    data = lightgbm.Dataset(numeric(), good())
    return Case(lightgbm.train({"objective": "binary", "verbose": -1}, data, 20), numeric(), "lightgbm")


def catboost_numbers() -> Case:
    catboost = pytest.importorskip("catboost")
    model = catboost.CatBoostClassifier(iterations=30, depth=4, verbose=0, allow_writing_files=False, thread_count=1)
    return Case(model.fit(numeric(), credit()[1]), numeric(), "onnx")


def catboost_categories() -> Case:
    catboost = pytest.importorskip("catboost")
    model = catboost.CatBoostClassifier(iterations=30, depth=4, verbose=0, allow_writing_files=False, thread_count=1)
    return Case(model.fit(credit()[0], credit()[1], cat_features=text_columns()), credit()[0], "callback")


def trained(torch: Any, module: Any, x: Any, loss: Any, y: Any) -> Any:
    torch.manual_seed(0)
    optimizer = torch.optim.Adam(module.parameters(), 0.02)
    for _ in range(60):
        optimizer.zero_grad()
        loss(module(x), y).backward()
        optimizer.step()
    return module


def torch_logits() -> Case:
    torch = pytest.importorskip("torch")
    torch.manual_seed(0)
    x = torch.tensor(numeric().to_numpy(), dtype=torch.float32)
    module = torch.nn.Sequential(
        torch.nn.BatchNorm1d(x.shape[1]), torch.nn.Linear(x.shape[1], 16), torch.nn.ReLU(), torch.nn.Linear(16, 2)
    )
    return Case(trained(torch, module, x, torch.nn.CrossEntropyLoss(), torch.tensor(good())), numeric(), "callback")


def torch_probability() -> Case:
    case = torch_logits()
    torch = pytest.importorskip("torch")
    return Case(torch.nn.Sequential(*case.model, torch.nn.Softmax(dim=1)), case.rows, "callback")


def torch_export() -> Case:
    pytest.importorskip("onnxscript")
    case = torch_logits()
    return Case(case.model, case.rows, "onnx", {"export": True})


def torch_preprocess() -> Case:
    torch = pytest.importorskip("torch")
    before = columns(dense=True).fit(credit()[0])
    torch.manual_seed(0)
    x = torch.tensor(before.transform(credit()[0]), dtype=torch.float32)
    module = torch.nn.Sequential(
        torch.nn.Linear(x.shape[1], 16), torch.nn.Tanh(), torch.nn.Linear(16, 1), torch.nn.Flatten(0)
    )
    target = torch.tensor(good(), dtype=torch.float32)
    return Case(
        trained(torch, module, x, torch.nn.BCEWithLogitsLoss(), target), credit()[0], "callback", {"preprocess": before}
    )


def keras_model() -> Case:
    pytest.importorskip("torch")
    keras = pytest.importorskip("keras")
    keras.utils.set_random_seed(0)
    layers = [
        keras.layers.Input((numeric().shape[1],)),
        keras.layers.BatchNormalization(),
        keras.layers.Dense(8, "relu"),
    ]
    model = keras.Sequential([*layers, keras.layers.Dense(1, "sigmoid")])
    model.compile(optimizer=keras.optimizers.Adam(0.02), loss="binary_crossentropy")
    model.fit(numeric().to_numpy(np.float32), good(), epochs=8, batch_size=100, verbose=0)
    return Case(model, numeric(), "callback")


WEIGHTS = np.array([-0.05, -0.0002, -0.2, 0.05, 0.03, 0.1, -0.1])


def frame_function() -> Case:
    def model(frame: Any) -> Any:
        amount = 1.5 - 0.04 * frame["duration_months"].to_numpy() - 0.0001 * frame["amount"].to_numpy()
        return amount + np.where(frame["checking_account"] == "above_200", 1.0, -0.5)

    return Case(model, credit()[0], "callback")


def array_function() -> Case:
    def model(x: Any) -> Any:
        p = 1 / (1 + np.exp(-1.5 - x @ WEIGHTS))
        return np.stack([1 - p, p], axis=1)

    def gradient(x: Any, seed: Any) -> Any:
        p = model(x)[:, 1]
        return ((seed[:, 1] - seed[:, 0]) * p * (1 - p))[:, None] * WEIGHTS

    return Case(model, numeric(), "callback", {"gradient": gradient})


MAKERS: dict[str, Callable[[], Case]] = {
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
def case(name: str) -> Case:
    return MAKERS[name]()


def bad_models() -> dict[str, Any]:
    """What is refused: a function that makes the model and its options, and a part of the sentence."""

    def unfitted(package: str, module: str, name: str) -> Callable[[], tuple[Any, dict[str, Any]]]:
        def make() -> tuple[Any, dict[str, Any]]:
            pytest.importorskip(package)
            import importlib

            return getattr(importlib.import_module(module), name)(), {}

        return make

    def unfitted_pipeline() -> tuple[Any, dict[str, Any]]:
        before = columns()
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
        "no file": (lambda: ("nowhere.onnx", {}), "nowhere.onnx: expected the file of a model"),
        "an empty file": (lambda: (b"", {}), "empty file"),
        "a pickle": (lambda: (b"\x80\x04", {}), "a Python pickle: load it"),
        "an unknown word": (
            lambda: (lambda frame: frame, {"output": "odds"}),
            "expected 'auto', 'probabilities' or 'logits'",
        ),
    }
