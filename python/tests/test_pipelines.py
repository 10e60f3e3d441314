"""Pipelines as people have them: columns that are dropped, and texts that are imputed."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest

import scfe

pytest.importorskip("skl2onnx")
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    random = np.random.default_rng(3)
    rows = 400
    made = pd.DataFrame(
        {
            "Kunden-Nr.": [f"K{100000 + k}" for k in range(rows)],
            "Antragsdatum": pd.date_range("2024-01-01", periods=rows),
            "betrag": np.round(random.normal(20, 5, rows), 1),
            "wohnen": random.choice(["eigen", "miete", "frei"], rows),
        }
    )
    score = (20 - made.betrag) / 5 + 1.5 * (made.wohnen == "eigen") + random.normal(0, 0.3, rows)
    return made.assign(antwort=np.where(score > 0.5, "ja", "nein"))


def fitted(model: Any, table: pd.DataFrame, **options: Any) -> scfe.Explainer:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return scfe.Explainer(model, table, label="antwort", **options)


@pytest.mark.parametrize("options", [{}, {"id": "Kunden-Nr."}, {"ignore": ["Kunden-Nr.", "Antragsdatum"]}])
@pytest.mark.parametrize("whole", [True, False])
def test_columns_that_the_pipeline_drops(table: pd.DataFrame, options: dict[str, Any], whole: bool) -> None:
    columns = ColumnTransformer([("n", StandardScaler(), ["betrag"]), ("t", OneHotEncoder(), ["wohnen"])])
    features = table.drop(columns="antwort")
    model = make_pipeline(columns, LogisticRegression()).fit(features, table.antwort)
    given = table if whole or options else table.drop(columns=["Kunden-Nr.", "Antragsdatum"])
    explainer = fitted(model, given, **options)
    assert explainer.features == ["betrag", "wohnen"]
    assert any("on all of 400 rows" in fact for fact in explainer.facts)
    assert not any("black box" in fact for fact in explainer.facts)
    rows = given[model.predict(features) == "nein"].head(10)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        answers = explainer.explain(rows, target="ja")
    frame = answers.to_frame()
    assert answers.found.all() and frame.dtypes.equals(rows.dtypes)
    assert (model.predict(frame) == "ja").all()


def test_imputed_texts_are_read(table: pd.DataFrame) -> None:
    gaps = table.drop(columns=["Kunden-Nr.", "Antragsdatum"])
    gaps["wohnen"] = gaps.wohnen.astype(object)
    gaps.loc[gaps.index[::9], "wohnen"] = np.nan
    texts = make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder())
    columns = ColumnTransformer([("n", StandardScaler(), ["betrag"]), ("t", texts, ["wohnen"])])
    model = make_pipeline(columns, LogisticRegression()).fit(gaps.drop(columns="antwort"), gaps.antwort)
    explainer = fitted(model, gaps, missing="impute")
    assert not any("black box" in fact for fact in explainer.facts), explainer.facts
    assert np.isnan(texts.steps[0][1].missing_values)  # the model that was given stays as it is
    count = int(gaps.wohnen.isna().sum())
    fact = next(fact for fact in explainer.facts if fact.startswith(f"{count} rows with missing cells"))
    assert f"the same on {count} of them" in fact  # the pipeline fills in the same level


def test_the_step_without_a_converter_is_named(table: pd.DataFrame) -> None:
    numbers = table[["betrag", "antwort"]].assign(alter=np.arange(400.0))
    model = make_pipeline(FunctionTransformer(np.log1p), StandardScaler(), LogisticRegression())
    model.fit(numbers[["betrag", "alter"]], numbers.antwort)
    explainer = fitted(model, numbers)
    fact = next(fact for fact in explainer.facts if "black box" in fact)
    assert "FunctionTransformer" in fact and "LogisticRegression" not in fact and "before the pipeline" in fact
