"""The requirements for a balanced set (RB 6.4), and that `balanced` meets them."""

from collections.abc import Sequence
from typing import Any

import pytest

from zashiki.games.kingdoms.ai import playout_policy
from zashiki.games.kingdoms.card_set import built_in
from zashiki.lab.balance import Balance, Measured, Plan, measure, opened, weighed

pytestmark = pytest.mark.compiled

ruling = pytest.mark.ruling
USUAL = {"played": (1, 1, 0), "turns": 10}
IS_COMPILED = not str(playout_policy.__file__).endswith(".py")


def plan_of(matches: int, bot: str = "strong", **changes: Any) -> Plan:
    return Plan.checked("kingdoms", bot, matches, 1, {"card_set": "balanced", **changes})


def found(
    red: int, blue: int, draws: int = 0, *, turns: int = 10, seconds: float = 0.6,
    unplayed: Sequence[str] = (), **options: Any,
) -> dict[str, bool]:  # fmt: skip
    """Return the conditions that a measurement of wins and draws meets, by their first words."""
    plan = plan_of(red + blue + draws, **options)
    uses = tuple(
        (2, 0, 2) if card in unplayed else (2, 2, 0) for card in plan.cards for _ in range(2)
    )
    ranks = [(1, 2)] * red + [(2, 1)] * blue + [(1, 1)] * draws
    matches = [
        Measured(number, rank, (0.0, 0.0), turns, uses, 60, seconds, 0.1)
        for number, rank in enumerate(ranks)
    ]
    return {
        " ".join(one.asked.split()[:2]): one.is_met for one in weighed(plan, matches).conditions
    }


def faults(*results: Any, **named: Any) -> list[str]:
    return [asked for asked, is_met in found(*results, **named).items() if not is_met]


@ruling("RB 6.4")
def test_balanced_is_what_meets_every_condition() -> None:
    assert faults(4000, 4000) == []
    assert faults(3999, 4000) == ["at least"]


@ruling("RB 6.4")
@pytest.mark.parametrize(
    ("red", "blue", "fair"),
    [(3840, 4160, True), (3839, 4161, False), (4160, 3840, True), (4161, 3839, False)],
)
def test_red_wins_48_to_52_percent_of_all_matches(red: int, blue: int, fair: bool) -> None:
    assert faults(red, blue) == ([] if fair else ["Red wins"])


@ruling("RB 6.4")
def test_draws_are_fewer_than_one_in_twenty() -> None:
    assert faults(4000, 3601, 399) == []
    assert faults(4000, 3600, 400) == ["draws are"]


@ruling("RB 6.4")
@pytest.mark.parametrize(("turns", "is_met"), [(7, False), (8, True), (20, True), (21, False)])
def test_the_median_match_takes_8_to_20_turns(turns: int, is_met: bool) -> None:
    assert faults(4000, 4000, turns=turns) == ([] if is_met else ["the median"])


@ruling("RB 6.4")
def test_the_bots_take_at_most_50_ms_a_decision() -> None:
    assert faults(4000, 4000, seconds=60 * 0.051) == ["at most"]


@ruling("RB 6.4")
def test_every_card_is_worth_playing_at_some_time() -> None:
    assert faults(4000, 4000, unplayed=["archer"]) == ["no card"]
    assert faults(4000, 4000, unplayed=["prince", "princess"]) == []


@ruling("RB 6.2")
def test_what_is_known_of_the_printed_game_is_asked_as_well() -> None:
    odd = built_in("balanced") | {"name": "odd"}
    odd["monarchs"][0]["attack"] = 9
    assert faults(4000, 4000, card_set=odd) == ["RB 6.2"]


def measured(matches: int, bot: str) -> Balance:
    plan = plan_of(matches, bot)
    with opened(None, plan) as results:
        return weighed(plan, list(measure(plan, results)))


@ruling("RB 6.4")
@pytest.mark.long
def test_balanced_is_about_fair_between_strong_bots() -> None:
    """This plays only a part of the 8,000 matches of the measurement, to save time."""
    balance = measured(400 if IS_COMPILED else 12, "strong")
    assert balance.red.low <= 0.5 <= balance.red.high
    assert balance.draws.mean < 0.05
    assert 6 <= balance.turns[1] <= 20
