"""Work that was begun is completed, whoever is cancelled meanwhile."""

import asyncio

import pytest

from zashiki.server.ops.shield import run_to_completion


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
