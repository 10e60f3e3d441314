"""How fast: ratios from one run, alternating, median and spread of at least five.

    python bench/speed.py BUILD_DIR RESULTS_DIR [--quick] [PART ...]

Parts: apg, pipes, search, threads, graph, latency. Each prints a table and writes RESULTS_DIR/PART.json.
Needs torch and scikit-learn (bench/requirements.txt).
"""

import argparse
import csv
import json
import os
import pathlib
import platform
import statistics
import subprocess
import tempfile
import time

import numpy as np
import speed_cases
import torch
import torch_apg

CORES = 2


class Bench:
    def __init__(self, build, results, quick):
        self.build, self.results, self.quick = pathlib.Path(build).resolve(), pathlib.Path(results), quick
        self.runs = 5
        self.work = pathlib.Path(tempfile.mkdtemp())

    def run(self, program, *arguments):
        return json.loads(subprocess.check_output([self.build / "bench" / program, *map(str, arguments)]))

    def case_file(self, case):
        path = self.work / "case.json"
        path.write_text(json.dumps(case))
        return path

    def write(self, part, rows):
        self.results.mkdir(parents=True, exist_ok=True)
        record = {"machine": machine(), "rows": rows}
        (self.results / f"{part}.json").write_text(json.dumps(record, indent=1) + "\n")


def machine():
    root = speed_cases.ROOT
    cpu = [l.split(":")[1].strip() for l in open("/proc/cpuinfo") if l.startswith("model name")] or [platform.machine()]
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=root, capture_output=True, text=True)
    compiler = subprocess.run(["c++", "-dumpfullversion"], capture_output=True, text=True)
    return {"cpu": cpu[0], "cores": os.cpu_count(), "compiler": "g++ " + compiler.stdout.strip(),
            "commit": commit.stdout.strip(), "date": time.strftime("%Y-%m-%d"), "torch": torch.__version__,
            "load": round(os.getloadavg()[0], 1)}


def spread(values):
    """Median and the middle half of the values."""
    low, middle, high = np.percentile(values, [25, 50, 75])
    return {"median": float(middle), "low": float(low), "high": float(high)}


def show(values, unit=1.0):
    return f"{values['median'] * unit:8.2f} ({values['low'] * unit:.2f}-{values['high'] * unit:.2f})"


def timed(work):
    start = time.perf_counter()
    answer = work()
    return time.perf_counter() - start, answer


def same_answers(case, ours, valid, w):
    """Share of rows whose answers agree: both valid at the same point, or both not."""
    mine, theirs = np.array(ours["w"]), w.numpy()
    alike = np.abs(mine - theirs).max(1) < 2e-3
    return float(np.mean((np.array(ours["valid"]) == valid.numpy()) & (alike | ~valid.numpy())))


def apg(bench):
    """Algorithm 1, the same 2000 gradients a row, against batched PyTorch on the same cores."""
    torch.set_num_threads(CORES)
    rows = []
    print(f"apg, 100 rows, 10 x 200 iterations, m = 2, {CORES} threads: seconds, median (middle half) of {bench.runs}")
    print(f"{'table':9}{'density':9}{'same answers':>13}{'PyTorch s':>24}{'ours ms':>24}{'ratio':>22}")
    for name in ("wine",) if bench.quick else ("wine", "housing", "wdbc"):
        for kind in speed_cases.DENSITIES:
            case = speed_cases.case(name, kind)
            path = bench.case_file(case)
            valid, w = torch_apg.solve(case)
            agree = same_answers(case, bench.run("bench_apg", path, CORES, 1), valid, w)
            theirs, ours = [], []
            for _ in range(bench.runs):
                theirs.append(timed(lambda: torch_apg.solve(case))[0])
                ours.append(statistics.median(bench.run("bench_apg", path, CORES, 5)["seconds"]))
            ratio = spread([a / b for a, b in zip(theirs, ours)])
            rows.append({"table": name, "density": kind, "same_answers": agree, "torch_seconds": spread(theirs),
                         "seconds": spread(ours), "ratio": ratio})
            print(f"{name:9}{kind:9}{agree:13.0%}{show(spread(theirs)):>24}{show(spread(ours), 1e3):>24}{show(ratio):>22}",
                  flush=True)
    bench.write("apg", rows)


def pipes(bench):
    """The share of the multiply-add limit of one core that apg reaches with 1600 rows (exponentials counted)."""
    rows = []
    print(f"\napg, 1600 rows, one thread: share of what the multiply-add pipes allow")
    print(f"{'table':9}{'density':9}{'limit GFLOP/s':>15}{'reached GFLOP/s':>24}{'share':>8}")
    for kind in speed_cases.DENSITIES:
        case = speed_cases.case("wine", kind, rows=1600)
        path = bench.case_file(case)
        peaks, reached = [], []
        for _ in range(bench.runs):
            peaks.append(bench.run("bench_peak")["gflops"])
            seconds = min(bench.run("bench_apg", path, 1, 9)["seconds"])  # as the limit: the best of some
            reached.append(speed_cases.flops(case) * 1600 * case["iterations"] * case["sections"] / seconds / 1e9)
        share = statistics.median(r / p for r, p in zip(reached, peaks))
        rows.append({"table": "wine", "density": kind, "limit": spread(peaks), "reached": spread(reached), "share": share})
        print(f"{'wine':9}{kind:9}{max(peaks):15.1f}{show(spread(reached)):>24}{share:8.0%}", flush=True)
    bench.write("pipes", rows)


