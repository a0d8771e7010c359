"""The game for two: sets, hands and waiting sets, and who knows which cards."""

import json
import random
import re
from collections import Counter
from itertools import product
from typing import Any

import pytest

import zashiki
from zashiki import Match
from zashiki.games.red_town.tests.tables import (
    GAME,
    cards,
    deck,
    in_order,
    plays,
    refusal,
    rest_of_deck,
    war,
)

ruling = pytest.mark.ruling

both_values = pytest.mark.parametrize("hitmen", ["open", "hidden"])
SETS = (1, 2)
COLOURS = ("R", "B")
HANDS = ("hand:kept", "hand:received")


def truth(match: Match) -> Any:
    return match.truth()


def view(match: Match, seat: int | None) -> Any:
    return match.view(seat)


def begun(hitmen: str = "open", seed: int = 1) -> Match:
    return zashiki.start(GAME, 2, options={"hitmen": hitmen}, seed=seed)


def led(match: Match, *steps: tuple[str, str]) -> Match:
    """Let both seats act in each step."""
    for step in steps:
        for seat, action in enumerate(step):
            match.play(seat, action)
    return match


def looks(zero: int, one: int) -> tuple[str, str]:
    return f"look:{zero}", f"look:{one}"


def picks(zero: str, one: str) -> tuple[str, str]:
    return f"hitman:{zero}", f"hitman:{one}"


def gives(zero: int, one: int) -> tuple[str, str]:
    return f"give:{zero}", f"give:{one}"


def real(held: list[str] | None) -> list[str] | None:
    """Return the playing cards among these; None if they are not known."""
    return None if held is None else [card for card in held if card[1:] != "H"]


def choosing(zero: tuple[str, str], one: tuple[str, str], seed: int = 1, **changes: Any) -> Match:
    """Return a match in which each seat has two unseen sets and is to choose its hand."""
    sets = [[cards(kept), cards(received), None] for kept, received in (zero, one)]
    stands = {"phase": "choose", "turn": None, "waiting": None, "sets": sets} | changes
    return war(["", ""], seed=seed, **stands)


# RT 7.1, RT 7.2: the deal, looking and adding ----------------------------------------------------


@ruling("RT 7.1")
@both_values
def test_each_player_is_dealt_two_sets_of_13_and_has_two_hitmen_and_two_bosses(hitmen: str) -> None:
    stands = truth(begun(hitmen))
    dealt = [each for pair in stands["sets"] for each in pair[:2]]
    assert [len(each) for each in dealt] == [13] * 4
    assert [each == in_order(each) for each in dealt] == [True] * 4
    assert in_order([card for each in dealt for card in each]) == deck(2)
    assert (stands["form"], stands["phase"], stands["turn"]) == ("two", "look", None)
    assert (stands["supply"], stands["bosses"]) == (["RB", "RB"], [2, 2])
    assert (stands["hands"], stands["waiting"]) == ([[], []], None)
    assert [pair[2] for pair in stands["sets"]] == [None, None]


@ruling("RT 7.2")
def test_each_chooses_a_set_to_look_at_and_nothing_else() -> None:
    match = begun()
    assert match.to_act == {0, 1}
    assert [match.legal(seat) for seat in (0, 1)] == [("look:1", "look:2")] * 2


@ruling("RT 7.2")
@both_values
@pytest.mark.parametrize("chosen", SETS)
def test_a_set_is_looked_at_at_once_and_only_by_its_owner(hitmen: str, chosen: int) -> None:
    match = begun(hitmen)
    assert [entry["cards"] for entry in view(match, 1)["sets"][1]] == [None, None]
    match.play(1, f"look:{chosen}")
    seen = truth(match)["sets"][1][chosen - 1]
    assert truth(match)["sets"][1][2] == chosen
    assert view(match, 1)["sets"][1][chosen - 1]["cards"] == seen
    assert view(match, 1)["sets"][1][2 - chosen]["cards"] is None
    for reader in (0, None):
        assert [entry["cards"] for entry in view(match, reader)["sets"][1]] == [None, None]
    assert match.to_act == {0}
    assert match.legal(1) == ()


