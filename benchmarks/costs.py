"""Costs of a move, a new match, a socket and an idle table for a server, each by itself.

Processor time is user and system time of the server's processes, as the kernel counts it. Other
work on the machine changes it little. Only `Paced` has times of the wall clock.
"""

import asyncio
import time
from dataclasses import dataclass

from benchmarks.crowds import MICRO, MILLI, Game, Rung, measured, play
from benchmarks.load import Load
from benchmarks.rounds import machine_load
from benchmarks.servers import Server, Unavailable

KIBI = 1024
PAUSE = 0.25
STILL = 0.01
"""Seconds of processor time in a pause. A server that takes less has nothing left to do."""
LONGEST = 60.0
"""Seconds within which a server is expected to have nothing left to do."""
WARM_UP = 2
"""Moves of each table before a window begins."""
FIRST_TABLES = 8
"""Tables that are opened before memory is measured, because servers build some things once."""


@dataclass
class Subject:
    """A server under measurement, and its load."""

    name: str
    game: Game
    server: Server
    load: Load

    def spent(self) -> "Spent":
        """Return the processor time until now."""
        return Spent(self.server.spent(), self.server.database_spent(), time.monotonic())

    async def settle(self) -> None:
        """Wait until the server and its database have nothing left to do."""
        end, pauses = time.monotonic() + LONGEST, 0
        before = self.spent()
        while pauses < 2:
            if time.monotonic() > end:
                raise Unavailable(
                    f"expected an idle server within {LONGEST:.0f} s, found a busy one"
                )
            await asyncio.sleep(PAUSE)
            now = self.spent()
            spent, before = now.since(before), now
            pauses = pauses + 1 if max(spent.server, spent.database) <= STILL else 0


@dataclass
class Spent:
    """Processor time of a server and of its database, and wall-clock time, in seconds."""

    server: float
    database: float
    wall: float

    def since(self, start: "Spent") -> "Spent":
        """Return the difference."""
        return Spent(
            self.server - start.server, self.database - start.database, self.wall - start.wall
        )


@dataclass
class Costs:
    """Processor time of one server in one round: microseconds per move and per socket, milliseconds
    per match. The database's is apart, in fields whose names say so."""

    server: str
    game: str
    has_words: bool
    round: int
    socket: float = 0.0
    """From the connection until the seat is told its match."""
    database_socket: float = 0.0
    move: float = 0.0
    database_move: float = 0.0
    match: float = 0.0
    """From the request for a rematch until all seats are told the deal."""
    database_match: float = 0.0
    end: float | None = None
    """Milliseconds for the end of a match: the last moves cost that much more than other moves."""
    client: float = 0.0
    """Processor time of the load itself, per move."""
    bytes: float = 0.0
    """Per move, to all seats."""
    processors: float = 0.0
    """Share of a processor that the saturated server had; 1 on an idle machine."""
    sockets: int = 0
    moves: int = 0
    matches: int = 0
    load: str = ""
    """The load average of the machine."""

    @property
    def row(self) -> str:
        """The server, with or without words."""
        return row_of(self.server, self.has_words)


def row_of(server: str, has_words: bool) -> str:
    """Return the title of a row."""
    return f"{server}, words" if has_words else server


async def costs_of(
    subject: Subject, has_words: bool, number: int, seconds: float, matches: int
) -> Costs:
    """Measure new sockets, moves for up to `seconds`, and new matches of one server."""
    costs = Costs(subject.name, subject.game.title, has_words, number)
    await open_sockets(subject, costs)
    await play_moves(subject, costs, seconds)
    await end_matches(subject, costs, matches)
    await begin_matches(subject, costs)
    costs.load = machine_load()
    return costs


async def open_sockets(subject: Subject, costs: Costs) -> None:
    """Close all sockets. Measure opening them again."""
    load = subject.load
    await load.leave()
    await subject.settle()
    load.has_words = costs.has_words
    await load.report()
    start = subject.spent()
    await load.connect()
    await subject.settle()
    spent = subject.spent().since(start)
    costs.sockets = (await load.report()).sockets
    costs.socket = MICRO * spent.server / costs.sockets
    costs.database_socket = MICRO * spent.database / costs.sockets


