"""What somebody who opens the package for the first time does: truth values, dates, gaps, limits, typing errors."""

from __future__ import annotations

import pickle
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from conftest import DATA, ROOT

import scfe
import scfe.compat.dice as dice_ml

INCOME = "Netto Einkommen €"


def loans(rows: int = 600) -> pd.DataFrame:
    random = np.random.default_rng(0)
    table = pd.DataFrame(
        {
            "hat_konto": random.random(rows) < 0.5,
            INCOME: np.round(random.normal(3000, 800, rows), 2),
            "Kreditbetrag": random.integers(1, 60, rows) * 500,
        }
    )
    table["entscheidung"] = np.where(chance(table) > 0.5, "bewilligt", "abgelehnt")
    return table


def chance(table: Any) -> np.ndarray[Any, Any]:
    z = 3 * (np.asarray(table[INCOME], float) / 1000 - 3.7 + 1.5 * np.asarray(table["hat_konto"], float))
    return np.asarray(1 / (1 + np.exp(-z + np.asarray(table["Kreditbetrag"], float) / 20000)))


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    return loans()


@pytest.fixture(scope="module")
def ex(table: pd.DataFrame) -> scfe.Explainer:
    return fitted(table)


def fitted(table: Any, **options: Any) -> scfe.Explainer:
    options = {"model": chance, "label": "entscheidung", "classes": ["abgelehnt", "bewilligt"], **options}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return scfe.Explainer(data=table, **options)


@pytest.fixture(scope="module")
def answers(ex: scfe.Explainer, table: pd.DataFrame) -> scfe.Answers:
    return ex.explain(table[ex.predict(table) == "abgelehnt"].head(40), target="bewilligt", max_changes=2)


# ---- limits of every question


def test_limits_are_in_the_saved_file(wine: pd.DataFrame, tmp_path: Path) -> None:
    keep = wine[wine["class"] < 2]
    limits: dict[str, Any] = {
        "freeze": ["proline"],
        "only_up": ["hue"],
        "range": {"alcohol": (12, 14)},
        "rules": ["ash <= magnesium"],
    }
    explainer = scfe.Explainer(str(DATA / "models" / "wine.onnx"), keep, label="class", **limits)
    rows = keep[keep["class"] == 0].head(20)
    expected = [(e.status, e.changes) for e in explainer.explain(rows, target=1)]
    assert any(changes for _, changes in expected)
    explainer.save(tmp_path / "limited.scfe")
    pickled = pickle.loads(pickle.dumps(explainer))
    for other in (scfe.load(tmp_path / "limited.scfe"), pickled):
        assert [(e.status, e.changes) for e in other.explain(rows, target=1)] == expected
        kept = other.get_params()
        assert list(kept["freeze"]) == ["proline"] and list(kept["only_up"]) == ["hue"]
        assert list(kept["rules"]) == ["ash <= magnesium"]
    loaded = scfe.load(tmp_path / "limited.scfe")
    alcohol = next(one for one in loaded.schema["features"] if one["name"] == "alcohol")
    assert alcohol["range"] == [12, 14]
    assert loaded.set_params(**loaded.get_params()).get_params() == loaded.get_params()
    pickled.set_params(freeze=())
    assert pickled.get_params()["freeze"] == ()


def test_a_wrong_limit_is_refused_when_it_is_given(table: pd.DataFrame, ex: scfe.Explainer) -> None:
    with pytest.raises(scfe.Error, match="freeze: unknown feature 'hat_kont': did you mean 'hat_konto'"):
        fitted(table, freeze=["hat_kont"])
    with pytest.raises(scfe.Error, match="unknown feature 'hat_kont'"):
        ex.set_params(only_up="hat_kont")


def test_limits_are_taken_from_an_index(ex: scfe.Explainer, table: pd.DataFrame) -> None:
    rows = table[ex.predict(table) == "abgelehnt"].head(5)
    for names in (table.columns[:2], np.array(["hat_konto", INCOME]), {"hat_konto", INCOME}):
        limited = ex.explain(rows, target="bewilligt", freeze=names)
        assert not {c.feature for e in limited for c in e.changes} & {"hat_konto", INCOME}


# ---- truth values


def test_truth_values_everywhere(ex: scfe.Explainer, answers: scfe.Answers, tmp_path: Path) -> None:
    changed = [c for e in answers for c in e.changes if c.feature == "hat_konto"]
    assert changed and all(c.before is False and c.after is True for c in changed)
    assert {type(e.counterfactual["hat_konto"]) for e in answers if e.counterfactual} == {bool}
    for line in answers.to_json():
        assert line["counterfactual"]["hat_konto"] in ("False", "True")
        for change in line["changes"]:
            assert change["from"] is not None and change["to"] is not None
    rows = answers.to_frame().assign(hat_konto=False)[[e.changes != () and e.changes[0] in changed for e in answers]]
    again = repr(ex.explain(rows.head(10), target="bewilligt", max_changes=2))
    printed = [line.split() for line in again.splitlines() if line.startswith("  hat_konto")]
    assert printed and all(cells[1:] == ["False", "True"] for cells in printed)
    cells = {line.split(",")[4] for line in str(answers.to_csv()).splitlines()[1:]}
    assert cells <= {"True", "False"} and cells
    answers.report(str(tmp_path / "report.html"))
    assert "hat_konto" in (tmp_path / "report.html").read_text()
    assert answers.to_frame().dtypes["hat_konto"].kind == "b"
    assert ex.verify(answers)["holds"]
    next(e for e in answers if any(c.feature == "hat_konto" for c in e.changes)).plot()


