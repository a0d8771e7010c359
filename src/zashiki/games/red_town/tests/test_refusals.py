"""Refusals: each rule that can forbid an action, which of two is named, and its text."""

import re
from typing import Any

import pytest

import zashiki
from zashiki import Malformed, Match, Refused
from zashiki.games.red_town.tests.tables import (
    GAME,
    explained,
    in_words,
    plays,
    refusal,
    told,
    war,
)

ruling = pytest.mark.ruling
refuses = pytest.mark.refuses

AFTER_8: dict[str, Any] = {"board": {"b1": ["B8"]}, "declared": 8, "last": 2}
"""Seat 2 of three played a black 8 at b1."""
LIES = {"discard": {"r4": ["R5", "R6", "R7", "R8"]}, "end-war": {"b4": ["B8"] * 4}}
"""The play just before the decision about its effect."""


def asked(phase: str, form: str = "standard", hand: str = "R9 B9") -> Match:
    """Return a match in which seat 0 begins a turf war, or decides about an effect."""
    hands = [hand, *["R10 B10"] * (1 if form == "two" else 2)]
    if phase == "turn":
        return war(hands, form)
    declared = 5 if phase == "discard" else 8
    return war(hands, form, phase=phase, board=LIES[phase], declared=declared, last=0)


def deciding() -> Match:
    """Return a standard match at the beginning of a round; seat 0 has a red and a black 9."""
    hands = ["R9 B9", "R10", "R10"]
    return war(hands, phase="decide", turn=None, supply=["RRBB"] * 3)


def answering(hand: str) -> Match:
    """Return a match in which seat 0 has this hand and is to answer a black 8 at b1."""
    return war([hand, "R10 B10", "R10 B10"], **AFTER_8)


def why(match: Match, action: str, seat: int = 0) -> zashiki.Refusal:
    refused = match.why_not(seat, action)
    assert refused is not None
    return refused


def numbers_in(text: str) -> set[str]:
    """Return the numbers of a text that are not part of a card's name."""
    return set(re.findall(r"(?<![\w])\d+(?![\w])", text))


# The rules of no game ----------------------------------------------------------------------------


@ruling("Z 1")
@refuses("Z 1")
@pytest.mark.parametrize("action", ["r1:R9", "r1:R10", "pass", "keep", "end", "confirm", "look:1"])
def test_who_is_not_to_act_is_told_for_whom_the_table_waits(action: str) -> None:
    match = asked("turn")
    assert refusal(match, 1, action) == "Z 1"
    assert "Seat 1" in explained(match, 1, action)


@ruling("Z 1")
@refuses("Z 1")
def test_who_has_chosen_in_secret_waits_for_the_others() -> None:
    match = zashiki.start(GAME, 2, seed=1)
    match.play(0, "look:1")
    assert refusal(match, 0, "look:2") == "Z 1"
    assert "Seat 2" in explained(match, 0, "look:2")


@ruling("Z 2")
@refuses("Z 2")
@pytest.mark.parametrize("seat", [0, 1, 2])
@pytest.mark.parametrize("action", ["b1:B5", "r1:R9", "pass", "end", "confirm", "look:1"])
def test_after_the_end_nothing_is_played(seat: int, action: str) -> None:
    match = plays(war(["B5", "", "R9 B9"], out=[1], bosses=[1, 1, 1]), "b1:B5")
    assert refusal(match, seat, action) == "Z 2"


@ruling("Z 3")
@refuses("Z 3")
@pytest.mark.parametrize(
    ("action", "card"),
    [
        ("r1:R4", "R4"),
        ("r2:R9,R10", "R10"),
        ("b2:B9,B9", "B9"),
        ("b1:BH", "BH"),
        ("b3:R9,B9,B10", "B10"),
        ("r1:R11", "R11"),
        ("b4:RH,B9,BH,BH", "BH"),
        ("discard:B3", "B3"),
        (f"b2:{','.join(['B9'] * 8)}", "B9"),
    ],
)
def test_a_card_that_is_not_held_is_named(action: str, card: str) -> None:
    match = asked("turn", hand="R9 B9 RH BH" if action[:2] == "b4" else "R9 B9")
    refused = why(match, action)
    assert refused.ruling == "Z 3"
    assert refused.blame == (card,)
    assert in_words(card) in explained(match, 0, action)


# The rules of a turn -----------------------------------------------------------------------------


