"""Two servers in one process that share a PostgreSQL, and their knowledge of each other."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from time import monotonic
from typing import Any

import msgspec
import pytest

from tests.server import stores
from tests.server.asgi_server import ApiClient, AsgiServer, asgi_server, play, seated
from tests.server.test_clocks import decide, owing
from tests.server.test_resource_limits import slow
from tests.server.waits import TIMEOUT, until
from zashiki.core.record import nonce_hash
from zashiki.server.bots.dispatcher import BotDispatcher
from zashiki.server.cluster import node
from zashiki.server.cluster.node import ClusterNode
from zashiki.server.errors import ApiError
from zashiki.server.protocol import frames
from zashiki.server.store.errors import Busy
from zashiki.server.store.postgres.coordination import PostgresCoordination
from zashiki.server.store.postgres.store import PostgresStore
from zashiki.server.tables import commands as on
from zashiki.server.tables import dealing, quotas
from zashiki.server.tables.connection import Connection
from zashiki.server.tables.handler import handle
from zashiki.server.tables.live import LiveTable
from zashiki.server.tables.model import bot_id

GAME = "kingdoms"
CLOCK = {"kind": "clock", "seconds": 10, "bank": 0}


@pytest.fixture(autouse=True)
def _on_postgres(monkeypatch: pytest.MonkeyPatch) -> None:
    stores.started()
    monkeypatch.setenv(stores.CHOICE, "postgres")


@asynccontextmanager
async def two_servers(folder: Path) -> AsyncIterator[tuple[AsgiServer, AsgiServer]]:
    async with asgi_server(folder) as one, asgi_server(folder) as two, asyncio.timeout(TIMEOUT):
        yield one, two


def coordination_of(server: AsgiServer) -> PostgresCoordination:
    """Return the coordination of a server with the others on its store."""
    assert isinstance(server.services.store, PostgresStore)
    return server.services.store.coordination


async def elsewhere(server: AsgiServer, table: str) -> set[str]:
    """Return the players connected to a table through another server."""
    there = await coordination_of(server).present_on_other_nodes(server.services.name, [table])
    return there.get(table, set())


async def arrived(table: LiveTable, *players: str) -> list[Connection]:
    lines = [Connection(player, None) for player in players]
    for line in lines:
        await handle(table, on.Arrive(line, frames.Hello()))
    return lines


async def sat(server: AsgiServer, **other: Any) -> tuple[str, list[ApiClient]]:
    people = [await server.guest(name) for name in ("Aki", "Ben")]
    return await seated(server, GAME, people, **other), people


def later(seconds: float, *servers: AsgiServer) -> None:
    for server in servers:
        server.system.at += seconds


def others(server: AsgiServer) -> ClusterNode:
    assert server.services.cluster is not None
    return server.services.cluster


def deaf(server: AsgiServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop all notifications from other servers to this one."""
    monkeypatch.setattr(coordination_of(server)._listener, "_handlers", [])


# Clocks ----------------------------------------------------------------------------------------


async def test_a_pause_that_another_server_did_not_see_is_nobodys_time(tmp_path: Path) -> None:
    async with two_servers(tmp_path) as (one, two):
        table_id, people = await sat(one, pace=CLOCK)
        table = await one.services.registry.find(table_id)
        later(1000, one, two)
        lines = await arrived(table, *(api_client.id for api_client in people))
        await until(lambda: are_there(two, table_id, people))
        other = await two.services.registry.find(table_id)
        assert other.presence is not None
        assert other.presence.until(owing(other)) == two.system.at + 10
        other.on_timer()
        assert other.bot_seats() == {}
        for line in lines:
            table.leave(line)


async def are_there(server: AsgiServer, table: str, people: list[ApiClient]) -> bool:
    return await elsewhere(server, table) == {api_client.id for api_client in people}


async def test_days_pass_wherever_a_match_is_read(tmp_path: Path) -> None:
    async with two_servers(tmp_path) as (one, two):
        table, people = await sat(one, pace={"kind": "days", "days": 1})
        began = one.system.at
        later(1000, one, two)
        (line,) = await arrived(await one.services.registry.find(table), people[0].id)
        await until(lambda: are_there(two, table, people[:1]))
        other = await two.services.registry.find(table)
        assert other.presence is not None
        assert other.presence.until(owing(other)) == began + 24 * 3600
        (await one.services.registry.find(table)).leave(line)


