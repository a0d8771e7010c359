# mypyc: compile
"""What is known of a match of Kingdoms, to whom, and the facts that change it."""

from typing import Final, NewType, final

from mypy_extensions import i64

from zashiki.core.parts import NO_SEATS, Hidden, Own, Public, Seat, Seats, State
from zashiki.games.kingdoms.cards import (
    CARD,
    MOST,
    NO_CARD,
    NO_CARDS,
    Hand,
    Kind,
    Row,
    both,
    kinds_of,
    minus,
    plus,
    without,
)
from zashiki.games.kingdoms.forces import ACE, ALL_AREAS, NORMAL, Forces

PHASES: Final = ("draft", "deploy", "defend", "leave", "over")
DRAFT: Final = 0
DEPLOY: Final = 1
DEFEND: Final = 2
LEAVE: Final = 3
OVER: Final = 4

WINNERS: Final = ("red", "blue", "nobody")
NOBODY: Final = 2
REASONS: Final = ("fallen", "five-areas", "standstill", "turn-200")
BY_MONARCH: Final = 0
BY_AREAS: Final = 1
BY_STANDSTILL: Final = 2
BY_TURNS: Final = 3

Backs = NewType("Backs", i64)
"""How many cards of each class: eight bits for normal cards, then those for aces."""

NO_AREA: Final = -1

MOST_STILL: Final = 4
"""RB 4.6."""
MOST_TURNS: Final = 200
"""RB 4.7."""


