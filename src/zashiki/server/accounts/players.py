"""The players: guests, accounts, and how each of them is known again."""

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
from zashiki.server.ops.addresses import network
from zashiki.server.ops.logs import log
from zashiki.server.ops.rate_limits import Rate, RateLimits
from zashiki.server.store.errors import Conflict, Taken
from zashiki.server.store.protocol import Store
from zashiki.server.store.rows import PlayerKind, PlayerRow
from zashiki.server.system import System

LONGEST_NAME: Final = 24
LOGIN: Final = re.compile("[a-z0-9_-]{3,24}")
SHORTEST_PASSWORD: Final = 8
LONGEST_PASSWORD: Final = 200
DELETED: Final = "—"
MAX_OWN_BOTS: Final = 50

TRIES: Final = 10
"""To sign in with one login from one address, in a minute."""
WIDER: Final = 5
"""One address may be a school, and one login may be under attack while its player signs in."""

SIGNING_IN, REGISTERING = 2, 1
"""So many at once; each takes some 64 MiB for a moment."""
WAITING: Final = 50

Answer = TypeVar("Answer")


class Accounts:
    """Makes players, changes them and knows them by their tokens.

    A change reads the player anew and holds the player's lock until it is stored, so that no two
    changes undo each other; it is refused if the sessions of the player were ended meanwhile.
    """

    def __init__(
        self,
        store: Store,
        system: System,
        sessions: Sessions,
        hasher: PasswordHasher | None = None,
        tries: int = TRIES,
    ) -> None:
        self._store = store
        self._source = system
        self._sessions = sessions
        self._hasher = hasher or PasswordHasher()
        self._nobody = self._hash(system.token())
        self._tries = RateLimits(
            system.now,
            {
                "both": Rate(tries, 60),
                "address": Rate(WIDER * tries, 60),
                "login": Rate(WIDER * tries, 60),
            },
        )
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._signing_in = Queue(SIGNING_IN)
        self._registering = Queue(REGISTERING)

    # Knowing ------------------------------------------------------------------------------------

    async def of_token(self, token: str) -> PlayerRow | None:
        """Whose session this is; nobody's, if it is not ours, too old, or ended."""
        session = self._sessions.read(token)
        return None if session is None else await self.current(session.player, session.epoch)

    async def current(self, player: str, epoch: int) -> PlayerRow | None:
        """The player, while this is the player's epoch: for whatever was handed out in one."""
        row = await self._store.player(player)
        if row is None or row.deleted or row.epoch != epoch:
            return None
        owner = None if row.owner is None else await self._store.player(row.owner)
        return None if owner is not None and owner.deleted else row

    # Coming and going ---------------------------------------------------------------------------

    async def guest(self, name: str) -> tuple[PlayerRow, str]:
        return await self._new("guest", name)

    async def bot(self, name: str, owner: str) -> tuple[PlayerRow, str]:
        """A program that plays: whoever has its token lets it sit down, until it is revoked."""
        async with self._locks.setdefault(owner, asyncio.Lock()):
            if len(await self._store.bots_of(owner)) >= MAX_OWN_BOTS:
                text = f"at most {MAX_OWN_BOTS} bots belong to a player: revoke one first"
                raise ApiError(409, "too-many-bots", text)
            return await self._new("bot", name, owner)

    async def revoke(self, owner: str, bot: str) -> None:
        """Forget a bot: its token opens nothing any more."""
        rows = [row for row in await self._store.bots_of(owner) if row.id == bot]
        if not rows:
            raise ApiError(404, "no-bot", "you have no such bot")
        await self.delete(rows[0])

    async def _new(
        self, kind: PlayerKind, name: str, owner: str | None = None
    ) -> tuple[PlayerRow, str]:
        row = PlayerRow(
            id=self._source.id(),
            kind=kind,
            name=_name(name),
            login=None,
            password=None,
            created=self._source.now(),
            owner=owner,
        )
        await self._store.add_player(row)
        log(logging.INFO, "came", player=row.id, kind=row.kind)
        return row, self._token(row)

    async def sign_in(self, login: str, password: str, address: str) -> tuple[PlayerRow, str]:
        """An unknown login costs as much time as a wrong password, and is told the same."""
        login = login.casefold()
        login = login if LOGIN.fullmatch(login) else ""
        asker = network(address)
        self._tries.take(both=(login, asker), address=asker, login=login)
        row = await self._store.player_by_login(login)
        known = row.password if row is not None else None
        secret = _readable(password)
        fits = await self._signing_in.wait_for(lambda: self._fits(known or self._nobody, secret))
        if row is None or known is None or not fits:
            raise ApiError(401, "sign-in", "no player has this login and this password")
        log(logging.INFO, "came", player=row.id, kind=row.kind)
        return row, self._token(row)

    async def sign_out(self, player: PlayerRow) -> None:
        """End all sessions of the player, on every device."""
        await self._change(player, lambda row: replace(row, epoch=row.epoch + 1))

    # Changing -----------------------------------------------------------------------------------

    async def register(
        self, player: PlayerRow, login: str, password: str, address: str = ""
    ) -> PlayerRow:
        """A guest becomes an account: the same player, who can now come back from anywhere."""
        _check_guest(player)
        login = _login(login)
        secret = _password(password)
        asker = network(address)
        self._tries.take(both=(login, asker), address=asker)
        if await self._store.player_by_login(login) is not None:
            raise _taken(login)
        hashed = await self._registering.wait_for(lambda: self._hash(secret))

        def registered(row: PlayerRow) -> PlayerRow:
            _check_guest(row)
            return replace(row, kind="account", login=login, password=hashed)

        try:
            return await self._change(player, registered)
        except Taken:
            raise _taken(login) from None

    async def rename(self, player: PlayerRow, name: str) -> PlayerRow:
        name = _name(name)
        return await self._change(player, lambda row: replace(row, name=name))

    async def delete(self, player: PlayerRow) -> None:
        """Forget who this was. The matches stay, for the others who played them."""

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
                row = await self.current(player.id, player.epoch)
                if row is None:
                    raise ApiError(401, "signed-out", "this session has ended: sign in again")
                changed = change(row)
                try:
                    await self._store.change_player(changed, row)
                except Conflict:
                    continue  # changed by way of another server: look again
                return changed

    # Secrets ------------------------------------------------------------------------------------

    def _token(self, row: PlayerRow) -> str:
        return self._sessions.issue(row.id, row.epoch)

    def _hash(self, password: str) -> str:
        return self._hasher.hash(password, salt=self._source.secret()[:16])

    def _fits(self, hashed: str, password: str) -> bool:
        try:
            return self._hasher.verify(hashed, password)
        except VerifyMismatchError:  # anything else is no wrong password but a fault of ours
            return False


