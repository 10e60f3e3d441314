"""Models of any library, made ready for the engine: one kind a file, and one row of the catalogue below."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._errors import Error
from .._frames import Columns, read
from . import boosters, catboost, files, function, keras, sklearn, torch
from .request import Request
from .source import Functions, Input, Layout, ModelSource, class_of, log_odds, text_of

#: The first row that fits is used, so wrappers of boosters come before scikit-learn, whose manners they copy.
CATALOGUE: tuple[tuple[str, Callable[[Any], bool], Callable[[Any, Request], ModelSource]], ...] = (
    ("a file, by its path or its bytes", files.fits, files.open_file),
    ("XGBoost", boosters.is_xgboost, boosters.open_xgboost),
    ("LightGBM", boosters.is_lightgbm, boosters.open_lightgbm),
    ("CatBoost", catboost.fits, catboost.open_catboost),
    ("Keras", keras.fits, keras.open_keras),
    ("PyTorch", torch.fits, torch.open_torch),
    ("scikit-learn", sklearn.fits, sklearn.open_sklearn),
    ("a function of the rows", callable, function.open_function),
)


def open_model(
    model: Any,
    data: Any = None,
    *,
    preprocess: Any = None,
    gradient: Callable[..., Any] | None = None,
    output: str = "auto",
    inputs: str = "auto",
    export: bool = False,
) -> ModelSource:
    """A model made ready for the engine.

    `data`: the features that the model reads, as a table; without it only files and boosters can be opened.
    `preprocess`: what turns such a table into the numbers that the model takes (a fitted transformer, or a function).
    `gradient`: for a function, `gradient(X, seed) -> [n, d]`, the gradient of the sum of seed times scores.
    `output`: "probabilities", "logits" or "auto" (looked up from the model's own answers on the data).
    `inputs`: what a function is given, "frame" (a table like the data), "array" (text and categories as positions of
    their levels), or "auto": an array where a gradient is given or the data is an array, else a table, or an array if
    the function fails on a table.
    `export`: hand PyTorch and Keras models over as ONNX instead of calling them.
    """
    if output not in ("auto", "probabilities", "logits"):
        raise Error(f"output: expected 'auto', 'probabilities' or 'logits', got {output!r}")
    if inputs not in ("auto", "frame", "array"):
        raise Error(f"inputs: expected 'auto', 'frame' or 'array', got {inputs!r}")
    if isinstance(model, type):
        raise Error(
            f"the model is the class {model.__name__}: expected a fitted object of it, {model.__name__}().fit(...)"
        )
    columns: Columns | None = None if data is None else read(data)
    request = Request(columns, preprocess, gradient, output, inputs, export)
    for _, fits, opened in CATALOGUE:
        if fits(model):
            return opened(model, request)
    raise Error(
        f"the model is a {type(model).__name__}: expected a path, the bytes of a file, a model of scikit-learn, "
        "XGBoost, LightGBM, CatBoost, PyTorch or Keras, or a function of the rows"
    )


__all__ = [
    "CATALOGUE",
    "Functions",
    "Input",
    "Layout",
    "ModelSource",
    "Request",
    "class_of",
    "log_odds",
    "open_model",
    "text_of",
]
