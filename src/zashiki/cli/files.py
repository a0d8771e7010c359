"""Files that people name: reading with a size limit, atomic writing, errors that name the file."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from zashiki.core.files import temporary_beside, write_atomically
from zashiki.core.rulings import Malformed

MAX_BYTES = 64 * 2**20
"""Size limit of a file that is read into memory; records are much shorter."""

# Reading ---------------------------------------------------------------------------------------


def read_text(path: str, what: str = "record") -> str:
    """Read a text file without changing line ends; `-` is standard input."""
    if not path:
        raise Malformed(f"FILE '': expected the name of a {what} (-: standard input)")
    with errors_naming(path):
        raw = read_input() if path == "-" else read_bytes(path)
        if len(raw) > MAX_BYTES:
            raise Malformed(f"{path}: longer than {MAX_BYTES >> 20} MiB, not a {what}")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        raise Malformed(f"{path}: expected a {what}, found something that is not UTF-8") from None


def read_input() -> bytes:
    if sys.stdin is None:
        raise Malformed("-: standard input is closed")
    return sys.stdin.buffer.read(MAX_BYTES + 1)


def read_bytes(path: str) -> bytes:
    with Path(path).open("rb") as file:
        return file.read(MAX_BYTES + 1)


# Writing ---------------------------------------------------------------------------------------


def check_new(path: Path) -> None:
    """Refuse a path where a file cannot be created or already exists, before the work begins."""
    with errors_naming(path):
        if path.is_symlink() or (path.exists() and not path.is_dir()):
            raise Malformed(f"{path}: exists already, choose a new name")
    check_writable(path)


def check_writable(path: Path) -> None:
    """Refuse a path where a file cannot be created or replaced, before the work begins."""
    with errors_naming(path):
        if path.is_dir():
            raise Malformed(f"{path}: expected a file, found a folder")
        if not path.parent.is_dir():
            raise Malformed(f"{path}: the folder {str(path.parent)!r} does not exist")
        if path.exists() and not path.is_file():
            raise Malformed(f"{path}: expected a file, found a pipe or a device")
        if path.exists() and not os.access(path, os.W_OK):
            raise Malformed(f"{path}: no permission to write")
        part = temporary_beside(path)
        part.open("xb").close()
        part.unlink()


def write_text(path: Path, text: str) -> None:
    """Write a text file atomically."""
    with errors_naming(path):
        write_atomically(path, text.encode("utf-8"))


# Errors ----------------------------------------------------------------------------------------


@contextmanager
def errors_naming(path: Path | str) -> Iterator[None]:
    """Turn every `OSError` into a `Malformed` of one line that names this file."""
    if "\0" in str(path):
        raise Malformed(f"{path}: a file name cannot contain a null character")
    try:
        yield
    except OSError as fault:
        raise Malformed(f"{path}: {fault.strerror or fault}") from None


@contextmanager
def errors_naming_folder(folder: Path | None) -> Iterator[None]:
    """Turn an `OSError` that does not name a file into a `Malformed` that names this folder."""
    try:
        yield
    except OSError as fault:
        if folder is None or fault.filename is not None or isinstance(fault, BrokenPipeError):
            raise
        raise Malformed(f"{folder}: {fault.strerror or fault}") from None
