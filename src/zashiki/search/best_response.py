# mypyc: compile
"""Exact best responses over a game tree: the gain of a seat that knows the others' strategies.

The seat does not know their cards: it chooses one action per information set.
"""

from typing import Final, final

from librt.vecs import vec

from zashiki.search.extensive import DECISION, Tree, reaches, row, values, without


@final
class BestResponse:
    """The best response of one seat to a profile, for a form with perfect recall."""

    def __init__(self, tree: Tree, profile: vec[float], seat: int) -> None:
        self.tree: Final = tree
        self.profile: Final = profile
        self.seat: Final = seat
        self.likely: vec[float] = row(tree.nodes())
        """The probability of each node by the choices of the others and chance."""
        reach = reaches(tree, profile)
        self.members: Final[list[list[int]]] = [[] for _ in range(len(tree.places))]
        """The nodes of each information set of the seat."""
        for node in range(tree.nodes()):
            self.likely[node] = without(reach, node, seat, tree.seats + 1)
            if tree.kinds[node] == DECISION and tree.seat_of[tree.sets[node]] == seat:
                self.members[tree.sets[node]].append(node)
        self.worth: vec[float] = row(tree.nodes())
        self.known: vec[float] = row(tree.nodes())
        """1 if `worth` of the node is computed."""
        self.choices: Final[dict[int, int]] = {}
        """The index of the best action in each information set of the seat."""

    def value(self, node: int = 0) -> float:
        """Return the value of a node to the seat if it plays its best response from there."""
        if self.known[node]:
            return self.worth[node]
        tree = self.tree
        count = int(tree.counts[node])
        first = tree.firsts[node]
        number = int(tree.sets[node])
        if count == 0:
            worth = tree.worths[node * tree.seats + self.seat]
        elif tree.kinds[node] != DECISION:
            worth = sum([self.value(int(tree.children[first + n])) for n in range(count)]) / count
        elif tree.seat_of[number] == self.seat:
            worth = self.value(int(tree.children[first + self.choice(number)]))
        else:
            worth = 0.0
            for child in range(count):
                share = self.profile[tree.places[number] + child]
                if share > 0.0:
                    worth += share * self.value(int(tree.children[first + child]))
        self.worth[node] = worth
        self.known[node] = 1.0
        return worth

    def choice(self, number: int) -> int:
        """Return the index of the best action for all nodes of an information set together."""
        known = self.choices.get(number)
        if known is not None:
            return known
        tree = self.tree
        best = 0
        most = 0.0
        for place in range(int(tree.sizes[number])):
            total = 0.0
            for node in self.members[number]:
                if self.likely[node] > 0.0:
                    child = int(tree.children[tree.firsts[node] + place])
                    total += self.likely[node] * self.value(child)
            if place == 0 or total > most:
                best = place
                most = total
        self.choices[number] = best
        return best


def best_values(tree: Tree, profile: vec[float]) -> list[float]:
    """Return the value that each seat reaches by its best response to the others."""
    return [BestResponse(tree, profile, seat).value() for seat in range(tree.seats)]


def gains(tree: Tree, profile: vec[float]) -> list[float]:
    """Return the gain of each seat by its best response: 0 for all in an equilibrium."""
    worth = values(tree, profile)
    best = best_values(tree, profile)
    return [best[seat] - worth[seat] for seat in range(tree.seats)]
