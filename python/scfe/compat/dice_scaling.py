"""DiCE's transformation "ohe-min-max": numbers scaled to 0 .. 1, then one column for each level of each category."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from .dice import Data


class OneHotMinMax:
    def __init__(self, data: Data) -> None:
        table = data.data_df
        self._numbers = {
            n: (float(table[n].min()), float(np.ptp(table[n]) or 1)) for n in data.continuous_feature_names
        }
        self._levels = {n: sorted(table[n].unique().tolist(), key=str) for n in data.categorical_feature_names}

    def __call__(self, frame: Any) -> np.ndarray[Any, Any]:
        parts = [(frame[n].to_numpy(dtype=float)[:, None] - low) / span for n, (low, span) in self._numbers.items()]
        for name, levels in self._levels.items():
            cells = frame[name].astype(object).to_numpy()[:, None]
            parts.append((cells == np.array(levels, dtype=object)[None, :]).astype(float))
        return np.concatenate(parts, axis=1)
