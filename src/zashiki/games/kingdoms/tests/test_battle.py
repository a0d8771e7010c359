"""Battles: the decisions, the totals, the card that stays, and the discards."""

from typing import Any

import pytest

import zashiki
from zashiki.games.kingdoms.tests.tables import (
    EVERY_CARD,
    all_cards,
    asked,
    battle,
    deploy,
    fought,
    hand,
    look,
    on,
    plays,
    refusal,
    thrown,
    told,
    totals,
)

ruling = pytest.mark.ruling
refuses = pytest.mark.refuses

SWORDS = {
    "soldier": 2,
    "lancer": 3,
    "shieldman": 1,
    "liaison": 1,
    "rearguard": 1,
    "capital-guard": 1,
    "city-guard": 1,
    "archer": 1,
    "priest": 0,
    "knight": 4,
    "cavalry": 5,
    "heavy-guard": 2,
    "capital-guardian": 2,
    "city-guardian": 2,
    "bird-soldier": 4,
    "bishop": 0,
    "prince": 4,
    "princess": 3,
}
SHIELDS = {
    "soldier": 2,
    "lancer": 1,
    "shieldman": 3,
    "liaison": 1,
    "rearguard": 2,
    "capital-guard": 2,
    "city-guard": 2,
    "archer": 1,
    "priest": 2,
    "knight": 3,
    "cavalry": 2,
    "heavy-guard": 5,
    "capital-guardian": 3,
    "city-guardian": 3,
    "bird-soldier": 2,
    "bishop": 4,
    "prince": 3,
    "princess": 3,
}
OFFSETS = {"red-capital": 2, "red-city": 1, "border": 0, "blue-city": 1, "blue-capital": 2}
MONARCHS_IN_HAND = ("prince", "princess")


# RB 3.1: an attack, and what the defender may add ------------------------------------------------


@ruling("RB 3.1")
def test_an_attack_asks_the_defender_and_nobody_else() -> None:
    match = plays(
        deploy(("knight lancer", "soldier"), {"border": "blue archer"}), "attack:border:knight"
    )
    assert asked(match) == ("defend", 1)
    assert match.to_act == {1}
    assert match.legal(0) == ()


@ruling("RB 3.1")
@refuses("Z 1")
def test_the_attacker_does_nothing_more_while_the_defender_thinks() -> None:
    match = battle("border", "knight", "blue archer", ("lancer", "soldier"))
    assert refusal(match, 0, "done") == "Z 1"
    assert refusal(match, 0, "attack:border:lancer") == "Z 1"


@ruling("RB 3.1")
def test_the_defender_may_add_any_card_of_the_hand_or_none() -> None:
    match = battle(
        "border", "knight", "blue archer", ("lancer", "soldier soldier cavalry princess")
    )
    assert match.legal(1) == (
        "defend:cavalry",
        "defend:none",
        "defend:princess",
        "defend:soldier",
    )


@ruling("RB 3.1")
def test_a_defender_with_an_empty_hand_is_asked_all_the_same() -> None:
    match = battle("border", "knight", "blue archer")
    assert match.legal(1) == ("defend:none",)


@ruling("RB 3.1")
@pytest.mark.parametrize(
    ("attackers", "backs"),
    [
        ("soldier", ["normal"]),
        ("knight", ["ace"]),
        ("archer knight", ["ace", "normal"]),
        ("knight soldier", ["ace", "normal"]),
        ("archer soldier", ["normal", "normal"]),
        ("bishop knight", ["ace", "ace"]),
        ("prince", ["normal"]),
        ("knight prince", ["ace", "normal"]),
    ],
)
def test_the_defender_sees_how_many_cards_attack_and_their_backs(
    attackers: str, backs: list[str]
) -> None:
    view: Any = battle("border", attackers, "blue soldier").view(1)
    assert view["battle"]["attackers"] == backs
    assert view["battle"]["revealed"] is False


@ruling("RB 3.1")
def test_attackers_leave_the_hand_and_the_holder_stays_where_it_is() -> None:
    match = deploy(("knight lancer archer", "soldier"), {"border": "blue priest"})
    plays(match, "attack:border:archer+knight")
    assert hand(match, 0) == ["lancer"]
    assert on(match, "border") == "blue priest"
    assert look(match)["battle"] == {
        "area": "border",
        "attackers": ["archer", "knight"],
        "defender": "priest",
        "added": None,
        "winner": None,
    }


