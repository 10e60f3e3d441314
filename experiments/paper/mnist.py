"""MNIST: its rows of tables 2 and 4, and figure 1, the digit 9 that is to become a 4."""
import numpy as np

from . import cells, command, images, measure, methods, plot

TAU = {"gmm": 0.001, "knn": 0.1}
SECTIONS = ["--sections", "10", "--iterations", "200"]


def scfe(density, sparsity):
    limit = ["--max-changes", 25] if sparsity == "top_m" else ["--beta", 0.1]
    flags = [*methods.PAPER, *SECTIONS, "--sparsity", sparsity, "--tau", TAU[density], *limit]
    label = f"{methods.NAMES[density]}, {methods.SPARSITIES[sparsity]}"
    return methods.Method(f"scfe-{density}-{sparsity}", label, density, [("fixed", flags)])


def all_methods(quick):
    paper = ["--step-rule", "paper", "--loss", "probability", "--keep-best", "false", "--plausible", "none"]
    variants = ("top_m",) if quick else ("top_m", "l_half", "l1")
    return [*(scfe(d, s) for d in ("gmm", "knn") for s in variants),
            methods.Method("dcfe", "DCFE", "knn", [("fixed", ["--method", "dcfe", "--tau", 0.1, "--beta", 0.1, *paper])]),
            methods.Method("nearest", "nearest row", "none", [("default", ["--method", "nearest", "--plausible", "none"])]),
            methods.Method("ours", "ours, default", "default", [("default", ["--max-changes", 25])])]


def cell(task, method):
    fitted = command.fit(task, method.fitted, methods.FITS[method.fitted])
    name, flags = method.settings[0]
    answers = images.Joined(task, fitted, f"{method.key}/{name}", flags)
    return cells.Cell(method, name, answers, measure.Measured(task, answers), fitted)


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


def draw_digits(quick):
    """Rows: how many pixels may change; columns: how typical of a 4 the answer has to be."""
    task = images.task(quick)
    nine = int(np.flatnonzero(task.predict(task.test) == 9)[0])
    lines = (images.FOLDER / "all.csv").read_text().splitlines()
    path = images.FOLDER / "nine.csv"
    path.write_text(f"{lines[0]}\n{lines[1 + nine]}\n")
    fitted = command.fit(task, "gmm", methods.FITS["gmm"])
    limits, taus = (10, 25, 60, 784), (0, 0.001, 0.01, 0.1)
    figure, axes = plot.plt.subplots(4, 5, figsize=(7.4, 6.4), layout="constrained")
    for line, limit in zip(axes, limits):
        line[0].imshow(task.test[nine].reshape(28, 28), cmap="gray_r", vmin=0, vmax=1)
        line[0].set_ylabel(f"m = {limit}" if limit < 784 else "any number")
        for axis, tau in zip(line[1:], taus):
            sparsity = ["--max-changes", limit] if limit < 784 else ["--sparsity", "none"]
            got = command.explain(task, fitted, f"digits/{limit}-{tau:g}",
                                  ["--target", "4", "--solver", "apg", "--tau", tau, "--plausible", "none", *sparsity], path)
            point = got.points[0]
            if point.size == 784:
                axis.imshow(point.reshape(28, 28), cmap="gray_r", vmin=0, vmax=1)
            else:
                axis.text(0.5, 0.5, "none", ha="center", va="center", color=plot.RED, transform=axis.transAxes)
    for axis in axes.ravel():
        axis.set_xticks([])
        axis.set_yticks([])
    for axis, title in zip(axes[0], ("the 9", *(f"tau = {tau:g}" for tau in taus))):
        axis.set_title(title)
    figure.get_layout_engine().set(rect=(0, 0.02, 1, 0.98))
    plot.save(figure, "figure1", got.command)
