"""The shared library, by ctypes: prototypes, errors, handles. ctypes releases the GIL for every call."""

from __future__ import annotations

import ctypes
import os
import re
from types import TracebackType
from typing import Any, ClassVar

import numpy as np

from ._errors import Error
from ._options import FitOptions, QuestionOptions

_EXPECTED_API = 1

WARN = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p)
PROGRESS = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64)
_FLOATS = ctypes.c_void_p  # as a number: arrays over it are made faster than over a typed pointer
_VALUE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, _FLOATS, _FLOATS)
_VJP = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, _FLOATS, _FLOATS, _FLOATS)
#: Longer than any block: a type of the length of each block takes longer to make than a small model to answer.
_FLOATS_FROM_HERE = ctypes.c_float * (1 << 40)


class FunctionsStruct(ctypes.Structure):
    _fields_: ClassVar = [
        ("features", ctypes.c_size_t),
        ("scores", ctypes.c_size_t),
        ("value", _VALUE),
        ("vjp", _VJP),
        ("context", ctypes.c_void_p),
        ("source", ctypes.c_char_p),
    ]


def _load() -> ctypes.CDLL:
    path = os.environ.get("SCFE_LIBRARY") or os.path.join(os.path.dirname(__file__), "libscfe_c.so")
    library = ctypes.CDLL(path)
    p, text, size = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t
    out = ctypes.POINTER(ctypes.c_void_p)
    prototypes: dict[str, tuple[Any, list[Any]]] = {
        "scfe_error": (text, []),
        "scfe_version": (text, []),
        "scfe_c_api_version": (ctypes.c_int, []),
        "scfe_bytes_data": (p, [p]),
        "scfe_bytes_size": (size, [p]),
        "scfe_bytes_free": (None, [p]),
        "scfe_settings_new": (p, []),
        "scfe_settings_free": (None, [p]),
        "scfe_settings_text": (ctypes.c_int, [p, text, text]),
        "scfe_settings_number": (ctypes.c_int, [p, text, ctypes.c_double]),
        "scfe_settings_flag": (ctypes.c_int, [p, text, ctypes.c_int]),
        "scfe_settings_on_warning": (None, [p, WARN, p]),
        "scfe_settings_on_progress": (None, [p, PROGRESS, p]),
        "scfe_cancel_new": (p, []),
        "scfe_cancel_now": (None, [p]),
        "scfe_cancel_free": (None, [p]),
        "scfe_settings_cancel": (None, [p, p]),
        "scfe_options_json": (ctypes.c_int, [out]),
        "scfe_model_read": (ctypes.c_int, [text, out]),
        "scfe_model_from_bytes": (ctypes.c_int, [p, size, text, out]),
        "scfe_model_from_functions": (ctypes.c_int, [ctypes.POINTER(FunctionsStruct), out]),
        "scfe_callback_error": (None, [text]),
        "scfe_model_describe": (ctypes.c_int, [p, out]),
        "scfe_model_free": (None, [p]),
        "scfe_fit": (ctypes.c_int, [p, p, p, out]),
        "scfe_limited": (ctypes.c_int, [p, p, out]),
        "scfe_load": (ctypes.c_int, [text, out]),
        "scfe_load_bytes": (ctypes.c_int, [p, size, out]),
        "scfe_save": (ctypes.c_int, [p, text]),
        "scfe_save_bytes": (ctypes.c_int, [p, out]),
        "scfe_explainer_free": (None, [p]),
        "scfe_schema_json": (ctypes.c_int, [p, out]),
        "scfe_describe": (ctypes.c_int, [p, out]),
        "scfe_class_values": (ctypes.c_int, [p, size, size, p]),
        "scfe_infer_schema": (ctypes.c_int, [p, p, out]),
        "scfe_predict": (ctypes.c_int, [p, p, p, p]),
        "scfe_explain_shared": (ctypes.c_int, [p, p, p, out]),
        "scfe_answers_count": (size, [p]),
        "scfe_answers_rows": (size, [p]),
        "scfe_answers_stream": (ctypes.c_int, [p, p]),
        "scfe_answers_part": (ctypes.c_int, [p, size, size, text, p]),
        "scfe_answers_text": (ctypes.c_int, [p, text, size, out]),
        "scfe_answers_free": (None, [p]),
        "scfe_verify": (ctypes.c_int, [p, p, p, p, out]),
        "scfe_evaluate": (ctypes.c_int, [p, p, p, p, out]),
        "scfe_audit": (ctypes.c_int, [p, p, p, out]),
        "scfe_compare": (ctypes.c_int, [p, p, p, out]),
        "scfe_keep": (ctypes.c_int, [p, p, p, out]),
    }
    for name, (result, arguments) in prototypes.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    if library.scfe_c_api_version() != _EXPECTED_API:
        raise ImportError(f"{path}: expected interface {_EXPECTED_API}, got {library.scfe_c_api_version()}")
    return library


