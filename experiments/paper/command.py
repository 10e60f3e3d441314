"""Runs `scfe` and keeps what it answered: raw answers, the command that made them, and what they cost.

An answer is taken again if the same command of the same build made it; another build's are made anew. Costs are processor seconds of the `explain` process, all cores added up: a busy machine changes them little.
"""
import functools
import hashlib
import json
import os
import resource
import shlex
import subprocess
import time

import numpy as np

from .places import ROOT, SCFE, SEED, relative


class Failed(RuntimeError):
    pass


def text(command):
    return shlex.join(relative(part) if os.path.isabs(str(part)) else str(part) for part in command)


def run(command):
    """Processor and wall seconds. Exit status 1 means rows without an answer, which is an answer too."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, cwd=ROOT)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        raise Failed(f"{text(command)}: {done.stderr.strip()}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, time.monotonic() - began


@functools.cache
def build():
    return hashlib.sha256(SCFE.read_bytes()).hexdigest()[:16]


def kept(path, command):
    note = path.with_suffix(".run")
    if not (path.exists() and note.exists()):
        return False
    known = json.loads(note.read_text())
    return (known["command"], known.get("build")) == (text(command), build())


def once(path, command):
    """Runs the command unless its output is there already; what is known of the run."""
    if not kept(path, command):
        path.parent.mkdir(parents=True, exist_ok=True)
        cpu, wall = run(command)
        note = {"command": text(command), "build": build(), "seed": SEED, "cpu": cpu, "wall": wall}
        path.with_suffix(".run").write_text(json.dumps(note))
    return json.loads(path.with_suffix(".run").read_text())


def model(task):
    """The JSON form where there is one: mip-live asks for a network that is nothing but dense layers."""
    dense = task.folder / "model.json"
    return dense if dense.exists() else task.folder / "model.onnx"


def fit(task, name, flags=(), table="train.csv"):
    """Without learned rules, which the paper does not have."""
    path = task.folder / "fitted" / f"{name}.scfe"
    once(path, [SCFE, "fit", "--model", model(task), "--data", task.folder / table,
                "--schema", task.folder / "schema.json", "--seed", SEED, "--learned-rules", "none", *flags, "-o", path])
    return path


def explain(task, fitted, name, flags, rows=None):
    """Answers of one run; rows: another table than the task's test rows."""
    path = task.folder / "answers" / f"{name}.jsonl"
    note = once(path, [SCFE, "explain", fitted, rows or task.folder / "rows.csv", "--hints", "false", *flags, "-o", path])
    return Answers(path, note)


class Answers:
    """points: a counterfactual a row, NaN where there is none."""

    def __init__(self, path, note):
        self.command, self.cpu = note["command"], note["cpu"]
        with open(path) as file:
            self.lines = [json.loads(line) for line in file][1:]
        width = max((len(line["counterfactual"]) for line in self.lines if "counterfactual" in line), default=1)
        none = [np.nan] * width
        self.points = np.array([list(line.get("counterfactual", {}).values()) or none for line in self.lines], float)

    def metric(self, name):
        return np.array([line.get("metrics", {}).get(name, np.nan) for line in self.lines], float)
