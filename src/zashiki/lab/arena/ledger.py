"""What an arena has played, on disk."""

from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Any

from zashiki.lab import ledger
from zashiki.lab.arena.plan import Plan
from zashiki.lab.arena.playing import SLOWEST, Played, Times
from zashiki.lab.ledger import listed, number, ranking, whole_number

Ledger = ledger.Ledger[Played]


def opened(folder: Path | None, plan: Plan) -> AbstractContextManager[Ledger]:
    """The ledger of a plan in a folder, begun or gone on with; None: one that nobody keeps."""
    reading = partial(read, plan.seats)
    kind = ledger.Kind("arena", "an arena", "an arena of {} matches", written, reading)
    return ledger.opened(kind, folder, plan)


def written(played: Played) -> dict[str, Any]:
    times = [
        [*spent[:3], [step for pair in spent.classes.items() for step in pair]]
        for spent in played.times
    ]
    return {"match": played.match, "ranks": played.ranks, "scores": played.scores, "times": times}


def read(seats: int, known: dict[str, Any]) -> Played:
    return Played(
        known["match"],
        ranking(known["ranks"], seats),
        tuple(number(score) for score in listed(known["scores"], seats)),
        tuple(read_times(*listed(spent, 4)) for spent in listed(known["times"], seats)),
    )


def read_times(decisions: object, seconds: object, longest: object, steps: object) -> Times:
    numbers = [whole_number(step, 0) for step in listed(steps)]
    classes = dict(zip(numbers[::2], numbers[1::2], strict=True))
    if max(classes, default=0) > SLOWEST:
        raise ValueError
    count = whole_number(decisions, sum(classes.values()), sum(classes.values()))
    return Times(count, number(seconds, 0), number(longest, 0), classes)
