"""Regenerates the evaluation of the S-CFE paper: tables 1-4, figures 1-6, docs/paper.md.

Usage: paper.py [--quick] [--only PART ...]      parts: tables, toy, live, robustness, digits, splits

Needs build/scfe and build/bench/bench_trajectory; `make paper` builds them. Raw answers stay in build/paper and are
not made again: a run that was stopped goes on. MNIST is taken from build/mnist (`make mnist`) if it is there.
"""
import argparse
import os
import subprocess
import sys
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before numpy: the tables are small, waiting threads only cost
from paper import bars, cells, cem, digits, images, live, mnist, page, robustness, splits, tables, tasks, toy
from paper.places import RESULTS, WORK


def run_tables(quick):
    grids, accuracies, found = {}, {}, []
    for name in tasks.SETS:
        for kind in tasks.KINDS:
            task = tasks.task(name, kind)
            accuracies[name, kind] = task.accuracy["test"]
            grids[name, kind] = cells.grid(task, kind, quick)
            found += bars.check(task, grids[name, kind])
    if images.there():
        task, grids["mnist", "mlp"] = mnist.grid(quick)
        accuracies["mnist", "mlp"] = task.accuracy["test"]
        found += bars.check_images(task, grids["mnist", "mlp"])
        page.keep("runner_up", tables.write_runner_up(mnist.runner_up(task, grids["mnist", "mlp"])))
    tables.write(grids, accuracies)
    cem.positives()
    page.keep("bars", bars.lines(found))
    page.keep("accuracies", tables.accuracy_lines(accuracies))
    print(*bars.lines(found), sep="\n")


def run_digits(quick):
    if images.there():
        digits.run(quick)
        page.keep("digits", ["![](../experiments/results/figure1.png)"])
    else:
        page.keep("digits", ["no MNIST in build/mnist (`make mnist`): left out, like its rows of tables 2 and 4"])


PARTS = {"tables": run_tables, "toy": toy.run, "live": live.run, "robustness": robustness.run, "digits": run_digits,
         "splits": splits.run}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", nargs="+", choices=PARTS)
    asked = parser.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)
    RESULTS.mkdir(parents=True, exist_ok=True)
    for part in asked.only or PARTS:
        began = time.monotonic()
        PARTS[part](asked.quick)
        print(f"== {part}: {time.monotonic() - began:.0f} s", flush=True)
    subprocess.run([sys.executable, page.CHECK, "--write"], check=False)


if __name__ == "__main__":
    main()
