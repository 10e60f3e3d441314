"""The groups of an audit: for whom recourse is found, and what it costs, with 95 % intervals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from .._errors import Error
from . import look as _look

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MEASURES = (  # key in the audit, what it is, whether it is a share
    ("answered", "have an answer", True),
    ("distance", "distance", False),
    ("changes", "changes", False),
    ("quantile", "as typical as … of the class", True),
)


def plot_groups(audit: Mapping[str, Any]) -> Figure:
    """A panel for each measure; in it a dot for each group's mean, and a line for its 95 % interval."""
    groups = [group for group in audit["groups"] if group["refused"] > 0]
    if not groups:
        raise Error("a plot of an audit: expected a group with rows that ask for another class, got none")
    measures = [one for one in _MEASURES if any(group[one[0]] for group in groups)]
    figure = _look.new_figure(2.4 + 2.1 * len(measures), 1.5 + 0.4 * len(groups))
    colours = _look.look()
    panels = figure.subplots(1, len(measures), sharey=True, squeeze=False)[0]
    for axes, (key, title, is_share) in zip(panels, measures, strict=True):
        _panel(axes, [group[key] for group in groups], is_share, colours)
        axes.set_xlabel(title, fontsize=10)
    names = [f"{group['name']}\n({group['refused']} of {group['rows']})" for group in groups]
    panels[0].set_yticks(range(len(groups)), names)
    panels[0].set_ylim(len(groups) - 0.5, -0.5)
    note = "rows that ask for another class, of all; mean and 95 % interval of each group"
    _look.headline(figure, f"Recourse by {audit['by']}", note, colours)
    return figure


def _panel(axes: Axes, intervals: list[dict[str, Any] | None], is_share: bool, c: _look.Look) -> None:
    known = [(place, one) for place, one in enumerate(intervals) if one is not None]
    places = [place for place, _ in known]
    means = np.array([one["mean"] for _, one in known])
    # A group of very few rows has a mean, but no interval.
    low, high = (
        np.array([one["mean"] if one[side] is None else one[side] for _, one in known]) for side in ("lo", "hi")
    )
    axes.errorbar(means, places, xerr=[means - low, high - means], fmt="o", color=c.accent, ecolor=c.accent, capsize=3)
    _look.plain(axes, c, grid="x")
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0)
    axes.set_xlim(0, 1.04 if is_share else None)
    if is_share:
        axes.set_xticks([0, 0.5, 1])
        axes.xaxis.set_major_formatter(lambda share, _: _look.percent(share))