@ruling("RT 3.3")
@refuses("RT 3.3")
@pytest.mark.parametrize("action", ["r1:R9", "r1:B9", "r2:R9", "b1:B9", "pass"])
def test_nothing_is_played_and_nobody_passes_before_the_turf_war(action: str) -> None:
    assert refusal(deciding(), 0, action) == "RT 3.3"


@ruling("RT 3.4")
@refuses("RT 3.4")
def test_the_starter_does_not_pass() -> None:
    assert refusal(asked("turn"), 0, "pass") == "RT 3.4"


@ruling("RT 3.5")
@refuses("RT 3.5")
@pytest.mark.parametrize(
    ("action", "number"),
    [("r1:R7", "7"), ("r2:R6,R7", "6"), ("b2:B4,B4", "4"), ("b3:R7,B5,B6", "5"), ("r2:R7,RH", "7")],
)
def test_a_number_too_low_is_told_with_the_cards_and_the_last_number(
    action: str, number: str
) -> None:
    match = answering("R6 R7 RH B4 B4 B5 B6")
    tried = action.partition(":")[2].split(",")
    assert why(match, action).ruling == "RT 3.5"
    assert set(why(match, action).blame) <= set(tried)
    assert {card[1:] for card in why(match, action).blame} >= {number}
    text = explained(match, 0, action)
    assert {number, "8"} <= numbers_in(text)
    assert all(in_words(card) in text for card in tried)


@ruling("RT 4.1")
@refuses("RT 4.1")
@pytest.mark.parametrize("action", ["b1:B9", "b1:B10", "b1:BH"])
def test_a_taken_location_is_named(action: str) -> None:
    match = answering("R9 B9 B10 BH")
    assert why(match, action).ruling == "RT 4.1"
    place = match.spec.texts("en").word("b1")
    assert place in explained(match, 0, action)
    assert place != "b1"


@ruling("RT 4.4")
@refuses("RT 4.4")
@pytest.mark.parametrize(
    ("action", "broken"),
    [
        ("r1:B9", ["B9"]),
        ("r1:BH", ["BH"]),
        ("r2:R8,B9", ["B9"]),
        ("r2:R9,BH", ["BH"]),
        ("b2:R9,B9", ["R9"]),
        ("b2:RH,B9", ["RH"]),
        ("r4:R8,R9,R10,B9", ["B9"]),
        ("b4:R9,B9,B9,BH", ["R9"]),
    ],
)
def test_cards_of_the_wrong_colour_are_blamed(action: str, broken: list[str]) -> None:
    match = asked("turn", hand="R8 R9 R10 RH B9 B9 BH")
    assert why(match, action).ruling == "RT 4.4"
    assert why(match, action).blame == tuple(broken)
    assert all(in_words(card) in explained(match, 0, action) for card in broken)


@ruling("RT 4.4")
@refuses("RT 4.4")
@pytest.mark.parametrize("action", ["r1:R8,R9", "r3:R8,R9", "b2:B9", "b4:B9,B9", "b2:B9,B10"])
def test_a_tile_says_what_it_wants(action: str) -> None:
    match = asked("turn", hand="R8 R9 R10 RH B9 B9 B10 BH")
    assert why(match, action).ruling == "RT 4.4"
    wanted = match.spec.texts("en").word(f"wanted-{action[:2]}")
    assert wanted in explained(match, 0, action)
    assert not wanted.startswith("wanted-")


@ruling("RT 4.4")
@refuses("RT 4.4")
def test_eight_hitmen_are_too_many_and_not_unreadable() -> None:
    match = war([" ".join(["BH"] * 8), "B3", "B4", "B5", "R5"])
    assert refusal(match, 0, f"b4:{','.join(['BH'] * 8)}") == "RT 4.4"


@ruling("RT 4.2")
@refuses("RT 4.2")
@pytest.mark.parametrize("action", ["r2:R5,R7", "r2:R3,R10", "r3:R5,R7,R10", "r4:R3,R5,R7,RH"])
def test_a_broken_sequence_is_told_with_its_cards(action: str) -> None:
    check_broken(asked("turn", hand="R3 R5 R7 R10 RH"), action, "RT 4.2")


@ruling("RT 4.3")
@refuses("RT 4.3")
@pytest.mark.parametrize("action", ["r3:R5,R6,B9", "r3:R5,RH,B9", "b3:R5,B8,B9", "b3:R5,B9,BH"])
def test_a_broken_mixture_is_told_with_its_cards(action: str) -> None:
    check_broken(asked("turn", hand="R5 R6 RH B8 B9 BH"), action, "RT 4.3")


