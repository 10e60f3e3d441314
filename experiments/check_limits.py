"""Holds a written file of answers against every limit, without the library: pandas alone.

Usage: check_limits.py SCHEMA.json ROWS.csv ANSWERS.csv [--data TRAIN.csv] [--max-changes M]
           [--freeze A,B] [--only-up A] [--only-down B] [--range A=LO:HI] [--rule TEXT]...

Checked on every answer with the status valid, below_floor or already (all, where there is no status column):
cells that the schema knows (a level of each category), ranges with the row's own value in them, steps, frozen
features, directions, transitions, columns NAME:min, NAME:max, NAME:fixed of the rows, rules between features,
derived columns, and the number of changes. TRAIN.csv gives the ranges that the schema leaves open.
Prints a line for each violation and exits with 1 if there is one.
"""
import argparse
import json
import re
import sys

import pandas as pd

DUST = 1e-9


def read(path):
    return pd.read_csv(path, dtype=str, keep_default_na=False)


def number(cell):
    try:
        return float(cell)
    except ValueError:
        return None


class Feature:
    def __init__(self, entry, training):
        self.name, self.kind = entry["name"], entry["type"]
        self.levels = entry.get("levels")
        self.other = entry.get("other")
        self.immutable = entry.get("immutable", False)
        self.direction = entry.get("direction", "any")
        self.transitions = entry.get("transitions")
        order = entry.get("order")
        self.order = self.levels if order is True else order or (self.levels if self.kind != "categorical" else None)
        self.category = self.kind == "categorical" or self.kind == "binary"
        self.step = entry.get("step", 10.0 ** -entry["decimals"] if "decimals" in entry else None)
        if self.step is None and self.kind in ("integer", "ordinal"):
            self.step = 1.0
        self.lo, self.hi = entry.get("range", [None, None])
        if training is not None and not self.levels:
            column = training[self.name].map(number).dropna()
            self.lo = column.min() if self.lo is None else self.lo
            self.hi = column.max() if self.hi is None else self.hi

    def value(self, cell):
        """A number, or the place of a level; None if the cell is neither."""
        if self.levels:
            return self.levels.index(cell) if cell in self.levels else None
        return number(cell)

    def rank(self, value):
        return self.order.index(self.levels[value]) if self.levels and self.order else value


class Rule:
    """Python evaluates the formula; names become v[i]."""

    def __init__(self, text, features):
        self.text, self.names = text, [f.name for f in features]
        self.kind, found = "link", re.match(r"\s*at most (\d+) of (.*)", text)
        if found:
            self.kind, self.most = "together", int(found[1])
            self.places = sorted(set(self.uses(self.translate(found[2]))))
        elif ":=" in text:
            self.kind = "derived"
            left, right = text.split(":=")
            self.target, self.code = self.uses(self.translate(left))[0], self.translate(right)
            self.places = self.uses(self.code)
        else:
            left, self.sign, right = re.split(r"(<=|>=|==|=)", text)
            self.code = f"({self.translate(left)}) - ({self.translate(right)})"
            self.places = self.uses(self.code)

    def translate(self, text):
        names = sorted(self.names, key=len, reverse=True)
        pattern = "|".join(f"[`'\"]{re.escape(n)}[`'\"]|(?<!\\w){re.escape(n)}(?!\\w)" for n in names)
        return re.sub(pattern, lambda m: f"v[{self.names.index(m[0].strip(chr(96) + chr(39) + chr(34)))}]", text)

    @staticmethod
    def uses(code):
        return [int(place) for place in re.findall(r"v\[(\d+)\]", code)]

    def compute(self, values):
        return eval(self.code.strip(), {"__builtins__": {}}, {"v": values})

    def broken(self, features, before, after):
        changed = [place for place in set(self.places) if before[place] != after[place]]
        if self.kind == "together":
            return len(changed) > self.most
        if self.kind == "derived":
            feature = features[self.target]
            expected = self.compute(after) if changed else before[self.target]
            slack = (0.5 + 1e-6) * feature.step if feature.step and changed else 0
            return abs(after[self.target] - expected) > slack + 1e-9 * abs(expected)
        if not changed:
            return False
        excess = self.compute(after)
        size = sum(abs(self.compute([x if i == p else 0 for i, x in enumerate(after)])) for p in set(self.places))
        slack = 10 * DUST * (size + abs(self.compute([0] * len(after))) + 1e-300)
        above, below = excess > slack, excess < -slack
        return above if self.sign == "<=" else below if self.sign == ">=" else above or below


def row_limits(rows, feature, i):
    def cell(ending):
        name = f"{feature.name}:{ending}"
        return rows[name].iloc[i] if name in rows.columns else ""

    lo, hi = (feature.value(cell(ending)) if cell(ending) else None for ending in ("min", "max"))
    return lo, hi, cell("fixed") in ("1", "true", "yes")


