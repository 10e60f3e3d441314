"""A batch: which features the answers change most, and which way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .._errors import Error
from . import look as _look

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from .._answers import Answers


def plot_batch(answers: Answers, most: int) -> Figure:
    """A bar for each feature: in how many answers its number falls or rises, or its level is another one."""
    falls, rises, other = _counts(answers)
    changed = int(np.sum(answers._change_counts() > 0))
    if changed == 0:
        raise Error("a plot of answers: expected answers that change something, got none")
    totals = falls + rises + other
    order = [int(i) for i in np.argsort(-totals, kind="stable") if totals[i] > 0][:most]
    figure = _look.new_figure(7.0, 1.5 + 0.32 * len(order))
    colours = _look.look()
    axes = figure.subplots()
    left = np.zeros(len(order))
    kinds = (("falls", falls, colours.warm), ("rises", rises, colours.accent), ("another level", other, colours.other))
    for label, counts, colour in kinds:
        if not counts.any():
            continue
        width = counts[order] / changed
        axes.barh(range(len(order)), width, left=left, color=colour, height=0.68, label=label)
        left += width
    for place, share in enumerate(left):
        axes.annotate(
            f"{totals[order[place]]} ({_look.percent(float(share))})", (share, place), (5, 0),
            textcoords="offset points", va="center", fontsize=9, color=colours.soft,
        )  # fmt: skip
    axes.set_yticks(range(len(order)), [_look.named(answers._explainer._features[i]) for i in order])
    axes.set_ylim(len(order) - 0.4, -0.6)
    axes.set_xlim(0, float(left.max()) * 1.22)
    axes.xaxis.set_major_formatter(lambda share, _: _look.percent(share))
    _look.plain(axes, colours, grid="x")
    axes.set_xlabel("share of the answers that change the feature", fontsize=10)
    rest = int(np.sum(totals > 0)) - len(order)
    note = f"{changed} answers that change something" + (f"; {rest} rarer features are left out" if rest else "")
    _look.headline(figure, "What changes most", note, colours)
    figure.legend(loc="outside lower left", ncols=3, frameon=False, fontsize=9)
    return figure


def _counts(answers: Answers) -> tuple[np.ndarray, np.ndarray, np.ndarray]:  # type: ignore[type-arg]
    """Of each feature, how many answers let it fall, rise, or take another level."""
    feature = answers._changes("feature").astype(np.int64)
    before, after = answers._changes("from"), answers._changes("to")
    features = answers._explainer._features
    has_levels = np.array([bool(one.levels) for one in features])[feature]

    def count(which: np.ndarray) -> np.ndarray:  # type: ignore[type-arg]
        return np.bincount(feature[which], minlength=len(features))

    return count(~has_levels & (after < before)), count(~has_levels & (after > before)), count(has_levels)
