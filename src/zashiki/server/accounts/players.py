"""Players: guests, accounts and bots; signing in and changing accounts."""

import asyncio
import base64
import logging
import re
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Final, TypeVar
from weakref import WeakValueDictionary

from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError
from argon2.low_level import ARGON2_VERSION
from msgspec.structs import replace

from zashiki.bots.names import is_house_name
from zashiki.core.facts import shown_name
from zashiki.core.rulings import Malformed
from zashiki.server.accounts.passwords import (
    check_password,
    hash_code,
    new_codes,
    normalize_password,
    without_code,
)
from zashiki.server.accounts.tokens import BOT_LIFETIME_SECONDS, DAY_SECONDS, Sessions
from zashiki.server.errors import ApiError
from zashiki.server.ops.addresses import is_loopback, rate_key
from zashiki.server.ops.logs import log
from zashiki.server.ops.rate_limits import Delay, GrowingDelays
from zashiki.server.store.errors import Conflict, StoreFault, Taken
from zashiki.server.store.protocol import Store
from zashiki.server.store.rows import PlayerKind, PlayerRow
from zashiki.server.system import System

MAX_NAME_LENGTH: Final = 24
LOGIN: Final = re.compile("[a-z0-9_-]{3,24}")
DELETED: Final = "—"
"""The name that is shown for a deleted player."""
MAX_OWN_BOTS: Final = 50

SCOPES: Final = ("sit", "play", "read")
"""Rights of the token of a bot: take seats and open tables; play and chat; read."""

FREE_FAILURES: Final = 10
"""Failed attempts to sign in without a delay, per login and address."""
SINGLE_KEY_FACTOR: Final = 5
"""Factor on that for an address or a login alone: a school may share one address."""
MAX_DELAY_SECONDS: Final = 900.0
SWEEP_SECONDS: Final = 60.0
ADDRESS_LIFETIME_SECONDS: Final = 30 * DAY_SECONDS
"""How long the hash of a player's address is kept."""

