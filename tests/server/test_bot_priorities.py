"""Bots at people's tables go first: before stand-ins, floods and workers that offer too much."""

import asyncio
import random
import statistics
import threading
import time
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.asgi_server import AsgiServer
from tests.server.guests import HEADERS, Guest, Talk
from tests.server.server_process import ServerProcess, server_process
from tests.server.test_bot_client import Office, Wanting, places, told
from tests.server.waits import TIMEOUT
from zashiki.bots import make_bot
from zashiki.games import game_spec
from zashiki.server.bots import dispatcher
from zashiki.server.bots.thread import SPARE_THINKING_SECONDS, BotThread, Lane
from zashiki.server.bots.worker_link import worker_token
from zashiki.server.protocol.workers import Offering, Priority, Release, Serve
from zashiki.server.tables import quotas

STAND_IN, PEOPLE, SPARE = Priority


# The thread --------------------------------------------------------------------------------------


def held(lane: Lane) -> threading.Event:
    """Keep the thread busy until the event is set."""
    go_on, begun = threading.Event(), threading.Event()
    lane.submit(begun.set)
    lane.submit(lambda: go_on.wait(TIMEOUT))
    assert begun.wait(TIMEOUT)
    return go_on


def test_the_most_urgent_is_done_first_and_each_seat_in_order() -> None:
    done: list[str] = []
    with BotThread() as thread:
        first = thread.lane(PEOPLE)
        lanes = {name: thread.lane(priority) for name, priority in (
            ("spare", SPARE), ("other", SPARE), ("people", PEOPLE), ("stand-in", STAND_IN),
        )}  # fmt: skip
        go_on = held(first)
        last: list[Future[None]] = []
        for number in range(2):
            for name, lane in lanes.items():
                last.append(lane.submit(lambda text=f"{name} {number}": done.append(text)))  # type: ignore[misc]
        lanes["other"].set_priority(STAND_IN)
        go_on.set()
        for future in last:
            future.result(TIMEOUT)
    assert done == [
        "stand-in 0", "other 0", "stand-in 1", "other 1", "people 0", "people 1", "spare 0",
        "spare 1",
    ]  # fmt: skip


def test_a_search_among_bots_ends_when_somebody_waits() -> None:
    """A master's search stops as soon as a decision for people needs the thread."""
    spec = game_spec("red-town")
    game = spec.rules(4, spec.check_options(None, 4)).game
    match = __import__("zashiki").start("red-town", 4, seed=3)
    seat = min(match.to_act)
    view = match.state.views[seat]
    bot: Any = make_bot("master", spec, game, 1, seconds=20.0)
    with BotThread() as thread:
        spare, people = thread.lane(SPARE), thread.lane(PEOPLE)
        bot.must_stop = spare.is_preempted
        begun = threading.Event()
        legal = game.legal(view)
        assert len(legal) > 1
        spare.submit(begun.set)
        thinking = spare.submit(lambda: bot.choose(view, legal))
        assert begun.wait(TIMEOUT)
        before = time.monotonic()
        people.submit(lambda: None).result(TIMEOUT)
        waited = time.monotonic() - before
        assert thinking.result(TIMEOUT) in legal
    assert waited < 5, "not the twenty seconds that it had"


def test_less_urgent_bots_take_no_thinking_time() -> None:
    with BotThread() as thread:
        lanes = [thread.lane(priority) for priority in (STAND_IN, PEOPLE, *[SPARE] * 98)]
        alone = [lane.thinking_seconds() for lane in lanes[:2]]
        for lane in lanes:
            lane.is_choosing = True
        assert [lane.thinking_seconds() for lane in lanes[:2]] == alone
        assert lanes[-1].thinking_seconds() <= SPARE_THINKING_SECONDS
        lanes[-1].close()
        assert lanes[-1].submit(lambda: None).cancelled()


# The dispatcher ----------------------------------------------------------------------------------


def test_stand_ins_come_before_all_and_people_before_bots() -> None:
    office = Office()
    alone, mixed, away = Wanting("alone", people=False), Wanting("mixed"), Wanting("away")
    away.persons = {2}
    office.wants(alone, s0="greedy", s1="greedy")
    office.wants(mixed, s1="greedy")
    office.wants(away, s1="greedy", s2="regular")
    worker = office.dispatcher.add_worker(Offering(9))
    orders = [order for order in told(worker) if isinstance(order, Serve)]
    assert [(order.table, order.seat, order.priority) for order in orders] == [
        ("away", 2, STAND_IN), ("mixed", 1, PEOPLE), ("away", 1, PEOPLE),
        ("alone", 0, SPARE), ("alone", 1, SPARE),
    ]  # fmt: skip


