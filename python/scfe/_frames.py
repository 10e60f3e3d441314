"""Tables of any library as typed columns, and columns as a table of the library they came from.

    columns = read(frame)                  # pandas, polars, pyarrow, DuckDB, NumPy, a dict of columns, any Arrow stream
    columns["age"].values                  # NumPy values; text and categories as they are, or as codes of levels
    columns.rebuild(changed)               # the same library, order of columns, index and dtypes

Nothing is imported until a frame arrives, and then only what its own library needs, and narwhals for dtypes that are
not NumPy's.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._errors import Error

Array = NDArray[Any]

FLOAT, INT, BOOL, STRING, CATEGORY = "float", "int", "bool", "string", "category"
#: Dates and times: handed through, and refused only where a model would have to read them.
DATE = "date"
KINDS = (FLOAT, INT, BOOL, STRING, CATEGORY)


@dataclass
class Column:
    """One column. `valid` is None if no cell is missing; the value of a missing cell means nothing."""

    name: str
    kind: str
    values: Array  # of a category: codes, -1 where missing
    valid: Array | None = None
    levels: list[str] | None = None  # of a category: code k is level k, as text
    ordered: bool = False
    dtype: Any = None  # as its own library calls it

    def __len__(self) -> int:
        return len(self.values)

    def encoded(self) -> tuple[Array, list[str]]:
        """Codes (-1 where missing) and levels of a text or category; texts in the order of their characters."""
        if self.kind == CATEGORY:
            return self.values, self.levels or []
        known = self.values if self.valid is None else self.values[self.valid]
        levels, places = np.unique(np.asarray(known, dtype=str), return_inverse=True)
        codes = np.full(len(self.values), -1, dtype=np.int32)
        codes[slice(None) if self.valid is None else self.valid] = places
        return codes, [str(level) for level in levels]

    def take(self, rows: Array) -> Column:
        return replace(self, values=self.values[rows], valid=None if self.valid is None else self.valid[rows])

    def cells(self) -> list[Any]:
        """Python values, None where a cell is missing."""
        values = self.values
        if self.kind == CATEGORY:
            values = np.array([*(self.levels or []), None], dtype=object)[values]
        plain = values.tolist()
        if self.valid is None:
            return list(plain)
        return [value if known else None for value, known in zip(plain, self.valid, strict=True)]


@dataclass
class Columns:
    """The columns of a table, with what is needed to make such a table again."""

    columns: list[Column]
    rows: int
    index: Any = None  # pandas' labels of the rows; None for libraries that have none
    library: str = "numpy"  # "pandas", "polars", "pyarrow", "duckdb", "numpy", "dict"
    extra: dict[str, Any] = field(default_factory=dict)  # what its library needs to make such a table again
    fresh: bool = False  # columns that are rebuilt belong to nobody else: the table may have them without a copy

    def __iter__(self) -> Iterator[Column]:
        return iter(self.columns)

    def __getitem__(self, name: str) -> Column:
        for column in self.columns:
            if column.name == name:
                return column
        raise unknown_column(f"unknown column '{name}'", name, self.names())

    def __contains__(self, name: object) -> bool:
        return any(column.name == name for column in self.columns)

    def names(self) -> list[str]:
        return [column.name for column in self.columns]

    def select(self, names: Iterable[str]) -> Columns:
        return replace(self, columns=[self[name] for name in names])

    def without_dates(self, features: Iterable[str]) -> Columns:
        """The table as the engine takes it: dates as text, for an id or a group. Refuses a date among the features."""
        for name in features:
            if name in self and self[name].kind == DATE:
                raise refused_date(name, str(self[name].dtype))
        if all(column.kind != DATE for column in self):
            return self
        return replace(self, columns=[_as_text(column) if column.kind == DATE else column for column in self])

    def take(self, rows: Array) -> Columns:
        """Some of the rows, by their positions."""
        index = None if self.index is None else self.index[rows]
        return replace(self, columns=[column.take(rows) for column in self], rows=len(rows), index=index)

    def frozen(self) -> Columns:
        """The same columns, which stay as they are when the caller changes his table later.

        Tables of polars, pyarrow and DuckDB never change, and pandas from 3.0 on copies what is changed. Others are
        copied here.
        """
        if self.library in ("polars", "pyarrow", "duckdb") or "lazy copy" in self.extra:
            return self
        own = [
            replace(column, values=column.values.copy(), valid=None if column.valid is None else column.valid.copy())
            for column in self
        ]
        return replace(self, columns=own)

    def rebuild(self, columns: Iterable[Column], index: Any = None) -> Any:
        """A table of the same library: these columns, with the dtype that a column of that name came with.

        Without `index` the rows are those of this table, in their order. A column that was not in the table, or is of
        another kind now, gets the dtype of its values.
        """
        from . import _rebuild

        known = [replace(column, dtype=self._dtype_for(column)) for column in columns]
        return _rebuild.BUILDERS[self.library](self, known, self.index if index is None else index)

    def _dtype_for(self, column: Column) -> Any:
        for original in self:
            same = (original.name, original.kind) == (column.name, column.kind)
            # A category with a level that the table lacked does not fit into its dtype.
            if same and len(original.levels or ()) == len(column.levels or ()):
                return original.dtype
        return None


def unknown_column(what: str, name: str, known: list[str]) -> Error:
    """The nearest name if one is near, else all of them."""
    small = {one.lower(): one for one in reversed(known)}
    near = difflib.get_close_matches(name.lower(), small, 1)
    inside = [one for one in known if name.lower() in one.lower()]
    if near or len(inside) == 1:
        return Error(f"{what}: did you mean '{small[near[0]] if near else inside[0]}'?")
    return Error(f"{what}: the table has {', '.join(known)}")


def check(columns: Columns) -> Columns:
    names = columns.names()
    if not names:
        raise Error("the table has no columns: expected at least one feature")
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise Error(f"the table has more than one column '{twice[0]}': expected different names")
    if columns.rows == 0:
        raise Error(f"the table has no rows: expected at least one, with the columns {', '.join(names)}")
    return columns


def as_path(obj: Any) -> str | None:
    """The path, if a CSV file is named in place of a table."""
    return os.fspath(obj) if isinstance(obj, (str, os.PathLike)) else None


def read(obj: Any, names: list[str] | None = None, *, dates: bool = False) -> Columns:
    """The columns of a table of any library. A path is not read here: see `as_path`.

    `names`: those of the columns of a NumPy table, which has none itself. `dates`: columns of dates may be among
    them; they are refused later, where a model would have to read them (`Columns.without_dates`).
    """
    if isinstance(obj, Columns):
        return check(obj)
    columns = _read_any(obj, names)
    return columns if dates else columns.without_dates(columns.names())


def _read_any(obj: Any, names: list[str] | None) -> Columns:
    if isinstance(obj, np.ndarray):
        return check(_read_numpy(obj, names))
    if isinstance(obj, Mapping):
        return check(_read_mapping(obj))
    from . import _read_frame

    columns = _read_frame.read(obj)
    if columns is None:
        one_row = ": one row of a frame is frame.iloc[[0]], with two pairs of brackets"
        raise Error(
            "a table was expected (pandas, polars, pyarrow, DuckDB, NumPy, a dict of columns, a CSV path), "
            f"got {type(obj).__name__}{one_row if type(obj).__name__ == 'Series' else ''}"
        )
    return check(columns)


def _read_numpy(array: Array, names: list[str] | None) -> Columns:
    if array.dtype.names:
        return _read_mapping({name: array[name] for name in array.dtype.names})
    if array.ndim != 2:
        raise Error(f"a NumPy table has two dimensions (rows, columns), got an array of shape {array.shape}")
    names = [f"x{i}" for i in range(array.shape[1])] if names is None else names
    if len(names) != array.shape[1]:
        raise Error(f"the NumPy table has {array.shape[1]} columns: expected {len(names)} ({', '.join(names)})")
    columns = [from_array(name, array[:, i]) for i, name in enumerate(names)]
    return Columns(columns, len(array), library="numpy", extra={"dtype": array.dtype})


def _read_mapping(columns: Mapping[Any, Any]) -> Columns:
    read_columns: list[Column] = []
    for name, values in columns.items():
        array = values if isinstance(values, np.ndarray) else _array_of(str(name), values)
        if array.ndim != 1:
            raise Error(f"column '{name}': expected a list of cells, got an array of shape {array.shape}")
        read_columns.append(from_array(str(name), array))
        if len(array) != len(read_columns[0]):
            raise Error(
                f"column '{name}' has {len(array)} rows, but column '{read_columns[0].name}' has {len(read_columns[0])}"
            )
    kinds = {str(name): type(values) for name, values in columns.items()}
    return Columns(read_columns, len(read_columns[0]) if read_columns else 0, library="dict", extra={"types": kinds})


def _array_of(name: str, values: Any) -> Array:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise Error(f"column '{name}': expected a list of cells, got {type(values).__name__}")
    cells = list(values)
    array = np.empty(len(cells), dtype=object)
    array[:] = cells
    return array


def from_array(name: str, array: Array, dtype: Any = None) -> Column:
    """A column of NumPy values, by their dtype."""
    dtype = array.dtype if dtype is None else dtype
    letter = array.dtype.kind
    if letter == "f":
        missing = np.isnan(array)
        return Column(name, FLOAT, array, ~missing if missing.any() else None, dtype=dtype)
    if letter in "iu":
        return Column(name, INT, array, dtype=dtype)
    if letter == "b":
        return Column(name, BOOL, array, dtype=dtype)
    if letter in "UT":
        return Column(name, STRING, array.astype(object), dtype=dtype)
    if letter == "O":
        return from_objects(name, array, dtype)
    return unread(name, array, dtype, str(array.dtype))


def from_objects(name: str, array: Array, dtype: Any) -> Column:
    """A column of Python objects, if all that are not missing are of one kind."""
    missing = np.fromiter((_is_missing(value) for value in array), dtype=bool, count=len(array))
    valid = ~missing if missing.any() else None
    kinds = {_kind_of(type(value)): row for row, value in reversed(list(enumerate(array))) if not missing[row]}
    if not kinds:
        return Column(name, FLOAT, np.full(len(array), np.nan), valid, dtype=dtype)
    if set(kinds) == {INT, FLOAT}:
        kinds = {FLOAT: 0}
    if len(kinds) > 1:
        (one, first), (other, second) = sorted(kinds.items(), key=lambda item: item[1])[:2]
        raise Error(
            f"column '{name}' has mixed types: expected one kind of values, "
            f"got {one} in row {first} and {other} in row {second}"
        )
    kind = next(iter(kinds))
    if kind not in KINDS:
        return unread(name, array, dtype, kind)
    filled = array.copy()
    filled[missing] = {FLOAT: np.nan, INT: 0, BOOL: False, STRING: ""}[kind]
    types = {FLOAT: np.float64, INT: np.int64, BOOL: np.bool_, STRING: object}
    return Column(name, kind, filled.astype(types[kind]), valid, dtype=dtype)


def unread(name: str, values: Array, dtype: Any, what: str) -> Column:
    """A column of dates or times, which no model reads; an error for any other kind."""
    if not any(word in what.lower() for word in ("date", "time", "duration")):
        raise refused(name, what)
    missing = np.isnat(values) if values.dtype.kind in "Mm" else np.array([_is_missing(value) for value in values])
    return Column(name, DATE, values, ~missing if missing.any() else None, dtype=dtype)


def refused(name: str, what: str) -> Error:
    return Error(f"column '{name}': expected numbers, booleans, text or categories, got {what}")


def refused_date(name: str, what: str) -> Error:
    return Error(
        f"column '{name}' holds dates or times ({what}), which have no meaning to a model: give a number in their "
        "place, such as days since a date, or leave the column out with ignore"
    )


def _as_text(column: Column) -> Column:
    values: Array = np.array([str(value) for value in column.values], dtype=object)
    return Column(column.name, STRING, values, column.valid)


def _is_missing(value: Any) -> bool:
    return (
        value is None
        or type(value).__name__ in ("NAType", "NaTType")
        or (isinstance(value, (float, np.floating)) and bool(np.isnan(value)))
    )


def _kind_of(kind: type) -> str:
    if issubclass(kind, (bool, np.bool_)):
        return BOOL
    if issubclass(kind, (int, np.integer)):
        return INT
    if issubclass(kind, (float, np.floating)) or kind.__name__ == "Decimal":
        return FLOAT
    return STRING if issubclass(kind, str) else kind.__name__
