# mypyc: compile
"""Information-set Monte Carlo tree search: many worlds that agree with a view, and one tree.

Each iteration samples a world, descends the tree as far as it is known, plays to the end by the
playout policy, and adds the result to every decision on the path. A decision of the searching seat
is keyed by all facts that it would have been told, one of another seat by public facts alone. So no
seat in the tree reacts to a face-down card, and statistics on the others serve in all worlds. With
priors of the playout policy, likely actions are tried first and hopeless ones perhaps never, so
that few worlds suffice for many actions.
"""

from math import log, sqrt
from typing import Any, Final, final

from librt.vecs import append, vec
from mypy_extensions import i64

from zashiki.core.dice import Chance
from zashiki.core.game import ActionId, Choices, Game
from zashiki.core.parts import NO_SEATS, Audience, Journal, Seat, State, View
from zashiki.core.playout_policy import PlayoutPolicy

RESERVE: Final = 0.1
"""Value of an untried action below the mean of the node."""
WITHOUT_END: Final = 2_000_000_000
"""More decisions than any match has."""
FIRST: Final = -1
"""Stands for an index on the first visit of a node."""
SPAN: Final = 1 << 20
"""More actions than any node has."""
MASK: Final = (1 << 61) - 1
MIXER: Final = 1_000_003
"""Multiplier of the hash, as in older versions of Python's hash of tuples."""


@final
class HashJournal(Journal):
    """A journal that keeps two hashes of the facts told to a seat: the public ones, its own."""

    def __init__(self) -> None:
        super().__init__()
        self.all: i64 = 0
        self.own: i64 = 0

    def listen(self, state: State[Any, Any, Any], seat: Seat) -> None:
        """Begin to hash the facts of a state that are told to this seat."""
        self.all = 0
        self.own = 0
        state.public.journal = self
        state.own[seat].journal = self

    def write(self, audience: Audience, fact: str, arguments: tuple[Any, ...]) -> None:
        told: i64 = hash(arguments)
        name: i64 = hash(fact)
        if isinstance(audience, int):
            self.own = (self.own * MIXER + (told ^ name)) & MASK
        else:
            self.all = (self.all * MIXER + (told ^ name)) & MASK


@final
class Places:
    """A buffer for the indices of the present choices in a node's rows, filled at every visit."""

    def __init__(self, actions: i64) -> None:
        self.row: vec[i64] = vec[i64]([0] * actions)
        """The index of each choice in the node, in the order of the choices."""
        self.marks: vec[i64] = vec[i64]([0] * actions)
        """By action: the visit at which it was last found, plus its index."""
        self.visit: i64 = 0

    def find(self, node: "Node", choices: Choices) -> None:
        """Fill the row. Add actions that are new to the node."""
        row, actions = self.row, node.actions
        known: i64 = len(actions)
        index: i64 = 0
        place: i64 = 0
        while index < choices.count:  # mostly the order is that of the first visit
            if place >= known or actions[place] != choices.ids[index]:
                self.find_out_of_order(node, choices, index)
                return
            row[index] = place
            place += 1
            index += 1

    def find_out_of_order(self, node: "Node", choices: Choices, index: i64) -> None:
        """Fill the rest of the row, from an index on."""
        row, marks, actions = self.row, self.marks, node.actions
        self.visit += SPAN
        visit = self.visit
        place: i64 = 0
        while place < len(actions):
            marks[actions[place]] = visit + place
            place += 1
        while index < choices.count:
            action = choices.ids[index]
            place = marks[action] - visit
            if place < 0:
                place = node.add(action)
            row[index] = place
            index += 1