lib = _load()


def version() -> str:
    return str(lib.scfe_version().decode())


def words(sentence: str) -> str:
    """The command line's words for options become Python's: --max-changes is max_changes."""
    for theirs, ours in _PHRASES.items():
        sentence = sentence.replace(theirs, ours)
    sentence = re.sub(r"--([a-z][a-z-]*)", lambda m: m.group(1).replace("-", "_"), sentence)
    return _HYPHENED.sub(lambda m: m.group(0).replace("-", "_"), sentence)


_PHRASES = {
    "--plausible none": "plausible=0",
    "--reach LO:HI": "reach=(low, high)",
    "FEATURE=LO:HI, either may be empty": "{feature: (low, high)}, either may be None",
}
#: Options whose names have a hyphen on the command line, where a sentence names them without dashes in front.
_NAMES = (*QuestionOptions.__annotations__, *FitOptions.__annotations__)
_HYPHENED = re.compile(
    r"(?<![\w-])(" + "|".join({name.replace("_", "-") for name in _NAMES if "_" in name}) + r")(?![\w-])"
)


def error_words(sentence: str) -> str:
    """The same in an error, which may quote a range: 'amount=:5' is {'amount': (None, 5)}."""
    return re.sub(r"'([^']+)=([-+.0-9e]*):([-+.0-9e]*)'", _range_words, words(sentence))


def _range_words(found: re.Match[str]) -> str:
    low, high = (f"{float(end):.15g}" if end else "None" for end in found.groups()[1:])
    return f"{{{found[1]!r}: ({low}, {high})}}"


def call(name: str, *arguments: Any) -> None:
    """Calls a function that returns a status, and raises `Error` with its text if it failed."""
    if getattr(lib, name)(*arguments) != 0:
        raise Error(error_words(lib.scfe_error().decode("utf-8", "replace")))


def take_bytes(pointer: ctypes.c_void_p) -> bytes:
    """The content of an `scfe_bytes`, which is freed."""
    try:
        return ctypes.string_at(lib.scfe_bytes_data(pointer), lib.scfe_bytes_size(pointer))
    finally:
        lib.scfe_bytes_free(pointer)


def content(name: str, *arguments: Any) -> bytes:
    pointer = ctypes.c_void_p()
    call(name, *arguments, ctypes.byref(pointer))
    return take_bytes(pointer)


def text(name: str, *arguments: Any) -> str:
    return content(name, *arguments).decode()


class Handle:
    """Owns an object of the library, and frees it with itself; `reads`: what the object reads until then."""

    def __init__(self, pointer: ctypes.c_void_p, free: str, reads: Any = None) -> None:
        self.pointer = pointer
        self._reads = reads
        self._free = getattr(lib, free)

    def __enter__(self) -> Handle:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        if self.pointer:
            self._free(self.pointer)
            self.pointer = ctypes.c_void_p()

    def __del__(self) -> None:
        self.close()


class KeptFunctions:
    """The C functions of a callable model; they must live as long as the explainer."""

    def __init__(self, model: Any, source: str) -> None:
        self.failure: BaseException | None = None

        def attempt(work: Any) -> int:
            try:
                work()
                return 0
            except BaseException as error:  # nothing may pass through C
                self.failure = error
                lib.scfe_callback_error(f"the model failed: {type(error).__name__}: {error}".encode())
                return 1

        def points(place: int, rows: int, width: int) -> np.ndarray[Any, Any]:
            memory: Any = _FLOATS_FROM_HERE.from_address(place)
            floats: np.ndarray[Any, Any] = np.frombuffer(memory, np.float32, rows * width)
            return floats.reshape(rows, width)

        def filled(out: np.ndarray[Any, Any], given: Any, what: str) -> None:
            values = np.asarray(given, dtype=np.float32)
            if values.ndim == 1 and out.shape[1] == 1:
                values = values.reshape(-1, 1)
            if values.shape != out.shape:
                raise Error(f"model: expected {what} of shape {out.shape}, got {values.shape}")
            out[...] = values

        def value(_context: Any, rows: int, x: Any, scores: Any) -> int:
            def work() -> None:
                given = model.value(points(x, rows, model.features).copy())
                filled(points(scores, rows, model.scores), given, "scores")

            return attempt(work)

        def vjp(_context: Any, rows: int, x: Any, seed: Any, gradient: Any) -> int:
            def work() -> None:
                at = points(x, rows, model.features).copy()
                given = model.vjp(at, points(seed, rows, model.scores).copy())
                filled(points(gradient, rows, model.features), given, "gradients")

            return attempt(work)

        self._value = _VALUE(value)
        self._vjp = _VJP(vjp) if model.vjp is not None else _VJP()
        self._source = source.encode()
        self.struct = FunctionsStruct(model.features, model.scores, self._value, self._vjp, None, self._source)


def functions(model: Any, source: str) -> KeptFunctions:
    return KeptFunctions(model, source)
