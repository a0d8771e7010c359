"""Full states and scenarios made of them: faults are named, unreachable positions allowed."""

import json
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

import zashiki
from zashiki import Malformed, Match
from zashiki.games.red_town.tests.tables import GAME, cards, deck, in_order, plays, standing, war

ruling = pytest.mark.ruling

FORMS = [(2, "two"), *((seats, form) for form in ("standard", "short") for seats in (3, 4, 5))]
PHASES = {
    "standard": {"decide", "pick", "pick-many", "turn", "discard", "end-war", "over"},
    "short": {"pick", "turn", "discard", "end-war", "over"},
    "two": {"look", "pick", "give", "choose", "turn", "discard", "end-war", "over"},
}
BEFORE_HANDS = ("look", "pick", "give", "choose")
"""The two-player phases with sets and without hands."""
TOGETHER = ("decide", "pick", "look", "give", "choose")
"""The phases in which several seats may act at once."""

each_form = pytest.mark.parametrize(("seats", "form"), FORMS)
whole_match = pytest.mark.compiled
"""Marks tests that play whole matches; those of single rules run interpreted."""
each_switch = pytest.mark.parametrize("hitmen", ["open", "hidden"])


def look(match: Match) -> Any:
    return match.truth()


def stand(truth: Any, hitmen: str = "open") -> Match:
    return zashiki.scenario(GAME, truth, {"hitmen": hitmen}, seed=1)


def step(match: Match, chance: random.Random) -> tuple[int, str]:
    """Play a legal action of any seat, preferring four cards, which lead to rarer phases."""
    seat = chance.choice(sorted(match.to_act))
    legal = match.legal(seat)
    fours = [action for action in legal if action.startswith(("r4:", "b4:"))]
    action = chance.choice(fours or legal)
    match.play(seat, action)
    return seat, action


def positions(seats: int, form: str, hitmen: str = "open", seed: int = 1) -> Iterator[Match]:
    """Yield a match at its beginning and after each of its actions."""
    options = {"form": form, "hitmen": hitmen}
    match = zashiki.start(GAME, seats, options=options, seed=seed)
    chance = random.Random(seed)
    yield match
    while not match.over:
        step(match, chance)
        yield match


def start_of(seats: int, form: str) -> Any:
    return look(zashiki.start(GAME, seats, options={"form": form}, seed=1))


def fault_in(truth: Any) -> str:
    """Return the fault of a full state; "" if it is accepted unchanged."""
    try:
        match = stand(truth)
    except Malformed as fault:
        return str(fault)
    assert match.truth() == truth
    return ""


def dealt(seats: int, form: str, **changes: Any) -> dict[str, Any]:
    """Return a full state before the first action, with the cards dealt in turn."""
    each = 12 if seats == 5 else 13
    hands = [" ".join(deck(seats)[seat : each * seats : seats]) for seat in range(seats)]
    aside = deck(seats)[each * seats :]
    supply = ["RRBB" if form == "standard" else "RB"] * seats
    return standing(hands, form, **{"turn": None, "supply": supply, "aside": aside, **changes})


DECIDING = dealt(4, "standard", phase="decide")
PICKING = dealt(4, "standard", phase="pick", confirmed=[0])
SHORT = dealt(3, "short", phase="pick")
SETS = [[deck(2)[0::4], deck(2)[1::4], None], [deck(2)[2::4], deck(2)[3::4], None]]
TWO = standing(["", ""], phase="look", turn=None, waiting=None, supply=["RB", "RB"], sets=SETS)
FOUR = standing(["R3 R4 B5", "R5 B6", "R6 B7", "R7 B8"], board={"r1": ["R8"]}, declared=8, last=3)
HANDS = FOUR["hands"]


# A truth stands again ----------------------------------------------------------------------------


