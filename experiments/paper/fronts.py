"""Figure 6 and the tables beside it: LOF against l2 of every setting of splits.py, means over five splits with 95 % intervals.

A setting lies above a front if one setting of the other method is no worse in the means of validity, LOF, l2 and l0.
"""
import csv
import itertools

import numpy as np

from . import page, plot
from .places import RESULTS

STUDENT = 2.776              # 97.5 % of Student's t with 4 degrees of freedom
VALUES = ("valid", "l2", "l0", "lof")
CHANGES = {"m": "at most m", "more": "more"}
COLOURS = {"ours": plot.METHOD_COLOURS["ours"], **{name: plot.METHOD_COLOURS[name.lower()] for name in ("KDE", "GMM", "kNN", "none")}}
WHOLE = 2                    # points of validity below the best; settings below that are drawn hollow
FARTHEST = 2.2               # times the largest l2 of ours: the drawing ends there at the latest


class Setting:
    def __init__(self, rows):
        self.method, self.name = rows[0]["method"], rows[0]["setting"]
        self.values = {name: np.array([float(row[name] or "nan") for row in rows]) for name in VALUES}

    def mean(self, name):
        return float(np.nanmean(self.values[name])) if np.isfinite(self.values[name]).any() else np.nan

    def interval(self, name):
        return interval(self.values[name])

    def no_worse(self, other):
        return self.mean("valid") >= other.mean("valid") and all(self.mean(n) <= other.mean(n) for n in ("lof", "l2", "l0"))


def interval(values):
    return STUDENT * float(np.std(values, ddof=1)) / np.sqrt(len(values))


def read():
    """{(cell, changes): [settings]} and the rows of the chosen settings."""
    with open(RESULTS / "splits.csv") as file:
        rows = list(csv.DictReader(file))
    found = {}
    for row in rows:
        place = found.setdefault((row["cell"], row["changes"]), {})
        place.setdefault((row["method"], row["setting"]), []).append(row)
    return {key: [Setting(same) for same in place.values()] for key, place in found.items()}, rows


def of(settings, method):
    return [s for s in settings if s.method == method and np.isfinite(s.mean("lof"))]


def above(settings, front):
    return sum(any(other.no_worse(s) for other in front) for s in settings)


def lowest(settings):
    """The setting with the least mean LOF of those that are about as valid as the most valid one."""
    most = max(s.mean("valid") for s in settings)
    return min((s for s in settings if s.mean("valid") >= most - WHOLE), key=lambda s: s.mean("lof"))


def with_interval(mean, half, digits=2):
    return f"{mean:.{digits}f} ± {half:.{digits}f}"


def front_lines(found):
    yield "| | changes | settings of paper mode above our front | our floors above paper mode's | lowest LOF, ours | at l2 | lowest LOF, paper mode | at l2 | difference of LOF |"
    yield "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for (cell, changes), settings in sorted(found.items(), key=lambda item: item[0][1] != "m"):
        ours, paper = of(settings, "ours"), of(settings, "paper")
        a, b = lowest(ours), lowest(paper)
        gap = a.values["lof"] - b.values["lof"]
        yield (f"| {cell} | {CHANGES[changes]} | {above(paper, ours)} of {len(paper)} | {above(ours, paper)} of {len(ours)} | "
               f"{a.mean('lof'):.3f} ({a.name}) | {a.mean('l2'):.2f} | {b.mean('lof'):.3f} ({b.name}) | {b.mean('l2'):.2f} | "
               f"{with_interval(gap.mean(), interval(gap), 3)} |")


def chosen_rows(rows, cell, changes, method):
    mine = [r for r in rows if (r["cell"], r["changes"], r["method"], r["chosen"]) == (cell, changes, method, "yes")]
    return {name: np.array([float(row[name]) for row in sorted(mine, key=lambda row: int(row["seed"]))]) for name in VALUES}


def chosen_lines(rows, places):
    yield "| | changes | valid %, ours | paper mode | LOF, ours | paper mode | difference | l2, ours | paper mode | difference | l0, ours | paper mode |"
    yield "| --- | --- |" + " ---: |" * 10
    for cell, changes in sorted(places, key=lambda place: place[1] != "m"):
        ours, paper = (chosen_rows(rows, cell, changes, method) for method in ("ours", "paper"))
        cells = [f"{ours['valid'].mean():.0f}", f"{paper['valid'].mean():.0f}"]
        for name in ("lof", "l2"):
            gap = ours[name] - paper[name]
            cells += [f"{ours[name].mean():.3f}", f"{paper[name].mean():.3f}", with_interval(gap.mean(), interval(gap), 3)]
        cells += [f"{ours['l0'].mean():.2f}", f"{paper['l0'].mean():.2f}"]
        yield f"| {cell} | {CHANGES[changes]} | " + " | ".join(cells) + " |"


