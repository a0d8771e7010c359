"""The right to act for a seat, and the players who count as present."""

import asyncio
import contextlib
import gc
from pathlib import Path
from typing import Any

import pytest

from tests.server.asgi_server import AsgiServer, asgi_server, busy
from tests.server.guests import Guest, Talk
from tests.server.server_process import server_process
from tests.server.test_bots import employed, seat_url, staffed, worker
from tests.server.test_stand_ins import (
    BOT,
    GRACE,
    OPEN,
    Evening,
    asked_for,
    dealt,
    new_evening,
    opened,
    play,
    shown,
    to_the_end,
)
from tests.server.waits import TIMEOUT, connect, until
from zashiki.server import app
from zashiki.server.protocol.workers import Offering
from zashiki.server.tables import sweep
from zashiki.server.tables.connection import Connection
from zashiki.server.tables.registry import TableRegistry
from zashiki.server.tables.sweep import COLLECT_SWEEPS, COLLECT_SWEEPS_BUSY, FEW_SOCKETS, collect


@pytest.fixture(name="halls")
def _halls(monkeypatch: pytest.MonkeyPatch) -> list[TableRegistry]:
    """The table registry of each server that is made here."""
    halls: list[TableRegistry] = []

    make_app = app.make_app

    def make(*arguments: Any) -> Any:
        made = make_app(*arguments)
        halls.append(made.state["server"].registry)
        return made

    monkeypatch.setattr(app, "make_app", make)
    return halls


async def two(evening: Evening) -> tuple[Guest, Guest, str]:
    aki, ben = await evening.come("Aki"), await evening.come("Ben")
    await evening.come("Chie")
    return aki, ben, await opened([aki, ben], "kingdoms", [OPEN, OPEN])


# The right to act ------------------------------------------------------------------------------


async def test_a_bot_that_waits_its_turn_behind_its_owner_does_not_play(
    tmp_path: Path, halls: list[TableRegistry]
) -> None:
    """During a write, first the owner comes back, and then the bot wants to play."""
    async with new_evening(tmp_path) as evening, evening.serving(worker=False):
        aki, ben, table_id = await two(evening)
        async with aki.socket(table_id) as one, employed(evening.server) as dispatcher:
            async with ben.socket(table_id) as other:
                await dealt([aki, ben], [one, other], table_id)
            await shown(one, 1, until=True, here=False)
            await evening.skip(GRACE + 1, table_id)
            serve = await dispatcher.until("serve")
            first = asyncio.create_task(play(one, to_the_end))
            async with connect(seat_url(evening.server, serve)) as connection:
                bot = Talk(connection)
                await bot.send(do="hello", have=0, views=False, version=2)
                asked = await asked_for(bot)
                number, action = asked["decision"], asked["legal"][0]
                table = await halls[-1].find(table_id)
                async with contextlib.AsyncExitStack() as stack:
                    with busy(table):
                        other = await stack.enter_async_context(ben.socket(table_id))
                        await until(lambda: len(table.queue) == 2)
                        await bot.send(do="play", key="b", decision=number, action=action)
                        await until(lambda: len(table.queue) == 3)
                    assert (await other.until("told"))["decision"] == number
                    assert (await bot.until("bye"))["code"] == "released"
                    own = {"decision": number, "action": action}
                    assert (await other.answered("own", do="play", **own))["ok"]
                assert not table.stand_in_moves
            first.cancel()
            await asyncio.gather(first, return_exceptions=True)


async def test_who_has_resigned_does_not_play_any_more(tmp_path: Path) -> None:
    async with new_evening(tmp_path) as evening, evening.serving(worker=False):
        aki, ben, table = await two(evening)
        async with aki.socket(table) as one, ben.socket(table) as other:
            await dealt([aki, ben], [one, other], table)
            legal = (await one.until("told"))["legal"]
            own = {"do": "play", "decision": 1, "action": legal[0]}
            assert (await one.answered("first", **own))["ok"]
            assert (await one.answered("gone", do="resign"))["ok"]
            again = await one.answered("first", **own)
            assert again["ok"], "what was played before is answered as it was"
            told = await one.until("told")
            next = {"decision": 2, "action": told["legal"][0]}
            refused = await one.answered("second", do="play", **next)
            assert (refused["ok"], refused["fault"]["code"]) == (False, "resigned")
            async with employed(evening.server) as dispatcher:
                serve = await dispatcher.until("serve")
                async with connect(seat_url(evening.server, serve)) as connection:
                    bot = Talk(connection)
                    await bot.send(do="hello", have=0, views=False, version=2)
                    assert (await bot.answered("b", do="play", **next))["ok"]


async def test_bots_hurry_as_soon_as_who_is_late_resigns(tmp_path: Path) -> None:
    """The seat was a bot's already, and yet something has changed."""
    async with new_evening(tmp_path) as evening, evening.serving(worker=False, pace=1):
        aki = await evening.come("Aki")
        await evening.come("Chie")
        clock = {"kind": "clock", "seconds": 5}
        table = await opened([aki], "kingdoms", [OPEN, BOT], pace=clock)
        async with aki.socket(table) as one, employed(evening.server) as dispatcher:
            await dealt([aki], [one], table)
            assert (await dispatcher.until("serve"))["pace"] == 1
            await asked_for(one)
            await evening.skip(6, table)
            late = await dispatcher.until("serve")
            assert (late["seat"], late["pace"]) == (0, 1)
            assert (await one.answered("gone", do="resign"))["ok"]
            orders = [await dispatcher.until("serve") for _ in range(2)]
            assert sorted(order["seat"] for order in orders) == [0, 1]
            assert {order["pace"] for order in orders} == {0}


