"""The files that users install: python wheel_check.py SDIST WHEEL ends with 'N passed, N failed'.

The sdist must hold every committed file but those that pyproject.toml excludes, so that a build from it lacks nothing.
The wheel must be for every Python 3 and have a manylinux tag. The quick start of docs/python.md, `scfe` and
`python -m scfe` must run in an environment that has the wheel, what it asks for, and pandas, with which the quick start
reads its table. SCFE_PYTHONS, such as "python3.10 python3.13", names further interpreters to run them with.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def missing_files(sdist: str) -> list[str]:
    with tarfile.open(sdist) as file:
        held = {name.partition("/")[2] for name in file.getnames()}
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    project = (ROOT / "pyproject.toml").read_text()
    excluded = re.findall(r'"([^"]+)"', re.search(r"sdist\.exclude = \[(.*)\]", project)[1])  # type: ignore[index]
    wanted = [name for name in listed.stdout.splitlines() if (ROOT / name).exists()]
    return [name for name in wanted if "/" + name.partition("/")[0] not in excluded and name not in held]


def quick_start() -> tuple[str, str]:
    text = (ROOT / "docs" / "python.md").read_text()
    found = re.search(r"<!-- quickstart -->\n```python\n(.*?)```\n<!-- output -->\n```text\n(.*?)```", text, re.DOTALL)
    assert found is not None, "docs/python.md has no quick start"
    return found[1], found[2]


def run(*words: str) -> str:
    # Outside of the tree nothing but the installed package can be imported; the data is the tree's.
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(ROOT / "data", Path(folder) / "data")
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
        return done.stdout if done.returncode == 0 else f"exit code {done.returncode}: {done.stderr}"


def checks(sdist: str, wheel: str) -> Iterator[tuple[str, object, object]]:
    """What is checked, what was expected and what came."""
    yield "the sdist holds every file", [], missing_files(sdist)
    tag = re.search(r"-py3-none-(manylinux_\d+_\d+_\w+?)\.whl$", wheel)
    yield "the tag", "py3-none-manylinux...", "py3-none-manylinux..." if tag else os.path.basename(wheel)
    code, output = quick_start()
    for interpreter in [sys.executable, *os.environ.get("SCFE_PYTHONS", "").split()]:
        version = run(interpreter, "-c", "import sys; print(*sys.version_info[:2], sep='.')").strip()
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([interpreter, "-m", "venv", folder], check=True)
            python = f"{folder}/bin/python"
            install = ["-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-compile"]
            subprocess.run([python, *install, wheel, "pandas"], check=True, stderr=subprocess.DEVNULL)
            yield f"quick start, Python {version}", output, run(python, "-c", code)
            told = run(f"{folder}/bin/scfe", "--version")
            yield f"scfe, Python {version}", True, bool(re.search(r"\d+\.\d+\.\d+", told))
            yield f"python -m scfe, Python {version}", told, run(python, "-m", "scfe", "--version")


def main() -> int:
    passed = failed = 0
    for what, expected, came in checks(os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])):
        good = expected == came
        passed, failed = passed + good, failed + (not good)
        print(f"{what}: passed" if good else f"{what}: expected {expected}, got {came}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
