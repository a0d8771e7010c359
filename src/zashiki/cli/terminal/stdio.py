"""The standard streams when they are closed, full, or left by their reader."""

import contextlib
import os
import sys
from typing import TextIO

from zashiki.core.rulings import Malformed


def mend_streams() -> None:
    """Streams that can be used whatever is written or typed; without an output, nothing begins."""
    fill_holes()
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    if sys.stdout is None:
        raise Malformed("standard output is closed")


def fill_holes() -> None:
    """No file may get the number of a closed stream: what is meant for the one hit the other."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free


def complain(text: str) -> None:
    """One line on the error stream, if anybody can be reached there."""
    with contextlib.suppress(OSError):
        print(f"zashiki: {text}", file=sys.stderr)


def printable(text: str) -> str:
    """Text from outside with nothing in it that could steer a terminal."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


def settle() -> None:
    """Write what is left to write, or drop it: else Python tries again at its end, and fails."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            drop(stream)


def drop(stream: TextIO) -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
