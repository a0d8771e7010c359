"""A position of KAMIZA read from a full state: checked strictly, and turned into facts."""

from collections.abc import Mapping

from zashiki.core.parts import Seat, Seats
from zashiki.core.position import PositionReader
from zashiki.core.rulings import Malformed, quoted
from zashiki.games.kamiza.actions import AREAS
from zashiki.games.kamiza.state import (
    GAMES,
    LANE,
    LANE_MASK,
    ROUNDS,
    Area,
    FaceDown,
    FaceUp,
    KamizaState,
    Lanes,
)

MOST_A_ROUND = 5
"""The most points of a round. A lane leaves room for all rounds to come."""

KEYS = ("seats", "game", "round", "starter", "turn", "scores", "hands", "placed", "spent")
SECOND_KEYS = ("wanted", "dropped")


class Position(PositionReader):
    """A checked full state. Keys, counts and cards must be right; odd positions are allowed."""

    def __init__(
        self, truth: Mapping[str, object], seats: int, cards: tuple[str, ...], second: bool
    ) -> None:
        super().__init__(truth, seats, (*KEYS, *SECOND_KEYS) if second else KEYS)
        self.cards = cards
        self.game = self.number("game", truth["game"], 1, GAMES)
        self.round = self.number("round", truth["round"], 1, ROUNDS)
        self.starter = self.number("starter", truth["starter"], 0, seats - 1)
        rounds_left = (GAMES - self.game) * ROUNDS + ROUNDS - self.round + 1
        most = LANE_MASK - MOST_A_ROUND * rounds_left
        self.scores = self.packed("scores", most)
        self.wanted = self.packed("wanted", most) if second else 0
        self.dropped = self.seat_set("dropped") if second else []
        self.hands = self.card_sets("hands")
        self.spent = self.card_sets("spent")
        self.placed = [
            self.lay(place, lay) for place, lay in enumerate(self.items("placed", truth["placed"]))
        ]
        self.turn = (
            None if truth["turn"] is None else self.number("turn", truth["turn"], 0, seats - 1)
        )
        self.check_cards()
        self.check_turn()

    def packed(self, key: str, most: int) -> int:
        return sum(
            self.number(f"{key}[{seat}]", value, 0, most) << seat * LANE
            for seat, value in enumerate(self.by_seat(key))
        )

    def seat_set(self, key: str) -> list[int]:
        seats = [
            self.number(key, seat, 0, self.seats - 1) for seat in self.items(key, self.truth[key])
        ]
        if len(set(seats)) != len(seats):
            raise Malformed(f"truth: {key}: expected each seat once, found {quoted(seats)}")
        return seats

    def card_sets(self, key: str) -> list[list[int]]:
        return [
            [
                self.one_of(f"{key}[{seat}][{place}]", name, self.cards)
                for place, name in enumerate(self.items(f"{key}[{seat}]", held))
            ]
            for seat, held in enumerate(self.by_seat(key))
        ]

    def lay(self, place: int, value: object) -> tuple[int, int, int, bool]:
        path = f"placed[{place}]"
        if not isinstance(value, dict) or set(value) != {"seat", "card", "area", "open"}:
            raise Malformed(
                f"truth: {path}: expected seat, card, area and open, found {quoted(value)}"
            )
        seat = self.number(f"{path}.seat", value["seat"], 0, self.seats - 1)
        card = self.one_of(f"{path}.card", value["card"], self.cards)
        area = self.one_of(f"{path}.area", value["area"], AREAS)
        if type(value["open"]) is not bool:
            raise Malformed(
                f"truth: {path}.open: expected true or false, found {quoted(value['open'])}"
            )
        return seat, card, area, value["open"]

    def check_cards(self) -> None:
        """Check that each seat's four cards are once in its hand, on the table or spent."""
        for seat in range(self.seats):
            lay = [card for owner, card, _, _ in self.placed if owner == seat]
            if len(lay) > 1:
                raise Malformed(
                    f"truth: placed: expected at most 1 card of seat {seat}, found {len(lay)}"
                )
            if sorted(self.hands[seat] + self.spent[seat] + lay) != list(range(len(self.cards))):
                held = ", ".join(self.cards)
                raise Malformed(
                    f"truth: seat {seat}: expected {held} once each in hands, placed, spent"
                )

    def check_turn(self) -> None:
        """Check that each seat still in can place in every round left, with a card to spare."""
        if self.turn is None:
            if self.placed:
                raise Malformed(
                    "truth: placed: expected no cards in a match that is over, found some"
                )
            return
        if self.turn in self.dropped or any(seat == self.turn for seat, _, _, _ in self.placed):
            raise Malformed(
                f"truth: turn: expected a seat still in and yet to place, found {self.turn}"
            )
        for seat in range(self.seats):
            if seat not in self.dropped and len(self.spent[seat]) >= self.round:
                raise Malformed(
                    f"truth: spent[{seat}]: expected at most {self.round - 1} in this round, "
                    f"found {len(self.spent[seat])}"
                )

    def tell(self, state: KamizaState) -> None:
        """Apply to an empty state the facts that lead to this position."""
        public = state.public
        dropped = sum(1 << seat for seat in self.dropped)
        spent = sum(1 << seat * 4 + card for seat, held in enumerate(self.spent) for card in held)
        public.scene_set(
            self.game,
            self.round,
            Seat(self.starter),
            Lanes(self.scores),
            Lanes(self.wanted),
            Seats(dropped),
            spent,
        )
        for seat, card, area, is_open in self.placed:
            state.own[seat].laid(FaceDown(card))
            if is_open:
                public.placed_open(Seat(seat), FaceUp(card), Area(area))
            else:
                public.placed(Seat(seat), Area(area))
        public.turn_came(Seats(0 if self.turn is None else 1 << self.turn))
