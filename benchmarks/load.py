"""The clients of a server: `load.c` plays the moves, and this asks for tables and new matches."""

import asyncio
import functools
import json
import os
import random
import resource
import shlex
import shutil
import subprocess
import tempfile
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from benchmarks.lobbies import LOBBIES, Seat
from benchmarks.servers import ROOT, Server, Unavailable

Result = TypeVar("Result")

SOURCE = Path(__file__).with_name("load.c")
AT_ONCE = 24
"""Tables that are set up side by side."""
PATIENCE = 60.0
"""Seconds within which a server is expected to do something."""
TICK = 0.02
"""Seconds between two reports."""
PAUSE = 0.1
"""Seconds between the sockets of some tables that are closed and those of the next."""
LONGEST_LINE = 1 << 26
REMATCH = '{"do":"rematch","key":"rematch"}'
START = '{"do":"start","key":"start"}'
ALL = 1_000_000_000
"""Moves without a limit."""


@functools.cache
def built() -> str:
    """Compile the client and return its path."""
    compiler = shlex.split(os.environ.get("CC", "cc"))
    if shutil.which(compiler[0]) is None:
        raise Unavailable(f"expected a C compiler, found no {compiler[0]}: install one or set CC")
    folder = ROOT / "build"
    folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as unfinished:
        made = Path(unfinished, "load")
        command = [*compiler, "-O2", "-o", str(made), str(SOURCE)]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        if done.returncode:
            raise Unavailable(f"{shlex.join(command)} failed: {done.stderr[-500:]}")
        return str(made.replace(folder / "load"))


@dataclass
class Report:
    """Counts of the client since its last report."""

    moving: int
    """Tables at which a move is not acknowledged yet."""
    sent: int
    """Moves."""
    ended: int
    """Matches."""
    sockets: int
    """Those that were opened."""
    bytes: int
    """All that was received."""
    spent: float
    """Processor time of the client since its start, in seconds."""
    times: list[int]
    """Microseconds of each acknowledged move, in order."""

    def add(self, later: "Report") -> None:
        """Add the next report."""
        self.moving, self.spent = later.moving, later.spent
        self.sent += later.sent
        self.ended += later.ended
        self.sockets += later.sockets
        self.bytes += later.bytes
        self.times += later.times


