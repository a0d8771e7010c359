"""One seat played by a bot, against a server that makes every possible mistake."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest
from websockets.asyncio.server import ServerConnection, serve

from tests.server.streams import FACT, stream
from tests.server.waits import TIMEOUT
from zashiki.core.bot import Bot
from zashiki.games import catalogue
from zashiki.server.accounts.tickets import Tickets
from zashiki.server.bots import seat_client
from zashiki.server.bots.dispatcher import BotDispatcher
from zashiki.server.bots.seat_client import SeatClient
from zashiki.server.bots.thread import BotThread
from zashiki.server.bots.worker import Worker
from zashiki.server.bots.worker_link import worker_token
from zashiki.server.protocol import frames, rest
from zashiki.server.protocol.workers import Offering, Release, SeatOrder, Serve
from zashiki.server.system import System
from zashiki.server.tables.live import LiveTable
from zashiki.server.tables.match import LiveMatch, create_match
from zashiki.server.tables.registry import TableRegistry

GAME = "kamiza-second"
SEATS = 3
OPTIONS = catalogue()[GAME].check_options(None, SEATS)
SEED = bytes(32)
CHAT: list[frames.Chatted] = []


def new_match() -> tuple[LiveMatch, int]:
    """A match, and the seat that begins."""
    live, _ = create_match(catalogue()[GAME], SEATS, OPTIONS, SEED, SEED, (), ())
    return live, min(live.match.to_act)


def table(match: str = "match") -> rest.Table:
    seats = [rest.Seat("bot") for _ in range(SEATS)]
    return rest.Table("table", GAME, OPTIONS, "host", "playing", True, "live", seats, match)


def news(live: LiveMatch, seat: int, after: int = 0, over: bool = False) -> frames.Told:
    facts = live.own[seat]
    known = facts.known(after)
    told = stream(live, "all", after - known)
    public = frames.PublicNews(told, sorted(live.match.to_act), over, None)
    mine = [FACT.decode(fact) for fact in facts.facts[known:]]
    at = [place - after for place in facts.at[known:]]
    legal = list(live.match.legal(seat))
    return frames.Told(after + 1, public, frames.OwnNews(mine, at, live.decision(seat), legal))


class Script:
    """A server that follows a test's script."""

    def __init__(self, socket: ServerConnection) -> None:
        self.socket = socket

    async def send(self, *frames: frames.News) -> None:
        for frame in frames:
            await self.socket.send(msgspec.json.encode(frame).decode())

    async def read(self) -> Any:
        return msgspec.json.decode(await asyncio.wait_for(self.socket.recv(), TIMEOUT))


Scene = Callable[[Script], Awaitable[None]]


async def played(scenes: list[Scene], seat: int, pace: float = 0.0) -> SeatClient:
    """Run a client through one scene per connection."""
    left = iter(scenes)
    failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def answer(socket: ServerConnection) -> None:
        try:
            await next(left)(Script(socket))
        except BaseException as fault:
            failed.set_exception(AssertionError(f"the scene failed: {fault!r}"))
            raise

    async def ticket() -> str:
        return "ticket"

    with BotThread() as thread:
        async with serve(answer, "127.0.0.1", 0) as server, asyncio.timeout(TIMEOUT):
            port = next(iter(server.sockets)).getsockname()[1]
            url = f"ws://127.0.0.1:{port}/api/tables/table/socket"
            client = SeatClient(url, seat, "greedy", ticket, thread.lane(), pace, 0.2)
            playing = asyncio.create_task(client.play())
            await asyncio.wait({playing, failed}, return_when=asyncio.FIRST_COMPLETED)
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)
            if failed.done():
                failed.result()
    assert next(left, None) is None
    return client


async def test_the_same_decision_is_sent_again_after_a_loss() -> None:
    live, seat = new_match()
    facts = len(stream(live, seat))
    sent: list[Any] = []

    async def cut_off(script: Script) -> None:
        assert await script.read() == {
            "do": "hello",
            "have": 0,
            "views": False,
            "language": None,
            "version": 2,
        }
        await script.send(frames.Welcome(table(), seat, CHAT), news(live, seat))
        sent.append(await script.read())

    async def come_back(script: Script) -> None:
        assert (await script.read())["have"] == facts
        await script.send(frames.Welcome(table(), seat, CHAT), news(live, seat, facts))
        sent.append(await script.read())
        wait = rest.Fault("too-many", "that is too often", {"retry_after": 0})
        await script.send(frames.Answer(sent[0]["key"], False, wait))
        sent.append(await script.read())
        await script.send(news(live, seat, facts, over=True))

    client = await played([cut_off, come_back], seat)
    assert sent[0] == sent[1] == sent[2]
    assert sent[0]["action"] in live.match.legal(seat)
    assert sent[0]["decision"] == 1
    assert client.faults == 0


