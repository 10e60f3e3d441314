"""A task: a table split in training and 100 test rows, standardised, with a trained classifier.

Two kinds, as in the paper: `mlp`, a ReLU network 20-20 on z-scored features (tables 2 and 4), and `linear`,
logistic regression on the first 8 principal components of them (tables 1 and 3). Distances are measured in these units,
as the authors' code does; unlike there, mean, deviation and components come from the training rows alone.
"""
import csv
import dataclasses
import functools
import json

import numpy as np

from . import networks
from .places import DATA, SEED, TEST_ROWS, WORK

SETS = ("housing", "wine", "wdbc")
KINDS = ("linear", "mlp")
LIMIT = {"linear": 1, "mlp": 2}              # the paper's m
EPOCHS = 20
COMPONENTS, DECIMALS = 8, 6
CHOICE_ROWS = 50                             # training rows on which settings are chosen


@dataclasses.dataclass
class Task:
    name: str
    folder: object
    limit: int
    layers: list
    train: np.ndarray
    labels: np.ndarray
    test: np.ndarray
    test_labels: np.ndarray

    def predict(self, x):
        return (networks.logits(self.layers, x) > 0).astype(int)

    @functools.cached_property
    def target(self):
        """The class that each test row does not have now."""
        return 1 - self.predict(self.test)

    def choice(self):
        """The same task with training rows in place of the test rows: settings are chosen on them."""
        rows = np.random.default_rng(SEED + 3).permutation(len(self.train))[:CHOICE_ROWS]
        return dataclasses.replace(self, test=self.train[rows], test_labels=self.labels[rows])

    @property
    def accuracy(self):
        return {"train": float(np.mean(self.predict(self.train) == self.labels)),
                "test": float(np.mean(self.predict(self.test) == self.test_labels))}


def read(name):
    schema = json.loads((DATA / f"{name}.schema.json").read_text())
    return networks.recipe.load(DATA / f"{name}.csv", schema)


def split(rows):
    order = np.random.default_rng(SEED).permutation(rows)
    return order[TEST_ROWS:], order[:TEST_ROWS]


def standardise(x, train):
    spread = x[train].std(axis=0, ddof=1)
    return (x - x[train].mean(axis=0)) / np.where(spread > 0, spread, 1)


def components(z, train):
    _, _, axes = np.linalg.svd(z[train], full_matrices=False)
    axes *= np.sign(axes[np.arange(len(axes)), np.abs(axes).argmax(axis=1)])[:, None]
    return z @ axes[:COMPONENTS].T


def write_table(path, x, labels=None, more=None):
    """more: further columns, {name: cells}."""
    path.parent.mkdir(parents=True, exist_ok=True)
    further = {**({} if labels is None else {"label": [int(label) for label in labels]}), **(more or {})}
    with open(path, "w", newline="") as file:
        out = csv.writer(file)
        out.writerow([*(f"f{j + 1}" for j in range(x.shape[1])), *further])
        for row, *cells in zip(x, *further.values()):
            out.writerow([*(f"{v:.{DECIMALS}f}" for v in row), *cells])


def write_schema(path, x):
    features = [{"name": f"f{j + 1}", "type": "continuous", "decimals": DECIMALS,
                 "range": [float(column.min()), float(column.max())]} for j, column in enumerate(x.T)]
    label = {"column": "label", "classes": [{"name": "0", "values": ["0"]}, {"name": "1", "values": ["1"]}]}
    path.write_text(json.dumps({"format": "scfe-schema", "version": 1, "label": label, "features": features}, indent=1))


@functools.cache
def task(name, kind):
    x, y = read(name)
    train, test = split(len(y))
    x = standardise(x, train)
    x = np.round(components(x, train) if kind == "linear" else x, DECIMALS)
    folder = WORK / f"{name}-{kind}"
    folder.mkdir(parents=True, exist_ok=True)
    layers = networks.fit_logistic(x[train], y[train]) if kind == "linear" else \
        networks.fit_dense(x[train], y[train], (20, 20), EPOCHS)
    made = Task(folder.name, folder, LIMIT[kind], layers, x[train], y[train], x[test], y[test])
    write_files(made)
    return made


def write_files(made):
    networks.write(made.folder, made.layers, ["0", "1"])
    write_table(made.folder / "train.csv", made.train, made.labels)
    write_table(made.folder / "rows.csv", made.test)
    write_table(made.folder / "choice.csv", made.choice().test)
    write_schema(made.folder / "schema.json", made.train)
