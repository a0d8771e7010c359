"""Matches with days per decision, and clocks that are restored from the log."""

from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from tests.server.asgi_server import AsgiServer, ManualClock, asgi_server, leased, play, seated
from zashiki.server.errors import ApiError
from zashiki.server.protocol import frames
from zashiki.server.protocol.rest import Clock, Days
from zashiki.server.protocol.workers import Offering, Serve
from zashiki.server.store.errors import Busy
from zashiki.server.tables import commands as on
from zashiki.server.tables import recovery
from zashiki.server.tables.connection import Connection
from zashiki.server.tables.handler import handle
from zashiki.server.tables.live import LiveTable
from zashiki.server.tables.model import bot_id
from zashiki.server.tables.presence import DAY, Presence
from zashiki.server.tables.sweep import ClockWatch, run_due_timers
from zashiki.server.tables.views import table_seen

GAME = "kamiza-second"
DAYS = {"kind": "days", "days": 2}


async def sat(server: AsgiServer, pace: dict[str, Any]) -> str:
    people = [await server.guest(name) for name in ("Aki", "Ben", "Chie")]
    return await seated(server, GAME, people, pace=pace)


def owing(table: LiveTable) -> int:
    assert table.live is not None
    return min(table.live.match.to_act)


async def decide(table: LiveTable, seat: int, player: str) -> None:
    live = table.live
    assert live is not None
    decision = live.decision(seat)
    assert decision is not None
    key, action = f"{seat} {decision}", live.match.legal(seat)[0]
    await handle(table, on.Play(player, seat, frames.Play(key, decision, action)))


async def test_days_run_out_where_nobody_is(server: AsgiServer) -> None:
    """The table is not in memory; a bot decides once, and the table is not kept for more."""
    registry, dispatcher = server.services.registry, server.services.dispatcher
    table_id = await sat(server, DAYS)
    seat = owing(await registry.find(table_id))
    assert registry.drop_idle() == 1
    server.system.at += 2 * DAY - 1
    await run_due_timers(registry)
    assert not registry.tables
    server.system.at += 1
    await run_due_timers(registry)
    table = registry.tables[table_id]
    assert table.bot_seats() == {seat: table.doc.level}
    assert registry.drop_idle() == 0, "a bot is on its way"
    await leased(dispatcher)
    worker = dispatcher.add_worker(Offering(9))
    order = worker.orders.get_nowait()
    assert isinstance(order, Serve)
    assert (order.table, order.seat) == (table_id, seat)
    await decide(table, seat, bot_id(order.bot))
    assert table.bot_seats() == {}
    assert not worker.assigned
    assert registry.drop_idle() == 1
    assert registry.due[table_id] == server.system.at + 2 * DAY


async def test_days_run_while_the_server_does_not(tmp_path: Path) -> None:
    async with asgi_server(tmp_path) as server:
        table = await server.services.registry.find(await sat(server, DAYS))
        server.system.at += DAY
        seat = owing(table)
        await decide(table, seat, str(table.doc.chairs[seat].player))
    async with asgi_server(tmp_path) as server:
        registry = server.services.registry
        (row,) = await registry.store.tables({"playing"})
        table_id = row.id
        server.system.at += 2 * DAY
        await run_due_timers(registry)
        await registry.find(table_id)  # the server's own check may come first, and still reads
        assert registry.drop_idle() == 1
        assert registry.due == {table_id: server.system.at + DAY}, "since the last decision"
        server.system.at += DAY
        await run_due_timers(registry)
        assert registry.tables[table_id].bot_seats()


async def test_a_bot_at_a_slow_table_is_there_while_it_is_asked(server: AsgiServer) -> None:
    aki = await server.guest("Aki")
    chairs = [{"kind": "open"}, *[{"kind": "bot", "bot": "random"}] * 2]
    table_id = await seated(server, GAME, [aki], seats=3, chairs=chairs, pace=DAYS)
    table = await server.services.registry.find(table_id)
    while table.live is not None and owing(table) == 0:
        assert table.bot_seats() == {}
        await play(server, table_id, 1)
    assert set(table.bot_seats()) == {owing(table)}
    line = Connection(aki.id, 0)
    await handle(table, on.Arrive(line, frames.Hello()))
    assert set(table.bot_seats()) == {1, 2}, "people do not wait for bots to come"
    table.leave(line)
    assert set(table.bot_seats()) == {owing(table)}


async def test_matches_that_are_not_rated_wait_for_their_people(server: AsgiServer) -> None:
    registry = server.services.registry
    people = [await server.guest(name, "192.0.2.1") for name in ("Aki", "Ben", "Chie")]
    tables = [await seated(server, GAME, people, pace=pace)
              for pace in ({"kind": "clock", "seconds": 5}, {"kind": "relaxed"})]  # fmt: skip
    assert registry.drop_idle() == 2
    server.system.at += 30 * DAY
    await run_due_timers(registry)
    assert not registry.tables
    assert [(await registry.find(table)).bot_seats() for table in tables] == [{}, {}]