@whole_match
@each_switch
@each_form
def test_every_truth_of_a_match_stands_again(seats: int, form: str, hitmen: str) -> None:
    met = set()
    for seed in (1, 2, 3):
        for match in positions(seats, form, hitmen, seed):
            truth = look(match)
            again = stand(json.loads(json.dumps(truth)), hitmen)
            assert again.truth() == truth
            assert again.to_act == match.to_act
            assert [again.legal(seat) for seat in range(seats)] == [
                match.legal(seat) for seat in range(seats)
            ]
            assert again.outcome == match.outcome
            met.add(truth["phase"])
    assert met == PHASES[form]


@whole_match
@each_form
def test_a_scenario_goes_on_as_the_match_would(seats: int, form: str) -> None:
    match = zashiki.start(GAME, seats, options={"form": form}, seed=5)
    again = zashiki.scenario(GAME, look(match), seed=5)
    chance = random.Random(5)
    while not match.over and look(match)["round"] == 1:
        again.play(*step(match, chance))
        if look(match)["round"] == 1:
            assert again.truth() == match.truth()
    assert again.outcome == match.outcome
    assert look(again)["bosses"] == look(match)["bosses"]


@whole_match
@each_form
def test_the_record_of_a_scenario_replays(seats: int, form: str) -> None:
    for place, match in enumerate(positions(seats, form)):
        if place % 9 == 0:
            again = stand(look(match))
            assert zashiki.replay(again.record()).truth() == match.truth()


def test_the_position_of_the_rules_page_stands() -> None:
    supply = ["RBB", "RRBB", "RRBB", "RRBB"]
    hands = ["R3 R6 RH B4", "B5 B6", "R7 R8", "B7 R9"]
    stands: dict[str, Any] = {"supply": supply, "last": 0, "passed": [1, 2], "turn": 3}
    match = war(hands, board={"r1": ["R5"]}, declared=5, **stands)
    assert look(match)["hands"][0] == ["R3", "R6", "RH", "B4"]
    assert {key: look(match)[key] for key in stands} == stands
    assert match.to_act == {3}
    assert match.legal(3) == ("b1:B7", "pass")


# What a truth says -------------------------------------------------------------------------------


@whole_match
@each_form
def test_what_does_not_apply_is_null(seats: int, form: str) -> None:
    for match in positions(seats, form):
        truth = look(match)
        phase = truth["phase"]
        in_sets = form == "two" and phase in BEFORE_HANDS
        assert (truth["sets"] is not None) == in_sets
        assert (truth["waiting"] is not None) == (form == "two" and not in_sets)
        assert (truth["bosses"] is None) == (form == "short")
        assert (truth["turn"] is None) == (phase in (*TOGETHER, "over"))
        assert (truth["declared"] is None) == (truth["last"] is None) == (truth["board"] == {})
        if truth["turn"] is not None:
            assert match.to_act == {truth["turn"]}
        if in_sets:
            assert truth["hands"] == [[], []]


@whole_match
@each_form
def test_choices_are_kept_by_seat_until_they_are_revealed(seats: int, form: str) -> None:
    kinds = {"decide": ("confirm", "add"), "give": ("give:1", "give:2")}
    kinds |= {"pick": ("hitman:R", "hitman:B"), "choose": ("hand:kept", "hand:received")}
    met = set()
    for match in positions(seats, form):
        truth = look(match)
        for seat, action in truth["chosen"].items():
            assert action in kinds[truth["phase"]]
            assert int(seat) not in match.to_act
            met.add(truth["phase"])
        if truth["phase"] not in ("decide", "pick", "pick-many"):
            assert truth["confirmed"] == []
    assert met == PHASES[form] & set(kinds)


@whole_match
@each_form
def test_cards_stand_in_notation_order_and_none_is_lost(seats: int, form: str) -> None:
    for match in positions(seats, form):
        truth = look(match)
        sets = [each for pair in truth["sets"] or [] for each in pair[:2]]
        places = [*truth["hands"], *sets, *(truth["waiting"] or []), truth["aside"]]
        places += truth["board"].values()
        for place in places:
            assert place == in_order(place)
        assert all(supply == "".join(sorted(supply, reverse=True)) for supply in truth["supply"])
        everything = [card for place in [*places, truth["discard"]] for card in place]
        assert in_order([card for card in everything if card[1] != "H"]) == deck(seats)


