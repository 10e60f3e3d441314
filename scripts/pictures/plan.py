"""One applicant of German Credit: the row, the plan that turns the decision, and how typical the result is.

Everything drawn is read from what the program writes (JSON lines) and from its training table.
"""

from __future__ import annotations

import csv
import json
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from svg import Drawing, Theme, percent

ROW = "4"  # the second refused applicant of the table, whose plan changes two numbers
QUESTION = ["--target", "approved", "--max-changes", "2", "--freeze", "purpose", "--plausible", "10%"]
FLOOR = 0.10
SHOWN = ("duration_months", "amount", "credit_history", "savings", "employment", "housing", "purpose", "age")


@dataclass(frozen=True)
class Plan:
    answer: dict[str, Any]
    row: dict[str, str]  # as it is in the table
    features: dict[str, dict[str, Any]]  # of the schema, with the limits of the question
    approved: list[dict[str, str]]  # training rows of the target class


def ask(scfe: str, data: Path) -> Plan:
    files = ["--model", data / "models/german_credit.onnx", "--data", data / "german_credit.csv"]
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "answers.json")
        command = [scfe, "explain", *files, "--schema", data / "german_credit.schema.json", data / "german_credit.csv"]
        done = subprocess.run([*map(str, command), *QUESTION, "-o", str(out)], capture_output=True, text=True)
        if done.returncode == 2:
            raise SystemExit(done.stderr)
        run, *answers = map(json.loads, out.read_text().splitlines())
    with open(data / "german_credit.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    [answer] = [one for one in answers if one["row"] == ROW]
    features = {feature["name"]: feature for feature in run["run"]["schema"]["features"]}
    return Plan(answer, rows[int(ROW) - 1], features, [row for row in rows if row["risk"] == "good"])


def draw(plan: Plan, theme: Theme) -> str:
    changes = {change["feature"]: change for change in plan.answer["changes"]}
    d = Drawing(880, 440, theme, "An applicant, the plan that would have got the credit approved, and how typical the result is")
    d.text(28, 40, "Refused. What would have got this applicant approved?", theme.ink, 19, bold=True)
    d.text(28, 62, "The fewest changes that work, to values that are allowed and typical of approved applicants.", theme.soft, 13)
    _row(d, plan, changes)
    for place, change in enumerate(changes.values()):
        _histogram(d, 440, 106 + 122 * place, 410, plan, change)
    _results(d, plan)
    return d.svg()


def _row(d: Drawing, plan: Plan, changes: dict[str, dict[str, Any]]) -> None:
    t = d.theme
    d.text(28, 98, "The row", t.soft, 12, bold=True)
    d.text(400, 98, "The plan", t.accent, 12, "end", bold=True)
    for place, name in enumerate(SHOWN):
        y = 122 + 25 * place
        d.line(28, y + 8, 400, y + 8, t.faint)
        change, feature = changes.get(name), plan.features[name]
        unit = " " + feature["unit"] if feature.get("unit") else ""
        if change:
            d.text(28, y, name, t.ink, 13, bold=True)
            d.text(258, y, str(change["from"]), t.soft, 13, "end")
            d.text(282, y, "→", t.accent, 14, "middle")
            d.text(400, y, f"{change['to']}{unit}", t.accent, 13, "end", bold=True)
            continue
        d.text(28, y, name, t.soft, 13)
        d.text(258, y, plan.row[name], t.soft, 13, "end")
        d.text(400, y, "may not change" if feature["immutable"] else "stays", t.soft, 12, "end")
    stay = len(plan.features) - len(changes)
    d.text(28, 122 + 25 * len(SHOWN), f"and {len(plan.features) - len(SHOWN)} more: {stay} of {len(plan.features)} features stay", t.soft, 12)


def _histogram(d: Drawing, x: float, y: float, width: float, plan: Plan, change: dict[str, Any]) -> None:
    """The target class's rows in grey bars; the value as it is (hollow) and as it would be (filled) on the axis."""
    t, name = d.theme, change["feature"]
    values = [float(row[name]) for row in plan.approved]
    low, high = min(values), max(values)
    bins, height = 34, 52
    counts = [0] * bins
    for value in values:
        counts[min(int((value - low) / (high - low) * bins), bins - 1)] += 1
    base = y + 18 + height
    for place, count in enumerate(counts):
        tall = height * count / max(counts)
        d.box(x + place * width / bins, base - tall, width / bins - 1.5, tall, t.bar)
    d.line(x, base, x + width, base, t.soft)
    unit = plan.features[name].get("unit", "")
    d.text(x, y - 4, name, t.ink, 13, bold=True)
    d.text(x + width, y - 4, f"grey: {len(values)} applicants labelled good", t.soft, 11, "end")
    for share in (0, 0.5, 1):
        anchor = {0: "start", 0.5: "middle", 1: "end"}[share]
        d.text(x + share * width, base + 21, f"{low + share * (high - low):,.0f} {unit}".replace(",", " "), t.soft, 11, anchor)

    def at(value: float) -> float:
        return x + (float(value) - low) / (high - low) * width

    before, after = at(change["from"]), at(change["to"])
    d.arrow(before, after, base, t.accent)
    d.dot(before, base, t.paper, t.ink)
    d.dot(after, base, t.accent, t.ink)


def _results(d: Drawing, plan: Plan) -> None:
    t, metrics = d.theme, plan.answer["metrics"]
    d.line(28, 356, 852, 356, t.border)
    before, after = metrics["probability_before"], metrics["probability"]
    _gauge(d, 28, 383, "chance of approval", f"{percent(before)} → {percent(after)}", after, before, 0.5, "decision at 50 %")
    typical = metrics["quantile"]
    words = f"as typical as {percent(typical)} of approved applicants"
    _gauge(d, 464, 383, "the result", words, typical, None, FLOOR, f"asked for: {percent(FLOOR)}")


def _gauge(
    d: Drawing, x: float, y: float, label: str, words: str, share: float, before: float | None, mark: float, note: str
) -> None:
    t, width = d.theme, 388
    d.text(x, y, label, t.soft, 13)
    d.text(x + width, y, words, t.ink, 13, "end", bold=True)
    d.box(x, y + 11, width, 10, t.faint, radius=5)
    d.box(x, y + 11, width * share, 10, t.accent, radius=5)
    if before is not None:
        d.box(x, y + 11, width * before, 10, t.bad, radius=5)
    d.line(x + width * mark, y + 7, x + width * mark, y + 25, t.ink, 1.5)
    d.text(x + width * mark, y + 39, note, t.soft, 11, "start" if mark < 0.3 else "middle")
