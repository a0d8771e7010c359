"""Sessions: signed tokens, and the cookie that carries them.

The server stores no sessions. Raising the epoch of a player ends all sessions of that player.
"""

import base64
import hashlib
import hmac
from typing import Final, Literal, TypeVar

import msgspec
from litestar.datastructures import Cookie

from zashiki.server.accounts.secret_key import BadKey
from zashiki.server.system import System

DAY_SECONDS: Final = 24 * 60 * 60
LIFETIME_SECONDS: Final = 180 * DAY_SECONDS
RENEW_AFTER_SECONDS: Final = 7 * DAY_SECONDS
BOT_LIFETIME_SECONDS: Final = 30 * DAY_SECONDS
"""The life of a bot's token. It is not renewed by itself: the owner makes a new one."""
DEVICE_LIFETIME_SECONDS: Final = 365 * DAY_SECONDS
MAX_CLOCK_SKEW_SECONDS: Final = DAY_SECONDS
"""Tolerance for tokens from the future: correcting a fast clock must not sign guests out."""

VERSION: Final = "v1"
MAX_TOKEN_LENGTH: Final = 300
COOKIE: Final = "zashiki"
DEVICE_COOKIE: Final = "zashiki-device"
"""Names a browser that has signed in before. It is sent to the sign-in only, and proves nothing
but that: failures of others do not delay this browser."""
SIGN_IN_PATH: Final = "/api/sign-in"


class Session(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The payload of a token."""

    player: str
    epoch: int
    issued: int


class Device(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The payload of a token that names a browser."""

    player: str
    id: str
    issued: int


LinkPurpose = Literal["digest-confirm", "digest-stop"]


class Link(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The payload of a token in a link that a message carries."""

    player: str
    id: str
    """The thing that the link changes."""
    issued: int


Payload = TypeVar("Payload", bound=msgspec.Struct)


class Sessions:
    """Issues and reads tokens of the form `v1.<payload>.<signature>`."""

    def __init__(self, key: bytes, system: System) -> None:
        if len(key) < 32:
            raise BadKey(f"secret key: expected at least 32 bytes, found {len(key)}")
        self._key = key
        self._system = system

    def issue(self, player: str, epoch: int) -> str:
        return self._sign("session", Session(player, epoch, int(self._system.now())))

    def read(self, token: str, lifetime: float = LIFETIME_SECONDS) -> Session | None:
        """Return the session of a genuine token that has not expired. The caller checks its
        epoch."""
        session = self._verify("session", token, Session)
        if session is None:
            return None
        is_current = -MAX_CLOCK_SKEW_SECONDS <= self._age(session) <= lifetime
        return session if is_current else None

    def issue_device(self, player: str) -> str:
        """Return a token that names a browser in which a player has signed in."""
        return self._sign("device", Device(player, self._system.id(), int(self._system.now())))

    def read_device(self, token: str) -> Device | None:
        """Return the browser of a genuine token that has not expired."""
        device = self._verify("device", token, Device)
        if device is None or self._system.now() - device.issued > DEVICE_LIFETIME_SECONDS:
            return None
        return device

    def issue_link(self, purpose: LinkPurpose, player: str, id: str) -> str:
        """Return a token for a link in a message to a player."""
        return self._sign(purpose, Link(player, id, int(self._system.now())))

    def read_link(self, purpose: LinkPurpose, token: str) -> Link | None:
        """Return what a genuine token for this purpose is about. The caller checks its age."""
        return self._verify(purpose, token, Link)

    def keyed_hash(self, purpose: str, text: str) -> str:
        """Return a digest of a text that nobody without the key can compute or compare."""
        message = f"zashiki {purpose} {text}".encode("utf-8", "surrogatepass")
        return hmac.digest(self._key, message, hashlib.sha256).hex()[:32]

    def _sign(self, purpose: str, payload: msgspec.Struct) -> str:
        signed = f"{VERSION}.{_encode(msgspec.json.encode(payload))}"
        return f"{signed}.{self._signature(purpose, signed)}"

    def _verify(self, purpose: str, token: str, kind: type[Payload]) -> Payload | None:
        if len(token) > MAX_TOKEN_LENGTH or not token.isascii():
            return None
        signed, _, signature = token.rpartition(".")
        if not hmac.compare_digest(signature, self._signature(purpose, signed)):
            return None
        version, _, payload = signed.partition(".")
        if version != VERSION:
            return None
        padded = payload + "=" * (-len(payload) % 4)
        return msgspec.json.decode(base64.urlsafe_b64decode(padded), type=kind)

    def renewal(self, token: str) -> str | None:
        """Return a new token of the same epoch if a valid token is old enough to be replaced."""
        session = self.read(token)
        if session is None or 0 <= self._age(session) <= RENEW_AFTER_SECONDS:
            return None
        return self.issue(session.player, session.epoch)

    def _age(self, session: Session) -> float:
        return self._system.now() - session.issued

    def _signature(self, purpose: str, signed: str) -> str:
        # The purpose keeps anything else that this key signs from passing for a session.
        message = f"zashiki {purpose} {signed}".encode("ascii")
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


def token_in(cookies: str) -> str | None:
    """Return the session token in a `Cookie` header. If there are several, the last one counts."""
    pairs = (one.partition("=") for one in cookies.split(";"))
    found = [value.strip() for name, _, value in pairs if name.strip() == COOKIE]
    return found[-1].strip('"') if found else None


def device_cookie(token: str, *, secure: bool) -> Cookie:
    """Return the cookie that names a browser in which a player has signed in."""
    cookie = session_cookie(token, secure=secure)
    cookie.key, cookie.path = DEVICE_COOKIE, SIGN_IN_PATH
    cookie.max_age, cookie.samesite = DEVICE_LIFETIME_SECONDS, "strict"
    return cookie


def expired_cookie(*, secure: bool) -> Cookie:
    """Return a cookie that makes the browser delete the session cookie."""
    expired = session_cookie("", secure=secure)
    expired.max_age = 0
    return expired
