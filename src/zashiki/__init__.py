"""Zashiki: Japanese card games, complete and exact, from Python.

import zashiki
match = zashiki.start("kamiza-second", seats=4, seed=7)
while not match.over:
    for seat in sorted(match.to_act):
        match.play(seat, match.legal(seat)[0])
print(match.outcome)
"""

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import TYPE_CHECKING

from zashiki.core import match as _match
from zashiki.core import record as _record
from zashiki.core.facts import Fact
from zashiki.core.game import Outcome
from zashiki.core.match import Match, Seed
from zashiki.core.rulings import Malformed, Refusal, Refused
from zashiki.core.spec import GameSpec, Option
from zashiki.games import catalogue, game_spec

__all__ = [
    "Fact",
    "GameSpec",
    "Malformed",
    "Match",
    "Option",
    "Outcome",
    "Refusal",
    "Refused",
    "__version__",
    "bot",
    "games",
    "position",
    "replay",
    "review",
    "scenario",
    "start",
]


if TYPE_CHECKING:
    from zashiki.analysis.result import Review
    from zashiki.bots.player import Player

    __version__: str

if TYPE_CHECKING:  # at run time this is the package of that name, which is callable

    def games() -> Mapping[str, GameSpec]:
        """Return the specification of every game by id: title, seats, options and defaults."""
        ...


def start(
    game: str,
    seats: int | None = None,
    *,
    options: Mapping[str, object] | None = None,
    seed: Seed = None,
    names: Sequence[str] = (),
    nonces: Sequence[str] = (),
    salt: bytes | None = None,
) -> Match:
    """Return a new match. Equal seeds (and nonces) deal alike; None: the system's entropy.

    `seats` can be left out if the game has only one number of them.
    """
    return _match.start(game_spec(game), seats, options, seed, names, nonces, salt)


def replay(
    text: str, *, seed: Seed = None, salt: bytes | None = None, until: int | None = None
) -> Match:
    """Return the match of a record, or of its first `until` facts. With a seed it can be played."""
    record = _record.read(text)
    return _match.replayed(game_spec(record.header.game), record, seed, salt, until)


def scenario(
    game: str,
    truth: Mapping[str, object],
    options: Mapping[str, object] | None = None,
    *,
    seed: Seed = None,
    names: Sequence[str] = (),
) -> Match:
    """Return a match in a position, which is given as `match.truth()` returns it."""
    return _match.scenario(game_spec(game), truth, options, seed, names)


def review(
    match: Match | str,
    seat: int | None = None,
    *,
    seconds: float | None = None,
    playouts: int | None = None,
    seed: int | str = 0,
) -> "Review":
    """Return the value of every decision of a seat, or of all seats, given what it knew.

    `match` is a match or the text of a record. The budget is `seconds` (default: 60) or, for a
    result that can be repeated exactly, `playouts` per decision. It needs the extra `review`.
    """
    from zashiki.analysis.reviewing import review_match

    whole = match if isinstance(match, Match) else replay(match)
    return review_match(whole, seat, seconds=seconds, playouts=playouts, seed=seed)


def position(text: str, *, seed: Seed = None, names: Sequence[str] = ()) -> Match:
    """Return a match in a position, which is given as `match.position()` returns it."""
    return _match.position(text, catalogue(), seed, names)


def bot(game: str, name: str, *, seed: int = 0) -> "Player":
    """Return a bot by its name, such as "master". Equal seeds and equal views choose alike."""
    from zashiki.bots.player import Player  # a search is not needed to play

    return Player(game_spec(game), name, seed)


def __getattr__(name: str) -> str:
    """Return `__version__`, which is looked up only on demand, because that takes time."""
    if name == "__version__":
        return version("zashiki")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
