"""Ratings of the bots, fixed by measurement: `ratings.toml`, which `zashiki lab ratings` writes.

They are kept by game, form and number of seats, on the scale of openskill: 25 is the mean of the
bots that were measured together.
"""

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from zashiki.bots.thinking import levels_of
from zashiki.core.spec import GameSpec

TABLE = "ratings.toml"


class Measured(NamedTuple):
    """The rating of a bot, and the number of its matches."""

    mu: float
    sigma: float
    matches: int


@cache
def table() -> Mapping[tuple[str, str, int], Mapping[str, Any]]:
    """Return the measured ratings by game, form and number of seats."""
    read = tomllib.loads((files("zashiki.bots") / TABLE).read_text("utf-8"))
    return {(row["game"], row["form"], row["seats"]): row for row in read.get("measured", [])}


def measured_pools() -> Iterable[tuple[str, str, int]]:
    """Return game, form and number of seats of each measurement."""
    return table()


def bot_rating(spec: GameSpec, form: str, seats: int, bot: str) -> Measured | None:
    """Return the measured rating of a bot; None if it was not measured there."""
    row = table().get((spec.id, form, seats))
    found = None if row is None else row["bots"].get(same_bot(spec, bot))
    return None if found is None else Measured(found["mu"], found["sigma"], found["matches"])


def same_bot(spec: GameSpec, bot: str) -> str:
    """Return the bot that plays for a level which has no search of its own."""
    level = levels_of(spec).get(bot)
    return level.bot if level is not None and level.bot else bot
