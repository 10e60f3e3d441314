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


def test_readme_is_one_page() -> None:
    assert len((ROOT / "README.md").read_text().split()) <= 900


def test_pictures_come_light_and_dark() -> None:
    """An svg inside another one is laid out differently by librsvg than by browsers."""
    light = sorted((ROOT / "docs" / "pictures").glob("*-light.svg"))
    assert len(light) >= 2
    for picture in light:
        for one in (picture, picture.with_name(picture.name.replace("-light", "-dark"))):
            assert one.read_text().count("<svg") == 1, one.name