@ruling("RB 3.1")
def test_the_added_card_leaves_the_hand_and_no_other_does() -> None:
    match = fought("border", "lancer", "blue soldier", "soldier", hands=("", "soldier knight"))
    assert hand(match, 1) == ["knight", "soldier"]
    assert look(match)["battle"]["added"] == "soldier"


# RB 3.2, RB 1.4: swords against shields ----------------------------------------------------------


@ruling("RB 3.2")
@ruling("RB 1.4")
@pytest.mark.parametrize("card", SWORDS)
def test_an_attacker_counts_its_sword(card: str) -> None:
    holder = "red" if card == "princess" else "blue"
    match = fought("border", card, f"{holder} liaison")
    assert totals(match) == (SWORDS[card], 1)


@ruling("RB 3.2")
@ruling("RB 1.4")
@pytest.mark.parametrize("card", SHIELDS)
def test_the_holder_of_an_area_counts_its_shield(card: str) -> None:
    holder = "red" if card == "prince" else "blue"
    match = fought("border", "soldier", f"{holder} {card}")
    assert totals(match) == (2, SHIELDS[card])


@ruling("RB 3.2")
@pytest.mark.parametrize("card", sorted(set(SHIELDS) - {"priest", "bishop", "prince"}))
def test_an_added_card_counts_its_shield_too(card: str) -> None:
    match = fought("border", "soldier", "blue lancer", card)
    assert totals(match) == (2, 1 + SHIELDS[card])


@ruling("RB 3.2")
@pytest.mark.parametrize(
    ("attackers", "attack"),
    [
        ("lancer soldier", 5),
        ("soldier soldier", 4),
        ("cavalry knight", 9),
        ("cavalry cavalry", 10),
        ("archer shieldman", 2),
        ("knight prince", 8),
    ],
)
def test_two_attackers_add_their_swords(attackers: str, attack: int) -> None:
    match = fought("border", attackers, "blue shieldman", "knight")
    assert totals(match) == (attack, 6)


@ruling("RB 3.2")
def test_cards_that_stay_in_the_hands_do_not_count() -> None:
    match = fought(
        "border", "soldier", "blue soldier", hands=("cavalry knight", "heavy-guard bishop")
    )
    assert totals(match) == (2, 2)


@ruling("RB 3.2")
def test_cards_on_other_areas_do_not_count() -> None:
    around = {"red-city": "red cavalry", "blue-city": "blue heavy-guard"}
    assert totals(fought("border", "soldier", "blue soldier", areas=around)) == (2, 2)


@ruling("RB 3.2")
def test_all_cards_are_revealed_at_once() -> None:
    match = fought("border", "knight archer", "blue soldier", "shieldman")
    assert told(match, "revealed", "all") == [
        {
            "seat": 0,
            "area": "border",
            "attackers": ["archer", "knight"],
            "defender": "soldier",
            "added": "shieldman",
        }
    ]


@ruling("RB 3.2")
def test_nothing_added_is_revealed_as_nothing() -> None:
    match = fought("border", "knight", "blue soldier")
    (revealed,) = told(match, "revealed", "all")
    assert revealed["added"] is None


# RB 3.3: the offset of the area ------------------------------------------------------------------


@ruling("RB 3.3")
@ruling("RB 1.2")
@pytest.mark.parametrize("side", ["red", "blue"])
@pytest.mark.parametrize("area", OFFSETS)
def test_the_offset_counts_for_the_defender_of_either_kingdom(area: str, side: str) -> None:
    match = fought(area, "knight", f"{side} soldier", hands=MONARCHS_IN_HAND)
    assert totals(match) == (4, 2 + OFFSETS[area])


@ruling("RB 3.3")
def test_the_offset_counts_once_however_many_cards_defend() -> None:
    match = fought("blue-capital", "knight", "blue soldier", "soldier", hands=MONARCHS_IN_HAND)
    assert totals(match) == (4, 2 + 2 + 2)


@ruling("RB 3.3")
def test_the_offset_decides_a_battle_that_would_be_a_tie() -> None:
    match = fought("blue-city", "soldier", "blue soldier")
    assert totals(match) == (2, 3)
    assert on(match, "blue-city") == "blue soldier"
    assert thrown(match) == ["soldier"]


