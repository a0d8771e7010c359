# mypyc: compile
"""Counterfactual regret minimization (CFR) over a small game tree.

Every seat keeps a regret for each action of each information set, and plays in proportion to its
positive regrets. The average strategy is the result. In a zero-sum game of two players the average
converges to an equilibrium. With more players there is no such guarantee, so measure the gain of a
best response (`best_response`).

With a habit, every seat plays by it in a share of all decisions. The result is then better against
players with this habit, and not the hardest to exploit.

Early iterations are discounted (discounted CFR): positive regrets by t^1.5 / (t^1.5 + 1), negative
ones by half, and the average strategy by (t / (t + 1))^2.
"""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from zashiki.search.extensive import DECISION, Tree, gather, row, spread, without


@final
class Learner:
    """CFR for all seats of one tree."""

    def __init__(self, tree: Tree, habit: vec[float] | None = None, share: float = 0.0) -> None:
        self.tree: Final = tree
        self.habit: vec[float] = row(tree.actions) if habit is None else habit
        """The probability of each action by habit."""
        self.share: Final = 0.0 if habit is None else share
        self.regrets: vec[float] = row(tree.actions)
        self.played: vec[float] = row(tree.actions)
        self.profile: vec[float] = row(tree.actions)
        """The current strategy, by regret matching."""
        self.seen: vec[float] = row(tree.actions)
        """The current strategy mixed with the habit."""
        self.reach: vec[float] = row(tree.nodes() * (tree.seats + 1))
        self.worth: vec[float] = row(tree.nodes() * tree.seats)
        self.rounds = 0

    def run(self, rounds: int) -> None:
        """Run a number of iterations."""
        for _ in range(rounds):
            self.rounds += 1
            match_regrets(self.tree, self.regrets, self.profile)
            mix(self.profile, self.habit, self.share, self.seen)
            spread(self.tree, self.seen, self.reach)
            gather(self.tree, self.seen, self.worth)
            self.learn()
            self.forget()

    def learn(self) -> None:
        """Add the regrets and the strategy of this iteration at every decision."""
        tree = self.tree
        width: i64 = tree.seats + 1
        node: i64 = 0
        while node < len(tree.kinds):
            if tree.kinds[node] == DECISION:
                number = tree.sets[node]
                seat = tree.seat_of[number]
                others = without(self.reach, node, seat, width)
                own = self.reach[node * width + seat]
                self.regret(node, tree.places[number], seat, others, own)
            node += 1

    def regret(self, node: i64, first: i64, seat: i64, others: float, own: float) -> None:
        """Add the regrets of one node to its information set."""
        tree = self.tree
        seats: i64 = tree.seats
        here = 0.0
        child: i64 = 0
        while child < tree.counts[node]:
            there = self.worth[tree.children[tree.firsts[node] + child] * seats + seat]
            here += self.profile[first + child] * there
            child += 1
        child = 0
        while child < tree.counts[node]:
            there = self.worth[tree.children[tree.firsts[node] + child] * seats + seat]
            self.regrets[first + child] += others * (there - here)
            self.played[first + child] += own * self.profile[first + child]
            child += 1

    def forget(self) -> None:
        """Discount older iterations."""
        now = float(self.rounds)
        gains = now**1.5 / (now**1.5 + 1.0)
        plays = (now / (now + 1.0)) ** 2
        place: i64 = 0
        while place < self.tree.actions:
            self.regrets[place] *= gains if self.regrets[place] > 0.0 else 0.5
            self.played[place] *= plays
            place += 1

    def average(self) -> vec[float]:
        """Return the average strategy, the result."""
        profile = row(self.tree.actions)
        match_regrets(self.tree, self.played, profile)
        return profile


def mix(profile: vec[float], habit: vec[float], share: float, seen: vec[float]) -> None:
    """Mix a share of a habit into a profile, and write the result to `seen`."""
    place: i64 = 0
    while place < len(profile):
        seen[place] = (1.0 - share) * profile[place] + share * habit[place]
        place += 1


def match_regrets(tree: Tree, regrets: vec[float], profile: vec[float]) -> None:
    """Set the profile in proportion to positive regrets; uniform in a set without any."""
    number: i64 = 0
    while number < len(tree.places):
        first = tree.places[number]
        size = tree.sizes[number]
        total = 0.0
        place = first
        while place < first + size:
            if regrets[place] > 0.0:
                total += regrets[place]
            place += 1
        place = first
        while place < first + size:
            if total <= 0.0:
                profile[place] = 1.0 / float(size)
            else:
                profile[place] = regrets[place] / total if regrets[place] > 0.0 else 0.0
            place += 1
        number += 1
