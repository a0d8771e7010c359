# mypyc: compile
"""The values of cards and areas for bots, on one scale: that of cards."""

from typing import Final, final

from mypy_extensions import i64

from zashiki.core.parts import Seat
from zashiki.games.kingdoms.cards import CARD, NO_CARD, Hand, Kind, kinds_of
from zashiki.games.kingdoms.forces import Forces
from zashiki.games.kingdoms.play import Kingdoms
from zashiki.games.kingdoms.state import KingdomsPublic

MATCH: Final = 1000.0
"""The value of winning the match."""
RISK: Final = 60.0
"""The cost of a position in which the other can win in the next turn."""
ACE_IS: Final = 2.4
"""The value of a drafted ace, if a normal card is 1."""
AREA: Final = 2.5
"""The value of an area without its funds."""
CLOSER: Final = [0.0, 0.0, 0.5, 2.0, 8.0]
"""The value of being closer to five areas, by the number of others held."""
EXPOSED: Final = 8.0
"""The cost of winning an area with the monarch, who must stay there."""
PLACED: Final = 0.5
"""The part of a card's value that is left once it is in an area."""
HOLDS: Final = 0.3
"""The value of each point of defence there."""
DOUBT: Final = [1.0, 0.3, 0.12, 0.04]
"""The probability that a defence falls that is ahead by 0, 1, 2 or 3 of the sampled attacks."""


@final
class CardValues:
    """The values of the cards of one set, in a hand and in an area."""

    def __init__(self, game: Kingdoms) -> None:
        self.game: Final = game
        self.forces: Final = game.forces
        kinds = range(1, game.forces.count + 1)
        self.in_hand: Final = [0.0] + [value_of(game.forces, kind) for kind in kinds]
        """The value of a card in the hand, by its kind."""

    def placed(self, kind: Kind, area: i64) -> float:
        """Return the value of a garrison."""
        return PLACED * self.in_hand[kind] + HOLDS * self.there(kind, area)

    def there(self, kind: Kind, area: i64) -> float:
        """Return the points of a garrison: it defends, and may support attacks from there."""
        forces = self.forces
        return float(forces.defence[kind] + forces.guard[kind * 5 + area] + forces.next_area[kind])

    def bonus(self, holder: Kind, added: Kind, area: i64) -> i64:
        """Return the points of a reinforcement."""
        forces = self.forces
        bonus = forces.defence[added] + forces.guard[added * 5 + area]
        return bonus + forces.partner[added] + forces.partner[holder]

    def best_added(self, holder: Kind, hand: Hand, area: i64) -> Kind:
        """Return the best reinforcement of a hand. A monarch is not risked."""
        best: i64 = -1
        found = NO_CARD
        for kind in kinds_of(hand):
            bonus = self.bonus(holder, Kind(kind), area)
            if bonus > best and not self.forces.is_monarch(kind):
                best = bonus
                found = Kind(kind)
        return found

    def best_defence(self, holder: Kind, hand: Hand, area: i64) -> i64:
        """Return the shields of an area with the best reinforcement of a hand, without offset."""
        shields = self.forces.defence[holder] + self.forces.guard[holder * 5 + area]
        added = self.best_added(holder, hand, area)
        return shields + self.bonus(holder, added, area) if added else shields

    def best_attack(self, public: KingdomsPublic, seat: Seat, hand: Hand, area: i64) -> i64:
        """Return the swords of the best one or two cards, minus the offset; 0 without an area."""
        if area < 0:
            return 0
        reckoning, held = self.game.reckoning, public.areas_of(seat)
        best: i64 = 0
        for cards in ones_and_twos(hand):
            reckoning.reckon(seat, area, cards, NO_CARD, public.cards, held)
            total = reckoning.attack
            if not reckoning.cancelled_by:
                total -= self.forces.offset[area]
            best = max(best, total)
        return best


def value_of(forces: Forces, kind: i64) -> float:
    value = 0.5 * float(forces.attack[kind] + forces.defence[kind])
    value += 0.3 * float(forces.guard[kind * 5] + forces.guard[kind * 5 + 1])
    value += 0.7 * float(forces.partner[kind] + forces.next_area[kind])
    if forces.takes_place[kind]:
        value += 1.5
    if forces.ignores_offset[kind] or forces.saves_added[kind]:
        value += 0.5
    return value


def ones_and_twos(hand: Hand) -> list[Hand]:
    """Return every card of a hand alone, and with every other."""
    kinds = kinds_of(hand)
    found: list[Hand] = []
    for place, kind in enumerate(kinds):
        found.append(Hand(kind))
        for partner in kinds[place + 1 :]:
            found.append(Hand(kind | partner << CARD))
    return found


def area_value(public: KingdomsPublic, seat: Seat, area: i64) -> float:
    """Return the value of an area to a side: it rises with the areas that the side holds."""
    others = public.areas_of(seat) & ~(1 << area)
    return AREA + float(public.forces.funds[seat * 5 + area]) + CLOSER[count_of(others)]


def count_of(areas: i64) -> int:
    found = 0
    while areas:
        areas &= areas - 1
        found += 1
    return found


def area_of(public: KingdomsPublic, monarch: i64) -> i64:
    """Return the area of a monarch; -1 if it is in none."""
    area: i64 = 0
    while area < 5:
        if public.card_in(area) == monarch:
            return area
        area += 1
    return -1


def doubtful(ahead: i64) -> float:
    """Return the probability that a defence falls that is ahead by this much."""
    if ahead <= 0:
        return 1.0
    return DOUBT[ahead] if ahead < len(DOUBT) else 0.0
