"""What was asked for beside the model itself, and small tools that several kinds of models share."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .._errors import Error
from .._frames import Columns


@dataclass(frozen=True)
class Request:
    data: Columns | None = None
    preprocess: Any = None
    gradient: Callable[..., Any] | None = None
    output: str = "auto"
    inputs: str = "auto"
    export: bool = False

    def table(self, whose: str) -> Columns:
        if self.data is None:
            raise Error(f"{whose} needs data: expected a table of its features, got none")
        return self.data


def optional(module: str, purpose: str, package: str | None = None) -> Any:
    """An optional package, or one sentence that says what to install."""
    try:
        return importlib.import_module(module)
    except ImportError as missing:
        raise Error(f"{purpose} needs the package {module} ({missing}): pip install {package or module}") from None


def belongs_to(obj: Any, package: str, *names: str) -> bool:
    """True if one of the object's classes is from that package and has one of the names; without importing it."""
    return any(
        kind.__module__.partition(".")[0] == package and (not names or kind.__name__ in names)
        for kind in type(obj).__mro__
    )


def title(obj: Any, library: str) -> str:
    return f"{type(obj).__name__} ({library})"
