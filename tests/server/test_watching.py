"""Spectators: without a name, counted for everyone, and without any power."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.server.asgi_server import play
from tests.server.guests import Guest, Talk
from tests.server.in_process_server import InProcessServer, in_process_server
from tests.server.test_stand_ins import dealt, opened
from tests.server.waits import TIMEOUT, connect

OPEN = {"kind": "open"}


def visiting(server: InProcessServer, table: str, headers: dict[str, str] | None = None) -> Any:
    """Connect to a table without a session, or with headers."""
    url = f"ws://127.0.0.1:{server.port}/api/tables/{table}/socket"
    return connect(url, additional_headers=headers)


async def hello(connection: Any) -> tuple[Talk, dict[str, Any]]:
    talk = Talk(connection)
    await talk.send(do="hello", have=0, views=True, language="en", version=2)
    return talk, await talk.until("welcome")


async def counted(talk: Talk, count: int) -> None:
    """Wait until a table shows this number of spectators."""
    while (await talk.until("changed"))["table"]["watching"] != count:
        pass


async def test_somebody_without_a_session_watches_and_is_counted(tmp_path: Path) -> None:
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        aki, ben = [await Guest(server, name).come() for name in ("Aki", "Ben")]
        table = await opened([aki, ben], "kingdoms", [OPEN, OPEN])
        async with aki.socket(table) as one, ben.socket(table) as two:
            await dealt([aki, ben], [one, two], table)
            async with visiting(server, table) as connection:
                talk, welcome = await hello(connection)
                assert welcome["seat"] is None
                told = await talk.until("told")
                assert told["facts"]
                assert not any(fact["own"] for fact in told["facts"])
                assert (told["decision"], told["legal"]) == (None, [])
                await counted(one, 1)
                async with ben.socket(table):  # a player who sits here does not watch
                    async with visiting(server, table) as other:
                        await hello(other)
                        await counted(one, 2)
                    await counted(one, 1)
                await play(server, table)  # type: ignore[arg-type]
                while not (await talk.until("told"))["over"]:
                    pass
            await counted(two, 0)
        await aki.client.aclose()
        await ben.client.aclose()


@pytest.mark.parametrize(
    "frame",
    [
        {"do": "say", "text": "hello"},
        {"do": "play", "decision": 1, "action": "end"},
        {"do": "why_not", "action": "end"},
        {"do": "start"},
        {"do": "rematch"},
        {"do": "resign"},
        {"do": "claim"},
        {"do": "ready", "hash": ""},
    ],
    ids=lambda frame: frame["do"],
)
async def test_somebody_without_a_session_can_do_nothing(
    tmp_path: Path, frame: dict[str, Any]
) -> None:
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        aki = await Guest(server, "Aki").come()
        table = await opened([aki], "kingdoms", [OPEN, OPEN])
        async with visiting(server, table) as connection:
            talk, welcome = await hello(connection)
            answer = await talk.answered("key", **frame)
            assert (answer["ok"], answer["fault"]["code"]) == (False, "no-session")
        assert welcome["chat"] == []
        await aki.client.aclose()


async def test_sockets_of_one_address_are_bounded_without_a_session_too(tmp_path: Path) -> None:
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        server.services.sockets.limit = 2
        aki = await Guest(server, "Aki").come()
        table = await opened([aki], "kingdoms", [OPEN, OPEN])
        async with visiting(server, table) as one, visiting(server, table) as two:
            await hello(one)
            await hello(two)
            async with visiting(server, table) as third:
                assert (await Talk(third).read())["code"] == "too-many-sockets"
        await aki.client.aclose()


async def test_everybody_sees_who_asked_for_the_rematch(tmp_path: Path) -> None:
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        aki, ben = [await Guest(server, name).come() for name in ("Aki", "Ben")]
        table = await opened([aki, ben], "kingdoms", [OPEN, OPEN], public=True)
        async with aki.socket(table) as one, ben.socket(table) as two:
            await dealt([aki, ben], [one, two], table)
            await play(server, table)  # type: ignore[arg-type]
            await two.until("welcome")
            assert (await two.answered("again", do="rematch"))["ok"]
            there = (await two.until("welcome"))["table"]
            while (seen := (await one.until("changed"))["table"])["next"] is None:
                pass
            assert (seen["next"], seen["next_seat"]) == (there["id"], 1)
            assert (there["next"], there["next_seat"]) == (None, None)
        async with visiting(server, table) as connection:
            _, welcome = await hello(connection)
            assert (welcome["table"]["next"], welcome["table"]["next_seat"]) == (there["id"], 1)
        await aki.client.aclose()
        await ben.client.aclose()
