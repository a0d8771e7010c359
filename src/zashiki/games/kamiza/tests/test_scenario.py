"""Wrong keys, counts and cards of a scenario are refused by name; odd positions are not."""

from typing import Any

import pytest

import zashiki
from zashiki import Malformed
from zashiki.games.kamiza.tests.tables import CARDS, FIRST, SECOND, lay, stand, standing

HELD = CARDS[SECOND]


def test_the_position_of_the_rules_page_stands() -> None:
    truth = {
        "seats": 4, "game": 1, "round": 2, "starter": 0, "turn": 2,
        "scores": [2, 0, 2, 0], "wanted": [0, 0, 1, 0], "dropped": [],
        "hands": [["hitman", "police"], ["boss", "underboss"],
                  ["boss", "underboss", "hitman"], ["underboss", "hitman", "police"]],
        "placed": [{"seat": 0, "card": "underboss", "area": "top", "open": False},
                   {"seat": 1, "card": "hitman", "area": "bottom", "open": False}],
        "spent": [["boss"], ["police"], ["police"], ["boss"]],
    }  # fmt: skip
    match = zashiki.scenario(SECOND, truth)
    assert match.truth() == truth
    assert match.to_act == {2}
    assert {action.split("@")[0] for action in match.legal(2)} == {"boss", "underboss", "hitman"}