async def test_what_is_left_on_a_clock_is_read_from_the_log(server: AsgiServer) -> None:
    registry = server.services.registry
    table_id = await sat(server, {"kind": "clock", "seconds": 10, "bank": 60})
    table = await registry.find(table_id)
    lines = [Connection(str(chair.player), None) for chair in table.doc.chairs]
    for line in lines:
        await handle(table, on.Arrive(line, frames.Hello()))
    for seconds in (5, 25, 40, 10):
        server.system.at += seconds
        seat = owing(table)
        await decide(table, seat, str(table.doc.chairs[seat].player))
    assert table.presence is not None
    bank = dict(table.presence.bank)
    assert sum(bank.values()) == 3 * 60 - 15 - 30
    for line in lines:
        table.leave(line)
    assert registry.drop_idle() == 1
    again = (await registry.find(table_id)).presence
    assert again is not None
    assert again.bank == bank


async def test_a_match_that_is_read_again_goes_on_as_it_was(server: AsgiServer) -> None:
    """Even if the first read fails: a pause costs no player time, and a player who was away or late
    still is."""
    table_id = await sat(server, {"kind": "clock", "seconds": 10, "bank": 60})
    table = await server.services.registry.find(table_id)
    lines = [Connection(str(chair.player), None) for chair in table.doc.chairs]
    server.system.at += 50
    for line in lines:
        await handle(table, on.Arrive(line, frames.Hello()))
    began = server.system.at
    server.system.at += 2
    seat = owing(table)
    gone = (seat + 1) % 3
    with patch.object(table.store, "entries", side_effect=Busy("full")):
        with pytest.raises(Busy):
            await recovery.reload(table)
        table.leave(lines[gone])
    await handle(table, on.CatchUp())
    assert table.presence is not None
    assert table.presence.until(seat) == began + 70
    assert table.presence.away == {gone: server.system.at}
    await decide(table, seat, str(table.doc.chairs[seat].player))
    await recovery.reload(table)
    assert set(table.presence.bank.values()) == {60}
    server.system.at += 100
    table.on_timer()
    late, absent = set(table.presence.late), set(table.presence.absent)
    assert late | absent == {owing(table), gone}
    await recovery.reload(table)
    assert (table.presence.late, table.presence.absent) == (late, absent)
    for line in lines:
        table.leave(line)


def test_a_pause_is_nobodys_time() -> None:
    made = Presence(range(2), (), Clock(10, 15), 30, 9999)
    made.recall(None, False, [0], 100)
    made.recall(0, False, [1], 112)
    made.recall(1, False, [0], 5000)
    assert made.bank == {0: 13, 1: 15}, "a bot would have played: so it was paused"
    made.recall(0, True, [0], 5030)
    assert made.bank == {0: 0, 1: 15}, "a bot has played"
    assert made.late == set()
    assert made.asked == {0: 5030}


def test_days_pass_whoever_is_there() -> None:
    made = Presence(range(2), (), Days(1), 30, 0)
    made.recall(None, False, [0, 1], 0)
    assert made.deserted()
    assert not made.paused()
    made.connected(1, DAY - 1)
    assert made.due() == DAY, "who comes does not set the clock back"
    assert made.advance(DAY)
    assert made.by_bots() == {0, 1}


# A clock that is set -----------------------------------------------------------------------------


@pytest.mark.parametrize("set_by", [-DAY, 3600.0, DAY])
async def test_nobody_gains_or_loses_seconds_when_the_clock_is_set(
    server: AsgiServer, set_by: float
) -> None:
    """Neither players who think, nor players who are away."""
    table = await server.services.registry.find(
        await sat(server, {"kind": "clock", "seconds": 60, "bank": 0})
    )
    here = Connection(str(table.doc.chairs[0].player), 0)
    await handle(table, on.Arrive(here, frames.Hello()))
    server.system.at += 20
    server.system.set_by = set_by
    await run_due_timers(server.services.registry)
    assert table.bot_seats() == {}
    assert table.seconds_until_due() == pytest.approx(10), "then the others are away for too long"
    shown = table_seen(table, seated=True).seats[1].until
    assert shown == pytest.approx(server.system.now() + 10)
    server.system.at += 10
    await run_due_timers(server.services.registry)
    assert sorted(table.bot_seats()) == [1, 2]
    server.system.at += 30
    await run_due_timers(server.services.registry)
    assert 0 in table.bot_seats() or owing(table) != 0


async def test_days_go_by_the_calendar(server: AsgiServer) -> None:
    registry = server.services.registry
    table = await registry.find(await sat(server, DAYS))
    server.system.set_by = 2 * DAY
    await run_due_timers(registry)
    assert table.bot_seats() == {owing(table): table.doc.level}


async def test_a_rate_is_not_affected_when_the_clock_is_set(server: AsgiServer) -> None:
    limits = server.services.limits
    for _ in range(10):
        limits.take(chat="aki")
    server.system.set_by = DAY
    with pytest.raises(ApiError, match="too many requests"):
        limits.take(chat="aki")


def test_a_clock_that_is_set_is_written_down(caplog: pytest.LogCaptureFixture) -> None:
    system = ManualClock()
    watch = ClockWatch(system)
    system.at += 60
    system.set_by = 3.0
    assert watch.look() == 0.0
    system.set_by = -3600.0
    assert watch.look() == -3600.0
    assert watch.look() == 0.0
    (record,) = caplog.records
    assert (record.getMessage(), record.__dict__["seconds"]) == ("clock", -3600)
