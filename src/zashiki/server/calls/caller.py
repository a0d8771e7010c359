"""Calls people by their browsers: when it is their turn and they are away, and when invited."""

import asyncio
import logging
from collections import OrderedDict
from contextlib import suppress
from importlib.resources import files
from typing import Any, Final

import msgspec
from msgspec import Struct

from zashiki.core.text import LANGUAGES, load
from zashiki.core.wording import Wording
from zashiki.games import game_spec
from zashiki.server.calls.encryption import encrypted
from zashiki.server.calls.outgoing import Unreachable, send
from zashiki.server.calls.vapid import VapidKey, from_base64url
from zashiki.server.errors import ApiError
from zashiki.server.ops.logs import log
from zashiki.server.ops.rate_limits import RateLimits
from zashiki.server.store.errors import StoreFault
from zashiki.server.store.protocol import Store
from zashiki.server.store.rows import SubscriptionRow
from zashiki.server.system import System
from zashiki.server.tables.live import LiveTable
from zashiki.server.tables.observer import TableObserver

MAX_WAITING: Final = 1000
"""Calls that wait to be sent. More are not sent at all."""
SENDERS: Final = 32
CALL_SECONDS: Final = 20.0
"""The longest time for a call with all attempts: others wait for its sender, and strangers may name
a push service that never answers."""
MAX_REMEMBERED: Final = 10_000
"""Decisions for which somebody was called: nobody is called twice for the same."""
RETRY_SECONDS: Final = (2.0, 10.0)
"""Pauses before another attempt, if a push service is busy."""
GONE: Final = frozenset({404, 410})
"""Answers by which a push service says that a browser does not want to be called any more."""
BUSY: Final = 429
SERVER_FAULT: Final = 500
VALID_SECONDS: Final = 24 * 3600
"""Time for which a push service keeps a call for a browser that is off."""


class Call(Struct, frozen=True):
    """Something to tell a player: the key of a sentence, and the table. It names no card."""

    player: str
    kind: str
    """`turn` or `invited`: a key of the server's texts."""
    table: str
    game: str
    name: str = ""
    """The name of the player who invites."""


class Notification(Struct):
    """A notification, as the service worker of the client shows it."""

    title: str
    body: str
    url: str
    tag: str
    """A later notification with the same tag replaces this one."""


class Caller(TableObserver[LiveTable]):
    """Sends calls, several at a time and each to all browsers of a player."""

    def __init__(
        self,
        store: Store,
        system: System,
        limits: RateLimits,
        key: VapidKey,
        subject: str | None,
        allows_here: bool = False,
    ) -> None:
        self.key = key
        self._store = store
        self._system = system
        self._limits = limits
        self._subject = subject
        self._allows_here = allows_here
        self._waiting: asyncio.Queue[Call] = asyncio.Queue(MAX_WAITING)
        self._called: OrderedDict[tuple[str, int, int | None], None] = OrderedDict()

    def on_turns(self, table: LiveTable) -> None:
        """Call the people who are away and whose turn it is, unless a bot plays for them."""
        live, presence = table.live, table.presence
        if live is None or presence is None:
            return
        for seat in (set(live.match.to_act) & presence.away.keys()) - presence.by_bots():
            player = table.doc.chairs[seat].player
            decision = (table.row.id, seat, live.decision(seat))
            if player is None or decision in self._called:
                continue
            self._called[decision] = None
            if len(self._called) > MAX_REMEMBERED:
                self._called.popitem(last=False)
            self.call(Call(player, "turn", table.row.id, table.doc.game))

    def call(self, call: Call) -> None:
        """Let a call be sent soon. A player is not called more often than the rate allows.

        Each kind has its own rate: invitations of others use up no calls for one's own turn.
        """
        try:
            self._limits.take(calls=(call.kind, call.player))
            self._waiting.put_nowait(call)
        except (ApiError, asyncio.QueueFull):
            return

    async def run(self) -> None:
        """Send calls for as long as the server runs."""
        async with asyncio.TaskGroup() as senders:
            for _ in range(SENDERS):
                senders.create_task(self._send_calls())

    async def _send_calls(self) -> None:
        while True:
            call = await self._waiting.get()
            with suppress(StoreFault):  # the next turn is a reason for the next call
                rows = await self._store.subscriptions(call.player)
                await asyncio.gather(*(self._send_in_time(row, call) for row in rows))

    async def _send_in_time(self, row: SubscriptionRow, call: Call) -> None:
        """Send a call to one browser, whatever becomes of it at the others."""
        try:
            async with asyncio.timeout(CALL_SECONDS):
                await self._send(row, call)
        except (StoreFault, TimeoutError):
            return
        except Exception as fault:  # one call that cannot be made keeps no other from it
            log(logging.ERROR, "broken", fault, table=call.table)

    async def _send(self, row: SubscriptionRow, call: Call) -> None:
        content = msgspec.json.encode(notification(call, row.language))
        body = encrypted(content, from_base64url(row.p256dh), from_base64url(row.auth))
        for pause in (*RETRY_SECONDS, None):
            headers = {
                "Authorization": self.key.authorization(
                    row.endpoint, self._subject, self._system.now()
                ),
                "Content-Encoding": "aes128gcm",
                "Content-Type": "application/octet-stream",
                "TTL": str(VALID_SECONDS),
                "Urgency": "high",
                "Topic": call.table,
            }
            try:
                status = await send(row.endpoint, headers, body, self._allows_here)
            except Unreachable:
                status = SERVER_FAULT
            if status in GONE:
                await self._store.delete_subscriptions(row.player, row.endpoint)
            if pause is None or (status != BUSY and status < SERVER_FAULT):
                return
            await asyncio.sleep(pause)


def notification(call: Call, language: str) -> Notification:
    """Put a call into words, of the server's texts and the title of the game alone."""
    spoken = language if language in LANGUAGES else "en"
    texts: Any = load(files("zashiki.server"), spoken)["calls"]
    title = str(texts[call.kind]).format(name=call.name)
    body = Wording(game_spec(call.game), spoken).title()
    return Notification(title, body, f"/table/{call.table}", call.table)