@pytest.mark.parametrize(
    "changes",
    [
        {"turn": 3, "placed": [{"seat": 1, "card": "boss", "area": "top", "open": True}],
         "hands": [HELD, ["underboss", "hitman", "police"], HELD, HELD]},
        {"round": 3},
        {"scores": [4050, 0, 0, 0], "wanted": [9, 0, 0, 3]},
        {"dropped": [0, 1, 2], "turn": 3, "wanted": [0, 0, 0, 0]},
        {"game": 2, "turn": None},
        {"starter": 3},
    ],
)  # fmt: skip
def test_a_position_is_never_refused_for_being_unreachable(changes: dict[str, Any]) -> None:
    truth = standing(SECOND, **changes)
    match = zashiki.scenario(SECOND, truth)
    assert match.truth() == truth
    while not match.over:
        for seat in match.to_act:
            match.play(seat, match.legal(seat)[0])
    assert match.outcome is not None


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"seats": 5}, "seats of .*, found 5"),
        ({"game": 4}, "game: expected a number from 1 to 3.* found 4"),
        ({"round": 0}, "round: expected .* found 0"),
        ({"round": True}, "round: expected .* found True"),
        ({"starter": 4}, "starter: expected .* found 4"),
        ({"turn": 4}, "turn: expected .* found 4"),
        ({"turn": "0"}, "turn: expected .* found '0'"),
        ({"scores": [0, 0, 0]}, "scores: expected 4 entries"),
        ({"scores": [0, 0, 0, -1]}, r"scores\[3\]: expected .* found -1"),
        ({"scores": 7}, "scores: expected a list.* found 7"),
        ({"wanted": [0, 0, 0, 1.0]}, r"wanted\[3\]: expected .* found 1.0"),
        ({"dropped": [1, 1]}, r"dropped: expected each seat once, found \[1, 1\]"),
        ({"dropped": [9]}, "dropped: expected .* found 9"),
        ({"hands": [HELD] * 3}, "hands: expected 4 entries"),
        (
            {"hands": [HELD, HELD, HELD, ["king"]]},
            r"hands\[3\]\[0\]: expected one of boss.* found 'king'",
        ),
        ({"hands": [HELD, HELD, HELD, [*HELD, "boss"]]}, "seat 3: expected boss, underboss"),
        ({"hands": [HELD, HELD, HELD, ["boss"]]}, "seat 3: expected boss, underboss"),
        ({"spent": [["boss"], [], [], []]}, "seat 0: expected boss, underboss"),
        ({"placed": [{"seat": 1}]}, r"placed\[0\]"),
        ({"placed": [{"seat": 1, "card": "boss", "area": "x", "open": False}]}, r"\[0\].area"),
        ({"placed": [{"seat": 1, "card": "boss", "area": "top", "open": 0}]}, r"placed\[0\].open"),
        ({"placed": [{"seat": 7, "card": "boss", "area": "top", "open": False}]}, r"\[0\].seat"),
        ({"placed": [{"seat": 1, "card": "x", "area": "top", "open": False}]}, r"placed\[0\].card"),
        ({"placed": [{"seat": 1, "card": card, "area": "top", "open": False} for card in HELD[:2]]},
         "placed: expected at most 1 card of seat 1, found 2"),
        ({"turn": 0, "dropped": [0]}, "turn: expected a seat still in .* found 0"),
        ({"extra": 1}, "expected the keys .* found 'extra'"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(changes: dict[str, Any], fault: str) -> None:
    with pytest.raises(Malformed, match=fault):
        zashiki.scenario(SECOND, standing(SECOND, **changes))


@pytest.mark.parametrize("key", list(standing(SECOND)))
def test_a_missing_key_is_named(key: str) -> None:
    truth = standing(SECOND)
    del truth[key]
    fault = "seats of .*, found None" if key == "seats" else f"expected the key '{key}', found none"
    with pytest.raises(Malformed, match=fault):
        zashiki.scenario(SECOND, truth)


def test_a_position_that_could_not_go_on_is_refused() -> None:
    with pytest.raises(Malformed, match=r"spent\[0\]: expected at most 0 .* found 1"):
        stand(SECOND, spent=[["boss"], [], [], []])
    lies = [{"seat": 0, "card": "boss", "area": "top", "open": False}]
    hands = [HELD[1:], HELD, HELD]
    with pytest.raises(Malformed, match="a match that is over"):
        zashiki.scenario(SECOND, standing(SECOND, 3, placed=lies, hands=hands, turn=None))
    with pytest.raises(Malformed, match="turn: expected a seat still in and yet to place, found 0"):
        zashiki.scenario(SECOND, standing(SECOND, 3, placed=lies, hands=hands, turn=0))


def test_what_the_product_made_it_takes() -> None:
    match = stand(SECOND, 3, scores=[4050] * 3, wanted=[90] * 3)
    while not match.over:
        assert zashiki.scenario(SECOND, match.truth()).truth() == match.truth()
        for seat in match.to_act:
            match.play(seat, match.legal(seat)[-1])


def test_the_first_edition_knows_no_wanted_chips() -> None:
    with pytest.raises(Malformed, match=r"expected the keys .* found 'wanted'"):
        zashiki.scenario(FIRST, standing(FIRST, wanted=[0, 0, 0, 0]))


@pytest.mark.parametrize("truth", [None, [], "x", 7])
def test_a_truth_is_a_mapping(truth: Any) -> None:
    with pytest.raises(Malformed, match="expected a mapping, found"):
        zashiki.scenario(SECOND, truth)


def test_seats_know_what_is_public_and_their_own_cards_and_nothing_before() -> None:
    match = stand(SECOND, 3, round=2, spent=[["boss"], ["hitman"], ["police"]])
    assert match.view(0)["history"] == []
    lay(match, "underboss@top", "boss@top", "boss@top")
    history: Any = match.view(0)["history"]
    assert [(past["game"], past["round"]) for past in history] == [(1, 2)]


def test_the_record_of_a_scenario_replays_and_keeps_its_secrets() -> None:
    lies = [{"seat": 0, "card": "boss", "area": "top", "open": False}]
    match = stand(SECOND, 3, placed=lies, turn=1, hands=[HELD[1:], HELD, HELD])
    again = zashiki.replay(match.record())
    assert again.truth() == match.truth()
    assert '"boss"' not in match.record(1)
    assert '"boss"' in match.record(0)
