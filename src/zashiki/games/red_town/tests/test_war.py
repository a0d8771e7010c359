"""Turf wars: the starter, the answers, and the end of a war or a round."""

from collections.abc import Sequence
from typing import Any

import pytest

import zashiki
from zashiki import Match
from zashiki.games.red_town.tests.tables import GAME, cards, plays, refusal, war

ruling = pytest.mark.ruling

ALL_EIGHT = {
    "r1": ["R7"],
    "r2": ["R8", "R9"],
    "r3": ["R8", "R9", "R10"],
    "r4": ["R5", "R6", "R7", "R8"],
    "b1": ["B9"],
    "b2": ["B10", "B10"],
    "b3": ["B6", "B7", "B8"],
    "b4": ["B9", "B9", "B9", "B9"],
}
ANSWERED: dict[str, Any] = {"board": {"b1": ["B8"]}, "declared": 8}
"""A turf war with a black 8 on the board."""


def truth(match: Match) -> Any:
    return match.truth()


def begun(hands: Sequence[str], seed: int = 1, **changes: Any) -> Match:
    """Return a round whose preparation has just ended: every seat confirmed."""
    match = war(hands, seed=seed, phase="decide", turn=None, **changes)
    for seat in range(len(hands)):
        match.play(seat, "confirm")
    return match


def order(match: Match, *actions: str) -> list[int]:
    """Play the actions, and return the seats that were to act, one per action."""
    seats: list[int] = []
    for action in actions:
        seats.extend(match.to_act)
        plays(match, action)
    return seats


def is_fresh(match: Match) -> bool:
    """Return whether a new turf war begins."""
    stands = truth(match)
    ended = stands["board"] == {} and stands["passed"] == []
    return ended and stands["declared"] is None and stands["last"] is None


# RT 3.1, RT 3.2: the first starter ---------------------------------------------------------------


def known_of(match: Match, seat: int, other: int) -> list[str]:
    """Return the cards that a seat knows to be in another's hand."""
    known: Any = match.view(seat)["known"]
    return list(known.get(str(other), ()))


def holding_red_3(holder: int, seats: int) -> list[str]:
    return ["B10 R10 R3" if seat == holder else "B9 R9" for seat in range(seats)]


@ruling("RT 3.1")
@pytest.mark.parametrize(("seats", "holder"), [(3, 2), (4, 0), (4, 1), (4, 3), (5, 4)])
def test_the_holder_of_the_red_3_starts_whoever_has_fewest_bosses(seats: int, holder: int) -> None:
    bosses = [2 if seat == holder else 1 for seat in range(seats)]
    match = begun(holding_red_3(holder, seats), bosses=bosses)
    assert match.to_act == {holder}
    assert truth(match)["turn"] == holder
    assert truth(match)["phase"] == "turn"


@ruling("RT 3.1")
def test_the_red_3_is_shown_when_the_round_starts_and_not_before() -> None:
    match = war(holding_red_3(2, 4), phase="decide", turn=None)
    for seat in range(4):
        assert [known_of(match, other, 2) for other in (0, 1, 3)] == [[], [], []]
        match.play(seat, "confirm")
    assert [known_of(match, other, 2) for other in (0, 1, 3)] == [["R3"]] * 3


@ruling("RT 3.1")
def test_the_red_3_need_not_be_played_and_stays_known() -> None:
    match = begun(holding_red_3(2, 4))
    assert match.legal(2) == ("b1:B10", "r1:R10", "r1:R3")
    match.play(2, "b1:B10")
    assert known_of(match, 0, 2) == ["R3"]


@ruling("RT 3.1")
def test_the_red_3_once_played_is_no_longer_known_to_be_held() -> None:
    match = plays(begun(holding_red_3(2, 4)), "r1:R3")
    assert known_of(match, 0, 2) == []


@ruling("RT 3.1")
@pytest.mark.parametrize("seed", range(6))
def test_in_every_round_the_red_3_decides_anew(seed: int) -> None:
    match = war(["B5", "B6 B7", "", ""], seed=seed, out=[2, 3], bosses=[2, 2, 1, 2])
    plays(match, "b1:B5")
    assert truth(match)["round"] == 2
    for seat in range(4):
        match.play(seat, "confirm")
    (starter,) = match.to_act
    assert "R3" in truth(match)["hands"][starter]


