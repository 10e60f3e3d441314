"""A torch.nn.Module, called directly: scores and vector-Jacobian products through torch, batched, without an export.

    scores = module(preprocess(X))        d(seed · scores) / dX = (seed' J_module) J_preprocess

J_module is torch's own. A preprocess that is no part of torch works on one row at a time, so each number of a table is
moved alone, up and down, all rows and columns at once: central differences, exact for scalers.
"""

from __future__ import annotations

import copy
import io
from typing import Any

import numpy as np

from .._errors import Error
from .._frames import Columns
from .differences import Differences
from .function import checked, describe, head, scale_of, score_count
from .preprocess import Preprocess, transformed
from .request import Request, belongs_to, optional, title
from .rows import as_numbers, select
from .source import SMALLEST_PROBABILITY, Array, Functions, Layout, ModelSource


def fits(model: Any) -> bool:
    return belongs_to(model, "torch", "Module")


def open_torch(model: Any, request: Request) -> ModelSource:
    return open_module(model, request, title(model, "PyTorch"))


def open_module(model: Any, request: Request, name: str) -> ModelSource:
    torch = optional("torch", "a PyTorch model")
    whose = f"the {type(model).__name__}"
    data = request.table(whose)
    # A copy, so that training the original goes on undisturbed and does not change an explainer.
    module = copy.deepcopy(model).eval().requires_grad_(False)
    kind = next((p.dtype for p in module.parameters() if p.dtype.is_floating_point), torch.float32)

    def numbers(table: Columns) -> Array:
        if request.preprocess is None:
            return as_numbers(table, whose)
        return transformed(request.preprocess, table.rebuild(table)).astype(np.float64)

    def output(x: Any) -> Any:
        result = module(x)
        if isinstance(result, (tuple, list, dict)):
            raise Error(f"{whose} returns a {type(result).__name__}: expected one tensor of scores")
        return result.reshape(len(x), -1)

    def own(frame: Any) -> Array:
        table = select(frame, data.names())
        with torch.no_grad():
            return checked(output(torch.as_tensor(numbers(table), dtype=kind)), table.rows, whose)

    sample = own(head(data))
    scale = scale_of(sample, request.output, whose)
    source = ModelSource(name, "callback", columns=data.names())
    describe(source, own, scale)
    if module.training != model.training:
        source.notes.append("A copy of it in evaluation mode is used; later training does not change the explainer.")
    if request.export:
        if request.preprocess is not None:
            raise Error(
                f"{whose} is to be exported with preprocess=: expected a module that takes the table's own numbers"
            )
        source.kind, source.bytes = "onnx", _onnx(torch, module, numbers(head(data)), kind)
        return source

    def logits(x: Any) -> Any:
        return _log_odds(torch, output(x)) if scale == "probabilities" else output(x)

    def connect(layout: Layout) -> Functions:
        rows = _Rows(data, layout, request)

        def value(x: Array) -> Array:
            with torch.inference_mode():
                given: Array = logits(torch.as_tensor(rows.numbers(x), dtype=kind)).numpy()
            return given

        def vjp(x: Array, seed: Array) -> Array:
            taken = torch.as_tensor(rows.numbers(x), dtype=kind).requires_grad_(True)
            with torch.enable_grad():
                scores = logits(taken)
                (gradient,) = torch.autograd.grad(scores, taken, torch.as_tensor(seed, dtype=scores.dtype))
            return rows.pull(x, gradient.numpy())

        return Functions(value, vjp, len(layout), score_count(sample, scale))

    source.connect = connect
    return source


def _log_odds(torch: Any, p: Any) -> Any:
    tiny = max(SMALLEST_PROBABILITY, torch.finfo(p.dtype).tiny)
    p = p.clamp(min=tiny)
    if p.shape[1] == 1:
        return p.log() - (1 - p).clamp(min=torch.finfo(p.dtype).eps / 2).log()
    return p[:, 1:].log() - p[:, :1].log() if p.shape[1] == 2 else p.log()


class _Rows:
    """Rows of a callback as the numbers that the module takes, and gradients of those as gradients of the rows."""

    def __init__(self, data: Columns, layout: Layout, request: Request) -> None:
        self._preprocess = None if request.preprocess is None else Preprocess(request.preprocess, data, layout)
        self._slopes = Differences(data, layout)

    def numbers(self, x: Array) -> Array:
        return x if self._preprocess is None else self._preprocess(x)

    def pull(self, x: Array, gradient: Array) -> Array:
        if self._preprocess is None:
            return gradient
        return self._slopes.pull(self.numbers, x, gradient)


def _onnx(torch: Any, module: Any, sample: Array, kind: Any) -> bytes:
    optional("onnx", "exporting a PyTorch model")
    optional("onnxscript", "exporting a PyTorch model")
    program = torch.onnx.export(
        module,
        (torch.as_tensor(sample[:2], dtype=kind),),
        dynamic_shapes=({0: torch.export.Dim("batch")},),
        dynamo=True,
        verbose=False,
    )
    file = io.BytesIO()
    program.save(file)
    return file.getvalue()
