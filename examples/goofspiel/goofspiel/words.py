"""What the arguments of Goofspiel's facts mean."""

from goofspiel.actions import MOST_CARDS
from goofspiel.state import BID, HAND, LANE, LANE_MASK
from zashiki.core.facts import BySeat, Number, SeatNumber, SetOf, Vocabulary


def vocabulary(seats: int) -> Vocabulary:
    seat = SeatNumber(seats)
    card = Number(1, MOST_CARDS)
    some = SetOf(card, MOST_CARDS + 1)
    return Vocabulary(
        public={
            "prize_turned_up": {"round": Number(1, MOST_CARDS), "prize": card},
            "has_chosen": {"seat": seat},
            "revealed": {"bids": BySeat(card, seats, BID)},
            "prize_won": {"seat": seat, "prize": card},
            "prize_discarded": {"prize": card},
            "scene_set": {
                "round": Number(1, MOST_CARDS),
                "to_come": some,
                "scores": BySeat(Number(0, LANE_MASK), seats, LANE),
                "unspent": BySeat(some, seats, HAND),
            },
        },
        own={"chose": {"bid": card}},
        hidden={},
    )
