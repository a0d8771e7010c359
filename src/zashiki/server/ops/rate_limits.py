"""How much one address, one player or one table may ask for, and hold at once."""

import math
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from zashiki.server.errors import ApiError

MAX_BUCKETS = 50_000
"""For each kind of key. One that has to go gives its key a full bucket, so this is generous."""

NOTHING = 1e-9
"""What sums of fractions are wrong by, and no more."""


@dataclass(frozen=True)
class Rate:
    """So many at once; an empty bucket is full again after so many seconds."""

    burst: int
    seconds: float

    def __post_init__(self) -> None:
        if self.burst < 1 or self.seconds <= 0:
            raise ValueError(f"a rate lets something through at some time, unlike {self}")


class TokenBuckets:
    """The buckets of one kind of key, least recently asked for first. A full one need not be kept.

    The clock may be set back: a bucket then fills from the moment at which that is noticed.
    """

    def __init__(self, rate: Rate, most: int) -> None:
        self.rate = rate
        self.most = most
        self._kept: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def level(self, key: Hashable, now: float) -> float:
        """What the bucket holds."""
        kept = self._kept.get(key)
        if kept is None:
            return float(self.rate.burst)
        level, at = kept
        flowed = max(0.0, now - at) * self.rate.burst / self.rate.seconds
        level = min(float(self.rate.burst), level + flowed)
        self._kept[key] = (level, now)
        self._kept.move_to_end(key)
        return level

    def wait(self, level: float, cost: float) -> float:
        """The seconds after which a bucket holds `cost`; 0 if it does."""
        if cost > self.rate.burst:
            raise ValueError(f"a bucket of {self.rate.burst} never holds {cost}")
        missing = cost - level
        return 0.0 if missing <= NOTHING else missing * self.rate.seconds / self.rate.burst

    def fill(self, key: Hashable, level: float, now: float) -> None:
        """So much is left in the bucket."""
        self._kept[key] = (level, now)
        self._kept.move_to_end(key)
        self._drop(now)

    def _drop(self, now: float) -> None:
        while self._kept:
            _, at = next(iter(self._kept.values()))
            if now - at < self.rate.seconds and len(self._kept) <= self.most:
                break
            self._kept.popitem(last=False)


class RateLimits:
    """Several rates by the name of what they count, and commands that have to keep all of them."""

    def __init__(
        self, clock: Callable[[], float], rates: Mapping[str, Rate], most: int = MAX_BUCKETS
    ) -> None:
        self._clock = clock
        self._buckets = {kind: TokenBuckets(rate, most) for kind, rate in rates.items()}

    def __len__(self) -> int:
        """How many buckets are kept."""
        return sum(map(len, self._buckets.values()))

    def take(self, cost: float = 1, /, **keys: Hashable) -> None:
        """Take from the bucket of each key, `take(address=…, player=…)`: from all or from none."""
        now = self._clock()
        asked = []
        wait = 0.0
        for kind, key in keys.items():
            buckets = self._buckets[kind]
            level = buckets.level(key, now)
            asked.append((buckets, key, level))
            wait = max(wait, buckets.wait(level, cost))
        if wait > 0:
            seconds = max(1, math.ceil(wait - NOTHING))
            text = f"that is too often: try again in {seconds} s"
            raise ApiError(429, "too-many", text, {"retry_after": seconds})
        for buckets, key, level in asked:
            buckets.fill(key, level - cost, now)


class ConcurrencyLimit:
    """How many of something each key holds at once."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._held: Counter[Hashable] = Counter()

    def take(self, key: Hashable) -> None:
        """One more, whether it may be or not."""
        self._held[key] += 1

    def give_back(self, key: Hashable) -> None:
        self._held[key] -= 1
        if not self._held[key]:
            del self._held[key]

    def is_beyond(self, key: Hashable) -> bool:
        """Is more held than may be?"""
        return self._held[key] > self.most

    def check(self, key: Hashable) -> None:
        """May one more be held?"""
        if self._held[key] >= self.most:
            text = f"{self.most} connections are open already: close one first"
            raise ApiError(429, "too-many-sockets", text)

    @contextmanager
    def hold(self, key: Hashable) -> Iterator[None]:
        self.check(key)
        self.take(key)
        try:
            yield
        finally:
            self.give_back(key)
