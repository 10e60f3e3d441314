"""Compares operators of ai.onnx.ml one by one with ONNX Runtime, because the ONNX project has node tests for few of them.

    python interop_ml.py path/to/run_onnx
"""
import sys

import numpy as np
import onnxruntime
from onnx import TensorProto, helper

from interop import Refused, Report, Tool

RNG = np.random.default_rng(0)
X = RNG.normal(0, 2, (200, 4)).astype(np.float32)
HOLES = np.where(RNG.random(X.shape) < 0.2, np.nan, X).astype(np.float32)
WHOLE = RNG.integers(-1, 5, (200, 4)).astype(np.int64)
WORDS = np.array(["red", "green", "blue", "unknown"], object)
TEXT = WORDS[RNG.integers(0, 4, (200, 2))]
WEIGHTS = RNG.normal(0, 1, 12).astype(np.float32).tolist()
TREES = dict(
    nodes_treeids=[0, 0, 0, 0, 0, 1, 1, 1], nodes_nodeids=[0, 1, 2, 3, 4, 0, 1, 2], nodes_featureids=[0, 1, 0, 0, 0, 2, 0, 0],
    nodes_modes=["BRANCH_LEQ", "BRANCH_GT", "LEAF", "LEAF", "LEAF", "BRANCH_LT", "LEAF", "LEAF"],
    nodes_values=[0.5, -0.25, 0., 0., 0., 0.125, 0., 0.], nodes_truenodeids=[1, 3, 0, 0, 0, 1, 0, 0],
    nodes_falsenodeids=[2, 4, 0, 0, 0, 2, 0, 0], nodes_missing_value_tracks_true=[1, 0, 0, 0, 0, 1, 0, 0])


def leaves(prefix, targets, sign=1.0):
    places = [(0, 2), (0, 3), (0, 4), (1, 1), (1, 2)]
    rows = [(t, n, k) for t, n in places for k in range(targets)]
    return {f"{prefix}_treeids": [r[0] for r in rows], f"{prefix}_nodeids": [r[1] for r in rows], f"{prefix}_ids": [r[2] for r in rows],
            f"{prefix}_weights": [sign ** i * (0.1 + 0.05 * i) for i in range(len(rows))]}


def machine(classes, kernel, probability):
    vectors = RNG.normal(0, 2, (classes * 3, 4)).astype(np.float32)
    pairs = classes * (classes - 1) // 2
    more = dict(prob_a=RNG.uniform(-3, -1, pairs).tolist(), prob_b=RNG.normal(0, 0.3, pairs).tolist()) if probability else {}
    return dict(kernel_type=kernel, kernel_params=[0.2, 0.3, 2.0 if kernel == "POLY" else 3.0], vectors_per_class=[3] * classes,
                support_vectors=vectors.ravel().tolist(), coefficients=RNG.normal(0, 1, (classes - 1) * classes * 3).tolist(),
                rho=RNG.normal(0, 0.3, pairs).tolist(), classlabels_ints=list(range(classes)), **more)


def regressor(kernel, vectors):
    terms = vectors or 4
    support = dict(support_vectors=RNG.normal(0, 2, vectors * 4).tolist()) if vectors else {}
    return dict(kernel_type=kernel, kernel_params=[0.2, 0.3, 2.0], n_supports=vectors, coefficients=RNG.normal(0, 1, terms).tolist(),
                rho=[0.25], **support)


