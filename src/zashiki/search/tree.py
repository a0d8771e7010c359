# mypyc: compile
"""Information-set Monte Carlo tree search: many worlds that agree with a view, and one tree.

Each iteration samples a world, goes down the tree as far as it is known, plays on to the end, and
tells every decision on the way what its seat got. The searching seat's decisions are told apart by
all that it would have heard, those of the others by what everybody has heard: so nobody in the tree
reacts to a card that lies face down, and what was learned of the others in one world serves in all.
"""

from math import log, sqrt
from typing import Any, Final, final

from librt.vecs import append, vec
from mypy_extensions import i64

from zashiki.core.dice import Chance
from zashiki.core.game import ActionId, Choices, Game
from zashiki.core.guide import Guide
from zashiki.core.parts import NO_SEATS, Audience, Journal, Seat, State, View

WITHOUT_END: Final = 2_000_000_000
"""More decisions than any match has."""


@final
class Ear(Journal):
    """Hears the facts of a world, and keeps for each audience a hash of all that it was told."""

    def __init__(self, seats: int) -> None:
        super().__init__()
        self.all: int = 0
        self.own: list[int] = [0] * seats

    def forget(self) -> None:
        self.all = 0
        for seat in range(len(self.own)):
            self.own[seat] = 0

    def write(self, audience: Audience, fact: str, arguments: tuple[Any, ...]) -> None:
        if isinstance(audience, int):
            self.own[audience] = hash((self.own[audience], fact, arguments))
        elif audience == "all":
            self.all = hash((self.all, fact, arguments))


@final
class Node:
    """One decision: of each action how often it could be taken, how often it was, what it paid."""

    def __init__(self) -> None:
        self.places: Final[dict[int, int]] = {}
        self.actions: vec[i64] = vec[i64]()
        self.offered: vec[i64] = vec[i64]()
        self.taken: vec[i64] = vec[i64]()
        self.paid: vec[float] = vec[float]()

    def place_of(self, action: i64) -> i64:
        """Where the counts of an action stand; a new one has none."""
        known = self.places.get(int(action))
        if known is not None:
            return known
        place = len(self.actions)
        self.places[int(action)] = place
        self.actions = append(self.actions, action)
        self.offered = append(self.offered, 0)
        self.taken = append(self.taken, 0)
        self.paid = append(self.paid, 0.0)
        return place

    def choose(self, choices: Choices, exploration: float, chance: Chance) -> i64:
        """Where to go down: to what was never tried, else to what may be best (UCB)."""
        best: i64 = -1
        most = -1.0
        untried: i64 = 0
        index: i64 = 0
        while index < choices.count:
            place = self.place_of(choices.ids[index])
            self.offered[place] += 1
            taken = self.taken[place]
            if taken == 0:
                untried += 1
                if chance.below(untried, "untried") == 0:
                    best = place
            elif untried == 0:
                count = float(taken)
                hope = exploration * sqrt(log(float(self.offered[place])) / count)
                value = self.paid[place] / count + hope
                if value > most:
                    most = value
                    best = place
            index += 1
        return best


