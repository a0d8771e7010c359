from contextlib import suppress

import pytest

from zashiki.server.errors import ApiError
from zashiki.server.ops.addresses import TrustedProxies, rate_key
from zashiki.server.ops.rate_limits import Bucket, Rate, RateLimits


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def refused(limits: RateLimits, cost: float = 1, /, **keys: str) -> object:
    """Return after how many seconds to try again; None if it was allowed."""
    try:
        limits.take(cost, **keys)
    except ApiError as problem:
        return problem.details["retry_after"]
    return None


def test_a_refusal_says_when_to_try_again() -> None:
    limits = RateLimits(Clock(), {"player": Rate(1, 60)})
    limits.take(player="a")
    with pytest.raises(ApiError, match="try again in 60 s") as refusal:
        limits.take(player="a")
    problem = refusal.value
    assert (problem.status, problem.code, problem.details) == (429, "too-many", {"retry_after": 60})


def test_a_burst_passes_and_then_one_at_a_time() -> None:
    clock = Clock()
    limits = RateLimits(clock, {"player": Rate(6, 60)})
    assert [refused(limits, player="a") for _ in range(7)] == [None] * 6 + [10]
    clock.now += 3.5
    assert refused(limits, player="a") == 7  # whole seconds, rounded up: 6.5 would be too early
    clock.now += 7
    assert refused(limits, player="a") is None
    assert refused(limits, player="a") is not None


def test_waiting_as_long_as_told_is_enough() -> None:
    clock = Clock()
    limits = RateLimits(clock, {"player": Rate(7, 3.3)})
    for _ in range(500):
        wait = refused(limits, player="a")
        if wait is not None:
            assert isinstance(wait, int)
            clock.now += wait
            assert refused(limits, player="a") is None


def passed(bucket: Bucket) -> int:
    """Return how many tokens can be taken at once."""
    taken = 0
    with suppress(ApiError):
        while True:
            bucket.take()
            taken += 1
    return taken


def test_all_who_hold_a_bucket_share_it() -> None:
    """So several sockets of a player have one limit together."""
    clock = Clock()
    limits = RateLimits(clock, {"player": Rate(6, 60)})
    one, two, other = (limits.hold("player", key) for key in ("a", "a", "b"))
    one.take()
    assert passed(two) == 5
    with pytest.raises(ApiError, match="try again in 10 s") as refusal:
        one.take()
    assert (refusal.value.code, refusal.value.details) == ("too-many", {"retry_after": 10})
    assert passed(other) == 6
    clock.now += 20
    assert passed(one) == 2
    clock.now += 1_000_000
    assert passed(one) == 6
    clock.now -= 500  # set back
    assert passed(one) == 0
    clock.now += 10
    assert passed(two) == 1


def test_who_comes_back_finds_the_bucket_as_it_was_left() -> None:
    clock = Clock()
    limits = RateLimits(clock, {"player": Rate(6, 60)})
    for _ in range(2):
        limits.hold("player", "a")
    assert passed(limits.hold("player", "a")) == 6
    for _ in range(3):
        limits.release("player", "a")
    clock.now += 10
    assert passed(limits.hold("player", "a")) == 1
    limits.release("player", "a")
    assert not limits._held
    assert len(limits) == 1
    clock.now += 60
    limits.take(player="b")
    assert len(limits) == 1, "one that is full is not kept"


def test_a_steady_rate_is_let_through_for_ever() -> None:
    clock = Clock()
    limits = RateLimits(clock, {"player": Rate(3, 1)})
    for _ in range(3):
        limits.take(player="a")
    for _ in range(10_000):
        clock.now += 1 / 3
        limits.take(player="a")


def test_an_idle_bucket_holds_no_more_than_a_burst() -> None:
    clock = Clock()
    limits = RateLimits(clock, {"player": Rate(2, 10)})
    limits.take(player="a")
    clock.now += 1_000_000
    assert [refused(limits, player="a") for _ in range(3)] == [None, None, 5]


def test_keys_and_kinds_are_counted_apart() -> None:
    limits = RateLimits(Clock(), {"player": Rate(1, 60), "table": Rate(1, 60)})
    for taken in ({"player": "a"}, {"player": "b"}, {"table": "a"}):
        assert refused(limits, **taken) is None
        assert refused(limits, **taken) == 60


