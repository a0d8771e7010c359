"""Who is asking: signed session tokens, their cookie, tickets for sockets, and the key behind it.

A session is kept nowhere but in its token. What ends it is a later epoch of its player.
"""

import base64
import contextlib
import hashlib
import hmac
import ipaddress
import os
import re
import stat
from collections import OrderedDict
from collections.abc import Container
from pathlib import Path
from typing import Final

import msgspec
from litestar.datastructures import Cookie

from zashiki.server.problems import Problem
from zashiki.server.source import Source
from zashiki.server.store.site import Site

DAY: Final = 24 * 60 * 60
LIFETIME: Final = 180 * DAY
RENEWED_AFTER: Final = 7 * DAY
AHEAD: Final = DAY
"""A clock that was set right must not sign everybody out: a guest could never come back."""

VERSION: Final = "v1"
LONGEST_TOKEN: Final = 300
COOKIE: Final = "zashiki"
HEADER: Final = "X-Zashiki"
READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})

WITH_PORT: Final = re.compile(r"(?:\[(?P<inside>[^]]+)]|(?P<name>[^]:[]+))(?::[0-9]*)?")
"""A host as in a URL: an address of IPv6 is in brackets."""

KEY_FILE: Final = "secret.key"
KEY_SETTING: Final = "ZASHIKI_KEY"
KEY: Final = re.compile("[0-9a-fA-F]{64}")


# Tokens -----------------------------------------------------------------------------------------


