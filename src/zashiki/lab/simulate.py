"""Play many matches between bots directly on the rules, and sum them up.

A journal is kept only for games that make statistics of it, because it costs time.

Every match has a seed of its own, derived from the plan's seed and the number of the match. So the
result does not depend on the number of processes. Seating rotates: bot e of the plan has seat
(e + number of the match) modulo seats. So seat and bot are not confounded if the number of matches
is a multiple of the seats.
"""

import math
from collections import Counter
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from statistics import median
from typing import NamedTuple

from zashiki.bots import bot_names, derived_seed, make_bot
from zashiki.core.bot import Bot
from zashiki.core.dice import Chance, Quick
from zashiki.core.game import Outcome
from zashiki.core.match_stats import CardUse, MatchStats
from zashiki.core.parts import Journal, Seat
from zashiki.core.rulings import Malformed
from zashiki.core.spec import AnyGame, GameSpec, OptionValue
from zashiki.games import game_spec
from zashiki.lab.workers import map_in_order

CHUNK = 10
"""Matches per task of a worker process."""
Z95 = 1.959963984540054
"""Half the width of a 95 % interval, in standard deviations."""


class Row(NamedTuple):
    """How one seat of one match ended: without the match_stats, one row of the CSV file."""

    match: int
    seed: int
    seat: int
    bot: str
    rank: int
    score: float
    match_stats: MatchStats | None = None
    """Statistics of the match, the same in all its rows; None if the game makes none."""


@dataclass(frozen=True)
class Plan:
    """The bots, rules and matches of a simulation: make it with `Plan.checked`."""

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
        """Make a plan, or raise `Malformed`."""
        spec = game_spec(game)
        chairs = spec.check_seats(seats)
        names = checked_bots(spec, bots, chairs)
        check_seed(seed)
        number = checked_count("matches", matches)
        return Plan(game, chairs, names, number, seed, spec.check_options(options, chairs))


def checked_bots(spec: GameSpec, bots: Iterable[object], chairs: int) -> tuple[str, ...]:
    """A known bot for each seat; a single name is used for all seats."""
    if isinstance(bots, str) or not isinstance(bots, Iterable):
        raise Malformed(f"bots {bots!r}: expected a list of names")
    known = bot_names(spec)
    names: list[str] = []
    for name in bots:
        if not isinstance(name, str) or name not in known:
            expected = ", ".join(known)
            raise Malformed(f"bot of {spec.id}: expected one of {expected}, found {name!r}")
        names.append(name)
    if len(names) not in (1, chairs):
        raise Malformed(f"bots: expected 1, or {chairs} for as many seats, found {len(names)}")
    return tuple(names * chairs if len(names) == 1 else names)


def check_seed(seed: object) -> None:
    if isinstance(seed, bool) or not isinstance(seed, (int, str)):
        raise Malformed(f"seed {seed!r}: expected an integer or a text")
    derived_seed(seed)


def checked_count(what: str, count: object) -> int:
    if type(count) is not int or count < 1:
        raise Malformed(f"{what} {count!r}: expected an integer of at least 1")
    return count


# Playing ---------------------------------------------------------------------------------------


def simulate(plan: Plan, workers: int = 1) -> Generator[list[Row], None, None]:
    """Play all matches in `workers` processes; yield their rows in order, some matches at a time.

    Closing the generator ends the processes.
    """
    starts = range(0, plan.matches, CHUNK)
    if checked_count("workers", workers) == 1:
        return (play_chunk(plan, start) for start in starts)
    return map_in_order(play_chunk, plan, starts, workers)


def play_chunk(plan: Plan, start: int) -> list[Row]:
    """Play CHUNK matches from this one on."""
    spec = game_spec(plan.game)
    game = spec.rules(plan.seats, plan.options).game
    rows: list[Row] = []
    for number in range(start, min(start + CHUNK, plan.matches)):
        seating = seated(plan.bots, number)
        seed = derived_seed(plan.seed, number)
        outcome, match_stats = play_one(spec, game, seating, seed)
        for seat, bot in enumerate(seating):
            rank, score = outcome.ranks[seat], outcome.scores[seat]
            rows.append(Row(number, seed, seat, bot, rank, score, match_stats))
    return rows


def seated(bots: tuple[str, ...], number: int) -> tuple[str, ...]:
    """The bots by seat in the match of this number."""
    turn = number % len(bots)
    return bots[len(bots) - turn :] + bots[: len(bots) - turn]


def play_one(
    spec: GameSpec, game: AnyGame, seating: tuple[str, ...], seed: int
) -> tuple[Outcome, MatchStats | None]:
    """Play one match, which depends on its seed and seating only."""
    bots = [
        make_bot(name, spec, game, derived_seed(seed, "bot", seat))
        for seat, name in enumerate(seating)
    ]
    journal = Journal() if spec.match_stats else None
    outcome = play_out(game, bots, Quick(seed), journal)
    if spec.match_stats is None or journal is None:
        return outcome, None
    return outcome, spec.match_stats(game, journal.entries)


def play_out(
    game: AnyGame, bots: Sequence[Bot], chance: Chance, journal: Journal | None = None
) -> Outcome:
    """Play a match from start to end with a bot on each seat."""
    state = game.empty()
    state.keep_journal(journal)
    game.start(state, chance)
    while to_act := int(game.to_act(state.public)):
        seat = (to_act & -to_act).bit_length() - 1  # the lowest: simultaneous choices commute
        view = state.views[seat]
        game.apply(state, Seat(seat), bots[seat].choose(view, game.legal(view)), chance)
    outcome = game.outcome(state.public)
    assert outcome is not None, "nobody is to act, and yet the match is not over"
    return outcome


