"""What `Explainer.audit` and `Explainer.compare` give: dicts that print as the command line's tables."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from ._errors import Error

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Audit(dict[str, Any]):
    """The groups of an audit; prints as the command line's tables."""

    def __repr__(self) -> str:
        return str(self["table"])

    def _repr_html_(self) -> str:
        return str(self["html"])

    def plot(self) -> Figure:
        """Draws of each group how many rows have an answer, and what it costs. Needs matplotlib."""
        from . import _plots

        return _plots.plot_groups(self)


class Comparison(dict[str, Any]):
    """The measures of each run, in `rows`; prints as the command line's table."""

    def __repr__(self) -> str:
        return str(self["text"])

    def write(self, path: str | os.PathLike[str]) -> None:
        """The table as .txt, .csv, .md or .tex, or the picture of LOF, l2 and l0 as .svg."""
        ending = os.path.splitext(os.fspath(path))[1]
        formats = {".txt": "text", ".csv": "csv", ".md": "markdown", ".tex": "latex", ".svg": "svg"}
        if ending not in formats:
            raise Error(f"path: expected a name that ends in {', '.join(formats)}, got {os.fspath(path)!r}")
        with open(path, "w", encoding="utf-8") as file:
            file.write(self[formats[ending]])
