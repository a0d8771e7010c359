"""Components and set-up (RB 1)."""

from typing import Any

import pytest

import zashiki
from zashiki import Malformed, Match
from zashiki.games.kingdoms.tests.tables import (
    ACES,
    EVERY_CARD,
    GAME,
    NORMAL,
    SIDES,
    all_cards,
    draft,
    fought,
    look,
    on,
    plays,
    told,
)

ruling = pytest.mark.ruling

SWORDS_AND_SHIELDS = {
    "soldier": (2, 2),
    "lancer": (3, 1),
    "shieldman": (1, 3),
    "liaison": (1, 1),
    "rearguard": (1, 2),
    "capital-guard": (1, 2),
    "city-guard": (1, 2),
    "archer": (1, 1),
    "priest": (0, 2),
    "knight": (4, 3),
    "cavalry": (5, 2),
    "heavy-guard": (2, 5),
    "capital-guardian": (2, 3),
    "city-guardian": (2, 3),
    "bird-soldier": (4, 2),
    "bishop": (0, 4),
    "prince": (4, 3),
    "princess": (3, 3),
}
FUNDS_AND_OFFSETS = {
    "red-capital": (2, 1, 2),
    "red-city": (2, 1, 1),
    "border": (1, 1, 0),
    "blue-city": (1, 2, 1),
    "blue-capital": (1, 3, 2),
}
IN_HAND = ("prince", "princess")
"""Monarchs in hands, so that only the named areas are held."""


def begin(seed: int = 1) -> Match:
    return zashiki.start(GAME, 2, options={"card_set": "reconstructed"}, seed=seed)


def totals(match: Match) -> tuple[int, int]:
    """Return the totals of the one battle, attack first."""
    (total,) = told(match, "totalled")
    return total["attack"], total["defence"]


# RB 1.1 The row ----------------------------------------------------------------------------------


@ruling("RB 1.1")
def test_five_areas_lie_in_a_row() -> None:
    row = ["red-capital", "red-city", "border", "blue-city", "blue-capital"]
    assert list(look(begin())["areas"]) == row
    assert list(told_areas(begin())) == row


def told_areas(match: Match) -> Any:
    return match.view(None)["areas"]


@ruling("RB 1.1")
@ruling("RB 5.5")
@pytest.mark.parametrize(
    ("archer", "area", "attack"),
    [
        ("red-capital", "red-city", 3),
        ("red-capital", "border", 2),
        ("red-capital", "blue-capital", 2),
        ("red-city", "red-capital", 3),
        ("border", "red-city", 3),
        ("border", "blue-city", 3),
        ("border", "blue-capital", 2),
        ("blue-capital", "blue-city", 3),
        ("blue-capital", "red-capital", 2),
    ],
)
def test_neighbours_in_the_row_are_adjacent(archer: str, area: str, attack: int) -> None:
    """An Archer's bonus of 1 shows adjacency; the sword is a Soldier's 2."""
    match = fought(area, "soldier", "blue heavy-guard", None, IN_HAND, {archer: "red archer"})
    assert totals(match)[0] == attack


# RB 1.2 What an area has -------------------------------------------------------------------------


@ruling("RB 1.2")
@pytest.mark.parametrize("area", FUNDS_AND_OFFSETS)
def test_an_area_pays_red_and_blue_each_its_number(area: str) -> None:
    red, blue, _ = FUNDS_AND_OFFSETS[area]
    assert draft(IN_HAND, {area: "red soldier"}).view(None)["funds"] == [red, 0]
    assert draft(IN_HAND, {area: "blue soldier"}).view(None)["funds"] == [0, blue]


@ruling("RB 1.2")
@ruling("RB 3.3")
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("area", FUNDS_AND_OFFSETS)
def test_an_area_has_an_offset(area: str, side: str) -> None:
    """The offset is added to a Soldier's shield, 2, for either defender."""
    match = fought(area, "priest", f"{side} soldier", None, IN_HAND)
    assert totals(match) == (0, 2 + FUNDS_AND_OFFSETS[area][2])


# RB 1.3 and RB 1.4 The cards ---------------------------------------------------------------------


@ruling("RB 1.3")
def test_there_are_thirty_normal_cards_twenty_aces_and_two_monarchs() -> None:
    assert (sum(NORMAL.values()), sum(ACES.values())) == (30, 20)
    assert EVERY_CARD.total() == 52
    assert all_cards(look(begin())) == EVERY_CARD


