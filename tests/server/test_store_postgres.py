import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from msgspec.structs import replace

from tests.server import stores
from tests.server.databases import Databases
from tests.server.postgres import Cluster
from tests.server.store_conformance import (
    POOL,
    Conformance,
    appended,
    began,
    both,
    entry,
    match,
    player,
    rating,
    set_up,
    table,
)
from tests.server.waits import TIMEOUT, until
from zashiki.server.store.coordination import LatestVersions, Notice
from zashiki.server.store.errors import Busy, Conflict, MaybeWritten, Overtaken, Unusable
from zashiki.server.store.factory import open_store
from zashiki.server.store.migrations import steps_in
from zashiki.server.store.postgres import (
    append,
    connections,
    coordination,
    driver,
    migrate,
    notify,
    writer,
)
from zashiki.server.store.postgres.driver import DatabaseUrl
from zashiki.server.store.postgres.store import PostgresStore
from zashiki.server.store.protocol import Store
from zashiki.server.store.rows import ChatRow
from zashiki.server.store.sqlite.store import SqliteStore

Heard = list[Notice | None]


@pytest.fixture
def database() -> Databases:
    return stores.started()


class TestPostgres(Conformance):
    def store(self, folder: Path) -> Store:
        return stores.store_for(folder)

    @pytest.fixture(autouse=True)
    def on_postgres(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv(stores.CHOICE, "postgres")


@asynccontextmanager
async def opened_stores(url: str, number: int) -> AsyncIterator[list[PostgresStore]]:
    """Open the stores of this many servers on one database."""
    opened = [PostgresStore(url) for _ in range(number)]
    try:
        async with asyncio.timeout(TIMEOUT):
            for store in opened:
                await store.open()
            yield opened
    finally:
        for store in opened:
            await store.close()


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[PostgresStore]:
    async with opened_stores(url, 1) as (store,):
        yield store


def ear(store: PostgresStore) -> Heard:
    """Return a list of all notifications that a store gets from now on."""
    heard: Heard = []
    store.coordination.listen(lambda notices: heard.extend([None] if notices is None else notices))
    return heard


async def ask(database: Databases, url: str, statement: str) -> list[Any]:
    """Run a statement on a database, without any store."""
    return await asyncio.to_thread(database.ask, statement, url.rpartition("/")[2])


async def open_and_close(url: str) -> None:
    async with opened(url):
        pass


DEADLOCKS = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"


# Two servers -----------------------------------------------------------------------------------


async def test_of_two_servers_in_one_place_exactly_one_wins(database: Databases) -> None:
    names = [f"m{n}" for n in range(20)]
    async with opened_stores(database.new(), 2) as (one, two):
        await began(one, *names)
        won = {one: 0, two: 0}
        for n in range(1, 101):
            writes = {
                store: [appended(store, entry(id, n, f"{who}-{n}")) for id in order]
                for who, (store, order) in enumerate(((one, names), (two, names[::-1])))
            }
            results = await asyncio.gather(*(both(*waiting) for waiting in writes.values()))
            found = dict(zip(writes, results, strict=True))
            for mine, others in zip(found[one], reversed(found[two]), strict=True):
                assert {type(mine), type(others)} == {type(None), Conflict}, (mine, others)
            for store, mine in found.items():
                won[store] += mine.count(None)
        assert sum(won.values()) == 2000
        assert min(won.values()) > 0
        for id in names:
            assert [row.n for row in await two.entries(id)] == list(range(101))


async def test_two_servers_that_try_until_they_get_through_both_do(database: Databases) -> None:
    async def play(store: PostgresStore, seat: int) -> None:
        for number in range(20):
            while True:
                n = len(await store.entries("m"))
                try:
                    await appended(store, entry("m", n, f"k{number}", seat))
                except Conflict:
                    continue
                break

    async with opened_stores(database.new(), 2) as two:
        await began(two[0], "m")
        await asyncio.gather(*(play(store, seat) for seat, store in enumerate(two)))
        rows = await two[0].entries("m")
        assert [row.n for row in rows] == list(range(41))
        assert len({(row.seat, row.key) for row in rows[1:]}) == 40


async def test_servers_that_append_and_finish_in_one_place_never_wait_for_each_other(
    database: Databases,
) -> None:
    names = [f"m{n}" for n in range(30)]
    url = database.new()
    before = database.ask(DEADLOCKS, url.rpartition("/")[2])
    async with opened_stores(url, 2) as (one, two):
        await began(one, *names)

        async def write(store: PostgresStore, place: int, is_last: bool) -> None:
            at, id = f"t{place or ''}", names[place]
            if not is_last:
                return await appended(store, entry(id, 1))
            over = replace(match(id, at), ended=9.0)
            row = replace(table(at, 2), state="over", match=id)
            return await store.finish(entry(id, 1), over, [], row)

        places = range(len(names))
        found, against = await asyncio.gather(
            both(*(write(one, place, place % 2 == 0) for place in places)),
            both(*(write(two, place, place % 3 == 0) for place in reversed(places))),
        )
        for mine, other in zip(found, reversed(against), strict=True):
            assert {type(mine), type(other)} == {type(None), Conflict}, (mine, other)
    assert database.ask(DEADLOCKS, url.rpartition("/")[2]) == before


async def test_an_entry_whose_predecessor_is_missing_is_refused(database: Databases) -> None:
    """A server remembers more than a database that lost its newest rows, so it reads again."""
    async with opened(database.new()) as store:
        await began(store, "m", "n")
        found = await both(
            appended(store, entry("m", 3)),
            appended(store, entry("m", 4)),
            appended(store, entry("n", 1)),
            appended(store, entry("n", 2)),
            appended(store, entry("nowhere", 1)),
        )
        assert [type(one) for one in found] == [
            Conflict,
            Conflict,
            type(None),
            type(None),
            Conflict,
        ]
        assert await store.entries("m") == [set_up("m")]
        assert [row.n for row in await store.entries("n")] == [0, 1, 2]


async def test_two_servers_change_the_same_tables_without_waiting_for_each_other(
    database: Databases,
) -> None:
    names = [f"t{n}" for n in range(30)]
    url = database.new()
    before = database.ask(DEADLOCKS, url.rpartition("/")[2])
    async with opened_stores(url, 2) as (one, two):
        await one.add_player(player("ann"))
        await asyncio.gather(*(one.add_table(table(name)) for name in names))
        for version in range(1, 11):
            rows = [table(name, version) for name in names]
            changes = [one.change_table(row) for row in rows]
            others = [two.change_table(row) for row in reversed(rows)]
            found, against = await asyncio.gather(both(*changes), both(*others))
            for mine, other in zip(found, reversed(against), strict=True):
                assert sorted(str(type(x).__name__) for x in (mine, other)) == [
                    "Conflict",
                    "NoneType",
                ]
    assert database.ask(DEADLOCKS, url.rpartition("/")[2]) == before


async def test_matches_of_one_player_that_end_at_two_servers_are_both_counted(
    database: Databases,
) -> None:
    async def finish(store: PostgresStore, place: int) -> int:
        at, id = f"t{place or ''}", f"m{place}"
        tries = 0
        while True:
            tries += 1
            old = await store.rating("ann", POOL)
            new = rating("ann", 1.0) if old is None else replace(old, matches=old.matches + 1)
            over = replace(match(id, at), ended=9.0)
            try:
                await store.finish(entry(id, 1), over, [new], table(at, 2))
            except Overtaken:
                continue
            return tries

    async with opened_stores(database.new(), 2) as two:
        await began(two[0], *(f"m{n}" for n in range(16)))
        await asyncio.gather(*(finish(two[n % 2], n) for n in range(16)))
        last = await two[0].rating("ann", POOL)
        assert last is not None
        assert last.matches == 16


# Notices ---------------------------------------------------------------------------------------


async def test_what_one_server_writes_the_other_hears(database: Databases) -> None:
    async with opened_stores(database.new(), 2) as (one, two):
        heard = ear(two)
        await began(one, "m")
        await appended(one, entry("m", 1))
        await appended(one, entry("m", 2))
        await one.add_chat(ChatRow("t", 4, "ann", None, "hello", 1.0))
        await one.change_player(replace(player("ann"), epoch=3))
        await one.set_muted("ann", "ann", True)
        over = replace(match("m"), ended=400.0)
        await one.finish(entry("m", 3), over, [], replace(table("t", 2), state="over"))
        await one.add_table(table("idle", 7, updated=1.0))
        await one.close_idle(2.0)
        expected = [
            Notice("table", "t", 0), Notice("match", "m", 0), Notice("table", "t", 1),
            Notice("match", "m", 1), Notice("match", "m", 2), Notice("chat", "t", 4),
            Notice("player", "ann", 3), Notice("player", "ann", 3), Notice("match", "m", 3),
            Notice("table", "t", 2), Notice("table", "idle", 7), Notice("table", "idle", 8),
        ]  # fmt: skip
        await until(lambda: len(heard) >= len(expected))
        assert heard == expected


async def test_what_was_refused_is_not_told(database: Databases) -> None:
    async with opened_stores(database.new(), 2) as (one, two):
        await began(one, "m", "n")
        heard = ear(two)
        over = replace(match("m"), ended=400.0)
        await both(
            appended(one, entry("m", 5)),
            appended(one, replace(entry("n", 1), says="\0")),
            one.finish(entry("m", 1), over, [], table("t", 9)),
            one.change_table(table("t", 9)),
            appended(one, entry("n", 1)),
        )
        await until(lambda: Notice("match", "n", 1) in heard)
        told = [one for one in heard if one and one.kind == "match" and one.n]
        assert told == [Notice("match", "n", 1)]


async def test_many_writes_are_told_in_few_messages(database: Databases) -> None:
    async with opened_stores(database.new(), 2) as (one, two):
        names = [f"match-with-a-long-name-{n}" for n in range(400)]
        await one.add_player(player("ann"))
        calls: list[int] = []
        heard = ear(two)
        two.coordination.listen(lambda notices: calls.append(len(notices or ())))
        await asyncio.gather(*(one.add_table(table(name)) for name in names))
        await until(lambda: len(heard) >= 400)
        assert {notice.id for notice in heard if notice is not None} == set(names)
        assert len(calls) < 20


def test_a_message_is_never_too_long_and_never_breaks_who_reads_it() -> None:
    known = {("match", f"m{n}" * 20): n for n in range(1000)}
    sent = list(notify.encode(known))
    assert max(len(message) for message in sent) < 8000
    read = [notice for message in sent for notice in notify.decode(message)]
    assert {(notice.kind, notice.id): notice.n for notice in read} == known
    assert list(notify.encode({})) == []
    for garbage in ("", "{", "[[]]", "[1]", '[["match", 1, 1]]', '[["match", "m"]]', "\u0000"):
        assert notify.decode(garbage) == []
    assert notify.decode('[["song", "m", 1], ["match", "m", 1]]') == [Notice("match", "m", 1)]


async def test_garbage_on_the_channel_is_not_handlers(database: Databases) -> None:
    url = database.new()
    async with opened(url) as store:
        heard = ear(store)
        name = url.rpartition("/")[2]
        for said in ("noise", '[["table","t"]]', '[["rain","t",0]]', '[["table","t",0]]'):
            await asyncio.to_thread(database.ask, f"SELECT pg_notify('zashiki', '{said}')", name)
        await store.add_player(player("ann"))
        await store.add_table(table("own"))
        await until(lambda: len(heard) >= 1)
        assert heard == [Notice("table", "t", 0)]


LISTENERS = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
    "WHERE datname = current_database() AND pid <> pg_backend_pid() "
    "AND (query LIKE 'LISTEN%' OR query = 'SELECT 1')"
)


