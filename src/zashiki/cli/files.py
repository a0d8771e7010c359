"""Files that people name: read within bounds, written whole or not at all."""

import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from zashiki.core.rulings import Malformed

MOST_BYTES = 64 * 2**20
"""No record is longer, by far; what is longer is not read into memory."""
BYTE_ORDER_MARK = "\ufeff"

# Reading ---------------------------------------------------------------------------------------


def read_text(path: str, what: str = "record") -> str:
    """The content of a file (`-`: of standard input), to the byte."""
    if not path:
        raise Malformed(f"FILE '': the name of a {what} is expected (-: standard input)")
    with faults_named(path):
        raw = read_input() if path == "-" else read_bytes(path)
        if len(raw) > MOST_BYTES:
            raise Malformed(f"{path}: longer than {MOST_BYTES >> 20} MiB, which no {what} is")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        raise Malformed(f"{path}: a {what} is text in UTF-8, and this is not") from None


def read_input() -> bytes:
    if sys.stdin is None:
        raise Malformed("-: standard input is closed")
    return sys.stdin.buffer.read(MOST_BYTES + 1)


def read_bytes(path: str) -> bytes:
    with Path(path).open("rb") as file:
        return file.read(MOST_BYTES + 1)


def hint(text: str) -> str:
    """What an editor or a transfer may have done to a record that cannot be read; or nothing."""
    done = []
    if text.startswith(BYTE_ORDER_MARK):
        done.append("begins with a byte order mark (BOM)")
    if "\r\n" in text:
        done.append("has lines that end in CRLF")
    if not done:
        return ""
    return f"it {' and '.join(done)}, as no record does: did an editor or a transfer change it?"


# Writing ---------------------------------------------------------------------------------------


def check_new(path: Path) -> None:
    """A file can be made there and replaces none: found out before the work, not after it."""
    with faults_named(path):
        if path.is_symlink() or (path.exists() and not path.is_dir()):
            raise Malformed(f"{path}: exists already, a new name is expected")
    check_writable(path)


def check_writable(path: Path) -> None:
    """A file can be made or replaced there: found out before the work, not after it."""
    with faults_named(path):
        if path.is_dir():
            raise Malformed(f"{path}: is a folder, a file is expected")
        if not path.parent.is_dir():
            raise Malformed(f"{path}: the folder {str(path.parent)!r} does not exist")
        if path.exists() and not path.is_file():
            raise Malformed(f"{path}: is a pipe or a device, a file is expected")
        if path.exists() and not os.access(path, os.W_OK):
            raise Malformed(f"{path}: may not be written")
        part = beside(path)
        part.open("xb").close()
        part.unlink()


@contextmanager
def whole(path: Path) -> Iterator[BinaryIO]:
    """A file that appears under its name when it is complete, in place of what was there."""
    part = beside(path)
    with faults_named(path):
        file = part.open("xb")  # never a file or a link that is already there
    try:
        with file:
            yield file
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def beside(path: Path) -> Path:
    """A name that nobody has, in the same folder; short, for the other may be as long as can be."""
    return path.with_name(f".{secrets.token_hex(8)}.part")


def write_text(path: Path, text: str) -> None:
    with faults_named(path), whole(path) as file:
        file.write(text.encode("utf-8"))


@contextmanager
def faults_named(path: Path | str) -> Iterator[None]:
    """What the system says against a file, in one line that names it."""
    if "\0" in str(path):
        raise Malformed(f"{path}: a name without a null character is expected")
    try:
        yield
    except OSError as fault:
        raise Malformed(f"{path}: {fault.strerror or fault}") from None
