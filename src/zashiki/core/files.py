"""Atomic writing of files: a file appears when it is complete, or never."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def atomic_file(path: Path) -> Iterator[BinaryIO]:
    """Open a file that takes the place of `path` when all of it is on disk."""
    part = temporary_beside(path)
    file = part.open("xb")  # never a file or a link that is already there
    try:
        with file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def temporary_beside(path: Path) -> Path:
    """Return an unused name in the same folder, short since `path` may have the maximum length."""
    return path.with_name(f".{secrets.token_hex(8)}.part")


def write_atomically(path: Path, content: bytes) -> None:
    with atomic_file(path) as file:
        file.write(content)
