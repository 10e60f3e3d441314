#!/usr/bin/env python3
"""docs/paper.md: its words are experiments/paper/page.md, its numbers the result files. Plain Python, no packages.

    check_claims.py             docs/paper.md is what the words and the results give; every number of the words has a source
    check_claims.py --write     writes docs/paper.md
    check_claims.py --itself    also changes each number of the page's prose in turn, and each must be noticed

In page.md `{name}` is experiments/results/name.md, `{=expression:.2f}` a number of the result files, and
`{? expression}` a claim in words that has to be true; it leaves nothing on the page. A number that is written out is refused,
but for names such as l2, p = 1/2 and table 1.
"""

from __future__ import annotations

import ast
import csv
import json
import re
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RESULTS, WORDS, PAGE = ROOT / "experiments/results", ROOT / "experiments/paper/page.md", ROOT / "docs/paper.md"
CODE = ROOT / "experiments/paper"
PART = re.compile(r"\{(\w+)\}")
NUMBER = re.compile(r"\{=((?:[^{}]|\{[^{}]*\})*?)(?::(\.\d+f))?\}", re.DOTALL)
CLAIM = re.compile(r"[ \t]*\{\?((?:[^{}]|\{[^{}]*\})*)\}[ \t]*\n?", re.DOTALL)
NAMES = re.compile(r"`[^`]*`|\]\([^)]*\)|<[^>]*>|\bl[012]\b|\bp = (?:1/2|2/3|0|1)(?:(?:, | and )(?:1/2|2/3|1))*\b|\b(?:[Tt]ables?|[Ff]igures?) \d(?:(?:-| to |, | and )\d)*"
                   r"|LeNet-5|Algorithm 1|1/2|2/3|CEM-\w+|^#.*$|\[0, 1\]|from -?[01] to 1|QUICK=1|MIP-Live|^\| [1-6], |\[figure\d\w*\.csv|\[\d\]\([^)]*\)")


@cache
def table(number: int) -> tuple[dict[str, str], ...]:
    with open(RESULTS / f"table{number}.csv") as file:
        return tuple(csv.DictReader(file))


@cache
def rows_of(name: str) -> tuple[dict[str, str], ...]:
    with open(RESULTS / f"{name}.csv") as file:
        return tuple(csv.DictReader(file))


@cache
def from_json(path: Path) -> object:
    return json.loads(path.read_text())


def t(number: int, of: str, method: str, column: str) -> float:
    """A cell of a table; not a number where it is empty."""
    found = [row for row in table(number) if (row["set"], row["method"]) == (of, method)]
    if len(found) != 1:
        raise LookupError(f"table {number} has {len(found)} rows of {of}, {method}")
    return float(found[0][column] or "nan")


def printed(number: int, of: str, method: str, column: str) -> float:
    """What the paper prints."""
    return t(number, of, method, f"paper_{column}")


def methods(number: int, of: str) -> list[str]:
    return [row["method"] for row in table(number) if row["set"] == of]


def sets(number: int) -> list[str]:
    return list(dict.fromkeys(row["set"] for row in table(number)))


def every(number: int, column: str, start: str = "", of: str = "", but: str = "no such") -> list[float]:
    """The column of all rows whose method starts so, and whose set is this one (empty: all)."""
    return [float(row[column]) for row in table(number)
            if row["method"].startswith(start) and row["set"].startswith(of) and row[column] and but not in row["method"]]


def code(name: str) -> object:
    """A constant of a module of experiments/paper, such as images.EPOCHS."""
    module, constant = name.split(".")
    for node in ast.parse((CODE / f"{module}.py").read_text()).body:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                names = [getattr(e, "id", "") for e in target.elts] if isinstance(target, ast.Tuple) else [getattr(target, "id", "")]
                if constant in names:
                    value = ast.literal_eval(node.value)
                    return value[names.index(constant)] if isinstance(target, ast.Tuple) else value
    raise LookupError(f"no constant {name}")


