"""Every method of the comparison as flags of `scfe`.

S-CFE in `paper` mode is the paper's algorithm with its decaying step, loss on probabilities, last iterate and kernel
width. Its weights are chosen once per cell among the settings below: of those with the highest validity the least
mean LOF x l2, on training rows that no table measures (cells.py). The rows "tuned per row" search as the paper does, for each
row over [1e-3, 1e3]² and k = 3, 4, 5, and keep the valid answer with the fewest changes and of those the densest. Quick
mode tries fewer settings, except for exact m, which our bars are measured against.
"""
import dataclasses
import itertools

from . import public_pcfe

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
    table: str = "train.csv"     # what is fitted to
    made: object = None          # or: answers of a task that scfe does not make


FITS = {
    "default": [],
    "none": ["--density", "none"],
    "none-mean": ["--density", "none"],
    "none-least": ["--density", "none"],
    "kde": ["--density", "kde", "--paper-density", "true"],
    "gmm": ["--density", "gmm"],
    "knn": ["--density", "knn", "--neighbours", "5"],
    "knn-tuned": ["--density", "knn", "--neighbours", "5", "--tune", "true"],
}
TUNED = ("top_m", "l1", "l_half")
TUNED_QUICK = TUNED[:2]


def tuned(density, sparsity, limit):
    flags = [*PAPER, "--tune", "true", "--sparsity", sparsity, "--step", 0.05]
    if sparsity == "top_m":
        flags += ["--max-changes", limit]
    label = f"{NAMES[density]}, {SPARSITIES[sparsity]}, tuned per row"
    return Method(f"tuned-{density}-{sparsity}", label, "knn-tuned" if density == "knn" else density, [("tuned", flags)])


BASES = ("mean", "least")    # rows "without information" beside the median (cem.py)


def scfe(density, sparsity, limit, quick):
    few = quick and sparsity != "top_m"      # exact m is what the bars compare with: its whole grid always
    taus = (0.1, 1, 10) if few else DECADES
    betas = (0.1, 1) if few else DECADES
    steps = (0.05,) if few else (0.05, 0.5, 2)
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
            Method("cem-ae", "CEM, autoencoder", "none", coded, ("mlp",)),
            *(Method(f"cem-{what}", f"CEM, no information: {what}", f"none-{what}", [("alibi", plain)], ("mlp",),
                     table=f"none-{what}.csv") for what in BASES)]


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
        *(Method(f"pcfe-public-{norm}", f"PCFE, {norm}, looser radius", "none", [], ("linear",),
                 made=lambda task, norm=norm: public_pcfe.answers(task, norm)) for norm in ("l1", "l2")),
        Method("mip-live", "MIP-Live, at most m", "none", [("m", [*live, "--max-changes", limit])], ("mlp",)),
        Method("mip-live-any", "MIP-Live, any number", "none", [("any", [*live, "--sparsity", "none"])], ("mlp",)),
        Method("wachter", "Wachter", "none", [("default", ["--method", "wachter", *plain])]),
        Method("nearest", "nearest row", "none", [("default", ["--method", "nearest", *plain])]),
    ]


DEFAULT = "ours, default"


def ours(limit):
    return [Method("ours", DEFAULT, "default", [("default", ["--max-changes", limit])]),
            Method("ours-closest", "ours, closest within m", "default",
                   [("closest", ["--max-changes", limit, "--fewest-first", "false"])]),
            Method("ours-typical", "ours, as typical as half", "default",
                   [("half", ["--max-changes", limit, "--fewest-first", "false", "--plausible", "0.5"])])]


def all_methods(kind, task, quick):
    cells = [scfe(d, s, task.limit, quick) for d in DENSITIES for s in SPARSITIES]
    cells += [tuned(d, s, task.limit) for d in DENSITIES if d != "none" for s in (TUNED_QUICK if quick else TUNED)]
    others = [m for m in (*cem(task.folder), *compared(task.limit)) if kind in m.tasks]
    return cells + others + ours(task.limit)
