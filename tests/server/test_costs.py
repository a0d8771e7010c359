"""What costs the server much is counted, bounded, and not done where everybody waits for it."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from tests.server.indoors import Indoors, indoors, play, seated
from tests.server.test_card_sets import TEXT, written
from zashiki.core.rulings import Malformed
from zashiki.games.kingdoms.card_set import LONGEST_TEXT, read_toml

LONG = ".".join(["a"] * 16_340)
GAME = "kamiza-second"


def at(folder: Path, scenario: Callable[[Indoors], Awaitable[None]]) -> None:
    async def run() -> None:
        async with indoors(folder) as home:
            await scenario(home)

    asyncio.run(run())


async def longest_wait(work: Awaitable[Any]) -> float:
    """For how many seconds nothing else could happen while this was done."""
    worst, done = 0.0, asyncio.ensure_future(work)
    while not done.done():
        before = time.thread_time()  # other processes are not our fault
        await asyncio.sleep(0)
        worst = max(worst, time.thread_time() - before)
    await done
    return worst


# Card sets ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        f"x = {{{LONG} = 1}}\n",
        f"x = [\n{{ {LONG[:-100]} = 1}}]\n",
        f"[{LONG}]\n",
        f'x = {{y = """a"""", {LONG[:-100]} = 1}}\n',
        f"x = {{y = '''a'''', {LONG[:-100]} = 1}}\n",
        f'x = {{y = "#", {LONG[:-100]} = 1}}\n',
        f"'x' . \"\\\"\" . {LONG[:-100]} = 1\n",
    ],
)
def test_a_key_of_many_parts_is_refused_wherever_it_stands(text: str) -> None:
    with pytest.raises(Malformed, match="a key of so many parts"):
        read_toml(text)


@pytest.mark.parametrize(
    "text",
    [
        "a" * 32_000,
        '"' + '\\"' * 16_000,
        '"""' + '\\"""' * 8_000,
        "'''" + "''a" * 10_000,
        "a. " * 10_000,
        "a.a.a.a.a.a.a.a " * 2_000,
        ("a" * 4_000 + " " * 4_000) * 4,
        "[ " * 16_000,
        "." * 32_000,
    ],
)
def test_no_text_takes_long_to_refuse(text: str) -> None:
    before = time.thread_time()
    with pytest.raises(Malformed):
        read_toml(f"{text}\n"[:LONGEST_TEXT])
    assert time.thread_time() - before < 0.1


def test_many_dots_in_texts_and_comments_are_no_key() -> None:
    dots = "# " + "a.b." * 20 + "\n"
    assert read_toml(dots + TEXT.replace("[[areas]]", f"[[areas]] {dots}", 1))["name"] == "mine"


def test_content_is_read_beside_the_loop_and_not_too_often(tmp_path: Path) -> None:
    async def scenario(home: Indoors) -> None:
        aki = await home.guest()
        table = {"game": "kingdoms", "seats": 2}
        for _ in range(58):
            await aki.post("/api/card-sets/check", written("reconstructed"))
        await aki.post("/api/card-sets", written(TEXT), 201)
        own = {**table, "options": {"card_set": TEXT}}
        await aki.post("/api/tables", own, 201)
        for path, data in (
            ("/api/card-sets/check", written(TEXT)),
            ("/api/card-sets", written(TEXT)),
            ("/api/tables", own),
        ):
            assert await aki.refused(path, data, 429) == "too-many"
        for value in ({}, {"card_set": "reconstructed"}):
            await aki.post("/api/tables", {**table, "options": value}, 201)
        home.source.at += 2
        await aki.post("/api/card-sets/check", written(TEXT))

    at(tmp_path, scenario)
