"""The catalogue: every game found in this package, and every one that another package offers.

A subpackage of this one, or the target of an entry point in the group `zashiki.games`, has a tuple
`GAMES` of offers. There is no list to edit.
"""

import pkgutil
import sys
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from types import MappingProxyType, ModuleType

from zashiki.core.offer import Offer
from zashiki.core.rulings import Malformed, quoted


@cache
def catalogue() -> Mapping[str, Offer]:
    """From a game's id to what it offers, by id."""
    inside = [
        f"{__name__}.{module.name}" for module in pkgutil.iter_modules(__path__) if module.ispkg
    ]
    outside = sorted({entry.value for entry in entry_points(group="zashiki.games")})
    offers: dict[str, Offer] = {}
    for name in (*inside, *outside):
        for offer in games_in(name):
            if offer.id in offers:
                raise Malformed(
                    f"game {quoted(offer.id)} of {name}: another package offers a game of that name"
                )
            offers[offer.id] = offer
    return MappingProxyType(dict(sorted(offers.items())))


def games_in(name: str) -> tuple[Offer, ...]:
    """What a package offers; a package that cannot be taken is named."""
    try:
        games = import_module(name).GAMES
    except (ImportError, AttributeError) as fault:
        raise Malformed(f"package {name!r} offers no games: {fault}") from None
    if not isinstance(games, tuple) or not all(isinstance(game, Offer) for game in games):
        raise Malformed(f"package {name!r}: GAMES, a tuple of offers, is expected")
    return games


def offer_of(game: object) -> Offer:
    """The offer of a game by its id."""
    if not isinstance(game, str) or game not in catalogue():
        raise Malformed(f"game {quoted(game)}: one of {', '.join(catalogue())} is expected")
    return catalogue()[game]


class CallablePackage(ModuleType):
    """`zashiki.games()` is the front door's catalogue, and `zashiki.games` is this package."""

    def __call__(self) -> Mapping[str, Offer]:
        return catalogue()


sys.modules[__name__].__class__ = CallablePackage
