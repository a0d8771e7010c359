# mypyc: compile
"""Evaluate a position with all cards known: threats, hands and funds of both sides.

A logistic model. Its weights were fitted to the outcomes of some 13,000 positions from matches
between searching bots with five card sets. Its features depend only on the values of a set.
"""

from math import exp
from typing import Final, final

from mypy_extensions import i64

from zashiki.core.parts import Seat
from zashiki.games.kingdoms.ai.odds import best_attackers, striking
from zashiki.games.kingdoms.ai.values import CardValues, area_of, count_of
from zashiki.games.kingdoms.cards import CARD, LARGE, Hand
from zashiki.games.kingdoms.forces import ACE, ALL_AREAS, NORMAL, Forces
from zashiki.games.kingdoms.state import DRAFT, KingdomsPublic, KingdomsState

FAR_BEHIND: Final = -6
FAR_AHEAD: Final = 5
"""The limits of a difference: beyond them an attack is hopeless or sure."""
ENOUGH_FUNDS: Final = 6
"""Funds above this are rarely spent."""
ALWAYS: Final = 0.81
MOVER: Final = [3.16, 0.54, 0.83, 1.15, 0.18, 0.97, 0.51, -0.43, 0.35, 1.12, 3.66, 3.06, -2.02]
OTHER: Final = [
    -0.78,
    0.45,
    -0.38,
    0.14,
    -0.67,
    -0.85,
    -0.21,
    0.14,
    -0.32,
    -1.02,
    -3.1,
    -2.81,
    0.81,
]
"""Weights of the features of a side. The other monarch can be defeated; by how much; by how much
not. A second attack could do it; by how much not. There is no monarch to attack. The best attack
elsewhere. Swords, shields and value of the hand. Funds, funds up to six, and areas. Funds say more
about an area than its possession, hence the last sign."""
EMPTY: Final = 2.02
"""The weight of empty areas, for the side to move."""


