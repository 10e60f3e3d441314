"""The one exception of the package."""

from __future__ import annotations


class Error(ValueError):
    """Something given is wrong. The text names it, says what was expected and what came."""
