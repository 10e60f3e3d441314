"""Is what we call valid and proven true of every tree ensemble, pipeline and precision?

    python interop_forests.py path/to/run_onnx path/to/scfe               a seeded sample, within six minutes
    python interop_forests.py path/to/run_onnx path/to/scfe --full        all combinations; goes on where the same binary stopped
        [--jobs N] [--seed N] [--rows N] [--results FILE] [--only TEXT] [--keep FOLDER] [--seconds N] [--list]

A combination is a table, a model, its preprocessing and the precision of its export. For each, the model is trained and
exported, `scfe fit` and several `scfe explain` run on it, and the written CSV is judged:

  - every answer said valid must have the target class (and probability) both for the library itself, on a frame with the
    types that it was trained on, and for ONNX Runtime on the exported file, with the types that the file declares;
  - no answer called proven may be farther than a writable row that the library and ONNX Runtime both accept, and no row
    may be said to have none if there is one (brute force over writable rows, see forest_brute.py);
  - the distances that scfe reports and the values that it writes must be those of forest_brute.py.

Answers that are not proven and farther than brute force, and rows without a proof that have an answer, are counted only.
`ties` counts rows where something closer wins by no more than the margin of 1e-4 logits, which is never called valid;
`m = 1 rows` and `m = 2 rows` those for which every writable row was tried.
A file may disagree with its library on the training rows themselves, which nobody can see in the file. Below 99 %
agreement the library's refusals are counted apart, under `export`, and do not fail.
"""
import argparse
import hashlib
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pandas

import forest_brute as brute
import forest_models as models
import forest_tables as tables
from interop import Report

SAME_MODEL = 0.99  # below this agreement on the training rows, an export is not its model
TIME_LIMIT = "20"  # seconds for each call of explain
FOUND = ("valid", "below_floor", "already")
COUNTS = ["answers", "library", "runtime", "export", "proven", "false", "farther", "missed", "ties", "ones", "pairs"]
ALWAYS = [("gaps", "random forest", "standard", p) for p in ("float", "double", "frame")]  # whole numbers on rounded splits
QUICK = dict(combinations=64, rows=12, pair_rows=4, singles=20_000, pairs=60_000, seconds=None)
FULL = dict(combinations=None, rows=16, pair_rows=6, singles=300_000, pairs=2_000_000, seconds=None)


