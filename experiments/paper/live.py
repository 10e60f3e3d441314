"""Figure 5: MIP-Live with one change against S-CFE, on the points of the paper's drawing.

The drawing's points, in its own centimetres, are in figure5_points.csv. Its regions are no network's (its line jumps where
a hidden unit does not), so a ReLU network 2-8-1 is trained on the points, each with a little cloud around it. Drawn: where a
hidden unit switches, the live polytope that MIP-Live searches, the answers.
"""
import csv
import json
import pathlib
import types

import numpy as np

from . import command, methods, networks, plot, tasks, toy
from .places import RESULTS, SEED, WORK

FOLDER = WORK / "live"
LIMS, SIDE = (0, 0.55), 400
POINTS, CENTIMETRES, ROW = pathlib.Path(__file__).parent / "figure5_points.csv", 5, 3    # a unit is 5 cm; the filled point
COPIES, SPREAD = 8, 0.008
LIVE = ["--method", "mip-live", "--norm", "l2", "--max-changes", 1, "--plausible", "none"]
PAPER = [*methods.PAPER, "--max-changes", 1, "--tau", 0.1, "--step", 0.02]
# label, fit, flags, colour, mark
WAYS = (("MIP-Live, one polytope, one change", "none", [*LIVE, "--polytopes", 1], plot.RED, "D"),
        ("MIP-Live, one change, LOF <= 3 (k = 1)", "none", [*LIVE, "--lof", 3], "#8a5a9e", "^"),
        ("S-CFE KDE, one change, paper mode", "kde", PAPER, plot.GREEN, "s"),
        ("ours, one change, as typical as half", "default", ["--max-changes", 1, "--plausible", 0.5], "#222222", "*"))
FITS = {"none": ["--density", "none"], "kde": ["--density", "kde"], "default": []}


def read_points():
    with open(POINTS) as file:
        rows = [(float(row["x"]), float(row["y"]), int(row["label"])) for row in csv.DictReader(file)]
    rows = np.array(rows)
    return rows[:, :2] / CENTIMETRES, rows[:, 2].astype(int)


def prepare():
    FOLDER.mkdir(parents=True, exist_ok=True)
    centres, labels = read_points()
    noise = np.random.default_rng(SEED).normal(0, SPREAD, (COPIES * len(centres), 2))
    x = np.clip(np.repeat(centres, COPIES, axis=0) + noise, 0, 1)
    x[::COPIES] = centres
    x, y = np.round(x, tasks.DECIMALS), np.repeat(labels, COPIES)
    layers = networks.fit_dense(x * 8 - 1.5, y, (8,), 1500, rate=1e-2)
    layers = [(8 * layers[0][0], layers[0][1] - 1.5 * layers[0][0].sum(axis=1)), *layers[1:]]
    networks.write(FOLDER, layers, ["0", "1"])
    tasks.write_table(FOLDER / "train.csv", x, y)
    tasks.write_table(FOLDER / "rows.csv", centres[ROW:ROW + 1])
    tasks.write_schema(FOLDER / "schema.json", np.array([[0, 0], [1, 1.]]))
    return types.SimpleNamespace(folder=FOLDER, test=centres[ROW:ROW + 1], train=x, labels=y, layers=layers)


def hidden(layers, at):
    weight, bias = layers[0]
    return at @ weight.T + bias


def draw_pieces(axis, task):
    """Where hidden units switch, and of the class's live polytopes the one nearest to the row."""
    plot.regions(axis, lambda at: networks.logits(task.layers, at), LIMS)
    grid = np.stack(np.meshgrid(*[np.linspace(*LIMS, SIDE)] * 2), axis=-1)
    flat = grid.reshape(-1, 2)
    units = hidden(task.layers, flat)
    for unit in units.T:
        if unit.min() < 0 < unit.max():
            axis.contour(grid[..., 0], grid[..., 1], unit.reshape(SIDE, SIDE), levels=[0], colors="#999999", linewidths=0.6)
    zero = task.train[task.labels == 0]
    nearest = zero[np.argmin(((zero - task.test) ** 2).sum(axis=1))]
    live = ((units > 0) == (hidden(task.layers, nearest[None]) > 0)).all(axis=1) & (networks.logits(task.layers, flat) < 0)
    axis.contourf(grid[..., 0], grid[..., 1], live.reshape(SIDE, SIDE), levels=[0.5, 1.5], colors=[plot.RED], alpha=0.18)


def draw_way(axis, row, to, way):
    label, _, _, colour, mark = way
    if np.isnan(to).any():
        axis.plot([], [], mark, ms=7, color=colour, label=f"{label}: none")
        return
    axis.annotate("", to, row, arrowprops={"arrowstyle": "->", "color": colour, "lw": 1})
    axis.plot(*to, mark, ms=9, color=colour, mec="white", mew=0.6, label=label)


def run(quick):
    task = prepare()
    figure, axis = plot.plt.subplots(figsize=(6.2, 5.6), layout="constrained")
    draw_pieces(axis, task)
    for label, colour in ((1, plot.BLUE), (0, plot.ORANGE)):
        axis.plot(*task.train[task.labels == label].T, "o", ms=3, mfc="none", mec=colour, alpha=0.7)
    axis.plot(*task.test[0], "o", ms=8, color=plot.BLUE, label="the row")
    found = {}
    for number, way in enumerate(WAYS):
        label, fit, flags, _, _ = way
        got = command.explain(task, command.fit(task, fit, FITS[fit]), f"way{number}", flags)
        found[label] = {"answer": [None if np.isnan(v) else v for v in got.points[0]],
                        "to_nearest": round(toy.to_nearest(got.points, task.train, task.labels), 4), "command": got.command, "seed": SEED}
        draw_way(axis, task.test[0], got.points[0], way)
    axis.set(xticks=np.arange(0, 0.6, 0.1), yticks=np.arange(0, 0.6, 0.1), xlabel="feature 1", ylabel="feature 2")
    axis.legend(loc="upper right", fontsize=8)
    axis.set_title("hidden units switch (grey), live polytope nearest to the row (red)")
    plot.save(figure, "figure5", "make paper: live, commands in figure5.json")
    (RESULTS / "figure5.json").write_text(json.dumps(found, indent=1) + "\n")