class Session(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What a token says."""

    player: str
    epoch: int
    issued: int


class Sessions:
    """Writes and reads tokens: `v1.<payload>.<signature>`."""

    def __init__(self, key: bytes, source: Source) -> None:
        if len(key) < 32:
            raise BadKey("a key of at least 32 bytes is expected")
        self._key = key
        self._source = source

    def issue(self, player: str, epoch: int) -> str:
        session = Session(player, epoch, int(self._source.now()))
        signed = f"{VERSION}.{_written(msgspec.json.encode(session))}"
        return f"{signed}.{self._signature(signed)}"

    def read(self, token: str) -> Session | None:
        """What the token says, if we wrote it and its time is not up; its epoch may be over."""
        if len(token) > LONGEST_TOKEN or not token.isascii():
            return None
        signed, _, signature = token.rpartition(".")
        if not hmac.compare_digest(signature, self._signature(signed)):
            return None
        version, _, payload = signed.partition(".")
        if version != VERSION:
            return None
        padded = payload + "=" * (-len(payload) % 4)
        session = msgspec.json.decode(base64.urlsafe_b64decode(padded), type=Session)
        return session if -AHEAD <= self._age(session) <= LIFETIME else None

    def renewal(self, token: str) -> str | None:
        """A new token in place of one that is valid and no longer young; of the same epoch."""
        session = self.read(token)
        if session is None or 0 <= self._age(session) <= RENEWED_AFTER:
            return None
        return self.issue(session.player, session.epoch)

    def _age(self, session: Session) -> float:
        return self._source.now() - session.issued

    def _signature(self, signed: str) -> str:
        # Named, so that nothing else that this key may ever sign can pass for a session.
        said = f"zashiki session {signed}".encode("ascii")
        return _written(hmac.digest(self._key, said, hashlib.sha256))


def _written(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


# The cookie, and requests from elsewhere --------------------------------------------------------


def cookie(token: str, *, secure: bool) -> Cookie:
    return Cookie(
        key=COOKIE,
        value=token,
        path="/",
        max_age=LIFETIME,
        secure=secure,
        httponly=True,
        samesite="lax",
    )


def no_cookie(*, secure: bool) -> Cookie:
    """Takes the cookie away."""
    gone = cookie("", secure=secure)
    gone.max_age = 0
    return gone


def is_loopback(host: str) -> bool:
    """Is this host, as in a URL or in `Host`, this machine itself? Only there a cookie may do
    without TLS."""
    name = without_port(host)
    if name == "localhost" or name.endswith(".localhost"):
        return True
    return is_address(host) and ipaddress.ip_address(name).is_loopback


def is_address(host: str) -> bool:
    """Is this host a number, and no name that somebody could point anywhere?"""
    try:
        ipaddress.ip_address(without_port(host))
    except ValueError:
        return False
    return True


def without_port(host: str) -> str:
    """The name or the number; what is neither stays as it is."""
    name = host.lower()
    found = WITH_PORT.fullmatch(name)
    return name if found is None else found["inside"] or found["name"]


def check_origin(origin: str | None, allowed: Container[str]) -> None:
    """Browsers say from where a page asks; other programs have no cookie that could be abused."""
    if origin is not None and origin not in allowed:
        raise Problem(403, "origin", "pages of this origin may not ask here")


def check_request(
    method: str, marker: str | None, origin: str | None, allowed: Container[str]
) -> None:
    """Refuse what a page of another site may have sent with the player's cookie.

    `marker` is the value of the header `X-Zashiki`: no page can send it to another site unless that
    site agrees, and this one does not.
    """
    if method.upper() in READING:
        return
    if marker != "1":
        raise Problem(403, "header", f"a request that changes something needs {HEADER}: 1")
    check_origin(origin, allowed)


# Tickets ----------------------------------------------------------------------------------------


class Ticket(msgspec.Struct, frozen=True):
    """Opens one socket. The epoch is the player's when it was written."""

    player: str
    epoch: int
    table: str
    expires: float
    seat: int | None = None
    """The seat of a bot, which is no player that is kept anywhere; None for all others."""


class Tickets:
    """Tickets that were written and not yet used. They do not outlive the process, nor need to.

    Where several servers share a store, those of people are kept there: they may be used at any of
    them, and expire by its clock. A bot comes back to the server that gave it a seat.
    """

    def __init__(
        self, source: Source, seconds: float = 30, most: int = 10_000, site: Site | None = None
    ) -> None:
        self._source = source
        self._site = site if site is not None and site.is_shared else None
        self._seconds = seconds
        self._most = most
        self._kept: OrderedDict[str, Ticket] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def issue(self, player: str, epoch: int, table: str, seat: int | None = None) -> str:
        now = self._source.now()
        token = self._source.token()
        self._kept[token] = Ticket(player, epoch, table, now + self._seconds, seat)
        self._drop(now)
        return token

    async def write(self, player: str, epoch: int, table: str) -> str:
        """A ticket of a person."""
        if self._site is None:
            return self.issue(player, epoch, table)
        token = self._source.token()
        ticket = Ticket(player, epoch, table, self._source.now() + self._seconds)
        await self._site.add_ticket(token, msgspec.json.encode(ticket), self._seconds)
        return token

    async def take(self, token: str) -> Ticket | None:
        """The ticket, once, at whichever server it was written."""
        found = self.use(token)
        if found is not None or self._site is None:
            return found
        content = await self._site.take_ticket(token)
        return None if content is None else msgspec.json.decode(content, type=Ticket)

    def use(self, token: str) -> Ticket | None:
        """The ticket, once. Whether its epoch is still the player's is for the caller to ask."""
        ticket = self._kept.pop(token, None)
        return None if ticket is None or ticket.expires < self._source.now() else ticket

    def _drop(self, now: float) -> None:
        while self._kept:
            oldest = next(iter(self._kept.values()))
            if oldest.expires >= now and len(self._kept) <= self._most:
                break
            self._kept.popitem(last=False)


# The key ----------------------------------------------------------------------------------------


class BadKey(ValueError):
    """The server's secret key cannot be used. The text never contains it."""


def secret_key(folder: Path, source: Source, setting: str | None = None) -> bytes:
    """The key of this server: the setting, or what its folder keeps, made on the first start."""
    if setting is not None:
        return _key(setting, KEY_SETTING)
    file = folder / KEY_FILE
    if not file.exists():
        _make_key(file, source)
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


def _make_key(file: Path, source: Source) -> None:
    """The file appears whole or not at all, and if two make it, the first one stays."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = file.with_name(f"{KEY_FILE}.{source.id()}")
    opened = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(opened, "wb") as out:
            out.write(source.secret().hex().encode("ascii") + b"\n")
            out.flush()
            os.fsync(out.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(draft, file)
    finally:
        draft.unlink()
