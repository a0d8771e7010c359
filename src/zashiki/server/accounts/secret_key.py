"""The server's secret key: it signs session tokens and derives the token of bot workers."""

import contextlib
import hashlib
import hmac
import os
import re
import stat
from pathlib import Path
from typing import Final

from zashiki.server.system import System

KEY_FILE: Final = "secret.key"
KEY_SETTING: Final = "ZASHIKI_KEY"
KEY: Final = re.compile("[0-9a-fA-F]{64}")


class BadKey(ValueError):
    """An unusable secret key. The message never contains the key."""


def secret_key(folder: Path, system: System, setting: str | None = None) -> bytes:
    """Return the key from the setting or from the folder, where the first start creates it."""
    if setting is not None:
        return _parse_key(setting, KEY_SETTING)
    file = folder / KEY_FILE
    if not file.exists():
        _create_key(file, system)
    with file.open("rb") as opened:
        mode = stat.S_IMODE(os.fstat(opened.fileno()).st_mode)
        if os.name == "posix" and mode & 0o077:
            raise BadKey(f"{file} may be read by others: expected mode 600, found {mode:o}")
        return _parse_key(opened.read(1000).decode("ascii", "replace"), str(file))


def fingerprint(key: bytes) -> str:
    """Return a public digest of the key, by which servers see that they have the same one."""
    return hmac.digest(key, b"zashiki site", hashlib.sha256).hex()[:16]


def fingerprint_of(server: str) -> str:
    """Return the fingerprint in a server's name; empty if the name has none."""
    return server.partition(".")[2]


def _parse_key(text: str, where: str) -> bytes:
    if KEY.fullmatch(text.strip()) is None:
        raise BadKey(f"the secret key in {where}: expected 64 hexadecimal digits")
    return bytes.fromhex(text.strip())


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
