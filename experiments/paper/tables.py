"""Tables 1-4: what the paper prints beside what was measured here, as CSV and Markdown."""
import csv
import json
import pathlib

from . import page, tasks
from .measure import METRICS
from .methods import BASES, DEFAULT, DENSITIES, SPARSITIES
from .methods import TUNED as TUNED_FORMS
from .places import RESULTS, SEED

PRINTED = json.loads((pathlib.Path(__file__).parent / "printed.json").read_text())
HEADS = {"validity": "valid %", "below": "below floor", "l2": "l2", "l0": "l0", "lof": "LOF", "kde": "KDE", "gmm": "GMM", "time": "s/100"}
DIGITS = {"validity": 0, "below": 0, "kde": 2, "gmm": 1}
OURS = ("ours", "ours-closest", "ours-typical")
EXACT = tuple(f"scfe-{d}-top_m" for d in DENSITIES)
TUNED = tuple(f"tuned-{d}-top_m" for d in DENSITIES)
EVERY = (*(f"scfe-{d}-{s}" for d in DENSITIES for s in SPARSITIES), *(f"tuned-{d}-{s}" for d in DENSITIES for s in TUNED_FORMS))

LOOSER = ("pcfe-public-l1", "pcfe-public-l2")
CEM = ("cem", "cem-ae", *(f"cem-{what}" for what in BASES))

SETS = (*tasks.SETS, "mnist")     # their order in the tables

# number -> (kind, caption, methods, with the densities)
TABLES = {
    1: ("linear", "logistic regression on 8 principal components, m = 1", (*EXACT, *TUNED, "pcfe", "pcfe-l2", *LOOSER, *OURS), False),
    2: ("mlp", "ReLU network 20-20 (MNIST: CNN), m = 2 (MNIST: 25)",
        (*EXACT, *TUNED, "dcfe", *CEM, "mip-live", "mip-live-any", "wachter", "nearest", *OURS), False),
    3: ("linear", "logistic regression, every variant", (*EVERY, "dcfe", "pcfe", "pcfe-l2", *LOOSER, "wachter", "nearest", *OURS), True),
    4: ("mlp", "ReLU network, every variant",
        (*EVERY, "dcfe", *CEM, "mip-live", "mip-live-any", "wachter", "nearest", *OURS), True),
}


def printed(number, name, label):
    return next((row for row in PRINTED if (row["table"], row["set"], row["method"]) == (number, name, label)), {})


def text(name, value):
    return "–" if value is None else f"{value:.{DIGITS.get(name, 2)}f}"


def with_deviation(name, mean, deviation):
    return text(name, mean) + (f" ({text(name, deviation)})" if deviation is not None else "")


def columns(number):
    """Those of a table: the means, of which a standard deviation is given, and which the paper prints, as it asks for no floor."""
    names = [name for name in METRICS if TABLES[number][3] or name not in ("kde", "gmm")]
    return names, [name for name in names if name not in ("validity", "below", "time")], [name for name in names if name != "below"]


def lines_of(number, name, cells):
    """The CSV lines of one set."""
    names, spread, paper = columns(number)
    for key in TABLES[number][2]:
        if key in cells:
            cell, means, deviations = cells[key], cells[key].means, cells[key].deviations
            there = printed(number, name, cell.method.label)
            yield {"set": name, "method": cell.method.label, "setting": cell.setting,
                   **{c: "" if means[c] is None else f"{means[c]:.4f}" for c in names},
                   **{f"{c}_std": "" if deviations[c] is None else f"{deviations[c]:.4f}" for c in spread},
                   **{f"paper_{c}": there.get(c, "") for c in paper}, "seed": SEED, "command": cell.answers.command}


