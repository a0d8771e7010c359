# mypyc: compile
"""The whole tree of a small game: every draw, decision and end is a node, and nothing is sampled.

Decisions that a seat cannot tell apart are one information set. A node comes before its children in
all rows. So a forward loop computes probabilities, and a backward loop computes values.
"""

from collections.abc import Callable
from typing import Any, Final, Protocol, final

from librt.vecs import append, vec
from mypy_extensions import i64

from zashiki.core.dice import Chance, Script
from zashiki.core.game import ActionId, Game
from zashiki.core.parts import Seat, Seats, State, View, only

AnyGame = Game[Any, Any, Any]
AnyState = State[Any, Any, Any]
AnyView = View[Any, Any]

Policy = Callable[[AnyView, list[ActionId]], list[float]]
"""Returns the probability of each legal action in a view."""

END: Final = 0
DRAW: Final = 1
DECISION: Final = 2


class Form(Protocol):
    """The part of a game that a tree covers: its beginning, its ends, and information sets."""

    def begin(self, chance: Chance) -> AnyState:
        """Return a new state at the beginning of the form."""
        ...

    def worths(self, state: AnyState) -> list[float] | None:
        """Return the value to each seat if the form ends in this state, else None."""
        ...

    def key(self, view: AnyView) -> int:
        """Return a key of the seat to act: equal for states that it cannot tell apart."""
        ...


@final
class Tree:
    """The tree of a form in flat rows: one entry per node, per set, or per action of a set."""

    def __init__(self, seats: int) -> None:
        self.seats: Final = seats
        self.kinds: vec[i64] = vec[i64]()
        self.sets: vec[i64] = vec[i64]()
        """The information set of a decision."""
        self.firsts: vec[i64] = vec[i64]()
        """The index of a node's first child in `children`."""
        self.counts: vec[i64] = vec[i64]()
        """The number of a node's children: one per outcome of chance or legal action."""
        self.children: vec[i64] = vec[i64]()
        self.worths: vec[float] = vec[float]()
        """The value of each end to each seat; 0 for other nodes."""
        self.seat_of: vec[i64] = vec[i64]()
        """The seat that acts in an information set."""
        self.places: vec[i64] = vec[i64]()
        """The index of the first action of an information set in a row of all actions."""
        self.sizes: vec[i64] = vec[i64]()
        """The number of actions of an information set."""
        self.keys: Final[dict[tuple[int, int], int]] = {}
        """The number of each information set, by seat and key."""
        self.actions: i64 = 0
        """The number of actions of all sets together."""

    def nodes(self) -> int:
        return len(self.kinds)

    def add(self, kind: i64, set: i64, count: i64) -> i64:
        """Add a node without its children, and return its number."""
        self.kinds = append(self.kinds, kind)
        self.sets = append(self.sets, set)
        self.firsts = append(self.firsts, len(self.children))
        self.counts = append(self.counts, count)
        for _ in range(int(count)):
            self.children = append(self.children, 0)
        for _ in range(self.seats):
            self.worths = append(self.worths, 0.0)
        return len(self.kinds) - 1

    def set_of(self, seat: i64, key: int, size: i64) -> i64:
        """Return the number of an information set, which is added if it is new."""
        known = self.keys.get((int(seat), key))
        if known is not None:
            return known
        number = len(self.seat_of)
        self.keys[(int(seat), key)] = number
        self.seat_of = append(self.seat_of, seat)
        self.places = append(self.places, self.actions)
        self.sizes = append(self.sizes, size)
        self.actions += size
        return number


@final
class Grower:
    """Builds the tree of a form by playing every line of it from the beginning."""

    def __init__(self, game: AnyGame, form: Form, policy: Policy | None) -> None:
        self.game: Final = game
        self.form: Final = form
        self.policy: Final = policy
        self.tree: Final = Tree(game.seats)
        self.profile: Final[list[float]] = []
        """The probability of each action by the policy; empty without one."""

    def grow(self, moves: list[tuple[int, int]], answers: list[int]) -> i64:
        """Add the node after these actions and draws, and its descendants; return its number."""
        script = Script(list(answers))
        state = self.form.begin(script)
        for seat, action in moves:
            self.game.apply(state, Seat(seat), ActionId(action), script)
        tree = self.tree
        if len(script.sizes) > len(answers):
            size = script.sizes[len(answers)]
            node = tree.add(DRAW, 0, size)
            for answer in range(size):
                child = self.grow(moves, [*answers, answer])
                tree.children[tree.firsts[node] + answer] = child
            return node
        worths = self.form.worths(state)
        if worths is None:
            return self.decide(state, moves, answers)
        node = tree.add(END, 0, 0)
        for place in range(tree.seats):
            tree.worths[node * tree.seats + place] = worths[place]
        return node

    def decide(self, state: AnyState, moves: list[tuple[int, int]], answers: list[int]) -> i64:
        """Add a decision of the lowest seat that is to act: simultaneous choices commute."""
        tree = self.tree
        waiting = self.game.to_act(state.public)
        seat = only(Seats(waiting & -waiting))
        view = state.views[seat]
        legal = self.game.legal(view)
        number = tree.set_of(seat, self.form.key(view), len(legal))
        policy = self.policy
        if policy is not None and len(self.profile) < tree.actions:
            self.profile.extend(policy(view, legal))
        node = tree.add(DECISION, number, len(legal))
        for place, action in enumerate(legal):
            child = self.grow([*moves, (int(seat), int(action))], answers)
            tree.children[tree.firsts[node] + place] = child
        return node


