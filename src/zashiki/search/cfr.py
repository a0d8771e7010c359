# mypyc: compile
"""Counterfactual regret minimization over a small game that is written out.

Every seat keeps, for each action of each information set, how much it regrets not having taken it,
and plays in proportion to what it regrets. What it played on the average is the answer. With two
players and nothing to share the average comes as near to an equilibrium as one likes; with more
there is no such promise, so what a best response gains is measured (`best_response`).

Where a habit is given, everybody's hand follows it in a share of all decisions: what is learnt is
then good against others who do, and no longer the hardest to beat.

Early rounds of learning are forgotten by and by (discounted CFR): positive regrets by
t^1.5 / (t^1.5 + 1), negative ones by half, and what was played by (t / (t + 1))^2.
"""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from zashiki.search.extensive import DECISION, Tree, gather, row, spread, without


@final
class Learner:
    """All seats learn to play one tree, against each other."""

    def __init__(self, tree: Tree, habit: vec[float] | None = None, share: float = 0.0) -> None:
        self.tree: Final = tree
        self.habit: vec[float] = row(tree.actions) if habit is None else habit
        """How likely each action is for a hand that does not think."""
        self.share: Final = 0.0 if habit is None else share
        self.regrets: vec[float] = row(tree.actions)
        self.played: vec[float] = row(tree.actions)
        self.profile: vec[float] = row(tree.actions)
        """What is meant to be played now."""
        self.seen: vec[float] = row(tree.actions)
        """What is played now, habits included."""
        self.reach: vec[float] = row(tree.nodes() * (tree.seats + 1))
        self.worth: vec[float] = row(tree.nodes() * tree.seats)
        self.rounds = 0

    def run(self, rounds: int) -> None:
        """So many rounds of learning more."""
        for _ in range(rounds):
            self.rounds += 1
            match_regrets(self.tree, self.regrets, self.profile)
            mix(self.profile, self.habit, self.share, self.seen)
            spread(self.tree, self.seen, self.reach)
            gather(self.tree, self.seen, self.worth)
            self.learn()
            self.forget()

    def learn(self) -> None:
        """Regret what would have been better, and count what was played."""
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
        """The regrets of one node: its set sums them up."""
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
        """The older, the less it counts."""
        now = float(self.rounds)
        gains = now**1.5 / (now**1.5 + 1.0)
        plays = (now / (now + 1.0)) ** 2
        place: i64 = 0
        while place < self.tree.actions:
            self.regrets[place] *= gains if self.regrets[place] > 0.0 else 0.5
            self.played[place] *= plays
            place += 1

    def average(self) -> vec[float]:
        """What was played on the average: the answer."""
        profile = row(self.tree.actions)
        match_regrets(self.tree, self.played, profile)
        return profile


def mix(profile: vec[float], habit: vec[float], share: float, seen: vec[float]) -> None:
    """So much of a habit in what is played."""
    place: i64 = 0
    while place < len(profile):
        seen[place] = (1.0 - share) * profile[place] + share * habit[place]
        place += 1


def match_regrets(tree: Tree, regrets: vec[float], profile: vec[float]) -> None:
    """In each set, play in proportion to what is regretted, and anything where nothing is."""
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
