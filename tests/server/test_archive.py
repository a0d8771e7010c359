"""Backups: a restored store has everything, in any kind of store, or it stays empty."""

import asyncio
import errno
import gzip
import os
import re
import resource
import secrets
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import Struct, json
from msgspec.structs import replace

from tests.server import stores
from tests.server.guests import Guest
from tests.server.postgres import free_port
from tests.server.server_process import RUN, ServerProcess
from tests.server.simulated_players import UNLIMITED, SimulatedPlayer, check_record, close_clients
from tests.server.store_conformance import (
    appended,
    began,
    entry,
    match,
    player,
    rating,
    set_up,
    table,
)
from tests.server.test_server_kill import answered, gathered
from tests.server.waits import TIMEOUT
from zashiki import cli
from zashiki.cli.archives import faults_told, key_kept
from zashiki.core.rulings import Malformed
from zashiki.server.settings import STORE_VARIABLE, StoreSettings, choose
from zashiki.server.store.archive.audit import REFERENCES
from zashiki.server.store.archive.bulk import BulkSession, BulkStore
from zashiki.server.store.archive.copy import back_up, check, move, restore
from zashiki.server.store.archive.factory import open_bulk_store
from zashiki.server.store.archive.format import Archive
from zashiki.server.store.archive.postgres import PostgresBulkSession
from zashiki.server.store.archive.rows import (
    ARCHIVED_TABLES,
    TRANSIENT_TABLES,
    IntegrityFault,
    TableRowPair,
)
from zashiki.server.store.archive.sqlite import SqliteBulkSession
from zashiki.server.store.errors import Conflict, Unusable
from zashiki.server.store.factory import open_store
from zashiki.server.store.protocol import Store
from zashiki.server.store.rows import (
    ActRow,
    AddressBanRow,
    CardSetRow,
    ChatRow,
    EarlierRatingRow,
    EntryRow,
    ReportRow,
)
from zashiki.server.store.sql import EARLIER_RATINGS
from zashiki.server.store.sqlite import migrate

KINDS = ("sqlite", "postgres")
ARCHIVED = Path(__file__).parent / "archived"
"""Archives written by older versions of Zashiki, by their store and its version."""
Scenario = Callable[[Store], Awaitable[None]]


class Place:
    """A store, given by an operator's setting."""

    def __init__(self, kind: str, folder: Path) -> None:
        self.kind = kind
        self.folder = folder
        is_file = kind == "sqlite"
        self.setting = str(folder / "zashiki.db") if is_file else stores.started().new()

    @property
    def store(self) -> BulkStore:
        return open_bulk_store(self.setting, self.folder)

    def run(self, scenario: Scenario) -> None:
        async def whole() -> None:
            store = open_store(self.setting, self.folder)
            await store.open()
            try:
                await scenario(store)
            finally:
                await store.close()

        asyncio.run(whole())

    def rows(self) -> list[TableRowPair]:
        with self.store.reading() as session:
            return list(session.rows())

    def ask(self, statement: str) -> None:
        if self.kind == "sqlite":
            with closing(sqlite3.connect(self.setting, isolation_level=None)) as sql:
                sql.execute(statement)
        else:
            stores.started().ask(statement, self.setting.rpartition("/")[2])


@pytest.fixture(params=KINDS)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return Place(request.param, tmp_path / "source")


