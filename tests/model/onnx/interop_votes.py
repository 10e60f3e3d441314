"""Hard votes of linear members with weights in tenths over whole numbers. Points exactly on a member's boundary are
common there, and the last bits decide the side. ONNX Runtime must give every written answer the target class.

    python interop_votes.py path/to/run_onnx path/to/scfe
"""
import os
import subprocess
import sys
import tempfile

import numpy as np
import onnxruntime
import pandas
from onnx import TensorProto, helper, numpy_helper

from interop import Report

FEATURES, MEMBERS, ROWS = 5, 5, 70
ANSWERED = 0.9  # smallest share of answered rows


def votes(seed):
    """A voting model as bytes: the number of members that say yes, minus half of all members."""
    random = np.random.default_rng(seed)
    tenths = random.integers(-9, 10, (FEATURES, MEMBERS))
    offset = -(tenths.T @ np.full(FEATURES, 5))  # the middle of the table is on every member's boundary
    constants = {"w": tenths.astype(np.float32) / 10, "b": offset.astype(np.float32) / 10, "zero": np.float32([0]),
                 "each": np.ones((MEMBERS, 1), np.float32), "half": np.float32([MEMBERS / 2])}
    nodes = [helper.make_node("MatMul", ["x", "w"], ["s"]), helper.make_node("Add", ["s", "b"], ["v"]),
             helper.make_node("Greater", ["v", "zero"], ["yes"]), helper.make_node("Cast", ["yes"], ["said"], to=TensorProto.FLOAT),
             helper.make_node("MatMul", ["said", "each"], ["all"]), helper.make_node("Sub", ["all", "half"], ["y"])]
    graph = helper.make_graph(nodes, "votes", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [None, FEATURES])],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, [None, 1])],
                              [numpy_helper.from_array(value, name) for name, value in constants.items()])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8).SerializeToString()


def check(scfe, seed, target, precision):
    """Problem (or None) and a note. Rows that already have the target class are no answers."""
    model = votes(seed)
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    predict = lambda rows: (session.run(None, {"x": np.ascontiguousarray(rows, np.float32)})[0][:, 0] > 0).astype(int)
    names = [f"n{i}" for i in range(FEATURES)]
    train = pandas.DataFrame(np.random.default_rng(seed + 100).integers(0, 11, (500, FEATURES)), columns=names)
    train["class"] = predict(train.to_numpy())
    with tempfile.TemporaryDirectory() as folder:
        paths = {n: os.path.join(folder, n) for n in ("m.onnx", "train.csv", "rows.csv", "out.csv")}
        with open(paths["m.onnx"], "wb") as file:
            file.write(model)
        train.to_csv(paths["train.csv"], index=False)
        train[train["class"] != target][names][:ROWS].to_csv(paths["rows.csv"], index=False)
        done = subprocess.run([scfe, "explain", "--model", paths["m.onnx"], "--data", paths["train.csv"], paths["rows.csv"],
                               "-o", paths["out.csv"], "--label", "class", "--target", str(target), "--plausible", "none", "--precision", precision], capture_output=True, text=True)
        if done.returncode > 1:
            return done.stderr.strip(), ""
        answers = pandas.read_csv(paths["out.csv"])
    given = answers[answers["status"].isin(["valid", "below_floor"])]
    wrong = int((predict(given[names].to_numpy()) != target).sum())
    if wrong or len(given) < ANSWERED * ROWS:
        return f"{wrong} of {len(given)} answers are another class for ONNX Runtime", ""
    return None, f"{len(given)} of {ROWS} rows have an answer, all as wished for ONNX Runtime"


def main():
    scfe, report = sys.argv[2], Report()
    for seed in range(4):
        for target, precision in ((0, "float"), (1, "float"), (1, "double")):
            report.add(f"vote {seed} of whole numbers for {target}, {precision}", *check(scfe, seed, target, precision))
    report.finish()


if __name__ == "__main__":
    main()
