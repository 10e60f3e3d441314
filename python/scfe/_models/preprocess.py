"""A preprocess, asked about the rows of a callback.

A ColumnTransformer's parts read their own columns alone, so each part is asked about its own columns. What a part makes
of levels is asked once for each combination of them and kept: while a solver moves numbers, levels stay as they are,
and encoding texts is most of the time of a call.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .._frames import Columns
from .rows import Decoder
from .source import Array, Layout

#: How many combinations of levels are kept for one part.
MOST_KEPT = 100_000
#: On how many rows of the data the parts are compared with the whole.
CHECKED = 64


def transformed(preprocess: Any, frame: Any) -> Array:
    """The numbers that a transformer (or a function) makes of a frame."""
    result = preprocess.transform(frame) if hasattr(preprocess, "transform") else preprocess(frame)
    result = result.toarray() if hasattr(result, "toarray") else result
    return np.asarray(result)


@dataclass
class _Part:
    """What makes some of the numbers of some of the columns."""

    columns: list[int]  # places in the layout
    made: slice  # places of its numbers
    ask: Callable[[Array], Array]  # of the columns' values
    of_levels: bool = False
    kept: dict[bytes, Array] = field(default_factory=dict)

    def __call__(self, x: Array) -> Array:
        x = x[:, self.columns]
        if not self.of_levels or np.isnan(x).any():
            return self.ask(x)
        codes = np.ascontiguousarray(np.rint(x).astype(np.int32))
        keys = [row.tobytes() for row in codes]
        if len(self.kept) + len(keys) > MOST_KEPT:
            self.kept.clear()
        new = {key: row for row, key in enumerate(keys) if key not in self.kept}
        if new:
            self.kept.update(zip(new, self.ask(x[list(new.values())]), strict=True))
        return np.stack([self.kept[key] for key in keys])


class Preprocess:
    """The numbers that a preprocess makes of the rows of a callback."""

    def __init__(self, preprocess: Any, data: Columns, layout: Layout) -> None:
        decoder = Decoder(data, layout)
        self._whole: Callable[[Array], Array] = lambda x: transformed(preprocess, decoder.frame(x))
        self._parts = _parts_of(preprocess, decoder, data, layout)

    def __call__(self, x: Array) -> Array:
        if self._parts is None:
            return self._whole(x)
        made = [(part.made, part(x)) for part in self._parts]
        numbers = np.empty((len(x), max(place.stop for place, _ in made)))
        for place, values in made:
            numbers[:, place] = values
        return numbers


def _parts_of(preprocess: Any, decoder: Decoder, data: Columns, layout: Layout) -> list[_Part] | None:
    """The parts of a ColumnTransformer that names its columns; None of anything else."""
    places = {part.name: i for i, part in enumerate(layout)}
    made = getattr(preprocess, "output_indices_", None)
    if made is None or getattr(preprocess, "transformer_weights", None):
        return None
    few = data.take(np.arange(min(CHECKED, data.rows)))
    whole = transformed(preprocess, few.rebuild(few))
    parts = []
    for name, transformer, names in preprocess.transformers_:
        if (isinstance(transformer, str) and transformer == "drop") or made[name].start == made[name].stop:
            continue
        listed = list(names) if isinstance(names, (list, tuple)) else []
        if not listed or not all(isinstance(one, str) and one in places for one in listed):
            return None
        own = few.select(listed)
        # What is not the same is asked as a whole.
        if not np.array_equal(_numbers(transformer, own.rebuild(own)), whole[:, made[name]], equal_nan=True):
            return None
        columns = [places[one] for one in listed]
        of_levels = all(layout[i].levels is not None for i in columns)
        parts.append(_Part(columns, made[name], _asking(transformer, decoder, columns), of_levels))
    return parts if parts and max(part.made.stop for part in parts) == whole.shape[1] else None


def _asking(transformer: Any, decoder: Decoder, columns: list[int]) -> Callable[[Array], Array]:
    return lambda x: _numbers(transformer, decoder.frame(x, columns))


def _numbers(transformer: Any, frame: Any) -> Array:
    made = frame if isinstance(transformer, str) else transformed(transformer, frame)  # "passthrough"
    return np.asarray(made, dtype=np.float64)
