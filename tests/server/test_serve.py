"""A server as an operator starts and stops it: its errors, its output, and its end."""

import errno
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TextIO
from unittest.mock import patch

import httpx
import pytest

from tests.server.databases import Databases
from tests.server.forked import ForkedProcess
from tests.server.postgres import Cluster
from tests.server.server_process import RUN, ServerProcess
from tests.server.stores import started
from tests.server.waits import TIMEOUT, wait_until
from zashiki.server.settings import KEY_VARIABLE, STORE_VARIABLE
from zashiki.server.store.errors import Unusable
from zashiki.server.store.factory import NAME
from zashiki.server.store.sqlite.lock import sole_server

KEYS = ("a" * 64, "b" * 64)


@pytest.fixture
def database() -> Databases:
    return started()


def started_server(
    folder: Path, options: Sequence[str], settings: Mapping[str, str], errors: TextIO
) -> ForkedProcess:
    """Start a server on any free port, with these environment variables and error stream."""
    arguments = ["serve", "--data", str(folder), "--port", "0", *options]
    return ForkedProcess(arguments, {**os.environ, **settings}, errors.fileno())


def refusal(folder: Path, **settings: str) -> str:
    """Return the one line with which a start is refused."""
    with tempfile.TemporaryFile("w+") as errors:
        process = started_server(folder, ["--bots", "0"], settings, errors)
        status, output = process.wait(TIMEOUT), process.stdout.read()
        process.stdout.close()
        errors.seek(0)
        written = errors.read()
    assert (status, output) == (2, ""), written
    *logged, said = written.splitlines()
    assert all(json.loads(line)["event"] == "store" for line in logged)
    assert said.startswith("zashiki: ")
    return said


class Logged(ServerProcess):
    """A server whose log is kept."""

    def __init__(self, folder: Path, *options: str, **settings: str) -> None:
        super().__init__(folder, *(options or ("--bots", "0", "--drain", "0")), settings=settings)
        self.kept = folder.with_name(f"{folder.name}.log")

    def start(self) -> None:
        with self.kept.open("w") as log:
            self.process = started_server(self.folder, self.options, self.settings or {}, log)
        self.port = int(self.process.stdout.readline().rpartition(":")[2])

    def events(self, name: str) -> list[dict[str, Any]]:
        lines = map(json.loads, self.kept.read_text().splitlines())
        return [line for line in lines if line["event"] == name]

    def outages(self) -> list[dict[str, Any]]:
        """Return the events that the database was lost and is back, in order. On a busy machine the
        server may also log that it waits."""
        found = [event for event in self.events("store") if event.get("code") != "waiting"]
        assert all(event["level"] == "error" for event in found[0::2])
        assert all(event.get("code") == "back" for event in found[1::2])
        return found

    def is_cut_off(self) -> bool:
        return len(self.outages()) % 2 == 1

    def metric(self, name: str) -> float:
        lines = httpx.get(f"{self.url}/metrics", timeout=TIMEOUT).text.splitlines()
        return float(next(line for line in lines if line.startswith(f"{name} ")).split()[1])


@contextmanager
def running(*servers: Logged) -> Iterator[None]:
    try:
        for server in servers:
            server.start()
        yield
    finally:
        for server in servers:
            if server.process is not None:
                server.kill()


# Refused starts --------------------------------------------------------------------------------


def test_a_database_that_cannot_be_used_is_said_in_a_line(
    database: Databases, tmp_path: Path
) -> None:
    url = database.new()
    refused = {
        url.replace(database.password, "wrong-word"): "password authentication failed",
        database.url("nowhere"): "does not exist",
        "postgresql://": "cannot be read: expected",
    }
    for setting, why in refused.items():
        said = refusal(tmp_path, **{STORE_VARIABLE: setting})
        assert why in said
        assert database.password not in said
        assert "wrong-word" not in said


def test_a_newer_database_is_said_in_a_line(database: Databases, tmp_path: Path) -> None:
    url = database.new()
    newer = "INSERT INTO migrations (number, name) VALUES (99, 'contract_all')"
    database.ask(newer, url.rpartition("/")[2])
    assert "written by a newer Zashiki" in refusal(tmp_path, **{STORE_VARIABLE: url})


def test_a_file_that_cannot_be_used_is_said_in_a_line(tmp_path: Path) -> None:
    file = tmp_path / NAME
    file.write_bytes(os.urandom(5000))
    assert "cannot be used as a store" in refusal(tmp_path)
    file.unlink()
    with closing(sqlite3.connect(file)) as sql:
        sql.execute("PRAGMA user_version = 99")
    assert "written by a newer Zashiki" in refusal(tmp_path)
    for folder in (file, file / "new"):
        assert f"--data {folder}: expected a folder, found a file" in refusal(folder)
    assert "zashiki: ZASHIKI_KEY: expected" in refusal(tmp_path / "new", ZASHIKI_KEY="abc")


def test_one_server_at_a_time_has_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    one, two = Logged(folder), Logged(folder)
    with running(one):
        assert "another server uses this" in refusal(folder)
        one.kill()
        with running(two):
            assert httpx.get(f"{two.url}/health", timeout=TIMEOUT).status_code == 200
            link = tmp_path / "link"
            link.mkdir()
            (link / NAME).symlink_to(folder / NAME)
            assert "another server uses this" in refusal(link)


