"""Densities of the user's own, made by PyTorch: a flow and a VAE behind --density.

usage: interop_density.py build/run_onnx build/scfe [SET ...]        (wine housing wdbc)

A RealNVP-like flow (its exact log-density, conditional on the class: one output for each class) and a small VAE for each
class (its evidence bound with the latent at its mean, and so without random numbers: one file for each class) are trained
on half of the rows of Wine, Housing and WDBC, and exported (those of Wine by both exporters). The other half makes the floors, and rows of the
first half are explained.

  gradients   values and gradients of the file, by our evaluator, against autograd: 1e-4 relative
  answers     search and apg with a floor of 10 %: log q of each answer as PyTorch evaluates it in double precision is above the
              floor that PyTorch computes from the training rows, but for rounding, if the answer is called valid
  reach       with the flow: of 100 rows that a PyTorch search of more than ten times the length brings above the floor, within three
              changes and into the other class, search brings at least 95 %

The PyTorch search takes for each row every set of up to three features (of more than 13 features: of the 13 with the largest gain in
the margin) by projected Adam, at most 300 steps for each of up to 377 sets, on the penalty of margin and floor. That are some 100,000
gradients a row, where ours takes one or two thousand (`gradients` in its JSON). No setting of ours depends on these rows.
"""
import csv
import itertools
import json
import logging
import pathlib
import subprocess
import sys
import tempfile
import warnings

import numpy as np
import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "model" / "onnx"))
from interop import Refused, Report, Tool, relative_error

ROOT = pathlib.Path(__file__).resolve().parents[2]
SETS, FLOOR, CHANGES = ("wine", "housing", "wdbc"), 0.10, 3
LEAST_VALID = 25  # answers, so that there is something to compare
REACH_ROWS, REACH_BAR = {"wine": 45, "housing": 45, "wdbc": 10}, 0.95  # rows that PyTorch reaches, in the order of the table
STEPS = 300
ROUNDING = 2e-3  # nats: our arithmetic is single precision, and inputs of answers are rounded


class Coupling(torch.nn.Module):
    """Half of the columns are scaled and shifted by a network of the other half."""

    def __init__(self, features, flip):
        super().__init__()
        mask = (torch.arange(features) % 2 == int(flip)).float()
        self.register_buffer("mask", mask)
        self.net = torch.nn.Sequential(torch.nn.Linear(features, 32), torch.nn.Tanh(), torch.nn.Linear(32, 2 * features))

    def forward(self, x):
        scale, shift = self.net(x * self.mask).chunk(2, -1)
        scale = torch.tanh(scale) * (1 - self.mask)
        return x * torch.exp(scale) + shift * (1 - self.mask), scale.sum(-1)


class Flow(torch.nn.Module):
    """log q of rows in the model's own units."""

    def __init__(self, mean, spread):
        super().__init__()
        self.register_buffer("mean", mean)
        self.register_buffer("spread", spread)
        self.layers = torch.nn.ModuleList(Coupling(len(mean), flip) for flip in (0, 1, 0, 1))

    def forward(self, x):
        z, total = (x - self.mean) / self.spread, 0
        for layer in self.layers:
            z, log_volume = layer(z)
            total = total + log_volume
        return (total - 0.5 * (z * z).sum(-1)).unsqueeze(-1)


class Flows(torch.nn.Module):
    """One output for each class."""

    def __init__(self, flows):
        super().__init__()
        self.flows = torch.nn.ModuleList(flows)

    def forward(self, x):
        return torch.cat([flow(x) for flow in self.flows], -1)


