"""The problems that bench/speed.py times: the built-in tables and networks, in the work space."""

import csv
import json
import pathlib

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
DENSITIES = ("kde", "gmm", "knn", "none")


def table(name):
    """Rows in the work space (min-max), labels, and the network with the scaling folded into its first layer."""
    model = json.loads((ROOT / "data" / "models" / f"{name}.json").read_text())
    schema = json.loads((ROOT / "data" / f"{name}.schema.json").read_text())
    with open(ROOT / "data" / f"{name}.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    x = np.array([[float(row[f["name"]]) for f in schema["features"]] for row in rows])
    low, span = x.min(0), np.ptp(x, 0)
    layers = [{"weight": np.array(l["weight"]), "bias": np.array(l["bias"]), "activation": l["activation"]}
              for l in model["layers"]]
    layers[0]["bias"] = layers[0]["bias"] + layers[0]["weight"] @ low
    layers[0]["weight"] = layers[0]["weight"] * span
    layers[-1]["activation"] = "none"
    return (x - low) / span, layers


def scores(layers, x):
    for layer in layers:
        x = x @ layer["weight"].T + layer["bias"]
        x = np.maximum(x, 0) if layer["activation"] == "relu" else x
    return x[:, 0]


def density(kind, points):
    if kind == "kde":
        d = points.shape[1]
        bandwidth = float(points.std(0).mean() * len(points) ** (-1 / (d + 4)))
        norm = np.log(len(points)) + d * np.log(bandwidth) + d / 2 * np.log(2 * np.pi)
        return {"kind": kind, "points": points.tolist(), "bandwidth": bandwidth, "log_norm": float(norm)}
    if kind == "gmm":
        from sklearn.mixture import GaussianMixture
        fit = GaussianMixture(5, covariance_type="diag", reg_covar=1e-3, random_state=0).fit(points)
        return {"kind": kind, "weights": fit.weights_.tolist(), "means": fit.means_.tolist(),
                "variances": fit.covariances_.tolist()}
    return {"kind": kind, "points": points.tolist(), "neighbours": 5} if kind == "knn" else {"kind": kind}


def case(name, kind, rows=100, max_changes=2):
    """Rows of the one class that want to be of the other; repeated where the table has fewer."""
    x, layers = table(name)
    won = scores(layers, x) > 0
    target = 1
    factuals = np.resize(x[~won], (rows, x.shape[1]))
    return {"name": name, "target": target, "factuals": factuals.tolist(),
            "layers": [{**l, "weight": l["weight"].tolist(), "bias": l["bias"].tolist()} for l in layers],
            "density": density(kind, x[won]), "max_changes": max_changes, "tau": 0.01 if kind != "knn" else 0.1,
            "gamma": 0.1, "step": 0.5, "iterations": 200, "sections": 10}


def flops(case):
    """Multiply-adds (as two) and exponentials (as eleven pipe slots of two) per row and gradient."""
    network = sum(2 * 2 * np.size(l["weight"]) for l in case["layers"])
    d, given = len(case["factuals"][0]), case["density"]
    if given["kind"] == "kde":
        return network + len(given["points"]) * (2 * 2 * d + 22)
    if given["kind"] == "gmm":
        return network + len(given["means"]) * (2 * 4 * d + 22)
    return network + (4 * d if given["kind"] == "knn" else 0)