@final
class Evaluator:
    """Estimates the winning probability of the side to move, for one card set."""

    def __init__(self, values: CardValues) -> None:
        self.values: Final = values
        self.forces: Final[Forces] = values.forces

    def mover_win_probability(self, state: KingdomsState) -> float:
        """Return the winning probability of the side to move, at the beginning of a turn."""
        public = state.public
        mover, other = public.owner, Seat(1 - public.owner)
        ours, theirs = few(state.own[mover].hand), few(state.own[other].hand)
        if public.phase == DRAFT:
            ours = self.drafted(state, mover, ours)
        empty = ALL_AREAS & ~(public.areas_of(mover) | public.areas_of(other))
        total = ALWAYS + EMPTY * 0.2 * float(count_of(empty))
        total += self.side(public, mover, ours, theirs, MOVER)
        total += self.side(public, other, self.drafted(state, other, theirs), ours, OTHER)
        return 1.0 / (1.0 + exp(-total))

    def side(
        self, public: KingdomsPublic, seat: Seat, hand: i64, against: i64, weights: list[float]
    ) -> float:
        """Return the weighted sum of the threats and the cards of a side with this hand."""
        forces = self.forces
        total = self.threats(public, seat, hand, against, weights)
        swords: i64 = 0
        shields: i64 = 0
        value = 0.0
        left = hand
        while left:
            kind = left & 63
            left >>= CARD
            swords += forces.attack[kind]
            shields += forces.defence[kind]
            value += self.values.in_hand[kind]
        funds = public.funds_of(seat)
        total += 0.1 * (weights[7] * float(swords) + weights[8] * float(shields))
        total += 0.1 * (weights[9] * value + weights[10] * float(funds))
        total += 0.1 * weights[11] * float(min(funds, ENOUGH_FUNDS))
        return total + 0.2 * weights[12] * float(count_of(public.areas_of(seat)))

    def threats(
        self, public: KingdomsPublic, seat: Seat, hand: i64, against: i64, weights: list[float]
    ) -> float:
        """Return the weight of two attacks on the other monarch in a row, and of one elsewhere."""
        other = Seat(1 - seat)
        throne = area_of(public, self.forces.monarchs[other])
        total = 0.2 * weights[6] * float(self.elsewhere(public, seat, throne, hand, against))
        first: i64 = FAR_BEHIND
        second: i64 = FAR_BEHIND
        if throne < 0:
            total += weights[5]
        else:
            first = self.ahead(public, seat, throne, hand, against)
            cards = best_attackers(self.forces, hand, throne)
            added = self.best_added(against, throne)
            hand, against = less(less(hand, cards & 63), cards >> CARD), less(against, added)
            second = self.ahead(public, seat, throne, hand, against)
        if first >= 0:
            total += weights[0] + 0.2 * weights[1] * float(first)
        else:
            total += 0.2 * weights[2] * float(first)
        return total + (weights[3] if second >= 0 else 0.2 * weights[4] * float(second))

    def elsewhere(
        self, public: KingdomsPublic, seat: Seat, throne: i64, hand: i64, against: i64
    ) -> i64:
        """Return how far the best attack on another area is ahead."""
        best: i64 = FAR_BEHIND
        area: i64 = 0
        while area < 5:
            if public.areas_of(Seat(1 - seat)) >> area & 1 and area != throne:
                best = max(best, self.ahead(public, seat, area, hand, against))
            area += 1
        return best

    def ahead(self, public: KingdomsPublic, seat: Seat, area: i64, hand: i64, against: i64) -> i64:
        """Return by how much the best attack of a hand exceeds the best defence of the other."""
        forces = self.forces
        holder = public.card_in(area)
        ahead = striking(forces, best_attackers(forces, hand, area), area)
        ahead += helped(forces, public, seat, area)
        ahead -= forces.defence[holder] + forces.guard[holder * 5 + area]
        added = self.best_added(against, area)
        if added:
            ahead -= forces.defence[added] + forces.guard[added * 5 + area] + forces.partner[added]
        return max(FAR_BEHIND, min(FAR_AHEAD, ahead))

    def best_added(self, hand: i64, area: i64) -> i64:
        """Return the best reinforcement of a hand. A monarch is not risked."""
        forces = self.forces
        best: i64 = -1
        found: i64 = 0
        while hand:
            kind = hand & 63
            hand >>= CARD
            adds = forces.defence[kind] + forces.guard[kind * 5 + area] + forces.partner[kind]
            if adds > best and not forces.is_monarch(kind):
                best = adds
                found = kind
        return found

    def drafted(self, state: KingdomsState, seat: Seat, hand: i64) -> i64:
        """Return a hand after the next draft in this world, which prefers aces."""
        public = state.public
        funds, room = public.funds_of(seat), public.room_of(seat)
        for rank in (ACE, NORMAL):
            price = rank + 1
            left = public.left_of(rank)
            count = min(funds // price, room, left)
            if count > 0:
                hand = hand << count * CARD | few(state.hidden.top(rank, left, count))
                funds -= count * price
                room -= count
        return hand


def few(hand: Hand) -> i64:
    """Return a hand as a machine word; of a huge one, some cards."""
    return hand % LARGE if hand >= LARGE else hand


def less(hand: i64, kind: i64) -> i64:
    """Return cards in any order without one that is among them; kind 0 changes nothing."""
    if kind == 0:
        return hand
    place: i64 = 0
    while hand >> place & 63 != kind:
        place += CARD
    above = hand >> place << place
    return hand - above | above >> place + CARD << place


def helped(forces: Forces, public: KingdomsPublic, seat: Seat, area: i64) -> i64:
    """Return the points that adjacent cards add to this side's attack on an area (RB 5.5)."""
    held = public.areas_of(seat)
    found: i64 = 0
    if area > 0 and held >> area - 1 & 1:
        found += forces.next_area[public.card_in(area - 1)]
    if area < 4 and held >> area + 1 & 1:
        found += forces.next_area[public.card_in(area + 1)]
    return found
