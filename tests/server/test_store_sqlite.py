import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from rich.pretty import pretty_repr

from tests.server.store_conformance import (
    Conformance,
    appended,
    began,
    both,
    entry,
    match,
    player,
    set_up,
    table,
)
from zashiki.server.store.errors import Busy, MaybeWritten, StoreFault, Unusable
from zashiki.server.store.protocol import Store
from zashiki.server.store.sqlite import connect, migrate
from zashiki.server.store.sqlite.store import SqliteStore
from zashiki.server.store.sqlite.writer import Work, Writer

ROOT = Path(__file__).resolve().parents[2]
NAME = "zashiki.db"
MATCHES = ("a", "b", "c", "d")


class TestSqlite(Conformance):
    def store(self, folder: Path) -> Store:
        return SqliteStore(folder / NAME)


@asynccontextmanager
async def opened(store: SqliteStore) -> AsyncIterator[Store]:
    await store.open()
    try:
        yield store
    finally:
        await store.close()


async def open_and_close(store: SqliteStore) -> None:
    async with opened(store):
        pass


# Writing ---------------------------------------------------------------------------------------


async def test_writes_that_wait_share_a_commit(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / NAME)
    async with opened(store):
        await began(store, "m")
        commits, writes = store.commits, store.writes
        await asyncio.gather(*(appended(store, entry("m", n)) for n in range(1, 301)))
        assert store.writes - writes == 300
        assert store.commits - commits <= 30


async def test_while_another_process_holds_the_database_writes_gather(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / NAME)
    async with opened(store):
        await began(store, "m")
        commits = store.commits
        with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            writes = [asyncio.create_task(appended(store, entry("m", n))) for n in range(1, 101)]
            await asyncio.sleep(0.1)
            assert not any(task.done() for task in writes)
            assert len(await store.entries("m")) == 1  # reading continues
            other.execute("ROLLBACK")
        await asyncio.gather(*writes)
        assert store.commits - commits <= 2


async def test_who_holds_the_database_too_long_makes_it_busy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connect, "BUSY_TIMEOUT_SECONDS", 0.05)
    store = SqliteStore(tmp_path / NAME)
    async with opened(store):
        with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(Busy, match="another process"):
                await store.add_player(player("ann"))
        await store.add_player(player("ann"))


async def test_when_too_many_wait_the_others_are_told_at_once(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / NAME, max_waiting=20)
    async with opened(store):
        with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            names = [f"p{n}" for n in range(100)]
            writes = [asyncio.create_task(store.add_player(player(name))) for name in names]
            await asyncio.sleep(0.05)
            refused = [task for task in writes if task.done()]
            assert 60 <= len(refused) <= 80  # 20 wait, and those that the writer took already
            assert all(isinstance(task.exception(), Busy) for task in refused)
            other.execute("ROLLBACK")
        found = await both(*writes)
        assert found.count(None) == 100 - len(refused)
        reads = await both(*(store.ratings(name) for name in names))
        assert sum(isinstance(one, Busy) for one in reads) == 80


async def test_a_full_disk_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / NAME)
    async with opened(store):
        await began(store, "m")
        await store._write(lambda sql: sql.execute("PRAGMA max_page_count = 1").fetchall())
        found = await both(*(appended(store, entry("m", n)) for n in range(1, 300)))
        written = [one for one in found if not isinstance(one, Exception)]
        faults = [one for one in found if isinstance(one, Exception)]
        assert isinstance(faults[0], MaybeWritten)
        assert all(isinstance(one, StoreFault) for one in faults)
        assert len(await store.entries("m")) == 1 + len(written)
        await store._write(lambda sql: sql.execute("PRAGMA max_page_count = 100000").fetchall())
        await appended(store, entry("m", 1 + len(written)))


class FailsOnce(sqlite3.Connection):
    """A database whose first commit fails with a disk error."""

    fails = True

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        if sql == "COMMIT" and self.fails:
            self.fails = False
            raise sqlite3.OperationalError("disk I/O error")
        return super().execute(sql, parameters)


