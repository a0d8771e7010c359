# mypyc: compile
"""The public facts of a Red Town match, and the state that they change."""

from typing import final

from librt.vecs import append, vec
from mypy_extensions import i64

from zashiki.core.game import ActionId
from zashiki.core.parts import NO_SEATS, Seat, Seats, State, next_of, only
from zashiki.games.red_town.cards import RED_AT, Cards, Kind, black_hitmen, red_hitmen
from zashiki.games.red_town.own import RedTownHidden, RedTownOwn
from zashiki.games.red_town.packing import (
    CHOOSE,
    DECIDE,
    DISCARD,
    END_WAR,
    FOUR,
    GIVE,
    LOOK,
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
    hand_size,
    hire,
    lay,
    spent,
    spread,
)
from zashiki.games.red_town.plays import ALL_LOCATIONS
from zashiki.games.red_town.public import PublicFields


@final
class RedTownPublic(PublicFields):
    """The public part of a match, with the facts of play."""

    def copy(self) -> "RedTownPublic":
        twin = RedTownPublic(self.plays, self.form, int(self.seats), self.is_open)
        self.copy_to(twin)
        return twin

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
        """These Hitmen joined that hand (RT 2.8, open)."""
        if self.journal is not None:
            self.tell("hired", (seat, red, black))
        self.red_held = Four(self.red_held + (red << self.packet_of(seat) * 4))
        self.red_supply = Four(self.red_supply - (red << seat * 4))
        self._hire(seat, red + black)

    def hired_unseen(self, seat: Seat, count: i64) -> None:
        """A number of Hitmen joined that hand (RT 2.8, hidden)."""
        if self.journal is not None:
            self.tell("hired_unseen", (seat, count))
        entry = hire(self.round, self.stage, seat, self.packet_of(seat), count)
        self.hires = append(self.hires, entry)
        self._hire(seat, count)

    def hands_passed(self, adders: Seats) -> None:
        """Every adder's hand went to the next adder (RT 2.5)."""
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
        """A red Hitman (1) or a black one (0) is in the set looked at (RT 7.9, open)."""
        if self.journal is not None:
            self.tell("hitmen_split", (seat, red))
        looked = self.looked_of(seat)
        self.red_held = Four(self.red_held | 1 << (looked if red else looked ^ 1) * 4)
        self.red_supply = Four(self.red_supply & ~(FOUR << seat * 4))
        self._split(seat)

    def hitmen_split_unseen(self, seat: Seat) -> None:
        """Hitmen joined both sets, their colours unseen (RT 7.9, hidden)."""
        if self.journal is not None:
            self.tell("hitmen_split_unseen", (seat,))
        looked = self.looked_of(seat)
        for packet in (looked, Packet(looked ^ 1)):
            self.hires = append(self.hires, hire(self.round, 0, seat, packet, 1))
        self._split(seat)

    def sets_exchanged(self, given: Four) -> None:
        """Set 1 or 2 of each seat went to the other (RT 7.3)."""
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
        """Each seat took the set that it had kept (0) or received (1) as its hand (RT 7.4)."""
        if self.journal is not None:
            self.tell("hands_taken", (choices,))
        first = self.set_of(Seat(0), choices & 15)
        second = self.set_of(Seat(1), choices >> 4 & 15)
        self.packets = Four(first | second << 4)
        self.waiting = self.everyone()
        self.holding = self.everyone()
        self.chosen = NO_SEATS

    def took_waiting(self, seat: Seat) -> None:
        """The waiting set became the hand (RT 7.6)."""
        if self.journal is not None:
            self.tell("took_waiting", (seat,))
        packet = self.waiting_of(seat)
        self.packets = Four(self.packets & ~(FOUR << seat * 4) | packet << seat * 4)
        self.waiting = Seats(self.waiting & ~(1 << seat))

    # Turf wars ---------------------------------------------------------------------------------

    def red_three_seen(self, seat: Seat) -> None:
        """This seat has shown the red 3 (RT 3.1)."""
        if self.journal is not None:
            self.tell("red_three_seen", (seat,))
        self.red_three_asked = True
        self.red_three_shown = Seats(1 << seat)

    def red_three_missed(self) -> None:
        """No hand has the red 3 (RT 3.2)."""
        if self.journal is not None:
            self.tell("red_three_missed", ())
        self.red_three_asked = True

    def war_began(self, seat: Seat) -> None:
        """The first turf war of a round began."""
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
        """This seat ended the turf war (RT 4.6)."""
        if self.journal is not None:
            self.tell("cut_short", (seat,))

    def stayed(self, seat: Seat) -> None:
        if self.journal is not None:
            self.tell("stayed", (seat,))
        self._turn_after(seat)

    def war_ended(self, starter: Seat) -> None:
        """All cards at locations were discarded, and that seat starts the next turf war."""
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
        """Keep the Hitmen played in this round as evidence for supplies (RT 2.8, hidden)."""
        if self.is_open or self.form != STANDARD:
            return
        packet: i64 = 0
        while packet < self.seats:
            gone = self.laid_from(Packet(packet))
            if gone >> RED_AT:
                self.spent = append(self.spent, spent(self.round, Packet(packet), gone))
            packet += 1


RedTownState = State[RedTownPublic, RedTownOwn, RedTownHidden]
