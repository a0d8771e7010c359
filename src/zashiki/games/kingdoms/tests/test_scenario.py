"""Full states and scenarios made of them: faults are named, unreachable positions allowed."""

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

import zashiki
from zashiki import Malformed, Match
from zashiki.games.kingdoms.tests.tables import (
    ACES,
    AREAS,
    EVERY_CARD,
    GAME,
    NORMAL,
    all_cards,
    attacked,
    look,
    plays,
    stand,
    standing,
)

ruling = pytest.mark.ruling

HANDS = ("soldier knight liaison", "lancer bishop")
HELD = {"border": "red archer", "blue-city": "blue shieldman"}
DRAFT = standing(hands=HANDS, areas=HELD, discards="priest soldier cavalry")
DEPLOY = DRAFT | {"phase": "deploy"}
DEFEND = attacked("blue-city", "knight priest", "blue shieldman", ("soldier", "lancer"))
WON: dict[str, Any] = DEFEND["battle"] | {"winner": 0}
LEAVE = DEFEND | {"phase": "leave", "turn": 0, "battle": WON}
"""Knight and Priest, 5, against Shieldman and offset, 4."""
HELPED: dict[str, Any] = DEFEND["battle"] | {"added": "lancer", "winner": 1}
HELD_OUT = DEFEND | {
    "phase": "leave",
    "hands": [["soldier"], []],
    "turn": 1,
    "battle": HELPED | {"attackers": ["knight"]},
    "discards": {"normal": ["priest"], "ace": []},
}
"""A Knight, 4, against Shieldman, Lancer and offset, 5."""
STILL = DRAFT | {"phase": "over", "turn": None, "still": 4}
TRUTHS = {
    "draft": DRAFT,
    "deploy": DEPLOY,
    "defend": DEFEND,
    "leave": LEAVE,
    "leave, defending": HELD_OUT,
    "over": STILL,
}


def copied(truth: Any) -> Any:
    return json.loads(json.dumps(truth))


def step(match: Match, chance: random.Random) -> tuple[int, str]:
    """Play a random legal action of the seat to act."""
    (seat,) = match.to_act
    action = chance.choice(match.legal(seat))
    match.play(seat, action)
    return seat, action


def positions(seed: int) -> Iterator[Match]:
    """Yield a match at its beginning and after each of its actions."""
    match = zashiki.start(GAME, 2, seed=seed)
    chance = random.Random(seed)
    yield match
    while not match.over:
        step(match, chance)
        yield match


def everywhere() -> Iterator[Match]:
    """Yield several matches, after each of their actions."""
    for seed in range(1, 7):
        yield from positions(seed)


def fault_in(truth: Any) -> str:
    """Return the fault of a full state; "" if it is accepted unchanged."""
    try:
        match = stand(truth)
    except Malformed as fault:
        return str(fault)
    assert match.truth() == truth
    return ""


def to_the_end(match: Match) -> None:
    """Play to the end. A seat is always to act, and every full state on the way is accepted."""
    chance = random.Random(1)
    for _ in range(20_000):
        if match.over:
            return
        (seat,) = match.to_act
        assert match.legal(seat)
        step(match, chance)
        assert fault_in(look(match)) == ""
    raise AssertionError("it does not end")


# A truth stands again ----------------------------------------------------------------------------


@pytest.mark.parametrize("truth", TRUTHS.values(), ids=TRUTHS)
def test_a_truth_of_each_phase_stands_as_it_was_given(truth: dict[str, Any]) -> None:
    match = stand(copied(truth))
    assert match.truth() == truth
    assert match.to_act == (set() if truth["turn"] is None else {truth["turn"]})
    assert match.over == (truth["phase"] == "over")


def test_every_truth_of_a_match_stands_again() -> None:
    met = set()
    for match in everywhere():
        truth = look(match)
        again = stand(copied(truth))
        assert again.truth() == truth
        assert again.to_act == match.to_act
        assert [again.legal(seat) for seat in (0, 1)] == [match.legal(seat) for seat in (0, 1)]
        assert again.outcome == match.outcome
        met.add(truth["phase"])
    assert met == {"draft", "deploy", "defend", "leave", "over"}


def test_a_scenario_goes_on_as_the_match_would() -> None:
    match = zashiki.start(GAME, 2, seed=5)
    again = zashiki.scenario(GAME, look(match), seed=5)
    chance = random.Random(5)
    while not match.over:
        again.play(*step(match, chance))
        assert again.truth() == match.truth()
    assert again.outcome == match.outcome


def test_the_record_of_a_scenario_replays() -> None:
    for place, match in enumerate(positions(1)):
        if place % 9 == 0:
            again = stand(look(match))
            assert zashiki.replay(again.record()).truth() == match.truth()


