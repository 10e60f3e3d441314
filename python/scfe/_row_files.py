"""Files of rows: which ones are meant, and their batches. Whatever is wrong with a file is an error that names it."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from ._errors import Error


def files_of(rows: str | os.PathLike[str] | Iterable[str]) -> list[str]:
    """The files of a path, a pattern or a list of them."""
    try:
        patterns = [os.fspath(one) for one in ([rows] if isinstance(rows, (str, os.PathLike)) else rows)]
    except TypeError:
        raise Error(f"rows: expected a path, a pattern or a list of them, got {rows!r}") from None
    found = [path for pattern in patterns for path in sorted(glob.glob(pattern, recursive=True)) or [pattern]]
    if not found:
        raise Error("rows: expected at least one file, got an empty list")
    for path in found:
        if not os.path.isfile(path):
            raise Error(f"{path}: expected files of rows, got none of that name")
        if not path.endswith((".parquet", ".csv")):
            raise Error(f"{path}: expected a name that ends with .parquet or .csv")
    return found


def by_name(files: list[str]) -> dict[str, str]:
    """The files by their paths below the folder that has them all."""
    home = os.path.commonpath([os.path.dirname(os.path.abspath(path)) for path in files])
    return {os.path.relpath(os.path.abspath(path), home): path for path in files}


def open_rows(path: str, batch_rows: int) -> tuple[Any, Iterator[Any]]:
    """The schema of a file and its batches. Cells of a CSV are texts, as for the command line."""
    import pyarrow.csv
    import pyarrow.parquet

    with _naming(f"{path}: expected a Parquet or CSV file with a header"):
        if path.endswith(".parquet"):
            file = pyarrow.parquet.ParquetFile(path, buffer_size=1 << 20)
            return file.schema_arrow, _batches(path, file.iter_batches(batch_rows))
        names = pyarrow.csv.open_csv(path).schema.names
        texts = pyarrow.csv.ConvertOptions(
            column_types=dict.fromkeys(names, pyarrow.string()), strings_can_be_null=False
        )
        reader = pyarrow.csv.open_csv(path, convert_options=texts)
        return reader.schema, _batches(path, reader)


def _batches(path: str, reader: Iterable[Any]) -> Iterator[Any]:
    batches, rows = iter(reader), 0
    while True:
        with _naming(f"{path}: cannot be read after row {rows}"):
            batch = next(batches, None)
        if batch is None:
            return
        yield batch
        rows += batch.num_rows


@contextmanager
def _naming(what: str) -> Iterator[None]:
    """Makes errors of the reader errors of the package, in one line."""
    import pyarrow

    try:
        yield
    except (OSError, pyarrow.ArrowException) as error:
        raise Error(f"{what}: {' '.join(str(error).split())}") from None
