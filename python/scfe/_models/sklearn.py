"""scikit-learn's estimators and pipelines, through skl2onnx, with the raw columns of the frame as inputs.

A pipeline that begins with a ColumnTransformer gets one input per column, text as text; all others get one matrix.
Numbers are doubles, as in scikit-learn's own arithmetic. What has no converter is called as a black box.
"""

from __future__ import annotations

import copy
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
    columns = read_columns(model) or data.names()
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


def read_columns(model: Any) -> list[str]:
    """The columns that a model reads, in its order; none if it does not say.

    A ColumnTransformer that is the first step leaves out columns, such as an id: these need not be in the table.
    """
    if not hasattr(model, "feature_names_in_"):
        return []
    names = [str(name) for name in model.feature_names_in_]
    first = _first_step(model)
    if not hasattr(first, "transformers_") or not hasattr(first, "feature_names_in_"):
        return names
    read: set[str] = set()
    for _, transformer, columns in first.transformers_:
        if isinstance(transformer, str) and transformer == "drop":
            continue
        read.update(_names_among(columns, names))
    return [name for name in names if name in read]


def _names_among(columns: Any, names: list[str]) -> list[str]:
    """The names that a ColumnTransformer's columns mean: names, places, a slice or flags, or one alone."""
    if isinstance(columns, slice):
        bounds = [names.index(end) if isinstance(end, str) else end for end in (columns.start, columns.stop)]
        closed = int(isinstance(columns.stop, str))  # a slice of names has its end, too
        return names[bounds[0] : None if bounds[1] is None else bounds[1] + closed]
    if isinstance(columns, (str, int, np.integer)):
        columns = [columns]
    listed = list(columns)
    if listed and all(isinstance(one, (bool, np.bool_)) for one in listed):
        return [name for name, is_read in zip(names, listed, strict=True) if is_read]
    return [one if isinstance(one, str) else names[int(one)] for one in listed]


def _first_step(model: Any) -> Any:
    """What reads the rows first, inside of pipelines and searches."""
    if hasattr(model, "transformers_"):
        return model
    if hasattr(model, "steps"):
        return _first_step(next((step for _, step in model.steps if step is not None and step != "passthrough"), None))
    if hasattr(model, "best_estimator_"):
        return _first_step(model.best_estimator_)
    return None


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

    model = _without_imputers(model)
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
            step = _failed_step(problem) or type(model.steps[-1][1] if hasattr(model, "steps") else model).__name__
            words = f"{type(problem).__name__}: {str(problem).strip().partition(chr(10))[0][:160]}"
            problems.append(f"no conversion of this {step} to ONNX is known to skl2onnx ({words})")
    raise _NotConverted(
        problems[0] + ", and it is read and proven if that step is done to the table before the pipeline, "
        "or replaced by one with a converter"
    )


def _failed_step(problem: BaseException) -> str:
    """The name of the step whose converter failed: the innermost one that skl2onnx was at work on."""
    name, trace = "", problem.__traceback__
    while trace is not None:
        for value in trace.tb_frame.f_locals.values():
            raw = getattr(value, "raw_operator", None)
            if raw is not None:
                name = type(raw).__name__
        trace = trace.tb_next
    return name


def _without_imputers(model: Any) -> Any:
    """The same model without its imputers of texts, if it has any.

    ONNX has no NaN among texts. The engine settles missing cells before it asks the model, so that none ever comes.
    """

    def is_imputer(part: Any) -> bool:
        return type(part).__name__ == "SimpleImputer" and getattr(part, "_fit_dtype", np.dtype(float)).kind in "OUS"

    def has_one(part: Any) -> bool:
        return is_imputer(part) or any(has_one(one) for one in _parts_of(part))

    def without(part: Any) -> Any:
        if is_imputer(part):
            return "passthrough"
        if hasattr(part, "steps"):
            part.steps = [(name, without(one)) for name, one in part.steps if not is_imputer(one)]
            return part if part.steps else "passthrough"
        if hasattr(part, "transformers_"):
            part.transformers_ = [(name, without(one), columns) for name, one, columns in part.transformers_]
        elif hasattr(part, "best_estimator_"):
            part.best_estimator_ = without(part.best_estimator_)
        return part

    return without(copy.deepcopy(model)) if has_one(model) else model


def _parts_of(model: Any) -> list[Any]:
    if hasattr(model, "steps"):
        return [step for _, step in model.steps]
    if hasattr(model, "transformers_"):
        return [part for _, part, _ in model.transformers_]
    return [model.best_estimator_] if hasattr(model, "best_estimator_") else []


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
    return _first_step(model) is not None


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
