"""A batch of rows to a batch of answers, in Arrow, with a schema that is known before anything runs.

    question = Question(explainer, wishes)      # on the driver; refuses what can be refused before the job runs
    question.check(schema of the rows)
    question(batch)                             # on any worker: one row of answers for each row

All engines (`scfe.spark`, `scfe.dask`, `scfe.ray`, `scfe.explain_files`) send this object to their
workers and do nothing else with rows. The answers do not depend on how the rows were cut into batches.
"""

from __future__ import annotations

import difflib
import hashlib
import importlib.util
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from . import _frames
from ._answer_batch import answer_schema, answer_table
from ._errors import Error
from ._explainer import Explainer
from ._loading import from_bytes

#: The status of a row that could not be asked; its reason says why.
ERROR = "error"


class Question:
    """What is asked about every row. Pickled as the explainer's bundle and the words of the question.

    keep      names of columns that are handed through; None: all that are no features and no limits of single rows
    on_error  "status": a row that cannot be read has the status "error" and a reason; "raise": it ends the job
    wishes    keywords of `Explainer.explain`; `threads` is the number of threads of one call
    """

    def __init__(
        self,
        explainer: Explainer,
        wishes: dict[str, Any],
        keep: Iterable[str] | None = None,
        on_error: str = "status",
        threads: int = 1,
    ) -> None:
        if importlib.util.find_spec("pyarrow") is None:
            raise Error("batches of rows and files need pyarrow: pip install pyarrow")
        if on_error not in ("status", "raise"):
            raise Error(f"on_error: expected 'status' or 'raise', got {on_error!r}")
        if "row_limits" in wishes:
            raise Error("row_limits: expected as columns of the rows, such as 'amount:max', got a table of their own")
        if isinstance(keep, str):
            raise Error(f"keep: expected a list of names, got the text {keep!r}")
        _, (bundle, self.limits) = explainer.__reduce__()  # refuses models that are functions of this process
        self.digest = hashlib.sha256(bundle).hexdigest()
        self.bundle: Callable[[], bytes] = Constant(bundle)
        self.wishes = {"threads": threads, **wishes}
        self.keep = None if keep is None else list(keep)
        self.on_error = on_error
        self.features = explainer.features
        several = {name: self.wishes.get(name, explainer.options[name]) for name in ("answers", "path")}
        self.answers = answer_schema(explainer._features, bool(several["path"]) or int(several["answers"]) > 1)
        self._probe(explainer)

    # ---- on the driver

    def kept(self, names: Sequence[str]) -> list[str]:
        """The columns that are handed through, of a table with these columns."""
        if self.keep is not None:
            for name in self.keep:
                _known(name, names, "keep")
            return self.keep
        return [name for name in names if name not in self.features and not self._limits_a_feature(name)]

    def check(self, schema: Any) -> Any:
        """Refuses rows with this Arrow schema that cannot be asked; else the schema of the answers."""
        import pyarrow

        for name in self.features:
            _known(name, schema.names, "rows")
        asked = [schema.field(name) for name in self._asked(schema.names)]
        # A row of nulls goes through the same reader as the rows, which refuses types that have no meaning to a model.
        _frames.read(pyarrow.table([pyarrow.nulls(1, one.type) for one in asked], [one.name for one in asked]))
        kept = self.kept(schema.names)
        for name in kept:
            if name in self.answers.names:
                raise Error(
                    f"column '{name}' has the name of a column of the answers: rename it or leave it out of keep"
                )
        return pyarrow.schema([*(schema.field(name) for name in kept), *self.answers])

    def _probe(self, explainer: Explainer) -> None:
        """Asks about one row of the schema's own values, so that words that make no sense are refused here."""
        row = {one["name"]: [str(_typical(one))] for one in explainer.schema["features"]}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            explainer.explain(row, **{**self.wishes, "time_limit": 1e-3})

    # ---- on a worker

    def __call__(self, batch: Any) -> Any:
        """The answers of an Arrow batch or table of rows, as a table of as many rows."""
        import pyarrow

        rows = batch if isinstance(batch, pyarrow.Table) else pyarrow.Table.from_batches([batch])
        kept = rows.select(self.kept(rows.column_names))
        if rows.num_rows == 0:
            answers = self.answers.empty_table()
        else:
            pieces = self._pieces(rows.select(self._asked(rows.column_names)), kept)
            answers = pyarrow.concat_tables(pieces)
        return pyarrow.table([*kept.columns, *answers.columns], [*kept.column_names, *answers.column_names])

    def _pieces(self, rows: Any, kept: Any) -> list[Any]:
        """The answers of rows in order. Rows that cannot be read are found by halving."""
        explainer = opened(self.digest, self.bundle, self.limits)
        try:
            answers = explainer.explain(rows, **self.wishes)
        except Error as error:
            if rows.num_rows > 1:
                half = rows.num_rows // 2
                first = self._pieces(rows.slice(0, half), kept.slice(0, half))
                return [*first, *self._pieces(rows.slice(half), kept.slice(half))]
            reason = str(error).removeprefix("rows: ").removeprefix("row 1, ")
            if self.on_error == "raise":
                names = ", ".join(f"{name}={cell[0]!r}" for name, cell in kept.slice(0, 1).to_pydict().items())
                raise Error(f"rows: the row with {names or 'no kept columns'}: {reason}") from None
            return [self._refused(reason)]
        if answers.interrupted:
            raise KeyboardInterrupt
        return [answer_table(answers, explainer._features, self.answers)]

    def _refused(self, reason: str) -> Any:
        return self.answers.empty_table().from_pylist([{"status": ERROR, "reason": reason}], schema=self.answers)

    def _asked(self, names: Sequence[str]) -> list[str]:
        return [*self.features, *(name for name in names if self._limits_a_feature(name))]

    def _limits_a_feature(self, name: str) -> bool:
        return name not in self.features and name.rpartition(":")[0] in self.features


class Constant:
    """Gives its value: the source of a bundle where the engine has no broadcast of its own."""

    def __init__(self, value: bytes) -> None:
        self._value = value

    def __call__(self) -> bytes:
        return self._value


_opened: dict[str, Explainer] = {}


def opened(digest: str, bundle: Callable[[], bytes], limits: dict[str, Any]) -> Explainer:
    """The explainer of a bundle, opened once in each process. The last four are kept."""
    key = digest + repr(limits)
    if key not in _opened:
        while len(_opened) >= 4:
            _opened.pop(next(iter(_opened)), None)
        _opened[key] = from_bytes(bundle(), limits)
    return _opened[key]


def _known(name: str, names: Sequence[str], what: str) -> None:
    if name not in names:
        near = difflib.get_close_matches(name, names, 1)
        meant = f": did you mean '{near[0]}'?" if near else f": the rows have {', '.join(names)}"
        raise Error(f"{what}: expected a column '{name}', got none{meant}")


def _typical(feature: dict[str, Any]) -> Any:
    """A value that the feature can have."""
    ends = [end for end in feature.get("range") or () if end is not None]
    return next(iter([*([feature["fill"]] if "fill" in feature else []), *feature.get("levels", []), *ends, 0]))
