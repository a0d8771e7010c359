"""The queue of matches to review: what people look at is reviewed by bot workers, in turns."""

import asyncio
from collections.abc import Callable

from msgspec import Struct

from zashiki.analysis.result import REVIEWER, Review
from zashiki.analysis.reviewing import FACTOR, MIN_PLAYOUTS
from zashiki.server.bots.worker_link import WorkerLink
from zashiki.server.errors import ApiError
from zashiki.server.protocol.workers import ReviewMatch, StopReview
from zashiki.server.store.protocol import Store
from zashiki.server.store.rows import ReviewRow

MAX_WANTED = 500
"""Maximum number of matches in the queue."""
MAX_WANTED_PER_READER = 3
"""Maximum number of matches that a player, or an address, has in the queue."""
LOOK_SECONDS = 60.0
"""A match that nobody has looked at for longer leaves the queue."""
SWEEP_SECONDS = 5.0
MAX_FAILURES = 2
"""A match whose review failed as often without a result leaves the queue."""


class WantedReview(Struct):
    """A match in the queue."""

    playouts: int
    """Playouts of the next review to make."""
    looked: float
    """When somebody looked last, by the monotonic clock."""
    readers: set[str]
    worker: WorkerLink | None = None
    """The worker that reviews it now."""
    failures: int = 0


class ReviewQueue:
    """Assigns the matches that are looked at to workers, those with the fewest playouts first."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self._store = store
        self._clock = clock
        self.wanted: dict[str, WantedReview] = {}
        """By the id of the match, in the order in which they were first looked at."""
        self.workers: set[WorkerLink] = set()

    async def run(self) -> None:
        """Drop what nobody looks at any more, until cancelled."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            self.sweep()

    def sweep(self) -> None:
        """Stop the reviews of matches that nobody has looked at for some time."""
        oldest = self._clock() - LOOK_SECONDS
        for match in [id for id, one in self.wanted.items() if one.looked < oldest]:
            self._drop(match)
        self._assign()

    # Readers -----------------------------------------------------------------------------------

    async def look(self, match: str, *readers: str) -> ReviewRow | None:
        """Return the best review so far, and have a better one made while somebody looks.

        Each reader, the id of a player or an address, has a bounded number of matches in the
        queue: a further one takes the place of the one that was looked at least recently.
        """
        row = await self._store.review(match, REVIEWER)
        if row is not None and row.is_finished:
            return row
        now = self._clock()
        one = self.wanted.get(match)
        if one is None:
            if len(self.wanted) >= MAX_WANTED:
                text = "too many matches are being reviewed: try again in 30 s"
                raise ApiError(503, "busy", text, {"retry_after": 30})
            playouts = MIN_PLAYOUTS if row is None else row.playouts * FACTOR
            one = self.wanted[match] = WantedReview(playouts, now, set())
        one.looked = now
        for reader in readers:
            one.readers.add(reader)
            self._drop_oldest(reader)
        self._assign()
        return row

    def _drop_oldest(self, reader: str) -> None:
        """Take a reader from the match that was looked at first, if there are too many."""
        held = [id for id, one in self.wanted.items() if reader in one.readers]
        if len(held) > MAX_WANTED_PER_READER:
            oldest = min(held, key=lambda id: self.wanted[id].looked)
            readers = self.wanted[oldest].readers
            readers.discard(reader)
            if not readers:
                self._drop(oldest)

    def _drop(self, match: str) -> None:
        one = self.wanted.pop(match)
        if one.worker is not None:
            one.worker.send(StopReview(match))

    # Workers -----------------------------------------------------------------------------------

    def add_worker(self, worker: WorkerLink) -> None:
        self.workers.add(worker)
        self._assign()

    def remove_worker(self, worker: WorkerLink) -> None:
        """Assign the matches of a worker that has disconnected to others."""
        self.workers.discard(worker)
        for match in list(worker.reviewing):
            self.end(worker, match)

    def end(self, worker: WorkerLink, match: str) -> None:
        """Note that a worker has stopped reviewing a match, whatever the reason."""
        worker.reviewing.discard(match)
        one = self.wanted.get(match)
        if one is not None and one.worker is worker:
            one.worker = None
            one.failures += 1
            if one.failures >= MAX_FAILURES:
                del self.wanted[match]
        self._assign()

    async def keep(self, match: str, review: Review, is_finished: bool) -> bool:
        """Store a review. Return whether its worker is to continue with a better one.

        It continues while somebody looks, unless another match waits that has fewer playouts.
        """
        text = review.to_json()
        await self._store.put_review(ReviewRow(match, REVIEWER, review.playouts, is_finished, text))
        one = self.wanted.get(match)
        if one is None:
            return False
        one.failures = 0
        one.playouts = max(one.playouts, review.playouts * FACTOR)
        if is_finished:
            del self.wanted[match]
            return False
        others = [other for other in self.wanted.values() if other.worker is None]
        if all(other.playouts >= one.playouts for other in others):
            return True
        one.failures = -1  # its end follows, and does not count as a failure
        return False

    def _assign(self) -> None:
        """Assign waiting matches to free workers, those with the fewest playouts first."""
        waiting = [id for id, one in self.wanted.items() if one.worker is None]
        waiting.sort(key=lambda id: self.wanted[id].playouts)
        for match in waiting:
            free = [one for one in self.workers if len(one.reviewing) < one.max_reviews]
            if not free:
                return
            worker = min(free, key=lambda one: len(one.reviewing))
            one = self.wanted[match]
            one.worker = worker
            worker.reviewing.add(match)
            worker.send(ReviewMatch(match, one.playouts))