async def test_news_of_others_do_not_make_it_decide_again() -> None:
    live, seat = new_match()

    async def scene(script: Script) -> None:
        await script.read()
        told = news(live, seat)
        await script.send(frames.Welcome(table(), seat, CHAT), told)
        again = news(live, seat, len(told.facts()))
        await script.send(again, again)
        first = await script.read()
        await script.send(again, frames.Answer(first["key"], True))
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(script.read(), 0.2)
        await script.send(frames.Bye("released", "this seat is not yours any more", False))

    await played([scene], seat, 0.05)


async def test_another_match_begins_from_nothing() -> None:
    live, seat = new_match()

    async def first(script: Script) -> None:
        await script.read()
        await script.send(frames.Welcome(table(), seat, CHAT), news(live, seat))
        await script.read()
        await script.send(frames.Changed(table("another")))

    async def second(script: Script) -> None:
        assert (await script.read())["have"] == 0
        await script.send(frames.Welcome(table("another"), seat, CHAT), news(live, seat))
        assert (await script.read())["action"] in live.match.legal(seat)
        await script.send(news(live, seat, over=True))

    await played([first, second], seat)


class Slow:
    """A bot that thinks too long."""

    def choose(self, view: object, legal: list[Any]) -> Any:
        time.sleep(0.4)
        return legal[0]


class Broken:
    """A bot that fails."""

    def choose(self, view: object, legal: list[Any]) -> Any:
        raise RuntimeError("no idea")


@pytest.mark.parametrize("bot", [Slow, Broken])
async def test_a_bot_without_an_answer_takes_any_legal_action(
    bot: type[Bot], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seat_client, "make_bot", lambda *_: bot())
    live, seat = new_match()

    async def scene(script: Script) -> None:
        await script.read()
        await script.send(frames.Welcome(table(), seat, CHAT), news(live, seat))
        assert (await script.read())["action"] in live.match.legal(seat)
        await script.send(news(live, seat, over=True))

    assert (await played([scene], seat)).faults == 1


# The dispatcher --------------------------------------------------------------------------------


class Wanting:
    """A table that needs bots on some seats."""

    def __init__(self, id: str, people: bool = True) -> None:
        self.row = SimpleNamespace(id=id)
        self.doc = SimpleNamespace(game=GAME, people=lambda: self.persons)
        self.persons: set[int] = set()
        """Seats of people, for whom bots may stand in."""
        self.people = people
        self.bots: dict[int, str] = {}

    def bot_seats(self) -> dict[int, str]:
        return dict(self.bots)

    def has_people(self) -> bool:
        return self.people


class Office:
    """A dispatcher, and the orders to its workers."""

    def __init__(self) -> None:
        self.tickets = Tickets(System())
        registry = cast(
            TableRegistry, SimpleNamespace(observe=lambda _: None, tables={}, waiting_for_bots={})
        )
        self.dispatcher = BotDispatcher(registry, self.tickets, System(), "token", 1.5)

    def wants(self, table: Wanting, **bots: str) -> None:
        table.bots = {int(seat.removeprefix("s")): bot for seat, bot in bots.items()}
        self.dispatcher.on_bots_changed(cast(LiveTable, table))


def told(worker: Any) -> list[SeatOrder]:
    orders = []
    while not worker.orders.empty():
        orders.append(worker.orders.get_nowait())
    return orders


def places(orders: list[SeatOrder]) -> list[tuple[type, str, int]]:
    return [(type(order), order.table, order.seat) for order in orders]