def test_people_take_the_place_of_bots_among_themselves() -> None:
    office = Office()
    alone, mixed = Wanting("alone", people=False), Wanting("mixed")
    worker = office.dispatcher.add_worker(Offering(2))
    office.wants(alone, s0="greedy", s1="greedy")
    told(worker)
    office.wants(mixed, s1="greedy")
    assert places(told(worker)) == [(Release, "alone", 0), (Serve, "mixed", 1)]
    assert list(office.dispatcher.unassigned) == [("alone", 0)]
    office.wants(mixed)
    assert places(told(worker)) == [(Release, "mixed", 1), (Serve, "alone", 0)]


def test_a_worker_that_offers_too_much_is_not_preferred() -> None:
    office, one = Office(), Wanting("one")
    greedy = office.dispatcher.add_worker(Offering(10**9))
    modest = office.dispatcher.add_worker(Offering(5))
    office.wants(one, s0="greedy", s1="greedy", s2="greedy", s3="greedy")
    assert (len(greedy.assigned), len(modest.assigned)) == (2, 2)


async def test_a_few_tables_of_bots_alone_are_played_at_once() -> None:
    office = Office()
    tables = [Wanting(str(number), people=False) for number in range(6)]
    registry: Any = office.dispatcher.registry
    registry.tables = {table.row.id: table for table in tables}

    async def find(id: str) -> Wanting:
        return registry.tables[id]  # type: ignore[no-any-return]

    registry.find = find
    office.dispatcher.add_worker(Offering(99))
    for table in tables:
        office.wants(table, s0="greedy", s1="greedy")
    most = dispatcher.SPARE_TABLES
    assert list(office.dispatcher.demands) == [str(number) for number in range(most)]
    assert list(registry.waiting_for_bots) == ["4", "5"]
    office.wants(tables[0])
    await asyncio.sleep(0.01)
    assert list(office.dispatcher.demands) == ["1", "2", "3", "4"]
    tables[5].people = True  # a person sits there after all
    office.wants(tables[5], s0="greedy")
    assert "5" in office.dispatcher.demands
    assert not registry.waiting_for_bots


async def test_waiting_tables_of_bots_need_no_memory(server: AsgiServer) -> None:
    """They are loaded again when it is their turn."""
    registry, office = server.services.registry, server.services.dispatcher
    hosts = [await server.guest(f"Host {number}") for number in range(2)]
    chairs = [{"kind": "bot", "bot": "greedy"}] * 3
    wanted = {"game": "kamiza-second", "seats": 3, "chairs": chairs}
    tables = []
    for number in range(6):
        host = hosts[number % 2]
        tables.append((await host.post("/api/tables", wanted, 201))["table"]["id"])
        await host.post(f"/api/tables/{tables[-1]}/start")
    assert list(registry.waiting_for_bots) == tables[4:]
    assert registry.drop_idle() == 2
    assert list(registry.tables) == tables[:4]
    first = registry.tables[tables[0]]
    office.spare.pop(first.row.id)
    office._play_waiting()
    while tables[4] not in office.demands:
        await asyncio.sleep(0.01)


# Limits ------------------------------------------------------------------------------------------


async def test_a_player_and_an_address_have_few_tables_of_bots(server: AsgiServer) -> None:
    chairs = [{"kind": "bot", "bot": "greedy"}] * 2
    alone = {"game": "kingdoms", "seats": 2, "chairs": chairs}
    mixed = {**alone, "chairs": [{"kind": "open"}, chairs[0]]}
    codes = []
    for name in ("Aki", "Ben", "Chie"):
        guest = await server.guest(name, "192.0.2.7")
        for _ in range(quotas.MAX_BOT_TABLES + 1):
            table = (await guest.post("/api/tables", alone, 201))["table"]["id"]
            answer = await guest.client.post(f"/api/tables/{table}/start")
            codes.append(answer.status_code)
    most = quotas.MAX_BOT_TABLES
    assert codes == [200] * most + [429] + [200] * most + [429] + [429] * (most + 1)
    table = (await guest.post("/api/tables", mixed, 201))["table"]["id"]
    await guest.post(f"/api/tables/{table}/start")