def known(number):
    """The CSV lines of the last run."""
    path = RESULTS / f"table{number}.csv"
    if not path.exists():
        return []
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def write_csv(number, grids):
    """Of the sets that were run; the lines of the others stay."""
    kind = TABLES[number][0]
    of = {name: list(lines_of(number, name, cells)) for (name, k), cells in grids.items() if k == kind}
    names, spread, paper = columns(number)
    lines = [line for line in known(number) if line["set"] not in of] + [line for lines in of.values() for line in lines]
    with open(RESULTS / f"table{number}.csv", "w", newline="") as file:
        out = csv.DictWriter(file, ["set", "method", "setting", *names, *(f"{c}_std" for c in spread), *(f"paper_{c}" for c in paper),
                                    "seed", "command"], lineterminator="\n")
        out.writeheader()
        out.writerows(sorted(lines, key=lambda line: SETS.index(line["set"])))


def value(line, column):
    return float(line[column]) if line.get(column) else None


def section(number, name, lines, accuracy):
    names, _, paper = columns(number)
    yield f"### {name} (accuracy on the test rows {accuracy:.0f} %)"
    yield ""
    yield "| method | " + " | ".join([HEADS[n] for n in names] + [""] + [f"paper: {HEADS[n]}" for n in paper]) + " |"
    yield "| --- |" + " ---: |" * len(names) + " --- |" + " ---: |" * len(paper)
    for line in lines:
        bold = "**" if line["method"] == DEFAULT else ""
        there = any(line[f"paper_{n}"] for n in paper)
        yield (f"| {bold}{line['method']}{bold} | " + " | ".join(with_deviation(n, value(line, n), value(line, f"{n}_std")) for n in names) + " | | " +
               " | ".join(text(n, value(line, f"paper_{n}")) if there else "" for n in paper) + " |")
    yield ""


def write_markdown(number, accuracies):
    kind, caption, _, _ = TABLES[number]
    lines = [f"# Table {number}: {caption}", "",
             "Left: measured here on the same kind of split; right: as printed in the paper, which has no WDBC table. "
             "S-CFE is `paper` mode; settings are chosen on other rows than those measured. In brackets the standard deviation over the rows; `below floor` counts valid answers that are less "
             "typical than was asked. Time is processor seconds per 100 rows here, on eight cores there. "
             f"Made by `make paper`, seed {SEED}; the command of each row is in table{number}.csv.", ""]
    found = known(number)
    for name in dict.fromkeys(line["set"] for line in found):
        lines += section(number, name, [line for line in found if line["set"] == name], accuracies[name, kind])
    (RESULTS / f"table{number}.md").write_text("\n".join(lines).rstrip() + "\n")


def write(grids, accuracies):
    """The tables, and the accuracies of the models, which are shares here and percentages in their file."""
    percentages = {**known_accuracies(), **{key: 100 * share for key, share in accuracies.items()}}
    page.keep("accuracies", accuracy_lines(percentages))
    for number in TABLES:
        write_csv(number, grids)
        write_markdown(number, percentages)


def known_accuracies():
    """Those of the last run, as they were written."""
    found = {}
    for line in page.kept("accuracies")[2:]:
        name, *shares = (cell.strip() for cell in line.strip("|").split("|"))
        found |= {(name, kind): float(share.rstrip(" %")) for kind, share in zip(("linear", "mlp"), shares) if share}
    return found


def accuracy_lines(percentages):
    lines = ["| set | linear | network |", "| --- | ---: | ---: |"]
    for name in (name for name in SETS if (name, "mlp") in percentages):
        shares = (percentages.get((name, kind)) for kind in ("linear", "mlp"))
        lines.append(f"| {name} | " + " | ".join("" if share is None else f"{share:.1f} %" for share in shares) + " |")
    return lines


def write_runner_up(cells):
    """MNIST where the wished digit is the runner-up."""
    names = [name for name in METRICS if name != "kde"]
    with open(RESULTS / "runner_up.csv", "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["method", *names, "command"])
        out.writerows([cell.method.label, *(f"{cell.means[n]:.4f}" for n in names), cell.answers.command] for cell in cells.values())
    return ["| method | " + " | ".join(HEADS[n] for n in names) + " |", "| --- |" + " ---: |" * len(names),
            *(f"| {cell.method.label} | " + " | ".join(with_deviation(n, cell.means[n], cell.deviations.get(n)) for n in names) + " |"
              for cell in cells.values())]
