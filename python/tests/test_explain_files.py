"""Files of rows to files of answers: the same in any batches, resumed after a kill, in constant memory."""

from __future__ import annotations

import importlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import scfe

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed; `make cluster` runs these tests")

import pyarrow.parquet as pq  # noqa: E402

from scfe import _file_worker, _files  # noqa: E402
from scfe._batch import Question  # noqa: E402

ASKED: dict[str, Any] = {"target": "approved", "max_changes": 2}


@pytest.fixture(scope="module")
def rows(credit: pd.DataFrame) -> pd.DataFrame:
    table = credit.drop(columns="risk").head(400)
    return table.assign(customer=[f"c{i}" for i in range(len(table))])


@pytest.fixture(scope="module")
def expected(rows: pd.DataFrame, credit_explainer: scfe.Explainer) -> list[str]:
    return texts(Question(credit_explainer, ASKED)(pa.Table.from_pandas(rows, preserve_index=False)))


def texts(table: Any) -> list[str]:
    return [repr(row) for row in table.to_pylist()]


def answers(folder: Path) -> list[str]:
    """All parts of a folder, one after the other: their order is that of the rows."""
    return [text for part in sorted(folder.glob("part-*.parquet")) for text in texts(pq.read_table(part))]


@pytest.mark.parametrize(("batch", "part", "processes"), [(97, 150, 2), (400, 1000, 1)])
def test_parquet_and_csv(
    batch: int, part: int, processes: int, rows: pd.DataFrame, expected: list[str], tmp_path: Path,
    credit_explainer: scfe.Explainer,
) -> None:  # fmt: skip
    (tmp_path / "in").mkdir()
    pq.write_table(pa.Table.from_pandas(rows, preserve_index=False), tmp_path / "in/a.parquet", row_group_size=130)
    rows.to_csv(tmp_path / "in/b.csv", index=False)
    out, sizes = tmp_path / "out", {"batch_rows": batch, "part_rows": part, "processes": processes}
    asked = {**ASKED, **sizes}
    assert scfe.explain_files(tmp_path / "in/*", out, credit_explainer, **asked) == {"rows": 800, "resumed": 0}
    assert answers(out / "a.parquet") == answers(out / "b.csv") == expected
    assert scfe.explain_files(tmp_path / "in/*", out, credit_explainer, **asked) == {"rows": 0, "resumed": 800}
    with pytest.raises(scfe.Error, match=r"answers to another question \(wishes differ\)"):
        scfe.explain_files(tmp_path / "in/*", out, credit_explainer, **{**asked, "max_changes": 1})


def test_resumed_after_a_kill(
    rows: pd.DataFrame, expected: list[str], tmp_path: Path, bundles: dict[str, Path]
) -> None:
    rows.to_parquet(tmp_path / "rows.parquet")
    script = (
        f"import scfe\n"
        f"explainer = scfe.load({str(bundles['german_credit'])!r})\n"
        f"print(scfe.explain_files('rows.parquet', 'out', explainer, target='approved',"
        f" max_changes=2, batch_rows=10, part_rows=40, processes=1))"
    )
    run = [sys.executable, "-W", "ignore", "-c", script]
    first = subprocess.Popen(run, cwd=tmp_path, start_new_session=True)
    folder = tmp_path / "out" / "rows.parquet"
    while len(list(folder.glob("*.parquet"))) < 2 and first.poll() is None:
        time.sleep(0.002)
    assert first.poll() is None, "the run ended before it could be killed"
    os.killpg(first.pid, signal.SIGKILL)
    first.wait()
    finished = len(list(folder.glob("*.parquet")))
    assert 2 <= finished < 10
    second = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert second.stdout.strip() == str({"rows": 400 - 40 * finished, "resumed": 40 * finished})
    assert answers(folder) == expected
    assert not list(folder.glob("*.writing"))