# Resigning -------------------------------------------------------------------------------------


async def test_who_was_played_for_elsewhere_does_not_resign_that_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot has played for them, which the server where they resign was not told."""
    async with two_servers(tmp_path) as (one, two):
        table_id, _ = await sat(one)
        behind = await two.services.registry.find(table_id)
        deaf(two, monkeypatch)
        table = await one.services.registry.find(table_id)
        seat = owing(table)
        assert table.presence is not None
        table.presence.here(range(2))
        table.presence.absent = {seat}
        await decide(table, seat, bot_id(table.doc.level))
        assert (table.stand_in_moves, behind.stand_in_moves) == ({seat: 1}, {})
        await handle(behind, on.Resign(seat))
        assert behind.stand_in_moves == {seat: 1}
        row = await one.services.store.table(table_id)
        assert row is not None
        assert row.doc["gone"] == {str(seat): 1}, "the bot's decision was before"


# Tables that ended -----------------------------------------------------------------------------


class Watcher(Connection):
    """A connection to the lobby."""

    def __init__(self, player: str, seat: int | None) -> None:
        super().__init__(player, seat)
        self.shown: dict[str, str] = {}
        """The tables that it was told of, and their states."""

    def send(self, frame: Any) -> None:
        table = msgspec.json.decode(frame)["table"]
        self.shown[table["id"]] = table["state"]


async def test_who_signs_out_elsewhere_leaves_the_lobby_here(tmp_path: Path) -> None:
    async with two_servers(tmp_path) as (one, two):
        aki = await one.guest("Aki")
        ended, other = Connection(aki.id, None, 0), Connection("", None)
        two.services.registry.lobby.watchers |= {ended, other}
        await aki.post("/api/sign-out")

        async def is_signed_out() -> bool:
            return not ended.is_open

        await until(is_signed_out)
        assert other.is_open


async def test_what_ended_while_nothing_was_heard_is_not_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quotas, "MAX_HOSTED_TABLES", 3)
    async with two_servers(tmp_path) as (one, two):
        aki = await one.guest("Aki")
        wanted = {"game": GAME, "seats": 2}
        paths = [await aki.post("/api/tables", wanted, 201) for _ in range(2)]
        ids = [made["table"]["id"] for made in paths]
        counted = two.services.registry.quotas

        async def all_counted() -> bool:
            return set(counted.of(aki.id)) == set(ids)

        await until(all_counted)
        heard = list(coordination_of(two)._listener._handlers)
        deaf(two, monkeypatch)
        watcher = Watcher("", None)
        two.services.registry.lobby.watchers.add(watcher)
        await aki.post(f"/api/tables/{ids[0]}/close")
        made = (await aki.post("/api/tables", wanted, 201))["table"]["id"]
        await asyncio.sleep(0.1)
        assert set(counted.of(aki.id)) == set(ids)
        for told in heard:
            told(None)  # the connection was cut, and is back

        async def counted_anew() -> bool:
            return set(counted.of(aki.id)) == {ids[1], made}

        await until(counted_anew)
        assert watcher.shown == {ids[0]: "closed", made: "open"}, "who looks at the lobby sees both"


# Presence --------------------------------------------------------------------------------------


BUSY = Busy("the database does not answer")


def failing(
    of: object, name: str, patch: pytest.MonkeyPatch, fault: Exception = BUSY
) -> tuple[asyncio.Event, asyncio.Event]:
    """Let a method of store or coordination fail; return events for its failure and its repair."""
    failed, mended, method = asyncio.Event(), asyncio.Event(), getattr(of, name)

    async def fails(*given: Any) -> Any:
        if not mended.is_set():
            failed.set()
            raise fault
        return await method(*given)

    patch.setattr(of, name, fails)
    return failed, mended


def never_compared(patch: pytest.MonkeyPatch) -> None:
    """Make heartbeats fast, and turn off the comparison that would find missed changes."""
    patch.setattr(node, "HEARTBEAT_SECONDS", 0.1)
    patch.setattr(node, "HEARTBEATS_PER_COMPARISON", 1_000_000)


@pytest.mark.parametrize("name", ["set_present", "set_absent"])
async def test_who_is_here_is_told_when_it_can_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """The heartbeat continues, and no connection was cut."""
    monkeypatch.setattr(node, "HEARTBEAT_SECONDS", 0.1)
    async with two_servers(tmp_path) as (one, two):
        table_id, people = await sat(one)
        table = await one.services.registry.find(table_id)
        aki = people[0]
        if name == "set_present":
            failed, mended = failing(coordination_of(one), name, monkeypatch)
            (line,) = await arrived(table, aki.id)
        else:
            (line,) = await arrived(table, aki.id)
            await until(lambda: are_there(two, table_id, [aki]))
            failed, mended = failing(coordination_of(one), name, monkeypatch)
            table.leave(line)
        await failed.wait()
        before = [aki] if name == "set_absent" else []
        assert await are_there(two, table_id, before)
        mended.set()
        after = [aki] if name == "set_present" else []
        await until(lambda: are_there(two, table_id, after))
        assert not others(one)._unpublished
        table.leave(line)


async def test_who_leaves_while_it_is_said_again_that_they_are_here_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with two_servers(tmp_path) as (one, two):
        table_id, people = await sat(one)
        table = await one.services.registry.find(table_id)
        (line,) = await arrived(table, people[0].id)
        await until(lambda: are_there(two, table_id, people[:1]))
        called, go_on = slow(coordination_of(one), monkeypatch, "set_present")
        again = asyncio.create_task(others(one).announce_all())
        await called.wait()
        table.leave(line)
        await asyncio.sleep(0.1)
        go_on.set()
        await again
        await until(lambda: are_there(two, table_id, []))
        await asyncio.sleep(0.1)
        assert await are_there(two, table_id, [])


async def test_many_who_leave_at_once_leave_room_for_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their absence is published by few queries, and new arrivals are admitted."""
    async with two_servers(tmp_path) as (one, two):
        table_id, people = await sat(one)
        table, store = await one.services.registry.find(table_id), one.services.store
        lines = await arrived(table, *(f"player {number}" for number in range(60)))
        await until(lambda: not others(one)._unpublished)
        await until(lambda: not others(one)._publishing.locked())
        assert len(await elsewhere(two, table_id)) == 60
        monkeypatch.setattr(store, "_max_waiting", 10)
        calls, absent = [], coordination_of(one).set_absent

        async def counted(*given: Any) -> None:
            calls.append(given)
            await absent(*given)

        monkeypatch.setattr(coordination_of(one), "set_absent", counted)
        for line in lines:
            table.leave(line)
        for _ in range(20):
            assert await store.player(people[0].id) is not None
            await asyncio.sleep(0)
        await until(lambda: not others(one)._unpublished)
        await until(lambda: not others(one)._publishing.locked())
        assert await elsewhere(two, table_id) == set()
        assert len(calls) < 5