@ruling("RT 2.2")
def test_a_choice_in_a_truth_is_revealed_with_the_others() -> None:
    truth = start_of(4, "standard") | {"chosen": {"1": "add", "3": "confirm"}}
    match = stand(truth)
    assert match.to_act == {0, 2}
    assert match.view(0) == stand(truth | {"chosen": {"1": "confirm", "3": "add"}}).view(0)
    match.play(0, "confirm")
    match.play(2, "add")
    assert (look(match)["phase"], look(match)["confirmed"]) == ("pick", [0, 3])


@ruling("RT 2.5")
def test_a_pick_in_a_truth_takes_effect_with_the_others() -> None:
    truth = start_of(4, "standard")
    match = stand(truth | {"phase": "pick", "confirmed": [2], "chosen": {"3": "hitman:B"}})
    assert match.to_act == {0, 1}
    match.play(0, "hitman:R")
    match.play(1, "hitman:R")
    hands = truth["hands"]
    assert look(match)["hands"] == [
        in_order([*hands[3], "BH"]),
        in_order([*hands[0], "RH"]),
        hands[2],
        in_order([*hands[1], "RH"]),
    ]


# What a scenario's seats know --------------------------------------------------------------------


@ruling("RT 2.10")
@each_switch
def test_seats_know_their_own_cards_and_nothing_of_what_went_before(hitmen: str) -> None:
    match = zashiki.start(GAME, 3, options={"hitmen": hitmen}, seed=1)
    for action in ("add", "hitman:R"):
        for seat in range(3):
            match.play(seat, action)
    again: Any = stand(look(match), hitmen)
    for seat in range(3):
        shown = again.view(seat)
        assert in_order(shown["hand"]) == look(match)["hands"][seat]
        assert shown["passed_on"] == []
        known = [
            card for other in shown["known"] if other != str(seat) for card in shown["known"][other]
        ]
        assert set(known) <= {"RH"}
        assert +Counter(shown["unseen"]) == Counter(deck(3)) - Counter(shown["hand"])


@ruling("RT 2.8")
@pytest.mark.parametrize(
    ("hitmen", "held", "supply"),
    [
        ("open", ["RRB", "B", "", "R"], ["RB", "", "RRBB", "B"]),
        ("hidden", [3, "B", 0, 1], [2, "", 4, 1]),
    ],
)
def test_seats_know_what_is_public(hitmen: str, held: list[Any], supply: list[Any]) -> None:
    hands = ["R3 RH RH BH", "B5 BH", "R6 B7", "RH B8"]
    options = {"hitmen": hitmen}
    match = war(hands, options=options, supply=["RB", "", "RRBB", "B"], bosses=[1, 2, 2, 1])
    shown: Any = match.view(1)
    assert shown["hitmen_held"] == held
    assert shown["supply"] == supply
    assert shown["sizes"] == [4, 2, 2, 2]
    assert shown["bosses"] == [1, 2, 2, 1]
    assert shown["discard"] == look(match)["discard"]
    assert in_order(shown["hand"]) == cards("B5 BH")


@ruling("RT 1.3")
@ruling("RT 2.8")
@pytest.mark.parametrize(("hitmen", "held"), [("open", "R" * 10 + "B" * 10), ("hidden", 20)])
def test_all_hitmen_may_be_in_one_hand(hitmen: str, held: object) -> None:
    everything = " ".join(["R3", *["RH"] * 10, *["BH"] * 10])
    match = war([everything, "R4", "R5", "R6", "R7"], options={"hitmen": hitmen})
    none: object = "" if hitmen == "open" else 0
    for reader in (None, 4):
        shown: Any = match.view(reader)
        assert shown["hitmen_held"][:4] == [held, none, none, none]
        assert shown["sizes"] == [21, 1, 1, 1, 1]


# Unreachable, and yet a position -----------------------------------------------------------------


