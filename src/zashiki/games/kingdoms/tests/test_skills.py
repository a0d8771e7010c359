"""Skills in battle, just inside and outside their conditions: card, area and partner."""

import pytest

from zashiki.games.kingdoms.tests.tables import (
    AREAS,
    asked,
    battle,
    deploy,
    fought,
    hand,
    look,
    on,
    plays,
    thrown,
    told,
    totals,
)

ruling = pytest.mark.ruling

MONARCHS_IN_HAND = ("prince", "princess")
BARE = dict(zip(AREAS, (4, 3, 2, 3, 4), strict=True))
"""The defence of a Soldier alone: its shield and the offset."""


# RB 5.2: Rearguard -------------------------------------------------------------------------------


@ruling("RB 5.2")
def test_a_rearguard_that_loses_saves_the_card_added() -> None:
    """Fact 2 of the rulebook's questions."""
    match = fought("border", "cavalry", "blue rearguard", "soldier", hands=("", "archer"))
    assert totals(match) == (5, 4)
    assert hand(match, 1) == ["archer", "soldier"]
    assert thrown(match) == ["rearguard"]
    assert on(match, "border") == "red cavalry"
    assert asked(match) == ("deploy", 0)
    assert told(match, "returned", "all") == [{"seat": 1, "card": "soldier"}]


@ruling("RB 5.2")
def test_a_tie_counts_as_lost_for_a_rearguard() -> None:
    match = fought("border", "knight", "blue rearguard", "soldier")
    assert totals(match) == (4, 4)
    assert hand(match, 1) == ["soldier"]
    assert on(match, "border") is None
    assert (thrown(match), thrown(match, "ace")) == (["rearguard"], ["knight"])


@ruling("RB 5.2")
@pytest.mark.parametrize(("left", "gone"), [("rearguard", "soldier"), ("soldier", "rearguard")])
def test_a_rearguard_that_wins_saves_nothing(left: str, gone: str) -> None:
    match = fought("border", "lancer", "blue rearguard", "soldier")
    assert totals(match) == (3, 4)
    assert match.legal(1) == ("leave:rearguard", "leave:soldier")
    plays(match, f"leave:{left}")
    assert on(match, "border") == f"blue {left}"
    assert thrown(match) == ["lancer", gone]
    assert hand(match, 1) == []


@ruling("RB 5.2")
def test_a_rearguard_alone_is_a_card_like_any_other() -> None:
    match = fought("border", "lancer", "blue rearguard", hands=("", "archer"))
    assert hand(match, 1) == ["archer"]
    assert thrown(match) == ["rearguard"]
    assert told(match, "returned") == []


@ruling("RB 5.2")
def test_a_rearguard_that_was_added_saves_nobody() -> None:
    match = fought("border", "cavalry", "blue soldier", "rearguard")
    assert totals(match) == (5, 4)
    assert hand(match, 1) == []
    assert thrown(match) == ["soldier", "rearguard"]


@ruling("RB 5.2")
def test_a_rearguard_that_attacks_saves_nobody() -> None:
    match = fought("border", "rearguard soldier", "blue heavy-guard")
    assert totals(match) == (3, 5)
    assert hand(match, 0) == []
    assert thrown(match) == ["rearguard", "soldier"]


@ruling("RB 5.2")
def test_of_two_rearguards_the_one_added_returns() -> None:
    match = fought("border", "cavalry", "blue rearguard", "rearguard")
    assert hand(match, 1) == ["rearguard"]
    assert thrown(match) == ["rearguard"]


@ruling("RB 5.2")
def test_a_rearguard_on_another_area_saves_nobody() -> None:
    areas = {"blue-city": "blue rearguard", "red-city": "blue rearguard"}
    match = fought("border", "cavalry", "blue soldier", "soldier", areas=areas)
    assert hand(match, 1) == []
    assert thrown(match) == ["soldier", "soldier"]


