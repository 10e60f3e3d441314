"""Runs `scfe` and keeps what it wrote: raw answers and their measures, the command that made them, and what they cost.

A file is taken again if the same command of the same build made it from the same files; otherwise it is made anew. Costs are
processor seconds of the process, all cores added up: a busy machine changes them little.
"""
import csv
import dataclasses
import functools
import hashlib
import json
import os
import pathlib
import resource
import shlex
import subprocess
import time

import numpy as np

from .places import ROOT, SCFE, SEED, relative


class Failed(RuntimeError):
    pass


spent = {}               # {output: processor seconds} of every run that was needed, also of those whose output was there already


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


def fingerprint(paths):
    return hashlib.sha256(b"".join(hashlib.sha256(path.read_bytes()).digest() for path in paths)).hexdigest()[:16]


def kept(path, command, read):
    note = path.with_suffix(".run")
    if not (path.exists() and note.exists()):
        return False
    known = json.loads(note.read_text())
    return (known["command"], known["build"], known["read"]) == (text(command), build(), fingerprint(read))


def once(path, command, read):
    """Runs the command unless its output is there already; what is known of the run. read: the files that it reads."""
    if not kept(path, command, read):
        path.parent.mkdir(parents=True, exist_ok=True)
        cpu, wall = run(command)
        note = {"command": text(command), "build": build(), "read": fingerprint(read), "seed": SEED, "cpu": cpu, "wall": wall}
        path.with_suffix(".run").write_text(json.dumps(note))
    note = json.loads(path.with_suffix(".run").read_text())
    spent[path] = note["cpu"]
    return note


def model(task):
    """The JSON form where there is one: mip-live asks for a network that is nothing but dense layers."""
    dense = task.folder / "model.json"
    return dense if dense.exists() else task.folder / "model.onnx"


def fit(task, name, flags=(), table="train.csv"):
    """Without learned rules, which the paper does not have."""
    path = task.folder / "fitted" / f"{name}.scfe"
    read = [model(task), task.folder / table, task.folder / "schema.json"]
    once(path, [SCFE, "fit", "--model", read[0], "--data", read[1], "--schema", read[2], "--seed", SEED, "--learned-rules", "none",
                *flags, "-o", path], read)
    return path


@dataclasses.dataclass
class Part:
    """A table of rows that is asked at once. chosen: which rows of the task they are."""
    rows: object
    chosen: np.ndarray
    flags: tuple = ()
    answers: object = None   # the CSV file of the answers to them


def explain(task, fitted, name, flags, rows=None):
    """Answers of one run; rows: another table than the task's test rows."""
    path, table = task.folder / "answers" / f"{name}.jsonl", rows or task.folder / "rows.csv"
    note = once(path, [SCFE, "explain", fitted, table, "--hints", "false", *flags, "-o", path, "-o", path.with_suffix(".csv")],
                [fitted, table, *(flag for flag in flags if isinstance(flag, pathlib.Path))])
    return Answers(path, note, table)


def compare(fitted, part, path, runs=None, given=None):
    """The measures of every answer of the runs {name: flags} and of the given files {name: CSV} to the rows of the part.

    {name: {"command": ..., "note": why it does not apply, "each": [(row, measures)]}}
    """
    lines = "".join(f"{name}: {text(flags)}\n" for name, flags in (runs or {}).items())
    path.parent.mkdir(parents=True, exist_ok=True)
    path.with_suffix(".runs").write_text(lines)
    fits = {flags[flags.index("--fitted") + 1] for flags in (runs or {}).values()}
    command = [SCFE, "compare", fitted, part.rows, *part.flags, *(["--runs", path.with_suffix(".runs")] if runs else []),
               *(word for name, file in (given or {}).items() for word in ("--given", f"{name}={relative(file)}")),
               "--each", path.with_suffix(".each.csv"), "-o", path]
    note = once(path, command, [fitted, part.rows, path.with_suffix(".runs"), *sorted(fits), *(given or {}).values()])
    # The table's rows were given by their full name; commands are shown as they are typed in the repository.
    with open(path, newline="") as file:
        found = {row["method"]: {**row, "command": row["command"].replace(f"{ROOT}/", ""), "each": [], "cpu": note["cpu"]} for row in csv.DictReader(file)}
    with open(path.with_suffix(".each.csv"), newline="") as file:
        for cells in csv.DictReader(file):
            found[cells["method"]]["each"].append((part.chosen[int(cells["row"]) - 1], cells))
    return found


class Answers:
    """points: a counterfactual a row, NaN where there is none."""

    def __init__(self, path, note, rows):
        self.command, self.cpu = note["command"], note["cpu"]
        with open(path) as file:
            self.lines = [json.loads(line) for line in file][1:]
        width = max((len(line["counterfactual"]) for line in self.lines if "counterfactual" in line), default=1)
        none = [np.nan] * width
        self.points = np.array([list(line.get("counterfactual", {}).values()) or none for line in self.lines], float)
        self.parts = [Part(rows, np.arange(len(self.lines)), answers=path.with_suffix(".csv"))]

    def metric(self, name):
        return np.array([line.get("metrics", {}).get(name, np.nan) for line in self.lines], float)
