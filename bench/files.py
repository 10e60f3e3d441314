"""Memory and time of `explain_files` over many rows: the peak of all its processes after each fifth of them.

    export PYTHONPATH=python SCFE_LIBRARY=build/libscfe_c.so
    build/cluster-venv/bin/python bench/files.py [ROWS] [--processes N]

Wine, repeated to so many rows (5,000,000) in one Parquet file; the closest single change without a floor or hints, so
that the engine has the least to do for each row. Memory is the proportional set size of this process and its workers,
looked at twice a second; the peak since the start must not grow with the rows.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import threading
import time
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

import scfe

DATA = Path(__file__).resolve().parents[1] / "data"
EASY = {"max_changes": 1, "plausible": 0, "hints": False, "learned_rules": "none"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", type=int, nargs="?", default=5_000_000)
    parser.add_argument("--processes", type=int, default=2)
    asked = parser.parse_args()
    wine = pd.read_csv(DATA / "wine.csv")
    schema = (DATA / "wine.schema.json").read_text()
    explainer = scfe.Explainer(str(DATA / "models/wine.onnx"), wine, schema=schema, **EASY)
    with tempfile.TemporaryDirectory() as folder:
        write_rows(f"{folder}/rows.parquet", wine, asked.rows)
        before = memory()
        start, used = time.perf_counter(), cpu_seconds()
        with Watch(f"{folder}/out/rows.parquet", asked.rows) as watch:
            counts = scfe.explain_files(f"{folder}/rows.parquet", f"{folder}/out", explainer, processes=asked.processes)
        seconds, used = time.perf_counter() - start, cpu_seconds() - used
        parts = sorted(Path(f"{folder}/out/rows.parquet").glob("part-*.parquet"))
        written = sum(pq.ParquetFile(part).metadata.num_rows for part in parts)
        answers = sum(part.stat().st_size for part in parts)
    assert counts["rows"] == written == asked.rows
    print(f"{asked.rows} rows, {asked.processes} processes: {seconds:.0f} s, {used:.0f} s of CPU, "
          f"{1e6 * used / asked.rows:.0f} us of CPU a row, answers {answers / 1e6:.0f} MB")  # fmt: skip
    print(f"memory of all processes: {before / 1e6:.0f} MB before, peak {watch.peak / 1e6:.0f} MB")


def write_rows(path: str, wine: pd.DataFrame, count: int) -> None:
    table = pa.Table.from_pandas(pd.concat([wine] * (65_536 // len(wine) + 1)).head(65_536), preserve_index=False)
    with pq.ParquetWriter(path, table.schema) as writer:
        for first in range(0, count, len(table)):
            writer.write_table(table.slice(0, min(len(table), count - first)))


class Watch:
    """Looks at the memory meanwhile, and prints the peak so far at each fifth of the rows."""

    def __init__(self, folder: str, rows: int) -> None:
        self.peak = 0
        self._folder, self._rows = Path(folder), rows
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look)

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def _look(self) -> None:
        fifth = 1
        while not self._over.wait(0.5):
            self.peak = max(self.peak, memory())
            written = 65_536 * len(list(self._folder.glob("part-*.parquet")))
            if written >= self._rows * fifth / 5:
                fifth += 1
                print(f"{written} rows written: peak {self.peak / 1e6:.0f} MB", flush=True)

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()


def memory() -> int:
    """Bytes of this process and its children; pages that several share count once."""
    processes = [os.getpid()]
    for task in Path("/proc/self/task").iterdir():
        processes += [int(child) for child in (task / "children").read_text().split()]
    total = 0
    for process in processes:
        try:
            lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
        except OSError:  # it has ended meanwhile
            continue
        total += sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
    return total


def cpu_seconds() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


if __name__ == "__main__":
    main()
