"""Wrong on purpose: rules that judge by more than a view. mypy must reject them."""

from zashiki.core.dice import Chance
from zashiki.core.game import Attempt, Choices, Game
from zashiki.core.parts import Hidden, State, View
from zashiki.core.rulings import Refusal
from zashiki.games.kamiza.state import KamizaOwn, KamizaPublic


class Peeking(Game[KamizaPublic, KamizaOwn, Hidden]):
    def offer(
        self,
        view: State[KamizaPublic, KamizaOwn, Hidden],  # E: Argument 1 of "offer" is incompatible
        choices: Choices,
    ) -> None: ...

    def objection(self, view: View[KamizaPublic, KamizaOwn], attempt: Attempt) -> Refusal | None:
        return self.explain(view.public.hands)  # E: "KamizaPublic" has no attribute "hands"

    def explain(self, what: object) -> Refusal | None: ...


def rolls_for_itself(chance: Chance) -> int:
    return chance.random()  # E: "Chance" has no attribute "random"
