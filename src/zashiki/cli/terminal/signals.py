"""Signals that end a process, as exceptions: what was begun is cleaned up, as after Ctrl-C."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType
from typing import NoReturn

ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


class Ended(BaseException):
    """Somebody wants this process to end. Like KeyboardInterrupt, no `Exception`."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@contextmanager
def signals_raise() -> Iterator[None]:
    """Within, signals raise `Ended`; those that were ignored (nohup) still are."""
    if current_thread() is not main_thread():  # only there Python lets signals be handled
        yield
        return
    ours = [number for number in ENDING if signal.getsignal(number) == signal.SIG_DFL]
    for number in ours:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)


def end(number: int, _: FrameType | None) -> NoReturn:
    signal.signal(number, signal.SIG_IGN)  # once is enough: the second would disturb the cleaning
    raise Ended(number)
