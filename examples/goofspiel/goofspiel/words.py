"""The kinds of the arguments of Goofspiel's facts, for its texts."""

from collections.abc import Mapping
from typing import Any

from goofspiel.state import BID, HAND, LANE, LANE_MASK
from zashiki.core.facts import BySeat, Number, SeatNumber, SetOf, Vocabulary


def vocabulary(seats: int, options: Mapping[str, Any]) -> Vocabulary:
    seat = SeatNumber(seats)
    card = Number(1, options["cards"])
    some = SetOf(card, options["cards"] + 1)
    return Vocabulary(
        public={
            "prize_turned_up": {"round": card, "prize": card},
            "has_chosen": {"seat": seat},
            "revealed": {"bids": BySeat(card, seats, BID)},
            "prize_won": {"seat": seat, "prize": card},
            "prize_discarded": {"prize": card},
            "scene_set": {
                "round": card,
                "to_come": some,
                "scores": BySeat(Number(0, LANE_MASK), seats, LANE),
                "unspent": BySeat(some, seats, HAND),
            },
        },
        own={"chose": {"bid": card}},
        hidden={},
    )
