"""Standard input, output and error when they are closed, full, or read by nobody."""

import contextlib
import os
import sys
from typing import TextIO

from zashiki.core.rulings import Malformed


def repair_streams() -> None:
    """Make the streams accept any character, and refuse to start without standard output."""
    reserve_descriptors()
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    if sys.stdout is None:
        raise Malformed("standard output is closed")


def reserve_descriptors() -> None:
    """Open the null device as every closed descriptor from 0 to 2.

    A file that was opened there instead would receive what is written to the stream.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free


def print_error(text: str) -> None:
    """Print one line on standard error, if it can be written to."""
    with contextlib.suppress(OSError):
        print(f"zashiki: {text}", file=sys.stderr)


def printable(text: str) -> str:
    """Escape everything in a text from outside that could control a terminal."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


def flush_streams() -> None:
    """Flush the output, or discard it: otherwise Python tries again at exit, and fails."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            redirect_to_null(stream)


def redirect_to_null(stream: TextIO) -> None:
    """Discard everything that is written to a stream from now on."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, stream.fileno())
    os.close(null)
