"""Play one match of an arena, which depends on the plan and its number only; time each decision."""

import operator
from collections import Counter
from functools import lru_cache
from time import perf_counter

from zashiki.core.bot import Bot
from zashiki.core.dice import Quick
from zashiki.core.game import ActionId
from zashiki.core.rulings import Malformed, quoted
from zashiki.core.spec import AnyView
from zashiki.games import game_spec
from zashiki.lab.arena.entrants import FAULTS, describe, safe_text
from zashiki.lab.arena.match_result import MatchResult, Times, time_class
from zashiki.lab.arena.plan import Plan
from zashiki.lab.simulate import play_out


class TimedBot:
    """A bot whose decisions are timed and checked."""

    def __init__(self, bot: Bot, name: str, where: str) -> None:
        """`where` names match, seat and seed in error messages."""
        self.bot = bot
        self.name = name
        self.where = where
        self.seconds = 0.0
        self.longest = 0.0
        self.classes: Counter[int] = Counter()

    def choose(self, view: AnyView, legal: list[ActionId]) -> ActionId:
        offered = tuple(legal)
        before = perf_counter()
        try:
            choice = self.bot.choose(view, legal)
        except FAULTS as fault:
            raise self.fault(f"raised {describe(fault)}") from fault
        taken = perf_counter() - before
        action = self.plain(choice)
        if action not in offered:
            expected = f"expected one of the {len(offered)} actions in `legal`"
            raise self.fault(f"chose {quoted(action)}, {expected}")
        self.seconds += taken
        self.longest = max(self.longest, taken)
        self.classes[time_class(taken)] += 1
        return ActionId(action)

    def plain(self, choice: object) -> int:
        """Convert the answer, which may be an integer of any library, to a plain int."""
        try:
            return operator.index(choice)  # type: ignore[arg-type]
        except FAULTS as fault:
            chosen = safe_text(quoted, choice)
            raise self.fault(f"chose {chosen}, expected an integer of `legal`") from fault

    def fault(self, what: str) -> Malformed:
        return Malformed(f"bot {self.name!r} {what}: {self.where}")

    def times(self) -> Times:
        spent = round(self.seconds, 7), round(self.longest, 7)
        return Times(self.classes.total(), *spent, dict(sorted(self.classes.items())))


class MatchRunner:
    """The rules and bots of a plan, ready to play its matches."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        spec = game_spec(plan.game)
        self.game = spec.rules(plan.seats, plan.options).game
        self.factories = [entrant.factory(spec) for entrant in plan.entrants]

    def play(self, match: int) -> MatchResult:
        lineup = self.plan.schedule.lineup_of(match)
        seed = self.plan.deal_seed(match)
        bots = [self.make_bot(bot, match, seat, seed) for seat, bot in enumerate(lineup)]
        outcome = play_out(self.game, bots, Quick(seed))
        times = tuple(bot.times() for bot in bots)
        return MatchResult(match, tuple(outcome.ranks), tuple(outcome.scores), times)

    def make_bot(self, bot: int, match: int, seat: int, deal: int) -> TimedBot:
        name = self.plan.names[bot]
        where = f"match {match}, seat {seat}, seed {self.plan.seed}, deal {deal}"
        seed = self.plan.bot_seed(match, seat)
        try:
            return TimedBot(self.factories[bot](self.game, seed), name, where)
        except FAULTS as fault:
            raise Malformed(f"bot {name!r} raised {describe(fault)}: {where}") from fault


@lru_cache(maxsize=2)
def runner_of(plan: Plan) -> MatchRunner:
    """Make a runner once per process, because it takes longer than a match."""
    return MatchRunner(plan)


def play(plan: Plan, match: int) -> MatchResult:
    """Play the match of this number; the task of a worker."""
    return runner_of(plan).play(match)
