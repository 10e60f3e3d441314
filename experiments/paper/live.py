"""Figure 5: MIP-Live with one change against S-CFE, on the points of the paper's drawing.

The drawing's regions are no network's (its line jumps where a hidden unit does not), so a ReLU network 2-8-1 is trained on its
points, each with a little cloud around it. Drawn: its linear pieces, the live polytope that MIP-Live searches, the answers.
"""
import json
import types

import numpy as np

from . import command, networks, plot, tasks
from .places import SEED, WORK

FOLDER = WORK / "live"
ONE = np.array([(.03, .12), (.04, .20), (.10, .18), (.17, .21), (.30, .03), (.34, .09), (.39, .05), (.48, .05)])
ZERO = np.array([(.10, .04), (.16, .08), (.21, .12), (.25, .19), (.21, .26)])
FACTUAL = np.array([[.17, .21]])
WAYS = (("MIP-Live, m = 1", "none", ["--method", "mip-live", "--norm", "l2", "--max-changes", 1, "--polytopes", 1, "--plausible", "none"], plot.RED, "D"),
        ("MIP-Live, m = 1, LOF <= 5", "none", ["--method", "mip-live", "--norm", "l2", "--max-changes", 1, "--polytopes", 1, "--lof", 5, "--plausible", "none"], "#8a5a9e", "^"),
        ("S-CFE KDE, m = 1, paper mode", "kde", ["--solver", "apg", "--step-rule", "paper", "--loss", "probability", "--keep-best", "false",
                                                 "--plausible", "none", "--max-changes", 1, "--tau", 0.1, "--step", 0.02], plot.GREEN, "s"),
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


def run(quick):
    task, x, y, layers = prepare()
    lims = (0, 0.55)
    figure, axis = plot.plt.subplots(figsize=(6.2, 5.6), layout="constrained")
    plot.regions(axis, lambda at: networks.logits(layers, at), lims)
    grid = np.stack(np.meshgrid(*[np.linspace(*lims, 400)] * 2), axis=-1)
    cells = pattern(layers, grid.reshape(-1, 2)).reshape(400, 400)
    edges = (np.diff(cells, axis=0, prepend=cells[:1]) != 0) | (np.diff(cells, axis=1, prepend=cells[:, :1]) != 0)
    axis.contour(grid[..., 0], grid[..., 1], edges.astype(float), levels=[0.5], colors="#999999", linewidths=0.4)
    zero = x[y == 0]
    nearest = zero[np.argmin(((zero - FACTUAL) ** 2).sum(axis=1))]
    axis.contourf(grid[..., 0], grid[..., 1], (cells == pattern(layers, nearest[None])[0]) & (networks.logits(layers, grid.reshape(-1, 2)).reshape(400, 400) < 0),
                  levels=[0.5, 1.5], colors=[plot.RED], alpha=0.18)
    for label, colour in ((1, plot.BLUE), (0, plot.ORANGE)):
        axis.plot(*x[y == label].T, "o", ms=3, mfc="none", mec=colour, alpha=0.7)
    axis.plot(*FACTUAL[0], "o", ms=8, color=plot.BLUE, label="the row")
    found = {}
    for label, fit, flags, colour, mark in WAYS:
        fitted = command.fit(task, fit, FITS[fit])
        got = command.explain(task, fitted, label.replace(" ", "_").replace("<", ""), flags)
        to = got.points[0]
        found[label] = {"answer": list(to), "command": got.command, "seed": SEED}
        if not np.isnan(to).any():
            axis.annotate("", to, FACTUAL[0], arrowprops={"arrowstyle": "->", "color": colour, "lw": 1})
            axis.plot(*to, mark, ms=9, color=colour, mec="white", mew=0.6, label=label)
        else:
            axis.plot([], [], mark, color=colour, label=f"{label}: none")
    axis.legend(loc="upper right", fontsize=8)
    axis.set_title("linear pieces (grey), live polytope nearest to the row (red)")
    figure.get_layout_engine().set(rect=(0, 0.02, 1, 0.98))
    plot.save(figure, "figure5", "make paper: live, commands in figure5.json")
    (plot.RESULTS / "figure5.json").write_text(json.dumps(found, indent=1) + "\n")
