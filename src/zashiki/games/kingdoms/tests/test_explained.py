"""A battle explained: its facts, and the view of it, are the arithmetic line by line."""

from collections.abc import Iterable, Mapping
from typing import Any

import pytest

import zashiki
from zashiki import Match
from zashiki.core.dice import Quick
from zashiki.games.kingdoms.tests.tables import GAME, battle, fought, look, plays, told, totals

ruling = pytest.mark.ruling

Line = tuple[int, str | None, str, str, int]
"""Seat, card, area, source, amount."""


def in_order(lines: Iterable[Line]) -> list[Line]:
    return sorted(lines, key=repr)


def as_line(said: Mapping[str, Any]) -> Line:
    return said["seat"], said["card"], said["area"], said["source"], said["amount"]


def counted(match: Match) -> list[Line]:
    """Return the counted lines, sorted, since only their sum matters."""
    return in_order(as_line(said) for said in told(match, "counted", "all"))


def shown(match: Match) -> Any:
    """Return the battle of the public view."""
    return match.view(None)["battle"]


# Facts -------------------------------------------------------------------------------------------


@ruling("RB 3.2")
@ruling("RB 5.3")
@ruling("RB 5.5")
@ruling("RB 5.7")
def test_the_example_of_the_rules_line_by_line() -> None:
    areas = {"border": "red archer"}
    match = fought("blue-city", "knight priest", "blue city-guard", "shieldman", areas=areas)
    assert counted(match) == in_order(
        [
            (0, "knight", "blue-city", "sword", 4),
            (0, "priest", "blue-city", "sword", 0),
            (0, "priest", "blue-city", "priest", 1),
            (0, "archer", "border", "archer", 1),
            (1, "city-guard", "blue-city", "shield", 2),
            (1, "shieldman", "blue-city", "shield", 3),
            (1, "city-guard", "blue-city", "city-guard", 2),
        ]
    )
    assert told(match, "offset_counted", "all") == [{"seat": 1, "area": "blue-city", "amount": 1}]
    assert told(match, "totalled", "all") == [{"area": "blue-city", "attack": 6, "defence": 8}]
    assert told(match, "battle_won", "all") == [{"seat": 1, "area": "blue-city"}]


@ruling("RB 5.4")
@ruling("RB 5.6")
@ruling("RB 5.7")
def test_a_bird_soldier_and_a_bishop_line_by_line() -> None:
    """Blue attacks the Red Capital. A Guardian's bonus has the source of a Guard's."""
    match = fought(
        "red-capital",
        "bird-soldier bishop",
        "red capital-guardian",
        "priest",
        hands=("prince", ""),
        areas={"border": "blue archer"},
    )
    assert counted(match) == in_order(
        [
            (1, "bird-soldier", "red-capital", "sword", 4),
            (1, "bishop", "red-capital", "sword", 0),
            (1, "bishop", "red-capital", "priest", 2),
            (0, "capital-guardian", "red-capital", "shield", 3),
            (0, "capital-guardian", "red-capital", "capital-guard", 3),
            (0, "priest", "red-capital", "shield", 2),
            (0, "priest", "red-capital", "priest", 1),
        ]
    )
    assert told(match, "offset_counted", "all") == []
    (cancelled,) = told(match, "offset_cancelled", "all")
    assert (cancelled["area"], cancelled["card"]) == ("red-capital", "bird-soldier")
    assert told(match, "totalled", "all") == [{"area": "red-capital", "attack": 6, "defence": 9}]


@ruling("RB 3.2")
@ruling("RB 5.5")
def test_equal_cards_have_a_line_each() -> None:
    areas = {"red-city": "red archer", "blue-city": "red archer"}
    match = fought("border", "soldier soldier", "blue shieldman", "shieldman", areas=areas)
    assert counted(match) == in_order(
        [
            (0, "soldier", "border", "sword", 2),
            (0, "soldier", "border", "sword", 2),
            (0, "archer", "red-city", "archer", 1),
            (0, "archer", "blue-city", "archer", 1),
            (1, "shieldman", "border", "shield", 3),
            (1, "shieldman", "border", "shield", 3),
        ]
    )
    assert told(match, "offset_counted", "all") == [{"seat": 1, "area": "border", "amount": 0}]
    assert told(match, "battle_tied", "all") == [{"area": "border"}]


@ruling("RB 3.2")
@ruling("RB 5.7")
def test_a_skill_that_does_not_work_has_no_line() -> None:
    """A Priest alone, a Guard in the wrong place, and an offset of 0, which is counted."""
    match = fought("border", "priest", "blue city-guard")
    assert counted(match) == in_order(
        [(0, "priest", "border", "sword", 0), (1, "city-guard", "border", "shield", 2)]
    )
    assert told(match, "offset_counted", "all") == [{"seat": 1, "area": "border", "amount": 0}]


