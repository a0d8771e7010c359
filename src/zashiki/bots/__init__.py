"""The bots: those that play every game, and those that know one game.

A bot gets a view and the legal actions, never a state. `random` and `greedy` play every game, and
so do the five levels, which search. A game's own bots (`sensible`) come with its spec.
"""

import hashlib
from dataclasses import replace

from zashiki.bots.names import kind_name, names_of, spoken_name
from zashiki.bots.plain import Greedy, Random
from zashiki.bots.talking import words_of
from zashiki.bots.thinking import LEVELS, Thinker, levels_of
from zashiki.core.bot import Bot
from zashiki.core.dice import seed_bytes
from zashiki.core.rulings import Malformed, quoted
from zashiki.core.spec import AnyGame, GameSpec

__all__ = [
    "LEVELS", "USUAL", "Bot", "Greedy", "Random", "Thinker", "bot_names", "derived_seed",
    "kind_name", "make_bot", "names_of", "spoken_name", "unknown_bot", "words_of",
]  # fmt: skip

FOR_EVERY_GAME = ("random", "greedy")
USUAL = "regular"
"""The bot that plays if none is named."""


def bot_names(spec: GameSpec) -> tuple[str, ...]:
    """Return the bots that can play this game: the levels last, the strongest at the end."""
    own = (name for name in spec.bots if name not in FOR_EVERY_GAME)
    return (*FOR_EVERY_GAME, *own, *LEVELS)


def make_bot(
    name: str,
    spec: GameSpec,
    game: AnyGame,
    seed: int,
    seconds: float | None = None,
    worlds: int | None = None,
) -> Bot:
    """Return a bot by its name, for these rules. Its choice is a function of its view and seed.

    `seconds` limits the time per decision; the choice may then depend on the clock. `worlds` limits
    the worlds per decision, which makes the bot weaker.
    """
    if name in spec.bots:
        return spec.bots[name](game, seed)
    if name == "random":
        return Random(game, seed)
    if name == "greedy":
        return Greedy(spec, game, seed)
    if name in LEVELS:
        level = levels_of(spec)[name]
        if level.bot:
            return make_bot(level.bot, spec, game, seed)
        if worlds is not None:
            fewer, shorter = min(worlds, level.worlds), min(worlds, level.proof)
            level = replace(level, worlds=fewer, proof=shorter)
        return Thinker(spec, game, level, seed, seconds)
    raise unknown_bot(spec, name)


def unknown_bot(spec: GameSpec, name: object) -> Malformed:
    """Return the error for a name that no bot of this game has."""
    expected = ", ".join(bot_names(spec))
    return Malformed(f"bot of {spec.id}: expected one of {expected}, found {quoted(name)}")


def derived_seed(seed: int | str, *path: int | str) -> int:
    """Return a seed of 48 bits for a path under a seed, equal on every machine."""
    place = "/".join(str(step) for step in path).encode()
    digest = hashlib.blake2b(place, key=seed_bytes(seed), digest_size=6).digest()
    return int.from_bytes(digest, "big")
