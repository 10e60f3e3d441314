"""Manners: progress, silence, time limits, seeds, parameters, joblib. Others are in test_explainer.py."""

from __future__ import annotations

import ctypes
import io
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest
from conftest import DATA

import scfe
from scfe import _work
from scfe._settings import Settings


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def explainer(bundles: dict[str, Path]) -> scfe.Explainer:
    return scfe.load(bundles["wine"])


def slow(_out: ctypes.c_void_p) -> None:
    time.sleep(0.05)


@pytest.mark.parametrize(("patience", "shown"), [(0.0, True), (1.0, False)])
def test_progress_is_for_longer_work(patience: float, shown: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _work._PATIENCE == 1.0  # seconds
    monkeypatch.setattr(_work, "_PATIENCE", patience)
    monkeypatch.setattr(_work, "_TICK", 0.01)
    for stream, seen in ((Terminal(), shown), (io.StringIO(), False)):  # a file gets none
        monkeypatch.setattr(sys, "stderr", stream)
        _work.run("explaining", Settings(), slow, 7)
        assert ("explaining: 0 of 7 rows" in stream.getvalue()) == seen


def test_nothing_is_printed_or_logged(bundles: dict[str, Path]) -> None:
    script = f"""
import logging, sys
logging.basicConfig(level=logging.DEBUG, stream=sys.stdout)
import pandas as pd, scfe
frame = scfe.load({str(bundles["wine"])!r}).explain(pd.read_csv({str(DATA / "wine.csv")!r}).head(5)).to_frame()
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_time_limit_threads_and_seed(explainer: scfe.Explainer, wine: pd.DataFrame) -> None:
    rows = wine.head(30)
    expected = explainer.explain(rows, threads=1, seed=1).to_json()
    assert explainer.explain(rows, threads=2, seed=1).to_json() == expected
    hurried = explainer.explain(rows, time_limit=1e-6)
    assert len(hurried) == 30
    assert any(e.timed_out or e.status is scfe.Status.time_limit for e in hurried)


def test_parameters_as_in_scikit_learn(explainer: scfe.Explainer, wine: pd.DataFrame) -> None:
    rows = wine.head(20)
    plain = explainer.explain(rows).to_json()
    changed = {change.feature for e in explainer.explain(rows) for change in e.changes}
    other = explainer.__sklearn_clone__()
    assert other.set_params(freeze=sorted(changed)) is other
    assert other.get_params()["freeze"] == sorted(changed)
    assert not changed & {change.feature for e in other.explain(rows) for change in e.changes}
    assert explainer.get_params()["freeze"] == ()
    assert explainer.explain(rows).to_json() == plain
    with pytest.raises(scfe.Error, match="unknown parameter 'density'"):
        other.set_params(density="kde")
    with pytest.raises(scfe.Error, match="range of 'hue'"):
        other.set_params(freeze="hue", range={"hue": 3})
    assert other.get_params()["freeze"] == sorted(changed)


def test_clone_of_scikit_learn(explainer: scfe.Explainer) -> None:
    base = pytest.importorskip("sklearn.base")
    other = base.clone(explainer.set_params(freeze="hue"))
    assert other is not explainer
    assert other.get_params() == explainer.get_params()


def test_joblib(explainer: scfe.Explainer, wine: pd.DataFrame, tmp_path: Path) -> None:
    joblib = pytest.importorskip("joblib")
    joblib.dump(explainer, tmp_path / "wine.joblib")
    rows = wine.head(10)
    assert joblib.load(tmp_path / "wine.joblib").explain(rows).to_json() == explainer.explain(rows).to_json()
