"""Figure 3: how far answers move when the rows move (input change against output change, z units).

Each of 100 test rows is moved by eps in a random direction; both rows are explained; the mean distance between the two
answers is drawn over eps. Rows whose class the move changes, or that have no answer on either side, are left out.
"""
import csv

import numpy as np

from . import command, methods, plot, tasks
from .places import RESULTS, SEED

CHANGES = (0.01, 0.02, 0.05, 0.1, 0.2)
PANELS = (("top_m", "p = 0"), ("l_half", "p = 1/2"), ("l1", "p = 1"))
TITLES = {"housing": "Boston Housing", "wine": "Wine", "wdbc": "Wisconsin"}
LABELS = {"none": "no plausibility", "kde": "KDE", "gmm": "GMM", "knn": "kNN"}
TAU = {"kde": 1, "gmm": 0.1, "knn": 1, "none": 0}


def moved_rows(task):
    """{eps: table}; 0 is the rows themselves. One below the other in moved.csv: an answer does not depend on the other rows."""
    direction = np.random.default_rng(SEED + 7).normal(size=task.test.shape)
    direction /= np.linalg.norm(direction, axis=1)[:, None]
    tables = {}
    for eps in (0, *CHANGES):
        tables[eps] = np.round(task.test + eps * direction, tasks.DECIMALS)
    tasks.write_table(task.folder / "moved.csv", np.vstack(list(tables.values())))
    return tables


def flags(density, sparsity, limit):
    extra = ["--max-changes", limit] if sparsity == "top_m" else ["--beta", 0.1]
    return [*methods.PAPER, "--sparsity", sparsity, "--tau", TAU[density], "--step", 0.05, *extra]


def curve(task, tables, fit, key, asked):
    fitted = command.fit(task, fit, methods.FITS[fit])
    got = command.explain(task, fitted, f"robust-{key}/moved", asked, task.folder / "moved.csv")
    answers = dict(zip(tables, np.split(got.points, len(tables))))
    points = {eps: np.where((task.predict(rows) == 1 - task.target)[:, None], answers[eps], np.nan) for eps, rows in tables.items()}
    drift = [float(np.nanmean(np.linalg.norm(points[eps] - points[0], axis=1))) for eps in CHANGES]
    return drift, [got.command] * len(CHANGES)


def run(quick):
    figure, axes = plot.plt.subplots(3, 3, figsize=(9.6, 8.2), layout="constrained", sharex=True)
    lines = []
    for line, name in zip(axes, tasks.SETS):
        task = tasks.task(name, "mlp")
        tables = moved_rows(task)
        for axis, (sparsity, title) in zip(line, PANELS):
            for density in ("none", "kde", "gmm", "knn"):
                drift, asked = curve(task, tables, density, f"{density}-{sparsity}", flags(density, sparsity, task.limit))
                label = LABELS[density]
                axis.plot(CHANGES, drift, "o-", ms=3, color=plot.METHOD_COLOURS[density], label=label)
                lines += [(name, title, label, *found) for found in zip(CHANGES, drift, asked)]
            if sparsity == "top_m":
                drift, asked = curve(task, tables, "default", "ours", ["--max-changes", task.limit])
                axis.plot(CHANGES, drift, "s--", ms=3, color=plot.METHOD_COLOURS["ours"], label="ours, default")
                lines += [(name, title, "ours, default", *found) for found in zip(CHANGES, drift, asked)]
            axis.set_title(f"{TITLES[name]}, {title}")
            axis.set_ylim(bottom=0)
            axis.grid(alpha=0.25)
        line[0].set_ylabel("change of the answer (l2)")
    for axis in axes[-1]:
        axis.set_xlabel("change of the row (l2)")
    figure.legend(*axes[0][0].get_legend_handles_labels(), loc="outside upper center", ncols=5)
    plot.save(figure, "figure3", "make paper: robustness, commands in figure3.csv")
    with open(RESULTS / "figure3.csv", "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["set", "sparsity", "method", "input_change", "output_change", "seed", "command"])
        out.writerows([*row[:4], f"{row[4]:.4f}", SEED, row[5]] for row in lines)
