"""Runs the ONNX project's own node tests for every operator that the catalogue claims.

    python interop_nodes.py path/to/run_onnx

Each case runs with its inputs as the features of one lane. Inputs that the operator requires to be constant
(weights, shapes, axes) become initialisers: first as few as possible, then more. The ONNX project has few cases
for operators of ai.onnx.ml; see interop_ml.py.
"""
import collections
import os
import subprocess
import sys
import tempfile
import warnings

import numpy as np
import onnx
import onnxruntime
from onnx import numpy_helper
from onnx.backend.test.case.node import collect_testcases

from interop import Report, Tool

NUMBERS = {onnx.TensorProto.DataType.Value(n) for n in (
    "FLOAT UINT8 INT8 UINT16 INT16 INT32 INT64 BOOL FLOAT16 DOUBLE UINT32 UINT64 BFLOAT16").split()}

# Errors that state a documented limit of a claimed operator.
LIMITS = ["expected inference", "to be one that can be computed",
          "expected whole sequences", "expected no clip, activation_alpha", "expected no antialias",
          "expected a coordinate transformation without crops", "expected numbers, got text", "expected node modes 0 to 5"]


def catalogue(tool):
    rows = [line.split("\t") for line in tool.output("--catalogue").splitlines()]
    return {(r[0], r[1]): r[2] for r in rows if r[2] != "unsupported"}


def takes(model):
    """True if all inputs and outputs are tensors of numbers."""
    ports = list(model.graph.input) + list(model.graph.output)
    return all(p.type.HasField("tensor_type") and p.type.tensor_type.elem_type in NUMBERS for p in ports)


def frozen(model, arrays, constant):
    """The model with the named inputs as initialisers, and with the shapes of the data."""
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    kept = [p for p in copy.graph.input if p.name not in constant]
    del copy.graph.input[:]
    for port in kept:
        shape = port.type.tensor_type.shape
        del shape.dim[:]
        for size in arrays[port.name].shape:
            shape.dim.add().dim_value = size
        copy.graph.input.append(port)
    if not kept:
        copy.graph.input.append(onnx.helper.make_tensor_value_info("unused", onnx.TensorProto.FLOAT, [1]))
    for name in constant:
        copy.graph.initializer.append(numpy_helper.from_array(arrays[name], name))
    return copy


def run(tool, model, features, output, folder):
    path, rows, out = (os.path.join(folder, n) for n in ("m.onnx", "x.bin", "y.bin"))
    onnx.save(model, path)
    np.concatenate([f.astype(np.float32) for f in features]).tofile(rows)
    done = subprocess.run([tool, path, rows, "-", out, "--whole", "--scores", output], capture_output=True, text=True)
    if done.returncode != 0:
        return None, done.stderr.strip() or f"exit code {done.returncode}"
    _, scores = map(int, done.stdout.split())
    return np.fromfile(out, np.float32)[:scores], ""


def choices(names, arrays):
    """Which inputs to make constant: none, all but reals, all but the first, the first only, all."""
    reals = [n for n in names if arrays[n].dtype.kind == "f" or str(arrays[n].dtype) == "bfloat16"]
    seen = []
    for dynamic in (names, reals, names[:1], names[1:], []):
        if dynamic not in seen:
            seen.append(dynamic)
            yield [n for n in names if n not in dynamic]


def array(value):
    return numpy_helper.to_array(value) if isinstance(value, onnx.TensorProto) else np.asarray(value)


# align_corners with scales: the ONNX project divides by scale·size - 1 without rounding, ONNX Runtime and PyTorch by
# the size of the output - 1. We follow these two, so the expected values come from ONNX Runtime.
BY_RUNTIME = {"test_resize_downsample_scales_linear_align_corners", "test_resize_downsample_scales_cubic_align_corners"}


def check(tool, case, folder, keep=None):
    """Problems of the case; cases that ran are appended to `keep` as (model, output, features, expected)."""
    model = case.model
    inputs, outputs = case.data_sets[0]
    names = [p.name for p in model.graph.input]
    arrays = {n: array(a) for n, a in zip(names, inputs)}
    if case.name in BY_RUNTIME:
        outputs = onnxruntime.InferenceSession(model.SerializeToString()).run(None, arrays)
    problems = []
    for port, expected in zip(model.graph.output, outputs):
        expected = array(expected).astype(np.float64).ravel()
        if expected.size == 0:
            continue
        error = "no inputs"
        for constant in choices([n for n in names if arrays[n].size], arrays):
            constant = constant + [n for n in names if not arrays[n].size]
            features = [arrays[n].ravel() for n in names if n not in constant] or [np.zeros(1)]
            got, error = run(tool, frozen(model, arrays, constant), features, port.name, folder)
            if got is not None:
                break
        if got is None:
            problems.append(f"{port.name}: {error}")
        elif got.size != expected.size:
            problems.append(f"{port.name}: {got.size} values for {expected.size}")
        else:
            half = any(str(a.dtype) in ("float16", "bfloat16") for a in [*arrays.values(), *map(array, outputs)])
            close = np.isclose(got, expected, rtol=2e-2 if half else 1e-3, atol=1e-2 if half else 1e-5, equal_nan=True)
            if keep is not None and close.all():
                keep.append((frozen(model, arrays, constant), port.name, features, expected))
            if not close.all():
                at = int(np.argmin(close))
                problems.append(f"{port.name}: [{at}] {got[at]} for {expected[at]}")
    return problems


def main():
    tool, report = Tool(sys.argv[1]), Report()
    claimed = catalogue(tool)
    warnings.simplefilter("ignore")
    passed, refused, skipped = collections.Counter(), [], collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for case in collect_testcases(None):
            ops = {("" if n.domain == "ai.onnx" else n.domain, n.op_type) for n in case.model.graph.node}
            if not ops <= set(claimed):
                continue
            if not takes(case.model):
                skipped["types or containers that we do not take"] += 1
                continue
            problems = check(tool.path, case, folder)
            if problems and any(limit in p for p in problems for limit in LIMITS):
                refused.append(case.name)
                continue
            report.add(case.name, "; ".join(problems))
            if not problems:
                passed.update(ops)
    print("passed cases by operator:", ", ".join(f"{o[1]} {n}" for o, n in sorted(passed.items())))
    print("refused, as the catalogue's notes say:", ", ".join(refused))
    print("skipped:", dict(skipped))
    bare = sorted(o[1] for o in claimed if o not in passed and o[0] == "")
    report.add("a case for every operator of ai.onnx", f"none for {bare}" if bare else None)
    report.finish()


if __name__ == "__main__":
    main()
