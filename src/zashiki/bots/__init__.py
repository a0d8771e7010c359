"""Who sits down when nobody does: the bots of every game, and those that know one game.

A bot gets a view and the legal actions, never a state. `random` and `greedy` play every game; a
game's own bots (`sensible`) come with its offer.
"""

import hashlib

from zashiki.bots.names import names_of, spoken_name
from zashiki.bots.plain import Greedy, Random
from zashiki.core.bot import Bot
from zashiki.core.dice import seed_bytes
from zashiki.core.offer import AnyGame, Offer
from zashiki.core.rulings import Malformed

__all__ = [
    "Bot", "Greedy", "Random", "bot_names", "derived_seed", "make_bot", "names_of", "spoken_name",
]  # fmt: skip

FOR_EVERY_GAME = ("random", "greedy")


def bot_names(offer: Offer) -> tuple[str, ...]:
    """The bots that can play this game, the plainest first."""
    return (*FOR_EVERY_GAME, *(name for name in offer.bots if name not in FOR_EVERY_GAME))


def make_bot(name: str, offer: Offer, game: AnyGame, seed: int) -> Bot:
    """A bot by its name, for these rules; equal seeds give equal choices."""
    if name in offer.bots:
        return offer.bots[name](game, seed)
    if name == "random":
        return Random(seed)
    if name == "greedy":
        return Greedy(offer, game, seed)
    raise Malformed(f"bot {name!r}: {offer.id} knows {', '.join(bot_names(offer))}")


def derived_seed(seed: int | str, *path: int | str) -> int:
    """A seed of its own for each path under a seed: 48 bits, equal on every machine."""
    place = "/".join(str(step) for step in path).encode()
    digest = hashlib.blake2b(place, key=seed_bytes(seed), digest_size=6).digest()
    return int.from_bytes(digest, "big")
