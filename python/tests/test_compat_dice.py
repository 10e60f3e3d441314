"""Calls as notebooks for DiCE make them, on this engine: the same names, and results of the same shapes."""

from __future__ import annotations

import itertools
import json
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest

import scfe.compat.dice as dice_ml

METHODS = ("random", "genetic", "kdtree", "gradient")
VARY = ("all", ["duration_months", "amount", "checking_account", "savings"])
RANGES: tuple[Any, ...] = (None, {"amount": [300, 5000], "savings": ["above_1000", "500_to_1000", "unknown"]})


@pytest.fixture(scope="module")
def table() -> Any:
    from conftest import DATA

    table = pd.read_csv(DATA / "german_credit.csv")
    return table.assign(risk=(table["risk"] == "good").astype(int))


@pytest.fixture(scope="module")
def pipeline(table: Any) -> Any:
    pytest.importorskip("sklearn")
    pytest.importorskip("skl2onnx")
    import model_data
    import model_zoo
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    return make_pipeline(model_zoo.columns(model_data.credit()), LogisticRegression(max_iter=500)).fit(
        table.drop(columns="risk"), table["risk"]
    )


@pytest.fixture(scope="module")
def explainers(table: Any, pipeline: Any) -> dict[str, Any]:
    numbers = [
        "duration_months",
        "amount",
        "installment_rate",
        "residence_years",
        "age",
        "existing_credits",
        "dependents",
    ]
    d = dice_ml.Data(dataframe=table, continuous_features=numbers, outcome_name="risk")
    m = dice_ml.Model(model=pipeline, backend="sklearn")
    first = dice_ml.Dice(d, m, method=METHODS[0])
    made = {method: dice_ml.Dice(d, m, method=method) for method in METHODS}
    for one in made.values():
        one._explainers = first._explainers  # fitted once
    return made


CALLS = [
    (method, total, desired, vary, permitted)
    for method, total, desired, (vary, permitted) in itertools.product(
        METHODS, (1, 2, 4), ("opposite", 0, 1), (("all", None), (VARY[1], None), ("all", RANGES[1]))
    )
]


@pytest.mark.parametrize(("method", "total", "desired", "vary", "permitted"), CALLS)
def test_calls(
    explainers: dict[str, Any],
    table: Any,
    pipeline: Any,
    method: str,
    total: int,
    desired: Any,
    vary: Any,
    permitted: Any,
) -> None:
    rows = table.drop(columns="risk")
    before = pipeline.predict(rows)
    chosen = rows[before == (0 if desired != 0 else 1)].iloc[[3, 8]]
    exp = explainers[method]
    result = exp.generate_counterfactuals(
        chosen, total_CFs=total, desired_class=desired, features_to_vary=vary, permitted_range=permitted
    )
    assert len(result.cf_examples_list) == 2
    wanted = 0 if desired == 0 else 1
    for one, (_, row) in zip(result.cf_examples_list, chosen.iterrows(), strict=True):
        found = one.final_cfs_df
        assert list(found.columns) == [*rows.columns, "risk"] and 0 < len(found) <= total
        assert (found.dtypes[:-1] == rows.dtypes).all()
        assert (pipeline.predict(found[list(rows.columns)]) == wanted).all() and (found["risk"] == wanted).all()
        if vary != "all":
            frozen = [name for name in rows.columns if name not in vary]
            assert (found[frozen] == row[frozen]).all(axis=None)
        if permitted:
            low, high = permitted["amount"]
            assert found["amount"].between(min(low, row["amount"]), max(high, row["amount"])).all()
            assert found["savings"].isin([*permitted["savings"], row["savings"]]).all()


def test_there_are_more_than_fifty_calls() -> None:
    assert len(CALLS) >= 50


def test_what_is_shown(explainers: dict[str, Any], table: Any, capsys: Any) -> None:
    result = explainers["random"].generate_counterfactuals(
        table.drop(columns="risk")[1:2], total_CFs=2, desired_class="opposite"
    )
    result.visualize_as_dataframe(show_only_changes=True)
    result.visualize_as_list()
    shown = capsys.readouterr().out
    assert "Query instance (original outcome : 0)" in shown and "new outcome: 1" in shown and "-" in shown
    document = json.loads(result.to_json())
    assert len(document["test_data"]) == 1 and len(document["cfs_list"][0]) == len(
        result.cf_examples_list[0].final_cfs_df
    )
    assert document["feature_names_including_target"][-1] == "risk" and document["metadata"]["version"] == "2.0"


