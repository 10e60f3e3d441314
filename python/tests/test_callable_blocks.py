"""Models that are called: many rows a call, the same answers for any number of rows, as many classes as they have."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pandas as pd

import scfe


class Counted:
    """Scores of two classes, row by row in the same order of sums, and the most rows of a call."""

    def __init__(self, wine: pd.DataFrame) -> None:
        self._at, self._spread = wine.mean().to_numpy(), wine.std().to_numpy()
        self.most = 0

    def __call__(self, x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        self.most = max(self.most, len(x))
        score = np.zeros(len(x))
        for j in range(x.shape[1]):
            score += np.tanh((x[:, j] - self._at[j]) / self._spread[j]) * (1 if j % 3 else -1)
        return np.column_stack([-score, score])


def test_many_rows_are_asked_in_one_call(wine: pd.DataFrame) -> None:
    features = wine[["alcohol", "hue", "proline"]]
    model = Counted(features)
    data = features.assign(kind=np.where(model(features.to_numpy())[:, 1] > 0, "second", "first"))
    explainer = scfe.Explainer(model, data, label="kind", inputs="array", output="logits", hints=False)
    model.most = 0
    together = explainer.explain(data, threads=1).to_frame()
    assert model.most > 128  # differences take two points for each of a block, which has 64 for the engine's own models
    for place in range(0, len(data), 50):
        alone = explainer.explain(data.iloc[[place]], threads=1)
        pd.testing.assert_frame_equal(alone.to_frame(), together.iloc[[place]])
    assert explainer.explain(data, threads=2).to_frame().equals(together)


def test_values_and_gradients_of_many_rows_share_a_call(wine: pd.DataFrame) -> None:
    features = (
        (10 * wine[["alcohol", "hue", "proline", "ash"]]).round().astype(int)
    )  # tables of moves are for whole numbers
    model = Counted(features)
    kinds = np.where(model(features.to_numpy())[:, 1] > 0, "second", "first")
    data = features.assign(kind=kinds)
    calls: list[tuple[str, int]] = []

    def value(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        calls.append(("value", len(x)))
        return model(x)

    def gradient(x: np.ndarray[Any, Any], seed: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        calls.append(("gradient", len(x)))
        z = (x - features.mean().to_numpy()) / features.std().to_numpy()
        slopes = (1 - np.tanh(z) ** 2) / features.std().to_numpy() * np.where(np.arange(x.shape[1]) % 3, 1, -1)
        return (seed[:, 1] - seed[:, 0])[:, None] * slopes

    explainer = scfe.Explainer(
        value, data, label="kind", inputs="array", output="logits", gradient=gradient, hints=False
    )
    calls.clear()
    together = explainer.explain(data, threads=1)
    assert together.found.sum() > 50
    # A call of values may be for more rows than the gradients that are then asked for.
    assert any(second[0] == "gradient" and second[1] < first[1] for first, second in itertools.pairwise(calls))
    for place in range(0, len(data), 30):
        alone = explainer.explain(data.iloc[[place]], threads=1)
        assert alone.to_json()[0] | {"row": ""} == together.to_json()[place] | {"row": ""}


def test_a_model_has_more_than_twenty_classes() -> None:
    random = np.random.default_rng(1)
    of = np.tile(np.arange(30), 20)
    frame = pd.DataFrame({"a": of % 6 + 0.1 * random.normal(size=600), "b": of // 6 + 0.1 * random.normal(size=600)})

    def scores(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        places = np.arange(30)
        return -((x[:, :1] - places % 6) ** 2) - (x[:, 1:] - places // 6) ** 2

    explainer = scfe.Explainer(scores, frame.assign(kind=of), label="kind", inputs="array", output="logits")
    assert explainer.classes == [str(k) for k in range(30)]
    answers = explainer.explain(frame.head(8), target="any")
    assert answers.found.all()
    assert (answers.to_frame()[["a", "b"]].to_numpy() != frame.head(8).to_numpy()).any(axis=1).all()
