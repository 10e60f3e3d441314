"""Pictures show what the answers say: bars, dots, labels and marked pixels are compared with the answers themselves."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
from conftest import DATA

import scfe

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

STYLES = ("default", "dark_background")


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    yield
    pyplot.close("all")


@pytest.fixture(scope="module")
def refused(credit_explainer: scfe.Explainer, credit: pd.DataFrame) -> pd.DataFrame:
    return credit[credit_explainer.predict(credit) == "refused"].head(25)


@pytest.fixture(scope="module")
def answers(credit_explainer: scfe.Explainer, refused: pd.DataFrame) -> scfe.Answers:
    return credit_explainer.explain(refused, target="approved", max_changes=3, plausible=0.2)


def texts(figure: Any) -> list[str]:
    figure.canvas.draw()
    return [text.get_text() for text in figure.findobj(matplotlib.text.Text) if text.get_text().strip()]


def drawn(figure: Any) -> Iterator[Any]:
    """The texts that can be seen. Matplotlib keeps ticks beyond the ends of an axis, and does not draw them."""
    beyond = set()
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            low, high = sorted(axis.get_view_interval())
            for tick in axis.get_major_ticks():
                if not low <= tick.get_loc() <= high:
                    beyond |= {tick.label1, tick.label2}
    for text in figure.findobj(matplotlib.text.Text):
        # The title keeps an empty second line for the note.
        if text.get_visible() and text.get_text().strip() and text is not figure._suptitle and text not in beyond:
            yield text


def overlaps(figure: Any) -> list[tuple[str, str]]:
    """Pairs of texts that lie on each other, and texts that are cut off, once the figure is drawn."""
    figure.canvas.draw()
    boxes = [(text.get_text(), text.get_window_extent()) for text in drawn(figure)]
    assert len(boxes) >= 3
    pairs = [(a, b) for i, (a, x) in enumerate(boxes) for b, y in boxes[:i] if x.padded(-1).overlaps(y.padded(-1))]
    edge = figure.bbox
    cut = [(a, "the border") for a, x in boxes if min(x.x0, x.y0) < 0 or x.x1 > edge.x1 or x.y1 > edge.y1]
    return pairs + cut


def dot(axes: Any, label: str) -> tuple[float, float]:
    [line] = [line for line in axes.lines if line.get_label() == label]
    return float(line.get_xdata()[0]), float(line.get_ydata()[0])


@pytest.mark.parametrize("style", STYLES)
def test_one_row(answers: scfe.Answers, credit_explainer: scfe.Explainer, credit: pd.DataFrame, style: str) -> None:
    schema = {feature["name"]: feature for feature in credit_explainer.schema["features"]}
    own = credit[(credit_explainer.predict(credit) == "approved") & (credit["risk"] == "good")]
    seen = set()
    for e in answers:
        kinds = {isinstance(change.before, str) for change in e.changes}
        if not kinds - seen:
            continue
        seen |= kinds
        with pyplot.style.context(style):
            figure = e.plot()
        assert len(figure.axes) == len(e.changes)
        assert any(f"Row {e.name}: refused → approved" in text for text in texts(figure))
        for axes, change in zip(figure.axes, e.changes, strict=True):
            unit = schema[change.feature].get("unit")
            named = f"{change.feature} ({unit})" if unit else change.feature
            assert axes.get_xlabel().startswith(named + ": ")
            if isinstance(change.before, str):
                levels = [tick.get_text() for tick in axes.get_yticklabels()]
                assert levels[int(dot(axes, "before")[1])] == change.before
                assert levels[int(dot(axes, "after")[1])] == change.after
                shares = own[change.feature].value_counts(normalize=True)
                widths = [bar.get_width() for bar in axes.patches]
                assert widths == pytest.approx([shares.get(level, 0.0) for level in levels])
            else:
                assert (dot(axes, "before")[0], dot(axes, "after")[0]) == (change.before, change.after)
                assert sum(bar.get_height() for bar in axes.patches) == len(own)  # the class, whole
        assert overlaps(figure) == []
    assert seen == {True, False}


@pytest.mark.parametrize("style", STYLES)
def test_colours_stand_out_from_the_background(answers: scfe.Answers, style: str) -> None:
    with pyplot.style.context(style):
        figure = answers.plot()
    background = np.array(matplotlib.colors.to_rgb(figure.get_facecolor()))
    colours = [bar.get_facecolor()[:3] for bar in figure.axes[0].patches]
    colours += [matplotlib.colors.to_rgb(text.get_color()) for text in figure.findobj(matplotlib.text.Text)]
    assert len(colours) > 10
    assert min(np.abs(np.array(colour) - background).max() for colour in colours) > 0.25


def test_batch(answers: scfe.Answers) -> None:
    figure = answers.plot(most=4)
    [axes] = figure.axes
    wanted: dict[str, int] = {}
    for e in answers:
        for change in e.changes:
            wanted[change.feature] = wanted.get(change.feature, 0) + 1
    changed = sum(bool(e.changes) for e in answers)
    names = [tick.get_text().split(" (")[0] for tick in axes.get_yticklabels()]
    shown: dict[str, float] = dict.fromkeys(names, 0.0)
    for bar in axes.patches:
        shown[names[round(bar.get_y() + bar.get_height() / 2)]] += bar.get_width() * changed
    assert len(names) == 4
    assert shown == pytest.approx({name: wanted[name] for name in names})
    assert [wanted[name] for name in names] == sorted(wanted.values(), reverse=True)[:4]
    assert any(f"{changed} answers that change something; {len(wanted) - 4} rarer" in text for text in texts(figure))
    assert overlaps(figure) == []


def test_path(credit_explainer: scfe.Explainer, refused: pd.DataFrame) -> None:
    path = credit_explainer.explain(refused.head(6), target="approved", path=True, max_changes=4)
    knees = 0
    for row in range(6):
        steps = path.of_row(row)
        figure = path.plot_path(row)
        top, bottom = figure.axes
        assert list(top.lines[0].get_xdata()) == [len(e.changes) for e in steps]
        assert list(top.lines[0].get_ydata()) == [e.distance for e in steps]
        assert list(bottom.lines[0].get_ydata()) == [e.quantile for e in steps]
        marked = [line.get_xdata()[0] for line in top.lines[1:]]
        assert marked == [len(e.changes) for e in steps if e.knee]
        assert ("knee" in texts(figure)) == bool(marked)
        knees += len(marked)
        assert overlaps(figure) == []
        pyplot.close(figure)
    assert knees > 0


def test_audit(credit_explainer: scfe.Explainer, credit: pd.DataFrame) -> None:
    audit = credit_explainer.audit(credit.head(150), by="housing", target="approved")
    figure = audit.plot()
    names = [tick.get_text() for tick in figure.axes[0].get_yticklabels()]
    assert names == [f"{group['name']}\n({group['refused']} of {group['rows']})" for group in audit["groups"]]
    for axes, key in zip(figure.axes, ("answered", "distance", "changes", "quantile"), strict=True):
        [drawn] = axes.containers
        assert list(drawn.lines[0].get_xdata()) == pytest.approx([group[key]["mean"] for group in audit["groups"]])
        ends = np.array([segment[:, 0] for segment in drawn.lines[2][0].get_segments()])
        assert ends == pytest.approx(np.array([[group[key]["lo"], group[key]["hi"]] for group in audit["groups"]]))
    assert overlaps(figure) == []


@pytest.fixture(scope="module")
def pixels() -> scfe.Answers:
    """Images of 3 × 4 pixels whose class is whether the left half is brighter than the right one."""
    values = np.random.default_rng(0).random((200, 12)).round(3)
    weights = np.tile([1.0, 1.0, -1.0, -1.0], 3)
    names = [f"pixel{i}" for i in range(12)]
    data = pd.DataFrame(values, columns=names).assign(side=np.where(values @ weights > 0, "left", "right"))
    explainer = scfe.Explainer(
        lambda x: -10 * x @ weights, data, label="side", inputs="array", output="logits",
        gradient=lambda x, seed: -10 * seed.reshape(-1, 1) * weights,
    )  # fmt: skip
    return explainer.explain(data[names].head(6), max_changes=3, plausible=0)


def test_image(pixels: scfe.Answers) -> None:
    e = max(pixels, key=lambda one: len(one.changes))
    figure = e.plot(image=(3, 4))
    left, right = figure.axes
    before, after = (np.asarray(axes.images[0].get_array()) for axes in (left, right))
    places = {int(change.feature[5:]) for change in e.changes}
    assert len(places) > 1
    assert set(np.flatnonzero((before != after).ravel()).tolist()) == places
    for axes in (left, right):
        frames = [path.get_extents() for path in axes.collections[0].get_paths()]
        middles = {(round((f.y0 + f.y1) / 2), round((f.x0 + f.x1) / 2)) for f in frames}
        assert middles == {divmod(place, 4) for place in places}
    assert overlaps(figure) == []
    with pytest.raises(scfe.Error, match=r"expected a shape .* of 12 features, got \(3, 5\)"):
        e.plot(image=(3, 5))


def test_what_cannot_be_drawn_says_why(
    answers: scfe.Answers, credit_explainer: scfe.Explainer, credit: pd.DataFrame
) -> None:
    approved = credit[credit_explainer.predict(credit) == "approved"].head(1)
    nothing = credit_explainer.explain(approved, target="approved", plausible=0)
    with pytest.raises(scfe.Error, match="already in the target class"):
        nothing[0].plot()
    with pytest.raises(scfe.Error, match="expected answers that change something, got none"):
        nothing.plot()
    again = pickle.loads(pickle.dumps(answers[0]))
    assert again == answers[0]
    with pytest.raises(scfe.Error, match="pickled"):
        again.plot()


def test_without_matplotlib_the_error_says_what_to_install() -> None:
    model, table, schema = (str(DATA / name) for name in ("models/wine.onnx", "wine.csv", "wine.schema.json"))
    code = f"""
import sys
sys.modules["matplotlib"] = None
import scfe
ex = scfe.Explainer({model!r}, {table!r}, schema=open({schema!r}).read())
try:
    ex.explain({table!r})[0].plot()
except scfe.Error as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "plots need matplotlib: pip install matplotlib\n", done.stderr