@ruling("RT 7.2")
@pytest.mark.parametrize("reader", [0, 1, None])
def test_which_set_was_looked_at_is_public(reader: int | None) -> None:
    match = begun()
    match.play(1, "look:2")
    looked = [[entry["looked"] for entry in pair] for pair in view(match, reader)["sets"]]
    assert looked == [[False, False], [False, True]]


@ruling("RT 7.2")
@pytest.mark.parametrize(("set_0", "colour"), list(product(SETS, COLOURS)))
def test_one_hitman_joins_the_set_looked_at_and_the_other_the_unseen_one(
    set_0: int, colour: str
) -> None:
    match = led(begun(), looks(set_0, 1))
    before = truth(match)["sets"]
    assert match.legal(0) == match.legal(1) == ("hitman:B", "hitman:R")
    led(match, picks(colour, "B"))
    after, other = truth(match)["sets"], "B" if colour == "R" else "R"
    assert after[0][set_0 - 1] == in_order([*before[0][set_0 - 1], f"{colour}H"])
    assert after[0][2 - set_0] == in_order([*before[0][2 - set_0], f"{other}H"])
    assert after[1][0] == in_order([*before[1][0], "BH"])
    assert after[1][1] == in_order([*before[1][1], "RH"])
    assert truth(match)["supply"] == ["", ""]


@ruling("RT 7.2")
@both_values
def test_adding_is_secret_and_without_effect_until_both_have_chosen(hitmen: str) -> None:
    matches = [led(begun(hitmen), looks(1, 2)) for _ in COLOURS]
    before = truth(matches[0])["sets"]
    for match, colour in zip(matches, COLOURS, strict=True):
        match.play(0, f"hitman:{colour}")
        assert truth(match)["chosen"] == {"0": f"hitman:{colour}"}
        assert truth(match)["sets"] == before
        assert truth(match)["supply"] == ["RB", "RB"]
        assert match.to_act == {1}
    check_same(matches, 1)
    check_same(matches, None)


# RT 7.3, RT 7.4: handing over and choosing -------------------------------------------------------


@ruling("RT 7.3")
@pytest.mark.parametrize(("look", "give", "other"), list(product(SETS, SETS, SETS)))
def test_each_hands_over_one_of_the_two_sets(look: int, give: int, other: int) -> None:
    match = led(begun(), looks(look, 1), picks("R", "R"))
    before = truth(match)["sets"]
    assert match.legal(0) == match.legal(1) == ("give:1", "give:2")
    led(match, gives(give, other))
    kept = [before[0][2 - give], before[1][2 - other]]
    given = [before[0][give - 1], before[1][other - 1]]
    assert truth(match)["phase"] == "choose"
    assert truth(match)["sets"] == [
        [kept[0], given[1], None if give == look else 1],
        [kept[1], given[0], None if other == 1 else 1],
    ]


@ruling("RT 7.3")
def test_what_is_handed_over_is_secret_until_both_have_chosen() -> None:
    matches = [led(begun(), looks(1, 2), picks("R", "B")) for _ in SETS]
    for match, chosen in zip(matches, SETS, strict=True):
        match.play(0, f"give:{chosen}")
        assert truth(match)["phase"] == "give"
        assert match.to_act == {1}
    check_same(matches, 1)
    check_same(matches, None)


@ruling("RT 7.3")
@both_values
@pytest.mark.parametrize("give", SETS)
def test_nobody_looks_at_a_set_received(hitmen: str, give: int) -> None:
    match = led(begun(hitmen), looks(1, 1), picks("R", "B"), gives(1, give))
    assert view(match, 0)["sets"][0][1]["cards"] is None
    assert view(match, 1)["sets"][1][1]["cards"] is None


