"""Seats before a match: swaps, renamed players, deleted players."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any
from unittest.mock import patch

import pytest

from tests.server.asgi_server import ApiClient, AsgiServer, play, seated
from zashiki.bots.names import house_names, spoken_name
from zashiki.server.protocol import frames, rest
from zashiki.server.store.errors import Busy, CommitUnanswered, MaybeWritten
from zashiki.server.store.rows import TableRow
from zashiki.server.tables import commands as on
from zashiki.server.tables import registry
from zashiki.server.tables.connection import Connection
from zashiki.server.tables.handler import handle
from zashiki.server.tables.live import LiveTable
from zashiki.server.tables.model import bot_id
from zashiki.server.tables.views import table_seen

GAME = "kamiza-second"
BOTS = [{"kind": "open"}, {"kind": "open"}, {"kind": "bot", "bot": "greedy"}, {"kind": "open"}]


async def opened(api_client: ApiClient, **other: Any) -> str:
    """Return the path of a new table for four."""
    made = await api_client.post("/api/tables", {"game": GAME, "seats": 4, **other}, 201)
    return f"/api/tables/{made['table']['id']}"


def names(table: dict[str, Any]) -> list[str]:
    return [seat["player"]["name"] if seat["player"] else "" for seat in table["seats"]]


async def test_two_people_swap_seats_if_both_wish_it(server: AsgiServer) -> None:
    aki, ben, chie = [await server.guest(name) for name in ("Aki", "Ben", "Chie")]
    path = await opened(aki)
    await ben.post(f"{path}/sit", {"seat": 1})
    await chie.post(f"{path}/sit", {"seat": 3})
    table = await server.services.registry.find(path.rpartition("/")[2])
    line = Connection(ben.id, 1)
    await handle(table, on.Arrive(line, frames.Hello()))
    shown = await ben.post(f"{path}/swap", {"seat": 3})
    assert names(shown) == ["Aki", "Ben", "", "Chie"]
    assert shown["wishes"] == [{"seat": 1, "other": 3}]
    shown = await chie.post(f"{path}/swap", {"seat": 1})
    assert names(shown) == ["Aki", "Chie", "", "Ben"]
    assert shown["wishes"] == []
    assert line.seat == 3, "a line is told what its player's seat is told"
    table.leave(line)


async def test_a_wish_is_void_when_somebody_moves_and_one_has_one(server: AsgiServer) -> None:
    aki, ben, chie = [await server.guest(name) for name in ("Aki", "Ben", "Chie")]
    path = await opened(aki)
    await ben.post(f"{path}/sit", {"seat": 1})
    await chie.post(f"{path}/sit", {"seat": 2})
    await ben.post(f"{path}/swap", {"seat": 2})
    assert (await ben.post(f"{path}/swap", {"seat": 0}))["wishes"] == [{"seat": 1, "other": 0}]
    await ben.post(f"{path}/swap", {"seat": 2})
    await ben.post(f"{path}/sit", {"seat": 3})
    assert (await chie.post(f"{path}/sit", {"seat": 2}))["wishes"] == []
    await ben.post(f"{path}/swap", {"seat": 2})
    assert (await chie.post(f"{path}/stand"))["wishes"] == []
    assert await ben.refused(f"{path}/swap", {"seat": 2}, 409) == "seat-empty"
    assert await chie.refused(f"{path}/swap", {"seat": 3}, 409) == "not-seated"
    assert await ben.refused(f"{path}/swap", {"seat": 9}, 422) == "malformed"
    assert (await ben.post(f"{path}/swap", {"seat": 3}))["wishes"] == [], "with oneself"


async def test_the_start_draws_who_sits_where_if_the_table_says_so(server: AsgiServer) -> None:
    aki, ben = [await server.guest(name) for name in ("Aki", "Ben")]
    orders = set()
    for _ in range(8):
        path = await opened(aki, chairs=BOTS, seating="drawn")
        await ben.post(f"{path}/sit", {"seat": 1})
        before = await aki.post(f"{path}/bot", {"seat": 3, "bot": "random"})
        assert before["seating"] == "drawn"
        table = await server.services.registry.find(path.rpartition("/")[2])
        line = Connection(ben.id, 1)
        await handle(table, on.Arrive(line, frames.Hello()))
        shown = await aki.post(f"{path}/start")
        assert sorted(names(shown)) == sorted(names(before)), "everybody sits there once"
        assert {seat["player"]["id"]: seat for seat in before["seats"]}.keys() == {
            seat["player"]["id"] for seat in shown["seats"]
        }, "a bot keeps its name and level"
        assert line.seat == names(shown).index("Ben"), "a line is told what its player's seat is"
        assert names(await aki.get(path)) == names(shown), "drawn once"
        orders.add(tuple(names(shown).index(name) for name in names(before)))
        table.leave(line)
    assert len(orders) > 1, "8 draws of 24 orders: all alike once in 24 ** 7"


async def test_seats_stay_where_nothing_is_said(server: AsgiServer) -> None:
    aki, ben = [await server.guest(name) for name in ("Aki", "Ben")]
    for _ in range(4):
        path = await opened(aki, chairs=BOTS)
        await ben.post(f"{path}/sit", {"seat": 1})
        before = await aki.post(f"{path}/bot", {"seat": 3, "bot": "random"})
        assert before["seating"] == "fixed"
        assert names(await aki.post(f"{path}/start")) == names(before)
    wrong = {"game": GAME, "seats": 4, "seating": "x"}
    assert await aki.refused("/api/tables", wrong, 400) == "malformed"


async def test_two_players_swap_for_a_rematch_of_a_table_that_drew(server: AsgiServer) -> None:
    aki, ben = [await server.guest(name) for name in ("Aki", "Ben")]
    made = await aki.post("/api/tables", {"game": "kingdoms", "seats": 2, "seating": "drawn"}, 201)
    path = f"/api/tables/{made['table']['id']}"
    await ben.post(f"{path}/sit", {"seat": 1})
    first = names(await aki.post(f"{path}/start"))
    table = await server.services.registry.find(made["table"]["id"])
    for is_fixed in (False, True):
        await handle(table, on.NonceTimeout(is_fixed))
    await play(server, made["table"]["id"])
    again = await ben.post(f"{path}/rematch")
    assert again["seating"] == "fixed"
    assert names(again) == first[::-1]


async def test_a_wish_ends_with_the_start(server: AsgiServer) -> None:
    aki, ben, chie = [await server.guest(name) for name in ("Aki", "Ben", "Chie")]
    chairs = [{"kind": "open"}] * 3 + [{"kind": "bot", "bot": "random"}]
    path = await opened(aki, chairs=chairs)
    await ben.post(f"{path}/sit", {"seat": 1})
    await chie.post(f"{path}/sit", {"seat": 2})
    await ben.post(f"{path}/swap", {"seat": 2})
    assert (await aki.post(f"{path}/start"))["wishes"] == []
    assert await chie.refused(f"{path}/swap", {"seat": 1}, 409) == "table-started"


async def test_the_host_swaps_any_two_seats(server: AsgiServer) -> None:
    aki, ben = await server.guest("Aki"), await server.guest("Ben")
    path = await opened(aki, chairs=BOTS)
    await ben.post(f"{path}/sit", {"seat": 1})
    assert await ben.refused(f"{path}/swap", {"seat": 2}, 403) == "not-host"
    assert await ben.refused(f"{path}/swap", {"seat": 0, "other": 2}, 403) == "not-host"
    shown = await aki.post(f"{path}/swap", {"seat": 1, "other": 2})
    bot = names(shown)[1]
    assert names(shown) == ["Aki", bot, "Ben", ""]
    shown = await aki.post(f"{path}/swap", {"seat": 1, "other": 3})
    assert names(shown) == ["Aki", "", "Ben", bot]
    assert [seat["kind"] for seat in shown["seats"]] == ["player", "open", "player", "bot"]
    assert names(await aki.post(f"{path}/swap", {"seat": 2})) == ["Ben", "", "Aki", bot]
    await aki.post(f"{path}/stand")
    assert await aki.refused(f"{path}/swap", {"seat": 0}, 409) == "not-seated"


async def test_the_host_puts_bots_on_free_seats(server: AsgiServer) -> None:
    aki, ben = await server.guest("Aki"), await server.guest("Ben")
    path = await opened(aki, chairs=[*BOTS[:3], {"kind": "link"}])
    await ben.post(f"{path}/sit", {"seat": 1})
    assert await ben.refused(f"{path}/bot", {"seat": 3, "bot": "random"}, 403) == "not-host"
    assert await aki.refused(f"{path}/bot", {"seat": 1, "bot": "random"}, 409) == "seat-taken"
    assert await aki.refused(f"{path}/bot", {"seat": 1}, 409) == "seat-taken"
    assert await aki.refused(f"{path}/bot", {"seat": 3, "bot": "genius"}, 422) == "malformed"
    assert await aki.refused(f"{path}/bot", {"seat": 4, "bot": "random"}, 422) == "malformed"
    name = names(await aki.post(f"{path}/bot", {"seat": 3, "bot": "random"}))[3]
    shown = await aki.post(f"{path}/bot", {"seat": 3, "bot": "sensible"})
    assert shown["seats"][3]["player"] == {"id": "bot:sensible", "name": name, "kind": "bot"}
    shown = await aki.post(f"{path}/bot", {"seat": 3})
    assert [seat["kind"] for seat in shown["seats"]] == ["player", "player", "bot", "link"]
    await aki.post(f"{path}/bot", {"seat": 2})
    await aki.post(f"{path}/bot", {"seat": 2})
    for seat in (2, 3):
        await aki.post(f"{path}/bot", {"seat": seat, "bot": "random"})
    await aki.post(f"{path}/start")
    assert await aki.refused(f"{path}/bot", {"seat": 3}, 409) == "table-started"


async def test_a_bot_has_a_name_that_nobody_else_at_the_table_has(server: AsgiServer) -> None:
    aki = await server.guest("Aki")
    chairs = [{"kind": "open"}, *[{"kind": "bot", "bot": "random"}] * 3]
    path = await opened(aki, chairs=chairs)
    bots = names(await aki.get(path))[1:]
    assert len(set(bots)) == 3
    assert set(bots) <= set(house_names())
    await aki.post("/api/rename", {"name": bots[1].upper()})
    now = names(await aki.get(path))
    assert (now[1], now[3]) == (bots[0], bots[2])
    assert now[2] not in bots
    await aki.post("/api/rename", {"name": spoken_name(bots[0], "ja")})
    assert names(await aki.get(path))[1] != bots[0], "nor what it is called in Japanese"


async def test_only_a_bot_has_a_name_in_every_language(server: AsgiServer) -> None:
    person = await server.guest(house_names()[0])
    chairs = [{"kind": "open"}, *[{"kind": "bot", "bot": "random"}] * 2]
    path = await opened(person, seats=3, chairs=chairs)
    await person.post(f"{path}/start")
    table = await server.services.registry.find(path.rpartition("/")[2])
    await handle(table, on.Ready(0, ""))
    (mine,) = await person.get("/api/my-tables")
    assert table.live is not None
    assert mine["to_act"] == list(table.live.match.to_act)
    bots = [spoken_name(name, "ja") for name in names(mine)[1:]]
    assert table.live.wording("ja").texts.names == [names(mine)[0], *bots]
    assert names(mine)[0] == house_names()[0]


async def test_the_lobby_is_listed_without_building_rooms(server: AsgiServer) -> None:
    people = [await server.guest(name) for name in ("Aki", "Ben", "Chie")]
    await seated(server, GAME, people)
    await opened(people[0], pace={"kind": "days", "days": 2})
    before = await people[0].get("/api/tables")
    assert server.services.registry.drop_idle() == 2
    with patch.object(registry, "LiveTable", side_effect=AssertionError("a room is built")):
        after = await people[0].get("/api/tables")
    assert after == before
    assert {table["state"]: table["paused"] for table in after} == {
        "playing": True, "open": False,
    }  # fmt: skip
    assert not server.services.registry.tables


async def test_who_resigns_is_told_of_once(server: AsgiServer) -> None:
    people = [await server.guest(name) for name in ("Aki", "Ben", "Chie")]
    table = await server.services.registry.find(await seated(server, GAME, people))
    told: list[rest.Table] = []
    with patch.object(LiveTable, "tell_changed", lambda table: told.append(table_seen(table))):
        await handle(table, on.Resign(0))
        await handle(table, on.Resign(0))
    assert [(one.seats[0].resigned, one.seats[0].stand_in) for one in told] == [
        (True, table.doc.level)
    ]


async def test_another_name_is_shown_at_tables_that_have_not_started(server: AsgiServer) -> None:
    people = [await server.guest(name) for name in ("Aki", "Ben", "Chie")]
    begun = await seated(server, GAME, people)
    path = await opened(people[1])
    server.services.registry.drop_idle()
    await people[1].post("/api/rename", {"name": "Benjamin"})
    assert names(await people[0].get(path))[0] == "Benjamin"
    assert names(await people[0].get(f"/api/tables/{begun}"))[1] == "Ben", "as in the record"


async def test_who_is_deleted_leaves_every_open_table(server: AsgiServer) -> None:
    """Also tables that are only on disk; and without its host no table begins."""
    aki, ben = await server.guest("Aki"), await server.guest("Ben")
    path, own = await opened(aki), await opened(ben)
    await ben.post(f"{path}/sit", {"seat": 1})
    await aki.post(f"{own}/sit", {"seat": 1})
    server.services.registry.drop_idle()
    await ben.post("/api/delete")
    server.services.registry.drop_idle()
    (listed,) = await aki.get("/api/tables")
    assert names(listed) == ["Aki", "", "", ""]
    shut = await aki.get(own)
    assert (shut["state"], names(shut)) == ("closed", ["", "Aki", "", ""])


async def test_a_deleted_player_does_not_sit_when_a_table_is_built(server: AsgiServer) -> None:
    """As after a crash between the two writes."""
    aki, ben = await server.guest("Aki"), await server.guest("Ben")
    path = await opened(aki)
    await ben.post(f"{path}/sit", {"seat": 1})
    server.services.registry.drop_idle()
    row = await server.services.store.player(ben.id)
    assert row is not None
    await server.services.accounts.delete(row)
    assert names(await aki.get(path)) == ["Aki", "", "", ""]
    server.services.registry.drop_idle()
    assert names((await aki.get("/api/tables"))[0]) == ["Aki", "", "", ""]


async def test_a_deal_that_cannot_be_written_can_be_tried_again(server: AsgiServer) -> None:
    aki = await server.guest("Aki")
    chairs = [{"kind": "bot", "bot": "random"}] * 4
    path = await opened(aki, chairs=chairs)
    with patch.object(server.services.store, "begin_match", side_effect=Busy("full")):
        assert await aki.refused(f"{path}/start", None, 503) == "busy"
    assert (await aki.get(path))["state"] == "open"
    assert (await aki.post(f"{path}/start"))["state"] == "playing"


async def test_a_deal_that_was_given_up_and_is_written_stands(server: AsgiServer) -> None:
    people = [await server.guest(name) for name in ("Aki", "Ben", "Chie")]
    with cut_off(server, "begin_match"), suppress(CommitUnanswered):
        await seated(server, GAME, people)
    (table,) = await people[0].get("/api/tables")
    assert table["state"] == "playing"
    await play(server, table["id"])


@pytest.mark.parametrize("is_written", [False, True])
async def test_a_rematch_that_fails_leaves_no_table_behind(
    server: AsgiServer, is_written: bool
) -> None:
    people = [await server.guest(name) for name in ("Aki", "Ben")]
    table = await seated(server, "kingdoms", people)
    await play(server, table)
    write, path = server.services.store.change_table, f"/api/tables/{table}/rematch"

    async def fails(row: TableRow) -> None:
        if row.id != table or is_written:
            await write(row)
        if row.id == table:
            raise MaybeWritten("the disk failed")

    with patch.object(server.services.store, "change_table", fails):
        assert await people[0].refused(path, None, 503) == "busy"
    left = [row.id for row in await server.services.store.tables({"open"})]
    assert len(left) == is_written
    made = (await people[1].post(path))["id"]
    assert [row.id for row in await server.services.store.tables({"open"})] == [made]
    assert left in ([], [made])


@contextmanager
def cut_off(server: AsgiServer, name: str) -> Iterator[None]:
    """Lose the store's answer: the row is written, but the caller gets an error."""
    write = getattr(server.services.store, name)

    async def written(*rows: Any) -> None:
        await write(*rows)
        raise CommitUnanswered("lost")

    with patch.object(server.services.store, name, written):
        yield


