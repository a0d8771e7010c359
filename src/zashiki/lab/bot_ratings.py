"""Measure how strong each bot is in each game, form and number of seats: an arena of all of them.

The result is the table by which the server rates people against bots (`zashiki.bots.ratings`).
"""

from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import permutations
from math import exp, sqrt
from pathlib import Path
from typing import NamedTuple

from zashiki.bots import bot_names
from zashiki.bots.ratings import same_bot
from zashiki.core.rulings import Malformed
from zashiki.core.spec import GameSpec
from zashiki.games import catalogue, game_spec
from zashiki.lab.arena import Plan, contest, opened

OWN = "zashiki.games"
"""The package of the games that are measured. Others come with packages that can be changed."""


MU, SIGMA, BETA = 25.0, 25 / 3, 25 / 6
"""Mean and doubt of a newcomer, and the luck of one match, as in openskill."""
GROUPS = 20
"""Groups of deals for the standard error."""
STEPS = 300
"""Steps towards the most likely strengths. They stop moving far earlier."""


class Pool(NamedTuple):
    """Matches whose results can be compared: a game in one form with a number of seats."""

    spec: GameSpec
    form: str
    seats: int

    def __str__(self) -> str:
        return f"{' '.join(filter(None, (self.spec.id, self.form)))}, {self.seats} seats"

    @property
    def folder(self) -> str:
        return str(self).replace(",", "").replace(" ", "-")

    def bots(self) -> list[str]:
        """Return the bots that play differently, the best last."""
        return [bot for bot in bot_names(self.spec) if same_bot(self.spec, bot) == bot]

    def plan(self, matches: int, seed: int | str) -> Plan:
        option = self.spec.form_option
        options = {} if option is None else {option.name: self.form}
        return Plan.checked(self.spec.id, self.seats, self.bots(), matches, seed, options)


class Strength(NamedTuple):
    """The strength of a bot on the scale of openskill, with its standard error."""

    bot: str
    mu: float
    sigma: float
    matches: int


class MeasuredPool(NamedTuple):
    """A pool with its result."""

    pool: Pool
    seed: int | str
    matches: int
    strengths: tuple[Strength, ...]


def pools_of(game: str | None, seats: int | None = None, form: str | None = None) -> list[Pool]:
    """Return the pools of a game, or of all games; only these seats and this form, if given."""
    own = [spec for spec in catalogue().values() if spec.make.__module__.startswith(f"{OWN}.")]
    specs = own if game is None else [game_spec(game)]
    pools = [
        Pool(spec, one, count)
        for spec in specs
        for count in spec.seats
        for one in spec.forms_for(count)
        if seats in {None, count} and form in {None, one}
    ]
    if not pools:
        raise Malformed(f"no table has {seats} seats and the form {form}: see zashiki games")
    return pools


class Pairs:
    """How often each bot ended before each other bot at the same table. A tie counts half."""

    def __init__(self, bots: int) -> None:
        self.wins = [[0.0] * bots for _ in range(bots)]
        self.seats = [0] * bots

    def add(self, lineup: Sequence[int], ranks: Sequence[int]) -> None:
        """Count a match."""
        for (one, rank), (other, beside) in permutations(zip(lineup, ranks, strict=True), 2):
            if one != other:
                self.wins[one][other] += 1.0 if rank < beside else 0.5 if rank == beside else 0.0
        for bot in lineup:
            self.seats[bot] += 1

    @staticmethod
    def sum(groups: Sequence["Pairs"]) -> "Pairs":
        bots = range(len(groups[0].seats))
        total = Pairs(len(bots))
        total.wins = [[sum(one.wins[a][b] for one in groups) for b in bots] for a in bots]
        total.seats = [sum(one.seats[bot] for one in groups) for bot in bots]
        return total

    def fit(self, seats: int) -> list[float]:
        """Return the most likely strengths.

        In openskill's Plackett–Luce model of `seats` known strengths, one ends before another with
        odds of exp(difference / scale). Its usual prior keeps a bot that never wins on the scale.
        """
        scale, bots = BETA * sqrt(seats), range(len(self.seats))
        found = [0.0 for _ in bots]
        for _ in range(STEPS):
            for bot in bots:
                slope, bend = -found[bot] * (scale / SIGMA) ** 2, (scale / SIGMA) ** 2
                for other in bots:
                    chance = 1 / (1 + exp(found[other] - found[bot]))
                    met = self.wins[bot][other] + self.wins[other][bot]
                    slope += self.wins[bot][other] - met * chance
                    bend += met * chance * (1 - chance)
                found[bot] += slope / bend
        return [MU + scale * one for one in found]


def measure_pool(
    pool: Pool, matches: int, seed: int | str, workers: int | None, folder: Path | None
) -> MeasuredPool:
    """Play the arena of a pool, or what is missing of it."""
    plan = pool.plan(matches, seed)
    with opened(None if folder is None else folder / pool.folder, plan) as results:
        with closing(contest(plan, results, workers)) as played:
            for _ in played:
                pass
        groups = [Pairs(len(plan.entrants)) for _ in range(GROUPS)]
        for result in results.in_order(plan.matches):
            group = groups[plan.schedule.deal_of(result.match) % GROUPS]
            group.add(plan.schedule.lineup_of(result.match), result.ranks)
    return MeasuredPool(pool, seed, plan.matches, tuple(strengths(plan, groups)))


def strengths(plan: Plan, groups: Sequence[Pairs]) -> Iterator[Strength]:
    """Yield the strength of each bot, with a standard error by leaving out each group of deals."""
    total = Pairs.sum(groups)
    mean = total.fit(plan.seats)
    without = [Pairs.sum([*groups[:n], *groups[n + 1 :]]).fit(plan.seats) for n in range(GROUPS)]
    for bot, name in enumerate(plan.names):
        spread = sum((one[bot] - mean[bot]) ** 2 for one in without) * (GROUPS - 1) / GROUPS
        yield Strength(name, mean[bot], sqrt(spread), total.seats[bot])


def as_toml(measured: MeasuredPool) -> Iterator[str]:
    """Yield the lines of a pool for the table of ratings."""
    pool, seed, matches, found = measured
    yield "[[measured]]"
    yield f'game = "{pool.spec.id}"'
    yield f'form = "{pool.form}"'
    yield f"seats = {pool.seats}"
    yield f"matches = {matches}"
    yield f'seed = "{seed}"'
    yield "[measured.bots]"
    for bot, mu, sigma, played in found:
        yield f"{bot} = {{ mu = {mu:.2f}, sigma = {sigma:.2f}, matches = {played} }}"
    yield ""
