"""The quick start of docs/python.md runs, and prints what the page shows."""

from __future__ import annotations

import contextlib
import io
import os
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_quick_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    page = Path("docs/python.md").read_text()
    found = re.search(r"<!-- quickstart -->\n```python\n(.*?)```\n<!-- output -->\n```text\n(.*?)```", page, re.DOTALL)
    assert found
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(found.group(1), "docs/python.md", "exec"), {})
    if os.environ.get("SCFE_WRITE_DOCS"):
        Path("docs/python.md").write_text(
            page.replace(found.group(0), found.group(0)[: found.start(2) - found.start(0)] + out.getvalue() + "```")
        )
    else:
        assert out.getvalue() == found.group(2)
