"""The engine's answers as an Arrow table with one row for each row that was asked.

The columns are the fields of `scfe.Explanation`. They show the first answer of a row; where several were asked for, the
column `answers` lists all of them. `before` and `after` of a change are texts, because features have different types:
numbers are written with as many digits as give the same number again. `counterfactual` has every feature in its own
type.
"""

from __future__ import annotations

import ctypes
import math
from typing import Any

import numpy as np

from . import _arrow, _library
from ._answers import Answers, hint_value
from ._features import FeatureInfo

_TEXTS = ("status", "reason", "predicted", "target", "proof", "certificate", "stability")
_NUMBERS = {
    "probability_before": "probability_before", "probability": "probability", "output_before": "output_before",
    "output": "output", "margin": "margin", "distance": "distance", "distance_l1": "l1", "log_density": "log_density",
    "quantile": "quantile", "lower_bound": "lower_bound", "stable_margin": "stable_margin",
}  # fmt: skip
_FLAGS = ("timed_out", "knee")


def answer_schema(features: list[FeatureInfo], several: bool) -> Any:
    """The columns of the answers; `several`: with a column that lists all answers of a row."""
    import pyarrow as pa

    text, number = pa.string(), pa.float64()
    change = pa.struct([("feature", text), ("before", text), ("after", text), ("room", number)])
    hint = pa.struct([("kind", text), ("value", text), ("distance", number), ("reached", number), ("text", text)])
    fields = [
        pa.field("answer", pa.int64()),
        *(pa.field(name, text) for name in _TEXTS),
        *(pa.field(name, number) for name in _NUMBERS),
        *(pa.field(name, pa.bool_()) for name in _FLAGS),
        pa.field("changes", pa.list_(change)),
        pa.field("counterfactual", pa.struct([(one.name, text if one.levels else number) for one in features])),
        pa.field("hints", pa.list_(hint)),
    ]
    return pa.schema([*fields, pa.field("answers", pa.list_(pa.struct(fields)))] if several else fields)


def answer_table(answers: Answers, features: list[FeatureInfo], schema: Any) -> Any:
    """The answers in the columns of `schema`, one row for each row that was asked."""
    import pyarrow as pa

    given = _read(answers)
    names = schema.names
    made = {
        "answer": given["answer"],
        **{name: given[name] for name in _TEXTS},
        **{name: given[source] for name, source in _NUMBERS.items()},
        **{name: given[name] for name in _FLAGS},
        "changes": _changes(given["changes"], features),
        "counterfactual": given["counterfactual"],
        "hints": _hints(given["hints"], features),
    }
    fields = [schema.field(name) for name in names if name in made]
    columns = [_cast(made[field.name], field.type) for field in fields]
    # The answers of a row follow each other, and every row has one at least.
    first = np.flatnonzero(np.diff(given["row"].to_numpy(), prepend=-1))
    table = pa.Table.from_arrays(columns, schema=pa.schema(fields)).take(first)
    if "answers" not in names:
        return table
    ends = pa.array(np.append(first, len(columns[0])), pa.int32())
    every = pa.ListArray.from_arrays(ends, pa.StructArray.from_arrays(columns, fields=fields))
    return table.append_column(schema.field("answers"), every)


def _read(answers: Answers) -> dict[str, Any]:
    """The columns that the engine hands over, without a copy."""
    import pyarrow as pa

    stream = _arrow.ArrowArrayStream()
    _library.call("scfe_answers_stream", answers._handle.pointer, ctypes.byref(stream))
    table = pa.RecordBatchReader._import_from_c(ctypes.addressof(stream)).read_all().combine_chunks()
    return {name: table[name].chunk(0) for name in table.column_names}


def _cast(array: Any, wanted: Any) -> Any:
    """Dictionaries as plain texts, also inside of a struct."""
    import pyarrow as pa

    if not pa.types.is_struct(wanted):
        return array.cast(wanted)
    parts = [_cast(array.field(field.name), field.type) for field in wanted]
    return pa.StructArray.from_arrays(parts, fields=list(wanted), mask=array.is_null())


def _changes(lists: Any, features: list[FeatureInfo]) -> Any:
    items = lists.values
    places = items.field("feature").to_numpy()
    names = np.array([one.name for one in features], dtype=object)[places]

    def shown(side: str) -> list[str]:
        values = items.field(side).to_numpy()
        return [str(features[p].shown(v)) for p, v in zip(places.tolist(), values.tolist(), strict=True)]

    room = [None if math.isnan(value) else value for value in items.field("room").to_pylist()]
    return _listed(lists, {"feature": names, "before": shown("from"), "after": shown("to"), "room": room})


def _hints(lists: Any, features: list[FeatureInfo]) -> Any:
    items = lists.values
    kinds, values = items.field("kind").to_pylist(), items.field("value").to_pylist()
    shown = [str(hint_value(kind, value, features)) for kind, value in zip(kinds, values, strict=True)]
    reached = [
        v if kind in ("upper", "lower") else None
        for kind, v in zip(kinds, items.field("reached").to_pylist(), strict=True)
    ]
    parts = {"kind": kinds, "value": shown, "distance": items.field("distance"), "reached": reached}
    return _listed(lists, {**parts, "text": items.field("text")})


def _listed(lists: Any, parts: dict[str, Any]) -> Any:
    """The same lists with other items."""
    import pyarrow as pa

    numbers = ("room", "distance", "reached")
    arrays = [
        part if isinstance(part, pa.Array) else pa.array(part, pa.float64() if name in numbers else pa.string())
        for name, part in parts.items()
    ]
    return pa.ListArray.from_arrays(lists.offsets, pa.StructArray.from_arrays(arrays, list(parts)))