def written_out(game: AnyGame, form: Form) -> Tree:
    """Return the tree of a form."""
    grower = Grower(game, form, None)
    grower.grow([], [])
    return grower.tree


def with_policy(game: AnyGame, form: Form, policy: Policy) -> tuple[Tree, vec[float]]:
    """Return the tree of a form, and the profile of a policy, which is asked once per set."""
    grower = Grower(game, form, policy)
    grower.grow([], [])
    return grower.tree, vec[float](grower.profile)


def row(length: i64) -> vec[float]:
    """Return a row of zeros."""
    return vec[float]([0.0] * int(length))


def even(tree: Tree) -> vec[float]:
    """Return the uniform profile."""
    profile = row(tree.actions)
    number: i64 = 0
    while number < len(tree.places):
        place: i64 = 0
        while place < tree.sizes[number]:
            profile[tree.places[number] + place] = 1.0 / float(tree.sizes[number])
            place += 1
        number += 1
    return profile


def reaches(tree: Tree, profile: vec[float]) -> vec[float]:
    """Return the factors of each node's probability: one per seat, and last that of chance."""
    reach = row(len(tree.kinds) * (tree.seats + 1))
    spread(tree, profile, reach)
    return reach


def spread(tree: Tree, profile: vec[float], reach: vec[float]) -> None:
    """Write `reaches` to an existing row."""
    place: i64 = 0
    while place < tree.seats + 1:
        reach[place] = 1.0
        place += 1
    node: i64 = 0
    while node < len(tree.kinds):
        if tree.counts[node]:
            carry(tree, profile, reach, node)
        node += 1


def carry(tree: Tree, profile: vec[float], reach: vec[float], node: i64) -> None:
    """Multiply the factors of a node for its children."""
    width: i64 = tree.seats + 1
    count = tree.counts[node]
    decided = tree.kinds[node] == DECISION
    mover: i64 = tree.seat_of[tree.sets[node]] if decided else tree.seats
    first = tree.places[tree.sets[node]] if decided else 0
    child: i64 = 0
    while child < count:
        to = tree.children[tree.firsts[node] + child] * width
        place: i64 = 0
        while place < width:
            reach[to + place] = reach[node * width + place]
            place += 1
        share = profile[first + child] if decided else 1.0 / float(count)
        reach[to + mover] *= share
        child += 1


def without(reach: vec[float], node: i64, seat: i64, width: i64) -> float:
    """Return the probability of a node by the choices of all other seats and chance."""
    product = 1.0
    place: i64 = 0
    while place < width:
        if place != seat:
            product *= reach[node * width + place]
        place += 1
    return product


def values(tree: Tree, profile: vec[float]) -> vec[float]:
    """Return the value of every node to every seat if all play by this profile."""
    worth = row(len(tree.worths))
    gather(tree, profile, worth)
    return worth


def gather(tree: Tree, profile: vec[float], worth: vec[float]) -> None:
    """Write `values` to an existing row."""
    seats: i64 = tree.seats
    node: i64 = len(tree.kinds) - 1
    while node >= 0:
        seat: i64 = 0
        while seat < seats:
            worth[node * seats + seat] = tree.worths[node * seats + seat]
            seat += 1
        if tree.counts[node]:
            collect(tree, profile, worth, node)
        node -= 1


def collect(tree: Tree, profile: vec[float], worth: vec[float], node: i64) -> None:
    """Add the values of a node's children to it."""
    seats: i64 = tree.seats
    count = tree.counts[node]
    decided = tree.kinds[node] == DECISION
    first = tree.places[tree.sets[node]] if decided else 0
    child: i64 = 0
    while child < count:
        share = profile[first + child] if decided else 1.0 / float(count)
        start = tree.children[tree.firsts[node] + child] * seats
        seat: i64 = 0
        while seat < seats:
            worth[node * seats + seat] += share * worth[start + seat]
            seat += 1
        child += 1