@whole_match
@pytest.mark.parametrize(
    "truth",
    [
        standing(
            ["R3", "B3 B3 B4 B4 B5 B5 B5 B6 B6 B6 B7 B7 B7 B7 B8 B8 B8 B8", "R4", ""], out=[3]
        ),
        standing(["R3 RH RH RH RH RH RH RH RH", "B3", "B4", "B5"]),
        standing(["R3 B3", "R4 B4", "R5 B5"], round=6, bosses=[1, 1, 2]),
        standing(["R3 B3", "R4 B4", "R5 B5"], supply=["RRBB", "", "B"]),
        standing(["R3 B3", "R4 B4", "R5 B5"], turn=2, board={"r1": ["R6"]}, declared=9, last=2),
        standing(["R3 B3", "R4 B4", "R5 B5", "R6 B6"], aside=cards("B8 B8 B8 B9 B9 R10")),
        standing(["R3 R11", "R4 B11", "R5 B5", "R6 B6", "B7"], out=[]),
        standing(["R3 B3", "R4 B4"], waiting=[[], cards("B7 B8 RH")]),
        standing(["R3 B3 RH", "R4 B4", "R5 B5"], "short", supply=["", "R", "RB"]),
    ],
)
def test_a_position_is_never_refused_for_being_unreachable(truth: dict[str, Any]) -> None:
    match = stand(truth)
    assert match.truth() == truth
    to_the_end(match)


def to_the_end(match: Match) -> None:
    chance = random.Random(1)
    for _ in range(5000):
        if match.over:
            return
        assert match.to_act
        assert all(match.legal(seat) for seat in match.to_act)
        step(match, chance)
        assert fault_in(look(match)) == ""
    raise AssertionError("it does not end")


@ruling("RT 4.6")
def test_the_question_after_a_last_card_stands_again() -> None:
    match = plays(war(["B8 B8 B8 B8", "R4 R5", "R6 R7"]), "b4:B8,B8,B8,B8")
    truth = look(match)
    assert (truth["phase"], truth["turn"], truth["hands"][0]) == ("end-war", 0, [])
    again = stand(truth)
    assert again.truth() == truth
    plays(match, "end")
    plays(again, "end")
    assert again.truth() == match.truth()


DECIDING_HANDS = DECIDING["hands"]
TURN = standing(["R3 B3", "R4", "B4", "B5"])
SET_OF_NOTHING: list[Any] = [[], [], None]
AT_ODDS: dict[str, dict[str, Any]] = {
    "everybody has confirmed": DECIDING | {"confirmed": [0, 1, 2, 3]},
    "everybody has chosen": DECIDING | {"chosen": {str(seat): "add" for seat in range(4)}},
    "confirmed and choosing": DECIDING | {"confirmed": [0], "chosen": {"0": "confirm"}},
    "adding nothing": DECIDING | {"supply": ["", "R", "R", "R"], "chosen": {"0": "add"}},
    "lost already": DECIDING | {"bosses": [0, 2, 2, 2]},
    "in the middle of a war": DECIDING | {"passed": [0], "out": [1], "declared": 5, "last": 2},
    "all hands empty": standing([""] * 4, phase="decide", turn=None),
    "one hand empty": DECIDING
    | {"hands": [[], *DECIDING_HANDS[1:]], "discard": DECIDING_HANDS[0], "bosses": [1, 2, 2, 2]},
    "a lone adder of several": PICKING | {"confirmed": [0, 1, 2]},
    "no adder": PICKING | {"confirmed": [0, 1, 2, 3]},
    "an adder without supply": PICKING | {"supply": ["RB", "", "RB", "RB"]},
    "a pick not in supply": PICKING
    | {"supply": ["RB", "R", "RB", "RB"], "chosen": {"1": "hitman:B"}},
    "confirmed and picking": PICKING | {"chosen": {"0": "hitman:B"}},
    "a lone adder without supply": PICKING
    | {"phase": "pick-many", "confirmed": [0, 1, 2], "turn": 3, "supply": [""] * 4},
    "a lone adder among others": PICKING | {"phase": "pick-many", "confirmed": [], "turn": 3},
    "a lone adder who confirmed": PICKING
    | {"phase": "pick-many", "confirmed": [0, 1, 3], "turn": 3},
    "short: everybody has picked": SHORT | {"chosen": {str(seat): "hitman:R" for seat in range(3)}},
    "short: nothing to pick": SHORT | {"supply": ["", "RB", "RB"]},
    "short: confirmed": SHORT | {"confirmed": [0]},
    "short: out with cards": standing(["R3 B3", "R4", "B4"], "short", out=[0]),
    "short: over with cards": standing(["R3 B3", "R4", "B4"], "short", phase="over", turn=None),
    "one holds cards": standing(["R3 B3", "", "", ""], out=[1, 2, 3]),
    "out with cards": TURN | {"out": [0, 1, 2, 3]},
    "everybody has passed": TURN | {"passed": [0, 1, 2, 3]},
    "a number and nobody who played": TURN | {"declared": 5},
    "somebody who played and no number": TURN | {"last": 1},
    "a war and decisions": TURN | {"confirmed": [1], "chosen": {"2": "add"}},
    "a discard without a play": TURN | {"phase": "discard"},
    "an end without a play": TURN | {"phase": "end-war"},
    "over with empty hands": standing([""] * 4, phase="over", turn=None),
    "two: over with cards": standing(["R3 B3", "R4"], phase="over", turn=None),
    "two: a set waits for no hand": standing(["R3 B3", ""], waiting=[[], ["B4"]]),
    "two: a set waits for the turn": standing(["", "R3 B3"], waiting=[["B4"], []]),
    "two: giving unlooked": TWO | {"phase": "give"},
    "two: choosing unlooked": TWO | {"phase": "choose"},
    "two: picking unlooked": TWO | {"phase": "pick"},
    "two: nothing to pick": TWO | {"supply": ["", ""]},
    "two: one to pick": TWO | {"supply": ["R", "B"]},
    "two: an empty set": TWO | {"sets": [[[], SETS[0][1], None], SETS[1]], "discard": SETS[0][0]},
    "two: empty sets": TWO | {"sets": [SET_OF_NOTHING] * 2, "discard": deck(2)},
}


