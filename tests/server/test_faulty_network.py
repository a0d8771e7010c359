"""Frames that come late, twice, out of order or never: every player recovers automatically."""

import asyncio
from pathlib import Path

from tests.server.faulty_network import faulty_network
from tests.server.server_process import server_process
from tests.server.simulated_players import UNLIMITED, SimulatedPlayer, check_match, close_clients
from tests.server.test_server_kill import check_result, gathered
from tests.server.waits import TIMEOUT
from zashiki.server.bots.seat_client import SeatClient
from zashiki.server.bots.thread import BotThread
from zashiki.server.bots.worker import socket_url


async def test_people_recover_from_whatever_the_network_does(tmp_path: Path) -> None:
    with server_process(tmp_path, *UNLIMITED) as server:
        async with faulty_network(server, seed=1) as network:
            tables = await gathered(network, 6)
            people = [person for table in tables for person in table]
            for person in people:
                person.is_shaky, person.wild = True, False
            async with asyncio.timeout(5 * TIMEOUT):
                await asyncio.gather(*(person.play() for person in people))
            assert min(network.faults.values()) >= 5, network.faults
            for table in tables:
                await check_match(table, table[0].table)
                await check_result(table)
            await close_clients(people)


async def test_a_bot_recovers_from_whatever_the_network_does(tmp_path: Path) -> None:
    """The server's own bot client connects like a person, and never has to start again."""
    with server_process(tmp_path, *UNLIMITED) as server:
        async with faulty_network(server, seed=2, evil=0.06) as network:
            (people,) = await gathered(network, 1)
            table, thread = people[0].table, BotThread()
            clients = []
            for person in people:

                async def ticket(person: SimulatedPlayer = person) -> str:
                    found = await person.guest.post(f"/api/tables/{table}/ticket")
                    return str(found["ticket"])

                url = f"{socket_url(f'http://127.0.0.1:{network.port}')}/api/tables/{table}/socket"
                clients.append(SeatClient(url, person.seat, "random", ticket, thread.lane()))
            await people[0].guest.post(f"/api/tables/{table}/start")
            async with asyncio.timeout(5 * TIMEOUT):
                await asyncio.gather(*(client.play() for client in clients))
            assert [client.faults for client in clients] == [0] * len(clients)
            assert (await people[0].guest.get(f"/api/tables/{table}"))["state"] == "over"
            assert network.faults["swap"] + network.faults["double"] > 0
            thread.shutdown()
            await close_clients(people)
