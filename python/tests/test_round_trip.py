"""Frames in, frames out: columns, order, index and dtypes stay, whatever they are; answers do not depend on them."""

from __future__ import annotations

import json
import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from conftest import DATA
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import scfe

FLOATS = ["float64", "Float64"]
WHOLE = ["int64", "int32", "uint16", "float64", "Int64", "Int32", "Float64"]
TEXTS = ["object", "category", "string"]


def as_types(table: pd.DataFrame, draw: st.DrawFn) -> pd.DataFrame:
    types = {}
    for name in table.columns:
        choices = TEXTS if table[name].dtype.kind == "O" else WHOLE if table[name].dtype.kind == "i" else FLOATS
        types[name] = draw(st.sampled_from(choices))
    return table.astype(types)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_credit(data: st.DataObject, credit: pd.DataFrame, credit_explainer: scfe.Explainer) -> None:
    count = data.draw(st.integers(1, 4))
    first = data.draw(st.integers(0, 900))
    plain = credit.iloc[first : first + count]
    expected = credit_explainer.explain(plain, target="approved", max_changes=2)
    typed = data.draw(st.composite(lambda draw: as_types(plain, draw))())
    typed = typed[data.draw(st.permutations(list(typed.columns)))]
    labels = st.lists(st.integers(-5, 5) | st.text(max_size=3), min_size=count, max_size=count)
    typed.index = pd.Index(data.draw(labels))
    answers = credit_explainer.explain(typed, target="approved", max_changes=2)
    assert answers.to_json() == expected.to_json()
    frame = answers.to_frame()
    assert list(frame.columns) == list(typed.columns)
    for name in typed.columns:
        given, came = typed[name].dtype, frame[name].dtype
        if isinstance(given, pd.CategoricalDtype):  # a level that the rows lacked is added at the end
            assert came.categories[: len(given.categories)].equals(given.categories) and came.ordered == given.ordered
        else:
            assert came == given
    assert frame.index.equals(typed.index)
    back = frame.reset_index(drop=True)[list(plain.columns)]
    wanted = expected.to_frame().reset_index(drop=True)
    for name in plain.columns:
        assert back[name].astype(object).tolist() == wanted[name].astype(object).tolist(), name


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(row=st.integers(0, 170), cell=st.sampled_from(["alcohol", "ash", "hue"]), digits=st.integers(0, 12))
def test_unchanged_numbers_keep_their_bits(
    row: int, cell: str, digits: int, wine: pd.DataFrame, wine_explainer: scfe.Explainer
) -> None:
    rows = wine.iloc[[row]].astype({name: float for name in wine.columns[:-1]})
    rows.loc[rows.index[0], cell] += np.pi * 10.0**-digits / 10
    answer = wine_explainer.explain(rows)
    frame = answer.to_frame()
    changed = {change.feature for change in answer[0].changes}
    for name in wine.columns[:-1]:
        same = frame[name].iloc[0].tobytes() == rows[name].iloc[0].tobytes()
        assert same or name in changed


def test_single_precision_stays(wine: pd.DataFrame, wine_explainer: scfe.Explainer) -> None:
    single = wine.head(20).astype({name: "float32" for name in wine.columns[:-1]})
    answers = wine_explainer.explain(single)
    frame = answers.to_frame()
    assert (frame.dtypes == single.dtypes).all()
    targets = [e.target for e in answers if e.found]
    assert wine_explainer.predict(frame[answers.found]).tolist() == targets and len(targets) > 10
    for e in answers:
        for name in single.columns[:-1]:
            if name not in {change.feature for change in e.changes}:
                assert frame[name].iloc[e.row] == single[name].iloc[e.row]


def test_numpy_and_dict(wine: pd.DataFrame, wine_explainer: scfe.Explainer) -> None:
    expected = wine_explainer.explain(wine.drop(columns="class").head(5))
    array = wine.drop(columns="class").head(5).to_numpy()
    answers = wine_explainer.explain(array)
    assert answers.to_json() == expected.to_json()
    back = answers.to_frame()
    assert isinstance(back, np.ndarray) and back.shape == array.shape
    as_dict = {name: wine[name].head(5).to_numpy() for name in wine.columns[:-1]}
    assert wine_explainer.explain(as_dict).to_json() == expected.to_json()


def test_missing_cells_by_policy(wine: pd.DataFrame) -> None:
    table = wine[wine["class"] < 2].copy()
    gaps = table.copy()
    gaps.loc[gaps.index[3], "hue"] = np.nan
    model = str(DATA / "models" / "wine.onnx")
    with pytest.warns(UserWarning, match="1 row with missing cells"):
        dropping = scfe.Explainer(model, gaps, label="class", missing="drop")
    answers = dropping.explain(gaps.head(5))
    assert answers[3].reason == "'hue' is missing (policy: drop)" and answers[3].counterfactual is None
    with pytest.warns(UserWarning, match="1 missing cell filled"):
        filling = scfe.Explainer(model, gaps, label="class", missing="impute")
    with pytest.warns(UserWarning, match="1 missing cell filled"):
        assert filling.explain(gaps.head(5)).found[3]


def test_booleans_and_ordered_categories() -> None:
    random = np.random.default_rng(1)
    size = pd.Categorical(random.choice(["small", "medium", "large"], 300), ["small", "medium", "large"], ordered=True)
    table = pd.DataFrame({"flag": random.random(300) > 0.5, "size": size, "x": random.random(300).round(2)})
    table["label"] = (table.x + 0.3 * table.flag + 0.2 * table["size"].cat.codes) > 0.8

    def model(rows: Any) -> np.ndarray[Any, Any]:
        return np.asarray(5 * (rows["x"] + 0.3 * rows["flag"] + 0.2 * rows["size"].cat.codes - 0.8), dtype=float)

    explainer = scfe.Explainer(model, table, label="label")
    assert explainer.classes == ["False", "True"]
    features = {feature["name"]: feature for feature in explainer.schema["features"]}
    assert features["size"]["levels"] == ["small", "medium", "large"] and features["size"]["order"]
    assert features["flag"]["type"] == "binary"
    rows = table[~table.label].head(20)
    answers = explainer.explain(rows, target=True)
    frame = answers.to_frame()
    assert (frame.dtypes == rows.dtypes).all()
    assert (model(frame)[answers.found] > 0).all() and answers.found.sum() > 15


def test_a_schema_by_path_is_that_of_its_text(credit: pd.DataFrame) -> None:
    path = DATA / "german_credit.schema.json"
    given: tuple[Any, ...] = (path, str(path), path.read_text(), json.loads(path.read_text()))
    model = str(DATA / "models" / "german_credit.onnx")
    explainers = [scfe.Explainer(model, credit, schema=one) for one in given]
    asked = [ex.explain(credit.head(3), target="approved") for ex in explainers]
    assert all(answers.to_json() == asked[0].to_json() for answers in asked)


def test_answers_say_that_they_cannot_be_pickled(credit_explainer: scfe.Explainer, credit: pd.DataFrame) -> None:
    answers = credit_explainer.explain(credit.head(2), target="approved")
    with pytest.raises(scfe.Error, match="pickle to_frame"):
        pickle.dumps(answers)
    assert pickle.loads(pickle.dumps(list(answers))) == list(answers)
