"""Many matches between bots, and what they say: straight on the rules, without a journal.

Every match has a seed of its own, made from the plan's seed and the number of the match, so that
the result does not depend on how many processes shared the work. Seating rotates: the bot named
in place e sits on seat (e + number of the match) modulo seats, so that seat and bot are not
confounded as long as the number of matches is a multiple of the seats.
"""

import math
from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from zashiki.bots import bot_names, derived_seed, make_bot
from zashiki.core.dice import Quick
from zashiki.core.game import Outcome
from zashiki.core.offer import AnyGame, Offer, OptionValue
from zashiki.core.parts import Seat
from zashiki.core.rulings import Malformed
from zashiki.games import offer_of
from zashiki.lab.crew import shared

CHUNK = 10
"""How many matches a process plays before it hands in its rows."""
Z95 = 1.959963984540054
"""How many standard deviations a 95 % interval reaches to either side."""


class Row(NamedTuple):
    """How one seat of one match ended: a line of the results."""

    match: int
    seed: int
    seat: int
    bot: str
    rank: int
    score: float


@dataclass(frozen=True)
class Plan:
    """What is to be played: make it with `Plan.checked`."""

    game: str
    seats: int
    bots: tuple[str, ...]
    matches: int
    seed: int | str = 0
    options: Mapping[str, OptionValue] = field(default_factory=dict)

    @staticmethod
    def checked(
        game: str,
        seats: int,
        bots: Iterable[str],
        matches: int,
        seed: int | str = 0,
        options: Mapping[str, object] | None = None,
    ) -> "Plan":
        """A plan that can be played; `Malformed` says what is wrong with it."""
        offer = offer_of(game)
        chairs = offer.check_seats(seats)
        names = checked_bots(offer, bots, chairs)
        if isinstance(seed, bool) or not isinstance(seed, (int, str)):
            raise Malformed(f"seed {seed!r}: an integer or a text is expected")
        derived_seed(seed)
        number = checked_count("matches", matches)
        return Plan(game, chairs, names, number, seed, offer.check_options(options, chairs))


def checked_bots(offer: Offer, bots: Iterable[object], chairs: int) -> tuple[str, ...]:
    """A known bot for each chair; one name alone stands for all of them."""
    if isinstance(bots, str) or not isinstance(bots, Iterable):
        raise Malformed(f"bots {bots!r}: a list of names is expected")
    known = bot_names(offer)
    names: list[str] = []
    for name in bots:
        if not isinstance(name, str) or name not in known:
            raise Malformed(f"bot {name!r}: {offer.id} knows {', '.join(known)}")
        names.append(name)
    if len(names) not in (1, chairs):
        raise Malformed(f"{len(names)} bots: 1, or {chairs} for as many chairs, are expected")
    return tuple(names * chairs if len(names) == 1 else names)


def checked_count(what: str, count: object) -> int:
    if type(count) is not int or count < 1:
        raise Malformed(f"{what} {count!r}: an integer of at least 1 is expected")
    return count


# Playing ---------------------------------------------------------------------------------------


def simulate(plan: Plan, workers: int = 1) -> Generator[list[Row], None, None]:
    """The rows of every match in order, some matches at a time, played by so many processes.

    Whoever does not want them all closes the generator, and the processes end.
    """
    starts = range(0, plan.matches, CHUNK)
    if checked_count("workers", workers) == 1:
        return (play_chunk(plan, start) for start in starts)
    return shared(play_chunk, plan, starts, workers)


def play_chunk(plan: Plan, start: int) -> list[Row]:
    """The rows of the matches from this one on."""
    offer = offer_of(plan.game)
    game = offer.make(plan.seats, plan.options)
    rows: list[Row] = []
    for number in range(start, min(start + CHUNK, plan.matches)):
        seating = seated(plan.bots, number)
        seed = derived_seed(plan.seed, number)
        outcome = play_one(offer, game, seating, seed)
        for seat, bot in enumerate(seating):
            rows.append(Row(number, seed, seat, bot, outcome.ranks[seat], outcome.scores[seat]))
    return rows


def seated(bots: tuple[str, ...], number: int) -> tuple[str, ...]:
    """Who sits where in the match of this number."""
    turn = number % len(bots)
    return bots[len(bots) - turn :] + bots[: len(bots) - turn]


