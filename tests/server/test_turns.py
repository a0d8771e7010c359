"""The queue of a table: one command at a time, in order, even if writes or clients fail."""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
import pytest
from msgspec.structs import replace

from tests.server.asgi_server import ApiClient, AsgiServer, asgi_server, busy, seated
from tests.server.guests import Guest
from tests.server.in_process_server import in_process_server
from tests.server.store_conformance import appended
from tests.server.test_clocks import owing
from tests.server.test_resource_limits import slow
from tests.server.waits import TIMEOUT, until
from zashiki.core.record import tells
from zashiki.server.errors import ApiError
from zashiki.server.ops.metrics import RETRIES
from zashiki.server.protocol import frames
from zashiki.server.store.errors import Busy, CommitUnanswered, Conflict, MaybeWritten
from zashiki.server.store.group_commit import Done
from zashiki.server.store.protocol import Store
from zashiki.server.store.rows import EntryRow
from zashiki.server.tables import commands as on
from zashiki.server.tables.connection import Connection
from zashiki.server.tables.handler import MAX_TRIES, handle, submit
from zashiki.server.tables.live import LiveTable
from zashiki.server.tables.presence import NOTICE_SECONDS

Outcome = tuple[str, BaseException | None]


class Disk:
    """Entries that wait for the disk, until a test decides the outcome of each."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.append = store.append
        self.waiting: list[tuple[EntryRow, Done]] = []

    def __call__(self, entry: EntryRow, done: Done) -> None:
        self.waiting.append((entry, done))

    def write(self) -> None:
        """Write the first entry."""
        self.append(*self.waiting.pop(0))

    def fail(self, fault: Exception) -> None:
        self.waiting.pop(0)[1](None, fault)

    async def lose(self) -> None:
        """Write the first entry, but report nothing."""
        entry, done = self.waiting.pop(0)
        await appended(self, entry)  # type: ignore[arg-type]
        done(None, CommitUnanswered("lost"))


@contextmanager
def slow_disk(server: AsgiServer) -> Iterator[Disk]:
    disk = Disk(server.services.store)
    with patch.object(server.services.store, "append", disk):
        yield disk


@pytest.fixture(name="server")
async def _server(tmp_path: Path) -> AsyncIterator[AsgiServer]:
    async with asgi_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        yield server


class Played:
    """A match of Kingdoms between two, and the outcomes of their commands."""

    def __init__(self, table: LiveTable, people: list[ApiClient]) -> None:
        self.table = table
        self.people = [one.id for one in people]
        self.outcomes: list[Outcome] = []

    def next(self, key: str, past: int = 0) -> on.Play:
        """Return the first legal action of the seat that owes one, or one that it took before."""
        live = self.table.live
        assert live is not None
        seat = owing(self.table)
        decision, action = live.decision(seat), live.match.legal(seat)[0]
        assert decision is not None
        return on.Play(self.people[seat], seat, frames.Play(key, decision - past, action))

    def submit(self, key: str, command: on.Command) -> None:
        submit(self.table, command, lambda _, fault: self.outcomes.append((key, fault)))

    @property
    def keys(self) -> list[str]:
        return [key for key, _ in self.outcomes]


async def begun(server: AsgiServer) -> Played:
    people = [await server.guest(name) for name in ("Aki", "Ben")]
    table = await server.services.registry.find(await seated(server, "kingdoms", people))
    return Played(table, people)


async def watching(played: Played) -> Connection:
    line = Connection(played.people[0], 0)
    await handle(played.table, on.Arrive(line, frames.Hello()))
    return line


def code(fault: BaseException | None) -> str | None:
    assert fault is None or isinstance(fault, ApiError)
    return None if fault is None else fault.code


# Order -------------------------------------------------------------------------------------------


async def test_commands_happen_in_the_order_in_which_they_came(server: AsgiServer) -> None:
    played = await begun(server)
    first = played.next("a")
    with slow_disk(server) as disk:
        played.submit("a", first)
        played.submit("say", on.Say(played.people[0], 0, "hello"))
        played.submit("a again", first)
        played.submit("resign", on.Resign(1))
        played.submit("why", on.WhyNot(0, first.frame.action))
        await asyncio.sleep(0.05)
        assert not played.outcomes, "the first one is not on disk"
        assert not played.table.chat_lines
        disk.write()
        await until(lambda: not played.table.queue)
        assert not disk.waiting, "a key counts once"
    assert played.outcomes == [(key, None) for key in ("a", "say", "a again", "resign", "why")]
    assert played.table.doc.resigned == (1,)


async def test_nobody_is_told_of_a_move_before_it_is_on_disk(server: AsgiServer) -> None:
    played = await begun(server)
    line = await watching(played)
    before = len(line.waiting)
    with slow_disk(server) as disk:
        played.submit("a", played.next("a"))
        await asyncio.sleep(0.05)
        assert len(line.waiting) == before
        disk.write()
        await until(lambda: played.outcomes == [("a", None)])
    assert len(line.waiting) == before + 1


async def test_a_move_needs_neither_a_task_nor_a_future(server: AsgiServer) -> None:
    played = await begun(server)
    loop = asyncio.get_running_loop()
    fault = AssertionError("a move does not need this")
    with (
        slow_disk(server) as disk,
        patch.object(asyncio, "create_task", side_effect=fault),
        patch("zashiki.server.store.group_commit.future_outcome", side_effect=fault),
    ):
        played.submit("a", played.next("a"))
        (entry, done), *_ = disk.waiting
        disk.append(entry, done)
        while not played.outcomes:
            await asyncio.sleep(0)
    assert played.outcomes == [("a", None)]
    assert loop is asyncio.get_running_loop()


async def test_what_is_refused_at_once_leaves_the_rest_in_order(server: AsgiServer) -> None:
    """Far more commands than the stack is deep, each refused or recognised as soon as it begins."""
    played = await begun(server)
    first = played.next("a")
    await handle(played.table, first)
    left = 5000

    def again(_: Any, fault: BaseException | None) -> None:
        nonlocal left
        played.outcomes.append((str(left), fault))
        left -= 1
        if left:
            submit(played.table, first, again)

    submit(played.table, first, again)
    assert played.keys == [str(number) for number in range(5000, 0, -1)]
    assert {fault for _, fault in played.outcomes} == {None}


async def test_a_move_leaves_the_timer_alone_unless_somebody_is_away(server: AsgiServer) -> None:
    """The timer then fires early, and checks again for whom the match waits."""
    played = await begun(server)
    table, clock = played.table, server.system
    lines = [Connection(player, seat) for seat, player in enumerate(played.people)]
    for line in lines:
        await handle(table, on.Arrive(line, frames.Hello()))
    timer, presence = table._timer, table.presence
    assert timer is not None
    assert presence is not None
    clock.at += NOTICE_SECONDS / 2
    await handle(table, played.next("a"))
    assert table._timer is timer
    clock.at += NOTICE_SECONDS / 2
    table.on_timer()
    assert not presence.noticed, "the match waits since the move"
    assert table._timer is not timer
    clock.at += NOTICE_SECONDS / 2
    table.on_timer()
    assert presence.noticed.keys() == {owing(table)}
    await handle(table, played.next("b"))
    assert not table._shown_waits
    table.leave(lines[0])
    timer = table._timer
    await handle(table, played.next("c"))
    assert table._timer is not timer


# Writes that fail --------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", [Busy("full"), MaybeWritten("the disk failed")])
async def test_a_write_that_fails_harms_no_other_command(
    server: AsgiServer, fault: Exception
) -> None:
    played = await begun(server)
    line = await watching(played)
    with slow_disk(server) as disk:
        played.submit("a", played.next("a"))
        disk.write()
        await until(lambda: played.keys == ["a"])
        told, second = len(line.waiting), played.next("b")
        for key in ("b", "b again"):
            played.submit(key, second)
        played.submit("say", on.Say(played.people[0], 0, "hello"))
        disk.fail(fault)
        await until(lambda: len(disk.waiting) == 1)  # the second attempt
        assert played.outcomes == [("a", None), ("b", fault)]
        assert played.table.live is not None
        assert played.table.live.done == 2, "judged on what is stored, and not yet written"
        disk.write()
        await until(lambda: not played.table.queue)
    assert played.outcomes[2:] == [("b again", None), ("say", None)]
    assert not played.table.needs_reload
    stored = await server.services.store.entries(played.table.row.match or "")
    assert [row.key for row in stored] == [None, "a", "b"]
    sent = [msgspec.json.decode(raw) for raw in line.waiting[told:]]
    news = [fact for frame in sent if frame["is"] == "told" for fact in frame["facts"]]
    facts = [msgspec.json.decode(msgspec.json.encode(raw)) for raw in stored[-1].facts]
    shown = [one for one in facts if tells(one[0], 0)]
    assert len(news) == len(shown), "everybody is told of it once"


async def test_a_write_of_which_nobody_knows_is_read_before_anything_else_happens(
    server: AsgiServer,
) -> None:
    played = await begun(server)
    with slow_disk(server) as disk:
        first = played.next("a")
        for key in ("a", "a again"):
            played.submit(key, first)
        await disk.lose()
        await until(lambda: not played.table.queue)
        assert not disk.waiting, "it is on disk: its key is known"
    assert [(key, type(fault)) for key, fault in played.outcomes] == [
        ("a", CommitUnanswered), ("a again", type(None)),
    ]  # fmt: skip
    assert played.table.live is not None
    assert played.table.live.done == 1


async def test_while_the_table_cannot_be_read_again_each_command_says_so(
    server: AsgiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = await begun(server)
    first = played.next("a")
    with slow_disk(server) as disk:
        for key in ("a", "b", "c"):
            played.submit(key, first)
        with monkeypatch.context() as patched:
            left = [Busy("gone"), Busy("gone still")]
            table = server.services.store.table

            async def fails(id: str) -> Any:
                if left:
                    raise left.pop(0)
                return await table(id)

            patched.setattr(server.services.store, "table", fails)
            disk.fail(MaybeWritten("lost"))
            await until(lambda: len(disk.waiting) == 1)
            assert [str(fault) for _, fault in played.outcomes] == ["gone", "gone still"]
            disk.write()
            await until(lambda: not played.table.queue)
    assert played.outcomes[2] == ("c", None)


async def test_a_store_that_refuses_at_once_changes_nothing(server: AsgiServer) -> None:
    played = await begun(server)
    first = played.next("a")
    with patch.object(server.services.store, "append", side_effect=Busy("full")):
        played.submit("a", first)
        await until(lambda: not played.table.queue)
    assert [str(fault) for _, fault in played.outcomes] == ["full"]
    await handle(played.table, first)
    assert played.table.live is not None
    assert played.table.live.done == 1


# Another server ----------------------------------------------------------------------------------


async def test_a_move_behind_that_of_another_server_is_judged_again(server: AsgiServer) -> None:
    played = await begun(server)
    before = RETRIES.cells[()][0]
    with slow_disk(server) as disk:
        first = played.next("a")
        played.submit("a", first)
        played.submit("say", on.Say(played.people[0], 0, "hello"))
        entry, done = disk.waiting.pop(0)
        await appended(disk, replace(entry, key="another", by="elsewhere"))  # type: ignore[arg-type]
        disk.append(entry, done)  # its place is taken
        await until(lambda: not played.table.queue)
        assert not disk.waiting
    assert [(key, code(fault)) for key, fault in played.outcomes] == [("a", "stale"), ("say", None)]
    assert RETRIES.cells[()][0] == before + 1
    assert (first.seat, "another") in played.table.keys


async def test_a_move_that_is_always_late_is_given_up(server: AsgiServer) -> None:
    played = await begun(server)
    tries = 0

    def late(entry: EntryRow, done: Done) -> None:
        nonlocal tries
        tries += 1
        asyncio.get_running_loop().call_soon(done, None, Conflict("late"))

    with patch.object(server.services.store, "append", late), pytest.raises(ApiError) as fault:
        await handle(played.table, played.next("a"))
    assert (fault.value.code, tries) == ("stale", MAX_TRIES)
    await handle(played.table, played.next("a"))


# Cancelled clients -------------------------------------------------------------------------------


async def test_who_is_cancelled_has_played_all_the_same(
    server: AsgiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And nobody else acts while its outcome is read again."""
    played = await begun(server)
    first = played.next("k")
    called, go_on = slow(server.services.store, monkeypatch, "entries")
    with slow_disk(server) as disk:
        task = asyncio.create_task(handle(played.table, first))
        await asyncio.sleep(0)
        await disk.lose()
        await called.wait()
        task.cancel()
        again = asyncio.create_task(handle(played.table, first))
        await asyncio.sleep(0.05)
        assert not task.done()
        assert not again.done()
        go_on.set()
        with pytest.raises(asyncio.CancelledError):
            await task
        await again
        assert not disk.waiting
    assert played.table.live is not None
    assert played.table.live.done == 1
    assert not played.table.needs_reload


