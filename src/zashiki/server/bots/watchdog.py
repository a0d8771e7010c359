"""The watchdog: takes a seat from a worker that does not play it in time.

A worker that disconnects loses its seats at once, in `BotDispatcher.remove_worker`.
"""

import asyncio
import logging
import random
import secrets
import time
from collections.abc import Callable

from msgspec import Struct

from zashiki.server.bots.dispatcher import BotDispatcher
from zashiki.server.bots.seat_client import CHOICE_TIMEOUT_SECONDS
from zashiki.server.bots.worker_link import WorkerLink
from zashiki.server.errors import ApiError
from zashiki.server.ops.logs import log
from zashiki.server.protocol import frames
from zashiki.server.store.coordination import Place
from zashiki.server.tables import commands as on
from zashiki.server.tables.handler import handle
from zashiki.server.tables.model import bot_id

CHECK_SECONDS = 5.0
MARGIN_SECONDS = 30.0
"""Time for a worker beyond the pace of its bot and the longest time that a bot may think."""
SPARE_FACTOR = 10
"""If only bots play, a bot may take this many times longer, because bots for people go first."""


class OwedDecision(Struct, frozen=True):
    """A decision that a worker has to make."""

    worker: WorkerLink
    decision: int
    since: float


class Watchdog:
    """Checks the decisions that workers owe. Its clock does not run while the machine sleeps."""

    def __init__(
        self, dispatcher: BotDispatcher, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.dispatcher = dispatcher
        self.clock = clock
        self.owed: dict[Place, OwedDecision] = {}
        self.random = random.Random()
        self.name = secrets.token_hex(4)
        """Part of its command keys, which makes them unique."""

    async def watch(self) -> None:
        """Check all seats at regular intervals, until cancelled."""
        while True:
            await asyncio.sleep(CHECK_SECONDS)
            try:
                await self.check()
            except Exception as fault:  # checked again soon
                log(logging.ERROR, "broken", fault)

    async def check(self) -> None:
        """Reassign overdue seats, and play for seats that no worker can play."""
        now, before, self.owed = self.clock(), self.owed, {}
        for place, worker in list(self.dispatcher.assignments.items()):
            decision = self.dispatcher.owed_decision(place)
            if decision is None:
                continue
            owed = before.get(place)
            if owed is None or (owed.worker, owed.decision) != (worker, decision):
                owed = OwedDecision(worker, decision, now)
            demand = self.dispatcher.demands[place[0]]
            seconds = demand.pace + CHOICE_TIMEOUT_SECONDS + MARGIN_SECONDS
            if now - owed.since > (seconds if demand.has_people else SPARE_FACTOR * seconds):
                self.dispatcher.reassign(place)
            else:
                self.owed[place] = owed
        for place in self.dispatcher.unserved_seats():
            await self.play_at_random(place)

    async def play_at_random(self, place: Place) -> None:
        """Play any legal action for a seat that no worker can play."""
        table_id, seat = place
        decision = self.dispatcher.owed_decision(place)
        table = self.dispatcher.registry.tables.get(table_id)
        if decision is None or table is None or table.live is None:
            return
        player = bot_id(self.dispatcher.demands[table_id].bots[seat])
        action = self.random.choice(table.live.match.legal(seat))
        command = frames.Play(f"watchdog {self.name} {decision}", decision, action)
        try:
            await handle(table, on.Play(player, seat, command))
        except ApiError as error:  # another command was first
            log(logging.INFO, "not-played", table=table_id, seat=seat, code=error.code)