MAX_SIGNING_IN, MAX_KNOWN, MAX_REGISTERING = 2, 1, 1
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
    ) -> None:
        self._store = store
        self._system = system
        self._sessions = sessions
        self._hasher = hasher or PasswordHasher()
        self._dummy_hash = dummy_hash(self._hasher, system)
        """Checked in place of a password if the login is unknown."""
        narrow = Delay(FREE_FAILURES, MAX_DELAY_SECONDS)
        wide = Delay(SINGLE_KEY_FACTOR * FREE_FAILURES, MAX_DELAY_SECONDS, is_shared=True)
        kinds = {"both": narrow, "device": narrow, "own": narrow, "address": wide, "login": wide}
        self._delays = GrowingDelays(system.monotonic, kinds)
        self.banned_addresses: dict[str, float] = {}
        """The end of each ban by the hash of its address."""
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._sign_in_queue = HashQueue(MAX_SIGNING_IN)
        self._known_queue = HashQueue(MAX_KNOWN)
        """For known browsers and open sessions, so that strangers cannot fill their queue."""
        self._register_queue = HashQueue(MAX_REGISTERING)

    # Finding ------------------------------------------------------------------------------------

    async def of_token(self, token: str, address: str = "") -> PlayerRow | None:
        """Return the player of a session token; None if it is forged, expired or revoked.

        Raise `ApiError` with code `banned` if the operator has banned the player, or a guest's
        address.
        """
        session = self._sessions.read(token)
        if session is None:
            return None
        row = await self.of_epoch(session.player, session.epoch, address)
        if row is not None and row.kind == "bot":
            return row if self._sessions.read(token, BOT_LIFETIME_SECONDS) is not None else None
        return row

    async def of_epoch(self, player: str, epoch: int, address: str = "") -> PlayerRow | None:
        """Return a player, or None if the player is deleted or the epoch has ended."""
        row = await self._store.player(player)
        if row is None or row.deleted or row.epoch != epoch:
            return None
        owner = None if row.owner is None else await self._store.player(row.owner)
        if owner is not None and owner.deleted:
            return None
        self._check_banned(row)
        if owner is not None:
            self._check_banned(owner)
        if row.kind == "guest":
            self.check_not_banned(address)
        return row

    # Bans ---------------------------------------------------------------------------------------

    def _check_banned(self, row: PlayerRow) -> None:
        if row.banned_until is not None and row.banned_until > self._system.now():
            raise banned(row.banned_until)

    def check_not_banned(self, address: str) -> None:
        """Refuse guests from an address that the operator has banned."""
        if self.banned_addresses:
            until = self.banned_addresses.get(self.address_hash(address) or "", 0.0)
            if until > self._system.now():
                raise banned(until)

    async def read_address_bans(self) -> None:
        """Take the banned addresses as they are stored."""
        rows = await self._store.address_bans()
        self.banned_addresses = {row.address: row.until for row in rows}

    def address_hash(self, address: str) -> str | None:
        """Return what is kept of an address; None for this machine, by which all may come."""
        if not address or is_loopback(address):
            return None
        return self._sessions.keyed_hash("address", rate_key(address))

    async def note_address(self, player: PlayerRow, address: str) -> PlayerRow:
        """Keep the hash of the address from which a person comes, at most once a day."""
        seen, now = self.address_hash(address), self._system.now()
        is_recent = now - (player.address_at or 0.0) < DAY_SECONDS
        if seen is None or player.kind == "bot" or (seen == player.address and is_recent):
            return player
        return await self._change(player, lambda row: replace(row, address=seen, address_at=now))

    async def sweep(self) -> None:
        """Every minute: forget old addresses, and follow bans of other servers."""
        while True:
            with suppress(StoreFault):  # it is tried again soon
                await self.forget_addresses()
            await asyncio.sleep(SWEEP_SECONDS)

    async def forget_addresses(self) -> None:
        """Delete addresses that are too old, and bans of addresses that have ended."""
        now = self._system.now()
        await self._store.forget_addresses(now - ADDRESS_LIFETIME_SECONDS)
        await self._store.delete_address_bans(now)
        await self.read_address_bans()

    # Creating and signing in --------------------------------------------------------------------

    async def create_guest(self, name: str, address: str = "") -> tuple[PlayerRow, str]:
        """Create a guest. Return the player and a session token."""
        self.check_not_banned(address)
        return await self._create("guest", name, address=address)

    async def create_bot(
        self, name: str, owner: str, scopes: Sequence[str] = SCOPES
    ) -> tuple[PlayerRow, str]:
        """Create a bot of a player. Return it and the token with which its program signs in."""
        scopes = _check_scopes(scopes)
        async with self._locks.setdefault(owner, asyncio.Lock()):
            if len(await self._store.bots_of(owner)) >= MAX_OWN_BOTS:
                text = f"you have {MAX_OWN_BOTS} bots, the most that are allowed: revoke one first"
                raise ApiError(409, "too-many-bots", text)
            return await self._create("bot", name, owner, scopes)

    async def renew_bot(self, owner: str, bot: str, scopes: Sequence[str]) -> tuple[PlayerRow, str]:
        """Make a new token for a bot. The old one is invalid from now on."""
        scopes, expires = _check_scopes(scopes), self._system.now() + BOT_LIFETIME_SECONDS
        found = await self._bot(owner, bot)

        def renewed(row: PlayerRow) -> PlayerRow:
            return replace(row, epoch=row.epoch + 1, scopes=scopes, expires=expires)

        row = await self._change(found, renewed)
        return row, self._token(row)

    async def revoke_bot(self, owner: str, bot: str) -> None:
        """Delete a bot of a player, which makes its token invalid."""
        await self.delete(await self._bot(owner, bot))

    async def _bot(self, owner: str, bot: str) -> PlayerRow:
        rows = [row for row in await self._store.bots_of(owner) if row.id == bot]
        if not rows:
            raise ApiError(404, "no-bot", "you have no such bot")
        return rows[0]

    async def _end_bot_tokens(self, owner: str) -> list[str]:
        """End the tokens of a player's bots. Return the ids of the bots."""
        bots = await self._store.bots_of(owner)
        for bot in bots:
            await self._change(bot, lambda row: replace(row, epoch=row.epoch + 1, expires=None))
        return [bot.id for bot in bots]

    async def _create(
        self,
        kind: PlayerKind,
        name: str,
        owner: str | None = None,
        scopes: list[str] | None = None,
        address: str = "",
    ) -> tuple[PlayerRow, str]:
        now, seen = self._system.now(), self.address_hash(address)
        row = PlayerRow(
            id=self._system.id(),
            kind=kind,
            name=_check_name(name, kind),
            login=None,
            password=None,
            created=now,
            owner=owner,
            scopes=scopes,
            expires=now + BOT_LIFETIME_SECONDS if kind == "bot" else None,
            address=seen,
            address_at=None if seen is None else now,
        )
        await self._store.add_player(row)
        log(logging.INFO, "came", player=row.id, kind=row.kind)
        return row, self._token(row)

    async def sign_in(
        self, login: str, password: str, address: str, device: str = ""
    ) -> tuple[PlayerRow, str]:
        """Sign in with a password. Return the player and a session token.

        An unknown login takes as long as a wrong password and gets the same answer. Failures are
        delayed by login and address. A browser in which the player has signed in before has its
        own count, so that nobody else can lock the player out of it.
        """
        login = _known_form(login)
        row = await self._store.player_by_login(login)
        known = self._sessions.read_device(device)
        if known is not None and row is not None and known.player == row.id:
            counted: dict[str, Hashable] = {"device": known.id}
            queue = self._known_queue
        else:
            counted = self._counted(login, address)
            queue = self._sign_in_queue
        self._delays.attempt(**counted)
        stored = row.password if row is not None else None
        normal = normalize_password(password)
        is_right = await queue.run(lambda: self._verify(stored or self._dummy_hash, normal))
        if row is None or stored is None or not is_right:
            raise ApiError(401, "sign-in", "wrong login or password")
        self._delays.succeed(**counted)
        return await self._came(row, address)

    def _counted(self, login: str, address: str) -> dict[str, Hashable]:
        """Return what an attempt of a stranger counts against."""
        source = rate_key(address)
        return {"both": (login, source), "address": source, "login": login}

    async def _came(self, row: PlayerRow, address: str) -> tuple[PlayerRow, str]:
        self._check_banned(row)
        row = await self.note_address(row, address)
        log(logging.INFO, "came", player=row.id, kind=row.kind)
        return row, self._token(row)

    def device_token(self, player: PlayerRow) -> str:
        """Return a token that names the browser in which a player has just signed in."""
        return self._sessions.issue_device(player.id)

    async def recover(
        self, login: str, code: str, password: str, address: str
    ) -> tuple[PlayerRow, str]:
        """Set a new password by a recovery code, which is used up. All sessions end.

        Failures at a login do not delay this way in: a code cannot be guessed.
        """
        login = _known_form(login)
        counted: dict[str, Hashable] = {"address": rate_key(address)}
        self._delays.attempt(**counted)
        row = await self._store.player_by_login(login)
        if row is None or without_code(row.recovery or [], row.id, code) is None:
            raise _wrong_code()
        self._delays.succeed(**counted)
        self._check_banned(row)
        hashed = await self._new_hash(password, row, login)

        def recovered(found: PlayerRow) -> PlayerRow:
            others = without_code(found.recovery or [], found.id, code)
            if others is None:
                raise _wrong_code()
            return replace(found, password=hashed, recovery=others)

        changed, _ = await self._change_and_end_sessions(row, recovered)
        log(logging.INFO, "recovered", player=row.id)
        return await self._came(changed, address)

    async def end_sessions(self, player: PlayerRow) -> list[str]:
        """End all sessions of the player, on every device, and the tokens of the player's bots.

        Return the ids of the bots.
        """
        _, bots = await self._change_and_end_sessions(player, lambda row: row)
        return bots

    async def _change_and_end_sessions(
        self,
        player: PlayerRow,
        change: Callable[[PlayerRow], PlayerRow],
        keep_bots: bool = False,
    ) -> tuple[PlayerRow, list[str]]:
        """Change a player and end all sessions. The tokens of bots end first, unless kept.

        If a write fails, the player still has a session, and can try again.
        """
        async with self._locks.setdefault(player.id, asyncio.Lock()):
            bots = [] if keep_bots else await self._end_bot_tokens(player.id)

            def ended(row: PlayerRow) -> PlayerRow:
                changed = change(row)
                return replace(changed, epoch=changed.epoch + 1)

            return await self._change_locked(player, ended), bots

    # Changing -----------------------------------------------------------------------------------

    async def register(
        self, player: PlayerRow, login: str, password: str, address: str = ""
    ) -> tuple[PlayerRow, list[str]]:
        """Turn a guest into an account, which can sign in from anywhere.

        Return the account and its recovery codes, which are not kept.
        """
        _check_guest(player)
        login = _check_login(login)
        source = rate_key(address)
        self._delays.attempt(both=(login, source), address=source)
        if await self._store.player_by_login(login) is not None:
            raise _login_taken(login)
        hashed = await self._new_hash(password, player, login)
        codes, hashes = self._new_codes(player)

        def registered(row: PlayerRow) -> PlayerRow:
            _check_guest(row)
            return replace(row, kind="account", login=login, password=hashed, recovery=hashes)

        try:
            account = await self._change(player, registered)
        except Taken:
            raise _login_taken(login) from None
        self._delays.succeed(both=(login, source), address=source)
        return account, codes

    async def change_password(
        self, player: PlayerRow, present: str, password: str, keep_bots: bool = False
    ) -> tuple[PlayerRow, str, list[str]]:
        """Change the password. End all other sessions, and the tokens of bots unless kept.

        Return the player, the token of the session that continues, and the bots whose tokens ended.
        """
        await self._check_own(player, present)
        hashed = await self._new_hash(password, player, player.login or "")
        row, bots = await self._change_and_end_sessions(
            player, lambda row: replace(row, password=hashed), keep_bots
        )
        log(logging.INFO, "password", player=row.id)
        return row, self._token(row), bots

    async def make_codes(self, player: PlayerRow, password: str) -> tuple[PlayerRow, list[str]]:
        """Make new recovery codes. The old ones are invalid from now on."""
        await self._check_own(player, password)
        codes, hashes = self._new_codes(player)
        return await self._change(player, lambda row: replace(row, recovery=hashes)), codes

    def _new_codes(self, player: PlayerRow) -> tuple[list[str], list[str]]:
        codes = new_codes(self._system)
        return codes, [hash_code(player.id, code) for code in codes]

    async def _check_own(self, player: PlayerRow, password: str) -> None:
        """Refuse a change unless the player knows the current password."""
        stored = player.password
        if stored is None:
            raise ApiError(403, "accounts-only", "only an account has a password: register first")
        self._delays.attempt(own=player.id)
        normal = normalize_password(password)
        if not await self._known_queue.run(lambda: self._verify(stored, normal)):
            raise ApiError(403, "wrong-password", "this is not your current password")
        self._delays.succeed(own=player.id)

    async def _new_hash(self, password: str, player: PlayerRow, login: str) -> str:
        """Check a new password and hash it."""

        def work() -> str:
            return self._hash(check_password(password, login, player.name))

        return await self._register_queue.run(work)

    async def rename(self, player: PlayerRow, name: str) -> PlayerRow:
        name = _check_name(name, player.kind)
        return await self._change(player, lambda row: replace(row, name=name))

    async def delete(self, player: PlayerRow) -> None:
        """Delete name, login and password. The matches stay, for the other players."""

        def deleted(row: PlayerRow) -> PlayerRow:
            return replace(
                row, name=DELETED, login=None, password=None, epoch=row.epoch + 1, deleted=True,
                recovery=None, scopes=None, expires=None, address=None, address_at=None,
            )  # fmt: skip

        await self._change(player, deleted)
        log(logging.INFO, "deleted", player=player.id)

    async def sanction(self, player: str, **ends: float | None) -> PlayerRow:
        """Set or lift what the operator imposes on a player, such as `muted_until`."""
        async with self._locks.setdefault(player, asyncio.Lock()):
            while True:
                row = await self._store.player(player)
                if row is None or row.deleted:
                    raise ApiError(404, "no-player", "there is no such player")
                changed = replace(row, **ends)
                try:
                    await self._store.change_player(changed, row)
                except Conflict:
                    continue  # another server changed the player: read again
                return changed

    async def _change(
        self, player: PlayerRow, change: Callable[[PlayerRow], PlayerRow]
    ) -> PlayerRow:
        async with self._locks.setdefault(player.id, asyncio.Lock()):
            return await self._change_locked(player, change)

    async def _change_locked(
        self, player: PlayerRow, change: Callable[[PlayerRow], PlayerRow]
    ) -> PlayerRow:
        """Change a player whose lock the caller holds."""
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