async def test_when_a_commit_fails_nobody_in_it_is_acknowledged(tmp_path: Path) -> None:
    connection = sqlite3.connect(
        tmp_path / NAME, isolation_level=None, check_same_thread=False, factory=FailsOnce
    )
    connection.executescript("CREATE TABLE a (x)")

    def add(x: int) -> Work[int]:
        return lambda sql: sql.execute("INSERT INTO a VALUES (?)", [x]).rowcount

    writer = Writer(connection, 100)
    with closing(sqlite3.connect(tmp_path / NAME, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")  # so that both are in the same group, or behind it
        writes = [asyncio.create_task(writer.write(add(x))) for x in (1, 2, 3)]
        await asyncio.sleep(0.05)
        other.execute("ROLLBACK")
    found = await both(*writes)
    faults = sum(isinstance(one, MaybeWritten) for one in found)
    assert faults > 0
    assert await writer.write(lambda sql: sql.execute("SELECT count(*) FROM a").fetchone()) == (
        3 - faults,
    )
    await writer.close()


async def test_a_row_that_does_not_fit_is_the_writers_mistake(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / NAME)
    async with opened(store):
        with pytest.raises(ValueError, match="does not fit"):
            await store._write(lambda sql: sql.execute("INSERT INTO mutes (player) VALUES ('a')"))
        with pytest.raises(ZeroDivisionError):
            await store._write(lambda _: 1 // 0)
        await store.add_player(player("ann"))


# Crashing --------------------------------------------------------------------------------------


async def play_for_ever(path: Path) -> None:
    """Append to all matches at once, and print every acknowledged entry."""
    store = SqliteStore(path)
    await store.open()
    if await store.player("ann") is None:
        await began(store, *MATCHES)

    async def play(id: str) -> None:
        n = len(await store.entries(id))
        while True:
            await appended(store, entry(id, n, f"k{n}"))
            os.write(1, f"{id} {n}\n".encode())
            n += 1

    await asyncio.gather(*map(play, MATCHES))


def killed_after(path: Path, lines: int) -> list[str]:
    """Return what a process had acknowledged when it was killed, whatever it was doing."""
    code = (
        "import asyncio, sys; from pathlib import Path; "
        "from tests.server.test_store_sqlite import play_for_ever; "
        "asyncio.run(play_for_ever(Path(sys.argv[1])))"
    )
    command = [sys.executable, "-c", code, str(path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        try:
            said = [child.stdout.readline() for _ in range(lines)]
        finally:
            child.kill()
        said += child.stdout.readlines()
    assert child.returncode == -signal.SIGKILL
    return [line for line in said if line.endswith("\n")]


async def test_what_was_acknowledged_outlives_a_kill(tmp_path: Path) -> None:
    path = tmp_path / NAME
    said: list[str] = []
    for lines in (41, 150, 97):
        said += killed_after(path, lines)
        assert path.with_name(f"{NAME}-wal").exists()  # it was not closed
    async with opened(SqliteStore(path)) as store:
        assert set(Counter(said).values()) == {1}
        for id in MATCHES:
            rows = await store.entries(id)
            told = [int(line.split()[1]) for line in said if line.startswith(id)]
            # In each of three runs one more may have been written than was acknowledged.
            assert [row.n for row in rows] == list(range(len(rows)))
            assert set(told) <= set(range(1, len(rows)))
            assert len(rows) - 1 - len(told) <= 3
            assert rows == [set_up(id), *(entry(id, n, f"k{n}") for n in range(1, len(rows)))]
        assert len(await store.unfinished()) == len(MATCHES)


# Opening and closing ---------------------------------------------------------------------------


def test_closing_leaves_no_thread_and_no_connection(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / NAME)
    before = set(threading.enumerate())
    for _ in range(3):
        asyncio.run(open_and_close(store))
        assert set(threading.enumerate()) == before
        assert [path.name for path in tmp_path.iterdir()] == [NAME]  # the last one out cleans up
    assert "closed" in repr(store)
    asyncio.run(store.close())


async def test_an_opening_that_is_cancelled_leaves_nothing(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / NAME)
    before = set(threading.enumerate())
    opening = asyncio.create_task(store.open())
    await asyncio.sleep(0)
    opening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await opening
    assert set(threading.enumerate()) == before
    await open_and_close(store)


async def test_an_open_store_is_not_opened_again(tmp_path: Path) -> None:
    async with opened(SqliteStore(tmp_path / NAME)) as store:
        with pytest.raises(Unusable, match="open already"):
            await store.open()
        await store.add_player(player("ann"))


async def test_only_its_owner_may_read_the_files(tmp_path: Path) -> None:
    path = tmp_path / "data" / NAME

    async def scenario(store: Store) -> None:
        await store.set_muted("ann", "ann", False)  # so that there is something to log
        modes = {file.name: file.stat().st_mode & 0o777 for file in path.parent.iterdir()}
        assert modes == {NAME: 0o600, f"{NAME}-wal": 0o600, f"{NAME}-shm": 0o600}
        assert path.parent.stat().st_mode & 0o777 == 0o700

    old = os.umask(0)
    try:
        async with opened(SqliteStore(path)) as store:
            await scenario(store)
        path.chmod(0o644)
        async with opened(SqliteStore(path)) as store:
            await scenario(store)
    finally:
        os.umask(old)


async def test_nothing_is_lost_when_the_power_fails(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / NAME)
    async with opened(store):

        def asked(sql: sqlite3.Connection) -> list[object]:
            names = ("synchronous", "foreign_keys", "journal_mode")
            return [sql.execute(f"PRAGMA {name}").fetchone()[0] for name in names]

        assert await store._write(asked) == [2, 1, "wal"]
        patience = await store._read(lambda sql: sql.execute("PRAGMA busy_timeout").fetchone())
        assert patience == (5000,)
        with pytest.raises(Unusable, match="readonly"):
            await store._read(lambda sql: sql.execute("DELETE FROM players"))


def test_rows_keep_their_secrets_out_of_logs() -> None:
    for row in (player("ann", "login"), match("m"), entry("m", 1)):
        for text in (repr(row), pretty_repr(row), f"{row}"):
            assert "argon2" not in text
            assert "\\x" not in text
            assert "place" not in text
            assert "drew" not in text


# Migrations ------------------------------------------------------------------------------------


async def test_a_new_file_is_a_store_of_the_newest_version(tmp_path: Path) -> None:
    await open_and_close(SqliteStore(tmp_path / NAME))
    assert [path.name for path in tmp_path.iterdir()] == [NAME]
    with closing(sqlite3.connect(tmp_path / NAME)) as sql:
        assert migrate.version_of(sql) == len(list(Path(str(migrate.MIGRATIONS)).glob("*.sql")))
        assert sql.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


async def test_an_empty_file_is_not_taken_for_a_new_store(tmp_path: Path) -> None:
    """It may be what a failed copy has left of a store."""
    path = tmp_path / NAME
    path.touch()
    with pytest.raises(Unusable, match="expected a store of Zashiki, found an empty file"):
        await open_and_close(SqliteStore(path))
    assert path.read_bytes() == b""
    path.unlink()
    with closing(sqlite3.connect(path)) as sql:
        sql.execute("PRAGMA journal_mode = WAL")
    with pytest.raises(Unusable, match="found an empty file"):
        await open_and_close(SqliteStore(path))


async def test_a_log_without_its_file_is_not_given_to_a_new_store(tmp_path: Path) -> None:
    path, log = tmp_path / NAME, tmp_path / f"{NAME}-wal"
    log.write_bytes(b"pages")
    with pytest.raises(Unusable, match=f"expected a store beside {NAME}-wal, found none"):
        await open_and_close(SqliteStore(path))
    assert [log] == list(tmp_path.iterdir())


async def test_a_file_system_without_links_has_stores_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "link", refuse)
    await open_and_close(SqliteStore(tmp_path / NAME))
    assert [path.name for path in tmp_path.iterdir()] == [NAME]


async def test_a_database_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / NAME)
    async with opened(store):
        commits = store.commits
        await store.check_writable()
        assert store.commits == commits + 1
        await store._write(lambda sql: sql.execute("PRAGMA query_only = ON"))
        with pytest.raises(MaybeWritten, match="readonly"):
            await store.check_writable()


async def test_a_newer_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / NAME
    await open_and_close(SqliteStore(path))
    with closing(sqlite3.connect(path)) as sql:
        sql.execute("PRAGMA user_version = 99")
    before = set(threading.enumerate())
    with pytest.raises(Unusable, match="version 99, written by a newer Zashiki"):
        await open_and_close(SqliteStore(path))
    assert set(threading.enumerate()) == before


async def test_what_is_no_database_is_refused_and_kept(tmp_path: Path) -> None:
    path = tmp_path / NAME
    path.write_text("a diary of a thousand days\n" * 100)
    with pytest.raises(Unusable, match="not a database"):
        await open_and_close(SqliteStore(path))
    assert path.read_text().startswith("a diary")
    with pytest.raises(Unusable, match="cannot be used as a store"):
        await open_and_close(SqliteStore(tmp_path))


async def test_somebody_elses_database_is_refused_and_kept(tmp_path: Path) -> None:
    path = tmp_path / NAME
    with closing(sqlite3.connect(path)) as sql:
        sql.execute("CREATE TABLE diary (day)")
    with pytest.raises(
        Unusable, match="expected a store of Zashiki, found tables of another program"
    ):
        await open_and_close(SqliteStore(path))
    with closing(sqlite3.connect(path)) as sql:
        assert sql.execute("SELECT name FROM sqlite_master").fetchall() == [("diary",)]


def test_migrations_are_taken_one_by_one_and_each_wholly(tmp_path: Path) -> None:
    steps = tmp_path / "steps"
    steps.mkdir()
    (steps / "0001.sql").write_text("CREATE TABLE a (x);\nINSERT INTO a VALUES (';');\n")
    path = tmp_path / NAME
    migrate.prepare(path, steps).close()
    (steps / "0002.sql").write_text("INSERT INTO a VALUES (2);\n")
    (steps / "0003.sql").write_text("INSERT INTO a VALUES (3);\nINSERT INTO nowhere VALUES (3);\n")
    with pytest.raises(Unusable, match="nowhere"):
        migrate.prepare(path, steps)
    with closing(sqlite3.connect(path)) as sql:
        assert migrate.version_of(sql) == 2
        assert sql.execute("SELECT x FROM a").fetchall() == [(";",), (2,)]
    (steps / "0003.sql").write_text("INSERT INTO a\n  VALUES (3) -- the end, without a semicolon")
    with closing(migrate.prepare(path, steps)) as sql:
        assert migrate.version_of(sql) == 3
        assert sql.execute("SELECT count(*) FROM a").fetchone() == (3,)


async def test_two_who_open_an_empty_store_at_once_both_do(tmp_path: Path) -> None:
    stores = [SqliteStore(tmp_path / NAME) for _ in range(2)]
    await asyncio.gather(*(store.open() for store in stores))
    await stores[0].add_player(player("ann"))
    await stores[1].add_table(table("t"))
    assert await stores[0].table("t") == table("t")
    for store in stores:
        await store.close()


async def test_an_old_sqlite_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 36, 0))
    with pytest.raises(Unusable, match=r"expected SQLite 3\.37 or newer, found"):
        await open_and_close(SqliteStore(tmp_path / NAME))
    assert list(tmp_path.iterdir()) == []


async def test_what_is_asked_often_is_found_by_an_index(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / NAME)
    await open_and_close(store)
    often = [
        "SELECT facts FROM entries WHERE \"match\" = '' AND n > 3 ORDER BY n",
        "SELECT max(n) FROM entries WHERE \"match\" = ''",
        "SELECT player FROM form_ratings WHERE game = '' AND form = '' AND seats = 3"
        " AND rivals = 'bots'"
        " ORDER BY mu - 3 * sigma DESC LIMIT 5",
        "SELECT \"match\" FROM sittings WHERE player = '' AND started < 9"
        ' ORDER BY started DESC, "match" DESC LIMIT 5',
        "SELECT id FROM matches WHERE ended IS NULL ORDER BY started",
        "SELECT id FROM tables WHERE state = 'open' AND updated < 9",
    ]
    with closing(sqlite3.connect(store.path)) as sql:
        for statement in often:
            plan = str(sql.execute(f"EXPLAIN QUERY PLAN {statement}").fetchall())
            assert "INDEX" in plan or "PRIMARY KEY" in plan, plan
            assert "TEMP B-TREE" not in plan, plan


async def test_a_change_costs_the_same_however_much_is_kept(tmp_path: Path) -> None:
    """A change of a row does not search for its references."""

    async def steps(store: SqliteStore, work: Awaitable[None]) -> int:
        taken: Counter[str] = Counter()
        sql = store._open_writer()._connection
        sql.set_progress_handler(lambda: taken.update(["step"]), 1)
        await work
        sql.set_progress_handler(None, 1)
        return taken["step"]

    async def changes(store: SqliteStore, version: int) -> tuple[int, int]:
        return (
            await steps(store, store.change_table(table("t", version))),
            await steps(store, store.change_player(player("ann"))),
        )

    async with opened(SqliteStore(tmp_path / NAME)) as store:
        assert isinstance(store, SqliteStore)
        await began(store, "first")
        few = await changes(store, 2)
        for number in range(200):
            id = f"more-{number}"
            await store.add_table(table(id))
            playing = replace(table(id, 1), state="playing", match=id)
            await store.begin_match(match(id, id), set_up(id), playing)
        assert await changes(store, 3) == few


def test_no_other_server_shares_a_file(tmp_path: Path) -> None:
    assert SqliteStore(tmp_path / "zashiki.db").coordination is None
