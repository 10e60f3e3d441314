"""PyTorch models through both exporters (old and dynamo): scores and input gradients against autograd to 1e-4.

    python interop_torch.py path/to/run_onnx

The models are those of experiments/fixtures/onnx_models.py: MLPs with each activation, a LeNet, a ResNet-18 on
32x32, a transformer encoder, LSTM and GRU classifiers and others. In double precision the bar is 1e-10.
"""
import logging
import os
import sys
import tempfile
import warnings

import numpy as np

from interop import Refused, Report, Tool, relative_error

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "experiments", "fixtures"))
import onnx_models  # noqa: E402


def compare(tool, path, expected, bar, *flags):
    """Problem (or None) and a note."""
    try:
        scores, gradient = tool.run(path, expected["x"], expected["seed"], *flags)
    except Refused as error:
        return str(error), ""
    worst = [relative_error(scores, expected["scores"]), relative_error(gradient, expected["gradient"])]
    note = f"scores {worst[0]:.1e}, gradient {worst[1]:.1e}"
    return (None if max(worst) < bar else note), note


def main():
    tool, report = Tool(sys.argv[1]), Report()
    warnings.simplefilter("ignore")
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory() as folder:
        for dynamo in (False, True):
            for name, model, shape, _ in onnx_models.models():
                case = f"{name} ({'dynamo' if dynamo else 'old'} exporter)"
                path = os.path.join(folder, f"{name}.onnx")
                try:
                    expected = onnx_models.export(name, model, shape, path, dynamo)
                except Exception as error:  # whatever the exporter throws
                    report.add(case, f"not exported: {type(error).__name__} {str(error)[:100]!r}")
                    continue
                report.add(case, *compare(tool, path, {k: np.array(v) for k, v in expected.items()}, 1e-4))
    report.finish()


if __name__ == "__main__":
    main()