# Statistics ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Interval:
    """A mean with its 95 % confidence interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Entry:
    """The figures of a bot, or of a seat over all bots; rates and means are per seat."""

    name: str
    chairs: int
    matches: int
    wins: float
    """First places; one shared by k seats counts 1/k."""
    win_rate: Interval
    score: Interval
    rank: float


@dataclass(frozen=True)
class Draws:
    """Matches for two without a winner."""

    count: int
    rate: Interval


@dataclass(frozen=True)
class Turns:
    """Lengths of matches."""

    mean: float
    median: float
    least: int
    most: int


@dataclass(frozen=True)
class CardEntry:
    """The figures of a card: `drafted`, `played` and `kept` are copies per match, of all seats."""

    name: str
    drafted: float
    played: float
    kept: float
    users: int
    """How often a seat played it at least once in a match, over all matches."""
    win_rate: Interval | None
    """Win rate of the users; None if there are none. If both sides of a match play the card, one
    wins what the other loses. So the interval is rather too wide than too narrow."""


@dataclass(frozen=True)
class Summary:
    """All figures of a simulation."""

    matches: int
    bots: tuple[Entry, ...]
    seats: tuple[Entry, ...]
    fair_share: float
    """Win rate per seat if all bots were equal."""
    draws: Draws | None
    """None for more than two seats."""
    turns: Turns | None
    """None, like `cards` is empty, if the game has no match_stats."""
    cards: tuple[CardEntry, ...]


class Tally:
    """Sums over matches; a bot on several seats enters each match with its mean per seat."""

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
        """The interval for a win by any seat of the bot, divided by the number of its seats."""
        whole = wilson(self.wins, self.matches)
        return Interval(*(bound / self.chairs for bound in (whole.mean, whole.low, whole.high)))


class CardTally:
    """Sums over the uses of one card."""

    def __init__(self) -> None:
        self.drafted = 0
        self.played = 0
        self.kept = 0
        self.users = 0
        self.wins = 0.0

    def add(self, use: CardUse, wins: float) -> None:
        self.drafted += use.drafted
        self.played += use.played
        self.kept += use.kept
        if use.played:
            self.users += 1
            self.wins += wins

    def entry(self, name: str, matches: int) -> CardEntry:
        return CardEntry(
            name,
            self.drafted / matches,
            self.played / matches,
            self.kept / matches,
            self.users,
            wilson(self.wins, self.users) if self.users else None,
        )


class Sums:
    """All figures, summed match by match."""

    def __init__(self) -> None:
        self.matches = 0
        self.bots: dict[str, Tally] = {}
        self.seats: dict[int, Tally] = {}
        self.draws = 0
        self.turns: Counter[int] = Counter()
        self.cards: dict[str, CardTally] = {}

    def add(self, rows: list[Row]) -> None:
        """Add one match, with one row per seat."""
        self.matches += 1
        first = sum(row.rank == 1 for row in rows)
        wins = {row.seat: 1 / first if row.rank == 1 else 0.0 for row in rows}
        for row in rows:
            self.seats.setdefault(row.seat, Tally(1)).add(wins[row.seat], [row])
        for name in {row.bot for row in rows}:
            own = [row for row in rows if row.bot == name]
            tally = self.bots.setdefault(name, Tally(len(own)))
            tally.add(sum(row.rank == 1 for row in own) / first, own)
        self.draws += first == len(rows)
        match_stats = rows[0].match_stats
        if match_stats is not None:
            self.turns[match_stats.turns] += 1
            for use in match_stats.uses:
                self.cards.setdefault(use.card, CardTally()).add(use, wins[use.seat])

    def summary(self) -> Summary:
        """Figures by bot in the order of names, by seat, and by card in the order of the game."""
        if not self.matches:
            raise Malformed("no matches: expected at least one")
        draws = Draws(self.draws, wilson(self.draws, self.matches))
        return Summary(
            self.matches,
            tuple(self.bots[name].entry(name) for name in sorted(self.bots)),
            tuple(self.seats[seat].entry(str(seat)) for seat in sorted(self.seats)),
            1 / len(self.seats),
            draws if len(self.seats) == 2 else None,
            turns_of(self.turns),
            tuple(tally.entry(name, self.matches) for name, tally in self.cards.items()),
        )


def summarize(blocks: Iterable[list[Row]]) -> Summary:
    """Sum up all rows; the rows of a match must follow one another."""
    sums = Sums()
    for rows in blocks:
        for _, match in groupby(rows, attrgetter("match")):
            sums.add(list(match))
    return sums.summary()


def turns_of(lengths: Counter[int]) -> Turns | None:
    if not lengths:
        return None
    mean = sum(turns * count for turns, count in lengths.items()) / lengths.total()
    return Turns(mean, median(lengths.elements()), min(lengths), max(lengths))


def wilson(wins: float, matches: float) -> Interval:
    """A rate and its Wilson score interval; the number of matches may be a fraction."""
    rate = wins / matches
    shrink = 1 + Z95**2 / matches
    centre = (rate + Z95**2 / (2 * matches)) / shrink
    inside = max(0.0, rate * (1 - rate)) / matches + Z95**2 / (4 * matches**2)
    half = Z95 * math.sqrt(inside) / shrink
    return Interval(rate, max(0.0, min(rate, centre - half)), min(1.0, max(rate, centre + half)))


def normal(mean: float, spread: float, matches: int) -> Interval:
    """A mean and its interval by the normal distribution, which is NaN for a single match."""
    if matches < 2:
        return Interval(mean, math.nan, math.nan)
    half = Z95 * math.sqrt(spread / (matches - 1) / matches)
    return Interval(mean, mean - half, mean + half)
