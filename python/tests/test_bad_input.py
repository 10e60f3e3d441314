"""Bad input: one clear sentence each, which names what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from conftest import DATA

import scfe

MODEL = str(DATA / "models" / "german_credit.onnx")


def without(name: str) -> Callable[[pd.DataFrame], pd.DataFrame]:
    return lambda table: table.drop(columns=name)


def with_cell(name: str, value: Any) -> Callable[[pd.DataFrame], pd.DataFrame]:
    def change(table: pd.DataFrame) -> pd.DataFrame:
        table = table.astype({name: object}) if isinstance(value, str) else table.astype({name: float})
        table.loc[table.index[2], name] = value
        return table

    return change


def with_text_in_numbers(table: pd.DataFrame) -> pd.DataFrame:
    table = table.astype({"age": object})
    table.loc[table.index[1], "age"] = "old"
    return table


ROWS: list[tuple[Callable[[pd.DataFrame], Any], str]] = [
    (without("amount"), "no column 'amount'|expected a column 'amount'"),
    (lambda t: t.rename(columns={"amount": "amuont"}), "did you mean 'amuont'"),
    (with_cell("housing", "castle"), r"rows: row 3, column 'housing'.*'castle'"),
    (with_cell("housing", "onw"), "did you mean 'own'"),
    (with_cell("age", float("nan")), r"rows: row 3, column 'age': expected a value"),
    (with_cell("amount", float("inf")), r"rows: row 3, column 'amount'.*'inf'"),
    (with_cell("amount", 10.5), r"rows: row 3, column 'amount': expected a whole number, got '10.5'"),
    (with_text_in_numbers, "column 'age' has mixed types"),
    (lambda t: pd.concat([t, t[["age"]]], axis=1), "more than one column 'age'"),
    (lambda t: t.assign(amount=pd.Timestamp("2020-01-01")), "column 'amount' holds dates or times"),
    (lambda t: t.rename(columns={"age": 3}), "column 'age'"),
    (lambda t: t.head(0), "the table has no rows"),
    (lambda t: 5, "a table was expected .*got int"),
    (lambda t: np.zeros((2, 3)), "has 3 columns: expected 20"),
]


@pytest.mark.parametrize(("change", "sentence"), ROWS)
def test_rows(
    change: Callable[[pd.DataFrame], Any], sentence: str, credit: pd.DataFrame, credit_explainer: scfe.Explainer
) -> None:
    with pytest.raises(scfe.Error, match=sentence) as caught:
        credit_explainer.explain(change(credit.head(5)))
    assert "\n" not in str(caught.value)
    assert isinstance(caught.value, ValueError)


OPTIONS: list[tuple[dict[str, Any], str]] = [
    ({"max_chnages": 2}, "unknown option 'max_chnages': did you mean 'max_changes'"),
    ({"max_changes": 0}, "max_changes: expected a whole number"),
    ({"plausible": 1.5}, "plausible: expected a number from 0 to 1"),
    ({"target": "aproved"}, "target: .*did you mean 'approved'"),
    ({"freeze": "agee"}, "freeze: .*did you mean 'age'"),
    ({"range": {"age": 5}}, r"range of 'age': expected \(low, high\)"),
    ({"range": {"age": (50, 20)}}, "range: expected LO <= HI"),
    ({"rules": ["age <"]}, "rule: "),
    ({"freeze": [3]}, "freeze: expected names as texts, got 3"),
    ({"density": "knn"}, "density"),
    ({"missing": "drop"}, "missing: expected when the explainer is fitted"),
    ({"row_limits": {"age:max": [1, 2]}}, "row_limits: expected 5 rows, got 2"),
]


@pytest.mark.parametrize(("keywords", "sentence"), OPTIONS)
def test_options(
    keywords: dict[str, Any], sentence: str, credit: pd.DataFrame, credit_explainer: scfe.Explainer
) -> None:
    with pytest.raises(scfe.Error, match=sentence):
        credit_explainer.explain(credit.head(5), **keywords)


def test_fits(credit: pd.DataFrame) -> None:
    def refused(sentence: str, model: Any = MODEL, data: Any = credit, **keywords: Any) -> None:
        with pytest.raises(scfe.Error, match=sentence):
            scfe.Explainer(model, data, **keywords)

    refused("the file of the model cannot be read", model="no.onnx", label="risk")
    refused("model", model=b"what", label="risk")
    refused("the model is a int: expected a path", model=5, label="risk")
    refused("label: expected the class column")
    refused("no column 'rsik': did you mean 'risk'", label="rsik")
    refused("at least two classes, got 1", data=credit[credit.risk == "good"], label="risk")
    refused("the table has no rows", data=credit.head(0), label="risk")
    refused("inputs: expected 55 .*, got 59", data=credit.drop(columns=["job"]), label="risk")
    refused("schema", schema={"format": "scfe-schema"})
    refused("schema: expected a dict, JSON text, or the path of a JSON file, got 'nowhere.json'", schema="nowhere.json")
    refused("schema", schema="{")
    refused("more than one column 'age'", data=pd.concat([credit, credit[["age"]]], axis=1), label="risk")
    refused("column 'age' has mixed types", data=with_text_in_numbers(credit), label="risk")
    refused("column 'age': expected a value", data=with_cell("age", float("nan"))(credit), label="risk")
    refused("no columns", data=pd.DataFrame(), label="risk")


def test_unknown_column_is_a_warning(credit: pd.DataFrame, credit_explainer: scfe.Explainer) -> None:
    with pytest.warns(UserWarning, match="column 'note' is not used"):
        answers = credit_explainer.explain(credit.head(2).assign(note="x"))
    assert list(answers.to_frame().columns) == [*credit.columns, "note"]