@ruling("RT 3.2")
@pytest.mark.parametrize(
    ("bosses", "starter"), [([2, 1, 2], 1), ([2, 2, 1], 2), ([2, 1, 2, 2, 2], 1)]
)
def test_without_the_red_3_the_fewest_bosses_start(bosses: list[int], starter: int) -> None:
    match = begun(["B10 R10"] * len(bosses), bosses=bosses, aside=["R3"])
    assert match.to_act == {starter}
    assert known_of(match, 0, starter) == []


@ruling("RT 3.2")
@pytest.mark.parametrize(
    ("bosses", "tied"),
    [([1, 2, 1], {0, 2}), ([2, 2, 2], {0, 1, 2}), ([2, 1, 1, 2, 1], {1, 2, 4})],
)
def test_a_tie_of_fewest_bosses_is_drawn(bosses: list[int], tied: set[int]) -> None:
    hands = ["B10 R10"] * len(bosses)
    starters = [begun(hands, seed, bosses=bosses, aside=["R3"]).to_act for seed in range(40)]
    assert set().union(*starters) == tied


# RT 3.3, RT 3.4, RT 3.7, RT 3.12: a turn ---------------------------------------------------------


@ruling("RT 3.3")
def test_turns_go_clockwise_from_the_starter() -> None:
    match = war(["R8 R9", "R8 R9 R10", "B7 B9", "B8 B8 B9"], turn=2)
    assert order(match, "b1:B7", "b2:B8,B8", "r1:R8", "r2:R8,R9") == [2, 3, 0, 1]
    assert match.to_act == {2}


@ruling("RT 3.3")
def test_a_play_lies_beside_its_location_and_is_public() -> None:
    match = plays(war(["B5 B6 B9", "B10"]), "b1:B6")
    assert truth(match)["board"] == {"b1": ["B6"]}
    assert truth(match)["hands"][0] == ["B5", "B9"]
    assert match.view(None)["board"] == {"b1": ["B6"]}
    assert match.view(None)["sizes"] == [2, 1]
    assert (truth(match)["last"], truth(match)["declared"]) == (0, 6)


@ruling("RT 3.4")
def test_the_starter_of_a_turf_war_must_play() -> None:
    match = war(["B5 R6 BH", "B9", "R9"])
    assert "pass" not in match.legal(0)
    assert refusal(match, 0, "pass") == "RT 3.4"


@ruling("RT 3.4")
def test_only_the_first_turn_of_a_starter_is_bound() -> None:
    match = plays(war(["B5 R6 BH", "B9", "R9 R9"]), "b1:B5", "pass", "r1:R9")
    assert match.to_act == {0}
    assert "pass" in match.legal(0)


@ruling("RT 3.4")
def test_the_starter_of_the_next_turf_war_must_play_too() -> None:
    match = plays(war(["B5 R6", "B9", "R9"]), "b1:B5", "pass", "pass")
    assert match.to_act == {0}
    assert refusal(match, 0, "pass") == "RT 3.4"
    assert match.legal(0) == ("r1:R6",)


@ruling("RT 3.4")
@pytest.mark.parametrize("card", ["R3", "R10", "RH", "B3", "B10", "BH"])
def test_any_single_card_can_start(card: str) -> None:
    match = war([card, "B9", "R9"])
    assert match.legal(0) == (f"{card[0].lower()}1:{card}",)


@ruling("RT 3.7")
def test_nobody_else_has_to_play_when_they_could() -> None:
    match = plays(war(["B5 R6", "B9 R9", "R9"]), "b1:B5")
    assert match.legal(1) == ("pass", "r1:R9")
    plays(match, "pass")
    assert truth(match)["hands"][1] == ["R9", "B9"]


@ruling("RT 3.12")
@pytest.mark.parametrize(
    ("hand", "board", "declared"),
    [
        ("R3 B4 B4", {"r1": ["R9"]}, 9),
        ("RH RH", {"r1": ["R8"], "r2": ["R8", "R9"]}, 8),
        ("BH", {"b1": ["B3"]}, 3),
        ("R10 B10 RH BH", ALL_EIGHT, 9),
    ],
)
def test_with_nothing_playable_only_passing_is_legal(
    hand: str, board: dict[str, list[str]], declared: int
) -> None:
    match = war([hand, "B5", "B5"], board=board, declared=declared, last=2)
    assert match.legal(0) == ("pass",)


# RT 3.5: the number ------------------------------------------------------------------------------


