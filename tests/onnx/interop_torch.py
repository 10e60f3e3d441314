"""PyTorch exports (old and dynamo exporter) against autograd: scores and input gradients to 1e-4.

    python interop_torch.py path/to/run_onnx folder ...        folders made by experiments/fixtures/onnx_models.py
"""
import json
import os
import subprocess
import sys
import tempfile

import numpy as np


def check(tool, base):
    with open(base + ".json") as file:
        expected = {k: np.array(v, np.float32) for k, v in json.load(file).items()}
    with tempfile.TemporaryDirectory() as folder:
        x, seed, out = (os.path.join(folder, n) for n in ("x.bin", "seed.bin", "y.bin"))
        expected["x"].tofile(x)
        expected["seed"].tofile(seed)
        done = subprocess.run([tool, base + ".onnx", x, seed, out], capture_output=True, text=True)
        if done.returncode:
            return done.stderr.strip()
        features, scores = map(int, done.stdout.split())
        got = np.fromfile(out, np.float32).reshape(-1, scores + features)
    worst = []
    for name, values in (("scores", got[:, :scores]), ("gradient", got[:, scores:])):
        if values.shape != expected[name].shape:
            return f"{name}: shape {values.shape} for {expected[name].shape}"
        size = max(1.0, float(np.abs(expected[name]).max()))
        worst.append(float(np.abs(values - expected[name]).max()) / size)
    return None if max(worst) < 1e-4 else f"off by {worst[0]:.1e} (scores), {worst[1]:.1e} (gradient)"


if __name__ == "__main__":
    failed = 0
    for folder in sys.argv[2:]:
        for name in sorted(f[:-5] for f in os.listdir(folder) if f.endswith(".onnx")):
            problem = check(sys.argv[1], os.path.join(folder, name))
            failed += problem is not None
            print(f"{folder}/{name}: {problem or 'ok'}")
    sys.exit(1 if failed else 0)
