"""Every Python snippet of README.md and docs/ runs as it is printed, and prints what stands below it."""

from __future__ import annotations

import contextlib
import io
import os
import re
import warnings
from pathlib import Path

import pytest
from conftest import ROOT

EVERY = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
PAGES = [page for page in EVERY if "```python\n" in page.read_text()]
SNIPPET = re.compile(r"```python\n(?P<code>.*?)```(?:\n<!-- output -->\n```text\n(?P<shown>.*?)```)?", re.DOTALL)


def test_there_are_pages() -> None:
    assert len(PAGES) >= 11


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_page(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = page.read_text()
    snippets = list(SNIPPET.finditer(text))
    assert len(snippets) == text.count("```python") - text.count("```python no-run")
    for package in ("sklearn", "skl2onnx", "xgboost", "torch", "matplotlib"):
        codes = [snippet["code"] for snippet in snippets]
        if any(package in code for code in codes) or (package == "skl2onnx" and "sklearn" in codes[0]):
            pytest.importorskip(package)
    if any("explain_files" in snippet["code"] for snippet in snippets):
        pytest.importorskip("pyarrow")
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for snippet in reversed(snippets):  # from the end, so that places in the text stay when outputs are written
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(compile(snippet["code"], str(page), "exec"), {})
            if snippet["shown"] is None:
                continue
            if os.environ.get("SCFE_WRITE_DOCS"):
                text = text[: snippet.start("shown")] + out.getvalue() + text[snippet.end("shown") :]
                page.write_text(text)
            else:
                assert out.getvalue() == snippet["shown"]