@ruling("RT 3.5")
@pytest.mark.parametrize(
    ("play", "refused"),
    [("r1:R7", "RT 3.5"), ("r1:R8", ""), ("r1:R9", ""), ("r2:R7,R8", "RT 3.5"), ("r2:R8,R9", "")],
)
def test_a_number_must_be_equal_or_greater(play: str, refused: str) -> None:
    match = war(["R7 R8 R9", "B9", "B10"], last=2, **ANSWERED)
    assert refusal(match, 0, play) == refused
    assert (play in match.legal(0)) == (not refused)


@ruling("RT 3.5")
@pytest.mark.parametrize("number", [3, 7, 10])
def test_the_first_number_may_be_any(number: int) -> None:
    match = plays(war([f"B{number} R6", "B9", "R9"]), f"b1:B{number}")
    assert truth(match)["declared"] == number


@ruling("RT 3.5")
def test_a_pass_does_not_reset_the_number() -> None:
    match = plays(war(["B8 R6", "B9", "R7 R8"]), "b1:B8", "pass")
    assert truth(match)["declared"] == 8
    assert match.legal(2) == ("pass", "r1:R8")


@ruling("RT 3.5")
def test_it_is_the_last_number_that_counts_and_not_the_first() -> None:
    match = plays(war(["B4 R6 R7", "R8 R9", "B6"]), "b1:B4", "r1:R8", "pass")
    assert match.legal(0) == ("pass",)


@ruling("RT 3.5")
def test_a_new_turf_war_begins_without_a_number() -> None:
    match = plays(war(["B10 B3", "B9", "R9"]), "b1:B10", "pass", "pass")
    assert match.legal(0) == ("b1:B3",)


# RT 3.6: passing ---------------------------------------------------------------------------------


@ruling("RT 3.6")
def test_who_passed_is_asked_no_more_in_this_turf_war_and_again_in_the_next() -> None:
    match = war(["B5 R7 R8 B9 B10", "B6 R9", "R6 R10 B10"])
    assert order(match, "b1:B5", "pass", "r1:R6", "r2:R7,R8") == [0, 1, 2, 0]
    assert truth(match)["passed"] == [1]
    assert match.to_act == {2}
    assert order(match, "pass", "b1:B9") == [2, 0]
    assert match.to_act == {1}
    assert "pass" in match.legal(1)


@ruling("RT 3.6")
def test_passing_is_public_and_moves_no_cards() -> None:
    match = plays(war(["B5 B6", "B6 R9", "R6"]), "b1:B5", "pass")
    assert match.view(None)["passed"] == [1]
    assert match.view(None)["sizes"] == [1, 2, 1]


# RT 3.8: the end of a turf war -------------------------------------------------------------------


@ruling("RT 3.8")
def test_a_turf_war_ends_when_all_but_the_last_player_have_passed() -> None:
    match = plays(war(["B5 B6", "B7", "B8", "B9"]), "b1:B5", "pass", "pass")
    assert match.to_act == {3}
    assert not is_fresh(match)
    plays(match, "pass")
    assert is_fresh(match)
    assert match.to_act == {0}


@ruling("RT 3.8")
def test_it_ends_by_a_play_when_nobody_can_answer_it() -> None:
    match = war(["R9 R10", "B6", "B7", ""], out=[3], passed=[1, 2], last=3, **ANSWERED)
    plays(match, "r1:R9")
    assert is_fresh(match)
    assert match.to_act == {0}


@ruling("RT 3.8")
def test_an_answer_keeps_it_going_for_the_player_who_was_last() -> None:
    match = plays(war(["B5 R9 R9", "R6 B9", "B8"]), "b1:B5", "r1:R6", "pass")
    assert match.to_act == {0}
    assert not is_fresh(match)
    plays(match, "pass")
    assert is_fresh(match)
    assert match.to_act == {1}


@ruling("RT 3.8")
def test_after_a_hand_was_emptied_the_only_one_left_unpassed_still_gets_an_answer() -> None:
    match = plays(war(["B5", "B6 B7", "R8 R9 B9"]), "b1:B5", "pass")
    assert match.to_act == {2}
    assert truth(match)["board"] == {"b1": ["B5"]}
    assert match.legal(2) == ("pass", "r1:R8", "r1:R9", "r2:R8,R9")


@ruling("RT 3.8")
def test_an_answer_to_an_emptied_hand_can_end_the_turf_war_at_once() -> None:
    match = plays(war(["B5", "B6 B7", "R8 R9 B9"]), "b1:B5", "pass", "r1:R8")
    assert is_fresh(match)
    assert match.to_act == {2}


