"""Several servers, their workers and their PostgreSQL die while people play: nothing is lost."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.server.guests import Guest
from tests.server.postgres import Cluster
from tests.server.server_cluster import ServerCluster, inflict_failures, server_cluster
from tests.server.simulated_players import SimulatedPlayer, check_match, close_clients
from tests.server.stores import started
from tests.server.test_server_kill import check_result, gathered
from tests.server.waits import TIMEOUT


async def ordeal(server: ServerCluster, matches: int, deaths: int, pause: float, seed: int) -> None:
    """Check that all matches end, whatever happens to the cluster meanwhile."""
    tables = await gathered(server, matches, bots=True)
    people = [person for table in tables for person in table]
    for person in people:
        person.pause = pause
    try:
        async with asyncio.timeout(600 + 10 * deaths):
            playing = asyncio.gather(*(person.play() for person in people))
            await inflict_failures(server, deaths, seed)
            for person in people:
                person.pause = 0.1  # nothing else can be seen
            await playing
        for table in tables:
            await check_match(table, table[0].table)
            await check_result(table)
    finally:
        await close_clients(people)


async def test_whatever_dies_nothing_is_lost(tmp_path: Path, killable_postgres: Cluster) -> None:
    with server_cluster(tmp_path, killable_postgres) as server:
        await ordeal(server, 5, 5, 0.2, seed=1)


@pytest.mark.long
async def test_sixty_matches_and_eighty_deaths(tmp_path: Path, killable_postgres: Cluster) -> None:
    with server_cluster(tmp_path, killable_postgres) as server:
        await ordeal(server, 60, 80, 1.5, seed=2)


async def test_people_at_one_table_by_way_of_different_servers(tmp_path: Path) -> None:
    """They see each other come, talk, play and leave."""

    async def changed(talk: Any) -> Any:
        return (await talk.until("changed"))["table"]

    with server_cluster(tmp_path, started(), servers=2, workers=0) as server:
        one, two = server.servers
        ann, bea = await Guest(one, "Ann").come(), await Guest(two, "Bea").come()
        wanted = {"game": "kingdoms", "seats": 2, "chairs": [{"kind": "open"}] * 2}
        table = (await ann.post("/api/tables", wanted))["table"]["id"]
        async with asyncio.timeout(TIMEOUT):  # a notice comes before the table is listed
            while table not in [shown["id"] for shown in await bea.get("/api/tables")]:
                await asyncio.sleep(0.01)
        async with ann.socket(table) as hers:
            await hers.until("welcome")
            await bea.post(f"/api/tables/{table}/sit", {"seat": 1})
            async with bea.socket(table) as theirs:
                welcome = await theirs.until("welcome")
                seats = welcome["table"]["seats"]
                assert not seats[1]["here"]
                while not seats[0]["here"]:  # her server may not have heard of Ann yet
                    seats = (await changed(theirs))["seats"]
                while not all(seat["here"] for seat in (await changed(hers))["seats"]):
                    pass
                assert (await theirs.answered("1", do="say", text="Good evening"))["ok"]
                assert (await hers.until("chatted"))["text"] == "Good evening"
                assert (await hers.answered("1", do="say", text="Hello"))["ok"]
                await theirs.until("chatted")
                assert (await theirs.until("chatted"))["text"] == "Hello"
            while (await changed(hers))["seats"][1]["here"]:
                pass
        people = [SimulatedPlayer(guest, table, seat, 5) for seat, guest in enumerate((ann, bea))]
        async with asyncio.timeout(TIMEOUT):
            await asyncio.gather(*(person.play() for person in people))
        await check_match(people, table)
        await check_result(people)
        await close_clients(people)


async def test_told_to_stop_a_server_sends_people_to_another(tmp_path: Path) -> None:
    with server_cluster(tmp_path, started(), servers=2, workers=0) as server:
        one, two = server.servers
        ann = await Guest(one, "Ann").come()
        wanted = {"game": "kingdoms", "seats": 2, "chairs": [{"kind": "open"}] * 2}
        table = (await ann.post("/api/tables", wanted))["table"]["id"]
        async with ann.socket(table) as talk:
            await talk.until("welcome")
            ending = asyncio.create_task(asyncio.to_thread(one.end))
            bye = await talk.until("bye")
            assert (bye["code"], bye["again"]) == ("stopping", True)
        assert await ending == 0
        cookies = ann.client.cookies
        await ann.client.aclose()
        again = Guest(two, "Ann")
        again.client.cookies = cookies
        async with again.socket(table) as talk:
            assert (await talk.until("welcome"))["seat"] == 0
        await again.client.aclose()


async def test_the_bots_of_a_server_that_died_are_played_on_by_another(tmp_path: Path) -> None:
    """Within seconds, at a table where only bots are left to act."""
    with server_cluster(tmp_path, started(), servers=2, workers=1) as server:
        one, two = server.servers
        ann = await Guest(one, "Ann").come()
        bots = [{"kind": "bot", "bot": "random"}] * 2
        wanted = {"game": "kamiza-second", "seats": 3, "chairs": [{"kind": "open"}, *bots]}
        table = (await ann.post("/api/tables", wanted))["table"]["id"]
        async with ann.socket(table) as talk:
            await ann.post(f"/api/tables/{table}/start")
            assert (await talk.answered("1", do="ready"))["ok"]
            while (await talk.until("told"))["decision"] is None:
                pass
            assert (await talk.answered("2", do="resign"))["ok"]
            one.kill()
        async with asyncio.timeout(TIMEOUT):
            watcher = await Guest(two, "Bea").come()
            while (await watcher.get(f"/api/tables/{table}"))["state"] != "over":
                await asyncio.sleep(0.2)
        await ann.client.aclose()
        await watcher.client.aclose()