def check_number(feature, lo, hi, before, after):
    lows, highs = ([x for x in pair if x is not None] for pair in ((feature.lo, lo), (feature.hi, hi)))
    if lows and after < min(max(lows), before) - DUST * abs(before):
        yield f"below its range: {after} < {max(lows)}"
    if highs and after > max(min(highs), before) + DUST * abs(before):
        yield f"above its range: {after} > {min(highs)}"
    if feature.step:
        steps = after / feature.step
        if abs(steps - round(steps)) > 1e-6 and after not in lows + highs:
            yield f"no multiple of {feature.step}: {after}"


def check_feature(feature, rows, i, before, after):
    lo, hi, fixed = row_limits(rows, feature, i)
    if feature.immutable or fixed:
        yield f"frozen, went from {before} to {after}"
    rise = feature.rank(after) - feature.rank(before) if feature.direction != "any" else 0
    if (feature.direction == "up" and rise < 0) or (feature.direction == "down" and rise > 0):
        yield f"may only go {feature.direction}, went from {before} to {after}"
    if feature.transitions is not None:
        names = feature.levels[before], feature.levels[after]
        if names[1] not in feature.transitions.get(names[0], []):
            yield f"{names[0]} may not become {names[1]}"
    if not feature.category:
        yield from check_number(feature, lo, hi, before, after)


def values_of(features, row, factual):
    """A level that the schema does not know stands for its `other`; an answer may keep it, not take it."""
    values, unknown = [], []
    for feature in features:
        cell = row[feature.name]
        values.append(feature.value(cell))
        if values[-1] is None and feature.other and cell == factual[feature.name]:
            values[-1] = feature.value(feature.other)
        if values[-1] is None:
            unknown.append(f"{feature.name}: '{row[feature.name]}' is no value of it")
    return values, unknown


def check_row(features, rules, rows, i, answer, most):
    before, odd = values_of(features, rows.iloc[i], rows.iloc[i])
    after, unknown = values_of(features, answer, rows.iloc[i])
    if odd or unknown:
        return unknown
    found = []
    derived = {rule.target for rule in rules if rule.kind == "derived"}
    changed = [f for f in range(len(features)) if before[f] != after[f]]
    for f in changed:
        found += [f"{features[f].name}: {text}" for text in check_feature(features[f], rows, i, before[f], after[f])]
    found += [f"rule {rule.text}" for rule in rules if rule.broken(features, before, after)]
    count = len([f for f in changed if f not in derived])
    if most and count > most:
        found.append(f"{count} changes are more than {most}")
    if answer.get("changes", "") not in ("", str(count)):
        found.append(f"{count} changes, not {answer['changes']}")
    return found


def arguments():
    parser = argparse.ArgumentParser()
    for name in ("schema", "rows", "answers"):
        parser.add_argument(name)
    parser.add_argument("--data")
    parser.add_argument("--max-changes", type=int, default=0)
    for flag in ("freeze", "only-up", "only-down"):
        parser.add_argument("--" + flag, default="")
    for flag in ("range", "rule"):
        parser.add_argument("--" + flag, action="append", default=[])
    return parser.parse_args()


def main():
    given = arguments()
    schema = json.load(open(given.schema))
    features = [Feature(entry, read(given.data) if given.data else None) for entry in schema["features"]]
    by_name = {feature.name: feature for feature in features}
    for name in filter(None, given.freeze.split(",")):
        by_name[name].immutable = True
    for flag, way in (("only_up", "up"), ("only_down", "down")):
        for name in filter(None, getattr(given, flag).split(",")):
            by_name[name].direction = way
    for text in given.range:
        name, bounds = text.rsplit("=", 1)
        lo, hi = (float(x) if x else None for x in bounds.split(":"))
        by_name[name].lo, by_name[name].hi = (new if new is not None else old for new, old in
                                              ((lo, by_name[name].lo), (hi, by_name[name].hi)))
    rules = [Rule(text, features) for text in schema.get("rules", []) + given.rule]
    rows, answers = read(given.rows), read(given.answers)
    names = rows[schema["id"]] if schema.get("id") else pd.Series(range(1, len(rows) + 1)).astype(str)
    key = schema.get("id") or "row"
    place = {name: i for i, name in enumerate(names)} if key in answers.columns else None
    checked = bad = 0
    for number_, (_, answer) in enumerate(answers.iterrows()):
        if answer.get("status", "valid") not in ("valid", "below_floor", "already"):
            continue
        i = place[answer[key]] if place else number_
        violations = check_row(features, rules, rows, i, answer, given.max_changes)
        for text in violations:
            print(f"row {names.iloc[i]}: {text}")
        checked, bad = checked + 1, bad + bool(violations)
    print(f"{checked} answers checked, {bad} break a limit")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