@pytest.fixture(params=KINDS)
def target(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return Place(request.param, tmp_path / "target")


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """An archive with a row of every kind."""
    made = Place("sqlite", tmp_path / "small")
    made.run(everything)
    path = tmp_path / "small.zashiki"
    back_up(made.store, path)
    return path


async def everything(store: Store) -> None:
    """Add a row of every kind; some names sort before the rows that they refer to."""
    await began(store, "m", "over", "n")
    for row in (
        player("zoe", "zoe"),
        replace(player("a-bot"), kind="bot", owner="zoe", scopes=["sit", "read"], expires=9.5),
        replace(player("kim", "kim"), recovery=["aa", "bb"], muted_until=1.5, banned_until=2.5),
        replace(player("lou"), address="00ff", address_at=3.5),
        replace(player("bot:sensible"), kind="bot", created=0.1 + 0.2),
        replace(player("gone"), deleted=True, epoch=2**40, name="蘭 \u2028 \U0001f3b4 'x\" \\"),
    ):
        await store.add_player(row)
    await store.set_muted("ann", "zoe", True)
    for n in range(1, 20):
        await appended(store, replace(entry("m", n, f"k{n}"), says="…", at=1e9 + n / 7))
    ended = replace(match("over", "t1"), ended=1e22, ranks=[1, 2, 1], scores=[0.1, -0.0, 5e-324])
    rows = [rating("ann", 25.123456789012345), rating("bot:sensible", 1 / 3)]
    last = replace(table("t1", 2), state="over", match="over")
    await store.finish(entry("over", 1, None, None), ended, rows, last)
    values = EARLIER_RATINGS.write(
        EarlierRatingRow("ann", "red-town", 4, 1 / 3, 5e-324, 2**40, 7.0)
    )
    writes: Any = store
    await writes._transact(lambda tx: tx.execute(EARLIER_RATINGS.insert, *values))
    for n in range(3):
        await store.add_chat(ChatRow("t", n, "zoe", None, "a\nb\tc", n / 3))
    content = {"deep": [{"x": [None, True, 2**53, 1.0, "\0"]}], "": "z"}
    await store.add_card_set(CardSetRow("c", "zoe", "Mine", content, True, 3.0))
    await store.add_report(ReportRow("r", "zoe", "t", "nobody", "…", 4.0))
    await store.add_report(ReportRow("s", "zoe", None, None, "…", 5.0, "m", 2, 6.0))
    await store.add_act(ActRow("a", 7.0, "key", "ban", "zoe", None, "r", 1e10, "…"))
    await store.add_act(ActRow("b", 8.0, "ann", "close", None, "t", None, None, "…"))
    await store.set_address_ban(AddressBanRow("00ff", 1e10, "zoe"))


# There and back --------------------------------------------------------------------------------


def test_what_was_kept_is_kept_again_in_any_kind_of_store(
    place: Place, target: Place, tmp_path: Path
) -> None:
    place.run(everything)
    path, again = tmp_path / "a", tmp_path / "b"
    held = back_up(place.store, path)
    assert min(held.counts.values()) > 0
    assert check(path) == held
    assert restore(path, target.store) == held
    assert target.rows() == place.rows()
    assert back_up(target.store, again) == held
    assert lines_of(again)[1:-1] == lines_of(path)[1:-1]

    async def go_on(store: Store) -> None:
        assert (await store.entries("m"))[-1].n == 19
        await appended(store, entry("m", 20))
        (bot,) = await store.bots_of("zoe")
        assert bot.id == "a-bot"
        assert (await store.table("t")).match == "m"  # type: ignore[union-attr]
        assert await store.muted("ann") == {"zoe"}

    target.run(go_on)


TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=20)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)
STORES = st.dictionaries(
    TEXTS, st.tuples(TEXTS, NUMBERS, st.dictionaries(TEXTS, VALUES, max_size=4)), max_size=8
)


@pytest.mark.parametrize(
    ("one", "other", "times"),
    [
        ("sqlite", "sqlite", 6),
        ("sqlite", "postgres", 2),
        pytest.param("sqlite", "sqlite", 50, marks=pytest.mark.long),
        pytest.param("sqlite", "postgres", 8, marks=pytest.mark.long),
    ],
)
def test_whatever_it_was(one: str, other: str, times: int, tmp_path: Path) -> None:
    @settings(
        max_examples=times,
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
    )
    @given(STORES)
    def holds(kept: dict[str, Any]) -> None:
        folder = tmp_path / secrets.token_hex(8)
        source, goal = Place(one, folder / "source"), Place(other, folder / "goal")

        async def keep(store: Store) -> None:
            for id, (name, number, doc) in kept.items():
                await store.add_player(replace(player(id), name=name, created=number))
                await store.add_table(replace(table(id), host=id, doc=doc, updated=number))
                await store.add_chat(ChatRow(id, 0, id, None, name, number))

        source.run(keep)
        back_up(source.store, folder / "a")
        restore(folder / "a", goal.store)
        assert goal.rows() == source.rows()
        assert len(goal.rows()) == 3 * len(kept)

    holds()


def test_an_empty_store(place: Place, target: Place, tmp_path: Path) -> None:
    async def nothing(store: Store) -> None:
        pass

    place.run(nothing)
    back_up(place.store, tmp_path / "a")
    restore(tmp_path / "a", target.store)
    assert target.rows() == []
    restore(tmp_path / "a", target.store)


# All of it -------------------------------------------------------------------------------------


def test_every_table_is_in_an_archive_or_short_lived(place: Place) -> None:
    place.run(everything)
    with place.store.reading() as session:
        names = (
            "SELECT name FROM sqlite_master WHERE type = 'table'"
            if place.kind == "sqlite"
            else "SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema()"
        )
        there = {name for (name,) in session.fetch(names)}
        assert there - {*TRANSIENT_TABLES, "migrations"} == set(ARCHIVED_TABLES)
        for name, columns in ARCHIVED_TABLES.items():
            assert session.names(name) == set(columns.names), name


def test_what_is_named_is_what_the_tables_refer_to(tmp_path: Path) -> None:
    """Entries name a match and a player too, but have no foreign keys: see decision 0028."""
    with closing(migrate.prepare(tmp_path / "zashiki.db")) as sql:
        for name in ARCHIVED_TABLES.keys() - {"entries"}:
            found = sql.execute('SELECT "from", "table" FROM pragma_foreign_key_list(?)', [name])
            assert dict(found.fetchall()) == REFERENCES[name], name


# While others write ----------------------------------------------------------------------------


