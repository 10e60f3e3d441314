"""Forward + input gradient of two CNNs beside PyTorch: the same weights, batch and threads, in one alternating run.

    python bench/cnn_torch.py build/bench/bench_cnn [--json FILE]

MNIST: conv 32, conv 64, dense 2304-600-120-10, batch 100; a ResNet-18 on 32x32, batch 16. Answers are compared
before anything is timed; medians and quartiles of nine rounds of five runs each, ratios from the same round. On a machine that others
use, look at the CPU time of one thread.
"""
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import warnings

import numpy as np
import torch
from torch import nn

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "experiments", "fixtures"))
import onnx_models  # noqa: E402

ROUNDS, RUNS = 9, 5  # of a round the median run counts


def mnist():
    return nn.Sequential(
        nn.Conv2d(1, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(32, 64, 3), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(2304, 600), nn.Linear(600, 120), nn.Linear(120, 10))


def folded(model):
    """Batch norms merged into the convolution before them, as a careful user of PyTorch would."""
    for parent in model.modules():
        children = list(parent.named_children())
        for (name, conv), (norm_name, norm) in zip(children, children[1:]):
            if isinstance(conv, nn.Conv2d) and isinstance(norm, nn.BatchNorm2d):
                setattr(parent, name, torch.nn.utils.fusion.fuse_conv_bn_eval(conv, norm))
                setattr(parent, norm_name, nn.Identity())
    return model


class Ours:
    def __init__(self, program, path, x, threads):
        self.process = subprocess.Popen([program, path, str(len(x)), str(threads)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.process.stdin.write(x.numpy().astype(np.float32).tobytes())
        self.process.stdin.flush()

    def read(self, shape):
        return np.frombuffer(self.process.stdout.read(4 * int(np.prod(shape))), np.float32).reshape(shape)

    def times(self, runs):
        self.process.stdin.write(b"%d\n" % runs)
        self.process.stdin.flush()
        return [[float(t) for t in self.process.stdout.readline().split()] for _ in range(runs)]


def clocked(work):
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return [1e3 * (time.perf_counter() - wall), 1e3 * (time.process_time() - cpu)]


def middle_of(times):
    return [statistics.median(kind) for kind in zip(*times)]


def compare(program, name, model, shape, batch, threads):
    torch.manual_seed(1)
    torch.set_num_threads(threads)
    model = onnx_models.settle(model)
    x = torch.randn(batch, *shape)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.onnx")
        torch.onnx.export(model, (x[:1],), path, input_names=["x"], output_names=["y"], dynamo=False,
                          dynamic_axes={"x": {0: "n"}, "y": {0: "n"}})
        ours = Ours(program, path, x, threads)
        model = folded(model)
        for parameter in model.parameters():
            parameter.requires_grad_(False)
        x.requires_grad_(True)

        def run():
            x.grad = None
            y = model(x)
            y.sum().backward()
            return y

        scores = run().detach().numpy()
        for got, want in ((ours.read(scores.shape), scores), (ours.read(x.shape), x.grad.numpy())):
            # Rounding turns an arg-max of a pool or the sign at a ReLU in some images.
            errors = np.abs(got - want).reshape(batch, -1).max(axis=1) / np.abs(want).max()
            assert np.median(errors) < 1e-4, f"{name}: differs from PyTorch by {errors.max():.1e}"
        mine, theirs = [], []
        for _ in range(ROUNDS):
            # Threads of either side wait busily for a while after their work: each starts on idle cores, and
            # runs for a tenth of a second before it is timed.
            time.sleep(0.1)
            mine.append(middle_of(ours.times(RUNS)))
            time.sleep(0.1)
            warm = time.perf_counter() + 0.1
            while time.perf_counter() < warm:
                run()
            theirs.append(middle_of([clocked(run) for _ in range(RUNS)]))
        ours.process.stdin.close()
    record = {"model": name, "batch": batch, "threads": threads}
    for kind, a, b in zip(("wall", "CPU"), zip(*mine), zip(*theirs)):
        low, middle, high = statistics.quantiles([t / m for m, t in zip(a, b)], n=4)
        print(f"{name:9} batch {batch:3}  threads {threads}  {kind:4} ms   ours {statistics.median(a):8.2f} (best {min(a):8.2f})   "
              f"PyTorch {torch.__version__.split('+')[0]} {statistics.median(b):8.2f} (best {min(b):8.2f})   "
              f"ratio {middle:.2f} ({low:.2f} to {high:.2f}), of the best {min(b) / min(a):.2f}", flush=True)
        record["ratio" if kind == "wall" else "cpu_ratio"] = {"low": low, "median": middle, "high": high}
    return record


def main():
    warnings.simplefilter("ignore")
    rows = []
    for threads in (1, 2):
        rows.append(compare(sys.argv[1], "MNIST CNN", mnist(), (1, 28, 28), 100, threads))
        rows.append(compare(sys.argv[1], "ResNet-18", onnx_models.resnet([64, 128, 256, 512], 2), (3, 32, 32), 16, threads))
    if "--json" in sys.argv:
        with open(sys.argv[sys.argv.index("--json") + 1], "w") as file:
            json.dump({"torch": torch.__version__, "rows": rows}, file, indent=1)


if __name__ == "__main__":
    main()
