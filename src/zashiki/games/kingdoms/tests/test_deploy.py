"""Deployment (RB 2.4 to RB 2.6), and the skill that is an action, the Liaison's (RB 5.1)."""

from typing import Any

import pytest

from zashiki import Match
from zashiki.games.kingdoms.tests.tables import (
    AREAS,
    deploy,
    draft,
    hand,
    look,
    on,
    plays,
    refusal,
    told,
)

ruling = pytest.mark.ruling
refuses = pytest.mark.refuses


def swaps(match: Match, seat: int = 0) -> list[str]:
    return [action for action in match.legal(seat) if action.startswith("swap")]


# RB 2.4 Actions in any number and order ----------------------------------------------------------


@ruling("RB 2.4")
@ruling("RB 2.4a")
@ruling("RB 2.4b")
@ruling("RB 2.6")
def test_all_that_can_be_done_is_offered() -> None:
    match = deploy(("archer knight", "soldier"), {"border": "blue lancer"})
    assert match.legal(0) == (
        "attack:blue-capital:archer",
        "attack:blue-capital:archer+knight",
        "attack:blue-capital:knight",
        "attack:border:archer",
        "attack:border:archer+knight",
        "attack:border:knight",
        "done",
        "occupy:blue-city:archer",
        "occupy:blue-city:knight",
        "occupy:red-city:archer",
        "occupy:red-city:knight",
    )
    assert match.legal(1) == ()


@ruling("RB 2.4")
def test_a_turn_may_be_ended_at_once() -> None:
    match = deploy(("archer knight", ""))
    before = look(match)
    plays(match, "done")
    assert look(match) == before | {"phase": "draft", "turn": 1, "number": 8, "still": 1}


@ruling("RB 2.4")
def test_with_an_empty_hand_only_the_end_is_left() -> None:
    assert deploy().legal(0) == ("done",)


@ruling("RB 2.4")
def test_actions_follow_each_other_in_any_order_until_the_end_is_said() -> None:
    hands = ("soldier knight lancer liaison", "")
    match = deploy(hands, {"blue-city": "blue archer"})
    plays(match, "occupy:red-city:soldier", "attack:blue-city:knight", "defend:none")
    assert (look(match)["phase"], look(match)["turn"]) == ("deploy", 0)
    plays(match, "swap:red-city:liaison", "occupy:border:lancer")
    assert hand(match, 0) == ["soldier"]
    assert [on(match, area) for area in AREAS[1:4]] == ["red liaison", "red lancer", "red knight"]
    plays(match, "done")
    assert (look(match)["phase"], look(match)["turn"]) == ("draft", 1)
    assert (look(match)["still"], look(match)["placed"]) == (0, False)


@ruling("RB 2.4")
def test_the_end_of_a_turn_is_told() -> None:
    match = plays(deploy(), "done")
    assert told(match, "turn_ended") == [{"seat": 0}]
    assert told(match, "turn_began") == [{"seat": 1, "number": 8}]


@ruling("RB 2.4")
def test_cards_just_drafted_may_be_placed() -> None:
    match = plays(draft(top="lancer"), "draft:N1", "occupy:border:lancer")
    assert on(match, "border") == "red lancer"


# RB 2.4a Occupy ----------------------------------------------------------------------------------


@ruling("RB 2.4a")
@pytest.mark.parametrize("area", ["red-city", "border", "blue-city"])
def test_an_empty_area_is_occupied_with_one_card_face_up(area: str) -> None:
    match = plays(deploy(("soldier knight", "")), f"occupy:{area}:knight")
    truth = look(match)
    assert on(match, area) == "red knight"
    assert truth["hands"] == [["soldier"], []]
    assert (truth["phase"], truth["turn"], truth["placed"]) == ("deploy", 0, True)
    shown: Any = match.view(1)
    assert shown["areas"][area] == {"seat": 0, "card": "knight"}
    assert told(match, "occupied", "all") == [{"seat": 0, "area": area, "card": "knight"}]


@ruling("RB 2.4a")
def test_only_empty_areas_are_offered_to_occupy() -> None:
    match = deploy(("soldier", ""), {"border": "blue lancer", "red-city": "red lancer"})
    offered = [action for action in match.legal(0) if action.startswith("occupy")]
    assert offered == ["occupy:blue-city:soldier"]


@ruling("RB 2.4a")
def test_an_empty_capital_may_be_occupied_too() -> None:
    match = deploy(("soldier", "princess"))
    plays(match, "occupy:blue-capital:soldier")
    assert on(match, "blue-capital") == "red soldier"


# RB 2.4b Attack ----------------------------------------------------------------------------------