@ruling("RB 3.3")
def test_the_offset_makes_a_tie_of_a_battle_that_would_be_won() -> None:
    match = fought("blue-city", "lancer", "blue soldier")
    assert totals(match) == (3, 3)
    assert on(match, "blue-city") is None


# RB 3.4: the higher total wins -------------------------------------------------------------------


@ruling("RB 3.4")
def test_a_single_attacker_that_wins_stays_without_a_question() -> None:
    match = fought("border", "lancer", "blue soldier", hands=("archer", "priest"))
    assert on(match, "border") == "red lancer"
    assert thrown(match) == ["soldier"]
    assert asked(match) == ("deploy", 0)
    assert look(match)["battle"] is None


@ruling("RB 3.4")
def test_a_holder_that_wins_alone_stays_without_a_question() -> None:
    match = fought("border", "shieldman", "blue soldier", hands=("archer", "priest"))
    assert on(match, "border") == "blue soldier"
    assert thrown(match) == ["shieldman"]
    assert asked(match) == ("deploy", 0)
    assert look(match)["battle"] is None


@ruling("RB 3.4")
def test_a_total_higher_by_one_is_enough() -> None:
    assert told(fought("border", "lancer", "blue soldier"), "battle_won") == [
        {"seat": 0, "area": "border"}
    ]
    assert told(fought("border", "liaison", "blue soldier"), "battle_won") == [
        {"seat": 1, "area": "border"}
    ]


@ruling("RB 3.4")
def test_an_attacker_that_wins_with_two_cards_says_which_stays() -> None:
    match = fought("border", "knight lancer", "blue soldier")
    assert asked(match) == ("leave", 0)
    assert match.to_act == {0}
    assert match.legal(0) == ("leave:knight", "leave:lancer")
    assert match.legal(1) == ()


@ruling("RB 3.4")
@pytest.mark.parametrize(
    ("left", "normal", "ace"),
    [("knight", ["soldier", "lancer"], []), ("lancer", ["soldier"], ["knight"])],
)
def test_of_two_attackers_one_stays_and_the_other_is_discarded(
    left: str, normal: list[str], ace: list[str]
) -> None:
    match = plays(fought("border", "knight lancer", "blue soldier"), f"leave:{left}")
    assert on(match, "border") == f"red {left}"
    assert (thrown(match), thrown(match, "ace")) == (normal, ace)
    assert asked(match) == ("deploy", 0)
    assert look(match)["battle"] is None


@ruling("RB 3.4")
def test_a_defender_that_wins_with_two_cards_is_asked_in_the_turn_of_the_other() -> None:
    match = fought("border", "lancer", "blue soldier", "shieldman", hands=("archer", ""))
    assert asked(match) == ("leave", 1)
    assert match.legal(1) == ("leave:shieldman", "leave:soldier")
    assert match.legal(0) == ()
    assert asked(plays(match, "leave:soldier")) == ("deploy", 0)


@ruling("RB 3.4")
@pytest.mark.parametrize(("left", "gone"), [("soldier", "shieldman"), ("shieldman", "soldier")])
def test_even_a_defence_won_costs_the_added_card_or_the_holder(left: str, gone: str) -> None:
    match = plays(fought("border", "lancer", "blue soldier", "shieldman"), f"leave:{left}")
    assert on(match, "border") == f"blue {left}"
    assert thrown(match) == ["lancer", gone]
    assert hand(match, 1) == []


@ruling("RB 3.4")
def test_blue_wins_an_area_of_red_in_the_same_way() -> None:
    match = fought("red-city", "cavalry lancer", "red soldier", "shieldman")
    assert totals(match) == (8, 2 + 3 + 1)
    assert asked(match) == ("leave", 1)
    plays(match, "leave:cavalry")
    assert on(match, "red-city") == "blue cavalry"
    assert asked(match) == ("deploy", 1)


@ruling("RB 3.4")
def test_two_equal_cards_are_asked_for_too() -> None:
    match = fought("border", "soldier soldier", "blue soldier")
    assert asked(match) == ("leave", 0)
    assert match.legal(0) == ("leave:soldier",)
    plays(match, "leave:soldier")
    assert on(match, "border") == "red soldier"
    assert thrown(match) == ["soldier", "soldier"]


