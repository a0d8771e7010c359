"""The memory of a server under any requests: floods against a real process."""

import asyncio
import gc
import random
import time
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.server.asgi_server import ApiClient, AsgiServer, asgi_server, busy, play, seated
from tests.server.guests import Guest
from tests.server.server_process import ServerProcess, server_process
from tests.server.store_conformance import appended
from tests.server.waits import TIMEOUT
from zashiki.games.kingdoms.card_set import COUNTS, built_in
from zashiki.server.accounts.tokens import COOKIE
from zashiki.server.errors import ApiError
from zashiki.server.tables import listing
from zashiki.server.tables.memory import MemoryBudget, estimated_bytes, rules_bytes
from zashiki.server.tables.views import NewsFrames, Wanted

MB = 10**6
STATUS = Path("/proc/self/status")
LIMIT = 32
"""MB for matches in these tests."""
BOUNDED = ("--bots", "0", "--requests", "100000", "--match-memory", str(LIMIT))
linux = pytest.mark.skipif(not STATUS.exists(), reason="the memory of a process is read from /proc")


def big_set(number: int) -> dict[str, Any]:
    """A card set with as many kinds of cards as allowed: 7,272 actions."""
    cards = [
        {
            "name": f"{rank}-{place}", "names": {"en": f"{rank} {place}", "ja": f"{rank} {place}"},
            "class": rank, "copies": 1, "attack": place % 5, "defence": place % 4,
        }
        for rank, count in COUNTS.items() for place in range(count)
    ]  # fmt: skip
    return {**built_in("reconstructed"), "name": f"mine-{number}", "cards": cards}


class Peak:
    """The peak memory of a server from now on, in MB."""

    def __init__(self, server: ServerProcess) -> None:
        assert server.process is not None
        self.folder = Path(f"/proc/{server.process.pid}")
        (self.folder / "clear_refs").write_text("5")  # the peak is reset
        self.before = self.now()

    def now(self) -> float:
        lines = (self.folder / "status").read_text().splitlines()
        (line,) = (line for line in lines if line.startswith("VmHWM"))
        return int(line.split()[1]) * 1024 / MB

    def grown(self, what: str) -> float:
        grown = self.now() - self.before
        print(f"{what}: {self.before:.0f} MB, then {grown:.0f} MB more")
        return grown


def copied(person: ApiClient, server: ServerProcess) -> Guest:
    """Return the same person at another server on the same folder."""
    guest = Guest(server, "Again")
    guest.client.cookies.set(COOKIE, person.client.cookies[COOKIE])
    guest.id = person.id
    return guest


async def copies(server: AsgiServer, table_id: str, count: int) -> list[str]:
    """Store other tables with the same match, as if they had been played."""
    store, made = server.services.store, []
    table = await store.table(table_id)
    assert table is not None
    assert table.match is not None
    match = await store.match(table.match)
    assert match is not None
    first, *entries = await store.entries(match.id)
    for number in range(count):
        id, match_id = f"{table.id[:-4]}{number:04}", f"{match.id[:-4]}{number:04}"
        opened = replace(table, id=id, state="open", version=1, match=None)
        playing = replace(opened, state="playing", version=2, match=match_id)
        begun = replace(match, id=match_id, table=id, ended=None, ranks=None, scores=None)
        await store.add_table(opened)
        await store.begin_match(begun, replace(first, match=match_id), playing)
        copied = [replace(entry, match=match_id) for entry in entries]
        if match.ended is None:
            for entry in copied:
                await appended(store, entry)
        else:
            for entry in copied[:-1]:
                await appended(store, entry)
            ended = replace(match, id=match_id, table=id)
            await store.finish(copied[-1], ended, [], replace(playing, state="over", version=3))
        made.append(id)
    return made


# Floods ------------------------------------------------------------------------------------------