# What a truth says -------------------------------------------------------------------------------


@ruling("RB 1.3")
def test_no_card_is_lost_and_none_lies_in_the_wrong_place() -> None:
    for match in everywhere():
        truth = look(match)
        assert all_cards(truth) == EVERY_CARD
        assert list(truth["areas"]) == list(AREAS)
        assert truth["hands"] == [sorted(held) for held in truth["hands"]]
        for places in (truth["piles"], truth["discards"]):
            assert list(places) == ["normal", "ace"]
            assert set(places["normal"]) <= set(NORMAL)
            assert set(places["ace"]) <= set(ACES)


@ruling("RB 2.2")
def test_no_hand_ever_exceeds_five() -> None:
    for match in everywhere():
        assert all(len(held) <= 5 for held in look(match)["hands"])


def test_the_phase_says_who_is_asked_and_whether_a_battle_lies_there() -> None:
    for match in everywhere():
        truth = look(match)
        phase, lies = truth["phase"], truth["battle"]
        assert (truth["turn"] is None) == (phase == "over")
        assert match.to_act == (set() if phase == "over" else {truth["turn"]})
        if phase in ("draft", "deploy"):
            assert lies is None
        if phase == "draft":
            assert truth["placed"] is False
        if phase in ("defend", "leave"):
            assert truth["placed"] is True
            assert lies["defender"] == truth["areas"][lies["area"]]["card"]
            assert lies["attackers"] == sorted(lies["attackers"])
        if phase == "defend":
            assert (lies["added"], lies["winner"]) == (None, None)
            assert truth["turn"] == truth["areas"][lies["area"]]["seat"]
        if phase == "leave":
            assert lies["winner"] == truth["turn"]


@ruling("RB 1.5")
def test_red_has_the_odd_turns() -> None:
    for match in everywhere():
        truth = look(match)
        if truth["phase"] in ("draft", "deploy"):
            assert truth["number"] % 2 == 1 - truth["turn"]


# Unreachable, and yet a position -----------------------------------------------------------------


@pytest.mark.parametrize(
    "truth",
    [
        DRAFT | {"number": 8},
        DRAFT | {"number": 1, "still": 3},
        DRAFT | {"number": 200},
        standing(hands=("prince", "princess")),
        standing(hands=("", ""), areas={"blue-city": "red prince", "red-city": "blue princess"}),
        standing(areas={"red-city": "blue bishop"}, piles={"normal": "", "ace": ""}),
        standing(hands=("prince bishop bishop", ""), phase="deploy", placed=True, still=3),
        standing(hands=("soldier " * 6 + "lancer " * 5, "")),
        DEFEND | {"placed": False},
        LEAVE | {"placed": False},
    ],
)
def test_a_position_is_never_refused_for_being_unreachable(truth: dict[str, Any]) -> None:
    match = stand(truth)
    assert match.truth() == truth
    to_the_end(match)


# What is wrong is named --------------------------------------------------------------------------


@pytest.mark.parametrize("key", list(DRAFT))
def test_a_missing_key_is_named(key: str) -> None:
    truth = {name: value for name, value in DRAFT.items() if name != key}
    with pytest.raises(Malformed, match=rf"\b{key}\b"):
        stand(truth)


@pytest.mark.parametrize("truth", [None, [], "x", 7])
def test_a_truth_is_a_mapping(truth: Any) -> None:
    with pytest.raises(Malformed, match="mapping"):
        stand(truth)


NO_CARDS = ["dragon", "Soldier", "", 7, None, "soldier ", ["soldier"], "none", "capital_guard"]
WRONG: dict[str, list[Any]] = {
    "extra": [1],
    "card_set": ["unknown", "", None, 7, ["reconstructed"]],
    "phase": ["war", "", None, 0, "Draft", "battle"],
    "turn": [None, 2, -1, "0", 0.0, False, [0]],
    "number": [0, -1, "7", None, 7.0, True],
    "still": [-1, "0", None, 0.0, False],
    "placed": [None, 0, 1, "false", []],
    "areas": [None, [], {}, "x", list(AREAS)],
    "hands": [None, {}, [], [["soldier"]], [["soldier"], [], []], "soldier"],
    "piles": [None, [], {}, {"normal": []}, {"normal": [], "ace": [], "monarch": []}],
    "discards": [None, [], {}, {"ace": []}, {"normal": [], "ace": [], "monarch": []}],
    "battle": [{}, [], "x", DEFEND["battle"], WON],
}


@pytest.mark.parametrize(
    ("key", "value"), [(key, value) for key, values in WRONG.items() for value in values]
)
def test_what_is_wrong_is_named(key: str, value: Any) -> None:
    with pytest.raises(Malformed, match=rf"\b{key}\b"):
        stand(DEPLOY | {key: value})


