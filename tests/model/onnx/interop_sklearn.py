"""Compares converted scikit-learn, XGBoost and LightGBM models with ONNX Runtime on 1000 rows.

    python interop_sklearn.py path/to/run_onnx

Labels must be identical, also at ties, and probabilities within 1e-5 (bit for bit for forests). The tensor of
probabilities is computed by our own operators too. Rows with missing values are added for models that accept them. Models
exported in double are run in double and must agree within 1e-12 if ONNX Runtime returns doubles (its tree ensembles
return floats).
"""
import sys

import numpy as np
import pandas
from sklearn.datasets import make_classification

import zoo
from interop import Refused, Report, Tool


def problem_of(tool, case, table):
    """Problem (or None) and a note."""
    label, probability = case.predict(table)
    try:
        info = tool.inspect(case.model)
        if info["unsupported"]:
            return f"unsupported {info['unsupported'][0]}", ""
        rows = case.rows(table, info)
        flags = ["--double"] if case.double else []
        scores, _ = tool.run(case.model, rows, None, *flags)
        ours, _ = tool.run(case.model, rows, None, "--scores", case.probability_value(), *flags)
    except Refused as error:
        return str(error), ""
    index = (scores[:, 0] > 0).astype(int) if scores.shape[1] == 1 else scores.argmax(axis=1)
    classes = np.array(info["classes"])
    wrong = int(((classes[index] if len(classes) else index.astype(str)) != label).sum())
    # Without probabilities, ONNX Runtime returns decision values, which it sums in single precision.
    size = max(1.0, np.abs(probability).max())
    error = np.abs(ours - probability.reshape(ours.shape)).max() / size if ours.size == probability.size else np.inf
    bar = 1e-12 if probability.dtype == np.float64 and case.double else 1e-5
    if case.name.startswith(("DecisionTree", "RandomForest")) and not case.double:
        bar = 0
    if wrong or error > bar:
        return f"{wrong} wrong labels, probabilities off by {error:.1e}", ""
    if info["differentiable"] != case.differentiable:
        return f"differentiable is {info['differentiable']}", ""
    if case.missing and not tool.is_ensemble(case.model):
        return "not read as a tree ensemble", ""
    return None, f"{len(label)} rows, probabilities {error:.1e}"


def numeric_table(classes, count=2000, kind=np.float32):
    x, y = make_classification(count, 10, n_informative=6, n_classes=classes, random_state=classes)
    return pandas.DataFrame(x.astype(kind), columns=[f"x{i}" for i in range(10)]), y


def mixed_table(count=2000):
    rng = np.random.default_rng(0)
    table = pandas.DataFrame({
        "age": rng.uniform(18, 80, count).astype(np.float32), "income": rng.lognormal(3, 1, count).astype(np.float32),
        "children": rng.integers(0, 4, count), "job": rng.choice(["none", "clerk", "engineer"], count),
        "region": rng.choice(["north", "south"], count)})
    return table, np.where((table.age > 40) ^ (table.job == "clerk"), "yes", "no")


def with_holes(table):
    holes = np.random.default_rng(1).random(table.shape) < 0.1
    return table.mask(holes)


def main():
    tool, report = Tool(sys.argv[1]), Report()
    for classes in (2, 3):
        table, y = numeric_table(classes)
        labels = y if classes == 2 else np.array(["red", "green", "blue"])[y]
        for case in zoo.numeric(table[:1000], labels[:1000]):
            report.add(f"{case.name}, {classes} classes", *problem_of(tool, case, table[1000:]))
            if case.missing:
                report.add(f"{case.name}, {classes} classes, missing values", *problem_of(tool, case, with_holes(table[1000:])))
        case = zoo.tied(table[:1000], labels[:1000])
        sure = np.sort(case.predict(table[1000:])[1], axis=1)
        ties = int((sure[:, -1] == sure[:, -2]).sum())
        report.add(f"{case.name}, {classes} classes", *problem_of(tool, case, table[1000:]))
        report.add(f"ties among {classes} classes", None if ties > 20 else f"only {ties}", f"{ties} rows")
        table, _ = numeric_table(classes, kind=np.float64)
        for case in zoo.double(table[:1000], labels[:1000]):
            report.add(f"{case.name}, {classes} classes, double", *problem_of(tool, case, table[1000:]))
    table, y = mixed_table()
    for case in zoo.mixed(table[:1000], y[:1000], ["age", "income"], ["children"], ["job", "region"]):
        report.add(case.name, *problem_of(tool, case, table[1000:]))
    refused = tool.inspect(zoo.neighbours(*numeric_table(2, 200)).model)["unsupported"]
    report.add("KNeighbors is refused", None if refused and "expected" in refused[0] else f"unsupported: {refused}", str(refused[:1]))
    report.finish()


if __name__ == "__main__":
    main()