async def start_with_own_set(host: Guest, other: Guest, number: int) -> None:
    """Start a match with a custom card set, and leave it at once."""
    options = {"card_set": big_set(number)}
    wanted = {"game": "kingdoms", "seats": 2, "public": False, "options": options}
    table = (await host.post("/api/tables", wanted))["table"]["id"]
    await other.post(f"/api/tables/{table}/sit", {"seat": 1})
    async with host.socket(table) as one, other.socket(table) as two:
        await host.post(f"/api/tables/{table}/start")
        for talk in (one, two):
            assert (await talk.answered("ready", do="ready"))["ok"]
        for talk in (one, two):
            await talk.until("told")


@linux
async def test_matches_with_card_sets_of_ones_own_do_not_pile_up(tmp_path: Path) -> None:
    with server_process(tmp_path, *BOUNDED) as server:
        async with asyncio.timeout(2 * TIMEOUT):
            guests = [await Guest(server, f"Guest {number}").come() for number in range(4)]
            await start_with_own_set(guests[0], guests[3], 0)  # what is built once
            peak = Peak(server)
            for number in range(1, 17):  # together 99 MB
                await start_with_own_set(guests[number % 3], guests[3], number)
            grown = peak.grown("16 matches with card sets")
            for guest in guests:
                await guest.client.aclose()
        assert grown < LIMIT + 20


@linux
async def test_a_list_of_ones_own_tables_builds_no_matches(tmp_path: Path) -> None:
    async with asgi_server(tmp_path) as prepared:
        prepared.system.at = time.time()  # the next server can then use the session
        people = [await prepared.guest(name) for name in ("Aki", "Ben")]
        for number in range(10):  # together 62 MB
            options = {"card_set": big_set(number)}
            await seated(prepared, "kingdoms", people, options=options)
        prepared.services.registry.drop_idle(-1)
    with server_process(tmp_path, *BOUNDED) as server:
        aki = copied(people[0], server)
        async with asyncio.timeout(TIMEOUT):
            await aki.get("/api/tables?limit=1")
            peak = Peak(server)
            mine = await aki.get("/api/my-tables")
            turns = await aki.get("/api/my-turns")
            grown = peak.grown("10 tables listed")
            await aki.client.aclose()
        assert len(mine) == 10
        assert all(table["to_act"] for table in mine)
        assert set(turns) <= {table["id"] for table in mine}
        assert grown < LIMIT + 10


@linux
async def test_finished_tables_are_shown_from_their_rows(tmp_path: Path) -> None:
    async with asgi_server(tmp_path) as prepared:
        prepared.system.at = time.time()  # the next server can then use the session
        people = [await prepared.guest(f"Guest {number}") for number in range(5)]
        first = await seated(prepared, "red-town", people, options={"form": "short"})
        await play(prepared, first)
        expected = await people[0].get(f"/api/tables/{first}")
        tables = await copies(prepared, first, 100)
    with server_process(tmp_path, *BOUNDED) as server:
        aki = copied(people[0], server)
        async with asyncio.timeout(TIMEOUT):
            shown = await aki.get(f"/api/tables/{first}")
            peak = Peak(server)
            for table in tables:
                assert (await aki.get(f"/api/tables/{table}"))["state"] == "over"
            grown = peak.grown("100 finished tables")
            await aki.client.aclose()
        assert shown == expected
        assert grown < 8


# The estimate ------------------------------------------------------------------------------------


MIN_ENTRIES = 20
"""Random play ends some matches of Kingdoms within six actions. Objects that all matches share are
then most of the measured memory."""


@pytest.mark.parametrize(
    ("game", "seats"), [("kamiza-second", 3), ("kingdoms", 2), ("red-town", 3), ("red-town", 5)]
)
async def test_the_estimate_is_near_the_measured_size(
    tmp_path: Path, game: str, seats: int
) -> None:
    async with asgi_server(tmp_path) as server:
        registry = server.services.registry
        people = [await server.guest(f"Guest {number}") for number in range(seats)]
        first = await long_enough(server, game, people)
        tables = await copies(server, first, 6)
        await read(await registry.find(tables[0]), seats)
        tracemalloc.start()
        try:
            before = traced()
            found = [await registry.find(table) for table in tables[1:]]
            for table in found:
                await read(table, seats)
            measured = traced() - before
        finally:
            tracemalloc.stop()
        estimated = sum(map(estimated_bytes, found))
        print(f"{game}, {seats} seats: {measured / 5:.0f} bytes, estimated {estimated / 5:.0f}")
        assert 0.6 < estimated / measured < 1.7