def fact(name: str) -> object:
    """What the paper or its public code says, typed into facts.json."""
    return from_json(CODE / "facts.json")[name]  # type: ignore[index]


def drift(of: str, sparsity: str, method: str) -> list[float]:
    """Figure 3: how far the answers moved, by how far the rows did."""
    return [float(row["output_change"]) for row in rows_of("figure3")
            if (row["set"], row["sparsity"], row["method"]) == (of, sparsity, method)]


def figure(number: int) -> dict[str, dict[str, object]]:
    return from_json(RESULTS / f"figure{number}.json")  # type: ignore[return-value]


def runs() -> list[dict[str, object]]:
    """How each part was run (results/runs.json)."""
    return list(from_json(RESULTS / "runs.json").values())  # type: ignore[attr-defined]


def bars(name: str) -> list[str]:
    """Lines of the bars of that name."""
    return [line for line in (RESULTS / "bars.md").read_text().splitlines() if line.startswith(f"| {name} |")]


def accuracy(of: str, column: int) -> float:
    """Of accuracies.md; column 1: linear, 2: network."""
    line = next(line for line in (RESULTS / "accuracies.md").read_text().splitlines() if line.startswith(f"| {of} |"))
    return float(line.split("|")[1 + column].strip().rstrip(" %"))


def against_none(column: str, forms: tuple[str, ...] = ("p = 1/2", "p = 2/3", "p = 1")) -> tuple[int, int]:
    """In how many rows of tables 3 and 4 with a density and these forms the column is lower than without density; of how many."""
    lower = [t(n, s, f"S-CFE {d}, {p}", column) < t(n, s, f"S-CFE none, {p}", column)
             for n in (3, 4) for s in sets(n) if s != "mnist" for d in ("KDE", "GMM", "kNN") for p in forms]
    return sum(lower), len(lower)


def calmer(density: str, sparsities: tuple[str, ...]) -> tuple[int, int]:
    """Figure 3: at how many points answers with this density move less than without; of how many."""
    lower = [a < b for s in ("housing", "wine", "wdbc") for p in sparsities
             for a, b in zip(drift(s, p, density), drift(s, p, "no plausibility"))]
    return sum(lower), len(lower)


def calm_ratios() -> list[float]:
    """Figure 3: how much farther paper mode's answers with p = 0 move than those of our default."""
    return [theirs / own for s in ("housing", "wine", "wdbc") for m in ("no plausibility", "KDE", "GMM", "kNN")
            for theirs, own in zip(drift(s, "p = 0", m), drift(s, "p = 0", "ours, default"))]


def nines(field: str, m: int | None = None, tau: float | None = None) -> list[float]:
    """Figure 1: what is known of the answers with this limit and weight (none: of all)."""
    return [float(panel[field]) for key, panel in figure(1).items()  # type: ignore[arg-type]
            if panel[field] is not None and (m is None or f", m = {m}," in key) and (tau is None or key.endswith(f"tau = {tau:g}"))]


def chosen(method: str, changes: str, column: str) -> list[float]:
    """Five other splits: the means of the settings chosen for a method (ours, paper), one for each cell."""
    rows = [row for row in rows_of("splits") if (row["method"], row["changes"], row["chosen"]) == (method, changes, "yes")]
    cells = dict.fromkeys(row["cell"] for row in rows)
    return [mean([float(row[column]) for row in rows if row["cell"] == cell]) for cell in cells]


def mean(values: list[float]) -> float:
    return sum(values) / len(values)


KNOWN = {f.__name__: f for f in (table, rows_of, t, printed, methods, sets, every, code, fact, drift, figure, runs, bars, accuracy,
                                 against_none, calmer, calm_ratios, nines, chosen, mean)}


def value(expression: str) -> object:
    return eval(expression.strip(), {**KNOWN, "__builtins__": __builtins__})  # the repository's own words


def number(match: re.Match[str]) -> str:
    return format(value(match[1]), match[2] or "")


def claim(match: re.Match[str]) -> str:
    if not value(match[1]):
        raise AssertionError(f"not true: {match[1].strip()}")
    return ""


