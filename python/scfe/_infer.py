"""The schema that the types and values of a table suggest."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from . import _arrow, _library
from ._settings import Settings
from ._tables import table

if TYPE_CHECKING:
    from typing_extensions import Unpack


class InferSettings(TypedDict, total=False):
    """What describes training rows beside their label."""

    id: str
    ignore: str | Sequence[str]
    above: float
    missing: Literal["error", "drop", "impute"]


def infer_schema(data: Any, label: str | None = None, **settings: Unpack[InferSettings]) -> dict[str, Any]:
    """What the columns of a table mean, as far as its types and values tell: edit it and give it to `Explainer`.

    data      the training rows, as `Explainer` takes them
    label     the column with the class; without it there are features alone
    settings  id       the column that names a row
              ignore   further columns that are no features
              above    of a label of numbers: the second class lies above it
              missing  cells that are missing: "error", "drop" or "impute"
    """
    asked = Settings()
    asked.set("label", label)
    asked.options(settings, fitting=True)
    pointer = ctypes.c_void_p()
    columns = table(data)
    ignored = settings.get("ignore") or ()
    other = {label, settings.get("id"), *([ignored] if isinstance(ignored, str) else ignored)}
    with _arrow.stream(columns.without_dates(name for name in columns.names() if name not in other)) as stream:
        _library.call("scfe_infer_schema", ctypes.byref(stream), asked.pointer, ctypes.byref(pointer))
    return dict(json.loads(_library.take_bytes(pointer)))
