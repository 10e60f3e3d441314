"""CEM with other rows "without information" than the median, and its pertinent positives in a table of their own.

`scfe` takes the median of the training rows. Another row b is had by fitting to a table whose median it is: copies of b, and
fewer rows of the other class. Nothing else of the fit matters to cem-pn: distances are in the schema's ranges.
"""
import numpy as np

from . import command, methods, networks, page, tasks

COPIES, OTHERS = 30, 10
HEAD = ["| set | autoencoder | rows | kept is enough | nothing is needed | features kept, of the others | s/100 |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: |"]


def base(task, what):
    """The mean or the least value of each feature."""
    return np.round(task.train.mean(axis=0) if what == "mean" else task.train.min(axis=0), tasks.DECIMALS)


def write_files(task):
    """What CEM needs beside the model: an autoencoder, and the tables with other medians."""
    networks.write_autoencoder(task.folder / "autoencoder.onnx", networks.fit_autoencoder(task.train))
    for what in methods.BASES:
        b = base(task, what)
        own = int(task.predict(b[None])[0])
        others = task.train[(task.labels != own) & (task.predict(task.train) != own)][:OTHERS]
        tasks.write_table(task.folder / f"none-{what}.csv", np.vstack([np.repeat(b[None], COPIES, axis=0), others]),
                          [own] * COPIES + [1 - own] * len(others))


def positives_of(task):
    coder = ["--autoencoder", task.folder / "autoencoder.onnx", "--tau", 1]
    for label, more in (("no", []), ("tau = 1", coder)):
        fitted = command.fit(task, "none", methods.FITS["none"])
        got = command.explain(task, fitted, f"cem-pp/{'autoencoder' if more else 'plain'}",
                              ["--method", "cem-pp", "--plausible", "none", *more])
        there = ~np.isnan(got.points).any(axis=1)
        enough = np.zeros(len(there), bool)
        enough[there] = task.predict(got.points[there]) == task.predict(task.test[there])
        reasons = [line.get("reason", "") for line in got.lines]
        nothing = np.array(["nothing" in reason for reason in reasons])
        kept = np.array([reason.count(",") + 1 for reason in reasons])[enough & ~nothing]
        spread = f"{kept.mean():.2f} ({kept.std():.2f})" if len(kept) else "–"
        yield (f"| {task.name.split('-')[0]} | {label} | {len(there)} | {int(enough.sum())} | {int((enough & nothing).sum())} | "
               f"{spread} | {got.cpu * 100 / len(there):.2f} |")


def positives():
    page.keep("positives", [*HEAD, *(line for name in tasks.SETS for line in positives_of(tasks.task(name, "mlp")))])
