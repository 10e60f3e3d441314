"""LOF, l2 and l0 of our floors and of paper mode's weights on five other splits, with models of their own.

Each split is a process of its own with its own seed (SCFE_PAPER_SEED) and folder. Asked are 50 of its test rows, once with at
most m changes (paper mode: exact m) and in the full run once with more (ours: at most 4; paper mode: p = 1/2). Every setting also answers 50
training rows, on which the setting of the comparison of one with one is chosen, for both by the same rule: most valid, then the
least LOF x l2. What is drawn and said of it is in fronts.py.
"""
import csv
import dataclasses
import functools
import itertools
import json
import os
import subprocess
import sys

import numpy as np

from . import command, fronts, measure, methods, tasks
from .places import RESULTS, ROOT, SEED

SEEDS = range(1, 6)
ROWS = 50
FLOORS = (0, 0.1, 0.25, 0.5, 0.75, 0.9)
MORE, MORE_FLOORS = 4, (0, 0.1, 0.5, 0.9)        # changes and floors (KDE)
STEP = 0.05
TAUS = (0.01, 0.1, 1, 10, 100)                   # with exact m
MORE_TAUS, BETAS = (0.1, 1, 10), (0.1,)          # with more changes
NAMES = {"default": "KDE", "kde": "KDE", "gmm": "GMM", "knn": "kNN", "none": "none"}
FIELDS = ("cell", "seed", "method", "changes", "setting", "chosen", "valid", "l2", "l0", "lof", "choice_valid", "choice_score")


@dataclasses.dataclass
class Asked:
    method: str              # ours or paper
    changes: str             # m or more
    setting: str             # as in the table
    fitted: str
    flags: list


def exact_ours(task):
    """Closest answers above each floor."""
    for density, floor in itertools.product(("default", "gmm"), FLOORS):
        yield Asked("ours", "m", f"{NAMES[density]}, floor {floor:g}", density,
                    ["--max-changes", task.limit, "--fewest-first", "false", "--plausible", floor])


def more_ours():
    for floor in MORE_FLOORS:
        yield Asked("ours", "more", f"{NAMES['default']}, floor {floor:g}", "default",
                    ["--max-changes", MORE, "--fewest-first", "false", "--plausible", floor])


def exact(task):
    for density in methods.DENSITIES:
        for tau in TAUS if density != "none" else (0,):
            yield Asked("paper", "m", f"{NAMES[density]}, tau {tau:g}", density,
                        [*methods.PAPER, "--sparsity", "top_m", "--max-changes", task.limit, "--tau", tau, "--step", STEP])


def penalised():
    for density in methods.DENSITIES:
        for tau, beta in itertools.product(MORE_TAUS if density != "none" else (0,), BETAS):
            yield Asked("paper", "more", f"{NAMES[density]}, tau {tau:g}, beta {beta:g}", density,
                        [*methods.PAPER, "--sparsity", "l_half", "--tau", tau, "--beta", beta, "--step", STEP])


def name_of(asked):
    return f"{asked.method}, {asked.setting}, {asked.changes}"


def keep_commands(quick):
    """Those of one cell and seed; the others differ in the folder."""
    work = [ROOT / "build" / f"paper-{seed}" for seed in SEEDS]
    with open(work[0] / "wine-mlp" / "measured" / "front.csv", newline="") as file:
        kept = {row["method"]: {"command": row["command"].replace(f"{ROOT}/", ""), "seed": SEEDS[0]} for row in csv.DictReader(file)}
    spent = [json.loads(note.read_text())["cpu"] for folder in work for note in folder.glob("*/measured/*.run")]
    kept["all"] = {"runs": len(spent), "cpu_minutes": round(sum(spent) / 60, 2)}
    (RESULTS / "figure6.json").write_text(json.dumps(kept, indent=1) + "\n")
    return kept["all"]["cpu_minutes"]


def measured(task, name, wanted):
    """Each setting on the task's rows."""
    tasks.write_table(task.folder / f"{name}.csv", task.test)
    runs = {name_of(a): ["--fitted", command.fit(task, a.fitted, methods.FITS[a.fitted]), *a.flags] for a in wanted}
    part = command.Part(task.folder / f"{name}.csv", np.arange(len(task.test)))
    return {key: columns.means() for key, columns in measure.compared(task, name, [part], runs).items()}


def row_of(task, asked, found, known):
    return [task.name, SEED, asked.method, asked.changes, asked.setting, "", found["validity"], found["l2"], found["l0"],
            found["lof"], known["validity"], known["lof"] * known["l2"] if known["validity"] > 0 else None]


def settings(task, quick):
    return (*exact_ours(task), *exact(task), *(() if quick else (*more_ours(), *penalised())))


def of_task(name, kind, quick):
    task = tasks.task(name, kind)
    few = dataclasses.replace(task, test=task.test[:ROWS], test_labels=task.test_labels[:ROWS])
    wanted = settings(task, quick)
    found, known = measured(few, "front", wanted), measured(task.choice(), "front-choice", wanted)
    rows = [dict(zip(FIELDS, row_of(task, a, found[name_of(a)], known[name_of(a)]))) for a in wanted]
    for method, changes in itertools.product(("ours", "paper"), dict.fromkeys(row["changes"] for row in rows)):
        mine = [row for row in rows if (row["method"], row["changes"]) == (method, changes) and row["choice_score"] is not None]
        min(mine, key=lambda row: (-row["choice_valid"], row["choice_score"]))["chosen"] = "yes"
    return rows


def of_seed(seed, quick):
    environment = {**os.environ, "SCFE_PAPER_SEED": str(seed)}
    done = subprocess.run([sys.executable, "-W", "ignore", "-m", "paper.splits", *(["quick"] if quick else [])], cwd=ROOT / "experiments", env=environment,
                          check=True, stdout=subprocess.PIPE, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def written(value):
    return f"{value:.4f}" if isinstance(value, float) else value


def run(quick):
    rows = []
    for seed in SEEDS:
        rows += of_seed(seed, quick)
        print(f"split {seed}: {len(rows)} settings so far", flush=True)
    with open(RESULTS / "splits.csv", "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(FIELDS)
        out.writerows([written(row[field]) for field in FIELDS] for row in rows)
    minutes = keep_commands(quick)
    fronts.write()
    return minutes


if __name__ == "__main__":
    say = functools.partial(print, flush=True)
    for set_name, set_kind in itertools.product(tasks.SETS, tasks.KINDS):
        for found_row in of_task(set_name, set_kind, "quick" in sys.argv[1:]):
            say(json.dumps(found_row))