def test_a_file_system_without_locks_is_said(tmp_path: Path) -> None:
    said = OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))
    with (
        patch("zashiki.server.store.sqlite.lock.take", side_effect=said),
        pytest.raises(Unusable, match="it cannot be locked: No locks available"),
        sole_server(tmp_path / NAME),
    ):
        pass


def test_servers_with_another_key_do_not_share_a_store(database: Databases, tmp_path: Path) -> None:
    settings = {STORE_VARIABLE: database.new(), KEY_VARIABLE: KEYS[0]}
    one, two = Logged(tmp_path / "1", **settings), Logged(tmp_path / "2", **settings)
    with running(one, two):
        other = settings | {KEY_VARIABLE: KEYS[1]}
        said = refusal(tmp_path / "3", **other)
        assert "ZASHIKI_KEY: other servers that share this store have another key" in said
        assert one.end() == two.end() == 0
        with running(changed := Logged(tmp_path / "4", **other)):
            assert httpx.get(f"{changed.url}/health", timeout=TIMEOUT).status_code == 200
            brief = httpx.head(f"{changed.url}/health", timeout=TIMEOUT)
            assert (brief.status_code, brief.content) == (200, b"")


# A database that goes away ---------------------------------------------------------------------


def test_an_outage_is_written_down_once_and_counted(
    killable_postgres: Cluster, tmp_path: Path
) -> None:
    server = Logged(tmp_path / "data", **{STORE_VARIABLE: killable_postgres.new()})
    with running(server):
        wait_until(lambda: not server.is_cut_off())
        faults = server.metric("zashiki_store_faults_total")
        killable_postgres.kill()
        wait_until(server.is_cut_off)
        before = server.outages()
        for _ in range(2):
            answer = httpx.post(
                f"{server.url}/api/guest",
                json={"name": "Aki"},
                headers={"X-Zashiki": "1"},
                timeout=TIMEOUT,
            )
            assert answer.status_code == 503
            assert answer.json()["code"] == "busy"
            assert "the database cannot be reached" in answer.json()["text"]
        assert server.metric("zashiki_store_faults_total") >= faults + 3
        assert server.outages() == before, "others who meet it write nothing down"
        assert (before[-1]["level"], before[-1]["fault"]) == ("error", "Away")
        killable_postgres.start()
        wait_until(lambda: not server.is_cut_off())
        back = server.outages()[len(before)]
        assert (back["level"], back["code"]) == ("warning", "back")


def test_a_server_that_waits_for_its_database_says_so(
    killable_postgres: Cluster, tmp_path: Path
) -> None:
    url = killable_postgres.new()
    killable_postgres.stop()
    with (tmp_path / "log").open("w+") as log:
        options = ["serve", "--data", str(tmp_path), "--port", "0", "--bots", "0"]
        process = subprocess.Popen(
            [sys.executable, "-c", RUN, *options],
            env={**os.environ, STORE_VARIABLE: url}, stderr=log, text=True,
        )  # fmt: skip
        wait_until(lambda: bool((tmp_path / "log").read_text()))
        time.sleep(2)
        process.send_signal(signal.SIGTERM)
        assert process.wait(TIMEOUT) == 0, "told to stop, it does not wait on"
    line, last = map(json.loads, (tmp_path / "log").read_text().splitlines())
    assert (line["event"], line["code"]) == ("store", "waiting")
    assert last["event"] == "stopped"


# A stop ----------------------------------------------------------------------------------------


def test_a_stop_is_announced_and_is_no_death(database: Databases, tmp_path: Path) -> None:
    settings = {STORE_VARIABLE: database.new(), KEY_VARIABLE: KEYS[0]}
    options = ("--bots", "0", "--drain", str(2 * TIMEOUT))
    one, two = (Logged(tmp_path / name, *options, **settings) for name in "12")
    three = Logged(tmp_path / "3", *options, **settings)
    with running(one, two, three):
        assert one.process is not None
        one.process.send_signal(signal.SIGTERM)
        wait_until(lambda: httpx.get(f"{one.url}/health", timeout=TIMEOUT).status_code == 503)
        assert httpx.get(f"{one.url}/health", timeout=TIMEOUT).json()["code"] == "stopping"
        assert one.metric("zashiki_draining") == 1
        assert httpx.get(f"{one.url}/api/games", timeout=TIMEOUT).status_code == 200
        one.process.send_signal(signal.SIGTERM)  # a second signal stops it at once
        assert one.process.wait(TIMEOUT) == 0
        two.kill()
        wait_until(lambda: bool(three.events("server-lost")))
        (served,) = two.events("serving")
        lost = [*two.events("server-lost"), *three.events("server-lost")]
        assert {event["server"] for event in lost} == {served["server"]}, "and not the first"
        story = [one.events(name) for name in ("serving", "draining", "stopped")]
        assert [len(events) for events in story] == [1, 1, 1]
        assert len({event["server"] for (event,) in story}) == 1
        assert served["store"].startswith("postgresql://")
        assert database.password not in str(story)
