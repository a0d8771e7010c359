"""What an arena says of its bots: shares, ranks, who beats whom, from which seat, how quickly."""

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
    """What a bot achieved, per chair."""

    name: str
    chairs: int
    """How often it sat somewhere."""
    deals: int
    share: Interval
    """Of first places."""
    alone: Interval | None
    """The same where it sat alone in a field of one other; None where nobody does."""
    score: Interval
    rank: float
    ranks: tuple[Interval, ...]
    """How often it was first, second, …"""
    seats: tuple[Interval | None, ...]
    """Its share of first places from each seat; None where it never sat."""
    versus: tuple[Interval | None, ...]
    """How often it ended before each other bot at the same table, ties half."""
    thinking: Thinking
    rating: Rating | None
    """None where openskill is not installed."""


@dataclass(frozen=True)
class Standing:
    """An arena in a few tables."""

    matches: int
    deals: int
    fair: float
    """What a chair would win if all bots were equal."""
    bots: tuple[Entry, ...]
    seats: tuple[Interval, ...]
    """The share of first places by seat, whoever sat there."""
    draws: Interval | None
    """None where more than two play."""
    lengths: Counter[int]
    """How many matches had so many decisions."""
    turns: Turns
    """The same in four numbers."""
    finding: Finding | None


def measure(plan: Plan, matches: Iterable[MatchResult], finding: Finding | None = None) -> Standing:
    """Of whole deals, their matches in order."""
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
        sums.clocks[bot].chairs,
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
