"""Kingdoms' entry in the catalogue, and its options."""

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from zashiki.core.bot import Level
from zashiki.core.facts import Vocabulary
from zashiki.core.spec import AnyGame, Content, Credits, GameSpec, Option
from zashiki.games.kingdoms.ai.bot import Sensible, immediate_value
from zashiki.games.kingdoms.ai.odds import Odds
from zashiki.games.kingdoms.ai.playout_policy import KingdomsPolicy
from zashiki.games.kingdoms.card_set import BUILT_IN, built_in, remarks, settled, spoken
from zashiki.games.kingdoms.forces import SIDES, Forces
from zashiki.games.kingdoms.match_stats import match_stats
from zashiki.games.kingdoms.play import Kingdoms
from zashiki.games.kingdoms.words import vocabulary as words_of

MOST_KEPT = 16
"""The number of card sets whose odds are cached."""


def card_set_of(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the whole set of the options, also for the name of a built-in one."""
    chosen: str | dict[str, Any] = options["card_set"]
    return built_in(chosen) if isinstance(chosen, str) else chosen


def make(_: int, options: Mapping[str, Any]) -> Kingdoms:
    return Kingdoms(card_set_of(options))


def vocabulary(_: int, options: Mapping[str, Any]) -> Vocabulary:
    return words_of(Forces(card_set_of(options)))


@lru_cache(MOST_KEPT)
def odds(game: Kingdoms) -> Odds:
    return Odds(game.forces)


def playout_policy(game: AnyGame, looks: int) -> KingdomsPolicy:
    assert isinstance(game, Kingdoms)
    return KingdomsPolicy(game, odds(game), looks)


LEVELS: Mapping[str, Level] = MappingProxyType(
    {
        "newcomer": Level(12),
        "casual": Level(0, bot="greedy"),
        "regular": Level(12, looks=4, exploration=1.0),
        "strong": Level(120, looks=4, exploration=1.0),
        "master": Level(4000, looks=4, exploration=2.5, proof=500),
    }
)
"""The level newcomer samples few worlds and plays at random in them, casual uses the open cards.
The others use the playout policy and sample worlds; a weaker level samples fewer."""


KINGDOMS = GameSpec(
    id="kingdoms",
    folder=files("zashiki.games.kingdoms"),
    seats=(2,),
    rules_version=1,
    make=make,
    vocabulary=vocabulary,
    immediate_value=immediate_value,
    options={
        "card_set": Option(
            "card_set",
            BUILT_IN,
            BUILT_IN[0],
            "RB 6.1",
            content=Content(settled, remarks, spoken, ".toml"),
            is_form=True,
        ),
    },
    bots={"sensible": Sensible},
    playout_policy=playout_policy,
    levels=LEVELS,
    sides=SIDES,
    match_stats=match_stats,
    minutes=20,
    difficulty=3,
    # Our copy of the rulebook names nobody; these are from the publisher's page and reviews.
    credits=Credits(
        (("design", ("Masao Suganuma (菅沼正夫)",)), ("publishing", ("Grounding Inc.",))),
        "https://www.g-rounding.com/",
    ),
)
