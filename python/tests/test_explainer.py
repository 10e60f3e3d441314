"""Fitting, asking, saving, checking: the package end to end."""

from __future__ import annotations

import dataclasses
import pickle
import re
import subprocess
import sys
import threading
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from conftest import DATA

import scfe
from scfe import _models
from scfe._tables import table


@pytest.fixture(scope="module")
def fitted(wine: pd.DataFrame) -> scfe.Explainer:
    classes = sorted(wine["class"].unique())
    keep = wine[wine["class"].isin(classes[:2])]
    return scfe.Explainer(str(DATA / "models" / "wine.onnx"), keep, label="class")


def plane(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return 2 * (x[:, 0] + x[:, 1] - 1.0005)  # no row of three decimals lies on the boundary


@pytest.fixture(scope="module")
def square() -> pd.DataFrame:
    random = np.random.default_rng(0)
    table = pd.DataFrame({"a": random.random(300).round(3), "b": random.random(300).round(3)})
    table["label"] = np.where(table.a + table.b > 1.0005, "above", "below")
    return table


@pytest.fixture(scope="module")
def callable_explainer(square: pd.DataFrame) -> scfe.Explainer:
    explainer = scfe.Explainer(plane, square, label="label", classes=["below", "above"], inputs="array")
    assert any("black box" in fact for fact in explainer.facts)
    assert any("own predictions are the engine's" in fact for fact in explainer.facts)
    return explainer


def test_fit_explain_read(fitted: scfe.Explainer, wine: pd.DataFrame) -> None:
    rows = wine[wine["class"] == 0].head(20)
    answers = fitted.explain(rows, target=1, max_changes=2)
    assert len(answers) == 20
    assert answers.found.sum() > 10
    frame = answers.to_frame()
    assert list(frame.columns) == list(rows.columns)
    assert frame.index.equals(rows.index)
    assert (frame.dtypes == rows.dtypes).all()
    got = fitted.predict(frame[answers.found])
    assert set(got) == {1}
    for e in answers:
        assert len(e.changes) <= 2
        if not e.found:
            continue
        before = rows.loc[rows.index[e.row]]
        assert e.counterfactual is not None
        changed = {name for name, value in e.counterfactual.items() if value != before[name]}
        assert changed == {change.feature for change in e.changes}
    assert "alcohol" in repr(answers)
    page = answers._repr_html_()
    assert page.startswith('<div class="scfe">') and "10 more answers" in page
    assert page.count('<details class="card"') == 10
    for e in answers[:10]:
        assert all(f'<span class="name">{change.feature}</span>' in page for change in e.changes)
    style = page[page.index("<style>") + 7 : page.index("</style>")]
    while "{" in (outer := re.sub(r"{[^{}]*}", ";", style)):  # from the inside out, until outermost selectors are left
        style = outer
    selectors = [rule for rule in outer.replace(",", ";").split(";") if rule.strip()]
    assert len(selectors) > 5 and all(".scfe" in rule for rule in selectors)  # nothing else in the notebook changes
    long = answers.to_frame(long=True)
    assert len(long) == sum(max(1, len(e.changes)) for e in answers)
    assert len(answers.to_json()) == 20


def test_facts(fitted: scfe.Explainer) -> None:
    assert any("of 130 training rows" in fact for fact in fitted.facts)
    assert fitted.classes == ["0", "1"]
    assert fitted.schema["label"]["column"] == "class"
    assert fitted.options["max_changes"] == 3
    assert "13 features" in repr(fitted)


def test_save_load_pickle(fitted: scfe.Explainer, wine: pd.DataFrame, tmp_path: Path) -> None:
    rows = wine.head(10)
    expected = fitted.explain(rows).to_json()
    fitted.save(tmp_path / "wine.scfe")
    assert scfe.load(tmp_path / "wine.scfe").explain(rows).to_json() == expected
    assert pickle.loads(pickle.dumps(fitted)).explain(rows).to_json() == expected


def test_limits_of_the_explainer_hold_for_every_question(wine: pd.DataFrame) -> None:
    keep = wine[wine["class"] < 2]
    explainer = scfe.Explainer(str(DATA / "models" / "wine.onnx"), keep, label="class", freeze=["proline", "alcohol"])
    for e in [*explainer.explain(keep.head(20)), *pickle.loads(pickle.dumps(explainer)).explain(keep.head(20))]:
        assert not {change.feature for change in e.changes} & {"proline", "alcohol"}


def test_verify_and_evaluate(fitted: scfe.Explainer, wine: pd.DataFrame) -> None:
    rows = wine[wine["class"] == 0].head(15)
    answers = fitted.explain(rows, target=1)
    checked = fitted.verify(rows, answers, target=1)
    assert checked["holds"] and checked["checked"] + checked["without"] == 15
    assert not fitted.verify(rows, answers, target=1, freeze="proline")["holds"]
    measured = fitted.evaluate(rows, answers, target=1)
    assert measured["rows"] == 15 and measured["l2"]["mean"] > 0
    several = fitted.explain(rows, target=1, answers=2)
    assert fitted.verify(rows, several, target=1, answers=2)["holds"]


def test_answers_are_verified_against_their_own_question(fitted: scfe.Explainer, wine: pd.DataFrame) -> None:
    rows = wine[wine["class"] == 0].head(15)
    own: dict[str, Any] = {"target": 1, "max_changes": 2, "range": {"hue": (0.5, 1.5)}, "answers": 2}
    answers = fitted.explain(rows, **own)
    assert fitted.verify(answers) == fitted.verify(rows, answers, **own)
    assert fitted.evaluate(answers) == fitted.evaluate(rows, answers, **own)
    assert fitted.verify(answers)["holds"]
    limits = {"proline:fixed": ["yes"] * 15, "alcohol:max": rows["alcohol"].to_numpy()}
    limited = fitted.explain(rows, target=1, row_limits=limits)
    assert not {change.feature for e in limited for change in e.changes} & {"proline"}
    assert fitted.verify(limited)["holds"] and fitted.verify(limited)["checked"] > 0
    limits["alcohol:max"] -= 5  # the question keeps limits of its own
    assert fitted.verify(limited)["holds"]
    fitted.set_params(only_up="hue")
    try:
        assert fitted.verify(answers)["holds"]
    finally:
        fitted.set_params(only_up=())
    with pytest.raises(scfe.Error, match="verify: expected answers of explain, or rows and answers, got one DataFrame"):
        fitted.verify(rows)
    with pytest.raises(scfe.Error, match="expected rows and answers before options, got answers and 'target'"):
        fitted.evaluate(answers, target=1)


def test_compare(fitted: scfe.Explainer, wine: pd.DataFrame, tmp_path: Path) -> None:
    rows = wine[wine["class"] == 0].head(15)
    runs = {"ours": {"max_changes": 2}, "near": {"method": "nearest"}, "pcfe": {"method": "pcfe"}}
    found = fitted.compare(rows, runs, target=1)
    ours, near, pcfe = found["rows"]
    assert [ours["name"], near["name"]] == ["ours", "near"] and "linear" in pcfe["reason"]
    measured = fitted.evaluate(rows, fitted.explain(rows, target=1, max_changes=2), target=1)
    for name in ("l2", "changes", "lof", "nearest"):
        assert ours[name]["mean"] == measured[name]["mean"] and ours[name]["std"] == measured[name]["std"]
    assert "pcfe does not apply" in repr(found)
    found.write(tmp_path / "table.tex")
    assert "tabular" in (tmp_path / "table.tex").read_text()
    with pytest.raises(scfe.Error, match="did you mean 'method'"):
        fitted.compare(rows, {"a": {"methd": "nearest"}})
    with pytest.raises(scfe.Error, match="ends in"):
        found.write(tmp_path / "table.pdf")


def test_compare_takes_the_keywords_of_explain(fitted: scfe.Explainer, wine: pd.DataFrame) -> None:
    rows = wine[wine["class"] == 0].head(15)
    limits: dict[str, Any] = {"freeze": ["proline", "alcohol"], "range": {"ash": (2, None)}, "rules": ["ash >= 2.1"]}
    options = {**limits, "max_changes": None, "hints": False, "plausible": np.float64(0.1)}
    [limited, plain] = fitted.compare(rows, {'"a", it\'s': options, "plain": {}}, target=1)["rows"]
    measured = fitted.evaluate(rows, fitted.explain(rows, target=1, **options), target=1)
    assert limited["name"] == '"a", it\'s' and limited["l2"]["mean"] == measured["l2"]["mean"] != plain["l2"]["mean"]
    for runs, sentence in [
        ({"a:b": {}}, "runs: expected a name .* no ':' .*, got 'a:b'"),
        ({"--a": {}}, "runs: expected a name .*, got '--a'"),
        ({"a": {"freeze": ['it\'s "x"']}}, 'it\'s "x"'),
        ({"a": {"max_changes": {}}}, "max_changes: expected a number or a text, got dict"),
    ]:
        with pytest.raises(scfe.Error, match=sentence):
            fitted.compare(rows, runs)


def test_audit_and_keep(credit_explainer: scfe.Explainer, credit: pd.DataFrame) -> None:
    audit = credit_explainer.audit(credit.head(60), by="housing", target="approved", freeze="housing")
    assert {group["name"] for group in audit["groups"]} == {"forfree", "own", "rent"}
    assert "own" in repr(audit)
    kept = credit_explainer.keep(credit.head(3))
    assert len(kept) == 3 and all(one["kept"] and one["share"] > 0.5 for one in kept)


def test_row_limits(fitted: scfe.Explainer, wine: pd.DataFrame) -> None:
    rows = wine[wine["class"] == 0].head(5)
    limits = {"proline:fixed": [True] * 5, "alcohol:min": [None, 13.0, None, None, 13.0]}
    for e in fitted.explain(rows, target=1, row_limits=limits):
        assert "proline" not in {change.feature for change in e.changes}
        if e.row in (1, 4) and e.found and e.counterfactual:
            assert e.counterfactual["alcohol"] >= min(13.0, rows.iloc[e.row]["alcohol"])


def test_callable(callable_explainer: scfe.Explainer, square: pd.DataFrame) -> None:
    rows = square[square.label == "below"].head(12)
    answers = callable_explainer.explain(rows, max_changes=1)
    assert dataclasses.asdict(answers[0])["changes"][0]["feature"] in ("a", "b")  # copies the answer, not the model
    assert answers.found.sum() >= 10
    frame = answers.to_frame()[answers.found]
    assert (plane(frame[["a", "b"]].to_numpy(dtype=np.float32)) > 0).all()
    with pytest.raises(scfe.Error, match="no file can hold"):
        callable_explainer.save("x.scfe")
    with pytest.raises(scfe.Error, match="cannot be saved or pickled"):
        pickle.dumps(callable_explainer)


def test_callable_that_fails(square: pd.DataFrame) -> None:
    calls = [0]

    def tired(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        calls[0] += 1
        if calls[0] > 1:
            raise RuntimeError("out of power")
        return plane(x)

    with pytest.raises(scfe.Error, match="out of power"):
        scfe.Explainer(tired, square, label="label", classes=["below", "above"], inputs="array")


def test_threads_share_an_explainer(fitted: scfe.Explainer, wine: pd.DataFrame) -> None:
    rows = wine.head(40)
    expected = fitted.explain(rows).to_json()
    found: list[Any] = [None] * 8

    def work(place: int) -> None:
        found[place] = fitted.explain(rows, threads=1 + place % 2).to_json()

    threads = [threading.Thread(target=work, args=(place,)) for place in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(one == expected for one in found)


EASY: dict[str, Any] = {"max_changes": 1, "plausible": 0, "hints": False}


def test_answers_of_many_rows_are_read_in_parts(fitted: scfe.Explainer, wine: pd.DataFrame) -> None:
    few = fitted.explain(wine, **EASY)
    table = pd.concat([wine] * 50, ignore_index=True)  # more than a part
    table.index = table.index[::-1]
    many = fitted.explain(table, **EASY)
    assert len(many) == len(table) > 8192
    frame = pd.concat([few.to_frame()] * 50).set_axis(table.index)
    pd.testing.assert_frame_equal(many.to_frame(), frame)
    assert many.found.tolist() == few.found.tolist() * 50
    for place in (0, 255, 256, 8191, 8192, -1):
        mine, theirs = many[place], few[place % len(many) % len(wine)]
        assert dataclasses.replace(mine, row=theirs.row, name=theirs.name, index=theirs.index) == theirs
        assert many.of_row(mine.row) == [mine]


@pytest.mark.parametrize("several", [{"answers": 3}, {"path": True}, {}])
def test_frame_and_objects_say_the_same(
    several: dict[str, Any], credit_explainer: scfe.Explainer, credit: pd.DataFrame
) -> None:
    answers = credit_explainer.explain(credit.head(25), **several)
    frame = answers.to_frame()
    assert len(frame) == len(answers) >= 25
    assert frame.index.tolist() == [credit.index[e.row] for e in answers]
    for e, (_, line) in zip(answers, frame.iterrows(), strict=True):
        row = credit.iloc[e.row]
        expected = {**row.to_dict(), **(e.counterfactual or {})}
        assert line.to_dict() == expected
        changed = {name for name in answers._explainer.features if expected[name] != row[name]}
        assert {change.feature for change in e.changes} == changed
        assert all((c.before, c.after) == (row[c.feature], expected[c.feature]) for c in e.changes)


def test_rows_may_change_after_they_were_asked(fitted: scfe.Explainer, wine: pd.DataFrame) -> None:
    rows = wine.head(8)
    expected = fitted.explain(rows).to_json()
    names = list(rows.columns)
    frame, columns = rows.copy(), {name: rows[name].to_numpy().copy() for name in names}
    array = rows[fitted.features].to_numpy(dtype=float)
    asked = [fitted.explain(one) for one in (frame, columns, array)]
    frame.loc[:, "alcohol"] = 1.0
    frame.iloc[3, 4] = 5
    columns["alcohol"][:] = 1
    array[:] = 0
    for answers in asked:
        assert answers.to_json() == expected
    assert min(asked[0].to_frame()["alcohol"]) > 1 < min(asked[1].to_frame()["alcohol"])
    assert asked[2].to_frame().min() > 0


def test_interrupt_returns_what_is_done(wine: pd.DataFrame, bundles: dict[str, Path], tmp_path: Path) -> None:
    script = f"""
import os, signal, scfe, scfe._work, pandas as pd
signal.signal(signal.SIGINT, signal.default_int_handler)  # shells start jobs in the background with SIGINT ignored
wine = pd.concat([pd.read_csv({str(DATA / "wine.csv")!r})] * 4000)
explainer = scfe.load({str(bundles["wine"])!r})
show = scfe._work._Progress.show
scfe._work._Progress.show = lambda self, done: os.kill(os.getpid(), signal.SIGINT) if done else show(self, done)
answers = explainer.explain(wine, threads=1)
print(answers.interrupted, 0 < len(answers) < len(wine), all(e.found or e.reason for e in answers[:50]))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=300)
    assert done.stdout.split() == ["True", "True", "True"], done.stderr


@pytest.mark.skipif(not Path(scfe.__file__).with_name("bin").exists(), reason="the package is not installed")
def test_program_inside() -> None:
    done = subprocess.run([sys.executable, "-m", "scfe", "--version"], capture_output=True, text=True)
    assert done.stdout.strip() == f"scfe {scfe.__version__}", done.stderr


def test_import_takes_numpy_alone() -> None:
    script = """
import sys, numpy
before = set(sys.modules)
import scfe
print(sorted({name.split(".")[0] for name in set(sys.modules) - before}))"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    loaded = set(eval(done.stdout))
    assert loaded <= set(sys.stdlib_module_names) | {"scfe", "numpy"}, loaded


@pytest.mark.parametrize(("differing", "kept"), [(0, True), (8, True), (30, False)])
def test_a_file_that_differs_on_a_few_rows_is_kept(
    differing: int, kept: bool, monkeypatch: pytest.MonkeyPatch, credit: pd.DataFrame
) -> None:
    model = str(DATA / "models" / "german_credit.onnx")
    own = scfe.Explainer(model, credit, label="risk")._winners(table(credit)).copy()
    own[:differing] = 1 - own[:differing]
    opened = _models.open_model(model, table(credit.drop(columns="risk")))
    opened.predict = lambda sample: own
    opened.fallback = lambda: dataclasses.replace(opened, predict=None, fallback=None, notes=[])
    monkeypatch.setattr(_models, "open_model", lambda *_, **__: opened)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        explainer = scfe.Explainer(model, credit, label="risk")
    assert any("called, not read" in note for note in explainer._source.notes) != kept
    assert sum(f"for {differing} of 1000 rows" in str(one.message) for one in said) == (kept and differing > 0)
