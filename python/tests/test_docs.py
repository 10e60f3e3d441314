"""The start page's commands and C++ program run, and the site can be built: it has every page and every public name."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from conftest import ROOT, program

import scfe

PAGE = (ROOT / "docs" / "index.md").read_text()


def test_commands(tmp_path: Path) -> None:
    [block] = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
    commands = block.replace("build/scfe ", program() + " ").replace(" build/", f" {tmp_path}/")
    subprocess.run(["bash", "-euc", commands], cwd=ROOT, check=True, capture_output=True)
    assert (tmp_path / "answers.csv").read_text().count("\n") == 1001
    assert "<h1>What would it take for risk to be approved?</h1>" in (tmp_path / "report.html").read_text()


def test_program() -> None:
    assert re.findall(r"```cpp\n(.*?)```", PAGE, re.DOTALL) == [(ROOT / "examples" / "quickstart.cpp").read_text()]


def test_reference_has_every_public_name() -> None:
    script = [sys.executable, ROOT / "scripts" / "python-api"]
    text = subprocess.run(script, check=True, capture_output=True, text=True).stdout
    assert set(re.findall(r"^## (\w+)$", text, re.MULTILINE)) == set(scfe.__all__) - {"__version__"}


def test_navigation_has_every_page() -> None:
    """`make docs` refuses pages that are not in the navigation."""
    navigation = re.findall(r"^ +- (?:[^:\n]+: )?(\S+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE)
    assert {page.name for page in (ROOT / "docs").glob("*.md")} <= set(navigation)
