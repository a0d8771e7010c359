"""What was begun is done to its end, whoever is cancelled meanwhile."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.server.asgi_server import asgi_server, seated
from tests.server.test_clocks import owing
from tests.server.test_resource_limits import slow
from tests.server.test_setup import cut_off
from tests.server.waits import TIMEOUT
from zashiki.server.ops.shield import run_to_completion
from zashiki.server.protocol import frames
from zashiki.server.tables import commands as on
from zashiki.server.tables.handler import handle


@pytest.mark.parametrize("fault", [None, ValueError("no")])
async def test_who_is_cancelled_twice_waits_for_the_end(fault: Exception | None) -> None:
    go_on, ended = asyncio.Event(), asyncio.Event()

    async def work() -> None:
        await go_on.wait()
        ended.set()
        if fault is not None:
            raise fault

    waiting = asyncio.create_task(run_to_completion(work()))
    for _ in range(3):
        await asyncio.sleep(0)
        waiting.cancel()
    await asyncio.sleep(0.01)
    assert not waiting.done()
    go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert ended.is_set()


async def test_what_fails_says_so() -> None:
    async def work() -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await run_to_completion(work())


async def test_nobody_else_acts_while_a_match_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who plays is cut off before they know that it is written, and while that is being read."""
    async with asgi_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        people = [await server.guest(name) for name in ("Aki", "Ben")]
        table_id = await seated(server, "kingdoms", people)
        table = await server.services.registry.find(table_id)
        assert table.live is not None
        seat = owing(table)
        command = frames.Play("k", 1, table.live.match.legal(seat)[0])
        called, go_on = slow(server.services.store, monkeypatch, "entries")
        with cut_off(server, "append"):
            task = asyncio.create_task(handle(table, on.Play(people[seat].id, seat, command)))
            await called.wait()
            task.cancel()
            await asyncio.sleep(0.05)
        again: asyncio.Task[Any] = asyncio.create_task(
            handle(table, on.Play(people[seat].id, seat, command))
        )
        await asyncio.sleep(0.05)
        assert not task.done()
        go_on.set()
        with pytest.raises(asyncio.CancelledError):
            await task
        await again
        assert table.live.done == 1
        assert not table.needs_reload