def test_rows_as_dicts(explainers: dict[str, Any], table: Any) -> None:
    row = table.drop(columns="risk").iloc[1].to_dict()
    for given in (row, [row]):
        assert len(explainers["random"].generate_counterfactuals(given, total_CFs=1).cf_examples_list) == 1


def test_importance(explainers: dict[str, Any], table: Any) -> None:
    rows = table.drop(columns="risk")[:10]
    local = explainers["random"].local_feature_importance(rows[:2], total_CFs=3).local_importance
    assert len(local) == 2 and all(0 <= share <= 1 for one in local for share in one.values())
    summary = explainers["random"].global_feature_importance(rows, total_CFs=2).summary_importance
    assert set(summary) == set(rows.columns) and max(summary.values()) > 0
    with pytest.raises(dice_ml.UserConfigValidationException, match="at least 10 rows"):
        explainers["random"].global_feature_importance(rows[:3])


def test_settings_of_another_search_are_named(explainers: dict[str, Any], table: Any) -> None:
    row = table.drop(columns="risk")[1:2]
    with pytest.warns(UserWarning, match="proximity_weight, diversity_weight"):
        explainers["genetic"].generate_counterfactuals(row, total_CFs=1, proximity_weight=1.5, diversity_weight=1.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        explainers["random"].generate_counterfactuals(row, total_CFs=1, random_seed=9, verbose=True)


def test_regression(table: Any) -> None:
    pytest.importorskip("skl2onnx")
    from sklearn.linear_model import LinearRegression

    numbers = table.select_dtypes("number").drop(columns="risk")
    model = LinearRegression().fit(numbers.drop(columns="amount"), numbers["amount"])
    d = dice_ml.Data(dataframe=numbers, continuous_features=list(numbers.columns[:-1]), outcome_name="amount")
    exp = dice_ml.Dice(d, dice_ml.Model(model=model, backend="sklearn", model_type="regressor"))
    rows = numbers.drop(columns="amount")[:3]
    result = exp.generate_counterfactuals(rows, total_CFs=2, desired_range=[4000, 6000])
    for one in result.cf_examples_list:
        assert one.final_cfs_df["amount"].between(4000, 6000).all()


BAD: dict[str, Any] = {
    "no frame": (lambda t, e: dice_ml.Data(features={"a": [0, 1]}, outcome_name="y"), "expected dataframe="),
    "no outcome": (lambda t, e: dice_ml.Data(dataframe=t, outcome_name="y"), "expected a column of the frame, got 'y'"),
    "method": (lambda t, e: dice_ml.Dice(None, None, method="magic"), "expected one of random"),
    "total": (lambda t, e: e.generate_counterfactuals(t[:1], total_CFs=0), "expected a number above 0"),
    "vary": (lambda t, e: e.generate_counterfactuals(t[:1], 1, features_to_vary=["x"]), "expected features, got 'x'"),
    "class": (
        lambda t, e: e.generate_counterfactuals(t[:1], 1, desired_class=7),
        "desired_class: expected one of 0, 1",
    ),
    "columns": (lambda t, e: e.generate_counterfactuals(t[["age"]], 1), "expected the column 'duration_months'"),
    "nothing": (
        lambda t, e: e.generate_counterfactuals(t[1:2], 1, features_to_vary=["dependents"]),
        "no counterfactuals found for any of the query points",
    ),
}


@pytest.mark.parametrize("what", BAD)
def test_bad_input(what: str, table: Any, explainers: dict[str, Any]) -> None:
    call, text = BAD[what]
    with pytest.raises(dice_ml.UserConfigValidationException, match=text):
        call(table.drop(columns="risk") if what != "no outcome" else table, explainers["random"])


def test_scaling_of_dice(table: Any) -> None:
    d = dice_ml.Data(dataframe=table, continuous_features=["age", "amount"], outcome_name="risk")
    from scfe.compat.dice_scaling import OneHotMinMax

    numbers = OneHotMinMax(d)(table)
    assert (
        numbers.min() == 0
        and numbers.max() == 1
        and np.isclose(numbers[:, 2:].sum(axis=1), len(d.categorical_feature_names)).all()
    )
