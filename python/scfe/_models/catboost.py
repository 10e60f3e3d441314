"""CatBoost: as ONNX where it can export that (numbers only), else called as a black box, with the reason."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._errors import Error
from .black_box import from_estimator
from .files import written
from .request import Request, belongs_to, title
from .rows import as_native, select
from .source import ModelSource


def fits(model: Any) -> bool:
    return belongs_to(model, "catboost", "CatBoost")


def open_catboost(model: Any, request: Request) -> ModelSource:
    if not model.is_fitted():
        raise Error(f"the {type(model).__name__} was not fitted: call its fit before asking for explanations")
    columns = [str(name) for name in model.feature_names_]
    obstacle = _obstacle(model)
    if obstacle is not None:
        return from_estimator(model, request, columns, "CatBoost", f"CatBoost cannot export {obstacle} to ONNX")
    source = ModelSource(title(model, "CatBoost"), "onnx", bytes=_onnx(model), columns=columns)
    source.classes = np.asarray(model.classes_).tolist() if len(model.classes_) else None
    source.regression = source.classes is None
    place = {value: k for k, value in enumerate(source.classes or ())}

    def predict(frame: Any) -> Any:
        result = np.asarray(model.predict(as_native(select(frame, columns)))).reshape(-1)
        return result if source.regression else np.array([place[value] for value in result.tolist()])

    source.predict = predict
    if not source.regression:
        source.probabilities = lambda frame: np.asarray(model.predict_proba(as_native(select(frame, columns))))
    if request.data is not None:
        source.fallback = lambda: from_estimator(
            model, request, columns, "CatBoost", "its ONNX export predicts otherwise"
        )
    return source


def _obstacle(model: Any) -> str | None:
    for what, positions in (
        ("categories", model.get_cat_feature_indices()),
        ("text", model.get_text_feature_indices()),
        ("embeddings", model.get_embedding_feature_indices()),
    ):
        if positions:
            return f"{what} (column '{model.feature_names_[positions[0]]}')"
    return None


def _onnx(model: Any) -> bytes:
    return written(lambda path: model.save_model(path, format="onnx"))