@ruling("RB 2.4b")
@pytest.mark.parametrize("typed", ["knight+priest", "priest+knight"])
def test_attackers_lie_face_down_in_the_battle_and_nowhere_else(typed: str) -> None:
    hands = ("knight priest soldier", "lancer")
    match = deploy(hands, {"blue-city": "blue archer"})
    facts = match.play(0, f"attack:blue-city:{typed}")
    assert {fact.action for fact in facts} == {"attack:blue-city:knight+priest"}
    truth = look(match)
    assert truth["battle"] == {
        "area": "blue-city",
        "attackers": ["knight", "priest"],
        "defender": "archer",
        "added": None,
        "winner": None,
    }
    assert truth["hands"] == [["soldier"], ["lancer"]]
    assert (truth["phase"], truth["turn"], truth["placed"]) == ("defend", 1, True)
    assert on(match, "blue-city") == "blue archer"
    attacked = {"seat": 0, "area": "blue-city", "normal": 1, "ace": 1}
    assert told(match, "attacked", "all") == [attacked]


@ruling("RB 2.4b")
def test_one_card_may_attack_alone() -> None:
    match = plays(deploy(("knight priest", "")), "attack:blue-capital:priest")
    assert look(match)["battle"]["attackers"] == ["priest"]
    assert told(match, "attacked") == [{"seat": 0, "area": "blue-capital", "normal": 1, "ace": 0}]


@ruling("RB 2.4b")
def test_two_cards_alike_attack_together_only_if_both_are_held() -> None:
    pair = "attack:blue-capital:soldier+soldier"
    assert pair in deploy(("soldier soldier", "")).legal(0)
    assert pair not in deploy(("soldier lancer", "")).legal(0)
    match = plays(deploy(("soldier soldier lancer", "")), pair)
    assert look(match)["battle"]["attackers"] == ["soldier", "soldier"]
    assert hand(match, 0) == ["lancer"]


@ruling("RB 2.4b")
def test_blue_attacks_as_red_does() -> None:
    match = plays(deploy(("", "lancer"), turn=1), "attack:red-capital:lancer")
    assert (look(match)["phase"], look(match)["turn"]) == ("defend", 0)
    assert look(match)["battle"]["defender"] == "prince"


# RB 2.5 and RB 2.6 Where -------------------------------------------------------------------------


@ruling("RB 2.5")
def test_nothing_is_offered_on_an_area_of_ones_own() -> None:
    match = deploy(("soldier knight", ""), {"border": "red archer"})
    assert not [action for action in match.legal(0) if ":border:" in action]
    assert not [action for action in match.legal(0) if ":red-capital:" in action]


@ruling("RB 2.6")
def test_any_area_may_be_reached_from_anywhere() -> None:
    match = deploy(("soldier", "princess"), {"blue-capital": "blue archer"})
    assert "attack:blue-capital:soldier" in match.legal(0)
    assert "occupy:blue-city:soldier" in match.legal(0)
    nowhere = deploy(("prince soldier", ""))
    assert "attack:blue-capital:soldier" in nowhere.legal(0)


@ruling("RB 2.6")
def test_an_area_may_be_fought_over_again_in_one_turn() -> None:
    """Shieldman and offset make 4: a Soldier's 2 is not enough, with a Knight it is 6."""
    hands = ("soldier soldier knight", "")
    match = deploy(hands, {"blue-city": "blue shieldman"})
    plays(match, "attack:blue-city:soldier", "defend:none")
    assert on(match, "blue-city") == "blue shieldman"
    plays(match, "attack:blue-city:soldier+knight", "defend:none", "leave:knight")
    assert on(match, "blue-city") == "red knight"
    assert look(match)["turn"] == 0


@ruling("RB 2.6")
def test_an_area_emptied_by_a_tie_may_be_occupied_in_the_same_turn() -> None:
    """Soldier and offset make 3, and so does a Lancer's sword."""
    match = deploy(("lancer archer", ""), {"blue-city": "blue soldier"})
    plays(match, "attack:blue-city:lancer", "defend:none")
    assert on(match, "blue-city") is None
    plays(match, "occupy:blue-city:archer")
    assert on(match, "blue-city") == "red archer"


# RB 5.1 Liaison ----------------------------------------------------------------------------------


@ruling("RB 2.4c")
@ruling("RB 5.1")
def test_a_liaison_takes_the_place_of_a_card_which_returns_to_the_hand() -> None:
    match = deploy(("liaison soldier", "lancer"), {"border": "red knight"})
    before = look(match)
    plays(match, "swap:border:liaison")
    areas = before["areas"] | {"border": {"seat": 0, "card": "liaison"}}
    hands = [["knight", "soldier"], ["lancer"]]
    assert look(match) == before | {"areas": areas, "hands": hands, "placed": True}
    swapped = {"seat": 0, "area": "border", "card": "liaison", "taken": "knight"}
    assert told(match, "swapped", "all") == [swapped]


@ruling("RB 2.4c")
@ruling("RB 5.1")
def test_a_liaison_works_on_every_area_held_and_on_no_other() -> None:
    areas = {"border": "red knight", "blue-city": "red soldier", "red-city": "blue soldier"}
    match = deploy(("liaison lancer", ""), areas)
    assert swaps(match) == [
        "swap:blue-city:liaison",
        "swap:border:liaison",
        "swap:red-capital:liaison",
    ]