@whole_match
@pytest.mark.parametrize("truth", AT_ODDS.values(), ids=AT_ODDS)
def test_a_truth_at_odds_with_itself_is_malformed_or_goes_on(truth: dict[str, Any]) -> None:
    """An accepted state always offers a legal action, and every later state is accepted."""
    if not fault_in(truth):
        to_the_end(stand(truth))


# What is wrong is named --------------------------------------------------------------------------


@pytest.mark.parametrize("key", list(FOUR))
def test_a_missing_key_is_named(key: str) -> None:
    truth = {name: value for name, value in FOUR.items() if name != key}
    with pytest.raises(Malformed, match=rf"\b{key}\b"):
        stand(truth)


@pytest.mark.parametrize("truth", [None, [], "x", 7])
def test_a_truth_is_a_mapping(truth: Any) -> None:
    with pytest.raises(Malformed, match="mapping"):
        stand(truth)


NO_CARDS = ["R2", "R12", "B2", "H", "XH", "r3", "", 7, None, "R03", "R3 ", ["R3"], "BH,"]
WRONG: dict[str, list[Any]] = {
    "extra": [1],
    "seats": [0, 1, 6, "4", None, 4.0, True],
    "form": ["long", "two", None, 4, "Standard"],
    "round": [0, -1, "1", None, 1.0, True],
    "phase": ["war", "", None, 6, "look", "give", "choose", "Turn"],
    "bosses": [None, 2, [2] * 3, [2] * 5, {"0": 2}]
    + [[2, 2, 2, count] for count in (3, -1, "2", True)],
    "supply": [None, "RB", [""] * 3, [""] * 5]
    + [["", "", "", held] for held in ("BR", "RBR", "RRR", "X", "rb", "R ", "RH", 2, ["R"], None)],
    "confirmed": [None, 0, [4], [-1], ["0"], [0, 0], {"0": 1}, [True]],
    "chosen": [None, [], {"4": "add"}, {"x": "add"}, {0: "add"}],
    "hands": [None, {}, HANDS[:3], [*HANDS, []], [*HANDS[:3], None], [*HANDS[:3], "R7"]]
    + [[*HANDS[:3], [card]] for card in NO_CARDS],
    "aside": [None, {}, "R3", *([card] for card in NO_CARDS)],
    "discard": [None, {}, "R3", *([card] for card in NO_CARDS)],
    "board": [None, [], {"r5": ["R8"]}, {"R1": ["R8"]}, {1: ["R8"]}, {"r1": "R8"}, {"r1": None}]
    + [{"r1": [card]} for card in NO_CARDS],
    "declared": [2, 12, 0, "8", True, 8.0],
    "last": [4, -1, "3", True, 3.0],
    "passed": [None, 1, [4], [-1], [1, 1], ["1"]],
    "turn": [None, 4, -1, "0", 0.0, False],
    "out": [None, 1, [4], [-1], [1, 1], ["1"]],
    "sets": [[], [[[], [], None]] * 4],
    "waiting": [[], [[]] * 4],
}


