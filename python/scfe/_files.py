"""Files of rows to files of answers, in constant memory, by several processes, without any engine.

    scfe.explain_files("in/*.parquet", "out/", explainer, target="approved", max_changes=2)

Each file is read batch by batch. Its answers are the Parquet files `out/NAME/part-00000.parquet`, ... in the order of
its rows, each of `part_rows` rows. A part has its name only once it is complete, so a run that was ended, by whatever
means, is resumed by calling the function again: parts that exist are not asked again.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from ._batch import Question
from ._errors import Error
from ._explainer import Explainer
from ._file_worker import Worker
from ._row_files import by_name, files_of, open_rows


def explain_files(
    rows: str | os.PathLike[str] | Iterable[str],
    out: str | os.PathLike[str],
    explainer: Explainer,
    *,
    keep: Iterable[str] | None = None,
    on_error: str = "status",
    processes: int | None = None,
    threads: int = 1,
    batch_rows: int = 4096,
    part_rows: int = 65_536,
    **wishes: Any,
) -> dict[str, int]:
    """Explains the rows of Parquet and CSV files. Returns how many `rows` were answered now and how many `resumed`.

    rows        a path, a pattern such as "in/*.parquet", or a list of them
    out         a folder, with a folder of parts for each file
    keep        columns that are handed through; None: all that are no features
    on_error    "status": a row that cannot be read has the status "error" and a reason; "raise": it ends the run
    processes   worker processes; None: as many as this process has CPUs. `threads`: of each of them
    batch_rows  rows of one call: memory is a few batches for each process
    part_rows   rows of one file of answers: what is lost at most if the run is killed
    wishes      keywords of `Explainer.explain`
    """
    for name, value in (("processes", processes), ("batch_rows", batch_rows), ("part_rows", part_rows)):
        if value is not None and value < 1:
            raise Error(f"{name}: expected a number above 0, got {value}")
    question = Question(explainer, wishes, keep, on_error, threads)
    files = by_name(files_of(rows))
    for file in files.values():
        schema, _ = open_rows(file, batch_rows)
        try:
            question.check(schema)
        except Error as error:
            raise Error(f"{file}: {error}") from None
    home = os.fspath(out)
    for name in files:
        if os.path.isfile(os.path.join(home, name)):
            raise Error(f"out: expected a folder for answers alone, got {home!r}, which has a file {name!r}")
    _make_folder(home)
    counts = {"rows": 0, "resumed": 0}
    with _locked(home), _Workers(question, processes or len(os.sched_getaffinity(0))) as workers:
        _remember(home, question, part_rows, files)
        for name, file in files.items():
            schema, batches = open_rows(file, batch_rows)
            _answer(
                workers,
                batches,
                _Parts(os.path.join(home, name), question.check(schema)),
                part_rows,
                batch_rows,
                counts,
            )
    return counts


def _answer(
    workers: _Workers, batches: Iterator[Any], parts: _Parts, part_rows: int, batch_rows: int, counts: dict[str, int]
) -> None:
    pending: deque[tuple[int, Future[Any]]] = deque()
    for part, batch in _cut(batches, part_rows, batch_rows):
        if parts.complete(part):
            counts["resumed"] += batch.num_rows
            continue
        pending.append((part, workers.submit(batch)))
        counts["rows"] += batch.num_rows
        if len(pending) > 2 * workers.count:
            parts.write(*_done(pending))
    while pending:
        parts.write(*_done(pending))
    parts.close()


def _done(pending: deque[tuple[int, Future[Any]]]) -> tuple[int, Any]:
    part, future = pending.popleft()
    return part, future.result()


def _cut(batches: Iterator[Any], part_rows: int, batch_rows: int) -> Iterator[tuple[int, Any]]:
    """Batches of at most so many rows, none of which belongs to two parts, each with the number of its part."""
    row = 0
    for batch in batches:
        at = 0
        while at < batch.num_rows:
            part, within = divmod(row, part_rows)
            count = min(batch_rows, batch.num_rows - at, part_rows - within)
            yield part, batch.slice(at, count)
            at, row = at + count, row + count


class _Parts:
    """The files of answers of one file of rows. Each is written aside and renamed when it is on the disk."""

    def __init__(self, folder: str, schema: Any) -> None:
        self._folder, self._schema = folder, schema
        _make_folder(folder)
        self._finished = {name for name in os.listdir(folder) if name.endswith(".parquet")}
        self._part, self._writer = -1, None

    def complete(self, part: int) -> bool:
        return f"part-{part:05}.parquet" in self._finished

    def write(self, part: int, answers: Any) -> None:
        import pyarrow.parquet

        if part != self._part:
            self.close()
            self._part = part
            self._writer = pyarrow.parquet.ParquetWriter(self._path() + ".writing", self._schema)
        assert self._writer is not None
        self._writer.write_table(answers)

    def close(self) -> None:
        if self._writer is None:
            return
        self._writer.close()
        with open(self._path() + ".writing", "rb") as file:
            os.fsync(file.fileno())
        os.replace(self._path() + ".writing", self._path())
        self._writer = None

    def _path(self) -> str:
        return os.path.join(self._folder, f"part-{self._part:05}.parquet")


class _Workers:
    """Processes, each spoken to by one thread at a time."""

    def __init__(self, question: Question, count: int) -> None:
        self.count = count
        self._threads = ThreadPoolExecutor(count, "scfe explain_files")
        self._all = [Worker(question) for _ in range(count)]
        self._idle = list(self._all)  # never empty for a thread, because there are as many threads

    def submit(self, batch: Any) -> Future[Any]:
        return self._threads.submit(self._ask, batch)

    def _ask(self, batch: Any) -> Any:
        worker = self._idle.pop()
        try:
            return worker.ask(batch)
        finally:
            self._idle.append(worker)

    def __enter__(self) -> _Workers:
        return self

    def __exit__(self, *_: object) -> None:
        # The processes are killed first: a thread that waits for the answers of a batch would else wait to the end.
        for worker in self._all:
            worker.stop()
        self._threads.shutdown(cancel_futures=True)
        for worker in self._all:
            worker.close()


def _make_folder(path: str) -> None:
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as error:
        raise Error(f"out: expected a folder for the answers, got {path!r}: {error.strerror}") from None


def _remember(home: str, question: Question, part_rows: int, files: dict[str, str]) -> None:
    """Writes what is asked into the folder of the answers, or compares it with what was asked there before."""
    wishes = {name: value for name, value in question.wishes.items() if name != "threads"}
    asked = {
        "bundle": question.digest, "limits": question.limits, "wishes": wishes, "keep": question.keep,
        "on_error": question.on_error, "part_rows": part_rows,
        "files": {name: [os.stat(path).st_size, os.stat(path).st_mtime_ns] for name, path in files.items()},
    }  # fmt: skip
    path = os.path.join(home, "question.json")
    now: dict[str, Any] = json.loads(json.dumps(asked, default=repr))
    if not os.path.exists(path):
        with open(path + ".writing", "w", encoding="utf-8") as file:
            json.dump(now, file, indent=1)
        os.replace(path + ".writing", path)
        return
    with open(path, encoding="utf-8") as file:
        before = json.load(file)
    other = [name for name in now if now[name] != before.get(name)]
    if other:
        raise Error(f"{home}: has answers to another question ({', '.join(other)} differ): expected an empty folder")


@contextmanager
def _locked(home: str) -> Iterator[None]:
    """Keeps two runs from writing into one folder."""
    try:
        lock = open(os.path.join(home, ".lock"), "w", encoding="utf-8")  # noqa: SIM115
    except OSError as error:
        raise Error(f"out: expected a folder that can be written to, got {home!r}: {error.strerror}") from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Error(f"{home}: another run is writing answers there") from None
        yield