def check_broken(match: Match, action: str, rule: str) -> None:
    tried = set(action.partition(":")[2].split(","))
    refused = why(match, action)
    assert refused.ruling == rule
    assert refused.blame
    assert set(refused.blame) <= tried
    text = explained(match, 0, action)
    assert all(in_words(card) in text for card in refused.blame)
    assert match.spec.texts("en").word(f"wanted-{action[:2]}") in text


# What is asked now is something else -------------------------------------------------------------


@ruling("RT 4.7")
@refuses("RT 4.7")
@pytest.mark.parametrize("phase", ["discard", "end-war"])
@pytest.mark.parametrize("action", ["r1:R9", "b1:B9", "pass", "r2:R9"])
def test_while_an_effect_is_asked_nothing_is_played(phase: str, action: str) -> None:
    assert refusal(asked(phase), 0, action) == "RT 4.7"


@ruling("RT 4.5")
@refuses("RT 4.5")
@pytest.mark.parametrize("phase", ["turn", "end-war"])
@pytest.mark.parametrize("action", ["discard:B9", "discard:R9,B9", "keep"])
def test_without_the_red_four_nothing_is_discarded(phase: str, action: str) -> None:
    assert refusal(asked(phase), 0, action) == "RT 4.5"


@ruling("RT 4.5")
@refuses("RT 4.5")
def test_two_cards_are_too_many_to_discard() -> None:
    match = asked("discard", hand="R9 B9 B9")
    assert refusal(match, 0, "discard:R9,B9") == "RT 4.5"
    assert refusal(match, 0, "discard:B9,B9") == "RT 4.5"
    assert refusal(match, 0, "discard:B9") == ""


@ruling("RT 4.6")
@refuses("RT 4.6")
@pytest.mark.parametrize("phase", ["turn", "discard"])
@pytest.mark.parametrize("action", ["end", "stay"])
def test_without_the_black_four_no_turf_war_is_ended(phase: str, action: str) -> None:
    assert refusal(asked(phase), 0, action) == "RT 4.6"


EVERYWHERE = {
    "look:1": "RT 7.2",
    "give:2": "RT 7.3",
    "hand:kept": "RT 7.4",
    "hand:received": "RT 7.4",
}
BY_FORM = {
    "standard": {"confirm": "RT 2.2", "add": "RT 2.2", "hitman:R": "RT 2.5", "hitmen:RB": "RT 2.6"},
    "short": {"confirm": "RT 8.1", "add": "RT 8.1", "hitman:B": "RT 8.1", "hitmen:R": "RT 8.1"},
    "two": {"confirm": "RT 7.1", "add": "RT 7.1", "hitman:R": "RT 7.2", "hitmen:B": "RT 7.2"},
}  # fmt: skip


@ruling("RT 3.3")
@pytest.mark.parametrize("phase", ["turn", "discard", "end-war"])
@pytest.mark.parametrize("form", list(BY_FORM))
def test_in_a_turf_war_the_preparation_is_over(form: str, phase: str) -> None:
    match = asked(phase, form)
    expected = EVERYWHERE | BY_FORM[form]
    assert {action: refusal(match, 0, action) for action in expected} == expected


@ruling("RT 7.1")
@refuses("RT 7.1")
@pytest.mark.parametrize("action", ["confirm", "add"])
def test_two_players_have_no_decision_tiles(action: str) -> None:
    assert refusal(zashiki.start(GAME, 2, seed=1), 0, action) == "RT 7.1"


STEPS = [("look:1", "look:1"), ("hitman:R", "hitman:R"), ("give:1", "give:2")]
"""The steps by which two players come to choose a hand."""


def prepared(steps: int) -> Match:
    """Return a two-player match after a number of steps of its preparation."""
    match = zashiki.start(GAME, 2, seed=1)
    for zero, one in STEPS[:steps]:
        match.play(0, zero)
        match.play(1, one)
    return match


@ruling("RT 7.2")
@refuses("RT 7.2")
@pytest.mark.parametrize(
    ("steps", "action"),
    [(0, "hitman:R"), (0, "hitmen:R"), (1, "look:2"), (1, "hitmen:RB"), (2, "look:1"),
     (2, "hitman:B"), (3, "look:2")],
)  # fmt: skip
def test_looking_and_adding_have_their_time(steps: int, action: str) -> None:
    assert refusal(prepared(steps), 0, action) == "RT 7.2"


