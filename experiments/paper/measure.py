"""How good answers are: what `scfe compare` measures of the answers as they were written.

It measures by an explainer of its own, in the units of the task (standard deviations; MNIST: pixels from 0 to 1): distances, the number of
changed features, and against the training rows of the target class that the model classifies correctly LOF (k = 20) and
log-densities, KDE with the public code's normaliser h·sqrt(2 pi), GMM by BIC. Failures count as failures; means and standard
deviations are over the valid answers (the authors count a failure as distance 0). `below` counts the valid answers that are called less
typical than was asked.
"""
import numpy as np

from . import command

MODERATE = 64             # features; above, a kernel says nothing (the paper prints none either)
MEASURES = ("l2", "l0", "lof", "kde", "gmm")
METRICS = ("validity", "below", *MEASURES, "time")


def yardstick(task):
    return command.fit(task, "measure", ["--space", "none", "--density", "none", "--paper-density", "true"])


def compared(task, name, parts, runs=None, given=None):
    """Everything of the task's rows, part by part, as one: {name: Columns}. given: for each part {name: CSV}."""
    joined = {}
    for number, part in enumerate(parts):
        path = task.folder / "measured" / (f"{name}-{number}.csv" if len(parts) > 1 else f"{name}.csv")
        for key, found in command.compare(yardstick(task), part, path, runs, given and given[number]).items():
            columns = joined.setdefault(key, Columns(len(task.test), found["command"], found["note"]))
            columns.add(found)
    return joined


class Columns:
    """A row of the task each: valid, and l2, l0, lof, kde, gmm (NaN where not valid)."""

    def __init__(self, rows, asked, note):
        self.command, self.note, self.cpu = asked, note, 0
        self.valid = np.zeros(rows, bool)
        self.values = {name: np.full(rows, np.nan) for name in MEASURES}

    def add(self, found):
        self.cpu = max(self.cpu, found["cpu"])
        for row, cells in found["each"]:
            self.valid[row] = cells["valid"] == "1"
            for name, column in self.values.items():
                column[row] = float(cells[name] or "nan")

    def means(self):
        return {"validity": 100 * float(self.valid.mean()), **mean_of(self.values, np.nanmean)}


def mean_of(values, mean):
    return {name: None if np.isnan(column).all() else float(mean(column)) for name, column in values.items()}


class Measured:
    """Answers with their measures."""

    def __init__(self, answers, columns):
        rows = len(columns.valid)
        self.valid, self.values = columns.valid, dict(columns.values)
        if answers.points.shape[1] > MODERATE:
            self.values["kde"] = np.full(rows, np.nan)
        self.distance = answers.metric("l2")      # in the work space, where every method minimises it
        self.seconds = answers.cpu * 100 / rows
        self.below = self.valid & np.array([line.get("status") == "below_floor" for line in answers.lines])

    def __getitem__(self, name):
        return self.values[name]

    def means(self):
        return {"validity": 100 * float(self.valid.mean()), "below": int(self.below.sum()), **mean_of(self.values, np.nanmean),
                "time": self.seconds}

    def deviations(self):
        return mean_of(self.values, np.nanstd)


def measured(task, name, answers):
    """{key: Measured} of {key: answers}, which are all to the same parts of the task's rows."""
    parts = next(iter(answers.values())).parts
    given = [{key: got.parts[number].answers for key, got in answers.items()} for number in range(len(parts))]
    columns = compared(task, name, parts, given=given)
    return {key: Measured(got, columns[key]) for key, got in answers.items()}
