"""A log-density of the user's own, as a file."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from conftest import ROOT

import scfe

MODEL, FLOW = str(ROOT / "data/models/wine.onnx"), ROOT / "data/models/wine_flow.onnx"
SCHEMA = (ROOT / "data/wine.schema.json").read_text()


@pytest.mark.parametrize("density", [str(FLOW), FLOW], ids=["text", "path"])
def test_answers_are_those_of_the_saved_explainer(wine: pd.DataFrame, tmp_path: Path, density: str | Path) -> None:
    explainer = scfe.Explainer(MODEL, data=wine, schema=SCHEMA, density=density)
    assert any("own: " in sentence for sentence in explainer.facts)
    rows = wine.head(10)
    answers = explainer.explain(rows, target="cultivar 2")
    assert sum(answer.found for answer in answers) >= 5
    explainer.save(tmp_path / "e.scfe")
    again = scfe.load(tmp_path / "e.scfe").explain(rows, target="cultivar 2")
    assert again.to_json() == answers.to_json()


def test_errors_are_those_of_the_engine(wine: pd.DataFrame) -> None:
    with pytest.raises(scfe.Error, match="columns of its output: expected 1, the log-density of the class, got 2"):
        scfe.Explainer(MODEL, data=wine, schema=SCHEMA, density={"other cultivars": str(FLOW), "cultivar 2": str(FLOW)})
    with pytest.raises(scfe.Error, match="a file for class 'cultivar 2'"):
        scfe.Explainer(MODEL, data=wine, schema=SCHEMA, density={"other cultivars": str(FLOW)})
