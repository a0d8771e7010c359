"""Full states that are loaded: checked strictly, and refused only if no match could continue."""

from typing import Any

import pytest

from goofspiel.tests.tables import bid, position, standing, started
from zashiki.core.rulings import Malformed

GOOD = position([[1, 4], [2, 3]], 4, [2], bids=[None, 5])


def test_every_truth_of_a_match_stands_again() -> None:
    match = started(3, cards=5, order="random")
    while not match.over:
        seat = min(match.to_act)
        match.play(seat, match.legal(seat)[-1])
        assert standing(match.truth(), order="random").truth() == match.truth()


def test_a_position_nobody_could_reach_stands_and_goes_on() -> None:
    truth = position([[1, 2, 3, 4, 5], [4, 5]], 3, [5], scores=[0, 4000])
    match = standing(truth)
    assert match.truth() == truth
    bid(match, 5, 4)
    bid(match, 1, 5)
    assert match.outcome is not None
    assert match.outcome.scores == (3, 4005)


def test_a_match_that_is_over_stands() -> None:
    match = standing(position([[], []], None, scores=[8, 7]))
    assert match.over
    assert match.outcome is not None
    assert match.outcome.ranks == (1, 2)


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"extra": 1}, "expected the keys seats, round, prize.* found 'extra'"),
        ({"round": 5}, "round: expected 4 with 1 of 5 prizes to come, found 5"),
        ({"round": "4"}, "round: expected a number from 1 to 5, found '4'"),
        ({"round": True}, "round: expected a number from 1 to 5, found True"),
        ({"prize": 6}, "prize: expected a number from 1 to 5, found 6"),
        ({"prize": None}, "prize: expected a prize while others are to come, found None"),
        ({"prize": 2}, "to_come: expected it without the present prize, 2"),
        ({"to_come": 2}, "to_come: expected a list, found 2"),
        ({"to_come": [0]}, r"to_come\[0\]: expected a number from 1 to 5, found 0"),
        ({"to_come": [2, 2]}, r"to_come: expected each card once, found \[2, 2\]"),
        ({"scores": [0]}, "scores: expected 2 entries, one per seat, found 1"),
        ({"scores": [0, -1]}, r"scores\[1\]: expected a number from 0 to 4004, found -1"),
        ({"hands": [[1, 4], "23"]}, r"hands\[1\]: expected a list, found '23'"),
        (
            {"hands": [[1, 4, 9], [2, 3]]},
            r"hands\[0\]\[2\]: expected a number from 1 to 5.* found 9",
        ),
        (
            {"hands": [[1, 5], [2, 3]]},
            "seat 0: expected each card from 1 to 5 once in hands, bids and spent, found",
        ),
        ({"bids": [None, 6]}, r"bids\[1\]: expected a number from 1 to 5, found 6"),
        (
            {"bids": [4, 5], "hands": [[1], [2, 3]]},
            "bids: expected None for a seat still to choose, found no None",
        ),
        ({"spent": [[2, 3, 5], [1, 1]]}, r"spent\[1\]: expected each card once, found \[1, 1\]"),
        (
            {"hands": [[4], [2, 3]], "spent": [[1, 2, 3, 5], [1, 4]]},
            r"hands\[0\]: expected at least 2 cards, found 1",
        ),
        (
            {"prize": None, "to_come": [], "round": 5},
            "bids: expected none in a match that is over, found some",
        ),
    ],
)
def test_what_is_no_truth_is_malformed(changes: dict[str, Any], fault: str) -> None:
    with pytest.raises(Malformed, match=fault):
        standing({**GOOD, **changes})


@pytest.mark.parametrize("key", [key for key in GOOD if key != "seats"])
def test_a_missing_key_is_named(key: str) -> None:
    with pytest.raises(Malformed, match=f"expected the key '{key}', found none"):
        standing({name: value for name, value in GOOD.items() if name != key})


def test_the_number_of_seats_is_needed() -> None:
    with pytest.raises(Malformed, match="seats of goofspiel: expected 2 or 3 or 4, found None"):
        standing({name: value for name, value in GOOD.items() if name != "seats"})
