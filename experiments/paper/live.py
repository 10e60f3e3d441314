"""Figure 5: MIP-Live with one change against S-CFE, on the points of the paper's drawing.

The drawing's regions are no network's (its line jumps where a hidden unit does not), so a ReLU network 2-8-1 is trained on its
points, each with a little cloud around it. Drawn: its linear pieces, the live polytope that MIP-Live searches, the answers.
"""
import json
import types

import numpy as np

from . import command, methods, networks, plot, tasks
from .places import RESULTS, SEED, WORK

FOLDER = WORK / "live"
LIMS, SIDE = (0, 0.55), 400
ONE = np.array([(.03, .12), (.04, .20), (.10, .18), (.17, .21), (.30, .03), (.34, .09), (.39, .05), (.48, .05)])
ZERO = np.array([(.10, .04), (.16, .08), (.21, .12), (.25, .19), (.21, .26)])
FACTUAL = np.array([[.17, .21]])
LIVE = ["--method", "mip-live", "--norm", "l2", "--max-changes", 1, "--polytopes", 1, "--plausible", "none"]
PAPER = [*methods.PAPER, "--max-changes", 1, "--tau", 0.1, "--step", 0.02]
# label, fit, flags, colour, mark
WAYS = (("MIP-Live, m = 1", "none", LIVE, plot.RED, "D"),
        ("MIP-Live, m = 1, LOF <= 5", "none", [*LIVE, "--lof", 5], "#8a5a9e", "^"),
        ("S-CFE KDE, m = 1, paper mode", "kde", PAPER, plot.GREEN, "s"),
        ("ours, m = 1, as typical as half", "default", ["--max-changes", 1, "--plausible", 0.5], "#222222", "*"))
FITS = {"none": ["--density", "none"], "kde": ["--density", "kde"], "default": []}


def prepare():
    FOLDER.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(SEED)
    centres, labels = np.vstack([ONE, ZERO]), np.repeat([1, 0], [len(ONE), len(ZERO)])
    clouds = np.clip(np.repeat(centres, 8, axis=0) + random.normal(0, 0.008, (8 * len(centres), 2)), 0, 1)
    clouds[::8] = centres
    layers = networks.fit_dense(clouds * 8 - 1.5, np.repeat(labels, 8), (8,), 1500, rate=1e-2)
    layers = [(8 * layers[0][0], layers[0][1] - 1.5 * layers[0][0].sum(axis=1)), *layers[1:]]
    networks.write(FOLDER, layers, ["0", "1"])
    x = np.round(clouds, tasks.DECIMALS)
    tasks.write_table(FOLDER / "train.csv", x, np.repeat(labels, 8))
    tasks.write_table(FOLDER / "rows.csv", FACTUAL)
    tasks.write_schema(FOLDER / "schema.json", np.array([[0, 0], [1, 1.]]))
    return types.SimpleNamespace(folder=FOLDER), x, np.repeat(labels, 8), layers


def pattern(layers, at):
    weight, bias = layers[0]
    return ((at @ weight.T + bias) > 0) @ (1 << np.arange(len(bias)))


def draw_pieces(axis, layers, x, y):
    """The linear pieces of the network, and the one of class 0 that is nearest to the row."""
    plot.regions(axis, lambda at: networks.logits(layers, at), LIMS)
    grid = np.stack(np.meshgrid(*[np.linspace(*LIMS, SIDE)] * 2), axis=-1)
    flat = grid.reshape(-1, 2)
    cells = pattern(layers, flat).reshape(SIDE, SIDE)
    edges = (np.diff(cells, axis=0, prepend=cells[:1]) != 0) | (np.diff(cells, axis=1, prepend=cells[:, :1]) != 0)
    axis.contour(grid[..., 0], grid[..., 1], edges.astype(float), levels=[0.5], colors="#999999", linewidths=0.4)
    zero = x[y == 0]
    nearest = zero[np.argmin(((zero - FACTUAL) ** 2).sum(axis=1))]
    live = (cells == pattern(layers, nearest[None])[0]) & (networks.logits(layers, flat).reshape(SIDE, SIDE) < 0)
    axis.contourf(grid[..., 0], grid[..., 1], live, levels=[0.5, 1.5], colors=[plot.RED], alpha=0.18)


def draw_way(axis, to, label, colour, mark):
    if np.isnan(to).any():
        axis.plot([], [], mark, color=colour, label=f"{label}: none")
        return
    axis.annotate("", to, FACTUAL[0], arrowprops={"arrowstyle": "->", "color": colour, "lw": 1})
    axis.plot(*to, mark, ms=9, color=colour, mec="white", mew=0.6, label=label)


def run(quick):
    task, x, y, layers = prepare()
    figure, axis = plot.plt.subplots(figsize=(6.2, 5.6), layout="constrained")
    draw_pieces(axis, layers, x, y)
    for label, colour in ((1, plot.BLUE), (0, plot.ORANGE)):
        axis.plot(*x[y == label].T, "o", ms=3, mfc="none", mec=colour, alpha=0.7)
    axis.plot(*FACTUAL[0], "o", ms=8, color=plot.BLUE, label="the row")
    found = {}
    for label, fit, flags, colour, mark in WAYS:
        fitted = command.fit(task, fit, FITS[fit])
        got = command.explain(task, fitted, label.replace(" ", "_").replace("<", ""), flags)
        found[label] = {"answer": [None if np.isnan(v) else v for v in got.points[0]], "command": got.command, "seed": SEED}
        draw_way(axis, got.points[0], label, colour, mark)
    axis.legend(loc="upper right", fontsize=8)
    axis.set_title("linear pieces (grey), live polytope nearest to the row (red)")
    figure.get_layout_engine().set(rect=(0, 0.02, 1, 0.98))
    plot.save(figure, "figure5", "make paper: live, commands in figure5.json")
    (RESULTS / "figure5.json").write_text(json.dumps(found, indent=1) + "\n")
