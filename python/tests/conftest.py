"""Explainers of the built-in data, fitted once, and the command line beside them."""

from __future__ import annotations

import json
import os
import subprocess
import warnings
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import scfe

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "data"


def program() -> str:
    """The command line: the one in the package, or the one that SCFE_PROGRAM names."""
    inside = os.path.join(os.path.dirname(scfe.__file__), "bin", "scfe")
    return os.environ.get("SCFE_PROGRAM", inside)


def run_program(*words: object) -> str:
    done = subprocess.run([program(), *map(str, words)], capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


def json_answers(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()[1:]]


@pytest.fixture(scope="session")
def bundles(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Bundles that the command line fitted."""
    made = {}
    for name in ("wine", "german_credit"):
        path = tmp_path_factory.mktemp("bundles") / f"{name}.scfe"
        model, table, schema = DATA / "models" / f"{name}.onnx", DATA / f"{name}.csv", DATA / f"{name}.schema.json"
        run_program("fit", "--model", model, "--data", table, "--schema", schema, "-o", path)
        made[name] = path
    return made


@pytest.fixture(scope="session")
def wine() -> pd.DataFrame:
    return pd.read_csv(DATA / "wine.csv")


@pytest.fixture(scope="session")
def credit() -> pd.DataFrame:
    return pd.read_csv(DATA / "german_credit.csv")


@pytest.fixture(scope="session")
def wine_explainer(bundles: dict[str, Path]) -> scfe.Explainer:
    return scfe.load(bundles["wine"])


@pytest.fixture(scope="session")
def credit_explainer(bundles: dict[str, Path]) -> scfe.Explainer:
    return scfe.load(bundles["german_credit"])


@pytest.fixture
def quiet() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
