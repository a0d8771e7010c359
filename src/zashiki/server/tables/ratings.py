"""Ratings by openskill (Plackett–Luce), for each game and number of seats apart.

The server's bots have ratings too: their level is fixed.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Collection
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final
from weakref import WeakKeyDictionary, WeakValueDictionary

from openskill.models import PlackettLuce, PlackettLuceRating

from zashiki.server.protocol import rest
from zashiki.server.store.protocol import Store
from zashiki.server.store.rows import HOUSE, MatchRow, RatingRow

MODEL: Final = PlackettLuce()
SURE: Final = 3
"""Sigmas to either side of the mean, between which the strength almost surely is."""

Locks = WeakValueDictionary[str, asyncio.Lock]

_locks: WeakKeyDictionary[Store, Locks] = WeakKeyDictionary()
"""Locks by player, while ratings are replaced."""


@asynccontextmanager
async def settling(store: Store, match: MatchRow) -> AsyncIterator[None]:
    """From before `rated` until its rows are stored: ratings are read and replaced. Only matches of
    the same players wait for each other, for each waits until something is on the disk."""
    locks = _locks.setdefault(store, WeakValueDictionary())
    sitting = await sitters(store, match) if match.rated else []
    async with AsyncExitStack() as held:
        for who in sorted({who for who in sitting if who is not None}):
            await held.enter_async_context(locks.setdefault(who, asyncio.Lock()))
        yield


async def rated(
    store: Store, match: MatchRow, now: float, resigned: Collection[int] = ()
) -> list[RatingRow]:
    """The ratings after a match that has ended; none if it was not a rated one.

    Who resigned counts as last, whatever the bot made of the seat.
    """
    if not match.rated or match.ranks is None or match.seats == 1:
        return []
    sitting = await sitters(store, match)
    if None in sitting:
        return []
    known = [who for who in sitting if who is not None]
    before = {who: await rating(store, who, match, now) for who in known}
    teams = [[MODEL.rating(before[who].mu, before[who].sigma)] for who in known]
    last = match.seats + 1
    ranks = [last if seat in resigned else rank for seat, rank in enumerate(match.ranks)]
    after = MODEL.rate(teams, ranks=[float(rank) for rank in ranks])
    seats = Counter(known)
    return [
        moved(before[who], new, now)
        for who, (new,) in zip(known, after, strict=True)
        if seats[who] == 1  # a bot that sits twice has beaten itself: that says nothing of it
    ]


async def sitters(store: Store, match: MatchRow) -> list[str | None]:
    """Return the players by seat. A bot of the server has the id of its level."""
    table = await store.table(match.table)
    chairs = [] if table is None else table.doc["chairs"]
    levels = [chair.get("bot") for chair in chairs] or [None] * match.seats
    pairs = zip(match.players, levels, strict=True)
    return [player or (level and HOUSE + level) for player, level in pairs]


async def rating(store: Store, player: str, match: MatchRow, now: float) -> RatingRow:
    """Return the rating of a player before a match."""
    row = await store.rating(player, match.game, match.seats)
    if row is not None:
        return row
    return RatingRow(player, match.game, match.seats, MODEL.mu, MODEL.sigma, 0, now)


def moved(before: RatingRow, after: PlackettLuceRating, now: float) -> RatingRow:
    return RatingRow(
        before.player, before.game, before.seats, after.mu, after.sigma, before.matches + 1, now
    )


def seen_rating(row: RatingRow) -> rest.Rating:
    """Show a rating as everybody may see it."""
    low, high = (round(row.mu + side * SURE * row.sigma, 2) for side in (-1, 1))
    return rest.Rating(row.game, row.seats, round(row.mu, 2), low, high, row.matches)