# x0 in {1, 3}: leaf 0; else x1 in {0}: leaf 1; else x2 <= 2: leaf 2, or leaf 3.
SETS = dict(
    n_targets=1, aggregate_function=1, tree_roots=[0], nodes_featureids=[0, 1, 2], nodes_missing_value_tracks_true=[0, 0, 0],
    nodes_truenodeids=[0, 1, 2], nodes_trueleafs=[1, 1, 1], nodes_falsenodeids=[1, 2, 3], nodes_falseleafs=[0, 0, 1],
    leaf_targetids=[0, 0, 0, 0], nodes_modes=helper.make_tensor("m", TensorProto.UINT8, [3], [6, 6, 0]),
    nodes_splits=helper.make_tensor("s", TensorProto.FLOAT, [3], [0, 0, 2.]),
    leaf_weights=helper.make_tensor("w", TensorProto.FLOAT, [4], [1., -2., 3.5, .5]),
    membership_values=helper.make_tensor("v", TensorProto.FLOAT, [5], [1., 3., float("nan"), 0., float("nan")]))


def cases():
    """name, operator, rows, attributes, number of the output, its type"""
    real = TensorProto.FLOAT
    yield "Scaler", "Scaler", X, dict(offset=[1., 2., 3., 4.], scale=[.5, 2., 1., -1.]), 0, real
    yield "Scaler, one for all", "Scaler", X, dict(offset=[1.], scale=[.5]), 0, real
    yield "Scaler of integers", "Scaler", WHOLE, dict(offset=[1.], scale=[.5]), 0, real
    for norm in ("MAX", "L1", "L2"):
        yield f"Normalizer {norm}", "Normalizer", np.abs(X) if norm == "MAX" else X, dict(norm=norm), 0, real
    yield "Imputer", "Imputer", HOLES, dict(imputed_value_floats=[1., 2., 3., 4.], replaced_value_float=float("nan")), 0, real
    yield "Imputer of integers", "Imputer", WHOLE, dict(imputed_value_int64s=[7], replaced_value_int64=-1), 0, TensorProto.INT64
    yield "Binarizer", "Binarizer", X, dict(threshold=0.5), 0, real
    yield "FeatureVectorizer", "FeatureVectorizer", X, dict(inputdimensions=[4]), 0, real
    yield "OneHotEncoder of integers", "OneHotEncoder", WHOLE, dict(cats_int64s=[0, 1, 2, 3], zeros=1), 0, real
    yield "OneHotEncoder of text", "OneHotEncoder", TEXT, dict(cats_strings=["red", "green", "blue"], zeros=1), 0, real
    yield "LabelEncoder of integers", "LabelEncoder", WHOLE, dict(keys_int64s=[0, 1, 2], values_floats=[.5, 1.5, 2.5], default_float=-3.), 0, real
    yield "LabelEncoder of text", "LabelEncoder", TEXT, dict(keys_strings=["red", "green", "blue"], values_int64s=[4, 5, 6], default_int64=-7), 0, TensorProto.INT64
    yield "LabelEncoder of text to reals", "LabelEncoder", TEXT, dict(keys_strings=["red", "green"], values_floats=[.5, 1.5], default_float=9.), 0, real
    for post in ("NONE", "LOGISTIC", "SOFTMAX", "SOFTMAX_ZERO"):
        yield f"LinearRegressor {post}", "LinearRegressor", X, dict(coefficients=WEIGHTS, intercepts=[.1, .2, .3], targets=3, post_transform=post), 0, real
        yield f"LinearClassifier {post}", "LinearClassifier", X, dict(
            coefficients=WEIGHTS, intercepts=[.1, .2, .3], classlabels_ints=[0, 1, 2], post_transform=post), 1, real
        yield f"TreeEnsembleClassifier {post}", "TreeEnsembleClassifier", HOLES, dict(
            **TREES, **leaves("class", 3), classlabels_int64s=[0, 1, 2], post_transform=post), 1, real
    yield "LinearRegressor of one target", "LinearRegressor", X, dict(coefficients=WEIGHTS[:4], intercepts=[.1]), 0, real
    for aggregate in ("SUM", "AVERAGE", "MIN", "MAX"):
        yield f"TreeEnsembleRegressor {aggregate}", "TreeEnsembleRegressor", HOLES, dict(
            **TREES, **leaves("target", 2, -1.0), n_targets=2, aggregate_function=aggregate, base_values=[.5, -.5]), 0, real
    for kernel in ("LINEAR", "POLY", "RBF", "SIGMOID"):
        for classes in (2, 3, 5):
            for probability in (False, True):
                name = f"SVMClassifier {kernel}, {classes} classes{', probability' if probability else ''}"
                yield name, "SVMClassifier", X, machine(classes, kernel, probability), 1, real
    for kernel in ("LINEAR", "POLY", "RBF", "SIGMOID"):
        yield f"SVMRegressor {kernel}", "SVMRegressor", X, regressor(kernel, 6), 0, real
    yield "SVMRegressor without support vectors", "SVMRegressor", X, regressor("LINEAR", 0), 0, real
    shares = dict(coefficients=[w / 30 for w in WEIGHTS], intercepts=[.4, .5, .6], post_transform="PROBIT")
    yield "LinearRegressor PROBIT", "LinearRegressor", X, dict(**shares, targets=3), 0, real
    yield "LinearClassifier PROBIT", "LinearClassifier", X, dict(**shares, classlabels_ints=[0, 1, 2]), 1, real
    yield "TreeEnsembleRegressor PROBIT", "TreeEnsembleRegressor", HOLES, dict(
        **TREES, **leaves("target", 1), n_targets=1, post_transform="PROBIT"), 0, real
    yield "TreeEnsemble with sets", "TreeEnsemble", WHOLE.astype(np.float32), SETS, 0, real


