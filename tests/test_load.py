"""The benchmarks' load generator, with a server whose sockets move on to the next match."""

import asyncio
import json
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from benchmarks.load import Load, built, loaded
from benchmarks.lobbies import LOBBIES, Seat, Zashiki
from benchmarks.servers import Server, Unavailable

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")

SEATS = 2
MOVES = 6
"""Moves per match."""


class Table:
    """A table with the frames of either version."""

    def __init__(self, version: int = 2) -> None:
        self.version = version
        self.sockets: dict[int, ServerConnection] = {}
        self.id = "a"
        self.state = "starting"
        self.moves = 0
        self.seats_here: set[int] = set()
        self.ready_seats: set[int] = set()
        self.heard: list[Any] = []
        self.is_willing = True

    async def serve(self, socket: ServerConnection) -> None:
        assert socket.request is not None
        seat = int(socket.request.headers["Cookie"].removeprefix("seat="))
        self.sockets[seat] = socket
        with suppress(ConnectionClosed):  # the load ends silently
            async for raw in socket:
                command = json.loads(raw)
                self.heard.append(command)
                if "key" in command:
                    answer = {"is": "answer", "key": command["key"], "ok": self.is_willing}
                    await self.send(seat, answer)
                await getattr(self, command["do"])(seat, command)

    async def send(self, seat: int, frame: Any) -> None:
        await self.sockets[seat].send(json.dumps(frame, separators=(",", ":")))

    async def show(self, seat: int, kind: str) -> None:
        await self.send(seat, {"is": kind, "table": {"id": self.id, "state": self.state}})

    async def hello(self, seat: int, _: Any) -> None:
        await self.show(seat, "welcome")

    async def ready(self, seat: int, _: Any) -> None:
        self.ready_seats.add(seat)
        if len(self.ready_seats) == SEATS:
            self.state = "playing"
            await self.tell()

    async def play(self, seat: int, command: Any) -> None:
        assert (seat, command["decision"]) == (self.moves % SEATS, self.moves)
        assert command["action"] == "yes"
        self.moves += 1
        await self.tell()

    async def tell(self) -> None:
        """Send news to all seats. Fields with the same name elsewhere mean nothing."""
        is_over = self.moves == MOVES
        for seat in self.sockets:
            acts = not is_over and seat == self.moves % SEATS
            legal, decision = (["yes"], self.moves) if acts else ([], None)
            facts = [["drew", {"over": not is_over, "decision": 99, "legal": ["no"]}], '"}]\\ 座敷']
            own = {"facts": facts, "legal": legal, "decision": decision}
            public = {"facts": facts, "over": is_over}
            news = {"public": public, "own": own} if self.version == 2 else {**public, **own}
            await self.send(seat, {"is": "told", **news})

    async def rematch(self, seat: int, _: Any) -> None:
        if seat == 0:  # the others follow the one who has opened the next table
            assert self.moves == MOVES
            self.id, self.state, self.moves = self.id + "a", "open", 0
            self.ready_seats.clear()
            self.seats_here.clear()
        self.seats_here.add(seat)
        await self.show(seat, "welcome")

    async def start(self, seat: int, _: Any) -> None:
        assert (seat, self.state) == (0, "open")
        self.state = "starting"
        for other in self.seats_here:
            await self.show(other, "changed")


class Lobby(Zashiki):
    """The lobby of that table."""

    table: Table
    plays_on = True

    async def look(self) -> None:
        """There is no schema to read."""
        self.version = self.table.version

    async def open(self, table: int) -> list[Seat]:
        return [Seat(self.asked[0].port, self.table.id, f"seat={seat}") for seat in range(SEATS)]

    async def start(self, table: int, id: str, host: str) -> None:
        assert (id, host) == (self.table.id, "seat=0")
        await self.table.start(0, None)


@asynccontextmanager
async def playing(
    table: Table, patch: pytest.MonkeyPatch, starts: bool = True
) -> AsyncIterator[Load]:
    lobby = type("TestLobby", (Lobby,), {"table": table, "starts": starts})
    patch.setitem(LOBBIES, "zashiki", lobby)
    async with serve(table.serve, "127.0.0.1", 0) as server:
        (socket,) = server.sockets
        async with loaded(Server("zashiki", [socket.getsockname()[1]], []), "any", SEATS) as load:
            yield load


@pytest.mark.parametrize(("starts", "version"), [(True, 2), (False, 2), (True, 1)])
def test_sockets_go_on_to_the_next_match(
    starts: bool, version: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(version)

    async def scenario() -> None:
        async with playing(table, monkeypatch, starts) as load:
            load.has_words = True
            await load.open(1)
            for match in range(1, 4):
                load.play(MOVES)
                done = await load.until(lambda _: bool(load.over))
                assert (len(done.times), done.ended, done.moving) == (MOVES, 1, 0)
                assert await load.again() == 1
                assert [seat.id for seat in load.tables[0]] == ["a" * (match + 1)] * SEATS
            assert load.sent == load.acknowledged

    asyncio.run(scenario())
    hellos = [command for command in table.heard if command["do"] == "hello"]
    asked = {"version": 2} if version == 2 else {}
    assert hellos == [{"do": "hello", "language": "en", **asked}] * SEATS
    plays = [command["key"] for command in table.heard if command["do"] == "play"]
    assert len(plays) == len(set(plays)) == 3 * MOVES


def test_a_match_is_followed_by_another_where_that_is_wanted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def scenario() -> None:
        async with playing(Table(), monkeypatch) as load:
            await load.open(1)
            load.is_endless = True
            load.play(interval=0.001)
            done = await load.until(lambda report: report.ended >= 3)
            assert len(done.times) >= 3 * MOVES
            assert (await load.rest()).moving == 0
            assert load.sent == load.acknowledged

    asyncio.run(scenario())


def test_a_refusal_ends_the_load(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    table = Table()

    async def scenario() -> None:
        async with playing(table, monkeypatch) as load:
            await load.open(1)
            table.is_willing = False
            load.play()
            with pytest.raises(Unavailable, match="the clients ended"):
                await load.until(lambda report: report.ended > 0)

    asyncio.run(scenario())
    assert "load: refused: " in capfd.readouterr().err


def test_a_missing_compiler_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(Unavailable, match="expected a C compiler, found no no-such-compiler"):
        built.__wrapped__()
