"""The Dask adapter on a LocalCluster with two processes."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from typing import Any

import dask
import dask.dataframe as dd
import pandas as pd
import pyarrow as pa
import pytest
from cases import CASES, network
from distributed import Client, LocalCluster, as_completed

import scfe
import scfe.dask


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 10}),
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        Client(cluster) as made,
    ):
        yield made


def partitioned(rows: pa.Table, partitions: int) -> Any:
    return dd.from_pandas(rows.to_pandas(), npartitions=partitions)


def table(answers: pd.DataFrame) -> pa.Table:
    return pa.Table.from_pandas(answers, preserve_index=False)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("partitions", [2, 7])
def test_same_in_any_partitioning(client: Client, case: str, partitions: int) -> None:
    asked = CASES[case]()
    frame = partitioned(asked.rows, partitions)
    answers = scfe.dask.explain(frame, asked.explainer, **asked.wishes)
    made = answers.compute()
    assert asked.same(table(made))
    assert made.dtypes.equals(answers.dtypes) and made.index.equals(frame.compute().index)


def test_a_killed_worker_changes_nothing(client: Client) -> None:
    asked = network()
    answers = scfe.dask.explain(partitioned(asked.rows, 12), asked.explainer, **asked.wishes)
    futures = client.compute(answers.to_delayed())
    next(as_completed(futures))
    assert any(not future.done() for future in futures), "the job ended before anything could be killed"
    pids = client.run(os.getpid)
    os.kill(next(iter(pids.values())), signal.SIGKILL)
    assert asked.same(table(pd.concat(client.gather(futures))))
    assert set(client.run(os.getpid).values()) != set(pids.values())


def test_one_task_has_one_thread(client: Client) -> None:
    made = scfe.dask.Question(network().explainer, {})
    assert made.wishes["threads"] == 1 == next(iter(client.nthreads().values()))


def test_bad_input(client: Client) -> None:
    asked = network()
    frame = partitioned(asked.rows.slice(0, 40), 4)
    with pytest.raises(scfe.Error, match="expected a column 'housing'"):
        scfe.dask.explain(frame.drop(columns="housing"), asked.explainer)
    with pytest.raises(scfe.Error, match="'amount' holds dates"):
        scfe.dask.explain(frame.assign(amount=pd.Timestamp("2020-01-01")), asked.explainer)
    first = asked.rows["id"][0].as_py()
    castle = frame.assign(housing=frame.housing.where(frame.id != first, "castle"))
    answers = scfe.dask.explain(castle, asked.explainer, **asked.wishes).compute().set_index("id")
    assert list(answers.index[answers.status == "error"]) == [first]
    assert "column 'housing': expected one of forfree, own, rent, got 'castle'" in answers.reason[first]
    with pytest.raises(scfe.Error, match=f"id={first}: column 'housing'"):
        scfe.dask.explain(castle, asked.explainer, on_error="raise", **asked.wishes).compute()
