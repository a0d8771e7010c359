# mypyc: compile
"""The state of a match of Kingdoms by who knows it, and its facts."""

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
"""Numbers of cards per class: eight bits for normal cards, then eight for aces."""

NO_AREA: Final = -1

MOST_STILL: Final = 4
"""The turns in a row without a card placed that end the match in a draw (RB 4.6)."""
MOST_TURNS: Final = 200
"""The last turn of a match (RB 4.7)."""


@final
class KingdomsPublic(Public):
    """The public state: open cards, the numbers of backs in each place, and the seat to act."""

    def __init__(self, forces: Forces) -> None:
        super().__init__()
        self.forces: Final = forces
        self.phase: i64 = OVER
        self.acting: Seats = NO_SEATS
        self.owner: Seat = Seat(0)
        """The seat whose turn it is. Another seat may owe a decision in it."""
        self.number: i64 = 0
        """The number of the turn, from 1; 0 before the first fact."""
        self.still: i64 = 0
        """Finished turns in a row without a card placed (RB 4.6)."""
        self.placed: bool = False
        self.cards: Row = Row(0)
        """The card in each area, from red to blue."""
        self.held: i64 = 0
        """The areas of Red as bits; those of Blue eight bits higher."""
        self.backs: i64 = 0
        """The cards in each hand: sixteen bits per seat, eight per class."""
        self.known: list[Hand] = [NO_CARDS, NO_CARDS]
        """The cards that all have seen going to each hand (RB 1.6). While attackers are face down,
        one of them may be among these."""
        self.left: i64 = 0
        """The number of cards in each pile, eight bits per class."""
        self.discards: list[list[int]] = [[], []]
        """The discards by class, the oldest first."""
        # The battle
        self.area: i64 = NO_AREA
        self.down: Backs = Backs(0)
        """The attackers that are face down."""
        self.attackers: Hand = NO_CARDS
        """The attackers that are revealed."""
        self.added: Kind = NO_CARD
        self.winner: i64 = NOBODY
        """The winner of the battle in the phase `leave`; of the match when it is over."""
        self.reason: i64 = 0
        # Knowledge by counting
        self.remade: i64 = 0
        """The classes of which a pile was made again, as bits."""
        self.moves: list[int] = []
        """The cards of that class that left a hand or returned to it openly since then."""

    def areas_of(self, seat: Seat) -> i64:
        return self.held >> seat * 8 & ALL_AREAS

    def card_in(self, area: i64) -> Kind:
        return Kind(self.cards >> area * CARD & 63)

    def backs_of(self, seat: Seat) -> Backs:
        return Backs(self.backs >> seat * 16 & 65535)

    def room_of(self, seat: Seat) -> i64:
        """Return the number of cards that a hand can still take (RB 2.2)."""
        backs = self.backs >> seat * 16
        room = MOST - (backs & 255) - (backs >> 8 & 255)
        return room if room > 0 else 0

    def left_of(self, rank: i64) -> i64:
        return self.left >> rank * 8 & 255

    def funds_of(self, seat: Seat) -> i64:
        return self.forces.funds_of(seat, self.areas_of(seat))

    # Turns -------------------------------------------------------------------------------------

    def began(self) -> None:
        """The match began: monarchs in their capitals (RB 1.5)."""
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
        """A seat declared its draft, before drawing (RB 2.1)."""
        if self.journal is not None:
            self.tell("drafted", (seat, normal, ace))
        self.phase = DEPLOY

    def drew(self, seat: Seat, rank: i64, count: i64) -> None:
        if self.journal is not None:
            self.tell("drew", (seat, rank, count))
        self.left -= count << rank * 8
        self.backs += count << seat * 16 + rank * 8

    def pile_made(self, rank: i64) -> None:
        """The discards of a class became its pile (RB 2.3)."""
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
        """A card replaced a garrison, which returned to the hand (RB 5.1)."""
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
        """Note that a card of this hand was revealed and has left it."""
        if self.known[seat]:
            self.known[seat] = minus(self.known[seat], kind)
        if self.remade >> self.forces.classes[kind] & 1:
            self.moves.append(int(kind | seat << 6))

    def _return(self, seat: Seat, kind: Kind) -> None:
        """Note that a card openly went to this hand."""
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
        """A line of the battle's arithmetic. It follows from the cards, and changes nothing."""
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
        """A reinforcement returned to the hand (RB 5.2)."""
        if self.journal is not None:
            self.tell("returned", (seat, kind))
        self._return(seat, kind)

    def took_hold(self, seat: Seat, area: i64, kind: Kind) -> None:
        """This card is now the garrison of the area."""
        if self.journal is not None:
            self.tell("took_hold", (seat, area, kind))
        self._hold(seat, area, kind)

    def emptied(self, area: i64) -> None:
        """The area became empty after a tie (RB 3.5)."""
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
        """Set the turn, the seat to act, and the progress of the match."""
        if self.area == NO_AREA and phase in (DEFEND, LEAVE):
            raise ValueError("there is no battle")
        if (acting == NO_SEATS) != (phase == OVER):
            raise ValueError("expected a seat to act until the match is over, and none then")
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
        """Set the backs of a hand. Only a monarch can be known in it, if it is nowhere else."""
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
        """Return a copy without a journal."""
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
"""The bit of a move back to a hand, not out of it. Below it is the seat, then the kind."""
LETTER: Final = 64
"""The base of a card's letter in the text of a pile: this plus the number of its kind."""


def spelled(kinds: list[int]) -> str:
    return "".join([chr(LETTER + kind) for kind in kinds])


@final
class KingdomsOwn(Own):
    """A seat's hand, its attackers while they are face down, and what it knows by counting."""

    def __init__(self, seat: Seat) -> None:
        super().__init__(seat)
        self.hand: Hand = NO_CARDS
        self.attackers: Hand = NO_CARDS
        self.theirs: list[Hand] = [NO_CARDS, NO_CARDS]
        """The other's cards when the last pile of a class was made, by class."""
        self.mine: list[Hand] = [NO_CARDS, NO_CARDS]
        """This seat's cards at that moment, which the other knows too, by class."""

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
        """These cards attack, face down."""
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
        """A pile was made again, so all cards of its class are known by counting."""
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

    def copy(self) -> "KingdomsHidden":
        twin = KingdomsHidden()
        twin.normal = self.normal
        twin.ace = self.ace
        return twin

    def pile(self, rank: i64, left: i64) -> str:
        """Return the rest of a pile."""
        cards = self.normal if rank == NORMAL else self.ace
        return cards[len(cards) - left :]

    def top(self, rank: i64, left: i64, count: i64) -> Hand:
        """Return the next cards to be drawn."""
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
    """Return the cards known to be in the other's hand, or face down in its attack (RB 1.6).

    These are the cards that all have seen. Of a class whose pile was made again, they are those
    known by counting then, with all that was seen since.
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
