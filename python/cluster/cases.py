"""The rows, the explainers and the answers of one process, which every engine has to give again.

German Credit with its network, and gradient boosting: on German Credit in CI; with SCFE_FULL=1 on Adult, many rows
without a floor and some with one, which take a hundred times as long (the rows of Adult are not shipped:
../shared/data/adult.csv).
"""

from __future__ import annotations

import os
import warnings
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
import pandas as pd
import pyarrow as pa

import scfe
from scfe._batch import Question

ROOT = Path(__file__).resolve().parents[2]
FULL = bool(os.environ.get("SCFE_FULL"))
ADULT = ROOT.parent / "shared" / "data" / "adult.csv"
NETWORK_ROWS, BOOSTING_ROWS = (20_000, 100_000) if FULL else (1_500, 3_000)
FLOOR_ROWS = 2_000  # of Adult


@dataclass
class Case:
    explainer: scfe.Explainer
    wishes: dict[str, Any]
    rows: pa.Table  # with the column `id`, which is no feature

    @cached_property
    def expected(self) -> pa.Table:
        """What one process answers, by id."""
        return Question(self.explainer, self.wishes, ["id"], threads=2)(self.rows)

    @cached_property
    def expected_texts(self) -> list[str]:
        return texts(self.expected)

    def same(self, answers: pa.Table) -> bool:
        """True if these are the answers of one process, to the bit, in whatever order the engine left them."""
        assert answers.num_rows == self.rows.num_rows
        return texts(answers) == self.expected_texts


def texts(answers: pa.Table) -> list[str]:
    """Each row of answers as a text with all its bits, in the order of the ids."""
    return [repr(row) for row in answers.sort_by("id").to_pylist()]


def numbered(table: pd.DataFrame, rows: int) -> pa.Table:
    """The table repeated to so many rows, each with an id, in an order that mixes easy and hard ones."""
    places = np.random.default_rng(3).integers(0, len(table), rows)
    frame = table.iloc[places].reset_index(drop=True)
    frame.insert(0, "id", np.arange(rows) + 10**9)
    return pa.Table.from_pandas(frame, preserve_index=False)


def repeated(rows: pa.Table, count: int) -> pa.Table:
    """The rows once more and once more, with new ids."""
    many = pa.concat_tables([rows] * (count // rows.num_rows + 1)).slice(0, count)
    return many.set_column(0, "id", pa.array(np.arange(count) + 10**9))


@cache
def network() -> Case:
    table = pd.read_csv(ROOT / "data/german_credit.csv")
    schema = (ROOT / "data/german_credit.schema.json").read_text()
    explainer = scfe.Explainer(str(ROOT / "data/models/german_credit.onnx"), table, schema=schema, freeze=["purpose"])
    return Case(explainer, {"target": "approved", "answers": 2}, numbered(table.drop(columns="risk"), NETWORK_ROWS))


@cache
def boosting() -> Case:
    if FULL:
        table = pd.read_csv(ADULT).drop(columns=["fnlwgt", "education_num"]).replace("?", "unknown")
        label = table.pop("income") == ">50K"
    else:
        table = pd.read_csv(ROOT / "data/german_credit.csv")
        label = table.pop("risk") == "good"
    typed = table.astype({name: "category" for name in table.select_dtypes(object).columns})
    options = {"objective": "binary", "num_leaves": 7, "num_threads": 1, "seed": 0, "verbose": -1}
    model = lightgbm.train(options, lightgbm.Dataset(typed, label.astype(int)), 30)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        explainer = scfe.Explainer(model, typed.assign(good=label), label="good")
    wishes = {"target": "True", "max_changes": 2}
    return Case(explainer, {**wishes, "plausible": 0} if FULL else wishes, numbered(table, BOOSTING_ROWS))


def boosting_with_floor() -> Case:
    base = boosting()
    return Case(base.explainer, {**base.wishes, "plausible": 0.1}, base.rows.slice(0, FLOOR_ROWS))


CASES = {"network": network, "boosting": boosting}
if FULL:
    CASES["boosting with a floor"] = cache(boosting_with_floor)
