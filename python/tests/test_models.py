"""Every kind of model: what is handed to the engine predicts what the original object predicts."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import model_data
import model_zoo
import numpy as np
import pytest

from scfe import _models
from scfe._errors import Error
from scfe._frames import CATEGORY, STRING, read
from scfe._models import Input, class_of, log_odds
from scfe._models.preprocess import Preprocess
from scfe._models.rows import Decoder

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build" / "scfe"


def opened(name: str) -> tuple[_models.ModelSource, model_zoo.Case]:
    case = model_zoo.case(name)
    return _models.open_model(case.model, case.rows, **case.options), case


def layout_of(table: Any) -> list[Input]:
    return [Input(c.name, c.encoded()[1] if c.kind in (STRING, CATEGORY) else None) for c in table]


def numbers_of(table: Any) -> Any:
    """A table as the engine gives it to functions."""
    return np.stack([c.encoded()[0] if c.kind in (STRING, CATEGORY) else c.values for c in table], axis=1).astype(
        np.float32
    )


@pytest.mark.parametrize("name", model_zoo.NAMES)
def test_the_engine_is_given_the_same_model(name: str, tmp_path: Path) -> None:
    source, case = opened(name)
    assert source.kind == case.kind, source.notes
    assert source.predict is not None
    own = np.asarray(source.predict(case.rows))
    assert own.shape == (len(case.rows),) and len(np.unique(own)) > 1
    if source.connect is not None:
        table = read(case.rows)
        functions = source.connect(layout_of(table))
        scores = functions.value(numbers_of(table))
        assert scores.shape == (len(case.rows), functions.scores) and functions.features == len(table.columns)
        assert (class_of(scores) == own).mean() == 1
        return
    assert source.bytes is not None
    if not PROGRAM.exists():
        pytest.skip(f"{PROGRAM} is not built")
    agreement = agreement_of(source, case, own, tmp_path)
    assert agreement.startswith("the file agrees with 'own' on 100 %") or (
        case.loses_digits and " on 99." in agreement
    ), agreement


def agreement_of(source: _models.ModelSource, case: model_zoo.Case, own: Any, folder: Path) -> str:
    (folder / "model").write_bytes(source.bytes or b"")
    classes = [str(value) for value in source.classes or range(len(np.unique(own)))]
    labels = np.array(classes)[own]
    case.rows.assign(label=labels, own=labels).to_csv(folder / "rows.csv", index=False)
    command = [
        PROGRAM,
        "fit",
        "--model",
        folder / "model",
        "--data",
        folder / "rows.csv",
        "--label",
        "label",
        "--predictions",
        "own",
    ]
    ran = subprocess.run(
        [*command, "--classes", ",".join(classes), "-o", folder / "e.scfe"], capture_output=True, text=True
    )
    said = (ran.stdout + ran.stderr).splitlines()
    return next((line for line in said if "agrees" in line), "\n".join(said))


@pytest.mark.parametrize("name", [name for name in model_zoo.NAMES if model_zoo.has_gradient(name)])
def test_gradients_are_those_of_the_scores(name: str) -> None:
    source, case = opened(name)
    table = read(case.rows.head(20))
    assert source.connect is not None
    functions = source.connect(layout_of(read(case.rows)))
    assert functions.vjp is not None
    x = numbers_of(table).astype(np.float64)
    if any(c.kind in (STRING, CATEGORY) for c in table):
        x = np.stack([_codes(c, read(case.rows)) for c in table], axis=1).astype(np.float64)
    seed = np.random.default_rng(0).normal(size=(len(x), functions.scores))
    gradient = functions.vjp(x, seed)
    tried = 0
    for i, column in enumerate(table):
        if column.kind in (STRING, CATEGORY):
            assert not gradient[:, i].any()
            continue
        step = 1e-3 * np.ptp(read(case.rows)[column.name].values.astype(float))
        up, down = x.copy(), x.copy()
        up[:, i] += step
        down[:, i] -= step
        slope = ((functions.value(up) - functions.value(down)) * seed).sum(axis=1) / (2 * step)
        close = np.abs(slope - gradient[:, i]) * step < 2e-4
        assert close.mean() >= 0.9, (column.name, slope, gradient[:, i])  # the others are at a kink of a ReLU
        tried += 1
    assert tried > 0


def _codes(column: Any, whole: Any) -> Any:
    if column.kind not in (STRING, CATEGORY):
        return column.values
    levels = whole[column.name].encoded()[1]
    return np.array([levels.index(cell) for cell in column.cells()])


@pytest.mark.parametrize("name", [name for name in model_zoo.NAMES if model_zoo.is_callback(name)])
def test_a_row_alone_has_the_scores_it_has_among_others(name: str) -> None:
    source, case = opened(name)
    table = read(case.rows)
    assert source.connect is not None
    functions = source.connect(layout_of(table))
    x = numbers_of(table)[:50]
    among = functions.value(x)
    alone = np.concatenate([functions.value(x[i : i + 1]) for i in range(len(x))])
    assert np.allclose(among, alone, rtol=1e-5, atol=1e-5)


def test_levels_in_another_order_mean_the_same() -> None:
    source, case = opened("function of a frame")
    table = read(case.rows)
    turned = [Input(p.name, None if p.levels is None else list(reversed(list(p.levels)))) for p in layout_of(table)]
    assert source.connect is not None
    one, other = source.connect(layout_of(table)), source.connect(turned)
    x = numbers_of(table)
    y = np.stack([x[:, i] if p.levels is None else len(p.levels) - 1 - x[:, i] for i, p in enumerate(turned)], axis=1)
    assert np.array_equal(one.value(x), other.value(y))


def test_a_column_transformer_is_asked_part_by_part() -> None:
    data = model_data.credit()
    before = model_zoo.columns(data, dense=True).fit(data.rows)
    table = read(data.rows)
    layout, x = layout_of(table), numbers_of(table).astype(np.float64)
    decoder, preprocess = Decoder(table, layout), Preprocess(before, table, layout)
    batches = [x[:100], np.tile(x[:50], (3, 1)), x[90:110]]
    expected = [before.transform(decoder.frame(rows)) for rows in batches]
    encoder = before.named_transformers_["onehotencoder"]
    encode, asked = encoder.transform, [0]

    def counted(frame: Any) -> Any:
        asked[0] += len(frame)
        return encode(frame)

    encoder.transform = counted
    for rows, numbers in zip(batches, expected, strict=True):
        np.testing.assert_array_equal(preprocess(rows), numbers)
    assert 0 < asked[0] <= 110  # each combination of levels once
    whole = Preprocess(lambda frame: before.transform(frame), table, layout)  # a function has no parts
    np.testing.assert_array_equal(whole(x[:20]), expected[0][:20])


def test_single_precision_gives_back_what_was_written() -> None:
    import pandas

    frame = pandas.DataFrame({"rate": [0.1, 2.35, 1234.56, 7.0]})
    seen = []

    def model(rows: Any) -> Any:
        seen.append(rows["rate"].to_numpy())
        return rows["rate"].to_numpy() - 1

    source = _models.open_model(model, frame)
    assert source.connect is not None
    source.connect([Input("rate", decimals=2)]).value(frame.to_numpy(np.float32))
    assert np.array_equal(seen[-1], frame["rate"])


def test_opposite_probabilities_are_one_score() -> None:
    p = np.array([0.0, 0.25, 0.5, 1.0])
    two = log_odds(np.stack([1 - p, p], axis=1))
    assert two.shape == (4, 1) and np.allclose(two, log_odds(p), rtol=1e-2) and np.isfinite(two).all()
    assert class_of(two).tolist() == [0, 0, 0, 1]


BAD = model_zoo.bad_models()


@pytest.mark.parametrize("what", BAD)
def test_what_is_no_model_is_refused_in_one_sentence(what: str) -> None:
    make, text = BAD[what]
    model, options = make()
    with pytest.raises(Error, match=text) as caught:
        _models.open_model(model, model_data.credit().rows, **options)
    assert "\n" not in str(caught.value)


def test_what_to_install_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    case = model_zoo.case("scikit-learn logistic regression")
    monkeypatch.setitem(sys.modules, "skl2onnx", None)
    with pytest.raises(Error, match="pip install skl2onnx"):
        _models.open_model(case.model, case.rows)
