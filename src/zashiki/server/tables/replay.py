"""Matches that are over, folded again from their log: the record, and each view at each step.

A view is made once and kept, in pieces: to make one that lies before the others, a match has to be
folded from its beginning. So who looks back and forth, and two who look at the same, cost little.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec.structs import replace

from zashiki.core import record as records
from zashiki.core.record import Record, tells
from zashiki.core.rulings import Malformed
from zashiki.games import game_spec
from zashiki.server.accounts.players import DELETED
from zashiki.server.errors import ApiError
from zashiki.server.ops.rate_limits import RateLimits
from zashiki.server.protocol import rest
from zashiki.server.store.protocol import Store
from zashiki.server.store.rows import EntryRow, MatchRow, PlayerRow, server_bot_seats
from zashiki.server.tables.match import FACT, LiveMatch, Reader, restore_match

MOST_KEPT = 16
PIECE = 40
"""Steps that are folded and counted at once."""
SLICE = 8
"""Steps after which other tasks get a turn."""

PlayersById = dict[str, PlayerRow]


class Replay:
    """A finished match, folded up to some of its actions."""

    def __init__(self, match: MatchRow, entries: list[EntryRow]) -> None:
        self.match = match
        self.entries = entries
        self.live = self.fresh()
        self.next = 0
        """The index of the next entry."""
        self.views: dict[tuple[Reader, int], bytes] = {}
        """Views as JSON, by reader and number of actions."""
        self.text = ""
        self.lock = asyncio.Lock()

    def fresh(self) -> LiveMatch:
        match = self.match
        live = restore_match(game_spec(match.game), match.header, match.seed, match.salt)
        live.server_bots = server_bot_seats(match)
        return live

    @property
    def steps(self) -> int:
        return len(self.entries) - 1

    async def stand_after(self, step: int) -> LiveMatch:
        """Return the match after this number of actions. Later ones are cheap from there."""
        if step + 1 < self.next:
            self.live, self.next = self.fresh(), 0
        try:
            while self.next <= step:
                entry = self.entries[self.next]
                self.live.follow(entry.seat, entry.action, entry.facts)
                self.next += 1
                if self.next % SLICE == 0:
                    await asyncio.sleep(0)
        except Malformed as fault:
            self.live, self.next = self.fresh(), 0
            raise unplayable(fault) from None
        return self.live

    async def view(self, reader: Reader, step: int, count: Callable[[], None]) -> dict[str, Any]:
        """Return the view of a reader at a step. `count` is called if it has to be folded."""
        async with self.lock:
            if (reader, step) not in self.views:
                count()
                first = step - step % PIECE
                for each in range(first, min(first + PIECE, self.steps + 1)):
                    live = await self.stand_after(each)
                    self.views[reader, each] = msgspec.json.encode(live.view(reader))
        view: dict[str, Any] = msgspec.json.decode(self.views[reader, step])
        return view

    async def sight(
        self, reader: Reader, step: int, language: rest.Language, count: Callable[[], None]
    ) -> rest.Sight:
        """Return what a reader saw at a step."""
        entry = self.entries[step]
        facts = [(FACT.decode(fact), fact) for fact in entry.facts]
        told = [(fact, raw) for fact, raw in facts if tells(fact[0], reader)]
        return rest.Sight(
            reader,  # type: ignore[arg-type]
            step,
            self.steps,
            await self.view(reader, step, count),
            entry.seat,
            entry.action,
            entry.says,
            [{"own": to != "all", "fact": name, "with": given} for (to, name, given), _ in told],
            [self.live.sentence(raw, language) for _, raw in told],
        )

    async def scene(self, step: int, count: Callable[[], None]) -> dict[str, object]:
        """Return the position at a step, from which another match can begin."""
        async with self.lock:
            count()
            live = await self.stand_after(step)
            if live.is_old():
                text = "this match was played by older rules: nobody can play on from here"
                raise ApiError(409, "old-rules", text)
            if live.match.over:
                raise ApiError(409, "match-over", "the match is over here: choose an earlier step")
            return live.match.truth()

    async def record(self, count: Callable[[], None]) -> str:
        async with self.lock:
            if not self.text:
                count()
                match = (await self.stand_after(self.steps)).match
                record = Record(
                    match.header, match.facts(), match.over, "everything", match.seed, match.salt
                )
                self.text = await asyncio.to_thread(records.write, record)  # facts never change
        return self.text


class Replays:
    """Keeps the replays that were asked for last, each for one reader."""

    def __init__(self, store: Store, limits: RateLimits) -> None:
        self._store = store
        self._limits = limits
        self._kept: OrderedDict[tuple[str, str], Replay] = OrderedDict()

    def count(self, address: str) -> None:
        """Count the work for an address."""
        self._limits.take(replays=address)

    async def of(self, match: MatchRow, people: PlayersById, reader: str, address: str) -> Replay:
        match = without_deleted(match, people)
        kept = self._kept.get((match.id, reader))
        if kept is None or kept.match.header != match.header:
            self.count(address)
            try:
                entries = await self._store.entries(match.id)
                kept = await asyncio.to_thread(Replay, match, entries)  # its rules may be new
            except Malformed as fault:
                raise unplayable(fault) from None
        self._kept[match.id, reader] = kept
        self._kept.move_to_end((match.id, reader))
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return kept


def unplayable(fault: Malformed) -> ApiError:
    return ApiError(409, "no-rules", f"the rules of today cannot replay this match: {fault}")


def without_deleted(match: MatchRow, people: PlayersById) -> MatchRow:
    """Return the match without the names of deleted players."""
    names = [
        DELETED if player in people and people[player].deleted else name
        for player, name in zip(match.players, match.header["names"], strict=True)
    ]
    return replace(match, header={**match.header, "names": names})
