"""The tables of a question: frames of any library, CSV files, and limits of single rows beside them."""

from __future__ import annotations

import csv
from typing import Any

import numpy as np

from . import _frames
from ._errors import Error


def table(obj: Any, names: list[str] | None = None) -> _frames.Columns:
    """The typed columns of a table; of a CSV file its texts, which the engine reads as the command line does."""
    path = _frames.as_path(obj)
    if path is None:
        return _frames.read(obj, names, dates=True)
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            lines = [line for line in csv.reader(file) if line]
    except OSError as error:
        raise Error(f"{path}: expected a CSV file, got {error.strerror}") from None
    if not lines or any(len(line) != len(lines[0]) for line in lines):
        raise Error(f"{path}: expected a header and rows of as many cells")
    if len(set(lines[0])) < len(lines[0]):
        raise Error(f"{path}: expected each column once")
    cells = np.array(lines[1:], dtype=object).reshape(-1, len(lines[0]))
    return _frames.read({name: cells[:, place] for place, name in enumerate(lines[0])})


def with_limits(columns: _frames.Columns, limits: Any) -> _frames.Columns:
    added = _frames.read(limits).frozen()
    if added.rows != columns.rows:
        raise Error(f"row_limits: expected {columns.rows} rows, got {added.rows}")
    return _frames.Columns([*columns.columns, *added.columns], columns.rows, columns.index, columns.library)
