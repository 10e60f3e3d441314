"""Collects the seeds of the fuzz targets from fixtures and built-in data.

    python3 fuzz/seeds.py FOLDER SCFE       FOLDER/seeds/read_NAME/...; SCFE is the program, which fits bundles
"""
import gzip
import json
import os
import random
import shutil
import struct
import subprocess
import sys
from glob import glob

folder, scfe = sys.argv[1:3]
small = 200_000  # bytes; larger files only slow the fuzzer down


def write(target, name, content):
    path = os.path.join(folder, "seeds", target, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode())


def copy(target, patterns):
    for pattern in patterns:
        for path in glob(pattern, recursive=True):
            if os.path.getsize(path) <= small:
                with open(path, "rb") as file:
                    write(target, path.replace("/", "_"), file.read())


def head(path, lines):
    with open(path) as file:
        return "".join(line for _, line in zip(range(lines), file))


copy("read_onnx", ["tests/fixtures/**/*.onnx"])
for path in glob("tests/fixtures/onnx/*.jsonl"):
    with open(path) as file:
        for number, line in enumerate(file):
            write("read_onnx", f"{os.path.basename(path)}.{number}.onnx", bytes.fromhex(json.loads(line)["model"]))
trees = [path for path in glob("tests/fixtures/trees/*") + glob("tests/fixtures/levels/*") if ".rows." not in path]
copy("read_xgboost", [path for path in trees if "xgboost" in path or path.endswith((".ubj", ".json"))])
copy("read_lightgbm", [path for path in trees if path.endswith(".txt")])
copy("read_dense", ["data/models/*.json"])
copy("read_schema", ["data/*.schema.json"])
for path in glob("data/*.csv") + glob("tests/fixtures/**/*.csv", recursive=True):
    write("read_csv", os.path.basename(path), head(path, 12))
write("read_csv", "quoted.csv", 'a,"b ""x""",c\n1,"2\n3",\n"4",5,"6,7"\n')
for number, rule in enumerate(["a + b <= 2 * `long name`", "a := (b + 1) / `long name`", "at most 1 of a, b, c",
                               "a + b = 10\nb >= 2", "a <= -b * 0.5 + 3",
                               "if c = 'x' and a > 2 then b not in (1, 2)", "a = -1 if and only if c != 'y'",
                               "if a rises then `long name` stays", "b := map(c, 'x': 1, 'y': 2.5)"]):
    write("read_rules", str(number), rule)
header = struct.pack(">BBBBIII", 0, 0, 8, 3, 2, 3, 3)
write("read_idx", "images", header + bytes(range(18)))
write("read_idx", "images.gz", gzip.compress(header + bytes(range(18))))
write("read_idx", "labels", struct.pack(">BBBBI", 0, 0, 8, 1, 4) + bytes([0, 1, 2, 1]))
dice = random.Random(1)
for number in range(40):
    write("c_api", str(number), bytes(dice.randrange(256) for _ in range(50 * (1 + number % 8))))
write("read_partial", "zeros", bytes(400))
write("read_partial", "ones", bytes([1, 0, 0, 0, 0, 0, 0, 0]) * 60)
scratch = os.path.join(folder, "scratch")
os.makedirs(scratch, exist_ok=True)
for name in ("wine", "german_credit"):
    with open(os.path.join(scratch, "rows.csv"), "w") as file:
        file.write(head(f"data/{name}.csv", 60))
    for density in ("none", "kde", "mixture", "knn", "data/models/wine_flow.onnx"):
        bundle = os.path.join(scratch, "e.scfe")
        if os.path.exists(bundle):
            os.remove(bundle)
        fitted = subprocess.run([scfe, "fit", "--model", f"data/models/{name}.onnx", "--data",
                                 os.path.join(scratch, "rows.csv"), "--schema", f"data/{name}.schema.json",
                                 "--density", density, "-o", bundle], capture_output=True)
        if fitted.returncode == 0:
            with open(bundle, "rb") as file:
                write("read_bundle", f"{name}_{os.path.basename(density)}.scfe", file.read())
shutil.rmtree(scratch)
counts = {target: len(os.listdir(os.path.join(folder, "seeds", target)))
          for target in sorted(os.listdir(os.path.join(folder, "seeds")))}
print("seeds:", ", ".join(f"{target} {count}" for target, count in counts.items()))
lacking = [os.path.basename(path)[:-4] for path in glob("fuzz/read_*.cpp") if os.path.basename(path)[:-4] not in counts]
if lacking:
    sys.exit(f"no seeds for {', '.join(lacking)}")