class Queue:
    """Work that is slow on purpose, in threads; a crowd is sent away, not kept waiting."""

    def __init__(self, at_once: int) -> None:
        self._free = asyncio.Semaphore(at_once)
        self._waiting = 0

    async def wait_for(self, work: Callable[[], Answer]) -> Answer:
        if self._waiting >= WAITING:
            text = "too many players come at once: try again soon"
            raise ApiError(503, "busy", text, {"retry_after": 5})
        self._waiting += 1
        try:
            async with self._free:
                return await asyncio.to_thread(work)
        finally:
            self._waiting -= 1


def _taken(login: str) -> ApiError:
    text = f"the login {login} belongs to somebody else: choose another one"
    return ApiError(409, "login-taken", text)


def _check_guest(player: PlayerRow) -> None:
    if player.kind != "guest":
        raise ApiError(409, "not-a-guest", "only a guest can register, and this player is no guest")


def _name(name: str) -> str:
    try:
        return shown_name(name, LONGEST_NAME)
    except Malformed as malformed:
        raise ApiError(400, "bad-name", str(malformed)) from None


def _login(login: str) -> str:
    folded = login.casefold()
    if LOGIN.fullmatch(folded) is None:
        raise ApiError(400, "bad-login", "login: 3 to 24 of a-z, 0-9, _ and - are expected")
    return folded


def _password(password: str) -> str:
    readable = _readable(password)
    if not readable or len(password) < SHORTEST_PASSWORD:
        text = f"password: {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} characters are expected"
        raise ApiError(400, "bad-password", text)
    return readable


def _readable(password: str) -> str:
    """The password in the one form that all keyboards agree on; empty if it cannot be one."""
    if len(password) > LONGEST_PASSWORD or not _is_unicode(password):
        return ""
    return unicodedata.normalize("NFC", password)


def _is_unicode(text: str) -> bool:
    """JSON may carry halves of characters, which no encoder takes and every fault would show."""
    return not any("\ud800" <= character <= "\udfff" for character in text)