@pytest.mark.parametrize("area", AREAS)
@pytest.mark.parametrize(
    "lies",
    [
        "red archer",
        [0, "archer"],
        {},
        {"seat": 0},
        {"card": "archer"},
        {"seat": 2, "card": "archer"},
        {"seat": -1, "card": "archer"},
        {"seat": "0", "card": "archer"},
        {"seat": False, "card": "archer"},
        {"seat": None, "card": "archer"},
        {"seat": 0, "card": "dragon"},
        {"seat": 0, "card": None},
        {"seat": 0, "card": ["archer"]},
        {"seat": 0, "card": "archer", "up": True},
    ],
)
def test_what_is_wrong_on_an_area_is_named_with_the_area(area: str, lies: Any) -> None:
    with pytest.raises(Malformed, match=rf"areas.*{area}"):
        stand(DEPLOY | {"areas": DEPLOY["areas"] | {area: lies}})


@pytest.mark.parametrize("area", AREAS)
def test_an_area_that_is_missing_is_named(area: str) -> None:
    areas = {name: lies for name, lies in DEPLOY["areas"].items() if name != area}
    with pytest.raises(Malformed, match=rf"areas.*{area}"):
        stand(DEPLOY | {"areas": areas})


def test_an_area_too_many_is_named() -> None:
    with pytest.raises(Malformed, match=r"areas.*sea"):
        stand(DEPLOY | {"areas": DEPLOY["areas"] | {"sea": None}})


@pytest.mark.parametrize("card", NO_CARDS)
def test_what_is_no_card_is_named_with_its_place(card: Any) -> None:
    with pytest.raises(Malformed, match="hands"):
        stand(DEPLOY | {"hands": [DEPLOY["hands"][0], [card]]})
    for key in ("piles", "discards"):
        for name in ("normal", "ace"):
            places = DEPLOY[key] | {name: [*DEPLOY[key][name], card]}
            with pytest.raises(Malformed, match=rf"{key}.*{name}"):
                stand(DEPLOY | {key: places})


@ruling("RB 2.3")
@pytest.mark.parametrize("key", ["piles", "discards"])
@pytest.mark.parametrize(
    ("name", "card"),
    [("normal", "knight"), ("ace", "soldier"), ("normal", "prince"), ("ace", "princess")],
)
def test_a_pile_has_cards_of_its_class_and_never_a_monarch(key: str, name: str, card: str) -> None:
    truth = copied(DEPLOY)
    if card in ("prince", "princess"):
        truth["areas"]["red-capital" if card == "prince" else "blue-capital"] = None
    else:
        truth["piles"]["ace" if card in ACES else "normal"].remove(card)
    truth[key][name].append(card)
    assert all_cards(truth) == EVERY_CARD
    with pytest.raises(Malformed, match=rf"{key}.*{name}"):
        stand(truth)


@pytest.mark.parametrize("pile", [None, "soldier", {}, 7])
@pytest.mark.parametrize("key", ["piles", "discards"])
def test_a_pile_is_a_list(key: str, pile: Any) -> None:
    with pytest.raises(Malformed, match=rf"{key}.*ace"):
        stand(DEPLOY | {key: DEPLOY[key] | {"ace": pile}})


# Cards -------------------------------------------------------------------------------------------


@ruling("RB 1.3")
@pytest.mark.parametrize("card", ["soldier", "bishop"])
@pytest.mark.parametrize("key", ["hands", "piles", "discards"])
def test_a_card_too_many_is_named(key: str, card: str) -> None:
    truth = copied(DEPLOY)
    place = truth["hands"][0] if key == "hands" else truth[key]["ace" if card in ACES else "normal"]
    place.append(card)
    place.sort()
    with pytest.raises(Malformed, match=card):
        stand(truth)


@ruling("RB 1.3")
@pytest.mark.parametrize("place", [0, 7, -1])
@pytest.mark.parametrize("name", ["normal", "ace"])
def test_a_card_that_is_missing_is_named(name: str, place: int) -> None:
    truth = copied(DEPLOY)
    card = truth["piles"][name].pop(place)
    with pytest.raises(Malformed, match=card):
        stand(truth)


@ruling("RB 1.3")
def test_each_monarch_is_there_once() -> None:
    gone = copied(DEPLOY)
    gone["areas"]["red-capital"] = None
    twice = copied(DEPLOY)
    twice["hands"][0] = sorted([*twice["hands"][0], "prince"])
    for truth in (gone, twice):
        with pytest.raises(Malformed, match="prince"):
            stand(truth)


# A battle ----------------------------------------------------------------------------------------