@ruling("RT 7.3")
@refuses("RT 7.3")
@pytest.mark.parametrize("steps", [0, 1, 3])
def test_handing_over_has_its_time(steps: int) -> None:
    assert refusal(prepared(steps), 0, "give:1") == "RT 7.3"


@ruling("RT 7.4")
@refuses("RT 7.4")
@pytest.mark.parametrize("steps", [0, 1, 2])
def test_choosing_the_hand_has_its_time(steps: int) -> None:
    assert refusal(prepared(steps), 0, "hand:kept") == "RT 7.4"


@ruling("RT 3.3")
@pytest.mark.parametrize("steps", [0, 1, 2, 3])
def test_two_players_play_nothing_before_their_hands_are_chosen(steps: int) -> None:
    match = prepared(steps)
    actions = ["pass", "keep", "end", "r1:R9", "discard:R9"]
    expected = ["RT 3.3", "RT 4.5", "RT 4.6", "Z 3", "Z 3"]
    assert [refusal(match, 0, action) for action in actions] == expected


# Which of two faults is told ---------------------------------------------------------------------


@ruling("Z 1")
@ruling("Z 2")
@ruling("Z 3")
def test_first_that_the_match_is_over_then_whose_turn_it_is_then_the_cards() -> None:
    over = plays(war(["B5", "", "R9 B9"], out=[1], bosses=[1, 1, 1]), "b1:B5")
    assert refusal(over, 1, "r1:R3") == "Z 2"
    assert refusal(asked("turn"), 1, "r1:R3") == "Z 1"
    assert refusal(asked("turn"), 0, "b4:R3") == "Z 3"


@ruling("Z 3")
@pytest.mark.parametrize("phase", ["decide", "turn", "discard", "end-war"])
@pytest.mark.parametrize("action", ["b1:B3", "r1:R9,B3", "discard:B3", "discard:R9,B3"])
def test_a_card_not_held_is_told_before_everything_else(phase: str, action: str) -> None:
    match = deciding() if phase == "decide" else asked(phase)
    assert refusal(match, 0, action) == "Z 3"


@ruling("Z 3")
@pytest.mark.parametrize("action", ["b1:B3", "b1:R3,R4", "r1:R3", "r2:R3,R5"])
def test_a_card_not_held_is_told_before_the_faults_of_a_play(action: str) -> None:
    assert refusal(answering("R9 B9"), 0, action) == "Z 3"


@ruling("RT 4.1")
@ruling("RT 4.2")
@ruling("RT 4.3")
@ruling("RT 4.4")
@ruling("RT 3.5")
@pytest.mark.parametrize(
    ("action", "told_first"),
    [
        ("b1:B4", "RT 4.1"),
        ("b1:R4", "RT 4.1"),
        ("b1:B4,B9", "RT 4.1"),
        ("r1:B4", "RT 4.4"),
        ("r1:R4,R6", "RT 4.4"),
        ("r2:R4,B9", "RT 4.4"),
        ("r2:R4", "RT 4.4"),
        ("r3:R4,B9,B10", "RT 4.4"),
        ("r3:R4,R6", "RT 4.4"),
        ("b2:B4,B9", "RT 4.4"),
        ("b2:R4,B9", "RT 4.4"),
        ("r2:R4,R6", "RT 4.2"),
        ("r3:R4,R6,R9", "RT 4.2"),
        ("r3:R4,R6,B9", "RT 4.3"),
        ("b3:R4,B9,B10", "RT 4.3"),
        ("r3:R4,R6,BH", "RT 3.5"),
        ("r1:R4", "RT 3.5"),
    ],
)
def test_of_several_faults_of_a_play_one_is_told(action: str, told_first: str) -> None:
    assert refusal(answering("R4 R6 R9 B4 B9 B10 BH"), 0, action) == told_first


@ruling("RT 4.7")
@pytest.mark.parametrize("action", ["r4:R9", "b4:B9", "r1:B9", "b2:R9,B9"])
@pytest.mark.parametrize("phase", ["discard", "end-war"])
def test_that_an_effect_is_asked_is_told_before_the_faults_of_a_play(
    phase: str, action: str
) -> None:
    assert refusal(asked(phase), 0, action) == "RT 4.7"


