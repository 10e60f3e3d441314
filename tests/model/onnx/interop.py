"""What the interop scripts share: the tool that runs our models, and counting."""
import json
import os
import subprocess
import sys
import tempfile
import time

import numpy as np


class Report:
    """Counts the cases, and prints a line for each case that has more to say than its name."""

    def __init__(self):
        self.passed = self.failed = 0
        self.start = time.time()

    def add(self, name, problem, note=""):
        if problem:
            self.failed += 1
            print(f"FAILED {name}: {problem}", flush=True)
            return
        self.passed += 1
        if note:
            print(f"ok     {name}: {note}", flush=True)

    def finish(self):
        print(f"({time.time() - self.start:.0f} s)")
        print(f"{self.passed} passed, {self.failed} failed")
        sys.exit(1 if self.failed else 0)


class Refused(Exception):
    """The tool's own error message."""


class Tool:
    """run_onnx, see tests/model/onnx/run_onnx.cpp."""

    def __init__(self, path):
        self.path = path

    def output(self, *arguments):
        done = subprocess.run([self.path, *arguments], capture_output=True, text=True)
        if done.returncode:
            raise Refused(done.stderr.strip() or f"exit code {done.returncode}")
        return done.stdout

    def inspect(self, model, *flags):
        with Saved(model) as path:
            return json.loads(self.output("--inspect", path, *flags))

    def is_ensemble(self, model, *flags):
        with Saved(model) as path:
            return self.output("--trees", path, *flags).strip() == "1"

    def is_linear(self, model, *flags):
        with Saved(model) as path:
            return self.output("--linear", path, *flags).strip() == "1"

    def run(self, model, rows, seeds=None, *flags):
        """Scores and gradients (of seeds·scores) of the rows."""
        kind = np.float64 if "--double" in flags else np.float32
        with Saved(model) as path, tempfile.TemporaryDirectory() as folder:
            x, seed, y = (os.path.join(folder, n) for n in ("x.bin", "seed.bin", "y.bin"))
            np.ascontiguousarray(rows, kind).tofile(x)
            if seeds is not None:
                np.ascontiguousarray(seeds, kind).tofile(seed)
            features, scores = map(int, self.output(path, x, "-" if seeds is None else seed, y, *flags).split())
            both = np.fromfile(y, kind).reshape(-1, scores + features)
        return both[:, :scores], both[:, scores:]


class Saved:
    """A model as a file: bytes are written to a temporary file, a path is used as it is."""

    def __init__(self, model):
        self.model = model

    def __enter__(self):
        if isinstance(self.model, str):
            return self.model
        self.folder = tempfile.TemporaryDirectory()
        path = os.path.join(self.folder.name, "model.onnx")
        with open(path, "wb") as file:
            file.write(self.model)
        return path

    def __exit__(self, *_):
        if not isinstance(self.model, str):
            self.folder.cleanup()


def relative_error(got, expected):
    """Largest difference, relative to the largest value."""
    if got.shape != expected.shape:
        return np.inf
    return float(np.abs(got - expected).max() / np.abs(expected).max())
