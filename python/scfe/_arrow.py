"""Typed columns as Arrow C streams and back, without any other package.

The structs are those of the Arrow C data interface.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from . import _frames
from ._errors import Error

Array = np.ndarray[Any, Any]


class ArrowSchema(ctypes.Structure):
    pass


class ArrowArray(ctypes.Structure):
    pass


class ArrowArrayStream(ctypes.Structure):
    pass


_RELEASE_SCHEMA = ctypes.CFUNCTYPE(None, ctypes.POINTER(ArrowSchema))
_RELEASE_ARRAY = ctypes.CFUNCTYPE(None, ctypes.POINTER(ArrowArray))
_RELEASE_STREAM = ctypes.CFUNCTYPE(None, ctypes.POINTER(ArrowArrayStream))
_GET_SCHEMA = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ArrowArrayStream), ctypes.POINTER(ArrowSchema))
_GET_NEXT = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ArrowArrayStream), ctypes.POINTER(ArrowArray))
_LAST_ERROR = ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.POINTER(ArrowArrayStream))

ArrowSchema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_char_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(ArrowSchema))),
    ("dictionary", ctypes.POINTER(ArrowSchema)),
    ("release", _RELEASE_SCHEMA),
    ("private_data", ctypes.c_void_p),
]
ArrowArray._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(ArrowArray))),
    ("dictionary", ctypes.POINTER(ArrowArray)),
    ("release", _RELEASE_ARRAY),
    ("private_data", ctypes.c_void_p),
]
ArrowArrayStream._fields_ = [
    ("get_schema", _GET_SCHEMA),
    ("get_next", _GET_NEXT),
    ("get_last_error", _LAST_ERROR),
    ("release", _RELEASE_STREAM),
    ("private_data", ctypes.c_void_p),
]

_FORMATS = {
    "float64": b"g", "float32": b"f", "float16": b"e", "int8": b"c", "uint8": b"C", "int16": b"s", "uint16": b"S",
    "int32": b"i", "uint32": b"I", "int64": b"l", "uint64": b"L",
}  # fmt: skip


# ---- out of Python


class _Exported:
    """The structs of a table, and what they point to. It lives as long as the stream is open."""

    def __init__(self, columns: _frames.Columns) -> None:
        self.kept: list[Any] = []
        schemas, arrays = [], []
        for column in columns.columns:
            schema, array = self._column(column)
            schemas.append(schema)
            arrays.append(array)
        self.schema = self._schema(b"+s", b"", schemas)
        self.array = self._array(columns.rows, [None], arrays)

    def keep(self, thing: Any) -> Any:
        self.kept.append(thing)
        return thing

    def _column(self, column: _frames.Column) -> tuple[ArrowSchema, ArrowArray]:
        name = column.name.encode()
        valid = None if column.valid is None else self._bits(column.valid)
        rows = len(column.values)
        if column.kind == "category":
            codes = np.ascontiguousarray(column.values, dtype=np.int32)
            known = codes >= 0 if column.valid is None else (codes >= 0) & column.valid
            levels, names = self._texts(np.array(column.levels or [], dtype=object), None, b"")
            schema = self._schema(b"i", name, [], levels, 1 if column.ordered else 0)
            return schema, self._array(rows, [self._bits(known), self._buffer(codes)], [], names)
        if column.kind == "string":
            return self._texts(column.values, column.valid, name)
        if column.kind == "bool":
            bits = self._bits(np.asarray(column.values, dtype=bool))
            return self._schema(b"b", name, []), self._array(rows, [valid, bits], [])
        values = np.ascontiguousarray(column.values)
        if values.dtype.name not in _FORMATS:
            values = values.astype(np.float64)
        return self._schema(_FORMATS[values.dtype.name], name, []), self._array(rows, [valid, self._buffer(values)], [])

    def _texts(self, values: Array, valid: Array | None, name: bytes) -> tuple[ArrowSchema, ArrowArray]:
        cells = [b"" if v is None else str(v).encode("utf-8", "surrogatepass") for v in values.tolist()]
        offsets = np.zeros(len(cells) + 1, dtype=np.int64)
        np.cumsum([len(cell) for cell in cells], out=offsets[1:])
        content = self.keep(b"".join(cells))
        data = ctypes.cast(ctypes.c_char_p(content), ctypes.c_void_p).value
        bits = None if valid is None else self._bits(valid)
        return self._schema(b"U", name, []), self._array(len(cells), [bits, self._buffer(offsets), data], [])

    def _bits(self, flags: Array) -> int | None:
        return self._buffer(np.packbits(np.asarray(flags, dtype=bool), bitorder="little"))

    def _buffer(self, values: Array) -> int | None:
        self.keep(values)
        return values.ctypes.data

    def _pointers(self, kind: Any, children: list[Any]) -> Any:
        if not children:
            return None
        return self.keep((ctypes.POINTER(kind) * len(children))(*map(ctypes.pointer, children)))

    def _schema(
        self,
        form: bytes,
        name: bytes,
        children: list[ArrowSchema],
        dictionary: ArrowSchema | None = None,
        flags: int = 0,
    ) -> ArrowSchema:
        pointers = self._pointers(ArrowSchema, children)
        levels = ctypes.pointer(dictionary) if dictionary is not None else None
        return self.keep(  # type: ignore[no-any-return]
            ArrowSchema(form, name, None, flags | 2, len(children), pointers, levels, _forget_schema, None)
        )

    def _array(
        self, rows: int, buffers: list[int | None], children: list[ArrowArray], dictionary: ArrowArray | None = None
    ) -> ArrowArray:
        places = self.keep((ctypes.c_void_p * len(buffers))(*buffers))
        pointers = self._pointers(ArrowArray, children)
        levels = ctypes.pointer(dictionary) if dictionary is not None else None
        return self.keep(  # type: ignore[no-any-return]
            ArrowArray(rows, -1, 0, len(buffers), len(children), places, pointers, levels, _forget_array, None)
        )


def _forgetting(function: Any, kind: Any) -> Any:
    """A release for memory that belongs to Python: it only has to be marked."""
    offset, size = kind.release.offset, ctypes.sizeof(ctypes.c_void_p)

    # All that it needs is bound to it, because it may run when the interpreter has cleared this module.
    def forget(given: Any, at: Any = ctypes.byref, fill: Any = ctypes.memset) -> None:
        fill(at(given.contents, offset), 0, size)

    return function(forget)


_forget_schema = _forgetting(_RELEASE_SCHEMA, ArrowSchema)
_forget_array = _forgetting(_RELEASE_ARRAY, ArrowArray)
_forget_stream = _forgetting(_RELEASE_STREAM, ArrowArrayStream)


class Stream:
    """A table as an Arrow stream of one batch. It must live as long as the library reads the rows."""

    def __init__(self, columns: _frames.Columns) -> None:
        exported = _Exported(columns)
        given = False

        def get_schema(_stream: Any, out: Any) -> int:
            ctypes.memmove(out, ctypes.byref(exported.schema), ctypes.sizeof(ArrowSchema))
            return 0

        def get_next(_stream: Any, out: Any) -> int:
            nonlocal given
            if given:
                ctypes.memset(out, 0, ctypes.sizeof(ArrowArray))
            else:
                ctypes.memmove(out, ctypes.byref(exported.array), ctypes.sizeof(ArrowArray))
            given = True
            return 0

        functions = (_GET_SCHEMA(get_schema), _GET_NEXT(get_next), _LAST_ERROR(lambda _stream: None))
        self._kept = (exported, functions, _forget_schema, _forget_array, _forget_stream)
        self.struct = ArrowArrayStream(*functions, _forget_stream, None)


@contextmanager
def stream(columns: _frames.Columns) -> Iterator[ArrowArrayStream]:
    """A table as an Arrow stream, for one call of the library."""
    opened = Stream(columns)
    yield opened.struct


# ---- into Python


class Column:
    """One column that the library gave: numbers, flags, texts, texts by code, lists or structs."""

    def __init__(self, schema: ArrowSchema, array: ArrowArray) -> None:
        self.form = schema.format.decode()
        self.rows = int(array.length)
        self.parts: dict[str, Column] = {}
        self._levels: list[str] | None = None
        self.values: Array = np.zeros(0)
        if schema.dictionary:
            self._levels = Column(schema.dictionary.contents, array.dictionary.contents).texts()
        if self.form in ("+s", "+l"):
            for i in range(schema.n_children):
                child = schema.children[i].contents
                self.parts[child.name.decode()] = Column(child, array.children[i].contents)
        if self.form in ("+l", "u"):
            self.values = _copied(array.buffers[1], np.int32, self.rows + 1)
        elif self.form == "b":
            bits = _copied(array.buffers[1], np.uint8, (self.rows + 7) // 8)
            self.values = np.unpackbits(bits, bitorder="little")[: self.rows].astype(bool)
        elif self.form in ("g", "l", "i"):
            kind = {"g": np.float64, "l": np.int64, "i": np.int32}[self.form]
            self.values = _copied(array.buffers[1], kind, self.rows)
        if self.form == "u":
            self._content = ctypes.string_at(array.buffers[2], int(self.values[-1])) if self.rows else b""

    def __getitem__(self, name: str) -> Column:
        return self.parts[name]

    @property
    def child(self) -> Column:
        """The struct in a list."""
        return self.parts["item"]

    def span(self, row: int) -> range:
        """The places of a list's items."""
        return range(int(self.values[row]), int(self.values[row + 1]))

    def codes(self) -> Array:
        return self.values

    def levels(self) -> list[str]:
        return self._levels or []

    def text(self, row: int) -> str:
        if self._levels is not None:
            code = int(self.values[row])
            return self._levels[code] if code >= 0 else ""
        return self._content[int(self.values[row]) : int(self.values[row + 1])].decode()

    def texts(self) -> list[str]:
        return [self.text(row) for row in range(self.rows)]


Table = Column


def _copied(place: int | None, kind: Any, count: int) -> Array:
    if not place or count == 0:
        return np.zeros(count, dtype=kind)
    content = ctypes.string_at(place, count * np.dtype(kind).itemsize)
    return np.frombuffer(content, dtype=kind)


def read_stream(ask: Callable[[ArrowArrayStream], None]) -> Table:
    """The one batch of a stream that the library fills."""
    given = ArrowArrayStream()
    ask(given)
    schema, array = ArrowSchema(), ArrowArray()
    here = ctypes.byref(given)
    try:
        if given.get_schema(here, ctypes.byref(schema)) or given.get_next(here, ctypes.byref(array)):
            raise Error("not enough memory for the answers")
        try:
            return Table(schema, array)
        finally:
            array.release(ctypes.byref(array))
            schema.release(ctypes.byref(schema))
    finally:
        given.release(here)
