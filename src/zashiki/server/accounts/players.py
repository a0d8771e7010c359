"""Players: guests, accounts and bots; signing in and changing accounts."""

import asyncio
import logging
import re
import unicodedata
from collections.abc import Callable
from typing import Final, TypeVar
from weakref import WeakValueDictionary

from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError
from msgspec.structs import replace

from zashiki.core.facts import shown_name
from zashiki.core.rulings import Malformed
from zashiki.server.accounts.tokens import Sessions
from zashiki.server.errors import ApiError
from zashiki.server.ops.addresses import rate_key
from zashiki.server.ops.logs import log
from zashiki.server.ops.rate_limits import Rate, RateLimits
from zashiki.server.store.errors import Conflict, Taken
from zashiki.server.store.protocol import Store
from zashiki.server.store.rows import PlayerKind, PlayerRow
from zashiki.server.system import System

MAX_NAME_LENGTH: Final = 24
LOGIN: Final = re.compile("[a-z0-9_-]{3,24}")
MIN_PASSWORD_LENGTH: Final = 8
MAX_PASSWORD_LENGTH: Final = 200
DELETED: Final = "—"
"""The name that is shown for a deleted player."""
MAX_OWN_BOTS: Final = 50

SIGN_INS_PER_MINUTE: Final = 10
"""Limit per login and address."""
SINGLE_KEY_FACTOR: Final = 5
"""Factor on that limit for an address or a login alone. A school may share one address, and a
player must be able to sign in while others attack the login."""

MAX_SIGNING_IN, MAX_REGISTERING = 2, 1
"""Password hashes at once. Each needs about 64 MiB of memory."""
MAX_WAITING: Final = 50
"""Queue length from which further requests are refused."""

Answer = TypeVar("Answer")


class Accounts:
    """Creates and changes players, and finds them by session token.

    A change reads the player again and holds the player's lock until it is stored, so that
    concurrent changes do not overwrite each other. It is refused if the sessions of the player
    have ended meanwhile.
    """

    def __init__(
        self,
        store: Store,
        system: System,
        sessions: Sessions,
        hasher: PasswordHasher | None = None,
        sign_ins_per_minute: int = SIGN_INS_PER_MINUTE,
    ) -> None:
        self._store = store
        self._system = system
        self._sessions = sessions
        self._hasher = hasher or PasswordHasher()
        self._dummy_hash = self._hash(system.token())
        """Checked in place of a password if the login is unknown."""
        wider = Rate(SINGLE_KEY_FACTOR * sign_ins_per_minute, 60)
        rates = {"both": Rate(sign_ins_per_minute, 60), "address": wider, "login": wider}
        self._limits = RateLimits(system.now, rates)
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._sign_in_queue = HashQueue(MAX_SIGNING_IN)
        self._register_queue = HashQueue(MAX_REGISTERING)

    # Finding ------------------------------------------------------------------------------------

    async def of_token(self, token: str) -> PlayerRow | None:
        """Return the player of a session token; None if it is forged, expired or revoked."""
        session = self._sessions.read(token)
        return None if session is None else await self.of_epoch(session.player, session.epoch)

    async def of_epoch(self, player: str, epoch: int) -> PlayerRow | None:
        """Return a player, or None if the player is deleted or the epoch has ended."""
        row = await self._store.player(player)
        if row is None or row.deleted or row.epoch != epoch:
            return None
        owner = None if row.owner is None else await self._store.player(row.owner)
        return None if owner is not None and owner.deleted else row

    # Creating and signing in --------------------------------------------------------------------

    async def create_guest(self, name: str) -> tuple[PlayerRow, str]:
        """Create a guest. Return the player and a session token."""
        return await self._create("guest", name)

    async def create_bot(self, name: str, owner: str) -> tuple[PlayerRow, str]:
        """Create a bot of a player. Return it and the token with which its program signs in."""
        async with self._locks.setdefault(owner, asyncio.Lock()):
            if len(await self._store.bots_of(owner)) >= MAX_OWN_BOTS:
                text = f"you have {MAX_OWN_BOTS} bots, the most that are allowed: revoke one first"
                raise ApiError(409, "too-many-bots", text)
            return await self._create("bot", name, owner)

    async def revoke_bot(self, owner: str, bot: str) -> None:
        """Delete a bot of a player, which makes its token invalid."""
        rows = [row for row in await self._store.bots_of(owner) if row.id == bot]
        if not rows:
            raise ApiError(404, "no-bot", "you have no such bot")
        await self.delete(rows[0])

    async def _create(
        self, kind: PlayerKind, name: str, owner: str | None = None
    ) -> tuple[PlayerRow, str]:
        row = PlayerRow(
            id=self._system.id(),
            kind=kind,
            name=_check_name(name),
            login=None,
            password=None,
            created=self._system.now(),
            owner=owner,
        )
        await self._store.add_player(row)
        log(logging.INFO, "came", player=row.id, kind=row.kind)
        return row, self._token(row)

    async def sign_in(self, login: str, password: str, address: str) -> tuple[PlayerRow, str]:
        """Sign in with a password. Return the player and a session token.

        An unknown login takes as long as a wrong password and gets the same answer.
        """
        login = login.casefold()
        login = login if LOGIN.fullmatch(login) else ""
        source = rate_key(address)
        self._limits.take(both=(login, source), address=source, login=login)
        row = await self._store.player_by_login(login)
        stored = row.password if row is not None else None
        normal = _normalize_password(password)
        is_right = await self._sign_in_queue.run(
            lambda: self._verify(stored or self._dummy_hash, normal)
        )
        if row is None or stored is None or not is_right:
            raise ApiError(401, "sign-in", "wrong login or password")
        log(logging.INFO, "came", player=row.id, kind=row.kind)
        return row, self._token(row)

    async def sign_out(self, player: PlayerRow) -> None:
        """End all sessions of the player, on every device."""
        await self._change(player, lambda row: replace(row, epoch=row.epoch + 1))

    # Changing -----------------------------------------------------------------------------------

    async def register(
        self, player: PlayerRow, login: str, password: str, address: str = ""
    ) -> PlayerRow:
        """Turn a guest into an account, which can sign in from anywhere."""
        _check_guest(player)
        login = _check_login(login)
        normal = _check_password(password)
        source = rate_key(address)
        self._limits.take(both=(login, source), address=source)
        if await self._store.player_by_login(login) is not None:
            raise _login_taken(login)
        hashed = await self._register_queue.run(lambda: self._hash(normal))

        def registered(row: PlayerRow) -> PlayerRow:
            _check_guest(row)
            return replace(row, kind="account", login=login, password=hashed)

        try:
            return await self._change(player, registered)
        except Taken:
            raise _login_taken(login) from None

    async def rename(self, player: PlayerRow, name: str) -> PlayerRow:
        name = _check_name(name)
        return await self._change(player, lambda row: replace(row, name=name))

    async def delete(self, player: PlayerRow) -> None:
        """Delete name, login and password. The matches stay, for the other players."""

        def deleted(row: PlayerRow) -> PlayerRow:
            return replace(
                row, name=DELETED, login=None, password=None, epoch=row.epoch + 1, deleted=True
            )

        await self._change(player, deleted)
        log(logging.INFO, "deleted", player=player.id)

    async def _change(
        self, player: PlayerRow, change: Callable[[PlayerRow], PlayerRow]
    ) -> PlayerRow:
        async with self._locks.setdefault(player.id, asyncio.Lock()):
            while True:
                row = await self.of_epoch(player.id, player.epoch)
                if row is None:
                    raise ApiError(401, "signed-out", "this session has ended: sign in again")
                changed = change(row)
                try:
                    await self._store.change_player(changed, row)
                except Conflict:
                    continue  # another server changed the player: read again
                return changed

    # Secrets ------------------------------------------------------------------------------------

    def _token(self, row: PlayerRow) -> str:
        return self._sessions.issue(row.id, row.epoch)

    def _hash(self, password: str) -> str:
        return self._hasher.hash(password, salt=self._system.secret()[:16])

    def _verify(self, hashed: str, password: str) -> bool:
        try:
            return self._hasher.verify(hashed, password)
        except VerifyMismatchError:  # any other exception is an internal error
            return False


