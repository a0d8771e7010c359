"""The operator's view: logs and metrics, without private data in them."""

import asyncio
import json
import logging
import re
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, cast

import httpx
import prometheus_client
import pytest
from prometheus_client import CollectorRegistry, generate_latest

from tests.server.asgi_server import HOST, AsgiServer
from tests.server.guests import Guest
from tests.server.in_process_server import in_process_server
from tests.server.waits import TIMEOUT
from zashiki.server.app import make_app
from zashiki.server.ops import logs, metrics, outage
from zashiki.server.protocol.workers import Offering
from zashiki.server.settings import Settings
from zashiki.server.store.errors import MaybeWritten
from zashiki.server.store.sqlite.store import SqliteStore
from zashiki.server.tables import chat, dealing

SECRET = "a secret that nobody may read"


def test_a_log_is_a_line_of_json() -> None:
    record = logging.LogRecord("zashiki", logging.INFO, "x.py", 1, "opened", (), None)
    record.table = "abc"
    record.token = SECRET
    line = json.loads(logs.JsonLines().format(record))
    assert (line["event"], line["level"], line["table"]) == ("opened", "info", "abc")
    assert SECRET not in str(line)


def test_a_fault_is_told_without_its_text() -> None:
    try:
        raise ValueError(SECRET)
    except ValueError as fault:
        record = logging.LogRecord(
            "uvicorn.error", logging.ERROR, "x.py", 1, SECRET, (), (ValueError, fault, None)
        )
    line = json.loads(logs.JsonLines().format(record))
    assert line["fault"] == "ValueError"
    assert SECRET not in str(line)


def test_only_listed_fields_are_taken() -> None:
    with pytest.raises(TypeError, match="token"):
        logs.log(logging.INFO, "opened", token=SECRET)


def test_plain_numbers_are_shown_as_prometheus_shows_its_own() -> None:
    ours, theirs, labels = CollectorRegistry(), CollectorRegistry(), ["do", "outcome"]
    counter = metrics.Counter("a_commands", "Commands", labels, ours)
    histogram = metrics.Histogram("a_seconds", "Seconds", ["do"], ours)
    unlabelled = metrics.Histogram("a_commit_seconds", "Commits", registry=ours)
    metrics.Counter("a_faults", "Faults", registry=ours)
    made = partial(prometheus_client.Histogram, buckets=metrics.BUCKETS_SECONDS, registry=theirs)
    commands = prometheus_client.Counter("a_commands", "Commands", labels, registry=theirs)
    seconds, commits = made("a_seconds", "Seconds", ["do"]), made("a_commit_seconds", "Commits")
    prometheus_client.Counter("a_faults", "Faults", registry=theirs)
    for value in (0.0, 0.001, 0.0011, 0.5, 5, 5.1, 1e9):
        counter.add("play", "ok")
        commands.labels("play", "ok").inc()
        histogram.observe(value, "play")
        seconds.labels("play").observe(value)
        unlabelled.observe(value)
        commits.observe(value)
    counter.add("say", 'a "quoted" one')
    commands.labels("say", 'a "quoted" one').inc()
    found, expected = (
        re.sub(r"(_created.*) \S+\n", r"\1 then\n", generate_latest(one).decode())
        for one in (ours, theirs)
    )
    assert found == expected


async def test_health_and_numbers(tmp_path: Path) -> None:
    async with (
        in_process_server(tmp_path) as server,
        httpx.AsyncClient(base_url=server.url) as here,
        asyncio.timeout(TIMEOUT),
    ):
        host, other = await Guest(server, "Host").come(), await Guest(server, "Other").come()
        table = (await host.post("/api/tables", {"game": "kingdoms", "seats": 2}))["table"]["id"]
        await other.post(f"/api/tables/{table}/sit", {"seat": 1})
        await host.post(f"/api/tables/{table}/start")
        async with host.socket(table) as mine, other.socket(table) as theirs:
            for talk in (theirs, mine):
                assert (await talk.answered("r", do="ready"))["ok"]
            told = await mine.until("told")
            play = {"do": "play", "decision": 1, "action": told["legal"][0]}
            assert (await mine.answered("p", **play))["ok"]
            assert not (await mine.answered("q", **play))["ok"]
            answer = await here.get("/metrics")
            assert answer.headers["content-type"].startswith("text/plain")
            lines = answer.text.splitlines()
            assert 'zashiki_tables{state="playing"} 1.0' in lines
            assert "zashiki_sockets 2.0" in lines
            assert any(line.startswith('zashiki_commands_total{do="play",outcome="ok"}')
                       for line in lines)  # fmt: skip
            assert any('outcome="stale"' in line for line in lines)
            assert any(line.startswith("zashiki_commit_seconds_bucket") for line in lines)
            assert "zashiki_store_waiting 0.0" in lines
            for private in (table, host.id, "Host", told["legal"][0]):
                assert private not in answer.text
        forwarded = {"X-Forwarded-For": "203.0.113.7"}
        assert (await here.get("/metrics", headers=forwarded)).status_code == 403
        assert (await here.get("/status", headers=forwarded)).status_code == 403
        page = await here.get("/status")
        assert page.headers["content-type"].startswith("text/html")
        assert "<th scope=row>playing</th><td>1</td>" in page.text
        assert "<th scope=row>decisions of people since the start</th>" in page.text
        for private in (table, host.id, "Host"):
            assert private not in page.text
        assert (await here.get("/status.css")).status_code == 200
        assert await host.get("/health") == {"status": "ok", "store": "ok", "bots": "none"}
        await host.client.aclose()
        await other.client.aclose()


