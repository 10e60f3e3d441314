"""Frames of other libraries as columns.

Columns of pandas that are NumPy arrays are read as those of a NumPy table, its texts and categories by its own means,
and pyarrow's columns by pyarrow; narwhals reads the dtypes of all others. A series of narwhals takes as long to make as
a row to explain.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._errors import Error
from ._frames import BOOL, CATEGORY, FLOAT, INT, STRING, Column, Columns, from_array, from_objects, refused, unread

Array = NDArray[Any]


def read(obj: Any) -> Columns | None:
    """The columns of a data frame, or None if it is none."""
    library = type(obj).__module__.partition(".")[0].lstrip("_")
    if library == "duckdb" and hasattr(obj, "to_arrow_table"):
        types = dict(zip(obj.columns, obj.types, strict=True))
        return _arrow_table(obj.to_arrow_table(), "duckdb", {"types": types})
    if library == "polars":
        frame = obj.collect() if hasattr(obj, "collect") else obj
        return (
            Columns(_columns(frame, _polars_category), len(frame), library="polars")
            if hasattr(frame, "get_columns")
            else None
        )
    if library == "pandas" and hasattr(obj, "columns"):
        extra = {"labels": obj.columns}
        if _copies_on_write():  # a copy that shares the values until one of the two is changed
            obj = extra["lazy copy"] = obj.copy(deep=False)
        return Columns(_pandas_columns(obj), len(obj), obj.index, "pandas", extra)
    if hasattr(obj, "__arrow_c_stream__") and library != "pandas":  # a series of pandas is a stream of no table
        table = _arrow_table_of(obj)
        return _arrow_table(table, "pyarrow", {"metadata": table.schema.metadata})
    return None


def _copies_on_write() -> bool:
    import pandas

    return int(pandas.__version__.partition(".")[0]) >= 3 or bool(pandas.get_option("mode.copy_on_write"))


def _arrow_table_of(obj: Any) -> Any:
    pyarrow = _pyarrow()
    # pyarrow.table() would import pandas to see whether this is one of its frames.
    return obj if isinstance(obj, pyarrow.Table) else pyarrow.RecordBatchReader.from_stream(obj).read_all()


def _arrow_table(table: Any, library: str, extra: dict[str, Any]) -> Columns:
    return Columns(_arrow_columns(table), table.num_rows, library=library, extra=extra)


def _narwhals() -> Any:
    try:
        import narwhals.stable.v1 as narwhals
    except ImportError:
        raise Error("data frames need narwhals, which reads their dtypes: pip install narwhals") from None
    return narwhals


def _pyarrow() -> Any:
    try:
        import pyarrow
    except ImportError:
        raise Error("a table that is handed over as an Arrow stream needs pyarrow: pip install pyarrow") from None
    return pyarrow


def _arrow_columns(table: Any) -> list[Column]:
    names = list(table.column_names)
    if len(set(names)) < len(names):
        return [
            Column(name, FLOAT, np.zeros(table.num_rows)) for name in names
        ]  # refused by the caller, which names it
    return [_arrow_column(name, column) for name, column in zip(names, table.columns, strict=True)]


def _arrow_column(name: str, column: Any) -> Column:
    import pyarrow

    types, dtype = pyarrow.types, column.type
    if types.is_dictionary(dtype):
        return _category(name, *_arrow_category(column), dtype)
    valid = column.is_valid().to_numpy() if column.null_count else None
    if types.is_null(dtype):
        return Column(name, FLOAT, np.full(len(column), np.nan), np.zeros(len(column), dtype=bool), dtype=dtype)

    def filled(cell: Any) -> Array:
        whole = column if valid is None else column.fill_null(cell)
        return np.asarray(whole.to_numpy())

    if types.is_decimal(dtype):
        column = column.cast(pyarrow.float64())
    if types.is_float32(dtype) or types.is_float64(dtype) or types.is_decimal(dtype):
        return from_array(name, filled(np.nan), dtype)
    if types.is_integer(dtype):
        values = filled(0).astype(np.uint64 if types.is_uint64(dtype) else np.int64, copy=False)
        return Column(name, INT, values, valid, dtype=dtype)
    if types.is_boolean(dtype):
        return Column(name, BOOL, filled(False).astype(bool, copy=False), valid, dtype=dtype)
    if types.is_string(dtype) or types.is_large_string(dtype) or types.is_string_view(dtype):
        return Column(name, STRING, filled("").astype(object, copy=False), valid, dtype=dtype)
    return unread(name, column.to_numpy(), dtype, str(dtype))


def _pandas_columns(frame: Any) -> list[Column]:
    names = [str(name) for name in frame.columns]
    if len(set(names)) < len(names):
        return [Column(name, FLOAT, np.zeros(len(frame))) for name in names]  # refused by the caller, which names it
    return [_pandas_column(name, series) for name, (_, series) in zip(names, frame.items(), strict=True)]


def _pandas_column(name: str, series: Any) -> Column:
    import pandas

    dtype = series.dtype
    if isinstance(dtype, pandas.CategoricalDtype):
        return _category(name, *_pandas_category(series), dtype)
    if isinstance(dtype, pandas.StringDtype):
        return _texts(name, series.to_numpy(dtype=object), dtype)
    if not isinstance(dtype, np.dtype):
        narwhals = _narwhals()
        return _column(narwhals, narwhals.from_native(series.rename(name), series_only=True), _pandas_category)
    values = series.to_numpy()
    if dtype.kind == "O" and pandas.api.types.infer_dtype(values, skipna=True) == "string":
        return _texts(name, values, dtype)
    if dtype.kind in "iu":
        values = values.astype(np.uint64 if dtype == np.uint64 else np.int64, copy=False)
    if dtype.kind == "f" and dtype not in (np.float32, np.float64):
        raise refused(name, str(dtype))
    return from_array(name, values, dtype)


def _texts(name: str, values: Array, dtype: Any) -> Column:
    import pandas

    missing = pandas.isna(values)
    if not missing.any():
        return Column(name, STRING, values, dtype=dtype)
    # None and NaN stay what they are: an imputer may know only one of them.
    filled = values if isinstance(dtype, np.dtype) else np.where(missing, "", values)
    return Column(name, STRING, filled, ~missing, dtype=dtype)


def _columns(frame: Any, category: Any) -> list[Column]:
    narwhals = _narwhals()
    view = narwhals.from_native(frame, eager_only=True)
    return [_column(narwhals, view[name], category) for name in view.columns]


def _column(narwhals: Any, series: Any, category: Any) -> Column:
    kind, name, dtype = series.dtype, series.name, _native_dtype(series.to_native())
    if kind in (narwhals.Categorical, narwhals.Enum):
        codes, levels, ordered = category(series.to_native())
        return _category(name, codes, levels, ordered, dtype)
    if kind == narwhals.Object:
        return from_objects(name, series.to_numpy(), dtype)
    if kind == narwhals.Decimal:
        series, kind = series.cast(narwhals.Float64), narwhals.Float64
    missing = series.is_null().to_numpy().astype(bool)
    valid = ~missing if missing.any() else None
    if kind.is_float():
        values = series.to_numpy() if valid is None else series.fill_null(float("nan")).to_numpy()
        column = from_array(
            name, np.asarray(values, dtype=np.float32 if kind == narwhals.Float32 else np.float64), dtype
        )
        return column
    if kind.is_integer():
        filled = series if valid is None else series.fill_null(0)
        return Column(
            name,
            INT,
            np.asarray(filled.to_numpy(), dtype=np.uint64 if kind == narwhals.UInt64 else np.int64),
            valid,
            dtype=dtype,
        )
    if kind == narwhals.Boolean:
        filled = series if valid is None else series.fill_null(False)
        return Column(name, BOOL, np.asarray(filled.to_numpy(), dtype=bool), valid, dtype=dtype)
    if kind == narwhals.String:
        filled = series if valid is None else series.fill_null("")
        return Column(name, STRING, np.asarray(filled.to_numpy(), dtype=object), valid, dtype=dtype)
    if kind == narwhals.Unknown and missing.all():
        return Column(name, FLOAT, np.full(len(missing), np.nan), valid, dtype=dtype)
    return unread(name, series.to_numpy(), dtype, str(dtype))


def _category(name: str, codes: Array, levels: list[Any], ordered: bool, dtype: Any) -> Column:
    valid = codes >= 0
    texts = [str(level) for level in levels]
    return Column(name, CATEGORY, codes.astype(np.int32), None if valid.all() else valid, texts, ordered, dtype)


def _native_dtype(series: Any) -> Any:
    return series.type if hasattr(series, "type") else series.dtype


def _pandas_category(series: Any) -> tuple[Array, list[Any], bool]:
    return series.cat.codes.to_numpy(), series.cat.categories.tolist(), bool(series.cat.ordered)


def _polars_category(series: Any) -> tuple[Array, list[Any], bool]:
    import polars

    ordered = isinstance(series.dtype, polars.Enum)
    text = series.cast(polars.String)
    # A Categorical lists every text of the process, so the levels are those that occur.
    levels = (
        series.dtype.categories.to_list()
        if isinstance(series.dtype, polars.Enum)
        else text.drop_nulls().unique().sort().to_list()
    )
    codes = text.cast(polars.Enum(levels)).to_physical().cast(polars.Int64).fill_null(-1)
    return codes.to_numpy(), levels, ordered


def _arrow_category(column: Any) -> tuple[Array, list[Any], bool]:
    import pyarrow

    array = column.unify_dictionaries().combine_chunks()
    if isinstance(array, pyarrow.ChunkedArray):
        array = array.chunk(0)
    codes = array.indices.cast(pyarrow.int64()).fill_null(-1).to_numpy(zero_copy_only=False)
    return codes, array.dictionary.to_pylist(), bool(array.type.ordered)


__all__ = ["read"]