BROKEN_BATTLES: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "no area": (DEFEND, {"area": None}, "area"),
    "an unknown area": (DEFEND, {"area": "sea"}, "area"),
    "an empty area": (DEFEND, {"area": "red-city"}, "area|defender"),
    "an area of the attacker": (DEFEND, {"area": "red-capital"}, "area|defender|turn"),
    "no attackers": (DEFEND, {"attackers": []}, "attackers"),
    "attackers of no sort": (DEFEND, {"attackers": None}, "attackers"),
    "attackers as a text": (DEFEND, {"attackers": "knight"}, "attackers"),
    "three attackers": (DEFEND, {"attackers": ["knight", "knight", "priest"]}, "attackers"),
    "an attacker that is not a card": (DEFEND, {"attackers": ["dragon", "priest"]}, "attackers"),
    "another defender": (DEFEND, {"defender": "soldier"}, "defender"),
    "no defender": (DEFEND, {"defender": None}, "defender"),
    "a card added too soon": (DEFEND, {"added": "lancer"}, "added"),
    "a card added that is none": (LEAVE, {"added": "dragon"}, "added"),
    "cards added": (LEAVE, {"added": ["lancer"]}, "added"),
    "a winner too soon": (DEFEND, {"winner": 0}, "winner"),
    "no winner": (LEAVE, {"winner": None}, "winner"),
    "a winner of no seat": (LEAVE, {"winner": 2}, "winner"),
    "a winner as a text": (LEAVE, {"winner": "0"}, "winner"),
    "a winner who is not asked": (LEAVE, {"winner": 1}, "winner|turn"),
    "an extra key": (DEFEND, {"name": "x"}, "name"),
}


@pytest.mark.parametrize("name", BROKEN_BATTLES)
def test_what_is_wrong_in_a_battle_is_named(name: str) -> None:
    truth, change, named = BROKEN_BATTLES[name]
    with pytest.raises(Malformed, match=rf"battle.*({named})|\bturn\b"):
        stand(truth | {"battle": truth["battle"] | change})


@pytest.mark.parametrize("key", list(WON))
def test_a_key_that_is_missing_in_a_battle_is_named(key: str) -> None:
    lies = {name: value for name, value in WON.items() if name != key}
    with pytest.raises(Malformed, match=rf"battle.*{key}"):
        stand(LEAVE | {"battle": lies})


@pytest.mark.parametrize("truth", [DEFEND, LEAVE])
def test_in_a_battle_there_is_one(truth: dict[str, Any]) -> None:
    with pytest.raises(Malformed, match="battle"):
        stand(truth | {"battle": None})


@pytest.mark.parametrize("truth", [DEFEND, LEAVE])
def test_in_a_battle_one_of_the_two_is_asked(truth: dict[str, Any]) -> None:
    for turn in (None, 1 - truth["turn"]):
        with pytest.raises(Malformed, match=r"turn|battle"):
            stand(truth | {"turn": turn})


def test_when_it_is_over_nobody_is_asked() -> None:
    with pytest.raises(Malformed, match="turn"):
        stand(STILL | {"turn": 0})


# Anything at all ---------------------------------------------------------------------------------

AT_ODDS: dict[str, dict[str, Any]] = {
    "over without a reason": DRAFT | {"phase": "over", "turn": None},
    "four still turns, and yet a draft": DRAFT | {"still": 4},
    "after turn 200": DRAFT | {"number": 201},
    "placed before the draft": DRAFT | {"placed": True},
    "red holds everything": standing(
        hands=("", "princess"),
        areas=dict.fromkeys(AREAS[1:], "red soldier"),
    ),
    "blue is in red's hand": standing(hands=("prince princess", "")),
    "a prince of blue's": standing(areas={"border": "blue prince"}),
    "the loser is asked": HELD_OUT | {"battle": HELPED | {"attackers": ["knight"], "winner": 0}},
}


@pytest.mark.parametrize("truth", AT_ODDS.values(), ids=AT_ODDS)
def test_a_truth_at_odds_with_itself_is_malformed_or_goes_on(truth: dict[str, Any]) -> None:
    """An accepted state always offers a legal action, and every later state is accepted."""
    if not fault_in(truth):
        to_the_end(stand(truth))


@pytest.mark.parametrize("junk", [None, 7, -1, True, "x", [], [[]], [None], {}, {"x": 1}, 10**30])
@pytest.mark.parametrize("key", list(DRAFT))
def test_junk_is_malformed_and_nothing_else_goes_wrong(key: str, junk: Any) -> None:
    for base in (DRAFT, DEFEND, LEAVE, STILL):
        fault = fault_in(base | {key: junk})
        assert fault == "" or any(name in fault for name in (*DRAFT, *EVERY_CARD, "card set"))


def test_the_truth_given_is_left_alone() -> None:
    truth = copied(DEFEND)
    plays(stand(truth), "defend:lancer")
    assert truth == DEFEND
