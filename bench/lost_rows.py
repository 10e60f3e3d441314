#!/usr/bin/env python3
"""Do the rows that learned rules leave without an answer have a possible one?

    lost_rows.py SCFE ADULT_CSV [ROWS [MODEL ...]]      (build/scfe, ../shared/data/adult.csv, 200, extra)

Held-out rows of Adult are asked for the default answers as bench/impossible.py does, fitted with `--learned-rules none` and `use`. For
each row without an answer under the rules, every change of one feature, of two, and a sample of changes of three (the default
limit) is predicted by ONNX Runtime: all levels; all whole numbers within the training range, of capital gains and losses those of
the training rows. An answer is possible if it breaks no learned rule of a feature that changes; a column that follows
by a map changes with its source. Floors are left out, as an answer below the floor counts as found."""
import itertools
import json
import os
import re
import sys
import tempfile

import impossible
import numpy as np
import onnxruntime
import pandas

SAMPLE = 20_000  # changes of three features
BATCH = 20_000


def choices(table, column):
    seen = np.sort(table.train[column].unique())
    if column in table.levels or len(seen) > 200 or seen[-1] - seen[0] > 500:
        return list(seen)
    return list(range(int(seen[0]), int(seen[-1]) + 1))


def maps(texts):
    """{column: (source, its value for each of the source's)} of the learned maps."""
    found = {}
    for text in texts:
        if made := re.fullmatch(r"(\w+) := map\((\w+), (.*)\)", text):
            pairs = re.findall(f"({impossible.VALUE}): ({impossible.VALUE})", made[3])
            found[made[1]] = made[2], {impossible.value(k): impossible.value(v) for k, v in pairs}
    return found


class Row:
    """One row, its moves and what may be written."""

    def __init__(self, table, row, session, rules, follows):
        self.table, self.row, self.session, self.rules, self.follows = table, row, session, rules, follows
        self.moves = {c: [v for v in choices(table, c) if v != row[c]] for c in table.features if c not in follows}

    def frame(self, changes):
        cells = {c: np.full(len(changes), self.row[c], object) for c in self.table.features}
        for i, change in enumerate(changes):
            for c, value in change:
                cells[c][i] = value
        for c, (source, values) in self.follows.items():
            moved = cells[source] != self.row[source]
            cells[c][moved] = [values[v] for v in cells[source][moved]]
        return pandas.DataFrame(cells)

    def possible(self, changes, target):
        """How many of the changes reach the target, and how many of these break no rule that they touch."""
        frame = self.frame(changes)
        said = self.session.run(None, {self.session.get_inputs()[0].name: self.table.encode(frame)})[0].ravel()
        reached = np.flatnonzero(said == target)
        kept = 0
        for i in reached:
            after = {c: frame[c][i] if c in self.table.levels else float(frame[c][i]) for c in self.table.features}
            moved = {c for c in self.table.features if frame[c][i] != self.row[c]}
            kept += all(not (moved & features) or test(after) for features, test in self.rules)
        return len(reached), kept

    def search(self, size, target, draw):
        reached = kept = 0
        for batch in self.batches(size, draw):
            one = self.possible(batch, target)
            reached, kept = reached + one[0], kept + one[1]
        return reached, kept

    def batches(self, size, draw):
        if size > 2:
            for _ in range(SAMPLE // BATCH):
                picked = [draw.choice(list(self.moves), size, replace=False) for _ in range(BATCH)]
                yield [[(c, self.moves[c][draw.integers(len(self.moves[c]))]) for c in columns] for columns in picked]
            return
        every = (list(change) for columns in itertools.combinations(self.moves, size)
                 for change in itertools.product(*([(c, v) for v in self.moves[c]] for c in columns)))
        while batch := list(itertools.islice(every, BATCH)):
            yield batch


def ask(scfe, table, folder, model, use):
    fitted, answers = os.path.join(folder, "e.scfe"), os.path.join(folder, "answers.csv")
    said = impossible.run(scfe, "fit", "--model", model, "--data", os.path.join(folder, "train.csv"), "--schema",
                          os.path.join(folder, "schema.json"), "--learned-rules", use, "-o", fitted)
    impossible.run(scfe, "explain", fitted, os.path.join(folder, "asked.csv"), "--hints", "false", "-o", answers)
    return said, pandas.read_csv(answers, keep_default_na=False)["status"]


def measure(scfe, table, name, folder, rows):
    model, change = impossible.MODELS[name](table, folder)
    assert not change, "only models whose ONNX file takes one-hot inputs"
    table.train.to_csv(os.path.join(folder, "train.csv"), index=False)
    asked = table.held_out.head(rows).reset_index(drop=True)
    asked.to_csv(os.path.join(folder, "asked.csv"), index=False)
    with open(os.path.join(folder, "schema.json"), "w") as file:
        json.dump(table.schema(), file)
    _, before = ask(scfe, table, folder, model, "none")
    said, after = ask(scfe, table, folder, model, "use")
    texts = re.findall(r"^ +\d+ +[\d,]+ of [\d,]+ rows; +[\d,]+ expected +(.*)$", said, re.M)
    rules, follows = [impossible.rule(text) for text in texts], maps(texts)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    print(f"{name}: {len(rules)} rules; status without them {before.value_counts().to_dict()}, with them {after.value_counts().to_dict()}", flush=True)
    for i in np.flatnonzero(~after.isin(("valid", "below_floor", "already"))):
        row = Row(table, asked.iloc[i], session, rules, follows)
        own = session.run(None, {session.get_inputs()[0].name: table.encode(asked.iloc[[i]])})[0].ravel()[0]
        counts = [row.search(size, 1 - own, np.random.default_rng(i)) for size in (1, 2, 3)]
        print(f"    row {i}: without rules {before[i]}, with them {after[i]}; reach the class and keep the rules, of those that reach it: "
              + ", ".join(f"{'sampled ' if n == 3 else ''}m = {n}: {kept} of {reached}" for n, (reached, kept) in enumerate(counts, 1)), flush=True)


def main():
    scfe, adult_csv = sys.argv[1], sys.argv[2]
    rows = int(sys.argv[3]) if len(sys.argv) > 3 else 200
    adult = pandas.read_csv(adult_csv, keep_default_na=False).drop(columns=["fnlwgt"])
    table = impossible.Table("adult", adult, "income", impossible.adult_rules)
    for name in sys.argv[4:] or ["extra"]:
        with tempfile.TemporaryDirectory() as folder:
            measure(scfe, table, name, folder, rows)


if __name__ == "__main__":
    main()
