"""Runs a call of the library: progress beyond a second, Ctrl-C, warnings.

In the main thread the call runs in a thread beside it, because Python handles Ctrl-C in the main thread alone.
"""

from __future__ import annotations

import ctypes
import signal
import sys
import threading
from collections.abc import Callable
from typing import Any

from . import _library
from ._settings import Settings
from ._warn import warn

_PATIENCE = 1.0  # seconds before progress is shown
_TICK = 0.1


def run(title: str, settings: Settings, work: Callable[[ctypes.c_void_p], None], rows: int = 0) -> ctypes.c_void_p:
    """Runs the work. Ctrl-C ends it and raises KeyboardInterrupt."""
    pointer, interrupted = run_interruptible(title, settings, work, rows)
    if interrupted:
        raise KeyboardInterrupt
    return pointer


def run_interruptible(
    title: str, settings: Settings, work: Callable[[ctypes.c_void_p], None], rows: int = 0
) -> tuple[ctypes.c_void_p, bool]:
    """The same, but Ctrl-C makes the work return what it has. The second value says whether that happened."""
    out = ctypes.c_void_p()
    said: list[str] = []
    done = [0]
    lib = _library.lib

    def heard(_context: Any, sentence: bytes) -> None:
        said.append(sentence.decode("utf-8", "replace"))

    def counted(_context: Any, rows_done: int, _total: int) -> None:
        done[0] = rows_done

    callbacks = (_library.WARN(heard), _library.PROGRESS(counted))
    lib.scfe_settings_on_warning(settings.pointer, callbacks[0], None)
    lib.scfe_settings_on_progress(settings.pointer, callbacks[1], None)
    interrupted = False
    if threading.current_thread() is threading.main_thread():
        interrupted = _beside(title, settings, lambda: work(out), done, rows)
    else:
        work(out)
    for sentence in said:
        warn(_library.words(sentence))
    return out, interrupted


def _beside(title: str, settings: Settings, work: Callable[[], None], done: list[int], rows: int) -> bool:
    lib = _library.lib
    cancel = _library.Handle(lib.scfe_cancel_new(), "scfe_cancel_free")
    lib.scfe_settings_cancel(settings.pointer, cancel.pointer)
    failure: list[BaseException] = []
    finished = threading.Event()

    def attempt() -> None:
        try:
            work()
        except BaseException as error:  # raised again in the caller's thread
            failure.append(error)
        finally:
            finished.set()

    thread = threading.Thread(target=attempt, name=f"scfe {title}", daemon=True)
    progress = _Progress(title, rows)
    with _CtrlC(lambda: lib.scfe_cancel_now(cancel.pointer)) as ctrl_c:
        thread.start()
        waited = 0.0
        while not finished.wait(_TICK):
            waited += _TICK
            if waited >= _PATIENCE:
                progress.show(done[0])
        thread.join()
    progress.clear()
    lib.scfe_settings_cancel(settings.pointer, None)
    if failure and ctrl_c.pressed:
        raise KeyboardInterrupt from failure[0]
    if failure:
        raise failure[0]
    return ctrl_c.pressed


class _CtrlC:
    """Calls `stop` on Ctrl-C, in place of an exception: one raised within a lock's own code leaves it locked for ever.

    A handler of the program's own stays. What it raises ends the work too, and goes on to the caller.
    """

    def __init__(self, stop: Callable[[], None]) -> None:
        self._stop = stop
        self._ours = False
        self.pressed = False

    def __enter__(self) -> _CtrlC:
        self._ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler
        if self._ours:
            signal.signal(signal.SIGINT, self._press)
        return self

    def _press(self, _signal: int, _frame: Any) -> None:
        self.pressed = True
        self._stop()

    def __exit__(self, kind: type[BaseException] | None, *_: Any) -> None:
        if kind is not None:
            self._stop()
        if self._ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)


class _Progress:
    """A line that is written over: on a terminal, or in the output of a notebook's cell."""

    def __init__(self, title: str, rows: int) -> None:
        self._title, self._rows = title, rows
        self._shown = ""
        self._display: Any = None

    def show(self, done: int) -> None:
        of = f" {done} of {self._rows} rows" if self._rows else " ..."
        self._write(f"{self._title}:{of}")

    def clear(self) -> None:
        if self._shown:
            self._write("")

    def _write(self, text: str) -> None:
        if text == self._shown:
            return
        if _in_notebook():
            from IPython.display import HTML, display

            if self._display is None:
                self._display = display(HTML(text), display_id=True)
            else:
                self._display.update(HTML(text))
        elif sys.stderr is not None and sys.stderr.isatty():
            sys.stderr.write("\r" + text.ljust(len(self._shown)) + ("" if text else "\r"))
            sys.stderr.flush()
        else:
            return
        self._shown = text


def _in_notebook() -> bool:
    if "IPython" not in sys.modules:
        return False
    shell = sys.modules["IPython"].get_ipython()
    return shell is not None and hasattr(shell, "kernel")
