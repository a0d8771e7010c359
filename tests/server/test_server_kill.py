"""A server that is killed while people play, and restarted: nothing is lost or doubled."""

import asyncio
import os
import random
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.server.guests import Guest, RunningServer
from tests.server.server_process import RUN, ServerProcess, server_process
from tests.server.simulated_players import (
    UNLIMITED,
    SimulatedPlayer,
    check_match,
    close_clients,
    seated,
)
from tests.server.waits import TIMEOUT

QUICK = ("--bots", "1", "--bot-pace", "0", "--requests", "1000000", "--proxy", "127.0.0.1")
MIX: list[tuple[str, int, dict[str, Any]]] = [
    ("kamiza-second", 3, {}), ("red-town", 3, {"form": "short"}), ("kingdoms", 2, {}),
    ("red-town", 2, {}), ("kamiza-2014", 4, {}), ("red-town", 5, {"form": "short"}),
    ("red-town", 3, {}), ("kamiza-second", 4, {"open_start": True}),
]  # fmt: skip


async def gathered(
    server: RunningServer, count: int, bots: bool = False
) -> list[list[SimulatedPlayer]]:
    """Open this many tables of all games; with bots, every other one has some of them."""
    tables = []
    for number in range(count):
        game, seats, options = MIX[number % len(MIX)]
        sitting = seats - 1 if bots and number % 2 else 0
        table, guests = await seated(server, game, seats, options, sitting)
        tables.append(
            [SimulatedPlayer(guest, table, seat, number) for seat, guest in enumerate(guests)]
        )
    return tables


async def play_on(
    server: ServerProcess, people: Sequence[SimulatedPlayer], kills: int, seed: int
) -> None:
    """Play until all matches are over; the server is killed this often, between two answers."""
    choice = random.Random(seed)
    playing = asyncio.gather(*(person.play() for person in people))
    try:
        for _ in range(kills):
            for _ in range(choice.randint(1, 15)):
                await answered(people)
            await asyncio.sleep(choice.uniform(0, 0.02))  # anywhere between two answers
            assert not playing.done(), "there is something left to interrupt"
            server.kill()
            await asyncio.to_thread(server.start)
        await playing
    finally:
        playing.cancel()


async def answered(people: Sequence[SimulatedPlayer]) -> None:
    """Wait until one more command of anyone is acknowledged."""
    waits = [asyncio.create_task(person.heard.wait()) for person in people]
    for person in people:
        person.heard.clear()
    await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    for wait in waits:
        wait.cancel()
    await asyncio.gather(*waits, return_exceptions=True)


async def evening(server: ServerProcess, count: int, kills: int, bots: bool = False) -> None:
    tables = await gathered(server, count, bots)
    people = [person for table in tables for person in table]
    try:
        async with asyncio.timeout(900):
            await play_on(server, people, kills, count)
        for table in tables:
            await check_match(table, table[0].table)
            await check_result(table)
    finally:
        await close_clients(people)


async def check_result(people: Sequence[SimulatedPlayer]) -> None:
    """Check that the match is over everywhere, and counted once."""
    guest = people[0].guest
    table = await guest.get(f"/api/tables/{people[0].table}")
    assert table["state"] == "over"
    played = (await guest.get(f"/api/matches/{table['match']}"))["match"]
    assert played["rated"]
    assert sorted(played["ranks"])[0] == 1
    for person in people:
        profile = await guest.get(f"/api/players/{person.guest.id}")
        assert [rating["matches"] for rating in profile["ratings"]] == [1]
        (mine,) = (await guest.get(f"/api/players/{person.guest.id}/matches"))["matches"]
        assert mine == played


async def test_a_killed_server_loses_nothing_and_doubles_nothing(tmp_path: Path) -> None:
    with server_process(tmp_path, *UNLIMITED) as server:
        await evening(server, 6, 2)


@pytest.mark.long
async def test_forty_tables_and_ten_kills(tmp_path: Path) -> None:
    with server_process(tmp_path, *UNLIMITED) as server:
        await evening(server, 40, 10)


