"""The arena: bots against bots, the same deals for all of them, until it is clear who is stronger.

`schedule` says who sits where, `playing` plays a match, `ledger` keeps it, `contest` plays what is
missing here, in many processes or by `cluster` on many machines; `standing` says what it means,
`sequential` when it is clear, `ratings` how strong everybody seems; `export` and `report` write it.
"""

from zashiki.lab.arena.contest import Judge, contest
from zashiki.lab.arena.ledger import Ledger, opened
from zashiki.lab.arena.plan import Plan
from zashiki.lab.arena.schedule import Schedule
from zashiki.lab.arena.sequential import SequentialTest, Verdict
from zashiki.lab.arena.standing import Standing, measure

__all__ = [
    "Judge",
    "Ledger",
    "Plan",
    "Schedule",
    "SequentialTest",
    "Standing",
    "Verdict",
    "contest",
    "measure",
    "opened",
]
