# mypyc: compile
"""The possible colours of unseen Hitmen and their probabilities, if `hitmen` is hidden (RT 2.8).

All facts about Hitmen are processed in order, with a table of all possible colourings and their
weights. A seat that adds Hitmen takes evenly one of the colours (or sums of colours) that it has.
The cards that this seat has held or has seen played rule out colourings.
"""

from typing import Final, final

from mypy_extensions import i64

from zashiki.core.dice import Chance
from zashiki.games.red_town.cards import NAMES, Cards, black_hitmen, collected, plus, red_hitmen
from zashiki.games.red_town.own import RedTownOwn
from zashiki.games.red_town.packing import NOBODY, STANDARD, TWO, Packet, action_in, packet_in
from zashiki.games.red_town.state import RedTownPublic

World = tuple[int, int, int]
"""Red Hitmen in each supply, black ones in each supply, red ones in each packet: four bits each."""

SINGLE: Final = 2
SEVERAL: Final = 6
"""A multiple of every number of possible sums, so that weights are whole numbers."""


@final
class Colours:
    """The colourings that are possible for a seat, with their weights."""

    def __init__(self, public: RedTownPublic, own: RedTownOwn) -> None:
        self.public: Final = public
        self.own: Final = own
        self.most: Final[i64] = 2 if public.form == STANDARD else 1
        self.counts: list[int] = [0, 0, 0, 0, 0]
        """The number of Hitmen in each packet of the round that is processed."""
        self.added = 0
        self.worlds: dict[World, int] = {}
        self.begin()
        self.go_through()

    def begin(self) -> None:
        public = self.public
        most = int(self.most)
        full = sum(most << 4 * seat for seat in range(int(public.seats)))
        self.worlds = {(full, full, 0): 1}
        if public.scene_round:
            self.worlds = {(0, 0, 0): 1}
            for seat in range(int(public.seats)):
                self.find_supply(seat, int(public.scene_supply >> seat * 4 & 15))
            for packet in range(int(public.packet_count())):
                self.find_packet(packet, int(public.scene_held_by >> packet * 8 & 255))
            self.keep_possible()

    # A scenario: all colourings that the numbers allow, evenly ------------------------------------

    def find_supply(self, seat: int, size: int) -> None:
        most = int(self.most)
        possible = range(max(0, size - most), min(most, size) + 1)
        if seat == self.own.seat:
            known = int(red_hitmen(self.own.scene_supply))
            possible = range(known, known + 1)
        self.worlds = {
            (red | r << 4 * seat, black | size - r << 4 * seat, reds): weight
            for (red, black, reds), weight in self.worlds.items()
            for r in possible
        }

    def find_packet(self, packet: int, size: int) -> None:
        self.counts[packet] = size
        possible = range(size + 1)
        hand = 2 * self.own.seat if self.public.form == TWO else self.own.seat
        if packet == hand and not self.public.found_sets:
            possible = range(int(self.own.scene_reds), int(self.own.scene_reds) + 1)
        self.worlds = {
            (red, black, reds | r << 4 * packet): weight
            for (red, black, reds), weight in self.worlds.items()
            for r in possible
        }

    def keep_possible(self) -> None:
        """Keep the worlds that, with the open cards of that time, have enough Hitmen per colour."""
        seen = laid_before(self.public)
        most = int(self.most * self.public.seats)
        total = sum(self.counts)
        self.worlds = {
            world: weight
            for world, weight in self.worlds.items()
            if total_of(world[0]) + total_of(world[2]) + red_hitmen(seen) <= most
            and total_of(world[1]) + total - total_of(world[2]) + black_hitmen(seen) <= most
        }

    # Facts since then -----------------------------------------------------------------------------

    def go_through(self) -> None:
        public, own = self.public, self.own
        now = int(public.round)
        for round in range(int(public.scene_round) or 1, now + 1):
            self.begin_round(round)
            for stage in range(16):
                hires = [int(one) for one in public.hires if one & 255 == round | stage << 4]
                if not hires:
                    break
                for one in hires:
                    self.hire(one >> 8 & 15, one >> 12 & 15, one >> 16)
                self.see_handed(round, stage)
            if round < now:
                self.end_round(round)
        self.see_present()
        left = (int(red_hitmen(own.supply)), int(black_hitmen(own.supply)))
        seat = int(own.seat)
        self.keep(0, seat, left[0], left[0])
        self.keep(1, seat, left[1], left[1])

    def begin_round(self, round: int) -> None:
        """Start a new round; with two players each seat has both Hitmen again (RT 7.8)."""
        if round == self.public.scene_round:
            return
        self.counts = [0, 0, 0, 0, 0]
        again: dict[World, int] = {}
        for (red, black, _), weight in self.worlds.items():
            fresh = (0x11, 0x11, 0) if self.public.form == TWO else (red, black, 0)
            again[fresh] = again.get(fresh, 0) + weight
        self.worlds = again

    def hire(self, seat: int, packet: int, count: int) -> None:
        """Add a seat's Hitmen to a packet in all worlds; the seat itself knows their colours."""
        known = -1
        if seat == self.own.seat and self.added < len(self.own.added):
            known = int(self.own.added[self.added])
            self.added += 1
        self.counts[packet] += count
        whole = SINGLE if count == 1 else SEVERAL
        after: dict[World, int] = {}
        for (red, black, reds), weight in self.worlds.items():
            least = max(0, count - (black >> 4 * seat & 15))
            most = min(count, red >> 4 * seat & 15)
            for r in range(least, most + 1):
                if known in (-1, r):
                    world = (
                        red - (r << 4 * seat),
                        black - (count - r << 4 * seat),
                        reds + (r << 4 * packet),
                    )
                    share = weight * (whole // (most - least + 1))
                    after[world] = after.get(world, 0) + share
        self.worlds = after

    def see_handed(self, round: int, stage: int) -> None:
        """Use the hand that this seat passed on at this stage, which it had seen."""
        own = self.own
        places = [place for place in range(len(own.handed)) if own.handed[place] & 15 == round]
        if stage < len(places):
            reds = int(red_hitmen(Cards(own.handed_cards[places[stage]])))
            self.keep(2, int(own.handed[places[stage]] >> 8), reds, reds)

    def end_round(self, round: int) -> None:
        """Use the cards played from each packet in an earlier round, and this seat's hand in it."""
        for one in self.public.spent:
            if one & 15 == round:
                self.see_laid(int(one >> 4 & 15), int(one >> 8 & 15), int(one >> 12))
        for one in self.own.ended:
            if one & 15 == round and self.public.form != TWO:
                reds = int(one >> 8)
                self.keep(2, int(one >> 4 & 15), reds, reds)

    def see_present(self) -> None:
        public, own = self.public, self.own
        for packet in range(int(public.packet_count())):
            gone = public.laid_from(Packet(packet))
            self.see_laid(packet, int(red_hitmen(gone)), int(black_hitmen(gone)))
        if public.form == TWO:
            self.see_sets()
        if public.holding >> own.seat & 1:
            packet = int(public.packet_of(own.seat))
            reds = red_hitmen(own.hand) + red_hitmen(public.laid_from(Packet(packet)))
            self.keep(2, packet, int(reds), int(reds))

    def see_sets(self) -> None:
        """Use the set that this seat looked at, with the Hitman that joined it."""
        for packet in range(4):
            seen = Cards(self.own.known[packet])
            reds = int(red_hitmen(seen))
            if seen and reds + black_hitmen(seen) == self.counts[packet]:
                self.keep(2, packet, reds, reds)

    def see_laid(self, packet: int, red: int, black: int) -> None:
        self.keep(2, packet, red, self.counts[packet] - black)

    def keep(self, which: int, place: int, least: int, most: int) -> None:
        """Keep the worlds with a number of Hitmen between these limits at this place."""
        self.worlds = {
            world: weight
            for world, weight in self.worlds.items()
            if least <= world[which] >> 4 * place & 15 <= most
        }

    def draw(self, chance: Chance) -> World:
        """Draw a world by its probability."""
        place = int(chance.below(sum(self.worlds.values()), "hitmen"))
        for world, weight in self.worlds.items():
            place -= weight
            if place < 0:
                return world
        raise ValueError("no colours of Hitmen agree with the view")


def total_of(lanes: int) -> int:
    return sum(lanes >> 4 * place & 15 for place in range(5))


def laid_before(public: RedTownPublic) -> Cards:
    """Return the cards of the present round that were open when a scenario began."""
    cards = collected([NAMES.index(name) for name in public.found.split()])
    for entry in public.laid:
        if packet_in(entry) == NOBODY:
            cards = plus(cards, Cards(public.plays.packed[action_in(entry)]))
    return cards