async def test_what_waits_when_the_event_loop_ends_is_answered(server: AsgiServer) -> None:
    played = await begun(server)
    called = asyncio.Event()

    async def never(*_: Any) -> None:
        called.set()
        await asyncio.Event().wait()

    with patch.object(server.services.store, "change_table", never):
        played.submit("resign", on.Resign(0))
        for key in ("a", "b"):
            played.submit(key, played.next(key))
        await called.wait()
        task = played.table.queue[0].task
        assert task is not None
        task.cancel()
        await until(lambda: not played.table.queue)
    assert [(key, code(fault)) for key, fault in played.outcomes] == [
        (key, "stopping") for key in ("resign", "a", "b")
    ]
    await handle(played.table, played.next("a"))


async def test_who_cannot_be_told_does_not_stop_the_table(
    server: AsgiServer, caplog: pytest.LogCaptureFixture
) -> None:
    played = await begun(server)
    first = played.next("a")

    def fails(*_: Any) -> None:
        raise ValueError("no")

    with caplog.at_level(logging.ERROR):
        submit(played.table, first, fails)
        submit(played.table, on.Say(played.people[0], 0, "hello"), fails)
        await handle(played.table, first)
    assert [record.message for record in caplog.records].count("broken") == 2


async def test_a_move_that_cannot_be_shown_is_kept_and_the_table_goes_on(
    server: AsgiServer,
) -> None:
    played = await begun(server)
    first = played.next("a")
    broken = patch.object(LiveTable, "publish", side_effect=ValueError("no"))
    with broken, pytest.raises(ValueError, match="no"):
        await handle(played.table, first)
    await handle(played.table, first)
    assert played.table.live is not None
    assert played.table.live.done == 1


