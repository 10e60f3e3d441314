"""MNIST: its rows of tables 2 and 4."""
import dataclasses

from . import cells, images, methods

TAU = {"gmm": 0.001, "knn": 0.1}
# As the paper writes it for several classes: a hinge on scores, no margin.
RULE = ["--step-rule", "paper", "--loss", "hinge", "--margin", 0, "--keep-best", "false", "--plausible", "none"]


def scfe(density, sparsity, quick):
    """Tried: the weight of the density and ten times it (exact m), or weights of the penalty; in the full run two first steps."""
    flags = ["--solver", "apg", *RULE, "--fewest-first", "false", "--sparsity", sparsity]
    weight = TAU[density]
    tried = [("--tau", tau, "--max-changes", 25) for tau in (weight, 10 * weight)] if sparsity == "top_m" else \
        [("--tau", weight, "--beta", beta) for beta in (0.1, 1)]
    label = f"{methods.NAMES[density]}, {methods.SPARSITIES[sparsity]}"
    return methods.Method(f"scfe-{density}-{sparsity}", label, density,
                          [(f"tau{t[1]:g}-{t[2][2:]}{t[3]:g}-step{step:g}", [*flags, *t, "--step", step])
                           for t in tried for step in ((2,) if quick else (0.5, 2))])


def all_methods(quick):
    dcfe = [(f"tau{tau:g}-beta{beta:g}", ["--method", "dcfe", "--tau", tau, "--beta", beta, "--step", 0.05, *RULE])
            for tau in ((0.1,) if quick else (0.1, 1)) for beta in (0.1, 1, 10)]
    variants = ("top_m", "l_half", "l1")
    return [*(scfe(d, s, quick) for d in ("gmm", "knn") for s in variants),
            methods.Method("dcfe", "DCFE", "knn", dcfe),
            methods.Method("nearest", "nearest row", "none", [("default", ["--method", "nearest", "--plausible", "none"])]),
            methods.Method("ours", methods.DEFAULT, "default", [("default", ["--max-changes", 25])])]


def grid(quick):
    task, listed = images.task(quick), all_methods(quick)
    choice = images.choice_of(task)
    done = cells.all_asked(task, listed, cells.choose(choice, images.parts(choice), listed), images.Joined)
    return task, cells.measure_all(task, f"tables-{len(task.test)}", done)


ALSO_RUNNER_UP = ("scfe-gmm-top_m", "scfe-knn-top_m", "ours")


def runner_up(task, done):
    """Some methods again, with the settings they have, where each image wishes for the digit with the second highest score."""
    other = dataclasses.replace(task, name="mnist-runner-up", target=images.runner_up(task, task.test))
    asked = [done[key].method for key in ALSO_RUNNER_UP if key in done]
    settings = {method.key: (done[method.key].setting, dict(method.settings)[done[method.key].setting]) for method in asked}
    return cells.measure_all(other, f"runner-up-{len(task.test)}", cells.all_asked(other, asked, settings, images.Joined))
