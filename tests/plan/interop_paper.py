"""Compares our `apg` in paper mode with a plain PyTorch loop of the paper's Algorithm 1.

usage: interop_paper.py build/run_onnx build/scfe [SET ...]        (run_paper lies beside run_onnx; wine housing wdbc, or mnist, which takes long)

Both get the same network, rows and density. The loop below is Algorithm 1 as the paper prints it, with its step sizes and
extrapolation, inside the section search for gamma (ten times more until valid, then bisection; the nearest valid of the results is
the answer). What is compared is the objective without the validity loss, |d|² + beta |d|_p^p - tau log q, at the point that each
returns: the iteration's own result, neither pruned nor polished; 50 rows of each table and 20 images, every p and density.

  short  10 iterations, 3 sections
  full   200 iterations, 10 sections, as in the paper

The loss has kinks, over which the first, long steps jump to and fro, so that a result is not determined to single precision. Our
engine computes in single precision; the reference is the loop in double precision, and the same loop in single precision says how
much of a difference that alone makes. One rule for every case, which does not depend on ours: the number of rows on which ours
differs from the reference by more than 1e-3 is at most the number on which PyTorch in single precision does, give or take three
standard deviations of the difference of two such counts.
"""
import csv
import gzip
import json
import math
import os
import pathlib
import subprocess
import sys

import numpy as np
import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "model" / "onnx"))
from interop import Report

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = pathlib.Path(os.environ.get("SCFE_SHARED", ROOT.parent / "shared"))
TABLES, ROWS, IMAGES = ("wine", "housing", "wdbc"), 50, 20
SPARSITIES = {"top_m": 0, "l0": 0, "l_half": 1 / 2, "l_two_thirds": 2 / 3, "l1": 1}
DENSITIES = ("kde", "gmm", "knn", "none")
TOLERANCE = 1e-3
GAMMA, STEP = 0.1, 0.5
RUNS = {"short": (10, 3), "full": (200, 10)}    # iterations, sections


# ---- The problems.

def table(name):
    """Rows in [0, 1], and the network with that scaling folded into its first layer."""
    model = json.loads((ROOT / "data" / "models" / f"{name}.json").read_text())
    schema = json.loads((ROOT / "data" / f"{name}.schema.json").read_text())
    with open(ROOT / "data" / f"{name}.csv", newline="") as file:
        x = np.array([[float(row[f["name"]]) for f in schema["features"]] for row in csv.DictReader(file)])
    low, span = x.min(0), np.ptp(x, 0)
    layers = [{"weight": np.array(l["weight"]), "bias": np.array(l["bias"]), "activation": l["activation"]} for l in model["layers"]]
    layers[0]["bias"] = layers[0]["bias"] + layers[0]["weight"] @ low
    layers[0]["weight"] = layers[0]["weight"] * span
    layers[-1]["activation"] = "none"
    return (x - low) / span, [{**l, "weight": l["weight"].tolist(), "bias": l["bias"].tolist()} for l in layers]


def dense(layers, dtype=torch.double):
    modules = []
    for layer in layers:
        linear = torch.nn.Linear(len(layer["weight"][0]), len(layer["weight"]))
        linear.weight.data, linear.bias.data = torch.tensor(layer["weight"]).double(), torch.tensor(layer["bias"]).double()
        modules += [linear] + ([torch.nn.ReLU()] if layer["activation"] == "relu" else [])
    return torch.nn.Sequential(*modules).to(dtype).requires_grad_(False)


def images(kind, count):
    with gzip.open(SHARED / "data" / f"{kind}-images-idx3-ubyte.gz") as file:
        x = np.frombuffer(file.read(), np.uint8, offset=16)[: count * 784].reshape(count, 784) / 255
    with gzip.open(SHARED / "data" / f"{kind}-labels-idx1-ubyte.gz") as file:
        return x, np.frombuffer(file.read(), np.uint8, offset=8)[:count]


