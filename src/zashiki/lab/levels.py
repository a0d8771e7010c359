"""Measure whether each level of the bots is clearly above the one below, in each game and form.

With more than two seats, the upper level has one seat and the lower one all others. The reverse is
not played, so these measurements do not show that the lower level would not win more than its share
in that position as well.
"""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from zashiki.bots import LEVELS
from zashiki.core.rulings import Malformed
from zashiki.games import game_spec
from zashiki.lab.arena import Judge, Plan, contest, opened
from zashiki.lab.arena.sequential import Finding


class Form(NamedTuple):
    """A table at which levels are measured."""

    game: str
    seats: int
    options: dict[str, Any]

    def __str__(self) -> str:
        chosen = "".join(f" {value}" for value in self.options.values())
        return f"{self.game}{chosen}, {self.seats} seats"


FORMS = (
    Form("kamiza-second", 3, {}),
    Form("kamiza-second", 4, {}),
    Form("kamiza-2014", 3, {}),
    Form("kamiza-2014", 4, {}),
    Form("red-town", 4, {"form": "short"}),
    Form("red-town", 4, {"form": "standard"}),
    Form("red-town", 2, {"form": "two"}),
    Form("kingdoms", 2, {}),
)
STEPS = (
    *((above, below) for below, above in zip(LEVELS, list(LEVELS)[1:], strict=False)),
    ("master", "sensible"),
    ("sensible", "greedy"),
)
"""Pairs of bots, the one that should be stronger first."""
CLEARLY = 0.6
"""Share of decisive matches that shows it between two; with more seats it is the fair share."""


class Measured(NamedTuple):
    """One pair of bots at one table, with the result."""

    form: Form
    above: str
    below: str
    finding: Finding


def forms_of(game: str | None) -> list[Form]:
    """The tables of a game; None: all."""
    if game is None:
        return list(FORMS)
    forms = [form for form in FORMS if form.game == game_spec(game).id]
    if not forms:
        known = ", ".join(dict.fromkeys(form.game for form in FORMS))
        raise Malformed(f"{game}: no levels are measured there; expected one of {known}")
    return forms


def step_name(form: Form, above: str, below: str) -> str:
    """Name of the folder for the results of a pair."""
    return f"{form} {above} {below}".replace(",", "").replace(" ", "-")


def prepare(folder: Path) -> None:
    """Make the folder, or check that it holds nothing but results of levels."""
    folder.mkdir(exist_ok=True)
    steps = {step_name(form, *step) for form in FORMS for step in STEPS}
    if {path.name for path in folder.iterdir() if not path.name.startswith(".")} - steps:
        raise Malformed(f"{folder}: holds other files; use a new or empty folder")


def plan_of(form: Form, above: str, below: str, matches: int, seed: int | str) -> Plan:
    share = CLEARLY if form.seats == 2 else 1 / form.seats
    bots = [above, below]
    return Plan.checked(form.game, form.seats, bots, matches, seed, form.options, share)


def climb(
    form: Form, matches: int, seed: int | str, workers: int | None, folder: Path | None
) -> Iterator[Measured]:
    """Measure the pairs one by one; each ends when it is clear or all matches are played."""
    for above, below in STEPS:
        plan = plan_of(form, above, below, matches, seed)
        place = None if folder is None else folder / step_name(form, above, below)
        with opened(place, plan) as results:
            with closing(contest(plan, results, workers)) as played:
                for _ in played:
                    pass
            finding = Judge(plan, results).finding()
            assert finding is not None, "a share was asked for"
            yield Measured(form, above, below, finding)