class HashQueue:
    """A bounded queue for password hashing, which is slow on purpose and runs in threads."""

    def __init__(self, at_once: int) -> None:
        self._free = asyncio.Semaphore(at_once)
        self._waiting = 0

    async def run(self, work: Callable[[], Answer]) -> Answer:
        """Run `work` in a thread when it is its turn. Refuse it if the queue is full."""
        if self._waiting >= MAX_WAITING:
            text = "too many people are signing in: try again in 5 s"
            raise ApiError(503, "busy", text, {"retry_after": 5})
        self._waiting += 1
        try:
            async with self._free:
                return await asyncio.to_thread(work)
        finally:
            self._waiting -= 1


def _login_taken(login: str) -> ApiError:
    return ApiError(409, "login-taken", f"the login {login} is taken: choose another one")


def _check_guest(player: PlayerRow) -> None:
    if player.kind != "guest":
        text = f"only a guest can register: expected a guest, found the kind {player.kind}"
        raise ApiError(409, "not-a-guest", text)


def _check_name(name: str) -> str:
    try:
        return shown_name(name, MAX_NAME_LENGTH)
    except Malformed as malformed:
        raise ApiError(400, "bad-name", str(malformed)) from None


def _check_login(login: str) -> str:
    folded = login.casefold()
    if LOGIN.fullmatch(folded) is None:
        raise ApiError(400, "bad-login", "login: expected 3 to 24 of a-z, 0-9, _ and -")
    return folded


def _check_password(password: str) -> str:
    normal = _normalize_password(password)
    if not normal or len(password) < MIN_PASSWORD_LENGTH:
        text = f"password: expected {MIN_PASSWORD_LENGTH} to {MAX_PASSWORD_LENGTH} characters"
        raise ApiError(400, "bad-password", text)
    return normal


def _normalize_password(password: str) -> str:
    """Return the NFC form, which is the same on all keyboards; empty for an impossible password."""
    if len(password) > MAX_PASSWORD_LENGTH or _has_surrogates(password):
        return ""
    return unicodedata.normalize("NFC", password)


def _has_surrogates(text: str) -> bool:
    """Return True for lone surrogates, which JSON may carry and UTF-8 cannot encode."""
    return any("\ud800" <= character <= "\udfff" for character in text)
