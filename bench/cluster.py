"""What an engine adds, as ratios within one run: per row against the plain batch call, and two workers against one.

    scripts/cluster bench [--rows N] [--runs N] [ENGINE ...]      batch processes files dask ray spark

German Credit with its network, one thread a worker. `batch` is the function that all engines send to their workers,
called in this process; `processes` are processes that have their rows already and send the answers through pipes: what
the machine gives without any engine. For an engine: one warm-up, which opens the explainer and is compared with the answers of one
process; then CPU seconds of a job with one worker, of all its processes, over those of `explain`, and seconds (of a
clock: only an idle machine tells) of one worker over those of two. A job of a quarter of the rows is timed as well.
What the two jobs differ by is the time of the rows alone, without the start of workers and whatever else a job costs
once: the second number of each pair.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
import pyarrow as pa
import pyarrow.parquet as pq

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python" / "cluster"))
import cases

import scfe
from scfe._batch import Question

Run = Callable[[], Any]  # a job: gives its answers as the engine does
Prepare = Callable[[cases.Case], Run]


def serve(pipe: Any, question: Question, batches: list[pa.Table]) -> None:
    while pipe.recv():
        pipe.send([question(batch) for batch in batches])


@contextmanager
def processes(workers: int) -> Iterator[Prepare]:
    context, pipes = multiprocessing.get_context("spawn"), []

    def prepare(case: cases.Case) -> Run:
        question, batches, own = Question(case.explainer, case.wishes), in_batches(case), []
        for worker in range(workers):
            here, there = context.Pipe()
            context.Process(target=serve, args=(there, question, batches[worker::workers]), daemon=True).start()
            own.append(here)
        pipes.extend(own)

        def run() -> pa.Table:
            for pipe in own:
                pipe.send(True)
            return pa.concat_tables(answers for pipe in own for answers in pipe.recv())

        return run

    yield prepare
    for pipe in pipes:
        pipe.send(False)


@contextmanager
def files(workers: int) -> Iterator[Prepare]:
    with tempfile.TemporaryDirectory() as folder:
        count = iter(range(1000))

        def prepare(case: cases.Case) -> Run:
            rows = f"{folder}/rows{next(count)}.parquet"
            pq.write_table(case.rows, rows)

            def run() -> pa.Table:
                out = f"{folder}/out{next(count)}"
                scfe.explain_files(rows, out, case.explainer, processes=workers, batch_rows=2000, **case.wishes)
                return pq.read_table(f"{out}/{Path(rows).name}")

            return run

        yield prepare


@contextmanager
def dask(workers: int) -> Iterator[Prepare]:
    import dask.dataframe as dd
    from distributed import Client, LocalCluster

    import scfe.dask

    def prepare(case: cases.Case) -> Run:
        rows = dd.from_pandas(case.rows.to_pandas(), npartitions=8).persist()
        return lambda: scfe.dask.explain(rows, case.explainer, **case.wishes).compute()

    with (
        LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        Client(cluster),
    ):
        yield prepare


@contextmanager
def ray(workers: int) -> Iterator[Prepare]:
    import ray

    import scfe.ray

    def prepare(case: cases.Case) -> Run:
        rows = ray.data.from_arrow(case.rows).repartition(8).materialize()

        def run() -> pa.Table:
            made = scfe.ray.explain(rows, case.explainer, workers=workers, batch_rows=2000, **case.wishes)
            return pa.concat_tables(made.iter_batches(batch_size=None, batch_format="pyarrow"))

        return run

    ray.init(num_cpus=workers + 1, include_dashboard=False, log_to_driver=False)
    ray.data.DataContext.get_current().enable_progress_bars = False
    try:
        yield prepare
    finally:
        ray.shutdown()


@contextmanager
def spark(workers: int) -> Iterator[Prepare]:
    from spark_cluster import spark_cluster

    import scfe.spark

    with spark_cluster(workers) as session:

        def prepare(case: cases.Case) -> Run:
            rows = session.createDataFrame(case.rows).repartition(8).persist()
            rows.count()
            return lambda: scfe.spark.explain(rows, case.explainer, **case.wishes).toArrow()

        yield prepare


ENGINES = {"processes": processes, "files": files, "dask": dask, "ray": ray, "spark": spark}


class Meter:
    """CPU seconds of this process and of all below it, whether they have ended or not.

    Children that have ended are known to the system. Those of other processes, which engines end as they like, are
    looked at every second and keep what was last seen.
    """

    def __init__(self) -> None:
        self._seen: dict[psutil.Process, float] = {}
        self._children: set[psutil.Process] = set()
        self._lock = threading.Lock()

    def seconds(self) -> float:
        with self._lock:
            own, alive = os.times(), set()
            for process in psutil.Process().children(recursive=True):
                with suppress(psutil.NoSuchProcess):
                    times = process.cpu_times()
                    self._seen[process] = times.user + times.system
                    alive.add(process)
                    if process.ppid() == os.getpid():
                        self._children.add(process)
            for process in set(self._children) - alive:
                self._seen.pop(process, None)  # among the children that have ended
            return own.user + own.system + own.children_user + own.children_system + sum(self._seen.values())

    @contextmanager
    def looking(self) -> Iterator[None]:
        over = threading.Event()

        def look() -> None:
            while not over.wait(1.0):
                self.seconds()

        thread = threading.Thread(target=look)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()


METER = Meter()


def timed(run: Run) -> tuple[float, float]:
    """Seconds of the clock and of CPU."""
    start, used = time.perf_counter(), METER.seconds()
    with METER.looking():
        run()
    return time.perf_counter() - start, METER.seconds() - used


def table_of(answers: Any) -> pa.Table:
    return answers if isinstance(answers, pa.Table) else pa.Table.from_pandas(answers, preserve_index=False)


@dataclass
class Times:
    """Seconds of the clock and of CPU, of jobs of all rows and of a quarter of them."""

    whole: list[tuple[float, float]] = field(default_factory=list)
    quarter: list[tuple[float, float]] = field(default_factory=list)

    def of_job(self, kind: int) -> float:
        return statistics.median(pair[kind] for pair in self.whole)

    def of_rows(self, kind: int) -> float:
        return (self.of_job(kind) - statistics.median(pair[kind] for pair in self.quarter)) / 0.75


CLOCK, CPU = 0, 1


def in_batches(case: cases.Case) -> list[pa.Table]:
    return [case.rows.slice(first, 2000) for first in range(0, case.rows.num_rows, 2000)]


def plain(case: cases.Case) -> Run:
    rows = case.rows.drop_columns(["id"])
    return lambda: case.explainer.explain(rows, threads=1, **case.wishes)


def measure(name: str, case: cases.Case, part: cases.Case, runs: int) -> str:
    alone: list[float] = []
    one, two = Times(), Times()
    for workers, times in ((1, one), (2, two)):
        with ENGINES[name](workers) as prepare:
            whole, quarter = prepare(case), prepare(part)
            assert part.same(table_of(quarter()).select(part.expected.column_names))
            for _ in range(runs):
                if workers == 1:
                    alone.append(timed(plain(case))[CPU])
                times.quarter.append(timed(quarter))
                times.whole.append(timed(whole))
    base, each = statistics.median(alone), 1000 / case.rows.num_rows
    job, rows = one.of_job(CPU), one.of_rows(CPU)
    pair = f"{one.of_job(CLOCK) / two.of_job(CLOCK):.2f}, {one.of_rows(CLOCK) / two.of_rows(CLOCK):.2f}"
    return row_of(
        name, base * each, f"{job * each:.3f}, {rows * each:.3f}", f"{job / base:.2f}, {rows / base:.2f}", pair
    )


def measure_batch(case: cases.Case, runs: int) -> str:
    question = Question(case.explainer, case.wishes)
    batches = in_batches(case)
    question(batches[0])
    alone, made = [], []
    for _ in range(runs):
        alone.append(timed(plain(case))[CPU])
        made.append(timed(lambda: [question(batch) for batch in batches])[CPU])
    base, own, each = statistics.median(alone), statistics.median(made), 1000 / case.rows.num_rows
    return row_of("batch", base * each, f"{own * each:.3f}", f"{own / base:.2f}", "")


def row_of(name: str, base: float, own: str, ratio: str, pair: str) -> str:
    return f"| {name} | {base:.3f} | {own} | {ratio} | {pair} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("engines", nargs="*", metavar="ENGINE", help=" ".join(["batch", *ENGINES]))
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--runs", type=int, default=5)
    asked = parser.parse_args()
    asked.engines = asked.engines or ["batch", *ENGINES]
    if unknown := set(asked.engines) - {"batch", *ENGINES}:
        parser.error(f"expected some of batch {' '.join(ENGINES)}, got {' '.join(sorted(unknown))}")
    base = cases.network()
    case, part = (
        cases.Case(base.explainer, base.wishes, cases.repeated(base.rows, rows))
        for rows in (asked.rows, asked.rows // 4)
    )
    print(f"{asked.rows} rows, {asked.runs} runs, {os.cpu_count()} CPUs, load {os.getloadavg()[0]:.1f}")
    print("| engine | `explain`, CPU ms a row | job, rows alone | engine : `explain` | seconds, one worker : two |")
    print("| --- | --- | --- | --- | --- |")
    for name in asked.engines:
        print(measure_batch(case, asked.runs) if name == "batch" else measure(name, case, part, asked.runs), flush=True)


if __name__ == "__main__":
    main()
