"""How good answers are, measured independently of the product: numpy and scikit-learn on what was written.

Validity is predicted anew; l2 and l0 (|change| > 1e-4) are in the units of the task (standard deviations; MNIST: pixels from
0 to 1); LOF is scikit-learn's (k = 20,
novelty) on the training rows of the target class. KDE and GMM are log-densities on the paper's scale: a Gaussian
kernel with the public code's normaliser h·sqrt(2 pi) and a bandwidth by 5-fold likelihood, a diagonal mixture
with its size by BIC. Failures count as failures; means and standard deviations are over the valid answers (the authors count a failure as distance 0).
`below` counts the valid answers that are called less typical than was asked.
"""
import functools

import numpy as np
from scipy.special import logsumexp
from sklearn.mixture import GaussianMixture
from sklearn.model_selection import KFold
from sklearn.neighbors import LocalOutlierFactor

from .places import SEED

TOLERANCE = 1e-4
SPREAD = 0.2              # least spread of a Gaussian, in standard deviations; without it single rows get one each
MODERATE = 64             # features; above, a kernel says nothing (the paper prints none either)
METRICS = ("validity", "below", "l2", "l0", "lof", "kde", "gmm", "time")


def log_kernel(rows, x, width):
    squares = ((x[:, None, :] - rows[None, :, :]) ** 2).sum(axis=2)
    return logsumexp(-squares / (2 * width**2), axis=1) - np.log(len(rows) * width * np.sqrt(2 * np.pi))


def best_width(rows):
    folds = list(KFold(5, shuffle=True, random_state=SEED).split(rows))
    return max(np.geomspace(0.1, 10, 25),
               key=lambda h: np.mean([log_kernel(rows[a], rows[b], h).mean() for a, b in folds]))


def mixture(rows):
    most = min(8, len(rows) // 5)
    fits = [GaussianMixture(k, covariance_type="diag", reg_covar=SPREAD**2, random_state=SEED).fit(rows)
            for k in range(1, most + 1)]
    return min(fits, key=lambda fit: fit.bic(rows))


def outliers(rows):
    return LocalOutlierFactor(n_neighbors=20, novelty=True).fit(rows)


class Yardstick:
    def __init__(self, rows):
        self.rows = rows
        self.outlier = outliers(rows)
        self.width = best_width(rows) if rows.shape[1] <= MODERATE else None
        self.mixture = mixture(rows)

    def lof(self, x):
        return -self.outlier.score_samples(x)

    def kde(self, x):
        return log_kernel(self.rows, x, self.width) if self.width else np.full(len(x), np.nan)

    def gmm(self, x):
        return self.mixture.score_samples(x)


@functools.cache
def yardsticks(folder):
    task = TASKS[folder]
    return {label: Yardstick(task.train[task.labels == label]) for label in np.unique(task.labels)}


TASKS = {}


class Measured:
    """Per row: valid, l2, l0, lof, kde, gmm (NaN where not valid)."""

    def __init__(self, task, answers):
        TASKS[task.folder.name] = task
        points, rows = answers.points, len(task.test)
        there = ~np.isnan(points).any(axis=1)
        self.valid = np.zeros(rows, bool)
        self.valid[there] = task.predict(points[there]) == task.target[there]
        self.distance = answers.metric("l2")      # in the work space, where every method minimises it
        self.seconds = answers.cpu * 100 / rows
        self.below = self.valid & np.array([line.get("status") == "below_floor" for line in answers.lines])
        self.columns = {name: np.full(rows, np.nan) for name in ("l2", "l0", "lof", "kde", "gmm")}
        moved = points - task.test if there.any() else np.full_like(task.test, np.nan)
        self.columns["l2"][self.valid] = np.sqrt((moved[self.valid] ** 2).sum(axis=1))
        self.columns["l0"][self.valid] = (np.abs(moved[self.valid]) > TOLERANCE).sum(axis=1)
        for label, yardstick in yardsticks(task.folder.name).items():
            chosen = self.valid & (task.target == label)
            for name in ("lof", "kde", "gmm"):
                if chosen.any():
                    self.columns[name][chosen] = getattr(yardstick, name)(points[chosen])

    def __getitem__(self, name):
        return self.columns[name]

    def means(self):
        mean = {name: None if np.isnan(column).all() else float(np.nanmean(column)) for name, column in self.columns.items()}
        return {"validity": 100 * float(self.valid.mean()), "below": int(self.below.sum()), **mean, "time": self.seconds}

    def deviations(self):
        return {name: None if np.isnan(column).all() else float(np.nanstd(column)) for name, column in self.columns.items()}
