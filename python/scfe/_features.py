"""Values of features between the library and frames: numbers, and levels by their names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _arrow, _frames

Array = np.ndarray[Any, Any]


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
        """A value for people: the name of a level, a whole number or a number."""
        if self.levels:
            return self.levels[int(value)]
        return int(value) if self.type != "continuous" and value == int(value) else value

    def shown_column(self, column: _arrow.Column, row: int) -> Any:
        return self.shown(float(column.values[row]))

    def into(self, column: _frames.Column, place: Array, given: _arrow.Column, found: Array) -> _frames.Column:
        """A column of the frame, taken at the rows of the answers, with the answers' values where there are some.

        Cells that an answer leaves as they are keep their bits.
        """
        values = column.values[place].copy()
        valid = None if column.valid is None else column.valid[place].copy()
        levels, dtype = column.levels, column.dtype
        if column.kind == "category":
            levels, codes = _codes(list(column.levels or []), self._names(given, found))
            values[found] = codes
            dtype = dtype if len(levels) == len(column.levels or []) else None
        elif column.kind == "string":
            values[found] = self._names(given, found)
        else:
            new = _numbers(self._names(given, found)) if self.levels else np.asarray(given.values)[found]
            if column.kind == "int" and not np.all(new == np.rint(new)):
                values, dtype = values.astype(np.float64), None
            values[found] = new.astype(values.dtype)
        if valid is not None:
            valid[found] = True
        kind = "float" if column.kind == "int" and values.dtype.kind == "f" else column.kind
        return _frames.Column(column.name, kind, values, valid, levels, column.ordered, dtype)

    def _names(self, given: _arrow.Column, found: Array) -> Array:
        """The texts of the answers' values."""
        if self.levels:
            named: Array = np.array(self.levels, dtype=object)[np.asarray(given.codes())[found]]
            return named
        return np.array([str(self.shown(float(v))) for v in np.asarray(given.values)[found]], dtype=object)


def _numbers(names: Array) -> Array:
    """Levels that are numbers or truth values in the frame."""
    words = {"True": 1.0, "False": 0.0}
    return np.array([words[name] if name in words else float(name) for name in names.tolist()], dtype=np.float64)


def _codes(levels: list[str], names: Array) -> tuple[list[str], Array]:
    """The places of names among the levels, to which unknown ones are added."""
    place = {level: i for i, level in enumerate(levels)}
    codes = [place.setdefault(name, len(place)) for name in names.tolist()]
    return list(place), np.array(codes, dtype=np.int64)
