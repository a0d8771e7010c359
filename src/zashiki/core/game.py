# mypyc: compile
"""The contract of a game: `Game`, which every game extends, and the types that it uses.

A game holds no state of a match: one instance for its seats and options serves any number of
matches. The `State` of a match has three kinds of parts: a `Public` part, an `Own` part per seat,
and a `Hidden` part (P, O and H in the types). A game changes them only by facts, which are methods
of these parts. It judges actions by a `View`, the public part and one own part, so that it cannot
use what a seat does not know. It asks a `Chance` for every random outcome.
"""

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from json import dumps
from typing import Final, Generic, NewType, cast, final

from librt.vecs import append, vec
from mypy_extensions import i64, mypyc_attr

from zashiki.core.dice import Chance
from zashiki.core.parts import NO_SEATS, H, O, P, Seat, Seats, State, View
from zashiki.core.rulings import Z_1, Z_2, Malformed, Refusal, quoted

ActionId = NewType("ActionId", i64)
"""The index of an action in its game's list `actions`."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Attempt:
    """A text that a game can read, legal or not. A refusal can explain why it is not legal."""

    def __init__(self, text: str, kind: str, words: Mapping[str, object]) -> None:
        self.text: Final = text
        """The notation, as in a record: `boss@top`."""
        self.kind: Final = kind
        """The key of the template in the game's texts, which is filled in with `words`."""
        self.words: Final = words

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.text!r})"


@mypyc_attr(allow_interpreted_subclasses=True)
class Action(Attempt):
    """An attempt that is legal in some position. Its id is its index in `Game.actions`."""

    def __init__(self, id: ActionId, text: str, kind: str, words: Mapping[str, object]) -> None:
        super().__init__(text, kind, words)
        self.id: Final = id


@final
class Choices:
    """A list of action ids that is filled many times without allocating memory."""

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
        """Return the ids as a list. Its integers are made once and kept: making them costs most."""
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
    """The result of a match by seat: ranks (1 is best, ties are equal: 1, 1, 3) and scores."""

    def __init__(self, ranks: Sequence[int], scores: Sequence[float]) -> None:
        self.ranks: Final = tuple(ranks)
        self.scores: Final = tuple(scores)

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return Outcome, (self.ranks, self.scores)

    def __repr__(self) -> str:
        return f"Outcome(ranks={self.ranks!r}, scores={self.scores!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Outcome) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))


def ranked(merits: Sequence[tuple[float, ...]]) -> list[int]:
    """Return competition ranks by merit, the highest first. Equal merits share the better rank."""
    return [1 + sum(other > merit for other in merits) for merit in merits]


