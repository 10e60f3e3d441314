"""Tables for interop_forests.py: those of the project, and synthetic ones on which values fall on thresholds."""
import functools
import os

import numpy as np
import pandas

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(HERE, "..", "..", "..", "data")
SHARED = os.path.join(HERE, "..", "..", "..", "..", "shared", "data")  # data that the project may not ship
TRAINED = 0.75  # share of the rows that are trained on; the others are asked about too
COUNT = 480


class Table:
    """Features as pandas reads them (int64, float64, text as objects), and classes 0, 1, ...

    Questions that limit the writable values are answered by the training rows alone, as scfe does: `train()` is what
    `scfe fit` gets."""

    def __init__(self, name, frame, classes):
        self.name, self.classes = name, np.asarray(classes, np.int64)
        self.frame = frame.reset_index(drop=True)
        for f in self.frame.columns:
            if self.frame[f].dtype.kind not in "if":
                self.frame[f] = self.frame[f].astype(object)
        self.features = list(frame.columns)
        self.texts = [f for f in self.features if self.frame[f].dtype == object]
        self.numbers = [f for f in self.features if f not in self.texts]
        self.missing = bool(self.frame.isna().any().any())
        self.trained = np.random.default_rng(len(frame)).permutation(len(frame))[: int(TRAINED * len(frame))]

    def train(self):
        return self.frame.iloc[self.trained].assign(**{"class": self.classes[self.trained]})

    def parse(self, answers):
        """Written cells as a frame of the table's types."""
        columns = {}
        for f in self.features:
            cells = answers[f]
            if f in self.texts:
                columns[f] = cells.to_numpy(object)
            else:
                numbers = np.array([float(c) if c else np.nan for c in cells])
                columns[f] = numbers.astype(self.frame[f].dtype)
        return pandas.DataFrame(columns)


def bands(score, rng, classes=2, noise=0.3):
    """Classes by quantiles of a noisy score."""
    score = (score - score.mean()) / score.std() + rng.normal(0, noise, len(score))
    return np.digitize(score, np.quantile(score, np.arange(1, classes) / classes))


def gaps(rng):
    """Whole numbers with gaps: the middle of two values that a tree saw is often a whole number that others hold."""
    d = pandas.DataFrame({"age": rng.integers(18, 80, COUNT), "visits": 2 * rng.integers(0, 30, COUNT), "score": 5 * rng.integers(2, 25, COUNT),
                          "children": rng.integers(0, 7, COUNT), "glucose": np.round(rng.normal(120, 30, COUNT)).astype(int)})
    return d, bands(d.age / 30 + d.visits / 25 - d.score / 40 + d.glucose / 30 + d.children * (d.age > 45) / 3, rng)


def grids(rng):
    """Decimals on grids of 0.1 and 0.05: many ties, and thresholds on written values."""
    d = pandas.DataFrame({"a": rng.integers(0, 100, COUNT) / 10, "b": rng.integers(-30, 31, COUNT) / 10, "c": rng.integers(0, 37, COUNT) / 20,
                          "d": rng.integers(20, 40, COUNT) / 20, "e": rng.integers(0, 11, COUNT) / 10})
    return d, bands(d.a / 4 + d.b * (d.e > 0.5) - 2 * d.c + d.d, rng)


def holes(rng):
    """Missing cells among whole numbers and decimals."""
    d = pandas.DataFrame({"age": rng.integers(20, 70, COUNT).astype(float), "dose": rng.integers(0, 60, COUNT) / 10, "count": rng.integers(0, 15, COUNT),
                          "level": np.round(rng.normal(50, 12, COUNT)), "flag": rng.integers(0, 2, COUNT)})
    classes = bands(d.age / 20 + d.dose / 2 - d["count"] / 6 + d.level / 15 + d.flag, rng)
    for f, share in (("age", 0.08), ("dose", 0.1), ("level", 0.05)):
        d.loc[rng.random(COUNT) < share, f] = np.nan
    return d, classes