async def long_enough(server: AsgiServer, game: str, people: list[ApiClient]) -> str:
    """Play matches until one is not over after a few actions. Return its table."""
    while True:
        table = await seated(server, game, people)
        match = await play(server, table)
        if len(await server.services.store.entries(match)) > MIN_ENTRIES:
            return table


async def read(table: Any, seats: int) -> None:
    """Fill a match's cache of sent texts: sentences and labels in two languages."""
    for seat in range(seats):
        for language in ("en", "ja"):
            NewsFrames(table).told(Wanted(seat, 0, True, language, 2))


def traced() -> int:
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


async def test_the_estimate_of_rules_is_near_their_size(tmp_path: Path) -> None:
    async with asgi_server(tmp_path) as server:
        registry = server.services.registry
        people = [await server.guest(name) for name in ("Aki", "Ben")]
        tracemalloc.start()
        try:
            before = traced()
            options = {"card_set": big_set(random.randrange(10**6))}
            table = await seated(server, "kingdoms", people, options=options)
            measured = traced() - before
        finally:
            tracemalloc.stop()
        live = (await registry.find(table)).live
        assert live is not None
        assert 0.7 < rules_bytes(live.match.rules) / measured < 1.4


async def forgotten(server: AsgiServer) -> None:
    """Drop all tables that nobody uses or refers to."""
    server.services.registry.nonce_timer.close()
    await asyncio.sleep(0.01)
    server.services.registry.drop_idle()
    gc.collect()


# The bound ---------------------------------------------------------------------------------------


async def test_the_least_recently_used_table_is_dropped_first(server: AsgiServer) -> None:
    registry = server.services.registry
    aki = await server.guest()
    wanted = {"game": "kingdoms", "seats": 2}
    tables = [(await aki.post("/api/tables", wanted, 201))["table"]["id"] for _ in range(6)]
    registry.memory.limit = 4 * registry.memory.total // 6
    await registry.find(tables[0])
    registry.memory.make_room()
    assert tables[0] in registry.tables
    assert tables[-1] in registry.tables
    assert len(registry.tables) == 3, "nine tenths of the limit"
    assert registry.memory.total == sum(map(estimated_bytes, registry.tables.values()))
    for table in tables:
        await registry.find(table)
        assert registry.memory.total <= registry.memory.limit


async def test_tables_in_use_stay_and_a_new_match_is_refused(server: AsgiServer) -> None:
    registry = server.services.registry
    people = [await server.guest(name) for name in ("Aki", "Ben")]
    used = await seated(server, "kingdoms", people)
    table = await registry.find(used)
    other = (await people[0].post("/api/tables", {"game": "kingdoms", "seats": 2}, 201))["table"]
    await people[1].post(f"/api/tables/{other['id']}/sit", {"seat": 1})
    registry.memory.limit = 1
    with busy(table):
        path = f"/api/tables/{other['id']}/start"
        assert await people[0].refused(path, None, 503) == "memory-full"
        assert used in registry.tables
    registry.memory.limit = 10**9
    await people[0].post(path)


async def test_a_table_that_somebody_still_holds_comes_back_as_the_same(server: AsgiServer) -> None:
    """Two objects of one table would not see each other's writes."""
    registry = server.services.registry
    people = [await server.guest(name) for name in ("Aki", "Ben")]
    held = await registry.find(await seated(server, "kingdoms", people))
    assert registry.drop_idle() == 1
    assert not registry.tables
    assert await registry.find(held.row.id) is held
    assert registry.tables[held.row.id] is held
    id = held.row.id
    del held
    await forgotten(server)
    assert id not in registry._known
    assert (await registry.find(id)).live is not None


