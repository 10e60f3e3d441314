#!/usr/bin/env python3
"""Does a density that sees pairs of columns win over the mixture of products? (docs/decisions/0004-mixed-densities.md)

    pair_density.py likelihood ADULT_CSV [--tables german,adult,bank] [--splits 3]
    pair_density.py answers ADULT_CSV --scfe build/scfe [--tables adult,bank] [--rows 200] [--models logistic,network]

likelihood: 70/30 splits of each class (at most 2,500 rows to fit, 2,000 held out), the candidates of bench/tree_mixture.py:
    held out   mean log-density of a held-out row, in nats
    auc        of telling held-out rows from the same rows with one cell replaced by another value of its column
    below      share of held-out rows below the 10 % floor, which is that of the five-fold held-out values of the fit
answers: the share of answers that break a rule that people know (bench/impossible.py), learned rules off. Each density is an ONNX file of
    one's own, fitted to half of the training rows (at most 4,000 of a class); `scfe fit` gets the other half for its floors.
Packages: numpy pandas onnx skl2onnx scikit-learn."""
import argparse
import json
import os
import pathlib
import tempfile
import time

import impossible
import numpy as np
import onnx
import pandas
from onnx import TensorProto, helper, numpy_helper
from tree_mixture import Products, Ratios, Rows, Trees

ROOT = pathlib.Path(__file__).resolve().parent.parent
CANDIDATES = {
    "products": (Products, (1, 2, 3, 4, 6, 8, 12, 16)),
    "products, up to 64": (Products, (8, 16, 32, 64)),
    "trees": (Trees, (1, 2, 4, 8, 16)),
    "ratios": (Ratios, (4, 8, 16)),
}


def tables(adult_csv):
    adult = pandas.read_csv(adult_csv, keep_default_na=False).drop(columns=["fnlwgt"])
    german = pandas.read_csv(ROOT / "data" / "german_credit.csv", keep_default_na=False)
    made = [("german", german, "risk", None), ("adult", adult, "income", impossible.adult_rules),
            ("bank", impossible.bank(9000, 1), "y", impossible.bank_rules)]
    return {name: impossible.Table(name, frame, label, rules) for name, frame, label, rules in made}


def choose(candidate, rows, seed):
    """(number of components by five-fold held-out likelihood, those values, the fit); ends after two without improvement."""
    fit, grid = CANDIDATES[candidate]
    draw, f = np.random.default_rng(seed), rows.f
    fold, best, worse = draw.permutation(len(f)) % 5, (-np.inf, 1, None), 0
    for k in grid:
        values = np.empty(len(f))
        for one in range(5):
            values[fold == one] = fit(rows.layout, f[fold != one]).fit(k, draw)[0].log_density(f[fold == one])
        worse += 1
        if values.mean() > best[0]:
            best, worse = (values.mean(), k, values), 0
        if worse == 2:
            break
    return best[1], best[2], fit(rows.layout, f).fit(best[1], draw, starts=6)[0]


def with_one_other_cell(frame, columns, pool, draw):
    cells = {c: frame[c].to_numpy().copy() for c in columns}
    for i in range(len(frame)):
        while True:
            c = columns[draw.integers(len(columns))]
            others = pool[c].to_numpy()[draw.integers(len(pool), size=50)]
            others = others[others != cells[c][i]]
            if len(others):
                cells[c][i] = others[0]
                break
    return pandas.DataFrame(cells)


def auc(higher, lower):
    place = pandas.Series(np.concatenate([higher, lower])).rank().to_numpy()[: len(higher)]
    return (place.sum() - len(higher) * (len(higher) + 1) / 2) / len(higher) / len(lower)


def likelihood(table, splits):
    label, numbers = (set(table.frame.columns) - set(table.features)).pop(), [c for c in table.features if c not in table.levels]
    for name in CANDIDATES:
        found = []
        for seed in range(splits):
            for _, of_class in table.frame.groupby(label):
                draw = np.random.default_rng(seed)
                order = draw.permutation(len(of_class))
                cut = int(0.7 * len(of_class))
                train, held = of_class.iloc[order[: min(cut, 2500)]], of_class.iloc[order[cut:]].head(2000)
                wrong = with_one_other_cell(held, table.features, train, draw)
                rows = Rows(train, numbers, table.levels)
                begin = time.process_time()
                components, values, mixture = choose(name, rows, seed)
                spent = time.process_time() - begin
                real, broken = (mixture.log_density(Rows(x, numbers, table.levels, rows).f) for x in (held, wrong))
                found.append((real.mean(), auc(real, broken), 100 * (real < np.quantile(values, 0.1)).mean(), components, spent))
        mean, columns = np.mean(found, 0), np.array(found).T
        print(f"{table.name:7} {name:20} held out {mean[0]:8.3f}  auc {mean[1]:.4f}  below {mean[2]:4.1f} % ({columns[2].min():.1f} to "
              f"{columns[2].max():.1f})  components {columns[3].min():.0f} to {columns[3].max():.0f}  fit {mean[4]:.1f} s of CPU", flush=True)


