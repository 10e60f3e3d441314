"""A model that is a file already: ONNX, XGBoost (JSON or UBJSON), LightGBM text, or the engine's own JSON."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any

from .._errors import Error
from .request import Request
from .source import ModelSource

#: Files that look like models and are not read, by their first bytes.
FOREIGN = (
    (b"\x80", "a Python pickle: load it with pickle or joblib, and give the object"),
    (
        b"PK\x03\x04",
        "a zip archive (as PyTorch and Keras write them): load it with its own library, and give the object",
    ),
    (b"\x89HDF", "an HDF5 file (as older Keras versions write them): load it with Keras, and give the object"),
    (b"CBM1", "a CatBoost file: load it with CatBoost, and give the object"),
)


def fits(model: Any) -> bool:
    return isinstance(model, (str, os.PathLike, bytes, bytearray, memoryview))


def open_file(model: Any, request: Request) -> ModelSource:
    if isinstance(model, (bytes, bytearray, memoryview)):
        content, path, name = bytes(model), None, "model"
    else:
        path = os.fspath(model)
        name = os.path.basename(path)
        try:
            with open(path, "rb") as file:
                content = file.read()
        except OSError as error:
            raise Error(f"{path}: the file of the model cannot be read: {error.strerror or error}") from None
    return ModelSource(path or name, kind_of(content, path or name), bytes=content, path=path)


def kind_of(content: bytes, name: str) -> str:
    """Which reader of the engine a file is for."""
    if not content:
        raise Error(f"{name}: expected a model, got an empty file")
    for start, what in FOREIGN:
        if content.startswith(start):
            raise Error(f"{name}: expected ONNX, XGBoost, LightGBM or JSON, got {what}")
    if content.startswith(b"tree"):
        return "lightgbm"
    if not content.lstrip().startswith(b"{"):
        return "onnx"
    try:
        document = json.loads(content)
    except (ValueError, UnicodeDecodeError):
        return "xgboost"  # UBJSON, which begins with the same brace
    return "xgboost" if isinstance(document, dict) and "learner" in document else "json"


def written(write: Callable[[str], Any]) -> bytes:
    """The bytes of a model that its own library can only write to a path."""
    import tempfile  # with what it imports itself, a large part of the time of `import scfe`

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.onnx")
        write(path)
        with open(path, "rb") as file:
            return file.read()
