"""Limits per address, player or table: rates (token buckets) and numbers at once."""

import math
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from zashiki.server.errors import ApiError

Held = TypeVar("Held", bound=Hashable)

MAX_BUCKETS = 50_000
"""Maximum number of buckets per kind of key. A dropped bucket counts as full, hence the size."""

EPSILON = 1e-9
"""Tolerance for rounding errors in sums of fractions."""


@dataclass(frozen=True)
class Rate:
    """A token bucket's size, and the seconds after which an empty bucket is full again."""

    burst: int
    seconds: float

    def __post_init__(self) -> None:
        if self.burst < 1 or self.seconds <= 0:
            raise ValueError(f"rate: expected burst >= 1 and seconds > 0, found {self}")


class Bucket:
    """The tokens of one key: `level` of them at the time `at`, and more as time goes by.

    If the clock is set back, they grow from the moment at which that is noticed.
    """

    __slots__ = ("at", "clock", "holders", "level", "rate")

    def __init__(self, rate: Rate, clock: Callable[[], float]) -> None:
        self.rate = rate
        self.clock = clock
        self.level = float(rate.burst)
        self.at = clock()
        self.holders = 0

    def wait(self, cost: float = 1) -> float:
        """Refill, and return the seconds until there are `cost` tokens; 0 if there are."""
        rate, now = self.rate, self.clock()
        if cost > rate.burst:
            raise ValueError(f"expected a cost of at most {rate.burst}, found {cost}")
        level = self.level + max(0.0, now - self.at) * rate.burst / rate.seconds
        self.level, self.at = min(float(rate.burst), level), now
        missing = cost - self.level
        return 0.0 if missing <= EPSILON else missing * rate.seconds / rate.burst

    def take(self) -> None:
        """Take one token, or raise `ApiError` with code `too-many`."""
        wait = self.wait()
        if wait > 0:
            raise too_many(wait)
        self.level -= 1


class RateLimits:
    """Several named rates. One request may count against more than one of them."""

    def __init__(
        self, clock: Callable[[], float], rates: Mapping[str, Rate], max_buckets: int = MAX_BUCKETS
    ) -> None:
        self._clock = clock
        self._rates = rates
        self._max_buckets = max_buckets
        self._buckets: dict[str, OrderedDict[Hashable, Bucket]] = {
            kind: OrderedDict() for kind in rates
        }
        """By kind and key, the least recently used first. Full ones are dropped."""
        self._held: dict[tuple[str, Hashable], Bucket] = {}

    def __len__(self) -> int:
        return sum(map(len, self._buckets.values()))

    def take(self, cost: float = 1, /, **keys: Hashable) -> None:
        """Take tokens from the buckets of all keys, `take(address=…, player=…)`, or from none.

        Raise `ApiError` with code `too-many` if one of the buckets does not hold enough.
        """
        buckets = [self._bucket(kind, key) for kind, key in keys.items()]
        wait = max(bucket.wait(cost) for bucket in buckets)
        if wait > 0:
            raise too_many(wait)
        for bucket in buckets:
            bucket.level -= cost

    def hold(self, kind: str, key: Hashable) -> Bucket:
        """Return the bucket of a key, the same one to all who hold it. `take` does not know it."""
        bucket = self._held.get((kind, key))
        if bucket is None:
            bucket = self._held[kind, key] = self._bucket(kind, key)
            del self._buckets[kind][key]
        bucket.holders += 1
        return bucket

    def release(self, kind: str, key: Hashable) -> None:
        """Hold a bucket no longer. After the last one it is kept, like those of others."""
        bucket = self._held[kind, key]
        bucket.holders -= 1
        if not bucket.holders:
            del self._held[kind, key]
            self._keep(kind, key, bucket)

    def _bucket(self, kind: str, key: Hashable) -> Bucket:
        """Return the bucket of a key, a full one if there is none."""
        kept = self._buckets[kind].pop(key, None)
        return self._keep(kind, key, kept or Bucket(self._rates[kind], self._clock))

    def _keep(self, kind: str, key: Hashable, bucket: Bucket) -> Bucket:
        """Keep a bucket as the one that was used last.

        Drop full ones, and the least recently used if there are too many.
        """
        buckets, full_since = self._buckets[kind], self._clock() - self._rates[kind].seconds
        while buckets:
            first = next(iter(buckets.values()))
            if len(buckets) < self._max_buckets and first.at > full_since:
                break
            buckets.popitem(last=False)
        buckets[key] = bucket
        return bucket


