"""Regenerates the evaluation of the S-CFE paper: tables 1-4, figures 1-6, docs/paper.md.

Usage: paper.py [--quick] [--quick-images] [--only PART ...]      parts: tables, toy, live, robustness, digits, splits, images

Needs build/scfe and build/bench/bench_trajectory; `make paper` builds them. Raw answers stay in build/paper and are
not made again: a run that was stopped goes on. MNIST is taken from build/mnist (`make mnist`) if it is there. --quick tries fewer
settings and has 50 images, --quick-images has all settings of the tables and 50 images. What was run how is in results/runs.md.
"""
import argparse
import json
import os
import subprocess
import sys
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before numpy: the tables are small, waiting threads only cost
from paper import bars, cells, cem, command, digits, images, live, mnist, page, robustness, splits, tables, tasks, toy
from paper.places import RESULTS, WORK


def keep_tables(grids, accuracies, found):
    """Of the tables, bars and accuracies these sets; what is there of others stays."""
    tables.write(grids, accuracies)
    page.keep("bars", bars.lines(found, page.kept("bars")))
    print(*bars.lines(found), sep="\n")


def run_tables(quick):
    """Every set but MNIST, one after the other."""
    grids, accuracies, found = {}, {}, []
    for name in tasks.SETS:
        for kind in tasks.KINDS:
            task = tasks.task(name, kind)
            accuracies[name, kind] = task.accuracy["test"]
            grids[name, kind] = cells.grid(task, kind, quick)
            found += bars.check(task, grids[name, kind])
    cem.positives()
    keep_tables(grids, accuracies, found)


def run_images(quick):
    task, grid = mnist.grid(quick)
    page.keep("runner_up", tables.write_runner_up(mnist.runner_up(task, grid)))
    keep_tables({("mnist", "mlp"): grid}, {("mnist", "mlp"): task.accuracy["test"]}, bars.check_images(task, grid))


def run_digits(quick):
    digits.run(quick)
    page.keep("digits", ["![](../experiments/results/figure1.png)"])


PARTS = {"tables": run_tables, "toy": toy.run, "live": live.run, "robustness": robustness.run, "digits": run_digits, "splits": splits.run,
         "images": run_images}         # the longest last
NEED_MNIST = ("digits", "images")
WORDS = {"tables": "tables 1 to 4 but MNIST, bars", "images": "MNIST", "toy": "figures 2 and 4", "live": "figure 5", "robustness": "figure 3",
         "digits": "figure 1", "splits": "five other splits, figure 6"}


def minutes_text(minutes):
    return "–" if minutes is None else f"{minutes:.1f}"


def noted(part, quick, minutes=None):
    """Says in results/runs.md how a part was run, by which build, and what scfe took for it."""
    path = RESULTS / "runs.json"
    runs = json.loads(path.read_text()) if path.exists() else {}
    which = "quick" if quick else "full"
    runs[part] = {"run": f"{which}, {images.ROWS[quick]} images" if part == "images" else which, "build": command.build(),
                  "cpu_minutes": round(sum(command.spent.values()) / 60, 1) if minutes is None else minutes}
    command.spent.clear()
    path.write_text(json.dumps(runs, indent=1) + "\n")
    page.keep("runs", ["| part | run | build of scfe | processor minutes of scfe |", "| --- | --- | --- | ---: |",
                       *(f"| {WORDS[name]} | {run['run']} | {run['build']} | {minutes_text(run['cpu_minutes'])} |"
                         for name, run in ((name, runs[name]) for name in WORDS if name in runs))])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--quick-images", action="store_true")
    parser.add_argument("--only", nargs="+", choices=PARTS)
    asked = parser.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)
    RESULTS.mkdir(parents=True, exist_ok=True)
    for part in asked.only or PARTS:
        if part in NEED_MNIST and not images.there():
            print(f"== {part}: no MNIST in build/mnist (`make mnist`), what is there of it stays as it is")
            continue
        began, quick = time.monotonic(), asked.quick or (part == "images" and asked.quick_images)
        noted(part, quick, PARTS[part](quick))
        print(f"== {part}: {time.monotonic() - began:.0f} s", flush=True)
    subprocess.run([sys.executable, page.CHECK, "--write"], check=False)


if __name__ == "__main__":
    main()
