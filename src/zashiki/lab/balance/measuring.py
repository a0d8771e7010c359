"""The matches of a measurement: each depends on the plan and its number only."""

import json
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

from zashiki.bots import derived_seed, make_bot
from zashiki.core.dice import Quick
from zashiki.core.match_stats import CardUse, MatchStats
from zashiki.core.parts import Journal
from zashiki.core.rulings import Malformed
from zashiki.core.spec import AnyGame, GameSpec, OptionValue
from zashiki.games import game_spec
from zashiki.lab.arena.playing import TimedBot
from zashiki.lab.results import Results, checked_matches, items, number, ranking, whole_number
from zashiki.lab.simulate import Row, check_seed, checked_bots, checked_count, play_out
from zashiki.lab.workers import map_as_completed

FORMAT = 1


@dataclass(frozen=True)
class Plan:
    """The card set, bot and matches of a measurement: make it with `Plan.checked`."""

    kind: ClassVar[str] = "measurement"

    game: str
    bot: str
    matches: int
    seed: int | str
    options: Mapping[str, OptionValue]

    @staticmethod
    def checked(
        game: str, bot: str, matches: int, seed: int | str, options: Mapping[str, object]
    ) -> "Plan":
        """Make a plan, or raise `Malformed`."""
        spec = game_spec(game)
        if spec.match_stats is None or "card_set" not in spec.options:
            raise Malformed(f"{spec.id} has no card sets that could be balanced")
        (name, _) = checked_bots(spec, [bot], 2)
        check_seed(seed)
        settled = spec.check_options(options, 2)
        return Plan(spec.id, name, checked_matches(matches), seed, settled)

    @property
    def card_set(self) -> dict[str, Any]:
        chosen = self.options["card_set"]
        assert isinstance(chosen, dict)
        return chosen

    @property
    def cards(self) -> list[str]:
        """All cards and the monarchs, in the order of the game."""
        return sorted(each["name"] for each in self.card_set["cards"] + self.card_set["monarchs"])

    def described(self) -> dict[str, Any]:
        """All that makes results comparable, ready for JSON."""
        return {
            "format": FORMAT,
            "game": self.game,
            "rules_version": game_spec(self.game).rules_version,
            "bot": self.bot,
            "seed": self.seed,
            "options": dict(self.options),
            "matches": self.matches,
        }

    def parse(self, values: dict[str, Any]) -> "Measured":
        return Measured(
            values["match"],
            ranking(values["ranks"], 2),
            tuple(number(score) for score in items(values["scores"], 2)),
            whole_number(values["turns"], 0),
            tuple(parse_use(*items(use, 3)) for use in items(values["uses"], 2 * len(self.cards))),
            whole_number(values["decisions"], 1),
            number(values["seconds"], 0),
            number(values["longest"], 0),
        )


def parse_use(*counts: object) -> tuple[int, int, int]:
    drafted, played, kept = (whole_number(count, 0) for count in counts)
    return drafted, played, kept


class Measured(NamedTuple):
    """The result of one match."""

    match: int
    ranks: tuple[int, ...]
    scores: tuple[float, ...]
    turns: int
    uses: tuple[tuple[int, int, int], ...]
    """Copies drafted, played and kept: for each card in order, by Red and by Blue."""
    decisions: int
    seconds: float
    longest: float
    """Longest decision, in seconds; `seconds` is the sum of all."""

    def to_json(self) -> dict[str, Any]:
        return self._asdict()

    def rows(self, plan: Plan) -> list[Row]:
        """Convert to the rows of `zashiki simulate`."""
        names = [(seat, card) for card in plan.cards for seat in range(2)]
        uses = [CardUse(*who, *use) for who, use in zip(names, self.uses, strict=True)]
        match_stats = MatchStats(self.turns, tuple(uses))
        return [
            Row(self.match, 0, seat, plan.bot, self.ranks[seat], self.scores[seat], match_stats)
            for seat in range(2)
        ]


# Playing ---------------------------------------------------------------------------------------


@lru_cache(maxsize=2)
def rules_of(game: str, written: str) -> tuple[GameSpec, AnyGame]:
    """Make the rules once per process, because it takes longer than a match."""
    spec = game_spec(game)
    return spec, spec.make(2, json.loads(written))


def play(plan: Plan, match: int) -> Measured:
    """Play the match of this number, the same as `zashiki simulate` with this seed."""
    spec, game = rules_of(plan.game, json.dumps(dict(plan.options)))
    seed = derived_seed(plan.seed, match)
    bots = [
        TimedBot(
            make_bot(plan.bot, spec, game, derived_seed(seed, "bot", seat)),
            plan.bot,
            f"match {match}, seat {seat}, seed {plan.seed}",
        )
        for seat in range(2)
    ]
    journal = Journal()
    outcome = play_out(game, bots, Quick(seed), journal)
    assert spec.match_stats is not None
    match_stats = spec.match_stats(game, journal.entries)
    times = [bot.times() for bot in bots]
    return Measured(
        match,
        outcome.ranks,
        outcome.scores,
        match_stats.turns,
        tuple((use.drafted, use.played, use.kept) for use in match_stats.uses),
        sum(spent.decisions for spent in times),
        round(sum(spent.seconds for spent in times), 6),
        max(spent.longest for spent in times),
    )


def measure(
    plan: Plan, results: Results[Measured], workers: int = 1
) -> Generator[Measured, None, None]:
    """Play the matches that have no result, and yield each after it is kept, in any order."""
    count = min(checked_count("workers", workers), plan.matches - len(results))
    source = map_as_completed(play, plan, results.missing(), count)
    try:
        for _, measured in source:
            results.append(measured)
            yield measured
    finally:
        source.close()