@ruling("RB 5.2")
def test_a_rearguard_of_red_saves_too_and_an_ace_as_well() -> None:
    match = fought("red-city", "cavalry knight", "red rearguard", "knight")
    assert totals(match) == (9, 2 + 3 + 1)
    plays(match, "leave:cavalry")
    assert hand(match, 0) == ["knight"]
    assert (thrown(match), thrown(match, "ace")) == (["rearguard"], ["knight"])


@ruling("RB 5.2")
def test_a_saved_card_is_in_the_hand_only_after_the_winner_has_chosen() -> None:
    match = fought("border", "cavalry knight", "blue rearguard", "soldier")
    assert hand(match, 1) == []
    assert hand(plays(match, "leave:knight"), 1) == ["soldier"]


@ruling("RB 5.2")
def test_a_saved_card_can_defend_again_in_the_same_turn() -> None:
    areas = {"blue-city": "blue archer"}
    match = fought("border", "cavalry", "blue rearguard", "soldier", ("knight", ""), areas)
    plays(match, "attack:blue-city:knight")
    assert match.legal(1) == ("defend:none", "defend:soldier")


@ruling("RB 5.2")
@ruling("RB 4.4")
def test_a_rearguard_saves_a_monarch() -> None:
    match = fought("red-capital", "cavalry knight", "red rearguard", "prince")
    assert totals(match) == (9, 7)
    plays(match, "leave:knight")
    assert hand(match, 0) == ["prince"]
    assert on(match, "red-capital") == "blue knight"
    assert not match.over


@ruling("RB 5.2")
@ruling("RB 4.4")
def test_a_rearguard_saves_a_monarch_from_a_tie() -> None:
    match = fought("border", "cavalry", "blue rearguard", "princess")
    assert totals(match) == (5, 5)
    assert hand(match, 1) == ["princess"]
    assert not match.over


@ruling("RB 5.2")
@ruling("RB 4.4")
def test_a_monarch_saved_by_a_rearguard_then_attacks() -> None:
    """Fact 3 of the rulebook's questions, for the Rearguard."""
    match = fought("border", "cavalry", "blue rearguard", "princess")
    plays(match, "done", "draft:0", "attack:red-capital:princess")
    assert look(match)["battle"]["attackers"] == ["princess"]


@ruling("RB 5.2")
@ruling("RB 4.1")
def test_a_rearguard_added_to_a_monarch_does_not_save_it() -> None:
    match = fought("red-capital", "cavalry knight", "red prince", "rearguard")
    assert totals(match) == (9, 7)
    assert match.outcome is not None
    assert match.outcome.ranks == (2, 1)


@ruling("RB 5.2")
@ruling("RB 4.1")
def test_a_rearguard_saves_its_own_monarch_and_not_the_one_that_attacks() -> None:
    match = fought("border", "prince archer", "blue rearguard", "princess")
    assert totals(match) == (5, 5)
    assert match.outcome is not None
    assert match.outcome.ranks == (2, 1)


# RB 5.3, RB 5.4: Guards and Guardians ------------------------------------------------------------

GUARDED = {
    "capital-guard": (6, 3, 2, 3, 6),
    "city-guard": (4, 5, 2, 5, 4),
    "capital-guardian": (8, 4, 3, 4, 8),
    "city-guardian": (5, 7, 3, 7, 5),
}
"""Shield, offset and bonus together, from the Red Capital to the Blue Capital."""

each_guard = [
    (card, area, defence)
    for card, row in GUARDED.items()
    for area, defence in zip(AREAS, row, strict=True)
]


@ruling("RB 5.3")
@ruling("RB 5.4")
@pytest.mark.parametrize("side", ["red", "blue"])
@pytest.mark.parametrize(("card", "area", "defence"), each_guard)
def test_a_guard_that_holds_an_area_of_its_kind_has_its_bonus_in_either_kingdom(
    card: str, area: str, defence: int, side: str
) -> None:
    """Fact 4 of the rulebook's questions: the area decides, not its owner or its defender."""
    match = fought(area, "cavalry", f"{side} {card}", hands=MONARCHS_IN_HAND)
    assert totals(match) == (5, defence)


