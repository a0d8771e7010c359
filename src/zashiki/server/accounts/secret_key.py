"""Who is asking: signed session tokens, their cookie, tickets for sockets, and the key behind it.

A session is kept nowhere but in its token. What ends it is a later epoch of its player.
"""

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


# The key ----------------------------------------------------------------------------------------


class BadKey(ValueError):
    """The server's secret key cannot be used. The text never contains it."""


def secret_key(folder: Path, system: System, setting: str | None = None) -> bytes:
    """The key of this server: the setting, or what its folder keeps, made on the first start."""
    if setting is not None:
        return _key(setting, KEY_SETTING)
    file = folder / KEY_FILE
    if not file.exists():
        _make_key(file, system)
    with file.open("rb") as opened:
        mode = stat.S_IMODE(os.fstat(opened.fileno()).st_mode)
        if os.name == "posix" and mode & 0o077:
            raise BadKey(f"{file} may be read by others: its mode is {mode:o}, 600 is expected")
        return _key(opened.read(1000).decode("ascii", "replace"), str(file))


def fingerprint(key: bytes) -> str:
    """What servers with the same key have in common, and others may see: it does not betray it."""
    return hmac.digest(key, b"zashiki site", hashlib.sha256).hex()[:16]


def fingerprint_of(server: str) -> str:
    """That in the name of a server; of an older one, which has none there, nothing."""
    return server.partition(".")[2]


def _key(written: str, where: str) -> bytes:
    if KEY.fullmatch(written.strip()) is None:
        raise BadKey(f"the secret key in {where}: 64 hexadecimal digits are expected")
    return bytes.fromhex(written.strip())


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
