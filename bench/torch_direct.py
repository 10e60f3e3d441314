"""What it costs to call a PyTorch module instead of reading its ONNX export: CPU seconds on German Credit.

    PYTHONPATH=python SCFE_LIBRARY=build/libscfe_c.so build/interop-venv/bin/python bench/torch_direct.py [ROWS]

The numeric columns, a network of 16 hidden units, so many refused rows (200), one thread, five alternating runs; then
the whole table with a ColumnTransformer as `preprocess`, which has no export. Printed are the medians and their ratio.
"""

from __future__ import annotations

import statistics
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python" / "tests"))
import model_data
import model_zoo
import torch

import scfe


def main() -> None:
    torch.set_num_threads(1)
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    data = model_data.credit()
    names = ("PyTorch logits", "PyTorch exported", "PyTorch with preprocess")
    direct, export, before = (explainer_of(data, model_zoo.case(name)) for name in names)
    rows = data.numeric[direct.predict(data.numeric) != data.good].head(count)
    times: dict[str, list[float]] = {"direct": [], "export": []}
    found = {}
    for _ in range(5):
        for name, explainer in (("direct", direct), ("export", export)):
            start = time.process_time()
            answers = explainer.explain(rows, target=data.good, threads=1)
            times[name].append(time.process_time() - start)
            found[name] = int(answers.found.sum())
    own, theirs = (statistics.median(times[name]) for name in ("direct", "export"))
    print(f"{len(rows)} rows: called {own:.3f} s ({found['direct']} found), its export {theirs:.3f} s "
          f"({found['export']} found), ratio {own / theirs:.2f}")  # fmt: skip
    rows = data.rows[before.predict(data.rows) != data.good].head(count)
    start = time.process_time()
    answers = before.explain(rows, target=data.good, threads=1)
    print(f"{len(rows)} rows: called with preprocess {time.process_time() - start:.1f} s ({answers.found.sum()} found)")


def explainer_of(data: Any, case: Any) -> scfe.Explainer:
    return scfe.Explainer(case.model, case.rows.assign(**{data.label: data.labels}), label=data.label, learned_rules="none", **case.options)


if __name__ == "__main__":
    main()
