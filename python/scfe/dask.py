"""Counterfactuals of a Dask DataFrame. Needs dask[dataframe] and pyarrow, and scfe on every worker.

    answers = scfe.dask.explain(ddf, explainer, target="approved", max_changes=2)      # nothing runs yet

The explainer is one task of the graph, which workers hand to each other, and is opened once in each process. A call
uses one thread, because a Dask worker runs as many tasks at once as it has threads.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import dask.dataframe
import pandas
import pyarrow
from dask.delayed import delayed

from ._batch import Question
from ._explainer import Explainer


def explain(
    ddf: dask.dataframe.DataFrame,
    explainer: Explainer,
    *,
    keep: Iterable[str] | None = None,
    on_error: str = "status",
    **wishes: Any,
) -> dask.dataframe.DataFrame:
    """One row of answers for each row, with its index: the columns of `keep` (None: all that are no features), then the
    answers as Arrow dtypes, nested ones too.

    on_error  "status": a row that cannot be read has the status "error" and a reason; "raise": it ends the job
    wishes    keywords of `Explainer.explain`
    """
    question = Question(explainer, wishes, keep, on_error)
    question.check(pyarrow.Schema.from_pandas(ddf._meta, preserve_index=False))
    meta = _joined(question, ddf._meta, question.answers.empty_table())
    return ddf.map_partitions(_answered, delayed(question, pure=True), meta=meta)


def _answered(rows: Any, question: Question) -> Any:
    table = pyarrow.Table.from_pandas(rows, preserve_index=False)
    return _joined(question, rows, question(table).select(question.answers.names))


def _joined(question: Question, rows: Any, answers: Any) -> Any:
    """The kept columns of the frame itself, which keep their dtypes, beside the answers."""
    made = answers.to_pandas(types_mapper=pandas.ArrowDtype).set_axis(rows.index)
    return pandas.concat([rows[question.kept(list(rows.columns))], made], axis=1)
