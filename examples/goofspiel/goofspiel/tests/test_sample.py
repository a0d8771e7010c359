"""Sampled worlds are exactly the possible ones, each with the right probability."""

import itertools
import json
from fractions import Fraction
from typing import Any

import pytest

from goofspiel.tests.exact import every_branch
from goofspiel.tests.tables import bid, position, standing, started
from zashiki.core.game import ActionId
from zashiki.core.match import Match
from zashiki.core.parts import Seat

Worlds = dict[tuple[int | None, ...], Fraction]


def sampled(match: Match, seat: int) -> Worlds:
    """Count the bids in the worlds sampled for this seat. Each has the view of the true one."""
    view = match.state.views[seat]
    seen = json.dumps(match.game.show(view))
    found: Worlds = {}
    for world, likely in every_branch(lambda chance: match.game.sample(view, chance)):
        assert json.dumps(match.game.show(world.views[seat])) == seen
        truth: dict[str, Any] = match.game.truth(world)
        assert all(part.journal is None for part in (world.public, *world.own))
        bids = tuple(truth["bids"])
        found[bids] = found.get(bids, Fraction(0)) + likely
    return found


def possible(match: Match, seat: int) -> Worlds:
    """Return the distribution by the rules: a bid face down is any card left, evenly."""
    truth: dict[str, Any] = match.truth()
    hands, bids = truth["hands"], truth["bids"]
    each = [
        [bids[other]] if other == seat or bids[other] is None else [*hands[other], bids[other]]
        for other in range(match.seats)
    ]
    worlds = list(itertools.product(*each))
    return dict.fromkeys(worlds, Fraction(1, len(worlds)))


@pytest.mark.ruling("GS 2.3")
@pytest.mark.parametrize("chosen", [(), (0,), (1,), (0, 2), (1, 2), (3, 1, 2)])
@pytest.mark.parametrize("order", ["random", "ascending"])
def test_in_the_second_round(chosen: tuple[int, ...], order: str) -> None:
    match = started(4, cards=4, order=order)
    bid(match, 1, 2, 3, 3)
    for seat in chosen:
        match.play(seat, "bid:4")
    for seat in range(4):
        assert sampled(match, seat) == possible(match, seat)


def test_in_a_position_with_hands_of_different_sizes() -> None:
    truth = position([[2, 3], [1, 2, 4], [1, 5]], 4, [2], bids=[None, 5, 4])
    match = standing(truth)
    for seat in range(3):
        assert sampled(match, seat) == possible(match, seat)
    assert len(sampled(match, 0)) == 4 * 3


def test_a_sample_is_no_part_of_the_match() -> None:
    match = started(2, cards=3)
    match.play(1, "bid:2")
    before = json.dumps(match.truth())
    for world, _ in every_branch(lambda chance: match.game.sample(match.state.views[0], chance)):
        match.game.apply(world, Seat(0), ActionId(0), match.chance(2))
    assert json.dumps(match.truth()) == before
