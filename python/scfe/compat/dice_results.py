"""Results in the shapes of DiCE: frames with the outcome as their last column, lists of them, and JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .._models import text_of

if TYPE_CHECKING:
    from .. import Explainer, Explanation
    from .dice import Data


class CounterfactualExamples:
    """The counterfactuals of one row: `test_instance_df` and `final_cfs_df`, both with the outcome predicted."""

    def __init__(
        self,
        data: Data,
        model_type: str,
        explainer: Explainer,
        row: Any,
        explanations: Sequence[Explanation],
        found: Any,
        desired: Any,
        reach: Any,
    ) -> None:
        """`row` and `found` are frames: the row asked, and its counterfactuals."""
        self.data_interface, self.model_type = data, model_type
        self.desired_class, self.desired_range = desired, reach
        self.explanations = list(explanations)
        self.test_instance_df = _with_outcome(data, explainer, row)
        self.final_cfs_df = _with_outcome(data, explainer, found.reset_index(drop=True))
        self.final_cfs_df_sparse = self.final_cfs_df
        self.test_pred = self.test_instance_df[data.outcome_name].iloc[0]
        self.new_outcome = self.final_cfs_df[data.outcome_name].iloc[0] if len(found) else None

    def visualize_as_dataframe(self, display_sparse_df: bool = True, show_only_changes: bool = False) -> None:
        """Shows the row and its counterfactuals; with `show_only_changes` a dash for what stays."""
        print(f"Query instance (original outcome : {self.test_pred})")
        _show(self.test_instance_df)
        if len(self.final_cfs_df) == 0:
            print("No counterfactuals found: " + "; ".join(one.reason for one in self.explanations if one.reason))
            return
        print(f"\nCounterfactuals (new outcome: {self.new_outcome})")
        _show(self._only_changes() if show_only_changes else self.final_cfs_df)

    def visualize_as_list(self, display_sparse_df: bool = True, show_only_changes: bool = False) -> None:
        """The same as lists."""
        print(f"Query instance (original outcome : {self.test_pred})")
        print(self.test_instance_df.to_numpy().tolist())
        print(f"\nCounterfactuals (new outcome: {self.new_outcome})")
        for row in (self._only_changes() if show_only_changes else self.final_cfs_df).to_numpy().tolist():
            print(row)

    def _only_changes(self) -> Any:
        shown = self.final_cfs_df.astype(object)
        before = self.test_instance_df.iloc[0]
        for name in self.data_interface.feature_names:
            shown[name] = np.where(shown[name] == before[name], "-", shown[name])
        return shown

    def to_json(self) -> str:
        return json.dumps({"test_data": _lists(self.test_instance_df), "cfs_list": _lists(self.final_cfs_df)})


class CounterfactualExplanations:
    """The counterfactuals of all rows."""

    def __init__(
        self,
        cf_examples_list: Sequence[CounterfactualExamples],
        local_importance: Any = None,
        summary_importance: Any = None,
    ):
        self.cf_examples_list = list(cf_examples_list)
        self.local_importance = local_importance
        self.summary_importance = summary_importance
        self.metadata = {"version": "2.0"}

    def visualize_as_dataframe(self, display_sparse_df: bool = True, show_only_changes: bool = False) -> None:
        for one in self.cf_examples_list:
            one.visualize_as_dataframe(display_sparse_df, show_only_changes)

    def visualize_as_list(self, display_sparse_df: bool = True, show_only_changes: bool = False) -> None:
        for one in self.cf_examples_list:
            one.visualize_as_list(display_sparse_df, show_only_changes)

    def to_json(self) -> str:
        """Rows, counterfactuals and importances as one JSON document."""
        first = self.cf_examples_list[0]
        data = first.data_interface
        document = {
            "test_data": [_lists(one.test_instance_df) for one in self.cf_examples_list],
            "cfs_list": [_lists(one.final_cfs_df) for one in self.cf_examples_list],
            "local_importance": self.local_importance and [list(one.values()) for one in self.local_importance],
            "summary_importance": self.summary_importance and list(self.summary_importance.values()),
            "data_interface": {"outcome_name": data.outcome_name},
            "feature_names": data.feature_names,
            "feature_names_including_target": [*data.feature_names, data.outcome_name],
            "model_type": first.model_type,
            "desired_class": first.desired_class,
            "desired_range": first.desired_range,
            "metadata": self.metadata,
        }
        return json.dumps(document, default=_plain)


def importances(names: Iterable[str], examples: Sequence[CounterfactualExamples]) -> dict[str, float]:
    """The share of counterfactuals that change each feature, the largest first."""
    changed = dict.fromkeys(names, 0)
    total = 0
    for one in examples:
        before = one.test_instance_df.iloc[0]
        total += len(one.final_cfs_df)
        for name in changed:
            changed[name] += int((one.final_cfs_df[name] != before[name]).sum())
    shares = {name: count / max(total, 1) for name, count in changed.items()}
    return dict(sorted(shares.items(), key=lambda item: -item[1]))


def _with_outcome(data: Data, explainer: Explainer, frame: Any) -> Any:
    outcome = data.data_df[data.outcome_name]
    if len(frame) == 0:
        predicted: Any = outcome.iloc[:0].to_numpy()
    elif explainer._source is not None and explainer._source.regression and explainer._source.predict is not None:
        predicted = np.asarray(explainer._source.predict(frame))
    else:
        known = {text_of(value): value for value in outcome.unique().tolist()}
        predicted = [known.get(text_of(value), value) for value in explainer.predict(frame).tolist()]
    return frame.assign(**{data.outcome_name: predicted})


def _lists(frame: Any) -> list[list[Any]]:
    return [[_plain(cell) for cell in row] for row in frame.astype(object).to_numpy().tolist()]


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value


def _show(frame: Any) -> None:
    try:
        from IPython.display import display  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        print(frame.to_string(index=False))
    else:
        display(frame)
