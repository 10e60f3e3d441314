"""S-CFE's Algorithm 1 in plain batched PyTorch, as a good PyTorch user would write it.

All rows are one batch; gradients by autograd; the same steps, momentum, exact-m prox and section search on
gamma as `apg` with the paper's rule (src/solver/apg/apg.h), so that both give the same answers.
"""

import math

import torch


def log_density(case, factuals):
    """x -> log q(x | target) for a batch, by the kind of density in the case."""
    given = case["density"]
    if given["kind"] == "none":
        return None
    points = torch.tensor(given["means"] if given["kind"] == "gmm" else given["points"])
    if given["kind"] == "kde":
        scale = -0.5 / given["bandwidth"] ** 2
        return lambda x: torch.logsumexp(scale * torch.cdist(x, points).square(), 1) - given["log_norm"]
    if given["kind"] == "gmm":
        precision = 1 / torch.tensor(given["variances"])
        weight = torch.tensor(given["weights"]).log() + 0.5 * (precision / (2 * math.pi)).log().sum(1)
        return lambda x: torch.logsumexp(
            weight - 0.5 * ((x[:, None, :] - points) ** 2 * precision).sum(2), 1)
    centre = gravity(points, factuals, given["neighbours"])
    return lambda x: -(x - centre).square().sum(1)


def gravity(points, factuals, neighbours):
    """Where density gravity pulls: the neighbours of each factual, weighted by how dense they lie."""
    between = torch.cdist(points.double(), points.double())
    between.fill_diagonal_(math.inf)
    rho = neighbours / between.topk(neighbours, largest=False).values.sum(1)
    near = torch.cdist(factuals.double(), points.double()).topk(neighbours, largest=False).indices
    weight = rho[near] / rho[near].sum(1, keepdim=True)
    return (weight[:, :, None] * points.double()[near]).sum(1).float()


def network(case):
    layers = []
    for layer in case["layers"]:
        weight = torch.tensor(layer["weight"])
        linear = torch.nn.Linear(weight.shape[1], weight.shape[0])
        linear.weight.data, linear.bias.data = weight, torch.tensor(layer["bias"])
        layers += [linear] + ([torch.nn.ReLU()] if layer["activation"] == "relu" else [])
    return torch.nn.Sequential(*layers).requires_grad_(False)


def keep_largest(v, low, high, most):
    """The prox of 'at most so many changes, within the box'."""
    z = v.clamp(low, high)
    gain = v.square() - (v - z).square()
    kept = torch.zeros_like(v).scatter_(1, gain.topk(most, dim=1).indices, 1.0)
    return z * kept * (gain > 0)


class Sections:
    """The weight of validity, row by row: ten times more until valid, then bisection."""

    def __init__(self, rows, start):
        self.gamma = torch.full((rows,), start, dtype=torch.double)
        self.failed = torch.zeros(rows, dtype=torch.double)
        self.succeeded = torch.full((rows,), math.inf, dtype=torch.double)

    def record(self, valid):
        self.succeeded = torch.where(valid, self.gamma, self.succeeded)
        self.failed = torch.where(valid, self.failed, self.gamma)
        middle = (self.failed + self.succeeded) / 2
        self.gamma = torch.where(self.succeeded < math.inf, middle, 10 * self.gamma)


def solve(case):
    """The nearest valid last iterate of each row over the section steps: (valid, w)."""
    factuals = torch.tensor(case["factuals"])
    density, model = log_density(case, factuals), network(case)
    sign = 1.0 if case["target"] == 1 else -1.0
    low, high = -factuals, 1 - factuals
    sections = Sections(len(factuals), case["gamma"])
    best, closest = torch.zeros_like(factuals), torch.full((len(factuals),), math.inf)
    for _ in range(case["sections"]):
        gamma = sections.gamma.float()

        def cost(w):
            x = factuals + w
            value = w.square().sum(1) + gamma * torch.relu(-sign * model(x)[:, 0])
            return value if density is None else value - case["tau"] * density(x)

        w = z = torch.zeros_like(factuals)
        step, beta = case["step"], 1.0
        for t in range(case["iterations"]):
            step *= math.sqrt(1 - t / case["iterations"])
            z = z.detach().requires_grad_()
            (slope,) = torch.autograd.grad(cost(z).sum(), z)
            with torch.no_grad():
                after = keep_largest(z - step * slope, low, high, case["max_changes"])
                before, beta = beta, (1 + math.sqrt(1 + 4 * beta * beta)) / 2
                w, z = after, after + (before - 1) / beta * (after - w)
        with torch.no_grad():
            valid = sign * model(factuals + w)[:, 0] >= 0
            distance = w.square().sum(1)
            closer = valid & (distance < closest)
            best[closer], closest[closer] = w[closer], distance[closer]
            sections.record(valid)
    return closest < math.inf, best
