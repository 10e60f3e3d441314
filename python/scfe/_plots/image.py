"""A row that is a picture: as it is and as it would be, with the changed pixels marked."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from .._errors import Error
from . import look as _look

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from .._answers import Explanation
    from .._explainer import Explainer


def plot_image(e: Explanation, explainer: Explainer, shape: tuple[int, ...]) -> Figure:
    """`shape` is (height, width), or (height, width, 3) for colours; features are pixels row by row."""
    size = len(explainer._features)
    if len(shape) not in (2, 3) or (len(shape) == 3 and shape[2] != 3) or math.prod(shape) != size:
        raise Error(f"image: expected a shape (height, width) or (height, width, 3) of {size} features, got {shape}")
    if e.counterfactual is None:
        raise Error(f"row {e.name}: expected an answer to draw, got none ({e.reason})")
    after = np.array([float(value) for value in e.counterfactual.values()])
    before = after.copy()
    for change in e.changes:
        before[explainer._places[change.feature]] = float(change.before)
    low, high = _range(explainer, before, after)
    figure = _look.new_figure(6.4, 6.4 / 2 * shape[0] / shape[1] + 0.9)
    colours = _look.look()
    left, right = figure.subplots(1, 2)
    sides = (left, before, f"as it is: {e.predicted}"), (right, after, f"as it would be: {e.target}")
    for axes, values, title in sides:
        picture = (values.reshape(shape) - low) / (high - low)
        axes.imshow(np.clip(picture, 0, 1), cmap="gray", vmin=0, vmax=1, interpolation="nearest")
        axes.set_xlabel(title, fontsize=10)
        axes.set_xticks([])
        axes.set_yticks([])
    marked = np.unique([_pixel(explainer._places[change.feature], shape) for change in e.changes], axis=0)
    for axes in (left, right):
        _mark(axes, marked, colours)
    pixels = "1 changed pixel is marked" if len(marked) == 1 else f"{len(marked)} changed pixels are marked"
    _look.headline(figure, f"Row {e.name}: {e.predicted} → {e.target}", f"{_look.chances(e)}; {pixels}", colours)
    return figure


def _range(explainer: Explainer, before: np.ndarray[Any, Any], after: np.ndarray[Any, Any]) -> tuple[float, float]:
    """Black and white: the least and the greatest value that a pixel had in training, or has here."""
    facts = explainer._facts["features"]
    low = min(float(before.min()), float(after.min()), *(one["min"] for one in facts if "min" in one))
    high = max(float(before.max()), float(after.max()), *(one["max"] for one in facts if "max" in one))
    return low, high if high > low else low + 1


def _pixel(place: int, shape: tuple[int, ...]) -> tuple[int, int]:
    row, column = np.unravel_index(place, shape)[:2]
    return int(row), int(column)


def _mark(axes: Axes, pixels: np.ndarray[Any, Any], c: _look.Look) -> None:
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Rectangle

    # A little inside the pixel, so that the frames of two neighbours can be told apart.
    frames = [Rectangle((column - 0.42, row - 0.42), 0.84, 0.84) for row, column in pixels]
    axes.add_collection(PatchCollection(frames, facecolor="none", edgecolor=c.warm, linewidth=1.4))
