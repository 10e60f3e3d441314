"""What `Explainer.explain` returns: a sequence of explanations, as objects, frames, text and HTML."""

from __future__ import annotations

import ctypes
import enum
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, overload

import numpy as np

from . import _arrow, _frames, _library
from ._errors import Error
from ._features import Filling

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ._explainer import Explainer
    from ._features import FeatureInfo
    from ._settings import Settings


class Status(str, enum.Enum):
    """What came of a row."""

    already = "already"  #: the row has the target class: nothing to change, however typical it is
    valid = "valid"  #: a counterfactual that meets everything asked
    below_floor = "below_floor"  #: valid and within the limits, but less typical than asked
    not_found = "not_found"  #: none within the limits; `reason` names those that block
    time_limit = "time_limit"  #: the time was over before one was found
    not_finite = "not_finite"  #: the model or the density is not finite at the row

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class Change:
    """One feature that changes."""

    feature: str
    before: Any  #: a number, or the name of a level
    after: Any
    room: float | None = None  #: with `robust`: how far the number may move back before the class changes

    def __str__(self) -> str:
        return f"{self.feature}: {_shown(self.before)} -> {_shown(self.after)}"


@dataclass(frozen=True)
class Hint:
    """One limit of the question whose lifting leads to an answer. Every hint was tried out."""

    kind: str
    value: Any  #: the number to ask for, or the name of the feature or the rule
    distance: float
    reached: float | None
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Explanation:
    """The answer for one row, and what is known about it."""

    row: int  #: place of the row in the table, from 0
    name: str  #: its id, or its number from 1
    index: Any  #: its label in the frame's index; None where tables have none
    answer: int  #: which answer of the row; with `path` the limit on changes
    status: Status
    reason: str  #: why there is none; empty if the status needs no words
    predicted: str  #: class of the row
    target: str  #: class asked for
    changes: tuple[Change, ...]
    counterfactual: dict[str, Any] | None  #: the whole row as it would be; None without an answer
    filled: dict[str, Any]  #: missing cells of the row, and what they were taken for (`missing="impute"`)
    probability_before: float
    probability: float  #: of the target class
    output_before: float  #: of a regression model
    output: float
    margin: float
    distance: float  #: by the options distance and weights; by default l2 in the work space, a number's range being 1
    distance_l1: float
    log_density: float
    quantile: float  #: share of the class's held-out rows that are no more typical
    proof: str  #: "closest", "within_bound" or "none"
    certificate: str
    lower_bound: float
    stability: str
    stable_margin: float
    timed_out: bool
    knee: bool
    hints: tuple[Hint, ...]

    _explainer: ClassVar[Explainer | None] = None  # set on each answer; not a field, because asdict copies all fields

    def plot(self, image: tuple[int, ...] | None = None) -> Figure:
        """Draws each change against the values that the target class's rows have. Needs matplotlib.

        With `image=(height, width)`, or `(height, width, 3)` for colours, the row is drawn as a picture, as it is and
        as it would be, with the changed pixels marked. Returns the figure.
        """
        from . import _plots

        if self._explainer is None:
            raise Error("a copied or pickled explanation cannot be drawn: expected one of the answers themselves")
        if image is None:
            return _plots.plot_changes(self, self._explainer)
        return _plots.plot_image(self, self._explainer, image)

    def __getstate__(self) -> dict[str, Any]:
        # The explainer is large, or cannot be pickled at all.
        return {name: value for name, value in self.__dict__.items() if name != "_explainer"}

    @property
    def found(self) -> bool:
        """True if there is a counterfactual, or none is needed."""
        return self.status in (Status.valid, Status.below_floor, Status.already)

    def __str__(self) -> str:
        label = "" if self.index is None or str(self.index) in (self.name, str(self.row)) else f" (index {self.index})"
        head = f"row {self.name}{label}: {self.predicted} -> {self.target} ({self.status})"
        lines = [f"  {change}" for change in self.changes]
        if self.reason:
            lines.append(f"  {self.reason}")
        if self.filled:
            named = ", ".join(f"{name} = {_shown(value)}" for name, value in self.filled.items())
            lines.append(f"  missing cells were filled: {named}")
        return "\n".join([head, *lines, *(f"  {hint}" for hint in self.hints if hint.text not in self.reason)])