@final
class Node:
    """The statistics of one decision: per action the times offered and taken, and its values.

    Most nodes are visited once, so the first visit keeps only the action and its value.
    """

    def __init__(self, first: i64) -> None:
        self.first: i64 = first
        self.first_paid = 0.0
        self.actions: vec[i64] = vec[i64]()
        self.offered: vec[i64] = vec[i64]()
        self.taken: vec[i64] = vec[i64]()
        self.paid: vec[float] = vec[float]()
        self.priors: vec[float] = vec[float]()
        """The prior of each action, if the policy has priors."""
        self.visits: i64 = 0
        self.total: float = 0.0
        """The sum of the values of all actions."""

    def open(self, choices: Choices) -> None:
        """Make the rows for these choices, with the first visit counted."""
        count = choices.count
        self.actions = vec[i64]([0] * count)
        self.offered = vec[i64]([0] * count)
        self.taken = vec[i64]([0] * count)
        self.paid = vec[float]([0.0] * count)
        index: i64 = 0
        while index < count:
            action = choices.ids[index]
            self.actions[index] = action
            if action == self.first:
                self.offered[index] = 1
                self.taken[index] = 1
                self.paid[index] = self.first_paid
                self.first = FIRST
            index += 1
        if self.first != FIRST:  # this time it is not among the choices
            place = self.add(self.first)
            self.offered[place] = 1
            self.taken[place] = 1
            self.paid[place] = self.first_paid

    def add(self, action: i64) -> i64:
        """Add an action that was never offered here; return its index."""
        place: i64 = len(self.actions)
        self.actions = append(self.actions, action)
        self.offered = append(self.offered, 0)
        self.taken = append(self.taken, 0)
        self.paid = append(self.paid, 0.0)
        return place

    def choose(self, choices: Choices, places: Places, exploration: float, chance: Chance) -> i64:
        """Return the index of the action to follow: a random untried one, else by UCB."""
        if len(self.actions) == 0:
            self.open(choices)
        places.find(self, choices)
        row = places.row
        offered, taken, paid = self.offered, self.taken, self.paid
        best: i64 = -1
        most = -1.0
        untried: i64 = 0
        index: i64 = 0
        before: i64 = 0
        logarithm = 0.0
        while index < choices.count:
            place = row[index]
            times = offered[place] + 1
            offered[place] = times
            if taken[place] == 0:
                untried += 1
                if chance.below(untried, "untried") == 0:
                    best = place
            elif untried == 0:
                if times != before:  # mostly it is the same as for the action before
                    before = times
                    logarithm = log(float(times))
                count = float(taken[place])
                value = paid[place] / count + exploration * sqrt(logarithm / count)
                if value > most:
                    most = value
                    best = place
            index += 1
        return best

    def learn(self, choices: Choices, places: Places, priors: vec[float]) -> None:
        """Add the priors of actions that are new here."""
        index: i64 = 0
        while index < choices.count:
            if places.row[index] == len(self.priors):
                self.priors = append(self.priors, priors[index])
            index += 1

    def choose_by_prior(self, choices: Choices, places: Places, exploration: float) -> i64:
        """Return the index of the action to follow, by PUCT: high priors are tried sooner."""
        row = places.row
        offered, taken, paid = self.offered, self.taken, self.paid
        best: i64 = -1
        most = -1.0e9
        index: i64 = 0
        unknown = self.total / float(self.visits) - RESERVE if self.visits else 0.5
        while index < choices.count:
            place = row[index]
            offered[place] += 1
            count = float(taken[place])
            value = paid[place] / count if count > 0.0 else unknown
            bonus = self.priors[place] * sqrt(float(offered[place])) / (1.0 + count)
            value += exploration * bonus
            if value > most:
                most = value
                best = place
            index += 1
        return best

    def note(self, place: i64, value: float) -> None:
        """Add the value that an action led to."""
        if place == FIRST:
            self.first_paid = value
        else:
            self.taken[place] += 1
            self.paid[place] += value
            self.visits += 1
            self.total += value


