"""Trains the small models of data/models on the tables of data/, seeds fixed.

Usage: train.py [DATA_DIR]          (default: data/ beside this script's folder)

For each task: a network d-20-20-out with ReLU, trained on standardised rows; the standardisation is then
folded into the first layer, so that the model takes the table's own units. Inputs, one-hot levels and
classes follow the schema of the task. Written: NAME.onnx (Gemm, Relu, Sigmoid or Softmax), NAME.json (the
same network, where all inputs are numbers of the table) and accuracy.json, computed from the written
float32 weights.
"""
import csv
import json
import pathlib
import sys

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper

# name -> table; the schema is NAME.schema.json
TASKS = {"wine": "wine", "wine3": "wine", "housing": "housing", "wdbc": "wdbc", "german_credit": "german_credit"}
# Epochs and weight decay: five-fold cross-validation on the training rows, the same for all tasks.
WIDTH, EPOCHS, LEARNING_RATE, WEIGHT_DECAY, TEST_SHARE = 20, 20, 5e-3, 1.0, 0.2


def is_group(feature):
    return feature["type"] == "categorical" and feature.get("encoding", "one_hot") == "one_hot"


def encode(feature, cells):
    levels = feature.get("levels")
    if is_group(feature):
        return [[float(cell == level) for level in levels] for cell in cells]
    return [[float(levels.index(cell)) if levels else float(cell)] for cell in cells]


def label_of(label, cell):
    if "above" in label:
        return int(float(cell) > label["above"])
    for number, entry in enumerate(label["classes"]):
        if cell in (entry["values"] if isinstance(entry, dict) else [entry]):
            return number
    raise ValueError(f"{label['column']}: no class for {cell!r}")


def load(table, schema):
    with open(table, newline="") as file:
        rows = list(csv.DictReader(file))
    columns = [np.array(encode(f, [row[f["name"]] for row in rows])) for f in schema["features"]]
    labels = np.array([label_of(schema["label"], row[schema["label"]["column"]]) for row in rows])
    return np.hstack(columns), labels


def split(labels, seed=0):
    """Stratified: the same share of each class is held out."""
    generator = np.random.default_rng(seed)
    test = np.zeros(len(labels), bool)
    for label in np.unique(labels):
        rows = generator.permutation(np.flatnonzero(labels == label))
        test[rows[: round(TEST_SHARE * len(rows))]] = True
    return test


def train(x, y, outputs, seed=0):
    torch.manual_seed(seed)
    torch.use_deterministic_algorithms(True)
    torch.set_num_threads(1)
    network = torch.nn.Sequential(
        torch.nn.Linear(x.shape[1], WIDTH), torch.nn.ReLU(),
        torch.nn.Linear(WIDTH, WIDTH), torch.nn.ReLU(), torch.nn.Linear(WIDTH, outputs))
    x = torch.tensor(x, dtype=torch.float32)
    if outputs == 1:
        target, loss = torch.tensor(y, dtype=torch.float32)[:, None], torch.nn.BCEWithLogitsLoss()
    else:
        target, loss = torch.tensor(y), torch.nn.CrossEntropyLoss()
    optimiser = torch.optim.AdamW(network.parameters(), lr=LEARNING_RATE, weight_decay=WEIGHT_DECAY)
    generator = torch.Generator().manual_seed(seed)
    for _ in range(EPOCHS):
        for rows in torch.randperm(len(x), generator=generator).split(64):
            optimiser.zero_grad()
            loss(network(x[rows]), target[rows]).backward()
            optimiser.step()
    return [(layer.weight.detach().double().numpy(), layer.bias.detach().double().numpy())
            for layer in network if isinstance(layer, torch.nn.Linear)]


def fold(layers, mean, spread):
    """W (x - mean) / spread + b  =  (W / spread) x + (b - W (mean / spread))"""
    weight, bias = layers[0]
    return [(weight / spread, bias - weight @ (mean / spread))] + layers[1:]


def predict(layers, x):
    for number, (weight, bias) in enumerate(layers):
        x = x @ weight.T + bias
        if number < len(layers) - 1:
            x = np.maximum(x, 0)
    return (x[:, 0] > 0).astype(int) if x.shape[1] == 1 else x.argmax(axis=1)


def write_json(path, layers, classes):
    last = "sigmoid" if len(layers[-1][1]) == 1 else "softmax"
    activations = ["relu"] * (len(layers) - 1) + [last]
    document = {"format": "scfe-dense", "version": 1, "classes": classes, "layers": [
        {"activation": activation, "weight": [[float(f"{v:.9g}") for v in row] for row in weight],
         "bias": [float(f"{v:.9g}") for v in bias]}
        for activation, (weight, bias) in zip(activations, layers)]}
    path.write_text(json.dumps(document) + "\n")


def write_onnx(path, layers, name, last=None):
    """last: the operator at the end; without it Sigmoid for one output, Softmax for several."""
    nodes, constants, value = [], [], "x"
    for number, (weight, bias) in enumerate(layers, 1):
        constants += [numpy_helper.from_array(weight, f"w{number}"), numpy_helper.from_array(bias, f"b{number}")]
        nodes.append(helper.make_node("Gemm", [value, f"w{number}", f"b{number}"], [f"z{number}"], transB=1))
        value = f"a{number}" if number < len(layers) else "y"
        one = len(bias) == 1
        kind = "Relu" if number < len(layers) else last or ("Sigmoid" if one else "Softmax")
        nodes.append(helper.make_node(kind, [f"z{number}"], [value]))
    shape = helper.make_tensor_value_info
    graph = helper.make_graph(nodes, name, [shape("x", TensorProto.FLOAT, ["n", layers[0][0].shape[1]])],
                              [shape("y", TensorProto.FLOAT, ["n", len(layers[-1][1])])], constants)
    model = helper.make_model(graph, producer_name="scfe", opset_imports=[helper.make_opsetid("", 13)])
    model.ir_version = 8
    onnx.checker.check_model(model)
    path.write_bytes(model.SerializeToString())


def run(data, name, table):
    schema = json.loads((data / f"{name}.schema.json").read_text())
    x, y = load(data / f"{table}.csv", schema)
    classes = [c["name"] if isinstance(c, dict) else c for c in schema["label"]["classes"]]
    test = split(y)
    mean, spread = x[~test].mean(axis=0), x[~test].std(axis=0)
    spread[spread == 0] = 1
    layers = train((x[~test] - mean) / spread, y[~test], 1 if len(classes) == 2 else len(classes))
    layers = [(w.astype(np.float32), b.astype(np.float32)) for w, b in fold(layers, mean, spread)]
    write_onnx(data / "models" / f"{name}.onnx", layers, name)
    if not any(is_group(f) for f in schema["features"]):
        write_json(data / "models" / f"{name}.json", layers, classes)
    right = predict(layers, x.astype(np.float32)) == y
    share = {"rows": len(y), "train": right[~test].mean(), "test": right[test].mean(), "all": right.mean()}
    return {key: round(float(value), 4) if key != "rows" else value for key, value in share.items()}


def main():
    here = pathlib.Path(__file__).resolve().parent
    data = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else here.parent / "data"
    (data / "models").mkdir(exist_ok=True)
    accuracy = {}
    for name, table in TASKS.items():
        accuracy[name] = run(data, name, table)
        print(f"{name:14} {accuracy[name]}")
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(entry)}" for name, entry in accuracy.items())
    (data / "models" / "accuracy.json").write_text("{\n" + lines + "\n}\n")


if __name__ == "__main__":
    main()