def test_card_sets_leave_half_of_the_memory_to_others() -> None:
    class Game:
        actions = range(1000)

    class Table:
        """A match with its own rules, in use."""

        def __init__(self, id: int, options: dict[str, Any]) -> None:
            rules = type("Rules", (), {"game": Game})()
            self.row = type("Row", (), {"id": str(id)})
            self.doc = type("Doc", (), {"game": "kingdoms", "options": options})
            journal = type("Journal", (), {"entries": ()})
            match = type("Match", (), {"rules": rules, "journal": journal})
            self.live = type("Live", (), {"match": match})

    own, built = ({"card_set": value} for value in (big_set(0), built_in("reconstructed")))
    memory = MemoryBudget(10 * MB, lambda _: False)
    tables: list[Any] = [Table(number, own) for number in range(6)]
    for table in tables:
        memory.count(table)
    assert 5 * MB < memory.written < memory.total < 10 * MB
    with pytest.raises(ApiError, match="too many card sets"):
        memory.check(tables[0].doc)
    other: Any = Table(9, built)
    memory.check(other.doc)
    for table in tables:
        memory.forget(table.row.id)
    assert (memory.total, memory.written) == (0, 0)


# Lists -------------------------------------------------------------------------------------------


async def test_what_is_not_in_memory_is_listed_as_if_it_were(server: AsgiServer) -> None:
    registry = server.services.registry
    people = [await server.guest(name) for name in ("Aki", "Ben")]
    days = {"kind": "days", "days": 2}
    playing = await seated(server, "kingdoms", people, pace=days)
    await seated(server, "kingdoms", people)
    await people[0].post("/api/tables", {"game": "kingdoms", "seats": 2}, 201)
    paths = ("/api/my-tables", "/api/my-turns", "/api/tables")
    for person in people:
        before = [await person.get(path) for path in paths]
        assert registry.drop_idle() == 3
        assert [await person.get(path) for path in paths] == before
        assert not registry.tables, "nothing was loaded"
        for table in before[0]:
            await registry.find(table["id"])
        for table in await person.get("/api/tables"):
            await registry.find(table["id"])
    shown = {table["id"]: table for table in before[0]}
    assert any(seat["until"] for seat in shown[playing]["seats"])


async def test_one_unreadable_match_hides_no_other_and_keeps_nobody(
    server: AsgiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    registry, store = server.services.registry, server.services.store
    people = [await server.guest(name) for name in ("Aki", "Ben")]
    broken, readable = [await seated(server, "kingdoms", people) for _ in range(2)]
    opened = (await people[0].post("/api/tables", {"game": "kingdoms", "seats": 2}, 201))["table"]
    row = await store.table(broken)
    assert row is not None
    await forgotten(server)
    registry.evicted.clear()
    logged: list[dict[str, Any]] = []
    for module in (listing, __import__("zashiki.server.tables.registry", fromlist=["log"])):
        monkeypatch.setattr(module, "log", lambda *_, **ids: logged.append(ids))
    read = store.match

    async def unreadable(id: str) -> Any:
        match: Any = await read(id)
        return replace(match, header={"game": "kingdoms"}) if id == row.match else match

    monkeypatch.setattr(store, "match", unreadable)
    mine = await people[0].get("/api/my-tables")
    assert {table["id"] for table in mine} == {readable, opened["id"]}
    assert {"table": broken, "match": row.match} in logged
    assert broken not in await people[0].get("/api/my-turns")
    await people[0].post("/api/delete")
    assert {"table": broken} in logged
    table = await store.table(opened["id"])
    assert table is not None
    assert table.state == "closed"
    assert (await people[1].get(f"/api/tables/{readable}"))["seats"][0]["player"]["name"] == "—"
