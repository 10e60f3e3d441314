"""Counterfactuals of a Spark DataFrame. Needs Spark 4.1 or later on the driver and scfe, pyarrow on every worker.

    answers = scfe.spark.explain(df, explainer, target="approved", max_changes=2)      # a DataFrame; nothing runs yet
    scfe.spark.register(spark, explainer, "scfe", target="approved")
    spark.sql("SELECT id, scfe(struct(*)).status FROM rows")
    explainer = scfe.spark.fit(df, model, sample=100_000, label="risk")

The explainer is broadcast once as its bundle and opened once in each Python worker. A call uses `spark.task.cpus`
threads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema
from pyspark.sql.types import StructType

from ._batch import Question
from ._errors import Error
from ._explainer import Explainer


def explain(
    df: DataFrame,
    explainer: Explainer,
    *,
    keep: Iterable[str] | None = None,
    on_error: str = "status",
    **wishes: Any,
) -> DataFrame:
    """One row of answers for each row: the columns of `keep` (None: all that are no features), then the answers.

    on_error  "status": a row that cannot be read has the status "error" and a reason; "raise": it ends the job
    wishes    keywords of `Explainer.explain`
    """
    question = _broadcast(df.sparkSession, Question(explainer, wishes, keep, on_error, _threads(df.sparkSession)))
    question.check(to_arrow_schema(df.schema, timezone="UTC"))
    schema = StructType(
        [*(df.schema[name] for name in question.kept(df.columns)), *from_arrow_schema(question.answers)]
    )

    def answered(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            yield from question(batch).to_batches()

    return df.mapInArrow(answered, schema)


def register(spark: SparkSession, explainer: Explainer, name: str = "scfe", **wishes: Any) -> Any:
    """A function of SQL: a struct with the features in, a struct with the answer out. Also returned for DataFrames."""
    on_error = wishes.pop("on_error", "status")
    question = _broadcast(spark, Question(explainer, wishes, (), on_error, _threads(spark)))
    kind = StructType(list(from_arrow_schema(question.answers)))

    def answer(rows: Any) -> Any:
        import pyarrow

        batch = pyarrow.RecordBatch.from_struct_array(rows)
        question.check(batch.schema)  # a struct's columns are known here at the earliest
        return question(batch).combine_chunks().to_struct_array().combine_chunks()

    # Spark reads the types of a function's arguments off its annotations.
    import pyarrow

    answer.__annotations__ = {"rows": pyarrow.Array, "return": pyarrow.Array}
    return spark.udf.register(name, F.arrow_udf(answer, kind))


def fit(df: DataFrame, model: Any, *, sample: int, seed: int = 0, **keywords: Any) -> Explainer:
    """Fits on this machine with `sample` rows, or all if there are fewer: `keywords` are those of `scfe.Explainer`.

    The sample is that of the smallest hashes of rows and seed, so that it does not depend on the partitions.
    """
    if sample < 1:
        raise Error(f"sample: expected a number of rows above 0, got {sample}")
    order = F.xxhash64(F.lit(seed), *(F.col(f"`{name}`") for name in df.columns))
    return Explainer(
        model, df.orderBy(order, *(F.col(f"`{n}`") for n in df.columns)).limit(sample).toArrow(), **keywords
    )


def _broadcast(spark: SparkSession, question: Question) -> Question:
    sent = spark.sparkContext.broadcast(question.bundle())

    def bundle() -> bytes:
        value: bytes = sent.value
        return value

    question.bundle = bundle
    return question


def _threads(spark: SparkSession) -> int:
    return int(spark.sparkContext.getConf().get("spark.task.cpus", "1") or 1)
