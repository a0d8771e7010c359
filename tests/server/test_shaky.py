"""Frames that come late, twice, in the wrong order or never: whoever plays recovers by itself."""

import asyncio
from pathlib import Path

from tests.server.house import House, house
from tests.server.people import UNLIMITED, Person, check_match, go_home
from tests.server.shaky import shaky
from tests.server.test_kill import check_result, gathered
from tests.server.waiting import PATIENCE
from zashiki.server.bots.seat_client import BotThread, SeatClient
from zashiki.server.bots.worker import socket_url


def test_people_recover_from_whatever_the_network_does(tmp_path: Path) -> None:
    async def scenario(home: House) -> None:
        async with shaky(home, seed=1) as network:
            tables = await gathered(network, 6)
            people = [person for table in tables for person in table]
            for person in people:
                person.is_shaky, person.wild = True, False
            async with asyncio.timeout(5 * PATIENCE):
                await asyncio.gather(*(person.play() for person in people))
            assert min(network.faults.values()) >= 5, network.faults
            for table in tables:
                await check_match(table, table[0].table)
                await check_result(table)
            await go_home(people)

    with house(tmp_path, *UNLIMITED) as home:
        asyncio.run(scenario(home))


def test_a_bot_recovers_from_whatever_the_network_does(tmp_path: Path) -> None:
    """One of its own comes like a person does, and never has to begin anew."""

    async def scenario(home: House) -> None:
        async with shaky(home, seed=2, evil=0.06) as network:
            (people,) = await gathered(network, 1)
            table, thread = people[0].table, BotThread()
            clients = []
            for person in people:

                async def ticket(person: Person = person) -> str:
                    found = await person.guest.post(f"/api/tables/{table}/ticket")
                    return str(found["ticket"])

                url = f"{socket_url(f'http://127.0.0.1:{network.port}')}/api/tables/{table}/socket"
                clients.append(SeatClient(url, person.seat, "random", ticket, thread))
            await people[0].guest.post(f"/api/tables/{table}/start")
            async with asyncio.timeout(5 * PATIENCE):
                await asyncio.gather(*(client.play() for client in clients))
            assert [client.faults for client in clients] == [0] * len(clients)
            assert (await people[0].guest.get(f"/api/tables/{table}"))["state"] == "over"
            assert network.faults["swap"] + network.faults["double"] > 0
            thread.shutdown()
            await go_home(people)

    with house(tmp_path, *UNLIMITED) as home:
        asyncio.run(scenario(home))
