"""Ratings by openskill (Plackett–Luce): which matches are rated, and how. See decision 0034.

Each game, form and number of seats has ratings of its own, against other people and against bots.
The server's bots have measured ratings, which no match changes.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Collection, Iterator, Mapping, Sequence, Set
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import combinations
from typing import Final
from weakref import WeakKeyDictionary, WeakValueDictionary

from msgspec.structs import replace
from openskill.models import PlackettLuce, PlackettLuceRating

from zashiki.bots.ratings import Measured, bot_rating, measured_pools
from zashiki.core.spec import GameSpec
from zashiki.games import catalogue, game_spec
from zashiki.server.protocol import rest
from zashiki.server.store.protocol import Store
from zashiki.server.store.rows import HOUSE, MatchRow, RatingPool, RatingRow, Unrated, is_bot
from zashiki.server.tables.model import TableDoc, bot_id

MODEL: Final = PlackettLuce()
SURE: Final = 3
"""Sigmas to either side of the mean, between which the strength almost surely is."""
DAY_SECONDS: Final = 86400.0
MAX_PAIR_MATCHES: Final = 5
"""Max rated matches of two people that start within a day."""
YOUNG_SECONDS: Final = 7 * DAY_SECONDS
"""An account is listed when this time has passed since its player first came."""
MIN_LISTED_MATCHES: Final = 10
"""An account is listed after this number of rated matches in a pool."""

Locks = WeakValueDictionary[str, asyncio.Lock]

_locks: WeakKeyDictionary[Store, Locks] = WeakKeyDictionary()
"""Locks by player, while ratings are replaced."""


# Which matches are rated -------------------------------------------------------------------------


def why_unrated(doc: TableDoc) -> Unrated | None:
    """Return why a match at this table is not rated; None if the table gives no reason."""
    people, seats = doc.people(), len(doc.chairs)
    if doc.scene is not None:
        return "scene"  # before all else: browsers keep it as evidence of what was announced
    if "bot" in {doc.chairs[seat].who for seat in people}:
        return "own-bot"
    if not doc.spec.is_listed(doc.options):
        return "content"
    bots = {chair.bot for chair in doc.chairs if chair.bot is not None}
    if len(people) + sum(chair.bot is not None for chair in doc.chairs) < seats:
        return None  # more people may come
    if seats == 1 or not people:
        return "no-rivals"
    form = doc.spec.form_of(doc.options)
    if len(people) == 1 and any(not bot_rating(doc.spec, form, seats, bot) for bot in bots):
        return "bot-strength"
    return None


async def why_unrated_between(store: Store, match: MatchRow) -> Unrated | None:
    """Return why a match of these people is not rated: they share an address, or play too often."""
    if await sharing_an_address(store, match):
        return "address"
    return "pair" if await has_too_frequent_pair(store, match) else None


async def sharing_an_address(store: Store, match: MatchRow) -> set[str]:
    """Return the people of a match who came from an address of another one of them."""
    people, came = people_of(match), defaultdict[str, set[str]](set)
    for row in await store.addresses(match.table):
        if row.player in people:
            came[row.hash].add(row.player)
    return {player for some in came.values() if len(some) > 1 for player in some}


async def has_too_frequent_pair(store: Store, match: MatchRow) -> bool:
    """Return True if two people of a match have started too many rated ones within a day."""
    after, place = match.started - DAY_SECONDS, (match.started, match.id)
    for one, other in combinations(sorted(people_of(match)), 2):
        rows = await store.rated_matches_of_pair(one, other, after, MAX_PAIR_MATCHES + 1)
        if sum((row.started, row.id) < place for row in rows) >= MAX_PAIR_MATCHES:
            return True
    return False


# After a match -----------------------------------------------------------------------------------


@asynccontextmanager
async def settling(store: Store, match: MatchRow) -> AsyncIterator[None]:
    """Lock the players of a rated match, from before `settled` until its rows are stored.

    Ratings are read and replaced meanwhile. Only matches of the same players wait for each other,
    because each lock is held until something is on the disk.
    """
    locks = _locks.setdefault(store, WeakValueDictionary())
    async with AsyncExitStack() as held:
        for who in sorted(people_of(match)) if match.rated else ():
            await held.enter_async_context(locks.setdefault(who, asyncio.Lock()))
        yield


async def settled(
    store: Store, match: MatchRow, now: float, left_after: Mapping[int, int]
) -> tuple[MatchRow, list[RatingRow]]:
    """Return a match that has ended as it is to be stored, with the ratings after it.

    `left_after` has the seats of people who left, each with the number of actions until then.
    People who have come to one address since the deal gain nothing, but a third person's match
    counts: else two accounts of one person could undo any match that they lose.
    """
    if not match.rated or match.ranks is None:
        return match, []
    why: Unrated | None = None
    sharing = await sharing_an_address(store, match)
    if sharing and sharing == people_of(match):
        why = "address"
    elif await has_too_frequent_pair(store, match):
        why = "pair"
    elif not is_measured(match):
        why = "bot-strength"
    if why is not None:
        return replace(match, rated=False, unrated=why), []
    match = replace(match, rated_ranks=rated_ranks(match.ranks, left_after))
    moved = await ratings_after(store, match, now, sharing)
    changes = {
        after.player: [before.mu, before.sigma, after.mu, after.sigma] for before, after in moved
    }
    by_seat = [changes.get(player or "") for player in match.players]
    return replace(match, rating_changes=by_seat), [after for _, after in moved]


def rated_ranks(ranks: Sequence[int], left_after: Mapping[int, int]) -> list[int]:
    """Return the ranks that are rated: those who left come last, the first of them at the end."""
    places = [
        (1, -left_after[seat]) if seat in left_after else (0, rank)
        for seat, rank in enumerate(ranks)
    ]
    return [1 + sum(other < place for other in places) for place in places]


async def ratings_after(
    store: Store, match: MatchRow, now: float, sharing: Set[str]
) -> list[tuple[RatingRow, RatingRow]]:
    """Return the ratings before and after: of people among themselves, or of one against bots.

    The means of people who share an address only fall.
    """
    people, pool, ranks = people_of(match), pool_of(match), match.rated_ranks
    assert ranks is not None
    before = {who: await rating(store, who, pool, now) for who in people}
    bots = match_ratings(match)
    teams: list[list[PlackettLuceRating]] = []
    places: list[float] = []
    moved: list[str | None] = []
    for seat, who in enumerate(match.players):
        bot = bots[seat]
        if who in before:
            teams.append([MODEL.rating(before[who].mu, before[who].sigma)])
        elif len(people) == 1 and bot is not None:
            teams.append([MODEL.rating(bot.mu, bot.sigma)])
        else:
            continue
        places.append(float(ranks[seat]))
        moved.append(who)
    after = MODEL.rate(teams, ranks=places)
    changes: list[tuple[RatingRow, RatingRow]] = []
    for who, (new,) in zip(moved, after, strict=True):
        row = before.get(who or "")
        if row is None:
            continue
        mu = min(new.mu, row.mu) if who in sharing else new.mu
        changed = replace(row, mu=mu, sigma=new.sigma, matches=row.matches + 1, updated=now)
        changes.append((row, changed))
    return changes


async def rating(store: Store, player: str, pool: RatingPool, now: float) -> RatingRow:
    """Return the rating of a player before a match.

    A player without one begins with the deviation of a newcomer. If they have a rating from before
    forms and rivals were told apart, the mean begins half way to it.
    """
    row = await store.rating(player, pool)
    if row is not None:
        return row
    earlier = await store.earlier_rating(player, pool.game, pool.seats)
    mu = MODEL.mu if earlier is None else (MODEL.mu + earlier.mu) / 2
    return RatingRow(player, *pool, mu, MODEL.sigma, 0, now)


# Who plays, and where ----------------------------------------------------------------------------


def people_of(match: MatchRow) -> set[str]:
    return {player for player in match.players if player is not None and not is_bot(player)}


def pool_of(match: MatchRow) -> RatingPool:
    """Return the pool in which a match is rated."""
    return RatingPool(
        match.game, form_of(match), match.seats, "people" if len(people_of(match)) > 1 else "bots"
    )


def form_of(match: MatchRow) -> str:
    """Return the form in which a match was played; empty if this server does not know the game."""
    spec = catalogue().get(match.game)
    options = match.header.get("options", {})
    return (
        "" if spec is None or not options.keys() >= spec.options.keys() else spec.form_of(options)
    )


def match_ratings(match: MatchRow) -> list[Measured | None]:
    """Return the measured rating of the bot on each seat; None for people and unknown bots."""
    spec, pool = game_spec(match.game), pool_of(match)
    levels = [(player or "").removeprefix(HOUSE) for player in match.players]
    return [bot_rating(spec, pool.form, pool.seats, level) for level in levels]


def is_measured(match: MatchRow) -> bool:
    """Return False if one person plays against a bot whose strength is not known."""
    bots = zip(match.players, match_ratings(match), strict=True)
    is_known = all(found is not None for player, found in bots if is_bot(player))
    return is_known or len(people_of(match)) > 1


def bot_rows(spec: GameSpec, form: str, seats: int, bots: Collection[str]) -> list[RatingRow]:
    """Return the measured ratings of bots as rows."""
    found = {bot: bot_rating(spec, form, seats, bot) for bot in bots}
    pool = RatingPool(spec.id, form, seats, "bots")
    return [
        RatingRow(bot_id(bot), *pool, one.mu, one.sigma, one.matches, 0.0)
        for bot, one in found.items()
        if one is not None
    ]


def fullest_pool(listed: Collection[RatingRow]) -> RatingPool:
    """Return the pool with most of these ratings: among people if there is one, else against bots.

    Without ratings it is the first pool in which bots were measured, because bots are listed there.
    """
    known = [row.pool for row in listed if row.game in catalogue()]
    counted = Counter(known).items()
    measured = (RatingPool(*one, "bots") for one in measured_pools() if one[0] in catalogue())
    if not counted:
        return next(measured)
    return max(counted, key=lambda one: (one[0].rivals == "people", one[1], one[0]))[0]


def rows_of_bot(bot: str) -> Iterator[RatingRow]:
    """Yield the measured ratings of one of the server's bots, in all pools."""
    for game, form, seats in measured_pools():
        yield from bot_rows(game_spec(game), form, seats, [bot])


def seen_changes(match: MatchRow) -> list[rest.RatingChange | None] | None:
    """Show how the ratings of a match changed, by seat."""
    if match.rating_changes is None:
        return None
    return [None if change is None else seen_change(*change) for change in match.rating_changes]


def seen_change(before: float, _: float, mu: float, sigma: float) -> rest.RatingChange:
    """Show the mean before and after a match, and the interval after it."""
    shown = (before, mu, mu - SURE * sigma, mu + SURE * sigma)
    return rest.RatingChange(*(round(one, 2) for one in shown))


def seen_rating(row: RatingRow) -> rest.Rating:
    """Show a rating as everybody may see it."""
    low, high = (round(row.mu + side * SURE * row.sigma, 2) for side in (-1, 1))
    return rest.Rating(
        row.game, row.form, row.seats, row.rivals, round(row.mu, 2), low, high, row.matches
    )
