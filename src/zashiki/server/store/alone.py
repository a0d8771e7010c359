"""One server at a time for a file. SQLite itself would let two of them write, but neither would be
told what the other one does."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from zashiki.server.store.protocol import Unusable
from zashiki.server.store.schema import FILE_MODE, FOLDER_MODE


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """`Unusable` if another server has the file. However this one ends, the system lets go of it:
    what stays beside the file says nothing."""
    path.parent.mkdir(FOLDER_MODE, parents=True, exist_ok=True)
    opened = os.open(path.with_name(f"{path.name}.lock"), os.O_RDWR | os.O_CREAT, FILE_MODE)
    try:
        if not take(opened):
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
        except OSError:
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
