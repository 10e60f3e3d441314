"""Brute force for interop_forests.py: writable rows in reach, their distances, and which of them the models accept.

Distances are those of the work space `minmax`: a number's change over the range of the training rows, 1/sqrt(2) for another
level of a category (a column of only 0 and 1 is one too); then l2. A number is writable on the grid 10^-decimals of its most
precise training cell, between the smallest and largest training cell or the row's own value.
"""
import itertools
import math
from dataclasses import dataclass

import numpy as np
import pandas

MARGIN = 1e-4  # logits by which the target class has to win (option `margin`); a tie is never valid
AXIS = 200  # most values of a feature in pairs
BATCH = 50_000


def reached(classes, probabilities, target, probability=None, margin=MARGIN):
    """Which rows have the target class (or probability) by more than the margin, in logits."""
    p = probabilities[:, target].astype(float).clip(0, 1)
    if probability:
        with np.errstate(divide="ignore"):
            return np.log(p) - np.log(1 - p) >= math.log(probability / (1 - probability)) + margin
    if margin <= 0:
        return classes == target
    others = np.delete(probabilities, target, axis=1).max(axis=1).astype(float)
    with np.errstate(divide="ignore"):
        return (classes == target) & (np.log(p) - np.log(others) >= margin)


def decimals_of(values):
    """Digits behind the point of the most precise value."""
    return max(len(text.rstrip("0").partition(".")[2]) for text in (f"{v:.9f}" for v in values))


class Space:
    """The writable values and distances of a table."""

    def __init__(self, table, drop):
        train = table.train()
        kept = train.dropna() if drop else train  # `--missing drop`: ranges for distances come from whole rows
        self.table, self.known, self.scale, self.digits, self.levels = table, {}, {}, {}, {}
        for f in table.features:
            if f in table.texts:
                self.levels[f] = sorted(train[f].unique())
                self.scale[f] = math.sqrt(0.5)
            else:
                self.known[f] = np.unique(train[f].dropna())
                self.digits[f] = 10 ** decimals_of(self.known[f])
                binary = set(self.known[f]) == {0, 1}
                self.scale[f] = math.sqrt(2) if binary else float(kept[f].max() - kept[f].min())

    def cost(self, f, start, values):
        """Distances from `start`."""
        if f in self.levels:
            return np.where(np.asarray(values, object) == start, 0.0, self.scale[f])
        return np.abs(np.asarray(values, float) - start) / self.scale[f]

    def distance(self, row, other):
        return math.sqrt(sum(float(self.cost(f, row[f], [other[f]])[0]) ** 2 for f in self.table.features))

    def bounds(self, f, start):
        """The grid numbers k of the writable values k / digits."""
        lo, hi = min(self.known[f][0], start), max(self.known[f][-1], start)
        return round(math.ceil(lo * self.digits[f] - 1e-6)), round(math.floor(hi * self.digits[f] + 1e-6))

    def writable(self, f, start, value):
        if f in self.levels:
            return value in self.levels[f]
        lo, hi = self.bounds(f, start)
        k = round(value * self.digits[f])
        return lo <= k <= hi and k / self.digits[f] == value

    def axis(self, f, start, reach, most, rng):
        """Writable values other than `start` at less than `reach`, their costs, and whether these are all of them.

        If there are too many: those next to training values and the middles between them, where thresholds lie, then a
        random choice."""
        complete = True
        if f in self.levels:
            values = np.array([v for v in self.levels[f] if v != start], object)
        else:
            lo, hi = self.bounds(f, start)
            room = reach * self.scale[f] * self.digits[f] + 1 if math.isfinite(reach) else math.inf
            at = start * self.digits[f]
            lo, hi = max(lo, math.floor(at - room) if room < math.inf else lo), min(hi, math.ceil(at + room) if room < math.inf else hi)
            if hi - lo + 1 > most:
                complete = False
                middles = np.concatenate([self.known[f], (self.known[f][1:] + self.known[f][:-1]) / 2]) * self.digits[f]
                k = np.unique(np.concatenate([np.floor(middles), np.ceil(middles), np.floor(middles) + 1]))
                k = k[(k >= lo) & (k <= hi)]
                if len(k) > most:
                    k = np.sort(rng.choice(k, most, replace=False))
            else:
                k = np.arange(lo, hi + 1)
            values = k / self.digits[f]
            values = values[values != start].astype(self.table.frame[f].dtype)
        cost = self.cost(f, start, values)
        return values[cost < reach], cost[cost < reach], complete


