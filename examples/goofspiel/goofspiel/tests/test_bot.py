"""The sensible bot beats random and greedy bots."""

from collections.abc import Callable

import pytest

from goofspiel.bot import Sensible, immediate_value
from goofspiel.options import GOOFSPIEL
from goofspiel.play import Goofspiel
from goofspiel.tests.tables import position, rules, standing
from zashiki.bots.plain import Greedy, Random
from zashiki.core.bot import Bot
from zashiki.core.dice import Quick
from zashiki.core.game import ActionId, members
from zashiki.core.parts import Seat

pytestmark = pytest.mark.compiled

MATCHES = 200


def random_bot(game: Goofspiel, seed: int) -> Bot:
    return Random(game, seed)


def greedy_bot(game: Goofspiel, seed: int) -> Bot:
    return Greedy(GOOFSPIEL, game, seed)


def share_of_wins(game: Goofspiel, rival: Callable[[Goofspiel, int], Bot]) -> float:
    """Return the share that one sensible seat wins; a shared first rank counts in part."""
    won = 0.0
    for number in range(MATCHES):
        seat = number % game.seats
        bots = [rival(game, 1000 * number + other) for other in range(game.seats)]
        bots[seat] = Sensible(game, number)
        ranks = ranks_of(game, bots, Quick(number))
        won += 1 / ranks.count(1) if ranks[seat] == 1 else 0
    return won / MATCHES


def ranks_of(game: Goofspiel, bots: list[Bot], chance: Quick) -> tuple[int, ...]:
    state = game.empty()
    game.start(state, chance)
    while to_act := members(game.to_act(state.public)):
        for seat in to_act:
            view = state.views[seat]
            game.apply(state, Seat(seat), bots[seat].choose(view, game.legal(view)), chance)
    outcome = game.outcome(state.public)
    assert outcome is not None
    return outcome.ranks


@pytest.mark.parametrize("order", ["random", "descending", "ascending"])
@pytest.mark.parametrize(("seats", "least"), [(2, 0.7), (4, 0.45)])
@pytest.mark.parametrize("rival", [random_bot, greedy_bot])
def test_it_beats_them(
    order: str, seats: int, least: float, rival: Callable[[Goofspiel, int], Bot]
) -> None:
    assert share_of_wins(rules(seats, order=order), rival) > least


def test_it_spends_no_more_than_it_must() -> None:
    """The rival holds only a 2, so a 3 wins the better prize as surely as the 5."""
    match = standing(position([[3, 5], [1, 2]], 4, [1]))
    game, view = match.game, match.state.views[0]
    for seed in range(20):
        assert Sensible(game, seed).choose(view, game.legal(view)) == game.by_text["bid:3"].id


def test_greed_is_to_bid_high() -> None:
    match = standing(position([[3, 5], [1, 2]], 4, [1]))
    view = match.state.views[0]
    assert [immediate_value(match.game, view, ActionId(id)) for id in (2, 4)] == [3.0, 5.0]
