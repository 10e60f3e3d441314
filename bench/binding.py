"""What the Python package costs beside the engine: CPU seconds of frame in, answers, frame out against the C++ batch.

    python bench/binding.py build/bench/bench_binding [ROWS [RUNS]] [--easy]

Wine, repeated to so many rows (10000), one thread, RUNS alternating runs (5, or 1 above 100,000 rows). The C++ batch does
the same work with the same rows as columns in memory (bench/binding.cpp). Printed are the ratio of the medians, also
against the search alone, the memory, and the time of `import scfe` beyond that of NumPy. Memory is the peak of what is
resident during the call, answers and the frame that comes back included, beyond what was resident before it, over the
bytes of the frame that goes in. --easy asks for the closest single change without a floor, as bench/stream does: the
engine has the least to do for each row, so that the cost of the package shows most.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pandas as pd

import scfe

DATA = Path(__file__).resolve().parents[1] / "data"
EASY = {"max_changes": 1, "plausible": 0, "hints": False}


def main() -> None:
    words = [word for word in sys.argv[1:] if word != "--easy"]
    program, count = words[0], int(words[1]) if len(words) > 1 else 10_000
    runs = int(words[2]) if len(words) > 2 else 5 if count <= 100_000 else 1
    wine = pd.read_csv(DATA / "wine.csv")
    options = EASY if "--easy" in sys.argv else {}
    schema = (DATA / "wine.schema.json").read_text()
    explainer = scfe.Explainer(str(DATA / "models/wine.onnx"), wine, schema=schema, **options)
    rows = pd.concat([wine] * (count // len(wine) + 1), ignore_index=True).head(count).copy()
    explainer.explain(wine).to_frame()
    mine, theirs, search, memory = [], [], [], []
    with tempfile.TemporaryDirectory() as folder:
        explainer.save(f"{folder}/wine.scfe")
        rows.to_csv(f"{folder}/rows.csv", index=False)
        for _ in range(runs):
            done = subprocess.run(
                [program, f"{folder}/wine.scfe", f"{folder}/rows.csv"], capture_output=True, text=True, check=True
            )
            theirs.append(float(done.stdout.split()[2]))
            search.append(float(done.stdout.split()[4]))
            before, start = from_now_on(), time.process_time()
            frame = explainer.explain(rows, threads=1).to_frame()
            mine.append(time.process_time() - start)
            memory.append(status_bytes("VmHWM") - before)
            assert len(frame) == count
            del frame
    own, engine, alone = (statistics.median(times) for times in (mine, theirs, search))
    print(f"{count} rows: C++ {engine:.3f} s, Python {own:.3f} s, ratio {own / engine:.3f}")
    print(f"the search alone: C++ {alone:.3f} s, ratio {own / alone:.3f}")
    frame_bytes = int(rows.memory_usage(index=False).sum())
    times = memory[0] / frame_bytes
    print(f"memory: frame {frame_bytes / 1e6:.1f} MB, {memory[0] / 1e6:.1f} MB more, {times:.2f} times the frame")
    timed = [import_seconds("numpy, scfe") - import_seconds("numpy") for _ in range(5)]
    print(f"import scfe beyond numpy: {1000 * statistics.median(timed):.0f} ms of CPU")


def from_now_on() -> int:
    """Begins to look for the peak anew; the bytes that are resident now."""
    Path("/proc/self/clear_refs").write_text("5")
    return status_bytes("VmRSS")


def status_bytes(name: str) -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(name + ":"):
            return int(line.split()[1]) * 1024
    raise KeyError(name)


def import_seconds(names: str) -> float:
    script = f"import time; start = time.process_time(); import {names}; print(time.process_time() - start)"
    return float(subprocess.run([sys.executable, "-c", script], capture_output=True, text=True).stdout)


if __name__ == "__main__":
    main()
