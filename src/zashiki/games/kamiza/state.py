# mypyc: compile
"""The state of a KAMIZA match by who knows it, in packed integers, and its facts."""

from typing import Final, NewType, final

from librt.vecs import vec
from mypy_extensions import i64

from zashiki.core.parts import NO_SEATS, Hidden, Own, Public, Seat, Seats, State, bit, next_of

FaceDown = NewType("FaceDown", i64)
"""A card known to its owner only: boss 0, underboss 1, hitman 2, police or raid 3."""

FaceUp = NewType("FaceUp", i64)
"""A public card, with the same numbers. Only `turned_up` makes one from a `FaceDown`."""

Area = NewType("Area", i64)

Hand = NewType("Hand", i64)
"""A set of cards of one seat, as bits."""

Layout = NewType("Layout", i64)
"""Cards face up, four bits per seat: the card, its area (4), and whether there is one (8)."""

Lanes = NewType("Lanes", i64)
"""A number for each seat, 12 bits apart."""

BOSS: Final = 0
UNDERBOSS: Final = 1
HITMAN: Final = 2
OFFICER: Final = 3
TOP: Final = 0
BOTTOM: Final = 1

ALL_CARDS: Final = 0b1111
LIES_HERE: Final = 8
GAMES: Final = 3
ROUNDS: Final = 3
LANE: Final = 12
LANE_MASK: Final = 0xFFF
STARTER: Final = 16
"""The shift of the starter in a round of the history, above the layout."""


def turned_up(card: FaceDown, area: Area) -> Layout:
    """Reveal a card in an area: make it public."""
    return Layout(LIES_HERE | area << 2 | card)


