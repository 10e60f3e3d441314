"""MNIST: a convolutional network (two convolutions, three dense layers: LeNet-5 with ReLU) and 50 or 1000 test images.

The paper trains 80 epochs in batches of 128; here there are 12, with a learning rate that falls from 1e-3 to 0, in the quick
and in the full run. Pixels and distances are in units of [0, 1]. The target digit is the next one (9 becomes 0), or in the
second setting the runner-up, the digit with the second highest score. Settings are chosen on test images after the first
1000, which no table measures.
"""
import dataclasses
import functools
import gzip

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper

from . import command, networks
from .places import MNIST, SCFE, SEED, WORK

FOLDER = WORK / "mnist"
TRAINING_ROWS = 5000     # of the densities; the network sees all 60000
EPOCHS = 12
ROWS = {True: 50, False: 1000}   # in the quick run and in the full one
FIRST_CHOICE, CHOICE_IMAGES = 1000, 10   # of the test images: those on which settings are chosen
SHAPES = (("Conv", 6, 1, 5), ("Conv", 16, 6, 5))


def file(name):
    for path in (MNIST / name, MNIST / f"{name}.gz"):
        if path.exists():
            return path
    return None


def there():
    return file("train-images-idx3-ubyte") is not None


def read(name, skip):
    path = file(name)
    raw = gzip.open(path).read() if path.suffix == ".gz" else path.read_bytes()
    return np.frombuffer(raw, np.uint8, offset=skip)


def load(part):
    images = read(f"{part}-images-idx3-ubyte", 16).reshape(-1, 784)
    return images, read(f"{part}-labels-idx1-ubyte", 8).astype(int)


class Lenet(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.convolutions = torch.nn.ModuleList([torch.nn.Conv2d(1, 6, 5, padding=2), torch.nn.Conv2d(6, 16, 5)])
        self.dense = torch.nn.ModuleList([torch.nn.Linear(400, 120), torch.nn.Linear(120, 84), torch.nn.Linear(84, 10)])

    def forward(self, x):
        x = x.reshape(-1, 1, 28, 28)
        for layer in self.convolutions:
            x = torch.nn.functional.max_pool2d(torch.relu(layer(x)), 2)
        x = x.flatten(1)
        for layer in self.dense[:-1]:
            x = torch.relu(layer(x))
        return self.dense[-1](x)


def trained(epochs):
    path = FOLDER / f"lenet-{epochs}.pt"
    network = Lenet()
    if path.exists():
        network.load_state_dict(torch.load(path))
        return network
    networks.start()
    network = Lenet()
    images, labels = load("train")
    x, y = torch.tensor(images, dtype=torch.float32) / 255, torch.tensor(labels)
    optimiser, loss = torch.optim.Adam(network.parameters(), lr=1e-3), torch.nn.CrossEntropyLoss()
    generator = torch.Generator().manual_seed(SEED)
    falling = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda epoch: 1 - epoch / epochs)
    for _ in range(epochs):
        for rows in torch.randperm(len(x), generator=generator).split(128):
            optimiser.zero_grad()
            loss(network(x[rows]), y[rows]).backward()
            optimiser.step()
        falling.step()
    torch.save(network.state_dict(), path)
    return network


def write_onnx(path, network):
    constants, nodes = [numpy_helper.from_array(np.array([-1, 1, 28, 28]), "shape")], []
    nodes.append(helper.make_node("Reshape", ["x", "shape"], ["v0"]))
    value, number = "v0", 0

    def add(kind, weights=(), **attributes):
        nonlocal value, number
        number += 1
        names = []
        for i, weight in enumerate(weights):
            names.append(f"c{number}_{i}")
            constants.append(numpy_helper.from_array(weight.detach().numpy(), names[-1]))
        nodes.append(helper.make_node(kind, [value, *names], [f"v{number}"], **attributes))
        value = f"v{number}"

    for layer in network.convolutions:
        add("Conv", (layer.weight, layer.bias), kernel_shape=[5, 5], pads=[layer.padding[0]] * 4)
        add("Relu")
        add("MaxPool", kernel_shape=[2, 2], strides=[2, 2])
    add("Flatten", axis=1)
    for i, layer in enumerate(network.dense):
        add("Gemm", (layer.weight, layer.bias), transB=1)
        if i < 2:
            add("Relu")
    nodes[-1].output[0] = "y"
    shape = helper.make_tensor_value_info
    graph = helper.make_graph(nodes, "lenet", [shape("x", TensorProto.FLOAT, ["n", 784])],
                              [shape("y", TensorProto.FLOAT, ["n", 10])], constants)
    model = helper.make_model(graph, producer_name="scfe", opset_imports=[helper.make_opsetid("", 13)])
    model.ir_version = 8
    onnx.checker.check_model(model)
    path.write_bytes(model.SerializeToString())


