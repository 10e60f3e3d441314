"""Keywords as settings of the library, which checks their names and values."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from typing import Any

from . import _library
from ._errors import Error

FIT_SETTINGS = ("id", "ignore", "above", "missing", "classes", "predictions", "min_agreement", "model_output")


class Settings:
    """Settings of one call; freed with itself."""

    def __init__(self) -> None:
        self._handle = _library.Handle(_library.lib.scfe_settings_new(), "scfe_settings_free")
        self.kept: list[Any] = []  # callbacks that must live as long as the call

    @property
    def pointer(self) -> Any:
        return self._handle.pointer

    def set(self, name: str, value: Any) -> None:
        """Sets one value in its own type. None: it keeps its default. Lists set each value."""
        if value is None:
            return
        if hasattr(value, "item") and getattr(value, "ndim", 1) == 0:
            value = value.item()  # a NumPy scalar
        word = name.replace("_", "-").encode()
        if isinstance(value, str):
            self._put("scfe_settings_text", word, value.encode())
        elif isinstance(value, bool) and name != "target":
            self._put("scfe_settings_flag", word, int(value))
        elif isinstance(value, (bool, int)):
            self._put("scfe_settings_text", word, str(value).encode())
        elif isinstance(value, float):
            self._put("scfe_settings_number", word, value)
        elif isinstance(value, os.PathLike):
            self.set(name, os.fspath(value))
        elif name == "density" and isinstance(value, Mapping):
            self.set(name, ",".join(f"{label}={os.fspath(file)}" for label, file in value.items()))
        elif name == "reach" and isinstance(value, tuple) and len(value) == 2:
            self.set(name, _range_text(name, value))
        elif isinstance(value, Iterable):
            for one in value:
                self.set(name, one if isinstance(one, str) else str(one))
        else:
            raise Error(f"{name}: expected a number or a text, got {type(value).__name__}")

    def options(self, options: Mapping[str, Any], fitting: bool = False) -> None:
        for name, value in options.items():
            if name in FIT_SETTINGS and not fitting and name != "id":
                raise Error(f"{name}: expected when the explainer is fitted, got with a question")
            self.set(name, value)

    def limits(
        self,
        freeze: Any = (),
        only_up: Any = (),
        only_down: Any = (),
        range: Mapping[str, Any] | None = None,
        rules: Any = (),
    ) -> None:
        """The limits of a question."""
        for name, values in (("freeze", freeze), ("only_up", only_up), ("only_down", only_down), ("rule", rules)):
            for value in names_of(name, values):
                self.set(name, value)
        if range is not None and not isinstance(range, Mapping):
            raise Error(f"range: expected a dict such as {{'amount': (100, 5000)}}, got {type(range).__name__}")
        for feature, ends in (range or {}).items():
            self.set("range", f"{feature}={_range_text(feature, ends)}")

    def _put(self, function: str, word: bytes, value: Any) -> None:
        try:
            _library.call(function, self.pointer, word, value)
        except Error as error:
            raise Error(re.sub(r"'([a-z-]+)'", lambda m: f"'{m.group(1).replace('-', '_')}'", str(error))) from None


def names_of(name: str, values: Any) -> list[str]:
    """Names that are given as one text or as texts in anything that can be iterated, such as a pandas Index."""
    if values is None:
        return []
    if isinstance(values, str):
        return [values]
    if not isinstance(values, Iterable):
        raise Error(f"{name}: expected names as texts, got {values!r}")
    listed = list(values)
    for value in listed:
        if not isinstance(value, str):
            raise Error(f"{name}: expected names as texts, got {value!r}")
    return [str(value) for value in listed]


def run_line(name: str, options: Mapping[str, Any]) -> str:
    """A run of a comparison as a line, `NAME: --flag value ...`."""
    if not isinstance(name, str) or not name.isprintable() or ":" in name or name.startswith("--") or not name.strip():
        raise Error(f"runs: expected a name of one line that has no ':' and does not begin with '--', got {name!r}")
    if not isinstance(options, Mapping):
        raise Error(f"runs: expected the options of {name!r} as a dict, got {type(options).__name__}")
    words = []
    for option, value in options.items():
        if not isinstance(option, str):
            raise Error(f"runs: expected the options of {name!r} by their names, got {option!r}")
        flag = "rule" if option == "rules" else option.replace("_", "-")
        words += [f"--{flag} {_quoted(text)}" for text in _texts(option, value)]
    return f"{name}: {' '.join(words)}"


def _texts(name: str, value: Any) -> list[str]:
    """The texts of one option, each for a flag of its own: None has none, a list those of its items."""
    if hasattr(value, "item") and getattr(value, "ndim", 1) == 0:
        value = value.item()  # a NumPy scalar
    if value is None:
        return []
    if isinstance(value, bool) and name != "target":
        return [str(value).lower()]
    if isinstance(value, (str, bool, int, float, os.PathLike)):
        return [str(value)]
    if name == "range" and isinstance(value, Mapping):
        return [f"{feature}={_range_text(feature, ends)}" for feature, ends in value.items()]
    if name == "reach" and isinstance(value, tuple) and len(value) == 2:
        return [_range_text(name, value)]
    if isinstance(value, Iterable) and not isinstance(value, (bytes, Mapping)):
        return [text for one in value for text in _texts(name, one)]
    raise Error(f"{name}: expected a number or a text, got {type(value).__name__}")


def _quoted(text: str) -> str:
    """One word of a line. A double quote within stands in single ones: pieces without a space between are one word."""
    return '"' + text.replace('"', '"\'"\'"') + '"'


def _range_text(name: str, ends: Any) -> str:
    try:
        low, high = ends
        return ":".join("" if end is None else repr(float(end)) for end in (low, high))
    except (TypeError, ValueError):
        raise Error(f"range of {name!r}: expected (low, high), either may be None, got {ends!r}") from None
