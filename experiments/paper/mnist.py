"""MNIST: its rows of tables 2 and 4, and figure 1, the digit 9 that is to become a 4."""
import json

import numpy as np

from . import cells, command, images, measure, methods, plot
from .places import RESULTS, SEED

LIMITS, TAUS = (10, 25, 60, 784), (0, 0.3, 1, 3)     # of figure 1
GREY = {"cmap": "gray_r", "vmin": 0, "vmax": 1}
TAU = {"gmm": 0.001, "knn": 0.1}
# As the paper writes it for several classes: a hinge on scores, no margin.
RULE = ["--step-rule", "paper", "--loss", "hinge", "--margin", 0, "--keep-best", "false", "--plausible", "none"]


def scfe(density, sparsity):
    limit = ["--max-changes", 25] if sparsity == "top_m" else ["--beta", 0.1]
    flags = ["--solver", "apg", *RULE, "--fewest-first", "false", "--sparsity", sparsity, "--tau", TAU[density], *limit]
    label = f"{methods.NAMES[density]}, {methods.SPARSITIES[sparsity]}"
    return methods.Method(f"scfe-{density}-{sparsity}", label, density,
                          [(f"step{step:g}", [*flags, "--step", step]) for step in (0.5, 2)])


def all_methods(quick):
    dcfe = [(f"beta{beta:g}", ["--method", "dcfe", "--tau", 0.1, "--beta", beta, "--step", 0.05, *RULE]) for beta in (0.1, 1)]
    variants = ("top_m",) if quick else ("top_m", "l_half", "l1")
    return [*(scfe(d, s) for d in ("gmm", "knn") for s in variants),
            methods.Method("dcfe", "DCFE", "knn", dcfe),
            methods.Method("nearest", "nearest row", "none", [("default", ["--method", "nearest", "--plausible", "none"])]),
            methods.Method("ours", "ours, default", "default", [("default", ["--max-changes", 25])])]


def cell(task, method):
    fitted, tried = command.fit(task, method.fitted, methods.FITS[method.fitted]), []
    for name, flags in method.settings:
        answers = images.Joined(task, fitted, f"{method.key}/{name}", flags)
        tried.append(cells.Cell(method, name, answers, measure.Measured(task, answers), fitted))
    return min(tried, key=cells.rank)


def grid(quick):
    task, done = images.task(quick), {}
    for method in all_methods(quick):
        try:
            done[method.key] = cell(task, method)
        except command.Failed as failure:
            print(f"mnist: {method.label}: {failure}")
            continue
        print(f"mnist           {method.label:30}", {k: v and round(v, 2) for k, v in done[method.key].means.items()}, flush=True)
    return task, done


def digit_way(task, fitted, limit, tau):
    sparsity = ["--max-changes", limit] if limit < task.test.shape[1] else ["--sparsity", "none"]
    asked = ["--target", "4", "--solver", "apg", "--tau", tau, "--plausible", "none", *sparsity]
    return command.explain(task, fitted, f"digits/{limit}-{tau:g}", asked, images.FOLDER / "nine.csv")


def draw_digits(quick):
    """Rows: how many pixels may change; columns: the weight of density gravity towards the fours."""
    task = images.task(quick)
    nine = int(np.flatnonzero(task.predict(task.test) == 9)[0])
    lines = (images.FOLDER / "all.csv").read_text().splitlines()
    (images.FOLDER / "nine.csv").write_text(f"{lines[0]}\n{lines[1 + nine]}\n")
    fitted, found = command.fit(task, "knn", methods.FITS["knn"]), {}
    figure, axes = plot.plt.subplots(len(LIMITS), 1 + len(TAUS), figsize=(7.4, 6.4), layout="constrained")
    for line, limit in zip(axes, LIMITS):
        line[0].imshow(task.test[nine].reshape(28, 28), **GREY)
        line[0].set_ylabel(f"m = {limit}" if limit < 784 else "any number")
        for axis, tau in zip(line[1:], TAUS):
            got = digit_way(task, fitted, limit, tau)
            found[f"m = {limit}, tau = {tau:g}"] = {"command": got.command, "seed": SEED, "status": got.lines[0]["status"]}
            if got.points.shape[1] == 784:
                axis.imshow(got.points[0].reshape(28, 28), **GREY)
            else:
                axis.text(0.5, 0.5, "none", ha="center", va="center", color=plot.RED, transform=axis.transAxes)
    for axis in axes.ravel():
        axis.set(xticks=[], yticks=[])
        axis.spines[:].set_visible(False)
    for axis, title in zip(axes[0], ("the 9", *(f"tau = {tau:g}" for tau in TAUS))):
        axis.set_title(title)
    (RESULTS / "figure1.json").write_text(json.dumps(found, indent=1) + "\n")
    plot.save(figure, "figure1", "make paper: digits, commands in figure1.json")