async def test_a_table_in_use_stays_in_memory(server: AsgiServer) -> None:
    played = await begun(server)
    with busy(played.table):
        assert server.services.registry.drop_idle() == 0
    assert server.services.registry.drop_idle() == 1


# Clients -----------------------------------------------------------------------------------------


async def test_a_client_that_leaves_has_done_what_was_begun_and_nothing_else(
    tmp_path: Path,
) -> None:
    """Several frames come at once. The first waits for its table when the client disconnects."""
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        host = await Guest(server, "Aki").come()
        made = (await host.post("/api/tables", {"game": "kingdoms", "seats": 2}))["table"]
        table = server.services.registry.tables[made["id"]]
        async with host.socket(made["id"]) as talk:
            await talk.until("welcome")
            await until(lambda: not table.queue)
            with busy(table):
                for text in ("first", "second", "third"):
                    await talk.send(do="say", key=text, text=text)
                await until(lambda: len(table.queue) == 2)
                await talk.connection.close()
                await until(lambda: not table.subscribers)
            await until(lambda: not table.queue and not table.sockets)
        assert [line.text for line in table.chat_lines] == ["first"]
        await host.client.aclose()


async def test_answers_of_one_client_come_in_order(tmp_path: Path) -> None:
    """Whatever they wait for: the table, or nothing."""
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        host = await Guest(server, "Aki").come()
        made = (await host.post("/api/tables", {"game": "kingdoms", "seats": 2}))["table"]
        table = server.services.registry.tables[made["id"]]
        keys = [f"{number:03}" for number in range(100)]
        kinds: list[dict[str, Any]] = [
            {"do": "why_not", "action": "x"},
            {"do": "rematch"},
            {"do": "play", "decision": 1, "action": "x"},
            {"do": "nothing"},
        ]
        async with host.socket(made["id"]) as talk:
            await talk.until("welcome")
            await until(lambda: not table.queue)
            with busy(table):
                for number, key in enumerate(keys):
                    await talk.send(key=key, **kinds[number % len(kinds)])
                await until(lambda: len(table.queue) == 2)
            for key in keys:
                number = int(key)
                is_known = number % len(kinds) != len(kinds) - 1
                assert (await talk.until("answer"))["key"] == (key if is_known else "")
        await host.client.aclose()
