"""Sessions: signed tokens, and the cookie that carries them.

The server stores no sessions. Raising the epoch of a player ends all sessions of that player.
"""

import base64
import hashlib
import hmac
from typing import Final

import msgspec
from litestar.datastructures import Cookie

from zashiki.server.accounts.secret_key import BadKey
from zashiki.server.system import System

DAY_SECONDS: Final = 24 * 60 * 60
LIFETIME_SECONDS: Final = 180 * DAY_SECONDS
RENEW_AFTER_SECONDS: Final = 7 * DAY_SECONDS
MAX_CLOCK_SKEW_SECONDS: Final = DAY_SECONDS
"""Tolerance for tokens from the future: correcting a fast clock must not sign guests out."""

VERSION: Final = "v1"
MAX_TOKEN_LENGTH: Final = 300
COOKIE: Final = "zashiki"


class Session(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The payload of a token."""

    player: str
    epoch: int
    issued: int


class Sessions:
    """Issues and reads tokens of the form `v1.<payload>.<signature>`."""

    def __init__(self, key: bytes, system: System) -> None:
        if len(key) < 32:
            raise BadKey(f"secret key: expected at least 32 bytes, found {len(key)}")
        self._key = key
        self._system = system

    def issue(self, player: str, epoch: int) -> str:
        session = Session(player, epoch, int(self._system.now()))
        signed = f"{VERSION}.{_encode(msgspec.json.encode(session))}"
        return f"{signed}.{self._signature(signed)}"

    def read(self, token: str) -> Session | None:
        """Return the session of a genuine token that has not expired. The caller checks its
        epoch."""
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
        is_current = -MAX_CLOCK_SKEW_SECONDS <= self._age(session) <= LIFETIME_SECONDS
        return session if is_current else None

    def renewal(self, token: str) -> str | None:
        """Return a new token of the same epoch if a valid token is old enough to be replaced."""
        session = self.read(token)
        if session is None or 0 <= self._age(session) <= RENEW_AFTER_SECONDS:
            return None
        return self.issue(session.player, session.epoch)

    def _age(self, session: Session) -> float:
        return self._system.now() - session.issued

    def _signature(self, signed: str) -> str:
        # The prefix keeps anything else that this key signs from passing for a session.
        message = f"zashiki session {signed}".encode("ascii")
        return _encode(hmac.digest(self._key, message, hashlib.sha256))


def _encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def session_cookie(token: str, *, secure: bool) -> Cookie:
    """Return the cookie that carries a session token."""
    return Cookie(
        key=COOKIE,
        value=token,
        path="/",
        max_age=LIFETIME_SECONDS,
        secure=secure,
        httponly=True,
        samesite="lax",
    )


def expired_cookie(*, secure: bool) -> Cookie:
    """Return a cookie that makes the browser delete the session cookie."""
    expired = session_cookie("", secure=secure)
    expired.max_age = 0
    return expired
