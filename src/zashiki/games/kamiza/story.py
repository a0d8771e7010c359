"""The short log of KAMIZA: it names every card that its reader knows."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from zashiki.core.facts import BySeat, Fact, OneOf, Sayable, SeatNumber, Speaker, read_list
from zashiki.games.kamiza.actions import AREAS

QUIET = frozenset({"laid"})  # `placed_own` and `placed_open` say it


@dataclass(frozen=True)
class NoneOrCard:
    """A card, or none."""

    def say(self, written: object, speaker: Speaker) -> str:
        return "" if written is None else speaker.word(str(written))


@dataclass(frozen=True)
class CardsOfSeats:
    """A card or none for each seat, with the name of its owner."""

    def say(self, written: object, speaker: Speaker) -> str:
        said = [NoneOrCard().say(card, speaker) for card in read_list(written)]
        owned = [(speaker.seat(seat), card) for seat, card in enumerate(said) if card]
        return speaker.listed(
            [speaker.form("card-by-seat", seat=seat, said=card) for seat, card in owned]
        )


def retold(seat: SeatNumber, card: OneOf, points: BySeat) -> Mapping[str, Mapping[str, Sayable]]:
    area, cards = OneOf(AREAS), CardsOfSeats()
    fates = dict.fromkeys(("misplaced", "cancelled", "beaten"), cards)
    return {
        "placed_own": {"seat": seat, "card": card, "area": area},
        "turned_up": {"area": area, "cards": cards},
        "judged_cards": {**fates, "points": points},
    }


def retell(facts: Iterable[Fact]) -> Iterator[Fact]:
    """Name the reader's own card as it is placed, and each judged card."""
    laid: dict[object, object] = {}
    up: list[tuple[str, str] | None] = []
    shot: object = None
    for fact in facts:
        given = fact.arguments
        if fact.name == "laid":
            laid[fact.audience] = given["card"]
        elif fact.name == "placed" and given["seat"] in laid:
            seat = int(str(given["seat"]))
            card = laid.pop(seat)
            yield replace(fact, audience=seat, name="placed_own", arguments={**given, "card": card})
        elif fact.name == "revealed":
            shot, up = None, [split(card) for card in read_list(given["cards"])]
            yield from turned_up(fact, up)
        elif fact.name == "judged" and up:
            yield judged_cards(fact, up, shot)
        else:
            if fact.name == "boss_shot":
                shot = given["boss"]
            yield fact


def split(written: object) -> tuple[str, str] | None:
    """Split a card on the table (`boss@top`) into card and area."""
    card, at, area = str(written).partition("@")
    return (card, area) if at else None


def turned_up(fact: Fact, up: list[tuple[str, str] | None]) -> Iterator[Fact]:
    """Tell the cards of each area."""
    for area in AREAS:
        cards = [one[0] if one is not None and one[1] == area else None for one in up]
        if any(cards):
            yield replace(fact, name="turned_up", arguments={"area": area, "cards": cards})


def judged_cards(fact: Fact, up: list[tuple[str, str] | None], shot: object) -> Fact:
    """Tell the fate of each card, except the Boss that was shot: `boss_shot` says it."""
    given = fact.arguments

    def cards_of(fate: str) -> list[str | None]:
        seats = set(read_list(given[fate])) - ({shot} if fate == "beaten" else set())
        return [one[0] if one and seat in seats else None for seat, one in enumerate(up)]

    fates = {fate: cards_of(fate) for fate in ("misplaced", "cancelled", "beaten")}
    return replace(fact, name="judged_cards", arguments={**fates, "points": given["points"]})