def test_truth_values_of_other_tools_mean_the_same(ex: scfe.Explainer, table: pd.DataFrame) -> None:
    rows = table[ex.predict(table) == "abgelehnt"].head(10)
    expected = [e.changes for e in ex.explain(rows, target="bewilligt")]
    for other in (rows.hat_konto.astype(int), rows.hat_konto.astype(str).str.lower(), rows.hat_konto.astype("boolean")):
        asked = ex.explain(rows.assign(hat_konto=other), target="bewilligt")
        assert [e.changes for e in asked] == expected
        assert "-> 1" not in repr(asked)


def test_numbers_0_and_1_may_be_asked_as_truth_values(table: pd.DataFrame, tmp_path: Path) -> None:
    numbers = table.assign(hat_konto=table.hat_konto.astype(int))
    explainer = fitted(numbers)
    rows = table[chance(table) < 0.5].head(30)
    asked = explainer.explain(rows, target="bewilligt")
    assert {c.after for e in asked for c in e.changes if c.feature == "hat_konto"} == {1}
    assert {line["counterfactual"]["hat_konto"] for line in asked.to_json()} <= {0, 1}
    asked.report(str(tmp_path / "report.html"))
    assert asked.to_frame().dtypes["hat_konto"].kind == "b"


def test_predict_gives_the_values_of_the_label(table: pd.DataFrame, ex: scfe.Explainer) -> None:
    flags = table.assign(entscheidung=chance(table) > 0.5)
    explainer = fitted(flags, classes=None)
    predicted = explainer.predict(flags)
    assert predicted.dtype == bool and (predicted == flags.entscheidung).all() and predicted.any()
    numbers = table.assign(entscheidung=(chance(table) > 0.5).astype(float))
    predicted = fitted(numbers, classes=None).predict(numbers)
    assert predicted.dtype == np.int64 and (predicted == numbers.entscheidung).all()
    assert (ex.predict(table) == table.entscheidung).all()


# ---- columns that no model reads


@pytest.mark.parametrize("kind", ["datetime64[ns]", "object", "timezone"])
def test_dates_among_the_rows_are_handed_through(table: pd.DataFrame, ex: scfe.Explainer, kind: str) -> None:
    days: Any = pd.Series(pd.date_range("2024-01-01", periods=len(table)), index=table.index)
    days = days.dt.tz_localize("UTC") if kind == "timezone" else days.dt.date if kind == "object" else days
    dated = table.assign(Antragsdatum=days)
    rows = dated[ex.predict(table) == "abgelehnt"].head(4)
    with pytest.warns(UserWarning, match="'Antragsdatum' is not used"):
        asked = ex.explain(rows, target="bewilligt")
    frame = asked.to_frame()
    assert list(frame.columns) == list(rows.columns) and frame.dtypes.equals(rows.dtypes)
    assert frame.Antragsdatum.equals(rows.Antragsdatum)
    with pytest.raises(scfe.Error, match=r"'Antragsdatum' holds dates or times .* ignore"):
        fitted(dated)
    other = fitted(dated, ignore=["Antragsdatum"])
    assert other.features == ex.features and other.explain(rows, target="bewilligt").found.any()
    assert scfe.infer_schema(dated, "entscheidung", ignore=["Antragsdatum"])["ignore"] == ["Antragsdatum"]
    named = fitted(dated, id="Antragsdatum")
    assert named.explain(rows, target="bewilligt")[0].name.startswith("2024-")


# ---- missing cells


def test_filled_cells_are_named(table: pd.DataFrame) -> None:
    gaps = table.astype({"Kreditbetrag": float})
    gaps.loc[gaps.index[::7], "Kreditbetrag"] = np.nan
    explainer = fitted(gaps, missing="impute")
    fact = next(fact for fact in explainer.facts if "missing cells are filled" in fact)
    assert fact.startswith(f"{gaps.Kreditbetrag.isna().sum()} rows")
    with pytest.warns(UserWarning, match="filled"):
        asked = explainer.explain(gaps.head(30), target="bewilligt")
    fill = next(one for one in explainer.schema["features"] if one["name"] == "Kreditbetrag")["fill"]
    filled = [e for e in asked if e.filled]
    assert len(filled) == gaps.head(30).Kreditbetrag.isna().sum() > 0
    assert all(e.filled == {"Kreditbetrag": fill} for e in filled)
    assert "missing cells were filled" in repr(asked) and f"Kreditbetrag = {fill}" in repr(asked)
    lines = asked.to_json()
    assert [line.get("filled") for line in lines] == [e.filled or None for e in asked]
    assert "Kreditbetrag" in str(filled[0])