@pytest.mark.parametrize(
    ("key", "value"), [(key, value) for key, values in WRONG.items() for value in values]
)
def test_what_is_wrong_is_named(key: str, value: Any) -> None:
    with pytest.raises(Malformed, match=rf"\b{key}\b"):
        stand(FOUR | {key: value})


@pytest.mark.parametrize(
    "chosen",
    [{"0": "fly"}, {"0": "pass"}, {"0": "hitman:R"}, {"0": None}, {"0": ["add"]}, {"00": "add"},
     {"-1": "add"}, {0: "add"}, {"4": "add"}, {"0": "Add"}, {None: "add"}],
)  # fmt: skip
def test_a_choice_that_is_none_is_named(chosen: Any) -> None:
    with pytest.raises(Malformed, match="chosen"):
        stand(DECIDING | {"chosen": chosen})


@pytest.mark.parametrize(
    ("seats", "form", "phase"),
    [(3, "short", phase) for phase in ("decide", "pick-many", "look", "give", "choose")]
    + [(2, "two", phase) for phase in ("decide", "pick-many")]
    + [(4, "standard", phase) for phase in ("look", "give", "choose")],
)
def test_a_phase_of_another_form_is_named(seats: int, form: str, phase: str) -> None:
    with pytest.raises(Malformed, match="phase"):
        stand(start_of(seats, form) | {"phase": phase})


@pytest.mark.parametrize("seat", [0, 3])
@pytest.mark.parametrize("phase", ["decide", "pick"])
def test_nobody_has_the_turn_where_all_act_together(phase: str, seat: int) -> None:
    with pytest.raises(Malformed, match="turn"):
        stand(DECIDING | {"phase": phase, "turn": seat})


def test_nobody_has_the_turn_when_it_is_over() -> None:
    with pytest.raises(Malformed, match="turn"):
        stand(FOUR | {"phase": "over"})


@pytest.mark.parametrize("phase", ["turn", "discard", "end-war", "pick-many"])
def test_somebody_has_the_turn_where_one_acts(phase: str) -> None:
    with pytest.raises(Malformed, match="turn"):
        stand(standing(["R3 B3", "R4 B4", "R5 B5"], phase=phase, turn=None))


@pytest.mark.parametrize(
    ("phase", "hand"), [("turn", ""), ("discard", ""), ("discard", "R3"), ("discard", "RH")]
)
def test_whose_turn_it_is_holds_what_the_question_needs(phase: str, hand: str) -> None:
    laid = {"r4": cards("R7 R8 R9 R10")}
    truth = standing([hand, "R4", "B5"], phase=phase, board=laid, declared=7, last=0)
    with pytest.raises(Malformed, match=r"turn|hands"):
        stand(truth)


# Cards -------------------------------------------------------------------------------------------


@ruling("RT 1.1")
@pytest.mark.parametrize("key", ["aside", "discard"])
@pytest.mark.parametrize("card", ["R3", "B8", "R10"])
def test_a_card_too_many_is_named(card: str, key: str) -> None:
    with pytest.raises(Malformed, match=card):
        stand(FOUR | {key: [*FOUR[key], card]})