# Presence --------------------------------------------------------------------------------------


async def test_a_room_stays_for_who_has_not_said_hello(
    tmp_path: Path, halls: list[TableRegistry]
) -> None:
    async with new_evening(tmp_path) as evening, evening.serving(worker=False):
        aki, ben, table_id = await two(evening)
        async with aki.socket(table_id) as one, ben.socket(table_id) as other:
            await dealt([aki, ben], [one, other], table_id)
        registry = halls[-1]
        table = await registry.find(table_id)
        while table.subscribers or table.sockets:
            await asyncio.sleep(0.01)
        ticket = (await aki.post(f"/api/tables/{table_id}/ticket"))["ticket"]
        path = f"/api/tables/{table_id}/socket?ticket={ticket}"
        async with connect(f"ws://127.0.0.1:{evening.server.port}{path}") as connection:
            assert registry.drop_idle() == 0
            talk = Talk(connection)
            await talk.send(do="hello", have=0)
            own = {"decision": 1, "action": (await talk.until("told"))["legal"][0]}
            async with ben.socket(table_id) as other:
                await other.until("told")
                assert (await talk.answered("k", do="play", **own))["ok"]
                assert (await other.until("told"))["facts"]
        while table.sockets:
            await asyncio.sleep(0.01)
        assert registry.drop_idle() == 1


async def test_who_is_renamed_chats_under_the_new_name(tmp_path: Path) -> None:
    async with new_evening(tmp_path) as evening, evening.serving(worker=False):
        aki, ben, table = await two(evening)
        async with aki.socket(table) as one, ben.socket(table) as other:
            await other.until("welcome")
            await one.answered("1", do="say", text="before")
            assert (await other.until("chatted"))["name"] == "Aki"
            await aki.post("/api/rename", {"name": "Akiko"})
            await one.answered("2", do="say", text="after")
            assert (await other.until("chatted"))["name"] == "Akiko"
        async with ben.socket(table) as other:
            chat = (await other.until("welcome"))["chat"]
            assert [said["name"] for said in chat] == ["Akiko", "Akiko"]


# No worker -------------------------------------------------------------------------------------


async def test_a_table_with_bots_does_not_start_where_nobody_plays_for_them(tmp_path: Path) -> None:
    with server_process(tmp_path, "--bots", "0") as server:
        aki, ben = await Guest(server, "Aki").come(), await Guest(server, "Ben").come()
        assert (await aki.get("/health"))["bots"] == "none"
        with_bot = await opened([aki], "kingdoms", [OPEN, BOT])
        answer = await aki.client.post(f"/api/tables/{with_bot}/start")
        assert (answer.status_code, answer.json()["code"]) == (503, "no-bots")
        assert answer.json()["details"] == {"seats": [1]}
        stranger = await ben.client.post(f"/api/tables/{with_bot}/start")
        assert stranger.json()["code"] == "not-host"
        among_people = await opened([aki, ben], "kingdoms", [OPEN, OPEN])
        await aki.post(f"/api/tables/{among_people}/start")
        with worker(server):
            async with asyncio.timeout(TIMEOUT):
                await staffed(aki)
            assert (await aki.post(f"/api/tables/{with_bot}/start"))["state"] == "starting"
        for guest in (aki, ben):
            await guest.client.aclose()


async def test_a_server_with_workers_of_its_own_waits_for_them(server: AsgiServer) -> None:
    dispatcher = server.services.dispatcher
    assert dispatcher.is_staffed()
    assert not dispatcher.workers
    dispatcher.has_own_workers = False
    assert not dispatcher.is_staffed()
    joined = dispatcher.add_worker(Offering(1))
    assert dispatcher.is_staffed()
    dispatcher.remove_worker(joined)
    assert not dispatcher.is_staffed()


# Garbage ---------------------------------------------------------------------------------------


async def test_old_garbage_is_collected_now_and_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    collected: list[None] = []
    monkeypatch.setattr(gc, "collect", lambda: collected.append(None))
    async with asgi_server(tmp_path) as server:
        registry, aki = server.services.registry, await server.guest()
        table_id = await aki.post("/api/tables", {"game": "kingdoms", "seats": 2}, 201)
        rounds = range(1, 2 * COLLECT_SWEEPS_BUSY + 1)
        assert sum(collect(registry, number) for number in rounds) == len(rounds) // COLLECT_SWEEPS
        table = await registry.find(table_id["table"]["id"])
        table.sockets = {Connection(aki.id, None) for _ in range(FEW_SOCKETS + 1)}
        assert sum(collect(registry, number) for number in rounds) == 2, "seldom, but not never"
        assert len(collected) == len(rounds) // COLLECT_SWEEPS + 2
        table.sockets = set()


async def test_collecting_is_a_part_of_tidying(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rounds: list[int] = []
    monkeypatch.setattr(sweep, "SWEEP_SECONDS", 0.001)
    monkeypatch.setattr(sweep, "collect", lambda _, number: rounds.append(number))
    async with asgi_server(tmp_path):
        while len(rounds) < 3:
            await asyncio.sleep(0.005)
    assert rounds[:3] == [1, 2, 3]