@ruling("RB 5.3")
@ruling("RB 5.4")
@pytest.mark.parametrize("side", ["red", "blue"])
@pytest.mark.parametrize(("card", "area", "defence"), each_guard)
def test_a_guard_that_was_added_has_the_same_bonus(
    card: str, area: str, defence: int, side: str
) -> None:
    match = fought(area, "cavalry", f"{side} soldier", card, hands=MONARCHS_IN_HAND)
    assert totals(match) == (5, 2 + defence)


@ruling("RB 5.3")
@ruling("RB 5.4")
@pytest.mark.parametrize("area", AREAS)
@pytest.mark.parametrize(
    ("card", "sword"),
    [("capital-guard", 1), ("city-guard", 1), ("capital-guardian", 2), ("city-guardian", 2)],
)
def test_a_guard_that_attacks_has_no_bonus(card: str, sword: int, area: str) -> None:
    match = fought(area, card, "blue soldier", hands=MONARCHS_IN_HAND)
    assert totals(match) == (sword, BARE[area])


@ruling("RB 5.3")
@ruling("RB 5.4")
def test_two_guards_have_both_their_bonuses() -> None:
    match = fought(
        "blue-capital", "cavalry", "blue capital-guard", "capital-guardian", MONARCHS_IN_HAND
    )
    assert totals(match) == (5, (2 + 2) + (3 + 3) + 2)
    match = fought("red-city", "cavalry", "blue city-guardian", "city-guard")
    assert totals(match) == (5, (3 + 3) + (2 + 2) + 1)


@ruling("RB 5.3")
@ruling("RB 5.4")
def test_of_two_guards_only_the_one_for_this_place_has_its_bonus() -> None:
    match = fought("red-city", "cavalry", "red capital-guardian", "city-guard")
    assert totals(match) == (5, 3 + (2 + 2) + 1)
    match = fought("red-city", "cavalry", "red capital-guard", "city-guardian")
    assert totals(match) == (5, 2 + (3 + 3) + 1)


@ruling("RB 5.3")
@ruling("RB 5.4")
def test_a_guard_helps_no_other_area() -> None:
    areas = {"red-city": "blue city-guard", "border": "blue city-guardian"}
    assert totals(fought("blue-city", "cavalry", "blue soldier", areas=areas)) == (5, 3)


# RB 5.5: Archer ----------------------------------------------------------------------------------

NEIGHBOURS = {
    ("red-capital", "red-city"),
    ("red-city", "red-capital"),
    ("red-city", "border"),
    ("border", "red-city"),
    ("border", "blue-city"),
    ("blue-city", "border"),
    ("blue-city", "blue-capital"),
    ("blue-capital", "blue-city"),
}


@ruling("RB 5.5")
@ruling("RB 1.1")
@pytest.mark.parametrize("side", ["red", "blue"])
@pytest.mark.parametrize(
    ("archer_at", "attacked"), [(one, other) for one in AREAS for other in AREAS if one != other]
)
def test_an_archer_helps_to_attack_the_adjacent_areas_and_no_others(
    archer_at: str, attacked: str, side: str
) -> None:
    """Fact 5: the row has two ends, and the capitals are not adjacent."""
    other = "blue" if side == "red" else "red"
    areas = {archer_at: f"{side} archer"}
    match = fought(attacked, "soldier", f"{other} soldier", None, MONARCHS_IN_HAND, areas)
    helped = (archer_at, attacked) in NEIGHBOURS
    assert totals(match) == (3 if helped else 2, BARE[attacked])
    assert on(match, archer_at) == f"{side} archer"