@ruling("RT 1.1")
@pytest.mark.parametrize("place", [0, 7, -1])
def test_a_card_that_is_missing_is_named(place: int) -> None:
    left = list(FOUR["discard"])
    card = left.pop(place)
    with pytest.raises(Malformed, match=card):
        stand(FOUR | {"discard": left})


@ruling("RT 1.1")
@pytest.mark.parametrize("seats", [2, 3, 5])
def test_every_place_counts(seats: int) -> None:
    """A missing card is found wherever it was, and so is a card that is there twice."""
    form = "two" if seats == 2 else "standard"
    for match in positions(seats, form):
        truth = json.loads(json.dumps(look(match)))
        sets = [each for pair in truth["sets"] or [] for each in pair[:2]]
        places = [*truth["hands"], *sets, *(truth["waiting"] or []), truth["aside"]]
        places += [truth["discard"], *truth["board"].values()]
        for place in places:
            if place and place[0][1] != "H":
                card = place.pop(0)
                with pytest.raises(Malformed):
                    stand(truth)
                place.insert(0, card)
                place.insert(0, card)
                with pytest.raises(Malformed):
                    stand(truth)
                place.pop(0)
        assert stand(truth).truth() == truth
        if truth["round"] > 1 or match.over:
            return


@ruling("RT 1.2")
def test_elevens_are_for_five_players() -> None:
    five = standing(["R11 B11", "R4", "B5", "R6", "B7"])
    assert stand(five).truth() == five
    assert "R11" in look(stand(five))["hands"][0]
    with pytest.raises(Malformed, match=r"discard|R11"):
        stand(FOUR | {"discard": [*FOUR["discard"], "R11"]})


@ruling("RT 1.3")
@pytest.mark.parametrize(
    ("seats", "form", "most"),
    [(3, "standard", 6), (5, "standard", 10), (3, "short", 3), (5, "short", 5), (2, "two", 2)],
)
@pytest.mark.parametrize("hitman", ["RH", "BH"])
def test_there_are_so_many_hitmen_of_each_colour(
    seats: int, form: str, most: int, hitman: str
) -> None:
    hands = ["R3 B3", "R4 B4", "R5 B5", "R6 B6", "R7 B7"][:seats]
    bare = standing(hands, form, supply=[""] * seats)
    for count in (most, most + 1):
        held = [in_order([*bare["hands"][0], *[hitman] * count]), *bare["hands"][1:]]
        if count == most:
            assert stand(bare | {"hands": held}).truth() == bare | {"hands": held}
        else:
            with pytest.raises(Malformed, match=r"[Hh]itm|supply|hands|RH|BH"):
                stand(bare | {"hands": held})


@ruling("RT 1.3")
@pytest.mark.parametrize(
    ("seats", "form", "supply"),
    [(3, "short", "RR"), (3, "short", "RRBB"), (2, "two", "RRBB"), (3, "standard", "RRRB")],
)
def test_a_supply_is_one_set(seats: int, form: str, supply: str) -> None:
    with pytest.raises(Malformed, match="supply"):
        stand(start_of(seats, form) | {"supply": [supply] * seats})


# The two-player form -----------------------------------------------------------------------------


@ruling("RT 7.1")
def test_sets_lie_there_before_the_hands_are_chosen() -> None:
    truth = start_of(2, "two")
    sizes = [[len(pair[0]), len(pair[1]), pair[2]] for pair in truth["sets"]]
    assert sizes == [[13, 13, None]] * 2
    assert (truth["phase"], truth["hands"], truth["waiting"]) == ("look", [[], []], None)
    assert truth["supply"] == ["RB", "RB"]


