"""The strength of each game's bots: the measurements that the games' pages quote."""

import pytest

from zashiki.lab.simulate import Interval, Plan, simulate, summarize

pytestmark = [pytest.mark.compiled, pytest.mark.long]
MATCHES = 2000


def win_rate(game: str, others: str) -> Interval:
    """How often `sensible` wins against three others; a shared first place counts in part."""
    plan = Plan.checked(game, 4, ["sensible", others, others, others], MATCHES, seed=1)
    entries = {entry.name: entry for entry in summarize(simulate(plan)).bots}
    return entries["sensible"].win_rate


def last_rate(form: str, seats: int, others: str, hitmen: str = "open") -> float:
    """How often `sensible` is last, or loses, among others in Red Town."""
    names = ["sensible", *[others] * (seats - 1)]
    options = {"form": form, "hitmen": hitmen}
    plan = Plan.checked("red-town", seats, names, MATCHES, 1, options)
    ranks = [row.rank for rows in simulate(plan) for row in rows if row.bot == "sensible"]
    return sum(rank == seats for rank in ranks) / len(ranks)


def test_sensible_wins_three_of_four_against_three_random_players() -> None:
    assert win_rate("kamiza-second", "random").mean >= 0.75


def test_in_the_first_edition_luck_takes_a_little_of_that() -> None:
    """Among random players a lone Raid voids many rounds, whatever the others play."""
    rate = win_rate("kamiza-2014", "random")
    assert rate.low > 0.7
    assert rate.high < win_rate("kamiza-second", "random").low


@pytest.mark.parametrize("game", ["kamiza-2014", "kamiza-second"])
def test_sensible_wins_clearly_more_than_its_share_against_three_greedy_ones(game: str) -> None:
    assert win_rate(game, "greedy").low > 0.5


def test_in_short_games_of_red_town_sensible_is_rarely_last() -> None:
    assert last_rate("short", 4, "random") <= 0.03
    assert last_rate("short", 4, "greedy") <= 0.18


@pytest.mark.parametrize("hitmen", ["open", "hidden"])
@pytest.mark.parametrize(
    ("form", "seats"), [("two", 2), ("standard", 3), ("standard", 4), ("standard", 5)]
)
def test_in_red_town_sensible_beats_greedy_clearly(form: str, seats: int, hitmen: str) -> None:
    assert last_rate(form, seats, "greedy", hitmen) < 0.5 / seats


def wins_from(side: int, others: str) -> float:
    """How often `sensible` wins in Kingdoms from this side; a draw is not a win."""
    names = ["sensible", others] if side == 0 else [others, "sensible"]
    plan = Plan.checked("kingdoms", 2, names, 2 * MATCHES, 1)
    rows = [row for rows in simulate(plan) for row in rows]
    scores = [row.score for row in rows if row.bot == "sensible" and row.seat == side]
    assert len(scores) == MATCHES
    return sum(score == 1 for score in scores) / len(scores)


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize(("others", "least"), [("random", 0.95), ("greedy", 0.6)])
def test_in_kingdoms_sensible_wins_from_each_side(side: int, others: str, least: float) -> None:
    assert wins_from(side, others) >= least
