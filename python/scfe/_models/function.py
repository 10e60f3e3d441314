"""Any function of the rows as a model: `f(X) -> scores`, with a gradient or as a black box.

A function is asked about a few rows of the data first, because that is the only way to see what it returns.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .._errors import Error
from .._frames import Columns
from .._warn import warn
from .differences import Differences
from .preprocess import Preprocess, transformed
from .request import Request
from .rows import Decoder, as_codes, select
from .source import SMALLEST_PROBABILITY, Array, Functions, Layout, ModelSource, class_of, log_odds

#: How many rows a model is asked about when it is opened.
SAMPLE = 64


def open_function(function: Callable[..., Any], request: Request) -> ModelSource:
    name = getattr(function, "__name__", type(function).__name__)
    data = request.table(f"the function {name}")
    if request.inputs != "auto":
        return _opened(function, request, request.inputs == "array", name, data)
    if request.gradient is not None or data.library == "numpy":
        return _opened(function, request, True, name, data)
    try:
        return _opened(function, request, False, name, data)
    except Error:
        raise
    except Exception as problem:  # whatever a function that expects a matrix says to a frame
        try:
            return _opened(function, request, True, name, data)
        except Exception:
            raise problem from None


def _opened(function: Callable[..., Any], request: Request, arrays: bool, name: str, data: Columns) -> ModelSource:
    whose = f"the function {name}"

    def prepared(table: Columns) -> Any:
        if request.preprocess is not None:
            return transformed(request.preprocess, table.rebuild(table))
        return as_codes(table, data) if arrays else table.rebuild(table)

    def own(frame: Any) -> Array:
        table = select(frame, data.names())
        return checked(function(prepared(table)), table.rows, whose)

    sample = own(head(data))
    scale = scale_of(sample, request.output, whose)

    def connect(layout: Layout) -> Functions:
        decoder = Decoder(data, layout)
        before = None if request.preprocess is None else Preprocess(request.preprocess, data, layout)

        def value(x: Array) -> Array:
            raw = decoder.codes if arrays else decoder.frame
            given = raw(x) if before is None else before(x)
            return scores_of(checked(function(given), len(x), whose), scale)

        slopes = Differences(data, layout)
        by_differences = lambda x, seed: slopes.pull(value, x, seed)  # noqa: E731
        vjp = _vjp(function, request, scale, whose) if request.gradient else by_differences
        return Functions(value, vjp, len(layout), score_count(sample, scale))

    if request.output == "auto" and scale == "logits" and sample.shape[1] == 1:
        _warn_of_one_side(sample[:, 0], whose)
    source = ModelSource(whose, "callback", connect=connect, columns=data.names())
    describe(source, own, scale)
    if request.gradient is None:
        source.notes.append(
            f"{whose[0].upper() + whose[1:]} has no gradient: it is a black box, asked about many rows for each answer."
        )
    return source


def head(data: Columns, rows: int = SAMPLE) -> Columns:
    """The first rows of a table, as a table of its own."""
    return data.take(np.arange(min(rows, data.rows)))


def checked(result: Any, rows: int, whose: str) -> Array:
    """Scores [n, k] out of what a model returned, or a sentence on what is wrong with it."""
    result = result.detach().cpu().numpy() if hasattr(result, "detach") else np.asarray(result)
    if result.dtype.kind in "OUSTb" or (result.dtype.kind in "iu" and result.ndim == 1):
        shown = result.reshape(-1)[:1].tolist()
        raise Error(
            f"{whose} returns labels only ({shown[0] if shown else None!r} for the first row): "
            "expected probabilities or scores, as of predict_proba"
        )
    if result.ndim == 1:
        result = result.reshape(-1, 1)
    if result.ndim != 2 or len(result) != rows or result.shape[1] == 0:
        raise Error(
            f"{whose} returns an array of shape {result.shape} for {rows} rows: expected one row of scores for each"
        )
    return np.asarray(result, dtype=np.float64)


def scale_of(sample: Array, wanted: str, whose: str) -> str:
    """ "probabilities" or "logits", as asked for, or as the scores of the sample look."""
    if sample.shape[1] == 1 and len(sample) > 1 and np.isin(sample, (0.0, 1.0)).all() and wanted != "logits":
        raise Error(
            f"{whose} returns labels only (0 or 1 for every row): expected probabilities or scores, as of predict_proba"
        )
    if wanted != "auto":
        return wanted
    inside = bool((sample >= 0).all() and (sample <= 1).all())
    adds_up = sample.shape[1] == 1 or bool(np.allclose(sample.sum(axis=1), 1, atol=1e-4))
    return "probabilities" if inside and adds_up else "logits"


def _warn_of_one_side(sample: Array, whose: str) -> None:
    """Numbers on one side of 0 are rarely logits: a share in per cent, a price."""
    low, high = float(sample.min()), float(sample.max())
    if low <= 0 < high:
        return
    side = "above" if low > 0 else "not above"
    warn(
        f"{whose} returns numbers from {low:.3g} to {high:.3g}. They are not all between 0 and 1, so they are read as "
        f"logits, where class 1 wins above 0; all of these are {side} 0. Return probabilities from 0 to 1 (or say "
        "output='logits' if they are logits, or ask for a number with reach)"
    )


def scores_of(output: Array, scale: str) -> Array:
    return log_odds(output) if scale == "probabilities" else output


def score_count(sample: Array, scale: str) -> int:
    return 1 if scale == "probabilities" and sample.shape[1] == 2 else sample.shape[1]


def describe(source: ModelSource, own: Callable[[Any], Array], scale: str) -> None:
    """Sets what the original predicts, and says how its output was read."""
    source.predict = lambda frame: class_of(scores_of(own(frame), scale))
    if scale == "probabilities":

        def probabilities(frame: Any) -> Array:
            p = own(frame)
            return np.concatenate([1 - p, p], axis=1) if p.shape[1] == 1 else p

        source.probabilities = probabilities
    source.notes.append(
        f"Its output was read as {scale}"
        + (" (all between 0 and 1)." if scale == "probabilities" else ": class 1 above 0, or the largest wins.")
    )


def _vjp(function: Callable[..., Any], request: Request, scale: str, whose: str) -> Callable[[Array, Array], Array]:
    """The user's gradient of seed times output, with the slope of the log-odds in front of it."""
    gradient = request.gradient
    assert gradient is not None
    if request.preprocess is not None:
        raise Error(
            f"{whose} has both gradient= and preprocess=: "
            "expected the gradient with respect to the table's own columns, without preprocess="
        )

    def vjp(x: Array, seed: Array) -> Array:
        x, seed = np.asarray(x, dtype=np.float64), np.asarray(seed, dtype=np.float64)
        if scale == "probabilities":
            seed = seed_of_output(checked(function(x), len(x), whose), seed)
        result = np.asarray(gradient(x, seed), dtype=np.float64)
        if result.shape != x.shape:
            raise Error(f"the gradient of {whose} has the shape {result.shape}: expected that of its rows, {x.shape}")
        return result

    return vjp


def seed_of_output(p: Array, seed: Array) -> Array:
    """d(seed · log_odds(p)) / dp: what stands before the gradient of the probabilities themselves."""
    inside = np.clip(p, SMALLEST_PROBABILITY, 1)
    if p.shape[1] == 1:
        return np.asarray(seed * (1 / inside + 1 / np.clip(1 - p, SMALLEST_PROBABILITY, 1)))
    if p.shape[1] == 2:
        return np.asarray(np.concatenate([-seed, seed], axis=1) / inside)
    return np.asarray(seed / inside)
