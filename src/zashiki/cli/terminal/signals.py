"""Termination signals as exceptions, so that a command cleans up as after Ctrl-C."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType
from typing import NoReturn

SIGNALS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


class Terminated(BaseException):
    """A signal asked this process to end. Not an `Exception`, as `KeyboardInterrupt` is not."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@contextmanager
def raise_on_signals() -> Iterator[None]:
    """Raise `Terminated` when a signal arrives. Signals that were ignored (nohup) still are."""
    if current_thread() is not main_thread():  # Python handles signals only there
        yield
        return
    ours = [number for number in SIGNALS if signal.getsignal(number) == signal.SIG_DFL]
    for number in ours:
        signal.signal(number, terminate)
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)


def terminate(number: int, _: FrameType | None) -> NoReturn:
    signal.signal(number, signal.SIG_IGN)  # a second signal would interrupt the clean-up
    raise Terminated(number)