@ruling("RB 5.6")
def test_a_bird_soldier_cancels_an_offset_of_0_too() -> None:
    match = fought("border", "bird-soldier", "blue soldier")
    assert len(told(match, "offset_cancelled", "all")) == 1
    assert told(match, "offset_counted", "all") == []


@ruling("RB 3.2")
def test_cards_are_revealed_then_counted_then_totalled_then_judged() -> None:
    areas = {"border": "red archer"}
    match = battle("blue-city", "knight priest", "blue city-guard", ("", "shieldman"), areas)
    names = [fact.name for fact in match.play(1, "defend:shieldman") if fact.audience == "all"]
    assert [name for name in dict.fromkeys(names) if name != "leave_asked"] == [
        "revealed",
        "counted",
        "offset_counted",
        "totalled",
        "battle_won",
    ]
    assert names.count("counted") == 7


@ruling("RB 3.2")
@pytest.mark.parametrize("seed", range(12))
def test_in_every_battle_the_lines_make_the_totals(seed: int) -> None:
    """In matches played at random, with a liking for attacks."""
    match, chance = zashiki.start(GAME, 2, seed=seed), Quick(seed)
    while not match.over:
        (seat,) = match.to_act
        legal = match.legal(seat)
        attacks = [action for action in legal if action.startswith("attack")]
        among = attacks if attacks and chance.below(3, "attack") else legal
        match.play(seat, among[int(chance.below(len(among), "pick"))])
    sums, battles, attacker = [0, 0], 0, 0
    for fact in match.facts("all"):
        said: Any = fact.arguments
        if fact.name == "revealed":
            sums, attacker = [0, 0], said["seat"]
        elif fact.name in ("counted", "offset_counted"):
            sums[said["seat"]] += said["amount"]
        elif fact.name == "totalled":
            assert sums[attacker] == said["attack"]
            assert sums[1 - attacker] == said["defence"]
            battles += 1
        elif fact.name == "battle_won":
            assert sums[said["seat"]] > sums[1 - said["seat"]]
        elif fact.name == "battle_tied":
            assert sums[0] == sums[1]
    assert battles > 0


# The view ----------------------------------------------------------------------------------------


@ruling("RB 3.1")
def test_before_the_cards_are_revealed_there_is_nothing_to_count() -> None:
    match = battle("blue-city", "knight priest", "blue city-guard", ("", "shieldman"))
    for reader in (None, 0, 1):
        seen: Any = match.view(reader)["battle"]
        assert (seen["lines"], seen["totals"]) == (None, None)


@ruling("RB 3.2")
def test_the_winner_sees_the_arithmetic_while_choosing() -> None:
    areas = {"border": "red archer"}
    match = fought("blue-city", "knight priest", "blue city-guard", "shieldman", areas=areas)
    assert look(match)["phase"] == "leave"
    seen = shown(match)
    assert seen["totals"] == {"attack": 6, "defence": 8}
    cards = [as_line(line) for line in seen["lines"] if line["card"] is not None]
    assert in_order(cards) == counted(match)
    (offset,) = [line for line in seen["lines"] if line["card"] is None]
    assert (offset["seat"], offset["area"], offset["amount"]) == (1, "blue-city", 1)


@ruling("RB 5.6")
def test_a_cancelled_offset_adds_nothing_in_the_view() -> None:
    match = fought("blue-city", "bird-soldier priest", "blue soldier")
    seen = shown(match)
    assert seen["totals"] == {"attack": 5, "defence": 2}
    for seat, total in ((0, 5), (1, 2)):
        assert sum(line["amount"] for line in seen["lines"] if line["seat"] == seat) == total


@ruling("RB 3.2")
def test_all_see_the_same_arithmetic() -> None:
    match = fought("border", "knight lancer", "blue soldier", "archer")
    assert match.view(0)["battle"] == match.view(1)["battle"] == shown(match)


@ruling("RB 3.2")
@pytest.mark.parametrize("attackers", ["knight priest", "bird-soldier bishop"])
def test_a_scene_shows_the_same_arithmetic_as_the_match_it_was_taken_from(attackers: str) -> None:
    areas = {"border": "red archer"}
    match = fought("blue-city", attackers, "blue rearguard", areas=areas)
    assert look(match)["phase"] == "leave"
    scene = zashiki.scenario(GAME, match.truth())
    assert shown(scene) == shown(match)


@ruling("RB 3.4")
def test_a_settled_battle_is_no_longer_shown() -> None:
    match = plays(fought("border", "knight lancer", "blue soldier"), "leave:knight")
    assert totals(match) == (7, 2)
    assert shown(match) is None