async def apart(one: AsgiServer, two: AsgiServer) -> tuple[str, list[LiveTable], list[Connection]]:
    """Two people at a match through different servers, which both know of both and rest."""
    table_id, people = await sat(one)
    tables = [await server.services.registry.find(table_id) for server in (one, two)]
    lines = [
        line
        for table, api_client in zip(tables, people, strict=True)
        for line in await arrived(table, api_client.id)
    ]

    async def all_are_seen() -> bool:
        return all(table.presence is not None and not table.presence.away for table in tables)

    await until(all_are_seen)
    # A read that is under way would see what happens next.
    await until(lambda: not (others(one)._scheduled or others(two)._scheduled))
    return table_id, tables, lines


async def is_seen_to_be_gone(table: LiveTable) -> bool:
    return table.presence is not None and bool(table.presence.away)


async def test_who_has_left_elsewhere_is_seen_when_it_can_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    never_compared(monkeypatch)
    async with two_servers(tmp_path) as (one, two):
        _, tables, lines = await apart(one, two)
        failed, mended = failing(coordination_of(two), "present_on_other_nodes", monkeypatch)
        tables[0].leave(lines[0])
        await failed.wait()
        assert not await is_seen_to_be_gone(tables[1])
        mended.set()
        await until(lambda: is_seen_to_be_gone(tables[1]))
        tables[1].leave(lines[1])