def play_one(offer: Offer, game: AnyGame, seating: tuple[str, ...], seed: int) -> Outcome:
    """One match, by its seed and seating alone."""
    bots = [
        make_bot(name, offer, game, derived_seed(seed, "bot", seat))
        for seat, name in enumerate(seating)
    ]
    chance = Quick(seed)
    state = game.empty()
    game.start(state, chance)
    while to_act := int(game.to_act(state.public)):
        seat = (to_act & -to_act).bit_length() - 1  # the lowest: simultaneous choices commute
        view = state.views[seat]
        game.apply(state, Seat(seat), bots[seat].choose(view, game.legal(view)), chance)
    outcome = game.outcome(state.public)
    assert outcome is not None, "nobody is to act, and yet the match is not over"
    return outcome


# What it says ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Interval:
    """A mean and where it lies with 95 % confidence."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Entry:
    """What a bot, or whoever sat on a seat, achieved; rates and means are per chair."""

    name: str
    chairs: int
    matches: int
    wins: float
    """First places; one shared by k seats counts 1/k."""
    win_rate: Interval
    score: Interval
    rank: float


@dataclass(frozen=True)
class Summary:
    """A simulation in a few lines."""

    bots: tuple[Entry, ...]
    seats: tuple[Entry, ...]
    fair_share: float
    """What each chair would win if all were equal."""


class Tally:
    """Sums over matches; a bot on several chairs enters each match with its mean per chair."""

    def __init__(self, chairs: int) -> None:
        self.chairs = chairs
        self.matches = 0
        self.wins = 0.0
        self.ranks = 0.0
        self.mean = 0.0
        self.spread = 0.0

    def add(self, wins: float, rows: list[Row]) -> None:
        self.matches += 1
        self.wins += wins
        self.ranks += sum(row.rank for row in rows) / self.chairs
        score = sum(row.score for row in rows) / self.chairs
        step = score - self.mean
        self.mean += step / self.matches
        self.spread += step * (score - self.mean)

    def entry(self, name: str) -> Entry:
        return Entry(
            name,
            self.chairs,
            self.matches,
            self.wins,
            self.win_rate(),
            normal(self.mean, self.spread, self.matches),
            self.ranks / self.matches,
        )

    def win_rate(self) -> Interval:
        """Was the match won by any of the bot's chairs? That interval, shared among them."""
        whole = wilson(self.wins, self.matches)
        return Interval(*(bound / self.chairs for bound in (whole.mean, whole.low, whole.high)))


def summarize(blocks: Iterable[list[Row]]) -> Summary:
    """By bot, in the order of their names, and by seat."""
    bots: dict[str, Tally] = {}
    seats: dict[int, Tally] = {}
    for rows in blocks:
        for _, match in groupby(rows, attrgetter("match")):
            add_match(list(match), bots, seats)
    if not seats:
        raise Malformed("no matches: at least one is expected")
    return Summary(
        tuple(bots[name].entry(name) for name in sorted(bots)),
        tuple(seats[seat].entry(str(seat)) for seat in sorted(seats)),
        1 / len(seats),
    )


def add_match(rows: list[Row], bots: dict[str, Tally], seats: dict[int, Tally]) -> None:
    share = 1 / sum(row.rank == 1 for row in rows)
    for row in rows:
        tally = seats.setdefault(row.seat, Tally(1))
        tally.add(share if row.rank == 1 else 0.0, [row])
    for name in {row.bot for row in rows}:
        own = [row for row in rows if row.bot == name]
        tally = bots.setdefault(name, Tally(len(own)))
        tally.add(share * sum(row.rank == 1 for row in own), own)


def wilson(wins: float, matches: int) -> Interval:
    """A rate and its Wilson score interval."""
    rate = wins / matches
    shrink = 1 + Z95**2 / matches
    centre = (rate + Z95**2 / (2 * matches)) / shrink
    inside = max(0.0, rate * (1 - rate)) / matches + Z95**2 / (4 * matches**2)
    half = Z95 * math.sqrt(inside) / shrink
    return Interval(rate, max(0.0, min(rate, centre - half)), min(1.0, max(rate, centre + half)))


def normal(mean: float, spread: float, matches: int) -> Interval:
    """A mean and its interval by the normal distribution; a single match has none, which is nan."""
    if matches < 2:
        return Interval(mean, math.nan, math.nan)
    half = Z95 * math.sqrt(spread / (matches - 1) / matches)
    return Interval(mean, mean - half, mean + half)
