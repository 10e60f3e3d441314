"""Slopes of a function of rows by central differences, all rows and columns in one call.

    d f / d x_i = (f(x + step_i e_i) - f(x - step_i e_i)) / (2 step_i),     step_i = a thousandth of the column's range

A black box is asked once for a gradient, and not twice for each column: what a call costs is mostly its overhead.
Text and categories have no slope.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .._frames import CATEGORY, STRING, Columns
from .source import Array, Layout

STEP = 1e-3


class Differences:
    def __init__(self, data: Columns, layout: Layout) -> None:
        self._moving, self._steps = [], []
        for i, part in enumerate(layout):
            column = data[part.name]
            if column.kind in (STRING, CATEGORY) or part.levels is not None:
                continue
            span = np.ptp(column.values[slice(None) if column.valid is None else column.valid].astype(np.float64))
            self._moving.append(i)
            self._steps.append(STEP * float(span) if np.isfinite(span) and span > 0 else STEP)

    def pull(self, function: Callable[[Array], Array], x: Array, seed: Array) -> Array:
        """The gradient [n, d] of the sum of seed[n, k] times function(x)[n, k]."""
        x = np.asarray(x, dtype=np.float64)
        result, count, moves = np.zeros(x.shape), len(x), len(self._moving)
        if moves == 0:
            return result
        moved = np.tile(x, (2 * moves, 1)).reshape(moves, 2, count, -1)
        for k, (i, step) in enumerate(zip(self._moving, self._steps, strict=True)):
            moved[k, 0, :, i] += step
            moved[k, 1, :, i] -= step
        values = np.asarray(function(moved.reshape(2 * moves * count, -1)), dtype=np.float64)
        values = values.reshape(moves, 2, count, -1)
        for k, (i, step) in enumerate(zip(self._moving, self._steps, strict=True)):
            result[:, i] = ((values[k, 0] - values[k, 1]) / (2 * step) * np.reshape(seed, (count, -1))).sum(axis=1)
        return result
