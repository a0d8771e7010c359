# mypyc: compile
"""What is known of a Red Town match, to whom, and the facts that change it.

Hands wander during preparation, so cards are traced by *packets*: what was dealt to a seat is the
packet of that seat's number, whoever holds it now (in the two-player form each seat is dealt two:
2 x seat and the next).
"""

from typing import Final, final

from librt.vecs import append, vec
from mypy_extensions import i64

from zashiki.core.game import ActionId
from zashiki.core.parts import NO_SEATS, Public, Seat, Seats, State, next_of, only
from zashiki.games.red_town.cards import (
    NAMES,
    NO_CARDS,
    RED_AT,
    Cards,
    Kind,
    black_hitmen,
    collected,
    plus,
    red_hitmen,
)
from zashiki.games.red_town.own import RedTownHidden, RedTownOwn
from zashiki.games.red_town.packing import (
    BOSSES,
    CHOOSE,
    DECIDE,
    DISCARD,
    END_WAR,
    FOUR,
    GIVE,
    LOOK,
    MOST_PLAYS,
    NOBODY,
    OVER,
    PICK,
    PICK_MANY,
    SHORT,
    STANDARD,
    TURN,
    TWO,
    Eight,
    Four,
    Packet,
    action_in,
    copied,
    hand_size,
    hire,
    lay,
    packet_in,
    spent,
    spread,
)
from zashiki.games.red_town.plays import ALL_LOCATIONS, Plays