@ruling("RT 3.8")
def test_everyone_who_has_not_passed_answers_an_emptied_hand() -> None:
    match = war(["R9", "B6", "B7", "B10"], passed=[2], last=3, **ANSWERED)
    assert order(match, "r1:R9", "pass") == [0, 1]
    assert match.to_act == {3}
    plays(match, "pass")
    assert is_fresh(match)


@ruling("RT 3.8")
def test_an_emptied_hand_ends_it_at_once_where_all_others_have_passed() -> None:
    match = war(["R9", "B6", "B7", ""], out=[3], passed=[1, 2], last=3, **ANSWERED)
    plays(match, "r1:R9")
    assert is_fresh(match)
    assert match.to_act == {1}


# RT 3.9: the next turf war -----------------------------------------------------------------------


@ruling("RT 3.9")
def test_the_cards_are_discarded_in_the_order_they_were_played() -> None:
    match = war(["B4 R9", "R6 R7 B10", "B7 B7 B9"])
    before = truth(match)["discard"]
    plays(match, "b1:B4", "r2:R6,R7", "b2:B7,B7", "pass", "pass")
    assert truth(match)["board"] == {}
    assert truth(match)["discard"] == [*before, "B4", "R6", "R7", "B7", "B7"]
    assert match.view(0)["discard"] == truth(match)["discard"]


@ruling("RT 3.9")
@pytest.mark.parametrize(
    ("actions", "starter"),
    [
        (["b1:B4", "pass", "pass", "pass"], 0),
        (["b1:B4", "r1:R6", "pass", "pass", "pass"], 1),
        (["b1:B4", "pass", "r1:R7", "pass", "pass"], 2),
        (["b1:B4", "r1:R6", "pass", "b2:B8,B8", "r2:R9,R10", "pass", "pass"], 0),
    ],
)
def test_the_last_player_to_have_played_starts_the_next(actions: list[str], starter: int) -> None:
    match = war(["B4 R9 R10 B10", "R6 B9", "R7 B9", "B8 B8 B9"])
    plays(match, *actions)
    assert is_fresh(match)
    assert match.to_act == {starter}


@ruling("RT 3.9")
@pytest.mark.parametrize(
    ("last", "hands", "starter"),
    [
        (0, ["R9", "B6", "B7", "B10"], 1),
        (2, ["B6", "B7", "R9", "B10"], 3),
        (3, ["B6", "B7", "B10", "R9"], 0),
        (0, ["R9", "", "B7", "B10"], 2),
        (2, ["", "B7", "R9", ""], None),
        (2, ["B10", "B7", "R9", ""], 0),
    ],
)
def test_of_a_player_out_of_cards_the_next_clockwise_who_holds_some_starts(
    last: int, hands: list[str], starter: int | None
) -> None:
    out = [seat for seat, hand in enumerate(hands) if not hand]
    match = war(hands, turn=last, out=out, bosses=[1] * 4)
    plays(match, "r1:R9")
    while not match.over and not is_fresh(match):
        plays(match, "pass")
    assert match.to_act == (frozenset() if starter is None else {starter})


@ruling("RT 3.9")
def test_even_one_who_had_passed_starts_and_must_play() -> None:
    match = war(["R9", "B6 B7", "B7", "B10"], passed=[1], last=3, **ANSWERED)
    plays(match, "r1:R9", "pass", "pass")
    assert is_fresh(match)
    assert match.to_act == {1}
    assert match.legal(1) == ("b1:B6", "b1:B7")


@ruling("RT 3.9")
def test_two_who_run_out_in_one_turf_war() -> None:
    match = plays(war(["B5", "R6", "B7", "B9"]), "b1:B5", "r1:R6", "pass", "pass")
    assert is_fresh(match)
    assert truth(match)["out"] == [0, 1]
    assert match.to_act == {2}


@ruling("RT 3.9")
def test_running_out_earlier_in_a_turf_war_names_no_starter() -> None:
    match = plays(war(["B5", "B6", "R7 B7", "B9"]), "b1:B5", "pass", "r1:R7", "pass")
    assert is_fresh(match)
    assert match.to_act == {2}


# RT 3.10, RT 3.11: out of the round, and its end -------------------------------------------------