def test_a_command_is_refused_whole() -> None:
    clock = Clock()
    limits = RateLimits(clock, {"player": Rate(2, 60), "table": Rate(1, 100)})
    assert refused(limits, player="a", table="t") is None
    assert refused(limits, player="a", table="t") == 100  # the longer wait of the two
    assert refused(limits, player="a", table="u") is None  # the refused one cost the player nothing


def test_a_dear_command_takes_more() -> None:
    limits = RateLimits(Clock(), {"player": Rate(10, 10)})
    assert refused(limits, 8, player="a") is None
    assert refused(limits, 8, player="a") == 6
    assert refused(limits, 2, player="a") is None
    with pytest.raises(ValueError, match="found 11"):
        limits.take(11, player="a")


@pytest.mark.parametrize(("burst", "seconds"), [(0, 1.0), (1, 0.0), (-1, -1.0)])
def test_a_rate_of_nothing_is_a_mistake(burst: int, seconds: float) -> None:
    with pytest.raises(ValueError, match="rate"):
        Rate(burst, seconds)


def test_idle_buckets_are_dropped() -> None:
    clock = Clock()
    limits = RateLimits(clock, {"address": Rate(5, 10)})
    for number in range(1000):
        limits.take(address=number)
        clock.now += 0.1
        assert len(limits) <= 101
    clock.now += 10
    limits.take(address="last")
    assert len(limits) == 1


def test_who_is_refused_is_not_forgotten() -> None:
    clock = Clock()
    limits = RateLimits(clock, {"address": Rate(1, 10)}, max_buckets=3)
    limits.take(address="loud")
    for number in range(20):
        assert refused(limits, address="loud") == 10
        limits.take(address=number)
    assert len(limits) == 3


def test_memory_is_bounded_for_each_kind() -> None:
    limits = RateLimits(Clock(), {"address": Rate(1, 10), "player": Rate(1, 10)}, max_buckets=50)
    limits.take(player="a")
    for number in range(500):
        limits.take(address=number)
    assert len(limits) == 51
    assert refused(limits, player="a") == 10  # no number of addresses evicts a player


def test_a_clock_that_is_set_back_locks_nobody_out() -> None:
    clock = Clock()
    limits = RateLimits(clock, {"player": Rate(1, 10)})
    limits.take(player="a")
    clock.now -= 900
    assert refused(limits, player="a") == 10
    clock.now += 10
    assert refused(limits, player="a") is None


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:DB8:1:2::9", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("testclient", "testclient"),
        ("", ""),
    ],
)
def test_a_network_is_one_asker(address: str, counted: str) -> None:
    assert rate_key(address) == counted


@pytest.mark.parametrize(
    ("peer", "forwarded", "origin"),
    [
        ("10.0.0.1", "203.0.113.7", "203.0.113.7"),
        ("10.0.0.1", "198.51.100.1, 203.0.113.7", "203.0.113.7"),
        ("10.0.0.1", "203.0.113.7, 10.0.0.9", "203.0.113.7"),
        ("10.0.0.1", "10.0.0.9", "10.0.0.1"),
        ("10.0.0.1", None, "10.0.0.1"),
        ("203.0.113.7", "198.51.100.1", "203.0.113.7"),
        ("::1", "2001:db8::7", "2001:db8::7"),
        ("10.0.0.1", "203.0.113.7:5678", "203.0.113.7"),
        ("10.0.0.1", "198.51.100.1, 203.0.113.7:5678, 10.0.0.9:80", "203.0.113.7"),
        ("10.0.0.1", "203.0.113.7, [::1]:80", "203.0.113.7"),
        ("10.0.0.1", "[2001:db8::7]:5678", "2001:db8::7"),
        ("10.0.0.1", "[2001:db8::7]", "2001:db8::7"),
        ("10.0.0.1", "203.0.113.7, unknown", "unknown"),
    ],
)
def test_only_a_proxy_of_ours_is_believed(peer: str, forwarded: str | None, origin: str) -> None:
    assert TrustedProxies(["10.0.0.0/24", "::1"]).client_address(peer, forwarded) == origin
