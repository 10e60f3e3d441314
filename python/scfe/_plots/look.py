"""What all pictures share: matplotlib, colours that suit its style in force, and numbers for people."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from .._errors import Error

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from .._answers import Explanation


@dataclass(frozen=True)
class Look:
    """The colours of a picture, by what they stand for. They are those of the HTML report."""

    ink: Any  #: text, and outlines of what is
    soft: Any  #: notes and lines of the grid
    paper: Any
    bar: Any  #: the target class's rows
    accent: str  #: the answer; a number that rises
    warm: str  #: a number that falls
    other: str  #: a change between levels


def look() -> Look:
    from matplotlib import colors, rcParams

    ink, paper = rcParams["text.color"], rcParams["axes.facecolor"]
    # Brightness as the eye weighs the three colours.
    red, green, blue = colors.to_rgb(paper)
    dark = 0.299 * red + 0.587 * green + 0.114 * blue < 0.5

    def between(share: float) -> Any:
        return tuple(share * a + (1 - share) * b for a, b in zip(colors.to_rgb(ink), colors.to_rgb(paper), strict=True))

    bright = ("#6bb3d6", "#e0a064", "#98a3af")
    deep = ("#2b6c8c", "#bf7a3a", "#8a94a0")
    accent, warm, other = bright if dark else deep
    return Look(ink, between(0.62), paper, between(0.22), accent, warm, other)


def new_figure(width: float, height: float) -> Figure:
    """An empty figure whose layout leaves no overlaps."""
    try:
        from matplotlib import get_backend, pyplot
    except ImportError:
        raise Error("plots need matplotlib: pip install matplotlib") from None
    figure = pyplot.figure(figsize=(width, height), layout="constrained")
    if "inline" in get_backend():
        # A notebook shows the figure as the value of its cell, and would show every open one once more.
        pyplot.close(figure)
    return figure


def plain(axes: Axes, colours: Look, grid: Literal["x", "y"] | None = None) -> None:
    """Leaves away the frame that carries no information."""
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(colours.soft)
    axes.tick_params(colors=colours.ink, labelsize=9)
    if grid is not None:
        axes.grid(axis=grid, color=colours.bar, linewidth=0.7)
        axes.set_axisbelow(True)


def headline(figure: Figure, title: str, note: str, colours: Look) -> None:
    """A title, and below it a line in soft colour, for which the title keeps a second, empty line free."""
    head = figure.suptitle(title + "\n", x=0.01, ha="left", fontsize=12, color=colours.ink)
    line = figure.axes[0].annotate(
        note, (0, 0), xycoords=head, va="bottom", fontsize=9, color=colours.soft, annotation_clip=False
    )
    line.set_in_layout(False)  # a note that is wider than the first panel must not make the panel wider


def percent(share: float, boundary: float | None = None) -> str:
    """A share for people. One that lies just beyond the boundary is not rounded onto it."""
    if 0 < share < 0.0005:
        return "under 0.1 %"
    text = f"{100 * share:.0f} %" if share == 0 or share >= 0.095 else f"{100 * share:.2g} %"
    if boundary is not None and share != boundary and text == f"{100 * boundary:.0f} %":
        return ("just over " if share > boundary else "just under ") + text
    return text


def number(value: Any) -> str:
    """A value with the digits that matter; names of levels as they are."""
    if isinstance(value, float):
        if not math.isfinite(value):
            return str(value)
        return f"{value:.0f}" if value == int(value) and abs(value) < 1e7 else f"{value:.15g}"
    return str(value)


def chances(e: Explanation) -> str:
    """The probability of the target class, before and after."""
    before, after = (percent(p, 0.5) for p in (e.probability_before, e.probability))
    return f"probability of {e.target} {before} → {after}"


def named(feature: Any) -> str:
    """The name of a feature with its unit."""
    return f"{feature.name} ({feature.unit})" if feature.unit else str(feature.name)