@pytest.mark.long
async def test_forty_tables_with_bots_and_ten_kills(tmp_path: Path) -> None:
    with server_process(tmp_path, *QUICK) as server:
        await evening(server, 40, 10, bots=True)


# Moments of their own --------------------------------------------------------------------------


async def test_killed_before_the_deal_a_table_goes_on_dealing(tmp_path: Path) -> None:
    """The commitment is kept. Servers that share a store keep a nonce; a single one asks for it
    again."""
    server = ServerProcess(tmp_path, *UNLIMITED)
    waits = f"from zashiki.server.tables import dealing; dealing.NONCE_TIMEOUT_SECONDS = {TIMEOUT}"
    server.run = f"{waits}; {RUN}"
    server.start()
    try:
        table, guests = await seated(server, "kingdoms", 2)
        started = await guests[0].post(f"/api/tables/{table}/start")
        async with guests[0].socket(table) as talk:
            assert (await talk.answered("1", do="ready"))["ok"]
            server.kill()
        server.start()
        again = await guests[1].get(f"/api/tables/{table}")
        promised = started["commitment"]
        assert (again["state"], again["match"], again["commitment"]) == ("starting", None, promised)
        is_shared = os.environ.get("ZASHIKI_TEST_STORE") == "postgres"
        assert [seat["ready"] for seat in again["seats"]] == [is_shared, False]
        async with guests[0].socket(table) as one, guests[1].socket(table) as other:
            await one.send(do="ready", key="1")
            await other.send(do="ready", key="1")
            server.kill()
        await asyncio.to_thread(server.start)
        people = [SimulatedPlayer(guest, table, seat, 3) for seat, guest in enumerate(guests)]
        async with asyncio.timeout(TIMEOUT):
            await asyncio.gather(*(person.play() for person in people))
        await check_match(people, table)
        await check_result(people)
        await close_clients(people)
    finally:
        server.kill()


def first_of(told: dict[str, Any]) -> dict[str, Any]:
    return {"do": "play", "decision": told["decision"], "action": told["legal"][0]}


async def play_but_one(table: str, guests: Sequence[Guest]) -> tuple[Guest, dict[str, Any]]:
    """Play 26 of the 27 actions of three people at KAMIZA; return the next player and action."""
    async with AsyncExitStack() as sockets:
        talks = [await sockets.enter_async_context(guest.socket(table)) for guest in guests]
        await guests[0].post(f"/api/tables/{table}/start")
        for talk in talks:
            assert (await talk.answered("ready", do="ready"))["ok"]
        for number in range(1, 28):
            news = [await talk.until("told") for talk in talks]
            (seat,) = news[0]["to_act"]
            last = first_of(news[seat])
            if number < 27:
                assert (await talks[seat].answered(str(number), **last))["ok"]
    return guests[seat], last


async def test_killed_with_the_last_action_a_match_is_counted_once(tmp_path: Path) -> None:
    """Whether its answer was received or not."""
    with server_process(tmp_path, *UNLIMITED) as server:
        tables = [await seated(server, "kamiza-second", 3) for _ in range(2)]
        ends = [await play_but_one(table, guests) for table, guests in tables]
        (heard, _), (unheard, _) = tables
        async with ends[0][0].socket(heard) as one, ends[1][0].socket(unheard) as other:
            assert (await one.answered("last", **ends[0][1]))["ok"]
            await other.send(key="last", **ends[1][1])
            server.kill()
        server.start()
        for (table, guests), (guest, last) in zip(tables, ends, strict=True):
            for _ in range(2):
                async with guest.socket(table) as talk:
                    assert (await talk.answered("last", **last))["ok"], "the same command"
                    assert (await talk.answered("other", **last))["fault"]["code"] == "stale"
            people = [SimulatedPlayer(guest, table, seat, 0) for seat, guest in enumerate(guests)]
            await check_result(people)
            await close_clients(people)