@ruling("RB 5.5")
def test_archers_add_up() -> None:
    areas = {"red-city": "red archer", "blue-city": "red archer"}
    assert totals(fought("border", "soldier", "blue heavy-guard", areas=areas)) == (4, 5)


@ruling("RB 5.5")
def test_archers_help_an_attack_of_two_cards_once_each() -> None:
    areas = {"red-city": "red archer", "blue-city": "red archer"}
    match = fought("border", "lancer soldier", "blue heavy-guard", areas=areas)
    assert totals(match) == (3 + 2 + 1 + 1, 5)


@ruling("RB 5.5")
def test_of_two_archers_only_the_adjacent_one_helps() -> None:
    areas = {"red-capital": "red archer", "blue-city": "red archer"}
    match = fought("border", "soldier", "blue heavy-guard", None, ("prince", ""), areas)
    assert totals(match) == (3, 5)


@ruling("RB 5.5")
@pytest.mark.parametrize("area", AREAS)
def test_an_archer_does_not_help_on_its_own_area(area: str) -> None:
    """Fact 5: neither its side nor the other's; it has its shield."""
    match = fought(area, "soldier", "blue archer", hands=MONARCHS_IN_HAND)
    assert totals(match) == (2, BARE[area] - 1)


@ruling("RB 5.5")
def test_an_archer_helps_no_defence() -> None:
    areas = {"red-city": "blue archer", "blue-city": "blue archer"}
    assert totals(fought("border", "soldier", "blue soldier", areas=areas)) == (2, 2)


@ruling("RB 5.5")
def test_an_archer_that_attacks_or_is_added_has_sword_and_shield_only() -> None:
    assert totals(fought("border", "archer soldier", "blue soldier", "archer")) == (3, 3)


@ruling("RB 5.5")
def test_an_archer_in_the_hand_helps_nobody() -> None:
    match = fought("border", "soldier", "blue soldier", hands=("archer", "archer"))
    assert totals(match) == (2, 2)


@ruling("RB 5.5")
def test_the_archers_of_both_sides_help_their_own_attacks_only() -> None:
    areas = {"red-city": "red archer", "blue-city": "blue archer"}
    assert totals(fought("border", "soldier", "blue soldier", areas=areas)) == (3, 2)
    assert totals(fought("border", "soldier", "red soldier", areas=areas)) == (3, 2)


@ruling("RB 5.5")
def test_an_archer_helps_as_soon_as_it_holds_an_area() -> None:
    match = deploy(("archer soldier", ""), {"blue-city": "blue shieldman"})
    plays(match, "occupy:border:archer", "attack:blue-city:soldier", "defend:none")
    assert totals(match) == (3, 4)


@ruling("RB 5.5")
def test_an_archer_left_after_a_battle_helps_in_the_next() -> None:
    areas = {"blue-city": "blue shieldman"}
    match = fought("border", "archer knight", "blue soldier", None, ("soldier", ""), areas)
    plays(match, "leave:archer", "attack:blue-city:soldier", "defend:none")
    assert totals(match) == (3, 4)


@ruling("RB 5.5")
def test_an_archer_taken_back_helps_no_more() -> None:
    areas = {"border": "red archer", "blue-city": "blue shieldman"}
    match = deploy(("liaison soldier", ""), areas)
    plays(match, "swap:border:liaison", "attack:blue-city:soldier", "defend:none")
    assert totals(match) == (2, 4)


# RB 5.6: Bird Soldier ----------------------------------------------------------------------------


@ruling("RB 5.6")
@pytest.mark.parametrize("side", ["red", "blue"])
@pytest.mark.parametrize("area", AREAS)
def test_where_a_bird_soldier_attacks_the_offset_does_not_count(area: str, side: str) -> None:
    match = fought(area, "bird-soldier", f"{side} soldier", hands=MONARCHS_IN_HAND)
    assert totals(match) == (4, 2)


