"""Rematches: start and rematch are commands on the open socket."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from tests.server import asgi_server
from tests.server.guests import Guest, Talk, agree
from tests.server.in_process_server import InProcessServer, in_process_server
from tests.server.waits import TIMEOUT
from zashiki.server.store.errors import Busy
from zashiki.server.tables.live import LiveTable

GAME: dict[str, object] = {"game": "kamiza-second", "seats": 3}


async def opened(
    people: list[Guest], sockets: AsyncExitStack, game: dict[str, object] = GAME
) -> list[Talk]:
    """Open a table, seat everyone and return their sockets."""
    table = (await people[0].post("/api/tables", game))["table"]["id"]
    for seat, guest in enumerate(people[1:], 1):
        await guest.post(f"/api/tables/{table}/sit", {"seat": seat})
    talks = [await sockets.enter_async_context(guest.socket(table)) for guest in people]
    for talk in talks:
        await talk.until("welcome")
    return talks


async def dealt(talks: list[Talk]) -> None:
    """Start by the host's socket, and add all nonces."""
    assert (await talks[0].answered("start", do="start"))["ok"]
    await agree(talks)


async def over(server: InProcessServer, table_id: str) -> LiveTable:
    """Play the match at a table to its end."""
    await asgi_server.play(server, table_id)  # type: ignore[arg-type]
    return await server.services.registry.find(table_id)


async def test_three_matches_are_played_through_the_same_sockets(tmp_path: Path) -> None:
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        people = [await Guest(server, name).come() for name in ("Aki", "Ben", "Chie")]
        tables: list[str] = []
        async with AsyncExitStack() as sockets:
            talks = await opened(people, sockets)
            tables.append((await people[0].get("/api/my-tables"))[0]["id"])
            for _ in range(3):
                await dealt(talks)
                table = await over(server, tables[-1])
                for talk in reversed(talks):
                    assert (await talk.answered("rematch", do="rematch"))["ok"]
                    welcome = await talk.until("welcome")
                    assert welcome["table"]["state"] == "open"
                assert not table.subscribers | table.sockets, "they have moved on"
                assert table.doc.next == welcome["table"]["id"]
                tables.append(welcome["table"]["id"])
                talks = talks[::-1]  # the first who asked is the host now
                people = people[::-1]
                seats = (await people[0].get(f"/api/tables/{tables[-1]}"))["seats"]
                assert [seat["here"] for seat in seats] == [True] * 3
        assert len(set(tables)) == 4
        for guest in people:
            await guest.client.aclose()


async def test_whom_a_player_has_muted_stays_muted(tmp_path: Path) -> None:
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        people = [await Guest(server, name).come() for name in ("Aki", "Ben", "Chie")]
        async with AsyncExitStack() as sockets:
            talks = await opened(people, sockets)
            await dealt(talks)
            table = await over(server, (await people[0].get("/api/my-tables"))[0]["id"])
            await people[0].post("/api/mute", {"player": people[1].id, "muted": True})
            for talk in talks:
                assert (await talk.answered("rematch", do="rematch"))["ok"]
            assert table.doc.next is not None
            there = await server.services.registry.find(table.doc.next)
            muted = {one.player: one.muted for one in there.subscribers}
            assert muted.pop(people[0].id) == {people[1].id}
            assert list(muted.values()) == [frozenset()] * 2
        for guest in people:
            await guest.client.aclose()


async def test_two_players_change_sides_for_the_rematch(tmp_path: Path) -> None:
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        people = [await Guest(server, name).come() for name in ("Aki", "Ben")]
        async with AsyncExitStack() as sockets:
            talks = await opened(people, sockets, {"game": "kingdoms", "seats": 2})
            for sides in ([1, 0], [0, 1]):
                table = (await people[0].get("/api/my-tables"))[0]["id"]
                await dealt(talks)
                await over(server, table)
                found = []
                for talk in talks:
                    talk.kept.clear()
                    assert (await talk.answered("rematch", do="rematch"))["ok"]
                    found.append((await talk.until("welcome"))["seat"])
                assert found == sides
        for guest in people:
            await guest.client.aclose()