@ruling("RT 3.10")
def test_players_go_out_in_order_and_are_asked_no_more() -> None:
    match = war(["R8 B8", "R9 R10", "B7", "R7"], turn=2, bosses=[1, 1, 1, 1])
    assert order(match, "b1:B7", "r1:R7", "pass", "r2:R9,R10") == [2, 3, 0, 1]
    assert match.over
    assert truth(match)["out"] == [2, 3, 1]
    assert match.view(None)["sizes"] == [2, 0, 0, 0]


@ruling("RT 3.10")
def test_who_is_out_is_passed_over() -> None:
    match = plays(war(["B5 B9", "R6", "B7 R7", "B8 B8"]), "b1:B5", "r1:R6", "pass", "b2:B8,B8")
    assert truth(match)["out"] == [1, 3]
    assert match.view(2)["out"] == [1, 3]
    assert match.to_act == {0}
    assert match.legal(1) == ()


@ruling("RT 3.11")
def test_the_round_ends_at_once_when_one_player_holds_cards_also_in_mid_war() -> None:
    match = war(["B5", "", "R6 R7 B8"], out=[1], bosses=[1, 1, 1])
    plays(match, "b1:B5")
    assert match.over
    assert match.to_act == frozenset()
    assert match.outcome is not None
    assert match.outcome.ranks == (1, 1, 3)
    stands = truth(match)
    assert (stands["phase"], stands["turn"], stands["out"]) == ("over", None, [1, 0])
    assert (stands["board"], stands["hands"][2]) == ({"b1": ["B5"]}, cards("R6 R7 B8"))


@ruling("RT 3.11")
def test_after_the_end_of_a_round_the_next_is_prepared() -> None:
    match = plays(war(["B5", "", "R6 R7"], out=[1]), "b1:B5")
    stands = truth(match)
    assert (stands["round"], stands["phase"], stands["bosses"]) == (2, "decide", [2, 2, 1])
    assert (stands["board"], stands["discard"], stands["out"]) == ({}, [], [])
    assert match.to_act == {0, 1, 2}


@ruling("RT 3.11")
def test_two_who_hold_cards_play_on() -> None:
    match = plays(war(["B5", "B6 R6", "R6 R7"], bosses=[1, 1, 1]), "b1:B5")
    assert not match.over
    assert match.to_act == {1}


@ruling("RT 3.11")
@pytest.mark.parametrize("play", ["b4:B8,B8,B8,B8", "r4:R5,R6,R7,R8", "b4:BH,BH,BH,BH"])
def test_the_round_ends_before_any_effect(play: str) -> None:
    hand = play.partition(":")[2].replace(",", " ")
    match = war([hand, "", "R10 B9"], out=[1], bosses=[1, 1, 1])
    plays(match, play)
    assert match.over
    assert match.legal(0) == ()
    assert truth(match)["phase"] == "over"


@ruling("RT 3.11")
def test_the_round_ends_whoever_has_passed() -> None:
    match = war(["R9", "B6", ""], out=[2], passed=[1], last=2, bosses=[1, 1, 1], **ANSWERED)
    plays(match, "r1:R9")
    assert match.over
    assert truth(match)["bosses"] == [1, 0, 1]


@ruling("RT 3.8")
@ruling("RT 3.11")
@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("seed", range(6))
def test_a_whole_round_agrees_with_a_plain_account_of_who_is_to_act(seats: int, seed: int) -> None:
    match = zashiki.start(GAME, seats, options={"form": "short"}, seed=seed)
    for seat in range(seats):
        match.play(seat, match.legal(seat)[seed % 2])
    turn = 0
    while not match.over:
        turn += 1
        (seat,) = match.to_act
        before, choices = truth(match), match.legal(seat)
        action = choices[(turn * 7 + seed) % len(choices)]
        match.play(seat, action)
        assert match.over == (sum(map(bool, truth(match)["hands"])) == 1)
        if before["phase"] == "turn" and truth(match)["phase"] == "turn":
            assert match.to_act == {next_to_act(before, action)}


def next_to_act(before: Any, action: str) -> int:
    """Return the next seat by a second version of RT 3.6, RT 3.8 and RT 3.9, without effects."""
    seat, left = before["turn"], [len(hand) for hand in before["hands"]]
    passed, last, seats = set(before["passed"]), before["last"], len(left)
    if action == "pass":
        passed.add(seat)
    else:
        left[seat] -= len(action.split(","))
        last = seat
    for other in range(seat + 1, seat + seats):
        if left[other % seats] and other % seats not in passed | {last}:
            return other % seats
    return next(other % seats for other in range(last, last + seats) if left[other % seats])
