"""The standing of all bots of an arena: wins, ranks, head to head, by seat, and thinking times."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from zashiki.lab.arena.match_result import MatchResult
from zashiki.lab.arena.plan import Plan
from zashiki.lab.arena.ratings import Rating, Ratings
from zashiki.lab.arena.sequential import Finding
from zashiki.lab.arena.sums import Sums, Thinking
from zashiki.lab.simulate import Interval, Turns, turns_of


@dataclass(frozen=True)
class Entry:
    """The figures of one bot, per seat that it took."""

    name: str
    chairs: int
    """Number of seats that it took, over all matches."""
    deals: int
    share: Interval
    """Share of first places."""
    alone: Interval | None
    """The same for matches in which all others are one other bot; None if there are none."""
    score: Interval
    rank: float
    ranks: tuple[Interval, ...]
    """Share of first, second, … places."""
    seats: tuple[Interval | None, ...]
    """Share of first places by seat; None for a seat that it never had."""
    versus: tuple[Interval | None, ...]
    """How often it ended before each other bot at the same table; a tie counts half."""
    thinking: Thinking
    rating: Rating | None
    """None if openskill is not installed."""


@dataclass(frozen=True)
class Standing:
    """All figures of an arena."""

    matches: int
    deals: int
    fair: float
    """Share of wins per seat if all bots were equal."""
    bots: tuple[Entry, ...]
    seats: tuple[Interval, ...]
    """Share of first places by seat, over all bots."""
    draws: Interval | None
    """None for more than two seats."""
    lengths: Counter[int]
    """Number of matches by their number of decisions."""
    turns: Turns
    """Mean, median and range of the same."""
    finding: Finding | None


def measure(plan: Plan, matches: Iterable[MatchResult], finding: Finding | None = None) -> Standing:
    """Sum up the matches of whole deals, in the order of their numbers."""
    sums = Sums(plan)
    ratings = Ratings(plan)
    for _, deal in groupby(matches, lambda played: plan.schedule.deal_of(played.match)):
        group = list(deal)
        sums.add(group)
        for played in group:
            ratings.add(played)
    turns = turns_of(sums.lengths)
    assert turns is not None, "no match was played"
    rated = ratings.ratings()
    return Standing(
        sums.lengths.total(),
        sums.deals,
        1 / plan.seats,
        tuple(
            entry(plan, sums, bot, rated[bot] if rated else None)
            for bot in range(len(plan.entrants))
        ),
        tuple(sums.spreads["seat", seat].share() for seat in range(plan.seats)),
        sums.share("draw") if plan.seats == 2 else None,
        sums.lengths,
        turns,
        finding,
    )


def entry(plan: Plan, sums: Sums, bot: int, rating: Rating | None) -> Entry:
    seats, others = range(plan.seats), range(len(plan.entrants))
    return Entry(
        plan.names[bot],
        sums.clocks[bot].seats_taken,
        sums.spreads["bot", bot].deals,
        sums.spreads["bot", bot].share(),
        sums.share("alone", bot),
        sums.spreads["score", bot].interval(),
        sums.spreads["rank", bot].mean,
        tuple(sums.spreads["place", bot, place].share() for place in range(1, plan.seats + 1)),
        tuple(sums.share("bot on seat", bot, seat) for seat in seats),
        tuple(sums.share("versus", bot, other) for other in others),
        sums.clocks[bot].thinking(),
        rating,
    )
