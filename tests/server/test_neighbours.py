"""Two servers in one process that share a PostgreSQL: what each of them knows of the other."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from time import monotonic
from typing import Any

import msgspec
import pytest

from tests.server import stores
from tests.server.indoors import Asker, Indoors, indoors, play, seated
from tests.server.test_days import decide, owing
from tests.server.test_held import slow
from zashiki.server import ledger, neighbours, playing, seating, wire
from zashiki.server.lines import Line
from zashiki.server.rooms import Room
from zashiki.server.store.protocol import Busy
from zashiki.server.tables import bot_id

GAME = "kingdoms"
CLOCK = {"kind": "clock", "seconds": 10, "bank": 0}
Scenario = Callable[[Indoors, Indoors], Awaitable[None]]


@pytest.fixture(autouse=True)
def _on_postgres(monkeypatch: pytest.MonkeyPatch) -> None:
    stores.started()
    monkeypatch.setenv(stores.CHOICE, "postgres")


def at(folder: Path, scenario: Scenario) -> None:
    async def run() -> None:
        async with indoors(folder) as one, indoors(folder) as two, asyncio.timeout(30):
            await scenario(one, two)

    asyncio.run(run())


async def until(is_so: Callable[[], Awaitable[bool]], seconds: float = 5) -> None:
    end = monotonic() + seconds
    while not await is_so():
        assert monotonic() < end, "this does not happen"
        await asyncio.sleep(0.02)


async def elsewhere(home: Indoors, table: str) -> set[str]:
    """Who is at a table by way of another server than this one."""
    return await home.server.store.site.elsewhere(home.server.name, table)


async def arrived(room: Room, *players: str) -> list[Line]:
    lines = [Line(player, None) for player in players]
    for line in lines:
        await room.arrive(line, wire.Hello())
    return lines


async def sat(home: Indoors, **other: Any) -> tuple[str, list[Asker]]:
    people = [await home.guest(name) for name in ("Aki", "Ben")]
    return await seated(home, GAME, people, **other), people


def later(seconds: float, *homes: Indoors) -> None:
    for home in homes:
        home.source.at += seconds


def deaf(home: Indoors, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever others write, this server is not told."""
    assert home.server.neighbours is not None
    monkeypatch.setattr(home.server.store.site._ear, "_heard", [])  # type: ignore[attr-defined]


# Clocks ----------------------------------------------------------------------------------------


def test_a_pause_that_another_server_did_not_see_is_nobodys_time(tmp_path: Path) -> None:
    async def scenario(one: Indoors, two: Indoors) -> None:
        table, people = await sat(one, pace=CLOCK)
        room = await one.server.hall.room(table)
        later(1000, one, two)
        lines = await arrived(room, *(asker.id for asker in people))
        await until(lambda: are_there(two, table, people))
        other = await two.server.hall.room(table)
        assert other.attendance is not None
        assert other.attendance.until(owing(other)) == two.source.at + 10
        other.wake()
        assert other.bot_seats() == {}
        for line in lines:
            room.leave(line)

    at(tmp_path, scenario)


async def are_there(home: Indoors, table: str, people: list[Asker]) -> bool:
    return await elsewhere(home, table) == {asker.id for asker in people}


def test_days_pass_wherever_a_match_is_read(tmp_path: Path) -> None:
    async def scenario(one: Indoors, two: Indoors) -> None:
        table, people = await sat(one, pace={"kind": "days", "days": 1})
        began = one.source.at
        later(1000, one, two)
        (line,) = await arrived(await one.server.hall.room(table), people[0].id)
        await until(lambda: are_there(two, table, people[:1]))
        other = await two.server.hall.room(table)
        assert other.attendance is not None
        assert other.attendance.until(owing(other)) == began + 24 * 3600
        (await one.server.hall.room(table)).leave(line)

    at(tmp_path, scenario)


# Resigning -------------------------------------------------------------------------------------


