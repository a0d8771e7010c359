"""Daily digests of the decisions that wait for a player, by mail or by a webhook.

A digest is sent at most once. Before it is sent, the time of the next one is written, and of
several servers only one succeeds in that. A server that dies in between sends nothing that day.
"""

import asyncio
import logging
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Final, Literal
from zoneinfo import ZoneInfo

import msgspec
from msgspec.structs import replace

from zashiki.server.accounts.tokens import LinkPurpose, Sessions
from zashiki.server.calls.digest_words import Message, confirmation, digest_message
from zashiki.server.calls.mail import MailNotAccepted, MailRefused, compose_mail, send_mail
from zashiki.server.calls.outgoing import Unreachable, check_url, send
from zashiki.server.errors import ApiError
from zashiki.server.ops.logs import log
from zashiki.server.ops.rate_limits import RateLimits
from zashiki.server.protocol import rest
from zashiki.server.settings import Settings, parse_mail_address
from zashiki.server.store.errors import StoreFault
from zashiki.server.store.rows import DigestKind, DigestRow
from zashiki.server.tables.listing import OwnTable, own_tables
from zashiki.server.tables.registry import TableRegistry

SWEEP_SECONDS: Final = 60.0
MAX_PER_SWEEP: Final = 200
"""Digests that one server sends within a minute."""
SENDERS: Final = 4
MAX_ASKING: Final = 2 * SENDERS
"""Players who wait for a message to confirm an address. An address that strangers name takes up to
10 s, and a proxy that waits long for an answer takes the server for broken."""
CONFIRM_DAYS: Final = 3
"""An address that is not confirmed within this time is deleted."""
DAY_SECONDS: Final = 24 * 3600.0
RETRY_SECONDS: Final = 900.0
"""Pause before another attempt if the operator's mail server took nothing."""
MAX_FAILURES: Final = 7
"""An address that refused this many digests in a row is deleted."""
GONE: Final = frozenset({404, 410})
MAX_ZONE_LENGTH: Final = 64
LAST_HOUR: Final = 23

Outcome = Literal["sent", "refused", "gone", "later"]


