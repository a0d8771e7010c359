"""Red Town's entry in the catalogue, and its options."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from zashiki.core.bot import Level
from zashiki.core.facts import Vocabulary
from zashiki.core.spec import AnyGame, Credits, GameSpec, Option, OptionValue
from zashiki.games.red_town.ai.bot import Sensible, immediate_value
from zashiki.games.red_town.ai.playout_policy import RedTownPolicy
from zashiki.games.red_town.packing import FORMS
from zashiki.games.red_town.play import RedTown
from zashiki.games.red_town.words import vocabulary as words


@cache
def rules(seats: int, form: str, is_open: bool) -> RedTown:
    """Return a cached game: games are stateless, and this one's tables take long to make."""
    return RedTown(seats, form, is_open)


def make(seats: int, options: Mapping[str, Any]) -> RedTown:
    return rules(seats, options["form"], options["hitmen"] == "open")


@cache
def vocabulary_of(seats: int, form: str) -> Vocabulary:
    game = rules(seats, form, True)
    return words(seats, FORMS.index(form), game.table, game.plays)


def vocabulary(seats: int, options: Mapping[str, Any]) -> Vocabulary:
    return vocabulary_of(seats, options["form"])


def forms_for(seats: int) -> tuple[OptionValue, ...]:
    """Return the forms for a number of seats, the default first (RT 1.2)."""
    return ("two",) if seats == 2 else ("standard", "short")


def playout_policy(game: AnyGame, looks: int) -> RedTownPolicy:
    assert isinstance(game, RedTown)
    return RedTownPolicy(game, looks)


LEVELS: Mapping[str, Level] = MappingProxyType(
    {
        "newcomer": Level(8),
        "casual": Level(25, looks=2),
        "regular": Level(80, looks=4, exploration=0.5),
        "strong": Level(300, looks=6, exploration=0.4, proof=300),
        "master": Level(8000, looks=6, exploration=0.4, proof=1000),
    }
)
"""Levels by the number of worlds that they sample."""


RED_TOWN = GameSpec(
    id="red-town",
    folder=files("zashiki.games.red_town"),
    seats=(2, 3, 4, 5),
    rules_version=1,
    make=make,
    vocabulary=vocabulary,
    immediate_value=immediate_value,
    options={
        "form": Option(
            "form", ("standard", "short", "two"), "standard", "RT 1.2", forms_for, is_form=True
        ),
        "hitmen": Option("hitmen", ("open", "hidden"), "open", "RT 2.8"),
    },
    bots={"sensible": Sensible},
    playout_policy=playout_policy,
    levels=LEVELS,
    minutes=30,
    difficulty=2,
    credits=Credits(
        (
            ("design", ("Masikamaru",)),
            ("art", ("Tomohiro Tsugawa",)),
            ("proofreading", ("Yoshihiko Koriyama (ForGames)",)),
            ("layout", ("Sai Beppu", "Hakkutsu")),
            ("rules-translation", ("Daryl Chow",)),
            ("editing", ("Kota Taira",)),
            ("publishing", ("SUNNY BIRD Co., Ltd.",)),
        ),
        "https://sunny-bird.com/",
    ),
)