def model_of(op, rows, attributes, output, kind):
    types = {"f": TensorProto.FLOAT, "i": TensorProto.INT64, "O": TensorProto.STRING}
    names = ["label", "y"] if output == 1 else ["y"]
    node = helper.make_node(op, ["x"], names, domain="ai.onnx.ml", **attributes)
    outputs = [helper.make_tensor_value_info("y", kind, None)]
    if output == 1:
        outputs.insert(0, helper.make_tensor_value_info("label", TensorProto.INT64, None))
    graph = helper.make_graph([node], "g", [helper.make_tensor_value_info("x", types[rows.dtype.kind], [None, rows.shape[1]])], outputs)
    version = {"LabelEncoder": 2, "TreeEnsemble": 5}.get(op, 3)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18), helper.make_opsetid("ai.onnx.ml", version)], ir_version=8)


def codes(tool, model, rows):
    """Replaces text by the index of its level."""
    if rows.dtype.kind != "O":
        return rows
    levels = tool.inspect(model, "--scores", "y")["inputs"][0]["levels"]
    return np.array([[levels[j].index(v) if v in levels[j] else -1 for j, v in enumerate(row)] for row in rows])


def main():
    tool, report = Tool(sys.argv[1]), Report()
    for name, op, rows, attributes, output, kind in cases():
        model = model_of(op, rows, attributes, output, kind).SerializeToString()
        results = onnxruntime.InferenceSession(model).run(None, {"x": rows})
        expected = np.asarray(results[output]).reshape(len(rows), -1)
        try:
            got, _ = tool.run(model, codes(tool, model, rows), None, "--scores", "y")
            bar = 1e-3 if "PROBIT" in name else 1e-5  # PROBIT's formula cancels in single precision near 0
            wrong = got.shape != expected.shape or not np.allclose(got, expected, rtol=1e-5, atol=bar, equal_nan=True)
            problem = f"{got[0]} for {expected[0]}" if wrong else None
            if output == 1 and not problem:
                scores, _ = tool.run(model, rows)
                index = (scores[:, 0] > 0) if scores.shape[1] == 1 else scores.argmax(axis=1)
                differ = int((index.astype(int) != results[0]).sum())
                problem = f"{differ} other labels" if differ else None
            report.add(name, problem)
        except Refused as error:
            report.add(name, str(error))
    report.finish()


if __name__ == "__main__":
    onnxruntime.set_default_logger_severity(3)
    main()
