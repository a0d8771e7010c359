"""Who is asking: signed session tokens, their cookie, tickets for sockets, and the key behind it.

A session is kept nowhere but in its token. What ends it is a later epoch of its player.
"""

import contextlib
import hashlib
import hmac
import os
import stat
from pathlib import Path

from zashiki.core.rulings import Malformed
from zashiki.server.settings import KEY_FILE, read_key
from zashiki.server.system import System

# The key ----------------------------------------------------------------------------------------


class BadKey(ValueError):
    """The server's secret key cannot be used. The text never contains it."""


def secret_key(folder: Path, system: System) -> bytes:
    """Return the secret key in the data folder, which the first start makes."""
    file = folder / KEY_FILE
    if not file.exists():
        _make_key(file, system)
    with file.open("rb") as opened:
        mode = stat.S_IMODE(os.fstat(opened.fileno()).st_mode)
        if os.name == "posix" and mode & 0o077:
            raise BadKey(f"{file} may be read by others: its mode is {mode:o}, 600 is expected")
        try:
            return read_key(opened.read(1000).decode("ascii", "replace"))
        except Malformed as fault:
            raise BadKey(f"{file}: {fault}") from None


def fingerprint(key: bytes) -> str:
    """What servers with the same key have in common, and others may see: it does not betray it."""
    return hmac.digest(key, b"zashiki site", hashlib.sha256).hex()[:16]


def fingerprint_of(server: str) -> str:
    """That in the name of a server; of an older one, which has none there, nothing."""
    return server.partition(".")[2]


def _make_key(file: Path, system: System) -> None:
    """The file appears whole or not at all, and if two make it, the first one stays."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = file.with_name(f"{KEY_FILE}.{system.id()}")
    opened = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(opened, "wb") as out:
            out.write(system.secret().hex().encode("ascii") + b"\n")
            out.flush()
            os.fsync(out.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(draft, file)
    finally:
        draft.unlink()