async def test_who_lost_the_ear_is_told_and_hears_again(database: Databases) -> None:
    url = database.new()
    async with opened_stores(url, 2) as (one, two):
        heard = ear(two)
        await began(one, "m")
        await until(lambda: len(heard) == 3)
        name = url.rpartition("/")[2]
        killed = await asyncio.to_thread(database.ask, LISTENERS, name)
        assert len(killed) == 2
        await until(lambda: None in heard)
        await appended(one, entry("m", 1))
        await until(lambda: heard[-1] == Notice("match", "m", 1))
        assert heard[3:] == [None, Notice("match", "m", 1)]


# The site --------------------------------------------------------------------------------------


async def test_a_ticket_is_taken_once(database: Databases) -> None:
    async with opened(database.new()) as store:
        await store.coordination.add_ticket("token", b"\x00content", 1000.0)
        await store.coordination.add_ticket("other", b"", 1000.0)
        assert await store.coordination.take_ticket("nothing") is None
        assert await store.coordination.take_ticket("token\0") is None
        assert await store.coordination.take_ticket("token") == b"\x00content"
        assert await store.coordination.take_ticket("token") is None
        assert await store.coordination.take_ticket("other") == b""
        await store.coordination.add_ticket("late", b"x", 0.01)
        await asyncio.sleep(0.02)
        assert await store.coordination.take_ticket("late") is None
        await store.coordination.add_ticket("old", b"x", -9999.0)
        await store.coordination.add_ticket(
            "new", b"x", 1000.0
        )  # the old one is forgotten with this
        assert await store.coordination.take_ticket("old") is None
        assert await store.coordination.take_ticket("new") == b"x"


