# mypyc: compile
"""The actions of Goofspiel: bid a card (`bid:7`)."""

from typing import Final

from mypy_extensions import i64

from goofspiel.state import Bid
from zashiki.core.game import Action, ActionId

MOST_CARDS: Final = 13


class MakeBid(Action):
    """Bid this card."""

    def __init__(self, id: ActionId) -> None:
        self.bid: Bid = bid_of(id)
        super().__init__(id, f"bid:{self.bid}", "bid", {"card": int(self.bid)})


def bid_of(action: ActionId) -> Bid:
    return Bid(action + 1)


def bid(card: i64) -> ActionId:
    return ActionId(card - 1)


def every_bid() -> list[Action]:
    """Return all bids that the grammar reads. A form with fewer cards uses the first of them."""
    return [MakeBid(ActionId(id)) for id in range(MOST_CARDS)]
