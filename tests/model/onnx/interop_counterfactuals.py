"""Counterfactuals for 50 rows of every exported model; ONNX Runtime predicts the written CSV to check them.

    python interop_counterfactuals.py path/to/run_onnx path/to/scfe

Only the file that `scfe explain ... -o out.csv` writes counts: it is read back like any CSV, and ONNX Runtime must give
each answer the target class. Differentiable models are asked for plausible answers with up to six changes, tree ensembles
for the nearest with up to three.
"""
import logging
import os
import subprocess
import sys
import tempfile

import numpy as np
import pandas
import torch
from torch import nn

import zoo
from interop import Report

ROWS = 50
# The exact solver does not recognise these as tree ensembles, and without gradients the other solvers find little.
UNEXPLAINED = {"Imputer + RandomForest"}
CHANGES = {True: 6, False: 3}  # by differentiable or not: the exact solver for trees is meant for few changes
ANSWERED = {True: 0.8, False: 0.5}  # smallest share of answered rows; a forest may need more changes
DATA = os.path.join(os.path.dirname(__file__), "..", "..", "..", "data")


def exported_network(table, codes, dynamo):
    """A small PyTorch network that scales its inputs itself."""
    torch.manual_seed(0)
    x = torch.tensor(table.to_numpy(np.float32))
    y = torch.tensor(codes)
    mean, spread = x.mean(0), x.std(0)

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = nn.Sequential(nn.Linear(x.shape[1], 16), nn.GELU(), nn.Linear(16, int(y.max()) + 1))

        def forward(self, rows):
            return self.layers((rows - mean) / spread)

    net = Net()
    optimiser = torch.optim.Adam(net.parameters(), 0.01)
    for _ in range(150):
        optimiser.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimiser.step()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "m.onnx")
        more = dict(dynamic_shapes=({0: torch.export.Dim("n", min=2, max=4096)},), external_data=False, verbose=False) if dynamo else dict(
            input_names=["x"], output_names=["y"], dynamic_axes={"x": {0: "n"}, "y": {0: "n"}}, opset_version=17)
        torch.onnx.export(net.eval(), (x[:4],), path, dynamo=dynamo, **more)
        with open(path, "rb") as file:
            return Network(f"PyTorch ({'dynamo' if dynamo else 'old'} exporter)", file.read(), False, True)


class Network(zoo.Case):
    """A model that returns only logits: the class is the largest."""

    def predict(self, table):
        logits = zoo.session(self.model).run(None, self.feed(table))[0]
        return logits.argmax(axis=1).astype(str), logits


def explain(scfe, case, train, rows, folder, flags):
    """The written answers, as text; raises RuntimeError with the tool's message."""
    paths = {n: os.path.join(folder, n) for n in ("m.onnx", "train.csv", "rows.csv", "out.csv")}
    with open(paths["m.onnx"], "wb") as file:
        file.write(case.model)
    train.to_csv(paths["train.csv"], index=False)
    rows.to_csv(paths["rows.csv"], index=False)
    done = subprocess.run([scfe, "explain", "--model", paths["m.onnx"], "--data", paths["train.csv"], paths["rows.csv"], "-o", paths["out.csv"], *flags], capture_output=True, text=True)
    if done.returncode > 1:
        raise RuntimeError(done.stderr.strip())
    return pandas.read_csv(paths["out.csv"], dtype=str, keep_default_na=False)


def check(scfe, case, train, label, target):
    """Problem (or None) and a note. Every row asks for `target`; some may have no answer within the limits."""
    features = train.drop(columns=[label])
    before, _ = case.predict(features)
    chosen = np.flatnonzero(before != target)[:ROWS]
    rows = features.iloc[chosen]
    with tempfile.TemporaryDirectory() as folder:
        order = train.columns[::-1] if case.columns else train.columns  # named inputs are matched by name
        try:
            flags = ["--label", label, "--target", target, "--max-changes", str(CHANGES[case.differentiable])]
            answers = explain(scfe, case, train[order], rows[[c for c in order if c != label]], folder, flags + ([] if case.differentiable else ["--plausible", "0"]))
        except RuntimeError as error:
            return str(error), ""
    given = answers[answers["status"].isin(["valid", "below_floor", "already"])]
    if len(given) < ANSWERED[case.differentiable] * len(rows):
        return f"answers for {len(given)} of {len(rows)} rows only; {answers['reason'].value_counts().index[0]}", ""
    table = given[list(features.columns)].astype({c: features[c].dtype for c in features.columns})
    after, _ = case.predict(table)
    wrong = int((after != target).sum())
    changed = (table.to_numpy() != rows.iloc[given.index].to_numpy()).sum(axis=1)
    if wrong or changed.max() > CHANGES[case.differentiable]:
        return f"{wrong} of {len(given)} not {target} for ONNX Runtime, at most {changed.max()} changes", ""
    return None, f"{len(given)} of {len(rows)} rows have an answer, all {target} for ONNX Runtime"


def numeric_sets():
    """name, table with the class as a number in `class`, target class"""
    wine = pandas.read_csv(os.path.join(DATA, "wine.csv"))
    yield "wine", wine, "1"
    wdbc = pandas.read_csv(os.path.join(DATA, "wdbc.csv"))
    wdbc[wdbc.columns[-1]] = pandas.factorize(wdbc[wdbc.columns[-1]])[0]
    yield "wdbc", wdbc, "1"


def questions():
    """name, case, training table, label column, target class"""
    for name, train, target in numeric_sets():
        label = train.columns[-1]
        features, codes = train.drop(columns=[label]), train[label].to_numpy()
        cases = [exported_network(features, codes, dynamo) for dynamo in (False, True)]
        for case in [*cases, *zoo.numeric(features, codes)]:
            yield f"{case.name}, {name}", case, train, label, target
    german = pandas.read_csv(os.path.join(DATA, "german_credit.csv"), keep_default_na=False)
    german = german.astype({"duration_months": np.float32, "amount": np.float32, "age": np.float32})
    texts = [c for c in german.columns[:-1] if german[c].dtype.kind not in "fi"]
    integers = [c for c in german.columns if german[c].dtype.kind == "i"]
    for case in zoo.mixed(german.drop(columns=["risk"]), german["risk"].to_numpy(), ["duration_months", "amount", "age"], integers, texts):
        yield f"{case.name}, german credit", case, german, "risk", "good"


def main():
    scfe, report = sys.argv[2], Report()
    for name, case, train, label, target in questions():
        if case.name in UNEXPLAINED:
            print(f"not explained: {name}")
            continue
        report.add(name, *check(scfe, case, train, label, target))
    report.finish()


if __name__ == "__main__":
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)
    main()