def test_a_backup_is_of_one_moment(place: Place) -> None:
    async def scenario(store: Store) -> None:
        await began(store, "m")
        await asyncio.to_thread(look, asyncio.get_running_loop(), store)

    def look(loop: asyncio.AbstractEventLoop, store: Store) -> None:
        with place.store.reading() as session:
            rows = session.rows()
            seen = [next(rows)]
            for write in (
                appended(store, entry("m", 1)),
                store.add_player(player("zoe")),
                store.add_chat(ChatRow("t", 0, "zoe", None, "…", 1.0)),
            ):
                asyncio.run_coroutine_threadsafe(write, loop).result(TIMEOUT)
            seen += rows
        assert [name for name, _ in seen] == ["players", "tables", "matches", "sittings", "entries"]
        assert len(place.rows()) == 8

    place.run(scenario)


def test_backups_while_matches_begin_and_go_on_are_sound(place: Place, tmp_path: Path) -> None:
    end, more = asyncio.Event(), asyncio.Event()

    async def play(store: Store, name: str) -> None:
        number = 0
        while not end.is_set():
            id = f"{name}-{number}"
            await store.add_player(player(id))
            await store.add_table(replace(table(id), host=id))
            playing = replace(table(id, 1), host=id, state="playing", match=id)
            await store.begin_match(replace(match(id, id), players=[id]), set_up(id), playing)
            for n in range(1, 6):
                await appended(store, replace(entry(id, n), by=id))
            number += 1
            more.set()

    async def scenario(store: Store) -> None:
        await store.add_player(player("ann"))
        playing = [asyncio.create_task(play(store, name)) for name in "abcde"]
        sizes = []
        for number in range(8):
            path = tmp_path / str(number)
            sizes.append((await asyncio.to_thread(back_up, place.store, path)).counts["entries"])
            more.clear()
            await more.wait()
        end.set()
        await asyncio.gather(*playing)
        assert sizes == sorted(sizes)
        assert len({*sizes}) == len(sizes), "something is written between any two"

    place.run(scenario)


@pytest.mark.parametrize(
    ("kind", "other"), [KINDS, pytest.param(*KINDS[::-1], marks=pytest.mark.long)]
)
def test_matches_go_on_from_where_a_backup_found_them(
    kind: str, other: str, tmp_path: Path
) -> None:
    """Taken during play, and restored into the other kind of store, for another server."""
    key = {"ZASHIKI_KEY": secrets.token_hex(32)}
    before, after = Place(kind, tmp_path / "before"), Place(other, tmp_path / "after")
    path = tmp_path / "evening"

    async def evening(server: ServerProcess) -> list[SimulatedPlayer]:
        people = [person for sitting in await gathered(server, 3) for person in sitting]
        for person in people:
            person.pause, person.stops_at = 0.2, 6
        playing = asyncio.gather(*(person.play() for person in people))
        for _ in range(20):
            await answered(people)
        status = await asyncio.to_thread(
            command, "backup", str(path), env={STORE_VARIABLE: before.setting}
        )
        assert (status.returncode, status.stderr) == (0, "")
        assert not playing.done(), "there is something left to play"
        for person in people:
            person.pause = 0.0
            person.goes_on.set()
        await playing
        await close_clients(people)
        return people

    async def next_day(server: ServerProcess, people: list[SimulatedPlayer]) -> None:
        again = [
            SimulatedPlayer(returned(server, one.guest), one.table, one.seat, 7, wild=False)
            for one in people
        ]
        async with asyncio.timeout(5 * TIMEOUT):
            await asyncio.gather(*(person.play() for person in again))
        for person in again:
            answer = await person.guest.client.get(f"/api/tables/{person.table}/record")
            check_record(answer.text)
        await close_clients(again)

    with served(before, key) as server:
        people = asyncio.run(evening(server))
    restore(path, after.store)
    kept = logs(Archive(path).rows())
    with served(after, key) as server:
        asyncio.run(next_day(server, people))
    ended = logs(iter(after.rows()))
    assert len(kept) == 3
    assert {id: log[: len(kept[id])] for id, log in ended.items()} == kept
    assert any(len(log) > len(kept[id]) for id, log in ended.items())


@contextmanager
def served(place: Place, key: dict[str, str]) -> Iterator[ServerProcess]:
    server = ServerProcess(
        place.folder, *UNLIMITED, settings={**key, STORE_VARIABLE: place.setting}
    )
    server.start()
    try:
        yield server
        server.end()
    finally:
        if server.process is not None:
            server.kill()


def returned(server: ServerProcess, guest: Guest) -> Guest:
    """Return the same person with the same cookies, at another server."""
    again = Guest(server, guest.name)
    again.id = guest.id
    again.client.cookies = guest.client.cookies
    return again


def logs(rows: Iterator[TableRowPair]) -> dict[str, list[Struct]]:
    found: dict[str, list[Struct]] = {}
    for _, row in rows:
        if isinstance(row, EntryRow):
            found.setdefault(row.match, []).append(row)
    return found


