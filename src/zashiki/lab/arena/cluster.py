"""Matches on many machines, by Ray: actors that play the matches whose numbers they get.

A match depends on the plan and its number only. So another machine can repeat a match that was lost
with its machine.
"""

import logging
import os
import secrets
import socket
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from tempfile import TemporaryDirectory
from typing import Any

from zashiki.core.rulings import Malformed
from zashiki.lab.arena.match_result import MatchResult
from zashiki.lab.arena.plan import Plan
from zashiki.lab.arena.playing import play
from zashiki.lab.workers import TASKS_AHEAD, attempt

LOCAL = "local"
"""Address of a cluster that is started on this machine and ends with the arena."""
STORE_BYTES = 100 * 2**20
"""Size of a local cluster's object store: plans and results are small."""
REACH_SECONDS = 10
MAX_STARTS = 3
TOO_SLOW = "timed out during startup"
"""Part of Ray's message if a node did not start within its time."""
NO_STATISTICS = {"RAY_USAGE_STATS_ENABLED": "0"}
"""Turns off Ray's usage statistics."""


class Player:
    """An actor on some machine that plays matches of one plan."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    def play(self, match: int) -> tuple[Any, Exception | None]:
        """Return the result of a match, or the exception that it raised."""
        return attempt(play, self.plan, match)


def played_by_ray(
    plan: Plan, waiting: Iterator[int], left: int, workers: int | None, address: str
) -> Generator[tuple[int, MatchResult], None, None]:
    """Play the `left` matches that `waiting` numbers, and yield each as it ends.

    `workers` is the number of players; None: one per core of the cluster.
    """
    with connected(address, workers) as ray:
        cores = int(ray.cluster_resources().get("CPU", 1))
        remote = ray.remote(num_cpus=1, max_restarts=-1, max_task_retries=-1)(Player)
        count = min(workers or cores, left, cores)
        players = [remote.remote(plan) for _ in range(count)]
        under_way: dict[Any, tuple[int, Any]] = {}

        def hand_out(player: Any) -> None:
            if (number := next(waiting, None)) is not None:
                under_way[player.play.remote(number)] = number, player

        for player in players * TASKS_AHEAD:
            hand_out(player)
        while under_way:
            for done in ray.wait(list(under_way))[0]:
                number, player = under_way.pop(done)
                result, fault = ray.get(done)
                if fault is not None:
                    raise fault
                hand_out(player)
                yield number, result


# The cluster -----------------------------------------------------------------------------------


@contextmanager
def connected(address: str, workers: int | None) -> Iterator[Any]:
    """Connect Ray to a cluster."""
    if find_spec("ray") is None:
        raise Malformed("--ray: it needs Ray: pip install 'zashiki[ray]'")
    with (
        TemporaryDirectory(prefix="zashiki-ray-", ignore_cleanup_errors=True) as folder,
        environment(NO_STATISTICS | (access_token() if address == LOCAL else {})),
    ):
        if address == LOCAL:
            where = local_settings(workers, folder)
        else:
            check_reached(address)  # before Ray is imported, which takes a second
            where = {"address": address}
        import ray

        try:
            begin(ray, address, where)
            yield ray
        finally:
            ray.shutdown()


def begin(ray: Any, address: str, where: dict[str, Any]) -> None:
    """Start or join a cluster.

    Ray gives a local cluster 30 s to start, which a busy machine may exceed: it is started again.
    """
    logging.getLogger("ray").setLevel(logging.ERROR)  # `init` has something to say before it reads
    for tries_left in reversed(range(MAX_STARTS if address == LOCAL else 1)):
        try:
            ray.init(log_to_driver=False, logging_level=logging.ERROR, **where)
            return
        except Exception as fault:
            if tries_left and TOO_SLOW in str(fault):
                ray.shutdown()
                continue
            raise unreached(address, str(fault) or type(fault).__name__) from None


def local_settings(workers: int | None, folder: str) -> dict[str, Any]:
    """Settings of a local cluster: reached from this machine only, leaves no files behind."""
    return {
        "num_cpus": workers,
        "include_dashboard": False,
        "object_store_memory": STORE_BYTES,
        "_node_ip_address": "127.0.0.1",
        "_temp_dir": folder,
    }


@cache
def access_token() -> dict[str, str]:
    """Access token of a local cluster; Ray would store its own in the user's home."""
    return {"RAY_AUTH_TOKEN": secrets.token_hex(32)}


@contextmanager
def environment(wanted: dict[str, str]) -> Iterator[None]:
    """Set environment variables within, except those that the user has set."""
    mine = {name: value for name, value in wanted.items() if name not in os.environ}
    os.environ.update(mine)
    try:
        yield
    finally:
        for name in mine:
            os.environ.pop(name, None)


def check_reached(address: str) -> None:
    """Try to connect, because Ray would wait for minutes."""
    host, colon, port = address.rpartition("://")[2].partition("/")[0].rpartition(":")
    if not colon:
        return  # a word of Ray's, such as auto
    if not port.isdecimal():
        raise Malformed(f"--ray {address}: expected {LOCAL}, auto or HOST:PORT")
    try:
        socket.create_connection((host.strip("[]"), int(port)), REACH_SECONDS).close()
    except (OSError, OverflowError) as fault:
        raise unreached(address, str(fault)) from None


def unreached(address: str, reason: str) -> Malformed:
    return Malformed(f"--ray {address}: no cluster is reached there: {' '.join(reason.split())}")