@dataclass
class Found:
    row: dict = None  # the changed features of the best row that is better than the answer
    distance: float = math.inf
    size: int = 0
    complete: bool = True  # every writable row was tried
    paired: bool = False  # pairs were tried
    ties: int = 0  # 1: a better row wins, but by no more than the margin


def rows_of(space, row, features, columns):
    """The row, repeated, with the values of the features replaced."""
    count = len(columns[0])
    frame = {f: np.full(count, row[f], dtype=space.table.frame[f].dtype) for f in space.table.features}
    frame.update(zip(features, columns))
    return pandas.DataFrame(frame)


def accepted(case, frame, target, probability, margin):
    """Indices of the rows that both the library and ONNX Runtime accept; the quicker one goes first."""
    index = np.arange(len(frame))
    for predict in (case.runtime, case.library):
        if predict is not None and len(index):
            index = index[reached(*predict(frame.iloc[index]), target, probability, margin)]
    return index


def search(case, space, row, target, limits, groups):
    """The cheapest accepted row of the groups (features, columns, costs), and 1 if only a tie was found."""
    best, ties = None, 0
    for features, columns, costs in groups:
        order = np.argsort(costs, kind="stable")
        for begin in range(0, len(order), BATCH):
            part = order[begin:begin + BATCH]
            if best is not None:
                part = part[costs[part] < best[1]]
            if not len(part):
                break
            frame = rows_of(space, row, features, [c[part] for c in columns])
            plain = accepted(case, frame, target, limits.get("probability"), 0.0)
            clear = plain[accepted(case, frame.iloc[plain], target, limits.get("probability"), MARGIN)] if len(plain) else plain
            ties = ties or int(len(plain) > len(clear))
            if len(clear):
                first = clear[np.argmin(costs[part][clear])]
                best = ({f: frame[f].iloc[first] for f in features}, float(costs[part][first]), len(features))
                break
    return best, ties


def singles(space, row, free, reach, most, rng):
    """All values of single features within reach; of long axes a choice, `most` rows in all."""
    complete, groups = True, []
    for f in free:
        values, cost, whole = space.axis(f, row[f], reach, most // len(free), rng)
        complete &= whole
        groups.append(((f,), (values,), cost))
    return groups, complete


def pairs(space, row, free, reach, most, rng):
    """All pairs of features and values within reach; a random choice of `most` rows if there are more."""
    axes = {f: space.axis(f, row[f], reach, AXIS, rng) for f in free}
    complete, groups = all(whole for *_, whole in axes.values()), []
    for f, g in itertools.combinations(free, 2):
        square = axes[f][1][:, None] ** 2 + axes[g][1][None, :] ** 2
        i, j = np.nonzero(square < reach * reach)
        if len(i):
            groups.append((f, g, i, j, np.sqrt(square[i, j])))
    total = sum(len(i) for _, _, i, _, _ in groups)
    if total > most:
        complete, share, thinned = False, most / total, []
        for f, g, i, j, cost in groups:
            keep = rng.random(len(i)) < share
            thinned.append((f, g, i[keep], j[keep], cost[keep]))
        groups = thinned
    return [((f, g), (axes[f][0][i], axes[g][0][j]), cost) for f, g, i, j, cost in groups], complete


def closest(case, space, row, target, limits, ours, size, exclude, settings, rng):
    """Looks for a row that is better than an answer at distance `ours` with `size` changes (no answer: infinity).

    Better is closer, or fewer changes where these come first (`fewest`, the default)."""
    fewest = limits.get("fewest", True)
    reach = ours * (1 - 1e-9) if math.isfinite(ours) else math.inf
    free = [f for f in space.table.features if f not in limits.get("frozen", []) and f not in exclude]
    found = Found()
    own = pandas.DataFrame([row]).astype({f: space.table.frame[f].dtype for f in space.table.features})
    if not exclude and len(accepted(case, own, target, limits.get("probability"), MARGIN)):
        return Found(row={}, distance=0.0, size=0)
    groups, found.complete = singles(space, row, free, math.inf if fewest and size > 1 else reach, settings["singles"], rng)
    best, found.ties = search(case, space, row, target, limits, groups)
    if limits["changes"] > 1 and (not fewest or size > 1 and best is None):
        groups, complete = pairs(space, row, free, best[1] if best else reach, settings["pairs"], rng)
        more, ties = search(case, space, row, target, limits, groups)
        found.complete, found.paired, found.ties = found.complete and complete, True, found.ties or ties
        best = more or best
    if best:
        found.row, found.distance, found.size = best
    return found
