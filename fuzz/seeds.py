"""Writes the models of the node fixtures to files, as seeds for the fuzzer.

    python3 fuzz/seeds.py folder fixtures.jsonl ...
"""
import json
import os
import sys

for path in sys.argv[2:]:
    with open(path) as file:
        for number, line in enumerate(file):
            name = f"{os.path.basename(path)}.{number}.onnx"
            with open(os.path.join(sys.argv[1], name), "wb") as seed:
                seed.write(bytes.fromhex(json.loads(line)["model"]))
