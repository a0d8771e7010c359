"""Sums over deals: the matches of a deal are not independent of each other, but deals are.

So each figure is first averaged within a deal, and every interval is over deals.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from zashiki.lab.arena.match_result import MatchResult, Times, class_time
from zashiki.lab.arena.plan import Plan
from zashiki.lab.arena.schedule import Lineup
from zashiki.lab.simulate import Z95, Interval, normal, wilson

FEW = 30
"""With fewer deals than this, their variance is not well known."""

Key = tuple[str | int, ...]


def win_credits(ranks: Sequence[int]) -> list[float]:
    """The win of each seat: a first place shared by k seats counts 1/k for each."""
    first = ranks.count(1)
    return [1 / first if rank == 1 else 0.0 for rank in ranks]


def student(freedom: int) -> float:
    """The 97.5 % quantile of Student's t distribution (Cornish-Fisher expansion)."""
    z, n = Z95, freedom
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
    )


class Spread:
    """Mean and variance over deals (Welford's algorithm)."""

    def __init__(self) -> None:
        self.deals = 0
        self.matches = 0
        self.mean = 0.0
        self.spread = 0.0

    def add(self, values: Sequence[float], matches: int | None = None) -> None:
        """Add the values of one deal of `matches` matches; None: one value per match."""
        self.deals += 1
        self.matches += len(values) if matches is None else matches
        mean = sum(values) / len(values)
        step = mean - self.mean
        self.mean += step / self.deals
        self.spread += step * (mean - self.mean)

    def share(self) -> Interval:
        """The Wilson interval of as many independent matches as would vary like these deals."""
        inside = max(0.0, self.mean * (1 - self.mean))
        noise = self.spread / (self.deals - 1) / self.deals if self.deals > 1 else 0.0
        worth = float(self.deals)
        if inside and noise:
            worth = inside / noise * (Z95 / student(self.deals - 1)) ** 2
        if self.deals < FEW:
            worth = min(worth, self.matches)
        return wilson(self.mean * worth, worth)

    def interval(self) -> Interval:
        return normal(self.mean, self.spread, self.deals)


@dataclass(frozen=True)
class Thinking:
    """Thinking times of a bot, in seconds per decision."""

    decisions: int
    mean: float
    median: float
    nearly_all: float
    """The 95 % quantile."""
    longest: float


class Clock:
    """Sums of the thinking times of one bot."""

    def __init__(self) -> None:
        self.seats_taken = 0
        self.seconds = 0.0
        self.longest = 0.0
        self.classes: Counter[int] = Counter()

    def add(self, spent: Times) -> None:
        self.seats_taken += 1
        self.seconds += spent.seconds
        self.longest = max(self.longest, spent.longest)
        self.classes.update(spent.classes)

    def thinking(self) -> Thinking:
        count = self.classes.total()
        mean = self.seconds / count if count else 0.0
        return Thinking(count, mean, self.quantile(0.5), self.quantile(0.95), self.longest)

    def quantile(self, part: float) -> float:
        """The time within which this part of the decisions was made, as far as classes tell."""
        left = part * self.classes.total()
        for number in sorted(self.classes):
            left -= self.classes[number]
            if left <= 0:
                return min(class_time(number), self.longest)
        return 0.0


class Sums:
    """All figures of an arena, summed deal by deal."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.deals = 0
        self.spreads: defaultdict[Key, Spread] = defaultdict(Spread)
        self.lengths: Counter[int] = Counter()
        self.clocks = [Clock() for _ in plan.entrants]

    def add(self, deal: Iterable[MatchResult]) -> None:
        """Add all matches of one deal."""
        values: defaultdict[Key, list[float]] = defaultdict(list)
        matches: Counter[Key] = Counter()
        for played in deal:
            lineup = self.plan.schedule.lineup_of(played.match)
            said = list(figures(lineup, played))
            for key, value in said:
                values[key].append(value)
            matches.update({key for key, _ in said})
            self.lengths[sum(spent.decisions for spent in played.times)] += 1
            for bot, spent in zip(lineup, played.times, strict=True):
                self.clocks[bot].add(spent)
        for key, some in values.items():
            self.spreads[key].add(some, matches[key])
        self.deals += 1

    def share(self, *key: str | int) -> Interval | None:
        """The interval of a figure; None if no match has this figure."""
        return self.spreads[key].share() if key in self.spreads else None


def figures(lineup: Lineup, played: MatchResult) -> Iterator[tuple[Key, float]]:
    """All figures of one match, each with its key; all but scores and ranks are in 0 … 1."""
    wins = win_credits(played.ranks)
    for seat, bot in enumerate(lineup):
        rank = played.ranks[seat]
        yield ("bot", bot), wins[seat]
        yield ("seat", seat), wins[seat]
        yield ("bot on seat", bot, seat), wins[seat]
        yield ("score", bot), played.scores[seat]
        yield ("rank", bot), rank
        for place in range(1, len(lineup) + 1):
            yield ("place", bot, place), float(rank == place)
        if len(lineup) > 2 and lineup.count(bot) == 1 and len(set(lineup)) == 2:
            yield ("alone", bot), wins[seat]
        for other, its_rank in zip(lineup, played.ranks, strict=True):
            if other != bot:
                yield ("versus", bot, other), (rank < its_rank) + (rank == its_rank) / 2
    if len(lineup) == 2:
        yield ("draw",), float(played.ranks[0] == played.ranks[1])
