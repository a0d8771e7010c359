"""The kinds of the arguments of KAMIZA's facts, for its texts."""

from dataclasses import dataclass

from zashiki.core.facts import (
    BySeat,
    Count,
    Number,
    OneOf,
    SeatNumber,
    SetOf,
    Speaker,
    Vocabulary,
    Words,
)
from zashiki.core.rulings import Malformed, quoted
from zashiki.games.kamiza.actions import AREAS
from zashiki.games.kamiza.position import MOST_A_ROUND
from zashiki.games.kamiza.state import GAMES, LANE, LANE_MASK, LIES_HERE, ROUNDS
from zashiki.games.kamiza.story import QUIET, retell, retold
from zashiki.games.kamiza.views import lying

SPEECH = 80
"""The maximum length of a threat, in characters."""


@dataclass(frozen=True)
class Lying:
    """A card face up in an area (`boss@top`), or none."""

    cards: tuple[str, ...]

    def write(self, value: int | str) -> object:
        return lying(self.cards, int(value))

    def read(self, written: object) -> int:
        for nibble in [0, *range(LIES_HERE, 2 * LIES_HERE)]:
            if written == lying(self.cards, nibble):
                return int(nibble)
        raise Malformed(
            f"expected a card and its area ({self.cards[0]}@top) or null, found {quoted(written)}"
        )

    def say(self, written: object, speaker: Speaker) -> str:
        if written is None:
            return ""
        card, area = str(written).split("@")
        return speaker.form("lying", card=speaker.word(card), area=speaker.word(area))


class Points(Count):
    """The points of a seat in one round."""

    def say(self, written: object, speaker: Speaker) -> str:
        count = self.read(written)
        return speaker.form("points", count=count) if count else ""


class PointsBySeat(BySeat):
    """The points of a round. Seats without points are not mentioned."""

    def say(self, written: object, speaker: Speaker) -> str:
        return super().say(written, speaker) or speaker.form("no-points")


def vocabulary(seats: int, cards: tuple[str, ...]) -> Vocabulary:
    seat = SeatNumber(seats)
    some = SetOf(seat, seats)
    area = OneOf(AREAS)
    card = OneOf(cards)
    scores = BySeat(Points(0, LANE_MASK), seats, LANE)
    chips = BySeat(Count(0, LANE_MASK), seats, LANE)
    points = PointsBySeat(Points(0, MOST_A_ROUND), seats, LANE)
    standing = {"game": Number(1, GAMES), "round": Number(1, ROUNDS), "starter": seat}
    return Vocabulary(
        public={
            "starter_drawn": {"seat": seat},
            "said": {"seat": seat, "words": Words(SPEECH)},
            "placed": {"seat": seat, "area": area},
            "placed_open": {"seat": seat, "card": card, "area": area},
            "revealed": {"cards": BySeat(Lying(cards), seats, 4, "card-by-seat")},
            "raided": {"seat": seat},
            "boss_shot": {"boss": seat, "hitman": seat},
            "judged": {"misplaced": some, "cancelled": some, "beaten": some, "points": points},
            "wanted_taken": {"seat": seat},
            "dropped_out": {"seat": seat},
            "round_began": standing,
            "ended": {},
            "scene_set": {
                **standing,
                "scores": scores,
                "wanted": chips,
                "dropped": some,
                "spent": BySeat(SetOf(card, len(cards)), seats, 4, "cards-by-seat"),
            },
            "turn_came": {"acting": some},
        },
        own={"laid": {"card": card}},
        hidden={},
        quiet=QUIET,
        retold=retold(seat, card, points),
        retell=retell,
    )