@ruling("RB 1.3")
@ruling("RB 1.6")
def test_a_hand_shows_its_backs_and_a_monarch_has_that_of_a_normal_card() -> None:
    match = draft(("prince soldier knight bishop", "princess"))
    shown: Any = match.view(None)
    assert [(hand["normal"], hand["ace"]) for hand in shown["hands"]] == [(2, 2), (1, 0)]


@ruling("RB 1.3")
def test_piles_are_kept_apart_by_their_backs() -> None:
    piles = look(begin())["piles"]
    assert set(piles["normal"]) <= set(NORMAL)
    assert set(piles["ace"]) <= set(ACES)


@ruling("RB 1.4")
@pytest.mark.parametrize("card", SWORDS_AND_SHIELDS)
def test_a_card_attacks_with_its_sword(card: str) -> None:
    attacker = 1 if card == "princess" else 0
    monarchs = tuple("" if name == card else name for name in IN_HAND)
    match = fought("border", card, f"{SIDES[1 - attacker]} heavy-guard", None, monarchs)
    assert totals(match) == (SWORDS_AND_SHIELDS[card][0], 5)


@ruling("RB 1.4")
@pytest.mark.parametrize("card", SWORDS_AND_SHIELDS)
def test_a_card_defends_with_its_shield(card: str) -> None:
    holder = 1 if card == "princess" else 0
    monarchs = tuple("" if name == card else name for name in IN_HAND)
    match = fought("border", "soldier", f"{SIDES[holder]} {card}", None, monarchs)
    assert totals(match) == (2, SWORDS_AND_SHIELDS[card][1])


# RB 1.5 The start --------------------------------------------------------------------------------


@ruling("RB 1.5")
def test_each_starts_with_the_monarch_in_the_capital_and_five_normal_cards() -> None:
    match = begin()
    assert on(match, "red-capital") == "red prince"
    assert on(match, "blue-capital") == "blue princess"
    assert [on(match, area) for area in ("red-city", "border", "blue-city")] == [None] * 3
    truth = look(match)
    assert [len(held) for held in truth["hands"]] == [5, 5]
    assert all(card in NORMAL for held in truth["hands"] for card in held)
    assert (len(truth["piles"]["normal"]), len(truth["piles"]["ace"])) == (20, 20)
    assert truth["discards"] == {"normal": [], "ace": []}


@ruling("RB 1.5")
def test_red_moves_first() -> None:
    match = begin()
    truth = look(match)
    assert match.to_act == {0}
    assert (truth["phase"], truth["turn"], truth["number"]) == ("draft", 0, 1)
    assert (truth["still"], truth["placed"], truth["battle"]) == (0, False, None)
    plays(match, "draft:0", "done")
    truth = look(match)
    assert match.to_act == {1}
    assert (truth["phase"], truth["turn"], truth["number"]) == ("draft", 1, 2)


@ruling("RB 1.5")
def test_both_piles_are_shuffled() -> None:
    deals = [look(begin(seed)) for seed in range(5)]
    for name in ("normal", "ace"):
        assert len({tuple(deal["piles"][name]) for deal in deals}) == 5
    assert look(begin(3)) == look(begin(3))


@ruling("RB 1.5")
@pytest.mark.parametrize("seats", [0, 1, 3])
def test_it_is_a_game_for_two(seats: int) -> None:
    with pytest.raises(Malformed, match="seats"):
        zashiki.start(GAME, seats)


# RB 1.6 What is secret ---------------------------------------------------------------------------


@ruling("RB 1.6")
def test_at_the_start_each_sees_the_own_hand_and_everybody_the_rest() -> None:
    match = begin()
    shown: Any = match.view(None)
    assert shown["hands"] == [{"normal": 5, "ace": 0, "known": []}] * 2
    assert shown["piles"] == {"normal": 20, "ace": 20}
    assert shown["areas"] == look(match)["areas"]
    assert shown["funds"] == [2, 3]
    for seat in (0, 1):
        assert match.view(seat)["hand"] == look(match)["hands"][seat]
        assert match.view(seat)["seat"] == seat


@ruling("RB 1.6")
def test_what_is_dealt_is_told_to_its_owner_only() -> None:
    match = begin()
    assert told(match, "dealt", "all") == []
    for seat in (0, 1):
        (dealt,) = told(match, "dealt", seat)
        assert sorted(dealt["cards"]) == look(match)["hands"][seat]