class Vae(torch.nn.Module):
    """The evidence bound with the latent at its mean: log p(x | z) + log p(z) + the encoder's entropy, but for a constant."""

    def __init__(self, mean, spread, latent=3):
        super().__init__()
        self.register_buffer("mean", mean)
        self.register_buffer("spread", spread)
        d = len(mean)
        self.encoder = torch.nn.Sequential(torch.nn.Linear(d, 24), torch.nn.SiLU(), torch.nn.Linear(24, 2 * latent))
        self.decoder = torch.nn.Sequential(torch.nn.Linear(latent, 24), torch.nn.SiLU(), torch.nn.Linear(24, d))
        self.log_noise = torch.nn.Parameter(torch.zeros(d))

    def forward(self, x, noise=None):
        u = (x - self.mean) / self.spread
        centre, log_spread = self.encoder(u).chunk(2, -1)
        log_spread = 2 * torch.tanh(log_spread / 2)
        z = centre if noise is None else centre + torch.exp(log_spread) * noise
        log_noise = 2 * torch.tanh(self.log_noise / 2)
        miss = (u - self.decoder(z)) * torch.exp(-log_noise)
        bound = -0.5 * (miss * miss).sum(-1) - log_noise.sum()
        bound = bound - 0.5 * (centre * centre + torch.exp(2 * log_spread)).sum(-1) + log_spread.sum(-1)
        return bound.unsqueeze(-1)


def trained(model, rows, noisy, steps=300):
    optimiser = torch.optim.Adam(model.parameters(), 5e-3, weight_decay=1e-4)
    generator = torch.Generator().manual_seed(5)
    for _ in range(steps):
        optimiser.zero_grad()
        spread = model.spread * 0.3 * torch.randn(rows.shape, generator=generator)  # few rows: noise against overfitting
        noise = torch.randn(len(rows), 3, generator=generator)
        loss = -(model(rows + spread, noise) if noisy else model(rows + spread)).mean()
        loss.backward()
        optimiser.step()
    return model.eval().requires_grad_(False)


def table(name):
    schema = json.loads((ROOT / "data" / f"{name}.schema.json").read_text())
    network = json.loads((ROOT / "data" / "models" / f"{name}.json").read_text())
    with open(ROOT / "data" / f"{name}.csv", newline="") as file:
        cells = list(csv.DictReader(file))
    x = np.array([[float(row[f["name"]]) for f in schema["features"]] for row in cells])
    modules = []
    for layer in network["layers"]:
        linear = torch.nn.Linear(len(layer["weight"][0]), len(layer["weight"])).double()
        linear.weight.data, linear.bias.data = torch.tensor(layer["weight"]).double(), torch.tensor(layer["bias"]).double()
        modules += [linear] + ([torch.nn.ReLU()] if layer["activation"] == "relu" else [])
    return cells, schema, x, torch.nn.Sequential(*modules).requires_grad_(False)


def export(model, rows, path, dynamo):
    arguments = {"dynamic_shapes": ({0: torch.export.Dim.DYNAMIC},)} if dynamo else {"dynamic_axes": {"x": {0: "n"}}}
    torch.onnx.export(model, (rows[:2],), str(path), input_names=["x"], output_names=["log_q"], dynamo=dynamo, verbose=False, **arguments)


def compare_gradients(tool, report, case, model, path, rows):
    x = rows.clone().requires_grad_(True)
    values = model(x)
    for k in range(values.shape[1]):
        slope, = torch.autograd.grad(values[:, k].sum(), x, retain_graph=True)
        seed = np.zeros(values.shape, np.float32)
        seed[:, k] = 1
        try:
            got, gradient = tool.run(str(path), rows.numpy(), seed, "--scores", "log_q")
        except Refused as error:
            report.add(f"{case} output {k}", str(error))
            continue
        # Columns have units of their own, so each is compared with its own largest slope.
        scale = np.abs(slope.numpy()).max(0) + 1e-30
        worst = max(relative_error(got, values.detach().numpy()), float(np.abs((gradient - slope.numpy()) / scale).max()))
        report.add(f"{case} output {k}", None if worst < 1e-4 else f"error {worst:.1e}", f"{worst:.1e}")


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if done.returncode not in (0, 1):  # 1: some rows have no answer
        raise SystemExit(f"{words}: {done.stderr.strip()}")
    return done.stdout


def write_rows(path, cells, chosen):
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, cells[0].keys())
        writer.writeheader()
        writer.writerows(cells[i] for i in chosen)


