"""A position read from a full state: checked strictly, and turned into facts."""

from collections.abc import Mapping

from goofspiel.state import HAND, LANE, LANE_MASK, Bid, Cards, GoofspielState, Hands, Lanes, Prize
from zashiki.core.parts import Seat
from zashiki.core.position import PositionReader
from zashiki.core.rulings import Malformed

MOST_POINTS = LANE_MASK - sum(range(14))
"""The highest score of a position. It leaves room in a lane for all prizes to come."""

KEYS = ("seats", "round", "prize", "to_come", "scores", "hands", "bids", "spent")


class Position(PositionReader):
    """A checked full state. Keys, counts and cards must be right; odd positions are allowed."""

    def __init__(self, truth: Mapping[str, object], seats: int, cards: int) -> None:
        super().__init__(truth, seats, KEYS)
        self.cards = cards
        self.round = self.number("round", truth["round"], 1, cards)
        self.prize = self.card_or_none("prize", truth["prize"])
        self.to_come = self.card_list("to_come", truth["to_come"])
        self.scores = [
            self.number(f"scores[{seat}]", score, 0, MOST_POINTS)
            for seat, score in enumerate(self.by_seat("scores"))
        ]
        self.hands = self.lists("hands")
        self.bids = [
            self.card_or_none(f"bids[{seat}]", bid) for seat, bid in enumerate(self.by_seat("bids"))
        ]
        self.spent = self.lists("spent")
        self.check_prizes()
        self.check_cards()
        self.check_going_on()

    def card_or_none(self, path: str, value: object) -> int | None:
        return None if value is None else self.number(path, value, 1, self.cards)

    def card_list(self, path: str, value: object) -> list[int]:
        items = enumerate(self.items(path, value))
        found = [self.number(f"{path}[{place}]", card, 1, self.cards) for place, card in items]
        if len(set(found)) != len(found):
            raise Malformed(f"truth: {path}: expected each card once, found {value!r}")
        return found

    def lists(self, key: str) -> list[list[int]]:
        return [
            self.card_list(f"{key}[{seat}]", held) for seat, held in enumerate(self.by_seat(key))
        ]

    def check_prizes(self) -> None:
        """Check that there is a round per prize turned up, and a prize unless the match is over."""
        if self.prize in self.to_come:
            raise Malformed(f"truth: to_come: expected it without the present prize, {self.prize}")
        if self.round != self.cards - len(self.to_come):
            counts = f"with {len(self.to_come)} of {self.cards} prizes to come"
            expected = f"expected {self.cards - len(self.to_come)}"
            raise Malformed(f"truth: round: {expected} {counts}, found {self.round}")
        if self.prize is None and self.to_come:
            raise Malformed("truth: prize: expected a prize while others are to come, found None")
        if self.prize is None and any(bid is not None for bid in self.bids):
            raise Malformed("truth: bids: expected none in a match that is over, found some")

    def check_cards(self) -> None:
        """Check that each card of a seat is once in its hand, chosen or spent."""
        for seat in range(self.seats):
            chosen = self.bids[seat]
            everything = [*self.hands[seat], *self.spent[seat]]
            everything += [] if chosen is None else [chosen]
            if sorted(everything) != list(range(1, self.cards + 1)):
                expected = f"each card from 1 to {self.cards} once in hands, bids and spent"
                raise Malformed(
                    f"truth: seat {seat}: expected {expected}, found {sorted(everything)}"
                )

    def check_going_on(self) -> None:
        """Check that a seat is still to choose, and that each has a card for every prize left."""
        if self.prize is None:
            return
        if None not in self.bids:
            raise Malformed("truth: bids: expected None for a seat still to choose, found no None")
        for seat in range(self.seats):
            left = len(self.to_come) + (self.bids[seat] is None)
            if len(self.hands[seat]) < left:
                count = f"at least {left} cards, found {len(self.hands[seat])}"
                raise Malformed(f"truth: hands[{seat}]: expected {count}")

    def tell(self, state: GoofspielState) -> None:
        """Apply to an empty state the facts that lead to this position."""
        public = state.public
        scores = sum(score << seat * LANE for seat, score in enumerate(self.scores))
        unspent = sum(
            1 << seat * HAND + card
            for seat in range(self.seats)
            for card in range(1, self.cards + 1)
            if card not in self.spent[seat]
        )
        to_come = sum(1 << prize for prize in self.to_come)
        public.scene_set(self.round, Cards(to_come), Lanes(scores), Hands(unspent))
        if self.prize is not None:
            public.prize_turned_up(self.round, Prize(self.prize))
        for seat, chosen in enumerate(self.bids):
            if chosen is not None:
                state.own[seat].chose(Bid(chosen))
                public.has_chosen(Seat(seat))
