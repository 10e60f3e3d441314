"""From a model of any library and a table to a fitted explainer of the engine.

The model is handed over as bytes or as functions (`_models`). Then the engine's predictions are compared with the
model's own on some rows; if they differ, and the model can be called instead of read, it is called.
"""

from __future__ import annotations

import ctypes
import json
import os
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from . import _arrow, _library, _models, _work
from ._errors import Error
from ._frames import Columns, unknown_column
from ._settings import Settings
from ._warn import warn

SAMPLE = 5000  # rows on which predictions are compared
FEW = 0.01  # of these rows: a file that predicts otherwise on more of them is not the model
SAME_NUMBER = 1e-4  # of the size of a regression's outputs
MODEL_OPTIONS = ("preprocess", "gradient", "output", "inputs", "export")


def schema_text(schema: Mapping[str, Any] | str | os.PathLike[str] | None) -> str | None:
    """The JSON of a schema that is given as a dict, as JSON text, or as the path of a file."""
    if schema is None:
        return None
    if isinstance(schema, Mapping):
        return json.dumps(schema)
    if isinstance(schema, str) and schema.lstrip().startswith("{"):
        return schema
    try:
        with open(schema, encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as error:
        got = str(schema)[:80]
        raise Error(f"schema: expected a dict, JSON text, or the path of a JSON file, got {got!r}") from error


def described_features(schema: str) -> list[str]:
    """The names in a schema; what is no JSON, or has none, is refused by the engine, in its words."""
    try:
        features = json.loads(schema)["features"]
        return [str(feature["name"]) for feature in features]
    except (ValueError, KeyError, TypeError):
        return []


class Fitting:
    """What is given to a fit: the table, the label or schema, and the options."""

    def __init__(
        self,
        table: Columns,
        label: str | None,
        schema: Mapping[str, Any] | str | os.PathLike[str] | None,
        options: dict[str, Any],
    ) -> None:
        self.table = table
        self.label = label
        self.schema = schema_text(schema)
        self.options = {name: value for name, value in options.items() if name not in MODEL_OPTIONS}
        self.model_options = {name: value for name, value in options.items() if name in MODEL_OPTIONS}
        self.kept: list[Any] = []  # the functions of a callable model, which must live as long as the explainer

    def features(self) -> list[str]:
        """The columns that may be features: those of the schema, or all that are not named otherwise."""
        if self.schema is not None:
            described = described_features(self.schema)
            for name in described:
                if name not in self.table:
                    raise unknown_column(f"schema: feature '{name}' is no column", name, self.table.names())
            return described or self.table.names()
        ignored = self.options.get("ignore") or ()
        other = {self.label, self.options.get("id"), self.options.get("predictions")}
        other |= set([ignored] if isinstance(ignored, str) else ignored)
        return [name for name in self.table.names() if name not in other]

    def settings(self, source: _models.ModelSource, *, with_label: bool = True) -> Settings:
        """What the engine is told; without the label it is a column like those that are ignored."""
        options = {**source.settings, **self.options}
        without = [] if with_label or self.label is None else [self.label]
        if self.schema is None:
            unread = [name for name in self.features() if source.columns and name not in source.columns]
            given = options.get("ignore") or ()
            options["ignore"] = [*([given] if isinstance(given, str) else given), *unread, *without] or None
            classes = [str(name) for name in source.classes or []]
            if classes and "classes" not in options and self._has_classes(classes):
                options["classes"] = classes
        settings = Settings()
        settings.set("label", None if without else self.label)
        settings.set("schema", self.schema)
        settings.options(options, fitting=True)
        return settings

    def _has_classes(self, classes: list[str]) -> bool:
        if self.label is None or self.label not in self.table:
            return False
        return {str(cell) for cell in self.table[self.label].cells() if cell is not None} == set(classes)

    def run(self, source: _models.ModelSource) -> ctypes.c_void_p:
        settings = self.settings(source)
        model = self._model(source)
        with model, _arrow.stream(self._sent(source)) as rows:
            return _work.run(
                "fitting",
                settings,
                lambda out: _library.call(
                    "scfe_fit", model.pointer, ctypes.byref(rows), settings.pointer, ctypes.byref(out)
                ),
            )

    def _model(self, source: _models.ModelSource) -> _library.Handle:
        pointer = ctypes.c_void_p()
        if source.path is not None:
            _library.call("scfe_model_read", source.path.encode(), ctypes.byref(pointer))
        elif source.bytes is not None:
            name = source.source.encode()
            _library.call("scfe_model_from_bytes", source.bytes, len(source.bytes), name, ctypes.byref(pointer))
        elif source.connect is not None:
            source.callback = source.connect(self._layout(source))
            functions = _library.functions(source.callback, source.source)
            self.kept.append(functions)
            _library.call("scfe_model_from_functions", ctypes.byref(functions.struct), ctypes.byref(pointer))
        else:
            raise Error("model: expected bytes or functions, got neither")
        return _library.Handle(pointer, "scfe_model_free")

    def _sent(self, source: _models.ModelSource) -> Columns:
        return self.table.without_dates(self._read_by(source))

    def _read_by(self, source: _models.ModelSource) -> list[str]:
        """The features that the model reads."""
        return [name for name in self.features() if not source.columns or name in source.columns]

    def _layout(self, source: _models.ModelSource) -> list[_models.Input]:
        """One input for each feature, in the schema's order: a number, or the place of a level."""
        pointer = ctypes.c_void_p()
        # How many classes the label may have depends on the model, which is not known yet.
        is_known = self.schema is not None or self.label not in self.table
        settings = self.settings(source, with_label=is_known)
        with _arrow.stream(self._sent(source)) as rows:
            _library.call("scfe_infer_schema", ctypes.byref(rows), settings.pointer, ctypes.byref(pointer))
        features = json.loads(_library.take_bytes(pointer))["features"]
        return [_models.Input(f["name"], f.get("levels"), f.get("decimals")) for f in features]

    def sample(self, source: _models.ModelSource, *, gaps: bool = False) -> Columns:
        """Some rows without missing cells, or with some, evenly spread."""
        whole = np.ones(self.table.rows, dtype=bool)
        for name in self._read_by(source):
            valid = self.table[name].valid
            if valid is not None:
                whole &= valid
        places = np.flatnonzero(~whole if gaps else whole)
        return self.table.take(places[np.linspace(0, len(places) - 1, min(SAMPLE, len(places))).astype(np.int64)])


def disagreement(source: _models.ModelSource, sample: Columns, engine: Callable[[Columns], Any]) -> tuple[int, int]:
    """On how many rows of the sample the engine's prediction is not the model's own, and how many there are."""
    if source.predict is None or sample.rows == 0:
        return 0, 0
    own = np.asarray(source.predict(sample))
    ours = np.asarray(engine(sample))
    tolerance = SAME_NUMBER * (np.abs(own) + np.abs(own).mean()) if source.regression else 0
    return int((np.abs(own - ours) > tolerance).sum()), len(own)


def about_gaps(source: _models.ModelSource, rows: Columns, engine: Callable[[Columns], Any]) -> str:
    """What became of rows with missing cells: the engine answers for the row with its gaps filled.

    A model that reads missing cells itself, as tree boosters do, may decide otherwise for the row as it is.
    """
    if source.predict is None or rows.rows == 0:
        return ""
    counted = f"{rows.rows} rows with missing cells" if rows.rows > 1 else "1 row with missing cells"
    try:
        ours = np.asarray(engine(rows))
    except Error:
        return ""  # the policy refuses them
    if not source.regression and np.all(ours < 0):
        return f"{counted} were dropped and not compared."
    try:
        own = np.asarray(source.predict(rows))
    except Exception:  # whatever a model says that takes no missing cells
        return f"{counted} are filled before the model is asked; it does not take them as they are."
    tolerance = SAME_NUMBER * (np.abs(own) + np.abs(own).mean()) if source.regression else 0
    same = int((np.abs(own - ours) <= tolerance).sum())
    return (
        f"{counted} are filled before the model is asked: its prediction for the row as it is, with the gaps, is the "
        f"same on {same} of them. Answers are about the filled row."
    )


def fit(
    fitting: Fitting, model: Any, opened: Callable[[ctypes.c_void_p, _models.ModelSource], Callable[[Columns], Any]]
) -> _models.ModelSource:
    """Fits, compares, and falls back to calling the model where reading it went wrong.

    `opened` takes the handle of the explainer and returns what the engine predicts for a table.
    """
    source = _models.open_model(model, fitting.table.select(fitting.features()), **fitting.model_options)
    why = ""
    try:
        engine = opened(fitting.run(source), source)
        differ, rows = disagreement(source, fitting.sample(source), engine)
        why = f"it was read, but predicts otherwise for {differ} of {rows} rows" if differ else ""
        if differ <= FEW * rows:  # such as rows that lie on a threshold of a tree
            source.fallback = None
    except Error as error:
        if source.fallback is None:
            raise
        differ, rows, why = 1, 1, str(error)
    if differ and source.fallback is not None:
        source = source.fallback()
        engine = opened(fitting.run(source), source)
        source.notes.append(f"The model is called, not read: {why}.")
        differ, rows = disagreement(source, fitting.sample(source), engine)
    if differ:
        warn(f"the engine predicts otherwise than {source.source} itself for {differ} of {rows} rows")
    gaps = about_gaps(source, fitting.sample(source, gaps=True), engine)
    if rows and not differ:
        without = " without missing cells" if gaps else ""
        source.notes.append(f"Its own predictions are the engine's on all of {rows} rows{without}.")
    if gaps:
        source.notes.append(gaps)
    return source
