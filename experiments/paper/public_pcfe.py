"""PCFE with the looser radius of public code, which `scfe --method pcfe` does not have, solved with cvxpy.

    paper    (x - mu_j)' S_j^-1 (x - mu_j) + c_j <= the median over the class's rows of the least of these
    public   (x - mu_j)' S_j^-1 (x - mu_j) <= the largest value over the class's rows that are no denser than that median

The second is how the authors' library CEML computes it (rows whose value is at or above the threshold enter, which is its
negative log-density). Distances are those of the work space, mixtures are scikit-learn's with full covariances.
"""
import time

import cvxpy
import numpy as np
from sklearn.mixture import GaussianMixture

from . import command, tasks
from .places import SEED

MARGIN = 1e-4                # of the logit
MOVED = 1e-5                 # a smaller change of a feature, in shares of its range, counts as none
SPREAD = 0.2


def mixture(rows):
    fits = [GaussianMixture(k, covariance_type="full", reg_covar=SPREAD**2, random_state=SEED).fit(rows)
            for k in range(1, min(8, len(rows) // 5) + 1)]
    return min(fits, key=lambda fit: fit.bic(rows))


def public_radii(fit, rows):
    moved = rows[:, None, :] - fit.means_[None]
    squares = np.einsum("nkd,kde,nke->nk", moved, fit.precisions_, moved)
    constants = -2 * np.log(fit.weights_) + rows.shape[1] * np.log(2 * np.pi) - np.log(np.linalg.det(fit.precisions_))
    values = squares + constants
    threshold = np.median(values.min(axis=1))
    return [squares[values[:, j] >= threshold, j].max() for j in range(len(constants))]


class Program:
    """The closest point of one ellipsoid and one class; the row is a parameter."""

    def __init__(self, task, label, mean, precision, radius, norm):
        weight, bias = task.layers[0]
        lo, hi = task.train.min(axis=0), task.train.max(axis=0)
        self.range = np.where(hi > lo, hi - lo, 1)
        self.row, self.point = cvxpy.Parameter(len(lo)), cvxpy.Variable(len(lo))
        sign = 1 if label == 1 else -1
        moved = cvxpy.multiply(self.point - self.row, 1 / self.range)
        aim = cvxpy.norm1(moved) if norm == "l1" else cvxpy.sum_squares(moved)
        root = np.linalg.cholesky(precision).T / np.sqrt(radius)
        self.problem = cvxpy.Problem(cvxpy.Minimize(aim), [
            cvxpy.norm2(root @ (self.point - mean)) <= 1, sign * (weight[0].astype(float) @ self.point + float(bias[0])) >= MARGIN,
            self.point >= lo, self.point <= hi])

    def solve(self, row):
        self.row.value = row
        try:
            self.problem.solve(solver=cvxpy.CLARABEL)
        except cvxpy.SolverError:
            return np.inf, None
        if self.point.value is None:
            return np.inf, None
        point = np.where(np.abs(self.point.value - row) < MOVED * self.range, row, self.point.value)
        return self.problem.value, np.round(point, 6)


class Made:
    """Like command.Answers."""

    def __init__(self, task, name, points, cpu, made_by):
        self.points, self.cpu, self.command = points, cpu, made_by
        self.lines = [{}] * len(points)
        there, path = np.flatnonzero(~np.isnan(points).any(axis=1)), task.folder / "answers" / f"{name}.csv"
        tasks.write_table(path, points[there], more={"row": 1 + there})
        self.parts = [command.Part(task.folder / "rows.csv", np.arange(len(points)), answers=path)]

    def metric(self, name):
        return np.full(len(self.points), np.nan)


def answers(task, norm):
    began, points = time.process_time(), np.full_like(task.test, np.nan)
    for label in (0, 1):
        rows = task.train[(task.labels == label) & (task.predict(task.train) == label)]
        fit = mixture(rows)
        programs = [Program(task, label, *ellipsoid, norm)
                    for ellipsoid in zip(fit.means_, fit.precisions_, public_radii(fit, rows))]
        for i in np.flatnonzero(task.target == label):
            value, point = min((program.solve(task.test[i]) for program in programs), key=lambda found: found[0])
            if point is not None:
                points[i] = point
    return Made(task, f"public-pcfe-{norm}", points, time.process_time() - began, f"experiments/paper/public_pcfe.py, {norm}, cvxpy")
