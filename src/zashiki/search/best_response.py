# mypyc: compile
"""What a seat could gain if it knew how all others play: exactly, over a game that is written out.

It knows their strategies, not their cards: it chooses one action for all that it cannot tell apart.
"""

from typing import Final, final

from librt.vecs import vec

from zashiki.search.extensive import DECISION, Tree, reaches, row, values, without


@final
class BestResponse:
    """The best that one seat can do against a profile. Its seat must remember all that it saw."""

    def __init__(self, tree: Tree, profile: vec[float], seat: int) -> None:
        self.tree: Final = tree
        self.profile: Final = profile
        self.seat: Final = seat
        self.likely: vec[float] = row(tree.nodes())
        """How likely the others and chance bring it to each node."""
        reach = reaches(tree, profile)
        self.members: Final[list[list[int]]] = [[] for _ in range(len(tree.places))]
        """The nodes of each of its information sets."""
        for node in range(tree.nodes()):
            self.likely[node] = without(reach, node, seat, tree.seats + 1)
            if tree.kinds[node] == DECISION and tree.seat_of[tree.sets[node]] == seat:
                self.members[tree.sets[node]].append(node)
        self.worth: vec[float] = row(tree.nodes())
        self.known: vec[float] = row(tree.nodes())
        """1 where `worth` is known."""
        self.choices: Final[dict[int, int]] = {}
        """The place of the best action in each of its information sets."""

    def value(self, node: int = 0) -> float:
        """What a node is worth to the seat when it plays its best from there on."""
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
        """The best action for all nodes of an information set together."""
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
    """What each seat would reach by its best response to the others."""
    return [BestResponse(tree, profile, seat).value() for seat in range(tree.seats)]


def gains(tree: Tree, profile: vec[float]) -> list[float]:
    """What each seat would gain by its best response to the others: 0 for all in an equilibrium."""
    worth = values(tree, profile)
    best = best_values(tree, profile)
    return [best[seat] - worth[seat] for seat in range(tree.seats)]
