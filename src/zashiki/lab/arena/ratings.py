"""Ratings of bots by openskill's Plackett–Luce model, updated match by match in their order.

A bot on several seats enters a match once, with the mean of its ranks.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING

from zashiki.lab.arena.match_result import MatchResult
from zashiki.lab.arena.plan import Plan
from zashiki.lab.arena.schedule import Lineup
from zashiki.lab.simulate import Z95

if TYPE_CHECKING:
    from openskill.models import PlackettLuceRating


@dataclass(frozen=True)
class Rating:
    """A strength with the model's own 95 % interval."""

    strength: float
    low: float
    high: float


def can_rate() -> bool:
    return find_spec("openskill") is not None


class Ratings:
    """The ratings of all bots of a plan; none if openskill is not installed."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.known: list[PlackettLuceRating] = []
        if can_rate():
            from openskill.models import PlackettLuce

            self.model = PlackettLuce()
            self.known = [self.model.rating() for _ in plan.entrants]

    def add(self, played: MatchResult) -> None:
        if not self.known:
            return
        means = mean_ranks(self.plan.schedule.lineup_of(played.match), played.ranks)
        teams = [[self.known[bot]] for bot in means]
        after = self.model.rate(teams, ranks=list(means.values()))
        for bot, (rating,) in zip(means, after, strict=True):
            self.known[bot] = rating

    def ratings(self) -> list[Rating] | None:
        reach = [(rating.mu, Z95 * rating.sigma) for rating in self.known]
        return [Rating(mu, mu - half, mu + half) for mu, half in reach] or None


def mean_ranks(lineup: Lineup, ranks: Sequence[int]) -> dict[int, float]:
    """The mean rank of each bot over its seats."""
    own: dict[int, list[int]] = {}
    for bot, rank in zip(lineup, ranks, strict=True):
        own.setdefault(bot, []).append(rank)
    return {bot: sum(some) / len(some) for bot, some in own.items()}
