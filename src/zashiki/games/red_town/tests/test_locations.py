"""The eight locations, the numbers that plays declare, and the effects of the two fours."""

from typing import Any

import pytest

from zashiki import Match
from zashiki.games.red_town.tests.tables import cards, in_order, plays, refusal, told, war

ruling = pytest.mark.ruling


def truth(match: Match) -> Any:
    return match.truth()


def named(play: str) -> str:
    """Return the cards of a play, in the form of a hand."""
    return play.partition(":")[2].replace(",", " ")


def facing(play: str, seats: int = 3, **changes: Any) -> Match:
    """Return a match in which seat 0 is to act, with the cards of this play and two more."""
    other = "B11" if seats == 5 else "B10"
    return war([f"{named(play)} {other} {other}", *[other] * (seats - 1)], **changes)


def last_number(match: Match) -> int:
    """Return the number that the last play declared."""
    fact = told(match, "played")[-1]
    assert truth(match)["declared"] in (fact["number"], None)
    return int(fact["number"])


def check_declares(match: Match, play: str, number: int) -> None:
    assert play in match.legal(0)
    assert match.why_not(0, play) is None
    match.play(0, play)
    assert told(match, "played")[-1] == {"seat": 0, "action": play, "number": number}
    assert truth(match)["declared"] == number


def check_refused(match: Match, play: str, against: str) -> None:
    assert refusal(match, 0, play) == against
    assert play not in match.legal(0)


# RT 4: what fits where ---------------------------------------------------------------------------

PLAIN = {
    "r1:R5": 5,
    "r1:R3": 3,
    "r2:R5,R6": 5,
    "r3:R5,R6,R7": 5,
    "r4:R5,R6,R7,R8": 5,
    "r4:R3,R4,R5,R6": 3,
    "b1:B5": 5,
    "b1:B10": 10,
    "b2:B8,B8": 8,
    "b3:B4,B5,B6": 4,
    "b3:B8,B9,B10": 8,
    "b4:B8,B8,B8,B8": 8,
}
MIXED = {
    "r3:R5,R6,B7": 5,
    "r3:R5,R6,B4": 4,
    "r3:R5,R7,B6": 5,
    "b3:R7,B5,B6": 5,
    "b3:R4,B5,B6": 4,
    "b3:R6,B5,B7": 5,
}
WITH_HITMEN = {
    "r2:R6,RH": 6,
    "r2:R10,RH": 10,
    "r3:R5,R6,RH": 5,
    "r3:R5,R7,RH": 5,
    "r3:R10,RH,RH": 10,
    "r3:R9,R10,RH": 9,
    "r4:R7,R8,R9,RH": 7,
    "r4:R5,R8,RH,RH": 5,
    "r4:R6,R8,R9,RH": 6,
    "r4:R9,RH,RH,RH": 9,
    "b2:B8,BH": 8,
    "b3:B5,B6,BH": 5,
    "b3:B5,B7,BH": 5,
    "b3:B9,B10,BH": 9,
    "b3:B7,BH,BH": 7,
    "b4:B8,B8,B8,BH": 8,
    "b4:B8,B8,BH,BH": 8,
    "b4:B8,BH,BH,BH": 8,
}
MIXED_WITH_HITMEN = {
    "r3:R5,R6,BH": 5,
    "r3:R5,R7,BH": 5,
    "r3:R9,R10,BH": 9,
    "r3:R5,RH,B6": 5,
    "r3:R5,RH,B7": 5,
    "r3:R7,RH,B5": 5,
    "r3:RH,RH,B5": 5,
    "r3:R5,RH,BH": 5,
    "b3:RH,B5,B6": 5,
    "b3:RH,B5,B7": 5,
    "b3:RH,B9,B10": 9,
    "b3:R6,B5,BH": 5,
    "b3:R7,B5,BH": 5,
    "b3:R5,B7,BH": 5,
    "b3:R5,BH,BH": 5,
    "b3:RH,B5,BH": 5,
}
HITMEN_ONLY = [
    "r1:RH",
    "r2:RH,RH",
    "r3:RH,RH,RH",
    "r3:RH,RH,BH",
    "r4:RH,RH,RH,RH",
    "b1:BH",
    "b2:BH,BH",
    "b3:BH,BH,BH",
    "b3:RH,BH,BH",
    "b4:BH,BH,BH,BH",
]
WRONG_COUNT = ["r1:R5,R6", "r2:R5", "r2:R5,R6,R7", "r3:R5,R6", "r3:R5,R6,R7,R8", "r4:R5,R6,R7",
               "r4:R4,R5,R6,R7,R8", "b1:B8,B8", "b2:B8", "b2:B8,B8,B8", "b3:B5,B6", "b4:B8,B8,B8",
               "b3:B5,B6,B7,B8", "b4:B9,B9,B9,B9,B9", "r1:RH,RH", "b4:BH"]  # fmt: skip