def dummy_hash(hasher: PasswordHasher, system: System) -> str:
    """Return the hash of no known password, without the work of hashing.

    A check against it takes as long as against any other hash of this hasher.
    """
    cost = f"m={hasher.memory_cost},t={hasher.time_cost},p={hasher.parallelism}"
    salt, random = (
        base64.b64encode(value).rstrip(b"=").decode()
        for value in (system.secret()[:16], system.secret()[: hasher.hash_len])
    )
    return f"$argon2{hasher.type.name.lower()}$v={ARGON2_VERSION}${cost}${salt}${random}"


def _login_taken(login: str) -> ApiError:
    return ApiError(409, "login-taken", f"the login {login} is taken: choose another one")


def _check_guest(player: PlayerRow) -> None:
    if player.kind != "guest":
        text = f"only a guest can register: expected a guest, found the kind {player.kind}"
        raise ApiError(409, "not-a-guest", text)


def _check_name(name: str, kind: PlayerKind) -> str:
    """Check a name that others see. A player's bot may not be called like a bot of the house."""
    try:
        shown = shown_name(name, MAX_NAME_LENGTH)
    except Malformed as malformed:
        raise ApiError(400, "bad-name", str(malformed)) from None
    if kind == "bot" and is_house_name(shown):
        raise ApiError(
            400, "house-name", f"name: a bot of the house is called {shown}: choose another"
        )
    return shown


