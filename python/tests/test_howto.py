"""Every snippet of docs/howto runs as it is printed."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import pytest
from conftest import ROOT

PAGES = sorted((ROOT / "docs" / "howto").glob("*.md"))


def test_there_are_pages() -> None:
    assert len(PAGES) >= 8


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_page(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    snippets = re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)
    assert snippets
    for package in ("sklearn", "skl2onnx", "xgboost", "torch"):
        if any(package in snippet for snippet in snippets) or (package == "skl2onnx" and "sklearn" in snippets[0]):
            pytest.importorskip(package)
    if any("explain_files" in snippet for snippet in snippets):
        pytest.importorskip("pyarrow")
    monkeypatch.chdir(ROOT)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for snippet in snippets:
            exec(compile(snippet, str(page), "exec"), {})
