"""Play an arena from its plan to its end: what has no result yet, each result kept at once."""

import os
from collections.abc import Generator, Sequence

from zashiki.lab.arena.match_result import ArenaResults, MatchResult
from zashiki.lab.arena.plan import Plan
from zashiki.lab.arena.playing import play
from zashiki.lab.arena.sequential import Finding, SequentialTest, Value, Verdict, confidence
from zashiki.lab.arena.sums import win_credits
from zashiki.lab.simulate import checked_count
from zashiki.lab.workers import map_as_completed


def contest(
    plan: Plan, results: ArenaResults, workers: int | None = 1, ray: str | None = None
) -> Generator[MatchResult, None, None]:
    """Play the matches that have no result, and yield each after it is kept, in any order.

    `workers` is the number of processes or, with the address of a Ray cluster, of players in it.
    None: one per core.
    """
    if workers is not None:
        checked_count("workers", workers)
    judge = Judge(plan, results)
    if judge.is_clear():
        return
    source = played_matches(plan, results, workers, ray)
    try:
        for _, result in source:
            results.append(result)
            yield result
            if judge.is_clear():
                return
    finally:
        source.close()


def played_matches(
    plan: Plan, results: ArenaResults, workers: int | None, ray: str | None
) -> Generator[tuple[int, MatchResult], None, None]:
    """Play here, in other processes, or on other machines: the results are the same."""
    left = plan.matches - len(results)
    if ray is not None and left:
        from zashiki.lab.arena.cluster import played_by_ray

        return played_by_ray(plan, results.missing(), left, workers, ray)
    count = min(workers or os.cpu_count() or 1, left)
    return map_as_completed(play, plan, results.missing(), count)


class Judge:
    """Decides when an arena with `until_clear` may stop: by whole deals, in their order.

    Matches after the deal that decides do not count. So the verdict does not depend on the number
    of processes.
    """

    def __init__(self, plan: Plan, results: ArenaResults) -> None:
        self.plan = plan
        self.results = results
        self.deals = 0
        self.test = None if plan.until_clear is None else SequentialTest(plan.until_clear)

    def is_clear(self) -> bool:
        """Return True if the complete deals make the answer clear."""
        test = self.test
        if test is None:
            return False
        size = self.plan.schedule.matches_a_deal
        while test.verdict is Verdict.UNCLEAR and self.deals < self.plan.deals:
            group = range(self.deals * size, (self.deals + 1) * size)
            if not all(match in self.results for match in group):
                return False
            test.add(self.value([self.results[match] for match in group]))
            self.deals += 1
        return test.verdict is not Verdict.UNCLEAR

    def value(self, deal: Sequence[MatchResult]) -> Value:
        """Score of the first bot in a deal; between two players only decisive matches count."""
        sure = drawn = 0.0
        for played in deal:
            if self.plan.seats == 2 and played.ranks[0] == played.ranks[1]:
                drawn += 1
            else:
                seat = self.plan.schedule.lineup_of(played.match).index(0)
                sure += win_credits(played.ranks)[seat]
        return Value(sure / len(deal), drawn / len(deal))

    def finding(self) -> Finding | None:
        """The verdict on all results; None for a plan without `until_clear`."""
        self.is_clear()
        if self.test is None:
            return None
        size = self.plan.schedule.matches_a_deal
        estimate = confidence(self.test.values)
        return Finding(self.test.verdict, self.test.share, self.deals, self.deals * size, estimate)
