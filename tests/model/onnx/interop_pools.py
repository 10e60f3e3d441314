"""Compares pools of many geometries with ONNX Runtime: kernels (also larger than the image), strides, paddings,
dilations, ceil_mode.

    python interop_pools.py path/to/run_onnx

Cases in which ONNX Runtime differs from the definition of the ONNX project are left out: automatic padding with
dilations or with kernels smaller than their stride. So are kernels larger than the image without ceil_mode, which have
no output.
"""
import sys

import numpy as np
import onnxruntime
from onnx import TensorProto, helper

from interop import Refused, Report, Tool

CASES = 300
ROWS = 3


def geometry(rng):
    """name, image, attributes"""
    axes = int(rng.integers(1, 3))
    image = rng.integers(1, 8, axes).tolist()
    pick = lambda low, high, count=axes: rng.integers(low, high, count).tolist()  # noqa: E731
    attributes = dict(kernel_shape=pick(1, 5), strides=pick(1, 4), ceil_mode=int(rng.integers(0, 2)))
    op = str(rng.choice(["MaxPool", "AveragePool"]))
    if op == "AveragePool":
        attributes["count_include_pad"] = int(rng.integers(0, 2))
    if rng.random() < 0.3:
        attributes["dilations"] = pick(1, 3)
    padding = str(rng.choice(["none", "pads", "SAME_UPPER", "SAME_LOWER", "VALID"], p=[0.3, 0.4, 0.1, 0.1, 0.1]))
    if padding == "pads":
        attributes["pads"] = [int(rng.integers(0, k)) for k in 2 * attributes["kernel_shape"]]
    elif padding != "none":
        attributes["auto_pad"] = padding
    if padding.startswith("SAME"):
        attributes.pop("dilations", None)
        attributes["strides"] = [min(s, k) for s, k in zip(attributes["strides"], attributes["kernel_shape"])]
    return op, image, attributes


def fits(image, attributes):
    """True if each axis has an output when sizes are rounded down."""
    axes = len(image)
    pads, dilations = attributes.get("pads", [0] * 2 * axes), attributes.get("dilations", [1] * axes)
    reach = [(k - 1) * d + 1 for k, d in zip(attributes["kernel_shape"], dilations)]
    same = attributes.get("auto_pad", "").startswith("SAME")
    return same or all(image[i] + pads[i] + pads[axes + i] >= reach[i] for i in range(axes))


def runtime(model, x):
    """The result of ONNX Runtime; None if it refuses the model."""
    try:
        return onnxruntime.InferenceSession(model).run(None, {"x": x})[0].reshape(len(x), -1)
    except Exception:  # ONNX Runtime has exception types of its own
        return None


def main():
    tool, report, rng = Tool(sys.argv[1]), Report(), np.random.default_rng(0)
    larger = refused = 0
    for case in range(CASES):
        op, image, attributes = geometry(rng)
        if not attributes["ceil_mode"] and not fits(image, attributes):
            continue
        x = rng.normal(0, 1, (ROWS, 2, *image)).astype(np.float32)
        ports = [helper.make_tensor_value_info("x", TensorProto.FLOAT, [None, 2, *image]), helper.make_tensor_value_info("y", TensorProto.FLOAT, None)]
        graph = helper.make_graph([helper.make_node(op, ["x"], ["y"], **attributes)], "g", ports[:1], ports[1:])
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=9).SerializeToString()
        expected, name = runtime(model, x), f"{case}: {op} over {image}, {attributes}"
        try:
            got, _ = tool.run(model, x.reshape(ROWS, -1), None, "--scores", "y")
        except Refused as error:
            refused += 1
            report.add(name, None if expected is None or not expected.size else str(error))
            continue
        if expected is None or not expected.size:
            report.add(name, "ONNX Runtime refuses this")
            continue
        larger += not fits(image, attributes)
        good = got.shape == expected.shape and np.allclose(got, expected, atol=1e-6)
        report.add(name, None if good else f"{got[0]} for {expected[0]}")
    print(f"{larger} kernels larger than the padded image, {refused} refused")
    report.add("larger kernels are among them", None if larger >= 10 else str(larger))
    report.finish()


if __name__ == "__main__":
    onnxruntime.set_default_logger_severity(4)
    main()
