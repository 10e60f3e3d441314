"""The trade-off path of one row: what each further change brings, and the knee after which it brings little."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from .._errors import Error
from . import look as _look

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from .._answers import Explanation


def plot_path(steps: Sequence[Explanation]) -> Figure:
    """Distance, and how typical the answer is, by the number of changes. `steps` are the answers of one row."""
    steps = [e for e in steps if e.found and e.changes]
    if not steps:
        raise Error("a path: expected a row with answers that change something, got none")
    figure = _look.new_figure(7.0, 5.0)
    colours = _look.look()
    top, bottom = figure.subplots(2, 1, sharex=True)
    counts = [len(e.changes) for e in steps]
    _line(top, counts, [e.distance for e in steps], steps, colours)
    _line(bottom, counts, [e.quantile for e in steps], steps, colours)
    top.set_ylabel("distance", fontsize=10)
    top.set_ylim(bottom=0)
    bottom.set_ylabel(f"as typical as\n… of {steps[0].target} rows", fontsize=10)
    bottom.yaxis.set_major_formatter(lambda share, _: _look.percent(share))
    bottom.set_ylim(0, 1.04)
    bottom.set_xticks(counts)
    bottom.set_xlim(min(counts) - 0.5, max(counts) + 0.5)
    bottom.set_xlabel("features that change", fontsize=10)
    first = steps[0]
    note = "the closest answer with so many changes"
    if any(e.knee for e in steps):
        note += "; after the knee a further change brings little"
    _look.headline(figure, f"Row {first.name}: {first.predicted} → {first.target}", note, colours)
    return figure


def _line(axes: Axes, counts: list[int], values: list[float], steps: Sequence[Explanation], c: _look.Look) -> None:
    _look.plain(axes, c, grid="y")
    if not np.isfinite(values).all():
        axes.text(0.5, 0.5, "no density was fitted", transform=axes.transAxes, ha="center", color=c.soft)
        return
    axes.plot(counts, values, "-o", color=c.accent, linewidth=2, markersize=5)
    for count, value, e in zip(counts, values, steps, strict=True):
        if not e.knee:
            continue
        axes.plot(count, value, "o", markersize=12, markerfacecolor="none", markeredgecolor=c.warm, markeredgewidth=2)
        axes.annotate("knee", (count, value), (9, 9), textcoords="offset points", color=c.warm, fontsize=10)