def export(table, parts, path):
    """One column of log q for each class. Inputs as impossible.Table.encode orders them."""
    width = sum(len(table.levels.get(c, [0])) for c in table.features)
    nodes, weights, outputs = [], [], []

    def constant(name, values):
        weights.append(numpy_helper.from_array(np.asarray(values), name))
        return name

    for y, (rows, mixture) in enumerate(parts):
        layout, n = rows.layout, f"{y}"
        levels, scale = np.zeros((width, layout.levels), np.float32), np.zeros((width, layout.numbers), np.float32)
        at = level = number = 0
        for c in table.features:
            size = len(table.levels.get(c, [0]))
            if c in table.levels:
                levels[at : at + size, level : level + size] = np.eye(size)
                level += size
            else:
                scale[at, number] = 1 / rows.scale[number]
                number += 1
            at += size
        make = lambda op, inputs, name, y=y, **more: (nodes.append(helper.make_node(op, inputs, [f"{name}{y}"], **more)), f"{name}{y}")[1]
        hot = make("MatMul", ["x", constant("levels" + n, levels)], "hot")
        scaled = make("MatMul", ["x", constant("scale" + n, scale)], "scaled")
        z = make("Sub", [scaled, constant("centre" + n, (rows.centre / rows.scale).astype(np.float32))], "z")
        f = make("Concat", [hot, z, make("Mul", [z, z], "square")], "f", axis=1)
        linear = make("MatMul", [f, constant("b" + n, mixture.b.T.astype(np.float32).copy())], "linear")
        e = make("Add", [linear, constant("c" + n, mixture.c.astype(np.float32))], "e")
        if mixture.q is not None:
            k, p = len(mixture.c), layout.width
            stacked = np.ascontiguousarray(mixture.q.transpose(1, 0, 2).reshape(p, k * p), dtype=np.float32)
            product = make("MatMul", [f, constant("q" + n, stacked)], "product")
            cube = make("Reshape", [product, constant("cube_shape" + n, np.array([-1, k, p]))], "cube")
            beside = make("Reshape", [f, constant("beside_shape" + n, np.array([-1, 1, p]))], "beside")
            pairs = make("ReduceSum", [make("Mul", [cube, beside], "by"), constant("axes" + n, np.array([2]))], "pairs", keepdims=0)
            e = make("Add", [e, pairs], "all")
        outputs.append(make("ReduceLogSumExp", [e], "log_q", axes=[1], keepdims=1))
    nodes.append(helper.make_node("Concat", outputs, ["log_q"], axis=1))
    graph = helper.make_graph(nodes, "density", [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", width])],
                              [helper.make_tensor_value_info("log_q", TensorProto.FLOAT, ["n", len(parts)])], weights)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)


def answers(table, scfe, rows, models):
    label = (set(table.frame.columns) - set(table.features)).pop()
    numbers = [c for c in table.features if c not in table.levels]
    order = np.random.default_rng(0).permutation(len(table.train))
    half = table.train.iloc[np.sort(order[::2])]
    with tempfile.TemporaryDirectory() as folder:
        def put(name):
            return os.path.join(folder, name)
        table.train.iloc[np.sort(order[1::2])].to_csv(put("floors.csv"), index=False)
        table.train.to_csv(put("train.csv"), index=False)
        table.held_out.head(rows).to_csv(put("asked.csv"), index=False)
        with open(put("schema.json"), "w") as file:
            json.dump(table.schema(), file)
        fitted = {}
        for name in CANDIDATES:
            parts = []
            for _, of_class in half.groupby(label):
                own = Rows(of_class.head(4000), numbers, table.levels)
                parts.append((own, choose(name, own, 0)[2]))
            fitted[name] = put(f"{len(fitted)}.onnx")
            export(table, parts, fitted[name])
        for model in models:
            path, _ = impossible.MODELS[model](table, folder)
            print(table.name, model, flush=True)
            count(table, scfe, path, put, "the program's own mixture, from all rows", "mixture", "train.csv")
            for name, file in fitted.items():
                count(table, scfe, path, put, name, file, "floors.csv")


def count(table, scfe, model, put, name, density, data):
    impossible.run(scfe, "fit", "--model", model, "--data", put(data), "--schema", put("schema.json"), "--learned-rules", "none",
                   "--density", density, "-o", put("e.scfe"))
    begin = impossible.cpu()
    impossible.run(scfe, "explain", put("e.scfe"), put("asked.csv"), "--hints", "false", "-o", put("answers.csv"))
    spent = impossible.cpu() - begin
    said = pandas.read_csv(put("answers.csv"), keep_default_na=False)
    found = said["status"].isin(("valid", "below_floor"))
    broken = table.rules(said[found], table.train)
    valid = said["status"][found] == "valid"
    print(f"    {name:42} found {found.sum()}, valid {valid.sum()}; break a known rule: {100 * broken.mean():.1f} %, of the valid ones "
          f"{100 * broken[valid].mean():.1f} %; {spent:.1f} s of CPU", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("likelihood", "answers"))
    parser.add_argument("adult_csv")
    parser.add_argument("--tables", default="")
    parser.add_argument("--splits", type=int, default=3)
    parser.add_argument("--scfe", default=str(ROOT / "build" / "scfe"))
    parser.add_argument("--rows", type=int, default=200)
    parser.add_argument("--models", default="logistic,network")
    given = parser.parse_args()
    made = tables(given.adult_csv)
    for name in (given.tables or ("german,adult,bank" if given.what == "likelihood" else "adult,bank")).split(","):
        if given.what == "likelihood":
            likelihood(made[name], given.splits)
        else:
            answers(made[name], given.scfe, given.rows, given.models.split(","))


if __name__ == "__main__":
    main()
