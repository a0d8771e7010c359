"""A worker that takes seats and does not play for them does not stop a match."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from unittest.mock import Mock

import msgspec
import pytest
from websockets.asyncio.server import ServerConnection, serve

from tests.server.asgi_server import AsgiServer, asgi_server, leased, seated
from tests.server.waits import TIMEOUT
from zashiki.core.rulings import Malformed
from zashiki.server.bots.watchdog import MARGIN_SECONDS, SPARE_FACTOR, Watchdog
from zashiki.server.bots.worker import Worker
from zashiki.server.bots.worker_link import WorkerLink
from zashiki.server.protocol import frames
from zashiki.server.protocol.workers import Full, Offering
from zashiki.server.realtime import worker_socket
from zashiki.server.realtime.worker_socket import serve_worker
from zashiki.server.tables import commands as on
from zashiki.server.tables.handler import handle
from zashiki.server.tables.live import LiveTable

GAME = "kamiza-second"
LONG = SPARE_FACTOR * (MARGIN_SECONDS + 15)


class Scene:
    """A match among the server's bots, and a clock."""

    def __init__(self, server: AsgiServer, table: LiveTable) -> None:
        self.dispatcher = server.services.dispatcher
        self.reviews = server.services.reviews
        self.table = table
        self.time = 0.0
        self.dog = Watchdog(self.dispatcher, lambda: self.time)

    async def look(self, later: float = 0.0) -> None:
        self.time += later
        await self.dog.check()

    @property
    def done(self) -> int:
        assert self.table.live is not None
        return self.table.live.done

    @property
    def owing(self) -> tuple[str, int]:
        assert self.table.live is not None
        return self.table.row.id, min(self.table.live.match.to_act)


@asynccontextmanager
async def scene_at(folder: Path) -> AsyncIterator[Scene]:
    async with asgi_server(folder) as server:
        aki = await server.guest("Aki")
        chairs = [{"kind": "bot", "bot": bot} for bot in ("random", "greedy", "greedy")]
        wanted = {"game": GAME, "seats": 3, "chairs": chairs}
        table = (await aki.post("/api/tables", wanted, 201))["table"]["id"]
        await aki.post(f"/api/tables/{table}/start")
        await leased(server.services.dispatcher)
        yield Scene(server, await server.services.registry.find(table))


async def test_a_seat_goes_to_another_worker(tmp_path: Path) -> None:
    async with scene_at(tmp_path) as scene:
        stuck = scene.dispatcher.add_worker(Offering(3))
        place = scene.owing
        other = scene.dispatcher.add_worker(Offering(3))
        await scene.look()
        await scene.look(0.8 * LONG)
        assert scene.dispatcher.assignments[place] is stuck
        await scene.look(0.2 * LONG)
        assert scene.dispatcher.assignments[place] is other
        assert (stuck.failures, scene.done) == (1, 0)
        assert len(stuck.assigned) == 2, "of the others nothing was asked"


async def test_where_there_is_no_other_any_legal_action_is_taken(tmp_path: Path) -> None:
    async with scene_at(tmp_path) as scene:
        stuck = scene.dispatcher.add_worker(Offering(9))
        for _ in range(400):
            await scene.look(LONG)
            if not scene.table.is_playing():
                break
        assert not scene.table.is_playing(), "the match has come to its end"
        assert stuck.failures == 3, "a seat is not given to it again"
        assert not scene.dispatcher.unassigned
        assert not scene.dispatcher.failed_workers


async def test_no_key_of_a_person_stands_in_its_way(server: AsgiServer) -> None:
    people = [await server.guest(name) for name in ("Aki", "Ben", "Chie")]
    table = await server.services.registry.find(await seated(server, GAME, people))
    scene = Scene(server, table)
    _, seat = scene.owing
    await person_plays(table, seat, "watchdog 2")
    await handle(table, on.Resign(seat))
    while scene.owing[1] != seat:
        await person_plays(table, scene.owing[1], f"own {scene.done}")
    assert table.presence is not None
    table.presence.here(range(3))
    table.reschedule()
    await leased(scene.dispatcher)
    scene.dispatcher.add_worker(Offering(9))
    done = scene.done
    await scene.look()
    await scene.look(LONG)
    assert scene.done == done + 1


async def person_plays(table: LiveTable, seat: int, key: str) -> None:
    assert table.live is not None
    decision, player = table.live.decision(seat), table.doc.chairs[seat].player
    assert decision is not None
    assert player is not None
    command = frames.Play(key, decision, table.live.match.legal(seat)[0])
    await handle(table, on.Play(player, seat, command))


async def test_a_new_worker_takes_over(tmp_path: Path) -> None:
    async with scene_at(tmp_path) as scene:
        stuck = scene.dispatcher.add_worker(Offering(9))
        place = scene.owing
        await scene.look()
        await scene.look(LONG)
        assert scene.done == 1
        scene.dispatcher.remove_worker(stuck)
        assert scene.dispatcher.unserved_seats() == [place]
        fresh = scene.dispatcher.add_worker(Offering(9))
        assert scene.dispatcher.assignments[place] is fresh
        assert scene.dispatcher.unserved_seats() == []


async def test_who_never_failed_is_asked_first(tmp_path: Path) -> None:
    async with scene_at(tmp_path) as scene:
        bad, good = WorkerLink(100), WorkerLink(2)
        bad.failures = 1
        scene.dispatcher.workers = {bad, good}
        scene.dispatcher._assign_seats()
        assert (len(good.assigned), len(bad.assigned)) == (2, 1)


async def test_one_worker_too_many_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_socket, "MAX_WORKERS", 1)
    async with scene_at(tmp_path) as scene:
        socket = Mock()
        scene.dispatcher.add_worker(Offering(9))
        assert scene.dispatcher.is_worker(f"Bearer {scene.dispatcher.token}"), "its token is right"
        await serve_worker(scene.dispatcher, scene.reviews, socket)
        ((sent,),) = socket.write.call_args.args
        assert msgspec.json.decode(sent, type=Full).most == 1


async def test_a_worker_that_is_not_needed_says_so() -> None:
    async def dispatcher(socket: ServerConnection) -> None:
        await socket.send(msgspec.json.encode(Full(100)).decode())
        await socket.wait_closed()

    async with serve(dispatcher, "127.0.0.1", 0) as server, asyncio.timeout(TIMEOUT):
        port = next(iter(server.sockets)).getsockname()[1]
        with pytest.raises(Malformed, match="100 workers"):
            await Worker(f"http://127.0.0.1:{port}", "token").run()