@ruling("RT 7.4")
@pytest.mark.parametrize(("zero", "one"), list(product(HANDS, HANDS)))
def test_one_set_becomes_the_hand_and_the_other_waits(zero: str, one: str) -> None:
    match = led(begun(), looks(1, 2), picks("R", "R"), gives(1, 1))
    sets = truth(match)["sets"]
    assert match.legal(0) == match.legal(1) == HANDS
    led(match, (zero, one))
    stands = truth(match)
    taken = [HANDS.index(zero), HANDS.index(one)]
    assert stands["hands"] == [sets[seat][taken[seat]] for seat in (0, 1)]
    assert stands["waiting"] == [sets[seat][1 - taken[seat]] for seat in (0, 1)]
    assert (stands["sets"], stands["phase"], stands["chosen"]) == (None, "turn", {})
    for seat in (0, 1):
        assert view(match, seat)["hand"] == stands["hands"][seat]
        assert view(match, seat)["sizes"] == [14, 14]


@ruling("RT 7.4")
def test_the_choice_of_a_hand_is_secret_until_both_have_chosen() -> None:
    matches = [led(begun(), looks(1, 2), picks("R", "R"), gives(1, 1)) for _ in HANDS]
    for match, action in zip(matches, HANDS, strict=True):
        match.play(0, action)
        assert truth(match)["hands"] == [[], []]
        assert match.to_act == {1}
    check_same(matches, 1)
    check_same(matches, None)


@ruling("RT 7.2")
@ruling("RT 7.3")
@ruling("RT 7.4")
def test_it_does_not_matter_who_chooses_first() -> None:
    steps = [looks(1, 2), picks("R", "B"), gives(2, 2), ("hand:kept", "hand:received")]
    forth, back = led(begun(), *steps), begun()
    for zero, one in steps:
        back.play(1, one)
        back.play(0, zero)
    assert forth.truth() == back.truth()
    assert [forth.view(seat) for seat in (0, 1)] == [back.view(seat) for seat in (0, 1)]


# RT 7.5: the starter -----------------------------------------------------------------------------


@ruling("RT 7.5")
@pytest.mark.parametrize(("sets", "starter"), [(("R3 B5", "B6"), 0), (("B6", "R3 B5"), 1)])
def test_the_red_3_in_a_hand_in_play_starts(sets: tuple[str, str], starter: int) -> None:
    bosses = [2 if seat == starter else 1 for seat in (0, 1)]
    match = choosing((sets[0], "B9"), (sets[1], "B10"), bosses=bosses)
    led(match, ("hand:kept", "hand:kept"))
    assert match.to_act == {starter}
    assert view(match, 1 - starter)["known"][str(starter)] == ["R3"]


@ruling("RT 7.5")
@pytest.mark.parametrize("bosses", [[1, 2], [2, 1]])
@pytest.mark.parametrize("owner", [0, 1])
def test_a_red_3_that_waits_does_not_count_and_is_not_shown(bosses: list[int], owner: int) -> None:
    sets = [("B5 B6", "B9 R3") if seat == owner else ("B7 R8", "B10") for seat in (0, 1)]
    match = choosing(sets[0], sets[1], bosses=bosses)
    led(match, ("hand:kept", "hand:kept"))
    assert match.to_act == {bosses.index(1)}
    assert not view(match, 1 - owner)["known"].get(str(owner))
    assert "R3" not in match.record(1 - owner)


@ruling("RT 7.5")
def test_with_as_many_bosses_the_starter_is_drawn() -> None:
    starters: set[int] = set()
    for seed in range(30):
        match = choosing(("B5", "B9 R3"), ("B7", "B10"), seed)
        starters |= led(match, ("hand:kept", "hand:kept")).to_act
    assert starters == {0, 1}


# RT 7.6, RT 7.7, RT 7.8: running out, and the end ------------------------------------------------


@ruling("RT 7.6")
def test_who_runs_out_takes_the_waiting_set_at_once_and_stays_in_the_turf_war() -> None:
    match = war(["R5", "B6 B9"], waiting=[cards("R7 R8 BH"), cards("B10")])
    plays(match, "r1:R5")
    stands = truth(match)
    assert stands["hands"][0] == cards("R7 R8 BH")
    assert stands["waiting"] == [[], ["B10"]]
    assert (stands["out"], stands["passed"], stands["board"]) == ([], [], {"r1": ["R5"]})
    assert view(match, 0)["hand"] == cards("R7 R8 BH")
    assert view(match, 1)["sizes"] == [3, 2]
    assert view(match, 1)["waiting"][0] is None
    plays(match, "b1:B6")
    assert match.to_act == {0}
    assert match.legal(0) == ("pass", "r2:R7,R8", "r3:R7,R8,BH")


