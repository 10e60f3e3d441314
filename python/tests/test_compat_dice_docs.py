"""Calls as DiCE's README and notebooks make them, run through scfe.compat.dice, and their results checked.

The notebooks' tables are replaced by made-up ones with the same columns. Each text below runs as it stands, line after
line; every call of DiCE's interface in it counts.
"""

from __future__ import annotations

import ast
import json
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest

import scfe.compat.dice as dice_ml

# ruff: noqa: E501
INCOME = """
d = dice_ml.Data(dataframe=dataset, continuous_features=['age', 'hours_per_week'], outcome_name='income')
m = dice_ml.Model(model=model, backend='sklearn')
"""
NOTEBOOKS = {
    "README": INCOME
    + """
exp = dice_ml.Dice(d, m)
made = exp.generate_counterfactuals(rows[0:1], total_CFs=4, desired_class='opposite')
made.visualize_as_dataframe()
made.cf_examples_list[0].final_cfs_df.to_csv(path_or_buf=folder / 'counterfactuals.csv', index=False)
made = exp.generate_counterfactuals(rows[0:1], total_CFs=4, desired_class='opposite', proximity_weight=1.5, diversity_weight=1.0)
made = exp.generate_counterfactuals(rows[0:1], total_CFs=4, desired_class='opposite', feature_weights={'age': 10, 'hours_per_week': 5})
made = exp.generate_counterfactuals(rows[0:1], total_CFs=4, desired_class='opposite', features_to_vary=['age', 'workclass', 'education', 'occupation', 'hours_per_week'])
""",
    "getting started": INCOME
    + """
exp = dice_ml.Dice(d, m, method='random')
made = exp.generate_counterfactuals(rows[0:1], total_CFs=2, desired_class='opposite')
made.visualize_as_dataframe(show_only_changes=True)
made = exp.generate_counterfactuals(rows[0:1], total_CFs=4, desired_class='opposite', features_to_vary=['education', 'occupation', 'hours_per_week'])
made = exp.generate_counterfactuals(rows[0:1], total_CFs=2, desired_class='opposite', permitted_range={'age': [20, 60], 'education': ['Doctorate', 'Prof-school']})
exp = dice_ml.Dice(d, m, method='genetic')
made = exp.generate_counterfactuals(rows[0:1], total_CFs=4, desired_class='opposite')
made = exp.generate_counterfactuals(query_instances=rows[0:1], total_CFs=1, desired_class=1, posthoc_sparsity_algorithm='binary')
local = exp.local_feature_importance(rows[0:1], total_CFs=3)
summary = exp.global_feature_importance(rows[0:10], total_CFs=2, posthoc_sparsity_param=None)
""",
    "model-agnostic": INCOME
    + """
exp = dice_ml.Dice(d, m, method='random')
made = exp.generate_counterfactuals(rows[4:6], total_CFs=2, desired_class='opposite', verbose=False)
made.visualize_as_dataframe(show_only_changes=True)
made = exp.generate_counterfactuals(rows[4:6], total_CFs=4, desired_class='opposite', random_seed=9)
made = exp.generate_counterfactuals(rows[4:6], total_CFs=4, desired_class='opposite', features_to_vary=['workclass', 'education', 'occupation', 'hours_per_week'])
made = exp.generate_counterfactuals(rows[4:6], total_CFs=4, desired_class='opposite', permitted_range={'age': [22, 50], 'hours_per_week': [40, 60]})
exp = dice_ml.Dice(d, m, method='genetic')
made = exp.generate_counterfactuals(rows[4:6], total_CFs=4, desired_class='opposite', verbose=True)
made = exp.generate_counterfactuals(rows[4:6], total_CFs=2, desired_class='opposite', features_to_vary=['workclass', 'education', 'occupation', 'hours_per_week'])
made = exp.generate_counterfactuals(rows[4:6], total_CFs=2, desired_class='opposite', permitted_range={'age': [22, 50], 'hours_per_week': [40, 60]})
made = exp.generate_counterfactuals(rows[4:6], total_CFs=2, desired_class=1, sample_size=1000, posthoc_sparsity_param=0.1)
exp = dice_ml.Dice(d, m, method='kdtree')
made = exp.generate_counterfactuals(rows[4:6], total_CFs=4, desired_class='opposite')
made = exp.generate_counterfactuals(rows[4:6], total_CFs=4, desired_class='opposite', features_to_vary=['age', 'workclass', 'education', 'occupation', 'hours_per_week'])
made = exp.generate_counterfactuals(rows[4:6], total_CFs=5, desired_class='opposite', permitted_range={'age': [30, 50], 'hours_per_week': [40, 60]})
""",
    "advanced options": INCOME
    + """
exp = dice_ml.Dice(d, m, method='gradient')
made = exp.generate_counterfactuals(rows.iloc[0].to_dict(), total_CFs=4, desired_class='opposite')
made.visualize_as_list()
ranges = d.get_features_range()
mads = d.get_mads(normalized=True)
made = exp.generate_counterfactuals(rows.iloc[0].to_dict(), total_CFs=4, desired_class='opposite', feature_weights={name: round(1 / mads[name], 2) for name in mads})
made = exp.generate_counterfactuals(rows.iloc[0].to_dict(), total_CFs=4, desired_class='opposite', proximity_weight=1.5, diversity_weight=0.5, stopping_threshold=0.6)
""",
    "feature importances": INCOME
    + """
exp = dice_ml.Dice(d, m, method='random')
made = exp.generate_counterfactuals(rows[2:3], total_CFs=2)
local = exp.local_feature_importance(rows[2:3], cf_examples_list=made.cf_examples_list)
local = exp.feature_importance(rows[2:3], posthoc_sparsity_param=None, total_CFs=2)
summary = exp.feature_importance(rows[0:10], total_CFs=2, posthoc_sparsity_param=None)
document = made.to_json()
""",
    "several classes, regression": """
d = dice_ml.Data(dataframe=flowers[['length', 'width', 'target']], continuous_features=['length', 'width'], outcome_name='target')
m = dice_ml.Model(model=flower_model, backend='sklearn', model_type='classifier')
exp = dice_ml.Dice(d, m, method='genetic')
made = exp.generate_counterfactuals(flower_rows[2:3], total_CFs=3, desired_class=2)
made = exp.generate_counterfactuals(flower_rows[17:19], total_CFs=2, desired_class=2)
made.visualize_as_dataframe(display_sparse_df=False)
d = dice_ml.Data(dataframe=flowers[['length', 'width', 'price']], continuous_features=['length', 'width'], outcome_name='price')
m = dice_ml.Model(model=price_model, backend='sklearn', model_type='regressor')
exp = dice_ml.Dice(d, m, method='genetic')
made = exp.generate_counterfactuals(flower_rows[2:3], total_CFs=2, desired_range=[3.0, 5.0])
made = exp.generate_counterfactuals(flower_rows[17:19], total_CFs=2, desired_range=[3.0, 5.0])
""",
}
INTERFACE = {name for kind in (dice_ml.Dice, dice_ml.Data) for name in dir(kind) if not name.startswith("_")} | {
    "Data", "Model", "Dice", "visualize_as_dataframe", "visualize_as_list", "to_json", "to_csv",
}  # fmt: skip


