"""What an engine adds, as ratios within one run: per row against the plain batch call, and two workers against one.

    scripts/cluster bench [--rows N] [ENGINE ...]      files dask ray spark

German Credit with its network, one thread a worker. Each engine has one warm-up, which opens the explainer and is
compared with the answers of one process. Then: seconds of the engine with one worker over those of `explain`, and
seconds of one worker over those of two.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python" / "cluster"))
import cases

import scfe

Run = Callable[[], pa.Table]


@contextmanager
def files(case: cases.Case, workers: int) -> Iterator[Run]:
    with tempfile.TemporaryDirectory() as folder:
        pq.write_table(case.rows, f"{folder}/rows.parquet")
        count = iter(range(1000))

        def run() -> pa.Table:
            out = f"{folder}/out{next(count)}"
            scfe.explain_files(
                f"{folder}/rows.parquet", out, case.explainer, processes=workers, batch_rows=2000, **case.wishes
            )
            return pq.read_table(f"{out}/rows.parquet")

        yield run


@contextmanager
def dask(case: cases.Case, workers: int) -> Iterator[Run]:
    import dask.dataframe as dd
    from distributed import Client, LocalCluster

    import scfe.dask

    with (
        LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        Client(cluster),
    ):
        rows = dd.from_pandas(case.rows.to_pandas(), npartitions=8).persist()
        yield lambda: pa.Table.from_pandas(
            scfe.dask.explain(rows, case.explainer, **case.wishes).compute(), preserve_index=False
        )


@contextmanager
def ray(case: cases.Case, workers: int) -> Iterator[Run]:
    import ray

    import scfe.ray

    ray.init(num_cpus=workers + 1, include_dashboard=False, log_to_driver=False)
    ray.data.DataContext.get_current().enable_progress_bars = False
    rows = ray.data.from_arrow(case.rows).repartition(8).materialize()

    def run() -> pa.Table:
        made = scfe.ray.explain(rows, case.explainer, workers=workers, batch_rows=2000, **case.wishes)
        return pa.concat_tables(made.iter_batches(batch_size=None, batch_format="pyarrow"))

    try:
        yield run
    finally:
        ray.shutdown()


@contextmanager
def spark(case: cases.Case, workers: int) -> Iterator[Run]:
    from spark_cluster import spark_cluster

    import scfe.spark

    with spark_cluster(workers) as session:
        rows = session.createDataFrame(case.rows).repartition(8).persist()
        rows.count()
        yield lambda: scfe.spark.explain(rows, case.explainer, **case.wishes).toArrow()


ENGINES = {"files": files, "dask": dask, "ray": ray, "spark": spark}


def seconds(run: Run) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("engines", nargs="*", metavar="ENGINE", help=" ".join(ENGINES))
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--runs", type=int, default=5)
    asked = parser.parse_args()
    asked.engines = asked.engines or list(ENGINES)
    if unknown := set(asked.engines) - set(ENGINES):
        parser.error(f"expected some of {' '.join(ENGINES)}, got {' '.join(sorted(unknown))}")
    whole = cases.network()
    case = cases.Case(whole.explainer, whole.wishes, cases.repeated(whole.rows, asked.rows))
    plain = case.rows.drop_columns(["id"])
    print(f"{asked.rows} rows, {asked.runs} runs, {os.cpu_count()} CPUs, load {os.getloadavg()[0]:.1f}")
    print("| engine | plain call, ms a row | engine, ms a row | engine : plain | one worker : two |")
    print("| --- | --- | --- | --- | --- |")
    for name in asked.engines:
        alone, one, two = [], [], []
        for workers, times in ((1, one), (2, two)):
            with ENGINES[name](case, workers) as run:
                assert case.same(run().select(case.expected.column_names))
                for _ in range(asked.runs):
                    if workers == 1:
                        alone.append(seconds(lambda: case.explainer.explain(plain, threads=1, **case.wishes)))
                    times.append(seconds(run))
        middle, base = statistics.median(one), statistics.median(alone)
        each = 1000 / asked.rows
        pair = middle / statistics.median(two)
        print(f"| {name} | {base * each:.3f} | {middle * each:.3f} | {middle / base:.2f} | {pair:.2f} |", flush=True)


if __name__ == "__main__":
    main()