@final
class Search:
    """A search of one seat from where it stands. Only worlds from `sample` are ever looked at."""

    def __init__(
        self,
        game: Game[Any, Any, Any],
        view: View[Any, Any],
        guide: Guide,
        chance: Chance,
        exploration: float,
    ) -> None:
        self.game: Final = game
        self.view: Final = view
        self.guide: Final = guide
        self.chance: Final = chance
        self.exploration: Final = exploration
        self.choices: Final = game.choices()
        self.ear: Final = Ear(game.seats)
        self.nodes: Final[dict[int, Node]] = {}
        self.path: Final[list[Node]] = []
        self.places: vec[i64] = vec[i64]()
        self.seats: vec[i64] = vec[i64]()
        self.root: Final = Node()
        self.iterations: i64 = 0
        self.steps: i64 = 0
        game.offer(view, self.choices)
        index: i64 = 0
        while index < self.choices.count:
            self.root.place_of(self.choices.ids[index])
            index += 1

    def run(self, iterations: i64) -> None:
        """So many worlds more."""
        last = self.iterations + iterations
        while self.iterations < last:
            self.iterate()

    def lead(self) -> int:
        """By how many iterations the action taken most is ahead of the next."""
        first: i64 = 0
        second: i64 = 0
        for count in self.root.taken:
            if count > first:
                second = first
                first = count
            elif count > second:
                second = count
        return int(first - second)

    def best(self) -> ActionId:
        """What was taken most; among equals what paid most."""
        root = self.root
        found: i64 = 0
        place: i64 = 1
        while place < len(root.actions):
            more = root.taken[place] - root.taken[found]
            if more > 0 or (more == 0 and root.paid[place] > root.paid[found]):
                found = place
            place += 1
        return ActionId(root.actions[found])

    def counts(self) -> list[tuple[int, int, float]]:
        """Of each action: which, how often it was taken, what it paid on the mean."""
        root = self.root
        return [
            (
                int(root.actions[place]),
                int(root.taken[place]),
                root.paid[place] / max(1.0, float(root.taken[place])),
            )
            for place in range(len(root.actions))
        ]

    def iterate(self) -> None:
        """One world: down the tree, on to the end, and back."""
        game, ear, choices, chance = self.game, self.ear, self.choices, self.chance
        state = game.sample(self.view, chance)
        ear.forget()
        state.keep_journal(ear)
        self.path.clear()
        self.places = vec[i64]()
        self.seats = vec[i64]()
        own = self.view.seat
        choices.clear()
        game.offer(state.views[own], choices)
        self.decide(state, own, self.root)
        worths = self.play_on(state)
        self.iterations += 1
        for number in range(len(self.path)):
            node = self.path[number]
            place = self.places[number]
            node.taken[place] += 1
            node.paid[place] += worths[self.seats[number]]

    def play_on(self, state: State[Any, Any, Any]) -> list[float]:
        """Down the tree where it is known and then as the guide says; what each seat gets."""
        game, choices, chance, guide = self.game, self.choices, self.chance, self.guide
        in_tree = True
        left: i64 = guide.patience if guide.patience else WITHOUT_END
        to_act = game.to_act(state.public)
        while to_act != NO_SEATS:
            seat: i64 = 0
            while to_act >> seat:
                if to_act >> seat & 1:
                    choices.clear()
                    game.offer(state.views[seat], choices)
                    if in_tree:
                        in_tree = self.descend(state, Seat(seat))
                        if not in_tree:
                            state.keep_journal(None)
                    else:
                        action = guide.pick(state.views[seat], choices, chance)
                        game.apply(state, Seat(seat), action, chance)
                        left -= 1
                    self.steps += 1
                seat += 1
            to_act = game.to_act(state.public)
            if left <= 0 and to_act != NO_SEATS:
                return guide.hopes(state)
        outcome = game.outcome(state.public)
        assert outcome is not None
        return guide.worths(outcome)

    def descend(self, state: State[Any, Any, Any], seat: Seat) -> bool:
        """Decide by the tree; False where this decision is new to it."""
        ear, choices = self.ear, self.choices
        if choices.count == 1:
            self.game.apply(state, seat, ActionId(choices.ids[0]), self.chance)
            return True
        key = hash((ear.all, ear.own[seat] if seat == self.view.seat else int(seat)))
        node = self.nodes.get(key)
        is_known = node is not None
        if node is None:
            node = Node()
            self.nodes[key] = node
        self.decide(state, seat, node)
        return is_known

    def decide(self, state: State[Any, Any, Any], seat: Seat, node: Node) -> None:
        place = node.choose(self.choices, self.exploration, self.chance)
        self.path.append(node)
        self.places = append(self.places, place)
        self.seats = append(self.seats, seat)
        self.game.apply(state, seat, ActionId(node.actions[place]), self.chance)