def convolutional(file, dtype=torch.double):
    """The network of an ONNX file that is a chain of convolutions, poolings and dense layers."""
    import onnx
    from onnx import numpy_helper
    graph = onnx.load(file).graph
    weights = {t.name: torch.tensor(numpy_helper.to_array(t)).to(dtype) for t in graph.initializer if t.data_type == onnx.TensorProto.FLOAT}
    steps = []
    for node in graph.node:
        given = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
        w = [weights.get(name) for name in node.input]
        if node.op_type == "Conv":
            steps.append(lambda x, w=w, a=given: torch.conv2d(x, w[1], w[2], stride=a.get("strides", [1, 1]), padding=a.get("pads", [0] * 4)[:2]))
        elif node.op_type == "Relu":
            steps.append(torch.relu)
        elif node.op_type == "MaxPool":
            steps.append(lambda x, a=given: torch.max_pool2d(x, a["kernel_shape"], a.get("strides", [1, 1])))
        elif node.op_type == "Gemm":
            steps.append(lambda x, w=w, a=given: x @ (w[1].T if a.get("transB") else w[1]) + w[2])
        elif node.op_type in ("Flatten", "Reshape"):
            first = not steps
            steps.append((lambda x: x.reshape(-1, 1, 28, 28)) if first else (lambda x: x.flatten(1)))
        elif node.op_type not in ("Constant", "Identity", "Softmax", "LogSoftmax", "Shape", "Concat", "Gather", "Unsqueeze"):
            raise ValueError(f"{file} has a node {node.op_type}")

    def run(x):
        for step in steps:
            x = step(x.reshape(-1, 1, 28, 28) if step is steps[0] and x.dim() == 2 else x)
        return x
    return run


def density(kind, points):
    if kind == "kde":
        d = points.shape[1]
        bandwidth = float(points.std(0).mean() * len(points) ** (-1 / (d + 4)))
        norm = math.log(len(points)) + d * math.log(bandwidth) + d / 2 * math.log(2 * math.pi)
        return {"kind": kind, "points": points.tolist(), "bandwidth": bandwidth, "log_norm": norm}
    if kind == "gmm":
        from sklearn.mixture import GaussianMixture
        fit = GaussianMixture(4, covariance_type="diag", reg_covar=1e-3, random_state=0).fit(points)
        return {"kind": kind, "weights": fit.weights_.tolist(), "means": fit.means_.tolist(), "variances": fit.covariances_.tolist()}
    return {"kind": kind, "points": points.tolist(), "neighbours": 5} if kind == "knn" else {"kind": kind}


# ---- The terms of the equation in PyTorch.

def log_density(given, factuals):
    if given["kind"] == "none":
        return lambda x: torch.zeros(len(x), dtype=x.dtype)
    points = torch.tensor(given["means"] if given["kind"] == "gmm" else given["points"]).to(factuals.dtype)
    if given["kind"] == "kde":
        return lambda x: torch.logsumexp(-0.5 / given["bandwidth"] ** 2 * (x[:, None] - points).square().sum(2), 1) - given["log_norm"]
    if given["kind"] == "gmm":
        precision = 1 / torch.tensor(given["variances"]).to(factuals.dtype)
        weight = torch.tensor(given["weights"]).to(factuals.dtype).log() + 0.5 * (precision / (2 * math.pi)).log().sum(1)
        return lambda x: torch.logsumexp(weight - 0.5 * ((x[:, None] - points).square() * precision).sum(2), 1)
    between = torch.cdist(points, points).fill_diagonal_(math.inf)
    rho = given["neighbours"] / between.topk(given["neighbours"], largest=False).values.sum(1)
    near = torch.cdist(factuals, points).topk(given["neighbours"], largest=False).indices
    centre = ((rho[near] / rho[near].sum(1, keepdim=True))[:, :, None] * points[near]).sum(1)
    return lambda x: -(x - centre).square().sum(1)


def loss(kind, margin):
    return torch.relu(-margin) if kind == "hinge" else torch.relu(-torch.tanh(margin / 2))


def margins(scores, target):
    if scores.shape[1] == 1:
        return scores[:, 0] if target == 1 else -scores[:, 0]
    others = scores.clone()
    others[:, target] = -math.inf
    return scores[:, target] - others.max(1).values


def penalty(sparsity, beta, w):
    p = SPARSITIES[sparsity]
    if sparsity == "top_m":
        return torch.zeros(len(w), dtype=w.dtype)
    return beta * ((w != 0).sum(1) if p == 0 else w.abs().pow(p).sum(1))


