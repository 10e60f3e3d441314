"""Instructions of three fixed cases under callgrind, against those on record: what grew by more than 5 % is shown.

    python bench/instructions.py BUILD_DIR RECORD.json [--record]

A count of instructions does not depend on how busy the machine is; it does on compiler and libraries, so the record
says which they were, and is made anew (--record) with a change that is worth its cost.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

import speed_cases


def count(*command):
    out = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *map(str, command)],
                         capture_output=True, text=True)
    found = re.search(r"Collected : (\d+)", out.stderr)
    if out.returncode != 0 or not found:
        sys.exit(f"instructions: {' '.join(map(str, command))}: {out.stderr.strip().splitlines()[-1]}")
    return int(found.group(1))


def main():
    build, record = pathlib.Path(sys.argv[1]).resolve() / "bench", pathlib.Path(sys.argv[2])
    case = pathlib.Path(tempfile.mkdtemp()) / "case.json"
    case.write_text(json.dumps({**speed_cases.case("wine", "kde", rows=64), "sections": 2}))
    models = speed_cases.ROOT / "data" / "models"
    counts = {
        "apg, Wine, KDE, 64 rows, 400 iterations": count(build / "bench_apg", case, 1, 1),
        "search, Wine, KDE, m = 2, 100 rows": count(build / "bench_search", "wine", "kde", 2, 100, 1, 1),
        "search, German Credit, m = 2, 20 rows": count(build / "bench_search", "german_credit", "auto", 2, 20, 1, 1),
    }
    before = json.loads(record.read_text()) if record.exists() else {"counts": {}}
    print(f"{'instructions':44}{'now':>14}{'on record':>14}{'':>9}")
    grown = []
    for name, now in counts.items():
        then = before["counts"].get(name)
        change = now / then - 1 if then else 0
        print(f"{name:44}{now:14,}{then or 0:14,}{change:9.1%}")
        grown += [name] if change > 0.05 else []
    if "--record" in sys.argv:
        compiler = subprocess.run(["c++", "-dumpfullversion"], capture_output=True, text=True).stdout.strip()
        record.write_text(json.dumps({"compiler": f"g++ {compiler}", "counts": counts}, indent=1) + "\n")
    for name in grown:
        print(f"grew by more than 5 %: {name}")


if __name__ == "__main__":
    main()
