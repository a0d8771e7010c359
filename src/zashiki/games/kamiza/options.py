"""The two editions' entries in the catalogue, and their options."""

from collections.abc import Mapping
from dataclasses import replace
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from zashiki.core.bot import Level
from zashiki.core.facts import Vocabulary
from zashiki.core.spec import AnyGame, Credits, GameSpec, Option
from zashiki.games.kamiza.ai.bot import Sensible, immediate_value
from zashiki.games.kamiza.ai.playout_policy import KamizaPolicy
from zashiki.games.kamiza.ai.solved import Solved, solution
from zashiki.games.kamiza.judging import Judging
from zashiki.games.kamiza.play import Kamiza
from zashiki.games.kamiza.words import SPEECH, vocabulary

FIRST_CARDS = ("boss", "underboss", "hitman", "raid")
SECOND_CARDS = ("boss", "underboss", "hitman", "police")


def make_first(seats: int, options: Mapping[str, Any]) -> Kamiza:
    judging = Judging(second=False, underboss_shield=options["underboss_shield"])
    return Kamiza(seats, FIRST_CARDS, judging, options["open_start"], chicken=True)


def make_second(seats: int, options: Mapping[str, Any]) -> Kamiza:
    judging = Judging(second=True, underboss_shield=options["underboss_shield"])
    return Kamiza(
        seats, SECOND_CARDS, judging, options["open_start"], options["tie_break"] == "chicken"
    )


def first_vocabulary(seats: int, _: Mapping[str, Any]) -> Vocabulary:
    return vocabulary(seats, FIRST_CARDS)


def second_vocabulary(seats: int, _: Mapping[str, Any]) -> Vocabulary:
    return vocabulary(seats, SECOND_CARDS)


def switch(name: str, ruling: str) -> Option:
    return Option(name, (False, True), False, ruling)


def playout_policy(_: AnyGame, looks: int) -> KamizaPolicy:
    return KamizaPolicy(looks)


LEVELS: Mapping[str, Level] = MappingProxyType(
    {
        "newcomer": Level(6),
        "casual": Level(30),
        "regular": Level(120),
        "strong": Level(0, bot="sensible"),
        "master": Level(0, bot="solved"),
    }
)
"""Three levels that sample worlds, one that weighs all cards of the others, and one with a stored
strategy. More worlds do not help against the last two: see docs/games/kamiza.md."""


FIRST = GameSpec(
    id="kamiza-2014",
    folder=files("zashiki.games.kamiza"),
    seats=(3, 4),
    rules_version=1,
    make=make_first,
    vocabulary=first_vocabulary,
    immediate_value=immediate_value,
    options={
        "open_start": switch("open_start", "K1 2.4"),
        "underboss_shield": switch("underboss_shield", "K1 3.5"),
    },
    bots={"sensible": Sensible, "solved": Solved},
    playout_policy=playout_policy,
    levels=LEVELS,
    solution=solution,
    speech=SPEECH,
    minutes=20,
    difficulty=1,
    credits=Credits(
        (
            ("production", ("Osabura Games",)),
            ("design-art", ("Akitaka Watanabe",)),
            ("translation", ("Saigo",)),
        ),
    ),
)

SECOND = replace(
    FIRST,
    id="kamiza-second",
    make=make_second,
    vocabulary=second_vocabulary,
    options={
        "open_start": switch("open_start", "K2 2.7"),
        "underboss_shield": switch("underboss_shield", "K2 3.6"),
        "tie_break": Option("tie_break", ("chicken", "shared"), "chicken", "K2 4.4"),
    },
    credits=Credits(
        (
            ("design-art", ("Akitaka Watanabe",)),
            ("proofreading", ("HAL99",)),
            ("translation", ("Saigo",)),
            ("production-sales", ("King Daiz Game",)),
        ),
        "http://kingdaizgame.wix.com/kingdaizgame",
    ),
)
