"""The schema that the types and values of a table suggest."""

from __future__ import annotations

import ctypes
import json
from typing import Any

from . import _arrow, _library
from ._settings import Settings
from ._tables import table


def infer_schema(data: Any, label: str | None = None, **settings: Any) -> dict[str, Any]:
    """What the columns of a table mean, as far as its types and values tell: edit it and give it to `Explainer`."""
    asked = Settings()
    asked.set("label", label)
    asked.options(settings, fitting=True)
    pointer = ctypes.c_void_p()
    with _arrow.stream(table(data)) as stream:
        _library.call("scfe_infer_schema", ctypes.byref(stream), asked.pointer, ctypes.byref(pointer))
    return dict(json.loads(_library.take_bytes(pointer)))
