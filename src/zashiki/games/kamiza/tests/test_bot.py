"""KAMIZA's bots: greedy uses the open cards, sensible also the others' possible cards."""

import pytest

import zashiki
from zashiki.bots import make_bot
from zashiki.games.kamiza.tests.tables import FIRST, SECOND, stand
from zashiki.lab.simulate import Plan, simulate, summarize

pytestmark = pytest.mark.compiled


def choice(match: zashiki.Match, bot: str, seed: int = 1) -> str:
    (seat,) = match.to_act
    view = match.state.views[seat]
    action = make_bot(bot, match.spec, match.game, seed).choose(view, match.game.legal(view))
    return match.game.actions[action].text


def test_greedy_takes_the_best_immediate_gain() -> None:
    assert choice(stand(SECOND), "greedy") == "boss@top"
    assert choice(stand(FIRST), "greedy") == "boss@top"


def test_greedy_shoots_an_open_boss() -> None:
    match = stand(SECOND, options={"open_start": True}, round=2, spent=[[], ["boss"], [], []])
    match.play(0, "boss@top")
    assert choice(match, "greedy") == "hitman@top"


def test_sensible_shoots_an_open_boss() -> None:
    match = stand(
        SECOND,
        3,
        options={"open_start": True},
        round=3,
        spent=[["police"], ["boss"], ["hitman", "police"]],
    )
    match.play(0, "boss@top")
    assert choice(match, "sensible") == "hitman@top"


def test_sensible_does_not_take_the_chip_that_drops_it_out() -> None:
    """A bribe of an open Boss pays half its points, but with two chips it loses the match."""
    spent = [["hitman"], ["boss", "hitman"], ["hitman", "police"]]
    for chips, expected in ((1, True), (2, False)):
        scores = [9, 9, 0]
        stands = {"game": 3, "round": 3, "spent": spent, "wanted": [0, chips, 0], "scores": scores}
        match = stand(SECOND, 3, {"open_start": True}, **stands)
        match.play(0, "boss@top")
        assert (choice(match, "sensible") == "police@top") is expected


def test_sensible_is_not_read_like_a_book() -> None:
    assert len({choice(stand(SECOND), "sensible", seed) for seed in range(20)}) > 1


def test_sensible_is_a_function_of_its_view() -> None:
    match = stand(SECOND)
    match.play(0, "boss@top")
    other = stand(SECOND)
    other.play(0, "police@top")
    assert choice(match, "sensible", 1) == choice(other, "sensible", 1)


@pytest.mark.parametrize("game", [FIRST, SECOND])
def test_sensible_beats_random_and_greedy(game: str) -> None:
    """A small form of the measurement in tests/test_strength.py."""
    for others, least in (("random", 0.5), ("greedy", 0.5)):
        assert wins(game, others, 16) > least


def wins(game: str, others: str, matches: int) -> float:
    """Return the share of matches that `sensible` wins against three others. Ties are shared."""
    plan = Plan.checked(game, 4, ["sensible", others, others, others], matches, seed=1)
    entries = {entry.name: entry for entry in summarize(simulate(plan)).bots}
    return entries["sensible"].win_rate.mean
