# mypyc: compile
"""Search for a forced win, if few worlds are possible and few decisions are left.

All worlds that agree with a view are searched together. At a decision of the seat itself, one
action must win in all worlds that it cannot tell apart. At a decision of others or a draw, every
outcome must be won. So a win that is found here needs neither luck nor an error of the others.
"""

from time import monotonic
from typing import Any, Final, final

from mypy_extensions import i64

from zashiki.core.dice import Chance, Script
from zashiki.core.game import ActionId, Game
from zashiki.core.parts import NO_SEATS, Seat, State, View
from zashiki.core.playout_policy import PlayoutPolicy
from zashiki.search.tree import HashJournal

MAX_DRAWS: Final = 1000
"""Maximum draws that could explain a view. A view with more is not searched."""

Step = tuple[int, int, list[int]]
"""A seat, its action, and the outcomes of chance."""


class Idle(Chance):
    """Chance that answers 0 for one stream that does not matter, and asks a script for others."""

    def __init__(self, script: Script, idle: str) -> None:
        self.script: Final = script
        self.idle: Final = idle

    def below(self, count: i64, stream: str) -> i64:
        return 0 if stream == self.idle else self.script.below(count, stream)


@final
class Line:
    """A world, given by its draws, and the steps taken in it."""

    def __init__(self, draws: list[int], steps: list[Step]) -> None:
        self.draws: Final = draws
        self.steps: Final = steps


class TooMuch(Exception):
    """The search exceeds its limit of positions, draws or time."""


@final
class Proof:
    """A search for an action after which the seat is certain to win its stage."""

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
        """The time at which the search ends, by the monotonic clock; None: no time limit."""
        self.heard: Final = HashJournal()
        self.left: i64 = positions
        """Positions that may still be searched."""

    def winner(self) -> ActionId | None:
        """Return an action that is certain to win; None if there is none or a limit is reached."""
        try:
            lines = self.worlds()
            for action in self.game.legal(self.view):
                if self.wins_after(lines, self.view.seat, action):
                    return action
        except TooMuch:
            pass
        return None

    def worlds(self) -> list[Line]:
        """Return one line per world that differs in a draw that matters."""
        found: dict[str, Line] = {}
        answers: list[int] | None = []
        while answers is not None:
            script = Script(answers)
            state = self.game.sample(self.view, Idle(script, self.idle))
            draws = 1
            for size in script.sizes:
                draws *= size
            self.count()
            if draws > MAX_DRAWS:
                raise TooMuch
            key = repr([self.game.show(view) for view in state.views])
            found.setdefault(key, Line(list(script.answers), []))
            answers = script.next_answers()
        return list(found.values())

    def count(self) -> None:
        """Count one more position; raise `TooMuch` at the limit."""
        self.left -= 1
        if self.left < 0 or (self.end is not None and monotonic() > self.end):
            raise TooMuch

    def wins_after(self, lines: list[Line], seat: Seat, action: ActionId) -> bool:
        """Return True if this action wins the stage in all these worlds."""
        nexts: list[Line] = []
        for line in lines:
            nexts.extend(self.after(line, seat, action))
        return self.wins_each(nexts)

    def wins_each(self, lines: list[Line]) -> bool:
        """Return True if the stage is won from each group of lines that the seat can tell apart."""
        groups: dict[tuple[int, int], list[Line]] = {}
        for line in lines:
            self.stand(line)
            heard = int(self.heard.all), int(self.heard.own)
            groups.setdefault(heard, []).append(line)
        return all(self.wins(group) for group in groups.values())

    def wins(self, lines: list[Line]) -> bool:
        """Return True if the stage is won from lines that the seat cannot tell apart."""
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
        """Return the value to each seat if the stage or the match is over, else None."""
        values = self.policy.stage_values(self.view, state)
        if values is not None or self.game.to_act(state.public) != NO_SEATS:
            return values
        outcome = self.game.outcome(state.public)
        assert outcome is not None
        return self.policy.outcome_values(outcome)

    def after(self, line: Line, seat: Seat, action: ActionId) -> list[Line]:
        """Return the lines after an action, one per outcome of chance."""
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
        """Return the state at the end of a line; `heard` then has the hash of what led there."""
        self.count()
        script = Script(list(line.draws))
        state = self.game.sample(self.view, Idle(script, self.idle))
        self.heard.listen(state, self.view.seat)
        for seat, action, answers in line.steps:
            self.game.apply(state, Seat(seat), ActionId(action), Script(list(answers)))
        return state
