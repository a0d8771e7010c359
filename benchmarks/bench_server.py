"""How many moves a second the server acknowledges, how long each takes, and what a socket costs.

A real server process on a fresh folder, and this process as all of its clients: tables of Red
Town, four seats each, a socket a seat, so that every move is committed to disk and then sent to
four. First saturated (every seat moves as soon as it may), then open loop: each table
has a decision due every second, and a decision's time runs from when it was due to its answer,
whether or not those before it were answered in time.

The baseline that the figures stand beside is what the disk allows by itself: transactions a second
of the same SQLite settings, one move each, in the same run.
"""

import argparse
import asyncio
import gc
import heapq
import os
import random
import sqlite3
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.tables_ours import NEWS, Answer, News, Told
from tests.server.guests import HEADERS
from tests.server.server_process import ServerProcess, server_process

GAME = "red-town"
SEATS = 4
FREELY = ("--bots", "0", "--requests", "1000000000", "--connections", "1000000")
AT_ONCE = 32
"""So many tables are set up side by side."""


class Client:
    """All people of the load, over one pool of connections."""

    def __init__(self, server: ServerProcess) -> None:
        self.server = server
        limits = httpx.Limits(max_connections=AT_ONCE)
        self.http = httpx.AsyncClient(
            base_url=server.url, headers=HEADERS, timeout=60, limits=limits, trust_env=False
        )

    async def post(self, session: str, path: str, data: Any = None) -> Any:
        answer = await self.http.post(path, json=data, headers={"Cookie": session})
        answer.raise_for_status()
        return answer.json()

    async def guest(self) -> str:
        answer = await self.http.post("/api/guest", json={"name": "Load"})
        answer.raise_for_status()
        session = answer.headers["set-cookie"].partition(";")[0]
        self.http.cookies.clear()
        return str(session)


class Seat:
    """One socket, the decision that it owes, and the moves that are not answered yet."""

    def __init__(self, table: "Table", session: str) -> None:
        self.table = table
        self.session = session
        self.socket: ClientConnection | None = None
        self.owed: Told | None = None
        self.sent: dict[str, float] = {}

    async def come(self) -> None:
        client, table = self.table.client, self.table.id
        ticket = (await client.post(self.session, f"/api/tables/{table}/ticket"))["ticket"]
        where = f"ws://127.0.0.1:{client.server.port}/api/tables/{table}/socket?ticket={ticket}"
        self.socket = await connect(where, compression=None, ping_interval=None)
        await self.socket.send('{"do":"hello","views":false}')
        await self.socket.send('{"do":"ready","key":"ready"}')

    async def listen(self) -> None:
        assert self.socket is not None
        try:
            async for raw in self.socket:
                self.hear(NEWS.decode(raw))
                if self.table.over:
                    return
        except ConnectionClosed:
            return

    def hear(self, news: News) -> None:
        if isinstance(news, Answer):
            if news.key in self.sent:
                self.table.load.answered(time.monotonic() - self.sent.pop(news.key), news.ok)
        elif isinstance(news, Told):
            self.owed = news if news.decision is not None else None
            if self.owed is not None and str(self.owed.decision) in self.sent:
                self.owed = None
            if news.over:
                self.table.over = True
            elif self.owed is not None and self.table.load.at_once:
                self.move(time.monotonic())

    def move(self, due: float) -> None:
        """Take the decision that is owed."""
        assert self.owed is not None
        assert self.socket is not None
        key = str(self.owed.decision)
        action = self.table.load.choice.choice(self.owed.legal)
        self.sent[key] = due
        self.owed = None
        frame = {"do": "play", "key": key, "decision": int(key), "action": action}
        self.table.load.spawn(self.socket.send(msgspec.json.encode(frame).decode()))


class Table:
    """Four clients at one table."""

    def __init__(self, load: "Load", sessions: list[str]) -> None:
        self.load = load
        self.client = load.client
        self.id = ""
        self.over = False
        self.seats = [Seat(self, session) for session in sessions]

    async def open(self) -> None:
        first, *others = self.seats
        made = await self.client.post(first.session, "/api/tables", {"game": GAME, "seats": SEATS})
        self.id = made["table"]["id"]
        for number, seat in enumerate(others, 1):
            await self.client.post(seat.session, f"/api/tables/{self.id}/sit", {"seat": number})
        await self.client.post(first.session, f"/api/tables/{self.id}/start")
        await asyncio.gather(*(seat.come() for seat in self.seats))

    async def play(self) -> None:
        await asyncio.gather(*(seat.listen() for seat in self.seats))
        for seat in self.seats:
            assert seat.socket is not None
            await seat.socket.close()

    def owing(self) -> list[Seat]:
        return [seat for seat in self.seats if seat.owed is not None]