def search(bench):
    """The default solver per valid answer against PyTorch's apg; rows a second on one core."""
    torch.set_num_threads(CORES)
    rows = []
    print(f"\nsearch, m = 2, floor 10 %: per valid answer against apg in PyTorch (same table and density), {CORES} threads")
    print(f"{'table':9}{'density':9}{'valid':>8}{'PyTorch ms':>24}{'ours ms':>24}{'ratio':>24}{'rows/s, one core':>18}")
    for name in ("wine",) if bench.quick else ("wine", "housing", "wdbc"):
        for kind in ("kde", "none"):
            case = speed_cases.case(name, kind)
            theirs, ours, single = [], [], []
            for _ in range(bench.runs):
                seconds, (valid, _) = timed(lambda: torch_apg.solve(case))
                theirs.append(seconds / max(1, int(valid.sum())))
                found = bench.run("bench_search", name, kind, 2, 1000, CORES, 3)
                ours.append(statistics.median(found["seconds"]) / max(1, found["valid"]))
                alone = bench.run("bench_search", name, kind, 2, 1000, 1, 3)
                single.append(1000 / statistics.median(alone["seconds"]))
            ratio = spread([a / b for a, b in zip(theirs, ours)])
            rows.append({"table": name, "density": kind, "valid": found["valid"] / 1000, "torch_seconds": spread(theirs),
                         "seconds": spread(ours), "ratio": ratio, "rows_per_second": spread(single)})
            print(f"{name:9}{kind:9}{found['valid'] / 1000:8.0%}{show(spread(theirs), 1e3):>24}{show(spread(ours), 1e3):>24}"
                  f"{show(ratio):>24}{statistics.median(single):18.0f}", flush=True)
    bench.write("search", rows)


def threads(bench):
    """Two threads against one at 1000 rows."""
    rows = []
    print("\ntwo threads against one, 1000 rows of Wine")
    for solver in ("search", "apg"):
        ratios = []
        path = bench.case_file(speed_cases.case("wine", "kde", rows=1000))
        for _ in range(bench.runs + 2):
            def seconds(count):
                if solver == "apg":
                    return statistics.median(bench.run("bench_apg", path, count, 3)["seconds"])
                return statistics.median(bench.run("bench_search", "wine", "kde", 2, 1000, count, 7)["seconds"])
            one, two = seconds(1), seconds(2)
            ratios.append(one / two)
        rows.append({"solver": solver, "ratio": spread(ratios)})
        print(f"{solver:9}{show(spread(ratios)):>22}", flush=True)
    bench.write("threads", rows)


def graph(bench):
    """A planned ONNX graph against the same network as fused dense layers."""
    rows = []
    print("\nplanned ONNX graph against fused dense layers, 64 rows, forward and input gradient: ns a row")
    models = speed_cases.ROOT / "data" / "models"
    for name in ("wine", "housing", "wdbc"):
        both = bench.run("bench_graph", models / f"{name}.onnx", models / f"{name}.json", 64, bench.runs + 4)
        ratio = spread([p / f for p, f in zip(both["planned"], both["fused"])])
        rows.append({"table": name, "planned": spread(both["planned"]), "fused": spread(both["fused"]), "ratio": ratio})
        print(f"{name:9}{show(spread(both['planned'])):>22}{show(spread(both['fused'])):>22}   ratio{show(ratio):>20}", flush=True)
    bench.write("graph", rows)


def latency(bench):
    """One row alone: in a warm process, and from the start of a process with a fitted file."""
    data = speed_cases.ROOT / "data"
    scfe, fitted, one = bench.build / "scfe", bench.work / "wine.scfe", bench.work / "one.csv"
    subprocess.run([scfe, "fit", "--model", data / "models" / "wine.onnx", "--data", data / "wine.csv", "--schema",
                    data / "wine.schema.json", "-o", fitted], check=True, capture_output=True)
    with open(data / "wine.csv", newline="") as file:
        lines = list(csv.reader(file))
    with open(one, "w", newline="") as file:
        csv.writer(file).writerows([lines[0], lines[1]])
    warm, start = [], []
    for _ in range(bench.runs + 6):
        warm += bench.run("bench_search", "wine", "kde", 2, 1, 1, 20)["seconds"][5:]
        start.append(timed(lambda: subprocess.run([scfe, "explain", fitted, one, "-o", bench.work / "answer.csv"],
                                                  capture_output=True))[0])
    rows = [{"what": "one row, warm", "seconds": spread(warm)}, {"what": "process start to first answer", "seconds": spread(start)}]
    print("\none row of Wine, ms")
    for row in rows:
        print(f"{row['what']:34}{show(row['seconds'], 1e3):>22}")
    bench.write("latency", rows)


PARTS = {part.__name__: part for part in (apg, pipes, search, threads, graph, latency)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("results")
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []])
    parser.add_argument("--quick", action="store_true")
    arguments = parser.parse_intermixed_args()
    bench = Bench(arguments.build, arguments.results, arguments.quick)
    for part in arguments.parts or PARTS:
        PARTS[part](bench)


if __name__ == "__main__":
    main()
