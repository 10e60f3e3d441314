"""scikit-learn's estimators and pipelines, through skl2onnx, with the raw columns of the frame as inputs.

A pipeline that begins with a ColumnTransformer gets one input per column, text as text; all others get one matrix.
Numbers are doubles, as in scikit-learn's own arithmetic. What has no converter is called as a black box.
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from .._errors import Error
from .._frames import CATEGORY, STRING, Column, Columns
from .black_box import from_estimator
from .request import Request, optional, title
from .rows import as_native, select
from .source import Array, ModelSource


def fits(model: Any) -> bool:
    return hasattr(model, "predict") and hasattr(model, "get_params") and not isinstance(model, type)


def open_sklearn(model: Any, request: Request) -> ModelSource:
    check_fitted(model)
    regression = not hasattr(model, "classes_")
    if not regression and np.ndim(model.classes_[0]) > 0:
        raise Error(f"the {type(model).__name__} predicts several labels for a row: expected one")
    data = request.table(f"the {type(model).__name__}")
    columns = [str(name) for name in model.feature_names_in_] if hasattr(model, "feature_names_in_") else data.names()
    source = ModelSource(title(model, "scikit-learn"), "onnx", columns=columns, regression=regression)
    describe(source, model)
    try:
        source.bytes = convert(model, select(data, columns))
    except _NotConverted as why:
        return from_estimator(model, request, columns, "scikit-learn", str(why))
    source.fallback = lambda: from_estimator(
        model, request, columns, "scikit-learn", "its conversion to ONNX predicts otherwise, or cannot be read"
    )
    return source


def check_fitted(model: Any) -> None:
    from sklearn.exceptions import NotFittedError
    from sklearn.utils.validation import check_is_fitted

    what = "pipeline" if hasattr(model, "steps") else type(model).__name__
    try:
        for part in [step for _, step in model.steps] if hasattr(model, "steps") else [model]:
            if part is not None and not isinstance(part, str):
                check_is_fitted(part)
    except NotFittedError:
        raise Error(f"the {what} was not fitted: call its fit before asking for explanations") from None
    except TypeError:
        pass  # Not of scikit-learn, and without its way to tell.


def describe(source: ModelSource, model: Any) -> None:
    """Sets what the original predicts."""

    def own(frame: Any) -> Array:
        return np.asarray(model.predict(as_native(select(frame, source.columns)))).reshape(-1)

    if source.regression:
        source.predict = own
        return
    source.classes = np.asarray(model.classes_).tolist()
    place = {value: k for k, value in enumerate(source.classes)}
    source.predict = lambda frame: np.array([place[value] for value in own(frame).tolist()], dtype=np.int64)
    if hasattr(model, "predict_proba"):
        source.probabilities = lambda frame: np.asarray(model.predict_proba(as_native(select(frame, source.columns))))


class _NotConverted(Exception):
    """Why there is no ONNX file of a model, as the beginning of a sentence."""


def convert(model: Any, data: Columns) -> bytes:
    """The ONNX file of a fitted estimator."""
    skl2onnx = optional("skl2onnx", f"a scikit-learn model ({type(model).__name__})")
    from skl2onnx.common.data_types import DoubleTensorType, FloatTensorType

    options = {} if not hasattr(model, "classes_") else {id(model): {"zipmap": False}}
    problems = []
    for number in (DoubleTensorType, FloatTensorType):  # some converters know single precision only
        try:
            with _plain_numbers():
                converted = skl2onnx.to_onnx(model, initial_types=_types(model, data, number), options=options)
            return bytes(converted.SerializeToString())
        except _NotConverted:
            raise
        except Exception as problem:  # converters raise whatever they stumble over
            problems.append(f"{type(problem).__name__}: {str(problem).strip().partition(chr(10))[0][:160]}")
    last = model.steps[-1][1] if hasattr(model, "steps") else model
    raise _NotConverted(f"no conversion of this {type(last).__name__} to ONNX is known to skl2onnx ({problems[0]})")


def _types(model: Any, data: Columns, number: Any) -> list[tuple[str, Any]]:
    from skl2onnx.common.data_types import StringTensorType

    text = [column.kind == STRING or (column.kind == CATEGORY and not _numeric(column)) for column in data]
    if _by_column(model):
        kinds = [StringTensorType if is_text else number for is_text in text]
        return [(column.name, kind([None, 1])) for column, kind in zip(data, kinds, strict=True)]
    if any(text) and not all(text):
        raise _NotConverted("it takes text and numbers without a ColumnTransformer to tell them apart")
    return [("X", (StringTensorType if all(text) else number)([None, len(data.columns)]))]


def _numeric(column: Column) -> bool:
    """True if the levels of a category are numbers in its own library."""
    categories = getattr(column.dtype, "categories", None)
    return getattr(categories, "dtype", np.dtype(object)).kind in "iuf"


def _by_column(model: Any) -> bool:
    """True if the first thing that reads the rows is a ColumnTransformer."""
    if hasattr(model, "transformers_"):
        return True
    if hasattr(model, "steps"):
        return _by_column(next((step for _, step in model.steps if step is not None and step != "passthrough"), None))
    if hasattr(model, "best_estimator_"):
        return _by_column(model.best_estimator_)
    return False


_PATCH = threading.Lock()


@contextmanager
def _plain_numbers() -> Iterator[None]:
    """Lets skl2onnx convert histogram boosting, and do so silently.

    Its converter makes lists of booleans and NumPy integers, which the onnx package no longer accepts.
    """
    import logging

    import skl2onnx.common._container as container

    def plain(value: Any) -> Any:
        if not isinstance(value, list):
            return value
        return [int(v) if isinstance(v, (np.integer, np.bool_, bool)) else v for v in value]

    with _PATCH, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        make_node, logger = container.make_node, logging.getLogger("skl2onnx")
        level = logger.level
        logger.setLevel(logging.ERROR)
        container.make_node = lambda *args, **attributes: make_node(
            *args, **{k: plain(v) for k, v in attributes.items()}
        )
        try:
            yield
        finally:
            container.make_node = make_node
            logger.setLevel(level)
