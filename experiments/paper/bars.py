"""What our answers must reach against every other method, checked on the answers at hand.

  valid      for every row for which any method with at most m changes is, our default is
  nearer     for >= 97 % of the rows that paper mode answers with exact m, ours with at most m is no farther at equal or
             better density: the row's floor is the density of the paper's answer, by the same fit
  lof        no bar: mean LOF against the best exact-m row of paper mode, of the default and of a higher floor. Both settings are
             chosen on the rows that they are measured on
  trade      no bar: the floor (KDE or GMM) whose mean LOF and mean l2 together come nearest to those of that row, or below them
  certified  MIP-Live is never closer than the certified bound; how many of ours (at most m, no floor) are proven optimal
  as is      no bar: how the default, with its own floor and fewest changes first, compares row by row

Distances of `nearer` and `as is` are in the work space (features min-max scaled), where all of them minimise.
"""
import dataclasses
import itertools

import numpy as np

from . import command, images, measure, methods, tasks

SLACK, TINY = 1e-3, 1e-5    # of the distance: rounding of what is written
FLOAT = 2e-6
FLOORS = (0, 0.05, 0.1, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
NAMES = ("valid", "nearer", "certified", "lof", "trade", "as is")


@dataclasses.dataclass
class Bar:
    name: str
    where: str
    met: bool | None
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


def own_floors(cell):
    """The column of each row's floor: the log-density of the paper-mode answer, less what single precision cannot tell."""
    floor = cell.answers.metric("log_density")
    floor -= FLOAT * np.maximum(1, np.abs(floor))
    return {"log_density:min": [f"{value:.9g}" if ok else "" for ok, value in zip(cell.measured.valid, floor)]}


def same_floor(task, cell):
    """Our closest answers, each at least as dense as the paper-mode answer by the same fit. Without a density: the closest."""
    flags, name = ["--max-changes", task.limit, "--fewest-first", "false"], f"floor-{cell.method.key}/{cell.setting}"
    if cell.method.fitted == "none":
        return command.explain(task, cell.fitted, name, [*flags, "--plausible", 0])
    if isinstance(task, images.Images):
        return images.Joined(task, cell.fitted, name, flags, own_floors(cell))
    rows = task.folder / "answers" / f"{name}.csv"
    tasks.write_table(rows, task.test, more=own_floors(cell))
    return command.explain(task, cell.fitted, name, flags, rows)


def nearer_bar(task, cell):
    rows, theirs = cell.measured.valid, cell.measured.distance
    got = same_floor(task, cell)
    there = np.array([line["status"] in ("valid", "already") for line in got.lines])
    ours = np.where(there, got.metric("l2"), np.inf)
    share = np.mean(ours[rows] <= theirs[rows] * (1 + SLACK) + TINY)
    both = rows & there
    return Bar("nearer", f"{task.name}, {cell.method.label}", share >= 0.97,
               f"{100 * share:.0f} % of {int(rows.sum())} rows; "
               f"mean l2 {ours[both].mean():.3f} against {theirs[both].mean():.3f}")


def as_is(task, cells, cell):
    ours = cells["ours"].measured
    both = ours.valid & cell.measured.valid
    nearer = ours.distance[both] <= cell.measured.distance[both] * (1 + SLACK) + TINY
    fewer = ours["l0"][both] < cell.measured["l0"][both]
    denser = ours["kde"][both] > cell.measured["kde"][both]
    return Bar("as is", f"{task.name}, {cell.method.label}", None,
               f"of {int(both.sum())} rows ours is no farther on {100 * nearer.mean():.0f} %, changes fewer features on "
               f"{100 * fewer.mean():.0f} %, is denser (KDE) on {100 * denser.mean():.0f} %; "
               f"none of the three on {100 * np.mean(~nearer & ~fewer & ~denser):.0f} %")


def best_exact(cells):
    exact = [c for k, c in cells.items() if k.startswith("scfe-") and k.endswith("top_m") and c.measured.valid.any()]
    return min(exact, key=lambda c: c.means["lof"])


def over_both(ours, theirs, name):
    """Means over the rows that both answer."""
    both = ours.valid & theirs.valid
    return ours[name][both].mean(), theirs[name][both].mean()


def lof_bar(task, cells, key):
    best, ours = best_exact(cells), cells[key]
    mine, theirs = over_both(ours.measured, best.measured, "lof")
    return Bar("lof", f"{task.name}, {ours.method.label}", None,
               f"{mine:.3f} against {theirs:.3f} ({best.method.label})")


def trade_bar(task, cells):
    best, tried = best_exact(cells), []
    for density, floor in itertools.product(("default", "gmm"), FLOORS):
        fitted = command.fit(task, density, methods.FITS[density])
        flags = ["--max-changes", task.limit, "--fewest-first", "false", "--plausible", floor]
        got = measure.Measured(task, command.explain(task, fitted, f"trade-{density}/{floor:g}", flags))
        tried.append([over_both(got, best.measured, name) for name in ("lof", "l2")] + [density, floor])
    worst = [max(lof[0] / lof[1], l2[0] / l2[1]) for lof, l2, *_ in tried]
    lof, l2, density, floor = tried[int(np.argmin(worst))]
    return Bar("trade", task.name, None,
               f"{density.replace('default', 'KDE').replace('gmm', 'GMM')} floor {floor:g}: LOF {lof[0]:.3f} against {lof[1]:.3f}, "
               f"l2 {l2[0]:.2f} against {l2[1]:.2f} ({best.method.label})")


def certified_bar(task, fitted):
    """Networks: every answer with its certificate, under the same limit m."""
    flags = ["--max-changes", task.limit, "--certify", "true", "--fewest-first", "false", "--plausible", 0]
    ours = command.explain(task, fitted, "certified/ours", flags)
    live = command.explain(task, fitted, "certified/mip-live", ["--method", "mip-live", "--norm", "l2", *flags])
    said = [line.get("certificate", "") for line in ours.lines]
    bound = np.array([line.get("lower_bound", np.nan) for line in ours.lines], float)
    distance = live.metric("l2")
    there = ~np.isnan(distance)
    closer = int((distance[there] < bound[there] * (1 - SLACK) - TINY).sum())
    return Bar("certified", task.name, closer == 0,
               f"{int(there.sum())} answers of MIP-Live, {closer} closer than the bound; ours: {said.count('proven optimal')} proven "
               f"optimal, {said.count('proven: there is none')} rows proven to have none, {len(said)} rows")


def check(task, cells):
    exact = [cells[f"scfe-{d}-top_m"] for d in methods.DENSITIES if f"scfe-{d}-top_m" in cells]
    exact = [c for c in exact if c.measured.valid.any()]
    proofs = [certified_bar(task, cells["mip-live"].fitted)] if "mip-live" in cells else []
    return [valid_bar(task, cells), *(nearer_bar(task, c) for c in exact),
            *(lof_bar(task, cells, key) for key in ("ours", "ours-typical")), trade_bar(task, cells), *proofs,
            *(as_is(task, cells, c) for c in exact)]


def check_images(task, cells):
    exact = [cells[f"scfe-{d}-top_m"] for d in methods.DENSITIES if f"scfe-{d}-top_m" in cells]
    exact = [c for c in exact if c.measured.valid.any()]
    return [valid_bar(task, cells), *(nearer_bar(task, c) for c in exact), lof_bar(task, cells, "ours")]


def lines(bars):
    head = ["| bar | where | | found |", "| --- | --- | --- | --- |"]
    said = {True: "met", False: "**not met**", None: "–"}
    ordered = sorted(bars, key=lambda bar: NAMES.index(bar.name))
    return head + [f"| {bar.name} | {bar.where} | {said[bar.met]} | {bar.found} |" for bar in ordered]
