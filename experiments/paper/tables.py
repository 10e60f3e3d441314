"""Tables 1-4: what the paper prints beside what was measured here, as CSV and Markdown."""
import csv
import json
import pathlib

from .measure import METRICS
from .methods import BASES, DENSITIES, SPARSITIES
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


def of_paper(names):
    """What the paper prints; it asks for no floor."""
    return [name for name in names if name != "below"]


def columns(with_densities):
    return [name for name in METRICS if with_densities or name not in ("kde", "gmm")]


def rows_of(number, name, cells):
    _, _, methods, _ = TABLES[number]
    for key in methods:
        if key in cells:
            cell = cells[key]
            yield cell, cell.means, cell.deviations, printed(number, name, cell.method.label)


def write_csv(number, grids):
    kind, _, _, dense = TABLES[number]
    path = RESULTS / f"table{number}.csv"
    with open(path, "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        names = columns(dense)
        spread = [name for name in names if name not in ("validity", "below", "time")]
        out.writerow(["set", "method", "setting", *names, *(f"{name}_std" for name in spread), *(f"paper_{name}" for name in of_paper(names)),
                      "seed", "command"])
        for (name, of), cells in grids.items():
            if of == kind:
                for cell, means, deviations, paper in rows_of(number, name, cells):
                    out.writerow([name, cell.method.label, cell.setting,
                                  *("" if means[c] is None else f"{means[c]:.4f}" for c in names),
                                  *("" if deviations[c] is None else f"{deviations[c]:.4f}" for c in spread),
                                  *(paper.get(c, "") for c in of_paper(names)), SEED, cell.answers.command])


def section(number, name, cells, accuracy):
    names = columns(TABLES[number][3])
    lines = [f"### {name} (accuracy on the test rows {100 * accuracy:.0f} %)", "",
             "| method | " + " | ".join([HEADS[n] for n in names] + [""] + [f"paper: {HEADS[n]}" for n in of_paper(names)]) + " |",
             "| --- |" + " ---: |" * len(names) + " --- |" + " ---: |" * len(of_paper(names))]
    for cell, means, deviations, paper in rows_of(number, name, cells):
        bold = "**" if cell.method.key == "ours" else ""
        lines.append(f"| {bold}{cell.method.label}{bold} | " + " | ".join(with_deviation(n, means[n], deviations.get(n)) for n in names) + " | | " +
                     " | ".join(text(n, paper.get(n)) if paper else "" for n in of_paper(names)) + " |")
    return lines + [""]


def write_markdown(number, grids, accuracies):
    kind, caption, _, _ = TABLES[number]
    lines = [f"# Table {number}: {caption}", "",
             "Left: measured here on the same kind of split; right: as printed in the paper, which has no WDBC table. "
             "S-CFE is `paper` mode; settings are chosen on other rows than those measured. In brackets the standard deviation over the rows; `below floor` counts valid answers that are less "
             "typical than was asked. Time is processor seconds per 100 rows here, on eight cores there. "
             f"Made by `make paper`, seed {SEED}; the command of each row is in table{number}.csv.", ""]
    for (name, of), cells in grids.items():
        if of == kind:
            lines += section(number, name, cells, accuracies[name, of])
    (RESULTS / f"table{number}.md").write_text("\n".join(lines).rstrip() + "\n")


def write(grids, accuracies):
    RESULTS.mkdir(parents=True, exist_ok=True)
    for number in TABLES:
        write_csv(number, grids)
        write_markdown(number, grids, accuracies)


def accuracy_lines(accuracies):
    lines = ["| set | linear | network |", "| --- | ---: | ---: |"]
    for name in dict.fromkeys(name for name, _ in accuracies):
        shares = (accuracies.get((name, kind)) for kind in ("linear", "mlp"))
        lines.append(f"| {name} | " + " | ".join("" if share is None else f"{100 * share:.1f} %" for share in shares) + " |")
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
