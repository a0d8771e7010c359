"""Who is asking: signed session tokens, their cookie, tickets for sockets, and the key behind it.

A session is kept nowhere but in its token. What ends it is a later epoch of its player.
"""

import base64
import hashlib
import hmac
from typing import Final

import msgspec
from litestar.datastructures import Cookie

from zashiki.server.accounts.secret_key import BadKey
from zashiki.server.system import System

DAY: Final = 24 * 60 * 60
LIFETIME: Final = 180 * DAY
RENEWED_AFTER: Final = 7 * DAY
AHEAD: Final = DAY
"""A clock that was set right must not sign everybody out: a guest could never come back."""

VERSION: Final = "v1"
MAX_TOKEN_LENGTH: Final = 300
COOKIE: Final = "zashiki"


# Tokens -----------------------------------------------------------------------------------------


class Session(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What a token says."""

    player: str
    epoch: int
    issued: int


class Sessions:
    """Writes and reads tokens: `v1.<payload>.<signature>`."""

    def __init__(self, key: bytes, system: System) -> None:
        if len(key) < 32:
            raise BadKey("a key of at least 32 bytes is expected")
        self._key = key
        self._source = system

    def issue(self, player: str, epoch: int) -> str:
        session = Session(player, epoch, int(self._source.now()))
        signed = f"{VERSION}.{_written(msgspec.json.encode(session))}"
        return f"{signed}.{self._signature(signed)}"

    def read(self, token: str) -> Session | None:
        """What the token says, if we wrote it and its time is not up; its epoch may be over."""
        if len(token) > MAX_TOKEN_LENGTH or not token.isascii():
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
