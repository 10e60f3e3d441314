"""Every option of the catalogue is a keyword, under its own name, and is listed once."""

from __future__ import annotations

import runpy
from pathlib import Path

import pandas as pd

import scfe
from scfe import _options

ROOT = Path(__file__).resolve().parents[2]


def test_generated_file_is_the_catalogue() -> None:
    made = runpy.run_path(str(ROOT / "scripts" / "python-options"))["text"]()
    assert Path(_options.__file__).read_text() == made, "run scripts/python-options > python/scfe/_options.py"


def test_defaults_are_accepted(wine: pd.DataFrame, wine_explainer: scfe.Explainer) -> None:
    rows = wine.head(3)
    expected = wine_explainer.explain(rows).to_json()
    names = _options.QuestionOptions.__annotations__
    asked = {name: value for name, value in wine_explainer.options.items() if name in names}
    assert len(asked) > 20
    for name, value in asked.items():
        assert wine_explainer.explain(rows, **{name: value}).to_json() == expected, name


def test_help_lists_them() -> None:
    assert "max_changes" in (scfe.Explainer.explain.__doc__ or "")
    assert "density" in (scfe.Explainer.__doc__ or "")
