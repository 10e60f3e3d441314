"""Figure 1: nines that are to become a 4, by how many pixels may change and by the weight of density gravity towards the fours.

Ordinary nines: of the first 1000 test images those that are nines, are called so and have the least LOF among the training
nines. Each answer has its difference to the nine beside it (red: more ink, blue: less) and the probability of a 4 below.
"""
import json

import numpy as np
import torch
from sklearn.neighbors import LocalOutlierFactor

from . import command, images, methods, plot
from .places import RESULTS, SEED

CHANGED = 1e-4           # of a pixel, from 0 to 1
NINES, LIMITS, TAUS = 3, (10, 25, 60, 120), (0, 0.3, 3, 30)
FROM, TO = 9, 4
GREY = {"cmap": "gray_r", "vmin": 0, "vmax": 1}
CHANGE = {"cmap": "bwr", "vmin": -1, "vmax": 1}


def ordinary(task):
    """Which of the images in all.csv, and their pixels."""
    shown, labels = images.load("t10k")
    shown, labels = shown[:images.FIRST_CHOICE] / 255, labels[:images.FIRST_CHOICE]
    nines = np.flatnonzero((labels == FROM) & (task.predict(shown) == FROM))
    typical = LocalOutlierFactor(n_neighbors=20, novelty=True).fit(task.train[task.labels == FROM])
    chosen = nines[np.argsort(-typical.score_samples(shown[nines]), kind="stable")[:NINES]]
    return chosen, shown[chosen]


def ask(task, fitted, limit, tau):
    asked = ["--target", TO, "--solver", "apg", "--tau", tau, "--plausible", "none", "--max-changes", limit]
    return command.explain(task, fitted, f"digits/{limit}-{tau:g}", asked, images.FOLDER / "nines.csv")


def probability(task, x):
    with torch.no_grad():
        return float(torch.softmax(task.network(torch.tensor(x[None], dtype=torch.float32)), dim=1)[0, TO])


def show(axis, image, how, title=""):
    axis.imshow(image.reshape(28, 28), **how)
    axis.set(xticks=[], yticks=[])
    axis.spines[:].set_visible(False)
    axis.set_xlabel(title, fontsize=7, labelpad=2)


def draw_line(axes, task, nine, number, limit, answers):
    """One nine and one limit: the nine, then answer and difference for each weight. What is known of each."""
    show(axes[0], nine, GREY, f"p(4) = {probability(task, nine):.2f}")
    axes[0].set_ylabel(f"m = {limit}", fontsize=8)
    known = {}
    for place, (tau, got) in enumerate(answers.items()):
        left, right = axes[1 + 2 * place:3 + 2 * place]
        point = got.points[number] if got.points.shape[1] == len(nine) else np.full(len(nine), np.nan)
        there = not np.isnan(point).any()
        chance = probability(task, point) if there else None
        show(left, point if there else np.zeros(len(nine)), GREY, f"p(4) = {chance:.2f}" if there else "no answer")
        show(right, point - nine if there else np.zeros(len(nine)), CHANGE)
        known[f"nine {number + 1}, m = {limit}, tau = {tau:g}"] = {
            "status": got.lines[number]["status"], "probability": chance,
            "changed": int((np.abs(point - nine) > CHANGED).sum()) if there else None,
            "log_density": got.lines[number].get("metrics", {}).get("log_density"), "command": got.command, "seed": SEED}
    return known


def run(quick):
    task = images.task(quick)
    chosen, nines = ordinary(task)
    lines = (images.FOLDER / "all.csv").read_text().splitlines()
    (images.FOLDER / "nines.csv").write_text("\n".join([lines[0], *(lines[1 + i] for i in chosen)]) + "\n")
    fitted = command.fit(task, "knn", methods.FITS["knn"])
    answers = {limit: {tau: ask(task, fitted, limit, tau) for tau in TAUS} for limit in LIMITS}
    figure, axes = plot.plt.subplots(NINES * len(LIMITS), 1 + 2 * len(TAUS), figsize=(8.6, 12.6), layout="constrained")
    found = {}
    for number, nine in enumerate(nines):
        for line, limit in enumerate(LIMITS):
            found |= draw_line(axes[number * len(LIMITS) + line], task, nine, number, limit, answers[limit])
    axes[0][0].set_title("the 9")
    for place, tau in enumerate(TAUS):
        axes[0][1 + 2 * place].set_title(f"tau = {tau:g}")
        axes[0][2 + 2 * place].set_title("change")
    plot.save(figure, "figure1", "make paper: digits, commands in figure1.json")
    (RESULTS / "figure1.json").write_text(json.dumps(found, indent=1) + "\n")