async def test_of_many_who_take_a_ticket_one_gets_it(database: Databases) -> None:
    async with opened(database.new()) as store:
        await store.coordination.add_ticket("token", b"content", 10.0)
        found = await asyncio.gather(*(store.coordination.take_ticket("token") for _ in range(20)))
        assert sorted(found, key=str).count(b"content") == 1


async def test_how_far_matches_and_tables_have_come(database: Databases) -> None:
    async with opened(database.new()) as store:
        await began(store, "m", "n")
        for n in (1, 2):
            await appended(store, entry("n", n))
        heads = await store.coordination.latest_versions(["m", "n", "nothing"], ["t", "nowhere"])
        assert heads == ({"m": 0, "n": 2}, {"t": 1}, {})
        assert await store.coordination.latest_versions([], []) == ({}, {}, {})


async def test_a_server_alone_has_all_seats_and_meets_nobody(database: Databases) -> None:
    async with opened(database.new()) as store:
        coordination = store.coordination
        assert await coordination.heartbeat("one") == {}
        await coordination.set_present("one", [("t", "ann")])
        assert await coordination.present_on_other_nodes("one", ["t"]) == {}
        assert await coordination.lease("one", [("t", 0), ("t", 1)], 9) == {("t", 0), ("t", 1)}
        assert await coordination.lease("one", [("t", 1)], 9) == {("t", 1)}
        await coordination.release("one", [("t", 0)])
        await coordination.set_absent("one", [("t", "ann")])
        await coordination.leave("one")
        assert await coordination.heartbeat("one") == {}


DIES = "UPDATE servers SET beat = beat - interval '1 hour' WHERE name = 'one'"
"""Sets the last heartbeat of server `one` back by an hour."""


async def test_a_seat_is_leased_to_one_server_until_it_dies(database: Databases) -> None:
    url = database.new()
    async with opened_stores(url, 2) as (a, b):
        one, two = a.coordination, b.coordination
        one.dead_after = two.dead_after = TIMEOUT
        seats = [("t", 0), ("t", 1), ("u", 0)]
        await one.heartbeat("one")
        await two.heartbeat("two")
        found = await asyncio.gather(one.lease("one", seats, 60), two.lease("two", seats[::-1], 60))
        assert found[0] | found[1] == set(seats)
        assert not found[0] & found[1]
        await two.release("two", seats)
        assert await one.lease("one", seats, 60) == set(seats)
        await two.release("two", seats)  # which are not its own
        assert await two.lease("two", seats, 60) == set()
        await one.release("one", [("u", 0)])
        assert await two.lease("two", seats, 60) == {("u", 0)}
        await ask(database, url, DIES)
        assert await two.heartbeat("two") == {"one": False}
        assert await two.heartbeat("two") == {}
        assert await two.lease("two", seats, 60) == set(seats)
        assert await one.heartbeat("one") == {
            "one": False
        }  # so it knows that it has nothing any more
        assert await one.heartbeat("one") == {}
        assert await one.lease("one", seats, 60) == set()