@ruling("RT 7.6")
def test_who_took_the_waiting_set_is_not_out_and_starts_the_next_turf_war() -> None:
    match = war(["R5", "B6 B9"], waiting=[cards("R7 R8"), cards("B10")])
    plays(match, "r1:R5", "pass")
    assert truth(match)["board"] == {}
    assert match.to_act == {0}
    assert match.legal(0) == ("r1:R7", "r1:R8", "r2:R7,R8")


@ruling("RT 7.6")
@pytest.mark.parametrize("finisher", [0, 1])
def test_who_has_finished_both_ends_the_round_and_the_other_returns_a_boss(finisher: int) -> None:
    hands = ["R5", "R6 R7"] if finisher == 0 else ["R6 R7", "R5"]
    waiting = [[], cards("B9 B10")] if finisher == 0 else [cards("B9 B10"), []]
    match = plays(war(hands, turn=finisher, waiting=waiting), "r1:R5")
    stands = truth(match)
    assert stands["bosses"] == [2 if seat == finisher else 1 for seat in (0, 1)]
    assert (stands["round"], stands["phase"]) == (2, "look")
    assert match.to_act == {0, 1}


@ruling("RT 7.6")
def test_finishing_one_of_two_sets_ends_no_round() -> None:
    match = plays(war(["R5", "R6"], waiting=[["B9"], []], bosses=[2, 1]), "r1:R5")
    assert not match.over
    assert truth(match)["round"] == 1
    assert match.to_act == {1}


@ruling("RT 7.6")
def test_the_last_boss_lost_ends_the_match() -> None:
    match = plays(war(["R5", "R6 R7"], bosses=[2, 1]), "r1:R5")
    assert match.outcome is not None
    assert (match.outcome.ranks, match.outcome.scores) == ((1, 2), (2, 0))
    stands = truth(match)
    assert (stands["phase"], stands["turn"], stands["board"]) == ("over", None, {"r1": ["R5"]})
    assert stands["hands"] == [[], cards("R6 R7")]


@ruling("RT 7.6")
def test_the_last_four_black_cards_of_all_end_the_round_before_their_effect() -> None:
    match = plays(war(["B8 B8 B8 B8", "R6 R7"], bosses=[2, 1]), "b4:B8,B8,B8,B8")
    assert match.over
    assert match.legal(0) == ()


@ruling("RT 7.6")
@ruling("RT 4.6")
@pytest.mark.parametrize(("answer", "turn"), [("end", 0), ("stay", 1)])
def test_four_black_cards_that_empty_the_hand_ask_its_player_who_holds_the_next(
    answer: str, turn: int
) -> None:
    match = war(["B8 B8 B8 B8", "R6 R9"], waiting=[cards("R3 B3"), []])
    plays(match, "b4:B8,B8,B8,B8")
    assert truth(match)["phase"] == "end-war"
    assert truth(match)["hands"][0] == cards("R3 B3")
    plays(match, answer)
    assert match.to_act == {turn}
    assert ("pass" in match.legal(turn)) == (answer == "stay")


@ruling("RT 7.7")
@pytest.mark.parametrize(
    ("left", "waits", "choices"),
    [
        ("", "B9 BH", ("discard:B9", "discard:BH", "keep")),
        ("", "B9 B10 R10", ("discard:B10", "discard:B9", "discard:R10", "keep")),
        ("", "B9", None),
        ("B9", "B10 R10", None),
        ("B9 B9", "B10 R10", ("discard:B9", "keep")),
        ("B9 B9", "", ("discard:B9", "keep")),
    ],
)
def test_the_red_four_counts_the_hand_after_the_waiting_set_was_taken(
    left: str, waits: str, choices: tuple[str, ...] | None
) -> None:
    match = war([f"R5 R6 R7 R8 {left}", "R6 R9"], waiting=[cards(waits), ["B10"]])
    plays(match, "r4:R5,R6,R7,R8")
    assert match.to_act == ({1} if choices is None else {0})
    if choices is not None:
        assert match.legal(0) == choices


