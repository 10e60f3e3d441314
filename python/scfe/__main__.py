"""The command line: `scfe ...` and `python -m scfe ...` run the program inside the package."""

from __future__ import annotations

import os
import sys


def main() -> None:
    program = os.path.join(os.path.dirname(__file__), "bin", "scfe")
    os.execv(program, ["scfe", *sys.argv[1:]])


if __name__ == "__main__":
    main()