def _check_scopes(scopes: Sequence[str]) -> list[str]:
    """Return scopes in their order. A token that may do nothing is refused."""
    unknown = sorted(set(scopes) - set(SCOPES))
    if unknown or not scopes:
        found = ", ".join(unknown) or "none"
        raise ApiError(
            422, "malformed", f"scopes: expected some of {', '.join(SCOPES)}, found {found}"
        )
    return [scope for scope in SCOPES if scope in scopes]


def check_scope(player: PlayerRow, scope: str | None) -> None:
    """Refuse the token of a bot what its scopes do not allow. None: not for any bot."""
    if player.kind != "bot" or scope in (SCOPES if player.scopes is None else player.scopes):
        return
    if scope is None:
        text = "the token of a bot may not do this: sign in as its owner"
    else:
        text = f"the token of this bot does not have the scope {scope}: make a new one with it"
    raise ApiError(403, "scope", text)


def banned(until: float) -> ApiError:
    """Return the refusal of a player whom the operator has banned."""
    end = datetime.fromtimestamp(until, UTC).isoformat(timespec="minutes")
    return ApiError(403, "banned", f"the operator has banned you until {end}", {"until": until})


def _wrong_code() -> ApiError:
    return ApiError(401, "recovery", "wrong login or recovery code, or the code was used before")


def _known_form(login: str) -> str:
    """Return a login as it is stored; empty if no login can be like this."""
    folded = login.casefold()
    return folded if LOGIN.fullmatch(folded) else ""


def _check_login(login: str) -> str:
    folded = login.casefold()
    if LOGIN.fullmatch(folded) is None:
        raise ApiError(400, "bad-login", "login: expected 3 to 24 of a-z, 0-9, _ and -")
    return folded
