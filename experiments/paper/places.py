"""Where things are, and what is fixed for all experiments."""
import os
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT / "data"
MNIST = ROOT / "build" / "mnist"
SCFE = ROOT / "build" / "scfe"
TRAJECTORY = ROOT / "build" / "bench" / "bench_trajectory"
SEED = int(os.environ.get("SCFE_PAPER_SEED", 0))
WORK = ROOT / "build" / (f"paper-{SEED}" if SEED else "paper")  # models, tables and raw answers: kept, so that a run goes on where it stopped
RESULTS = ROOT / "experiments" / "results"
PAGE = ROOT / "docs" / "paper.md"

TEST_ROWS = 100


def relative(path):
    path = pathlib.Path(path)
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)
