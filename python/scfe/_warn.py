"""Warnings that name the line of the user's program, and not one inside of this package."""

from __future__ import annotations

import sys
import warnings


def warn(sentence: str) -> None:
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "scfe":
        level, frame = level + 1, frame.f_back
    warnings.warn(sentence, stacklevel=level)
