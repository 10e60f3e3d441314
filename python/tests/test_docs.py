"""The site can be built: it has every page and every public name. (Snippets: test_howto.py, scripts/snippets.)"""

from __future__ import annotations

import re
import subprocess
import sys

from conftest import ROOT

import scfe


def test_reference_has_every_public_name() -> None:
    script = [sys.executable, ROOT / "scripts" / "python-api"]
    text = subprocess.run(script, check=True, capture_output=True, text=True).stdout
    assert set(re.findall(r"^## (\w+)$", text, re.MULTILINE)) == set(scfe.__all__) - {"__version__"}


def test_navigation_has_every_page() -> None:
    """`make docs` refuses pages that are not in the navigation."""
    navigation = re.findall(r"^ +- (?:[^:\n]+: )?(\S+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE)
    assert {page.name for page in (ROOT / "docs").glob("*.md")} <= set(navigation)
