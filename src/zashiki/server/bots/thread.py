"""The thread in which all bots of a process think: the most urgent first, the others in turn.

All matches of a process belong to one thread. Work for a person's table goes before work for tables
of bots alone, and a search at a table of bots alone ends early when a person waits.
"""

import threading
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from zashiki.server.protocol.workers import PRIORITIES, Priority

MAX_THINKING_SECONDS = 2.0
SPARE_THINKING_SECONDS = 0.25
"""The longest that a bot thinks where only bots play."""
MIN_THINKING_SECONDS = 0.05
"""Limits of the time that a bot may think. The more bots think at once, the less each gets."""
THINKING_BUDGET_SECONDS = 6.0
"""Time in which all bots that think at once should have chosen."""

Result = TypeVar("Result")
Task = tuple["Future[Any]", Callable[[], Any]]


class Lane:
    """The work for the bot of one seat, in order."""

    def __init__(self, thread: "BotThread", priority: Priority) -> None:
        self.thread = thread
        self.priority = priority
        self.tasks: deque[Task] = deque()
        self.is_choosing = False
        """The bot chooses now, or waits for its turn to choose."""

    def submit(self, work: Callable[[], Result]) -> "Future[Result]":
        """Do some work after all that was submitted here before."""
        return self.thread.submit(self, work)

    def set_priority(self, priority: Priority) -> None:
        self.thread.set_priority(self, priority)

    def is_preempted(self) -> bool:
        """Return True if a more urgent bot waits for this one, where only bots play."""
        return self.priority == Priority.SPARE and self.thread.is_somebody_waiting()

    def thinking_seconds(self) -> float:
        """Return how long the bot may think: bots that are less urgent do not count."""
        others = self.thread.choosing(self.priority)
        longest = MAX_THINKING_SECONDS
        if self.priority == Priority.SPARE:
            longest = SPARE_THINKING_SECONDS
        share = THINKING_BUDGET_SECONDS / max(1, others)
        return max(MIN_THINKING_SECONDS, min(longest, share))

    def close(self) -> None:
        """Do nothing more."""
        self.thread.close(self)


class BotThread:
    """One thread, and the lanes of all seats of the process."""

    def __init__(self) -> None:
        self._lanes: set[Lane] = set()
        self._pending: dict[Priority, OrderedDict[Lane, None]] = {
            priority: OrderedDict() for priority in PRIORITIES
        }
        """Lanes with something to do, by priority: those that waited longest first."""
        self._changed = threading.Condition()
        self._is_over = False
        self._thread = threading.Thread(target=self._run, name="bots", daemon=True)
        self._thread.start()

    def __enter__(self) -> "BotThread":
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self._thread.join()

    def lane(self, priority: Priority = Priority.PEOPLE) -> Lane:
        """Return a new lane."""
        lane = Lane(self, priority)
        with self._changed:
            self._lanes.add(lane)
        return lane

    def shutdown(self) -> None:
        """End after the present work. Cancel work that has not begun."""
        with self._changed:
            self._is_over = True
            for lane in list(self._lanes):
                self._drop_tasks(lane)
            self._changed.notify()

    # From other threads --------------------------------------------------------------------------

    def submit(self, lane: Lane, work: Callable[[], Result]) -> "Future[Result]":
        future: Future[Result] = Future()
        with self._changed:
            if self._is_over or lane not in self._lanes:
                future.cancel()
                return future
            lane.tasks.append((future, work))
            self._pending[lane.priority].setdefault(lane)
            self._changed.notify()
        return future

    def set_priority(self, lane: Lane, priority: Priority) -> None:
        with self._changed:
            is_pending = lane in self._pending[lane.priority]
            self._pending[lane.priority].pop(lane, None)
            lane.priority = priority
            if is_pending:
                self._pending[priority][lane] = None

    def close(self, lane: Lane) -> None:
        with self._changed:
            self._lanes.discard(lane)
            self._drop_tasks(lane)

    def is_somebody_waiting(self) -> bool:
        """Return True if a bot of a table with people has something to do."""
        return any(self._pending[one] for one in PRIORITIES if one != Priority.SPARE)

    def choosing(self, priority: Priority) -> int:
        """Return how many bots choose now that are as urgent as this, or more."""
        with self._changed:
            return sum(lane.is_choosing and lane.priority <= priority for lane in self._lanes)

    def _drop_tasks(self, lane: Lane) -> None:
        self._pending[lane.priority].pop(lane, None)
        while lane.tasks:
            lane.tasks.popleft()[0].cancel()

    # In the thread -------------------------------------------------------------------------------

    def _run(self) -> None:
        while (task := self._next()) is not None:
            future, work = task
            if not future.set_running_or_notify_cancel():
                continue
            try:
                result = work()
            except BaseException as fault:
                future.set_exception(fault)
            else:
                future.set_result(result)
            del task, future, work

    def _next(self) -> Task | None:
        """Wait for the next task, and return it; None at the end."""
        with self._changed:
            while not self._is_over:
                for pending in self._pending.values():
                    if pending:
                        lane, _ = pending.popitem(last=False)
                        task = lane.tasks.popleft()
                        if lane.tasks:
                            pending[lane] = None
                        return task
                self._changed.wait()
            return None
