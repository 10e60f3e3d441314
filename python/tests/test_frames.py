"""Frames in, frames out: what goes through `_frames` comes back with its columns, order, index and dtypes."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from scfe import _frames, _read_frame
from scfe._errors import Error
from scfe._frames import BOOL, CATEGORY, FLOAT, INT, STRING

LEVELS = ["low", "middle", "high"]
# Failing tables are small already; shrinking them takes minutes.
QUICK = settings(
    max_examples=30, deadline=None, suppress_health_check=list(HealthCheck), phases=[Phase.explicit, Phase.generate]
)


def optional(name: str) -> Any:
    return pytest.importorskip(name)


def cells(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[list[Any]]:
    return st.lists(st.one_of(st.none(), strategy), min_size=6, max_size=6)


TABLES = st.fixed_dictionaries(
    {
        "amount": cells(st.floats(allow_nan=False, width=64)),
        "small": cells(st.floats(allow_nan=False, width=32)),
        "count": cells(st.integers(-(2**62), 2**62)),
        "flag": cells(st.booleans()),
        "name": cells(st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=5)),
        "rank": cells(st.sampled_from(LEVELS)),
    }
)
KIND = {"amount": FLOAT, "small": FLOAT, "count": INT, "flag": BOOL, "name": STRING, "rank": CATEGORY}
# Hypothesis shuffles the keys of its dictionaries.
TABLES = TABLES.map(lambda table: {name: table[name] for name in KIND})


def make_pandas(table: dict[str, list[Any]]) -> Any:
    pandas = optional("pandas")
    types = {"amount": "float64", "small": "float32", "count": "Int64", "flag": "boolean", "name": "string"}
    columns = {
        name: pandas.array(table[name], dtype=kind) if kind[0] != "f" else pandas.Series(table[name], dtype=kind)
        for name, kind in types.items()
    }
    columns["rank"] = pandas.Categorical(table["rank"], categories=LEVELS, ordered=True)
    return pandas.DataFrame(columns).set_axis([f"row {i}" for i in range(6)])


def make_polars(table: dict[str, list[Any]]) -> Any:
    polars = optional("polars")
    types = {
        "amount": polars.Float64,
        "small": polars.Float32,
        "count": polars.Int64,
        "flag": polars.Boolean,
        "name": polars.String,
    }
    return polars.DataFrame(table, schema={**types, "rank": polars.Enum(LEVELS)})


def make_pyarrow(table: dict[str, list[Any]]) -> Any:
    arrow = optional("pyarrow")
    types = {
        "amount": arrow.float64(),
        "small": arrow.float32(),
        "count": arrow.int64(),
        "flag": arrow.bool_(),
        "name": arrow.string(),
    }
    columns = {name: arrow.array(table[name], kind) for name, kind in types.items()}
    codes = arrow.array([None if v is None else LEVELS.index(v) for v in table["rank"]], arrow.int8())
    columns["rank"] = arrow.DictionaryArray.from_arrays(codes, arrow.array(LEVELS), ordered=True)
    return arrow.table(columns)


def make_duckdb(table: dict[str, list[Any]]) -> Any:
    duckdb = optional("duckdb")
    kinds = ["DOUBLE", "FLOAT", "BIGINT", "BOOLEAN", "VARCHAR", "ENUM('low', 'middle', 'high')"]
    relation = duckdb.from_arrow(make_pyarrow(table))
    return relation.project(", ".join(f'CAST("{n}" AS {k}) AS "{n}"' for n, k in zip(table, kinds, strict=True)))


MAKERS = {"pandas": make_pandas, "polars": make_polars, "pyarrow": make_pyarrow, "duckdb": make_duckdb, "dict": dict}


def same(library: str, got: Any, expected: Any) -> None:
    if library == "pandas":
        optional("pandas").testing.assert_frame_equal(got, expected, check_exact=True)
    elif library == "polars":
        assert got.schema == expected.schema and got.equals(expected, null_equal=True)
    elif library == "pyarrow":
        assert got.schema.equals(expected.schema) and got.equals(expected)
    elif library == "duckdb":
        assert got.columns == expected.columns and got.types == expected.types and got.fetchall() == expected.fetchall()
    else:
        assert got == expected


@pytest.mark.parametrize("library", MAKERS)
@QUICK
@given(TABLES)
def test_what_goes_in_comes_back(library: str, table: dict[str, list[Any]]) -> None:
    frame = MAKERS[library](table)
    columns = _frames.read(frame)
    assert columns.library == library and columns.names() == list(table) and columns.rows == 6
    for column in columns:
        if library != "dict":
            assert column.kind == KIND[column.name]
            if column.kind == CATEGORY:
                assert column.levels == LEVELS
                assert column.ordered or library == "duckdb"
        assert column.cells() == [cell for cell in table[column.name]]
    same(library, columns.rebuild(columns), frame)


@QUICK
@given(TABLES, st.lists(st.integers(0, 5), min_size=1, max_size=9))
def test_some_rows_keep_their_index(table: dict[str, list[Any]], rows: list[int]) -> None:
    frame = make_pandas(table)
    columns = _frames.read(frame)
    some = columns.take(np.array(rows))
    got = columns.rebuild(some, some.index)
    same("pandas", got, frame.iloc[rows])


@QUICK
@given(TABLES)
def test_codes_say_what_the_texts_said(table: dict[str, list[Any]]) -> None:
    for name in ("name", "rank"):
        codes, levels = _frames.read(make_pandas(table))[name].encoded()
        assert [None if code < 0 else levels[code] for code in codes] == table[name]


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "int8", "uint16", "bool", "U8"])
def test_numpy(dtype: str) -> None:
    array = np.arange(12).reshape(4, 3).astype(dtype)
    columns = _frames.read(array)
    assert columns.names() == ["x0", "x1", "x2"]
    back = columns.rebuild(columns)
    assert back.dtype == array.dtype or dtype == "U8"
    assert (back == array).all()


@pytest.mark.parametrize("dtype", ["int64", "int8", "uint8", "float32", "float64", "bool", "str", "category", "object"])
def test_plain_pandas_dtypes(dtype: str) -> None:
    pandas = optional("pandas")
    text = dtype in ("str", "category", "object")
    frame = pandas.DataFrame(
        {"a": pandas.Series(["x", "y", "x"] if text else [0, 1, 1]).astype(dtype), 7: [1.5, 2.5, 3.5]}
    )
    columns = _frames.read(frame)
    assert columns.names() == ["a", "7"]
    same("pandas", columns.rebuild(columns), frame)


def test_other_columns_may_join() -> None:
    frame = optional("pandas").DataFrame({"a": [1, 2]}, index=[5, 9])
    columns = _frames.read(frame)
    more = _frames.from_array("status", np.array(["valid", "already"]))
    got = columns.rebuild([*columns, more])
    assert list(got.columns) == ["a", "status"] and list(got.index) == [5, 9] and got["a"].dtype == "int64"


def test_answers_that_are_missing_in_whole_numbers() -> None:
    frame = optional("pandas").DataFrame({"a": [1, 2]})
    column = _frames.read(frame)["a"]
    hole = _frames.Column("a", INT, column.values, np.array([True, False]))
    got = _frames.read(frame).rebuild([hole])
    assert got["a"].dtype == "Int64" and got["a"].isna().tolist() == [False, True]


def arrow_columns() -> dict[str, Any]:
    arrow = optional("pyarrow")
    numbers = ["int8", "uint16", "int32", "int64", "uint64", "float32", "float64"]
    made = {name: arrow.array([1, 0, 3], getattr(arrow, name)()) for name in numbers}
    made |= {f"{name} with a null": arrow.array([1, None, 3], getattr(arrow, name)()) for name in numbers}
    texts = {name: arrow.array(["a", None, "b"], getattr(arrow, name)()) for name in ("string", "large_string")}
    ranks = arrow.DictionaryArray.from_arrays(arrow.array([1, None, 0], arrow.int8()), arrow.array(["low", "high"]))
    return {
        **made,
        **texts,
        "no null": arrow.array(["a", "b", "a"]),
        "nan": arrow.array([1.5, float("nan"), None]),
        "flags": arrow.array([True, False, True]),
        "flags with a null": arrow.array([True, None, False]),
        "decimal": arrow.array([1, None, 3], arrow.decimal128(8, 2)),
        "levels": ranks,
        "nothing": arrow.nulls(3),
        "date": arrow.array([1, 2, 3], arrow.date32()),
        "time": arrow.array([1, 2, 3], arrow.duration("s")),
        "half": arrow.array(np.array([1, 2, 3], np.float16)),
        "list": arrow.array([[1], [2], [3]]),
    }


@pytest.mark.parametrize("chunks", [[slice(0, 3)], [slice(1, 2)], [slice(0, 1), slice(1, 3)]])
def test_an_arrow_column_is_what_narwhals_says(chunks: list[slice]) -> None:
    arrow, narwhals = optional("pyarrow"), optional("narwhals.stable.v1")
    refused = dates = 0
    for name, array in arrow_columns().items():
        column = arrow.chunked_array([array[chunk] for chunk in chunks])
        view = narwhals.from_native(column, series_only=True).alias(name)

        def read_by(reader: Any, *given: Any) -> Any:
            try:
                one = reader(*given)
            except Error as error:
                return str(error)
            return (one.name, one.kind, one.values.dtype, one.cells(), one.valid is None, one.levels, one.dtype)

        mine = read_by(_read_frame._arrow_column, name, column)
        theirs = read_by(_read_frame._column, narwhals, view, _read_frame._arrow_category)
        assert repr(mine) == repr(theirs), name  # texts, because NaN is not itself
        refused += isinstance(mine, str)
        dates += not isinstance(mine, str) and mine[1] == _frames.DATE
    assert (refused, dates) == (2, 2)  # dates are refused where a model would have to read them


def test_any_arrow_stream() -> None:
    optional("pyarrow")

    class Stream:
        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            return optional("pyarrow").table({"a": [1, 2]}).__arrow_c_stream__(requested_schema)

    columns = _frames.read(Stream())
    assert columns["a"].values.tolist() == [1, 2] and columns.rebuild(columns).column_names == ["a"]


def test_a_path_is_not_read_here(tmp_path: Any) -> None:
    assert _frames.as_path(tmp_path / "a.csv") == str(tmp_path / "a.csv")
    assert _frames.as_path({"a": [1]}) is None


def twice_named() -> Any:
    frame = optional("pandas").DataFrame([[1, 2]])
    frame.columns = ["a", "a"]
    return frame


BAD = {
    "dates": (
        lambda: optional("pandas").DataFrame({"day": [datetime.datetime(2020, 1, 1)]}),
        "'day' holds dates or times",
    ),
    "polars dates": (
        lambda: optional("polars").DataFrame({"day": [datetime.date(2020, 1, 1)]}),
        "'day' holds dates or times",
    ),
    "dates in objects": (lambda: {"day": [datetime.date(2020, 1, 1)]}, "'day' holds dates or times"),
    "mixed": (
        lambda: optional("pandas").DataFrame({"a": [1, "x"]}),
        "'a' has mixed types: .* int in row 0 and string in row 1",
    ),
    "mixed in a dict": (lambda: {"a": ["x", None, True]}, "'a' has mixed types: .* string in row 0 and bool in row 2"),
    "twice": (twice_named, "more than one column 'a'"),
    "twice in arrow": (lambda: optional("pyarrow").table([[1], [2]], names=["a", "a"]), "more than one column 'a'"),
    "no rows": (lambda: optional("pandas").DataFrame({"a": []}), "no rows"),
    "no columns": (lambda: optional("pandas").DataFrame(index=[1, 2]), "no columns"),
    "one dimension": (lambda: np.zeros(3), "two dimensions"),
    "lengths": (lambda: {"a": [1], "b": [1, 2]}, "'b' has 2 rows, but column 'a' has 1"),
    "a scalar": (lambda: {"a": 1}, "'a': expected a list of cells, got int"),
    "lists": (lambda: optional("polars").DataFrame({"a": [[1], [2]]}), "'a': expected numbers"),
    "no table": (lambda: 3, "a table was expected .* got int"),
    "complex": (lambda: np.zeros((2, 1), complex), "'x0': expected numbers"),
}


@pytest.mark.parametrize("what", BAD)
def test_bad_tables_are_refused_in_one_sentence(what: str) -> None:
    make, text = BAD[what]
    frame = make()
    with pytest.raises(Error, match=text) as caught:
        _frames.read(frame)
    assert "\n" not in str(caught.value)