@final
class KingdomsPublic(Public):
    """What lies open, how many cards of which back are where, and whose decision it is."""

    def __init__(self, forces: Forces) -> None:
        super().__init__()
        self.forces: Final = forces
        self.phase: i64 = OVER
        self.acting: Seats = NO_SEATS
        self.owner: Seat = Seat(0)
        """Whose turn it is, whoever owes a decision in it."""
        self.number: i64 = 0
        """Of the turn, from 1; 0 before the first fact."""
        self.still: i64 = 0
        """Finished turns in a row without a card placed (RB 4.6)."""
        self.placed: bool = False
        self.cards: Row = Row(0)
        """The card in each area, from red to blue."""
        self.held: i64 = 0
        """The areas that Red holds, as bits; eight bits further those of Blue."""
        self.backs: i64 = 0
        """The cards in each hand: sixteen bits a seat, eight of them for each class."""
        self.known: list[Hand] = [NO_CARDS, NO_CARDS]
        """RB 1.6: the cards that all have seen going to each hand. While attackers are face down,
        one of them may be among these."""
        self.left: i64 = 0
        """How many cards are in each pile, eight bits a class."""
        self.discards: list[list[int]] = [[], []]
        """By class, the oldest first."""
        # The battle
        self.area: i64 = NO_AREA
        self.down: Backs = Backs(0)
        """The attackers that are face down."""
        self.attackers: Hand = NO_CARDS
        """The attackers that are revealed."""
        self.added: Kind = NO_CARD
        self.winner: i64 = NOBODY
        """Of the battle, while it is asked which card stays; of the match, when it is over."""
        self.reason: i64 = 0
        # What can be worked out by counting
        self.remade: i64 = 0
        """The classes of which a pile was made new, as bits."""
        self.moves: list[int] = []
        """Since then, cards of that class that all saw leave a hand or return to it."""

    def areas_of(self, seat: Seat) -> i64:
        return self.held >> seat * 8 & ALL_AREAS

    def card_in(self, area: i64) -> Kind:
        return Kind(self.cards >> area * CARD & 63)

    def backs_of(self, seat: Seat) -> Backs:
        return Backs(self.backs >> seat * 16 & 65535)

    def room_of(self, seat: Seat) -> i64:
        """RB 2.2: how many cards may still come to a hand."""
        backs = self.backs >> seat * 16
        room = MOST - (backs & 255) - (backs >> 8 & 255)
        return room if room > 0 else 0

    def left_of(self, rank: i64) -> i64:
        return self.left >> rank * 8 & 255

    def funds_of(self, seat: Seat) -> i64:
        return self.forces.funds_of(seat, self.areas_of(seat))

    # Turns -------------------------------------------------------------------------------------

    def began(self) -> None:
        """RB 1.5."""
        if self.journal is not None:
            self.tell("began", ())
        monarchs = self.forces.monarchs
        self.cards = Row(monarchs[0] | monarchs[1] << 4 * CARD)
        self.held = 1 | 1 << 4 + 8
        self.backs = MOST | MOST << 16
        self.left = len(self.forces.piles[NORMAL]) - 2 * MOST | len(self.forces.piles[ACE]) << 8
        self._begin(Seat(0), 1)

    def _begin(self, seat: Seat, number: i64) -> None:
        self.number = number
        self.owner = seat
        self.acting = Seats(1 << seat)
        self.phase = DRAFT
        self.placed = False

    def turn_ended(self, seat: Seat) -> None:
        if self.journal is not None:
            self.tell("turn_ended", (seat,))
        if self.placed:
            self.still = 0
        elif self.still < MOST_STILL:
            self.still += 1

    def turn_began(self, seat: Seat, number: i64) -> None:
        if self.journal is not None:
            self.tell("turn_began", (seat, number))
        self._begin(seat, number)

    def ended(self, winner: i64, reason: i64) -> None:
        if self.journal is not None:
            self.tell("ended", (winner, reason))
        self.phase = OVER
        self.acting = NO_SEATS
        self.winner = winner
        self.reason = reason

    # Draft -------------------------------------------------------------------------------------

    def drafted(self, seat: Seat, normal: i64, ace: i64) -> None:
        """RB 2.1: what is drawn is said first."""
        if self.journal is not None:
            self.tell("drafted", (seat, normal, ace))
        self.phase = DEPLOY

    def drew(self, seat: Seat, rank: i64, count: i64) -> None:
        if self.journal is not None:
            self.tell("drew", (seat, rank, count))
        self.left -= count << rank * 8
        self.backs += count << seat * 16 + rank * 8

    def pile_made(self, rank: i64) -> None:
        """RB 2.3."""
        if self.journal is not None:
            self.tell("pile_made", (rank,))
        self.left += len(self.discards[rank]) << rank * 8
        self.discards[rank] = []
        self.remade |= 1 << rank
        classes = self.forces.classes
        self.moves = [move for move in self.moves if classes[move & 63] != rank]

    # Deployment --------------------------------------------------------------------------------

    def occupied(self, seat: Seat, area: i64, kind: Kind) -> None:
        if self.journal is not None:
            self.tell("occupied", (seat, area, kind))
        self.placed = True
        self._leave_hand(seat, kind)
        self._hold(seat, area, kind)

    def swapped(self, seat: Seat, area: i64, kind: Kind, taken: Kind) -> None:
        """RB 5.1."""
        if self.journal is not None:
            self.tell("swapped", (seat, area, kind, taken))
        self.placed = True
        self._leave_hand(seat, kind)
        self._return(seat, taken)
        self._hold(seat, area, kind)

    def attacked(self, seat: Seat, area: i64, normal: i64, ace: i64) -> None:
        if self.journal is not None:
            self.tell("attacked", (seat, area, normal, ace))
        self.placed = True
        self.backs -= normal + (ace << 8) << seat * 16
        self.area = area
        self.down = Backs(normal | ace << 8)
        self.phase = DEFEND
        self.acting = Seats(1 << 1 - seat)

    def _hold(self, seat: Seat, area: i64, kind: Kind) -> None:
        self._empty(area)
        self.cards = Row(self.cards | kind << area * CARD)
        self.held |= 1 << area + seat * 8

    def _empty(self, area: i64) -> None:
        self.cards = Row(self.cards & ~(63 << area * CARD))
        self.held &= ~(257 << area)

    def _leave_hand(self, seat: Seat, kind: Kind) -> None:
        self.backs -= 1 << seat * 16 + self.forces.classes[kind] * 8
        self._seen(seat, kind)

    def _seen(self, seat: Seat, kind: Kind) -> None:
        """A card of this hand is revealed: it is there no more."""
        if self.known[seat]:
            self.known[seat] = minus(self.known[seat], kind)
        if self.remade >> self.forces.classes[kind] & 1:
            self.moves.append(int(kind | seat << 6))

    def _return(self, seat: Seat, kind: Kind) -> None:
        """All see a card go to this hand."""
        self.backs += 1 << seat * 16 + self.forces.classes[kind] * 8
        self.known[seat] = plus(self.known[seat], kind)
        if self.remade >> self.forces.classes[kind] & 1:
            self.moves.append(int(kind | seat << 6 | RETURNS))

    # Battle ------------------------------------------------------------------------------------

    def revealed(self, seat: Seat, area: i64, attackers: Hand, defender: Kind, added: Kind) -> None:
        if self.journal is not None:
            self.tell("revealed", (seat, area, attackers, defender, added))
        self.down = Backs(0)
        self.attackers = attackers
        self.added = added
        left: int = attackers
        while left:
            self._seen(seat, Kind(left & 63))
            left >>= CARD
        if added:
            self._leave_hand(Seat(1 - seat), added)

    def counted(self, seat: Seat, kind: Kind, area: i64, source: i64, amount: i64) -> None:
        """A line of the battle's arithmetic: it follows from the cards, and changes nothing."""
        if self.journal is not None:
            self.tell("counted", (seat, kind, area, source, amount))

    def offset_counted(self, seat: Seat, area: i64, amount: i64) -> None:
        if self.journal is not None:
            self.tell("offset_counted", (seat, area, amount))

    def offset_cancelled(self, seat: Seat, area: i64, kind: Kind) -> None:
        if self.journal is not None:
            self.tell("offset_cancelled", (seat, area, kind))

    def totalled(self, area: i64, attack: i64, defence: i64) -> None:
        if self.journal is not None:
            self.tell("totalled", (area, attack, defence))

    def battle_won(self, seat: Seat, area: i64) -> None:
        if self.journal is not None:
            self.tell("battle_won", (seat, area))

    def battle_tied(self, area: i64) -> None:
        if self.journal is not None:
            self.tell("battle_tied", (area,))

    def leave_asked(self, seat: Seat) -> None:
        if self.area == NO_AREA:
            raise ValueError("there is no battle")
        if self.journal is not None:
            self.tell("leave_asked", (seat,))
        self.phase = LEAVE
        self.winner = seat
        self.acting = Seats(1 << seat)

    def discarded(self, seat: Seat, cards: Row) -> None:
        if self.journal is not None:
            self.tell("discarded", (seat, cards))
        left: i64 = cards
        while left:
            kind = left & 63
            self.discards[self.forces.classes[kind]].append(int(kind))
            left >>= CARD

    def returned(self, seat: Seat, kind: Kind) -> None:
        """RB 5.2."""
        if self.journal is not None:
            self.tell("returned", (seat, kind))
        self._return(seat, kind)

    def took_hold(self, seat: Seat, area: i64, kind: Kind) -> None:
        """This card holds the area from now on."""
        if self.journal is not None:
            self.tell("took_hold", (seat, area, kind))
        self._hold(seat, area, kind)

    def emptied(self, area: i64) -> None:
        """RB 3.5."""
        if self.journal is not None:
            self.tell("emptied", (area,))
        self._empty(area)

    def battle_ended(self, area: i64) -> None:
        if self.journal is not None:
            self.tell("battle_ended", (area,))
        self.area = NO_AREA
        self.attackers = NO_CARDS
        self.added = NO_CARD
        self.winner = NOBODY
        self.phase = DEPLOY
        self.acting = Seats(1 << self.owner)

    # Scenarios ---------------------------------------------------------------------------------

    def scene_set(
        self, owner: Seat, acting: Seats, phase: i64, number: i64, still: i64, placed: i64
    ) -> None:
        """Whose turn and whose decision it is, and how far the match has come."""
        if self.area == NO_AREA and phase in (DEFEND, LEAVE):
            raise ValueError("there is no battle")
        if (acting == NO_SEATS) != (phase == OVER):
            raise ValueError("somebody is to act until the match is over, and then nobody")
        if self.journal is not None:
            self.tell("scene_set", (owner, acting, phase, number, still, placed))
        self.owner = owner
        self.acting = acting
        self.phase = phase
        self.number = number
        self.still = still
        self.placed = bool(placed)

    def scene_held(self, seat: Seat, area: i64, kind: Kind) -> None:
        if self.journal is not None:
            self.tell("scene_held", (seat, area, kind))
        self._hold(seat, area, kind)

    def scene_hand(self, seat: Seat, normal: i64, ace: i64, known: Hand) -> None:
        """The backs of a hand; only a monarch can be known in it, by being nowhere else."""
        if self.journal is not None:
            self.tell("scene_hand", (seat, normal, ace, known))
        self.backs |= normal + (ace << 8) << seat * 16
        self.known[seat] = known

    def scene_pile(self, rank: i64, count: i64, discards: str) -> None:
        if self.journal is not None:
            self.tell("scene_pile", (rank, count, discards))
        self.left |= count << rank * 8
        self.discards[rank] = [ord(letter) - LETTER for letter in discards]

    def copy(self) -> "KingdomsPublic":
        """The same, without a journal, to play on with."""
        twin = KingdomsPublic(self.forces)
        twin.phase = self.phase
        twin.acting = self.acting
        twin.owner = self.owner
        twin.number = self.number
        twin.still = self.still
        twin.placed = self.placed
        twin.cards = self.cards
        twin.held = self.held
        twin.backs = self.backs
        twin.known = list(self.known)
        twin.left = self.left
        twin.discards = [list(self.discards[NORMAL]), list(self.discards[ACE])]
        twin.area = self.area
        twin.down = self.down
        twin.attackers = self.attackers
        twin.added = self.added
        twin.winner = self.winner
        twin.reason = self.reason
        twin.remade = self.remade
        twin.moves = list(self.moves)
        return twin


