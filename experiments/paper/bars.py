"""What our default must reach against every other method, checked on the answers at hand.

  valid      for every row for which any method with at most m changes is, ours is
  nearer     for >= 97 % of the rows that paper mode answers with exact m, ours is no farther under a density floor
             that is the paper's answer's own (same fitted density, one question a row)
  default    the same for the default as it is: no paper answer is both nearer and denser
  lof        mean LOF no worse than the best exact-m row of paper mode

Distances of these checks are in the work space (features min-max scaled), where all of them minimise.
"""
import dataclasses

import numpy as np

from . import command, methods, tasks

SLACK = 1e-3        # of the distance: rounding of what is written


@dataclasses.dataclass
class Bar:
    name: str
    where: str
    met: bool
    found: str


def limited(cells, limit):
    """Methods that kept to at most m changes."""
    return [c for c in cells.values() if c.measured.valid.any() and np.nanmax(c.measured["l0"]) <= limit]


def valid_bar(task, cells):
    others = [c.measured.valid for c in limited(cells, task.limit)]
    wanted, have = np.any(others, axis=0), cells["ours"].measured.valid
    missed = int((wanted & ~have).sum())
    return Bar("valid", task.name, missed == 0,
               f"{int(have.sum())} rows; {missed} that another method with as few changes answers")


def floor_of(task, quantile):
    """The --plausible of the last held-out row that each answer reaches. Of n sorted values the k-th is the (k-1)/(n-1)
    quantile, while an answer that reaches k of them is reported at k/n: asked back, that would be a stricter floor."""
    right = task.predict(task.train) == task.labels
    rows = np.array([np.sum(right & (task.labels == label)) for label in (0, 1)])[task.target]
    return np.round(np.clip((quantile * rows - 1) / (rows - 1), 0, 1) - 1e-9, 9).clip(0)


def same_floor(task, cell):
    """Our answers, each under a floor at the quantile that the paper-mode answer reaches: as dense by rank."""
    level = floor_of(task, cell.answers.metric("quantile"))
    answers = np.full(len(task.test), np.nan)
    for number, value in enumerate(np.unique(level[cell.measured.valid])):
        chosen = np.flatnonzero(cell.measured.valid & (level == value))
        rows = task.folder / "answers" / f"floor-{cell.method.key}" / f"{number}.csv"
        rows.parent.mkdir(parents=True, exist_ok=True)
        tasks.write_table(rows, task.test[chosen])
        got = command.explain(task, cell.fitted, f"floor-{cell.method.key}/{number}",
                              ["--max-changes", task.limit, "--fewest-first", "false", "--plausible", value], rows)
        answers[chosen] = got.metric("l2")
    return answers


def nearer_bar(task, cell):
    if cell.method.fitted == "none":
        return None
    rows = cell.measured.valid
    ours = same_floor(task, cell)
    share = np.mean(ours[rows] <= cell.measured.distance[rows] * (1 + SLACK))
    return Bar("nearer", f"{task.name}, {cell.method.label}", share >= 0.97,
               f"{100 * share:.0f} % of {int(rows.sum())} rows; "
               f"mean l2 {np.nanmean(ours[rows]):.3f} against {np.nanmean(cell.measured.distance[rows]):.3f}")


def default_bar(task, cells, cell):
    ours = cells["ours"].measured
    both = ours.valid & cell.measured.valid
    farther = ours.distance[both] > cell.measured.distance[both] * (1 + SLACK)
    denser = cell.measured["kde"][both] >= ours["kde"][both]
    share = 1 - np.mean(farther & denser)
    return Bar("default", f"{task.name}, {cell.method.label}", share >= 0.97,
               f"{100 * share:.0f} % of {int(both.sum())} rows not beaten in both; "
               f"no farther: {100 * (1 - np.mean(farther)):.0f} %")


def lof_bar(task, cells, key):
    exact = [c for k, c in cells.items() if k.startswith("scfe-") and k.endswith("top_m") and c.measured.valid.any()]
    best = min(exact, key=lambda c: c.means["lof"])
    ours = cells[key]
    both = ours.measured.valid & best.measured.valid
    mine, theirs = ours.measured["lof"][both].mean(), best.measured["lof"][both].mean()
    return Bar("lof", f"{task.name}, {ours.method.label}", mine <= theirs,
               f"{mine:.3f} against {theirs:.3f} ({best.method.label}; the {int(both.sum())} rows that both answer)")


def check(task, cells):
    exact = [cells[f"scfe-{d}-top_m"] for d in methods.DENSITIES if f"scfe-{d}-top_m" in cells]
    exact = [c for c in exact if c.measured.valid.any()]
    bars = [valid_bar(task, cells)] + [nearer_bar(task, c) for c in exact] + [default_bar(task, cells, c) for c in exact]
    return [bar for bar in bars if bar] + [lof_bar(task, cells, key) for key in ("ours", "ours-typical")]


def check_images(task, cells):
    return [valid_bar(task, cells), lof_bar(task, cells, "ours")] if "ours" in cells else []


def lines(bars):
    head = ["| bar | where | | found |", "| --- | --- | --- | --- |"]
    return head + [f"| {bar.name} | {bar.where} | {'met' if bar.met else '**not met**'} | {bar.found} |" for bar in bars]