class Digests:
    """Keeps where players want a digest, and sends it."""

    def __init__(
        self, registry: TableRegistry, limits: RateLimits, sessions: Sessions, settings: Settings
    ) -> None:
        self._registry = registry
        self._store = registry.store
        self._system = settings.system
        self._limits = limits
        self._sessions = sessions
        self._settings = settings
        self._origin = settings.public_address or ""
        self._free = asyncio.Semaphore(SENDERS)
        self._free_to_ask = asyncio.Semaphore(SENDERS)
        """Of its own: whoever waits for an answer does not wait for the digests of others."""
        self._asking = 0
        self.kinds: list[DigestKind] = []
        """The kinds that the operator has set up. Messages link to the public address."""
        if self._origin and settings.smtp is not None and settings.mail_sender is not None:
            self.kinds.append("mail")
        if self._origin and settings.webhooks:
            self.kinds.append("webhook")

    # Addresses -----------------------------------------------------------------------------------

    async def ask(self, player: str, wanted: rest.NewDigest) -> None:
        """Set where and when a player wants a digest.

        A new address gets a message with a link. Nothing else is sent there until it is opened.
        """
        self._check(wanted)
        now, known = self._system.now(), await self._store.digest(player)
        sent = None if known is None else known.sent
        row = DigestRow(
            player, self._system.id(), wanted.kind, wanted.address, wanted.language, wanted.hour,
            wanted.zone, False, now, next_due(now, wanted.hour, wanted.zone, sent), sent,
        )  # fmt: skip
        is_same = known is not None and (known.kind, known.address) == (row.kind, row.address)
        if known is not None and is_same and known.confirmed:
            await self._store.put_digest(
                replace(row, id=known.id, confirmed=True, failures=known.failures)
            )
            return
        if self._asking >= MAX_ASKING:
            text = "too many addresses are being confirmed: try again in 20 s"
            raise ApiError(503, "busy", text, {"retry_after": 20})
        self._limits.take(
            rare=("digest", player), digest_server="",
            digest_address=self._sessions.keyed_hash("digest", row.address.casefold()),
        )  # fmt: skip
        self._asking += 1
        try:
            await self._confirm(row)
        finally:
            self._asking -= 1

    async def _confirm(self, row: DigestRow) -> None:
        """Send a message with a link to a new address, which is deleted if it does not take it."""
        await self._store.put_digest(row)
        confirm, stop = self._token("digest-confirm", row), self._token("digest-stop", row)
        message = confirmation(row.language, self._origin, confirm, stop, CONFIRM_DAYS)
        if await self._deliver(row, message, self._free_to_ask) != "sent":
            await self._store.delete_digest(row.player, row.id)
            text = (
                "address: expected one that takes messages, found one that does not: check it, "
                "or try again later"
            )
            raise ApiError(422, "not-sent", text)

    def _check(self, wanted: rest.NewDigest) -> None:
        """Refuse what cannot be sent to, or when."""
        if wanted.kind not in self.kinds:
            found = ", ".join(self.kinds) or "nothing that the operator has set up"
            raise malformed(f"kind: expected {found}, found {wanted.kind}")
        if wanted.kind == "mail" and parse_mail_address(wanted.address) is None:
            raise malformed("address: expected a mail address like ann@mail.example")
        if wanted.kind == "webhook":
            expected = "address: expected a public https address of a webhook"
            check_url(wanted.address, self._settings.calls_here, expected)
        if not 0 <= wanted.hour <= LAST_HOUR:
            raise malformed(f"hour: expected a number from 0 to {LAST_HOUR}, found {wanted.hour}")
        zone_of(wanted.zone)

    async def confirm(self, token: str) -> None:
        """Take a link that was sent to an address as proof that its owner wants a digest."""
        link = self._sessions.read_link("digest-confirm", token)
        now = self._system.now()
        row = None if link is None else await self._store.digest(link.player)
        is_current = link is not None and now - link.issued <= CONFIRM_DAYS * DAY_SECONDS
        if row is None or link is None or row.id != link.id or not is_current:
            text = "this link is not valid any more: ask for a new one in the settings"
            raise ApiError(404, "no-digest", text)
        due = next_due(now, row.hour, row.zone, row.sent)
        if not row.confirmed:
            await self._store.change_digest(row, replace(row, confirmed=True, due=due))

    async def stop(self, token: str) -> None:
        """Delete the address to which a link was sent. Doing it twice is allowed."""
        link = self._sessions.read_link("digest-stop", token)
        if link is None:
            text = "this link was cut off or is not of this server: use the whole link"
            raise ApiError(404, "no-digest", text)
        await self._store.delete_digest(link.player, link.id)

    def _token(self, purpose: LinkPurpose, row: DigestRow) -> str:
        return self._sessions.issue_link(purpose, row.player, row.id)

    # Sending -------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Send digests for as long as the server runs, if the operator has set up any."""
        while self.kinds:
            with suppress(StoreFault):  # they are still due in a minute
                await self.send_due()
            await asyncio.sleep(SWEEP_SECONDS)

    async def send_due(self) -> None:
        """Send what is due, and delete addresses that were not confirmed in time."""
        now = self._system.now()
        await self._store.delete_unconfirmed_digests(now - CONFIRM_DAYS * DAY_SECONDS)
        if self._registry.is_leaving or self._registry.is_draining:
            return  # another server sends them, or the next start does
        rows = await self._store.due_digests(now, MAX_PER_SWEEP)
        async with asyncio.TaskGroup() as group:
            for row in rows:
                group.create_task(self._send_in_turn(row))

    async def _send_in_turn(self, row: DigestRow) -> None:
        try:
            await self._send(row)
        except StoreFault:
            return  # it is due again in a minute, unless it was claimed
        except Exception as fault:  # one digest that cannot be sent keeps no other from it
            log(logging.ERROR, "broken", fault, player=row.player)

    async def _send(self, row: DigestRow) -> None:
        """Claim a digest, look what waits, and send it."""
        now = self._system.now()
        claimed = replace(row, due=next_due(now, row.hour, row.zone, row.sent))
        if not await self._store.change_digest(row, claimed):
            return  # another server has it, or the player has changed it
        player = await self._store.player(row.player)
        if player is None or player.deleted:
            await self._store.delete_digest(row.player)
            return
        waiting = [] if (player.banned_until or 0) > now else await self._waiting(row.player)
        if row.kind not in self.kinds or not waiting:
            return
        sending = replace(claimed, due=next_due(now, row.hour, row.zone, now), sent=now)
        if not await self._store.change_digest(claimed, sending):
            return  # it was stopped meanwhile
        stop = self._token("digest-stop", row)
        message = digest_message(waiting, row.language, self._origin, stop, now)
        outcome = await self._deliver(row, message, self._free)
        await self._note(row, sending, outcome)

    async def _waiting(self, player: str) -> list[OwnTable]:
        """Return the tables with days for a decision that wait for a player, the most urgent first.

        A table at which a bot plays for the player is not among them.
        """
        found = [
            one
            for one in await own_tables(self._registry, player)
            if one.is_waiting
            and isinstance(one.shown.pace, rest.Days)
            and one.shown.seats[one.seat].stand_in is None
        ]
        return sorted(found, key=lambda one: one.shown.seats[one.seat].until or 0.0)

    async def _deliver(self, row: DigestRow, message: Message, free: asyncio.Semaphore) -> Outcome:
        """Send a message to an address, a few at a time."""
        async with free:
            if row.kind == "webhook":
                return await self._post(row, message)
            relay, sender = self._settings.smtp, self._settings.mail_sender
            assert relay is not None
            assert sender is not None
            mail = compose_mail(
                sender, row.address, message.subject, message.text, row.language, message.stop,
                self._system.now(),
            )  # fmt: skip
            try:
                await asyncio.to_thread(send_mail, relay, mail)
            except MailRefused:
                return "refused"
            except MailNotAccepted:
                log(logging.WARNING, "digest", code="mail", player=row.player)
                return "later"
            return "sent"

    async def _post(self, row: DigestRow, message: Message) -> Outcome:
        headers = {"Content-Type": "application/json; charset=utf-8"}
        body = msgspec.json.encode(message)
        try:
            status = await send(row.address, headers, body, self._settings.calls_here)
        except Unreachable:
            return "refused"
        if status in GONE:
            return "gone"
        return "sent" if 200 <= status < 300 else "refused"

    async def _note(self, before: DigestRow, row: DigestRow, outcome: Outcome) -> None:
        """Write what came of a digest. An address that never takes one is deleted."""
        if outcome == "later":
            again = self._system.now() + RETRY_SECONDS
            await self._store.change_digest(row, replace(row, due=again, sent=before.sent))
            return
        failures = 0 if outcome == "sent" else row.failures + 1
        if outcome == "gone" or failures >= MAX_FAILURES:
            log(logging.INFO, "digest", code="deleted", player=row.player)
            await self._store.delete_digest(row.player, row.id)
        elif failures != row.failures:
            await self._store.change_digest(row, replace(row, failures=failures))


def malformed(text: str) -> ApiError:
    return ApiError(422, "malformed", text)


def zone_of(name: str) -> tzinfo:
    """Return a time zone by its name."""
    if name == "UTC":
        return UTC  # also known where a machine has no list of time zones
    try:
        if len(name) > MAX_ZONE_LENGTH:
            raise ValueError
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise malformed("zone: expected the name of a time zone like Asia/Tokyo") from None


def next_due(now: float, hour: int, zone: str, sent: float | None) -> float:
    """Return the next time at which this hour begins, not on the day of the last digest."""
    place = zone_of(zone)
    day = datetime.fromtimestamp(now, place).date()
    last: date | None = None if sent is None else datetime.fromtimestamp(sent, place).date()
    while True:
        at = datetime.combine(day, time(hour), place).timestamp()
        if at > now and day != last:
            return at
        day += timedelta(days=1)
