"""For the same bundle and rows, answers are those of the command line, to the bit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from conftest import DATA, json_answers, run_program

import scfe

QUESTIONS: list[tuple[str, list[str], dict[str, Any]]] = [
    ("wine", ["--target", "1"], {"target": 1}),
    ("wine", ["--max-changes", "1", "--plausible", "none"], {"max_changes": 1, "plausible": 0}),
    ("wine", ["--answers", "3"], {"answers": 3}),
    ("wine", ["--path"], {"path": True}),
    ("wine", ["--range", "proline=:900", "--freeze", "hue"], {"range": {"proline": (None, 900)}, "freeze": "hue"}),
    ("german_credit", ["--target", "approved", "--freeze", "purpose"], {"target": "approved", "freeze": ["purpose"]}),
    ("german_credit", ["--target", "approved", "--max-changes", "1", "--plausible", "50%"],
     {"target": "approved", "max_changes": 1, "plausible": 0.5}),
]  # fmt: skip

METRICS = {
    "probability_before": "probability_before", "probability": "probability", "l1": "distance_l1", "l2": "distance",
    "log_density": "log_density", "quantile": "quantile",
}  # fmt: skip


@pytest.mark.parametrize(("name", "flags", "keywords"), QUESTIONS)
def test_same_bits(
    name: str, flags: list[str], keywords: dict[str, Any], bundles: dict[str, Path], tmp_path: Path
) -> None:
    table = pd.read_csv(DATA / f"{name}.csv").head(60)
    rows = tmp_path / "rows.csv"
    table.to_csv(rows, index=False)
    run_program("explain", bundles[name], rows, *flags, "-o", tmp_path / "out.json")
    expected = json_answers(tmp_path / "out.json")
    answers = scfe.load(bundles[name]).explain(table, **keywords)
    assert len(answers) == len(expected) > 50
    compared = 0
    for mine, theirs in zip(answers, expected, strict=True):
        assert mine.name == theirs["row"]
        assert mine.status.value == theirs["status"]
        assert mine.reason == theirs.get("reason", "")
        assert (mine.predicted, mine.target) == (theirs["predicted"], theirs["target"])
        if "counterfactual" in theirs:
            assert mine.counterfactual == theirs["counterfactual"]
            assert [c.feature for c in mine.changes] == [c["feature"] for c in theirs["changes"]]
            assert [(c.before, c.after) for c in mine.changes] == [(c["from"], c["to"]) for c in theirs["changes"]]
            for word, attribute in METRICS.items():
                assert getattr(mine, attribute) == theirs["metrics"][word], word
            compared += 1
        assert [hint.text for hint in mine.hints] == [hint["text"] for hint in theirs.get("hints", [])]
    assert compared > 10


def test_texts_are_the_programs(bundles: dict[str, Path], tmp_path: Path, credit: pd.DataFrame) -> None:
    rows = tmp_path / "rows.csv"
    credit.head(20).to_csv(rows, index=False)
    flags = ["--target", "approved"]
    table = run_program("explain", bundles["german_credit"], rows, *flags, "--table")
    files = ["-o", tmp_path / "out.csv", "-o", tmp_path / "out.html"]
    run_program("explain", bundles["german_credit"], rows, *flags, *files)
    answers = scfe.load(bundles["german_credit"]).explain(credit.head(20), target="approved")
    assert answers._text("table") == table
    assert answers.to_csv() == (tmp_path / "out.csv").read_text()
    answers.report(str(tmp_path / "mine.html"))
    assert (tmp_path / "mine.html").read_text() == (tmp_path / "out.html").read_text()