RETURNS: Final = 128
"""A move back to a hand, not out of it. Below this bit stands the seat, and below that the kind."""
LETTER: Final = 64
"""A pile in order is a text, with a letter for each card: this and the number of its kind."""


def spelled(kinds: list[int]) -> str:
    return "".join([chr(LETTER + kind) for kind in kinds])


@final
class KingdomsOwn(Own):
    """A seat's hand, its attackers while they are face down, and what it has worked out."""

    def __init__(self, seat: Seat) -> None:
        super().__init__(seat)
        self.hand: Hand = NO_CARDS
        self.attackers: Hand = NO_CARDS
        self.theirs: list[Hand] = [NO_CARDS, NO_CARDS]
        """By class: the other's cards when the last pile of that class was made."""
        self.mine: list[Hand] = [NO_CARDS, NO_CARDS]
        """By class: the own cards at that moment, which the other has worked out."""

    def dealt(self, cards: Hand) -> None:
        if self.journal is not None:
            self.tell("dealt", (cards,))
        self.hand = cards

    def took(self, cards: Hand) -> None:
        if self.journal is not None:
            self.tell("took", (cards,))
        self.hand = both(self.hand, cards)

    def laid(self, kind: Kind) -> None:
        if self.journal is not None:
            self.tell("laid", (kind,))
        self.hand = minus(self.hand, kind)

    def committed(self, cards: Hand) -> None:
        """They attack, face down."""
        if self.journal is not None:
            self.tell("committed", (cards,))
        self.hand = without(self.hand, cards)
        self.attackers = cards

    def turned_up(self) -> None:
        if self.journal is not None:
            self.tell("turned_up", ())
        self.attackers = NO_CARDS

    def took_back(self, kind: Kind) -> None:
        if self.journal is not None:
            self.tell("took_back", (kind,))
        self.hand = plus(self.hand, kind)

    def worked_out(self, rank: i64, theirs: Hand, mine: Hand) -> None:
        """A pile was made new, so all cards of its class can be accounted for."""
        if self.journal is not None:
            self.tell("worked_out", (rank, theirs, mine))
        self.theirs[rank] = theirs
        self.mine[rank] = mine

    def copy(self) -> "KingdomsOwn":
        twin = KingdomsOwn(self.seat)
        twin.hand = self.hand
        twin.attackers = self.attackers
        twin.theirs = list(self.theirs)
        twin.mine = list(self.mine)
        return twin