@ruling("RB 5.6")
def test_the_partner_of_a_bird_soldier_profits_too() -> None:
    match = fought(
        "blue-capital", "bird-soldier knight", "blue heavy-guard", "shieldman", ("", "princess")
    )
    assert totals(match) == (8, 8)
    assert on(match, "blue-capital") is None


@ruling("RB 5.6")
@pytest.mark.parametrize(("partner", "attack"), [("archer", 5), ("knight", 8), ("soldier", 6)])
def test_a_bird_soldier_works_beside_any_partner(partner: str, attack: int) -> None:
    """The order of the two cards does not matter."""
    match = fought("blue-city", f"bird-soldier {partner}", "blue soldier")
    assert totals(match) == (attack, 2)


@ruling("RB 5.6")
def test_two_bird_soldiers_cancel_the_offset_once() -> None:
    match = fought(
        "blue-capital", "bird-soldier bird-soldier", "blue soldier", None, ("", "princess")
    )
    assert totals(match) == (8, 2)


@ruling("RB 5.6")
def test_a_bird_soldier_in_defence_cancels_nothing() -> None:
    match = fought("blue-city", "knight", "blue bird-soldier")
    assert totals(match) == (4, 2 + 1)
    match = fought("blue-city", "knight", "blue soldier", "bird-soldier")
    assert totals(match) == (4, 2 + 2 + 1)


@ruling("RB 5.6")
def test_a_bird_soldier_elsewhere_cancels_nothing() -> None:
    areas = {"border": "red bird-soldier"}
    match = fought("blue-city", "knight", "blue soldier", None, ("bird-soldier", ""), areas)
    assert totals(match) == (4, 3)


@ruling("RB 5.6")
def test_a_bird_soldier_works_in_its_own_battle_only() -> None:
    areas = {"blue-city": "blue soldier"}
    match = fought("red-city", "bird-soldier", "blue soldier", None, ("knight", ""), areas)
    assert totals(match) == (4, 2)
    plays(match, "attack:blue-city:knight", "defend:none")
    assert totals(match) == (4, 3)


@ruling("RB 5.6")
@pytest.mark.parametrize(
    ("area", "card", "defence"),
    [
        ("red-capital", "capital-guard", 4),
        ("blue-capital", "capital-guardian", 6),
        ("red-city", "city-guard", 4),
        ("blue-city", "city-guardian", 6),
    ],
)
def test_a_bird_soldier_does_not_cancel_a_guard(area: str, card: str, defence: int) -> None:
    match = fought(area, "bird-soldier", f"blue {card}", hands=MONARCHS_IN_HAND)
    assert totals(match) == (4, defence)


@ruling("RB 5.6")
@ruling("RB 5.5")
def test_a_bird_soldier_does_not_cancel_an_archer() -> None:
    """Fact 5 of the rulebook's questions."""
    areas = {"border": "red archer"}
    assert totals(fought("blue-city", "bird-soldier", "blue soldier", areas=areas)) == (5, 2)


@ruling("RB 5.6")
@ruling("RB 5.7")
def test_a_bird_soldier_does_not_cancel_a_priest_on_either_side() -> None:
    match = fought("blue-city", "bird-soldier priest", "blue priest", "soldier")
    assert totals(match) == (4 + 0 + 1, 2 + 2 + 1)


@ruling("RB 5.3")
@ruling("RB 5.5")
@ruling("RB 5.6")
def test_a_bird_soldier_its_partner_an_archer_and_a_guard_all_count() -> None:
    areas = {"blue-city": "red archer"}
    match = fought(
        "blue-capital",
        "bird-soldier knight",
        "blue capital-guard",
        "heavy-guard",
        ("", "princess"),
        areas,
    )
    assert totals(match) == (4 + 4 + 1, (2 + 2) + 5)
    assert on(match, "blue-capital") is None


# RB 5.7: Priest and Bishop -----------------------------------------------------------------------


