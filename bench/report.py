"""Makes the tables of speed in docs/benchmarks.md (all) and README.md (four lines), and the plot of growth.

    python bench/report.py bench/results

A table stands between the lines <!-- speed --> and <!-- /speed -->; parts that were not run are not in it.
"""

import csv
import json
import pathlib
import sys


def load(results, name):
    path = results / f"{name}.json"
    return json.loads(path.read_text()) if path.exists() else None


def span(values, digits=0):
    return f"{values['median']:.{digits}f} ({values['low']:.{digits}f}-{values['high']:.{digits}f})"


def lof_text(ours, theirs):
    """Where many training rows are alike in all numbers (Adult's capital gain of 0), LOF says nothing."""
    ours, theirs = ours["lof"], theirs["lof"]
    return f", LOF of the numbers {ours:.2f} against {theirs:.2f}" if max(ours, theirs) < 100 else ""


def rows_of(results):
    """(what, figure, command) for each part that has results."""
    for row in (load(results, "apg") or {"rows": []})["rows"]:
        yield (f"`apg`, {row['table']}, {row['density']}: times faster than batched PyTorch, the same 2000 gradients",
               span(row["ratio"]), "scripts/bench apg")
    for row in (load(results, "pipes") or {"rows": []})["rows"]:
        yield f"`apg`, {row['table']}, {row['density']}, 1600 rows, best of nine: share of one core's multiply-add limit", f"{row['share']:.0%}", "scripts/bench pipes"
    for row in (load(results, "search") or {"rows": []})["rows"]:
        yield (f"`search`, {row['table']}, {row['density']}, m = 2: times faster per valid answer than `apg` in PyTorch",
               span(row["ratio"]), "scripts/bench search")
        yield f"`search`, {row['table']}, {row['density']}, m = 2: rows a second on one core", span(row["rows_per_second"]), "scripts/bench search"
    for row in (load(results, "cnn") or {"rows": []})["rows"]:
        yield (f"{row['model']}, forward and input gradient, {row['threads']} thread(s): times faster than PyTorch",
               span(row["ratio"], 1), "scripts/bench cnn")
    for row in (load(results, "graph") or {"rows": []})["rows"]:
        yield f"planned ONNX graph against fused layers, {row['table']}: time", span(row["ratio"], 2) + " x", "scripts/bench graph"
    for row in (load(results, "threads") or {"rows": []})["rows"]:
        yield f"`{row['solver']}`, 1000 rows of Wine: two threads against one", span(row["ratio"], 2) + " x", "scripts/bench threads"
    for row in (load(results, "latency") or {"rows": []})["rows"]:
        scaled = {key: 1e3 * value for key, value in row["seconds"].items()}
        yield f"Wine, {row['what']}", span(scaled, 1) + " ms", "scripts/bench latency"
    for name in ("german_credit", "adult"):
        record = load(results, f"dice_{name}")
        for key, floor in (("scfe", "10 % floor, which DiCE has not"), ("scfe_no_floor", "no floor on either side")):
            if record and key in record:
                ours, theirs = record[key], record["dice"]
                yield (f"{name}, {record['rows']} rows, {floor}: times faster than DiCE {record['method']} "
                       f"(valid {ours['valid']:.0f} against {theirs['valid']:.0f}, changes "
                       f"{ours['changes']:.2f} against {theirs['changes']:.2f}{lof_text(ours, theirs)}; load {record['load']:.0f})",
                       f"{theirs['seconds'] / ours['seconds']:.0f}", "scripts/bench dice")


