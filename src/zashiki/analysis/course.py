"""The course of a match: its states, and what each seat knew in each of them."""

from typing import Any

from zashiki.core.dice import Chance, Script
from zashiki.core.game import ActionId
from zashiki.core.match import AnyState, Match, folded
from zashiki.core.parts import Entry, Seat
from zashiki.core.rulings import Malformed
from zashiki.core.spec import AnyView
from zashiki.search.paired import Worlds


class Course:
    """The facts of a match by the action that caused them. Action 0 is the set-up."""

    def __init__(self, match: Match) -> None:
        header, spec = match.header, match.spec
        if header.rules_version != spec.rules_version:
            raise Malformed(
                f"review: expected a match of {spec.id} by version {spec.rules_version} of its "
                f"rules, found version {header.rules_version}: it can be replayed, not reviewed"
            )
        self.spec = spec
        self.header = header
        self.game = match.game
        self.is_over = match.over
        self.entries: list[Entry] = list(match.journal.entries)
        self.actions = list(match.journal.actions)
        self.public = match.state.public

    @property
    def last(self) -> int:
        """The number of the last action."""
        return len(self.actions)

    def mover(self, act: int) -> Seat:
        return Seat(self.actions[act - 1][0])

    def action(self, act: int) -> ActionId:
        return self.game.by_text[self.actions[act - 1][1]].id

    def state_after(self, act: int) -> AnyState:
        """Return a new state with all facts up to an action applied."""
        return folded(self.game, [entry for entry in self.entries if entry[3] <= act])

    def view_before(self, act: int, seat: Seat) -> AnyView:
        """Return what a seat knew before an action, made only of the facts that it was told."""
        told = [e for e in self.entries if e[3] < act and e[0] in ("all", int(seat))]
        return folded(self.game, told).views[seat]

    def draws(self, act: int) -> bool:
        """Return True if chance has a part in the effect of an action."""
        script = Script([])
        self.game.apply(self.state_after(act - 1), self.mover(act), self.action(act), script)
        return bool(script.sizes)


class RealWorld(Worlds):
    """The state of the match after an action, with all cards as they were."""

    def __init__(self, course: Course, act: int) -> None:
        self.state = course.state_after(act)

    def world(self, chance: Chance) -> AnyState:
        return self.state.copy()


class NewDeal(Worlds):
    """A match with these rules, set up by other dice."""

    def __init__(self, game: Any) -> None:
        self.game = game

    def world(self, chance: Chance) -> AnyState:
        state: AnyState = self.game.empty()
        self.game.start(state, chance)
        return state