async def play_moves(subject: Subject, costs: Costs, seconds: float) -> None:
    """Measure moves while each table has one due. Stop before tables run out of moves."""
    load, tables = subject.load, len(subject.load.tables)
    most = (subject.game.window - 2 * WARM_UP) * tables
    load.play(subject.game.window)
    before = await load.until(lambda report: len(report.times) >= WARM_UP * tables)
    start = subject.spent()
    end = start.wall + seconds
    done = await load.until(
        lambda report: len(report.times) >= most or time.monotonic() >= end
    )  # fmt: skip
    spent = subject.spent().since(start)
    await load.rest()
    costs.moves = len(done.times)
    costs.move = MICRO * spent.server / costs.moves
    costs.database_move = MICRO * spent.database / costs.moves
    costs.client = MICRO * (done.spent - before.spent) / costs.moves
    costs.bytes = done.bytes / costs.moves
    costs.processors = spent.server / spent.wall


async def end_matches(subject: Subject, costs: Costs, matches: int) -> None:
    """Play matches to their end. Measure the end if few moves come before it."""
    load = subject.load
    tables = range(len(load.tables) if subject.game.is_short else min(matches, len(load.tables)))
    start = subject.spent()
    load.play(tables=tables)
    done = await load.until(lambda _: load.over.issuperset(tables))
    done.add(await load.rest())
    spent = subject.spent().since(start)
    if subject.game.is_short:
        moves = MICRO * spent.server - costs.move * len(done.times)
        costs.end = moves / MILLI / done.ended


async def begin_matches(subject: Subject, costs: Costs) -> None:
    """Measure new matches, at all tables where one has ended."""
    start = subject.spent()
    costs.matches = await subject.load.again()
    await subject.settle()
    spent = subject.spent().since(start)
    costs.match = MILLI * spent.server / costs.matches
    costs.database_match = MILLI * spent.database / costs.matches


# Tables at which nobody moves ------------------------------------------------------------------


@dataclass
class Table:
    """Costs of a table at which nobody moves."""

    server: str
    game: str
    tables: int
    memory: float
    """KiB, with a socket for each seat."""
    opening: float
    """Milliseconds of processor time: people, table, seats, sockets, deal."""
    idle: float | None = None
    """Microseconds of processor time per second."""


async def set_up(subject: Subject, tables: int) -> Table:
    """Open all tables. Measure the memory and the processor time of each."""
    load, server = subject.load, subject.server
    await load.open(min(FIRST_TABLES, tables - 1))
    await subject.settle()
    new = tables - len(load.tables)
    memory, start = server.resident(), subject.spent()
    await load.open(tables)
    await subject.settle()
    spent = subject.spent().since(start)
    return Table(
        server=subject.name,
        game=subject.game.title,
        tables=tables,
        memory=(server.resident() - memory) / KIBI / new,
        opening=MILLI * spent.server / new,
    )


async def idle_costs(subjects: list[Subject], seconds: float) -> list[float]:
    """Return the processor time of each server while nobody moves, in microseconds per second. All
    are measured at the same time, because none of them has anything to do."""
    for subject in subjects:
        await subject.settle()
    starts = [subject.spent() for subject in subjects]
    await asyncio.sleep(seconds)
    spent = [subject.spent().since(start) for subject, start in zip(subjects, starts, strict=True)]
    return [MICRO * each.server / each.wall for each in spent]


# Tables at which people take their time --------------------------------------------------------


@dataclass
class Paced:
    """Times of moves under a load that is far from what a server can do."""

    server: str
    game: str
    has_words: bool
    round: int
    found: Rung

    @property
    def row(self) -> str:
        """The server, with or without words."""
        return row_of(self.server, self.has_words)


async def paced(subject: Subject, has_words: bool, number: int, seconds: float) -> Paced:
    """Measure one decision per second at each table. The tables are in all parts of a match."""
    load, tables = subject.load, len(subject.load.tables)
    await load.leave()
    await subject.settle()
    load.has_words = has_words
    await load.connect()
    await load.spread(subject.game.length, range(tables))
    await play(load, tables, 1.0, WARM_UP)
    found = await measured(subject.server, load, tables, 1.0, seconds)
    await load.rest()
    await load.again()
    return Paced(subject.name, subject.game.title, has_words, number, found)


async def check(subject: Subject) -> str:
    """Exit unless each move was acknowledged and the server has counted as many."""
    load = subject.load
    await load.rest()
    counted = await load.lobby.counted()
    found = f"{load.sent} moves sent, {load.acknowledged} acknowledged"
    if counted is not None:
        found = f"{found}, {counted} counted by the server"
    if not load.sent == load.acknowledged == (load.sent if counted is None else counted):
        raise SystemExit(f"{subject.name}: expected one number, found {found}")
    return found
