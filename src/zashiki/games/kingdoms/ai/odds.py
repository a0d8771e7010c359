# mypyc: compile
"""Tables of the probabilities to win battles against unseen cards, for one card set."""

from math import exp
from typing import Final, final

from librt.vecs import append, vec
from mypy_extensions import i64

from zashiki.core.dice import Quick
from zashiki.games.kingdoms.cards import CARD, MOST
from zashiki.games.kingdoms.forces import ACE, NORMAL, Forces

HANDS: Final = 128
"""The number of sampled hands for each combination of backs."""
BOLD: Final = 0.5
"""The increase of an attack's probability per point of attack."""


@final
class Odds:
    """Probabilities by the backs of cards, as if each were drawn from its whole class."""

    def __init__(self, forces: Forces) -> None:
        self.forces: Final = forces
        self.top: Final[i64] = highest_total(forces)
        """A number above every total."""
        self.adds: Final[vec[float]] = added_chances(forces, self.top)
        self.hits: Final[vec[float]] = reach_chances(forces, self.top)
        self.strikes: Final[vec[float]] = attack_chances(forces, self.top)

    def all_below(self, area: i64, bonus: i64, normals: i64, aces: i64) -> float:
        """Return the probability that no card of such a hand adds this much to a defence."""
        if bonus <= 0:
            return 0.0 if normals + aces > 0 else 1.0
        if bonus >= self.top:
            return 1.0
        place = area * self.top + bonus
        found = 1.0
        normal, ace = self.adds[place], self.adds[5 * self.top + place]
        while normals > 0:
            found *= normal
            normals -= 1
        while aces > 0:
            found *= ace
            aces -= 1
        return found

    def reach(self, area: i64, needed: i64, normals: i64, aces: i64) -> float:
        """Return the probability that such a hand can attack an area with `needed` points."""
        if needed >= self.top:
            return 0.0
        needed = max(needed, 0)
        normals = min(normals, MOST)
        aces = min(aces, MOST - normals)
        return self.hits[((normals * 6 + aces) * 5 + area) * self.top + needed]

    def strike(self, normals: i64, aces: i64, needed: i64) -> float:
        """Return the probability that attackers with these backs have `needed`, without offset."""
        if needed >= self.top:
            return 0.0
        if needed <= 0:
            return 1.0
        return self.strikes[(normals * 3 + aces) * self.top + needed]


def highest_total(forces: Forces) -> i64:
    most: i64 = 0
    kind: i64 = 1
    while kind <= forces.count:
        most = max(most, forces.attack[kind] + forces.partner[kind] + forces.next_area[kind])
        most = max(most, forces.defence[kind] + forces.guard[kind * 5] + forces.partner[kind])
        most = max(most, forces.defence[kind] + forces.guard[kind * 5 + 1] + forces.partner[kind])
        kind += 1
    return 2 * most + 1


def added_chances(forces: Forces, top: i64) -> vec[float]:
    """Return the probability that a card adds less to a defence, by class, area and bonus."""
    found = vec[float]()
    for rank in (NORMAL, ACE):
        pile = forces.piles[rank]
        for area in range(5):
            for bonus in range(int(top)):
                below = 0
                for kind in pile:
                    adds = forces.defence[kind] + forces.guard[kind * 5 + area]
                    if adds + forces.partner[kind] < bonus:
                        below += 1
                found = append(found, float(below) / float(len(pile)))
    return found


def swords(forces: Forces, first: i64, second: i64) -> i64:
    """Return the attack of two cards, or of one alone (with 0 as the second)."""
    total = forces.attack[first] + forces.attack[second]
    return total + forces.partner[first] + forces.partner[second] if second else total


def attack_chances(forces: Forces, top: i64) -> vec[float]:
    """Return the probability of each total, by the backs of one or two attackers."""
    found = vec[float]()
    for normals in range(3):
        for aces in range(3):
            weights = [0.0] * int(top)
            whole = 0.0
            for total in totals_of(forces, normals, aces):
                weight = exp(BOLD * float(total))
                weights[total] += weight
                whole += weight
            above = whole
            for points in range(int(top)):
                found = append(found, above / whole if whole > 0.0 else 0.0)
                above -= weights[points]
    return found


def totals_of(forces: Forces, normals: int, aces: int) -> list[int]:
    """Return the totals of all attacks with these backs."""
    if not 1 <= normals + aces <= 2:
        return []
    first = forces.piles[NORMAL] if normals else forces.piles[ACE]
    if normals + aces == 1:
        return [int(swords(forces, kind, 0)) for kind in first]
    second = forces.piles[ACE] if aces else forces.piles[NORMAL]
    return [int(swords(forces, one, other)) for one in first for other in second]


def reach_chances(forces: Forces, top: i64) -> vec[float]:
    """Return the probability of a best attack, by the backs of a hand, area and points."""
    chance = Quick("hands")
    found = vec[float]()
    for normals in range(6):
        for aces in range(6):
            counts = [0] * (5 * int(top))
            for _ in range(HANDS if normals + aces <= MOST else 0):
                hand: i64 = 0
                for rank, count in ((NORMAL, normals), (ACE, aces)):
                    pile = forces.piles[rank]
                    for _ in range(count):
                        hand = hand << CARD | pile[int(chance.below(len(pile), "hand"))]
                for area in range(5):
                    best = striking(forces, best_attackers(forces, hand, area), area)
                    counts[area * int(top) + int(best)] += 1
            for area in range(5):
                above = float(HANDS)
                for points in range(int(top)):
                    found = append(found, above / float(HANDS))
                    above -= float(counts[area * int(top) + points])
    return found


def best_attackers(forces: Forces, hand: i64, area: i64) -> i64:
    """Return the one or two of at most ten cards with the strongest attack on an area."""
    best: i64 = -1
    found: i64 = 0
    offset = forces.offset[area]
    left = hand
    while left:
        first = left & 63
        left >>= CARD
        alone = forces.attack[first]
        total = alone
        if not forces.ignores_offset[first]:
            total -= offset
        if total > best:
            best = total
            found = first
        others = left
        while others:
            second = others & 63
            others >>= CARD
            total = alone + forces.attack[second]
            total += forces.partner[first] + forces.partner[second]
            if not forces.ignores_offset[first] and not forces.ignores_offset[second]:
                total -= offset
            if total > best:
                best = total
                found = first | second << CARD
    return found


def striking(forces: Forces, cards: i64, area: i64) -> i64:
    """Return the attack of one or two cards on an area, minus its offset."""
    first, second = cards & 63, cards >> CARD
    total = swords(forces, first, second)
    if not forces.ignores_offset[first] and not forces.ignores_offset[second]:
        total -= forces.offset[area]
    return total if total > 0 else 0
