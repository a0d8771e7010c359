"""Matches with days for a decision, and clocks that are read from the log."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from tests.server.indoors import Indoors, indoors, leased, play, seated
from zashiki.server.protocol import frames
from zashiki.server.protocol.rest import Clock, Days
from zashiki.server.protocol.workers import Offering, Serve
from zashiki.server.store.errors import Busy
from zashiki.server.tables import gameplay, recovery
from zashiki.server.tables.connection import Line
from zashiki.server.tables.live import Room
from zashiki.server.tables.model import bot_id
from zashiki.server.tables.presence import DAY, Attendance

GAME = "kamiza-second"
DAYS = {"kind": "days", "days": 2}


def at(folder: Path, scenario: Callable[[Indoors], Awaitable[None]]) -> None:
    async def run() -> None:
        async with indoors(folder) as home:
            await scenario(home)

    asyncio.run(run())


async def sat(home: Indoors, pace: dict[str, Any]) -> str:
    people = [await home.guest(name) for name in ("Aki", "Ben", "Chie")]
    return await seated(home, GAME, people, pace=pace)


def owing(room: Room) -> int:
    assert room.live is not None
    return min(room.live.match.to_act)


async def decide(room: Room, seat: int, player: str) -> None:
    live = room.live
    assert live is not None
    decision = live.decision(seat)
    assert decision is not None
    key, action = f"{seat} {decision}", live.match.legal(seat)[0]
    await gameplay.play(room, player, seat, frames.Play(key, decision, action))


def test_days_run_out_where_nobody_is(tmp_path: Path) -> None:
    """The room is not in memory; a bot decides, once, and the room is not kept for more."""

    async def scenario(home: Indoors) -> None:
        hall, desk = home.server.hall, home.server.desk
        table = await sat(home, DAYS)
        seat = owing(await hall.room(table))
        assert hall.forget_idle() == 1
        home.source.at += 2 * DAY - 1
        await hall.wake()
        assert not hall.rooms
        home.source.at += 1
        await hall.wake()
        room = hall.rooms[table]
        assert room.bot_seats() == {seat: room.table.level}
        assert hall.forget_idle() == 0, "a bot is on its way"
        await leased(desk)
        worker = desk.join(Offering(9))
        order = worker.orders.get_nowait()
        assert isinstance(order, Serve)
        assert (order.table, order.seat) == (table, seat)
        await decide(room, seat, bot_id(order.bot))
        assert room.bot_seats() == {}
        assert not worker.serves
        assert hall.forget_idle() == 1
        assert hall.due[table] == home.source.at + 2 * DAY

    at(tmp_path, scenario)


def test_days_run_while_the_server_does_not(tmp_path: Path) -> None:
    async def before(home: Indoors) -> None:
        room = await home.server.hall.room(await sat(home, DAYS))
        home.source.at += DAY
        seat = owing(room)
        await decide(room, seat, str(room.table.chairs[seat].player))

    async def after(home: Indoors) -> None:
        hall = home.server.hall
        (row,) = await hall.store.tables({"playing"})
        table = row.id
        home.source.at += 2 * DAY
        await hall.wake()
        await hall.room(table)  # the server's own look may have been first, and still reads
        assert hall.forget_idle() == 1
        assert hall.due == {table: home.source.at + DAY}, "since the last decision"
        home.source.at += DAY
        await hall.wake()
        assert hall.rooms[table].bot_seats()

    at(tmp_path, before)
    at(tmp_path, after)


def test_a_bot_at_a_slow_table_is_there_while_it_is_asked(tmp_path: Path) -> None:
    async def scenario(home: Indoors) -> None:
        aki = await home.guest("Aki")
        chairs = [{"kind": "open"}, *[{"kind": "bot", "bot": "random"}] * 2]
        table = await seated(home, GAME, [aki], seats=3, chairs=chairs, pace=DAYS)
        room = await home.server.hall.room(table)
        while room.live is not None and owing(room) == 0:
            assert room.bot_seats() == {}
            await play(home, table, 1)
        assert set(room.bot_seats()) == {owing(room)}
        line = Line(aki.id, 0)
        await room.arrive(line, frames.Hello())
        assert set(room.bot_seats()) == {1, 2}, "people do not wait for bots to come"
        room.leave(line)
        assert set(room.bot_seats()) == {owing(room)}

    at(tmp_path, scenario)


def test_other_matches_wait_for_their_people(tmp_path: Path) -> None:
    async def scenario(home: Indoors) -> None:
        hall = home.server.hall
        tables = [await sat(home, pace) for pace in ({"kind": "clock", "seconds": 5},
                                                     {"kind": "relaxed"})]  # fmt: skip
        assert hall.forget_idle() == 2
        home.source.at += 30 * DAY
        await hall.wake()
        assert not hall.rooms
        assert [(await hall.room(table)).bot_seats() for table in tables] == [{}, {}]

    at(tmp_path, scenario)


def test_what_is_left_on_a_clock_is_read_from_the_log(tmp_path: Path) -> None:
    async def scenario(home: Indoors) -> None:
        hall = home.server.hall
        table = await sat(home, {"kind": "clock", "seconds": 10, "bank": 60})
        room = await hall.room(table)
        lines = [Line(str(chair.player), None) for chair in room.table.chairs]
        for line in lines:
            await room.arrive(line, frames.Hello())
        for seconds in (5, 25, 40, 10):
            home.source.at += seconds
            seat = owing(room)
            await decide(room, seat, str(room.table.chairs[seat].player))
        assert room.attendance is not None
        bank = dict(room.attendance.bank)
        assert sum(bank.values()) == 3 * 60 - 15 - 30
        for line in lines:
            room.leave(line)
        assert hall.forget_idle() == 1
        again = (await hall.room(table)).attendance
        assert again is not None
        assert again.bank == bank

    at(tmp_path, scenario)


def test_a_match_that_is_read_again_goes_on_as_it_was(tmp_path: Path) -> None:
    """Also if it cannot be read the first time: a pause is nobody's time, and who was away or late
    still is."""

    async def scenario(home: Indoors) -> None:
        table = await sat(home, {"kind": "clock", "seconds": 10, "bank": 60})
        room = await home.server.hall.room(table)
        lines = [Line(str(chair.player), None) for chair in room.table.chairs]
        home.source.at += 50
        for line in lines:
            await room.arrive(line, frames.Hello())
        began = home.source.at
        home.source.at += 2
        seat = owing(room)
        gone = (seat + 1) % 3
        with patch.object(room.store, "entries", side_effect=Busy("full")):
            with pytest.raises(Busy):
                await recovery.reload(room)
            room.leave(lines[gone])
        await recovery.catch_up(room)
        assert room.attendance is not None
        assert room.attendance.until(seat) == began + 70
        assert room.attendance.away == {gone: home.source.at}
        await decide(room, seat, str(room.table.chairs[seat].player))
        await recovery.reload(room)
        assert set(room.attendance.bank.values()) == {60}
        home.source.at += 100
        room.wake()
        late, absent = set(room.attendance.late), set(room.attendance.absent)
        assert late | absent == {owing(room), gone}
        await recovery.reload(room)
        assert (room.attendance.late, room.attendance.absent) == (late, absent)
        for line in lines:
            room.leave(line)

    at(tmp_path, scenario)


def test_a_pause_is_nobodys_time() -> None:
    made = Attendance(range(2), (), Clock(10, 15), 30, 9999)
    made.recall(None, False, [0], 100)
    made.recall(0, False, [1], 112)
    made.recall(1, False, [0], 5000)
    assert made.bank == {0: 13, 1: 15}, "a bot would have played: so it was paused"
    made.recall(0, True, [0], 5030)
    assert made.bank == {0: 0, 1: 15}, "a bot has played"
    assert made.late == set()
    assert made.asked == {0: 5030}


def test_days_pass_whoever_is_there() -> None:
    made = Attendance(range(2), (), Days(1), 30, 0)
    made.recall(None, False, [0, 1], 0)
    assert made.deserted()
    assert not made.paused()
    made.came(1, DAY - 1)
    assert made.due() == DAY, "who comes does not set the clock back"
    assert made.advance(DAY)
    assert made.by_bots() == {0, 1}