# Archives that are none ------------------------------------------------------------------------


def lines_of(path: Path) -> list[bytes]:
    return gzip.decompress(path.read_bytes()).splitlines(keepends=True)


def packed(path: Path, lines: list[bytes], is_honest: bool = True) -> Path:
    """Write an archive of these lines, with a matching last line."""
    if is_honest:
        counts = dict.fromkeys(ARCHIVED_TABLES, 0)
        for line in lines[1:-1]:
            counts[json.decode(line)[0]] += 1
        digest = sha256(b"".join(lines[:-1])).hexdigest()
        lines = [*lines[:-1], json.encode({"rows": counts, "sha256": digest}) + b"\n"]
    path.write_bytes(gzip.compress(b"".join(lines)))
    return path


def test_no_byte_can_be_changed_unnoticed(small: Path, tmp_path: Path) -> None:
    """Except changes without effect: the time of packing, or a copy of identical bytes."""
    whole, held = small.read_bytes(), check(small)
    bad, same, said = tmp_path / "bad", [], set()
    places = {*range(16), *range(16, len(whole), 23), *range(len(whole) - 10, len(whole))}
    for place in sorted(places):
        raw = bytearray(whole)
        raw[place] ^= 1 << place % 8
        bad.write_bytes(raw)
        try:
            found = check(bad)
        except IntegrityFault as fault:
            said.add(str(fault).partition(f"{bad}: ")[2].partition(":")[0])
        else:
            assert found == held
            same.append(place)
    assert {"it is damaged", "expected a file of `zashiki backup`, found another file"} <= said, (
        "which bytes end it early varies"
    )
    assert said <= {
        "it is damaged",
        "it is cut short",
        "expected a file of `zashiki backup`, found another file",
    }
    assert {*range(4, 10)} <= {*same}, "gzip does not mind when and on what it was packed"
    assert len(same) < 12


