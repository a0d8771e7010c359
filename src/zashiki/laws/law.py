"""The type of a law, a property of every match of every game, and its errors."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import PurePath
from traceback import extract_tb

from zashiki.core.rulings import Malformed
from zashiki.core.spec import GameSpec
from zashiki.laws.walk import Form, Walk

BEFORE, AFTER = 80, 120
"""Characters that are shown before and after the first difference of two texts."""


class Moment(Enum):
    """The time at which a law is judged."""

    FORM = "form"
    """Once per form, before a match begins."""
    STEP = "step"
    """Before actions (all of a short match, ever fewer of a long one), and at the end."""
    MATCH = "match"
    """Once per match, at its end."""


class Fault(Exception):
    """A violation, without its place, which `Law` adds."""

    def __init__(self, fault: str, step: int | None = None) -> None:
        super().__init__(fault)
        self.step = step


class Skipped(Exception):
    """A law cannot be judged in this form; the message says why."""


class BrokenLaw(AssertionError):
    """A game breaks a law: the law, the game, and how to reproduce it."""

    def __init__(
        self, law: str, form: Form, seed: int, picks: Sequence[int], step: int, fault: str
    ) -> None:
        options = ", ".join(f"{name}={value}" for name, value in form.options.items())
        picked = f", picks {list(picks)}" if picks else ""
        told = " ".join(fault.splitlines())
        super().__init__(
            f"broken law: {law}; game {form.spec.id}, {form.seats} seats, "
            f"options {options or 'none'}, seed {seed}{picked}, step {step}: {told}"
        )
        self.law = law


@dataclass(frozen=True)
class Law:
    """A named property of a walk."""

    name: str
    moment: Moment
    judge: Callable[[Walk], None]

    def check(self, walk: Walk) -> None:
        """Judge a walk at its present step; raise `BrokenLaw` or `Skipped`."""
        try:
            self.judge(walk)
        except Skipped:
            raise
        except Fault as fault:
            raise self.broken(walk, fault) from fault.__cause__
        except Exception as error:  # rules that raise break the law that is being judged
            raise self.broken(walk, raised(error, walk.form.spec)) from error

    def broken(self, walk: Walk, fault: Fault) -> BrokenLaw:
        step = walk.step if fault.step is None else fault.step
        return BrokenLaw(self.name, walk.form, walk.seed, walk.picks, step, str(fault))


def difference(one: str, other: str) -> str:
    """Return the first difference of two long texts, in one line."""
    pairs = enumerate(zip(one, other, strict=False))
    shared = next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))
    excerpts = [repr(text[max(0, shared - BEFORE) : shared + AFTER]) for text in (one, other)]
    return f"…{excerpts[0]}… and …{excerpts[1]}…"


def raised(error: Exception, spec: GameSpec) -> Fault:
    """Return the fault of rules that raise, with their own line; `Malformed` tells it by itself."""
    where = ""
    if isinstance(spec.folder, PurePath) and not isinstance(error, Malformed):
        for frame in extract_tb(error.__traceback__):
            file = PurePath(frame.filename)
            if file.is_relative_to(spec.folder):
                where = f" in {file.name}, line {frame.lineno}"
    return Fault(f"{type(error).__name__} was raised{where}: {error}")


LAWS: list[Law] = []
"""Every law, in the order in which a report names them."""


def law(name: str, moment: Moment) -> Callable[[Callable[[Walk], None]], Law]:
    """Make a law of a function that raises `Fault`, and add it to `LAWS`."""

    def enter(judge: Callable[[Walk], None]) -> Law:
        made = Law(name, moment, judge)
        LAWS.append(made)
        return made

    return enter