async def test_who_resigns_while_the_answer_of_the_store_is_lost_has_resigned(
    server: AsgiServer,
) -> None:
    """And the match ends: nothing waits for a row that was changed before."""
    people = [await server.guest(name) for name in ("Aki", "Ben", "Chie")]
    table_id = await seated(server, GAME, people)
    table = await server.services.registry.find(table_id)
    with cut_off(server, "change_table"), pytest.raises(CommitUnanswered):
        await handle(table, on.Resign(1))
    assert table_seen(table).seats[1].resigned
    assert table.presence is not None
    assert table.presence.by_bots() == {1}
    await play(server, table_id)
    assert (await people[0].get(f"/api/tables/{table_id}"))["state"] == "over"


async def test_who_resigns_after_a_take_over_does_not_undo_it(server: AsgiServer) -> None:
    people = [await server.guest(name) for name in ("Aki", "Ben", "Chie")]
    table_id = await seated(server, GAME, people)
    table = await server.services.registry.find(table_id)
    assert table.live is not None
    seat = min(table.live.match.to_act)
    command = frames.Play("for somebody", 1, table.live.match.legal(seat)[0])
    assert table.presence is not None
    table.presence.here(range(3))
    table.presence.absent.add(seat)
    await handle(table, on.Play(bot_id(table.doc.level), seat, command))
    await handle(table, on.Resign(seat))
    del server.services.registry.tables[table_id]
    table = await server.services.registry.find(table_id)
    assert table.stand_in_moves == {seat: 1}
    assert table.left_after == {}, "no bot has decided since"
