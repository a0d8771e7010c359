# mypyc: compile
"""One decision of a deployment: the value of each action against some hands of the other."""

from typing import Final, final

from mypy_extensions import i64

from zashiki.core.game import ActionId
from zashiki.core.parts import Seat
from zashiki.games.kingdoms.actions import TO_ATTACK, TO_OCCUPY, TO_SWAP
from zashiki.games.kingdoms.ai.values import (
    ACE_IS,
    EXPOSED,
    MATCH,
    RISK,
    CardValues,
    area_of,
    area_value,
    count_of,
    doubtful,
)
from zashiki.games.kingdoms.cards import (
    MOST,
    NO_CARD,
    Hand,
    Kind,
    both,
    kinds_of,
    minus,
    plus,
    size,
    without,
)
from zashiki.games.kingdoms.forces import ACE, ALL_AREAS, NORMAL, Forces
from zashiki.games.kingdoms.play import KingdomsView
from zashiki.games.kingdoms.state import NO_AREA, KingdomsPublic, KingdomsState

ADDS: Final = 0.75
"""The probability that the other adds the best reinforcement to a defence."""
TWICE: Final = 0.4
"""The probability that the other can take two areas in a turn, if each can be taken."""
REFILL: Final = 1.6
"""The value of a normal card that will be drafted in the next turn."""
NEXT: Final = 200.0
"""The value of a chance to defeat the other monarch in this turn."""