@ruling("RB 5.7")
@pytest.mark.parametrize("card", ["priest", "bishop"])
def test_priest_and_bishop_may_attack_with_attack_0(card: str) -> None:
    """Fact 6 of the rulebook's questions."""
    match = deploy((card, ""), {"border": "blue archer"})
    assert f"attack:border:{card}" in match.legal(0)
    plays(match, f"attack:border:{card}", "defend:none")
    assert totals(match) == (0, 1)
    assert on(match, "border") == "blue archer"


@ruling("RB 5.7")
@pytest.mark.parametrize(
    ("attackers", "attack"),
    [
        ("knight priest", 4 + 0 + 1),
        ("bishop knight", 4 + 0 + 2),
        ("archer priest", 1 + 0 + 1),
        ("priest prince", 4 + 0 + 1),
        ("priest priest", 1 + 1),
        ("bishop priest", 2 + 1),
        ("bishop bishop", 2 + 2),
    ],
)
def test_priest_and_bishop_beside_a_partner_add_their_bonus_to_the_attack(
    attackers: str, attack: int
) -> None:
    assert totals(fought("border", attackers, "blue liaison")) == (attack, 1)


@ruling("RB 5.7")
@pytest.mark.parametrize(
    ("holder", "added", "defence"),
    [
        ("priest", "soldier", 2 + 2 + 1),
        ("soldier", "priest", 2 + 2 + 1),
        ("bishop", "soldier", 4 + 2 + 2),
        ("soldier", "bishop", 2 + 4 + 2),
        ("priest", "bishop", 2 + 4 + 1 + 2),
        ("bishop", "priest", 4 + 2 + 2 + 1),
        ("priest", "priest", 2 + 2 + 1 + 1),
        ("princess", "priest", 3 + 2 + 1),
    ],
)
def test_priest_and_bishop_beside_a_partner_add_their_bonus_to_the_defence(
    holder: str, added: str, defence: int
) -> None:
    assert totals(fought("border", "lancer", f"blue {holder}", added)) == (3, defence)


@ruling("RB 5.7")
@pytest.mark.parametrize(("card", "shield"), [("priest", 2), ("bishop", 4)])
def test_priest_and_bishop_alone_in_defence_have_their_shield_only(card: str, shield: int) -> None:
    assert totals(fought("border", "lancer soldier", f"blue {card}")) == (5, shield)


@ruling("RB 5.7")
@pytest.mark.parametrize("card", ["priest", "bishop"])
def test_cards_of_the_other_side_are_no_partners(card: str) -> None:
    assert totals(fought("border", card, "blue soldier", "soldier")) == (0, 4)


@ruling("RB 5.7")
def test_an_archer_on_an_adjacent_area_is_no_partner() -> None:
    areas = {"red-city": "red archer", "blue-city": "red archer"}
    assert totals(fought("border", "priest", "blue soldier", areas=areas)) == (2, 2)


@ruling("RB 5.7")
def test_a_priest_on_another_area_blesses_nobody() -> None:
    areas = {"red-city": "red bishop", "blue-city": "blue priest"}
    assert totals(fought("border", "lancer soldier", "blue soldier", "soldier", areas=areas)) == (
        5,
        4,
    )


@ruling("RB 5.7")
def test_priests_on_both_sides_count_for_their_own() -> None:
    match = fought("border", "knight priest", "blue soldier", "bishop")
    assert totals(match) == (4 + 0 + 1, 2 + 4 + 2)


@ruling("RB 5.3")
@ruling("RB 5.7")
def test_a_guard_and_a_priest_add_up() -> None:
    match = fought("blue-city", "cavalry knight", "blue city-guard", "bishop")
    assert totals(match) == (9, (2 + 2) + (4 + 2) + 1)


@ruling("RB 5.1")
def test_a_liaison_in_battle_is_a_card_like_any_other() -> None:
    match = battle("border", "liaison soldier", "blue liaison", ("", "liaison"))
    plays(match, "defend:liaison")
    assert totals(match) == (3, 2)
    assert hand(match, 1) == []