def test_who_was_played_for_elsewhere_does_not_resign_that_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot has played for them, which the server that they resign at was not told."""

    async def scenario(one: Indoors, two: Indoors) -> None:
        table, _ = await sat(one)
        behind = await two.server.hall.room(table)
        deaf(two, monkeypatch)
        room = await one.server.hall.room(table)
        seat = owing(room)
        assert room.attendance is not None
        room.attendance.here(range(2))
        room.attendance.absent = {seat}
        await decide(room, seat, bot_id(room.table.level))
        assert (room.taken_over, behind.taken_over) == (True, False)
        await playing.resign(behind, seat)
        assert behind.table.taken_over
        row = await one.server.store.table(table)
        assert row is not None
        assert row.doc["taken_over"]

    at(tmp_path, scenario)


# Tables that ended -----------------------------------------------------------------------------


class Watcher(Line):
    """Who looks at the lobby."""

    def __init__(self, player: str, seat: int | None) -> None:
        super().__init__(player, seat)
        self.shown: dict[str, str] = {}
        """The tables of which something was told, and their states."""

    def send(self, frame: Any) -> None:
        table = msgspec.json.decode(frame)["table"]
        self.shown[table["id"]] = table["state"]


def test_what_ended_while_nothing_was_heard_is_not_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger, "MOST_HOSTED", 3)

    async def scenario(one: Indoors, two: Indoors) -> None:
        aki = await one.guest("Aki")
        wanted = {"game": GAME, "seats": 2}
        paths = [await aki.post("/api/tables", wanted, 201) for _ in range(2)]
        ids = [made["table"]["id"] for made in paths]
        counted = two.server.hall.ledger

        async def all_counted() -> bool:
            return set(counted.of(aki.id)) == set(ids)

        await until(all_counted)
        heard = list(two.server.store.site._ear._heard)  # type: ignore[attr-defined]
        deaf(two, monkeypatch)
        watcher = Watcher("", None)
        two.server.hall.watchers.add(watcher)
        await aki.post(f"/api/tables/{ids[0]}/close")
        made = (await aki.post("/api/tables", wanted, 201))["table"]["id"]
        await asyncio.sleep(0.1)
        assert set(counted.of(aki.id)) == set(ids)
        for told in heard:
            told(None)  # the line was cut, and is there again

        async def counted_anew() -> bool:
            return set(counted.of(aki.id)) == {ids[1], made}

        await until(counted_anew)
        assert watcher.shown == {ids[0]: "closed", made: "open"}, "who looks at the lobby sees both"

    at(tmp_path, scenario)


# Who is here -----------------------------------------------------------------------------------


def failing(home: Indoors, name: str, patch: pytest.MonkeyPatch) -> asyncio.Event:
    """A method of the site that fails until it is told not to."""
    site, mended = home.server.store.site, asyncio.Event()
    method = getattr(site, name)

    async def fails(*given: Any) -> Any:
        if not mended.is_set():
            raise Busy("the database does not answer")
        return await method(*given)

    patch.setattr(site, name, fails)
    return mended


@pytest.mark.parametrize("name", ["come", "go"])
def test_who_is_here_is_told_when_it_can_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """The heart beats on, and no line was cut."""
    monkeypatch.setattr(neighbours, "BEAT", 0.1)

    async def scenario(one: Indoors, two: Indoors) -> None:
        table, people = await sat(one)
        room = await one.server.hall.room(table)
        aki = people[0]
        if name == "come":
            mended = failing(one, name, monkeypatch)
            (line,) = await arrived(room, aki.id)
        else:
            (line,) = await arrived(room, aki.id)
            await until(lambda: are_there(two, table, [aki]))
            mended = failing(one, name, monkeypatch)
            room.leave(line)
        await asyncio.sleep(0.3)
        before = [aki] if name == "go" else []
        assert await are_there(two, table, before)
        mended.set()
        after = [aki] if name == "come" else []
        await until(lambda: are_there(two, table, after))
        assert one.server.neighbours is not None
        assert not one.server.neighbours._untold
        room.leave(line)

    at(tmp_path, scenario)


def test_who_leaves_while_it_is_said_again_that_they_are_here_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(one: Indoors, two: Indoors) -> None:
        table, people = await sat(one)
        room = await one.server.hall.room(table)
        (line,) = await arrived(room, people[0].id)
        await until(lambda: are_there(two, table, people[:1]))
        called, go_on = slow(one.server.store.site, monkeypatch, "come")
        assert one.server.neighbours is not None
        again = asyncio.create_task(one.server.neighbours.say_again())
        await called.wait()
        room.leave(line)
        await asyncio.sleep(0.1)
        go_on.set()
        await again
        await until(lambda: are_there(two, table, []))
        await asyncio.sleep(0.1)
        assert await are_there(two, table, [])

    at(tmp_path, scenario)


# Clocks of machines ----------------------------------------------------------------------------


def test_clocks_that_differ_harm_no_ticket(tmp_path: Path) -> None:
    async def scenario(one: Indoors, two: Indoors) -> None:
        table, people = await sat(one)
        later(3600, two)
        there = await one.server.tickets.write(people[0].id, 0, table)
        back = await two.server.tickets.write(people[0].id, 0, table)
        for home, token in ((two, there), (one, back)):
            ticket = await home.server.tickets.take(token)
            assert ticket is not None
            assert (ticket.player, ticket.table) == (people[0].id, table)

    at(tmp_path, scenario)


@pytest.mark.parametrize("skew", [3600, -3600])
def test_clocks_that_differ_shorten_no_wait_for_nonces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, skew: float
) -> None:
    """Nor does it take longer, if the server that has begun is gone."""
    monkeypatch.setattr(seating, "WAIT_FOR_NONCES", 1.0)

    async def scenario(one: Indoors, two: Indoors) -> None:
        people = [await one.guest(name) for name in ("Aki", "Ben")]
        made = await people[0].post("/api/tables", {"game": GAME, "seats": 2}, 201)
        table = made["table"]["id"]
        await people[1].post(f"/api/tables/{table}/sit", {"seat": 1})
        later(skew, two)
        await people[0].post(f"/api/tables/{table}/start")
        (await one.server.hall.room(table)).rest()
        began = monotonic()
        room = await two.server.hall.room(table)
        await asyncio.sleep(0.5)
        assert room.state == "starting"

        async def is_dealt() -> bool:
            return room.state == "playing"

        await until(is_dealt)
        assert 1.0 <= monotonic() - began < 3

    at(tmp_path, scenario)


# Keys ------------------------------------------------------------------------------------------


def test_a_key_for_another_action_by_way_of_another_server_is_refused(tmp_path: Path) -> None:
    async def scenario(one: Indoors, two: Indoors) -> None:
        people = [await one.guest(name) for name in ("Aki", "Ben", "Chie")]
        table = await seated(one, "kamiza-second", people)
        here, there = await one.server.hall.room(table), await two.server.hall.room(table)
        assert here.live is not None
        seat = owing(here)
        first, second = here.live.match.legal(seat)[:2]
        asked = [wire.Play("k", 1, first), wire.Play("k", 1, second)]
        answers = await asyncio.gather(
            playing.play(here, people[seat].id, seat, asked[0]),
            playing.play(there, people[seat].id, seat, asked[1]),
            return_exceptions=True,
        )
        assert sorted(getattr(answer, "code", "ok") for answer in answers) == ["malformed", "ok"]
        done = answers.index(next(one for one in answers if isinstance(one, wire.Answer)))
        for room in (here, there):
            assert (await playing.play(room, people[seat].id, seat, asked[done])).ok
        await play(one, table, 3)

    at(tmp_path, scenario)