@final
class Deployment:
    """The values of the actions of a seat that is to deploy."""

    def __init__(self, values: CardValues, view: KingdomsView, worlds: list[KingdomsState]) -> None:
        self.values: Final = values
        self.forces: Final[Forces] = values.forces
        self.public: Final[KingdomsPublic] = view.public
        self.seat: Final = view.seat
        self.other: Final = Seat(1 - view.seat)
        self.hand: Final[Hand] = view.own.hand
        self.areas: Final[i64] = self.public.areas_of(self.seat)
        self.monarch: Final = Kind(self.forces.monarchs[self.seat])
        self.home: Final = area_of(self.public, self.monarch)
        self.their_monarch: Final = Kind(self.forces.monarchs[self.other])
        self.throne: Final = area_of(self.public, self.their_monarch)
        self.hands: Final = [world.own[self.other].hand for world in worlds]
        """The sampled hands of the other."""
        self.next_hands: Final = [self.after_draft(world) for world in worlds]
        self.threats: Final[dict[int, list[i64]]] = {}
        """The best attack of each sampled hand, by area."""

    def after_draft(self, world: KingdomsState) -> Hand:
        """Return the other's hand in the next turn, after a draft that prefers aces."""
        public, hand = world.public, world.own[self.other].hand
        room, funds = public.room_of(self.other), public.funds_of(self.other)
        for rank in (ACE, NORMAL):
            price = rank + 1
            left = public.left_of(rank)
            count = min(funds // price, room, left)
            hand = both(hand, world.hidden.top(rank, left, count))
            room -= count
            funds -= count * price
        return hand

    def action_values(self, legal: list[ActionId]) -> list[float]:
        table = self.values.game.table
        found: list[float] = []
        for action in legal:
            move, area, cards = table.moves[action], table.areas[action], table.cards[action]
            left = without(self.hand, Hand(int(cards)))
            if move == TO_OCCUPY:
                found.append(self.of_occupying(Kind(cards), area, left))
            elif move == TO_ATTACK:
                found.append(self.of_attacking(Hand(int(cards)), area, left))
            elif move == TO_SWAP:
                found.append(self.of_swapping(Kind(cards), area, left))
            else:
                found.append(self.prospect(self.hand, self.areas))
        return found

    def of_occupying(self, kind: Kind, area: i64, left: Hand) -> float:
        areas = self.areas | 1 << area
        if areas == ALL_AREAS:
            return MATCH
        value = area_value(self.public, self.seat, area) + self.prospect(left, areas)
        value += self.values.placed(kind, area) - self.values.in_hand[kind]
        return value - EXPOSED if kind == self.monarch else value

    def of_swapping(self, kind: Kind, area: i64, left: Hand) -> float:
        taken = self.public.card_in(area)
        value = self.values.in_hand[taken] - self.values.placed(taken, area)
        value += self.values.placed(kind, area) - self.values.in_hand[kind]
        return value + self.prospect(plus(left, taken), self.areas, area, kind)

    # The next turns ----------------------------------------------------------------------------

    def prospect(
        self, hand: Hand, areas: i64, swapped: i64 = NO_AREA, liaison: Kind = NO_CARD
    ) -> float:
        """Return the value of the rest: the cards to draft, minus the risk of the other's turn."""
        funds = self.forces.funds_of(self.seat, areas)
        room = MOST - size(hand)
        aces: i64 = 0
        if funds > room:
            aces = min(funds - room, room)
            funds = room
        drafted = REFILL * (float(funds - aces) + ACE_IS * float(aces))
        return drafted - RISK * self.risk(hand, areas, swapped, liaison)

    def risk(self, hand: Hand, areas: i64, swapped: i64, liaison: Kind) -> float:
        """Return the probability that the other can win next turn, by monarch or by areas."""
        lost = 0.0
        if self.home >= 0 and self.home != swapped:
            lost = self.overcome(hand, self.home, self.monarch, 0)
        count = count_of(areas)
        if count > 2:
            return lost
        share = 1.0 if count == 1 else TWICE
        area: i64 = 0
        while area < 5:
            if areas >> area & 1:
                holder = liaison if area == swapped else self.public.card_in(area)
                share *= self.overcome(hand, area, holder, 1) if holder else 0.5
            area += 1
        return lost + (1.0 - lost) * share

    def overcome(self, hand: Hand, area: i64, holder: Kind, by: i64) -> float:
        """Return the probability of an attack that exceeds the best defence of an area by `by`."""
        shields = self.values.best_defence(holder, hand, area)
        found = 0.0
        for threat in self.threats_to(area):
            found += doubtful(shields + by - threat)
        return found / len(self.next_hands)

    def threats_to(self, area: i64) -> list[i64]:
        found = self.threats.get(int(area))
        if found is None:
            best_attack = self.values.best_attack
            found = [best_attack(self.public, self.other, hand, area) for hand in self.next_hands]
            self.threats[int(area)] = found
        return found

    # Attacks -----------------------------------------------------------------------------------

    def of_attacking(self, cards: Hand, area: i64, left: Hand) -> float:
        """Return the value of an attack, without a reinforcement and with each hand's best one."""
        public, values = self.public, self.values
        reckoning = values.game.reckoning
        reckoning.reckon(self.seat, area, cards, NO_CARD, public.cards, self.areas)
        margin = reckoning.attack - reckoning.defence
        holder = public.card_in(area)
        if_won = self.prospect(left, self.areas | 1 << area)
        if_not = self.prospect(left, self.areas)
        alone = self.of_result(cards, area, NO_CARD, margin)
        alone += if_won if margin > 0 else if_not
        reach: i64 = 0
        if self.throne != area:
            reach = values.best_attack(public, self.seat, left, self.throne)
        baits = size(left) - 2
        adds = 1.0 if holder == self.their_monarch else ADDS
        total = 0.0
        for hand in self.hands:
            added = values.best_added(holder, hand, area)
            rest, ahead = hand, margin
            if added:
                rest = minus(hand, added)
                ahead -= values.bonus(holder, added, area)
            answered = self.of_result(cards, area, added, ahead)
            answered += if_won if ahead > 0 else if_not
            total += adds * (answered + self.follow_up(reach, rest, baits))
            total += (1.0 - adds) * (alone + self.follow_up(reach, hand, baits))
        return total / len(self.hands)

    def follow_up(self, reach: i64, hand: Hand, baits: i64) -> float:
        """Return the value of a chance to defeat the other monarch in this turn.

        Each card beyond the two for that attack may draw out a card that would defend.
        """
        if reach == 0:
            return 0.0
        values, likely = self.values, NEXT
        while reach < values.best_defence(self.their_monarch, hand, self.throne):
            drawn_out = values.best_added(self.their_monarch, hand, self.throne)
            if baits <= 0 or drawn_out == NO_CARD:
                return 0.0
            hand = minus(hand, drawn_out)
            baits -= 1
            likely *= ADDS
        return likely

    def of_result(self, cards: Hand, area: i64, added: Kind, ahead: i64) -> float:
        """Return the value of a battle to its attacker, who is ahead by this many points."""
        values = self.values
        mine, kept, has_monarch = 0.0, 0.0, False
        for kind in kinds_of(cards):
            mine += values.in_hand[kind]
            kept = max(kept, values.placed(Kind(kind), area))
            has_monarch = has_monarch or kind == self.monarch
        holder = self.public.card_in(area)
        is_saved = added and self.forces.saves_added[holder]
        fells = holder == self.their_monarch or (added == self.their_monarch and not is_saved)
        if ahead < 0:
            drawn_out = (
                min(values.placed(added, area), values.placed(holder, area)) if added else 0.0
            )
            return -MATCH if has_monarch else drawn_out - mine
        if ahead == 0 and has_monarch:
            return 0.0 if fells else -MATCH
        if fells or (ahead > 0 and self.areas | 1 << area == ALL_AREAS):
            return MATCH
        theirs = values.placed(holder, area) + area_value(self.public, self.other, area)
        if added and not is_saved:
            theirs += values.in_hand[added]
        if ahead == 0:
            return theirs - mine
        won = theirs - mine + kept + area_value(self.public, self.seat, area)
        return won - EXPOSED if has_monarch else won