@final
class KingdomsHidden(Hidden):
    """The order of the piles: as they were shuffled, the first card drawn first."""

    def __init__(self) -> None:
        super().__init__()
        self.normal: str = ""
        self.ace: str = ""

    def shuffled(self, rank: i64, cards: str) -> None:
        if self.journal is not None:
            self.tell("shuffled", (rank, cards))
        if rank == NORMAL:
            self.normal = cards
        else:
            self.ace = cards

    def pile(self, rank: i64, left: i64) -> str:
        """What is left of a pile."""
        cards = self.normal if rank == NORMAL else self.ace
        return cards[len(cards) - left :]

    def top(self, rank: i64, left: i64, count: i64) -> Hand:
        """The next cards to be drawn."""
        cards = self.normal if rank == NORMAL else self.ace
        found = NO_CARDS
        place: i64 = len(cards) - left
        while count:
            found = plus(found, Kind(ord(cards[place]) - LETTER))
            place += 1
            count -= 1
        return found


KingdomsState = State[KingdomsPublic, KingdomsOwn, KingdomsHidden]


def known_by(public: KingdomsPublic, own: KingdomsOwn) -> Hand:
    """RB 1.6: the cards that a seat knows to be in the other's hand, or face down before it.

    What all have seen; and of a class of which a pile was made new, what the seat has worked out
    then, and all have seen since.
    """
    other = Seat(1 - own.seat)
    classes = public.forces.classes
    known = NO_CARDS
    for kind in kinds_of(public.known[other]):
        if not public.remade >> classes[kind] & 1:
            known = plus(known, Kind(kind))
    if public.remade == 0:
        return known
    for rank in (NORMAL, ACE):
        if public.remade >> rank & 1:
            known = both(known, own.theirs[rank])
    for move in public.moves:
        if move >> 6 & 1 == other:
            card = Kind(move & 63)
            known = plus(known, card) if move & RETURNS else minus(known, card)
    return known
