"""What an arena has played, on disk."""

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from zashiki.lab import ledger
from zashiki.lab.arena.plan import Plan
from zashiki.lab.arena.playing import Played, Times

Ledger = ledger.Ledger[Played]


def opened(folder: Path | None, plan: Plan) -> AbstractContextManager[Ledger]:
    """The ledger of a plan in a folder, begun or gone on with; None: one that nobody keeps."""
    return ledger.opened(ARENA, folder, plan)


def written(played: Played) -> dict[str, Any]:
    times = [
        [*spent[:3], [step for pair in spent.classes.items() for step in pair]]
        for spent in played.times
    ]
    return {"match": played.match, "ranks": played.ranks, "scores": played.scores, "times": times}


def read(known: dict[str, Any]) -> Played:
    times = tuple(
        Times(decisions, seconds, longest, dict(zip(steps[::2], steps[1::2], strict=True)))
        for decisions, seconds, longest, steps in known["times"]
    )
    return Played(known["match"], tuple(known["ranks"]), tuple(known["scores"]), times)


ARENA = ledger.Kind("arena", "an arena", "an arena of {} matches", written, read)