# Notation ----------------------------------------------------------------------------------------


@ruling("RT 4.4")
@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("b3:B6,B4,B5", "b3:B4,B5,B6"),
        ("r3:B7,RH,R5", "r3:R5,RH,B7"),
        ("r2:R10,R9", "r2:R9,R10"),
        ("b4:BH,B8,BH,B8", "b4:B8,B8,BH,BH"),
        ("b3:BH,B10,R9", "b3:R9,B10,BH"),
    ],
)
def test_cards_may_be_named_in_any_order_and_are_recorded_in_one(typed: str, meant: str) -> None:
    hand = f"{meant[3:].replace(',', ' ')} B3 B3"
    match = asked("turn", hand=hand)
    assert match.why_not(0, typed) is None
    assert meant in match.legal(0)
    facts = match.play(0, typed)
    assert told(match, "played")[-1]["action"] == meant
    assert {fact.action for fact in facts} == {meant}


@ruling("RT 3.5")
def test_a_refused_play_in_any_order_is_explained_alike() -> None:
    match = answering("R4 R5 B9")
    assert match.why_not(0, "r2:R5,R4") == match.why_not(0, "r2:R4,R5")
    assert refusal(match, 0, "r2:R5,R4") == "RT 3.5"


@ruling("RT 2.6")
def test_letters_of_hitmen_may_come_in_any_order() -> None:
    assert refusal(asked("turn"), 0, "hitmen:BRBR") == "RT 2.6"


MALFORMED = [
    "", " ", "r", "r1", "r1:", "r1:,", "r1:R5,", "r1:,R5", "r2:R5,,R6", "r0:R5", "r5:R5", "b5:B5",
    "g1:R5", "1:R5", ":R5", "R5", "R1:R5", "B1:B5", "r1:r5", "r1:Rh", "r1:R", "r1:5", "r1:5R",
    "r1:R2", "r1:R1", "r1:R0", "r1:R12", "r1:R111", "r1:R-5", "r1:R+5", "r1:R05", "r1:R5.0",
    "r1:R５", "r1:RR5", "r1:G5", "r1:HR", "r1:RHH", "r1: R5", "r1 :R5", " r1:R5", "r1:R5 ",
    "r2:R5, R6", "r2:R5 R6", "r2:R5;R6", "r1:R5\n", "r1=R5", "r1:R5:R6", "r1:R5,pass",
    "Pass", "PASS", "pass:", "pass ", "passes", "keep:", "Keep", "keep:R5", "end:", "END", "stay:1",
    "discard", "discard:", "discard:R2", "discard:r5", "discard:B9,", "Discard:B9", "discard: B9",
    "confirm:", "Confirm", "add:R", "hitman", "hitman:", "hitman:r", "hitman:RB", "hitman:RH",
    "hitman:G", "hitmen", "hitmen:", "hitmen:rb", "hitmen:RG", "hitmen:R,B", "hitmen:R B",
    "look", "look:", "look:0", "look:3", "look:１", "look:01", "look:one", "give:", "give:0",
    "give:3", "hand", "hand:", "hand:1", "hand:Kept", "hand:given",
]  # fmt: skip


@ruling("RT 4.4")
@pytest.mark.parametrize("action", MALFORMED)
def test_what_is_outside_the_notation_is_malformed(action: str) -> None:
    match = asked("turn")
    before = match.truth()
    with pytest.raises(Malformed):
        match.why_not(0, action)
    with pytest.raises(Malformed):
        match.why_not(1, action)
    with pytest.raises(Malformed):
        match.play(0, action)
    assert match.truth() == before


@ruling("RT 4.4")
@pytest.mark.parametrize("action", [None, 7, b"pass", ["pass"], True])
def test_an_action_is_a_text(action: Any) -> None:
    with pytest.raises(Malformed):
        asked("turn").why_not(0, action)


@ruling("RT 3.5")
@refuses("RT 3.5")
def test_a_refused_action_changes_nothing_and_says_everything() -> None:
    match = answering("R7 B9")
    before, record = match.truth(), match.record()
    with pytest.raises(Refused, match=r"RT 3\.5: ") as caught:
        match.play(0, "r1:R7")
    assert caught.value.ruling == "RT 3.5"
    assert caught.value.text == explained(match, 0, "r1:R7")
    assert caught.value.blame == why(match, "r1:R7").blame
    assert (match.truth(), match.record()) == (before, record)
