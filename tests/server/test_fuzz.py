"""Whatever is sent, the answer is one that is documented, and the server goes on."""

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
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.core.result import Ok
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.server.house import HEADERS, Guest, Talk
from tests.server.inside import Fixed, Inside, inside
from tests.server.waiting import PATIENCE

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
EXAMPLES = [5, pytest.param(60, marks=pytest.mark.long)]
"""For each operation, so many that are well-formed, and so many that are not."""


class Ticking(Fixed):
    """Time goes by between any two looks at the clock: nobody asks too often."""

    def now(self) -> float:
        self.time += 1
        return self.time


@contextmanager
def aside(folder: Path) -> Iterator[Inside]:
    """A server in a thread of its own."""
    homes: list[Inside] = []
    begun, ended = threading.Event(), asyncio.Event()
    loop = asyncio.new_event_loop()

    async def serve() -> None:
        async with inside(folder, Ticking()) as home:
            homes.append(home)
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
    begun.wait(PATIENCE)
    try:
        yield homes[0]
    finally:
        loop.call_soon_threadsafe(ended.set)
        thread.join(PATIENCE)


def arrived(home: Inside, session: requests.Session) -> str:
    """Somebody with a table."""
    session.headers.update(HEADERS)
    session.cookies.clear()
    session.post(
        f"{home.url}/api/guest", json={"name": "Fuzz"}, timeout=PATIENCE
    ).raise_for_status()
    wanted: Any = {"game": "kingdoms", "seats": 2}
    opened = session.post(f"{home.url}/api/tables", json=wanted, timeout=PATIENCE)
    table: str = opened.json()["table"]["id"]
    return table


@pytest.mark.parametrize("examples", EXAMPLES)
def test_every_answer_is_documented(tmp_path: Path, examples: int) -> None:
    with aside(tmp_path) as home, requests.Session() as session:
        described = session.get(f"{home.url}/schema/openapi.json", timeout=PATIENCE).json()
        schema = schemathesis.openapi.from_dict(described)
        tried, faults = 0, []
        for found in schema.get_all_operations():
            assert isinstance(found, Ok)
            operation = found.ok()
            tried += 1
            modes = [GenerationMode.POSITIVE]
            if operation.body or operation.query:
                modes.append(GenerationMode.NEGATIVE)
            for mode in modes:
                try:
                    fuzz(operation, mode, home, session, examples)
                except FailureGroup as fault:
                    faults.append(f"{operation.label}: {fault.exceptions}")
        assert not faults
        assert tried > 10
        health = session.get(f"{home.url}/health", timeout=PATIENCE)
        assert health.json()["status"] == "ok"


def fuzz(
    operation: Any, mode: GenerationMode, home: Inside, session: requests.Session, examples: int
) -> None:
    """Ask for one thing in many ways; every other time about a table that is there."""
    table = arrived(home, session)
    count = 0

    @seed(5)
    @settings(
        max_examples=examples, deadline=None, database=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(case=operation.as_strategy(generation_mode=mode))
    def ask(case: Any) -> None:
        nonlocal count
        count += 1
        if count % 2 and "table_id" in (case.path_parameters or {}):
            case.path_parameters["table_id"] = table
        answer = case.call(base_url=home.url, session=session, headers=HEADERS, timeout=PATIENCE)
        case.validate_response(answer, checks=CHECKS)

    try:
        ask()
    except Exception as fault:
        if "Unsatisfiable" not in type(fault).__name__:
            raise


# Frames -----------------------------------------------------------------------------------------

SEEDS: list[dict[str, Any]] = [
    {"do": "hello", "have": 0, "views": True},
    {"do": "play", "key": "k", "decision": 1, "action": "x", "says": None},
    {"do": "why_not", "key": "k", "action": "x"},
    {"do": "say", "key": "k", "text": "x"},
    {"do": "ready", "key": "k", "nonce": "00"},
]
ODD: list[Any] = [
    None, True, -1, 0, 2**31, 2**63, 2**64, 10**400, -(10**30), 1e308, 0.5, "", "x" * 3000,
    "\x00", "\ud800", "\u202e", "🂡", "../..", [], [[]], {}, {"a": {}}, "hello", "play",
    "0" * 300, "draft:0", "draft:99999999999999999999", "a:b:c:d", ",", ":", "-", "９",
]  # fmt: skip


def frame(choice: random.Random) -> str | bytes:
    """Something to send: a command with one thing or more wrong with it, or worse."""
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


async def storm(home: Inside, number: int) -> None:
    """Many frames at a table in play; every text frame is answered or greeted, whatever it is."""
    choice = random.Random(number)
    host, other = await Guest(home, "Host").come(), await Guest(home, "Other").come()
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


def test_no_frame_hurts(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def scenario() -> tuple[int, int]:
        async with inside(tmp_path, Ticking()) as home, asyncio.timeout(PATIENCE):
            await storm(home, 1)
            gc.collect()
            before = tracemalloc.get_traced_memory()[0]
            for number in range(2, 5):
                await storm(home, number)
            gc.collect()
            after = tracemalloc.get_traced_memory()[0]
            async with httpx.AsyncClient(base_url=home.url, timeout=PATIENCE) as client:
                assert (await client.get("/health")).status_code == 200
            return before, after

    tracemalloc.start()
    try:
        before, after = asyncio.run(scenario())
    finally:
        tracemalloc.stop()
    assert after - before < 3_000_000
    failures = [record for record in caplog.records if record.levelname in {"ERROR", "CRITICAL"}]
    assert not failures, failures[0]
