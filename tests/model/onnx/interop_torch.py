"""Compares PyTorch models from both exporters (old and dynamo) with autograd: scores and input gradients to 1e-4.

    python interop_torch.py path/to/run_onnx

The models are those of experiments/fixtures/onnx_models.py: MLPs with each activation, a LeNet, a ResNet-18 on
32x32, a transformer encoder, LSTM and GRU classifiers and others. They run in float, and in double with a tolerance of
1e-10. Attributes (the slope of a leaky ReLU, an epsilon) are single precision in every ONNX file, so PyTorch gets the
rounded values; where the file itself rounds (SELU, CELU, hard sigmoid) the tolerance is 1e-6.
"""
import functools
import logging
import os
import sys
import tempfile
import warnings

import numpy as np
import torch

from torch.onnx._internal.exporter import _registration

from interop import Refused, Report, Tool, relative_error

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "..", "experiments", "fixtures"))
import onnx_models  # noqa: E402


# Without this cache, the dynamo exporter parses its 500 translations for every model, two thirds of its time.
_registration.ONNXRegistry.from_torchlib = staticmethod(functools.cache(_registration.ONNXRegistry.from_torchlib))


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
        for dynamo, double in ((False, False), (True, False), (False, True), (True, True)):
            for name, model, shape, _ in onnx_models.models():
                case = f"{name} ({'dynamo' if dynamo else 'old'} exporter{', double' if double else ''})"
                path = os.path.join(folder, f"{name}.onnx")
                try:
                    expected = onnx_models.export(name, model, shape, path, dynamo, torch.float64 if double else torch.float32)
                except Exception as error:  # whatever the exporter throws
                    report.add(case, f"not exported: {type(error).__name__} {str(error)[:100]!r}")
                    continue
                flags, bar = (["--double"], 1e-10) if double else ([], 1e-4)
                # The file rounds the constants of SELU and the hard sigmoid, and Celu is defined only for float (the
                # exporter casts).
                if double and name in ("mlp_selu", "mlp_hardsigmoid", "mlp_celu"):
                    bar = 1e-6
                report.add(case, *compare(tool, path, {k: np.array(v) for k, v in expected.items()}, bar, *flags))
    report.finish()


if __name__ == "__main__":
    main()