class Load:
    """So many tables, kept going for some time."""

    def __init__(self, client: Client, tables: int, at_once: bool) -> None:
        self.client = client
        self.count = tables
        self.at_once = at_once
        self.choice = random.Random(1)
        self.times: list[float] = []
        self.tables: dict[int, Table] = {}
        self.tasks: set[asyncio.Task[Any]] = set()
        self.measuring = False
        self.refused = 0
        self.spent = 0.0
        """Processor time of the server, in seconds."""
        self.missed = 0
        """Decisions that fell due while a table was between two matches, or waited for an answer
        of its own: not sent, and not measured."""

    def spawn(self, what: Any) -> None:
        task = asyncio.ensure_future(what)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def answered(self, seconds: float, ok: bool) -> None:
        if self.measuring:
            self.times.append(seconds)
            self.refused += not ok

    async def set_up(self) -> list[list[str]]:
        """The people, and a first table for each four of them."""
        people: list[list[str]] = []
        for _ in range(self.count):
            people.append(await asyncio.gather(*(self.client.guest() for _ in range(SEATS))))
        return people

    async def keep(self, number: int, sessions: list[str], room: asyncio.Semaphore) -> None:
        """One table after the other."""
        while True:
            table = Table(self, sessions)
            async with room:
                await table.open()
            self.tables[number] = table
            await table.play()

    async def run(self, seconds: float) -> float:
        """For how long it was measured."""
        people = await self.set_up()
        room = asyncio.Semaphore(AT_ONCE if not self.at_once else self.count)
        keeping = [asyncio.create_task(self.keep(n, four, room)) for n, four in enumerate(people)]
        while len(self.tables) < self.count:
            await asyncio.sleep(0.1)
        await asyncio.sleep(1.0)
        assert self.client.server.process is not None
        server = self.client.server.process.pid
        self.measuring, start, before = True, time.monotonic(), spent(server)
        if self.at_once:
            await asyncio.sleep(seconds)
        else:
            await self.drum(start + seconds)
        self.measuring, passed = False, time.monotonic() - start
        self.spent = spent(server) - before
        for task in keeping:
            task.cancel()
        await asyncio.gather(*keeping, return_exceptions=True)
        for table in self.tables.values():
            for seat in table.seats:
                if seat.socket is not None:
                    await seat.socket.close()
        return passed

    async def drum(self, until: float) -> None:
        """A decision a second at every table, each at a moment of its own."""
        now = time.monotonic()
        due = [(now + self.choice.random(), number) for number in range(self.count)]
        heapq.heapify(due)
        while due[0][0] < until:
            moment, number = due[0]
            wait = moment - time.monotonic()
            if wait > 0:
                await asyncio.sleep(wait)
            heapq.heapreplace(due, (moment + 1.0, number))
            owing = self.tables[number].owing()
            if owing:
                self.choice.choice(owing).move(moment)
            else:
                self.missed += 1


def resident(process: int) -> int:
    """The memory of a process, in KiB."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1])
    raise LookupError("VmRSS")


def spent(process: int) -> float:
    """The processor time of a process so far, in seconds."""
    after_name = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(after_name[11]) + int(after_name[12])) / os.sysconf("SC_CLK_TCK")


async def measure(server: ServerProcess, tables: int, at_once: bool, seconds: float) -> None:
    load = Load(Client(server), tables, at_once)
    passed = await load.run(seconds)
    await load.client.http.aclose()
    times = sorted(load.times)
    if not times:
        raise SystemExit("no move was answered")
    p50, p99 = statistics.median(times), times[int(len(times) * 0.99)]
    how = "saturated" if at_once else "a decision a second each"
    print(
        f"{tables:>5} tables, {how}: {len(times) / passed:7.0f} moves a second, "
        f"p50 {1000 * p50:6.1f} ms, p99 {1000 * p99:6.1f} ms, "
        f"{1e6 * load.spent / len(times):.0f} µs of the server's processor time a move, "
        f"refused {load.refused}, not due {load.missed}"
    )


async def weigh(server: ServerProcess, tables: int) -> None:
    """What the server's memory grows by for each socket at a table that is being played."""
    assert server.process is not None
    load = Load(Client(server), tables, at_once=False)
    people = await load.set_up()
    before = resident(server.process.pid)
    made = [Table(load, four) for four in people]
    for table in made:
        await table.open()
    await asyncio.sleep(1)
    grown = resident(server.process.pid) - before
    print(
        f"{tables * SEATS:>5} sockets: {grown / (tables * SEATS):.1f} KiB a socket, table and all"
    )
    for table in made:
        for seat in table.seats:
            assert seat.socket is not None
            await seat.socket.close()
    await load.client.http.aclose()


def disk(folder: Path, seconds: float = 2.0) -> float:
    """Transactions a second, one row each, as durable as the server's."""
    with sqlite3.connect(folder / "disk.db", isolation_level=None) as sql:
        sql.execute("PRAGMA journal_mode=WAL")
        sql.execute("PRAGMA synchronous=FULL")
        sql.execute("CREATE TABLE entry (n INTEGER PRIMARY KEY, facts TEXT)")
        start, count = time.monotonic(), 0
        while time.monotonic() - start < seconds:
            sql.execute("INSERT INTO entry (facts) VALUES (?)", ("x" * 300,))
            count += 1
    sql.close()
    return count / seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, nargs="*", default=[200, 500])
    parser.add_argument("--saturated", type=int, default=100, help="tables, 0: do not")
    parser.add_argument("--seconds", type=float, default=15)
    chosen = parser.parse_args()
    gc.disable()  # the load's own pauses are not the server's
    with tempfile.TemporaryDirectory() as folder, server_process(Path(folder), *FREELY) as server:
        asyncio.run(weigh(server, 100))
        print(f"the disk alone: {disk(Path(folder)):.0f} transactions of one move a second")
        if chosen.saturated:
            asyncio.run(measure(server, chosen.saturated, True, chosen.seconds))
        for tables in chosen.tables:
            asyncio.run(measure(server, tables, False, chosen.seconds))


if __name__ == "__main__":
    main()
