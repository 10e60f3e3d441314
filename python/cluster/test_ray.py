"""The Ray adapter on an instance with two CPUs, and one more for the engine where two actors are wanted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psutil
import pyarrow as pa
import pytest
import ray
from cases import CASES, network

import scfe
import scfe.ray


@pytest.fixture(scope="module", autouse=True)
def instance() -> Iterator[None]:
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=200 * 2**20)
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield
    ray.shutdown()


def table(answers: Any) -> pa.Table:
    return pa.concat_tables(answers.iter_batches(batch_size=None, batch_format="pyarrow"))


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("blocks", [1, 5])
def test_same_in_any_partitioning(case: str, blocks: int) -> None:
    asked = CASES[case]()
    rows = ray.data.from_arrow(asked.rows).repartition(blocks)
    assert asked.same(table(scfe.ray.explain(rows, asked.explainer, batch_rows=700, **asked.wishes)))


def test_a_killed_actor_changes_nothing() -> None:
    asked = network()
    rows = ray.data.from_arrow(asked.rows).repartition(12)
    batches = iter(
        scfe.ray.explain(rows, asked.explainer, batch_rows=100, **asked.wishes).iter_batches(
            batch_size=None, batch_format="pyarrow"
        )
    )
    made = [next(batches)]
    running = [one for one in psutil.Process().children(recursive=True) if one.cmdline()]
    actors = [one for one in running if one.cmdline()[0].startswith("ray::") and "Map" in one.cmdline()[0]]
    assert actors, "the job ended before anything could be killed"
    for actor in actors:
        actor.kill()
    made += list(batches)
    assert asked.same(pa.concat_tables(made))


def test_a_cpu_is_left_to_the_engine() -> None:
    asked = network()
    with pytest.raises(scfe.Error, match="workers: expected at most 1 CPUs in all"):
        scfe.ray.explain(ray.data.from_arrow(asked.rows), asked.explainer, workers=2)


def test_bad_input() -> None:
    asked = network()
    rows = ray.data.from_arrow(asked.rows.slice(0, 40)).repartition(4)
    with pytest.raises(scfe.Error, match="expected a column 'housing'"):
        scfe.ray.explain(rows.drop_columns(["housing"]), asked.explainer)
    first = asked.rows["id"][0].as_py()

    def castle(row: dict[str, Any]) -> dict[str, Any]:
        return {**row, "housing": "castle" if row["id"] == first else row["housing"]}

    answers = {
        row["id"]: row for row in table(scfe.ray.explain(rows.map(castle), asked.explainer, **asked.wishes)).to_pylist()
    }
    assert {key for key, row in answers.items() if row["status"] == "error"} == {first}
    assert "column 'housing': expected one of forfree, own, rent, got 'castle'" in answers[first]["reason"]
    with pytest.raises(Exception, match=f"id={first}: column 'housing'"):
        table(scfe.ray.explain(rows.map(castle), asked.explainer, on_error="raise", **asked.wishes))