class Answers(Sequence[Explanation]):
    """The answers of all rows, in their order. A row has several with `answers=` above 1 or `path=True`."""

    def __init__(
        self,
        handle: _library.Handle,
        explainer: Explainer,
        rows: _frames.Columns,
        interrupted: bool,
        question: tuple[_frames.Columns, Settings],
    ) -> None:
        self._handle = handle
        self._question = question  # the rows with limits of their own, and what was asked
        self._explainer = explainer
        self._rows = rows
        self.interrupted = interrupted  #: True if Ctrl-C ended the work: only rows that were done are here
        self._count = int(_library.lib.scfe_answers_count(handle.pointer))
        self._seen: tuple[int, _arrow.Table] | None = None  # the part that was looked at last, and its first place

    def __reduce__(self) -> Any:
        raise Error("answers: they belong to the process that made them; pickle to_frame(), to_json() or list(answers)")

    # ---- a sequence

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, place: int) -> Explanation: ...
    @overload
    def __getitem__(self, place: slice) -> list[Explanation]: ...
    def __getitem__(self, place: int | slice) -> Explanation | list[Explanation]:
        if isinstance(place, slice):
            return [self._one(i) for i in range(*place.indices(len(self)))]
        if not -len(self) <= place < len(self):
            raise IndexError(f"answer {place} of {len(self)}")
        return self._one(place % len(self))

    def __iter__(self) -> Iterator[Explanation]:
        return (self._one(i) for i in range(len(self)))

    def of_row(self, row: int) -> list[Explanation]:
        """All answers of one row, given by its place in the table."""
        return [self._one(int(i)) for i in np.flatnonzero(self._column("row") == row)]

    @property
    def status(self) -> list[Status]:
        return [Status(text) for _, part in self._parts("status") for text in part["status"].texts()]

    @property
    def found(self) -> np.ndarray[Any, Any]:
        """Of each answer, whether there is one."""
        found = np.zeros(len(self), dtype=bool)
        for first, part in self._parts("status"):
            found[first : first + part.rows] = _found(part)
        return found

    # The library keeps answers in few bytes and makes columns of a part of them when they are asked for.

    def _part(self, first: int, count: int, *names: str) -> _arrow.Table:
        columns = ",".join(names).encode() if names else None
        return _arrow.read_stream(
            lambda out: _library.call(
                "scfe_answers_part", self._handle.pointer, first, count, columns, ctypes.byref(out)
            )
        )

    def _parts(self, *names: str) -> Iterator[tuple[int, _arrow.Table]]:
        """All answers, part by part, with these columns (all), each part with the place of its first answer."""
        at_once = 8192
        return ((first, self._part(first, at_once, *names)) for first in range(0, len(self), at_once))

    def _column(self, name: str) -> np.ndarray[Any, Any]:
        """The numbers or codes of a column for all answers."""
        values = [part[name].values for _, part in self._parts(name)]
        return np.concatenate(values) if values else self._part(0, 0, name)[name].values

    def _one(self, place: int) -> Explanation:
        seen = self._seen
        if seen is None or not seen[0] <= place < seen[0] + seen[1].rows:
            first = place - place % 256
            self._seen = seen = (first, self._part(first, 256))
        t, i = seen[1], place - seen[0]
        schema = self._explainer._features

        def number(name: str) -> float:
            return float(t[name].values[i])

        changes = []
        for k in t["changes"].span(i):
            parts = t["changes"].child
            feature = schema[int(parts["feature"].values[k])]
            room = float(parts["room"].values[k])
            before, after = (feature.shown(float(parts[side].values[k])) for side in ("from", "to"))
            changes.append(Change(feature.name, before, after, None if np.isnan(room) else room))
        hints = []
        for k in t["hints"].span(i):
            parts = t["hints"].child
            kind = parts["kind"].text(k)
            value, reached = float(parts["value"].values[k]), float(parts["reached"].values[k])
            named, near = hint_value(kind, value, schema), reached if kind in ("upper", "lower") else None
            text = _library.words(parts["text"].text(k))
            hints.append(Hint(kind, named, float(parts["distance"].values[k]), near, text))
        status = Status(t["status"].text(i))
        found = status in (Status.valid, Status.below_floor, Status.already)
        counterfactual = {f.name: f.shown_column(t["counterfactual"][f.name], i) for f in schema} if found else None
        gaps = [(schema[int(t["filled"].child["feature"].values[k])], k) for k in t["filled"].span(i)]
        filled = {f.name: f.shown(float(t["filled"].child["value"].values[k])) for f, k in gaps}
        one = Explanation(
            row=int(t["row"].values[i]), name=t["name"].text(i), index=self._index(int(t["row"].values[i])),
            answer=int(t["answer"].values[i]), status=status,
            reason=_library.words(t["reason"].text(i)), predicted=t["predicted"].text(i), target=t["target"].text(i),
            changes=tuple(changes), counterfactual=counterfactual, filled=filled,
            probability_before=number("probability_before"), probability=number("probability"),
            output_before=number("output_before"), output=number("output"), margin=number("margin"),
            distance=number("distance"), distance_l1=number("l1"), log_density=number("log_density"),
            quantile=number("quantile"), proof=t["proof"].text(i), certificate=t["certificate"].text(i),
            lower_bound=number("lower_bound"), stability=t["stability"].text(i), stable_margin=number("stable_margin"),
            timed_out=bool(t["timed_out"].values[i]), knee=bool(t["knee"].values[i]), hints=tuple(hints),
        )  # fmt: skip
        object.__setattr__(one, "_explainer", self._explainer)  # the dataclass is frozen
        return one

    def _index(self, row: int) -> Any:
        return None if self._rows.index is None else self._rows.index[row]

    def _numbered(self) -> bool:
        """True if the rows have no labels but their places."""
        index = self._rows.index
        return index is None or (index.dtype.kind in "iu" and np.array_equal(index, np.arange(len(index))))

    # ---- frames and files

    def to_frame(self, long: bool = False) -> Any:
        """The counterfactuals as a frame of the library that the rows came in.

        It has the columns, order, index and dtypes of the rows. A row without an answer stays as it is: `found`
        tells. Missing cells of a row with an answer hold what they were taken for, without which the answer would be
        another; `Explanation.filled` names them. The label column, if there is one, stays as it is.
        With `long=True`: one line for each change, with row (its place, from 0), answer, status, feature, before,
        after; and the label of the row in the frame's index, where that is more than its place.
        """
        return self._long_frame() if long else self._wide_frame()

    def _wide_frame(self) -> Any:
        rows, explainer = self._rows, self._explainer
        places = [explainer._places.get(column.name) for column in rows.columns]
        features = [None if at is None else explainer._features[at] for at in places]
        filling = [Filling(column, one, len(self)) for column, one in zip(rows.columns, features, strict=True)]
        one_each = True  # the answers are those of the rows, one each
        for first, part in self._parts("row", "status", "counterfactual"):
            place, found = part["row"].values, _found(part)
            here = slice(first, first + part.rows)
            in_order = np.array_equal(place, np.arange(here.start, here.stop))
            one_each = one_each and in_order
            for one, column in zip(filling, rows.columns, strict=True):
                given = part["counterfactual"].parts.get(column.name)
                one.add(first, here if in_order else place, given, found)
        index = rows.index
        if index is not None and not (one_each and len(self) == rows.rows):
            index = index[: len(self)] if one_each else index[self._column("row")]
        return replace(rows, fresh=True).rebuild([one.column() for one in filling], index)

    def _columns(self) -> _frames.Columns:
        """The answers as the columns of their CSV, for verify and evaluate."""
        features = self._explainer._features
        parts = [part for _, part in self._parts("name", "status", "counterfactual")]

        def free(name: str) -> str:
            while name in self._explainer._places:
                name = "scfe_" + name
            return name

        def texts(name: str, column: str) -> _frames.Column:
            cells = [text for part in parts for text in part[column].texts()]
            return _frames.Column(name, "string", np.array(cells, dtype=object))

        columns = [texts(free(self._explainer._facts["id"] or "row"), "name"), texts(free("status"), "status")]
        rank = self._column("answer")
        if len(np.unique(self._column("row"))) < len(self) or np.any(rank != 1):
            columns.append(_frames.Column(free("answer"), "int", rank))
        for feature in features:
            values = np.concatenate([part["counterfactual"][feature.name].values for part in parts])
            if feature.levels:
                columns.append(_frames.Column(feature.name, "category", values, None, list(feature.levels)))
            else:
                columns.append(_frames.Column(feature.name, "float", values))
        return _frames.Columns(columns, len(self))

    def _long_frame(self) -> Any:
        labels = [] if self._numbered() else ["index"]
        names = ["row", *labels, "answer", "status", "feature", "before", "after"]
        lines: dict[str, list[Any]] = {name: [] for name in names}
        for e in self:
            for change in e.changes or (None,):
                lines["row"].append(e.row)
                if labels:
                    lines["index"].append(e.index)
                lines["answer"].append(e.answer)
                lines["status"].append(e.status.value)
                lines["feature"].append(change.feature if change else None)
                lines["before"].append(change.before if change else None)
                lines["after"].append(change.after if change else None)
        kinds = {"row": "int", "answer": "int"}
        columns = []
        for name, cells in lines.items():
            kind = kinds.get(name, "string")
            values = np.array(cells, dtype=np.int64) if kind == "int" else np.empty(len(cells), dtype=object)
            if kind != "int":
                values[:] = cells
            columns.append(_frames.Column(name, kind, values))
        empty = replace(self._rows, columns=[], rows=len(lines["row"]), index=None)
        return empty.rebuild(columns)

    def to_json(self) -> list[dict[str, Any]]:
        """One dict for each answer, as the command line writes it to a .json file (without its first line)."""
        return [json.loads(line) for line in self._text("json").splitlines()[1:]]

    def to_csv(self, path: str | None = None) -> str | None:
        """The answers as the command line writes them to a .csv file; without a path as text."""
        text = self._text("csv")
        if path is None:
            return text
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        return None

    def report(self, path: str) -> None:
        """Writes the report of the command line: one self-contained HTML file."""
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(self._text("html"))

    # ---- for people

    def _text(self, form: str, limit: int = 0) -> str:
        return _library.text("scfe_answers_text", self._handle.pointer, form.encode(), limit)

    def __repr__(self) -> str:
        shown = 10
        text = _library.words(self._text("table", shown)).rstrip()
        rest = len(self) - shown
        return text + (f"\n\n... and {rest} more answers" if rest > 0 else "")

    def _repr_html_(self) -> str:
        shown = 10
        rest = len(self) - shown
        return self._text("cards", shown) + (f"<p>... and {rest} more answers</p>" if rest > 0 else "")

    # ---- pictures

    def plot(self, most: int = 15) -> Figure:
        """Draws which features the answers change most, and which way: up to `most` of them. Needs matplotlib."""
        from . import _plots

        return _plots.plot_batch(self, most)

    def plot_path(self, row: int = 0) -> Figure:
        """Draws what each further change brings for one row, with its knee. Ask with `path=True`. Needs matplotlib."""
        from . import _plots

        return _plots.plot_path(self.of_row(row))

    def _change_counts(self) -> np.ndarray[Any, Any]:
        """How many features each answer changes."""
        counts = [np.diff(part["changes"].values) for _, part in self._parts("changes")]
        return np.concatenate(counts or [np.zeros(0, dtype=np.int64)])

    def _changes(self, name: str) -> np.ndarray[Any, Any]:
        """Of all changes of all answers: "feature" (its place), "from" or "to"."""
        values = [part["changes"].child[name].values for _, part in self._parts("changes")]
        return np.concatenate(values or [np.zeros(0)])


def _found(part: _arrow.Table) -> np.ndarray[Any, Any]:
    """Of each answer of a part, whether there is one."""
    status = part["status"]
    good = [level in ("valid", "below_floor", "already") for level in status.levels()]
    return np.array(good, dtype=bool)[status.codes()]


def hint_value(kind: str, value: float, features: Sequence[FeatureInfo]) -> Any:
    """What a hint names: a feature, a number of changes, or the number to ask for."""
    if kind in ("feature", "upper", "lower"):
        return features[int(value)].name
    return int(value) if kind == "changes" else value


def _shown(value: Any) -> str:
    return f"{value:.15g}" if isinstance(value, float) else str(value)
