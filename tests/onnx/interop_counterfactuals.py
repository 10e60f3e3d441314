"""Counterfactuals for 50 rows of every exported model, valid when ONNX Runtime predicts the written CSV.

    python interop_counterfactuals.py path/to/run_onnx path/to/scfe

`scfe explain ... -o out.csv` is the only thing that speaks: the file is read back as anybody would, and the class
that ONNX Runtime gives each answer must be the wished one.
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

ROWS, CHANGES = 50, 6
DATA = os.path.join(os.path.dirname(__file__), "..", "..", "data")
# Kinds of model that the command line explains; the rest are counted when it does.
EXPLAINED = {"differentiable numeric"}


def exported_network(table, codes, dynamo):
    """A small PyTorch network with its own scaling inside."""
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
    """Logits alone: the class is the largest."""

    def predict(self, table):
        session = zoo.onnxruntime.InferenceSession(self.model)
        logits = session.run(None, self.feed(table))[0]
        return logits.argmax(axis=1).astype(str), logits


def explain(scfe, case, train, label, rows, folder, flags):
    """The written answers, as text; raises RuntimeError with the tool's message."""
    paths = {n: os.path.join(folder, n) for n in ("m.onnx", "train.csv", "rows.csv", "out.csv")}
    with open(paths["m.onnx"], "wb") as file:
        file.write(case.model)
    train.to_csv(paths["train.csv"], index=False)
    rows.to_csv(paths["rows.csv"], index=False)
    done = subprocess.run([scfe, "explain", "--model", paths["m.onnx"], "--data", paths["train.csv"], "--label", label,
                           paths["rows.csv"], "-o", paths["out.csv"], *flags], capture_output=True, text=True)
    if done.returncode > 1:
        raise RuntimeError(done.stderr.strip())
    return pandas.read_csv(paths["out.csv"], dtype=str, keep_default_na=False)


def check(scfe, case, train, label, target, flags=()):
    """Problem (or None) and a note. Every row wishes for `target`; some may have no answer within the limits."""
    features = train.drop(columns=[label])
    before, _ = case.predict(features)
    chosen = np.flatnonzero(before != target)[:ROWS]
    rows = features.iloc[chosen]
    with tempfile.TemporaryDirectory() as folder:
        try:
            answers = explain(scfe, case, train, label, rows, folder, ["--target", target, "--max-changes", str(CHANGES), *flags])
        except RuntimeError as error:
            return str(error), ""
    given = answers[answers["status"].isin(["valid", "below_floor", "already"])]
    if len(given) < 0.8 * len(rows):
        return f"answers for {len(given)} of {len(rows)} rows only; {answers['reason'].value_counts().index[0]}", ""
    table = given[list(features.columns)].astype({c: features[c].dtype for c in features.columns})
    after, _ = case.predict(table)
    wrong = int((after != target).sum())
    changed = (table.to_numpy() != rows.iloc[given.index].to_numpy()).sum(axis=1)
    if wrong or changed.max() > CHANGES:
        return f"{wrong} of {len(given)} not {target} for ONNX Runtime, at most {changed.max()} changes", ""
    return None, f"{len(given)} of {len(rows)} rows have an answer, all {target} for ONNX Runtime"


def numeric_sets():
    """name, table with the class as a number in `class`, the wished class"""
    wine = pandas.read_csv(os.path.join(DATA, "wine.csv"))
    yield "wine", wine, "1"
    wdbc = pandas.read_csv(os.path.join(DATA, "wdbc.csv"))
    wdbc[wdbc.columns[-1]] = pandas.factorize(wdbc[wdbc.columns[-1]])[0]
    yield "wdbc", wdbc, "1"


def main():
    scfe, report = sys.argv[2], Report()
    waiting = []
    for name, train, target in numeric_sets():
        label = train.columns[-1]
        features, codes = train.drop(columns=[label]), train[label].to_numpy()
        cases = [exported_network(features, codes, dynamo) for dynamo in (False, True)]
        for case in [*cases, *zoo.numeric(features, codes)]:
            kind = "differentiable numeric" if case.differentiable else "trees"
            if kind not in EXPLAINED:
                waiting.append(f"{case.name}, {name}")
                continue
            report.add(f"{case.name}, {name}", *check(scfe, case, train, label, target))
    if waiting:
        print("not explained yet:", "; ".join(waiting))
    report.finish()


if __name__ == "__main__":
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)
    main()