@pytest.mark.parametrize(
    "sets",
    [
        None,
        [],
        SETS[:1],
        [*SETS, SETS[0]],
        [SETS[0], SETS[1][:2]],
        [SETS[0], [*SETS[1], None]],
        [SETS[0], [*SETS[1][:2], 3]],
        [SETS[0], [*SETS[1][:2], 0]],
        [SETS[0], [*SETS[1][:2], "1"]],
        [SETS[0], [*SETS[1][:2], True]],
        [SETS[0], [["R2"], *SETS[1][1:]]],
        [SETS[0], ["R3", *SETS[1][1:]]],
        [SETS[0], None],
        {"0": SETS[0], "1": SETS[1]},
    ],
)
def test_what_is_wrong_with_sets_is_named(sets: Any) -> None:
    with pytest.raises(Malformed, match="sets"):
        stand(TWO | {"sets": sets})


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"waiting": None}, "waiting"),
        ({"waiting": [[]]}, "waiting"),
        ({"waiting": [[], [], []]}, "waiting"),
        ({"waiting": [[], ["R2"]]}, "waiting"),
        ({"waiting": [[], "R3"]}, "waiting"),
        ({"sets": [[[], [], None], [[], [], None]]}, "sets"),
        ({"bosses": None}, "bosses"),
        ({"bosses": [2, 2, 2]}, "bosses"),
    ],
)
def test_what_is_wrong_in_a_turf_war_of_two_is_named(changes: dict[str, Any], key: str) -> None:
    with pytest.raises(Malformed, match=rf"\b{key}\b"):
        stand(standing(["R3 B3", "R4 B4"]) | changes)


def test_nothing_waits_and_no_hand_is_held_while_sets_lie_there() -> None:
    with pytest.raises(Malformed, match="waiting"):
        stand(TWO | {"waiting": [[], []]})
    held = [[SETS[0][0], SETS[1][0]], [[[], SETS[0][1], None], [[], SETS[1][1], None]]]
    with pytest.raises(Malformed, match=r"hands|sets"):
        stand(TWO | {"hands": held[0], "sets": held[1]})


@ruling("RT 6.2")
def test_the_short_form_has_no_bosses() -> None:
    with pytest.raises(Malformed, match="bosses"):
        stand(SHORT | {"bosses": [2, 2, 2]})


# Form, seats and options -------------------------------------------------------------------------


@ruling("RT 1.2")
@each_form
def test_the_form_is_the_one_of_the_truth(seats: int, form: str) -> None:
    truth = start_of(seats, form)
    assert zashiki.scenario(GAME, truth).truth() == truth
    assert zashiki.scenario(GAME, truth, {"form": form}).truth() == truth
    assert zashiki.scenario(GAME, truth, {"hitmen": "hidden"}).truth() == truth


@ruling("RT 1.2")
@each_form
def test_options_that_contradict_the_truth_are_malformed(seats: int, form: str) -> None:
    for other in {"standard", "short", "two"} - {form}:
        with pytest.raises(Malformed, match="form"):
            zashiki.scenario(GAME, start_of(seats, form), {"form": other})


@ruling("RT 1.2")
@each_form
def test_a_form_that_does_not_fit_the_seats_is_malformed(seats: int, form: str) -> None:
    misfits = {"standard", "short"} if seats == 2 else {"two"}
    for other in misfits:
        with pytest.raises(Malformed, match="form"):
            zashiki.scenario(GAME, start_of(seats, form) | {"form": other})


@pytest.mark.parametrize(
    ("options", "key"),
    [
        ({"hitmen": "shut"}, "hitmen"),
        ({"hitmen": True}, "hitmen"),
        ({"form": "long"}, "form"),
        ({"form": None}, "form"),
        ({"bosses": 3}, "bosses"),
        ([], "options"),
    ],
)
def test_options_that_are_none_are_malformed(options: Any, key: str) -> None:
    with pytest.raises(Malformed, match=rf"\b{key}\b"):
        zashiki.scenario(GAME, FOUR, options)


@pytest.mark.parametrize("junk", [None, 7, -1, True, "x", [], [[]], [None], {}, {"x": 1}, 10**30])
@pytest.mark.parametrize("key", list(FOUR))
def test_junk_is_malformed_and_nothing_else_goes_wrong(key: str, junk: Any) -> None:
    for base in (FOUR, DECIDING, TWO):
        fault = fault_in(base | {key: junk})
        assert fault == "" or any(name in fault for name in (*FOUR, *deck(4)))
