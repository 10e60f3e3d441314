"""`explain_files` with two processes, on the cases of the engines."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import psutil
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from cases import CASES, network

import scfe


def parts(folder: Path) -> pa.Table:
    return pa.concat_tables(pq.read_table(part) for part in sorted(folder.glob("part-*.parquet")))


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("batch", [700, 4096])
def test_same_in_any_batches(case: str, batch: int, tmp_path: Path) -> None:
    asked = CASES[case]()
    pq.write_table(asked.rows, tmp_path / "rows.parquet")
    sizes = {"processes": 2, "batch_rows": batch, "part_rows": 5 * batch}
    scfe.explain_files(tmp_path / "rows.parquet", tmp_path / "out", asked.explainer, **sizes, **asked.wishes)
    assert asked.same(parts(tmp_path / "out/rows.parquet"))


def test_a_killed_worker_changes_nothing(tmp_path: Path) -> None:
    asked = network()
    pq.write_table(asked.rows, tmp_path / "rows.parquet")
    sizes = {"processes": 2, "batch_rows": 50, "part_rows": 100}
    folder = tmp_path / "out"
    job = threading.Thread(
        target=lambda: scfe.explain_files(tmp_path / "rows.parquet", folder, asked.explainer, **sizes, **asked.wishes)
    )
    job.start()
    while not list(folder.glob("*/part-*.parquet")) and job.is_alive():
        time.sleep(0.002)
    workers = [one for one in psutil.Process().children() if "_file_worker" in " ".join(one.cmdline())]
    assert job.is_alive() and len(workers) == 2, "the job ended before anything could be killed"
    workers[0].kill()
    job.join()
    assert asked.same(parts(folder / "rows.parquet"))