@ruling("RB 3.4")
@refuses("RB 3.4")
def test_a_monarch_among_the_winning_attackers_must_stay() -> None:
    match = fought("border", "knight prince", "blue soldier")
    assert match.legal(0) == ("leave:prince",)
    assert refusal(match, 0, "leave:knight") == "RB 3.4"
    plays(match, "leave:prince")
    assert on(match, "border") == "red prince"
    assert thrown(match, "ace") == ["knight"]


@ruling("RB 3.4")
@refuses("RB 3.4")
@pytest.mark.parametrize(("holder", "added"), [("princess", "soldier"), ("soldier", "princess")])
def test_a_monarch_among_the_winning_defenders_must_stay(holder: str, added: str) -> None:
    match = fought("border", "lancer", f"blue {holder}", added)
    assert match.legal(1) == ("leave:princess",)
    assert refusal(match, 1, "leave:soldier") == "RB 3.4"
    plays(match, "leave:princess")
    assert on(match, "border") == "blue princess"
    assert thrown(match) == ["lancer", "soldier"]
    assert not match.over


@ruling("RB 3.4")
@refuses("RB 3.4")
@pytest.mark.parametrize("card", ["soldier", "archer", "priest"])
def test_what_stays_is_an_own_card_of_this_battle(card: str) -> None:
    """Cards of the loser, in the hand or from elsewhere are refused."""
    match = fought("border", "knight lancer", "blue soldier", hands=("archer", ""))
    assert refusal(match, 0, f"leave:{card}") == "RB 3.4"


@ruling("RB 3.4")
@refuses("Z 1")
def test_the_loser_has_no_say_in_what_stays() -> None:
    match = fought("border", "knight lancer", "blue soldier", hands=("", "archer"))
    assert refusal(match, 1, "leave:knight") == "Z 1"


@ruling("RB 3.4")
def test_nothing_moves_until_the_winner_has_said_what_stays() -> None:
    match = fought("border", "knight lancer", "blue soldier", "archer")
    assert look(match)["battle"] == {
        "area": "border",
        "attackers": ["knight", "lancer"],
        "defender": "soldier",
        "added": "archer",
        "winner": 0,
    }
    assert on(match, "border") == "blue soldier"
    assert (thrown(match), thrown(match, "ace")) == ([], [])


@ruling("RB 3.4")
def test_the_loser_discards_both_defenders() -> None:
    match = fought("border", "cavalry", "blue soldier", "liaison", hands=("", "archer"))
    assert on(match, "border") == "red cavalry"
    assert thrown(match) == ["soldier", "liaison"]
    assert hand(match, 1) == ["archer"]


@ruling("RB 3.4")
def test_the_loser_discards_both_attackers() -> None:
    match = fought("border", "lancer archer", "blue heavy-guard", hands=("soldier", ""))
    assert on(match, "border") == "blue heavy-guard"
    assert thrown(match) == ["archer", "lancer"]
    assert hand(match, 0) == ["soldier"]


@ruling("RB 3.4")
def test_beaten_attackers_are_discarded_before_a_card_of_the_defender() -> None:
    match = fought("border", "soldier lancer", "blue shieldman", "shieldman")
    assert totals(match) == (5, 6)
    assert thrown(plays(match, "leave:shieldman")) == ["lancer", "soldier", "shieldman"]


@ruling("RB 3.4")
def test_beaten_defenders_are_discarded_before_a_card_of_the_attacker() -> None:
    """The garrison comes first, then the reinforcement, then the winner's other cards."""
    match = fought("border", "soldier lancer", "blue shieldman", "archer")
    assert totals(match) == (5, 4)
    assert thrown(plays(match, "leave:soldier")) == ["shieldman", "archer", "lancer"]


@ruling("RB 3.4")
def test_discards_lie_on_those_of_earlier_battles() -> None:
    match = fought("border", "cavalry", "blue soldier", discards="shieldman liaison")
    assert thrown(match) == ["shieldman", "liaison", "soldier"]


