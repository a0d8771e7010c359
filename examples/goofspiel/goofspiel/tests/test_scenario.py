"""A truth made to stand: read strictly, and refused only where the match could not go on."""

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
        ({"extra": 1}, "unknown key 'extra': seats, round, prize"),
        ({"round": 5}, "round = 5: 4 is expected with 1 of 5 prizes to come"),
        ({"round": "4"}, "round = '4': a number from 1 to 5 is expected"),
        ({"round": True}, "round = True: a number from 1 to 5 is expected"),
        ({"prize": 6}, "prize = 6: a number from 1 to 5 is expected"),
        ({"prize": None}, "prize = None: a prize is expected while others are to come"),
        ({"prize": 2}, "to_come: prize 2, turned up, is not expected there"),
        ({"to_come": 2}, "to_come = 2: a list is expected"),
        ({"to_come": [0]}, r"to_come\[0\] = 0: a number from 1 to 5 is expected"),
        ({"to_come": [2, 2]}, r"to_come = \[2, 2\]: each card once is expected"),
        ({"scores": [0]}, "scores: 2 entries, one a seat, are expected, not 1"),
        ({"scores": [0, -1]}, r"scores\[1\] = -1: a number from 0 to 4004 is expected"),
        ({"hands": [[1, 4], "23"]}, r"hands\[1\] = '23': a list is expected"),
        ({"hands": [[1, 4, 9], [2, 3]]}, r"hands\[0\]\[2\] = 9: a number from 1 to 5"),
        (
            {"hands": [[1, 5], [2, 3]]},
            "seat 0: in hands, bids and spent each of 1 to 5 is expected once",
        ),
        ({"bids": [None, 6]}, r"bids\[1\] = 6: a number from 1 to 5 is expected"),
        ({"bids": [4, 5], "hands": [[1], [2, 3]]}, "bids: a seat that has not chosen"),
        ({"spent": [[2, 3, 5], [1, 1]]}, r"spent\[1\] = \[1, 1\]: each card once is expected"),
        (
            {"hands": [[4], [2, 3]], "spent": [[1, 2, 3, 5], [1, 4]]},
            r"hands\[0\]: at least 2 cards are expected",
        ),
        (
            {"prize": None, "to_come": [], "round": 5},
            "bids: none are expected in a match that is over",
        ),
    ],
)
def test_what_is_no_truth_is_malformed(changes: dict[str, Any], fault: str) -> None:
    with pytest.raises(Malformed, match=fault):
        standing({**GOOD, **changes})


@pytest.mark.parametrize("key", [key for key in GOOD if key != "seats"])
def test_a_missing_key_is_named(key: str) -> None:
    with pytest.raises(Malformed, match=f"key '{key}' is missing"):
        standing({name: value for name, value in GOOD.items() if name != key})


def test_the_number_of_seats_is_needed() -> None:
    with pytest.raises(Malformed, match="seats None: goofspiel expects 2 or 3 or 4"):
        standing({name: value for name, value in GOOD.items() if name != "seats"})