async def test_health_says_whether_a_worker_has_joined(server: AsgiServer) -> None:
    """It is not enough that the server has started one."""
    nobody, dispatcher = server.api_client(), server.services.dispatcher
    assert dispatcher.has_own_workers
    assert (await nobody.get("/health"))["bots"] == "none"
    worker = dispatcher.add_worker(Offering(seats=1))
    assert (await nobody.get("/health"))["bots"] == "ok"
    dispatcher.remove_worker(worker)
    assert (await nobody.get("/health"))["bots"] == "none"


async def test_health_fails_when_nothing_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Although everything can be read: the disk may be full."""
    monkeypatch.setattr(outage, "PROBE_SECONDS", 0.0)
    store = SqliteStore(tmp_path / "zashiki.db")
    app = make_app(Settings(tmp_path), store)
    transport = httpx.ASGITransport(cast("Any", app))
    async with app.lifespan(), httpx.AsyncClient(transport=transport, base_url=HOST) as nobody:
        assert (await nobody.get("/health")).status_code == 200
        with suppress(MaybeWritten):  # another write may share the transaction
            await store._write(lambda sql: sql.execute("PRAGMA query_only = ON"))
        answer = await nobody.get("/health")
        assert (answer.status_code, answer.json()["code"]) == (503, "store")
        assert answer.json()["text"] == "the database cannot be written"
        assert (await nobody.head("/health")).status_code == 503
        assert (await nobody.get("/api/tables")).status_code == 200


async def test_a_probe_is_not_made_for_everyone_who_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[bool] = []

    async def attempt() -> None:
        tried.append(True)
        if len(tried) > 1:
            await asyncio.sleep(TIMEOUT)

    probe = outage.Probe(attempt)
    assert all(await asyncio.gather(*(probe.succeeds() for _ in range(10))))
    assert len(tried) == 1
    monkeypatch.setattr(outage, "PROBE_TIMEOUT_SECONDS", 0.01)
    monkeypatch.setattr(probe, "_valid_until", 0.0)
    assert not await probe.succeeds()
    assert not await probe.succeeds()
    assert len(tried) == 2


async def test_a_server_that_is_about_to_stop_opens_no_table(server: AsgiServer) -> None:
    aki = await server.guest("Aki")
    server.services.registry.is_draining = True
    wanted = {"game": "kingdoms", "seats": 2}
    assert (await aki.post("/api/tables", wanted, 503))["code"] == "stopping"
    assert (await aki.get("/health", 503))["code"] == "stopping"


async def test_a_fault_of_ours_is_answered_and_written_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    async def fail(*_: object) -> None:
        raise KeyError(SECRET)

    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        host = await Guest(server, "Host").come()
        wanted = {"game": "kingdoms", "seats": 2}
        table = (await host.post("/api/tables", wanted))["table"]["id"]
        monkeypatch.setattr(chat, "say", fail)
        monkeypatch.setattr(dealing, "start", fail)
        async with host.socket(table) as talk:
            answer = await talk.answered("c", do="say", text="x")
            assert answer["fault"]["code"] == "broken"
            assert SECRET not in str(answer)
        refused: httpx.Response = await host.client.post(f"/api/tables/{table}/start")
        assert refused.status_code == 500
        assert refused.json()["code"] == "broken"
        await host.client.aclose()
    written = capfd.readouterr().err
    events = [json.loads(line) for line in written.splitlines() if line.startswith("{")]
    assert [event["fault"] for event in events if event["event"] == "broken"] == ["KeyError"] * 2
    assert SECRET not in written


async def test_what_happens_every_day_is_written_down_by_ids(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        host, other = await Guest(server, "Tsukiko").come(), await Guest(server, "Hoshio").come()
        wanted = {"game": "kingdoms", "seats": 2}
        table = (await host.post("/api/tables", wanted))["table"]["id"]
        await other.post(f"/api/tables/{table}/sit", {"seat": 1})
        await host.post(f"/api/tables/{table}/start")
        async with host.socket(table) as mine, other.socket(table) as theirs:
            for talk in (theirs, mine):
                assert (await talk.answered("r", do="ready"))["ok"]
            told = await mine.until("told")
            play = {"do": "play", "decision": 1, "action": told["legal"][0]}
            assert (await mine.answered("p", **play))["ok"]
            assert (await theirs.answered("g", do="resign"))["ok"]
        await host.client.aclose()
        await other.client.aclose()
    lines = [line for line in capfd.readouterr().err.splitlines() if line.startswith("{")]
    if json.loads(lines[0])["event"] == "store":  # a busy database is waited for
        del lines[0]
    assert json.loads(lines.pop(0))["event"] == "serving"
    written, events = "\n".join(lines), [json.loads(line) for line in lines]
    happened = [event["event"] for event in events]
    assert happened == ["came", "came", "opened", "started", "resigned"]
    assert events[0]["kind"] == "guest"
    assert events[4]["seat"] == 1
    assert events[3]["match"] == events[4]["match"]
    for private in ("Tsukiko", "Hoshio", "127.0.0.1", "draft"):
        assert private not in written
