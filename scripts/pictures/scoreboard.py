"""How many times faster than other programs, from the results that `make bench` left in bench/results."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from svg import Drawing, Theme

NAMES = {"wine": "Wine", "housing": "Housing", "wdbc": "WDBC", "german_credit": "German Credit", "adult": "Adult"}
LEFT, RIGHT, WIDTH = 300, 700, 880  # of the bars, and of the picture


@dataclass(frozen=True)
class Row:
    label: str
    ratio: float
    note: str


def _loaded(results: Path, name: str) -> dict[str, Any]:
    return dict(json.loads((results / f"{name}.json").read_text()))


def _whole(number: float) -> str:
    return f"{number:,.0f}".replace(",", " ")


def sections(results: Path) -> list[tuple[str, str, list[Row]]]:
    """Heading, the command that measures it, rows."""
    dice = []
    for name in ("german_credit", "adult"):
        record = _loaded(results, f"dice_{name}")
        for key, floor in (("scfe", "at least as typical as 10 %"), ("scfe_no_floor", "no floor, as DiCE has none")):
            ours, theirs = record[key], record["dice"]
            note = f"{ours['changes']:.2f} changes, DiCE {theirs['changes']:.2f}"
            dice.append(Row(f"{NAMES[name]}, {floor}", theirs["seconds"] / ours["seconds"], note))
    same = [
        Row(f"{NAMES[row['table']]}, kernel density", row["ratio"]["median"], f"same answers: {row['same_answers']:.0%}")
        for row in _loaded(results, "apg")["rows"]
        if row["density"] == "kde"
    ]
    ours = [
        Row(f"{NAMES[row['table']]}, kernel density", row["ratio"]["median"], f"{_whole(row['rows_per_second']['median'])} rows/s a core")
        for row in _loaded(results, "search")["rows"]
        if row["density"] == "kde"
    ]
    networks = [
        Row(f"{row['model']}, one thread", row["ratio"]["median"], "same input gradient")
        for row in _loaded(results, "cnn")["rows"]
        if row["threads"] == 1
    ]
    return [
        ("Than DiCE (random), the same rows and limits", "scripts/bench dice", dice),
        ("The paper's algorithm, than the same in batched PyTorch", "scripts/bench apg", same),
        ("Our search, per valid answer, than the paper's algorithm in PyTorch", "scripts/bench search", ours),
        ("A network and its input gradient, than PyTorch", "scripts/bench cnn", networks),
    ]


def draw(parts: list[tuple[str, str, list[Row]]], theme: Theme) -> str:
    rows = sum(len(rows) for _, _, rows in parts)
    most = max(row.ratio for _, _, rows in parts for row in rows)
    decades = math.ceil(math.log10(most))
    bottom = 84 + 30 * len(parts) + 24 * rows + 14 * (len(parts) - 1)
    d = Drawing(WIDTH, bottom + 44, theme, "How many times faster than DiCE and PyTorch, on a scale of tens")
    d.text(28, 38, "How many times faster", theme.ink, 19, bold=True)
    note = "Two cores; both sides measured in one run, after the results were compared. Longer is faster; each line is ten times the one before."
    d.text(28, 60, note, theme.soft, 12)

    def at(ratio: float) -> float:
        return LEFT + (RIGHT - LEFT) * math.log10(ratio) / decades

    for decade in range(decades + 1):
        d.line(at(10**decade), 80, at(10**decade), bottom, theme.faint)
        d.text(at(10**decade), bottom + 18, f"{_whole(10**decade)} ×", theme.soft, 11, "middle")
    y = 98.0
    for heading, command, lines in parts:
        d.text(28, y, heading, theme.ink, 13, bold=True)
        d.text(WIDTH - 28, y, command, theme.soft, 11, "end")
        y += 24
        for row in lines:
            d.text(28, y, row.label, theme.soft, 12)
            d.box(LEFT, y - 11, at(row.ratio) - LEFT, 14, theme.accent, radius=2)
            figure = f"{row.ratio:.0f} ×" if row.ratio >= 10 else f"{row.ratio:.1f} ×"
            d.text(at(row.ratio) + 6, y, figure, theme.ink, 12, bold=True)
            d.text(WIDTH - 28, y, row.note, theme.soft, 11, "end")
            y += 24
        y += 20
    return d.svg()
