"""Columns of pandas are read as narwhals would read them, without the time that a series of narwhals takes."""

from __future__ import annotations

import narwhals.stable.v1 as narwhals
import numpy as np
import pandas as pd
import pytest

from scfe import _frames, _read_frame
from scfe._errors import Error
from scfe._frames import Column

COLUMNS = {
    "float64": pd.Series([1.5, np.nan, 3.0]),
    "float32": pd.Series([1, 2, 3], dtype="float32"),
    "int64": pd.Series([1, 2, 3]),
    "int8": pd.Series([1, 2, 3], dtype="int8"),
    "uint16": pd.Series([1, 2, 3], dtype="uint16"),
    "uint64": pd.Series([1, 2, 2**63], dtype="uint64"),
    "bool": pd.Series([True, False, True]),
    "text": pd.Series(["a", "b", "a"], dtype=object),
    "text and None": pd.Series(["a", None, "b"], dtype=object),
    "text and nan": pd.Series(["a", np.nan, "b"], dtype=object),
    "text and NA": pd.Series(["a", pd.NA, "b"], dtype=object),
    "numbers as objects": pd.Series([1, None, 3.5], dtype=object),
    "flags as objects": pd.Series([True, None, False], dtype=object),
    "nothing": pd.Series([None, None, None], dtype=object),
    "category": pd.Series(pd.Categorical(["q", None, "r"])),
    "ordered": pd.Series(pd.Categorical(["q", "r", "q"], ["r", "q"], ordered=True)),
    "numbers as category": pd.Series(pd.Categorical([3, 1, 3])),
    "string": pd.Series(["a", None, "b"], dtype="string"),
    "Int64": pd.Series([1, None, 3], dtype="Int64"),
    "Float64": pd.Series([1.5, None, 3.0], dtype="Float64"),
    "boolean": pd.Series([True, None, False], dtype="boolean"),
}
REFUSED = {
    "half": pd.Series([1.0], dtype="float16"),
    "date": pd.Series(pd.to_datetime(["2020-01-01"])),
    "time": pd.Series(pd.to_timedelta([1], "D")),
    "zone": pd.Series(pd.to_datetime(["2020-01-01"]).tz_localize("UTC")),
    "complex": pd.Series([1 + 2j]),
    "mixed": pd.Series([1, "a"], dtype=object),
}


def by_narwhals(series: pd.Series) -> Column:
    view = narwhals.from_native(series.rename("x"), series_only=True)
    return _read_frame._column(narwhals, view, _read_frame._pandas_category)


def by_pandas(series: pd.Series) -> Column:
    read = _read_frame.read(pd.DataFrame({"x": series}))
    assert read is not None
    return read["x"]


@pytest.mark.parametrize("rows", [slice(None), slice(1, 2), slice(None, None, 2)])
@pytest.mark.parametrize("name", COLUMNS)
def test_a_column_is_what_narwhals_says(name: str, rows: slice) -> None:
    series = COLUMNS[name].iloc[rows]
    mine, theirs = by_pandas(series), by_narwhals(series)
    assert (mine.kind, mine.levels, mine.ordered, mine.dtype) == (
        theirs.kind,
        theirs.levels,
        theirs.ordered,
        theirs.dtype,
    )
    assert mine.values.dtype == theirs.values.dtype
    assert mine.cells() == theirs.cells()
    assert (mine.valid is None) == (theirs.valid is None)


def refusal(column: Column) -> str:
    """What is said where a model would have to read the column."""
    with pytest.raises(Error) as said:
        _frames.Columns([column], len(column)).without_dates([column.name])
    return str(said.value)


@pytest.mark.parametrize("name", REFUSED)
def test_the_same_columns_are_refused_in_the_same_words(name: str) -> None:
    said = []
    for read in (by_pandas, by_narwhals):
        try:
            said.append(refusal(read(REFUSED[name])))
        except Error as error:
            said.append(str(error))
    assert said[0] == said[1]
