"""DiCE's words on this engine: a notebook runs after `import scfe.compat.dice as dice_ml`.

    d = dice_ml.Data(dataframe=table, continuous_features=["age", "hours"], outcome_name="income")
    m = dice_ml.Model(model=pipeline, backend="sklearn")
    e = dice_ml.Dice(d, m, method="random").generate_counterfactuals(rows, total_CFs=4, desired_class="opposite")
    e.cf_examples_list[0].final_cfs_df

Names and shapes of results are DiCE's; how answers are found is not. docs/howto/dice.md lists the differences.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from itertools import accumulate
from typing import Any

from .. import Explainer, infer_schema
from .._errors import Error
from .._models import text_of
from .dice_results import CounterfactualExamples, CounterfactualExplanations, importances
from .dice_scaling import OneHotMinMax

METHODS = ("random", "genetic", "kdtree", "gradient")
#: Settings of DiCE's own searches, which have no meaning here.
UNUSED = (
    "initialization", "proximity_weight", "sparsity_weight", "diversity_weight", "categorical_penalty", "algorithm",
    "yloss_type", "diversity_loss_type", "feature_weights", "optimizer", "learning_rate", "min_iter", "max_iter",
    "project_iter", "loss_diff_thres", "loss_converge_maxiter", "init_near_query_instance", "tie_random",
    "stopping_threshold", "posthoc_sparsity_param", "posthoc_sparsity_algorithm", "limit_steps_ls", "sample_size",
    "thresh", "maxiterations", "random_seed", "verbose",
)  # fmt: skip
#: Those that many notebooks give and that change nothing about what an answer is: no warning.
SILENT = ("verbose", "random_seed", "sample_size", "posthoc_sparsity_param", "posthoc_sparsity_algorithm")


class UserConfigValidationException(Error):
    """What was asked for cannot be, or nothing was found."""


class Data:
    """The training rows: a pandas frame with the outcome as one of its columns."""

    def __init__(
        self, dataframe: Any = None, *, outcome_name: str, continuous_features: Iterable[str] = (), **others: Any
    ):
        if dataframe is None:
            raise UserConfigValidationException(
                "Data: expected dataframe=, because plausibility is measured on rows, got none"
            )
        if outcome_name not in dataframe.columns:
            raise UserConfigValidationException(f"outcome_name: expected a column of the frame, got '{outcome_name}'")
        unknown = [name for name in continuous_features if name not in dataframe.columns]
        if unknown:
            raise UserConfigValidationException(
                f"continuous_features: expected columns of the frame, got '{unknown[0]}'"
            )
        self.data_df = dataframe
        self.outcome_name = outcome_name
        self.continuous_feature_names = list(continuous_features)
        self.feature_names = [str(name) for name in dataframe.columns if name != outcome_name]
        self.categorical_feature_names = [n for n in self.feature_names if n not in self.continuous_feature_names]
        self.permitted_range: Mapping[str, Any] = others.pop("permitted_range", None) or {}
        self.precision: Mapping[str, int] = others.pop("continuous_features_precision", None) or {}

    def get_features_range(self) -> dict[str, list[Any]]:
        """Of each number its least and greatest value, of each category its levels."""
        table = self.data_df
        ranges = {name: [table[name].min(), table[name].max()] for name in self.continuous_feature_names}
        levels = {name: sorted(table[name].unique().tolist(), key=str) for name in self.categorical_feature_names}
        return {**ranges, **levels, **{name: list(value) for name, value in self.permitted_range.items()}}

    def get_mads(self, normalized: bool = False) -> dict[str, float]:
        """Of each number the median distance from its median; `normalized`: as a share of its range."""
        mads = {}
        for name in self.continuous_feature_names:
            values = self.data_df[name]
            mad = float((values - values.median()).abs().median())
            spread = float(values.max() - values.min()) or 1.0
            mads[name] = mad / spread if normalized else mad
        return mads


class Model:
    """A trained model. `func="ohe-min-max"`: it takes numbers scaled to 0 .. 1 and a column for each level."""

    def __init__(
        self,
        model: Any = None,
        backend: str = "sklearn",
        model_type: str = "classifier",
        func: Any = None,
        **others: Any,
    ):
        if model is None:
            raise UserConfigValidationException("Model: expected model=, the trained object, got none")
        if model_type not in ("classifier", "regressor"):
            raise UserConfigValidationException(f"model_type: expected 'classifier' or 'regressor', got {model_type!r}")
        if func not in (None, "ohe-min-max") and not callable(func):
            raise UserConfigValidationException(f"func: expected None, 'ohe-min-max' or a function, got {func!r}")
        self.model, self.backend, self.model_type, self.func = model, backend, model_type, func


class Dice:
    """Counterfactuals of a model. Every method of DiCE is answered by this engine."""

    def __init__(self, data_interface: Data, model_interface: Model, method: str = "random", **options: Any):
        if method not in METHODS:
            raise UserConfigValidationException(f"method: expected one of {', '.join(METHODS)}, got {method!r}")
        self.data_interface, self.model = data_interface, model_interface
        self._options = options  # of scfe.Explainer
        self._explainers: dict[Any, Explainer] = {}

    def generate_counterfactuals(
        self,
        query_instances: Any,
        total_CFs: int,
        desired_class: Any = "opposite",
        desired_range: Any = None,
        permitted_range: Mapping[str, Any] | None = None,
        features_to_vary: Any = "all",
        **settings: Any,
    ) -> CounterfactualExplanations:
        """Up to `total_CFs` counterfactuals for each row. Further keywords are options of `Explainer.explain`."""
        if total_CFs < 1:
            raise UserConfigValidationException(f"total_CFs: expected a number above 0, got {total_CFs}")
        rows = self._rows(query_instances)
        question = self._question(features_to_vary, {**self.data_interface.permitted_range, **(permitted_range or {})})
        options = self._settings(settings)
        explainer = self._explainer(question["levels"], desired_range)
        if self.model.model_type == "classifier":
            options["target"] = self._target(explainer, desired_class)
        limits = {"freeze": question["freeze"], "range": question["range"]}
        options.setdefault(
            "max_changes", max(1, min(len(self.data_interface.feature_names) - len(question["freeze"]), 6))
        )
        diverse = {"answers": int(total_CFs), "diverse": "values"} if total_CFs > 1 else {}
        answers = explainer.explain(rows, **limits, **{**diverse, **options})
        frame, own = answers.to_frame(), [answers.of_row(place) for place in range(len(rows))]
        starts = [0, *accumulate(len(explanations) for explanations in own)]
        examples = [
            CounterfactualExamples(
                self.data_interface,
                self.model.model_type,
                explainer,
                rows.iloc[[place]],
                own[place],
                frame.iloc[[starts[place] + k for k, one in enumerate(own[place]) if one.found]],
                desired_class,
                desired_range,
            )
            for place in range(len(rows))
        ]
        if all(len(one.final_cfs_df) == 0 for one in examples):
            reasons = {answer.reason for answer in answers if answer.reason}
            raise UserConfigValidationException(
                f"no counterfactuals found for any of the query points: {'; '.join(sorted(reasons))}"
            )
        return CounterfactualExplanations(examples)

    def local_feature_importance(
        self,
        query_instances: Any,
        cf_examples_list: Any = None,
        total_CFs: int = 10,
        **settings: Any,
    ) -> CounterfactualExplanations:
        """Of each row the share of its counterfactuals that change a feature."""
        examples = (
            cf_examples_list or self.generate_counterfactuals(query_instances, total_CFs, **settings).cf_examples_list
        )
        names = self.data_interface.feature_names
        return CounterfactualExplanations(examples, local_importance=[importances(names, [one]) for one in examples])

    def global_feature_importance(
        self,
        query_instances: Any,
        cf_examples_list: Any = None,
        total_CFs: int = 10,
        **settings: Any,
    ) -> CounterfactualExplanations:
        """The share of all counterfactuals that change a feature. As in DiCE, for at least ten rows."""
        if cf_examples_list is None and len(query_instances) < 10:
            raise UserConfigValidationException(
                f"query_instances: expected at least 10 rows, got {len(query_instances)}"
            )
        local = self.local_feature_importance(query_instances, cf_examples_list, total_CFs, **settings)
        local.summary_importance = importances(self.data_interface.feature_names, local.cf_examples_list)
        return local

    def feature_importance(
        self,
        query_instances: Any,
        cf_examples_list: Any = None,
        total_CFs: int = 10,
        **settings: Any,
    ) -> CounterfactualExplanations:
        """The importance of each row; for ten rows or more of all together too, as in DiCE."""
        many = len(query_instances) >= 10
        ask = self.global_feature_importance if many else self.local_feature_importance
        return ask(query_instances, cf_examples_list, total_CFs, **settings)

    # ---- inside

    def _rows(self, instances: Any) -> Any:
        import pandas

        table = self.data_interface.data_df
        if isinstance(instances, Mapping):
            instances = [instances]
        frame = instances if isinstance(instances, pandas.DataFrame) else pandas.DataFrame(list(instances))
        names = self.data_interface.feature_names
        missing = [name for name in names if name not in frame.columns]
        if missing:
            raise UserConfigValidationException(
                f"query_instances: expected the column '{missing[0]}', which is not there"
            )
        return frame[names].astype({name: table[name].dtype for name in names if str(table[name].dtype) == "category"})

    def _question(self, vary: Any, permitted: Mapping[str, Any]) -> dict[str, Any]:
        names = self.data_interface.feature_names
        chosen = names if isinstance(vary, str) and vary == "all" else list(vary)
        for name in [*chosen, *permitted]:
            if name not in names:
                raise UserConfigValidationException(
                    f"features_to_vary, permitted_range: expected features, got '{name}'"
                )
        table = self.data_interface.data_df
        numbers = {n for n in permitted if table[n].dtype.kind in "iuf"}
        return {
            "freeze": [name for name in names if name not in chosen],
            "range": {name: tuple(permitted[name]) for name in permitted if name in numbers},
            "levels": {name: tuple(str(v) for v in permitted[name]) for name in permitted if name not in numbers},
        }

    def _settings(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        unused = [name for name in settings if name in UNUSED and name not in SILENT]
        if unused:
            warnings.warn(f"{', '.join(unused)}: settings of DiCE's own search, which is not used here", stacklevel=3)
        options = {name: value for name, value in settings.items() if name not in UNUSED}
        threshold = settings.get("stopping_threshold", 0.5)
        if threshold > 0.5:
            options.setdefault("probability", float(threshold))
        return options

    def _explainer(self, levels: Mapping[str, tuple[str, ...]], reach: Any) -> Explainer:
        key = (tuple(sorted(levels.items())), None if reach is None else tuple(reach))
        if key not in self._explainers:
            self._explainers[key] = self._fitted(levels, reach)
        return self._explainers[key]

    def _fitted(self, levels: Mapping[str, tuple[str, ...]], reach: Any) -> Explainer:
        data, model = self.data_interface, self.model
        options = dict(self._options)
        if model.model_type == "regressor":
            if reach is None:
                raise UserConfigValidationException("desired_range: expected [low, high] for a regressor, got none")
            table, label = data.data_df[data.feature_names], None
            options["reach"] = tuple(reach)
        else:
            table, label = data.data_df, data.outcome_name
        if model.func is not None:
            options["preprocess"] = OneHotMinMax(data) if model.func == "ohe-min-max" else model.func
        if not levels and not data.precision:
            return Explainer(model.model, table, label=label, **options)
        schema = infer_schema(table, label)
        for feature in schema["features"]:
            name = feature["name"]
            if name in levels:
                feature["transitions"] = {one: list(levels[name]) for one in feature["levels"]}
            if name in data.precision:
                feature["decimals"] = data.precision[name]
        return Explainer(model.model, table, schema=schema, **options)

    def _target(self, explainer: Explainer, desired: Any) -> str:
        classes = explainer.classes
        if isinstance(desired, str) and desired == "opposite":
            if len(classes) > 2:
                raise UserConfigValidationException(
                    "desired_class: expected a class, because 'opposite' needs just two"
                )
            return "other"
        name = text_of(desired)
        if name in classes:
            return name
        if isinstance(desired, int) and 0 <= desired < len(classes):
            return classes[desired]
        raise UserConfigValidationException(f"desired_class: expected one of {', '.join(classes)}, got {desired!r}")
