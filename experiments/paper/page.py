"""docs/paper.md: the words of page.md with what the runs found (experiments/check_claims.py puts them together)."""
from .places import RESULTS, ROOT

CHECK = ROOT / "experiments" / "check_claims.py"


def keep(name, lines):
    (RESULTS / f"{name}.md").write_text("\n".join(lines) + "\n")


def kept(name):
    path = RESULTS / f"{name}.md"
    return path.read_text().splitlines() if path.exists() else []
