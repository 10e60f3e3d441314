"""The Spark adapter on a standalone cluster with two worker processes."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from cases import CASES, ROOT, Case, network, repeated, texts
from pyspark.errors import PythonException
from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from spark_cluster import executors, spark_cluster

import scfe
import scfe.spark


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    with spark_cluster() as session:
        yield session


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("partitions", [2, 7])
def test_same_in_any_partitioning(spark: SparkSession, case: str, partitions: int) -> None:
    asked = CASES[case]()
    answers = scfe.spark.explain(
        spark.createDataFrame(asked.rows).repartition(partitions), asked.explainer, **asked.wishes
    )
    assert asked.same(answers.toArrow())


def test_a_killed_executor_changes_nothing(spark: SparkSession) -> None:
    # So many rows that the job takes seconds: it must not end before an executor is killed.
    asked = Case(network().explainer, network().wishes, repeated(network().rows, 12_000))
    frame = scfe.spark.explain(spark.createDataFrame(asked.rows).repartition(12), asked.explainer, **asked.wishes)
    answers: list[pa.Table] = []
    job = threading.Thread(target=lambda: answers.append(frame.toArrow()))
    job.start()
    tracker, done = spark.sparkContext.statusTracker(), 0
    while job.is_alive() and not 0 < done < 12:
        stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
        done = max((stage.numCompletedTasks for stage in stages if stage and stage.numTasks == 12), default=0)
        time.sleep(0.01)
    assert 0 < done < 12, "the job ended before anything could be killed"
    victim = executors()[0]
    victim.kill()
    victim.wait()
    job.join()
    assert asked.same(answers[0])


def test_pipeline_checkpoint_and_schema(spark: SparkSession, tmp_path: Path) -> None:
    asked = network()
    spark.sparkContext.setCheckpointDir(str(tmp_path))
    rows = spark.createDataFrame(asked.rows).limit(60).withColumn("when", F.current_timestamp())
    answers = scfe.spark.explain(rows, asked.explainer, **asked.wishes)
    assert answers.columns[:3] == ["id", "when", "answer"]
    counted = (
        answers.checkpoint().withColumn("plans", F.size("answers")).filter("status = 'valid'").select("id", "plans")
    )
    ids = {row["id"] for row in counted.collect()}
    expected = {row["id"] for row in asked.expected.to_pylist() if row["status"] == "valid"}
    assert ids and ids <= expected and {row["plans"] for row in counted.collect()} <= {1, 2}


def test_function_of_sql(spark: SparkSession) -> None:
    asked = network()
    scfe.spark.register(spark, asked.explainer, "scfe", **asked.wishes)
    spark.createDataFrame(asked.rows.slice(0, 80)).createOrReplaceTempView("rows")
    answers = spark.sql("SELECT id, a.* FROM (SELECT id, scfe(struct(*)) AS a FROM rows)").toArrow()
    assert texts(answers) == texts(asked.expected)[:80]


def test_threads_are_those_of_a_task(spark: SparkSession) -> None:
    assert scfe.spark._threads(spark) == int(spark.sparkContext.getConf().get("spark.task.cpus", "1")) == 1


def test_fit_takes_a_sample_that_does_not_depend_on_partitions(spark: SparkSession) -> None:
    frame = spark.read.csv(str(ROOT / "data/german_credit.csv"), header=True, inferSchema=True)
    schema = (ROOT / "data/german_credit.schema.json").read_text()

    def fitted(rows: Any, sample: int) -> bytes:
        return scfe.spark.fit(
            rows, str(ROOT / "data/models/german_credit.onnx"), sample=sample, schema=schema
        ).to_bytes()

    assert fitted(frame, 500) == fitted(frame.repartition(5), 500) != fitted(frame, 400)
    with pytest.raises(scfe.Error, match="sample: expected a number of rows above 0"):
        fitted(frame, 0)


def test_bad_input(spark: SparkSession) -> None:
    asked = network()
    frame = spark.createDataFrame(asked.rows.slice(0, 40)).repartition(4)
    for bad, sentence in (
        (frame.drop("housing"), "expected a column 'housing'"),
        (frame.withColumn("amount", F.current_date()), "'amount' holds dates"),
        (frame.withColumn("status", F.lit("x")), "column 'status' has the name"),
    ):
        with pytest.raises(scfe.Error, match=sentence):  # before anything runs
            scfe.spark.explain(bad, asked.explainer)
    first = asked.rows["id"][0].as_py()
    castle = frame.withColumn("housing", F.when(F.col("id") == first, "castle").otherwise(F.col("housing")))
    answers = {
        row["id"]: row for row in scfe.spark.explain(castle, asked.explainer, **asked.wishes).toArrow().to_pylist()
    }
    assert {key for key, row in answers.items() if row["status"] == "error"} == {first}
    assert "column 'housing': expected one of forfree, own, rent, got 'castle'" in answers[first]["reason"]
    with pytest.raises(PythonException, match=f"id={first}: column 'housing'"):
        scfe.spark.explain(castle, asked.explainer, on_error="raise", **asked.wishes).collect()