async def test_a_lease_ends_by_itself_and_with_its_server(database: Databases) -> None:
    url = database.new()
    async with opened_stores(url, 2) as (a, b):
        one, two = a.coordination, b.coordination
        one.dead_after = two.dead_after = TIMEOUT
        await one.heartbeat("one")
        await two.heartbeat("two")
        await one.lease("one", [("t", 0)], 60)
        assert await two.lease("two", [("t", 0)], 60) == set()
        await ask(database, url, "UPDATE leases SET until = until - interval '1 minute'")
        assert await two.lease("two", [("t", 0)], 60) == {("t", 0)}
        await two.leave("two")
        assert await one.lease("one", [("t", 0)], 60) == {("t", 0)}
        assert await one.live_nodes() == {"one"}
        assert await one.heartbeat("one") == {"two": True}


async def test_who_is_at_another_server_is_known(database: Databases) -> None:
    url = database.new()
    async with opened_stores(url, 2) as (a, b):
        one, two = a.coordination, b.coordination
        one.dead_after = two.dead_after = TIMEOUT
        await one.heartbeat("one")
        await two.heartbeat("two")
        heard = ear(b)
        for _ in range(2):
            await one.set_present("one", [("t", "ann")])
        await one.set_present("one", [("u", "bob")])
        everywhere = {"t": {"ann"}, "u": {"bob"}}
        assert await two.present_on_other_nodes("two", ["t", "u", "nowhere", "\0"]) == everywhere
        assert await one.present_on_other_nodes("one", ["t"]) == {}
        await one.set_absent("one", [("u", "bob")])
        assert await two.present_on_other_nodes("two", ["u"]) == {}
        here = [Notice("here", "t"), Notice("here", "u"), Notice("here", "u")]
        await until(lambda: heard == here)
        await ask(database, url, DIES)
        assert await two.present_on_other_nodes("two", ["t"]) == {}
        await two.heartbeat("two")
        await until(
            lambda: heard == [*here, Notice("here", "t")]
        )  # with the players of the dead server
        await one.heartbeat("one")
        await one.set_present("one", [("t", "ann")])
        assert await two.present_on_other_nodes("two", ["t"]) == {"t": {"ann"}}
        await one.leave("one")
        assert await two.present_on_other_nodes("two", ["t"]) == {}


async def test_whom_a_beat_struck_off_may_be_unknown(database: Databases) -> None:
    """Its answer was lost, and it was sent again."""
    async with opened_stores(database.new(), 2) as (a, b):
        one, two = a.coordination, b.coordination
        await one.heartbeat("one")
        await two.heartbeat("two")
        await two.leave("two")
        ask = one._ask_alone

        async def ask_again(work: Any) -> Any:
            await ask(work)
            return await ask(work)

        one._ask_alone = ask_again
        assert await one.heartbeat("one") == {"one": False}
        one._ask_alone = ask
        assert await one.heartbeat("one") == {}


async def test_what_was_said_last_is_known(database: Databases) -> None:
    async with opened_stores(database.new(), 2) as (one, two):
        await began(one, "m", "n")
        for n in (1, 2):
            await one.add_chat(ChatRow("t", n, "ann", None, "hello", 1.0))
        heads = await two.coordination.latest_versions(["m"], ["t", "t1"])
        assert heads == LatestVersions({"m": 0}, {"t": 1, "t1": 1}, {"t": 2})


async def test_a_ticket_of_one_server_opens_at_another_once(database: Databases) -> None:
    async with opened_stores(database.new(), 2) as (one, two):
        await one.coordination.add_ticket("token", b"content", 10.0)
        takes = [store.coordination.take_ticket("token") for store in (one, two, one, two)]
        found = await asyncio.gather(*takes)
        assert found.count(b"content") == 1
        assert found.count(None) == 3


WAITING = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND "
WAITING += "wait_event_type = 'Lock'"


async def all_wait(database: Databases, url: str, number: int) -> bool:
    """Return whether this many connections wait for a lock."""
    return bool((await ask(database, url, WAITING))[0][0] == number)


async def test_a_heart_beats_while_all_who_read_wait(
    database: Databases, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "READ_TIMEOUT_SECONDS", TIMEOUT)
    for limit in ("statement_timeout", "lock_timeout"):
        monkeypatch.setitem(driver.SETTINGS, limit, "0")
    url, readers = database.new(), connections.READERS
    async with opened(url) as store:
        await store.coordination.heartbeat("one")
        holder = await asyncpg.connect(url, timeout=TIMEOUT)
        await holder.execute("SELECT pg_advisory_lock(7)")
        slow = [
            asyncio.create_task(
                store._read(lambda sql: sql.execute("SELECT pg_advisory_xact_lock(7)"))
            )
            for _ in range(2 * readers)
        ]
        await until(lambda: all_wait(database, url, readers))
        for _ in range(3):
            assert await store.coordination.heartbeat("one") == {}
        assert not any(task.done() for task in slow)
        await holder.close()
        await asyncio.gather(*slow)


# Crashing --------------------------------------------------------------------------------------