@ruling("RT 7.7")
def test_the_card_discarded_comes_from_the_set_just_taken() -> None:
    match = war(["R5 R6 R7 R8", "R6 R9"], waiting=[cards("B9 BH"), []])
    plays(match, "r4:R5,R6,R7,R8", "discard:BH")
    assert truth(match)["hands"][0] == ["B9"]
    assert truth(match)["discard"][-1] == "BH"
    assert match.to_act == {1}


@ruling("RT 7.8")
@pytest.mark.parametrize(
    ("hand", "discard"), [("RH BH R7", []), ("R7", ["BH", "RH"]), ("R6 R7", [])]
)
def test_every_round_starts_with_one_black_and_one_red_hitman_each(
    hand: str, discard: list[str]
) -> None:
    gone = [*rest_of_deck(2, ["R5"], hand.split()), *discard]
    match = plays(war(["R5", hand], discard=gone), "r1:R5")
    stands = truth(match)
    assert stands["supply"] == view(match, 0)["supply"] == view(match, None)["supply"]
    assert stands["supply"] == ["RB", "RB"]
    dealt = [each for pair in stands["sets"] for each in pair[:2]]
    assert [len(each) for each in dealt] == [13] * 4
    assert in_order([card for each in dealt for card in each]) == deck(2)
    assert (stands["hands"], stands["waiting"], stands["discard"]) == ([[], []], None, [])
    assert match.legal(0) == match.legal(1) == ("look:1", "look:2")


@ruling("RT 7.8")
@pytest.mark.parametrize("seed", range(4))
@both_values
def test_whole_matches_end_when_somebody_has_lost_two_bosses(hitmen: str, seed: int) -> None:
    match, dice = begun(hitmen, seed), random.Random(seed)
    while not match.over:
        for seat in match.to_act:
            match.play(seat, dice.choice(match.legal(seat)))
    assert match.outcome is not None
    assert sorted(truth(match)["bosses"])[0] == 0
    assert sorted(match.outcome.ranks) == [1, 2]
    assert truth(match)["round"] in (2, 3)


# RT 7.9: who knows what --------------------------------------------------------------------------


def prepared(hitmen: str, look: int, give: int) -> Match:
    """Return a match after the hand-over. Seat 1 keeps the set that it looked at."""
    return led(begun(hitmen), looks(look, 1), picks("R", "B"), gives(give, 2))


each_way = pytest.mark.parametrize(("look", "give"), list(product(SETS, SETS)))


@ruling("RT 7.9")
@both_values
@each_way
def test_the_cards_of_a_set_looked_at_stay_known_wherever_it_goes(
    hitmen: str, look: int, give: int
) -> None:
    seen = truth(led(begun(hitmen), looks(look, 1)))["sets"][0][look - 1]
    match = prepared(hitmen, look, give)
    known = [[real(entry["cards"]) for entry in pair] for pair in view(match, 0)["sets"]]
    assert known == ([[None, None], [None, seen]] if look == give else [[seen, None], [None, None]])
    unseen = {card: n for card, n in view(match, 0)["unseen"].items() if n and card[1:] != "H"}
    assert unseen == Counter(deck(2)) - Counter(seen)


@ruling("RT 7.9")
@both_values
@pytest.mark.parametrize("takes", HANDS)
def test_a_set_given_away_is_known_in_the_hand_and_while_it_waits(hitmen: str, takes: str) -> None:
    seen = truth(led(begun(hitmen), looks(1, 1)))["sets"][0][0]
    match = led(prepared(hitmen, 1, 1), ("hand:kept", takes))
    seat_0 = view(match, 0)
    waits = real(seat_0["waiting"][1]["cards"])
    known = set(seat_0["known"].get("1", ())) - {"R3", "RH", "BH"}
    if takes == "hand:received":
        assert real(seat_0["known"]["1"]) == seen
        assert waits is None
    else:
        assert known == set()
        assert waits == seen
    assert seat_0["waiting"][0]["cards"] is None