WRONG_COLOUR = ["r1:B5", "r1:BH", "r2:R5,B6", "r2:B5,B6", "r2:R5,BH", "r2:RH,BH", "r4:R5,R6,R7,B8",
                "r4:R5,R6,R7,BH", "r4:R5,R6,B7,B8", "b1:R5", "b1:RH", "b2:R5,B5", "b2:R5,R5",
                "b2:RH,B5", "b2:RH,BH", "b4:R8,B8,B8,B8", "b4:RH,B8,B8,B8"]  # fmt: skip
WRONG_MIXTURE = ["r3:R5,B6,B7", "r3:B5,B6,B7", "r3:R5,B6,BH", "r3:R5,BH,BH", "r3:RH,B6,B7",
                 "r3:RH,BH,BH", "r3:BH,BH,BH", "b3:R5,R6,B7", "b3:R5,R6,R7", "b3:R5,RH,B6",
                 "b3:RH,RH,B5", "b3:R5,R6,BH", "b3:RH,RH,BH", "b3:RH,RH,RH"]  # fmt: skip
UNEQUAL = ["b2:B5,B6", "b2:B3,B10", "b4:B8,B8,B8,B9", "b4:B7,B8,B9,B10", "b4:B7,B7,B8,B8",
           "b4:B8,B9,BH,BH", "b4:B8,B8,B9,BH"]  # fmt: skip
BROKEN = ["r2:R5,R5", "r2:R5,R7", "r2:R3,R10", "r3:R5,R6,R8", "r3:R5,R5,R6", "r3:R7,R7,R7",
          "r3:R5,R8,RH", "r3:R5,R5,RH", "r3:R3,R9,R10", "r3:R3,R4,R10", "r3:R3,R10,RH",
          "r4:R5,R6,R7,R9", "r4:R5,R5,R6,R7", "r4:R4,R8,RH,RH", "r4:R5,R5,RH,RH", "r4:R5,R6,R9,RH",
          "r4:R3,R8,R9,R10", "r4:R3,R4,R9,R10", "r4:R3,R10,RH,RH", "b3:B5,B6,B8", "b3:B5,B5,B6",
          "b3:B6,B6,B6", "b3:B5,B8,BH", "b3:B5,B5,BH", "b3:B3,B4,B10", "b3:B3,B10,BH"]  # fmt: skip
BROKEN_MIXTURE = ["r3:R5,R6,B8", "r3:R5,R6,B6", "r3:R5,R5,B6", "r3:R5,R7,B8", "r3:R5,R6,B10",
                  "r3:R5,R8,BH", "r3:R5,R5,BH", "r3:R5,RH,B8", "r3:R5,RH,B5", "r3:R3,R4,B10",
                  "r3:R3,R10,BH", "b3:R8,B5,B6", "b3:R6,B5,B6", "b3:R6,B5,B5", "b3:R3,B9,B10",
                  "b3:R10,B5,B6", "b3:RH,B5,B8", "b3:RH,B5,B5", "b3:R8,B5,BH",
                  "b3:R5,B5,BH"]  # fmt: skip


