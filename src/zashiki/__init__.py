"""Zashiki: Japanese card games, complete and exact, from Python.

import zashiki
match = zashiki.start("kamiza-second", seats=4, seed=7)
while not match.over:
    for seat in sorted(match.to_act):
        match.play(seat, match.legal(seat)[0])
print(match.outcome)
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from zashiki.core import match as _match
from zashiki.core import record as _record
from zashiki.core.facts import Fact
from zashiki.core.game import Outcome
from zashiki.core.match import Match, Seed
from zashiki.core.rulings import Malformed, Refusal, Refused
from zashiki.core.spec import GameSpec, Option
from zashiki.games import game_spec

__all__ = [
    "Fact",
    "GameSpec",
    "Malformed",
    "Match",
    "Option",
    "Outcome",
    "Refusal",
    "Refused",
    "games",
    "replay",
    "scenario",
    "start",
]


if TYPE_CHECKING:  # at run time it is the package of that name, which can be called

    def games() -> Mapping[str, GameSpec]:
        """From a game's id to what it offers: title, seats, options, values and defaults."""
        ...


def start(
    game: str,
    seats: int,
    *,
    options: Mapping[str, object] | None = None,
    seed: Seed = None,
    names: Sequence[str] = (),
    nonces: Sequence[str] = (),
    salt: bytes | None = None,
) -> Match:
    """A new match. Equal seeds (and nonces) deal alike; None takes the system's entropy."""
    return _match.start(game_spec(game), seats, options, seed, names, nonces, salt)


def replay(
    text: str, *, seed: Seed = None, salt: bytes | None = None, until: int | None = None
) -> Match:
    """The match a record tells of, or its first `until` facts; with the seed it can go on."""
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
    """A match standing in a position given as `match.truth()` gives it."""
    return _match.scenario(game_spec(game), truth, options, seed, names)
