"""A batch of rows to a batch of answers: what every engine sends to its workers, without any engine."""

from __future__ import annotations

import os
import pickle
import threading
import time
import warnings
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest

import scfe

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed; `make cluster` runs these tests")

from scfe._batch import Question  # noqa: E402

ASKED: dict[str, Any] = {"target": "approved", "max_changes": 2}


@pytest.fixture(scope="module")
def rows(credit: pd.DataFrame) -> Any:
    table = credit.drop(columns="risk").head(150)
    return pa.Table.from_pandas(table.assign(customer=[f"c{i}" for i in range(150)]), preserve_index=False)


def texts(table: Any) -> list[str]:
    return [repr(row) for row in table.to_pylist()]


def changed(rows: Any, name: str, cells: dict[int, Any]) -> Any:
    values = rows[name].to_pylist()
    for place, cell in cells.items():
        values[place] = cell
    return rows.set_column(rows.column_names.index(name), name, pa.array(values))


def test_says_what_explain_says(rows: Any, credit_explainer: scfe.Explainer) -> None:
    asked = {**ASKED, "plausible": 0.5}  # so that some rows have hints
    question = Question(credit_explainer, asked)
    table = question(rows)
    assert table.schema.equals(question.check(rows.schema))
    assert table["customer"].to_pylist() == rows["customer"].to_pylist()
    answers = credit_explainer.explain(rows.drop_columns(["customer"]), **asked)
    seen = {"changes": 0, "hints": 0, "counterfactual": 0}
    for got, one in zip(table.to_pylist(), answers, strict=True):
        for name in ("reason", "predicted", "target", "probability", "distance", "log_density", "quantile", "proof"):
            assert got[name] == getattr(one, name)
        assert got["status"] == one.status.value
        assert got["counterfactual"] == one.counterfactual
        assert [(c["feature"], c["before"], c["after"], c["room"]) for c in got["changes"]] == [
            (c.feature, str(c.before), str(c.after), c.room) for c in one.changes
        ]
        assert [(h["kind"], h["value"], h["distance"], h["reached"], h["text"]) for h in got["hints"]] == [
            (h.kind, str(h.value), h.distance, h.reached, h.text) for h in one.hints
        ]
        for name in seen:
            seen[name] += bool(got[name])
    assert all(seen.values()), seen


@pytest.mark.parametrize("size", [1, 7, 64])
def test_same_in_any_batches_and_after_pickling(size: int, rows: Any, credit_explainer: scfe.Explainer) -> None:
    question = Question(credit_explainer, {**ASKED, "answers": 2})
    sent = pickle.loads(pickle.dumps(question))
    some = rows.slice(0, 70)
    pieces = [sent(batch) for batch in some.to_batches(max_chunksize=size)]
    assert texts(pa.concat_tables(pieces)) == texts(question(some))


def test_several_answers_are_a_list(rows: Any, credit_explainer: scfe.Explainer) -> None:
    table = Question(credit_explainer, {**ASKED, "answers": 3})(rows).to_pylist()
    answers = credit_explainer.explain(rows.drop_columns(["customer"]), **ASKED, answers=3)
    for place, row in enumerate(table):
        assert [one["distance"] for one in row["answers"]] == [one.distance for one in answers.of_row(place)]
        assert row["distance"] == row["answers"][0]["distance"]
    assert max(len(row["answers"]) for row in table) == 3


def test_bad_rows_are_a_status_and_leave_the_others_alone(rows: Any, credit_explainer: scfe.Explainer) -> None:
    question = Question(credit_explainer, ASKED)
    bad = changed(changed(rows, "housing", {0: "castle", 77: "castle"}), "age", {149: None})
    got, good = question(bad), question(rows)
    reasons = {place: row["reason"] for place, row in enumerate(got.to_pylist()) if row["status"] == "error"}
    castle = "column 'housing': expected one of forfree, own, rent, got 'castle'"
    assert reasons == {0: castle, 77: castle, 149: reasons[149]} and "column 'age'" in reasons[149]
    assert got["customer"].to_pylist() == rows["customer"].to_pylist()
    others = [place for place in range(150) if place not in reasons]
    assert texts(got.take(others)) == texts(good.take(others))
    with pytest.raises(scfe.Error, match="row with customer='c0': column 'housing'"):
        Question(credit_explainer, ASKED, on_error="raise")(bad)