def each(numbers: dict[str, int]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(("play", "number"), list(numbers.items()))


@ruling("RT 4.4")
@ruling("RT 5.1")
@each(PLAIN)
def test_each_location_takes_its_cards_and_the_lowest_is_declared(play: str, number: int) -> None:
    check_declares(facing(play), play, number)


@ruling("RT 4.3")
@ruling("RT 5.1")
@each(MIXED)
def test_both_threes_take_one_card_of_the_other_colour_anywhere_in_the_sequence(
    play: str, number: int
) -> None:
    check_declares(facing(play), play, number)


@ruling("RT 5.2")
@ruling("RT 5.3")
@each(WITH_HITMEN)
def test_a_hitman_fills_any_place_and_the_other_cards_declare(play: str, number: int) -> None:
    check_declares(facing(play), play, number)


@ruling("RT 5.6")
@ruling("RT 5.3")
@each(MIXED_WITH_HITMEN)
def test_a_hitman_counts_by_its_own_colour_in_a_mixture(play: str, number: int) -> None:
    check_declares(facing(play), play, number)


@ruling("RT 5.5")
@pytest.mark.parametrize("play", HITMEN_ONLY)
@pytest.mark.parametrize("declared", [None, 3, 8, 10])
def test_hitmen_only_are_legal_wherever_their_colours_fit_and_repeat_the_number(
    play: str, declared: int | None
) -> None:
    last = None if declared is None else 2
    match = facing(play, declared=declared, last=last)
    check_declares(match, play, declared or 3)


@ruling("RT 4.4")
@pytest.mark.parametrize("play", [*WRONG_COUNT, *WRONG_COLOUR, *WRONG_MIXTURE, *UNEQUAL])
def test_a_tile_fixes_how_many_cards_of_which_colours_and_whether_equal(play: str) -> None:
    check_refused(facing(play), play, "RT 4.4")


@ruling("RT 4.4")
@pytest.mark.parametrize("held", range(1, 7))
def test_of_many_equal_cards_as_many_are_played_as_the_tile_takes(held: int) -> None:
    match = war([" ".join(["B11"] * held), "B3", "B4", "B5", "R5"])
    takes = {"b1": 1, "b2": 2, "b4": 4}
    expected = [f"{name}:{','.join(['B11'] * n)}" for name, n in takes.items() if n <= held]
    assert list(match.legal(0)) == expected


@ruling("RT 4.2")
@pytest.mark.parametrize("play", BROKEN)
def test_a_sequence_is_of_consecutive_different_numbers_and_does_not_wrap(play: str) -> None:
    check_refused(facing(play), play, "RT 4.2")


@ruling("RT 4.2")
@pytest.mark.parametrize("play", ["r2:R3,R11", "r3:R3,R10,R11", "r3:R3,R11,RH", "r4:R3,R4,R10,R11"])
def test_with_five_players_nothing_wraps_either(play: str) -> None:
    check_refused(facing(play, 5), play, "RT 4.2")


@ruling("RT 4.3")
@pytest.mark.parametrize("play", BROKEN_MIXTURE)
def test_the_other_colour_must_be_in_sequence_too(play: str) -> None:
    check_refused(facing(play), play, "RT 4.3")


@ruling("RT 4.1")
@pytest.mark.parametrize("location", ["r1", "r2", "r3", "r4", "b1", "b2", "b3", "b4"])
def test_a_location_takes_one_play_in_a_turf_war(location: str) -> None:
    lies = next(play for play in PLAIN if play.startswith(location)).partition(":")[2].split(",")
    again = next(play for play in HITMEN_ONLY if play.startswith(location))
    match = facing(again, board={location: lies}, declared=3, last=2)
    check_refused(match, again, "RT 4.1")
    assert not [play for play in match.legal(0) if play.startswith(location)]


@ruling("RT 4.1")
def test_locations_are_free_again_in_the_next_turf_war() -> None:
    match = plays(war(["B4 B5 B6", "R9", "R9"]), "b1:B4", "pass", "pass", "b1:B5")
    assert truth(match)["board"] == {"b1": ["B5"]}


# RT 5: what is declared --------------------------------------------------------------------------


@ruling("RT 5.3")
@pytest.mark.parametrize("play", ["b3:B9,B10,BH", "r3:R9,R10,BH", "r4:R9,RH,RH,RH", "r2:R10,RH"])
def test_a_hitman_that_must_stand_below_does_not_lower_the_number(play: str) -> None:
    match = facing(play, declared=9, last=2)
    check_declares(match, play, 10 if "R10,RH" in play else 9)


@ruling("RT 5.3")
@pytest.mark.parametrize("play", ["b2:B8,BH", "r2:R8,RH", "r3:R8,RH,B10", "b4:B8,BH,BH,BH"])
def test_a_hitman_does_not_raise_the_number_either(play: str) -> None:
    check_refused(facing(play, declared=9, last=2), play, "RT 3.5")


@ruling("RT 5.3")
def test_with_five_players_a_hitman_stands_for_an_11_too() -> None:
    match = facing("r2:R11,RH", 5, declared=11, last=4)
    check_declares(match, "r2:R11,RH", 11)


@ruling("RT 5.4")
@pytest.mark.parametrize("declared", [3, 5, 10])
def test_the_number_that_a_lone_hitman_repeats_binds_the_next_player(declared: int) -> None:
    match = war(["RH R9", f"B{declared} B4", "B9"], declared=declared, last=2)
    plays(match, "r1:RH")
    assert last_number(match) == declared
    high_enough = {f"b1:B{number}" for number in (declared, 4) if number >= declared}
    assert set(match.legal(1)) == {"pass", *high_enough}


@ruling("RT 5.4")
def test_a_lone_hitman_opening_declares_3_and_everything_may_follow() -> None:
    match = plays(war(["BH R9", "R3 R10", "B9"]), "b1:BH")
    assert last_number(match) == 3
    assert match.legal(1) == ("pass", "r1:R10", "r1:R3")


# RT 4.5, RT 4.7: the red four --------------------------------------------------------------------

RED_FOUR = "r4:R5,R6,R7,R8"
BLACK_FOUR = "b4:B8,B8,B8,B8"
LAST_IS_OUT: dict[str, Any] = {
    "out": [3], "last": 3, "board": {"b1": ["B3"]}, "declared": 3
}  # fmt: skip
"""Of four players the last one played a black 3 and is out."""


def after_four(play: str, left: str, **changes: Any) -> Match:
    """Return a match of three in which seat 0 has opened with four cards and holds these."""
    return plays(war([f"{named(play)} {left}", "R9 R10 B9", "R9 B10 B10"], **changes), play)


@ruling("RT 4.5")
@ruling("RT 4.7")
@pytest.mark.parametrize(
    ("left", "choices"),
    [
        ("B9 RH", ("discard:B9", "discard:RH", "keep")),
        ("B9 B9", ("discard:B9", "keep")),
        ("R3 R10 BH", ("discard:BH", "discard:R10", "discard:R3", "keep")),
    ],
)
def test_after_the_red_four_one_of_two_or_more_cards_may_be_discarded(
    left: str, choices: tuple[str, ...]
) -> None:
    match = after_four(RED_FOUR, left)
    assert truth(match)["phase"] == "discard"
    assert truth(match)["turn"] == 0
    assert match.to_act == {0}
    assert match.legal(0) == choices


@ruling("RT 4.5")
@pytest.mark.parametrize("card", ["B9", "RH"])
def test_the_card_discarded_leaves_the_hand_face_up_and_the_turf_war_goes_on(card: str) -> None:
    match = after_four(RED_FOUR, "B9 RH B10")
    plays(match, f"discard:{card}")
    stands = truth(match)
    assert stands["hands"][0] == in_order([one for one in ["B9", "RH", "B10"] if one != card])
    assert stands["discard"][-1] == card
    assert match.view(None)["discard"] == stands["discard"]
    assert (stands["phase"], stands["declared"], stands["last"]) == ("turn", 5, 0)
    assert stands["board"] == {"r4": cards(named(RED_FOUR))}
    assert match.to_act == {1}


@ruling("RT 4.5")
def test_the_card_may_be_kept() -> None:
    match = after_four(RED_FOUR, "B9 RH")
    before = truth(match)["discard"]
    plays(match, "keep")
    assert truth(match)["hands"][0] == cards("RH B9")
    assert truth(match)["discard"] == before
    assert match.to_act == {1}


@ruling("RT 4.5")
def test_only_one_card_is_discarded_and_nobody_goes_out_by_it() -> None:
    match = plays(after_four(RED_FOUR, "B9 B10"), "discard:B10")
    assert truth(match)["hands"][0] == ["B9"]
    assert truth(match)["out"] == []
    assert match.to_act == {1}


@ruling("RT 4.5")
@ruling("RT 4.7")
@pytest.mark.parametrize(("left", "out"), [("B9", []), ("BH", []), ("", [0])])
def test_with_fewer_than_two_cards_left_nothing_is_asked(left: str, out: list[int]) -> None:
    match = after_four(RED_FOUR, left)
    assert truth(match)["phase"] == "turn"
    assert truth(match)["out"] == out
    assert match.to_act == {1}


@ruling("RT 4.5")
@pytest.mark.parametrize("play", ["r4:RH,RH,RH,RH", "r4:R5,R6,R7,RH"])
def test_hitmen_bring_the_effect_of_the_red_four_too(play: str) -> None:
    assert truth(after_four(play, "B9 B10"))["phase"] == "discard"


@ruling("RT 4.5")
@ruling("RT 4.6")
@pytest.mark.parametrize(
    "play",
    ["r1:R5", "r2:R5,R6", "r3:R5,R6,R7", "b1:B8", "b2:B8,B8", "b3:B4,B5,B6", "b3:B5,BH,BH"],
)
def test_no_other_location_has_an_effect(play: str) -> None:
    match = plays(facing(play), play)
    assert truth(match)["phase"] == "turn"
    assert match.to_act == {1}


@ruling("RT 4.7")
@pytest.mark.parametrize(("answer", "left"), [("discard:B9", ["B10"]), ("keep", ["B9", "B10"])])
def test_the_red_four_asks_also_where_the_turf_war_ends_anyway(
    answer: str, left: list[str]
) -> None:
    match = war([f"{named(RED_FOUR)} B9 B10", "R10", "R9", ""], passed=[1, 2], **LAST_IS_OUT)
    before = truth(match)["discard"]
    plays(match, RED_FOUR)
    assert truth(match)["phase"] == "discard"
    assert truth(match)["board"] == {"b1": ["B3"], "r4": cards(named(RED_FOUR))}
    plays(match, answer)
    stands = truth(match)
    assert (stands["board"], stands["passed"], stands["declared"]) == ({}, [], None)
    first = ["B9"] if answer != "keep" else []
    assert stands["discard"] == [*before, *first, "B3", *cards(named(RED_FOUR))]
    assert stands["hands"][0] == left
    assert match.to_act == {0}


# RT 4.6, RT 4.7: the black four ------------------------------------------------------------------


@ruling("RT 4.6")
@ruling("RT 4.7")
@pytest.mark.parametrize("play", [BLACK_FOUR, "b4:B8,B8,BH,BH", "b4:BH,BH,BH,BH"])
@pytest.mark.parametrize("left", ["B3 B4", "B3"])
def test_after_the_black_four_its_player_is_asked(play: str, left: str) -> None:
    match = after_four(play, left)
    assert truth(match)["phase"] == "end-war"
    assert truth(match)["turn"] == 0
    assert match.to_act == {0}
    assert match.legal(0) == ("end", "stay")


@ruling("RT 4.6")
def test_the_turf_war_may_be_ended_at_once() -> None:
    match = war(["R4 B8 B8 B8 B8 B3 B4", "R10 B9", "B7 R9 B10"])
    before = truth(match)["discard"]
    plays(match, "r1:R4", "pass", "b1:B7", BLACK_FOUR, "end")
    stands = truth(match)
    assert (stands["board"], stands["passed"]) == ({}, [])
    assert (stands["declared"], stands["last"]) == (None, None)
    assert stands["discard"] == [*before, "R4", "B7", "B8", "B8", "B8", "B8"]
    assert match.to_act == {0}
    assert match.legal(0) == ("b1:B3", "b1:B4")


@ruling("RT 4.6")
def test_those_who_had_passed_are_back_in() -> None:
    match = war(["R4 B8 B8 B8 B8 B3 B4", "R10 B9", "B7 R9 B10"])
    plays(match, "r1:R4", "pass", "b1:B7", BLACK_FOUR, "end", "b1:B3")
    assert match.to_act == {1}
    assert match.legal(1) == ("pass", "r1:R10")


@ruling("RT 4.6")
def test_the_turf_war_may_stay() -> None:
    match = plays(after_four(BLACK_FOUR, "B3 B4"), "stay")
    stands = truth(match)
    assert (stands["phase"], stands["declared"], stands["last"]) == ("turn", 8, 0)
    assert stands["board"] == {"b4": ["B8"] * 4}
    assert match.to_act == {1}
    assert "b1:B9" in match.legal(1)


@ruling("RT 4.6")
@pytest.mark.parametrize(
    ("hands", "passed", "starter"),
    [
        (["R9", "R10", "R10"], [1], 1),
        (["R9", "R10", "R10"], [], 1),
        (["", "R10", "R10"], [2], 2),
    ],
)
def test_if_the_play_emptied_the_hand_the_next_clockwise_who_holds_cards_starts(
    hands: list[str], passed: list[int], starter: int
) -> None:
    seats = [named(BLACK_FOUR), *hands]
    out = [seat for seat, hand in enumerate(seats) if not hand]
    match = war(seats, out=out, passed=passed, board={"b1": ["B3"]}, declared=3, last=3)
    plays(match, BLACK_FOUR)
    assert match.to_act == {0}
    assert match.legal(0) == ("end", "stay")
    plays(match, "end")
    assert truth(match)["passed"] == []
    assert truth(match)["out"] == [*out, 0]
    assert match.to_act == {starter}
    assert "pass" not in match.legal(starter)


@ruling("RT 4.6")
@ruling("RT 3.8")
def test_an_emptied_hand_that_lets_the_turf_war_stay_still_gets_answers() -> None:
    match = war([named(BLACK_FOUR), "R9 R10", "R10"], passed=[1], last=2, declared=3)
    plays(match, BLACK_FOUR, "stay")
    assert match.to_act == {2}
    assert truth(match)["board"] == {"b4": ["B8"] * 4}
    plays(match, "pass")
    assert match.to_act == {1}
    assert truth(match)["board"] == {}


@ruling("RT 4.7")
@pytest.mark.parametrize("answer", ["end", "stay"])
@pytest.mark.parametrize(("left", "starter"), [("B9", 0), ("", 1)])
def test_the_black_four_asks_also_where_the_turf_war_ends_anyway(
    answer: str, left: str, starter: int
) -> None:
    match = war([f"{named(BLACK_FOUR)} {left}", "R10", "R9", ""], passed=[1, 2], **LAST_IS_OUT)
    plays(match, BLACK_FOUR)
    assert truth(match)["phase"] == "end-war"
    assert truth(match)["board"] == {"b1": ["B3"], "b4": ["B8"] * 4}
    plays(match, answer)
    stands = truth(match)
    assert (stands["phase"], stands["board"], stands["last"]) == ("turn", {}, None)
    assert match.to_act == {starter}


@ruling("RT 4.7")
def test_nothing_is_asked_after_the_round_ended() -> None:
    hands = [named(BLACK_FOUR), "", "R9 R10"]
    match = plays(war(hands, out=[1], bosses=[2, 2, 2]), BLACK_FOUR)
    stands = truth(match)
    assert (stands["round"], stands["phase"], stands["bosses"]) == (2, "decide", [2, 2, 1])


@ruling("RT 4.7")
@pytest.mark.parametrize(("play", "phase"), [(RED_FOUR, "discard"), (BLACK_FOUR, "end-war")])
def test_while_an_effect_is_asked_nobody_else_acts(play: str, phase: str) -> None:
    match = after_four(play, "B3 B4")
    assert match.view(1)["phase"] == phase
    assert match.view(1)["turn"] == 0
    assert [match.legal(seat) for seat in (1, 2)] == [(), ()]


# The rulebook's examples -------------------------------------------------------------------------


@ruling("RT 5.1")
def test_example_1_black_4_5_6_declare_4() -> None:
    check_declares(war(["B4 B5 B6 R9", "R10", "R10"]), "b3:B4,B5,B6", 4)


@ruling("RT 5.4")
def test_example_2_after_8_a_lone_black_hitman_declares_8() -> None:
    match = war(["BH R9", "R10", "R10"], board={"r1": ["R8"]}, declared=8, last=2)
    check_declares(match, "b1:BH", 8)


@ruling("RT 5.3")
def test_example_3_black_10_and_11_with_a_black_hitman_declare_10() -> None:
    match = war(["B10 B11 BH R4", "B3 R5", "B6 R7", "R8 R9", "B7 R6"])
    check_declares(match, "b3:B10,B11,BH", 10)


@ruling("RT 5.5")
def test_example_4_two_red_hitmen_opening_declare_3() -> None:
    check_declares(war(["RH RH R9", "R10", "R10"]), "r2:RH,RH", 3)
