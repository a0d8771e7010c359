"""Sees to it that seats are played: a worker that has one and does nothing loses it."""

import asyncio
import logging
import random
import secrets
import time
from collections.abc import Callable

from msgspec import Struct

from zashiki.server.bots.dispatcher import BotDispatcher, Worker
from zashiki.server.bots.seat_client import LIMIT
from zashiki.server.errors import ApiError
from zashiki.server.ops.logs import log
from zashiki.server.protocol import frames
from zashiki.server.store.coordination import Place
from zashiki.server.tables import commands as on
from zashiki.server.tables.handler import handle
from zashiki.server.tables.model import bot_id

EVERY = 5.0
MARGIN = 30.0
"""Seconds for a worker beyond the pace of its bot and the longest that it may think."""


class Owed(Struct, frozen=True):
    """A decision that a worker has to take."""

    worker: Worker
    decision: int
    since: float


class Watchdog:
    """Looks at what each worker owes. Its clock stands while the machine sleeps."""

    def __init__(
        self, dispatcher: BotDispatcher, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.dispatcher = dispatcher
        self.clock = clock
        self.owed: dict[Place, Owed] = {}
        self.chance = random.Random()
        self.name = secrets.token_hex(4)
        """Goes into its keys: nobody can have used them before."""

    async def watch(self) -> None:
        while True:
            await asyncio.sleep(EVERY)
            try:
                await self.look()
            except Exception as fault:  # it looks again soon
                log(logging.ERROR, "broken", fault)

    async def look(self) -> None:
        """Once round all seats that are played by bots."""
        now, before, self.owed = self.clock(), self.owed, {}
        for place, worker in list(self.dispatcher.given.items()):
            decision = self.dispatcher.decision(place)
            if decision is None:
                continue
            known = before.get(place)
            if known is None or (known.worker, known.decision) != (worker, decision):
                known = Owed(worker, decision, now)
            if now - known.since > self.dispatcher.wanted[place[0]].pace + LIMIT + MARGIN:
                self.dispatcher.dismiss(place)
            else:
                self.owed[place] = known
        for place in self.dispatcher.unserved_seats():
            await self.play(place)

    async def play(self, place: Place) -> None:
        """Take any legal action, as there is no worker who would."""
        table_id, seat = place
        decision, table = (
            self.dispatcher.decision(place),
            self.dispatcher.registry.tables.get(table_id),
        )
        if decision is None or table is None or table.live is None:
            return
        player = bot_id(self.dispatcher.wanted[table_id].bots[seat])
        action = self.chance.choice(table.live.match.legal(seat))
        command = frames.Play(f"desk {self.name} {decision}", decision, action)
        try:
            await handle(table, on.Play(player, seat, command))
        except ApiError as problem:  # somebody was first
            log(logging.INFO, "not-played", table=table_id, seat=seat, code=problem.code)
