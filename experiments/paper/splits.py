"""The *lof* bar on other splits: rows, models and weights that had no say in any choice of ours.

Each split is a process of its own with its own seed (SCFE_PAPER_SEED) and folder. Paper mode still takes the best of its
settings on the very rows it is measured on.
"""
import csv
import json
import os
import subprocess
import sys

import numpy as np

from . import bars, cells, methods, page, tasks
from .places import RESULTS, ROOT, SEED

SEEDS = range(1, 6)
FIELDS = ("cell", "seed", "against", "lof", "lof_paper", "l2", "l2_paper")


def compare(name, kind):
    task = tasks.task(name, kind)
    asked = [m for m in methods.all_methods(kind, task, True) if m.key == "ours" or m.key.endswith("top_m")]
    done = {method.key: cells.cell(task, method) for method in asked}
    best = bars.best_exact(done)
    both = {what: bars.over_both(done["ours"].measured, best.measured, what) for what in ("lof", "l2")}
    return dict(zip(FIELDS, (task.name, SEED, best.method.label, *both["lof"], *both["l2"])))


def of_seed(seed):
    environment = {**os.environ, "SCFE_PAPER_SEED": str(seed)}
    done = subprocess.run([sys.executable, "-W", "ignore", "-m", "paper.splits"], cwd=ROOT / "experiments", env=environment,
                          check=True, stdout=subprocess.PIPE, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def lines(rows):
    head = ["| | splits no worse | LOF, ours | LOF, best row of paper mode | difference | l2, ours | l2, paper mode |",
            "| --- | --- | --- | --- | --- | --- | --- |"]
    for name in dict.fromkeys(row["cell"] for row in rows):
        mine = [row for row in rows if row["cell"] == name]
        lof, theirs, l2, l2_theirs = (np.array([row[key] for row in mine]) for key in FIELDS[3:])
        error = (lof - theirs).std(ddof=1) / np.sqrt(len(mine))
        head.append(f"| {name} | {int((lof <= theirs).sum())} of {len(mine)} | {lof.mean():.3f} | {theirs.mean():.3f} | "
                    f"{(lof - theirs).mean():+.3f} ± {error:.3f} | {l2.mean():.2f} | {l2_theirs.mean():.2f} |")
    return head


def run(quick):
    rows = []
    for seed in SEEDS:
        rows += of_seed(seed)
        print(f"split {seed}:", *(f"{r['cell']} {r['lof']:.3f}/{r['lof_paper']:.3f}" for r in rows[-6:]), flush=True)
    with open(RESULTS / "splits.csv", "w", newline="") as file:
        out = csv.DictWriter(file, FIELDS)
        out.writeheader()
        out.writerows(rows)
    page.keep("splits", lines(rows))
    print(*lines(rows), sep="\n")


if __name__ == "__main__":
    for name in tasks.SETS:
        for kind in tasks.KINDS:
            print(json.dumps(compare(name, kind)), flush=True)
