"""Sampled worlds are exactly those that a seat's view allows, each with the right probability."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

import zashiki
from zashiki.games.kamiza.tests.tables import CARDS, FIRST, SECOND, stand
from zashiki.laws import distribution


def worlds(match: zashiki.Match, seat: int) -> dict[str, Fraction]:
    """Return every world that `sample` can return, with its exact probability."""
    view = match.state.views[seat]
    return distribution(lambda chance: repr(match.game.truth(match.game.sample(view, chance))))


def expected(match: zashiki.Match, seat: int) -> dict[str, Fraction]:
    """Enumerate the worlds: each face-down card of another seat is any of its unspent cards."""
    truth: Any = match.truth()
    hidden = [lay for lay in truth["placed"] if not lay["open"] and lay["seat"] != seat]
    held = [sorted([*truth["hands"][lay["seat"]], lay["card"]]) for lay in hidden]
    order = CARDS[match.spec.id].index
    possible: dict[str, Fraction] = {}
    for cards in product(*held):
        world: Any = {**truth, "hands": [*truth["hands"]], "placed": []}
        lies = dict(zip([lay["seat"] for lay in hidden], cards, strict=True))
        for lay in truth["placed"]:
            world["placed"].append({**lay, "card": lies.get(lay["seat"], lay["card"])})
        for other, card in lies.items():
            own = next(
                cards for cards, lay in zip(held, hidden, strict=True) if lay["seat"] == other
            )
            world["hands"][other] = sorted((kept for kept in own if kept != card), key=order)
        possible[repr(world)] = Fraction(1, len(list(product(*held))))
    return possible


@pytest.mark.parametrize("game", [FIRST, SECOND])
@pytest.mark.parametrize("open_start", [False, True])
@pytest.mark.parametrize(("round", "gone"), [(1, []), (2, ["boss"]), (3, ["boss", "hitman"])])
def test_worlds_are_exactly_those_possible_and_equally_likely(
    game: str, open_start: bool, round: int, gone: list[str]
) -> None:
    match = stand(game, 4, {"open_start": open_start}, round=round, spent=[gone] * 4)
    for placed in range(4):
        for seat in range(4):
            assert worlds(match, seat) == expected(match, seat), (placed, seat)
        if placed < 3:
            match.play(placed, match.legal(placed)[placed % 2])


def test_a_world_is_made_for_the_one_who_asks() -> None:
    match = stand(SECOND)
    match.play(0, "hitman@top")
    assert len(worlds(match, 0)) == 1
    assert len(worlds(match, 1)) == 4


def test_a_drop_out_has_no_secrets() -> None:
    match = stand(SECOND, 4, game=3, round=2, dropped=[1], spent=[["boss"]] * 4, turn=0)
    match.play(0, "hitman@top")
    assert len(worlds(match, 2)) == 3
