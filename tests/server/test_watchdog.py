"""A worker that takes seats and does not play for them stops no match."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from unittest.mock import AsyncMock

import msgspec
import pytest
from websockets.asyncio.server import ServerConnection, serve

from tests.server.indoors import Indoors, indoors, leased, seated
from tests.server.waiting import PATIENCE
from zashiki.core.rulings import Malformed
from zashiki.server.bots import dispatcher
from zashiki.server.bots.dispatcher import Worker
from zashiki.server.bots.watchdog import MARGIN, Watchdog
from zashiki.server.bots.worker import Worker as Process
from zashiki.server.protocol import frames
from zashiki.server.protocol.workers import Full, Offering
from zashiki.server.realtime.worker_socket import serve_worker
from zashiki.server.tables import gameplay
from zashiki.server.tables.live import Room

GAME = "kamiza-second"
LONG = MARGIN + 15


class Scene:
    """A match among bots of the house, and a clock."""

    def __init__(self, home: Indoors, room: Room) -> None:
        self.desk = home.server.desk
        self.room = room
        self.time = 0.0
        self.dog = Watchdog(self.desk, lambda: self.time)

    async def look(self, later: float = 0.0) -> None:
        self.time += later
        await self.dog.look()

    @property
    def done(self) -> int:
        assert self.room.live is not None
        return self.room.live.done

    @property
    def owing(self) -> tuple[str, int]:
        assert self.room.live is not None
        return self.room.row.id, min(self.room.live.match.to_act)


def at(folder: Path, scenario: Callable[[Scene], Awaitable[None]]) -> None:
    async def run() -> None:
        async with indoors(folder) as home:
            aki = await home.guest("Aki")
            chairs = [{"kind": "bot", "bot": bot} for bot in ("random", "greedy", "greedy")]
            wanted = {"game": GAME, "seats": 3, "chairs": chairs}
            table = (await aki.post("/api/tables", wanted, 201))["table"]["id"]
            await aki.post(f"/api/tables/{table}/start")
            await leased(home.server.desk)
            await scenario(Scene(home, await home.server.hall.room(table)))

    asyncio.run(run())


def test_a_seat_goes_to_another_worker(tmp_path: Path) -> None:
    async def scenario(scene: Scene) -> None:
        stuck = scene.desk.join(Offering(3))
        place = scene.owing
        other = scene.desk.join(Offering(3))
        await scene.look()
        await scene.look(LONG - 10)
        assert scene.desk.given[place] is stuck
        await scene.look(10)
        assert scene.desk.given[place] is other
        assert (stuck.failures, scene.done) == (1, 0)
        assert len(stuck.serves) == 2, "of the others nothing was asked"

    at(tmp_path, scenario)


def test_where_there_is_no_other_any_legal_action_is_taken(tmp_path: Path) -> None:
    async def scenario(scene: Scene) -> None:
        stuck = scene.desk.join(Offering(9))
        for _ in range(400):
            await scene.look(LONG)
            if not scene.room.is_playing():
                break
        assert not scene.room.is_playing(), "the match has come to its end"
        assert stuck.failures == 3, "a seat is not given to it again"
        assert not scene.desk.waiting
        assert not scene.desk.failed

    at(tmp_path, scenario)


def test_no_key_of_a_person_stands_in_its_way(tmp_path: Path) -> None:
    async def run() -> None:
        async with indoors(tmp_path) as home:
            people = [await home.guest(name) for name in ("Aki", "Ben", "Chie")]
            room = await home.server.hall.room(await seated(home, GAME, people))
            scene = Scene(home, room)
            _, seat = scene.owing
            await person_plays(room, seat, "desk 2")
            await gameplay.resign(room, seat)
            while scene.owing[1] != seat:
                await person_plays(room, scene.owing[1], f"own {scene.done}")
            assert room.attendance is not None
            room.attendance.here(range(3))
            room.look_round()
            await leased(scene.desk)
            scene.desk.join(Offering(9))
            done = scene.done
            await scene.look()
            await scene.look(LONG)
            assert scene.done == done + 1

    asyncio.run(run())


async def person_plays(room: Room, seat: int, key: str) -> None:
    assert room.live is not None
    decision, player = room.live.decision(seat), room.table.chairs[seat].player
    assert decision is not None
    assert player is not None
    command = frames.Play(key, decision, room.live.match.legal(seat)[0])
    await gameplay.play(room, player, seat, command)


def test_a_new_worker_takes_over(tmp_path: Path) -> None:
    async def scenario(scene: Scene) -> None:
        stuck = scene.desk.join(Offering(9))
        place = scene.owing
        await scene.look()
        await scene.look(LONG)
        assert scene.done == 1
        scene.desk.lose(stuck)
        assert scene.desk.forsaken() == [place]
        fresh = scene.desk.join(Offering(9))
        assert scene.desk.given[place] is fresh
        assert scene.desk.forsaken() == []

    at(tmp_path, scenario)


def test_who_never_failed_is_asked_first(tmp_path: Path) -> None:
    async def scenario(scene: Scene) -> None:
        bad, good = Worker(100), Worker(2)
        bad.failures = 1
        scene.desk.workers = {bad, good}
        scene.desk._give()
        assert (len(good.serves), len(bad.serves)) == (2, 1)

    at(tmp_path, scenario)


def test_one_worker_too_many_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_socket, "MOST_WORKERS", 1)

    async def scenario(scene: Scene) -> None:
        socket = AsyncMock()
        scene.desk.join(Offering(9))
        assert scene.desk.knows(f"Bearer {scene.desk.token}"), "its token is right"
        await serve_worker(scene.desk, socket)
        (sent,) = socket.send_data.await_args.args
        assert msgspec.json.decode(sent, type=Full).most == 1

    at(tmp_path, scenario)


def test_a_worker_that_is_not_needed_says_so() -> None:
    async def scenario() -> None:
        async def desk(socket: ServerConnection) -> None:
            await socket.send(msgspec.json.encode(Full(100)).decode())
            await socket.wait_closed()

        async with serve(desk, "127.0.0.1", 0) as server, asyncio.timeout(PATIENCE):
            port = next(iter(server.sockets)).getsockname()[1]
            with pytest.raises(Malformed, match="100 workers"):
                await Process(f"http://127.0.0.1:{port}", "token").run()

    asyncio.run(scenario())
