# mypyc: compile
"""A win that nothing can stop: found where few worlds are possible and little is left to decide.

All worlds that agree with a view are looked at together. Where the seat itself decides, one action
must do in all worlds that it cannot tell apart; where others decide or chance does, every answer
must be met. So what is found here needs no luck and no fault of the others, whatever they know.
"""

from time import monotonic
from typing import Any, Final, final

from mypy_extensions import i64

from zashiki.core.dice import Chance, Script
from zashiki.core.game import ActionId, Game
from zashiki.core.parts import NO_SEATS, Seat, State, View
from zashiki.core.playout_policy import PlayoutPolicy
from zashiki.search.tree import Ear

MOST_DRAWS: Final = 1000
"""Views that more draws could explain are not looked at."""

Step = tuple[int, int, list[int]]
"""A seat, its action, and what chance answered."""


class Idle(Chance):
    """Answers 0 to what does not matter, and asks a script for the rest."""

    def __init__(self, script: Script, idle: str) -> None:
        self.script: Final = script
        self.idle: Final = idle

    def below(self, count: i64, stream: str) -> i64:
        return 0 if stream == self.idle else self.script.below(count, stream)


@final
class Line:
    """A world by its draws, and what was done in it."""

    def __init__(self, draws: list[int], steps: list[Step]) -> None:
        self.draws: Final = draws
        self.steps: Final = steps


class TooMuch(Exception):
    """There is more to look at than was allowed."""


@final
class Proof:
    """Looks for an action after which the seat wins its stage for certain."""

    def __init__(
        self,
        game: Game[Any, Any, Any],
        view: View[Any, Any],
        policy: PlayoutPolicy,
        positions: int,
        end: float | None = None,
    ) -> None:
        self.game: Final = game
        self.view: Final = view
        self.policy: Final = policy
        self.idle: Final = policy.idle(view)
        self.end: Final = end
        """When it has to be told, by the clock; None: the positions alone say when."""
        self.ear: Final = Ear()
        self.left: i64 = positions
        """So many positions may still be looked at."""

    def winner(self) -> ActionId | None:
        """An action that wins for certain; None if there is none, or it cannot be told."""
        try:
            lines = self.worlds()
            for action in self.game.legal(self.view):
                if self.wins_after(lines, self.view.seat, action):
                    return action
        except TooMuch:
            pass
        return None

    def worlds(self) -> list[Line]:
        """A line for each world that differs in what matters."""
        found: dict[str, Line] = {}
        answers: list[int] | None = []
        while answers is not None:
            script = Script(answers)
            state = self.game.sample(self.view, Idle(script, self.idle))
            draws = 1
            for size in script.sizes:
                draws *= size
            self.count()
            if draws > MOST_DRAWS:
                raise TooMuch
            key = repr([self.game.show(view) for view in state.views])
            found.setdefault(key, Line(list(script.answers), []))
            answers = script.next_answers()
        return list(found.values())

    def count(self) -> None:
        """One position more is looked at."""
        self.left -= 1
        if self.left < 0 or (self.end is not None and monotonic() > self.end):
            raise TooMuch

    def wins_after(self, lines: list[Line], seat: Seat, action: ActionId) -> bool:
        """Is the stage won in all these worlds, if that is done in them?"""
        nexts: list[Line] = []
        for line in lines:
            nexts.extend(self.after(line, seat, action))
        return self.wins_each(nexts)

    def wins_each(self, lines: list[Line]) -> bool:
        """Is the stage won from each of these lines, by what the seat can tell apart?"""
        groups: dict[tuple[int, int], list[Line]] = {}
        for line in lines:
            self.stand(line)
            heard = int(self.ear.all), int(self.ear.own)
            groups.setdefault(heard, []).append(line)
        return all(self.wins(group) for group in groups.values())

    def wins(self, lines: list[Line]) -> bool:
        """Is the stage won from lines that the seat cannot tell apart?"""
        game, own = self.game, self.view.seat
        state = self.stand(lines[0])
        values = self.values(state)
        if values is not None:
            return values[own] >= 1.0
        to_act = game.to_act(state.public)
        if to_act >> own & 1:
            for action in game.legal(state.views[own]):
                if self.wins_after(lines, own, action):
                    return True
            return False
        seat: i64 = 0
        while not to_act >> seat & 1:
            seat += 1
        nexts: list[Line] = []
        for line in lines:
            for action in game.legal(self.stand(line).views[seat]):
                nexts.extend(self.after(line, Seat(seat), action))
        return self.wins_each(nexts)

    def values(self, state: State[Any, Any, Any]) -> list[float] | None:
        """What everybody got, if the stage or the match is over."""
        values = self.policy.stage_values(self.view, state)
        if values is not None or self.game.to_act(state.public) != NO_SEATS:
            return values
        outcome = self.game.outcome(state.public)
        assert outcome is not None
        return self.policy.outcome_values(outcome)

    def after(self, line: Line, seat: Seat, action: ActionId) -> list[Line]:
        """The lines that follow, one for each answer of chance."""
        found: list[Line] = []
        answers: list[int] | None = []
        while answers is not None:
            script = Script(answers)
            state = self.stand(line)
            self.game.apply(state, seat, action, script)
            step = (int(seat), int(action), list(script.answers))
            found.append(Line(line.draws, [*line.steps, step]))
            answers = script.next_answers()
        return found

    def stand(self, line: Line) -> State[Any, Any, Any]:
        """The state at the end of a line; the ear has heard all that led there."""
        self.count()
        script = Script(list(line.draws))
        state = self.game.sample(self.view, Idle(script, self.idle))
        self.ear.listen(state, self.view.seat)
        for seat, action, answers in line.steps:
            self.game.apply(state, Seat(seat), ActionId(action), Script(list(answers)))
        return state
