"""Red Town's bots: greedy as described, and a plan for a whole hand."""

from typing import Any

import pytest

import zashiki
from zashiki.bots import make_bot
from zashiki.games.red_town.ai.bot import Plan
from zashiki.games.red_town.cards import NAMES, collected
from zashiki.games.red_town.play import RedTown
from zashiki.games.red_town.tests.tables import GAME, cards, war


def chosen(match: zashiki.Match, seat: int, bot: str = "sensible") -> str:
    """Return the action that a bot chooses at this seat."""
    view = match.state.views[seat]
    choice = make_bot(bot, match.spec, match.game, 1).choose(view, match.game.legal(view))
    return match.game.actions[choice].text


def cost(hand: str, seats: int = 4) -> float:
    game = zashiki.games()[GAME].make(seats, {"form": "short", "hitmen": "open"})
    assert isinstance(game, RedTown)
    plan = Plan(game.plays, 10)
    return plan.cost(collected([NAMES.index(name) for name in cards(hand)]))


def test_greedy_lays_the_most_cards_then_the_lowest_number() -> None:
    match = war(["R3 R4 B8 B8 B8 B8 B9", "R9", "B4", "R6"])
    assert chosen(match, 0, "greedy") == "b4:B8,B8,B8,B8"
    match = war(["R3 R5 B8 B9", "R9", "B4", "R6"])
    assert chosen(match, 0, "greedy") == "r1:R3"


def test_greedy_never_passes_where_it_can_play() -> None:
    match = war(["R3 R10", "R9", "B4", "R6"], declared=9, last=3, board={"b1": ["B9"]})
    assert match.legal(0) == ("pass", "r1:R10")
    assert chosen(match, 0, "greedy") == "r1:R10"


@pytest.mark.parametrize(
    ("fewer", "more"),
    [
        ("R3 R4 R5 R6", "R3 R4 R5 R7"),
        ("B5 B5", "B5 B6"),
        ("R3 R4 B5", "R3 R4 B6"),
        ("B4 B10", "B4 B5"),
        ("R3 R4 RH R6", "R3 R4 BH R6"),
        ("R5", "R5 R3"),
    ],
)
def test_a_plan_costs_what_its_turns_cost(fewer: str, more: str) -> None:
    assert cost(fewer) < cost(more)


def test_a_plan_takes_a_hand_apart_in_the_best_way() -> None:
    """One sequence and one pair; greedily, three cards in sequence would leave two single ones."""
    assert cost("R3 R4 R5 R6 B4 B4") == cost("R3 R4 R5 R6") + cost("B4 B4")


def test_sensible_does_not_break_a_sequence_to_follow() -> None:
    match = war(
        ["R5 R6 R7 R8 B5", "R9 B9", "B4 B3", "R6 B3"],
        declared=3,
        last=3,
        board={"r2": ["R3", "R4"]},
    )
    assert chosen(match, 0) in ("r4:R5,R6,R7,R8", "b1:B5")


def test_sensible_gives_away_what_suits_a_hand_least() -> None:
    """The hand is passed on (RT 2.5). A red Hitman would complete four in sequence."""
    hands = ["R3 R4 R6 B10", "R9 B9", "B4 B3", "R7 B3"]
    phase: dict[str, Any] = {"phase": "pick", "turn": None, "confirmed": [2, 3]}
    match = war(hands, supply=["RB", "RB", "", ""], **phase)
    assert chosen(match, 0) == "hitman:B"


def test_alone_it_takes_what_fits() -> None:
    hands = ["R3 R4 R6 B10", "R9 B9", "B4 B3", "R7 B3"]
    match = war(hands, supply=["RB", "RB", "", ""], phase="pick-many")
    assert chosen(match, 0) == "hitmen:R"


def test_a_good_hand_is_confirmed_and_a_bad_one_exchanged() -> None:
    phase: dict[str, Any] = {"phase": "decide", "turn": None, "supply": ["RRBB"] * 4}
    good = war(["R7 R8 R9 R10 B10 B10 B10 B10 R10", "R9", "B4", "R6"], **phase)
    assert chosen(good, 0) == "confirm"
    bad = war(["R3 R5 B3 B5 R7 B7 R9 B9", "R9", "B4", "R6"], **phase)
    assert chosen(bad, 0) == "add"


def test_what_is_left_over_is_discarded() -> None:
    match = war(
        ["R3 R9 R10", "R9", "B4", "R6"],
        phase="discard",
        board={"r4": ["R5", "R6", "R7", "R8"]},
        declared=5,
        last=0,
    )
    assert chosen(match, 0) == "discard:R3"


def test_a_choice_depends_on_view_and_seed_alone() -> None:
    match = zashiki.start(GAME, 5, seed=3)
    while not match.over and match.view(None)["phase"] != "turn":
        for seat in sorted(match.to_act):
            match.play(seat, chosen(match, seat))
    (seat,) = match.to_act
    assert chosen(match, seat) == chosen(match, seat)