def test_a_killed_worker_changes_nothing(
    rows: pd.DataFrame, expected: list[str], tmp_path: Path, credit_explainer: scfe.Explainer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    rows.to_parquet(tmp_path / "rows.parquet")
    started: list[_file_worker.Worker] = []
    batches: list[bytes] = []
    start, send = _file_worker.Worker._start, _file_worker._send

    def start_and_count(worker: _file_worker.Worker) -> Any:
        started.append(worker)
        return start(worker)

    def send_and_kill(pipe: Any, thing: Any) -> None:
        send(pipe, thing)
        batches.append(thing)
        if len(batches) == 6:  # in the middle of the file: a process is killed that has rows to answer
            [worker] = {one for one in started if one._process and one._process.stdin is pipe}
            os.kill(worker.pid or 0, signal.SIGKILL)

    monkeypatch.setattr(_file_worker.Worker, "_start", start_and_count)
    monkeypatch.setattr(_file_worker, "_send", send_and_kill)
    scfe.explain_files(
        tmp_path / "rows.parquet", tmp_path / "out", credit_explainer, processes=2, batch_rows=20, **ASKED
    )
    assert answers(tmp_path / "out/rows.parquet") == expected
    assert len(started) == len(set(started)) + 1, "no worker was started again"


def test_a_worker_that_always_dies_is_an_error(
    rows: pd.DataFrame, tmp_path: Path, credit_explainer: scfe.Explainer, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows.to_parquet(tmp_path / "rows.parquet")
    monkeypatch.setattr(_file_worker.sys, "executable", "/bin/false")
    with pytest.raises(scfe.Error, match="a worker process ended 3 times at the same rows"):
        scfe.explain_files(tmp_path / "rows.parquet", tmp_path / "out", credit_explainer, **ASKED)


WORK = """
import os, time

def fail(rows):
    raise KeyError("no such thing")

def sleep(rows):
    open(f"started{os.getpid()}", "w").close()
    time.sleep(20)
    open("finished", "w").close()
    return rows
"""


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A module with functions that workers call in place of a question."""
    (tmp_path / "work_of_workers.py").write_text(WORK)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("work_of_workers")
    del sys.modules["work_of_workers"]


def test_a_fault_of_a_worker_is_told(work: Any, rows: pd.DataFrame) -> None:
    worker = _file_worker.Worker(work.fail)
    try:
        pids = set()
        for _ in range(2):
            with pytest.raises(scfe.Error, match="a worker process failed: KeyError: 'no such thing'"):
                worker.ask(pa.Table.from_pandas(rows.head(1)))
            pids.add(worker.pid)
        assert len(pids) == 1
    finally:
        worker.close()


def test_the_end_does_not_wait_for_batches(work: Any, rows: pd.DataFrame, tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), _files._Workers(work.sleep, 2) as workers:
        futures = [workers.submit(pa.Table.from_pandas(rows.head(1))) for _ in range(4)]
        while len(list(tmp_path.glob("started*"))) < 2:
            time.sleep(0.01)
        raise KeyboardInterrupt
    assert not (tmp_path / "finished").exists() and len(list(tmp_path.glob("started*"))) == 2
    assert all(future.cancelled() or "the run was ended" in str(future.exception()) for future in futures)


def test_bad_input(rows: pd.DataFrame, tmp_path: Path, credit_explainer: scfe.Explainer) -> None:
    rows.drop(columns="housing").to_parquet(tmp_path / "less.parquet")
    rows.assign(housing="castle").head(3).to_csv(tmp_path / "castle.csv", index=False)
    (tmp_path / "no.parquet").write_text("x")

    def refused(name: str, sentence: str, **more: Any) -> None:
        with pytest.raises(scfe.Error, match=sentence):
            scfe.explain_files(tmp_path / name, tmp_path / "out", credit_explainer, **ASKED, **more)

    refused("less.parquet", r"less.parquet: rows: expected a column 'housing'")
    refused("none*.parquet", r"none\*.parquet: expected files of rows")
    refused("no.parquet", "no.parquet: expected a Parquet or CSV file")
    refused("castle.csv", "batch_rows: expected a number above 0, got 0", batch_rows=0)
    assert not (tmp_path / "out").exists()
    refused("castle.csv", "row with customer='c0': column 'housing'", on_error="raise", processes=1)


def test_bad_files_and_folders(rows: pd.DataFrame, tmp_path: Path, credit_explainer: scfe.Explainer) -> None:
    def refused(given: Any, out: str, sentence: str) -> None:
        with pytest.raises(scfe.Error, match=sentence):
            scfe.explain_files(given, tmp_path / out, credit_explainer, processes=1, **ASKED)

    (tmp_path / "in").mkdir()
    rows.head(2).to_csv(tmp_path / "in/good.csv", index=False)
    refused([], "out", "rows: expected at least one file, got an empty list")
    refused(None, "out", "rows: expected a path, a pattern or a list of them, got None")
    refused(tmp_path / "in/*.csv", "in", "out: expected a folder for answers alone, got '.*in', .* a file 'good.csv'")
    refused(tmp_path / "in/*.csv", "in/good.csv", "out: expected a folder for the answers, .*good.csv': File exists")
    assert [path.name for path in (tmp_path / "in").iterdir()] == ["good.csv"]

    many = rows.head(100).assign(customer="c" * 20_000).to_csv(index=False)
    assert len(many) > 1 << 20, "expected more than a block of the reader"
    (tmp_path / "cut.csv").write_text(many + "1,2\n")
    refused(tmp_path / "cut.csv", "out1", "cut.csv: cannot be read after row [1-9][0-9]*: CSV parse error: Expected")

    rows.to_parquet(tmp_path / "torn.parquet", row_group_size=200)
    content = bytearray((tmp_path / "torn.parquet").read_bytes())
    column = pq.read_metadata(tmp_path / "torn.parquet").row_group(1).column(0)
    start = column.dictionary_page_offset or column.data_page_offset
    content[start : start + column.total_compressed_size] = b"\xff" * column.total_compressed_size
    (tmp_path / "torn.parquet").write_bytes(content)
    refused(tmp_path / "torn.parquet", "out2", "torn.parquet: cannot be read after row [0-9]+: ")


MEASURED = """
import resource, sys, scfe
scfe.explain_files(sys.argv[1], sys.argv[2], scfe.load(sys.argv[3]), processes=1, batch_rows=250, part_rows=1000,
                   plausible="none", max_changes=1, hints=False)
print(sum(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))
"""


def test_memory_does_not_grow_with_the_rows(wine: pd.DataFrame, tmp_path: Path, bundles: dict[str, Path]) -> None:
    """Peak memory of both processes: six times the rows may not take a tenth more."""
    peaks = []
    for count in (1_000, 6_000):
        rows = pd.concat([wine] * (count // len(wine) + 1), ignore_index=True).head(count)
        rows.to_parquet(tmp_path / f"{count}.parquet", row_group_size=1_000)
        words = [str(tmp_path / f"{count}.parquet"), str(tmp_path / f"out{count}"), str(bundles["wine"])]
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", MEASURED, *words], capture_output=True, text=True, check=True
        )
        peaks.append(int(done.stdout))
        assert sum(pq.read_metadata(part).num_rows for part in tmp_path.glob(f"out{count}/*/*.parquet")) == count
    assert peaks[1] < 1.1 * peaks[0], peaks
