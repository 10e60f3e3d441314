"""The commands and the C++ program of the start page: they run, and they are the example that is built and tested."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from conftest import ROOT, program

PAGE = (ROOT / "docs" / "index.md").read_text()


def test_commands(tmp_path: Path) -> None:
    [block] = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
    commands = block.replace("build/scfe ", program() + " ").replace(" build/", f" {tmp_path}/")
    subprocess.run(["bash", "-euc", commands], cwd=ROOT, check=True, capture_output=True)
    assert (tmp_path / "answers.csv").read_text().count("\n") == 1001
    assert "<h1>What would it take to be approved?</h1>" in (tmp_path / "report.html").read_text()


def test_program() -> None:
    assert re.findall(r"```cpp\n(.*?)```", PAGE, re.DOTALL) == [(ROOT / "examples" / "quickstart.cpp").read_text()]
