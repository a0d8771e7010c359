"""One server at a time for a file. SQLite itself would let two of them write, but neither would be
told what the other one does."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from zashiki.server.store.errors import Unusable
from zashiki.server.store.sqlite.migrate import FILE_MODE, FOLDER_MODE


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """`Unusable` if another server has the file. However this one ends, the system lets go of it:
    what stays beside the file says nothing."""
    path.parent.mkdir(FOLDER_MODE, parents=True, exist_ok=True)
    real = path.resolve()  # the same file by another name is the same
    opened = os.open(real.with_name(f"{real.name}.lock"), os.O_RDWR | os.O_CREAT, FILE_MODE)
    try:
        try:
            is_ours = take(opened)
        except OSError as fault:  # some file systems of a network have no locks
            raise Unusable(f"{path}: it cannot be locked: {fault.strerror or fault}") from None
        if not is_ours:
            raise Unusable(f"{path}: another server uses this: stop that one first")
        yield
    finally:
        os.close(opened)


if sys.platform == "win32":
    import msvcrt

    def take(file: int) -> bool:
        """Is the file ours from now on?"""
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except PermissionError:
            return False
        return True

else:
    import fcntl

    def take(file: int) -> bool:
        """Is the file ours from now on?"""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
