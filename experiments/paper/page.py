"""docs/paper.md: the words of page.md with what the runs found put in place of {name}."""
import pathlib

from .places import PAGE, RESULTS
from .tables import TABLES

WORDS = pathlib.Path(__file__).parent / "page.md"


def keep(name, lines):
    (RESULTS / f"{name}.md").write_text("\n".join(lines) + "\n")


def found(name):
    path = RESULTS / f"{name}.md"
    return path.read_text().rstrip() if path.exists() else "not run yet"


def body(number):
    """A table without its title, one level down."""
    lines = found(f"table{number}").splitlines()
    return "\n".join(line for line in lines[4:])


def write():
    text = WORDS.read_text()
    for name in ("bars", "splits", "accuracies", "digits"):
        text = text.replace("{" + name + "}", found(name))
    for number in TABLES:
        text = text.replace("{table%d}" % number, body(number))
    PAGE.write_text(text)
