"""Figures 2 and 4: a table of two features; the way of the algorithm, and where density gravity pulls.

The paper's own points are not published; these are drawn to look like them: class 1 in one cloud, class 0 in two.
"""
import csv
import io
import json
import subprocess

import numpy as np

from . import command, networks, plot, tasks
from .places import RESULTS, ROOT, SEED, TRAJECTORY, WORK

FOLDER = WORK / "toy"
LIMS = (-0.04, 1.04)       # features lie in [0, 1]; a path along that border is still seen
CLOUDS = ((1, (0.36, 0.72), 0.075, 60), (0, (0.80, 0.50), 0.05, 40), (0, (0.30, 0.22), 0.05, 40))
STARTS = 8
PANELS = (("(a) no plausibility", "none", 0), ("(b) KDE", "kde", 0.05), ("(c) GMM", "gmm", 0.05), ("(d) kNN, k = 5", "knn", 5))


def points():
    random = np.random.default_rng(SEED)
    x = np.vstack([random.normal(centre, spread, (count, 2)) for _, centre, spread, count in CLOUDS])
    y = np.concatenate([[label] * count for label, _, _, count in CLOUDS])
    return np.clip(np.round(x, 6), 0.01, 0.99), y


def prepare():
    FOLDER.mkdir(parents=True, exist_ok=True)
    x, y = points()
    layers = networks.fit_logistic(x, y)
    networks.write(FOLDER, layers, ["0", "1"])
    tasks.write_table(FOLDER / "train.csv", x, y)
    blue = x[y == 1]
    starts = blue[np.random.default_rng(SEED + 1).choice(len(blue), STARTS, replace=False)]
    tasks.write_table(FOLDER / "rows.csv", starts)
    return x, y, layers


def trajectories(density, neighbours, tau):
    """{row: {iteration: point}}; iteration -2 is the gravity point, -1 the row."""
    asked = [TRAJECTORY, FOLDER / "model.json", FOLDER / "train.csv", FOLDER / "rows.csv", density, neighbours, tau]
    done = subprocess.run([str(part) for part in asked], capture_output=True, text=True, check=True, cwd=ROOT)
    paths = {}
    for row, iteration, *values in csv.reader(io.StringIO(done.stdout)):
        paths.setdefault(int(row), {})[int(iteration)] = np.array(values, float)
    return paths, command.text(asked)


def scatter(axis, x, y):
    for label, colour in ((1, plot.BLUE), (0, plot.ORANGE)):
        axis.plot(*x[y == label].T, "o", ms=3.2, mfc="none", mec=colour, alpha=0.8)


def label(axis):
    axis.set(xticks=(0, 0.5, 1), yticks=(0, 0.5, 1), xlabel="feature 1", ylabel="feature 2")


def to_nearest(places, x, y):
    """Mean distance of places to the nearest point of the target class."""
    zero = x[y == 0]
    return float(np.mean([np.linalg.norm(zero - place, axis=1).min() for place in places]))


def keep_commands(name, commands, distances):
    kept = {title: {"to_nearest": round(distances[title], 4), "command": asked, "seed": SEED} for title, asked in commands.items()}
    (RESULTS / f"{name}.json").write_text(json.dumps(kept, indent=1) + "\n")
    return f"make paper: toy, commands in {name}.json"


def draw_ways(x, y, layers):
    figure, axes = plot.plt.subplots(2, 2, figsize=(7.6, 7.7), layout="constrained")
    commands, distances = {}, {}
    for axis, (title, density, tau) in zip(axes.ravel(), PANELS):
        plot.regions(axis, lambda at: networks.logits(layers, at), LIMS)
        scatter(axis, x, y)
        paths, commands[title] = trajectories(density, 5, tau)
        distances[title] = to_nearest([way[max(way)] for way in paths.values()], x, y)
        for way in paths.values():
            line = np.array([way[t] for t in sorted(way) if t >= -1])
            axis.plot(*line.T, "-o", color=plot.GREEN, ms=1.6, lw=0.7, alpha=0.6)
            axis.plot(*line[0], "o", ms=5, color=plot.BLUE)
            axis.plot(*line[-1], "*", ms=9, color=plot.GREEN, mec="white", mew=0.5)
        axis.set_title(f"{title}" + (f", tau = {tau:g}" if tau else ""))
        label(axis)
    plot.save(figure, "figure2", keep_commands("figure2", commands, distances))


def draw_gravity(x, y, layers):
    figure, axes = plot.plt.subplots(1, 3, figsize=(9.6, 3.6), layout="constrained")
    commands, distances = {}, {}
    for axis, k in zip(axes, (3, 10, 24)):
        plot.regions(axis, lambda at: networks.logits(layers, at), LIMS)
        scatter(axis, x, y)
        paths, commands[f"k = {k}"] = trajectories("knn", k, 1)
        distances[f"k = {k}"] = to_nearest([way[-2] for way in paths.values()], x, y)
        for way in paths.values():
            axis.plot(*np.array([way[-1], way[-2]]).T, "-", color=plot.RED, lw=0.8, alpha=0.7)
            axis.plot(*way[-1], "o", ms=5, color=plot.BLUE)
            axis.plot(*way[-2], "X", ms=6, color=plot.RED, mec="white", mew=0.5)
        axis.set_title(f"k = {k}")
        label(axis)
    plot.save(figure, "figure4", keep_commands("figure4", commands, distances))


def run(quick):
    x, y, layers = prepare()
    draw_ways(x, y, layers)
    draw_gravity(x, y, layers)