async def test_start_and_rematch_are_refused_as_over_http(tmp_path: Path) -> None:
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        people = [await Guest(server, name).come() for name in ("Aki", "Ben", "Chie")]
        async with AsyncExitStack() as sockets:
            talks = await opened(people, sockets)
            refused = [
                (talks[1], "start", "not-host"),
                (talks[0], "rematch", "not-over"),
            ]
            for number, (talk, command, code) in enumerate(refused):
                answer = await talk.answered(f"k{number}", do=command)
                assert (answer["ok"], answer["fault"]["code"]) == (False, code)
            stranger = await Guest(server, "Dan").come()
            table = (await people[0].get("/api/my-tables"))[0]["id"]
            watching = await sockets.enter_async_context(stranger.socket(table))
            for command, code in (("start", "not-host"), ("rematch", "not-seated")):
                answer = await watching.answered(f"by {command}", do=command)
                assert answer["fault"]["code"] == code
            await stranger.client.aclose()
        for guest in people:
            await guest.client.aclose()


async def test_who_goes_on_is_gone_from_the_table_before(tmp_path: Path) -> None:
    """A socket that ends after a rematch leaves neither table in memory."""
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        people = [await Guest(server, name).come() for name in ("Aki", "Ben", "Chie")]
        async with AsyncExitStack() as sockets:
            talks = await opened(people, sockets)
            first = (await people[0].get("/api/my-tables"))[0]["id"]
            await dealt(talks)
            await over(server, first)
            assert (await talks[0].answered("rematch", do="rematch"))["ok"]
            for talk in talks:
                talk.connection.transport.abort()  # a clean end would first read all the news
        while any(table.sockets for table in server.services.registry.tables.values()):
            await asyncio.sleep(0.01)
        assert server.services.registry.drop_idle() == 2
        for guest in people:
            await guest.client.aclose()


async def played(
    server: InProcessServer, sockets: AsyncExitStack
) -> tuple[list[Guest], list[Talk]]:
    """Three guests at a table whose match is over."""
    people = [await Guest(server, name).come() for name in ("Aki", "Ben", "Chie")]
    talks = await opened(people, sockets)
    await dealt(talks)
    await over(server, (await people[0].get("/api/my-tables"))[0]["id"])
    return people, talks


async def test_the_next_match_is_told_from_its_first_fact_on(tmp_path: Path) -> None:
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        async with AsyncExitStack() as sockets:
            people, talks = await played(server, sockets)
            for talk in talks:
                assert (await talk.answered("rematch", do="rematch"))["ok"]
                talk.kept.clear()
            await dealt(talks)
            for talk in talks:
                told = await talk.until("told")
                assert told["first"] == 1
                assert told["facts"]
        for guest in people:
            await guest.client.aclose()


async def test_a_table_that_cannot_be_reached_ends_the_socket(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would be at the new table with the seat of the old one."""
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        async with AsyncExitStack() as sockets:
            people, talks = await played(server, sockets)

            async def busy(*_: object) -> None:
                raise Busy("no")

            monkeypatch.setattr(server.services, "note_address", busy)
            await talks[0].send(do="rematch", key="rematch")
            bye = await talks[0].until("bye")
            assert (bye["code"], bye["again"]) == ("busy", True)
        for guest in people:
            await guest.client.aclose()


async def test_a_person_acts_for_the_seat_that_they_have_now(tmp_path: Path) -> None:
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        async with AsyncExitStack() as sockets:
            people, talks = await played(server, sockets)
            for talk in talks:
                assert (await talk.answered("rematch", do="rematch"))["ok"]
            table = (await people[0].get("/api/my-tables"))[0]["id"]
            seats = (await people[0].get(f"/api/tables/{table}"))["seats"]
            seat = next(n for n, one in enumerate(seats) if one["player"]["id"] == people[0].id)
            other = (seat + 2) % 3
            await people[0].post(f"/api/tables/{table}/swap", {"seat": seat, "other": other})
            assert (await talks[0].answered("start", do="start"))["ok"]
            hash = "aa" * 32
            assert (await talks[0].answered("ready", do="ready", hash=hash))["ok"]
            dealing = (await server.services.registry.find(table)).pending_deal()
            if dealing is not None and server.services.store.coordination is None:
                assert dealing.hashes == {str(other): hash}
        for guest in people:
            await guest.client.aclose()


async def test_a_rematch_that_was_closed_is_opened_again(tmp_path: Path) -> None:
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        async with AsyncExitStack() as sockets:
            people, talks = await played(server, sockets)
            assert (await talks[0].answered("rematch", do="rematch"))["ok"]
            first = (await talks[0].until("welcome"))["table"]["id"]
            await people[0].post(f"/api/tables/{first}/close")
            assert (await talks[1].answered("rematch", do="rematch"))["ok"]
            second = (await talks[1].until("welcome"))["table"]
            assert (second["state"], second["host"]) == ("open", people[1].id)
            assert second["id"] != first
        for guest in people:
            await guest.client.aclose()