@final
class KamizaPublic(Public):
    """The public state: scores, spent cards, the seats that have placed, and judged rounds."""

    def __init__(self, seats: int) -> None:
        super().__init__()
        self.seats: i64 = seats
        self.game: i64 = 1
        self.round: i64 = 1
        self.starter: Seat = Seat(0)
        self.acting: Seats = NO_SEATS
        self.over: bool = False
        self.scores: Lanes = Lanes(0)
        self.wanted: Lanes = Lanes(0)
        self.dropped: Seats = NO_SEATS
        self.spent: i64 = 0
        """The cards played in this game before this round, four bits per seat."""
        self.placed_by: Seats = NO_SEATS
        self.at_bottom: Seats = NO_SEATS
        self.opened: Layout = Layout(0)
        self.order: i64 = 0
        """The seats that have placed, four bits each, the first in the lowest bits."""
        self.count: i64 = 0
        """The number of seats that have placed."""
        self.history: vec[i64] = vec[i64]([0, 0, 0, 0, 0, 0, 0, 0, 0])
        """Each judged round, by game and round: layout and starter; 0 if it is not known."""
        self.threats: dict[int, str] = {}
        """The threats of this round, by seat."""
        self.said_before: dict[int, dict[int, str]] = {}
        """The threats of the judged rounds, in the order of `history`."""

    def spent_by(self, seat: Seat) -> Hand:
        return Hand(self.spent >> seat * 4 & ALL_CARDS)

    def waiting(self) -> Seats:
        """Return the seats still to place in this round."""
        return Seats(((1 << self.seats) - 1) & ~(self.placed_by | self.dropped))

    # Facts -------------------------------------------------------------------------------------

    def starter_drawn(self, seat: Seat) -> None:
        if self.journal is not None:
            self.tell("starter_drawn", (seat,))
        self.starter = seat
        self.acting = Seats(1 << seat)

    def said(self, seat: Seat, words: str) -> None:
        super().said(seat, words)
        self.threats = {**self.threats, int(seat): words}

    def placed(self, seat: Seat, area: Area) -> None:
        if self.journal is not None:
            self.tell("placed", (seat, area))
        self._take_place(seat, area)

    def placed_open(self, seat: Seat, card: FaceUp, area: Area) -> None:
        if self.journal is not None:
            self.tell("placed_open", (seat, card, area))
        self.opened = Layout(self.opened | (LIES_HERE | area << 2 | card) << seat * 4)
        self._take_place(seat, area)

    def revealed(self, layout: Layout) -> None:
        if self.journal is not None:
            self.tell("revealed", (layout,))
        number = (self.game - 1) * ROUNDS + self.round - 1
        self.history[number] = layout | self.starter << STARTER
        if self.threats:
            self.said_before = {**self.said_before, int(number): self.threats}
            self.threats = {}
        shift: i64 = 0
        while shift < self.seats * 4:
            if layout >> shift & LIES_HERE:
                self.spent |= 1 << (layout >> shift & 3) + shift
            shift += 4
        self._clear_table()

    def raided(self, seat: Seat) -> None:
        if self.journal is not None:
            self.tell("raided", (seat,))

    def boss_shot(self, boss: Seat, hitman: Seat) -> None:
        if self.journal is not None:
            self.tell("boss_shot", (boss, hitman))

    def judged(self, misplaced: Seats, cancelled: Seats, beaten: Seats, points: Lanes) -> None:
        if self.journal is not None:
            self.tell("judged", (misplaced, cancelled, beaten, points))
        self.scores = Lanes(self.scores + points)

    def wanted_taken(self, seat: Seat) -> None:
        if self.journal is not None:
            self.tell("wanted_taken", (seat,))
        self.wanted = Lanes(self.wanted + bit(seat * LANE))

    def dropped_out(self, seat: Seat) -> None:
        if self.journal is not None:
            self.tell("dropped_out", (seat,))
        self.dropped = Seats(self.dropped | 1 << seat)

    def round_began(self, game: i64, round: i64, starter: Seat) -> None:
        if self.journal is not None:
            self.tell("round_began", (game, round, starter))
        if game != self.game:
            self.spent = 0
        self.game = game
        self.round = round
        self.starter = starter
        self.acting = Seats(1 << starter)

    def ended(self) -> None:
        if self.journal is not None:
            self.tell("ended", ())
        self.over = True

    def scene_set(
        self,
        game: i64,
        round: i64,
        starter: Seat,
        scores: Lanes,
        wanted: Lanes,
        dropped: Seats,
        spent: i64,
    ) -> None:
        if self.journal is not None:
            self.tell("scene_set", (game, round, starter, scores, wanted, dropped, spent))
        self.game = game
        self.round = round
        self.starter = starter
        self.scores = scores
        self.wanted = wanted
        self.dropped = dropped
        self.spent = spent

    def turn_came(self, acting: Seats) -> None:
        if self.journal is not None:
            self.tell("turn_came", (acting,))
        self.acting = acting
        self.over = acting == NO_SEATS

    # Bookkeeping -------------------------------------------------------------------------------

    def _take_place(self, seat: Seat, area: Area) -> None:
        if self.placed_by >> seat & 1:
            raise ValueError(f"seat {int(seat)} has placed already")
        self.placed_by = Seats(self.placed_by | 1 << seat)
        self.at_bottom = Seats(self.at_bottom | area << seat)
        self.order |= seat << self.count * 4
        self.count += 1
        self.acting = next_of(self.waiting(), seat)

    def _clear_table(self) -> None:
        self.placed_by = NO_SEATS
        self.at_bottom = NO_SEATS
        self.opened = Layout(0)
        self.order = 0
        self.count = 0

    def copy(self) -> "KamizaPublic":
        twin = KamizaPublic(int(self.seats))
        twin.game = self.game
        twin.round = self.round
        twin.starter = self.starter
        twin.acting = self.acting
        twin.over = self.over
        twin.scores = self.scores
        twin.wanted = self.wanted
        twin.dropped = self.dropped
        twin.spent = self.spent
        twin.placed_by = self.placed_by
        twin.at_bottom = self.at_bottom
        twin.opened = self.opened
        twin.order = self.order
        twin.count = self.count
        for place in range(GAMES * ROUNDS):
            twin.history[place] = self.history[place]
        twin.threats = self.threats
        twin.said_before = self.said_before
        return twin


@final
class KamizaOwn(Own):
    """The state of one seat: the card that it placed last. Everything else about it is public."""

    def __init__(self, seat: Seat) -> None:
        super().__init__(seat)
        self.card: FaceDown = FaceDown(BOSS)

    def laid(self, card: FaceDown) -> None:
        if self.journal is not None:
            self.tell("laid", (card,))
        self.card = card

    def copy(self) -> "KamizaOwn":
        twin = KamizaOwn(self.seat)
        twin.card = self.card
        return twin


KamizaState = State[KamizaPublic, KamizaOwn, Hidden]


def hand(public: KamizaPublic, own: KamizaOwn) -> Hand:
    """Return the cards in a seat's hand: those neither spent nor on the table."""
    cards = ALL_CARDS & ~public.spent_by(own.seat)
    if public.placed_by >> own.seat & 1:
        cards &= ~(1 << own.card)
    return Hand(cards)
