"""The server's secret key: it signs session tokens and derives the token of bot workers."""

import base64
import contextlib
import hashlib
import hmac
import os
import stat
from pathlib import Path

from zashiki.core.rulings import Malformed
from zashiki.server.settings import KEY_FILE, read_key
from zashiki.server.system import System


class BadKey(ValueError):
    """An unusable secret key. The message never contains the key."""


def secret_key(folder: Path, system: System) -> bytes:
    """Return the key of the data folder, where the first start creates it."""
    file = folder / KEY_FILE
    if not file.exists():
        _create_key(file, system)
    return read_secret_key(file)


def read_secret_key(file: Path) -> bytes:
    """Return the key in a file, which nobody else may read."""
    with file.open("rb") as opened:
        mode = stat.S_IMODE(os.fstat(opened.fileno()).st_mode)
        if os.name == "posix" and mode & 0o077:
            raise BadKey(f"{file} may be read by others: expected mode 600, found {mode:o}")
        try:
            return read_key(opened.read(1000).decode("ascii", "replace"))
        except Malformed as fault:
            raise BadKey(f"{file}: {fault}") from None


def fingerprint(key: bytes) -> str:
    """Return a public digest of the key, by which servers see that they have the same one."""
    return hmac.digest(key, b"zashiki site", hashlib.sha256).hex()[:16]


def fingerprint_of(server: str) -> str:
    """Return the fingerprint in a server's name; empty if the name has none."""
    return server.partition(".")[2]


def operator_key(key: bytes) -> str:
    """Derive the operator's key from the server's secret key, without revealing that."""
    digest = hmac.digest(key, b"zashiki operator", hashlib.sha256)
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode("ascii")


def _create_key(file: Path, system: System) -> None:
    """Create the key file atomically. If two processes do, the first file stays."""
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