def test_rows_that_are_dropped_are_not_asked(table: pd.DataFrame) -> None:
    gaps = table.astype({"Kreditbetrag": float})
    gaps.loc[gaps.index[::7], "Kreditbetrag"] = np.nan
    explainer = fitted(gaps, missing="drop")
    assert any("were dropped and not compared" in fact for fact in explainer.facts)
    asked = explainer.explain(gaps.head(2), target="bewilligt")
    assert "not asked\n  'Kreditbetrag' is missing" in repr(asked) and "not_found" not in repr(asked)
    assert explainer.predict(gaps.head(2))[0] is None


# ---- sentences


def test_sentences_speak_python(table: pd.DataFrame, ex: scfe.Explainer) -> None:
    for wrong, said in (
        ({"max_changes": 0}, "max_changes: expected"),
        ({"range": {INCOME: (5000, 4000)}}, f"{{'{INCOME}': (5000, 4000)}}"),
    ):
        with pytest.raises(scfe.Error) as caught:
            ex.explain(table.head(1), **wrong)  # type: ignore[arg-type]
        assert said in str(caught.value) and "--" not in str(caught.value)
    limited = repr(ex.explain(table.head(3), range={INCOME: (None, 4000.0)}))
    assert f"Within: {INCOME} up to 4000." in limited
    with pytest.raises(scfe.Error, match=r"got Series: one row of a frame is frame.iloc\[\[0\]\]"):
        ex.explain(table.iloc[0])
    with pytest.raises(scfe.Error, match="the model is the class Explainer: expected a fitted object"):
        fitted(table, model=scfe.Explainer)
    with pytest.raises(scfe.Error, match=r"no\.onnx: the file of the model cannot be read: No such file"):
        fitted(table, model="no.onnx")


def test_a_wrong_name_in_a_schema(table: pd.DataFrame) -> None:
    schema = scfe.infer_schema(table, "entscheidung")
    schema["features"][2]["name"] = "Betrag"
    with pytest.raises(scfe.Error, match="did you mean 'Kreditbetrag'"):
        fitted(table, label=None, schema=schema, classes=None)


def test_a_reason_is_said_once(ex: scfe.Explainer, table: pd.DataFrame) -> None:
    rows = table[ex.predict(table) == "abgelehnt"].head(40)
    asked = ex.explain(rows, target="bewilligt", freeze=["hat_konto", "Kreditbetrag"], range={INCOME: (None, 1000)})
    hinted = [e for e in asked if e.hints]
    assert hinted
    for e in hinted:
        assert all(str(e).count(hint.text) == 1 for hint in e.hints)


def test_a_function_of_percents_is_noticed(table: pd.DataFrame) -> None:
    def percents(rows: Any) -> Any:
        return 100 * chance(rows) + 1

    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        scfe.Explainer(percents, table, label="entscheidung", classes=["abgelehnt", "bewilligt"])
    said = [str(one.message) for one in heard]
    assert any("read as logits" in one and "all of these are above 0" in one for one in said)


def test_warnings_name_the_line_of_the_caller(ex: scfe.Explainer, table: pd.DataFrame) -> None:
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        ex.explain(table.head(1).assign(note="x"))
        gaps = table.astype({"Kreditbetrag": float})
        gaps.loc[0, "Kreditbetrag"] = np.nan
        scfe.Explainer(chance, gaps, label="entscheidung", classes=["abgelehnt", "bewilligt"], missing="impute")
    assert len(heard) >= 2
    assert {one.filename for one in heard} == {__file__}


def test_plots_have_the_digits_of_the_answers() -> None:
    from scfe._plots import look

    assert look.number(2170.09) == "2170.09" and look.number(3423.91) == "3423.91" and look.number(1.5e8) == "150000000"


def test_dice_opposite_without_other_packages(table: pd.DataFrame) -> None:
    numbers = table.assign(hat_konto=table.hat_konto.astype(int), entscheidung=(chance(table) > 0.5).astype(int))
    data = dice_ml.Data(dataframe=numbers, continuous_features=[INCOME, "Kreditbetrag"], outcome_name="entscheidung")
    explainer = dice_ml.Dice(data, dice_ml.Model(model=chance, backend="sklearn"))
    rows = numbers[numbers.entscheidung == 0].head(2).drop(columns="entscheidung")
    result = explainer.generate_counterfactuals(rows, total_CFs=2, desired_class="opposite")
    for one in result.cf_examples_list:
        assert len(one.final_cfs_df) > 0 and (one.final_cfs_df["entscheidung"] == 1).all()


def test_every_keyword_of_the_fit_is_in_the_docs() -> None:
    text = (ROOT / "docs" / "python.md").read_text()
    for word in ("id", "ignore", "above", "missing", "classes", "predictions"):
        assert f"`{word}`" in text
    assert "ignore" in str(scfe.infer_schema.__doc__)
