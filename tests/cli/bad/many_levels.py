"""A category of 5,000 levels: fitting takes at most 300 MB and the fitted file at most 20 MB.

    python3 many_levels.py SCFE [FLAG ...]

The model is a dense network with one input per level; the table has 50,000 rows and 1.2 MB.
"""
import json
import os
import random
import subprocess
import sys
import tempfile

LEVELS, ROWS = 5000, 50_000
MOST_MEMORY, MOST_FILE = 300, 20  # MB

scfe = os.path.realpath(sys.argv[1])
r = random.Random(1)
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    levels = [f"level_{i:04}" for i in range(LEVELS)]
    weight = [r.gauss(0, 2) for _ in levels]
    with open("rows.csv", "w") as file:
        file.write("x,place,y\n")
        for i in range(ROWS):
            x, place = r.random(), r.randrange(LEVELS)
            file.write(f"{x:.2f},{levels[place]},{'yes' if 3 * x + weight[place] > 1.5 else 'no'}\n")
    with open("model.json", "w") as file:
        json.dump({"format": "scfe-dense", "version": 1, "layers": [{"weight": [[3] + weight], "bias": [-1.5]}]}, file)
    with open("schema.json", "w") as file:
        json.dump({"format": "scfe-schema", "version": 1, "label": {"column": "y", "classes": ["no", "yes"]}, "features": [
            {"name": "x", "type": "continuous", "range": [0, 1], "decimals": 2},
            {"name": "place", "type": "categorical", "levels": levels}]}, file)
    with open("rows.csv") as file, open("few.csv", "w") as few:
        few.writelines(line for _, line in zip(range(6), file))
    failures = 0
    for flags in [[], *(["--density", density] for density in ("none", "kde", "knn"))]:  # the others refuse categories
        process = subprocess.Popen([scfe, "fit", "--model", "model.json", "--data", "rows.csv", "--schema", "schema.json",
                                    "-o", "e.scfe", *flags, *sys.argv[2:]], stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        memory, size = usage.ru_maxrss / 1024, os.path.getsize("e.scfe") / 1e6 if process.returncode == 0 else 0
        print(f"fit {' '.join(flags) or '(mixture)'}: {memory:.0f} MB, bundle {size:.1f} MB, "
              f"{usage.ru_utime + usage.ru_stime:.1f} CPU seconds")
        failures += process.returncode != 0 or memory > MOST_MEMORY or size > MOST_FILE
        if process.returncode == 0:
            answered = subprocess.run([scfe, "explain", "e.scfe", "few.csv", "--max-changes", "1", "--plausible", "0", "-o", "out.csv"]).returncode
            failures += answered == 2
sys.exit(1 if failures else 0)