def test_seats_are_shared_out_and_taken_back() -> None:
    office, one = Office(), Wanting("one")
    office.wants(one, s1="greedy", s2="random")
    first = office.dispatcher.add_worker(Offering(1))
    second = office.dispatcher.add_worker(Offering(5))
    orders = told(first) + told(second)
    assert places(orders) == [(Serve, "one", 1), (Serve, "one", 2)]
    serve = orders[0]
    assert isinstance(serve, Serve)
    assert (serve.bot, serve.game, serve.pace) == ("greedy", GAME, 1.5)
    ticket = office.tickets.redeem_local(serve.ticket)
    assert ticket is not None
    assert (ticket.player, ticket.table, ticket.seat) == ("bot:greedy", "one", 1)
    office.wants(one, s2="random")
    assert places(told(first)) == [(Release, "one", 1)]
    assert told(second) == []


def test_a_lost_workers_seats_go_to_others_at_once() -> None:
    office, one = Office(), Wanting("one")
    first = office.dispatcher.add_worker(Offering(5))
    office.wants(one, s0="greedy", s1="greedy")
    assert len(told(first)) == 2
    second = office.dispatcher.add_worker(Offering(1))
    office.dispatcher.remove_worker(first)
    assert places(told(second)) == [(Serve, "one", 0)]
    assert list(office.dispatcher.unassigned) == [("one", 1)]
    office.wants(one, s1="greedy")
    assert places(told(second)) == [(Release, "one", 0), (Serve, "one", 1)]
    assert not office.dispatcher.unassigned
    office.wants(one)
    assert not office.dispatcher.assignments
    assert not office.dispatcher.demands


def test_bots_hurry_when_nobody_waits_for_them() -> None:
    office, one = Office(), Wanting("one")
    worker = office.dispatcher.add_worker(Offering(5))
    office.wants(one, s0="greedy")
    told(worker)
    one.people = False
    office.wants(one, s0="greedy", s1="sensible")
    orders = told(worker)
    assert places(orders) == [(Serve, "one", 0), (Serve, "one", 1)]
    assert [order.pace for order in orders if isinstance(order, Serve)] == [0.0, 0.0]


def test_another_ticket_is_for_ones_own_seats() -> None:
    office, one = Office(), Wanting("one")
    first, second = (
        office.dispatcher.add_worker(Offering(1)),
        office.dispatcher.add_worker(Offering(0)),
    )
    office.wants(one, s0="greedy")
    told(first)
    office.dispatcher.send_ticket(first, ("one", 0))
    office.dispatcher.send_ticket(second, ("one", 0))
    assert places(told(first)) == [(Serve, "one", 0)]
    assert places(told(second)) == [(Release, "one", 0)]


def test_a_worker_that_does_not_read_is_let_go() -> None:
    office, one = Office(), Wanting("one")
    worker = office.dispatcher.add_worker(Offering(1))
    for number in range(2000):
        office.wants(one, s0="greedy" if number % 2 else "random")
        if None in list(worker.orders._queue):  # type: ignore[attr-defined]
            return
    pytest.fail("orders wait without end")


def test_the_token_of_workers() -> None:
    dispatcher = Office().dispatcher
    assert dispatcher.is_worker("Bearer token")
    assert dispatcher.is_worker("bearer token")
    for wrong in (None, "", "token", "Bearer", "Bearer tokens", "Basic token", "Bearer \udc80"):
        assert not dispatcher.is_worker(wrong)
    key = bytes(range(32))
    assert worker_token(key) == worker_token(key) != worker_token(bytes(32))
    assert key.hex() not in worker_token(key)


OFFER = {"do": "offer", "seats": 7, "reviews": 1}


async def test_a_worker_leaves_all_seats_when_the_server_is_lost() -> None:
    """Its orders come over one connection: without it no server could take a seat back."""

    async def dispatcher(socket: ServerConnection) -> None:
        if socket.request is not None and "bots" in socket.request.path:
            assert msgspec.json.decode(await socket.recv()) == OFFER
            serve = Serve("table", 0, "ticket", "greedy", GAME, 0.0)
            await socket.send(msgspec.json.encode(serve).decode())
            await sat.wait()
        else:
            sat.set()
            await socket.recv()
            await socket.wait_closed()
            left.set()

    sat, left = asyncio.Event(), asyncio.Event()
    async with serve(dispatcher, "127.0.0.1", 0) as server, asyncio.timeout(TIMEOUT):
        port = next(iter(server.sockets)).getsockname()[1]
        process = Worker(f"http://127.0.0.1:{port}", "token", 7)
        working = asyncio.create_task(process.run())
        await left.wait()
        assert not process.jobs
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)
