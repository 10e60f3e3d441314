"""Every method of the comparison as flags of `scfe`.

S-CFE in `paper` mode is the paper's algorithm with its decaying step, loss on probabilities, last iterate and kernel
width. Its weights are chosen once per cell among the settings below: of those with the highest validity the least
mean LOF x l2, on the test rows themselves, which flatters it. The paper searches per row over [1e-3, 1e3]². Quick
mode tries fewer of them, except for exact m, which our bars are measured against.
"""
import dataclasses
import itertools

DENSITIES = ("kde", "gmm", "knn", "none")
SPARSITIES = {"top_m": "p = 0", "l0": "p = 0, penalised", "l_half": "p = 1/2", "l_two_thirds": "p = 2/3", "l1": "p = 1"}
NAMES = {"kde": "S-CFE KDE", "gmm": "S-CFE GMM", "knn": "S-CFE kNN", "none": "S-CFE none"}
DECADES = tuple(10.0**power for power in range(-3, 4))
PAPER = ["--solver", "apg", "--step-rule", "paper", "--loss", "probability", "--keep-best", "false",
         "--plausible", "none", "--fewest-first", "false"]


@dataclasses.dataclass
class Method:
    key: str                 # names the files
    label: str               # as in the tables
    fitted: str              # which fit it needs
    settings: list           # [(name, flags)]: the cell takes the best
    tasks: tuple = ("linear", "mlp")


FITS = {
    "default": [],
    "none": ["--density", "none"],
    "kde": ["--density", "kde", "--paper-density", "true"],
    "gmm": ["--density", "gmm"],
    "knn": ["--density", "knn", "--neighbours", "5"],
}


def scfe(density, sparsity, limit, quick):
    few = quick and sparsity != "top_m"      # exact m is what the bars compare with: its whole grid always
    taus = (0.1, 1, 10) if few else DECADES
    betas = (0.1, 1) if few else DECADES
    steps = (0.05, 0.5) if few else (0.05, 0.5, 2)
    settings = []
    for tau, beta, step in itertools.product(taus if density != "none" else (0,), betas if sparsity != "top_m" else (0,), steps):
        flags = ["--sparsity", sparsity, "--tau", tau, "--step", step]
        flags += ["--max-changes", limit] if sparsity == "top_m" else ["--beta", beta]
        settings.append((f"tau{tau:g}-beta{beta:g}-step{step:g}", PAPER + flags))
    return Method(f"scfe-{density}-{sparsity}", f"{NAMES[density]}, {SPARSITIES[sparsity]}", density, settings)


def cem(folder):
    """Alibi's constants, and those of AIX360 with an autoencoder (weight 100) beside a smaller weight."""
    plain = ["--method", "cem-pn", "--plausible", "none"]
    coded = [(f"autoencoder{tau:g}", [*plain, "--autoencoder", folder / "autoencoder.onnx", "--tau", tau]) for tau in (1, 100)]
    return [Method("cem", "CEM", "none", [("alibi", plain)], ("mlp",)),
            Method("cem-ae", "CEM, autoencoder", "none", coded, ("mlp",))]


def compared(limit):
    paper = ["--step-rule", "paper", "--loss", "probability", "--keep-best", "false", "--plausible", "none"]
    dcfe = [(f"tau{tau:g}-beta{beta:g}", ["--method", "dcfe", "--tau", tau, "--beta", beta, *paper])
            for tau, beta in itertools.product((0.1, 1, 10), (0.1, 1))]
    plain = ["--plausible", "none"]
    live = ["--method", "mip-live", "--norm", "l2", *plain]
    return [
        Method("dcfe", "DCFE", "knn", dcfe),
        Method("pcfe", "PCFE", "default", [("l1", ["--method", "pcfe", "--norm", "l1", *plain])], ("linear",)),
        Method("pcfe-l2", "PCFE, l2", "default", [("l2", ["--method", "pcfe", "--norm", "l2", *plain])], ("linear",)),
        Method("mip-live", "MIP-Live, at most m", "none", [("m", [*live, "--max-changes", limit])], ("mlp",)),
        Method("mip-live-any", "MIP-Live, any number", "none", [("any", [*live, "--sparsity", "none"])], ("mlp",)),
        Method("wachter", "Wachter", "none", [("default", ["--method", "wachter", *plain])]),
        Method("nearest", "nearest row", "none", [("default", ["--method", "nearest", *plain])]),
    ]


def ours(limit):
    return [Method("ours", "ours, default", "default", [("default", ["--max-changes", limit])]),
            Method("ours-closest", "ours, closest within m", "default",
                   [("closest", ["--max-changes", limit, "--fewest-first", "false"])]),
            Method("ours-typical", "ours, as typical as half", "default",
                   [("half", ["--max-changes", limit, "--fewest-first", "false", "--plausible", "0.5"])])]


def all_methods(kind, task, quick):
    cells = [scfe(d, s, task.limit, quick) for d in DENSITIES for s in SPARSITIES]
    others = [m for m in (*cem(task.folder), *compared(task.limit)) if kind in m.tasks]
    return cells + others + ours(task.limit)