@ruling("RB 3.4")
def test_what_was_done_is_told_to_all() -> None:
    match = plays(fought("border", "knight lancer", "blue soldier", "archer"), "leave:knight")
    assert told(match, "leave_asked", "all") == [{"seat": 0}]
    assert told(match, "discarded", "all") == [
        {"seat": 1, "cards": ["soldier", "archer"]},
        {"seat": 0, "cards": ["lancer"]},
    ]
    assert told(match, "took_hold", "all")[-1] == {"seat": 0, "area": "border", "card": "knight"}
    assert told(match, "battle_ended", "all") == [{"area": "border"}]


# RB 3.5: equal totals ----------------------------------------------------------------------------


@ruling("RB 3.5")
def test_a_tie_empties_the_area_and_discards_all() -> None:
    match = fought("border", "soldier", "blue soldier", hands=("archer", "priest"))
    assert on(match, "border") is None
    assert thrown(match) == ["soldier", "soldier"]
    assert (hand(match, 0), hand(match, 1)) == (["archer"], ["priest"])
    assert told(match, "battle_tied") == [{"area": "border"}]
    assert told(match, "battle_won") == []


@ruling("RB 3.5")
def test_a_tie_of_four_cards_discards_attackers_then_holder_then_added() -> None:
    match = fought("border", "liaison lancer", "blue shieldman", "archer")
    assert totals(match) == (4, 4)
    assert on(match, "border") is None
    assert thrown(match) == ["lancer", "liaison", "shieldman", "archer"]


@ruling("RB 3.5")
def test_a_tie_discards_each_card_by_its_back() -> None:
    match = fought("border", "knight liaison", "blue soldier", "knight")
    assert totals(match) == (5, 5)
    assert thrown(match) == ["liaison", "soldier"]
    assert thrown(match, "ace") == ["knight", "knight"]


@ruling("RB 3.5")
def test_nobody_is_asked_after_a_tie_and_the_attacker_goes_on() -> None:
    match = fought("border", "liaison lancer", "blue shieldman", "archer", hands=("soldier", ""))
    assert asked(match) == ("deploy", 0)
    assert match.legal(0) == (
        "attack:blue-capital:soldier",
        "done",
        "occupy:blue-city:soldier",
        "occupy:border:soldier",
        "occupy:red-city:soldier",
    )
    assert on(plays(match, "occupy:border:soldier"), "border") == "red soldier"


# All of RB 3 -------------------------------------------------------------------------------------


@ruling("RB 3.2")
@ruling("RB 3.3")
@pytest.mark.parametrize(
    ("first", "added", "expected"),
    [
        ("knight", None, (6, 5)),
        ("knight", "liaison", (6, 6)),
        ("knight", "shieldman", (6, 8)),
        ("bird-soldier", None, (6, 4)),
        ("bird-soldier", "liaison", (6, 5)),
        ("bird-soldier", "shieldman", (6, 7)),
    ],
)
def test_the_example_of_the_rules(first: str, added: str | None, expected: tuple[int, int]) -> None:
    areas = {"border": "red archer"}
    match = fought("blue-city", f"{first} priest", "blue city-guard", added, areas=areas)
    assert totals(match) == expected
    assert on(match, "border") == "red archer"
    attack, defence = expected
    winner = [] if attack == defence else [int(attack < defence)]
    assert [won["seat"] for won in told(match, "battle_won")] == winner


@ruling("RB 3.4")
@ruling("RB 3.5")
@pytest.mark.parametrize("attackers", ["archer", "knight", "knight soldier"])
@pytest.mark.parametrize("added", [None, "liaison", "soldier", "heavy-guard"])
def test_no_card_is_lost_or_made_in_a_battle(attackers: str, added: str | None) -> None:
    match = fought("blue-city", attackers, "blue shieldman", added)
    while look(match)["phase"] == "leave":
        (seat,) = match.to_act
        match.play(seat, match.legal(seat)[0])
    assert all_cards(look(match)) == EVERY_CARD


@ruling("RB 3.4")
def test_a_scene_with_a_choice_of_what_stays_goes_on_as_a_played_one() -> None:
    match = fought("border", "knight lancer", "blue soldier", "archer")
    scene = zashiki.scenario("kingdoms", match.truth())
    assert scene.legal(0) == ("leave:knight", "leave:lancer")
    assert look(plays(scene, "leave:lancer")) == look(plays(match, "leave:lancer"))
