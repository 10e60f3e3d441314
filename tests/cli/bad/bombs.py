"""Small files that ask for much: each has to be a quick error, or be read quickly.

    python3 bombs.py FOLDER     writes them to a folder
"""
import gzip
import json
import os
import struct
import sys

import onnx_bytes as o


def deep(levels):
    return "[" * levels + "]" * levels


def expand_bomb():
    """A constant that is repeated until it has 4 million values."""
    shape = o.tensor("s", [2], [1 << 11, 1 << 11], kind=7)
    nodes = [o.node("Expand", ["x", "s"], ["a"]), o.node("Mul", ["a", "a"], ["b"]), o.node("Add", ["b", "a"], ["c"]),
             o.node("ReduceSum", ["c"], ["y"], o.integer("keepdims", 1))]
    return o.model(nodes, [shape], [o.port("x", [-1, 1])], [o.port("y", [-1, 1])])


def wide_bomb():
    return o.model([o.node("ReduceSum", ["x"], ["y"])], [], [o.port("x", [-1, 1 << 22])], [o.port("y", [-1, 1])])


def chain_bomb(nodes):
    names = ["x"] + [f"v{i}" for i in range(nodes)]
    chain = [o.node("Tanh", [names[i]], [names[i + 1]]) for i in range(nodes)]
    return o.model(chain, [], [o.port("x", [-1, 1])], [o.port(names[-1], [-1, 1])])


def xgboost(trees, features="13"):
    return json.dumps({"learner": {
        "feature_names": [], "feature_types": [],
        "gradient_booster": {"name": "gbtree", "model": {"trees": trees, "tree_info": [0] * len(trees)}},
        "learner_model_param": {"base_score": "5E-1", "num_class": "0", "num_feature": features},
        "objective": {"name": "binary:logistic"}}})


def xgboost_codes(nodes):
    """Every split has one category of its own, the largest code there is."""
    tree = {"left_children": [], "right_children": [], "split_indices": [], "default_left": [], "split_conditions": [],
            "split_type": [], "categories": [], "categories_nodes": [], "categories_segments": [],
            "categories_sizes": []}
    for i in range(nodes):
        for key, value in (("left_children", 2 * i + 1), ("right_children", 2 * i + 2), ("split_indices", 0),
                           ("default_left", 0), ("split_conditions", 0), ("split_type", 1)):
            tree[key].append(value)
        for key, value in (("categories", 65535), ("categories_nodes", i), ("categories_segments", i),
                           ("categories_sizes", 1)):
            tree[key].append(value)
    for i in range(nodes + 1):
        for key, value in (("left_children", -1), ("right_children", -1), ("split_indices", 0), ("default_left", 0),
                           ("split_conditions", 0.5), ("split_type", 0)):
            tree[key].append(value)
    return xgboost([tree])


def lightgbm(tree, header=""):
    return ("tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\nlabel_index=0\nmax_feature_idx=12\n"
            f"objective=binary sigmoid:1\n{header}feature_names=" + " ".join(f"f{i}" for i in range(13)) +
            f"\n\n{tree}\nend of trees\n\nfeature_importances:\n\nparameters:\nend of parameters\n")


def lightgbm_codes(splits):
    """Every split reads the same large set of categories."""
    words = 2048
    lines = {"num_leaves": [splits + 1], "num_cat": [1], "split_feature": [0] * splits, "threshold": [0] * splits,
             "decision_type": [1] * splits, "left_child": [-1 - i for i in range(splits)],
             "right_child": [i + 1 for i in range(splits - 1)] + [-1 - splits],
             "leaf_value": [1] * (splits + 1), "cat_boundaries": [0, words], "cat_threshold": [4294967295] * words}
    return lightgbm("Tree=0\n" + "".join(f"{k}={' '.join(map(str, v))}\n" for k, v in lines.items()) + "\n")


def lightgbm_chain(splits):
    lines = {"num_leaves": [splits + 1], "num_cat": [0], "split_feature": [0] * splits, "threshold": [0.5] * splits,
             "decision_type": [2] * splits, "left_child": [-1 - i for i in range(splits)],
             "right_child": [i + 1 for i in range(splits - 1)] + [-1 - splits], "leaf_value": [1] * (splits + 1)}
    return lightgbm("Tree=0\n" + "".join(f"{k}={' '.join(map(str, v))}\n" for k, v in lines.items()) + "\n")


def idx(images, height=28, width=28):
    return struct.pack(">BBBBIII", 0, 0, 8, 3, images, height, width)


def zeros_gz(size):
    """An idx file of black images, compressed a thousandfold."""
    images = size // 784
    return gzip.compress(idx(images) + bytes(784 * images), 9)


BOMBS = {
    "expand.onnx": expand_bomb,
    "wide.onnx": wide_bomb,
    "chain.onnx": lambda: chain_bomb(300_000),
    "external.onnx": lambda: o.model([o.node("MatMul", ["x", "w"], ["y"])],
                                     [o.external("w", [1 << 15, 1 << 15], "external.bin", length=1 << 32)],
                                     [o.port("x", [-1, 1 << 15])], [o.port("y", [-1, 1 << 15])]),
    "codes.xgboost.json": lambda: xgboost_codes(120_000),
    "lists.xgboost.json": lambda: '{"learner": [' + ",".join(["[]"] * 3_000_000) + "]}",
    "deep.xgboost.json": lambda: '{"learner": ' + deep(100_000) + "}",
    "deep.json": lambda: '{"format": "scfe-dense", "version": ' + deep(100_000) + "}",
    "deep.schema.json": lambda: '{"format": "scfe-schema", "version": ' + deep(100_000) + "}",
    "deep.ubj": lambda: b"{i\x07learner" + b"[" * 100_000,
    "codes.lightgbm.txt": lambda: lightgbm_codes(20_000),
    "chain.lightgbm.txt": lambda: lightgbm_chain(100_000),
    "deep.lightgbm.txt": lambda: lightgbm("Tree=0\nnum_leaves=1\nleaf_value=1\n\n") + "\npandas_categorical:" + deep(100_000),
    "zeros.idx.gz": lambda: zeros_gz(300_000_000),
    "commas.csv": lambda: "," * 40_000_000,
    "quote.csv": lambda: 'a,b\n"' + "x" * 70_000_000,
}


def write(name, folder):
    content = BOMBS[name]()
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode())
    if name == "external.onnx":  # a file with holes: 4 GB that take no room
        with open(os.path.join(folder, "external.bin"), "wb") as file:
            file.truncate(1 << 32)
    return path


if __name__ == "__main__":
    for bomb in BOMBS:
        print(write(bomb, sys.argv[1]), os.path.getsize(os.path.join(sys.argv[1], bomb)))