@mypyc_attr(allow_interpreted_subclasses=True)
class Game(Generic[P, O, H]):
    """The rules of one game for given seats and options.

    A game extends this class and implements the methods of the first section. `Match`, bots and
    searches call them; the other methods follow from them. All of them obey these rules:

    - A query (every method except `start`, `apply` and `set_scene`) changes nothing: neither its
      arguments, nor the state behind a view, nor the instance, except for buffers.
    - Equal arguments give equal results. Random outcomes come from the `chance` that is given;
      a method without one is deterministic. The clock, files and globals are not read.
    - Only `Malformed` and `Refused` are errors of a caller's input. Every other exception is a
      fault of the game.
    - Threads: an instance keeps buffers, and equal options share one instance. So one thread at a
      time may use the instances of a process. Several processes share nothing.

    A match goes through these calls, here in a game of two seats that both choose a side of a coin:

    >>> from zashiki.core.dice import Quick
    >>> from zashiki.core.parts import Hidden, Own, Public
    >>> class Coins(Public):
    ...     def __init__(self) -> None:
    ...         super().__init__()
    ...         self.shown: list[int] = []
    ...     def revealed(self, coins: list[int]) -> None:
    ...         if self.journal is not None:
    ...             self.tell("revealed", (coins,))
    ...         self.shown = coins
    >>> class Coin(Own):
    ...     side: int | None = None
    ...     def chose(self, side: int) -> None:
    ...         if self.journal is not None:
    ...             self.tell("chose", (side,))
    ...         self.side = side
    >>> class Pennies(Game[Coins, Coin, Hidden]):
    ...     def __init__(self) -> None:
    ...         sides = ("heads", "tails")
    ...         super().__init__(2, [Action(i, side, side, {}) for i, side in enumerate(sides)])
    ...     def empty(self):
    ...         return State(Coins(), [Coin(0), Coin(1)], Hidden())
    ...     def start(self, state, chance):
    ...         pass  # nothing is dealt
    ...     def to_act(self, public):
    ...         return NO_SEATS if public.shown else 0b11
    ...     def offer(self, view, choices):
    ...         choices.add(0)
    ...         choices.add(1)
    ...     def objection(self, view, attempt):
    ...         return None
    ...     def apply(self, state, seat, action, chance):
    ...         state.own[seat].chose(action)
    ...         coins = [own.side for own in state.own]
    ...         if None not in coins:
    ...             state.public.revealed(coins)
    ...     def outcome(self, public):
    ...         if not public.shown:
    ...             return None
    ...         if public.shown[0] == public.shown[1]:
    ...             return Outcome(ranks=(1, 2), scores=(1, 0))
    ...         return Outcome(ranks=(2, 1), scores=(0, 1))
    >>> game, chance = Pennies(), Quick(7)
    >>> state = game.empty()
    >>> game.start(state, chance)
    >>> members(game.to_act(state.public))
    [0, 1]
    >>> view = state.views[0]
    >>> [game.actions[action].text for action in game.legal(view)]
    ['heads', 'tails']
    >>> game.refuse(view, game.read("tails")) is None
    True
    >>> game.apply(state, 0, game.by_text["tails"].id, chance)
    >>> game.apply(state, 1, game.by_text["heads"].id, chance)
    >>> game.outcome(state.public)
    Outcome(ranks=(2, 1), scores=(0, 1))
    >>> game.refuse(view, game.read("heads")).ruling  # the match is over
    'Z 2'
    """

    def __init__(self, seats: int, actions: list[Action]) -> None:
        """Keep the number of seats, and every action that is legal in some position.

        The id of an action is its index in `actions`, and no two actions have the same text.
        Neither `seats` nor `actions` changes afterwards.
        """
        self.seats: Final = seats
        self.actions: Final = actions
        self.by_text: Final = {action.text: action for action in actions}
        self._scratch: Final = Choices(len(actions))

    # Methods that a game implements ------------------------------------------------------------

    def empty(self) -> State[P, O, H]:
        """Return a new state before the first fact.

        When: at any time. Every replay and every sampled world begins with it.
        Must not: share a part with another state, or draw anything.
        """
        raise NotImplementedError

    def start(self, state: State[P, O, H], chance: Chance) -> None:
        """Set up the match: apply the first facts, such as the deal, to an empty state.

        When: once, on a state that `empty` has just returned.
        Must not: change the state except by facts.
        """
        raise NotImplementedError

    def to_act(self, public: P) -> Seats:
        """Return the set of seats that have a decision to make.

        When: after `start` or `set_scene`, and after every `apply`.
        Returns: several seats if they decide at the same time, and `NO_SEATS` exactly when
        `outcome` is not None.
        Note: it gets the public part alone, because everybody may know who is to act.
        """
        raise NotImplementedError

    def offer(self, view: View[P, O], choices: Choices) -> None:
        """Add every legal action of the view's seat to `choices`, each once, in any order.

        When: the seat is to act. `legal` checks that; searches call this method directly.
        Must: add at least one, because a seat that is to act can always do something.
        """
        raise NotImplementedError

    def objection(self, view: View[P, O], attempt: Attempt) -> Refusal | None:
        """Return the refusal of an attempt by the game's own rules or Z 3 (not in hand); else None.

        When: the view's seat is to act. `refuse` checks that, and gives Z 1 and Z 2.
        Returns: None exactly for the actions that `offer` adds.
        Must not: expect an `Action`. The attempt is anything that `read` returns.
        """
        raise NotImplementedError

    def apply(self, state: State[P, O, H], seat: Seat, action: ActionId, chance: Chance) -> None:
        """Take an action of a seat: apply the facts that follow, to the next decision or the end.

        When: the action is legal for the seat. This is not checked again, for speed.
        Must not: change the state except by facts. `Match.play` undoes a failed action by its
        facts, and readers learn of a change only by a fact.
        """
        raise NotImplementedError

    def outcome(self, public: P) -> Outcome | None:
        """Return ranks and scores of a finished match; None before the end.

        When: as `to_act`. It is called after every action, so it should be quick.
        """
        raise NotImplementedError

    def sample(self, view: View[P, O], chance: Chance) -> State[P, O, H]:
        """Return a world for a search: a random state that fits all that the seat has seen.

        When: at any time after `start`, also for a seat that is not to act.
        Returns: a new state with an equal view of this seat, from which a match can be played to
        its end. Worlds come in the proportion in which the seat must expect them, if public
        choices count as no evidence.
        Must not: share a part with the state behind the view, or read another seat's part.
        """
        raise NotImplementedError

    def show_public(self, public: P) -> dict[str, object]:
        """Return the public part of every view, JSON-ready: all that a spectator is shown.

        When: at any time. It is made once for all readers, who get the same bytes.
        """
        raise NotImplementedError

    def show_own(self, view: View[P, O]) -> dict[str, object]:
        """Return the keys of a view that only this seat is shown, JSON-ready.

        When: at any time.
        Returns: further keys, and public keys of which this seat knows a fuller value. A key here
        replaces the public one; leave it out if both values are equal.
        """
        raise NotImplementedError

    def truth(self, state: State[P, O, H]) -> dict[str, object]:
        """Return the full state, JSON-ready, with hidden parts.

        When: at any time. Only tools, tests and replays of finished matches may show it.
        Returns: a mapping from which `set_scene` makes an equal state.
        """
        raise NotImplementedError

    def set_scene(self, state: State[P, O, H], truth: Mapping[str, object]) -> None:
        """Apply facts to an empty state so that its `truth` becomes the given one.

        When: once, on a state that `empty` has just returned, instead of `start`.
        Raises: `Malformed` for unknown or missing keys, and for a position that could not be
        played to an end. The state is then discarded.
        """
        raise NotImplementedError

    # Methods that follow from them -------------------------------------------------------------

    def show(self, view: View[P, O]) -> dict[str, object]:
        """Return a seat's view, JSON-ready: the public part, and the seat's own over it."""
        return {**self.show_public(view.public), **self.show_own(view)}

    def read(self, text: str) -> Attempt:
        """Return the attempt that a text means.

        Default: the action of this text; `Malformed` if there is none. Extend it if the game can
        read more than its actions, so that a refusal can name the rule instead.
        """
        action = self.by_text.get(text)
        if action is None:
            raise Malformed(f"action: expected {self.grammar()}, found {quoted(text)}")
        return action

    def grammar(self) -> str:
        """Return the form of an action, as a noun phrase for an error: "expected ..., found".

        Default: the first action as an example.
        """
        return f"something like {self.actions[0].text!r}"

    def view_key(self, view: View[P, O]) -> int:
        """Return a number by which bots draw: equal views have equal keys.

        When: at any time, for every choice of a bot that draws.
        Returns: a number that differs between most decisions of a match, or bots repeat draws.
        Must not: depend on anything but the view.
        Default: a hash of `show`. A few numbers of the view, by `mixed`, are much faster.
        """
        shown = dumps(self.show(view), sort_keys=True).encode()
        return int.from_bytes(blake2b(shown, digest_size=8).digest(), "big")

    def choices(self) -> Choices:
        """Return a new buffer that is large enough for all actions of this game."""
        return Choices(len(self.actions))

    def legal(self, view: View[P, O]) -> list[ActionId]:
        """Return the legal actions of the view's seat; empty if it is not to act."""
        if not self.to_act(view.public) >> view.seat & 1:
            return []
        choices = self._scratch
        choices.clear()
        self.offer(view, choices)
        return choices.listed()

    def refuse(self, view: View[P, O], attempt: Attempt) -> Refusal | None:
        """Return the refusal of an attempt of the view's seat; None exactly if it is legal.

        The first rule that applies is named: Z 2 (the match is over), Z 1 (another seat is to
        act), then the game's own, by `objection`.
        """
        to_act = self.to_act(view.public)
        if to_act == NO_SEATS and self.outcome(view.public) is not None:
            return Refusal(Z_2)
        if not to_act >> view.seat & 1:
            return Refusal(Z_1, details={"seats": members(to_act)})
        return self.objection(view, attempt)


def members(seats: Seats) -> list[int]:
    """Return the seats of a set as a list, from the lowest."""
    return [seat for seat in range(int(seats).bit_length()) if seats >> seat & 1]
