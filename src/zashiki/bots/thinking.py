"""The bots that search, and their five levels, which have the same names in every game."""

import time
from collections.abc import Callable, Mapping
from types import MappingProxyType

from zashiki.core.bot import Level, chance_at
from zashiki.core.game import ActionId
from zashiki.core.playout_policy import GreedyPolicy, PlayoutPolicy
from zashiki.core.spec import AnyGame, AnyView, GameSpec
from zashiki.search.exact import Proof
from zashiki.search.tree import Search

LEVELS: Mapping[str, Level] = MappingProxyType(
    {
        "newcomer": Level(12),
        "casual": Level(50),
        "regular": Level(250, looks=2),
        "strong": Level(1000, looks=3, proof=500),
        "master": Level(4000, looks=3, proof=2000),
    }
)
"""The default levels of a game, from one that a child can beat to the strongest."""
AT_ONCE = 16
"""Worlds between two checks whether the choice is clear."""


def levels_of(spec: GameSpec) -> Mapping[str, Level]:
    """Return the strength of each level in this game."""
    return LEVELS if spec.levels is None else spec.levels


def playout_policy_of(spec: GameSpec, game: AnyGame, looks: int) -> PlayoutPolicy:
    """Return the playout policy of the game, or a default for any game."""
    if spec.playout_policy is not None:
        return spec.playout_policy(game, looks)
    return GreedyPolicy(game, spec.immediate_value, looks) if looks > 1 else PlayoutPolicy()


def never() -> bool:
    return False


class Thinker:
    """Searches worlds that agree with its view, and takes the action that did best."""

    def __init__(
        self, spec: GameSpec, game: AnyGame, level: Level, seed: int, seconds: float | None = None
    ) -> None:
        self.game = game
        self.level = level
        self.seed = seed
        self.seconds = seconds
        """Maximum seconds per decision; the choice then depends on the clock. None: no limit."""
        self.must_stop: Callable[[], bool] = never
        """Asked regularly during a search; True: choose at once."""
        self.policy = playout_policy_of(spec, game, level.looks)

    def choose(self, view: AnyView, legal: list[ActionId]) -> ActionId:
        if len(legal) == 1:
            return legal[0]
        half, end = self.until(0.5), self.until(1.0)
        certain = self.certain(view, half)
        return self.searched(view, end).best() if certain is None else certain

    def until(self, part: float) -> float | None:
        """Return the time at which this part of the limit is used up; None without a limit."""
        return None if self.seconds is None else time.monotonic() + part * self.seconds

    def certain(self, view: AnyView, end: float | None = None) -> ActionId | None:
        """Return a certain win, whatever the others hold and do, if the proof search finds one."""
        if not self.level.proof:
            return None
        return Proof(self.game, view, self.policy, self.level.proof, end).winner()

    def searched(self, view: AnyView, end: float | None = None) -> Search:
        """Return a finished search: no further world can change its best action."""
        chance = chance_at(self.game, view, self.seed)
        search = Search(self.game, view, self.policy, chance, self.level.exploration)
        left = self.level.worlds
        while left > 0 and search.lead() <= left:
            search.run(min(left, AT_ONCE))
            left -= AT_ONCE
            if (end is not None and time.monotonic() > end) or self.must_stop():
                break
        return search
