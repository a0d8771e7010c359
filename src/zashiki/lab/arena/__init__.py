"""The arena: bots against bots on the same deals, until it is clear which one is stronger.

`plan` and `schedule` say which bots sit where, `playing` plays a match, `match_result` is its
result. `contest` plays all matches: in one process, in several, or by `cluster` on many machines.
`standing` sums the results up, `sequential` tests when they are clear, `ratings` rates the bots;
`export` and `report` write files.
"""

from zashiki.lab.arena.contest import Judge, contest
from zashiki.lab.arena.match_result import ArenaResults
from zashiki.lab.arena.plan import Plan
from zashiki.lab.arena.schedule import Schedule
from zashiki.lab.arena.sequential import SequentialTest, Verdict
from zashiki.lab.arena.standing import Standing, measure
from zashiki.lab.results import opened

__all__ = [
    "ArenaResults",
    "Judge",
    "Plan",
    "Schedule",
    "SequentialTest",
    "Standing",
    "Verdict",
    "contest",
    "measure",
    "opened",
]
