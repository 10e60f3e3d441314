"""The explainer: fitted once, asked often, by many threads if need be."""

from __future__ import annotations

import ctypes
import inspect
import json
import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _arrow, _fitting, _frames, _library, _models, _work
from ._answers import Answers
from ._errors import Error
from ._features import FeatureInfo, label_values
from ._measures import Audit, Comparison
from ._options import ASK_TABLE, FIT_TABLE
from ._settings import Settings, names_of, run_line
from ._tables import table, with_limits

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import FitOptions, QuestionOptions

Names = str | Iterable[str]
_LIMITS = ("freeze", "only_up", "only_down", "range", "rules")


class Explainer:
    """Counterfactuals from a model and its training rows.

    model   a path or bytes of ONNX, XGBoost, LightGBM or JSON; a model of scikit-learn, XGBoost, LightGBM, CatBoost,
            PyTorch or Keras; any function `f(X) -> scores`
    data    the training rows: pandas, polars, pyarrow, DuckDB, NumPy, a dict of columns, the path of a CSV file
    label   the column with the class, which is no feature
    schema  in place of `label`: what the columns mean, as a dict, JSON text or the path of a file (see `infer_schema`)
    freeze, only_up, only_down, range, rules
            limits of every question
    id      the column that names a row
    ignore  further columns that are no features, such as dates
    above   of a label of numbers: the second class lies above it
    missing cells that are missing: "error", "drop" the row, or "impute": fill them before the model is asked
    classes the classes of the label in the order of the model's scores, where it is not that of the label
    predictions, min_agreement, model_output
            as the flags of `scfe fit`
    preprocess, gradient, output, inputs, export
            how models that are called take a table and what they return (`scfe._models.open_model`)
    **options
            every option of the catalogue under its own name, with `_` for `-`: `density="kde"`, `seed=1`. Options
            of a question that are given here become the defaults of every later question.
    """

    def __init__(
        self,
        model: Any,
        data: Any,
        *,
        label: str | None = None,
        schema: Mapping[str, Any] | str | os.PathLike[str] | None = None,
        freeze: Names = (),
        only_up: Names = (),
        only_down: Names = (),
        range: Mapping[str, Any] | None = None,
        rules: Names = (),
        **options: Unpack[FitOptions],
    ) -> None:
        """Fits. The class says what the keywords mean."""
        fitting = _fitting.Fitting(table(data), label, schema, dict(options))

        def opened(pointer: ctypes.c_void_p, source: _models.ModelSource) -> Any:
            self._open(_library.Handle(pointer, "scfe_explainer_free"), source)
            return self._outputs if source.regression else self._winners

        self._source = _fitting.fit(fitting, model, opened)
        self._kept = fitting.kept
        self._limits = {"freeze": freeze, "only_up": only_up, "only_down": only_down, "range": range, "rules": rules}
        self._limited().close()  # refuses limits that make no sense now, not at the first question

    # ---- questions

    def explain(
        self,
        rows: Any,
        *,
        freeze: Names = (),
        only_up: Names = (),
        only_down: Names = (),
        range: Mapping[str, Any] | None = None,
        rules: Names = (),
        row_limits: Mapping[str, Any] | Any = None,
        **options: Unpack[QuestionOptions],
    ) -> Answers:
        """The smallest plausible changes that give the target class, for every row.

        rows        a frame with the columns of the training rows; more columns do no harm
        range       {"amount": (100, 5000), "duration": (None, 24)}: limits of this question
        rules       between features: "used <= limit"
        row_limits  limits of single rows: a frame or dict with columns such as "amount:max", "savings:fixed"
        **options   every option of the catalogue: target, max_changes, plausible, answers, path, time_limit, ...
        """
        columns = self._read(rows).frozen()
        settings = self._question(freeze=freeze, only_up=only_up, only_down=only_down, range=range, rules=rules)
        settings.options(options)
        asked = columns if row_limits is None else with_limits(columns, row_limits)
        # The answers read the rows again when they are looked at, so that nothing is kept twice.
        shared = _arrow.Stream(self._sent(asked))
        pointer, interrupted = _work.run_interruptible(
            "explaining",
            settings,
            lambda out: _library.call(
                "scfe_explain_shared",
                self._handle.pointer,
                ctypes.byref(shared.struct),
                settings.pointer,
                ctypes.byref(out),
            ),
            columns.rows,
        )
        handle = _library.Handle(pointer, "scfe_answers_free", shared)
        return Answers(handle, self, columns, interrupted, (asked, settings))

    def predict(self, rows: Any) -> np.ndarray[Any, Any]:
        """The class that the model gives each row, as the label has it: a name, a whole number or a truth value."""
        given = self._predictions(rows)["predicted"]
        return label_values(self.classes, np.asarray(given.codes()))

    def predict_proba(self, rows: Any) -> np.ndarray[Any, Any]:
        """The probability of each class, in the order of `classes`."""
        given = self._predictions(rows)["probability"]
        return np.column_stack([given[name].values for name in self.classes])

    def verify(self, rows: Any, answers: Any = None, /, **wishes: Any) -> dict[str, Any]:
        """Predicts answers again and checks each against every limit of the question, as `scfe verify` does.

        `verify(answers)` is about what `explain` returned and the question it was asked. `verify(rows, answers,
        **wishes)` takes a frame of any tool, or such answers, and the limits and options to check them against. The
        result has the counts and, under "violations", a sentence for each broken limit.
        """
        return self._checked("verify", rows, answers, wishes)

    def evaluate(self, rows: Any, answers: Any = None, /, **wishes: Any) -> dict[str, Any]:
        """Measures answers: validity, distances, LOF, densities, as `scfe evaluate` does.

        `evaluate(answers)` or `evaluate(rows, answers, **wishes)`, as for `verify`. In the result "rows" and
        "answers" are counts, "valid" is a share of the answers from 0 to 1, and the others are measured of each answer.
        """
        return self._checked("evaluate", rows, answers, wishes)

    def audit(self, rows: Any, by: str, **wishes: Any) -> Audit:
        """Compares the cost of recourse between the groups of a column, as `scfe audit` does."""
        settings = self._wishes(wishes)
        settings.set("by", by)
        return Audit(json.loads(self._asked("scfe_audit", rows, settings)))

    def compare(self, rows: Any, runs: Mapping[str, Mapping[str, Any]] | None = None, **wishes: Any) -> Comparison:
        """Runs methods and settings on the same rows and measures their answers, as `scfe compare` does.

        runs: the options of each run by its name, `{"ours": {}, "Wachter": {"method": "wachter"}}`; every method
        if there are none."""
        settings = self._wishes(wishes)
        for name, options in (runs or {}).items():
            settings.set("run", run_line(name, options))
        return Comparison(json.loads(self._asked("scfe_compare", rows, settings)))

    def keep(self, rows: Any, share: float = 0.95, **options: Any) -> list[dict[str, Any]]:
        """For each row the fewest values that alone keep its decision, as `scfe keep` does."""
        settings = Settings()
        settings.options(options)
        settings.set("share", share)
        kept: list[dict[str, Any]] = json.loads(self._asked("scfe_keep", rows, settings))
        return kept

    # ---- what it is

    @property
    def schema(self) -> dict[str, Any]:
        """What the columns mean: types, ranges, levels, limits."""
        return dict(json.loads(_library.text("scfe_schema_json", self._handle.pointer)))

    @property
    def features(self) -> list[str]:
        return [feature.name for feature in self._features]

    @property
    def classes(self) -> list[str]:
        return list(self._facts["classes"])

    @property
    def options(self) -> dict[str, Any]:
        """The options as fitted, which are the defaults of every question."""
        return {name.replace("-", "_"): value for name, value in self._facts["options"].items()}

    @property
    def facts(self) -> list[str]:
        """What fitting found out: densities, labels that the model gives, the solver and what it proves."""
        return [*self._facts["said"], *(self._source.notes if self._source else [])]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a fitted file, which `scfe.load` and the command line read.

        The limits of every question become part of its schema, and hold wherever the file is read.
        """
        with self._limited() as limited:
            _library.call("scfe_save", limited.pointer, os.fsencode(path))

    def to_bytes(self) -> bytes:
        """The fitted file as bytes, as `save` writes it."""
        with self._limited() as limited:
            return _library.content("scfe_save_bytes", limited.pointer)

    def __repr__(self) -> str:
        kind = self._facts["model"]["kind"]
        return f"<scfe.Explainer of {len(self._features)} features, classes {', '.join(self.classes)}, model {kind}>"

    # ---- scikit-learn's manners: the limits of every question are the parameters; the fit is never undone

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The limits of every question: freeze, only_up, only_down, range, rules.

        Those of the schema, and so of a fitted file, are among them, except for ranges: every number has one there.
        """
        limits = {name: self._limits.get(name, None if name == "range" else ()) for name in _LIMITS}
        for name, own in self._schema_limits().items():
            if own:
                limits[name] = tuple(dict.fromkeys([*own, *names_of(name, limits[name])]))
        return limits

    def set_params(self, **limits: Any) -> Explainer:
        """Replaces limits of every question that is asked from now on; those of the schema stay."""
        for name in limits:
            if name not in _LIMITS:
                raise Error(f"unknown parameter '{name}': expected one of {', '.join(_LIMITS)}; others belong to a fit")
        changed = self.__sklearn_clone__()
        changed._limits.update(limits)
        changed._limited().close()  # refuses limits that make no sense, and then nothing is changed
        self._limits = changed._limits
        return self

    def __sklearn_clone__(self) -> Explainer:
        """Another explainer of the same fit, with limits of its own."""
        other = Explainer.__new__(Explainer)
        other.__dict__.update(self.__dict__)
        other._limits = dict(self._limits)
        return other

    def __reduce__(self) -> tuple[Any, ...]:
        if self._facts["model"]["kind"] == "functions":
            raise Error("an explainer of a callable cannot be saved or pickled: pickle the model and fit again")
        from ._loading import from_bytes

        return (from_bytes, (_library.content("scfe_save_bytes", self._handle.pointer), self._limits))

    # ---- inside

    _handle: _library.Handle
    _source: _models.ModelSource | None = None
    _kept: list[Any]
    _limits: dict[str, Any]
    _facts: dict[str, Any]
    _features: list[FeatureInfo]
    _places: dict[str, int]

    def _open(self, handle: _library.Handle, source: _models.ModelSource | None) -> None:
        self._handle = handle
        self._source = source
        self._limits = {}
        self._facts = json.loads(_library.text("scfe_describe", handle.pointer))
        self._features = [FeatureInfo.of(one) for one in self._facts["features"]]
        self._places = {feature.name: place for place, feature in enumerate(self._features)}

    def _read(self, rows: Any) -> _frames.Columns:
        return table(rows, self.features)

    def _sent(self, columns: _frames.Columns) -> _frames.Columns:
        return columns.without_dates(self.features)

    def _question(self, **limits: Any) -> Settings:
        settings = Settings()
        settings.limits(**self._limits)
        settings.limits(**limits)
        return settings

    def _limited(self) -> _library.Handle:
        """The same fit with the limits of every question in its schema."""
        pointer, settings = ctypes.c_void_p(), self._question()
        _library.call("scfe_limited", self._handle.pointer, settings.pointer, ctypes.byref(pointer))
        return _library.Handle(pointer, "scfe_explainer_free")

    def _schema_limits(self) -> dict[str, list[str]]:
        schema = self.schema
        ways = {"freeze": ("immutable", True), "only_up": ("direction", "up"), "only_down": ("direction", "down")}
        limits = {
            name: [one["name"] for one in schema["features"] if one.get(key) == value]
            for name, (key, value) in ways.items()
        }
        return {**limits, "rules": schema.get("rules", [])}

    def _wishes(self, wishes: dict[str, Any]) -> Settings:
        settings = self._question(**{name: wishes[name] for name in _LIMITS if name in wishes})
        settings.options({name: value for name, value in wishes.items() if name not in _LIMITS})
        return settings

    def _asked(self, function: str, rows: Any, settings: Settings) -> str:
        columns = self._read(rows)
        with _arrow.stream(self._sent(columns)) as stream:
            pointer = _work.run(
                function.removeprefix("scfe_"),
                settings,
                lambda out: _library.call(
                    function, self._handle.pointer, ctypes.byref(stream), settings.pointer, ctypes.byref(out)
                ),
                columns.rows,
            )
        return _library.take_bytes(pointer).decode()

    def _checked(self, verb: str, rows: Any, answers: Any, wishes: dict[str, Any]) -> dict[str, Any]:
        if answers is not None:
            asked, settings = self._read(rows), self._wishes(wishes)
        elif not isinstance(rows, Answers):
            raise Error(f"{verb}: expected answers of explain, or rows and answers, got one {type(rows).__name__}")
        elif wishes:
            raise Error(f"{verb}: expected rows and answers before options, got answers and '{next(iter(wishes))}'")
        else:
            answers, (asked, settings) = rows, rows._question
        given = answers._columns() if isinstance(answers, Answers) else table(answers, self.features)
        with _arrow.stream(self._sent(asked)) as stream, _arrow.stream(self._sent(given)) as second:
            pointer = _work.run(
                verb,
                settings,
                lambda out: _library.call(
                    f"scfe_{verb}",
                    self._handle.pointer,
                    ctypes.byref(stream),
                    ctypes.byref(second),
                    settings.pointer,
                    ctypes.byref(out),
                ),
            )
        return dict(json.loads(_library.take_bytes(pointer)))

    def _winners(self, rows: Any) -> np.ndarray[Any, Any]:
        """The class of each row by its place among the model's scores; -1 for a row with missing cells."""
        return np.asarray(self._predictions(rows)["predicted"].codes())

    def _outputs(self, rows: Any) -> np.ndarray[Any, Any]:
        """The number that a regression model gives."""
        return np.asarray(self._predictions(rows)["output"].values)

    def _class_values(self, target: str, feature: str) -> np.ndarray[Any, Any]:
        """A feature of the class's training rows that the model gets right: numbers, or places of levels."""
        places = self.classes.index(target), self._places[feature]
        given = _arrow.read_stream(
            lambda out: _library.call("scfe_class_values", self._handle.pointer, *places, ctypes.byref(out))
        )
        return given["value"].values

    def _predictions(self, rows: Any) -> _arrow.Table:
        settings = Settings()
        with _arrow.stream(self._sent(self._read(rows))) as stream:
            return _arrow.read_stream(
                lambda out: _library.call(
                    "scfe_predict", self._handle.pointer, ctypes.byref(stream), settings.pointer, ctypes.byref(out)
                )
            )


# The keywords are those of the catalogue, and so is what help() says about them.
Explainer.__doc__ = inspect.cleandoc(Explainer.__doc__ or "") + "\n\nOptions of the fit:\n" + FIT_TABLE
Explainer.explain.__doc__ = inspect.cleandoc(Explainer.explain.__doc__ or "") + "\n\nOptions:\n" + ASK_TABLE
