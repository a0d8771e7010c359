# mypyc: compile
"""The contract of a game: what it must answer about views and states, and a table of actions.

A game is stateless: one instance for its seats and options serves any number of matches. It judges
by a `View` (so that it cannot use what a seat does not know), changes a `State` only by telling
facts, and asks a `Chance` whatever no seat decides.
"""

from collections.abc import Mapping, Sequence
from typing import Final, Generic, NewType, cast, final

from librt.vecs import append, vec
from mypy_extensions import i64, mypyc_attr

from zashiki.core.dice import Chance
from zashiki.core.parts import NO_SEATS, H, O, P, Seat, Seats, State, View
from zashiki.core.rulings import Z_1, Z_2, Malformed, Refusal, quoted

ActionId = NewType("ActionId", i64)
"""The number of an action in its game's table."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Attempt:
    """Anything a game's grammar can read, legal or not, so that it can be explained."""

    def __init__(self, text: str, kind: str, words: Mapping[str, object]) -> None:
        self.text: Final = text
        """The notation."""
        self.kind: Final = kind
        """Which template of the game's texts says it in words, with `words` filled in."""
        self.words: Final = words

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.text!r})"


@mypyc_attr(allow_interpreted_subclasses=True)
class Action(Attempt):
    """An attempt that can be legal somewhere: an entry in the table, where its id is its place."""

    def __init__(self, id: ActionId, text: str, kind: str, words: Mapping[str, object]) -> None:
        super().__init__(text, kind, words)
        self.id: Final = id


@final
class Choices:
    """A list of action ids that is filled again and again without asking for memory."""

    def __init__(self, most: int) -> None:
        ids = vec[i64]()
        for _ in range(most):
            ids = append(ids, 0)
        self.ids: vec[i64] = ids
        self.count: i64 = 0
        self._boxed: Final[list[object]] = list(range(most))

    def clear(self) -> None:
        self.count = 0

    def add(self, action: ActionId) -> None:
        self.ids[self.count] = action
        self.count += 1

    def listed(self) -> list[ActionId]:
        """As a list for Python, of integers that exist already: making them would cost most."""
        boxed = self._boxed
        listed = boxed[: self.count]
        ids = self.ids
        place: i64 = 0
        while place < self.count:
            listed[place] = boxed[ids[place]]
            place += 1
        return cast(list[ActionId], listed)

    def pick(self, chance: Chance) -> ActionId:
        return ActionId(self.ids[chance.below(self.count, "pick")])


class Outcome:
    """How a match ended, by seat: ranks (1 is best, ties equal: 1, 1, 3) and scores."""

    def __init__(self, ranks: Sequence[int], scores: Sequence[float]) -> None:
        self.ranks: Final = tuple(ranks)
        self.scores: Final = tuple(scores)

    def __repr__(self) -> str:
        return f"Outcome(ranks={self.ranks!r}, scores={self.scores!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Outcome) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))


def ranked(merits: Sequence[tuple[float, ...]]) -> list[int]:
    """Competition ranks by merit, the highest first: equal merits share the better rank."""
    return [1 + sum(other > merit for other in merits) for merit in merits]


@mypyc_attr(allow_interpreted_subclasses=True)
class Game(Generic[P, O, H]):
    """The rules of one game for given seats and options."""

    def __init__(self, seats: int, actions: list[Action]) -> None:
        self.seats: Final = seats
        self.actions: Final = actions
        self.by_text: Final = {action.text: action for action in actions}
        self._scratch: Final = Choices(len(actions))

    # What a game must answer -------------------------------------------------------------------

    def empty(self) -> State[P, O, H]:
        """A state before the first fact."""
        raise NotImplementedError

    def start(self, state: State[P, O, H], chance: Chance) -> None:
        """Set up: tell an empty state the first facts."""
        raise NotImplementedError

    def to_act(self, public: P) -> Seats:
        """The seats that owe a decision; none when the match is over."""
        raise NotImplementedError

    def offer(self, view: View[P, O], choices: Choices) -> None:
        """Add every legal action of a seat that is to act."""
        raise NotImplementedError

    def objection(self, view: View[P, O], attempt: Attempt) -> Refusal | None:
        """What a game's own rules (and Z 3) have against an attempt of a seat that is to act."""
        raise NotImplementedError

    def apply(self, state: State[P, O, H], seat: Seat, action: ActionId, chance: Chance) -> None:
        """A legal action is taken: decide what follows and tell the facts."""
        raise NotImplementedError

    def outcome(self, public: P) -> Outcome | None:
        """Ranks and scores, or None while the match goes on."""
        raise NotImplementedError

    def sample(self, view: View[P, O], chance: Chance) -> State[P, O, H]:
        """A world in which this seat would have seen all that it has seen."""
        raise NotImplementedError

    def show_public(self, public: P) -> dict[str, object]:
        """What everybody knows, JSON-ready: all that a spectator is shown, and a part of each view.

        It is made once for all readers, who get the same bytes.
        """
        raise NotImplementedError

    def show_own(self, view: View[P, O]) -> dict[str, object]:
        """What only this seat knows, JSON-ready: more keys, and those to which it knows more.

        A key that is in the public part as well takes its place: leave it out if both are equal.
        """
        raise NotImplementedError

    def truth(self, state: State[P, O, H]) -> dict[str, object]:
        """Everything, JSON-ready."""
        raise NotImplementedError

    def set_scene(self, state: State[P, O, H], truth: Mapping[str, object]) -> None:
        """Tell an empty state the facts that make it stand so; `Malformed` if this is no truth."""
        raise NotImplementedError

    # What follows from that --------------------------------------------------------------------

    def show(self, view: View[P, O]) -> dict[str, object]:
        """What a seat knows, JSON-ready: the public part, and over it the seat's own."""
        return {**self.show_public(view.public), **self.show_own(view)}

    def read(self, text: str) -> Attempt:
        """The attempt a text means; a game whose grammar is wider than its table extends this."""
        action = self.by_text.get(text)
        if action is None:
            raise Malformed(f"{quoted(text)} is no action: {self.grammar()} is expected")
        return action

    def grammar(self) -> str:
        """What an action looks like, for a person who got it wrong."""
        return f"something like {self.actions[0].text!r}"

    def choices(self) -> Choices:
        """A list large enough for all the actions of this game."""
        return Choices(len(self.actions))

    def legal(self, view: View[P, O]) -> list[ActionId]:
        """The legal actions of this seat, empty when it has nothing to decide."""
        if not self.to_act(view.public) >> view.seat & 1:
            return []
        choices = self._scratch
        choices.clear()
        self.offer(view, choices)
        return choices.listed()

    def refuse(self, view: View[P, O], attempt: Attempt) -> Refusal | None:
        """Why this seat may not do this now; None exactly when it is legal."""
        to_act = self.to_act(view.public)
        if to_act == NO_SEATS and self.outcome(view.public) is not None:
            return Refusal(Z_2)
        if not to_act >> view.seat & 1:
            return Refusal(Z_1, details={"seats": members(to_act)})
        return self.objection(view, attempt)


def members(seats: Seats) -> list[int]:
    """The seats in a set, from the lowest."""
    return [seat for seat in range(int(seats).bit_length()) if seats >> seat & 1]