def part(name: str) -> str:
    path = RESULTS / f"{name}.md"
    lines = path.read_text().rstrip().splitlines() if path.exists() else ["not run yet"]
    return "\n".join(lines[4:] if re.fullmatch(r"table\d", name) else lines)


def render() -> str:
    text = CLAIM.sub(claim, WORDS.read_text())
    text = NUMBER.sub(number, text)
    return PART.sub(lambda match: part(match[1]), text)


def written_out() -> list[str]:
    """Numbers of the words that name no source."""
    text = PART.sub("", NUMBER.sub("", CLAIM.sub("", WORDS.read_text())))
    bare = [(line, re.findall(r"\d[\d.,]*", NAMES.sub("", line))) for line in text.splitlines()]
    return [f"page.md: {', '.join(found)} without a source: {line}" for line, found in bare if found]


DIGITS = {"validity": 0, "below": 0, "gmm": 1}    # decimals of table*.md; otherwise 2


def differs(shown: str, known: str, column: str) -> bool:
    """A cell of table*.md, a mean with its deviation in brackets, against that of table*.csv."""
    if not known or shown == "–":
        return bool(known) or shown != "–"
    return abs(float(shown.split(" ")[0]) - float(known)) > 0.5 * 10.0 ** -DIGITS.get(column, 2) + 1e-4


def stale_tables() -> list[str]:
    """Cells of table*.md that are not those of table*.csv."""
    found = []
    for number in range(1, 5):
        known = table(number)
        columns = list(known[0])[3:list(known[0]).index("l2_std")]
        lines = [line.replace("**", "").strip("| ").split(" | ") for line in (RESULTS / f"table{number}.md").read_text().splitlines()
                 if line.startswith("| ") and not line.startswith(("| method", "| ---"))]
        if len(lines) != len(known):
            found.append(f"table{number}: {len(lines)} rows in .md, {len(known)} in .csv")
        for line, row in zip(lines, known):
            wrong = [column for column, cell in zip(columns, line[1:]) if differs(cell, row[column], column)]
            found += [f"table{number}.md, {row['set']}, {line[0]}: {', '.join(wrong)}"] if wrong or line[0] != row["method"] else []
    return found


def differences(page: str, wanted: str) -> list[str]:
    if page == wanted:
        return []
    pairs = zip(page.splitlines(), wanted.splitlines())
    found = [f"docs/paper.md, line {i}: {a!r}, by the results {b!r}" for i, (a, b) in enumerate(pairs, 1) if a != b]
    return found[:5] or ["docs/paper.md is longer or shorter than the words and the results give"]


def unnoticed(page: str, wanted: str) -> int:
    """How many numbers of the page could be changed without a complaint."""
    prose = re.finditer(r"^[^|\n]*$", page, re.MULTILINE)
    places = [line.start() + match.start() for line in prose for match in re.finditer(r"\d+", line[0])]
    changed = (page[:i] + str((int(page[i]) + 1) % 10) + page[i + 1:] for i in places)
    return sum(not differences(other, wanted) for other in changed)


def main() -> int:
    try:
        wanted = render()
    except (AssertionError, LookupError, OSError, StopIteration, SyntaxError, ValueError) as failure:
        print(f"check_claims: {failure}", file=sys.stderr)
        return 1
    if "--write" in sys.argv[1:]:
        PAGE.write_text(wanted)
    found = written_out() + stale_tables() + differences(PAGE.read_text(), wanted)
    print(*found, sep="\n", end="\n" if found else "", file=sys.stderr)
    words = WORDS.read_text()
    checked = f"{len(NUMBER.findall(words))} numbers and {len(CLAIM.findall(words))} claims"
    if "--itself" in sys.argv[1:] and not found:
        missed = unnoticed(PAGE.read_text(), wanted)
        print(f"{missed} changed numbers would not be noticed")
        return 1 if missed else 0
    print(f"check_claims: {checked} checked, {len(found)} failed")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