def prox(sparsity, v, step, low, high, case):
    """argmin (w - v)² / (2 step) + penalty, low <= w <= high, for each feature; a tie goes to 0."""
    z = v.clamp(low, high)
    if sparsity == "top_m":
        gain = v.square() - (v - z).square()
        kept = torch.zeros_like(v).scatter_(1, gain.topk(case["max-changes"], dim=1).indices, 1.0)
        return z * kept * (gain > 0)
    weight, p = case["beta"] * step, SPARSITIES[sparsity]
    if p == 1:
        return (v.sign() * torch.relu(v.abs() - weight)).clamp(low, high)
    if p > 0:  # the larger root of w - |v| + weight p w^(p-1): the only minimum besides 0
        w, c = v.abs(), weight * p
        for _ in range(8):  # Newton from above; where there is no root, 0 wins the comparison below
            at = w.clamp(min=1e-12)
            slope = 1 - c * (1 - p) * at.pow(p - 2)
            w = torch.where(slope > 0, at - (at - v.abs() + c * at.pow(p - 1)) / slope.clamp(min=1e-12), 0).clamp(min=0)
        z = (v.sign() * w).clamp(low, high)
    of = lambda w: (w - v).square() / 2 + weight * (w != 0) * (w.abs().clamp(min=1e-300).pow(p) if p > 0 else 1)
    return torch.where(of(z) < of(torch.zeros_like(z)), z, 0)


# ---- Algorithm 1, and the section search for gamma around it.

def algorithm_1(smooth, sparsity, low, high, case, iterations):
    w = z = torch.zeros_like(low)
    sigma, beta = STEP, 1.0
    for t in range(iterations):
        sigma *= math.sqrt(1 - t / iterations)
        z = z.detach().requires_grad_()
        (slope,) = torch.autograd.grad(smooth(z).sum(), z)
        with torch.no_grad():
            after = prox(sparsity, z - sigma * slope, sigma, low, high, case)
            before, beta = beta, (1 + math.sqrt(1 + 4 * beta * beta)) / 2
            w, z = after, after + (before - 1) / beta * (after - w)
    return w


def by_torch(model, factuals, target, given, case, run):
    log_q = log_density(given, factuals)
    low, high, rows = -factuals, 1 - factuals, len(factuals)
    kind = {"dtype": factuals.dtype}
    gamma, failed, succeeded = torch.full((rows,), GAMMA, **kind), torch.zeros(rows, **kind), torch.full((rows,), math.inf, **kind)
    best, closest = torch.zeros_like(factuals), torch.full((rows,), math.inf, **kind)
    for _ in range(RUNS[run][1]):
        smooth = lambda w: (w.square().sum(1) + gamma * loss(case["loss"], margins(model(factuals + w), target))
                            - case["tau"] * log_q(factuals + w))
        w = algorithm_1(smooth, case["sparsity"], low, high, case, RUNS[run][0])
        with torch.no_grad():
            valid = margins(model(factuals + w), target) >= 0
            closer = valid & (w.square().sum(1) < closest)
            best[closer], closest[closer] = w[closer], w.square().sum(1)[closer]
            succeeded, failed = torch.where(valid, gamma, succeeded), torch.where(valid, failed, gamma)
            gamma = torch.where(succeeded < math.inf, (failed + succeeded) / 2, 10 * gamma)
    with torch.no_grad():
        return closest < math.inf, best, best.square().sum(1) + penalty(case["sparsity"], case["beta"], best) - case["tau"] * log_q(factuals + best)


def by_us(run_paper, problem, given, case, run):
    asked = {**problem["ours"], "target": problem["target"], "factuals": problem["factuals"].tolist(), "density": given,
             "options": {**case, "step-rule": "paper", "keep-best": False, "margin": 0, "plausible": 0, "iterations": RUNS[run][0],
                         "sections": RUNS[run][1], "step": STEP}}
    done = subprocess.run([run_paper], input=json.dumps(asked), capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr.strip())
    answer = json.loads(done.stdout)
    return torch.tensor(answer["valid"]), torch.tensor(answer["x"]).double() - problem["factuals"]


