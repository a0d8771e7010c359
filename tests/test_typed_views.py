"""The types of views describe the views exactly: all keys, and no others."""

from functools import cache
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints, is_typeddict

import pytest

import zashiki
from goofspiel.typed import GoofspielPublicView, GoofspielSeatView
from zashiki.games.kamiza import typed as kamiza
from zashiki.games.kingdoms.typed import KingdomsPublicView, KingdomsSeatView
from zashiki.games.red_town.typed import RedTownPublicView, RedTownSeatView
from zashiki.laws import Walk, forms

VIEWS: dict[str, tuple[Any, Any]] = {
    "goofspiel": (GoofspielPublicView, GoofspielSeatView),
    "kamiza-2014": (kamiza.Kamiza2014PublicView, kamiza.Kamiza2014SeatView),
    "kamiza-second": (kamiza.KamizaSecondPublicView, kamiza.KamizaSecondSeatView),
    "kingdoms": (KingdomsPublicView, KingdomsSeatView),
    "red-town": (RedTownPublicView, RedTownSeatView),
}


@cache
def hints_of(kind: Any) -> dict[str, Any]:
    """Return the types of a view's keys; making them takes longer than to compare them."""
    return get_type_hints(kind)


def faults(value: object, kind: Any, path: str = "view") -> list[str]:
    """Return one sentence per place at which a value is not of a type."""
    if get_origin(kind) is UnionType:
        tried = [faults(value, one, path) for one in get_args(kind)]
        return [] if [] in tried else max(tried, key=len)
    if is_typeddict(kind) and isinstance(value, dict):
        hints = hints_of(kind)
        if not kind.__required_keys__ <= set(value) <= set(hints):
            return [f"{path}: expected {sorted(hints)}, found {sorted(value)}"]
        return [f for key in value for f in faults(value[key], hints[key], f"{path}.{key}")]
    if get_origin(kind) is list and isinstance(value, list):
        return [f for item in value for f in faults(item, get_args(kind)[0], f"{path}[]")]
    if get_origin(kind) is dict and isinstance(value, dict):
        keys = [f for key in value for f in faults(key, get_args(kind)[0], f"{path} (key)")]
        return keys + [
            f for key, item in value.items() for f in faults(item, get_args(kind)[1], path)
        ]
    expected = NoneType if kind is None else kind
    return [] if type(value) is expected else [f"{path}: expected {kind}, found {value!r}"]


def test_every_game_has_typed_views() -> None:
    assert set(VIEWS) == set(zashiki.games())


@pytest.mark.compiled
@pytest.mark.parametrize("game", VIEWS)
def test_every_view_is_of_its_type(game: str) -> None:
    public, own = VIEWS[game]
    for form in forms(zashiki.games()[game]):
        walk = Walk(form, 5)
        while True:
            assert faults(walk.match.view(None), public) == []
            for seat in range(form.seats):
                assert faults(walk.match.view(seat), own) == []
            if walk.match.over:
                break
            walk.advance()


def test_a_wrong_type_is_found() -> None:
    view = zashiki.start("kingdoms", seed=7).view(0)
    assert faults(view, KingdomsSeatView) == []
    assert faults(view, KingdomsPublicView)
    assert faults({**view, "number": "1"}, KingdomsSeatView)
    assert faults({**view, "areas": {"border": 3}}, KingdomsSeatView)
    del view["still"]
    assert faults(view, KingdomsSeatView)
