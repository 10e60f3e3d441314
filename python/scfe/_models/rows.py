"""Rows as the original object takes them: a frame of its columns, or the numbers of a callback made a frame again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from .._errors import Error
from .._frames import BOOL, CATEGORY, FLOAT, INT, STRING, Column, Columns, read
from .source import Array, Layout


def select(frame: Any, columns: Sequence[str] | None) -> Columns:
    """The columns that a model reads, in its order. A NumPy table has no names: its columns are taken as they are."""
    table = read(frame, dates=True)
    if columns is None or table.names() == list(columns):
        return table
    if table.library == "numpy" and len(columns) == len(table.columns):
        return read(frame, list(columns))
    missing = [name for name in columns if name not in table]
    if missing:
        raise Error(
            f"the model reads the column '{missing[0]}', which the table does not have: "
            f"it has {', '.join(table.names())}"
        )
    return table.select(columns)


def as_native(table: Columns) -> Any:
    """The table for a library that takes pandas frames and NumPy arrays: itself, or a pandas frame of its values."""
    if table.library in ("pandas", "numpy"):
        return table.rebuild(table)
    import pandas

    return pandas.DataFrame({column.name: _series(pandas, column) for column in table})


def _series(pandas: Any, column: Column) -> Any:
    if column.kind == CATEGORY:
        return pandas.Categorical.from_codes(column.values, categories=column.levels or [], ordered=column.ordered)
    if column.valid is None:
        return column.values
    if column.kind == STRING:
        return np.array(column.cells(), dtype=object)
    return np.where(column.valid, column.values.astype(np.float64), np.nan)


def as_numbers(table: Columns, whose: str) -> Array:
    """The table as one matrix of numbers. Text has none."""
    for column in table:
        if column.kind in (STRING, CATEGORY):
            raise Error(
                f"{whose} takes numbers, but column '{column.name}' holds "
                f"{'text' if column.kind == STRING else 'categories'}: "
                "give preprocess=, a fitted transformer or a function that turns the table into numbers"
            )
    return np.stack(
        [np.where(c.valid, c.values, np.nan) if c.valid is not None else c.values for c in table], axis=1
    ).astype(np.float64)


def as_codes(table: Columns, data: Columns) -> Array:
    """The table as one matrix: numbers, and for text and categories the place of the level among those of the data."""
    parts = []
    for column in table:
        if column.kind in (STRING, CATEGORY):
            place = {level: k for k, level in enumerate(data[column.name].encoded()[1])}
            parts.append(np.array([np.nan if cell is None else place.get(cell, -1) for cell in column.cells()]))
        else:
            parts.append(column.values if column.valid is None else np.where(column.valid, column.values, np.nan))
    return np.stack(parts, axis=1).astype(np.float64)


class Decoder:
    """The numbers of a callback as a table like the data: the same library, columns and dtypes."""

    def __init__(self, data: Columns, layout: Layout) -> None:
        self._data = data.select([part.name for part in layout])
        self._layout = layout
        self._levels = [_levels_of(column, part.levels) for column, part in zip(self._data, layout, strict=True)]

    def columns(self, x: Array, places: Sequence[int] | None = None) -> list[Column]:
        """The columns at these places of the layout, whose values `x` has; all of them if none are given."""
        columns, layout, levels = self._data.columns, self._layout, self._levels
        chosen = range(len(layout)) if places is None else places
        return [_decode(columns[i], x[:, k], layout[i].decimals, levels[i]) for k, i in enumerate(chosen)]

    def codes(self, x: Array) -> Array:
        """The numbers with the data's own positions of levels in place of the engine's."""
        return as_codes(self.table(x), self._data)

    def table(self, x: Array) -> Columns:
        """The rows as columns that a frame like the data can be made of; they have no index."""
        return replace(self._data, columns=self.columns(x), rows=len(x), index=None, fresh=True)

    def frame(self, x: Array, places: Sequence[int] | None = None) -> Any:
        """A frame of the data's own library."""
        return replace(self._data, rows=len(x), index=None, fresh=True).rebuild(self.columns(x, places))

    def native(self, x: Array) -> Any:
        """A pandas frame or an array."""
        if self._data.library in ("pandas", "numpy"):
            return self.frame(x)
        return as_native(Columns(self.columns(x), len(x), library="dict"))


def _levels_of(column: Column, levels: Sequence[Any] | None) -> Array | None:
    """What each code means in the column's own values: positions in its levels, texts, or numbers."""
    if levels is None:
        return np.arange(len(column.levels or [])) if column.kind == CATEGORY else None
    if column.kind == CATEGORY:
        place = {str(level): k for k, level in enumerate(column.levels or [])}
        return np.array([place.get(str(level), -1) for level in levels], dtype=np.int32)
    if column.kind == STRING:
        return np.array([str(level) for level in levels], dtype=object)
    if column.kind == BOOL:
        return np.array([str(level).lower() in ("true", "1", "yes") for level in levels])
    return np.array([float(level) for level in levels])


def _decode(column: Column, x: Array, decimals: int | None, levels: Array | None) -> Column:
    x = np.asarray(x, dtype=np.float64)
    known = ~np.isnan(x)
    valid = None if known.all() else known
    if levels is not None:
        # Slopes are asked for beyond the first and the last level too.
        codes = np.clip(np.rint(np.where(known, x, 0)), 0, len(levels) - 1).astype(np.int64)
        if column.kind == CATEGORY:
            values: Array = np.where(known, levels[codes], -1).astype(np.int32)
            holes = values < 0
            return Column(column.name, CATEGORY, values, ~holes if holes.any() else None, column.levels, column.ordered)
        return Column(column.name, column.kind, levels[codes].astype(column.values.dtype), valid)
    if column.kind in (INT, BOOL) and np.array_equal(x[known], np.rint(x[known])):
        return Column(column.name, column.kind, np.where(known, x, 0).astype(column.values.dtype), valid)
    # Between two whole numbers a solver asks for slopes, so such a column is real for once. Single precision has more
    # digits than the cells are written with; rounding gives back the number that was written.
    values = x if decimals is None else np.where(np.abs(x) * 10.0**decimals < 2**22, np.round(x, decimals), x)
    return Column(column.name, FLOAT, values, valid)
