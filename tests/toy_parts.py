"""The parts of the toy, their facts, and the meaning of the facts' arguments."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from zashiki.core.facts import Number, SeatNumber, Speaker, Vocabulary
from zashiki.core.parts import Hidden, Own, Public, Seat, State, View
from zashiki.core.rulings import Malformed

NOBODY = 9  # a digit that is not a seat, in packed texts only


class ToyPublic(Public):
    """Scores, played cards, who has played, and how many cards are where."""

    def __init__(self, seats: int) -> None:
        super().__init__()
        self.seats = seats
        self.round = 1
        self.scores = [0] * seats
        self.sizes = [0] * seats
        self.deck = 0
        self.discard: list[int] = []
        self.laid: list[int] = []
        self.winner: int | None = None
        self.peeker: int | None = None
        self.is_over = False

    def copy(self) -> "ToyPublic":
        twin = ToyPublic(self.seats)
        twin.scene_set(scene_of(self))
        return twin

    def shuffled(self, size: int) -> None:
        self.tell("shuffled", (size,))
        self.deck = size

    def gathered(self) -> None:
        self.tell("gathered", ())
        self.sizes = [0] * self.seats
        self.discard = []
        self.peeker = None

    def drew(self, seat: int, number: int) -> None:
        self.tell("drew", (seat, number))
        self.sizes[seat] += number
        self.deck -= number
        self.peeker = None

    def has_laid(self, seat: int) -> None:
        self.tell("has_laid", (seat,))
        self.laid.append(seat)

    def revealed(self, cards: str) -> None:
        self.tell("revealed", (cards,))
        for card in cards:
            self.discard.append(int(card))
        self.sizes = [size - 1 for size in self.sizes]
        self.laid = []

    def won(self, seat: int) -> None:
        self.tell("won", (seat,))
        self.scores[seat] += 1
        self.winner = seat

    def peeked(self, seat: int) -> None:
        self.tell("peeked", (seat,))
        self.peeker = seat

    def round_began(self, round: int) -> None:
        self.tell("round_began", (round,))
        self.round = round
        self.winner = None

    def ended(self) -> None:
        self.tell("ended", ())
        self.is_over = True
        self.winner = None

    def scene_set(self, scene: str) -> None:
        """round, scores, sizes, deck, laid, winner, peeker, is_over, discard: a digit each."""
        self.tell("scene_set", (scene,))
        digits = [int(digit) for digit in scene]
        n = self.seats
        self.round, self.scores, self.sizes, self.deck = (
            digits[0],
            digits[1:][:n],
            digits[1 + n :][:n],
            digits[1 + 2 * n],
        )
        winner, peeker, over, count = digits[2 + 2 * n : 6 + 2 * n]
        self.winner = None if winner == NOBODY else winner
        self.peeker = None if peeker == NOBODY else peeker
        self.is_over = over == 1
        self.laid = digits[6 + 2 * n :][:count]
        self.discard = digits[6 + 2 * n + count :]


class ToyOwn(Own):
    """A hand, the card played from it, and the top of the deck if this seat peeked."""

    def __init__(self, seat: int) -> None:
        super().__init__(Seat(seat))
        self.hand: list[int] = []
        self.choice: int | None = None
        self.top: int | None = None

    def copy(self) -> "ToyOwn":
        twin = ToyOwn(int(self.seat))
        twin.hand, twin.choice, twin.top = self.hand, self.choice, self.top
        return twin

    def received(self, card: int) -> None:
        self.tell("received", (card,))
        self.hand = sorted([*self.hand, card])
        self.top = None

    def laid(self, card: int) -> None:
        self.tell("laid", (card,))
        self.choice = card

    def took_away(self) -> None:
        """The played card was revealed and is gone."""
        self.tell("took_away", ())
        self.hand = [card for card in self.hand if card != self.choice]
        self.choice = None

    def gave_back(self) -> None:
        """The hand, to be shuffled with all other cards."""
        self.tell("gave_back", ())
        self.hand = []
        self.top = None

    def saw(self, card: int) -> None:
        self.tell("saw", (card,))
        self.top = card


class ToyHidden(Hidden):
    """The deck, its top first."""

    def __init__(self) -> None:
        super().__init__()
        self.deck: list[int] = []

    def copy(self) -> "ToyHidden":
        twin = ToyHidden()
        twin.deck = self.deck
        return twin

    def ordered(self, order: str) -> None:
        self.tell("ordered", (order,))
        self.deck = [int(card) for card in order]

    def gave(self) -> None:
        self.tell("gave", ())
        self.deck = self.deck[1:]


ToyState = State[ToyPublic, ToyOwn, ToyHidden]
ToyView = View[ToyPublic, ToyOwn]


def packed(cards: list[int]) -> str:
    return "".join(str(card) for card in cards)


def scene_of(public: ToyPublic) -> str:
    marks = [NOBODY if seat is None else seat for seat in (public.winner, public.peeker)]
    digits = [
        public.round,
        *public.scores,
        *public.sizes,
        public.deck,
        *marks,
        int(public.is_over),
        len(public.laid),
    ]
    return packed([*digits, *public.laid, *public.discard])


@dataclass(frozen=True)
class Digits:
    """A text of digits, written as a list."""

    def write(self, value: int | str) -> object:
        return [int(digit) for digit in str(value)]

    def read(self, written: object) -> str:
        if not isinstance(written, list) or any(digit not in range(10) for digit in written):
            raise Malformed(f"expected a list of digits, found {written!r}")
        return packed(written)

    def say(self, written: object, speaker: Speaker) -> str:
        return str(written)


def vocabulary(seats: int, _: Mapping[str, Any]) -> Vocabulary:
    seat, number, card, digits = SeatNumber(seats), Number(0, 9), Number(1, 9), Digits()
    return Vocabulary(
        public={
            "shuffled": {"size": number},
            "gathered": {},
            "drew": {"seat": seat, "number": number},
            "has_laid": {"seat": seat},
            "revealed": {"cards": digits},
            "won": {"seat": seat},
            "peeked": {"seat": seat},
            "round_began": {"round": number},
            "ended": {},
            "scene_set": {"scene": digits},
        },
        own={
            "received": {"card": card},
            "laid": {"card": card},
            "took_away": {},
            "gave_back": {},
            "saw": {"card": card},
        },
        hidden={"ordered": {"order": digits}, "gave": {}},
    )
