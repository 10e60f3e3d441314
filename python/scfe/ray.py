"""Counterfactuals of a Ray Dataset. Needs ray[data] and pyarrow, and scfe on every node.

    answers = scfe.ray.explain(ds, explainer, target="approved", max_changes=2)        # a Dataset; nothing runs yet

Each actor of a pool opens the explainer once. A call uses as many threads as the actor has CPUs. The pool leaves one
CPU of the cluster to the engine, whose own reading and repartitioning would otherwise wait for ever.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pyarrow
import ray
from ray.data import ActorPoolStrategy, Dataset

from ._batch import Question
from ._errors import Error
from ._explainer import Explainer


def explain(
    ds: Dataset,
    explainer: Explainer,
    *,
    keep: Iterable[str] | None = None,
    on_error: str = "status",
    workers: int | None = None,
    cpus: int = 1,
    batch_rows: int = 4096,
    **wishes: Any,
) -> Dataset:
    """One row of answers for each row: the columns of `keep` (None: all that are no features), then the answers.

    on_error    "status": a row that cannot be read has the status "error" and a reason; "raise": it ends the job
    workers     actors of the pool; None: as many as fit into all CPUs but one
    cpus        CPUs, and so threads, of one actor
    batch_rows  rows of one call
    wishes      keywords of `Explainer.explain`
    """
    question = Question(explainer, wishes, keep, on_error, cpus)
    schema = ds.schema()  # of the first block, if nothing else knows it
    if schema is not None:
        question.check(pyarrow.schema(list(zip(schema.names, schema.types, strict=True))))
    total = int(ray.cluster_resources().get("CPU", 1))
    if workers is not None and not 1 <= workers * cpus < max(total, 2):
        raise Error(
            f"workers: expected at most {total - 1} CPUs in all, which leaves one to the engine, got {workers * cpus}"
        )
    return ds.map_batches(
        _Actor,
        fn_constructor_args=(ray.put(question),),
        batch_format="pyarrow",
        batch_size=batch_rows,
        num_cpus=cpus,
        compute=ActorPoolStrategy(size=workers or max(1, (total - 1) // cpus)),
    )


class _Actor:
    def __init__(self, question: Any) -> None:
        self._question: Question = ray.get(question) if isinstance(question, ray.ObjectRef) else question

    def __call__(self, rows: Any) -> Any:
        return self._question(rows)
