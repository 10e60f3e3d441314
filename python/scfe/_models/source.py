"""What every kind of model becomes before the engine sees it.

A model is handed over in one of two ways:

- as the bytes of a file that the engine reads itself (`bytes` and `kind`), or
- as functions that the engine calls (`connect`): scores, and if there are gradients the vector-Jacobian product.

Functions get one number per column of the table, in the order of a `Layout`: a number as it is, a boolean as 0 or 1, a
text or a category as the index of its level. They may be given single or double precision.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

#: No score is farther from 0 than the log-odds of this probability.
SMALLEST_PROBABILITY = 1e-15


@dataclass(frozen=True)
class Input:
    """One column as the functions of a callback get it."""

    name: str
    levels: Sequence[Any] | None = None  # of a text or a category: position k is the level with code k
    decimals: int | None = None  # of a number: digits behind the point that its cells are written with, where known


Layout = Sequence[Input]


@dataclass
class Functions:
    """A model that the engine calls: `value(X[n, d]) -> logits[n, k]`, `vjp(X[n, d], seed[n, k]) -> [n, d]` or None.

    One score means two classes: class 1 if it is above 0. Both functions are batched and change nothing outside.
    """

    value: Callable[[Array], Array]
    vjp: Callable[[Array, Array], Array] | None
    features: int
    scores: int


@dataclass
class ModelSource:
    """A model, ready to be handed to the engine, and the original object's own word on what it predicts."""

    source: str = "model"  # its name for people: "RandomForestClassifier (scikit-learn)"
    kind: str | None = None  # "onnx", "xgboost", "lightgbm", "json", "callback"
    bytes: bytes | None = None
    path: str | None = None  # the file that `bytes` came from: ONNX files may have weights beside them
    connect: Callable[[Layout], Functions] | None = None
    columns: list[str] | None = None  # the columns that the model reads, in its order; None: it does not say
    classes: list[Any] | None = None  # label values in the order of the scores; None: it does not say
    regression: bool = False
    settings: dict[str, Any] = field(default_factory=dict)  # further settings of the fit
    notes: list[str] = field(default_factory=list)  # sentences for people
    #: The original object's own answer for a frame: the class as its position in the order of the scores, or the number
    #: of a regression. None where there is only a file.
    predict: Callable[[Any], Array] | None = None
    #: Probabilities [n, classes] of the original object; None where it has none.
    probabilities: Callable[[Any], Array] | None = None
    #: What to use where the engine cannot read `bytes`, or predicts otherwise than `predict`: functions.
    fallback: Callable[[], ModelSource] | None = None

    callback: Functions | None = None  # what `connect` made, once the layout is known


def log_odds(probabilities: Array) -> Array:
    """Logits of probabilities [n] or [n, k]: log(p / (1 - p)) for one or two columns, log p for more.

    Two opposite columns are one score. Probabilities of exactly 0 and 1 are moved to a finite distance from them.
    """
    p = np.asarray(probabilities, dtype=np.float64)
    p = np.clip(p, SMALLEST_PROBABILITY, None)
    if p.ndim == 1 or p.shape[1] == 1:
        p = np.minimum(p.reshape(-1, 1), 1.0)
        return np.asarray(np.log(p) - np.log(np.clip(1.0 - p, SMALLEST_PROBABILITY, None)))
    if p.shape[1] == 2:
        return np.asarray((np.log(p[:, 1]) - np.log(p[:, 0])).reshape(-1, 1))
    return np.asarray(np.log(p))


def text_of(value: Any) -> str:
    """A label as the engine writes it: whole numbers without a point."""
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))
    return str(value)


def class_of(scores: Array) -> Array:
    """The class of each row of scores, as the engine decides: one score is class 1 above 0, else the largest wins."""
    scores = np.asarray(scores)
    if scores.ndim == 1:
        scores = scores.reshape(-1, 1)
    if scores.shape[1] == 1:
        return np.asarray((scores[:, 0] > 0).astype(np.int64))
    return np.asarray(scores.argmax(axis=1))
