"""Explainers from their fitted files."""

from __future__ import annotations

import ctypes
import os
from typing import Any

from . import _library
from ._explainer import Explainer


def load(path: str | os.PathLike[str]) -> Explainer:
    """An explainer from a fitted file, as `Explainer.save` or `scfe fit` wrote it."""
    pointer = ctypes.c_void_p()
    _library.call("scfe_load", os.fsencode(path), ctypes.byref(pointer))
    return _opened(pointer)


def _opened(pointer: ctypes.c_void_p) -> Explainer:
    explainer = Explainer.__new__(Explainer)
    explainer._open(_library.Handle(pointer, "scfe_explainer_free"), None)
    return explainer


def from_bytes(bundle: bytes, limits: dict[str, Any]) -> Explainer:
    pointer = ctypes.c_void_p()
    _library.call("scfe_load_bytes", bundle, len(bundle), ctypes.byref(pointer))
    explainer = _opened(pointer)
    explainer._limits = limits
    return explainer
