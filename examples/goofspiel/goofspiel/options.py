"""Goofspiel's entry in the catalogue, and its options."""

from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from goofspiel.actions import MOST_CARDS
from goofspiel.bot import Sensible, immediate_value
from goofspiel.play import ORDERS, Goofspiel
from goofspiel.rulings import GS_1_2, GS_2_2
from goofspiel.words import vocabulary
from zashiki.core.spec import GameSpec, Option

LEAST_CARDS = 2


def make(seats: int, options: Mapping[str, Any]) -> Goofspiel:
    return Goofspiel(seats, options["cards"], options["order"])


GOOFSPIEL = GameSpec(
    id="goofspiel",
    folder=files("goofspiel"),
    seats=(2, 3, 4),
    rules_version=1,
    make=make,
    vocabulary=vocabulary,
    immediate_value=immediate_value,
    options={
        "cards": Option(
            "cards", tuple(range(LEAST_CARDS, MOST_CARDS + 1)), MOST_CARDS, GS_1_2, is_form=True
        ),
        "order": Option("order", ORDERS, ORDERS[0], GS_2_2),
    },
    bots={"sensible": Sensible},
    minutes=10,
    difficulty=1,
)