@ruling("RT 7.9")
@both_values
def test_a_waiting_set_is_known_to_its_owner_if_looked_at_and_to_nobody_else(hitmen: str) -> None:
    match = led(prepared(hitmen, 1, 2), ("hand:received", "hand:received"))
    waits = [real(each) for each in truth(match)["waiting"]]
    assert [real(view(match, seat)["waiting"][seat]["cards"]) for seat in (0, 1)] == waits
    for reader, owner in ((0, 1), (1, 0), (None, 0), (None, 1)):
        assert view(match, reader)["waiting"][owner]["cards"] is None
        assert view(match, reader)["waiting"][owner]["size"] == 14


@ruling("RT 7.9")
@both_values
def test_a_waiting_set_received_is_unknown_to_its_owner_until_it_is_taken(hitmen: str) -> None:
    waiting = [cards("B9 R7"), cards("B10")]
    match = war(["R5", "B6 B9"], options={"hitmen": hitmen}, waiting=waiting)
    assert view(match, 0)["waiting"][0]["cards"] is None
    assert view(match, 0)["waiting"][0]["size"] == 2
    plays(match, "r1:R5")
    assert view(match, 0)["hand"] == cards("R7 B9")
    assert view(match, 0)["waiting"][0] is None
    assert view(match, 1)["waiting"][1]["cards"] is None


@ruling("RT 7.9")
@each_way
def test_open_which_set_holds_which_hitman_is_public(look: int, give: int) -> None:
    match = prepared("open", look, give)
    mine = ["B", "R"] if look == give else ["R", "B"]
    colours = [[mine[0], "R"], ["B", mine[1]]]
    for reader in (0, 1, None):
        shown = [[entry["hitman"] for entry in pair] for pair in view(match, reader)["sets"]]
        assert shown == colours
    led(match, ("hand:kept", "hand:kept"))
    for reader in (0, 1, None):
        assert view(match, reader)["hitmen_held"] == [mine[0], "B"]
        assert [entry["hitman"] for entry in view(match, reader)["waiting"]] == ["R", mine[1]]


@ruling("RT 7.9")
@each_way
def test_hidden_a_seat_knows_only_where_its_own_hitmen_went(look: int, give: int) -> None:
    match = prepared("hidden", look, give)
    kept, given = ("B", "R") if look == give else ("R", "B")
    expected = {0: [[kept, None], [None, given]], 1: [[None, "R"], ["B", None]],
                None: [[None, None], [None, None]]}  # fmt: skip
    for reader, colours in expected.items():
        shown = [[entry["hitman"] for entry in pair] for pair in view(match, reader)["sets"]]
        assert shown == colours


@ruling("RT 7.9")
def test_hidden_the_hitmen_in_play_are_counted_and_ones_own_seen() -> None:
    match = led(prepared("hidden", 1, 1), ("hand:kept", "hand:received"))
    assert view(match, 0)["hitmen_held"] == ["B", 1]
    assert view(match, 1)["hitmen_held"] == [1, "R"]
    assert view(match, None)["hitmen_held"] == [1, 1]
    assert [entry["hitman"] for entry in view(match, None)["waiting"]] == [None, None]


@ruling("RT 7.9")
@both_values
def test_a_hitman_among_cards_that_a_seat_knows_is_known(hitmen: str) -> None:
    sets = [[cards("R5 R6 RH"), cards("B5 BH"), 1], [cards("R7 RH"), cards("B7 BH"), 2]]
    stands: dict[str, Any] = {"phase": "give", "turn": None, "waiting": None, "sets": sets}
    match = war(["", ""], options={"hitmen": hitmen}, **stands)
    assert real(view(match, 0)["sets"][0][0]["cards"]) == ["R5", "R6"]
    assert view(match, 0)["sets"][0][0]["hitman"] == "R"
    assert view(match, 1)["sets"][1][1]["hitman"] == "B"