def verdict(rows, places, name):
    """Where the chosen settings differ by more than the interval."""
    signs = {"lower": [], "higher": []}
    for cell, changes in places:
        gap = np.subtract(*(chosen_rows(rows, cell, changes, method)[name] for method in ("ours", "paper")))
        if abs(gap.mean()) > interval(gap):
            signs["lower" if gap.mean() < 0 else "higher"].append(cell + ("" if changes == "m" else ", more changes"))
    return " and ".join(f"{sign} than paper mode's in {len(where)} of {len(places)} cells" + (f" ({'; '.join(where)})" if where else "")
                        for sign, where in signs.items())


def words(rows, places):
    return [f"With one setting for each, our {name} is {verdict(rows, places, value)}, by more than the interval."
            for name, value in (("LOF", "lof"), ("l2", "l2"))]


def lowest_words(found):
    """Whose lowest LOF is lower, and where by more than the interval."""
    lists = {"ours": [], "paper mode": []}
    for (cell, changes), settings in found.items():
        a, b = (lowest(of(settings, method)) for method in ("ours", "paper"))
        gap = a.values["lof"] - b.values["lof"]
        clear = " (by more than the interval)" if abs(gap.mean()) > interval(gap) else ""
        farther = a.mean("l2") > b.mean("l2") if gap.mean() < 0 else b.mean("l2") > a.mean("l2")
        lists["ours" if gap.mean() < 0 else "paper mode"].append(
            cell + ("" if changes == "m" else ", more changes") + (", farther away" if farther else ", closer") + clear)
    return "The lowest LOF that any setting reaches is lower " + ", and ".join(
        f"with {method} on " + "; ".join(where) for method, where in lists.items() if where) + "."


def front(settings):
    """Of the means, those that no other setting of the method undercuts in both."""
    points = sorted((s.mean("l2"), s.mean("lof")) for s in settings)
    kept = []
    for point in points:
        if not kept or point[1] < kept[-1][1]:
            kept.append(point)
    return np.array(kept)


def draw_setting(axis, s, best):
    colour = COLOURS["ours" if s.method == "ours" else s.name.split(",")[0]]
    whole = s.mean("valid") >= best - WHOLE
    axis.errorbar(s.mean("l2"), s.mean("lof"), xerr=s.interval("l2"), yerr=s.interval("lof"), color=colour, alpha=0.15, lw=0.8)
    axis.plot(s.mean("l2"), s.mean("lof"), "s" if s.method == "ours" else "o", ms=2.5 + 1.2 * np.sqrt(s.mean("l0")), color=colour,
              mfc=colour if whole else "none", mew=0.8, alpha=0.85)


def draw_panel(axis, settings):
    ours, paper = of(settings, "ours"), of(settings, "paper")
    best = max(s.mean("valid") for s in settings)
    for s in (*paper, *ours):
        draw_setting(axis, s, best)
    for group, style in ((ours, "-"), (paper, ":")):
        whole = [s for s in group if s.mean("valid") >= best - WHOLE]
        if whole:
            axis.plot(*front(whole).T, style, color="#222222" if group is ours else "#888888", lw=1.1, zorder=0)
    least, most = (end(s.mean("l2") for s in (*ours, *paper)) for end in (min, max))
    reach = min(FARTHEST * max(s.mean("l2") for s in ours), most)
    axis.set_xlim(least - 0.06 * (reach - least), reach + 0.06 * (reach - least))
    seen = [s.mean("lof") for s in (*ours, *paper) if s.mean("l2") <= reach]
    room = 0.08 * (max(seen) - min(seen))
    axis.set_ylim(min(seen) - room, max(seen) + room)
    return sum(s.mean("l2") > reach for s in (*ours, *paper))


def draw(found):
    names = ("housing", "wine", "wdbc")
    parts = list(itertools.product(("linear", "mlp"), dict.fromkeys(changes for _, changes in found)))
    figure, axes = plot.plt.subplots(len(parts), len(names), figsize=(9.6, 0.6 + 2.9 * len(parts)), layout="constrained")
    for (line, (kind, changes)), (column, name) in itertools.product(enumerate(parts), enumerate(names)):
        axis = axes[line, column]
        outside = draw_panel(axis, found[f"{name}-{kind}", changes])
        axis.set_title(f"{name}-{kind}, {CHANGES[changes]}" + (f" ({outside} farther)" if outside else ""), fontsize=9)
        axis.grid(alpha=0.25)
    for axis in axes[-1]:
        axis.set_xlabel("l2 (standard deviations)")
    for axis in axes[:, 0]:
        axis.set_ylabel("LOF")
    marks = [plot.plt.Line2D([], [], marker="s", ls="-", color=COLOURS["ours"], label="ours, floors 0 to 0.9")]
    marks += [plot.plt.Line2D([], [], marker="o", ls=":", color=COLOURS[n], label=f"paper mode, {n}") for n in ("KDE", "GMM", "kNN", "none")]
    figure.legend(handles=marks, loc="outside upper center", ncols=5)
    plot.save(figure, "figure6", "make paper: splits, numbers in splits.csv, commands in figure6.json", "seeds 1 to 5")


def write():
    found, rows = read()
    draw(found)
    page.keep("splits", [*words(rows, list(found)), "", *chosen_lines(rows, list(found))])
    page.keep("fronts", [lowest_words(found), "", *front_lines(found)])
