"""Regenerates the evaluation of the S-CFE paper: tables 1-4, figures 1-5, docs/paper.md.

Usage: paper.py [--quick] [--only PART ...]      parts: tables, toy, robustness, mnist

Needs build/scfe and build/bench/bench_trajectory; `make paper` builds them. Raw answers stay in build/paper and are
not made again: a run that was stopped goes on. MNIST is taken from build/mnist (`make mnist`) if it is there.
"""
import argparse
import time

from paper import bars, cells, live, page, robustness, tables, tasks, toy
from paper.places import RESULTS, WORK

PARTS = ("tables", "toy", "robustness", "mnist")


def run_tables(quick):
    grids, accuracies, found = {}, {}, []
    for name in tasks.SETS:
        for kind in tasks.KINDS:
            task = tasks.task(name, kind)
            accuracies[name, kind] = task.accuracy["test"]
            grids[name, kind] = cells.grid(task, kind, quick)
            found += bars.check(task, grids[name, kind])
    tables.write(grids, accuracies)
    page.keep("bars", bars.lines(found))
    for line in bars.lines(found):
        print(line)


def run_pictures(quick):
    toy.run(quick)
    live.run(quick)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    asked = parser.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)
    RESULTS.mkdir(parents=True, exist_ok=True)
    for part in asked.only:
        began = time.monotonic()
        {"tables": run_tables, "toy": run_pictures, "robustness": robustness.run}[part](asked.quick)
        print(f"== {part}: {time.monotonic() - began:.0f} s")
    page.write()


if __name__ == "__main__":
    main()
