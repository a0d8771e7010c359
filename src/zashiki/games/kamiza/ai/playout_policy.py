# mypyc: compile
"""The playout policy for KAMIZA: cards are placed as people do, and the first rank counts most."""

from typing import Any, Final, final

from librt.vecs import append, vec
from mypy_extensions import i64

from zashiki.core.dice import Chance
from zashiki.core.game import ActionId, Choices, Outcome
from zashiki.core.parts import View
from zashiki.core.playout_policy import PlayoutPolicy, rank_shares
from zashiki.games.kamiza.actions import area_of, card_of
from zashiki.games.kamiza.ai.bot import USUAL

FIRST: Final = 0.8
"""The value of being the only first; the rest is divided by ranks."""


@final
class KamizaPolicy(PlayoutPolicy):
    """Places cards as often as people do; with `looks` = 1 at random."""

    def __init__(self, looks: int) -> None:
        super().__init__()
        self.looks: Final[i64] = looks
        usual = vec[i64]()
        for action in range(8):
            often = USUAL[card_of(ActionId(action))][area_of(ActionId(action))]
            usual = append(usual, int(100 * often))
        self.usual: vec[i64] = usual

    def pick(self, view: View[Any, Any], choices: Choices, chance: Chance) -> ActionId:
        if self.looks == 1 or choices.count == 1:
            return choices.pick(chance)
        total: i64 = 0
        index: i64 = 0
        while index < choices.count:
            total += self.usual[choices.ids[index]]
            index += 1
        left = chance.below(total, "usual")
        index = 0
        while True:
            action = choices.ids[index]
            left -= self.usual[action]
            if left < 0:
                return ActionId(action)
            index += 1

    def outcome_values(self, outcome: Outcome) -> list[float]:
        firsts = 0
        for rank in outcome.ranks:
            if rank == 1:
                firsts += 1
        shares = rank_shares(outcome)
        for seat, rank in enumerate(outcome.ranks):
            won = FIRST / float(firsts) if rank == 1 else 0.0
            shares[seat] = won + (1.0 - FIRST) * shares[seat]
        return shares
