# mypyc: compile
"""The state of a Goofspiel match by who knows it, in packed integers, and its facts."""

from typing import Final, NewType, final

from librt.vecs import vec
from mypy_extensions import i64

from zashiki.core.parts import NO_SEATS, Hidden, Own, Public, Seat, Seats, State, bit

Bid = NewType("Bid", i64)
"""The number of a bid card, known to its owner only."""

Bids = NewType("Bids", i64)
"""Public bids, four bits per seat. Only `turned_up` makes one from a `Bid`."""

Prize = NewType("Prize", i64)
"""The number of a prize."""

Cards = NewType("Cards", i64)
"""A set of cards, as bits: card 7 is in it when bit 7 is set."""

Hands = NewType("Hands", i64)
"""A set of cards for each seat, 16 bits apart."""

Lanes = NewType("Lanes", i64)
"""A number for each seat, 12 bits apart."""

NO_PRIZE: Final = Prize(0)
HAND: Final = 16
HAND_MASK: Final = 0xFFFF
LANE: Final = 12
LANE_MASK: Final = 0xFFF
BID: Final = 4
BID_MASK: Final = 0xF


def turned_up(bid: Bid, seat: Seat) -> Bids:
    """Reveal a bid to everybody."""
    return Bids(bid << seat * BID)


def all_cards(count: i64) -> Cards:
    """Return the set of the cards 1 … count."""
    return Cards(bit(count + 1) - 2)


@final
class GoofspielPublic(Public):
    """The public state: prizes, scores, spent cards, and which seats have chosen."""

    def __init__(self, seats: i64, cards: i64) -> None:
        super().__init__()
        self.seats: i64 = seats
        self.cards: i64 = cards
        self.round: i64 = 0
        self.prize: Prize = NO_PRIZE
        """The prize of this round."""
        self.to_come: Cards = all_cards(cards)
        """The prizes not yet turned up."""
        self.acting: Seats = NO_SEATS
        """The seats still to choose in this round."""
        self.scores: Lanes = Lanes(0)
        self.unspent: Hands = Hands(0)
        """The cards each seat has not bid in the rounds before this one."""
        seat: i64 = 0
        while seat < seats:
            self.unspent = Hands(self.unspent | all_cards(cards) << seat * HAND)
            seat += 1
        self.history: vec[i64] = vec[i64]([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
        """The prize and, four bits above it, the bids of each round; 0 where they are not known."""

    def unspent_by(self, seat: Seat) -> Cards:
        return Cards(self.unspent >> seat * HAND & HAND_MASK)

    def has_bid(self, seat: Seat) -> bool:
        """Return whether this seat has a bid face down."""
        return self.prize != NO_PRIZE and self.acting >> seat & 1 == 0

    # Facts -------------------------------------------------------------------------------------

    def prize_turned_up(self, round: i64, prize: Prize) -> None:
        if self.journal is not None:
            self.tell("prize_turned_up", (round, prize))
        self.round = round
        self.prize = prize
        self.to_come = Cards(self.to_come & ~bit(prize))
        self.acting = Seats(bit(self.seats) - 1)

    def has_chosen(self, seat: Seat) -> None:
        if self.journal is not None:
            self.tell("has_chosen", (seat,))
        self.acting = Seats(self.acting & ~bit(seat))

    def revealed(self, bids: Bids) -> None:
        if self.journal is not None:
            self.tell("revealed", (bids,))
        self.history[self.round - 1] = bids << BID | self.prize
        spent: i64 = 0
        seat: i64 = 0
        while seat < self.seats:
            spent |= bit((bids >> seat * BID & BID_MASK) + seat * HAND)
            seat += 1
        self.unspent = Hands(self.unspent & ~spent)

    def prize_won(self, seat: Seat, prize: Prize) -> None:
        if self.journal is not None:
            self.tell("prize_won", (seat, prize))
        self.scores = Lanes(self.scores + (prize << seat * LANE))
        self.prize = NO_PRIZE

    def prize_discarded(self, prize: Prize) -> None:
        if self.journal is not None:
            self.tell("prize_discarded", (prize,))
        self.prize = NO_PRIZE

    def scene_set(self, round: i64, to_come: Cards, scores: Lanes, unspent: Hands) -> None:
        if self.journal is not None:
            self.tell("scene_set", (round, to_come, scores, unspent))
        self.round = round
        self.to_come = to_come
        self.scores = scores
        self.unspent = unspent

    # Bookkeeping -------------------------------------------------------------------------------

    def copy(self) -> "GoofspielPublic":
        twin = GoofspielPublic(self.seats, self.cards)
        twin.round = self.round
        twin.prize = self.prize
        twin.to_come = self.to_come
        twin.acting = self.acting
        twin.scores = self.scores
        twin.unspent = self.unspent
        place: i64 = 0
        while place < self.round:
            twin.history[place] = self.history[place]
            place += 1
        return twin


@final
class GoofspielOwn(Own):
    """The state of one seat: the card that it chose last. Whether it is face down is public."""

    def __init__(self, seat: Seat) -> None:
        super().__init__(seat)
        self.bid: Bid = Bid(0)

    def chose(self, bid: Bid) -> None:
        if self.journal is not None:
            self.tell("chose", (bid,))
        self.bid = bid

    def copy(self) -> "GoofspielOwn":
        twin = GoofspielOwn(self.seat)
        twin.bid = self.bid
        return twin


GoofspielState = State[GoofspielPublic, GoofspielOwn, Hidden]


def hand(public: GoofspielPublic, own: GoofspielOwn) -> Cards:
    """Return the cards in a seat's hand: those neither spent nor chosen in this round."""
    cards = public.unspent_by(own.seat)
    if public.has_bid(own.seat):
        cards = Cards(cards & ~bit(own.bid))
    return cards


def size(cards: Cards) -> i64:
    """Return the number of cards in a set."""
    count: i64 = 0
    while cards:
        cards = Cards(cards & cards - 1)  # without its lowest
        count += 1
    return count


def nth(cards: Cards, place: i64) -> i64:
    """Return the number of the card at this index in a set; the lowest card has index 0."""
    while place > 0:
        cards = Cards(cards & cards - 1)
        place -= 1
    number: i64 = 0
    while not cards >> number & 1:
        number += 1
    return number
