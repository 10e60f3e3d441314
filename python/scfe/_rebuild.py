"""Columns as a table of the library they came from: one builder a library."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ._frames import BOOL, CATEGORY, DATE, FLOAT, INT, STRING, Column

if TYPE_CHECKING:
    from ._frames import Columns

Array = NDArray[Any]


def _pandas(table: Columns, columns: list[Column], index: Any) -> Any:
    import pandas

    index = pandas.RangeIndex(len(columns[0])) if index is None else pandas.Index(index)
    copy = not table.fresh
    frame = pandas.DataFrame(
        {k: _pandas_values(pandas, column, index) for k, column in enumerate(columns)}, index=index, copy=copy
    )
    labels = table.extra.get("labels", [])
    names = [column.name for column in columns]
    known = {str(label): label for label in labels}
    frame.columns = (
        labels if names == [str(label) for label in labels] else pandas.Index([known.get(name, name) for name in names])
    )
    return frame


def _pandas_values(pandas: Any, column: Column, index: Any) -> Any:
    dtype, values, valid = column.dtype, column.values, column.valid
    if column.kind == CATEGORY:
        if isinstance(dtype, pandas.CategoricalDtype):
            return pandas.Series(pandas.Categorical.from_codes(values, dtype=dtype), index=index)
        return pandas.Series(
            pandas.Categorical.from_codes(values, categories=column.levels or [], ordered=column.ordered), index=index
        )
    if dtype is None:
        dtype = None if column.kind == STRING else values.dtype
    if valid is None or column.kind in (FLOAT, DATE):
        if column.kind == FLOAT and valid is not None:
            values = np.where(valid, values, np.nan)
        return pandas.Series(values, dtype=dtype, index=index, copy=False)
    if column.kind == STRING:
        if dtype == np.dtype(object):
            cells = zip(values.tolist(), valid.tolist(), strict=True)
            kept = [value if known or not isinstance(value, str) else None for value, known in cells]
            return pandas.Series(kept, dtype=dtype, index=index)
        return pandas.Series(column.cells(), dtype=dtype, index=index)
    # A plain integer or boolean has no missing value: the nullable dtype of the same name has.
    masked = pandas.Series(
        {INT: pandas.arrays.IntegerArray, BOOL: pandas.arrays.BooleanArray}[column.kind](values, ~valid), index=index
    )
    if dtype == np.dtype(object):
        return masked.astype(object).where(valid, None)
    return masked if isinstance(dtype, np.dtype) else masked.astype(dtype)


def _polars(table: Columns, columns: list[Column], index: Any) -> Any:
    import polars

    return polars.DataFrame([_polars_series(polars, column) for column in columns])


def _polars_series(polars: Any, column: Column) -> Any:
    if column.kind in (CATEGORY, STRING):
        series = polars.Series(column.name, column.cells(), dtype=polars.String)
        return series if column.dtype is None else series.cast(column.dtype)
    series = polars.Series(column.name, column.values, nan_to_null=False)
    if column.valid is not None:
        series = series.set(polars.Series(~column.valid), None)
    return series if column.dtype is None else series.cast(column.dtype)


def _pyarrow(table: Columns, columns: list[Column], index: Any) -> Any:
    import pyarrow

    names = [column.name for column in columns]
    built = pyarrow.table([_arrow_array(pyarrow, column) for column in columns], names=names)
    return built.replace_schema_metadata(table.extra.get("metadata"))


def _arrow_array(pyarrow: Any, column: Column) -> Any:
    mask = None if column.valid is None else ~column.valid
    wanted = column.dtype if isinstance(column.dtype, pyarrow.DataType) else None
    if column.kind == CATEGORY:
        codes = pyarrow.array(column.values.astype(np.int32), mask=column.values < 0)
        array = pyarrow.DictionaryArray.from_arrays(codes, pyarrow.array(column.levels or []), ordered=column.ordered)
    else:
        array = pyarrow.array(column.values, mask=mask)
    return array if wanted is None or array.type == wanted else array.cast(wanted)


def _duckdb(table: Columns, columns: list[Column], index: Any) -> Any:
    import duckdb

    relation = duckdb.from_arrow(_pyarrow(table, columns, index))
    types = table.extra.get("types", {})
    casts = [
        f"CAST({_quoted(n)} AS {types.get(n, now)}) AS {_quoted(n)}"
        for n, now in zip(relation.columns, relation.types, strict=True)
    ]
    return relation.project(", ".join(casts))


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _numpy(table: Columns, columns: list[Column], index: Any) -> Any:
    native = table.extra.get("dtype", np.dtype(object))
    kinds = {column.kind for column in columns}
    if native.kind == "O" or (len(kinds) > 1 and STRING in kinds):
        return np.array([column.cells() for column in columns], dtype=object).T
    blank = "" if kinds == {STRING} else np.nan
    stacked = np.stack([c.values if c.valid is None else np.where(c.valid, c.values, blank) for c in columns], axis=1)
    # Missing cells and numbers that are no longer whole do not fit into an array of integers.
    fits = all(c.dtype is not None and (c.valid is None or c.kind == FLOAT) for c in columns)
    return stacked.astype(str) if native.kind in "UT" else stacked.astype(native) if fits else stacked


def _dict(table: Columns, columns: list[Column], index: Any) -> Any:
    types = table.extra.get("types", {})
    return {column.name: _like(types.get(column.name, list), column) for column in columns}


def _like(container: type, column: Column) -> Any:
    if issubclass(container, np.ndarray) and column.valid is None and column.kind != CATEGORY:
        return column.values if column.dtype is None or column.dtype.kind == "U" else column.values.astype(column.dtype)
    cells = column.cells()
    return tuple(cells) if container is tuple else cells


BUILDERS: dict[str, Callable[[Columns, list[Column], Any], Any]] = {
    "pandas": _pandas,
    "polars": _polars,
    "pyarrow": _pyarrow,
    "duckdb": _duckdb,
    "numpy": _numpy,
    "dict": _dict,
}
