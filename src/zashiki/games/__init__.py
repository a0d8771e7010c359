"""The catalogue: every game of this package, and every game that another package offers.

A subpackage of this one, or the target of an entry point in the group `zashiki.games`, has a tuple
`GAMES` of specs. There is no list to edit.
"""

import pkgutil
import sys
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from types import MappingProxyType, ModuleType

from zashiki.core.rulings import Malformed, quoted
from zashiki.core.spec import GameSpec


@cache
def catalogue() -> Mapping[str, GameSpec]:
    """Return the specs of all games by id, sorted."""
    inside = [
        f"{__name__}.{module.name}" for module in pkgutil.iter_modules(__path__) if module.ispkg
    ]
    outside = sorted({entry.value for entry in entry_points(group="zashiki.games")})
    specs: dict[str, GameSpec] = {}
    for name in (*inside, *outside):
        for spec in games_in(name):
            if spec.id in specs:
                raise Malformed(
                    f"game {quoted(spec.id)} of {name}: another package offers a game of that name"
                )
            specs[spec.id] = spec
    return MappingProxyType(dict(sorted(specs.items())))


def games_in(name: str) -> tuple[GameSpec, ...]:
    """Return the games of a package. The error for an unusable package names it."""
    try:
        games = import_module(name).GAMES
    except (ImportError, AttributeError) as fault:
        raise Malformed(f"package {name!r} offers no games: {fault}") from None
    if not isinstance(games, tuple) or not all(isinstance(game, GameSpec) for game in games):
        raise Malformed(f"package {name!r}: expected GAMES, a tuple of specs, found none")
    return games


def game_spec(game: object) -> GameSpec:
    """Return the spec of a game by its id."""
    if not isinstance(game, str) or game not in catalogue():
        raise Malformed(f"game: expected one of {', '.join(catalogue())}, found {quoted(game)}")
    return catalogue()[game]


class CallablePackage(ModuleType):
    """`zashiki.games()` is the front door's catalogue, and `zashiki.games` is this package."""

    def __call__(self) -> Mapping[str, GameSpec]:
        return catalogue()


sys.modules[__name__].__class__ = CallablePackage
