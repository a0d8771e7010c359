"""The plan of an arena: checked before the first match, and compared when a run is resumed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

from zashiki.bots import derived_seed
from zashiki.core.rulings import Malformed
from zashiki.core.spec import OptionValue
from zashiki.games import game_spec
from zashiki.lab.arena.entrants import Entrant, checked_entrants
from zashiki.lab.arena.match_result import MatchResult, parse_result
from zashiki.lab.arena.schedule import Schedule
from zashiki.lab.results import checked_matches
from zashiki.lab.simulate import check_seed

FORMAT = 1
"""Version of `plan.json` and `matches.jsonl`."""


@dataclass(frozen=True)
class Plan:
    """The bots, rules and matches of an arena: make it with `Plan.checked`."""

    kind: ClassVar[str] = "arena"

    game: str
    seats: int
    entrants: tuple[Entrant, ...]
    matches: int
    """Number of matches, in whole rounds; with `until_clear` the maximum."""
    seed: int | str = 0
    options: Mapping[str, OptionValue] = field(default_factory=dict, hash=False)
    until_clear: float | None = None
    """Stop when it is clear whether the first bot's share is above this one; None: play all."""

    @staticmethod
    def checked(
        game: str,
        seats: int,
        bots: Iterable[object],
        matches: int,
        seed: int | str = 0,
        options: Mapping[str, object] | None = None,
        until_clear: float | None = None,
    ) -> "Plan":
        """Make a plan of whole rounds, or raise `Malformed`."""
        spec = game_spec(game)
        chairs = spec.check_seats(seats)
        chosen = spec.check_options(options, chairs)
        entrants = checked_entrants(spec, spec.rules(chairs, chosen).game, bots)
        check_seed(seed)
        if until_clear is not None:
            check_share(until_clear, len(entrants))
        number = checked_matches(matches)
        plan = Plan(game, chairs, entrants, number, seed, chosen, until_clear)
        whole = plan.schedule.whole_rounds(number)
        return Plan(game, chairs, entrants, whole, seed, chosen, until_clear)

    @cached_property
    def schedule(self) -> Schedule:
        return Schedule(len(self.entrants), self.seats, self.until_clear is not None)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(entrant.name for entrant in self.entrants)

    @property
    def deals(self) -> int:
        return self.matches // self.schedule.matches_a_deal

    def deal_seed(self, match: int) -> int:
        """Seed of all chance in a match: the same for all matches of a deal."""
        return derived_seed(self.seed, "deal", self.schedule.deal_of(match))

    def bot_seed(self, match: int, seat: int) -> int:
        return derived_seed(self.seed, "match", match, "bot", seat)

    def described(self) -> dict[str, Any]:
        """All that makes results comparable, ready for JSON."""
        return {
            "format": FORMAT,
            "game": self.game,
            "rules_version": game_spec(self.game).rules_version,
            "seats": self.seats,
            "bots": [
                {"name": one.name, "path": one.path, "sha256": one.digest} for one in self.entrants
            ],
            "seed": self.seed,
            "options": dict(self.options),
            "until_clear": self.until_clear,
            "matches": self.matches,
        }

    def parse(self, values: dict[str, Any]) -> MatchResult:
        return parse_result(values, self.seats)


def check_share(share: object, bots: int) -> None:
    if bots != 2:
        raise Malformed(f"until clear: expected exactly 2 bots, found {bots}")
    if not isinstance(share, float) or not 0 < share < 1:
        raise Malformed(f"until clear {share!r}: expected a share between 0 and 1")
