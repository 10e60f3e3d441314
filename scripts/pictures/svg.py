"""Plain SVG for pictures that have to look the same in a browser, in GitHub's pages and in librsvg.

No nested <svg>, no style sheets, no variables: every element has its own position and colour. Each picture is drawn
twice, once for light pages and once for dark ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', Helvetica, Arial, sans-serif"


@dataclass(frozen=True)
class Theme:
    """Colours by what they stand for."""

    name: str
    paper: str
    border: str
    ink: str
    soft: str  # notes, axes
    faint: str  # grids, tracks
    bar: str  # rows of the training table; other programs
    accent: str  # the answer; this program
    good: str
    bad: str


LIGHT = Theme("light", "#ffffff", "#d0d7de", "#1f2328", "#59636e", "#e6eaef", "#c3ccd6", "#0b6e8f", "#1a7f37", "#bc4c00")
DARK = Theme("dark", "#161b22", "#30363d", "#e6edf3", "#9198a1", "#2a313a", "#48525e", "#58b8dc", "#3fb950", "#f0883e")


class Drawing:
    def __init__(self, width: int, height: int, theme: Theme, title: str) -> None:
        self.theme, self.title, self.width, self.height = theme, title, width, height
        self.parts: list[str] = []
        self.box(0.5, 0.5, width - 1, height - 1, theme.paper, radius=8, stroke=theme.border)

    def box(self, x: float, y: float, width: float, height: float, fill: str, radius: float = 0, stroke: str = "none") -> None:
        self.parts.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0):.1f}" height="{height:.1f}" rx="{radius}" '
            f'fill="{fill}" stroke="{stroke}"/>'
        )

    def line(self, x1: float, y1: float, x2: float, y2: float, colour: str, width: float = 1, dashes: str = "") -> None:
        dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
        self.parts.append(
            f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" stroke-width="{width}"{dashed}/>'
        )

    def dot(self, x: float, y: float, fill: str, stroke: str, radius: float = 6) -> None:
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{fill}" stroke="{stroke}" stroke-width="2"/>')

    def arrow(self, x1: float, x2: float, y: float, colour: str) -> None:
        """A horizontal arrow that leaves room for a dot at either end."""
        way = 1 if x2 > x1 else -1
        tip = x2 - 8 * way
        self.line(x1 + 7 * way, y, tip - 6 * way, y, colour, 2.5)
        self.parts.append(f'<path d="M{tip:.1f} {y:.1f} l{-9 * way} -5 v10 z" fill="{colour}"/>')

    def text(
        self, x: float, y: float, words: str, colour: str, size: float = 13, anchor: str = "start", bold: bool = False
    ) -> None:
        weight = ' font-weight="600"' if bold else ""
        self.parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{colour}"{weight}>{escape(words)}</text>'
        )

    def svg(self) -> str:
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{self.height}" '
            f'viewBox="0 0 {self.width} {self.height}" font-family="{FONT}" role="img">'
        )
        return "\n".join([head, f"<title>{escape(self.title)}</title>", *self.parts, "</svg>", ""])


def percent(share: float) -> str:
    """A share for people; one just above a half is not rounded onto it."""
    text = f"{100 * share:.0f} %"
    return "just over 50 %" if text == "50 %" and share > 0.5 else text
