"""One row: each change against the values that the rows of the target class have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .._errors import Error
from . import look as _look

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from .._answers import Change, Explanation
    from .._explainer import Explainer
    from .._features import FeatureInfo

_MOST_LEVELS = 12  # further levels that the class has, rarest first, are left out


def plot_changes(e: Explanation, explainer: Explainer) -> Figure:
    """A panel for each change: the class's rows in grey, a hollow dot at the old value, a filled one at the new."""
    if not e.changes:
        raise Error(f"row {e.name}: expected an answer with changes to draw, got none ({e.reason or e.status})")
    features = [explainer._features[explainer._places[change.feature]] for change in e.changes]
    values = [explainer._class_values(e.target, change.feature) for change in e.changes]
    heights = [_height(feature) for feature in features]
    figure = _look.new_figure(7.0, 0.9 + sum(heights))
    colours = _look.look()
    panels = figure.subplots(len(features), 1, squeeze=False, gridspec_kw={"height_ratios": heights})[:, 0]
    for axes, feature, change, own in zip(panels, features, e.changes, values, strict=True):
        (_levels if feature.levels else _numbers)(axes, feature, change, own, colours)
    _look.headline(figure, f"Row {e.name}: {e.predicted} → {e.target}", _note(e, explainer), colours)
    figure.legend(handles=_keys(e, colours), loc="outside lower left", ncols=3, frameon=False, fontsize=9)
    return figure


def _height(feature: FeatureInfo) -> float:
    return 0.75 + 0.24 * min(len(feature.levels), _MOST_LEVELS) if feature.levels else 1.6


def _note(e: Explanation, explainer: Explainer) -> str:
    if explainer.options["reach"]:  # a range of the output is asked for, not a class
        parts = [f"output {_look.number(e.output_before)} → {_look.number(e.output)}"]
    else:
        parts = [_look.chances(e)]
    if np.isfinite(e.quantile):
        parts.append(f"as typical as {_look.percent(e.quantile)} of {e.target} rows")
    if e.status == "below_floor":
        parts.append("less typical than asked")
    return "; ".join(parts)


def _keys(e: Explanation, colours: _look.Look) -> list[Any]:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    dot: dict[str, Any] = {"marker": "o", "linestyle": "", "markeredgecolor": colours.ink, "markersize": 7}
    return [
        Patch(color=colours.bar, label=f"{e.target} rows"),
        Line2D([], [], markerfacecolor=colours.paper, label="as it is", **dot),
        Line2D([], [], markerfacecolor=colours.accent, label="as it would be", **dot),
    ]


def _move(axes: Axes, before: tuple[float, float], after: tuple[float, float], colours: _look.Look) -> None:
    """An arrow from a hollow dot to a filled one. They may stand on the border of the panel."""
    axes.annotate(
        "",
        xy=after,
        xytext=before,
        arrowprops={"arrowstyle": "-|>", "color": colours.accent, "linewidth": 1.8, "shrinkA": 4, "shrinkB": 4},
        annotation_clip=False,
        zorder=4,
    )
    for point, fill, label in ((before, colours.paper, "before"), (after, colours.accent, "after")):
        axes.plot(
            *point, "o", color=fill, markeredgecolor=colours.ink, markersize=7, clip_on=False, zorder=5, label=label
        )


def _numbers(axes: Axes, feature: FeatureInfo, change: Change, values: np.ndarray[Any, Any], c: _look.Look) -> None:
    before, after = float(change.before), float(change.after)
    every = np.concatenate([values, [before, after]])
    low, high = float(np.min(every)), float(np.max(every))
    edges: np.ndarray[Any, Any]
    if feature.type == "integer" and high - low < 40:
        edges = np.arange(low - 0.5, high + 1)  # a bar for each whole number
    else:
        edges = np.linspace(low, high, 33)
    axes.hist(values, bins=edges.tolist(), color=c.bar, rwidth=0.92)
    _look.plain(axes, c)
    axes.set_ylim(bottom=0)
    axes.margins(x=0.02)
    _move(axes, (before, 0), (after, 0), c)
    axes.set_xlabel(
        f"{_look.named(feature)}: {_look.number(change.before)} → {_look.number(change.after)}", fontsize=10, loc="left"
    )
    axes.set_ylabel("rows", fontsize=9, color=c.soft)


def _levels(axes: Axes, feature: FeatureInfo, change: Change, places: np.ndarray[Any, Any], c: _look.Look) -> None:
    counts: np.ndarray[Any, Any] = np.bincount(np.rint(places).astype(np.int64), minlength=len(feature.levels))
    shown = _shown_levels(feature, change, counts)
    names = [feature.levels[i] for i in shown]
    shares = counts[shown] / max(int(counts.sum()), 1)
    axes.barh(range(len(names)), shares, color=c.bar, height=0.72)
    for place, share in enumerate(shares):
        axes.annotate(
            _look.percent(float(share)), (share, place), (8, 0), textcoords="offset points", va="center", fontsize=8.5,
            color=c.soft,
        )  # fmt: skip
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.set_xlim(0, max(float(shares.max()), 0.01) * 1.15)
    _look.plain(axes, c)
    axes.set_xticks([])
    axes.spines["bottom"].set_visible(False)
    axes.tick_params(axis="y", length=0, pad=9)
    _move(axes, (0, names.index(str(change.before))), (0, names.index(str(change.after))), c)
    axes.set_xlabel(f"{_look.named(feature)}: {change.before} → {change.after}", fontsize=10, loc="left")


def _shown_levels(feature: FeatureInfo, change: Change, counts: np.ndarray[Any, Any]) -> list[int]:
    """Places of the levels, in the schema's order: the most frequent ones, and those of the change."""
    needed = {feature.levels.index(str(value)) for value in (change.before, change.after)}
    frequent = sorted(range(len(counts)), key=lambda i: (i not in needed, -counts[i]))
    return sorted(frequent[:_MOST_LEVELS])
