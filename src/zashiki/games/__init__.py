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
from zashiki.core.rulings import Malformed


@cache
def catalogue() -> Mapping[str, Offer]:
    """From a game's id to what it offers, by id."""
    inside = [
        f"{__name__}.{module.name}" for module in pkgutil.iter_modules(__path__) if module.ispkg
    ]
    outside = sorted({entry.value for entry in entry_points(group="zashiki.games")})
    offers: dict[str, Offer] = {}
    for name in (*inside, *outside):
        for offer in import_module(name).GAMES:
            if offer.id in offers:
                raise Malformed(
                    f"game {offer.id!r} of {name}: another package offers a game of that name"
                )
            offers[offer.id] = offer
    return MappingProxyType(dict(sorted(offers.items())))


def offer_of(game: object) -> Offer:
    """The offer of a game by its id."""
    if not isinstance(game, str) or game not in catalogue():
        raise Malformed(f"game {game!r}: one of {', '.join(catalogue())} is expected")
    return catalogue()[game]


class CallablePackage(ModuleType):
    """`zashiki.games()` is the front door's catalogue, and `zashiki.games` is this package."""

    def __call__(self) -> Mapping[str, Offer]:
        return catalogue()


sys.modules[__name__].__class__ = CallablePackage
