"""Hand-made positions with a known best action: blunders are marked, quiet moves are not."""

from collections.abc import Callable

import pytest

from zashiki.analysis.course import Course
from zashiki.analysis.ledger import Ledger, reference_policy
from zashiki.analysis.result import BAD, Decision
from zashiki.core.match import Match
from zashiki.core.parts import Seat
from zashiki.games.kingdoms.tests.tables import battle, deploy
from zashiki.games.red_town.tests.tables import war

pytestmark = pytest.mark.compiled

SEEDS = (1, 2, 3)
PLAYOUTS = 2048


def last_card() -> Match:
    """Seat 0 can play its last card on an 8 and be out."""
    hands = ["B9", "B10 B10 R3", "R10 R10 R4"]
    return war(hands, form="short", board={"r1": ["R8"]}, declared=8, last=2)


def ten_and_three() -> Match:
    """Nobody can beat a 10, so it comes first, and the 3 opens the next turf war."""
    return war(["B10 B3", "B9 B8", "R9 R8"], form="short")


def run_and_nine() -> Match:
    """The run gets rid of three cards at once; the 9 can still be played later."""
    return war(["B3 B4 B5 R9", "B10 B8", "R9 R8"], form="short")


def fifth_area() -> Match:
    """Red holds all areas but the free border."""
    areas = dict.fromkeys(("red-city", "blue-city", "blue-capital"), "red soldier")
    return deploy(("lancer archer", "princess cavalry knight knight cavalry"), areas)


def princess_attacked() -> Match:
    """The Princess falls unless a card is added, and the Heavy Guard is strong enough."""
    hands = ("", "heavy-guard soldier")
    return battle("blue-capital", "cavalry soldier", "blue princess", hands)


def prince_in_hand() -> Match:
    """The Prince alone loses against a Heavy Guard, and the match with it."""
    areas = {"red-capital": "red lancer", "border": "blue heavy-guard"}
    return deploy(("prince knight knight cavalry soldier", "lancer"), areas)


def decision(position: Callable[[], Match], action: str, seed: int) -> Decision:
    """Return the review of an action in a position."""
    match = position()
    (seat,) = match.to_act
    match.play(seat, action)
    policy = reference_policy(match.spec, match.game)
    return Ledger(Course(match), Seat(seat), policy, PLAYOUTS, seed).decision(1)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("position", "action", "best"),
    [
        (last_card, "pass", "b1:B9"),
        (ten_and_three, "b1:B3", "b1:B10"),
        (run_and_nine, "b1:B3", "b3:B3,B4,B5"),
        (run_and_nine, "r1:R9", "b3:B3,B4,B5"),
        (fifth_area, "done", "occupy:border:"),
        (princess_attacked, "defend:none", "defend:heavy-guard"),
        (prince_in_hand, "attack:border:prince", ""),
    ],
)
def test_a_planted_blunder_is_marked_and_the_best_action_is_named(
    position: Callable[[], Match], action: str, best: str, seed: int
) -> None:
    found = decision(position, action, seed)
    assert found.mark in ("mistake", "blunder")
    assert found.loss > 2 * found.error
    assert found.rival.startswith(best)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("position", "action"),
    [
        (last_card, "b1:B9"),
        (ten_and_three, "b1:B10"),
        (run_and_nine, "b3:B3,B4,B5"),
        (fifth_area, "occupy:border:archer"),
        (fifth_area, "occupy:border:lancer"),
        (princess_attacked, "defend:heavy-guard"),
    ],
)
def test_the_best_action_of_a_position_is_not_marked(
    position: Callable[[], Match], action: str, seed: int
) -> None:
    found = decision(position, action, seed)
    assert found.mark not in BAD
    assert found.loss <= 0.01