class Problem:
    """One set with its trained densities, fitted by `scfe fit`."""

    def __init__(self, name, folder, scfe):
        self.name, self.folder, self.scfe = name, folder, scfe
        self.cells, self.schema, self.x, self.network = table(name)
        label = self.schema["label"]
        order = np.random.default_rng(7).permutation(len(self.x))
        half = len(order) // 2
        self.asked, self.training = np.sort(order[:half]), np.sort(order[half:])
        write_rows(folder / f"{name}-train.csv", self.cells, self.training)
        write_rows(folder / f"{name}-ask.csv", self.cells, self.asked)
        self.predicted = (self.network(torch.tensor(self.x)).squeeze(-1) > 0).numpy().astype(int)
        self.labels = np.array([self.class_of(cell[label["column"]]) for cell in self.cells])

    def class_of(self, cell):
        label = self.schema["label"]
        if label.get("above") is not None:
            return int(float(cell) > label["above"])
        for place, one in enumerate(label["classes"]):
            if cell in (one.get("values", [one["name"]]) if isinstance(one, dict) else [one]):
                return place
        raise SystemExit(f"{self.name}: no class for {cell!r}")

    def class_names(self):
        return [one["name"] if isinstance(one, dict) else one for one in self.schema["label"]["classes"]]

    def rows_of(self, target):
        """The rows that a floor is made of: of the class, and classified correctly."""
        return [i for i in self.training if self.labels[i] == target and self.predicted[i] == target]

    def train(self, kind, noisy):
        densities = []
        for target in (0, 1):
            rows = torch.tensor(self.x[[i for i in self.asked if self.labels[i] == target]]).float()
            torch.manual_seed(11 + target)
            densities.append(trained(kind(rows.mean(0), rows.std(0).clamp_min(1e-3)), rows, noisy))
        return densities

    def floors(self, densities):
        """The floor of each class, in double precision."""
        return [float(np.quantile(densities[t].double()(torch.tensor(self.x[self.rows_of(t)])).numpy(), FLOOR)) for t in (0, 1)]

    def answers(self, density, rows, *options):
        fitted, out = self.folder / f"{self.name}.scfe", self.folder / f"{self.name}-answers.csv"
        out.unlink(missing_ok=True)
        run(self.scfe, "fit", "--model", ROOT / "data" / "models" / f"{self.name}.json", "--data", self.folder / f"{self.name}-train.csv",
            "--schema", ROOT / "data" / f"{self.name}.schema.json", "--density", density, "--max-changes", CHANGES, "-o", fitted)
        run(self.scfe, "explain", fitted, rows, "--target", "other", "--plausible", f"{FLOOR:.0%}", "--hints", "false", "-o", out, *options)
        with open(out, newline="") as file:
            return list(csv.DictReader(file))

    def values(self, answer):
        return [float(answer[f["name"]]) for f in self.schema["features"]]


def check_answers(report, case, problem, densities, answers, floors):
    """Every valid answer is above PyTorch's own floor, in PyTorch's own arithmetic."""
    valid = [a for a in answers if a["status"] == "valid"]
    worst = 0.0
    for answer in valid:
        x = torch.tensor([problem.values(answer)]).double()
        target = int(problem.network(x).item() > 0)
        worst = max(worst, floors[target] - densities[target].double()(x).item())
    note = f"{len(valid)} of {len(answers)} valid, largest shortfall {worst:.1e} nats"
    report.add(case, None if worst < ROUNDING and len(valid) >= LEAST_VALID else note, note)