@final
class RedTownPublic(Public):
    """What lies open, how many cards are where, and whose turn it is."""

    def __init__(  # noqa: PLR0915  # a statement for each thing that is known
        self, plays: Plays, form: i64, seats: int, is_open: bool
    ) -> None:
        super().__init__()
        self.plays: Final = plays
        self.form: Final = form
        self.seats: Final[i64] = seats
        self.is_open: Final = is_open
        """RT 2.8: are the colours of Hitmen in hands and supplies public?"""
        self.phase: i64 = OVER
        self.acting: Seats = NO_SEATS
        self.round: i64 = 0
        self.bosses: Four = spread(seats, BOSSES)
        self.supply: Four = spread(seats, 4 if form == STANDARD else 2)
        self.red_supply: Four = spread(seats, 2 if form == STANDARD else 1)
        """How many of a supply are red, where that is public."""
        self.chosen: Seats = NO_SEATS
        self.confirmed: Seats = NO_SEATS
        self.stage: i64 = 0
        """How often Hitmen have joined hands in this round."""
        self.packets: Four = Four(0)
        """The packet that is the hand of each seat."""
        self.sizes: Eight = Eight(0)
        """How many cards are left of each packet."""
        self.held: Eight = Eight(0)
        """How many Hitmen are in each packet."""
        self.red_held: Four = Four(0)
        """How many of them are red, where that is public."""
        self.holding: Seats = NO_SEATS
        """The seats that hold cards."""
        self.red_three_asked: bool = False
        self.red_three_shown: Seats = NO_SEATS
        self.war: i64 = 0
        self.free: i64 = ALL_LOCATIONS
        self.declared: i64 = 0
        """The last number declared; 0 before the first of a turf war."""
        self.last: Seats = NO_SEATS
        """Who played last in this turf war."""
        self.passed: Seats = NO_SEATS
        self.out: i64 = 0
        """Who is out of cards, four bits each, the first lowest."""
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
        # What colours of Hitmen can be told from, where they are not public
        self.hires: vec[i64] = vec[i64]()
        """Who added how many Hitmen to which packet, in order, as `hire` packs it."""
        self.spent: vec[i64] = vec[i64]()
        """The Hitmen laid from each packet in rounds before, as `spent` packs it."""
        self.scene_round: i64 = 0
        """The round in which a scenario began; 0 where there was none."""
        self.scene_supply: Four = Four(0)
        self.scene_held_by: Eight = Eight(0)
        self.found_sets: bool = False
        """Did a scenario begin with sets, before hands were chosen?"""

    def everyone(self) -> Seats:
        return Seats((1 << self.seats) - 1)

    def packet_of(self, seat: Seat) -> Packet:
        return Packet(self.packets >> seat * 4 & 15)

    def set_of(self, seat: Seat, place: i64) -> Packet:
        """The packet of a seat's first or second set (0, 1)."""
        return Packet(self.pairs >> (2 * seat + place) * 4 & 15)

    def waiting_of(self, seat: Seat) -> Packet:
        """The packet of the set that is not the hand."""
        first = self.set_of(seat, 0)
        return self.set_of(seat, 1) if first == self.packet_of(seat) else first

    def size_of(self, seat: Seat) -> i64:
        """How many cards a seat holds."""
        return self.sizes >> self.packet_of(seat) * 8 & 255

    # Preparation -------------------------------------------------------------------------------

    def round_began(self, round: i64) -> None:
        if self.journal is not None:
            self.tell("round_began", (round,))
        self._remember_hitmen()
        self.round = round
        self._clear_round()
        self.acting = self.everyone()
        if self.form == TWO:
            self.phase = LOOK
            self.holding = NO_SEATS
            self.pairs = Four(0x3210)
            self.supply = spread(2, 2)
            self.red_supply = spread(2, 1)
        else:
            self.phase = PICK if self.form == SHORT else DECIDE
            self.holding = self.everyone()
            self.packets = Four(0x43210)
        packet: i64 = 0
        while packet < self.packet_count():
            self.sizes = Eight(self.sizes | hand_size(self.seats) << packet * 8)
            packet += 1

    def packet_count(self) -> i64:
        return 4 if self.form == TWO else self.seats

    def has_chosen(self, seat: Seat) -> None:
        """A choice was made in secret (RT 2.2, RT 2.5, RT 7.2-7.4, RT 8.1)."""
        if self.journal is not None:
            self.tell("has_chosen", (seat,))
        self.chosen = Seats(self.chosen | 1 << seat)
        self.acting = Seats(self.acting & ~(1 << seat))

    def decided(self, adding: Seats, confirming: Seats) -> None:
        if self.journal is not None:
            self.tell("decided", (adding, confirming))
        self.confirmed = Seats(self.confirmed | confirming)
        self.chosen = NO_SEATS
        self.acting = adding
        self.phase = PICK if adding & (adding - 1) else PICK_MANY

    def hired(self, seat: Seat, red: i64, black: i64) -> None:
        """RT 2.8, open: these Hitmen joined that hand."""
        if self.journal is not None:
            self.tell("hired", (seat, red, black))
        self.red_held = Four(self.red_held + (red << self.packet_of(seat) * 4))
        self.red_supply = Four(self.red_supply - (red << seat * 4))
        self._hire(seat, red + black)

    def hired_unseen(self, seat: Seat, count: i64) -> None:
        """RT 2.8, hidden: so many Hitmen joined that hand."""
        if self.journal is not None:
            self.tell("hired_unseen", (seat, count))
        entry = hire(self.round, self.stage, seat, self.packet_of(seat), count)
        self.hires = append(self.hires, entry)
        self._hire(seat, count)

    def hands_passed(self, adders: Seats) -> None:
        """RT 2.5: every adder's hand went to the next adder."""
        if self.journal is not None:
            self.tell("hands_passed", (adders,))
        packets = self.packets
        giver: i64 = 0
        while giver < self.seats:
            if adders >> giver & 1:
                taker = only(next_of(adders, Seat(giver)))
                kept = self.packets & ~(FOUR << taker * 4)
                self.packets = Four(kept | (packets >> giver * 4 & 15) << taker * 4)
            giver += 1
        self.stage += 1
        self.chosen = NO_SEATS
        self.acting = adders
        self.phase = DECIDE

    # The two-player form (RT 7) ----------------------------------------------------------------

    def looked_into(self, seat: Seat, set: i64) -> None:
        if self.journal is not None:
            self.tell("looked_into", (seat, set))
        self.looked |= 1 << self.set_of(seat, set - 1)
        self.acting = Seats(self.acting & ~(1 << seat))
        if self.acting == NO_SEATS:
            self.phase = PICK
            self.acting = self.everyone()

    def hitmen_split(self, seat: Seat, red: i64) -> None:
        """RT 7.9, open: a red Hitman (1) or a black one (0) is in the set looked at."""
        if self.journal is not None:
            self.tell("hitmen_split", (seat, red))
        looked = self.looked_of(seat)
        self.red_held = Four(self.red_held | 1 << (looked if red else looked ^ 1) * 4)
        self.red_supply = Four(self.red_supply & ~(FOUR << seat * 4))
        self._split(seat)

    def hitmen_split_unseen(self, seat: Seat) -> None:
        """RT 7.9, hidden."""
        if self.journal is not None:
            self.tell("hitmen_split_unseen", (seat,))
        looked = self.looked_of(seat)
        for packet in (looked, Packet(looked ^ 1)):
            self.hires = append(self.hires, hire(self.round, 0, seat, packet, 1))
        self._split(seat)

    def looked_of(self, seat: Seat) -> Packet:
        """The set that a seat has looked at, before the hand-over."""
        first = self.set_of(seat, 0)
        return first if self.looked >> first & 1 else self.set_of(seat, 1)

    def sets_exchanged(self, given: Four) -> None:
        """RT 7.3: set 1 or 2 of each seat went to the other."""
        if self.journal is not None:
            self.tell("sets_exchanged", (given,))
        pairs: i64 = 0
        seat: i64 = 0
        while seat < 2:
            kept = self.set_of(Seat(seat), 2 - (given >> seat * 4 & 15))
            received = self.set_of(Seat(1 - seat), (given >> (1 - seat) * 4 & 15) - 1)
            pairs |= (kept | received << 4) << seat * 8
            seat += 1
        self.pairs = Four(pairs)
        self.exchanged = True
        self.chosen = NO_SEATS
        self.acting = self.everyone()
        self.phase = CHOOSE

    def hands_taken(self, choices: Four) -> None:
        """RT 7.4: each seat took the set it had kept (0) or received (1) for its hand."""
        if self.journal is not None:
            self.tell("hands_taken", (choices,))
        first = self.set_of(Seat(0), choices & 15)
        second = self.set_of(Seat(1), choices >> 4 & 15)
        self.packets = Four(first | second << 4)
        self.waiting = self.everyone()
        self.holding = self.everyone()
        self.chosen = NO_SEATS

    def took_waiting(self, seat: Seat) -> None:
        """RT 7.6: the waiting set became the hand."""
        if self.journal is not None:
            self.tell("took_waiting", (seat,))
        packet = self.waiting_of(seat)
        self.packets = Four(self.packets & ~(FOUR << seat * 4) | packet << seat * 4)
        self.waiting = Seats(self.waiting & ~(1 << seat))

    # Turf wars ---------------------------------------------------------------------------------

    def red_three_seen(self, seat: Seat) -> None:
        """RT 3.1: its holder has shown the red 3."""
        if self.journal is not None:
            self.tell("red_three_seen", (seat,))
        self.red_three_asked = True
        self.red_three_shown = Seats(1 << seat)

    def red_three_missed(self) -> None:
        """RT 3.2: nobody has it in hand."""
        if self.journal is not None:
            self.tell("red_three_missed", ())
        self.red_three_asked = True

    def war_began(self, seat: Seat) -> None:
        """The first of a round."""
        if self.journal is not None:
            self.tell("war_began", (seat,))
        self.confirmed = NO_SEATS
        self.chosen = NO_SEATS
        self._clear_war(seat)

    def played(self, seat: Seat, action: ActionId, number: i64) -> None:
        if self.journal is not None:
            self.tell("played", (seat, action, number))
        facts = self.plays.facts[action]
        self.free &= ~(1 << (facts & 15))
        self.declared = number
        self.last = Seats(1 << seat)
        self._lay(seat, action, facts >> 4 & 15)
        self.acting = next_of(Seats(self.holding & ~self.passed), seat)

    def went_out(self, seat: Seat) -> None:
        if self.journal is not None:
            self.tell("went_out", (seat,))
        self.holding = Seats(self.holding & ~(1 << seat))
        self.out |= seat << self.out_count * 4
        self.out_count += 1

    def has_passed(self, seat: Seat) -> None:
        if self.journal is not None:
            self.tell("has_passed", (seat,))
        self.passed = Seats(self.passed | 1 << seat)
        self.acting = next_of(Seats(self.holding & ~self.passed), seat)

    def discard_offered(self, seat: Seat) -> None:
        if self.journal is not None:
            self.tell("discard_offered", (seat,))
        self.acting = Seats(1 << seat)
        self.phase = DISCARD

    def discarded(self, seat: Seat, card: Kind) -> None:
        if self.journal is not None:
            self.tell("discarded", (seat, card))
        place = self.plays.discards.index(int(card))
        self._lay(seat, ActionId(self.plays.count + place), 1)
        self._turn_after(seat)

    def kept(self, seat: Seat) -> None:
        if self.journal is not None:
            self.tell("kept", (seat,))
        self._turn_after(seat)

    def end_offered(self, seat: Seat) -> None:
        if self.journal is not None:
            self.tell("end_offered", (seat,))
        self.acting = Seats(1 << seat)
        self.phase = END_WAR

    def cut_short(self, seat: Seat) -> None:
        """RT 4.6: this seat ended the turf war."""
        if self.journal is not None:
            self.tell("cut_short", (seat,))

    def stayed(self, seat: Seat) -> None:
        if self.journal is not None:
            self.tell("stayed", (seat,))
        self._turn_after(seat)

    def war_ended(self, starter: Seat) -> None:
        """All cards beside locations are discarded; that seat starts the next turf war."""
        if self.journal is not None:
            self.tell("war_ended", (starter,))
        self._clear_war(starter)

    def boss_lost(self, seat: Seat) -> None:
        if self.journal is not None:
            self.tell("boss_lost", (seat,))
        self.bosses = Four(self.bosses - (1 << seat * 4))

    def ended(self) -> None:
        if self.journal is not None:
            self.tell("ended", ())
        self.acting = NO_SEATS
        self.phase = OVER

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
        """How many cards each packet has, and how many Hitmen among them."""
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
        """RT 2.8, open: how many Hitmen in each supply and packet are red."""
        if self.journal is not None:
            self.tell("scene_hitmen", (red_supply, red_held))
        self.red_supply = red_supply
        self.red_held = red_held

    def scene_sets(self, looked: i64, exchanged: i64) -> None:
        """The two-player form, before hands are chosen: nobody holds any."""
        if self.journal is not None:
            self.tell("scene_sets", (looked, exchanged))
        self.looked = looked
        self.found_sets = True
        self.exchanged = exchanged != 0
        self.holding = NO_SEATS
        if exchanged:
            self.pairs = Four(0x1230)

    def scene_waiting(self, waiting: Seats) -> None:
        """The two-player form, after hands were chosen: whose other set waits."""
        if self.journal is not None:
            self.tell("scene_waiting", (waiting,))
        self.waiting = waiting
        self.exchanged = True

    def scene_laid(self, pile: str) -> None:
        """The discard pile, the oldest first."""
        if self.journal is not None:
            self.tell("scene_laid", (pile,))
        self.found = pile

    def scene_played(self, action: ActionId) -> None:
        """Cards that lie beside a location."""
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

    # Bookkeeping -------------------------------------------------------------------------------

    def _hire(self, seat: Seat, count: i64) -> None:
        packet = self.packet_of(seat)
        self.held = Eight(self.held + (count << packet * 8))
        self.sizes = Eight(self.sizes + (count << packet * 8))
        self.supply = Four(self.supply - (count << seat * 4))
        self.holding = Seats(self.holding | 1 << seat)

    def _split(self, seat: Seat) -> None:
        both: i64 = 0x101
        self.held = Eight(self.held + (both << seat * 16))
        self.sizes = Eight(self.sizes + (both << seat * 16))
        self.supply = Four(self.supply & ~(FOUR << seat * 4))
        if self.supply == 0:
            self.chosen = NO_SEATS
            self.acting = self.everyone()
            self.phase = GIVE

    def _lay(self, seat: Seat, action: ActionId, count: i64) -> None:
        packet = self.packet_of(seat)
        self.laid = append(self.laid, lay(action, seat, packet, self.war))
        self.sizes = Eight(self.sizes - (count << packet * 8))
        cards = Cards(self.plays.packed[action])
        if cards >> RED_AT:
            wild = red_hitmen(cards) + black_hitmen(cards)
            self.held = Eight(self.held - (wild << packet * 8))
            if self.is_open:
                self.red_held = Four(self.red_held - (red_hitmen(cards) << packet * 4))

    def _turn_after(self, seat: Seat) -> None:
        self.acting = next_of(Seats(self.holding & ~self.passed), seat)
        self.phase = TURN

    def _clear_war(self, starter: Seat) -> None:
        self.war += 1
        self.free = ALL_LOCATIONS
        self.declared = 0
        self.last = NO_SEATS
        self.passed = NO_SEATS
        self.acting = Seats(1 << starter)
        self.phase = TURN

    def _clear_round(self) -> None:
        self.stage = 0
        self.packets = Four(0)
        self.sizes = Eight(0)
        self.held = Eight(0)
        self.red_held = Four(0)
        self.red_three_asked = False
        self.red_three_shown = NO_SEATS
        self.war = 0
        self.free = ALL_LOCATIONS
        self.declared = 0
        self.last = NO_SEATS
        self.passed = NO_SEATS
        self.out = 0
        self.out_count = 0
        self.laid = vec[i64]()
        self.found = ""
        self.looked = 0
        self.exchanged = False
        self.waiting = NO_SEATS

    def _remember_hitmen(self) -> None:
        """Hitmen laid in a round that is over tell of supplies (RT 2.8, hidden)."""
        if self.is_open or self.form != STANDARD:
            return
        packet: i64 = 0
        while packet < self.seats:
            gone = self.laid_from(Packet(packet))
            if gone >> RED_AT:
                self.spent = append(self.spent, spent(self.round, Packet(packet), gone))
            packet += 1

    def laid_from(self, packet: Packet) -> Cards:
        """All that was laid from a packet in this round."""
        cards = NO_CARDS
        place: i64 = 0
        while place < len(self.laid):
            entry = self.laid[place]
            if packet_in(entry) == packet:
                cards = plus(cards, Cards(self.plays.packed[action_in(entry)]))
            place += 1
        return cards

    def all_laid(self) -> Cards:
        """All that lies open: played and discarded in this round."""
        cards = NO_CARDS
        if self.found:
            cards = collected([NAMES.index(name) for name in self.found.split()])
        place: i64 = 0
        while place < len(self.laid):
            cards = plus(cards, Cards(self.plays.packed[action_in(self.laid[place])]))
            place += 1
        return cards

    def is_hand(self, packet: Packet) -> bool:
        """Is this packet in a hand?"""
        seat: i64 = 0
        while seat < self.seats:
            if self.holding >> seat & 1 and self.packet_of(Seat(seat)) == packet:
                return True
            seat += 1
        return False

    def copy(self) -> "RedTownPublic":
        twin = RedTownPublic(self.plays, self.form, int(self.seats), self.is_open)
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
        return twin


RedTownState = State[RedTownPublic, RedTownOwn, RedTownHidden]