def test_limits_of_single_rows_are_columns(rows: Any, credit_explainer: scfe.Explainer) -> None:
    some = rows.slice(0, 60)
    amounts = [float(cell) for cell in some["amount"].to_pylist()]
    question = Question(credit_explainer, ASKED)
    got = question(some.append_column("amount:min", [amounts]))
    assert "amount:min" not in got.column_names
    assert texts(got) != texts(question(some))
    plain = credit_explainer.explain(some.drop_columns(["customer"]), row_limits={"amount:min": amounts}, **ASKED)
    assert got["distance"].to_pylist() == [one.distance for one in plain]


def test_kept_columns_and_empty_batches(rows: Any, credit_explainer: scfe.Explainer) -> None:
    question = Question(credit_explainer, ASKED, keep=["age", "customer"])
    empty = question(rows.slice(0, 0))
    assert empty.num_rows == 0 and empty.column_names[:3] == ["age", "customer", "answer"]
    assert empty.schema.equals(question.check(rows.schema))


SCHEMAS: list[tuple[Callable[[Any], Any], str]] = [
    (lambda t: t.drop_columns(["amount"]), "expected a column 'amount', got none"),
    (lambda t: t.rename_columns(["amuont" if n == "amount" else n for n in t.column_names]), "did you mean 'amuont'"),
    (lambda t: t.set_column(0, t.column_names[0], pa.nulls(len(t), pa.date32())), "holds dates or times"),
    (lambda t: t.append_column("reason", pa.nulls(len(t), pa.string())), "column 'reason' has the name of a column"),
]


@pytest.mark.parametrize(("change", "sentence"), SCHEMAS)
def test_bad_schemas(change: Callable[[Any], Any], sentence: str, rows: Any, credit_explainer: scfe.Explainer) -> None:
    with pytest.raises(scfe.Error, match=sentence):
        Question(credit_explainer, ASKED).check(change(rows).schema)


@pytest.mark.parametrize(
    ("wishes", "sentence"),
    [
        ({"target": "aproved"}, "did you mean 'approved'"),
        ({"freeze": "agee"}, "did you mean 'age'"),
        ({"max_chnages": 2}, "did you mean 'max_changes'"),
        ({"on_error": "skip"}, "on_error: expected 'status' or 'raise', got 'skip'"),
        ({"keep": "age"}, "keep: expected a list of names"),
        ({"row_limits": {"age:max": [1]}}, "row_limits: expected as columns"),
    ],
)
def test_bad_questions_before_anything_runs(
    wishes: dict[str, Any], sentence: str, credit_explainer: scfe.Explainer
) -> None:
    own = {name: wishes.pop(name) for name in ("on_error", "keep") if name in wishes}
    with pytest.raises(scfe.Error, match=sentence):
        Question(credit_explainer, wishes, **own)


def test_a_function_cannot_be_sent(credit: pd.DataFrame) -> None:
    def approved(x: Any) -> Any:
        good = 1 / (1 + 2.0 ** (x[:, 0] / 4000 - 1))
        return np.stack([1 - good, good], axis=1)

    data = credit[["amount", "age", "risk"]]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        explainer = scfe.Explainer(approved, data, label="risk", inputs="array", output="probabilities")
    with pytest.raises(scfe.Error, match="cannot be saved or pickled"):
        Question(explainer, {})


def threads() -> int:
    return len(os.listdir("/proc/self/task"))


def working_threads(work: Callable[[], Any]) -> int:
    """How many threads beyond those of before are there at once during at least a tenth of the work.

    A thread that ends lingers for a moment, so the most at any one time would say too much.
    """
    looks, done, calm = Counter[int](), threading.Event(), [threads()]
    for _ in range(200):  # those of earlier work linger too
        time.sleep(0.001)
        calm.append(threads())
    before = min(calm)

    def watch() -> None:
        while not done.is_set():
            looks[threads() - before - 1] += 1  # this thread does not count
            time.sleep(0.0005)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        work()
    finally:
        done.set()
        watcher.join()
    assert looks.total() > 20, "the work was too short to count its threads"
    return max(count for count, seen in looks.items() if seen >= looks.total() / 10)


def test_threads_are_counted(rows: Any, credit_explainer: scfe.Explainer) -> None:
    """So many threads work as were asked for, beside the main thread, which waits for Ctrl-C."""
    many = pa.concat_tables([rows] * 3)
    questions = {count: Question(credit_explainer, ASKED, threads=count) for count in (1, 3)}
    questions[1](many)  # pyarrow starts threads of its own with its first table
    used = {count: working_threads(partial(question, many)) for count, question in questions.items()}
    assert used == {1: 1, 3: 3}
