"""An estimator with scikit-learn's manners, called as a black box: rows in, probabilities out, no gradients."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._errors import Error
from .differences import Differences
from .function import checked, describe, head, score_count, scores_of
from .request import Request, title
from .rows import Decoder, as_native, select
from .source import Array, Functions, Layout, ModelSource


def from_estimator(model: Any, request: Request, columns: list[str] | None, library: str, why: str) -> ModelSource:
    whose = f"the {type(model).__name__}"
    data = request.table(f"{whose} as a black box ({why})")
    names = columns or data.names()
    used = select(data, names)
    regression = not hasattr(model, "classes_") and not hasattr(model, "predict_proba")
    method, scale = _method(model, regression, whose)

    def output(native: Any, rows: int) -> Array:
        return checked(getattr(model, method)(native), rows, whose) if not regression else _numbers(model, native, rows)

    def own(frame: Any) -> Array:
        table = select(frame, names)
        return output(as_native(table), table.rows)

    few = head(used)
    sample = output(as_native(few), few.rows)

    def connect(layout: Layout) -> Functions:
        decoder, slopes = Decoder(used, layout), Differences(used, layout)

        def value(x: Array) -> Array:
            return scores_of(output(decoder.native(x), len(x)), scale)

        return Functions(value, lambda x, seed: slopes.pull(value, x, seed), len(layout), score_count(sample, scale))

    source = ModelSource(title(model, library), "callback", connect=connect, columns=list(names), regression=regression)
    if regression:
        source.predict = lambda frame: own(frame)[:, 0]
    else:
        source.classes = np.asarray(model.classes_).tolist()
        describe(source, own, scale)
        source.notes.clear()
    source.notes.append(
        f"{why[0].upper() + why[1:]}: it is called as a black box, without gradients and proofs, "
        "many times for each answer."
    )
    return source


def _numbers(model: Any, native: Any, rows: int) -> Array:
    return np.asarray(model.predict(native), dtype=np.float64).reshape(rows, -1)


def _method(model: Any, regression: bool, whose: str) -> tuple[str, str]:
    if regression:
        return "predict", "logits"
    if hasattr(model, "predict_proba"):
        return "predict_proba", "probabilities"
    if hasattr(model, "decision_function"):
        return "decision_function", "logits"
    raise Error(f"{whose} predicts labels only: expected predict_proba or decision_function, which say how sure it is")