def questions(case, rng):
    """name, flags, limits for brute force"""
    features = list(case.table.features)
    frozen = [str(f) for f in rng.choice(features, max(1, len(features) // 3), replace=False)]
    yield "m = 1", ["--max-changes", "1"], dict(changes=1)
    yield "m = 2, closest", ["--max-changes", "2", "--fewest-first", "false"], dict(changes=2, fewest=False)
    yield "m = 1, frozen", ["--max-changes", "1", "--freeze", ",".join(frozen)], dict(changes=1, frozen=frozen)
    yield "m = 2, frozen", ["--max-changes", "2", "--freeze", ",".join(frozen)], dict(changes=2, frozen=frozen)
    yield "two answers", ["--max-changes", "1", "--answers", "2"], dict(changes=1)
    yield "probability", ["--max-changes", "1", "--probability", "70%"], dict(changes=1, probability=0.7)
    yield "probability, m = 2", ["--max-changes", "2", "--probability", "70%"], dict(changes=2, probability=0.7)
    yield "floor", ["--max-changes", "2", "--plausible", "10%"], None


class Failed(Exception):
    """What scfe said."""


def run(command, folder):
    with open(os.path.join(folder, "commands.sh"), "a") as file:
        file.write(shlex.join(command) + "\n")
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    if done.returncode > 1 or done.returncode < 0:
        raise Failed(f"{' '.join(command[1:])}: {done.stderr.strip()[-300:] or 'exit code ' + str(done.returncode)}")


def explain(scfe, folder, rows, name, flags):
    """The answers: a frame of the CSV as text, with the distances of the JSON lines."""
    stem = "".join(c if c.isalnum() else "_" for c in name)
    run([scfe, "explain", "model.scfe", rows, *flags, "--hints", "false", "--threads", "1", "--time-limit", TIME_LIMIT,
         "-o", stem + ".csv", "-o", stem + ".json"], folder)
    answers = pandas.read_csv(os.path.join(folder, stem + ".csv"), dtype=str, keep_default_na=False)
    with open(os.path.join(folder, stem + ".json")) as file:
        lines = [json.loads(line) for line in file][1:]
    if len(lines) != len(answers):
        raise Failed(f"{name}: {len(answers)} lines of CSV, {len(lines)} of JSON")
    answers["scfe_l2"] = [line.get("metrics", {}).get("l2", np.nan) for line in lines]
    return answers


def asked(case, target, count, rng):
    """Row numbers: mostly of another class, a few of the target class; training rows and others."""
    known = case.library(case.table.frame)[0]
    other, same = np.flatnonzero(known != target), np.flatnonzero(known == target)
    few = min(len(same), 1 + count // 12)
    return np.concatenate([rng.permutation(other)[: count - few], rng.permutation(same)[:few]])


class Judge:
    """Counts over the answers of one combination."""

    def __init__(self, case, settings, rng):
        self.case, self.settings, self.rng = case, settings, rng
        self.counts = dict.fromkeys(COUNTS, 0)
        self.examples = {}
        self.odd = None  # an answer whose values or distance brute force cannot reproduce
        self.space = brute.Space(case.table, "drop" in case.flags)
        self.same_model = case.agreement >= SAME_MODEL

    def example(self, kind, **what):
        self.examples.setdefault(kind, what)

    def validity(self, name, command, answers, rows, target, probability):
        given = answers[answers["status"].isin(FOUND)]
        if given.empty:
            return
        written = self.case.table.parse(given)
        self.counts["answers"] += len(given)
        for side, predict in (("library", self.case.library), ("runtime", self.case.runtime)):
            if predict is None:
                continue
            wrong = ~brute.reached(*predict(written), target, probability, -1e-6 if probability else 0.0)
            key = "export" if side == "library" and not self.same_model else side
            self.counts[key] += int(wrong.sum())
            if wrong.any():
                at = int(np.flatnonzero(wrong)[0])
                self.example("refused by " + key, question=name, flags=command, target=target,
                             row=rows.iloc[int(given["row"].iloc[at]) - 1].to_dict(), answer=written.iloc[at].to_dict(),
                             said=f"class {predict(written)[0][at]}, probability {predict(written)[1][at, target]:.9g}")

    def closeness(self, name, command, answers, rows, target, limits):
        pair_rows = 0
        previous = {}  # row -> features of its closer answers
        table = self.case.table
        for index, line in answers.iterrows():
            number, status = int(line["row"]), line["status"]
            if status not in (*FOUND, "not_found") or "is missing" in line["reason"]:
                continue
            row = rows.iloc[number - 1]
            if row.isna().any():  # distances from a filled cell are not defined here
                continue
            proven = line.get("proven") == "true"
            self.counts["proven"] += proven
            if status == "already":
                continue
            exclude = previous.setdefault(number, [])
            ours, size = np.inf, limits["changes"]
            if status != "not_found":
                answer = table.parse(answers.loc[[index]]).iloc[0]
                changed = [f for f in table.features if answer[f] != row[f]]
                ours, size = self.space.distance(row, answer), len(changed)
                self.reproduce(name, row, answer, changed, ours, line["scfe_l2"])
            if limits["changes"] > 1:
                pair_rows += 1
                if pair_rows > self.settings["pair_rows"]:
                    continue
            found = brute.closest(self.case, self.space, row, target, limits, ours, size, exclude, self.settings, self.rng)
            self.counts["pairs" if found.paired else "ones"] += found.complete
            self.counts["ties"] += found.ties
            if found.row is not None:
                kind = ("false" if proven else "missed" if status == "not_found" else
                        "farther" if ours > 1.01 * found.distance or size > found.size else None)
                if kind:
                    self.counts[kind] += 1
                    self.example(kind, question=name, flags=command, target=target, row=row.to_dict(),
                                 answer=None if status == "not_found" else answer.to_dict(), distance=ours,
                                 closer=found.row, closer_distance=found.distance)
            if status != "not_found":
                exclude.extend(changed)

    def reproduce(self, name, row, answer, changed, ours, theirs):
        outside = [f for f in changed if not self.space.writable(f, row[f], answer[f])]
        if outside or not abs(ours - float(theirs)) <= 1e-9 * max(1, ours):
            self.odd = self.odd or (f"{name}: distance {theirs} reported, {ours} computed; not writable: {outside}; "
                                    f"{row.to_dict()} -> {answer.to_dict()}")


def check(scfe, combination, settings, seed, keep):
    """The result of one combination: a dictionary that goes into the results file."""
    start = time.time()
    key = " | ".join(combination)
    rng = np.random.default_rng([seed, *key.encode()])
    folder = tempfile.mkdtemp(prefix="forests-")
    result = dict(key=key, counts=dict.fromkeys(COUNTS, 0), examples={}, problem=None, skipped=None, agreement=1.0)
    try:
        case = models.build(tables.load(combination[0]), *combination[1:], folder, int(rng.integers(1000)))
        result["agreement"] = case.agreement
        judge = Judge(case, settings, rng)
        case.table.train().to_csv(os.path.join(folder, "train.csv"), index=False)
        run([scfe, "fit", "--model", case.file, "--data", "train.csv", "--label", "class", "--learned-rules", "none", "-o", "model.scfe", "--threads", "1",
             *case.flags], folder)
        for number, (name, flags, limits) in enumerate(questions(case, rng)):
            target = int(rng.integers(case.classes))
            rows = case.table.frame.iloc[asked(case, target, settings["rows"], rng)]
            rows.to_csv(os.path.join(folder, f"rows{number}.csv"), index=False)
            flags = ["--target", str(target), *flags] + ([] if "--plausible" in flags else ["--plausible", "none"])
            answers = explain(scfe, folder, f"rows{number}.csv", name, flags)
            judge.validity(name, " ".join(flags), answers, rows, target, (limits or {}).get("probability"))
            if limits:
                judge.closeness(name, " ".join(flags), answers, rows, target, limits)
        result.update(counts=judge.counts, examples=judge.examples)
        c = judge.counts
        if judge.odd:
            result["problem"] = "this script measures otherwise than scfe: " + judge.odd
        elif c["library"] or c["runtime"] or c["false"]:
            result["problem"] = (f"of {c['answers']} answers {c['library']} refused by the library, {c['runtime']} by ONNX Runtime; "
                                 f"of {c['proven']} proofs {c['false']} false")
    except models.NoExport as error:
        result["skipped"] = str(error)
    except Failed as error:
        result["problem"] = str(error)
    result["seconds"] = round(time.time() - start, 1)
    if keep and result["problem"]:
        place = os.path.join(keep, "".join(c if c.isalnum() else "_" for c in key))
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(folder, place)
        with open(os.path.join(place, "example.json"), "w") as file:
            json.dump({k: result[k] for k in ("key", "problem", "agreement", "examples")}, file, indent=1, default=plain)
    shutil.rmtree(folder)
    return result


def plain(value):
    """NumPy numbers for json."""
    return value.item() if isinstance(value, np.generic) else str(value)


def combinations():
    """(table, model, preprocessing, precision), in a fixed order; reasons why a table is left out."""
    left_out, found = [], []
    for name in tables.NAMES:
        table = tables.load(name)
        if table is None:
            left_out.append(f"table {name} left out: {tables.why_absent(name)}")
            continue
        found += [(name, *rest) for rest in models.choices(table)]
    return found, left_out + models.absent()


def sample(all_of_them, count, seed):
    """A seeded choice in which every table, model, preprocessing and precision occurs about equally often."""
    rng = np.random.default_rng(seed)
    pool, seen, chosen = [all_of_them[i] for i in rng.permutation(len(all_of_them)) if all_of_them[i] not in ALWAYS], {}, list(ALWAYS)
    while pool and len(chosen) < count:
        rare = [sum(seen.get(part, 0) for part in enumerate(c)) + 3 * seen.get(c[1:], 0) for c in pool]
        best = pool.pop(int(np.argmin(rare)))
        chosen.append(best)
        for part in (*enumerate(best), best[1:]):
            seen[part] = seen.get(part, 0) + 1
    return chosen


def work(arguments):
    warnings.filterwarnings("ignore")
    return check(*arguments)


def show(cells):
    """Cells as they are written: whole numbers without a point."""
    return ", ".join(f"{k} {int(v) if isinstance(v, float) and v == int(v) else v}" for k, v in cells.items())


def print_examples(result):
    for kind, e in result["examples"].items():
        if kind in ("farther", "missed"):
            continue
        print(f"    {kind}, {e['question']}: {e['flags']}")
        print(f"      row     {show(e['row'])}")
        if e.get("answer") is None:
            print("      answer  none")
        else:
            changed = {k: v for k, v in e["answer"].items() if v != e["row"][k]}
            print(f"      answer  {show(changed)}" + (f"   (distance {e['distance']:.6g})" if "distance" in e else f"   ({e['said']})"))
        if "closer" in e:
            print(f"      closer  {show(e['closer'])}   (distance {e['closer_distance']:.6g})")


def add(report, r):
    """One case of the report, with examples if it failed."""
    if r["skipped"]:
        print(f"skipped {r['key']}: {r['skipped']}")
        return
    note = f"the file agrees with its library on {100 * r['agreement']:.1f} % of the table" if r["agreement"] < SAME_MODEL else ""
    report.add(r["key"], r["problem"] and "; ".join(filter(None, (r["problem"], note))), note)
    if r["problem"]:
        print_examples(r)


def save(path, result):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "a") as file:
        file.write(json.dumps(result, default=plain) + "\n")


def print_table(results):
    """One line per model, preprocessing and precision, and the total."""
    heading = ["model", "preprocessing", "precision", "answers", "refused: library", "ORT", "export", "proven", "false proofs",
               "farther > 1 %", "missed", "ties", "m = 1 rows", "m = 2 rows"]
    groups = {}
    for r in results:
        key = tuple(r["key"].split(" | ")[1:])
        group = groups.setdefault(key, dict.fromkeys(COUNTS, 0))
        for name in COUNTS:
            group[name] += r["counts"][name]
    lines = [[*key, *(str(c[n]) for n in COUNTS)] for key, c in sorted(groups.items())]
    lines.append(["total", "", "", *(str(sum(c[n] for c in groups.values())) for n in COUNTS)])
    width = [max(len(line[i]) for line in [heading, *lines]) for i in range(len(heading))]
    for line in [heading, *lines]:
        print("  ".join(cell.ljust(w) if i < 3 else cell.rjust(w) for i, (cell, w) in enumerate(zip(line, width))))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("run_onnx")
    parser.add_argument("scfe")
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=21)
    parser.add_argument("--rows", type=int, help="rows of each question")
    parser.add_argument("--results", default="build/forests.jsonl", help="with --full: what is done so far")
    parser.add_argument("--only", help="combinations whose name contains this text, all of them")
    parser.add_argument("--keep", help="folder for the files of combinations that fail")
    parser.add_argument("--seconds", type=int, help="begin no further combination after this time")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    settings = dict(FULL if options.full else QUICK)
    settings.update({k: v for k, v in (("rows", options.rows), ("seconds", options.seconds)) if v})
    todo, left_out = combinations()
    if options.only:
        todo = [c for c in todo if options.only in " | ".join(c)]
    elif settings["combinations"]:
        todo = sample(todo, settings["combinations"], options.seed)
    for line in left_out:
        print(line)
    if options.list:
        print(*(" | ".join(c) for c in todo), f"{len(todo)} combinations", sep="\n")
        return
    report, results, scfe = Report(), [], os.path.abspath(options.scfe)
    with open(scfe, "rb") as file:
        asked_as = [options.seed, settings["rows"], hashlib.sha256(file.read()).hexdigest()[:16]]
    if options.full and os.path.exists(options.results):
        with open(options.results) as file:
            done = {r["key"]: r for r in map(json.loads, file) if r["asked"] == asked_as}
        results = [done[" | ".join(c)] for c in todo if " | ".join(c) in done]
        todo = [c for c in todo if " | ".join(c) not in done]
        print(f"{len(results)} combinations from {options.results}, {len(todo)} to do")
        for r in results:
            add(report, r)
    with ProcessPoolExecutor(options.jobs) as pool:
        jobs = [(scfe, c, settings, options.seed, options.keep) for c in todo]
        for number, r in enumerate(pool.map(work, jobs), 1):
            results.append(r)
            add(report, r)
            if options.full:
                save(options.results, r | {"asked": asked_as})
            if settings["seconds"] and time.time() - report.start > settings["seconds"] and number < len(jobs):
                print(f"{len(jobs) - number} combinations were left out: {settings['seconds']} seconds are over")
                break
        pool.shutdown(cancel_futures=True)
    print()
    print_table(results)
    report.finish()


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    main()
