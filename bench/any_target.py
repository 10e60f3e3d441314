"""What `--target any` costs with many classes, against one target class: CPU seconds of `scfe explain`.

    python3 bench/any_target.py [SCFE] [--classes 100] [--rows 24]        (needs numpy)

Clouds of rows around a centre each, in 4, 8 and 13 numbers, and a network whose last layer is fitted to the classes.
One target is the mean over ten classes, each asked for the same rows. One thread, and the start of the program is
subtracted. No schema is given: the number of classes is the model's.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import tempfile
from pathlib import Path

import numpy as np

SHAPES = ((4, 0.06), (8, 0.08), (13, 0.3))  # numbers, spread of a cloud


def cpu_seconds(*command: str) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=False, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def write_problem(home: Path, numbers: int, spread: float, classes: int, rows: int) -> None:
    random = np.random.default_rng(1)
    of = np.tile(np.arange(classes), 30)
    x = random.uniform(0, 1, (classes, numbers))[of] + random.normal(0, spread, (len(of), numbers))
    first = random.normal(0, 1, (8 * numbers, numbers))
    hidden = np.maximum(x @ first.T, 0)
    gram = hidden.T @ hidden + 1e-3 * np.eye(hidden.shape[1])
    last = np.linalg.solve(gram, hidden.T @ (20 * np.eye(classes)[of] - 5)).T
    layers = [{"weight": first.tolist(), "bias": [0.0] * len(first), "activation": "relu"},
              {"weight": last.tolist(), "bias": [0.0] * classes, "activation": "none"}]  # fmt: skip
    (home / "model.json").write_text(json.dumps({"format": "scfe-dense", "version": 1, "layers": layers}))
    header = ",".join(f"f{j}" for j in range(numbers)) + ",class"
    lines = [",".join(f"{value:.4f}" for value in row) + f",{name}" for row, name in zip(x, of, strict=True)]
    (home / "train.csv").write_text("\n".join([header, *lines]) + "\n")
    (home / "rows.csv").write_text("\n".join([header, *lines[:rows]]) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("program", nargs="?", default="build/scfe")
    parser.add_argument("--classes", type=int, default=100)
    parser.add_argument("--rows", type=int, default=24)
    asked = parser.parse_args()
    for numbers, spread in SHAPES:
        with tempfile.TemporaryDirectory() as folder:
            home = Path(folder)
            write_problem(home, numbers, spread, asked.classes, asked.rows)
            fitted, rows = str(home / "e.scfe"), str(home / "rows.csv")
            given = ["--model", str(home / "model.json"), "--data", str(home / "train.csv"), "--label", "class"]
            subprocess.run([asked.program, "fit", *given, "-o", fitted], check=True, capture_output=True)
            start = cpu_seconds(asked.program, "inspect", fitted)
            to = ["-o", str(home / "a.csv"), "--threads", "1"]
            seconds = {
                target: cpu_seconds(asked.program, "explain", fitted, rows, "--target", target, *to) - start
                for target in ["any", *(str(k) for k in range(0, asked.classes, max(1, asked.classes // 10)))]
            }
            every = seconds.pop("any")
            one = sum(seconds.values()) / len(seconds)
            print(f"{numbers} numbers, {asked.classes} classes, {asked.rows} rows: any {every:.2f} s, one target "
                  f"{one:.2f} s, ratio {every / one:.2f}")  # fmt: skip


if __name__ == "__main__":
    main()