@ruling("RB 5.1")
@refuses("RB 5.1")
@pytest.mark.parametrize("area", ["blue-capital", "red-city", "border"])
def test_a_liaison_does_not_work_on_an_area_of_the_other_or_of_nobody(area: str) -> None:
    match = deploy(("liaison", ""), {"red-city": "blue soldier"})
    assert refusal(match, 0, f"swap:{area}:liaison") == "RB 5.1"


@ruling("RB 5.1")
def test_a_liaison_returns_the_card_of_its_own_area_only() -> None:
    areas = {"border": "red knight", "red-city": "red archer", "blue-city": "blue soldier"}
    match = plays(deploy(("liaison", ""), areas), "swap:red-city:liaison")
    assert hand(match, 0) == ["archer"]
    assert on(match, "red-city") == "red liaison"
    assert [on(match, area) for area in ("red-capital", "border", "blue-city", "blue-capital")] == [
        "red prince",
        "red knight",
        "blue soldier",
        "blue princess",
    ]


@ruling("RB 5.1")
@refuses("RB 5.1")
def test_a_liaison_is_not_swapped_for_another() -> None:
    match = deploy(("liaison liaison", ""), {"border": "red liaison"})
    assert swaps(match) == ["swap:red-capital:liaison"]
    assert refusal(match, 0, "swap:border:liaison") == "RB 5.1"


@ruling("RB 5.1")
def test_the_card_taken_back_may_be_used_at_once() -> None:
    match = deploy(("liaison", ""), {"border": "red knight", "blue-city": "blue soldier"})
    plays(match, "swap:border:liaison", "attack:blue-city:knight", "defend:none")
    assert on(match, "blue-city") == "red knight"
    assert on(match, "border") == "red liaison"


@ruling("RB 5.1")
def test_several_liaisons_may_be_swapped_in_in_one_turn() -> None:
    areas = {"border": "red knight", "red-city": "red archer"}
    match = plays(
        deploy(("liaison liaison", ""), areas), "swap:border:liaison", "swap:red-city:liaison"
    )
    assert hand(match, 0) == ["archer", "knight"]
    assert swaps(match) == []


@ruling("RB 5.1")
@ruling("RB 2.2")
def test_a_swap_keeps_a_full_hand_at_five() -> None:
    match = deploy(("liaison soldier soldier lancer lancer", ""), {"border": "red knight"})
    plays(match, "swap:border:liaison")
    assert hand(match, 0) == ["knight", "lancer", "lancer", "soldier", "soldier"]


@ruling("RB 5.1")
@ruling("RB 2.5")
def test_no_other_card_is_swapped_in() -> None:
    match = deploy(("soldier rearguard knight priest", ""), {"border": "red archer"})
    assert swaps(match) == []


@ruling("RB 5.1")
def test_a_liaison_may_occupy_and_attack_like_any_card() -> None:
    match = deploy(("liaison", ""))
    assert {"occupy:border:liaison", "attack:blue-capital:liaison"} <= set(match.legal(0))


@ruling("RB 5.1")
def test_a_liaison_is_swapped_in_on_the_own_turn_only() -> None:
    match = deploy(("", "liaison lancer"), {"border": "red knight"})
    assert match.legal(1) == ()
    plays(match, "done", "draft:0")
    assert swaps(match, 1) == ["swap:blue-capital:liaison"]


@ruling("RB 5.1")
@ruling("RB 4.4")
def test_a_monarch_taken_back_by_a_liaison_may_attack() -> None:
    """The Prince's sword, 4, against a Soldier's shield and the offset of a city, 3."""
    match = deploy(("liaison", ""), {"blue-city": "blue soldier"})
    plays(match, "swap:red-capital:liaison")
    assert hand(match, 0) == ["prince"]
    plays(match, "attack:blue-city:prince", "defend:none")
    assert on(match, "blue-city") == "red prince"
    assert not match.over


@ruling("RB 5.2")
@ruling("RB 4.4")
def test_a_monarch_taken_back_by_a_rearguard_may_attack() -> None:
    """Cavalry and Knight, 9, against Rearguard, Princess and the offset of a city, 6."""
    hands = ("cavalry knight", "princess")
    match = deploy(hands, {"blue-city": "blue rearguard"})
    plays(match, "attack:blue-city:cavalry+knight", "defend:princess", "leave:knight")
    assert hand(match, 1) == ["princess"]
    plays(match, "done", "draft:0", "attack:blue-city:princess")
    assert look(match)["battle"]["attackers"] == ["princess"]


@ruling("RB 2.4b")
@ruling("RB 3.4")
def test_an_attack_that_is_lost_costs_the_attackers_and_nothing_else() -> None:
    """A Soldier's 2 against a Shieldman's 3."""
    match = deploy(("soldier lancer", "knight"), {"border": "blue shieldman"})
    before = look(match)
    plays(match, "attack:border:soldier", "defend:none")
    discards = {"normal": ["soldier"], "ace": []}
    hands = [["lancer"], ["knight"]]
    assert look(match) == before | {"discards": discards, "hands": hands, "placed": True}