async def test_what_was_acknowledged_outlives_a_killed_database(killable_postgres: Cluster) -> None:
    names = [f"m{n}" for n in range(12)]
    acknowledged: dict[str, dict[int, str]] = {id: {} for id in names}
    refused: dict[str, set[str]] = {id: set() for id in names}

    async def play(store: PostgresStore, id: str, who: int, end: asyncio.Event) -> None:
        """Each tries to be first at the next number, and knows its entries by the key."""
        attempt = 0
        while not end.is_set():
            attempt += 1
            key = f"{who}-{attempt}"
            try:
                n = (await store.entries(id))[-1].n + 1
                await appended(store, entry(id, n, key, seat=who))
                assert n not in acknowledged[id]
                acknowledged[id][n] = key
            except Conflict:
                refused[id].add(key)
            except (MaybeWritten, Busy):
                continue

    async def more() -> None:
        def number() -> int:
            return sum(map(len, acknowledged.values()))

        before = number()
        await until(lambda: number() > before + 80)

    async with opened_stores(killable_postgres.new(), 2) as two:
        await began(two[0], *names)
        heard = ear(two[1])
        end = asyncio.Event()
        playing = [
            asyncio.create_task(play(store, id, who, end))
            for id in names
            for who, store in enumerate(two)
        ]
        for _ in range(2):
            await more()
            killable_postgres.kill()
            await asyncio.to_thread(killable_postgres.start)
        await more()
        end.set()
        await asyncio.gather(*playing)
        await until(lambda: None in heard)  # the listener reconnects by itself, at growing pauses
        for id in names:
            rows = await two[0].entries(id)
            assert [row.n for row in rows] == list(range(len(rows)))
            keys = {row.n: row.key for row in rows[1:]}
            assert acknowledged[id].items() <= keys.items()
            assert len(set(keys.values())) == len(keys)
            assert not refused[id] & set(keys.values())


async def test_a_store_waits_for_a_database_that_starts_later(
    killable_postgres: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "WRITE_TIMEOUT_SECONDS", 0.5)
    monkeypatch.setattr(migrate, "OPEN_TIMEOUT_SECONDS", TIMEOUT)
    url = killable_postgres.new()
    killable_postgres.stop()
    store = PostgresStore(url)
    opening = asyncio.create_task(store.open())
    await asyncio.sleep(0.5)
    assert not opening.done()
    await asyncio.to_thread(killable_postgres.start)
    await opening
    await store.add_player(player("ann"))
    killable_postgres.kill()
    async with asyncio.timeout(TIMEOUT):
        found = await both(store.player("ann"), store.add_player(player("bob")))
    assert all(isinstance(one, Busy | MaybeWritten) for one in found)
    await asyncio.to_thread(killable_postgres.start)
    assert await store.player("ann") == player("ann")
    await store.add_player(player("bob"))
    await store.close()


async def test_a_restart_that_is_short_is_not_noticed_by_who_writes(
    killable_postgres: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "WRITE_TIMEOUT_SECONDS", TIMEOUT)
    async with opened(killable_postgres.new()) as store:
        await began(store, "m")
        for n in range(1, 4):
            killable_postgres.stop()
            writing = asyncio.create_task(appended(store, entry("m", n)))
            await asyncio.to_thread(killable_postgres.start)
            await writing
            assert len(await store.entries("m")) == n + 1


async def test_a_store_opens_though_a_connection_ends_while_it_is_set_up(
    database: Databases, monkeypatch: pytest.MonkeyPatch
) -> None:
    """asyncpg then raises an error of its own, which is neither PostgreSQL's nor the network's."""
    migrating, faults = migrate.migrate, [asyncpg.InternalClientError("cannot switch")]

    async def cut_once(*given: Any) -> None:
        if faults:
            raise faults.pop()
        await migrating(*given)

    monkeypatch.setattr(migrate, "migrate", cut_once)
    await open_and_close(database.new())
    assert not faults


