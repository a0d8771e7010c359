# mypyc: compile
"""The arithmetic of a battle, line by line (RB 3.2, RB 3.3, RB 5.3-5.7)."""

from typing import Final, NewType, final

from librt.vecs import append, vec
from mypy_extensions import i64

from zashiki.core.parts import Seat
from zashiki.games.kingdoms.cards import CARD, NO_CARD, Hand, Kind, Row
from zashiki.games.kingdoms.forces import SHIELD, SWORD, Forces
from zashiki.games.kingdoms.state import KingdomsPublic

Line = NewType("Line", i64)
"""A contribution to a total: seat (1 bit), area (3), kind (6), source (6), amount."""

AREA_AT: Final = 1
KIND_AT: Final = 4
SOURCE_AT: Final = 10
AMOUNT_AT: Final = 16
MOST_LINES: Final = 12
"""The most lines: two swords, partners and Archers; two shields, Guards and partners."""


@final
class Reckoning:
    """Both totals of a battle, and their lines. One object is reused for all battles."""

    def __init__(self, forces: Forces) -> None:
        self.forces: Final = forces
        self.attacker: Seat = Seat(0)
        self.attack: i64 = 0
        self.defence: i64 = 0
        self.cancelled_by: Kind = NO_CARD
        """The attacker that cancels the offset of the area (RB 5.6)."""
        lines = vec[i64]()
        for _ in range(MOST_LINES):
            lines = append(lines, 0)
        self.lines: vec[i64] = lines
        self.count: i64 = 0

    def reckon(
        self, attacker: Seat, area: i64, attackers: Hand, added: Kind, cards: Row, held: i64
    ) -> None:
        """Compute the totals, given the cards in the areas and the areas of the attacker."""
        self.attacker = attacker
        self.attack = 0
        self.defence = 0
        self.count = 0
        self.attack_with(attacker, area, Kind(attackers & 63), Kind(attackers >> CARD & 63))
        if area > 0:
            self.help(attacker, area - 1, cards, held)
        if area < 4:
            self.help(attacker, area + 1, cards, held)
        self.defend_with(Seat(1 - attacker), area, Kind(cards >> area * CARD & 63), added)
        if self.cancelled_by == NO_CARD:
            self.defence += self.forces.offset[area]

    def reckon_revealed(self, public: KingdomsPublic) -> None:
        """Compute the totals of the revealed battle."""
        attacker = public.owner
        held = public.areas_of(attacker)
        self.reckon(attacker, public.area, public.attackers, public.added, public.cards, held)

    def attack_with(self, seat: Seat, area: i64, first: Kind, second: Kind) -> None:
        forces = self.forces
        self.bring(seat, area, first, SWORD, forces.attack[first])
        self.cancelled_by = first if forces.ignores_offset[first] else NO_CARD
        if second:
            self.bring(seat, area, second, SWORD, forces.attack[second])
            self.support(seat, area, first)
            self.support(seat, area, second)
            if forces.ignores_offset[second]:
                self.cancelled_by = second

    def defend_with(self, seat: Seat, area: i64, holder: Kind, added: Kind) -> None:
        forces = self.forces
        self.bring(seat, area, holder, SHIELD, forces.defence[holder])
        if added:
            self.bring(seat, area, added, SHIELD, forces.defence[added])
            self.guard(seat, area, added)
            self.support(seat, area, holder)
            self.support(seat, area, added)
        self.guard(seat, area, holder)

    def bring(self, seat: Seat, area: i64, kind: Kind, source: i64, amount: i64) -> None:
        """Add a line to the total of this side."""
        line = seat | area << AREA_AT | kind << KIND_AT | source << SOURCE_AT | amount << AMOUNT_AT
        self.lines[self.count] = line
        self.count += 1
        if seat == self.attacker:
            self.attack += amount
        else:
            self.defence += amount

    def support(self, seat: Seat, area: i64, kind: Kind) -> None:
        """Add the bonus of a card with a partner (RB 5.7)."""
        amount = self.forces.partner[kind]
        if amount:
            self.bring(seat, area, kind, self.forces.sources[kind], amount)

    def guard(self, seat: Seat, area: i64, kind: Kind) -> None:
        """Add the bonus of a Guard or Guardian in this area (RB 5.3, RB 5.4)."""
        amount = self.forces.guard[kind * 5 + area]
        if amount:
            self.bring(seat, area, kind, self.forces.sources[kind], amount)

    def help(self, seat: Seat, area: i64, cards: Row, held: i64) -> None:
        """Add the bonus of an Archer in an adjacent area (RB 5.5)."""
        kind = Kind(cards >> area * CARD & 63)
        amount = self.forces.next_area[kind]
        if amount and held >> area & 1:
            self.bring(seat, area, kind, self.forces.sources[kind], amount)


def seat_in(line: i64) -> int:
    return int(line & 1)


def area_in(line: i64) -> int:
    return int(line >> AREA_AT & 7)


def kind_in(line: i64) -> int:
    return int(line >> KIND_AT & 63)


def source_in(line: i64) -> int:
    return int(line >> SOURCE_AT & 63)


def amount_in(line: i64) -> int:
    return int(line >> AMOUNT_AT)