# The token ---------------------------------------------------------------------------------------


def test_the_token_of_workers_is_renewed_by_another_series(tmp_path: Path) -> None:
    key = bytes(range(32))
    assert worker_token(key) == worker_token(key, "")
    assert len({worker_token(key, series) for series in ("", "1", "2")}) == 3
    tokens = []
    for more in ((), ("--token-series", "2"), ("--token-series", "2")):
        with server_process(tmp_path, "--bots", "0", *more) as server:
            tokens.append((server.folder / "worker.token").read_text())
            server.end()
    assert tokens[0] != tokens[1] == tokens[2]
    assert (tmp_path / "secret.key").exists()


# A flood and a victim ----------------------------------------------------------------------------


class Victim:
    """A person at a table with bots, who measures how long each bot takes alone to decide."""

    def __init__(self, talk: Talk) -> None:
        self.talk = talk
        self.waits: list[float] = []
        self.choice = random.Random(1)

    async def play(self) -> None:
        """Play until cancelled. Simultaneous decisions are not measured."""
        asked, since = 0, None
        while True:
            frame = await self.talk.until("told")
            now = time.monotonic()
            if since is not None:
                self.waits.append(now - since)
            assert not frame["over"], "a longer match is needed"
            since = now if len(frame["to_act"]) == 1 and frame["decision"] is None else None
            if frame["decision"] is not None and frame["decision"] != asked:
                asked = frame["decision"]
                action = self.choice.choice(frame["legal"])
                await self.talk.send(do="play", key=str(asked), decision=asked, action=action)

    async def next_waits(self, count: int, playing: asyncio.Task[None]) -> list[float]:
        """Return how long the next `count` decisions take, in seconds."""
        first = len(self.waits)
        while len(self.waits) < first + count:
            assert not playing.done(), playing
            await asyncio.sleep(0.05)
        return self.waits[first : first + count]


async def flood(server: ServerProcess, address: int) -> tuple[int, int]:
    """Start as many tables of bots as one address can; return the started and the tried."""
    transport = httpx.AsyncHTTPTransport(local_address=f"127.0.0.{address}")
    started = tried = 0
    for name in ("One", "Two"):
        guest = Guest(server, name)
        guest.client = httpx.AsyncClient(
            base_url=server.url, headers=HEADERS, timeout=TIMEOUT, transport=transport
        )
        await guest.come()
        chairs = [{"kind": "bot", "bot": "master"}] * 5
        wanted = {"game": "red-town", "seats": 5, "chairs": chairs, "public": False}
        for _ in range(6):
            table = (await guest.post("/api/tables", wanted))["table"]["id"]
            answer = await guest.client.post(f"/api/tables/{table}/start")
            started, tried = started + (answer.status_code == 200), tried + 1
    return started, tried


@pytest.mark.skipif(not Path("/proc").exists(), reason="127.0.0.2 is this machine on Linux only")
async def test_a_flood_of_bots_does_not_slow_down_the_bots_of_people(tmp_path: Path) -> None:
    """Bots' decision times before and during the flood are compared within one run."""
    with server_process(tmp_path, "--bots", "1", "--bot-pace", "0.4") as server:
        guest = await Guest(server, "Victim").come()
        chairs = [{"kind": "open"}, *[{"kind": "bot", "bot": "regular"}] * 4]
        wanted = {"game": "red-town", "seats": 5, "chairs": chairs}
        table = (await guest.post("/api/tables", wanted))["table"]["id"]
        async with asyncio.timeout(3 * TIMEOUT), guest.socket(table) as talk:
            await guest.post(f"/api/tables/{table}/start")
            await talk.send(do="ready", key="ready")
            victim = Victim(talk)
            playing = asyncio.create_task(victim.play())
            try:
                usual = await victim.next_waits(20, playing)
                floods = await asyncio.gather(*(flood(server, address) for address in range(2, 7)))
                assert floods == [(8, 12)] * 5, "what is allowed"
                during = await victim.next_waits(20, playing)
            finally:
                playing.cancel()
        await guest.client.aclose()
    told = f"usual {statistics.median(usual):.2f} s, during {statistics.median(during):.2f} s"
    print(f"{told}, longest {max(usual):.2f} and {max(during):.2f} s")
    assert statistics.median(during) <= 2 * statistics.median(usual)
    assert sorted(during)[-3] <= 2 * max(usual)
