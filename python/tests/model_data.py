"""The tables that every kind of model is tried on: German Credit, and Adult where its file is at hand."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
ADULT = ROOT.parent / "shared" / "data" / "adult.csv"  # not shipped
ADULT_ROWS = 4000  # enough for the models, and few enough that fitting them all takes seconds


class Data:
    """Features, labels and what a test asks of them."""

    def __init__(self, table: Any, label: str, good: str, frozen: str, followers: tuple[str, ...] = ()) -> None:
        self.rows, self.labels = table.drop(columns=label), table[label]
        self.label, self.good, self.frozen = label, good, frozen
        self.followers = followers  # columns that follow from another, as a fit finds out

    @property
    def numeric(self) -> Any:
        return self.rows.select_dtypes("number")

    @property
    def text_columns(self) -> list[str]:
        return [name for name in self.rows if name not in self.numeric.columns]

    @property
    def is_good(self) -> Any:
        """The labels as 0 and 1."""
        return (self.labels == self.good).to_numpy().astype(np.int64)

    @property
    def categories(self) -> Any:
        """The rows with categories in place of texts."""
        return self.rows.astype(dict.fromkeys(self.text_columns, "category"))


@functools.cache
def credit() -> Data:
    pandas = pytest.importorskip("pandas")
    return Data(pandas.read_csv(ROOT / "data" / "german_credit.csv"), "risk", "good", "age")


@functools.cache
def adult() -> Data:
    pandas = pytest.importorskip("pandas")
    if not ADULT.exists():
        pytest.skip("Adult is not shipped: ../shared/data/adult.csv is absent")
    # fnlwgt is a survey weight and no feature. Rows with unknown cells ("?") are left out.
    table = pandas.read_csv(ADULT, na_values="?").drop(columns="fnlwgt").dropna()
    return Data(table.head(ADULT_ROWS).reset_index(drop=True), "income", ">50K", "age", ("education_num",))


DATA = {"German Credit": credit, "Adult": adult}
