"""An arena from its plan to its end: what is still missing is played, and written down at once."""

import os
from collections.abc import Generator, Iterable, Sequence

from zashiki.lab.arena.ledger import Ledger
from zashiki.lab.arena.plan import Plan
from zashiki.lab.arena.playing import Played, play
from zashiki.lab.arena.sequential import Finding, SequentialTest, Value, Verdict, confidence
from zashiki.lab.arena.sums import win_credits
from zashiki.lab.crew import gathered
from zashiki.lab.simulate import checked_count


def contest(
    plan: Plan, ledger: Ledger, workers: int | None = 1, ray: str | None = None
) -> Generator[Played, None, None]:
    """Plays what the ledger lacks, in any order; each match is in it before it is handed out.

    So many processes share the work, or so many players in the cluster at this address of Ray's;
    None: as many as there are cores.
    """
    if workers is not None:
        checked_count("workers", workers)
    judge = Judge(plan, ledger)
    if judge.is_clear():
        return
    source = matches(plan, ledger, workers, ray)
    try:
        for _, played in source:
            ledger.keep(played)
            yield played
            if judge.is_clear():
                return
    finally:
        source.close()


def matches(
    plan: Plan, ledger: Ledger, workers: int | None, ray: str | None
) -> Generator[tuple[int, Played], None, None]:
    """Played here, in other processes, or on other machines: the results are the same."""
    left = plan.matches - len(ledger)
    if ray is not None and left:
        from zashiki.lab.arena.cluster import played_by_ray

        return played_by_ray(plan, ledger.missing(), left, workers, ray)
    count = min(workers or os.cpu_count() or 1, left)
    if count < 2:
        return alone(plan, ledger.missing())
    return gathered(play, plan, ledger.missing(), count)


def alone(plan: Plan, numbers: Iterable[int]) -> Generator[tuple[int, Played], None, None]:
    for number in numbers:
        yield number, play(plan, number)


class Judge:
    """Says when an arena is clear: deal after deal, in their order, whoever was ready first.

    What was played beyond the deal that made it clear does not count: so the result does not depend
    on how many processes shared the work.
    """

    def __init__(self, plan: Plan, ledger: Ledger) -> None:
        self.plan = plan
        self.ledger = ledger
        self.deals = 0
        self.test = None if plan.until_clear is None else SequentialTest(plan.until_clear)

    def is_clear(self) -> bool:
        """Is it, by the deals that are complete?"""
        test = self.test
        if test is None:
            return False
        size = self.plan.schedule.matches_a_deal
        while test.verdict is Verdict.UNCLEAR and self.deals < self.plan.deals:
            group = range(self.deals * size, (self.deals + 1) * size)
            if not all(match in self.ledger for match in group):
                return False
            test.add(self.value([self.ledger[match] for match in group]))
            self.deals += 1
        return test.verdict is not Verdict.UNCLEAR

    def value(self, deal: Sequence[Played]) -> Value:
        """What the first bot made of a deal; between two, only decisive matches count."""
        sure = drawn = 0.0
        for played in deal:
            if self.plan.seats == 2 and played.ranks[0] == played.ranks[1]:
                drawn += 1
            else:
                seat = self.plan.schedule.lineup_of(played.match).index(0)
                sure += win_credits(played.ranks)[seat]
        return Value(sure / len(deal), drawn / len(deal))

    def finding(self) -> Finding | None:
        """What was found, once all is played; None where nothing was asked."""
        self.is_clear()
        if self.test is None:
            return None
        size = self.plan.schedule.matches_a_deal
        estimate = confidence(self.test.values)
        return Finding(self.test.verdict, self.test.share, self.deals, self.deals * size, estimate)