@final
class Search:
    """A search for one seat from its view. It sees only sampled worlds, never the state."""

    def __init__(
        self,
        game: Game[Any, Any, Any],
        view: View[Any, Any],
        policy: PlayoutPolicy,
        chance: Chance,
        exploration: float,
    ) -> None:
        self.game: Final = game
        self.view: Final = view
        self.policy: Final = policy
        self.chance: Final = chance
        self.exploration: Final = exploration
        self.choices: Final = game.choices()
        self.heard: Final = HashJournal()
        self.nodes: Final[dict[int, Node]] = {}
        self.root: Final = Node(FIRST)
        self.places: Final = Places(len(game.actions))
        self.path: Final[list[Node]] = []
        self.path_places: vec[i64] = vec[i64]()
        self.path_seats: vec[i64] = vec[i64]()
        self.depth: i64 = 0
        """The length of this iteration's path; the rest of the rows is old."""
        self.iterations: i64 = 0
        self.steps: i64 = 0
        game.offer(view, self.choices)
        priors = policy.priors(view, self.choices)
        self.has_priors: Final = len(priors) > 0
        self.root.open(self.choices)
        if self.has_priors:
            self.places.find(self.root, self.choices)
            self.root.learn(self.choices, self.places, priors)

    def run(self, iterations: i64) -> None:
        """Search a number of further worlds."""
        last = self.iterations + iterations
        while self.iterations < last:
            self.iterate()

    def lead(self) -> int:
        """Return the lead of the most visited action over the next, in iterations."""
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
        """Return the most visited action; among equals the one with the highest value."""
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
        """Return each action with the times taken and its mean value."""
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
        """Search one world: descend, play to the end, and add the values along the path."""
        game, heard, choices, chance = self.game, self.heard, self.choices, self.chance
        state = self.policy.world(game, self.view, chance)
        heard.listen(state, self.view.seat)
        self.depth = 0
        own = self.view.seat
        choices.clear()
        game.offer(state.views[own], choices)
        place = self.choice(self.root, state.views[own])
        self.decide(state, own, self.root, place, ActionId(self.root.actions[place]))
        values = self.play_on(state)
        self.iterations += 1
        step: i64 = 0
        while step < self.depth:
            self.path[step].note(self.path_places[step], values[self.path_seats[step]])
            step += 1

    def play_on(self, state: State[Any, Any, Any]) -> list[float]:
        """Play by the tree, then by the playout policy; return the value to each seat."""
        game, choices, chance, policy = self.game, self.choices, self.chance, self.policy
        in_tree = True
        left: i64 = policy.patience if policy.patience else WITHOUT_END
        to_act = game.to_act(state.public)
        while to_act != NO_SEATS:
            seat: i64 = 0
            while to_act >> seat:
                if to_act >> seat & 1:
                    if in_tree:
                        in_tree = self.descend(state, Seat(seat))
                        if not in_tree:
                            state.keep_journal(None)
                    else:
                        action = policy.act(game, state.views[seat], choices, chance)
                        game.apply(state, Seat(seat), action, chance)
                        left -= 1
                    self.steps += 1
                seat += 1
            to_act = game.to_act(state.public)
            if left <= 0 and to_act != NO_SEATS and policy.is_quiet(state.public):
                return policy.evaluate(state)
        return policy.end_values(game, state.public)

    def descend(self, state: State[Any, Any, Any], seat: Seat) -> bool:
        """Take an action by the tree; return False if this decision is new to it."""
        heard, choices = self.heard, self.choices
        choices.clear()
        self.game.offer(state.views[seat], choices)
        if choices.count == 1:
            self.game.apply(state, seat, ActionId(choices.ids[0]), self.chance)
            return True
        knows = heard.own if seat == self.view.seat else seat
        key = int((heard.all * MIXER + knows) & MASK)
        node = self.nodes.get(key)
        if node is None and not self.has_priors:
            action = choices.pick(self.chance)
            node = Node(action)
            self.nodes[key] = node
            self.decide(state, seat, node, FIRST, action)
            return False
        is_new = node is None
        if node is None:
            node = Node(FIRST)
            self.nodes[key] = node
        place = self.choice(node, state.views[seat])
        self.decide(state, seat, node, place, ActionId(node.actions[place]))
        return not is_new

    def choice(self, node: Node, view: View[Any, Any]) -> i64:
        """Return the index of the action to follow from a decision."""
        choices, places = self.choices, self.places
        if not self.has_priors:
            return node.choose(choices, places, self.exploration, self.chance)
        places.find(node, choices)
        if len(node.priors) < len(node.actions):
            node.learn(choices, places, self.policy.priors(view, choices))
        return node.choose_by_prior(choices, places, self.exploration)

    def decide(
        self, state: State[Any, Any, Any], seat: Seat, node: Node, place: i64, action: ActionId
    ) -> None:
        """Take an action, and add its node to the path."""
        if self.depth == len(self.path):
            self.path.append(node)
            self.path_places = append(self.path_places, 0)
            self.path_seats = append(self.path_seats, 0)
        self.path[self.depth] = node
        self.path_places[self.depth] = place
        self.path_seats[self.depth] = seat
        self.depth += 1
        self.game.apply(state, seat, action, self.chance)