def levels(rng):
    """Text levels, one of them with commas and blanks in its names, beside whole numbers and a decimal."""
    d = pandas.DataFrame({"colour": rng.choice(["red", "green", "blue", "grey"], COUNT), "size": rng.choice(["s", "m", "l"], COUNT),
                          "paid": rng.choice(["yes", "no"], COUNT), "place": rng.choice(["Bonn", "Ulm, south", "New York", "Rome", "Oslo", "Bern"], COUNT),
                          "months": 3 * rng.integers(1, 20, COUNT), "rate": rng.integers(5, 60, COUNT) / 10})
    return d, bands((d.colour == "red") * 1.5 + (d["size"] == "l") - (d.place == "Oslo") + d.months / 15 - d.rate / 2 + (d.paid == "yes"), rng)


def offsets(rng):
    """Large offsets and heavy ties: years, amounts near a million, prices with cents near a thousand."""
    d = pandas.DataFrame({"year": rng.integers(1995, 2025, COUNT), "amount": 1_000_000 + 4 * rng.integers(0, 45, COUNT),
                          "price": 1000 + rng.integers(0, 40, COUNT) / 20, "serial": 12_345_600 + rng.integers(0, 90, COUNT),
                          "kind": rng.integers(1, 4, COUNT)})
    return d, bands((d.year - 2010) / 8 + (d.amount - 1_000_090) / 50 + 2 * (d.price - 1001) - (d.serial - 12_345_640) / 30 + d.kind / 2, rng)


def trio(rng):
    """Three classes over whole numbers with ties and a flag of 0 and 1."""
    d = pandas.DataFrame({"n": rng.integers(0, 40, COUNT), "k": 3 * rng.integers(0, 14, COUNT), "t": rng.integers(-20, 21, COUNT),
                          "flag": rng.integers(0, 2, COUNT), "w": rng.integers(0, 50, COUNT) / 10})
    return d, bands(d.n / 12 + d.k / 15 + d.t * (2 * d.flag - 1) / 12 + d.w / 3, rng, 3)


def blend(rng):
    """Text levels, years, decimals on a grid of 0.05 and three classes."""
    d = pandas.DataFrame({"year": rng.integers(2000, 2025, COUNT), "ratio": rng.integers(0, 30, COUNT) / 20, "group": rng.choice(["a", "b", "c", "d", "e"], COUNT),
                          "units": 5 * rng.integers(0, 20, COUNT), "kind": rng.choice(["new", "used"], COUNT)})
    return d, bands((d.year - 2012) / 6 + 2 * d.ratio + (d.group == "a") - (d.group == "e") + d.units / 40 * (d.kind == "new"), rng, 3)


def read(name, folder=DATA, **more):
    return pandas.read_csv(os.path.join(folder, name + ".csv"), float_precision="round_trip", **more)


def german(_):
    d = read("german_credit", keep_default_na=False)
    return d.drop(columns="risk"), d.risk == "good"


def wine(_):
    d = read("wine")
    return d.drop(columns="class"), d["class"]


def wdbc(_):
    d = read("wdbc")
    return d.drop(columns="diagnosis"), d.diagnosis == "benign"


def housing(_):
    d = read("housing")
    return d.drop(columns="medv"), d.medv > 21


def adult(rng):
    d = read("adult", SHARED, keep_default_na=False)
    d = d[~(d == "?").any(axis=1)].drop(columns=["fnlwgt", "education"])
    d = d.iloc[rng.permutation(len(d))[:2000]]
    d["native_country"] = np.where(d.native_country == "United-States", "US", "other")
    return d.drop(columns="income"), d.income == ">50K"


MAKERS = dict(gaps=gaps, grids=grids, holes=holes, levels=levels, offsets=offsets, trio=trio, blend=blend, german=german, wine=wine, wdbc=wdbc,
              housing=housing, adult=adult)
NAMES = list(MAKERS)


def why_absent(name):
    path = os.path.normpath(os.path.join(SHARED, name + ".csv"))
    return f"{path} is not there, and the project may not ship it"


@functools.lru_cache(maxsize=None)
def load(name):
    """The table, or None if its file is not there."""
    rng = np.random.default_rng(7 + NAMES.index(name))
    try:
        frame, classes = MAKERS[name](rng)
    except FileNotFoundError:
        return None
    return Table(name, frame, classes)
