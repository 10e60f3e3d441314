"""A process that answers batches of rows, and the object that speaks with it.

The process runs `main` of this module: a pickled question and Arrow batches come through its standard input,
answers go through its standard output. A pool of `multiprocessing` is not used because its processes run the main
script of the user again, and because a process that is killed breaks the whole pool.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
import traceback
from importlib.abc import MetaPathFinder
from typing import Any

from ._batch import Question
from ._errors import Error

_ATTEMPTS = 3  # a process may be killed once or twice for reasons of its machine; more often the rows are to blame


class Worker:
    """One process, started with the first batch and again if it was killed."""

    def __init__(self, question: Question) -> None:
        self._question = question
        self._process: subprocess.Popen[bytes] | None = None
        self._starting = threading.Lock()
        self._stopped = False

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    def ask(self, batch: Any) -> Any:
        """The answers of a batch. Errors of the process are raised here."""
        for _ in range(_ATTEMPTS):
            try:
                process = self._process or self._start()
                assert process.stdin is not None and process.stdout is not None
                _send(process.stdin, _packed(batch))
                kind, content = pickle.load(process.stdout)
            except (EOFError, OSError, pickle.UnpicklingError):
                code = self.close()
                continue
            if kind == "error":
                raise content
            return _unpacked(content)
        raise Error(
            f"a worker process ended {_ATTEMPTS} times at the same rows (exit code {code}): is there memory enough?"
        )

    def stop(self) -> None:
        """Ends the process from another thread than the one that asks. None is started again."""
        with self._starting:
            self._stopped = True
            process = self._process  # the asking thread may let go of it meanwhile
            if process is not None:
                process.kill()

    def close(self) -> int:
        """Ends the process at once and says how it ended."""
        if self._process is None:
            return 0
        self._process.kill()
        code = self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            try:
                if pipe is not None:
                    pipe.close()
            except OSError:  # what was not sent yet has nobody to read it
                pass
        self._process = None
        return code

    def _start(self) -> subprocess.Popen[bytes]:
        # The process has to find the same package, also where the caller changed sys.path.
        home = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        path = os.pathsep.join([home, *filter(None, [os.environ.get("PYTHONPATH")])])
        with self._starting:
            if self._stopped:
                raise Error("the run was ended before these rows were answered")
            process = self._process = subprocess.Popen(
                [sys.executable, "-c", "from scfe._file_worker import main; main()"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env={**os.environ, "PYTHONPATH": path},
            )
        assert process.stdin is not None
        _send(process.stdin, pickle.dumps(self._question))
        return process


class _WithoutPandas(MetaPathFinder):
    """pyarrow would import pandas with its first array, to see whether it is given a series: half of a start's time."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        if name == "pandas":
            raise ModuleNotFoundError("pandas is not used in worker processes")


def main() -> None:
    """Answers until the input ends, which it also does when the caller is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the caller's, who ends this process
    sys.meta_path.insert(0, _WithoutPandas())
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing that is printed may come between the answers
    sent: bytes = pickle.load(sys.stdin.buffer)
    question: Question | None = None
    while True:
        try:
            packed = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        try:
            if question is None:
                question = pickle.loads(sent)
            result: tuple[str, Any] = ("answers", _packed(question(_unpacked(packed))))
        except Error as error:
            result = ("error", error)
        except Exception as error:  # a fault of the process, not of the rows: asking again would not help
            traceback.print_exc()
            result = ("error", Error(f"a worker process failed: {type(error).__name__}: {error}"))
        _send(answers, result)


def _send(pipe: Any, thing: Any) -> None:
    pickle.dump(thing, pipe, protocol=5)
    pipe.flush()


def _packed(table: Any) -> bytes:
    """Arrow's stream format, which sends the rows of a slice and not all that it is a slice of."""
    import pyarrow

    sink = pyarrow.BufferOutputStream()
    with pyarrow.ipc.new_stream(sink, table.schema) as writer:
        writer.write(table)
    content: bytes = sink.getvalue().to_pybytes()
    return content


def _unpacked(content: bytes) -> Any:
    import pyarrow

    return pyarrow.ipc.open_stream(content).read_all()
