# mypyc: compile
"""The public part of a Red Town match: its fields, and the facts by which a scenario sets them.

Hands are passed on during preparation, so cards are traced by *packets*. The cards dealt to a seat
are the packet of that seat's number, in whichever hand it is now. In the two-player form each seat
is dealt two packets: 2 x seat and the next.
"""

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from zashiki.core.game import ActionId
from zashiki.core.parts import NO_SEATS, Public, Seat, Seats
from zashiki.games.red_town.cards import NAMES, NO_CARDS, Cards, collected, plus
from zashiki.games.red_town.packing import (
    BOSSES,
    MOST_PLAYS,
    NOBODY,
    OVER,
    STANDARD,
    TWO,
    Eight,
    Four,
    Packet,
    action_in,
    copied,
    lay,
    packet_in,
    spread,
)
from zashiki.games.red_town.plays import ALL_LOCATIONS, Plays


class PublicFields(Public):
    """Open cards, the number of cards in each place, and the seat to act."""

    def __init__(  # noqa: PLR0915  # a statement for each thing that is known
        self, plays: Plays, form: i64, seats: int, is_open: bool
    ) -> None:
        super().__init__()
        self.plays: Final = plays
        self.form: Final = form
        self.seats: Final[i64] = seats
        self.is_open: Final = is_open
        """Whether the colours of Hitmen in hands and supplies are public (RT 2.8)."""
        self.phase: i64 = OVER
        self.acting: Seats = NO_SEATS
        self.round: i64 = 0
        self.bosses: Four = spread(seats, BOSSES)
        self.supply: Four = spread(seats, 4 if form == STANDARD else 2)
        self.red_supply: Four = spread(seats, 2 if form == STANDARD else 1)
        """The number of red Hitmen in each supply, if that is public."""
        self.chosen: Seats = NO_SEATS
        self.confirmed: Seats = NO_SEATS
        self.stage: i64 = 0
        """The number of times that Hitmen have joined hands in this round."""
        self.packets: Four = Four(0)
        """The packet that is the hand of each seat."""
        self.sizes: Eight = Eight(0)
        """The number of cards left of each packet."""
        self.held: Eight = Eight(0)
        """The number of Hitmen in each packet."""
        self.red_held: Four = Four(0)
        """The number of red Hitmen in each packet, if that is public."""
        self.holding: Seats = NO_SEATS
        """The seats that hold cards."""
        self.red_three_asked: bool = False
        self.red_three_shown: Seats = NO_SEATS
        self.war: i64 = 0
        self.free: i64 = ALL_LOCATIONS
        self.declared: i64 = 0
        """The last number declared; 0 before the first of a turf war."""
        self.last: Seats = NO_SEATS
        """The seat that played last in this turf war."""
        self.passed: Seats = NO_SEATS
        self.out: i64 = 0
        """The seats that are out of cards, four bits each, the first in the lowest bits."""
        self.out_count: i64 = 0
        self.laid: vec[i64] = vec[i64]()
        """Every play and discard of this round, as `lay` packs it."""
        self.found: str = ""
        """The discard pile with which a scenario began, in notation."""
        # The two-player form
        self.pairs: Four = Four(0)
        """The packets of both sets of seat 0, then of seat 1; later of those kept, received."""
        self.looked: i64 = 0
        """The packets that were looked at, as bits."""
        self.exchanged: bool = False
        self.waiting: Seats = NO_SEATS
        """The seats whose other set waits."""
        # The evidence for the colours of Hitmen, if they are not public
        self.hires: vec[i64] = vec[i64]()
        """The Hitmen that each seat added to each packet, in order, as `hire` packs them."""
        self.spent: vec[i64] = vec[i64]()
        """The Hitmen played from each packet in earlier rounds, as `spent` packs it."""
        self.scene_round: i64 = 0
        """The round in which a scenario began; 0 if there was none."""
        self.scene_supply: Four = Four(0)
        self.scene_held_by: Eight = Eight(0)
        self.found_sets: bool = False
        """Whether a scenario began with sets, before hands were chosen."""

    def copy_to(self, twin: "PublicFields") -> None:
        """Copy all fields to another part of the same rules."""
        twin.phase = self.phase
        twin.acting = self.acting
        twin.round = self.round
        twin.bosses = self.bosses
        twin.supply = self.supply
        twin.red_supply = self.red_supply
        twin.chosen = self.chosen
        twin.confirmed = self.confirmed
        twin.stage = self.stage
        twin.packets = self.packets
        twin.sizes = self.sizes
        twin.held = self.held
        twin.red_held = self.red_held
        twin.holding = self.holding
        twin.red_three_asked = self.red_three_asked
        twin.red_three_shown = self.red_three_shown
        twin.war = self.war
        twin.free = self.free
        twin.declared = self.declared
        twin.last = self.last
        twin.passed = self.passed
        twin.out = self.out
        twin.out_count = self.out_count
        twin.laid = copied(self.laid, MOST_PLAYS - len(self.laid))
        twin.found = self.found
        twin.pairs = self.pairs
        twin.looked = self.looked
        twin.exchanged = self.exchanged
        twin.waiting = self.waiting
        twin.hires = copied(self.hires)
        twin.spent = copied(self.spent)
        twin.scene_round = self.scene_round
        twin.scene_supply = self.scene_supply
        twin.scene_held_by = self.scene_held_by
        twin.found_sets = self.found_sets

    # What follows from the fields ---------------------------------------------------------------

    def everyone(self) -> Seats:
        return Seats((1 << self.seats) - 1)

    def packet_count(self) -> i64:
        return 4 if self.form == TWO else self.seats

    def packet_of(self, seat: Seat) -> Packet:
        return Packet(self.packets >> seat * 4 & 15)

    def set_of(self, seat: Seat, place: i64) -> Packet:
        """Return the packet of a seat's first or second set (0, 1)."""
        return Packet(self.pairs >> (2 * seat + place) * 4 & 15)

    def waiting_of(self, seat: Seat) -> Packet:
        """Return the packet of the set that is not the hand."""
        first = self.set_of(seat, 0)
        return self.set_of(seat, 1) if first == self.packet_of(seat) else first

    def looked_of(self, seat: Seat) -> Packet:
        """Return the set that a seat has looked at, before the hand-over."""
        first = self.set_of(seat, 0)
        return first if self.looked >> first & 1 else self.set_of(seat, 1)

    def size_of(self, seat: Seat) -> i64:
        """Return the number of cards in a seat's hand."""
        return self.sizes >> self.packet_of(seat) * 8 & 255

    def is_hand(self, packet: Packet) -> bool:
        """Return whether this packet is in a hand."""
        seat: i64 = 0
        while seat < self.seats:
            if self.holding >> seat & 1 and self.packet_of(Seat(seat)) == packet:
                return True
            seat += 1
        return False

    def laid_from(self, packet: Packet) -> Cards:
        """Return the cards played or discarded from a packet in this round."""
        cards = NO_CARDS
        place: i64 = 0
        while place < len(self.laid):
            entry = self.laid[place]
            if packet_in(entry) == packet:
                cards = plus(cards, Cards(self.plays.packed[action_in(entry)]))
            place += 1
        return cards

    def all_laid(self) -> Cards:
        """Return all open cards: those played and discarded in this round."""
        cards = NO_CARDS
        if self.found:
            cards = collected([NAMES.index(name) for name in self.found.split()])
        place: i64 = 0
        while place < len(self.laid):
            cards = plus(cards, Cards(self.plays.packed[action_in(self.laid[place])]))
            place += 1
        return cards

    # A scenario --------------------------------------------------------------------------------

    def scene_set(
        self, round: i64, bosses: Four, supply: Four, confirmed: Seats, chosen: Seats, out: str
    ) -> None:
        if self.journal is not None:
            self.tell("scene_set", (round, bosses, supply, confirmed, chosen, out))
        self.round = round
        self.scene_round = round
        self.scene_supply = supply
        self.bosses = bosses
        self.supply = supply
        self.red_supply = Four(0)
        self.confirmed = confirmed
        self.chosen = chosen
        for digit in out:
            self.out |= int(digit) << self.out_count * 4
            self.out_count += 1
        self.pairs = Four(0x3210)
        self.packets = Four(0x20 if self.form == TWO else 0x43210)

    def scene_hands(self, sizes: Eight, held: Eight) -> None:
        """Set the number of cards of each packet, and the number of Hitmen among them."""
        if self.journal is not None:
            self.tell("scene_hands", (sizes, held))
        self.sizes = sizes
        self.held = held
        self.scene_held_by = held
        seat: i64 = 0
        while seat < self.seats:
            if self.size_of(Seat(seat)):
                self.holding = Seats(self.holding | 1 << seat)
            seat += 1

    def scene_hitmen(self, red_supply: Four, red_held: Four) -> None:
        """Set the number of red Hitmen in each supply and packet (RT 2.8, open)."""
        if self.journal is not None:
            self.tell("scene_hitmen", (red_supply, red_held))
        self.red_supply = red_supply
        self.red_held = red_held

    def scene_sets(self, looked: i64, exchanged: i64) -> None:
        """Begin the two-player form with sets, before hands are chosen."""
        if self.journal is not None:
            self.tell("scene_sets", (looked, exchanged))
        self.looked = looked
        self.found_sets = True
        self.exchanged = exchanged != 0
        self.holding = NO_SEATS
        if exchanged:
            self.pairs = Four(0x1230)

    def scene_waiting(self, waiting: Seats) -> None:
        """Set the seats whose other set waits, in the two-player form after hands were chosen."""
        if self.journal is not None:
            self.tell("scene_waiting", (waiting,))
        self.waiting = waiting
        self.exchanged = True

    def scene_laid(self, pile: str) -> None:
        """Set the discard pile, the oldest card first."""
        if self.journal is not None:
            self.tell("scene_laid", (pile,))
        self.found = pile

    def scene_played(self, action: ActionId) -> None:
        """Set the cards at a location."""
        if self.journal is not None:
            self.tell("scene_played", (action,))
        self.free &= ~(1 << (self.plays.facts[action] & 15))
        self.laid = append(self.laid, lay(action, Seat(NOBODY), Packet(NOBODY), self.war))

    def scene_turn(
        self,
        phase: i64,
        acting: Seats,
        declared: i64,
        last: Seats,
        passed: Seats,
        red_three: Seats,
        asked: i64,
    ) -> None:
        if self.journal is not None:
            self.tell("scene_turn", (phase, acting, declared, last, passed, red_three, asked))
        self.phase = phase
        self.acting = acting
        self.declared = declared
        self.last = last
        self.passed = passed
        self.red_three_shown = red_three
        self.red_three_asked = asked != 0
