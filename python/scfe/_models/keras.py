"""Keras 3. With the PyTorch backend a model is a torch module, with gradients; with another one it is a black box.

`export=True` hands it over as ONNX, by Keras' own exporter.
"""

from __future__ import annotations

from typing import Any

from .._errors import Error
from . import function, torch
from .files import written
from .request import Request, belongs_to, optional, title
from .source import ModelSource


def fits(model: Any) -> bool:
    return belongs_to(model, "keras", "Model") or belongs_to(model, "keras", "Layer")


def open_keras(model: Any, request: Request) -> ModelSource:
    keras = optional("keras", "a Keras model")
    name = title(model, "Keras")
    if not model.built:
        raise Error(
            f"the {type(model).__name__} was not built: call it on some rows, or fit it, before asking for explanations"
        )
    if request.export:
        source = function.open_function(_forward(keras, model), _as_array(request))
        source.source, source.kind, source.bytes, source.connect = name, "onnx", _onnx(model), None
        source.notes.clear()
        return source
    if keras.backend.backend() == "torch":
        return torch.open_module(model, request, name)
    source = function.open_function(_forward(keras, model), _as_array(request))
    source.source = name
    source.notes.append(
        f"Keras runs on {keras.backend.backend()}, through which gradients are not taken: "
        "with KERAS_BACKEND=torch, or export=True, they are."
    )
    return source


def _forward(keras: Any, model: Any) -> Any:
    def forward(x: Any) -> Any:
        return keras.ops.convert_to_numpy(
            model(keras.ops.convert_to_tensor(x, dtype=model.compute_dtype), training=False)
        )

    forward.__name__ = type(model).__name__
    return forward


def _as_array(request: Request) -> Request:
    return Request(request.data, request.preprocess, None, request.output, "array")


def _onnx(model: Any) -> bytes:
    optional("onnx", "exporting a Keras model")
    return written(lambda path: model.export(path, format="onnx", verbose=False))
