"""What our answers must reach against every other method, checked on the answers at hand.

  valid      for every row for which any method with at most m changes is, our default is
  nearer     for >= 97 % of the rows that paper mode answers with exact m, ours with at most m is no farther at equal or
             better density: the row's floor is the density of the paper's answer, by the same fit
  certified  MIP-Live is never closer than the certified bound; how many of ours (at most m, no floor) are proven optimal
  as is      no bar: how the default, with its own floor and fewest changes first, compares row by row

Distances of `nearer` and `as is` are in the work space (features min-max scaled), where all of them minimise.
"""
import dataclasses

import numpy as np

from . import command, images, methods, tasks

SLACK, TINY = 1e-3, 1e-5    # of the distance: rounding of what is written
FLOAT = 2e-6
SHARE = 0.97               # of the rows of *nearer*
NAMES = ("valid", "nearer", "certified", "as is")
SETS = (*(f"{name}-{kind}" for name in tasks.SETS for kind in tasks.KINDS), images.Images.name)     # their order in the table


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
    rows = task.folder / "rows" / f"{name}.csv"
    tasks.write_table(rows, task.test, more=own_floors(cell))
    return command.explain(task, cell.fitted, name, flags, rows)


def nearer_bar(task, cell):
    rows, theirs = cell.measured.valid, cell.measured.distance
    got = same_floor(task, cell)
    there = np.array([line["status"] in ("valid", "already") for line in got.lines])
    ours = np.where(there, got.metric("l2"), np.inf)
    share = np.mean(ours[rows] <= theirs[rows] * (1 + SLACK) + TINY)
    both = rows & there
    return Bar("nearer", f"{task.name}, {cell.method.label}", share >= SHARE,
               f"{round(share * rows.sum())} of {int(rows.sum())} rows ({100 * share:.1f} %); "
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
            *proofs, *(as_is(task, cells, c) for c in exact)]


def check_images(task, cells):
    exact = [cells[f"scfe-{d}-top_m"] for d in methods.DENSITIES if f"scfe-{d}-top_m" in cells]
    exact = [c for c in exact if c.measured.valid.any()]
    return [valid_bar(task, cells), *(nearer_bar(task, c) for c in exact)]


def set_of(line):
    """housing-mlp of '| nearer | housing-mlp, S-CFE KDE, p = 0 | met | ... |'."""
    return line.split("|")[2].split(",")[0].strip()


def lines(bars, before=()):
    """The bars as a table; before: one of an earlier run, whose lines of other sets stay."""
    said = {True: "met", False: "**not met**", None: "–"}
    made = [f"| {bar.name} | {bar.where} | {said[bar.met]} | {bar.found} |" for bar in bars]
    now = {set_of(line) for line in made}
    every = [line for line in before[2:] if set_of(line) not in now] + made
    return ["| bar | where | | found |", "| --- | --- | --- | --- |",
            *sorted(every, key=lambda line: (NAMES.index(line.split("|")[1].strip()), SETS.index(set_of(line))))]