def too_many(wait: float) -> ApiError:
    """Return the error for a bucket that stays empty for this number of seconds."""
    seconds = max(1, math.ceil(wait - EPSILON))
    text = f"too many requests: try again in {seconds} s"
    return ApiError(429, "too-many", text, {"retry_after": seconds})


class NewestFew(Generic[Held]):
    """The newest few of the things that each key holds at once. The oldest has to give way.

    So nobody who holds many of them, and does nothing, keeps out others who have the same key.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._held: dict[Hashable, dict[Held, None]] = {}

    def __len__(self) -> int:
        return sum(map(len, self._held.values()))

    def add(self, key: Hashable, one: Held) -> Held | None:
        """Hold one more, unless it is held already. Return the one that has to go."""
        held = self._held.setdefault(key, {})
        held.setdefault(one)
        if len(held) <= self.limit:
            return None
        oldest = next(iter(held))
        del held[oldest]
        return oldest

    def discard(self, key: Hashable, one: Held) -> None:
        held = self._held.get(key, {})
        held.pop(one, None)
        if not held:
            self._held.pop(key, None)


@dataclass(frozen=True)
class Delay:
    """After some free failures, each further one doubles the time to wait, up to a limit."""

    free: int
    max_seconds: float
    """The longest wait. Failures are forgotten after a quiet time of twice as long."""
    is_shared: bool = False
    """Whether a key belongs to many: then the success of one forgives none of the others."""

    def seconds(self, failures: int) -> float:
        """Return the time to wait after this many failures."""
        extra = failures - self.free
        return min(self.max_seconds, 2.0 ** min(extra, 32)) if extra >= 0 else 0.0


class GrowingDelays:
    """Delays after failures, which grow with each failure of the same key.

    An attempt counts as failed from its beginning, so that many at once gain nothing. `succeed`
    takes it back.
    """

    def __init__(
        self, clock: Callable[[], float], delays: Mapping[str, Delay], max_keys: int = MAX_BUCKETS
    ) -> None:
        self._clock = clock
        self._delays = delays
        self._max_keys = max_keys
        self._failures: OrderedDict[tuple[str, Hashable], tuple[int, float]] = OrderedDict()
        """Failures and time of the last one, least recent first."""

    def __len__(self) -> int:
        return len(self._failures)

    def attempt(self, **keys: Hashable) -> None:
        """Count an attempt against all keys, `attempt(address=…, login=…)`, or against none.

        Raise `ApiError` with code `too-many` if one of the keys has to wait.
        """
        now = self._clock()
        counts = {key: self._count(key, now) for key in keys.items()}
        wait = max((self._wait(key, count, now) for key, count in counts.items()), default=0.0)
        if wait > 0:
            seconds = max(1, math.ceil(wait - EPSILON))
            text = f"too many failed attempts: try again in {seconds} s"
            raise ApiError(429, "too-many", text, {"retry_after": seconds})
        for key, count in counts.items():
            self._failures[key] = (count + 1, now)
            self._failures.move_to_end(key)
        while len(self._failures) > self._max_keys:
            self._failures.popitem(last=False)

    def succeed(self, **keys: Hashable) -> None:
        """Take an attempt back that succeeded, and the failures before it at keys of one owner."""
        for key in keys.items():
            count, at = self._failures.pop(key, (0, 0.0))
            if count > 1 and self._delays[key[0]].is_shared:
                self._failures[key] = (count - 1, at)

    def _count(self, key: tuple[str, Hashable], now: float) -> int:
        count, at = self._failures.get(key, (0, now))
        is_forgotten = now - at > 2 * self._delays[key[0]].max_seconds
        return 0 if is_forgotten else count

    def _wait(self, key: tuple[str, Hashable], count: int, now: float) -> float:
        """Return the seconds until a key may try again. A clock that is set back adds nothing."""
        if count == 0:
            return 0.0
        elapsed = max(0.0, now - self._failures[key][1])
        return self._delays[key[0]].seconds(count) - elapsed


class ConcurrencyLimit:
    """A limit on the connections that each key has open at once."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._open: Counter[Hashable] = Counter()

    def acquire(self, key: Hashable) -> None:
        """Count one more connection, even beyond the limit."""
        self._open[key] += 1

    def release(self, key: Hashable) -> None:
        self._open[key] -= 1
        if not self._open[key]:
            del self._open[key]

    def is_exceeded(self, key: Hashable) -> bool:
        """Return True if a key has more connections than the limit."""
        return self._open[key] > self.limit

    def check(self, key: Hashable) -> None:
        """Raise `ApiError` if a key may not open one more connection."""
        if self._open[key] >= self.limit:
            text = f"{self.limit} connections are open, the most that are allowed: close one first"
            raise ApiError(429, "too-many-sockets", text)