def test_no_byte_can_be_missing(small: Path, tmp_path: Path) -> None:
    whole = small.read_bytes()
    for size in (2, 9, 10, 11, 40, len(whole) // 2, len(whole) - 9, len(whole) - 1):
        bad = tmp_path / "bad"
        bad.write_bytes(whole[:size])
        with pytest.raises(IntegrityFault, match="cut short"):
            check(bad)


NO_LINES = gzip.compress(b"{}\n", mtime=0)  # the same in every process: it is in a test's name


@pytest.mark.parametrize("content", [b"", b"x", b"SQLite format 3\0", NO_LINES])
def test_what_is_no_archive_is_called_so(content: bytes, tmp_path: Path, target: Place) -> None:
    bad = tmp_path / "bad"
    bad.write_bytes(content)
    with pytest.raises(
        IntegrityFault, match=r"bad: expected a file of `zashiki backup`, found another"
    ):
        restore(bad, target.store)
    assert not target.folder.exists()


def test_lines_cannot_be_changed_unnoticed(small: Path, tmp_path: Path) -> None:
    lines = lines_of(small)
    for other, said in (
        (lines[:-1], "its last line is missing"),
        ([*lines, lines[1]], "something comes after its last line"),
        ([*lines[:1], *lines[2:]], "counts other rows than there are"),
        ([line.replace(b"Name of zoe", b"Name of Zoe") for line in lines], "its hash is not"),
        ([lines[0], b"{}\n", *lines[1:]], "line 2 cannot be read"),
        ([lines[0], b"[" * 10**5 + b"\n"], "line 2 cannot be read"),
        ([lines[0], b'["players",[1]]\n'], "line 2: expected 16 values, found 1"),
        ([lines[0], b'["cards",[1]]\n'], "line 2: its first line tells of no table 'cards'"),
        ([lines[0], lines[1].replace(b"false", b"0.5")], "line 2: no row of players: Expected"),
        ([lines[0], lines[-2], lines[1]], "line 3: players are in the wrong place"),
        ([lines[0], b"\xff\n"], "line 2 cannot be read"),
    ):
        bad = packed(tmp_path / "bad", other, is_honest=False)
        with pytest.raises(IntegrityFault, match=f"bad: .*{said}"):
            check(bad)


def test_rows_that_do_not_fit_together_are_found(small: Path, tmp_path: Path) -> None:
    lines = lines_of(small)

    def without(start: bytes) -> list[bytes]:
        left = [line for line in lines if not line.startswith(start)]
        assert len(left) == len(lines) - 1
        return left

    (ann,) = (line for line in lines if line.startswith(b'["players",["ann"'))
    for other, said in (
        (without(b'["entries",["m",7,'), "match m: entry 7 is missing"),
        (without(b'["entries",["m",0,'), "match m: entry 0 is missing"),
        (without(b'["entries",["n",0,'), "matches n: of the first entries it names 'n'"),
        (without(b'["players",["zoe"'), "of the players it names 'zoe', and that is not there"),
        (without(b'["players",["ann"'), "of the players it names 'ann', and that is not there"),
        (without(b'["matches",["n"'), "of the matches it names 'n', and that is not there"),
        (without(b'["tables",["t1"'), "of the tables it names 't1', and that is not there"),
        (sorted([*lines, ann], key=lines.index), "players ann: it is there twice"),
    ):
        bad = packed(tmp_path / "bad", other)
        with pytest.raises(IntegrityFault, match=f"bad: .*{said}"):
            check(bad)


def test_an_archive_of_a_newer_zashiki_is_called_so(small: Path, tmp_path: Path) -> None:
    first, *rest = lines_of(small)
    for change in (
        {"version": 2},
        {"version": 2, "columns": None},
        {"schema": 99},
        {"columns": {"players": ["id", "mood"]}},
        {"columns": {"moods": ["id"]}},
    ):
        header = {**json.decode(first), **change}
        newer = packed(tmp_path / "newer", [json.encode(header) + b"\n", *rest], is_honest=False)
        with pytest.raises(IntegrityFault, match=r"newer: .*written by a newer Zashiki: this one"):
            check(newer)


def test_an_archive_of_an_older_zashiki_is_restored(tmp_path: Path, target: Place) -> None:
    """The archive of a file with the first schema, which the backup does not migrate."""
    steps, old = tmp_path / "steps", Place("sqlite", tmp_path / "old")
    steps.mkdir()
    shutil.copy(str(migrate.MIGRATIONS / "0001.sql"), steps)
    migrate.prepare(Path(old.setting), steps).close()
    columns = "id, kind, name, created, epoch, deleted"
    old.ask(f"INSERT INTO players ({columns}) VALUES ('ann', 'guest', 'Name of ann', 12.5, 0, 0)")
    path = tmp_path / "a"
    held = back_up(old.store, path)
    header = Archive(path).header
    assert header.schema == 1
    assert "owner" not in header.columns["players"]
    assert restore(path, target.store) == held
    assert target.rows() == old.rows() == [("players", player("ann"))]
    with old.store.reading() as session:
        assert session.schema == 1


@pytest.mark.parametrize("name", ["sqlite-2", "postgres-1", "sqlite-3", "postgres-2"])
def test_an_older_archive_is_restored(name: str, tmp_path: Path, target: Place) -> None:
    """Written by older code from `everything`, and never written again by newer code."""
    old, again = ARCHIVED / f"{name}.zashiki", tmp_path / "again"
    kind, _, schema = name.partition("-")
    header = Archive(old).header
    assert (header.store, header.schema) == (kind, int(schema))
    held = check(old)
    assert restore(old, target.store) == held
    assert target.rows() == list(Archive(old).rows())
    assert back_up(target.store, again) == held
    assert list(Archive(again).rows()) == list(Archive(old).rows())

    async def continue_it(store: Store) -> None:
        rows = await store.entries("m")
        assert [row.key for row in rows[1:]] == [f"k{n}" for n in range(1, 20)]
        with pytest.raises(Conflict):
            await appended(store, entry("m", 19))
        await appended(store, entry("m", 20))

    target.run(continue_it)


def test_a_file_from_before_the_append_only_journal_keeps_its_entries(tmp_path: Path) -> None:
    steps, new = tmp_path / "steps", Place("sqlite", tmp_path / "new")
    steps.mkdir()
    for number in ("0001.sql", "0002.sql"):
        shutil.copy(str(migrate.MIGRATIONS / number), steps)
    migrate.prepare(Path(new.setting), steps).close()
    archive = Archive(ARCHIVED / "sqlite-2.zashiki")
    with closing(sqlite3.connect(new.setting)) as sql, sql:
        for table, row in archive.rows():
            columns = ARCHIVED_TABLES[table]
            values = dict(zip(columns.names, columns.write(row), strict=True))
            there = [name for name in columns.names if name in archive.header.columns[table]]
            marks, names = ", ".join("?" * len(there)), ", ".join(f'"{name}"' for name in there)
            statement = f"INSERT INTO {table} ({names}) VALUES ({marks})"
            sql.execute(statement, [values[name] for name in there])

    async def look(store: Store) -> None:
        for id in ("m", "over", "n"):
            assert await store.entries(id) == logs(archive.rows())[id]

    new.run(look)
    assert new.rows() == list(archive.rows())


def test_a_store_of_a_newer_zashiki_is_not_backed_up_in_part(place: Place, tmp_path: Path) -> None:
    place.run(everything)
    place.ask(
        "PRAGMA user_version = 99"
        if place.kind == "sqlite"
        else "INSERT INTO migrations (number, name) VALUES (99, 'expand_x')"
    )
    with pytest.raises(Unusable, match="version 99, written by a newer Zashiki"):
        back_up(place.store, tmp_path / "a")
    assert not list(tmp_path.glob("*a*"))


# Into a store ----------------------------------------------------------------------------------


def test_only_an_empty_store_is_filled(small: Path, target: Place) -> None:
    async def one_guest(store: Store) -> None:
        await store.add_player(player("ann"))

    target.run(one_guest)
    with pytest.raises(Unusable, match="expected an empty store, found players"):
        restore(small, target.store)
    assert target.rows() == [("players", player("ann"))]


def test_somebody_elses_database_is_not_filled(small: Path) -> None:
    database = stores.started()
    url = database.new("template0")
    name = url.rpartition("/")[2]
    database.ask("CREATE TABLE players (score int)", name)
    with pytest.raises(Unusable, match="expected a store of Zashiki, found only players"):
        restore(small, open_bulk_store(url, small.parent))
    assert database.ask("SELECT count(*) FROM players", name)[0][0] == 0


def test_bots_of_the_house_do_not_count(small: Path, target: Place) -> None:
    async def bots(store: Store) -> None:
        await store.add_player(replace(player("bot:sensible"), kind="bot"))
        await store.add_player(replace(player("bot:unknown"), kind="bot"))

    target.run(bots)
    restore(small, target.store)
    assert target.rows() == list(Archive(small).rows())


def test_a_store_that_a_server_has_open_is_not_filled(small: Path, target: Place) -> None:
    async def live(store: Store) -> None:
        while store.coordination is not None:  # a SQLite file shows by its lock that it is open
            await store.coordination.heartbeat("a server")
            await asyncio.sleep(0.5)

    async def scenario(store: Store) -> None:
        living = asyncio.create_task(live(store))
        if store.coordination is not None:
            await store.coordination.heartbeat("a server")
        with pytest.raises(Unusable, match="stop"):
            await asyncio.to_thread(restore, small, target.store)
        living.cancel()
        await asyncio.gather(living, return_exceptions=True)

    target.run(scenario)
    assert target.rows() == []


@pytest.mark.parametrize("moment", ["insert", "link", "rows"])
def test_what_fails_half_way_leaves_nothing(
    moment: str, small: Path, target: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nothing(store: Store) -> None:
        pass

    target.run(nothing)
    kind = {"sqlite": SqliteBulkSession, "postgres": PostgresBulkSession}[target.kind]
    with monkeypatch.context() as patch:
        original = getattr(kind, moment)
        calls: list[Any] = []

        def fails(self: BulkSession, *arguments: Any) -> Any:
            calls.append(arguments)
            if moment == "rows":
                return iter(list(original(self, *arguments))[:-1])
            if len(calls) == 2:
                raise KeyboardInterrupt
            return original(self, *arguments)

        patch.setattr(kind, moment, fails)
        with pytest.raises((KeyboardInterrupt, IntegrityFault)):
            restore(small, target.store)
    assert target.rows() == []
    restore(small, target.store)
    assert target.rows() == list(Archive(small).rows())


def test_what_postgresql_does_not_keep_is_named(tmp_path: Path) -> None:
    source, goal = Place("sqlite", tmp_path / "a"), Place("postgres", tmp_path / "b")

    async def odd(store: Store) -> None:
        await store.add_player(player("ann"))
        await store.add_player(replace(player("bob"), name="a\0b"))

    source.run(odd)
    back_up(source.store, tmp_path / "x")
    with pytest.raises(
        IntegrityFault, match="players 'bob': there is a text with a null character"
    ):
        restore(tmp_path / "x", goal.store)
    assert goal.rows() == []


# From store to store ---------------------------------------------------------------------------


def test_a_store_is_moved_whole_and_stays_as_it_was(tmp_path: Path) -> None:
    old, new = Place("sqlite", tmp_path / "old"), Place("postgres", tmp_path / "new")
    old.run(everything)
    before = Path(old.setting).read_bytes()
    done = command("move-store", old.setting, env={STORE_VARIABLE: new.setting})
    assert (done.returncode, done.stderr) == (0, "")
    assert "ZASHIKI_STORE" in done.stdout
    assert f"{old.folder / 'secret.key'} as ZASHIKI_KEY" in done.stdout
    again = command("move-store", old.setting, "-", typed=f"{new.setting}\n")
    assert again.returncode == 2
    assert "expected an empty store, found players" in again.stderr
    assert stores.started().password not in done.stdout + again.stderr
    assert new.rows() == old.rows()
    assert len(new.rows()) > 30
    assert Path(old.setting).read_bytes() == before
    assert [path.name for path in old.folder.iterdir()] == ["zashiki.db"]


def test_a_store_in_use_is_not_moved(tmp_path: Path) -> None:
    old, new = Place("sqlite", tmp_path / "old"), Place("postgres", tmp_path / "new")

    async def scenario(store: Store) -> None:
        await began(store, "m")
        with pytest.raises(Unusable, match="has it open: stop that first"):
            await asyncio.to_thread(move, old.store, new.store)

    old.run(scenario)
    assert new.rows() == []
    move(old.store, new.store)
    assert new.rows() == old.rows()


def test_a_store_with_a_gap_is_not_moved(tmp_path: Path) -> None:
    old, new = Place("sqlite", tmp_path / "old"), Place("postgres", tmp_path / "new")
    old.run(everything)
    old.ask("DELETE FROM entries WHERE n = 7")
    with pytest.raises(IntegrityFault, match=r"zashiki\.db: match m: entry 7 is missing"):
        move(old.store, new.store)
    assert new.rows() == []
    with pytest.raises(IntegrityFault, match="entry 7 is missing"):
        back_up(old.store, tmp_path / "a")
    assert not list(tmp_path.glob("*a*"))


# Many rows -------------------------------------------------------------------------------------

WHOLE = """
import sys
from pathlib import Path
from zashiki.server.store.archive.copy import back_up, restore
from zashiki.server.store.archive.sqlite import SqliteBulkStore
folder = Path(sys.argv[1])
back_up(SqliteBulkStore(folder / "zashiki.db"), folder / "archive")
held = restore(folder / "archive", SqliteBulkStore(folder / "new" / "zashiki.db"))
status = Path("/proc/self/status").read_text()
print(held.counts["entries"], status.partition("VmHWM:")[2].split()[0])
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="nothing tells how much it was")
def test_fifty_thousand_rows_need_no_more_memory_than_fifty(tmp_path: Path) -> None:
    used = {}
    for number in (50, 50_000):
        source = Place("sqlite", tmp_path / str(number))
        source.run(lambda store: began(store, "m"))
        values = (
            ARCHIVED_TABLES["entries"].write(entry("m", n, f"key {n}")) for n in range(1, number)
        )
        with closing(sqlite3.connect(source.setting)) as sql, sql:
            sql.executemany(ARCHIVED_TABLES["entries"].insert, values)
        told = subprocess.run(
            [sys.executable, "-c", WHOLE, source.folder], check=True, capture_output=True
        )
        count, used[number] = map(int, told.stdout.split())
        assert count == number
    assert used[50_000] - used[50] < 16 * 2**10


# The commands ----------------------------------------------------------------------------------


def command(
    *words: str, env: dict[str, str] | None = None, typed: str = "", largest: int = -1
) -> subprocess.CompletedProcess[str]:
    """Run `zashiki …` in a process that cannot write files larger than that."""
    inherited = {name: value for name, value in os.environ.items() if name != STORE_VARIABLE}
    limits = (largest, largest)
    return subprocess.run(
        [sys.executable, "-c", RUN, *words], input=typed, capture_output=True, text=True,
        timeout=TIMEOUT, check=False, env={**inherited, **(env or {})},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limits),
    )  # fmt: skip


def test_backup_and_restore(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, path = tmp_path / "data", tmp_path / "evening.zashiki"
    Place("sqlite", data).run(everything)
    assert cli.main(["backup", str(path), "--data", str(data)]) == 0
    said = capsys.readouterr().out
    assert f"{path}: {path.stat().st_size:,} bytes, written and read back in" in said
    assert re.search(r"\n  entries +23\n", said)
    assert f"The secret key is not in it: keep {data / 'secret.key'} too" in said
    assert path.stat().st_mode & 0o777 == 0o600
    assert cli.main(["backup", "--check", str(path)]) == 0
    assert "whole and sound" in capsys.readouterr().out
    assert cli.main(["restore", str(path), "--data", str(tmp_path / "new")]) == 0
    assert "new/zashiki.db: restored from" in capsys.readouterr().out
    assert Place("sqlite", tmp_path / "new").rows() == Place("sqlite", data).rows()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["data", "evening.zashiki", "new"]


def test_an_archive_goes_out_and_comes_in_by_the_standard_streams(tmp_path: Path) -> None:
    data, new, path = tmp_path / "data", tmp_path / "new", tmp_path / "x"
    Place("sqlite", data).run(everything)
    words = [sys.executable, "-c", RUN]
    with path.open("wb") as file:
        done = subprocess.run(
            [*words, "backup", "-", "--data", data], stdout=file, stderr=subprocess.PIPE, check=True
        )
    assert b"standard output: " in done.stderr
    for more in (["backup", "--check", "-"], ["restore", "-", "--data", str(new)]):
        with path.open("rb") as whole:
            done = subprocess.run([*words, *more], stdin=whole, capture_output=True, check=True)
        assert b"standard input" in done.stdout
    assert Place("sqlite", new).rows() == Place("sqlite", data).rows()
    wrong = command("restore", "-", "--data", str(tmp_path / "y"), typed="no archive")
    assert wrong.stderr.startswith("zashiki: standard input: expected a file of `zashiki backup`")
    nothing = command("move-store", str(data / "zashiki.db"), "-")
    assert "standard input: expected the address of a" in nothing.stderr
    assert sorted(file.name for file in tmp_path.iterdir()) == ["data", "new", "x"]


def test_the_key_of_a_database_is_a_setting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ZASHIKI_KEY", raising=False)
    monkeypatch.delenv(STORE_VARIABLE, raising=False)
    assert key_kept(choose(StoreSettings, {"folder": str(tmp_path)}, os.environ)) == str(
        tmp_path / "secret.key"
    )
    monkeypatch.setenv(STORE_VARIABLE, "postgresql://me@127.0.0.1/zashiki")
    assert key_kept(choose(StoreSettings, {"folder": str(tmp_path)}, os.environ)) == "ZASHIKI_KEY"
    (tmp_path / "secret.key").touch()
    assert key_kept(choose(StoreSettings, {"folder": str(tmp_path)}, os.environ)) == str(
        tmp_path / "secret.key"
    )


def test_a_store_that_may_not_be_read_is_named(tmp_path: Path) -> None:
    store, target = tmp_path / "data" / "zashiki.db", tmp_path / "x"
    for name, blamed in ((store, store), (target, target), (tmp_path / ".1.part", target)):
        said = f"^{re.escape(str(blamed))}: Permission denied$"
        with pytest.raises(Malformed, match=said), faults_told(target):
            raise PermissionError(errno.EACCES, "Permission denied", str(name))


def test_what_cannot_be_is_said_in_a_line(
    small: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv(STORE_VARIABLE, raising=False)
    monkeypatch.chdir(tmp_path)
    data, there = str(tmp_path / "nowhere"), str(tmp_path / "small")
    away = f"postgresql://me:secret-word@127.0.0.1:{free_port()}/zashiki"
    store = str(tmp_path / "small" / "zashiki.db")
    for words, said in (
        (["backup", "x", "--data", data], "nowhere/zashiki.db: expected a store, found no file"),
        (["backup", str(small), "--data", there], "exists already, choose a new name"),
        (["backup", f"{data}/x", "--data", there], "nowhere' does not exist"),
        (["backup", "--check", data], "nowhere: No such file or directory"),
        (["backup", "--check", str(tmp_path)], "Is a directory"),
        (["restore", data], "nowhere: No such file or directory"),
        (["restore", store, "--data", data], "zashiki.db: expected a file of `zashiki backup`"),
        (["restore", str(small), "--data", there], "expected an empty store, found players"),
        (["move-store", store], "ZASHIKI_STORE: expected the address of a PostgreSQL database"),
        (["backup", "x", "--data", store], "zashiki.db: expected a folder, found a file"),
        (["restore", str(small), "--data", store], "zashiki.db: expected a folder, found a file"),
        (["move-store", store, ""], "POSTGRES: expected the address of a PostgreSQL database"),
        (["move-store", store, "mysql://secret-word"], "POSTGRES: the address of the database"),
        (["move-store", data, away], "nowhere: expected a store, found no file"),
        (["move-store", there, away], "small: expected the file of a store, found a folder"),
        (["move-store", str(small), away], "small.zashiki: this cannot be used as a store"),
        (["move-store", store, away], "Connection refused"),
    ):
        assert cli.main(words) == 2, words
        told = capsys.readouterr()
        assert told.err.startswith("zashiki: ")
        assert said in told.err
        assert told.err.count("\n") == 1
        assert "secret-word" not in told.err
        assert told.out == ""
    assert sorted(file.name for file in tmp_path.iterdir()) == ["small", "small.zashiki"]


def test_a_database_that_is_away_is_said_without_its_password(small: Path, tmp_path: Path) -> None:
    away = {STORE_VARIABLE: f"postgresql://me:secret-word@127.0.0.1:{free_port()}/zashiki"}
    wrong = {
        STORE_VARIABLE: stores.started().new().replace(stores.started().password, "secret-word")
    }
    for env, said in ((away, "Connection refused"), (wrong, "password authentication failed")):
        for words in (["backup", str(tmp_path / "x")], ["restore", str(small)]):
            done = command(*words, env=env)
            assert done.stderr.startswith("zashiki: postgresql://")
            assert said in done.stderr
            assert "secret-word" not in done.stderr
            assert done.returncode == 2
    assert not list(tmp_path.glob("*x*"))


def test_a_full_disk_leaves_nothing_behind(tmp_path: Path) -> None:
    async def much(store: Store) -> None:
        await store.add_player(player("ann"))
        content = {"noise": secrets.token_hex(200_000)}
        await store.add_card_set(CardSetRow("c", "ann", "Mine", content, True, 3.0))

    data, new, path = tmp_path / "data", tmp_path / "new", tmp_path / "x"
    Place("sqlite", data).run(much)
    done = command("backup", str(path), "--data", str(data), largest=100_000)
    assert done.stderr == f"zashiki: {path}: File too large\n"
    assert done.returncode == 2
    assert [file.name for file in tmp_path.iterdir()] == ["data"]
    back_up(Place("sqlite", data).store, path)
    done = command("restore", str(path), "--data", str(new), largest=350_000)
    assert done.stderr.startswith(f"zashiki: {new / 'zashiki.db'}: this cannot be used as a store")
    assert done.returncode == 2
    assert Place("sqlite", new).rows() == []