class Load:
    """All tables of one game at one server."""

    def __init__(self, server: Server, game: str, seats: int) -> None:
        self.server = server
        self.lobby = LOBBIES[server.kind](server.ports, game, seats)
        self.has_words = False
        """True if new sockets ask for words, as browsers do."""
        self.is_endless = False
        """True if a new match follows each that ends."""
        self.choice = random.Random(1)
        self.tables: list[list[Seat]] = []
        self.over: set[int] = set()
        """Tables at which a match has ended."""
        self.sent = self.acknowledged = 0
        self._began: dict[int, asyncio.Future[None]] = {}
        self._reports: deque[asyncio.Future[Report]] = deque()
        self._tasks: set[asyncio.Task[None]] = set()
        self._broken: BaseException | None = None

    async def start(self, seed: int) -> None:
        """Start the client, which chooses its moves by a seed."""
        pipe = subprocess.PIPE
        self._process = await asyncio.create_subprocess_exec(
            built(), self.server.kind, str(seed), stdin=pipe, stdout=pipe, limit=LONGEST_LINE
        )
        self._reading = asyncio.create_task(self._read())

    async def stop(self) -> None:
        """End the client and all that is on its way."""
        for task in [*self._tasks, self._reading]:
            task.cancel()
        await asyncio.gather(*self._tasks, self._reading, return_exceptions=True)
        if self._process.returncode is None:
            self._process.kill()
        await self._process.communicate()
        self.lobby.close()

    # Tables ------------------------------------------------------------------------------------

    async def open(self, tables: int) -> None:
        """Open tables until there are this many, each with a match that has begun."""
        new = range(len(self.tables), tables)
        self.tables += [[] for _ in new]

        async def one(table: int) -> None:
            await self._seat(table, await self.lobby.open(table))

        await at_once(one, new)

    async def leave(self) -> None:
        """Close all sockets, those of some tables at a time."""
        for table in range(len(self.tables)):
            self._write(f"leave {table}")
            if table % AT_ONCE == 0:
                await asyncio.sleep(PAUSE)

    async def connect(self) -> None:
        """Open all sockets again."""
        await at_once(lambda table: self._seat(table, self.tables[table]), range(len(self.tables)))

    async def again(self) -> int:
        """Begin a new match at each table where one has ended. Return how many those are."""
        tables = list(self.over)
        await at_once(self._again, tables)
        return len(tables)

    async def _again(self, table: int) -> None:
        if self.lobby.plays_on:
            began = self._beginning(table)
            self._write(f"say {table} 0 {REMATCH}")
            await soon("a match", began)
        else:
            await self._seat(table, await self.lobby.again(table, self.tables[table]))

    async def _seat(self, table: int, seats: list[Seat]) -> None:
        """Connect all seats of a table, and wait until they have been told of the match."""
        self.tables[table] = seats
        began = self._beginning(table)
        for number, seat in enumerate(seats):
            text = self.lobby.greeting(number, seat, self.has_words)
            place = f"{table} {number} {len(seats)} {seat.port} {seat.id} {seat.key}"
            self._write(f"seat {place} {text}")
        await soon("a match", began)

    def _beginning(self, table: int) -> "asyncio.Future[None]":
        self.check()
        self._began[table] = asyncio.get_running_loop().create_future()
        return self._began[table]

    # Moves -------------------------------------------------------------------------------------

    def play(
        self, moves: int = ALL, interval: float = 0.0, tables: Sequence[int] | None = None
    ) -> None:
        """Take up to `moves` decisions at each of these tables (default: all), one per `interval`
        seconds or, if that is 0, each at once."""
        for table in range(len(self.tables)) if tables is None else tables:
            self._write(f"play {table} {interval} {moves}")

    async def spread(self, length: int, tables: Sequence[int]) -> None:
        """Play some moves at each of these tables, so that not all matches end together."""
        for table in tables:
            self.play(self.choice.randrange(length), tables=[table])
        await self.until(lambda report: report.moving == 0)
        await self.again()

    async def rest(self) -> Report:
        """Stop playing. Wait until all moves are acknowledged and all new matches have begun."""
        self.is_endless = False
        self.play(0)
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=PATIENCE)
        return await self.until(lambda report: report.moving == 0)

    async def until(self, is_so: Callable[[Report], bool], seconds: float = PATIENCE) -> Report:
        """Add up reports until a condition holds. Raise if nothing is received for `seconds`."""
        whole = await self.report()
        loop = asyncio.get_running_loop()
        heard = loop.time()
        while not is_so(whole):
            await asyncio.sleep(TICK)
            report = await self.report()
            if report.bytes:
                heard = loop.time()
            elif loop.time() - heard > seconds:
                raise Unavailable(f"expected moves, found none for {seconds:.0f} s: {report}")
            whole.add(report)
        return whole

    async def report(self) -> Report:
        """Return the counts since the last report."""
        self.check()
        asked: asyncio.Future[Report] = asyncio.get_running_loop().create_future()
        self._reports.append(asked)
        self._write("report")
        report = await soon("a report", asked)
        self.sent += report.sent
        self.acknowledged += len(report.times)
        return report

    # The client --------------------------------------------------------------------------------

    def _write(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n".encode())

    async def _read(self) -> None:
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            if line.startswith(b"{"):
                self._reports.popleft().set_result(Report(**json.loads(line)))
            else:
                what, table, *id = line.decode().split()
                self._hear(what, int(table), *id)
        self._break(Unavailable("the clients ended, see above: perhaps the server has ended"))

    def _hear(self, what: str, table: int, id: str = "") -> None:
        if what == "over":
            self.over.add(table)
            if self.is_endless:
                self._spawn(self._again(table))
        elif what == "dealt":
            self.over.discard(table)
            for seat in self.tables[table]:
                seat.id = id
            if (began := self._began.pop(table, None)) is not None:
                began.set_result(None)
        else:
            self._follow(table, id)

    def _follow(self, table: int, id: str) -> None:
        """Bring the others to the next table, which seat 0 has opened, and start it."""
        for seat in range(1, len(self.tables[table])):
            self._write(f"say {table} {seat} {REMATCH}")
        if self.lobby.starts:
            self._write(f"say {table} 0 {START}")
        else:
            self._spawn(self.lobby.start(table, id, self.tables[table][0].key))

    def _spawn(self, what: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(what)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (fault := task.exception()) is not None:
            self._break(fault)

    def _break(self, fault: BaseException) -> None:
        self._broken = self._broken or fault
        waiting: list[asyncio.Future[Any]] = [*self._reports, *self._began.values()]
        for future in waiting:
            if not future.done():
                future.set_exception(self._broken)

    def check(self) -> None:
        """Raise the first fault, if there was one."""
        if self._broken is not None:
            raise self._broken


async def at_once(do: Callable[[int], Coroutine[Any, Any, None]], tables: Iterable[int]) -> None:
    """Do something at all of these tables, at a few of them at a time."""
    room = asyncio.Semaphore(AT_ONCE)

    async def one(table: int) -> None:
        async with room:
            await do(table)

    await asyncio.gather(*(one(table) for table in tables))


async def soon(what: str, waiting: "asyncio.Future[Result]") -> Result:
    """Wait for a result. Raise if it takes too long."""
    try:
        return await asyncio.wait_for(waiting, PATIENCE)
    except TimeoutError:
        raise Unavailable(f"expected {what} within {PATIENCE:.0f} s, found nothing") from None


@asynccontextmanager
async def loaded(server: Server, game: str, seats: int, seed: int = 1) -> AsyncIterator[Load]:
    """Start the clients of a server, and end them."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    load = Load(server, game, seats)
    await load.start(seed)
    try:
        await load.lobby.look()
        yield load
    finally:
        await load.stop()