def calls_in(text: str) -> list[ast.Call]:
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    return [call for call in calls if isinstance(call.func, ast.Attribute) and call.func.attr in INTERFACE]


@pytest.fixture(scope="module")
def tables() -> dict[str, Any]:
    pytest.importorskip("sklearn")
    pytest.importorskip("skl2onnx")
    from sklearn.compose import make_column_transformer
    from sklearn.linear_model import LinearRegression, LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    rng, n = np.random.default_rng(0), 600
    education = ["School", "HS-grad", "Some-college", "Assoc", "Bachelors", "Masters", "Prof-school", "Doctorate"]
    levels = {
        "workclass": ["Government", "Other/Unknown", "Private", "Self-Employed"],
        "education": education,
        "marital_status": ["Divorced", "Married", "Separated", "Single", "Widowed"],
        "occupation": ["Blue-Collar", "Other/Unknown", "Professional", "Sales", "Service", "White-Collar"],
        "race": ["Other", "White"],
        "gender": ["Female", "Male"],
    }
    dataset = pd.DataFrame({"age": rng.integers(17, 80, n), **{k: rng.choice(v, n) for k, v in levels.items()}})
    dataset["hours_per_week"] = rng.integers(10, 80, n)
    score = dataset["education"].map(education.index) + 0.05 * dataset["hours_per_week"] + rng.normal(0, 1, n)
    dataset["income"] = (score > score.median()).astype(int)
    features = dataset.drop(columns="income")
    encoded = make_column_transformer(
        (StandardScaler(), ["age", "hours_per_week"]), (OneHotEncoder(handle_unknown="ignore"), list(levels))
    )
    model = make_pipeline(encoded, LogisticRegression(max_iter=500)).fit(features, dataset["income"])
    kind = rng.integers(0, 3, 150)
    flowers = pd.DataFrame({"length": 2.0 * kind + rng.normal(4, 0.5, 150), "width": kind + rng.normal(2, 0.3, 150)})
    flower_rows = flowers.round(1)
    flowers = flower_rows.assign(target=kind, price=(0.5 * flower_rows["length"] + flower_rows["width"]).round(2))
    return {
        "dataset": dataset,
        "model": model,
        "rows": features[model.predict(features) == 0],
        "flowers": flowers,
        "flower_rows": flower_rows[kind < 2],
        "flower_model": LogisticRegression(max_iter=500).fit(flower_rows, kind),
        "price_model": LinearRegression().fit(flower_rows, flowers["price"]),
    }


def check(exp: dice_ml.Dice, made: Any) -> None:
    """Every counterfactual has the columns of the table, and what was asked for under the original model."""
    data, found = exp.data_interface, 0
    for one in made.cf_examples_list:
        frame = one.final_cfs_df
        assert list(frame.columns) == [*data.feature_names, data.outcome_name]
        predicted = exp.model.model.predict(frame[data.feature_names])
        if exp.model.model_type == "regressor":
            assert ((predicted >= one.desired_range[0]) & (predicted <= one.desired_range[1])).all()
        else:
            assert (predicted == (1 if one.desired_class == "opposite" else one.desired_class)).all()
        found += len(frame)
    assert found >= len(made.cf_examples_list)


@pytest.mark.parametrize("notebook", NOTEBOOKS)
def test_a_notebook_runs(notebook: str, tables: dict[str, Any], tmp_path: Any, capsys: Any) -> None:
    names = {**tables, "dice_ml": dice_ml, "folder": tmp_path}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # settings of DiCE's own search are named and not used
        for line in filter(None, NOTEBOOKS[notebook].splitlines()):
            exec(line, names)
            if line.startswith("made = "):
                check(names["exp"], names["made"])
    if "local" in names:
        assert all(0 <= share <= 1 for one in names["local"].local_importance for share in one.values())
        assert max(names["summary"].summary_importance.values()) > 0
    if "document" in names:
        assert len(json.loads(names["document"])["cfs_list"]) == 1
    if "visualize" in NOTEBOOKS[notebook]:
        assert "Query instance (original outcome" in capsys.readouterr().out


def test_there_are_fifty_different_calls() -> None:
    texts = {ast.unparse(call) for text in NOTEBOOKS.values() for call in calls_in(text)}
    assert len(texts) >= 50
