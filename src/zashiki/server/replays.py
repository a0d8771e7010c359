"""Matches that are over, folded again from their log: the record, and each view at each step."""

from collections import OrderedDict

from msgspec.structs import replace

from zashiki.core.record import tells
from zashiki.core.rulings import Malformed
from zashiki.games import offer_of
from zashiki.server import wire
from zashiki.server.limits import Limits
from zashiki.server.live import Live, Reader, stood_up
from zashiki.server.people import DELETED
from zashiki.server.problems import Problem
from zashiki.server.store.protocol import Store
from zashiki.server.store.rows import EntryRow, MatchRow, PlayerRow

MOST_KEPT = 16

People = dict[str, PlayerRow]


class Replay:
    """A finished match that is being looked at, standing after some of its actions."""

    def __init__(self, match: MatchRow, entries: list[EntryRow]) -> None:
        self.match = match
        self.entries = entries
        self.live = self.fresh()
        self.next = 0
        """The entry that would follow."""
        self.text = ""

    def fresh(self) -> Live:
        match = self.match
        return stood_up(offer_of(match.game), match.header, match.seed, match.salt)

    @property
    def steps(self) -> int:
        return len(self.entries) - 1

    def stand_after(self, step: int) -> Live:
        """The match after so many actions; to go on from there is cheap."""
        if step + 1 < self.next:
            self.live, self.next = self.fresh(), 0
        try:
            for entry in self.entries[self.next : step + 1]:
                self.live.follow(entry.seat, entry.action, entry.facts)
        except Malformed as fault:
            self.live, self.next = self.fresh(), 0
            raise unplayable(fault) from None
        self.next = step + 1
        return self.live

    def sight(self, reader: Reader, step: int, language: wire.Language) -> wire.Sight:
        """What a reader saw there."""
        entry = self.entries[step]
        facts = [
            {"own": audience != "all", "fact": name, "with": arguments}
            for audience, name, arguments in entry.facts
            if tells(audience, reader)
        ]
        live = self.stand_after(step)
        return wire.Sight(
            reader,  # type: ignore[arg-type]
            step,
            self.steps,
            live.view(reader),
            entry.seat,
            entry.action,
            entry.says,
            facts,
            live.said(facts, reader, language),
        )

    def record(self) -> str:
        if not self.text:
            self.text = self.stand_after(self.steps).match.record()
        return self.text


class Replays:
    """The matches looked at last are kept, each for one reader: who goes on asks for the next."""

    def __init__(self, store: Store, limits: Limits) -> None:
        self._store = store
        self._limits = limits
        self._kept: OrderedDict[tuple[str, str], Replay] = OrderedDict()

    async def of(self, match: MatchRow, people: People, reader: str, address: str) -> Replay:
        match = without_deleted(match, people)
        kept = self._kept.get((match.id, reader))
        if kept is None or kept.match.header != match.header:
            self._limits.take(replays=address)
            try:
                kept = Replay(match, await self._store.entries(match.id))
            except Malformed as fault:
                raise unplayable(fault) from None
        self._kept[match.id, reader] = kept
        self._kept.move_to_end((match.id, reader))
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return kept


def unplayable(fault: Malformed) -> Problem:
    return Problem(409, "no-rules", f"the rules of today cannot replay this match: {fault}")


def without_deleted(match: MatchRow, people: People) -> MatchRow:
    """The match stays, and the name of who is deleted goes."""
    names = [
        DELETED if player in people and people[player].deleted else name
        for player, name in zip(match.players, match.header["names"], strict=True)
    ]
    return replace(match, header={**match.header, "names": names})
