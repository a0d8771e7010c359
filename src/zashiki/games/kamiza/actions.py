# mypyc: compile
"""The eight actions of KAMIZA: one of four cards at one of two areas (`boss@top`)."""

from typing import Final

from zashiki.core.game import Action, ActionId
from zashiki.games.kamiza.state import Area, FaceDown

AREAS: Final = ("top", "bottom")


class Place(Action):
    """Place this card in that area."""

    def __init__(self, id: ActionId, cards: tuple[str, ...]) -> None:
        self.card: FaceDown = card_of(id)
        self.area: Area = area_of(id)
        card = cards[self.card]
        area = AREAS[self.area]
        super().__init__(id, f"{card}@{area}", "place", {"card": card, "area": area})


def card_of(action: ActionId) -> FaceDown:
    return FaceDown(action >> 1)


def area_of(action: ActionId) -> Area:
    return Area(action & 1)


def table_of_actions(cards: tuple[str, ...]) -> list[Action]:
    return [Place(ActionId(id), cards) for id in range(len(cards) * len(AREAS))]
