"""Values of features between the library and frames: numbers, and levels by their names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _arrow, _frames

Array = np.ndarray[Any, Any]


#: The levels of a column of truth values.
TRUTHS = ("False", "True")


def label_values(classes: list[str], codes: Array) -> Array:
    """Classes by their places, as values of a label: truth values, whole numbers, or names. -1 is no class."""
    if sorted(classes) == list(TRUTHS):
        values: Array = np.array([name == "True" for name in classes])
    elif all(re.fullmatch(r"0|-?[1-9][0-9]{0,17}", name) for name in classes):
        values = np.array([int(name) for name in classes], dtype=np.int64)
    else:
        values = np.array(classes, dtype=object)
    if np.all((codes >= 0) & (codes < len(classes))):
        found: Array = values[codes]
        return found
    unknown: Array = np.array([*values.tolist(), None], dtype=object)  # rows that were dropped for a missing cell
    return np.asarray(unknown[np.where((codes >= 0) & (codes < len(classes)), codes, len(classes))])


@dataclass(frozen=True)
class FeatureInfo:
    name: str
    type: str
    levels: tuple[str, ...]
    unit: str

    @staticmethod
    def of(facts: dict[str, Any]) -> FeatureInfo:
        return FeatureInfo(facts["name"], facts["type"], tuple(facts["levels"]), facts["unit"])

    def shown(self, value: float) -> Any:
        """A value for people: the name of a level, a truth value, a whole number or a number."""
        if self.levels == TRUTHS:
            return bool(value)
        if self.levels:
            return self.levels[int(value)]
        return int(value) if self.type != "continuous" and value == int(value) else value

    def shown_column(self, column: _arrow.Column, row: int) -> Any:
        return self.shown(float(column.values[row]))

    def names(self, given: _arrow.Column, found: Array) -> Array:
        """The texts of the answers' values."""
        if self.levels:
            named: Array = np.array(self.levels, dtype=object)[np.asarray(given.codes())[found]]
            return named
        return np.array([str(self.shown(float(v))) for v in np.asarray(given.values)[found]], dtype=object)


class Filling:
    """A column of the frame at the rows of the answers, filled part by part with the answers' values.

    Cells that an answer leaves as they are keep their bits; a row without an answer stays as it is.
    """

    def __init__(self, column: _frames.Column, feature: FeatureInfo | None, answers: int) -> None:
        self._column, self._feature = column, feature
        self._values: Array = np.empty(answers, dtype=column.values.dtype)
        self._valid = None if column.valid is None else np.empty(answers, dtype=bool)
        self._places = {level: i for i, level in enumerate(column.levels or [])}

    def add(self, first: int, place: Array | slice, given: _arrow.Column | None, found: Array) -> None:
        """The answers from `first` on: the places of their rows, and the values of those that were found."""
        part = slice(first, first + len(found))
        self._values[part] = self._column.values[place]
        if self._valid is not None and self._column.valid is not None:
            self._valid[part] = self._column.valid[place]
        if self._feature is None or given is None:
            return
        new = self._new(given, found)
        if self._column.kind == "int" and self._values.dtype.kind != "f" and not np.all(new == np.rint(new)):
            self._values = self._values.astype(np.float64)
        self._values[part][found] = new.astype(self._values.dtype)
        if self._valid is not None:
            self._valid[part][found] = True

    def _new(self, given: _arrow.Column, found: Array) -> Array:
        assert self._feature is not None
        if self._column.kind == "category":
            names = self._feature.names(given, found)
            return np.array([self._places.setdefault(name, len(self._places)) for name in names.tolist()], np.int64)
        if self._column.kind == "string":
            return self._feature.names(given, found)
        return _numbers(self._feature.names(given, found)) if self._feature.levels else given.values[found]

    def column(self) -> _frames.Column:
        column = self._column
        levels = list(self._places) if column.kind == "category" else column.levels
        fits = len(levels or ()) == len(column.levels or ())  # a level that the frame lacked is not in its dtype
        if column.kind == "int" and self._values.dtype.kind == "f":
            return _frames.Column(column.name, "float", self._values, self._valid)
        dtype = column.dtype if fits else None
        return _frames.Column(column.name, column.kind, self._values, self._valid, levels, column.ordered, dtype)


def _numbers(names: Array) -> Array:
    """Levels that are numbers or truth values in the frame."""
    words = {"True": 1.0, "False": 0.0}
    return np.array([words[name] if name in words else float(name) for name in names.tolist()], dtype=np.float64)