def reachable(problem, density, floor, row, target):
    """True if the PyTorch search finds a row of the class above the floor within the changes."""
    x0 = torch.tensor(problem.x[row]).double()
    training = torch.tensor(problem.x[problem.training])
    lo, hi = torch.minimum(training.min(0).values, x0), torch.maximum(training.max(0).values, x0)
    span = (hi - lo).clamp_min(1e-9)
    free = [j for j, f in enumerate(problem.schema["features"]) if not f["immutable"]]
    sets = [s for m in range(1, CHANGES + 1) for s in itertools.combinations(free, m)]
    if len(sets) > 400:  # of many features the most promising ones: by the gain of each feature alone
        moved = x0.repeat(2 * len(x0), 1)
        for j in range(len(x0)):
            moved[2 * j, j], moved[2 * j + 1, j] = lo[j], hi[j]
        sign = 1 if target == 1 else -1
        gain = (sign * problem.network(moved).squeeze(-1)).reshape(-1, 2).max(1).values
        best = [j for j in torch.argsort(gain, descending=True).tolist() if j in free][:13]
        sets = [s for m in range(1, CHANGES + 1) for s in itertools.combinations(sorted(best), m)]
    mask = torch.zeros(len(sets), len(x0), dtype=torch.double)
    for k, chosen in enumerate(sets):
        mask[k, list(chosen)] = 1
    step = torch.zeros_like(mask, requires_grad=True)
    optimiser = torch.optim.Adam([step], 0.02)
    for _ in range(STEPS):
        optimiser.zero_grad()
        x = torch.minimum(torch.maximum(x0 + step * mask * span, lo), hi)
        margin = problem.network(x).squeeze(-1) * (1 if target == 1 else -1)
        q = density(x).squeeze(-1)
        if bool(((margin > 1e-3) & (q >= floor)).any()):
            return True
        (torch.relu(0.05 - margin) + torch.relu(floor + 0.05 - q)).sum().backward()
        optimiser.step()
    return False


def compare_reach(report, problem, flows, floors, answers):
    """Of the rows that PyTorch brings above the floor, how many ours does."""
    by_row = {int(a["row"]) - 1: a for a in answers}
    reached = ours = asked = 0
    for place, row in enumerate(problem.asked):
        if reached == REACH_ROWS[problem.name]:
            break
        asked += 1
        target = 1 - problem.predicted[row]
        if not reachable(problem, flows[target].double(), floors[target], row, target):
            continue
        reached += 1
        ours += by_row[place]["status"] == "valid"
    print(f"       {problem.name}: PyTorch reaches the floor for {reached} of {asked} rows, search for {ours} of these", flush=True)
    return reached, ours


def main():
    tool, scfe, report = Tool(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve(), Report()
    warnings.simplefilter("ignore")
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)
    reached = ours = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for name in sys.argv[3:] or SETS:
            problem = Problem(name, folder, scfe)
            flows, vaes = problem.train(Flow, False), problem.train(Vae, True)
            rows = torch.tensor(problem.x[problem.asked]).float()
            files = {}
            for dynamo in (False, True) if name == "wine" else (False,):
                exporter = "dynamo" if dynamo else "old"
                for kind, models in (("flow", [Flows(flows)]), ("vae", vaes)):
                    files[kind] = [folder / f"{name}-{kind}-{k}-{exporter}.onnx" for k in range(len(models))]
                    for model, path in zip(models, files[kind]):
                        export(model.float().eval(), rows, path, dynamo)
                        compare_gradients(tool, report, f"{path.stem} gradient", model, path, rows)
            by_class = ",".join(f"{c}={f}" for c, f in zip(problem.class_names(), files["vae"]))
            for kind, density, models in (("flow", files["flow"][0], flows), ("vae", by_class, vaes)):
                floors = problem.floors(models)
                for solver in ("search", "apg"):
                    answers = problem.answers(density, folder / f"{name}-ask.csv", "--solver", solver)
                    check_answers(report, f"{name} {kind} {solver}", problem, models, answers, floors)
                    if (kind, solver) == ("flow", "search"):
                        some = compare_reach(report, problem, models, floors, answers)
                        reached, ours = reached + some[0], ours + some[1]
                for model in models:
                    model.float()
    note = f"{ours} of {reached} rows that PyTorch reaches"
    report.add("flow: rows above the floor", None if reached > 0 and ours >= REACH_BAR * reached else note, note)
    report.finish()


if __name__ == "__main__":
    main()
