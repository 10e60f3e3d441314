"""XGBoost and LightGBM hand over their own bytes: no conversion, categories included, so answers can be proven."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._errors import Error
from .request import Request, belongs_to, title
from .rows import as_native, select
from .source import Array, ModelSource, class_of


def is_xgboost(model: Any) -> bool:
    return belongs_to(model, "xgboost", "Booster", "XGBModel")


def is_lightgbm(model: Any) -> bool:
    return belongs_to(model, "lightgbm", "Booster", "LGBMModel")


def open_xgboost(model: Any, request: Request) -> ModelSource:
    import xgboost

    wrapped = not isinstance(model, xgboost.Booster)
    booster = _fitted(model, "get_booster", "NotFittedError") if wrapped else model
    # scikit-learn's wrapper predicts with the best round after early stopping, its file holds all of them.
    best = getattr(model, "best_iteration", None) if wrapped and getattr(model, "early_stopping_rounds", None) else None
    if best is not None:
        booster = booster[: best + 1]
    source = ModelSource(title(model, "XGBoost"), "xgboost", bytes=bytes(booster.save_raw("ubj")))
    source.columns = list(booster.feature_names) if booster.feature_names else None
    if best is not None:
        source.notes.append(
            f"The booster stopped early: its first {best + 1} rounds are used, as in its own predictions."
        )
    missing = getattr(model, "missing", np.nan)
    if missing is not None and not np.isnan(missing):
        raise Error(f"the XGBoost model takes {missing} as missing: expected NaN, which is what its file means")

    def raw(frame: Any) -> Array:
        native = as_native(select(frame, source.columns))
        names = source.columns if isinstance(native, np.ndarray) else None
        return np.asarray(booster.predict(xgboost.DMatrix(native, enable_categorical=True, feature_names=names)))

    _describe(source, model, raw, _xgboost_objective(booster))
    return source


def _xgboost_objective(booster: Any) -> str:
    import json

    return str(json.loads(booster.save_config())["learner"]["objective"]["name"])


def open_lightgbm(model: Any, request: Request) -> ModelSource:
    import lightgbm

    wrapped = not isinstance(model, lightgbm.Booster)
    booster = _fitted(model, "booster_", "NotFittedError") if wrapped else model
    best = booster.best_iteration if booster.best_iteration > 0 else None
    source = ModelSource(
        title(model, "LightGBM"), "lightgbm", bytes=booster.model_to_string(num_iteration=best).encode()
    )
    source.columns = list(booster.feature_name())
    if best is not None and best < booster.num_trees():
        source.notes.append(f"The booster stopped early: its first {best} rounds are used, as in its own predictions.")

    def raw(frame: Any) -> Array:
        return np.asarray(booster.predict(as_native(select(frame, source.columns)), num_iteration=best))

    _describe(source, model, raw, str(booster.params.get("objective", "") if not wrapped else model.objective_))
    return source


def _fitted(model: Any, name: str, error: str) -> Any:
    try:
        found = getattr(model, name)
        return found() if callable(found) and name.startswith("get_") else found
    except Exception as problem:
        if error in {kind.__name__ for kind in type(problem).__mro__}:
            raise Error(
                f"the {type(model).__name__} was not fitted: call its fit before asking for explanations"
            ) from None
        raise


#: Objectives whose prediction is a probability, or one per class. All others are numbers.
_PROBABILITIES = ("binary", "multi", "multiclass", "softmax", "cross_entropy", "xentropy", "reg:logistic")


def _describe(source: ModelSource, model: Any, raw: Any, objective: str) -> None:
    """Sets what the original predicts, from its raw output: a probability, one per class, a class, or a number."""
    classes = getattr(model, "classes_", None)
    source.classes = None if classes is None else np.asarray(classes).tolist()
    source.regression = classes is None and not objective.startswith(_PROBABILITIES)
    if source.regression:
        source.predict = raw
        return
    if objective == "binary:logitraw":
        source.predict = lambda frame: class_of(raw(frame))
        return

    def probabilities(frame: Any) -> Array:
        p = np.asarray(raw(frame))
        return np.stack([1 - p, p], axis=1) if p.ndim == 1 else p

    if objective == "multi:softmax" or objective == "binary:hinge":
        source.predict = lambda frame: np.asarray(raw(frame)).astype(np.int64)
        return
    source.probabilities = probabilities
    # One half exactly is class 0 for the engine, and for the wrappers of both libraries.
    source.predict = lambda frame: class_of(_signed(probabilities(frame)))


def _signed(p: Array) -> Array:
    return p[:, 1] - 0.5 if p.shape[1] == 2 else p
