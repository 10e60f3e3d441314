"""What the Python package costs beside the engine: CPU seconds of frame in, answers, frame out against the C++ batch.

    python bench/binding.py build/bench/bench_binding [rows]

Wine, repeated to so many rows (10000), one thread, five alternating runs; the ratio of medians is printed, then the time
of `import scfe` beyond that of NumPy.
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


def main() -> None:
    program, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
    wine = pd.read_csv(DATA / "wine.csv")
    explainer = scfe.Explainer(str(DATA / "models/wine.onnx"), wine, schema=(DATA / "wine.schema.json").read_text())
    rows = pd.concat([wine] * (count // len(wine) + 1), ignore_index=True).head(count)
    with tempfile.TemporaryDirectory() as folder:
        explainer.save(f"{folder}/wine.scfe")
        rows.to_csv(f"{folder}/rows.csv", index=False)
        mine, theirs = [], []
        for _ in range(5):
            done = subprocess.run(
                [program, f"{folder}/wine.scfe", f"{folder}/rows.csv"], capture_output=True, text=True
            )
            theirs.append(float(done.stdout.split()[2]))
            start = time.process_time()
            answers = explainer.explain(rows, threads=1)
            frame = answers.to_frame()
            mine.append(time.process_time() - start)
            assert len(frame) == count
    ratio = statistics.median(mine) / statistics.median(theirs)
    print(
        f"{count} rows: C++ {statistics.median(theirs):.3f} s, Python {statistics.median(mine):.3f} s, ratio {ratio:.3f}"
    )
    timed = [import_seconds("numpy, scfe") - import_seconds("numpy") for _ in range(5)]
    print(f"import scfe beyond numpy: {1000 * statistics.median(timed):.0f} ms of CPU")


def import_seconds(names: str) -> float:
    script = f"import time; start = time.process_time(); import {names}; print(time.process_time() - start)"
    return float(subprocess.run([sys.executable, "-c", script], capture_output=True, text=True).stdout)


if __name__ == "__main__":
    main()