def front(results):
    """The README's four lines."""
    dice, apg, search, latency = (load(results, part) for part in ("dice_german_credit", "apg", "search", "latency"))
    ratios = [f"{row['ratio']['median']:.0f}" for row in apg["rows"] if row["density"] == "kde"]
    rates = [f"{row['rows_per_second']['median']:,.0f}".replace(",", " ") for row in search["rows"] if row["density"] == "kde"]
    warm, start = (f"{1e3 * row['seconds']['median']:.1f} ms" for row in latency["rows"])
    ours, theirs = dice["scfe"], dice["dice"]
    lines = [
        (f"times faster than DiCE, German Credit ({ours['changes']:.2f} changes a row against {theirs['changes']:.2f})",
         f"{theirs['seconds'] / ours['seconds']:.0f}", "scripts/bench dice"),
        ("the paper's algorithm, times faster than in batched PyTorch: Wine, Housing, WDBC", ", ".join(ratios), "scripts/bench apg"),
        ("rows a second on one core, two changes: Wine, Housing, WDBC", ", ".join(rates), "scripts/bench search"),
        ("one row, in a warm process; from the start of a process", f"{warm}; {start}", "scripts/bench latency"),
    ]
    return "\n".join(["| | | measured by |", "| --- | --- | --- |", *(f"| {a} | {b} | `{c}` |" for a, b, c in lines)])


def table(results):
    machines = [load(results, p)["machine"] for p in ("apg", "search", "latency") if load(results, p)]
    lines = ["| what | measured | command |", "| --- | --- | --- |"]
    lines += [f"| {what} | {figure} | `{command}` |" for what, figure, command in rows_of(results)]
    if machines:
        m = machines[0]
        lines += ["", f"Median (middle half) of at least five alternating runs; {m['cores']} cores of {m['cpu']}, {m['compiler']}, "
                  f"PyTorch {m['torch']}, commit {m['commit']}, {m['date']}, load {m['load']} beside it. "
                  "DiCE: an earlier run, at the load in its rows."]
    return "\n".join(lines)


def read_csv(path):
    if not path.exists():
        return []
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def draw(axes, curves, x, y):
    for name, points in curves.items():
        axes.plot(*zip(*sorted(points)), marker="o", markersize=4, label=name)
    axes.set_xscale("log")
    at = sorted({place for points in curves.values() for place, _ in points})
    axes.set_xticks(at, [f"{place:,.0f}".replace(",", " ") for place in at])
    axes.minorticks_off()
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.grid(alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)


def plot(results):
    """Growth over training rows (a gradient of each density), features, rows and threads (a row of `search`)."""
    densities, panels = {}, {}
    for row in read_csv(results / "growth.csv"):
        densities.setdefault(f"{row['density']}, {row['data']}", []).append((float(row["n"]), float(row["us_per_gradient"])))
    for row in read_csv(results / "curves.csv"):
        panels.setdefault(row["curve"], []).append((float(row["at"]), float(row["ms_per_row"])))
    if not densities or not panels:
        return
    import matplotlib
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "growth"
    import matplotlib.pyplot as plt
    figure, axes = plt.subplots(2, 2, figsize=(9, 7))
    draw(axes[0, 0], densities, "training rows of the class", "microseconds a gradient (anchor, query)")
    axes[0, 0].set_yscale("log")
    axes[0, 0].set_ylim(top=2e5)  # room for the names
    axes[0, 0].legend(fontsize=6.5, ncols=2, loc="upper left", frameon=False)
    for at, curve in zip(axes.flat[1:], ("features", "rows", "threads")):
        draw(at, {curve: panels[curve]}, curve, "milliseconds a row, search")
        at.set_ylim(0, 1.1 * max(time for _, time in panels[curve]))
    axes[0, 1].set_title("above 64 features: the search for images", fontsize=8)
    figure.tight_layout()
    figure.savefig(results / "growth.svg", metadata={"Date": None})


def fill(page, text):
    head, _, rest = page.read_text().partition("<!-- speed -->\n")
    _, end, tail = rest.partition("<!-- /speed -->")
    if not end:
        sys.exit(f"{page}: no <!-- speed --> ... <!-- /speed --> to fill")
    page.write_text(f"{head}<!-- speed -->\n{text}\n{end}{tail}")


def main():
    results, root = pathlib.Path(sys.argv[1]), pathlib.Path(__file__).resolve().parent.parent
    fill(root / "docs" / "benchmarks.md", table(results))
    fill(root / "README.md", front(results))
    plot(results)


if __name__ == "__main__":
    main()
