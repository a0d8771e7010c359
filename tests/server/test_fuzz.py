"""Whatever is sent, the answer is documented, and the server keeps running."""

import asyncio
import gc
import json
import random
import threading
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.guests import Guest, Talk
from tests.server.in_process_server import FixedSystem, InProcessServer, in_process_server
from tests.server.waits import TIMEOUT

EXAMPLES = [3, pytest.param(60, marks=pytest.mark.long)]
"""Well-formed requests per operation, and as many malformed ones."""


class Ticking(FixedSystem):
    """Time passes between any two reads of the clock, so that no rate limit applies."""

    def now(self) -> float:
        self.time += 20
        return self.time


@contextmanager
def aside(folder: Path) -> Iterator[InProcessServer]:
    """Run a server in a separate thread."""
    servers: list[InProcessServer] = []
    begun, ended = threading.Event(), asyncio.Event()
    loop = asyncio.new_event_loop()

    async def serve() -> None:
        async with in_process_server(folder, Ticking()) as server:
            servers.append(server)
            begun.set()
            await ended.wait()

    def run() -> None:
        try:
            loop.run_until_complete(serve())
        finally:
            loop.close()
            begun.set()

    thread = threading.Thread(target=run)
    thread.start()
    begun.wait(TIMEOUT)
    try:
        yield servers[0]
    finally:
        loop.call_soon_threadsafe(ended.set)
        thread.join(TIMEOUT)


@pytest.mark.parametrize("examples", EXAMPLES)
def test_every_answer_is_documented(tmp_path: Path, examples: int) -> None:
    from tests.server.fuzzing import faults_of  # slow to import

    with aside(tmp_path) as server:
        tried, faults = faults_of(server, examples)
        assert not faults
        assert tried > 10
        health = httpx.get(f"{server.url}/health", timeout=TIMEOUT)
        assert health.json()["status"] == "ok"


# Frames -----------------------------------------------------------------------------------------

SEEDS: list[dict[str, Any]] = [
    {"do": "hello", "have": 0, "views": True, "version": 2},
    {"do": "play", "key": "k", "decision": 1, "action": "x", "says": None},
    {"do": "why_not", "key": "k", "action": "x"},
    {"do": "say", "key": "k", "text": "x"},
    {"do": "ready", "key": "k", "hash": "00" * 32, "nonce": "00"},
    {"do": "reveal", "key": "k", "nonce": "00" * 16},
]
ODD: list[Any] = [
    None, True, -1, 0, 2**31, 2**63, 2**64, 10**400, -(10**30), 1e308, 0.5, "", "x" * 3000,
    "\x00", "\ud800", "\u202e", "🂡", "../..", [], [[]], {}, {"a": {}}, "hello", "play",
    "0" * 300, "draft:0", "draft:99999999999999999999", "a:b:c:d", ",", ":", "-", "９",
]  # fmt: skip


def frame(choice: random.Random) -> str | bytes:
    """Return something to send: a command with one error or more, or worse."""
    kind = choice.randrange(10)
    if kind == 0:
        return choice.randbytes(choice.randrange(200))
    if kind == 1:
        return choice.randbytes(choice.randrange(200)).decode("latin-1")
    if kind == 2:
        return choice.choice(["[", '{"a":', '{"do":"say","key":"k","text":']) * 700
    if kind == 3:
        return "x" * choice.randrange(5000)
    command = dict(choice.choice(SEEDS))
    for _ in range(choice.randrange(1, 3)):
        where = choice.choice([*command, "more"])
        command[where] = choice.choice(ODD)
    written = json.dumps(command)
    return written[: choice.randrange(len(written))] if kind == 4 else written


async def storm(server: InProcessServer, number: int) -> None:
    """Send many frames at a table in play; every text frame is answered or greeted."""
    choice = random.Random(number)
    host, other = await Guest(server, "Host").come(), await Guest(server, "Other").come()
    table = (await host.post("/api/tables", {"game": "kingdoms", "seats": 2}))["table"]["id"]
    await other.post(f"/api/tables/{table}/sit", {"seat": 1})
    await host.post(f"/api/tables/{table}/start")
    async with other.socket(table) as calm:
        await calm.send(do="ready", key="r")
        for _ in range(4):
            async with host.socket(table) as talk:
                await talk.send(do="ready", key="ready")
                for turn in range(100):
                    await talk.connection.send(frame(choice))
                    if turn % 20 == 19:
                        await talk.answered(f"{turn}", do="why_not", action="x")
        await calm.send(do="say", key="still", text="still here")
        await said(calm)
    await host.client.aclose()
    await other.client.aclose()


async def said(calm: Talk) -> None:
    while (await calm.until("chatted"))["text"] != "still here":
        pass


async def test_no_frame_hurts(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    tracemalloc.start()
    try:
        async with in_process_server(tmp_path, Ticking()) as server, asyncio.timeout(TIMEOUT):
            await storm(server, 1)
            gc.collect()
            before = tracemalloc.get_traced_memory()[0]
            await asyncio.gather(*(storm(server, number) for number in range(2, 5)))
            gc.collect()
            after = tracemalloc.get_traced_memory()[0]
            async with httpx.AsyncClient(base_url=server.url, timeout=TIMEOUT) as client:
                assert (await client.get("/health")).status_code == 200
    finally:
        tracemalloc.stop()
    assert after - before < 3_000_000
    failures = [record for record in caplog.records if record.levelname in {"ERROR", "CRITICAL"}]
    assert not failures, failures[0]