async def test_what_never_comes_is_said_without_the_password(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(migrate, "OPEN_TIMEOUT_SECONDS", 0.3)
    store = PostgresStore("postgresql://me:secret-word@127.0.0.1:1/db")
    with pytest.raises(Unusable, match=r"me@127\.0\.0\.1:1/db: this cannot be used") as caught:
        await store.open()
    assert "secret" not in str(caught.value)
    assert "secret" not in repr(store)
    await store.close()


# Opening ---------------------------------------------------------------------------------------


async def test_two_who_open_an_empty_database_at_once_both_do(database: Databases) -> None:
    url = database.new("template0")
    opened = [PostgresStore(url) for _ in range(4)]
    await asyncio.gather(*(store.open() for store in opened))
    await opened[0].add_player(player("ann"))
    assert await opened[3].player("ann") == player("ann")
    for store in opened:
        await store.close()
    name = url.rpartition("/")[2]
    taken = [number for (number,) in database.ask("SELECT number FROM migrations", name)]
    assert sorted(taken) == sorted(steps_in(migrate.MIGRATIONS))


async def test_an_open_store_is_not_opened_again(database: Databases) -> None:
    async with opened(database.new()) as store:
        with pytest.raises(Unusable, match="open already"):
            await store.open()
        await store.add_player(player("ann"))


def test_a_store_can_be_opened_again_when_it_was_closed(database: Databases) -> None:
    store = PostgresStore(database.new())

    async def scenario(write: bool) -> None:
        await store.open()
        if write:
            await store.add_player(player("ann"))
        assert await store.player("ann") == player("ann")
        assert "open" in repr(store)
        await store.close()

    asyncio.run(scenario(True))
    asyncio.run(scenario(False))
    assert "closed" in repr(store)


async def test_a_wrong_password_or_database_is_said_at_once(
    database: Databases, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error comes before the time to open the store is over."""
    monkeypatch.setattr(migrate, "OPEN_TIMEOUT_SECONDS", 10 * TIMEOUT)
    url = database.new()
    wrong = [url.replace(database.password, "wrong-word"), database.url("nowhere")]
    for one in wrong:
        with pytest.raises(Unusable, match="this cannot be used as a store") as caught:
            await open_and_close(one)
        assert "wrong-word" not in str(caught.value)
        assert database.password not in str(caught.value)


def steps(folder: Path, **more: str) -> Path:
    """Return a folder with the present migrations, and some more after them."""
    known = list(Path(str(migrate.MIGRATIONS)).glob("*.sql"))
    for file in known:
        (folder / file.name).write_text(file.read_text())
    for number, (name, script) in enumerate(more.items(), len(known) + 1):
        (folder / f"{number:04}_{name}.sql").write_text(script)
    return folder


async def bring_up(url: str, folder: Path) -> None:
    await migrate.prepare(DatabaseUrl(url), folder)


async def test_migrating_does_not_disturb_those_who_read_and_write(
    database: Databases, tmp_path: Path
) -> None:
    url = database.new()
    more = steps(
        tmp_path,
        expand_mood="ALTER TABLE tables ADD COLUMN mood text NOT NULL DEFAULT 'good';",
        expand_more="ALTER TABLE entries ADD COLUMN x bigint; CREATE INDEX ON entries (x);",
    )

    written = dict.fromkeys("abc", 0)

    async def play(store: PostgresStore, id: str, end: asyncio.Event) -> None:
        while not end.is_set():
            n = written[id] + 1
            await appended(store, entry(id, n))
            assert len(await store.entries(id)) == n + 1
            written[id] = n

    async def go_on() -> None:
        """Wait until all three have written more than now."""
        before = dict(written)
        await until(lambda: all(written[id] > before[id] + 1 for id in "abc"))

    async with opened(url) as store:
        await began(store, "a", "b", "c")
        end = asyncio.Event()
        playing = [asyncio.create_task(play(store, id, end)) for id in "abc"]
        await go_on()
        await migrate.prepare(DatabaseUrl(url), more)
        await go_on()
        end.set()
        await asyncio.gather(*playing)
    await open_and_close(url)


async def test_a_server_from_before_forms_goes_on_after_the_migration(
    database: Databases, tmp_path: Path
) -> None:
    """Its statements name no new column, and its ratings are the players' starting values."""
    url = database.new("template0")
    folder = tmp_path / "before"
    folder.mkdir()
    for step in migrate.MIGRATIONS.iterdir():
        if int(step.name.partition("_")[0]) < 5:
            (folder / step.name).write_text(step.read_text("utf-8"), "utf-8")
    old_rating = (
        "INSERT INTO ratings (player, game, seats, mu, sigma, matches, updated) "
        "VALUES ($1, 'kamiza-second', 3, $2, 1, 1, 1)"
    )
    old_match = (
        'INSERT INTO matches (id, "table", game, seats, header, seed, salt, started, players, '
        "rated) VALUES ($1, 't', 'kamiza-second', 3, '{}', '', '', 1, '[\"ann\"]', true)"
    )
    await migrate.prepare(DatabaseUrl(url), folder)
    connection = await asyncpg.connect(url)
    try:
        for id in ("ann", "bob"):
            statement = (
                "INSERT INTO players (id, kind, name, created, epoch, deleted) "
                "VALUES ($1, 'guest', $1, 1, 0, false)"
            )
            await connection.execute(statement, id)
        await connection.execute(old_rating, "ann", 40.0)
        async with opened(url) as store:  # this one migrates, and the old one still runs
            await connection.execute(old_rating, "bob", 30.0)
            await store.add_table(table("t"))
            await connection.execute(old_match, "m")
            found = [await store.earlier_rating(id, "kamiza-second", 3) for id in ("ann", "bob")]
            assert [row.mu for row in found if row is not None] == [40.0, 30.0]
            row = await store.match("m")
            assert row is not None
            assert (row.rated, row.unrated, row.rated_ranks) == (True, None, None)
    finally:
        await connection.close()


async def test_a_migration_that_waits_lets_others_through(
    database: Databases, tmp_path: Path
) -> None:
    url = database.new()
    more = steps(tmp_path, expand_mood="ALTER TABLE players ADD COLUMN mood text;")
    async with opened(url) as store:
        holder = await asyncpg.connect(url)
        await holder.execute("BEGIN; SELECT * FROM players")
        migrating = asyncio.create_task(migrate.prepare(DatabaseUrl(url), more))
        await until(lambda: all_wait(database, url, 1))
        await store.player("ann")
        await asyncio.sleep(1.5)
        assert not migrating.done()
        await holder.close()
        await migrating


async def test_what_takes_something_away_is_not_for_older_code(
    database: Databases, tmp_path: Path
) -> None:
    url = database.new()
    await bring_up(url, steps(tmp_path, contract_mutes="DROP TABLE mutes;"))
    with pytest.raises(Unusable, match=r"version \d+, written by a newer Zashiki"):
        await open_and_close(url)


async def test_migrations_are_taken_one_by_one_and_each_wholly(
    database: Databases, tmp_path: Path
) -> None:
    url = database.new("template0")
    name = url.rpartition("/")[2]
    (tmp_path / "0001_expand_a.sql").write_text(
        "CREATE TABLE a (x text); INSERT INTO a VALUES ('1')"
    )
    (tmp_path / "0002_expand_b.sql").write_text("INSERT INTO a VALUES ('2'); SELECT * FROM nowhere")
    with pytest.raises(Unusable, match="nowhere"):
        await bring_up(url, tmp_path)
    assert [row["x"] for row in database.ask("SELECT x FROM a", name)] == ["1"]
    (tmp_path / "0002_expand_b.sql").write_text("INSERT INTO a VALUES ('2')")
    await bring_up(url, tmp_path)
    assert len(database.ask("SELECT x FROM a", name)) == 2
    taken = database.ask("SELECT number, name FROM migrations ORDER BY number", name)
    assert [tuple(row) for row in taken] == [(1, "expand_a"), (2, "expand_b")]


def test_every_migration_says_what_it_does_to_older_code() -> None:
    files = [file.name for file in migrate.MIGRATIONS.iterdir()]
    kinds = {name.split("_")[1] for name in files}
    assert kinds <= {"expand", "contract"}
    numbers = sorted(steps_in(migrate.MIGRATIONS))
    assert numbers == list(range(1, len(files) + 1))


# Writing and reading ---------------------------------------------------------------------------


async def test_writes_that_wait_share_a_commit(database: Databases) -> None:
    async with opened(database.new()) as store:
        await began(store, "m")
        commits, writes = store.commits, store.writes
        await asyncio.gather(*(appended(store, entry("m", n)) for n in range(1, 301)))
        assert store.writes - writes == 300
        assert store.commits - commits <= 3
        assert store.waiting == 0


async def test_moves_that_wait_are_appended_with_one_statement(database: Databases) -> None:
    names = [f"m{n}" for n in range(250)]  # more than one message tells
    async with opened_stores(database.new(), 2) as (store, other):
        await began(store, *names)
        heard = ear(other)
        asked: list[str] = []
        assert store._writer is not None
        connection = await store._writer._connection.connection()
        connection.add_query_logger(lambda record: asked.append(record.query))
        await asyncio.gather(*(appended(store, entry(id, 1, "k")) for id in names))
        assert asked == ["BEGIN", append.APPEND, "COMMIT"]
        await until(lambda: set(heard) >= {Notice("match", id, 1) for id in names})
        told = [one for one in heard if one and one.kind == "match" and one.n == 1]
        assert len(told) == len(names)


@pytest.mark.parametrize("fails", [False, True])
async def test_each_of_those_that_are_appended_at_once_is_told_its_own(
    database: Databases, fails: bool
) -> None:
    """Also if one of them, with a text that cannot be stored, aborts the transaction."""
    names = [f"m{n}" for n in range(6)]
    async with opened_stores(database.new(), 2) as (store, other):
        await began(store, *names)
        for id in ("m1", "m2"):
            await appended(store, entry(id, 1))
        heard = ear(other)
        writes = {
            "added": appended(store, entry("m0", 1, "k")),
            "next": appended(store, entry("m0", 2, "l")),
            "late": appended(store, entry("m2", 1)),
            "ahead": appended(store, entry("m3", 2)),
            "nowhere": appended(store, entry("m", 1)),
            "text": appended(store, replace(entry("m4", 1), says="\0" if fails else "")),
            "player": store.add_player(player("bob")),
            "first": appended(store, entry("m5", 1, "one")),
            "second": appended(store, entry("m5", 1, "two")),
        }
        found = dict(zip(writes, await both(*writes.values()), strict=True))
        for name in ("added", "next", "player", "first"):
            assert found[name] is None, name
        for name in ("late", "ahead", "nowhere", "second"):
            assert isinstance(found[name], Conflict), name
        assert isinstance(found["text"], ValueError if fails else type(None))
        assert (await store.entries("m5"))[1].key == "one"
        lengths = [len(await store.entries(id)) for id in names]
        assert lengths == [3, 2, 2, 1, 1 if fails else 2, 2]
        await appended(store, entry("m5", 2))
        await until(lambda: Notice("match", "m5", 2) in heard)
        told = {(one.id, one.n) for one in heard if one and one.kind == "match" and one.n > 0}
        before = {("m1", 1), ("m2", 1)}  # received late
        expected = {("m0", 1), ("m0", 2), ("m5", 1), ("m5", 2)}
        assert told - before == expected | (set() if fails else {("m4", 1)})


async def test_ids_too_long_for_a_message_are_told_all_the_same(database: Databases) -> None:
    names = [f"m{n}".rjust(200, "x") for n in range(100)]
    async with opened_stores(database.new(), 2) as (store, other):
        await began(store, *names)
        heard = ear(other)
        await asyncio.gather(*(appended(store, entry(id, 1)) for id in names))
        await until(lambda: set(heard) >= {Notice("match", id, 1) for id in names})


async def test_when_too_many_wait_the_others_are_told_at_once(database: Databases) -> None:
    url = database.new()
    store = PostgresStore(url, max_waiting=20)
    await store.open()
    names = [f"p{n}" for n in range(100)]
    found = await both(*(store.add_player(player(name)) for name in names))
    assert sum(isinstance(one, Busy) for one in found) >= 60
    assert sum(one is None for one in found) >= 20
    reads = await both(*(store.player(name) for name in names))
    assert sum(isinstance(one, Busy) for one in reads) == 80
    await store.close()


async def test_who_holds_a_row_too_long_makes_it_busy(
    database: Databases, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(driver.SETTINGS, "lock_timeout", "100ms")
    monkeypatch.setattr(writer, "WRITE_TIMEOUT_SECONDS", 0.3)
    url = database.new()
    async with opened(url) as store:
        await began(store, "m")
        holder = await asyncpg.connect(url)
        place = "INSERT INTO entries (\"match\", n, facts, at) VALUES ('m', 1, '[]', 0)"
        await holder.execute(f"BEGIN; {place}")
        with pytest.raises(Busy):
            await appended(store, entry("m", 1))
        assert len(await store.entries("m")) == 1
        await holder.execute("ROLLBACK")
        await holder.close()
        await appended(store, entry("m", 1))


async def test_what_a_database_cannot_hold_is_not_found_there_and_not_written(
    database: Databases,
) -> None:
    async with opened(database.new()) as store:
        await began(store, "m", "n")
        for odd in ("a\0b", "\ud800"):
            assert await store.player(odd) is None
            assert await store.entries(odd) == []
            found = await both(
                appended(store, replace(entry("m", 1), says=odd)),
                appended(store, replace(entry("m", 1), match=odd)),
                store.add_player(replace(player("bob"), name=odd)),
                appended(store, entry("n", len(await store.entries("n")))),
            )
            assert isinstance(found[0], ValueError)
            assert isinstance(found[1], ValueError)
            assert isinstance(found[2], ValueError)
            assert found[3] is None
        assert await store.entries("m") == [set_up("m")]
        assert await store.player("bob") is None


async def test_who_stops_reading_leaves_nothing_half_read(database: Databases) -> None:
    async with opened(database.new()) as store:
        await began(store, "m")
        for pause in range(30):
            reads = [asyncio.create_task(store.entries("m")) for _ in range(10)]
            await asyncio.sleep(pause * 0.0002)
            for read in reads:
                read.cancel()
            await asyncio.gather(*reads, return_exceptions=True)
            assert await store.entries("m") == [set_up("m")]


async def test_nothing_is_lost_when_the_power_fails(database: Databases) -> None:
    async with opened(database.new()) as store:
        for name, value in (("synchronous_commit", "on"), ("statement_timeout", "5s")):
            assert (await store._fetch(f"SHOW {name}"))[0][0] == value
        fsync = await store._fetch("SHOW fsync")
        assert fsync[0][0] == "on"


async def test_what_is_asked_often_is_found_by_an_index(database: Databases) -> None:
    often = [
        append.APPEND,
        coordination.LATEST_VERSIONS,
        writer.LOCK.format("tables"),
        coordination.PRESENT_ELSEWHERE,
        coordination.ADD_TICKET,
        coordination.TAKE_TICKET,
        'SELECT text FROM chat WHERE "table" = $1 AND n > $2 ORDER BY n DESC LIMIT 5',
        "SELECT player FROM form_ratings WHERE game = $1 AND form = $2 AND seats = $3"
        " AND rivals = $4"
        " ORDER BY mu - 3 * sigma DESC LIMIT 5",
        'SELECT "match" FROM sittings WHERE player = $1 AND started < $2'
        ' ORDER BY started DESC, "match" DESC LIMIT 5',
        "SELECT id FROM matches WHERE ended IS NULL ORDER BY started",
        "SELECT id FROM tables WHERE state = 'open' AND updated < $1",
        "SELECT id FROM players WHERE login = $1",
    ]
    url = database.new()
    connection = await asyncpg.connect(
        url, server_settings={"enable_seqscan": "off", "plan_cache_mode": "force_generic_plan"}
    )
    for number, statement in enumerate(often):
        await connection.execute(f"PREPARE often_{number} AS {statement}")
        types = await connection.fetchval(
            "SELECT cardinality(parameter_types) FROM pg_prepared_statements WHERE name = $1",
            f"often_{number}",
        )
        nulls = f"({', '.join(['NULL'] * types)})" if types else ""
        lines = await connection.fetch(f"EXPLAIN EXECUTE often_{number}{nulls}")
        plan = "\n".join(line for (line,) in lines)
        assert "Index" in plan, plan
        assert "Seq Scan" not in plan, plan
    await connection.close()


# Choosing --------------------------------------------------------------------------------------


def test_a_setting_names_the_store(tmp_path: Path) -> None:
    for setting, path in (
        (None, tmp_path / "zashiki.db"),
        ("", tmp_path / "zashiki.db"),
        (str(tmp_path / "other.db"), tmp_path / "other.db"),
    ):
        store = open_store(setting, tmp_path)
        assert isinstance(store, SqliteStore)
        assert store.path == path
    for scheme in ("postgresql", "postgres"):
        store = open_store(f"{scheme}://me:secret-word@db:5432/zashiki", tmp_path)
        assert isinstance(store, PostgresStore)
        assert repr(store) == "<PostgresStore postgresql://me@db:5432/zashiki, closed>"
    two = open_store("postgresql://me:secret-word@one:1,[::1]:2/z?sslmode=require", tmp_path)
    assert repr(two) == "<PostgresStore postgresql://me@one:1,[::1]:2/z, closed>"


@pytest.mark.parametrize(
    "setting",
    [
        "postgresql://",
        "postgresql://me:secret-word/x@db/zashiki",
        "postgresql://me:12/secret-word@db/zashiki",
        "postgresql://me:12#secret-word@db/zashiki",
        "postgresql://me:12?secret-word@db/zashiki",
        "postgresql://me:secret-word@db:port/zashiki",
    ],
)
def test_a_setting_that_is_none_is_said_without_the_password(setting: str, tmp_path: Path) -> None:
    with pytest.raises(Unusable, match=r"ZASHIKI_STORE: .* expected") as caught:
        open_store(setting, tmp_path)
    assert "secret-word" not in str(caught.value)
    assert caught.value.__cause__ is None


@pytest.mark.parametrize("port", ["0", "65536", "99999", "999999"])
def test_an_impossible_port_is_refused_at_once(port: str) -> None:
    for url in (f"postgresql://a@127.0.0.1:{port}/b", f"postgresql://a@h/b?port={port}"):
        with pytest.raises(Unusable, match="a port from 1 to 65535"):
            DatabaseUrl(url)
    DatabaseUrl("postgresql://a@127.0.0.1:65535,h:1/b?port=1,65535")