async def test_who_has_left_elsewhere_is_seen_though_nothing_was_heard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with two_servers(tmp_path) as (one, two):
        table, tables, lines = await apart(one, two)
        deaf(two, monkeypatch)
        tables[0].leave(lines[0])
        await until(lambda: are_there(two, table, []))
        assert not await is_seen_to_be_gone(tables[1])
        await others(two).compare()
        await until(lambda: is_seen_to_be_gone(tables[1]))
        tables[1].leave(lines[1])


async def test_a_server_does_not_read_what_it_has_said_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    never_compared(monkeypatch)
    async with two_servers(tmp_path) as (one, two):
        table_id, people = await sat(one)
        tables = [await server.services.registry.find(table_id) for server in (one, two)]
        coordination, asked = coordination_of(one), []
        monkeypatch.setattr(coordination, "present_on_other_nodes", lambda *_: asked.append(_))
        lines = await arrived(tables[0], people[0].id)
        await until(lambda: tables[1].is_here(people[0].id))
        tables[0].leave(lines[0])
        await until(lambda: not tables[1].is_here(people[0].id))
        assert asked == []


async def test_of_all_tables_it_is_read_at_once_who_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A broken table does not stop the others."""
    never_compared(monkeypatch)
    async with two_servers(tmp_path) as (one, two):
        matches = [await apart(one, two) for _ in range(3)]
        deaf(two, monkeypatch)
        for _, tables, lines in matches:
            tables[0].leave(lines[0])
        for table_id, _, _ in matches:
            await until(lambda table_id=table_id: are_there(two, table_id, []))  # type: ignore[misc]
        coordination, asked = coordination_of(two), []
        method = coordination.present_on_other_nodes

        async def elsewhere(server: str, tables: Any) -> Any:
            asked.append(set(tables))
            return await method(server, tables)

        monkeypatch.setattr(coordination, "present_on_other_nodes", elsewhere)
        broken = matches[1][1][1]
        monkeypatch.setattr(broken, "set_present_on_other_nodes", lambda _: 1 // 0)
        others(two)._schedule(others(two)._on_node_lost)
        for _, tables, _ in matches:
            if tables[1] is not broken:
                await until(lambda table=tables[1]: is_seen_to_be_gone(table))  # type: ignore[misc]
        assert asked == [{table_id for table_id, _, _ in matches}]
        for _, tables, lines in matches:
            tables[1].leave(lines[1])


# Chat ------------------------------------------------------------------------------------------


def heard_in(table: LiveTable) -> list[str]:
    return [said.text for said in table.chat_lines]


async def test_who_comes_is_told_what_was_said_while_nothing_was_heard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with two_servers(tmp_path) as (one, two):
        table_id, people = await sat(one)
        await two.services.registry.find(table_id)
        deaf(two, monkeypatch)
        await handle(await one.services.registry.find(table_id), on.Say(people[0].id, 0, "hello"))
        table = await two.services.registry.find(table_id)
        (line,) = await arrived(table, people[1].id)
        welcome = msgspec.json.decode(line.waiting[0])
        assert [said["text"] for said in welcome["chat"]] == ["hello"]
        table.leave(line)


async def test_who_is_there_is_told_what_was_said_while_nothing_was_heard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with two_servers(tmp_path) as (one, two):
        table_id, people = await sat(one)
        table = await two.services.registry.find(table_id)
        deaf(two, monkeypatch)
        await handle(await one.services.registry.find(table_id), on.Say(people[0].id, 0, "hello"))
        await asyncio.sleep(0.1)
        assert heard_in(table) == []
        others(two).on_notices(None)
        await until(lambda: has_heard(table, "hello"))


async def has_heard(table: LiveTable, *texts: str) -> bool:
    return heard_in(table) == list(texts)


async def test_what_was_said_elsewhere_is_told_when_it_can_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    never_compared(monkeypatch)
    async with two_servers(tmp_path) as (one, two):
        table_id, people = await sat(one)
        table = await two.services.registry.find(table_id)
        failed, mended = failing(two.services.store, "chat", monkeypatch)
        await handle(await one.services.registry.find(table_id), on.Say(people[0].id, 0, "hello"))
        await failed.wait()
        mended.set()
        await until(lambda: has_heard(table, "hello"))


# A start ---------------------------------------------------------------------------------------


async def test_the_first_move_is_seen_though_it_comes_while_the_start_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    never_compared(monkeypatch)
    async with two_servers(tmp_path) as (one, two):
        people = [await one.guest(name) for name in ("Aki", "Ben")]
        made = await people[0].post("/api/tables", {"game": GAME, "seats": 2}, 201)
        table = made["table"]["id"]
        await people[1].post(f"/api/tables/{table}/sit", {"seat": 1})
        here, there = [await server.services.registry.find(table) for server in (one, two)]
        method, called, go_on = two.services.store.chat, asyncio.Event(), asyncio.Event()

        async def chat(*given: Any) -> Any:
            if there.live is not None:
                called.set()
                await go_on.wait()
            return await method(*given)

        monkeypatch.setattr(two.services.store, "chat", chat)
        await people[0].post(f"/api/tables/{table}/start")
        for seat in range(2):
            await handle(here, on.Ready(seat, ""))
        await called.wait()
        seat = owing(here)
        await decide(here, seat, people[seat].id)
        await asyncio.sleep(0.2)
        go_on.set()

        async def has_moved() -> bool:
            return there.live is not None and there.live.done == 1

        await until(has_moved)


# Heartbeats ------------------------------------------------------------------------------------


def resumed(patch: pytest.MonkeyPatch) -> list[str]:
    """Return the names of servers that take over bots, appended each time they do."""
    names: list[str] = []

    async def resume(dispatcher: BotDispatcher) -> None:
        names.append(dispatcher.name)

    patch.setattr(BotDispatcher, "resume", resume)
    return names


async def leaves(server: AsgiServer) -> None:
    """A server stops, and is still to be removed by a heartbeat."""
    await coordination_of(server).heartbeat("gone")
    await coordination_of(server).leave("gone")


async def test_who_starts_sees_to_what_those_did_who_are_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(node, "HEARTBEAT_SECONDS", 1000)
    names = resumed(monkeypatch)
    async with asgi_server(tmp_path) as one:
        await leaves(one)
        async with asgi_server(tmp_path) as two:

            async def has_mourned() -> bool:
                return names == [one.services.name, two.services.name, two.services.name]

            await until(has_mourned)


async def test_who_says_again_what_is_here_sees_who_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(node, "HEARTBEAT_SECONDS", 1000)
    names = resumed(monkeypatch)
    async with two_servers(tmp_path) as (one, two):
        await leaves(one)
        names.clear()
        others(two).on_notices(None)

        async def has_mourned() -> bool:
            return names == [two.services.name]

        await until(has_mourned)


@pytest.mark.parametrize("fault", [BUSY, ZeroDivisionError()])
async def test_a_heart_beats_on_and_sees_to_what_it_may_have_missed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    """The lost answer of a heartbeat would have named the removed servers."""
    never_compared(monkeypatch)
    names = resumed(monkeypatch)
    async with two_servers(tmp_path) as (one, two):
        failed, mended = failing(coordination_of(two), "heartbeat", monkeypatch, fault)
        await failed.wait()
        assert two.services.name not in names[2:]
        mended.set()

        async def has_mourned() -> bool:
            return two.services.name in names[2:]

        await until(has_mourned)
        assert one.services.name not in names[2:]


# Seats -----------------------------------------------------------------------------------------


async def test_a_seat_that_is_leased_while_a_server_stops_is_free_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with two_servers(tmp_path) as (one, two):
        dispatcher, place = one.services.dispatcher, ("table", 0)
        called, go_on = slow(coordination_of(one), monkeypatch, "lease")
        dispatcher.unassigned[place] = None
        await called.wait()
        await dispatcher.retire()
        go_on.set()
        coordination, name = coordination_of(two), two.services.name

        async def is_free() -> bool:
            return await coordination.lease(name, [place], 60) == {place}

        await until(is_free)
        assert dispatcher.leases is not None
        assert not dispatcher.leases.held


# Clocks of machines ----------------------------------------------------------------------------


async def test_clocks_that_differ_harm_no_ticket(tmp_path: Path) -> None:
    async with two_servers(tmp_path) as (one, two):
        table, people = await sat(one)
        later(3600, two)
        there = await one.services.tickets.issue_shared(people[0].id, 0, table)
        back = await two.services.tickets.issue_shared(people[0].id, 0, table)
        for server, token in ((two, there), (one, back)):
            ticket = await server.services.tickets.redeem(token)
            assert ticket is not None
            assert (ticket.player, ticket.table) == (people[0].id, table)


@pytest.mark.parametrize("skew", [3600, -3600])
async def test_clocks_that_differ_shorten_no_wait_for_nonces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, skew: float
) -> None:
    """Nor does it take longer, if the server that started the deal is gone."""
    monkeypatch.setattr(dealing, "NONCE_TIMEOUT_SECONDS", 1.0)
    async with two_servers(tmp_path) as (one, two):
        people = [await one.guest(name) for name in ("Aki", "Ben")]
        made = await people[0].post("/api/tables", {"game": GAME, "seats": 2}, 201)
        table_id = made["table"]["id"]
        await people[1].post(f"/api/tables/{table_id}/sit", {"seat": 1})
        later(skew, two)
        await people[0].post(f"/api/tables/{table_id}/start")
        await one.services.registry.find(table_id)
        one.services.registry.nonce_timer.close()
        began = monotonic()
        table = await two.services.registry.find(table_id)
        await until(lambda: table.state == "playing")
        assert monotonic() - began >= 1.0


async def test_a_deal_is_taken_part_in_by_way_of_several_servers(tmp_path: Path) -> None:
    """A hash or nonce reaches one server and counts at all servers, even if that one is gone."""
    async with asgi_server(tmp_path) as two, asyncio.timeout(TIMEOUT):
        async with asgi_server(tmp_path) as one:
            people = [await one.guest(name) for name in ("Aki", "Ben")]
            made = await people[0].post("/api/tables", {"game": GAME, "seats": 2}, 201)
            id = made["table"]["id"]
            await people[1].post(f"/api/tables/{id}/sit", {"seat": 1})
            started = await people[0].post(f"/api/tables/{id}/start")
            nonces = [f"{seat:032x}" for seat in range(2)]
            hashes = [
                nonce_hash(started["commitment"], seat, nonce) for seat, nonce in enumerate(nonces)
            ]
            await handle(await one.services.registry.find(id), on.Ready(0, hashes[0]))
            there = await two.services.registry.find(id)
            assert there.doc.dealing is not None
            assert there.doc.dealing.hashes == {"0": hashes[0]}
            await handle(there, on.Ready(1, hashes[1]))
            here = await one.services.registry.find(id)
            assert here.doc.dealing is not None
            assert here.doc.dealing.hashes_of(here.doc.chairs) == hashes
            await handle(here, on.Reveal(0, nonces[0]))
        await handle(await two.services.registry.find(id), on.Reveal(1, nonces[1]))
        assert there.match_row is not None
        header = there.match_row.header
        assert (header["commitment"], header["hashes"]) == (started["commitment"], hashes)
        assert (header["nonces"], header["gave"]) == (nonces, ["nonce", "nonce"])


async def test_a_nonce_is_not_taken_if_another_server_has_dealt_without_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with two_servers(tmp_path) as (one, two):
        people = [await one.guest(name) for name in ("Aki", "Ben")]
        made = await people[0].post("/api/tables", {"game": GAME, "seats": 2}, 201)
        id = made["table"]["id"]
        await people[1].post(f"/api/tables/{id}/sit", {"seat": 1})
        started = await people[0].post(f"/api/tables/{id}/start")
        nonces = [f"{seat:032x}" for seat in range(2)]
        here = await one.services.registry.find(id)
        for seat, nonce in enumerate(nonces):
            hash = nonce_hash(started["commitment"], seat, nonce)
            await handle(here, on.Ready(seat, hash))
        there = await two.services.registry.find(id)
        begin_match = here.store.begin_match

        async def comes_late(*given: Any) -> None:
            await handle(there, on.NonceTimeout(is_fixed=True))
            await begin_match(*given)

        monkeypatch.setattr(here.store, "begin_match", comes_late)
        answers = [handle(here, on.Reveal(seat, nonce)) for seat, nonce in enumerate(nonces)]
        first, second = await asyncio.gather(*answers, return_exceptions=True)
        assert here.match_row is not None
        dealt = here.match_row.header["nonces"]
        for answer, nonce, taken in zip((first, second), nonces, dealt, strict=True):
            if taken == nonce:
                assert answer is None
            else:
                assert isinstance(answer, ApiError)
                assert (answer.code, taken) == ("not-starting", "")
        assert isinstance(second, ApiError)


# Keys ------------------------------------------------------------------------------------------


async def test_a_key_for_another_action_by_way_of_another_server_is_refused(tmp_path: Path) -> None:
    async with two_servers(tmp_path) as (one, two):
        people = [await one.guest(name) for name in ("Aki", "Ben", "Chie")]
        table_id = await seated(one, "kamiza-second", people)
        here, there = (
            await one.services.registry.find(table_id),
            await two.services.registry.find(table_id),
        )
        assert here.live is not None
        seat = owing(here)
        first, second = here.live.match.legal(seat)[:2]
        asked = [frames.Play("k", 1, first), frames.Play("k", 1, second)]
        answers = await asyncio.gather(
            handle(here, on.Play(people[seat].id, seat, asked[0])),
            handle(there, on.Play(people[seat].id, seat, asked[1])),
            return_exceptions=True,
        )
        assert sorted(getattr(answer, "code", "ok") for answer in answers) == ["malformed", "ok"]
        done = answers.index(None)
        for table in (here, there):
            await handle(table, on.Play(people[seat].id, seat, asked[done]))
        await play(one, table_id, 3)


async def test_what_an_operator_decides_at_one_server_holds_at_the_other(tmp_path: Path) -> None:
    async with two_servers(tmp_path) as (one, two):
        ben, bea = await two.guest("Ben"), await two.guest("Bea")
        wanted = {"game": GAME, "seats": 2}
        table_id = (await ben.post("/api/tables", wanted, 201))["table"]["id"]
        table = await two.services.registry.find(table_id)
        lines = await arrived(table, ben.id, bea.id)
        key = {"X-Zashiki": "1", "X-Zashiki-Operator": one.services.operator_key}
        operator = one.api_client(**key)
        mute = {"kind": "mute", "why": "rude", "player": bea.id, "hours": 1}
        made = await operator.post("/api/operator/acts", mute, 201)
        await until(lambda: lines[1].silenced_until == made["until"])
        ban = {"kind": "ban", "why": "rude", "player": ben.id, "hours": 1}
        await operator.post("/api/operator/acts", ban, 201)
        await until(lambda: not lines[0].is_open)
        assert await ben.refused("/api/me", None, 403, "GET") == "banned"
        for line in lines:
            table.leave(line)


async def test_the_ban_of_an_address_holds_at_the_other_server(tmp_path: Path) -> None:
    async with two_servers(tmp_path) as (one, two):
        ben = await two.guest("Ben")
        accounts = two.services.accounts
        row = await two.services.store.player(ben.id)
        assert row is not None
        await accounts.note_address(row, "203.0.113.5")
        key = {"X-Zashiki": "1", "X-Zashiki-Operator": one.services.operator_key}
        ban = {"kind": "ban-address", "why": "rude", "player": ben.id, "hours": 1}
        await one.api_client(**key).post("/api/operator/acts", ban, 201)
        await until(lambda: accounts.address_hash("203.0.113.5") in accounts.banned_addresses)