def beyond(valid, objective, own_valid, own_objective):
    """Rows on which two runs differ."""
    return (valid != own_valid) | (valid & own_valid & ((objective - own_objective).abs() > TOLERANCE * objective.abs().clamp(min=1e-9)))


def compare(report, run_paper, name, problem, sparsity, kind):
    given = density(kind, problem["points"])
    case = {"sparsity": sparsity, "beta": 0.01, "max-changes": problem["most"], "tau": 0.1 if kind == "knn" else problem["tau"],
            "loss": problem["loss"]}
    factuals, rows = problem["factuals"], len(problem["factuals"])
    for run in RUNS:
        valid, w, objective = by_torch(problem["model"], factuals, problem["target"], given, case, run)
        single = by_torch(problem["model_single"], factuals.float(), problem["target"], given, case, run)
        own_valid, own_w = by_us(run_paper, problem, given, case, run)
        log_q = log_density(given, factuals)(factuals + own_w)
        own = own_w.square().sum(1) + penalty(sparsity, case["beta"], own_w) - case["tau"] * log_q
        off = int(beyond(valid, objective, own_valid, own).sum())
        single_w = single[1].double()
        single_objective = single_w.square().sum(1) + penalty(sparsity, case["beta"], single_w) - case["tau"] * log_density(given, factuals)(factuals + single_w)
        itself = int(beyond(valid, objective, single[0], single_objective).sum())
        both = valid & own_valid
        allowed = itself + 3 * math.sqrt(2 * itself + 1)
        counts = [float((x != 0).sum(1)[both].double().mean()) for x in (own_w, w)]
        sparse = off_m = 0
        if sparsity == "top_m":
            sparse, off_m = f", l0 {counts[0]:.2f} and {counts[1]:.2f}", abs(counts[0] - counts[1]) > 0.02 * counts[1]
        error = ((objective - own).abs() / objective.abs().clamp(min=1e-9))[both]
        note = (f"{rows} rows, {int(both.sum())} valid in both, median error {error.median() if len(error) else 0:.0e}; beyond {TOLERANCE}: {off} rows, "
                f"PyTorch in single precision {itself}{sparse or ''}")
        report.add(f"{name}, {sparsity}, {kind}, {run}", note if off > allowed or off_m else "", note)


def main():
    torch.set_default_dtype(torch.double)
    torch.set_num_threads(1)
    run_paper = os.path.join(os.path.dirname(sys.argv[1]), "run_paper")
    wanted = sys.argv[3:] or TABLES
    report = Report()
    for name in (n for n in TABLES if n in wanted):
        x, layers = table(name)
        model = dense(layers)
        won = model(torch.tensor(x))[:, 0].numpy() > 0
        problem = {"model": model, "model_single": dense(layers, torch.float), "ours": {"layers": layers}, "target": 1, "factuals": torch.tensor(x[~won][:ROWS]), "points": x[won],
                   "most": 2, "tau": 0.01, "loss": "probability"}
        for sparsity in SPARSITIES:
            for kind in DENSITIES:
                compare(report, run_paper, name, problem, sparsity, kind)
    network = SHARED / "reference" / "mnist_cnn.onnx"
    if "mnist" in wanted and not (network.exists() and (SHARED / "data" / "train-images-idx3-ubyte.gz").exists()):
        print(f"skipped: MNIST and its network are not in {SHARED} (they are not part of the repository; SCFE_SHARED names another folder)")
    elif "mnist" in wanted:
        x, labels = images("train", 4000)
        model = convolutional(network)
        fours = x[:2000][labels[:2000] == 4][:100]
        nines = x[labels == 9]
        nines = nines[model(torch.tensor(nines)).argmax(1).numpy() == 9][:IMAGES]
        problem = {"model": model, "model_single": convolutional(network, torch.float), "ours": {"model": str(network)}, "target": 4, "factuals": torch.tensor(nines), "points": fours,
                   "most": 25, "tau": 0.001, "loss": "hinge"}
        for sparsity in SPARSITIES:
            for kind in DENSITIES:
                compare(report, run_paper, "mnist", problem, sparsity, kind)
    report.finish()


if __name__ == "__main__":
    main()