# What a seat is not told -------------------------------------------------------------------------

MINE = ["R3", "R5", "R7", "R9", "R10", "B3", "B4", "B5", "B6", "B7", "B8", "B9", "B10"]


def lines(match: Match, reader: int | str) -> list[dict[str, Any]]:
    """Return the content of a record without the parts that are drawn for each match."""
    written = [json.loads(line) for line in match.record(reader).splitlines()]
    return [
        {key: value for key, value in line.items() if key not in ("hash", "commitment")}
        for line in written
    ]


def check_same(matches: list[Match], seat: int | None) -> None:
    """Assert that a seat, or for None a spectator, cannot tell these two apart."""
    one, other = matches
    reader = "all" if seat is None else seat
    assert one.view(seat) == other.view(seat)
    assert lines(one, reader) == lines(other, reader)
    if seat is not None:
        assert one.legal(seat) == other.legal(seat)


def world(seed: int, hitmen: str) -> Match:
    """Return a match whose cards depend on the seed, except for seat 1's first set."""
    others = rest_of_deck(2, MINE)
    random.Random(seed).shuffle(others)
    rest = [in_order(others[start : start + 13]) for start in (0, 13, 26)]
    sets = [[rest[0], rest[1], None], [MINE, rest[2], None]]
    stands: dict[str, Any] = {"phase": "look", "turn": None, "waiting": None, "sets": sets}
    return war(["", ""], options={"hitmen": hitmen}, supply=["RB", "RB"], **stands)


WAY = [(0, "look:2"), (1, "look:1"), (0, "hitman:R"), (1, "hitman:B"), (0, "give:1"),
       (1, "give:2"), (0, "hand:received"), (1, "hand:kept"), (1, "r1:R5")]  # fmt: skip


@ruling("RT 7.9")
@ruling("RT 7.3")
@both_values
def test_a_seat_is_told_nothing_of_cards_that_it_has_not_seen(hitmen: str) -> None:
    worlds = [world(1, hitmen), world(2, hitmen)]
    check_same(worlds, 1)
    for seat, action in WAY:
        for match in worlds:
            match.play(seat, action)
        check_same(worlds, 1)
        check_same(worlds, None)
    assert worlds[0].truth() != worlds[1].truth()


@ruling("RT 7.9")
@both_values
def test_which_hitman_was_added_shows_only_where_it_is_public(hitmen: str) -> None:
    red, black = world(1, hitmen), world(1, hitmen)
    for seat, action in WAY:
        red.play(seat, action)
        black.play(seat, action.replace("hitman:R", "hitman:B") if seat == 0 else action)
        told_apart = hitmen == "open" and truth(red)["phase"] not in ("look", "pick")
        if told_apart:
            assert red.view(1) != black.view(1)
            assert lines(red, "all") != lines(black, "all")
        else:
            check_same([red, black], 1)
            check_same([red, black], None)


@ruling("RT 7.1")
@ruling("RT 7.2")
@both_values
@pytest.mark.parametrize("reader", [0, 1, "all"])
def test_before_anybody_has_looked_no_record_names_a_card(hitmen: str, reader: int | str) -> None:
    match = begun(hitmen)
    assert not re.search(r"[RB]\d", match.record(reader))
    match.play(1, "look:2")
    named = re.findall(r"[RB]\d+", match.record(reader))
    assert named == (truth(match)["sets"][1][1] if reader == 1 else [])


@ruling("RT 7.9")
def test_a_looked_at_set_that_was_given_away_shows_nothing_to_who_received_it() -> None:
    match = prepared("hidden", 1, 1)
    received = truth(match)["sets"][1][1]
    own = truth(match)["sets"][1][0]
    assert Counter(re.findall(r"[RB]\d+", match.record(1))) == Counter(real(own))
    assert view(match, 1)["sets"][1][1]["size"] == len(received) == 14
    assert refusal(match, 1, f"r1:{received[0]}") == "Z 3"
