"""The readable forms of a KAMIZA match: views, the truth, and a truth made to stand again."""

from collections.abc import Mapping
from typing import Any

from mypy_extensions import i64

from zashiki.core.game import members
from zashiki.core.parts import Seat, Seats
from zashiki.core.rulings import Malformed, quoted
from zashiki.core.truths import TruthReader
from zashiki.games.kamiza.actions import AREAS
from zashiki.games.kamiza.state import (
    ALL_CARDS,
    GAMES,
    LANE,
    LANE_MASK,
    ROUNDS,
    STARTER,
    Area,
    FaceDown,
    FaceUp,
    KamizaOwn,
    KamizaPublic,
    KamizaState,
    Lanes,
    hand,
)

MOST_A_ROUND = 5
"""So many points, or a WANTED chip, a round can bring: a lane leaves room for those to come."""


def named(cards: tuple[str, ...], held: i64) -> list[str]:
    """A set of cards, as bits, in the order boss, underboss, hitman, police or raid."""
    return [card for number, card in enumerate(cards) if held >> number & 1]


def lanes(public: KamizaPublic, packed: i64) -> list[int]:
    return [packed >> seat * LANE & LANE_MASK for seat in range(public.seats)]


def show_public(public: KamizaPublic, cards: tuple[str, ...], second: bool) -> dict[str, object]:
    """What everybody knows."""
    seats = range(public.seats)
    spent = [public.spent_by(Seat(seat)) for seat in seats]
    left = [
        len(named(cards, ALL_CARDS & ~spent[seat])) - (public.placed_by >> seat & 1)
        for seat in seats
    ]
    return {
        **standing(public, second),
        "left": left,
        "placed": placed(public, cards),
        "spent": [named(cards, held) for held in spent],
        "threats": by_seat(public.threats),
        "history": history(public, cards),
    }


def standing(public: KamizaPublic, second: bool) -> dict[str, object]:
    """Where the match is and who has how much."""
    acting = members(public.acting)
    shown: dict[str, object] = {
        "seats": public.seats,
        "game": public.game,
        "round": public.round,
        "starter": public.starter,
        "turn": acting[0] if acting else None,
        "scores": lanes(public, public.scores),
    }
    if second:
        shown |= {"wanted": lanes(public, public.wanted), "dropped": members(public.dropped)}
    return shown


def placed(public: KamizaPublic, cards: tuple[str, ...]) -> list[dict[str, object]]:
    """What lies on the table in the order of placing; a card only where it is open."""
    lying: list[dict[str, object]] = []
    for place in range(public.count):
        seat = public.order >> place * 4 & 15
        opened = public.opened >> seat * 4 & 15
        card = cards[opened & 3] if opened else None
        area = AREAS[public.at_bottom >> seat & 1]
        lying.append({"seat": seat, "card": card, "area": area, "open": opened != 0})
    return lying


def history(public: KamizaPublic, cards: tuple[str, ...]) -> list[dict[str, object]]:
    """The rounds judged so far, as far as they are known: who started, what lay, what was said."""
    rounds: list[dict[str, object]] = []
    for number in range(GAMES * ROUNDS):
        past = public.history[number]
        if past:
            entry: dict[str, object] = {"game": number // ROUNDS + 1, "round": number % ROUNDS + 1}
            entry["starter"] = past >> STARTER
            entry["cards"] = [lying(cards, past >> seat * 4 & 15) for seat in range(public.seats)]
            entry["threats"] = by_seat(public.said_before.get(number, {}))
            rounds.append(entry)
    return rounds


def by_seat(threats: Mapping[int, str]) -> dict[str, str]:
    return {str(seat): words for seat, words in sorted(threats.items())}


def lying(cards: tuple[str, ...], nibble: int) -> str | None:
    """A card face up in an area, in notation; None where none lies."""
    return f"{cards[nibble & 3]}@{AREAS[nibble >> 2 & 1]}" if nibble else None


def show(
    public: KamizaPublic, own: KamizaOwn, cards: tuple[str, ...], second: bool
) -> dict[str, object]:
    """What one seat knows: its hand and the card it laid, beside what everybody knows."""
    shown = show_public(public, cards, second)
    for lay in placed_entries(shown):
        if lay["seat"] == own.seat:
            lay["card"] = cards[own.card]
    return {"seat": own.seat, "hand": named(cards, hand(public, own)), **shown}


def placed_entries(shown: Mapping[str, object]) -> list[dict[str, Any]]:
    entries = shown["placed"]
    assert isinstance(entries, list)
    return entries


def truth(state: KamizaState, cards: tuple[str, ...], second: bool) -> dict[str, object]:
    """Everything."""
    public = state.public
    shown = standing(public, second)
    lay = placed(public, cards)
    for entry in lay:
        entry["card"] = cards[state.own[int(str(entry["seat"]))].card]
    shown["hands"] = [named(cards, hand(public, own)) for own in state.own]
    shown["placed"] = lay
    shown["spent"] = [named(cards, public.spent_by(own.seat)) for own in state.own]
    return shown


# A truth made to stand -------------------------------------------------------------------------

KEYS = ("seats", "game", "round", "starter", "turn", "scores", "hands", "placed", "spent")
SECOND_KEYS = ("wanted", "dropped")


class Scene(TruthReader):
    """A truth, read strictly: wrong keys, counts and cards are refused; the unreachable is not."""

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
            raise Malformed(f"truth: {key} = {quoted(seats)}: each seat once is expected")
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
                f"truth: {path} = {quoted(value)}: seat, card, area and open are expected"
            )
        seat = self.number(f"{path}.seat", value["seat"], 0, self.seats - 1)
        card = self.one_of(f"{path}.card", value["card"], self.cards)
        area = self.one_of(f"{path}.area", value["area"], AREAS)
        if type(value["open"]) is not bool:
            raise Malformed(
                f"truth: {path}.open = {quoted(value['open'])}: true or false is expected"
            )
        return seat, card, area, value["open"]

    def check_cards(self) -> None:
        """Each seat's four cards are in its hand, on the table or spent, each once."""
        for seat in range(self.seats):
            lay = [card for owner, card, _, _ in self.placed if owner == seat]
            if len(lay) > 1:
                raise Malformed(
                    f"truth: placed: seat {seat} has placed {len(lay)} cards, at most 1 is expected"
                )
            if sorted(self.hands[seat] + self.spent[seat] + lay) != list(range(len(self.cards))):
                held = ", ".join(self.cards)
                raise Malformed(
                    f"truth: seat {seat}: {held} are expected once each in hands, placed, spent"
                )

    def check_turn(self) -> None:
        """A seat still in must be able to place in every round left, with a card to spare."""
        if self.turn is None:
            if self.placed:
                raise Malformed(
                    "truth: placed: nothing is expected on the table of a match that is over"
                )
            return
        if self.turn in self.dropped or any(seat == self.turn for seat, _, _, _ in self.placed):
            raise Malformed(
                f"truth: turn = {self.turn}: a seat still in and yet to place is expected"
            )
        for seat in range(self.seats):
            if seat not in self.dropped and len(self.spent[seat]) >= self.round:
                raise Malformed(
                    f"truth: spent[{seat}]: at most {self.round - 1} are expected in this round"
                )

    def tell(self, state: KamizaState) -> None:
        """The facts that bring an empty state there."""
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