@dataclasses.dataclass
class Images:
    """A task like those of tasks.py, with ten classes."""
    folder: object
    network: object
    train: np.ndarray
    labels: np.ndarray
    test: np.ndarray
    target: np.ndarray
    accuracy: dict
    name: str = "mnist-cnn"
    limit: int = 25
    first: int = 0           # of the images in all.csv

    def predict(self, x):
        with torch.no_grad():
            return self.network(torch.tensor(np.asarray(x), dtype=torch.float32)).argmax(dim=1).numpy()


def next_digit(made, images):
    return (made.predict(images) + 1) % 10


def runner_up(made, images):
    with torch.no_grad():
        scores = made.network(torch.tensor(np.asarray(images), dtype=torch.float32)).numpy()
    return np.argsort(scores, axis=1)[:, -2]


def choice_of(made):
    """The same task with the images on which settings are chosen."""
    images, _ = load("t10k")
    test = images[FIRST_CHOICE:FIRST_CHOICE + CHOICE_IMAGES] / 255
    return dataclasses.replace(made, test=test, target=next_digit(made, test), first=FIRST_CHOICE)


@functools.cache
def task(quick):
    FOLDER.mkdir(parents=True, exist_ok=True)
    network = trained(EPOCHS)
    write_onnx(FOLDER / "model.onnx", network)
    images, labels = load("train")
    test, test_labels = load("t10k")
    rows = ROWS[quick]
    made = Images(FOLDER, network, images[:TRAINING_ROWS] / 255, labels[:TRAINING_ROWS], test[:rows] / 255, None, {})
    made.accuracy["test"] = float(np.mean(made.predict(test / 255) == test_labels))
    made.target = next_digit(made, made.test)
    if not (FOLDER / "train.csv").exists():
        command.run([SCFE, "images", file("train-images-idx3-ubyte"), file("train-labels-idx1-ubyte"), "--divide", "255",
                     "--count", TRAINING_ROWS, "-o", FOLDER / "train.csv", "--schema", FOLDER / "schema.json"])
        command.run([SCFE, "images", file("t10k-images-idx3-ubyte"), "--divide", "255",
                     "--count", FIRST_CHOICE + CHOICE_IMAGES,
                     "-o", FOLDER / "all.csv"])
    return made


def parts(made, floors=None, name=""):
    """The rows that wish for each digit, as tables; floors: {column: cells of all rows}."""
    head, *lines = (FOLDER / "all.csv").read_text().splitlines()
    found, more = [], floors or {}
    for digit in np.unique(made.target):
        chosen = np.flatnonzero(made.target == digit)
        table = [",".join([head, *more])] + [",".join([lines[made.first + i], *(cells[i] for cells in more.values())]) for i in chosen]
        path = FOLDER / "rows" / f"{name}{rows_name(made)}-{digit}.csv"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(table) + "\n")
        found.append(command.Part(path, chosen, ("--target", str(digit))))
    return found


def rows_name(made):
    """Of a set of images and the digits wished for, for file names."""
    return ("" if made.name == "mnist-cnn" else "runner-up-") + (f"{made.first}-" if made.first else "") + str(len(made.test))


class Joined:
    """Answers of the runs for each target digit, as one."""

    def __init__(self, made, fitted, name, flags, floors=None):
        rows = len(made.test)
        self.points, self.lines, self.cpu, commands = np.full(made.test.shape, np.nan), [{}] * rows, 0, []
        self.parts = parts(made, floors or {}, name.replace("/", "-") + "-" if floors else "")
        for part in self.parts:
            got = command.explain(made, fitted, f"{name}/{part.rows.stem}", [*part.flags, *flags], part.rows)
            if got.points.shape[1] == made.test.shape[1]:
                self.points[part.chosen] = got.points
            for row, line in zip(part.chosen, got.lines):
                self.lines[row] = line
            part.answers = got.parts[0].answers
            self.cpu += got.cpu
            commands.append(got.command)
        self.command = commands[0] + " (and so for every digit)"

    def metric(self, name):
        return np.array([line.get("metrics", {}).get(name, np.nan) for line in self.lines], float)
