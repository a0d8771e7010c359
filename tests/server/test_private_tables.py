"""Strangers learn little of a private table: no chat, and no id from its players."""

import asyncio
from pathlib import Path

from tests.server.asgi_server import AsgiServer, play, seated
from tests.server.guests import Guest, Talk
from tests.server.in_process_server import InProcessServer, in_process_server
from tests.server.server_process import server_process
from tests.server.waits import TIMEOUT, connect
from zashiki.server.protocol import frames
from zashiki.server.store.rows import ChatRow
from zashiki.server.tables import commands as on
from zashiki.server.tables.handler import handle
from zashiki.server.tables.state import CHAT_LINES

GAME = {"game": "kingdoms", "seats": 2}


async def welcomed(server: InProcessServer, guest: Guest, path: str) -> list[str]:
    """Return the lines of chat that a new socket is shown."""
    url = f"ws://127.0.0.1:{server.port}/api/tables/{path}"
    async with connect(url, additional_headers=guest.session) as opened:
        talk = Talk(opened)
        await talk.send(do="hello")
        return [line["text"] for line in (await talk.until("welcome"))["chat"]]


async def test_the_chat_of_a_private_table_is_for_its_players_and_its_link(tmp_path: Path) -> None:
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        host, other, stranger = [
            await Guest(server, name).come() for name in ("Host", "Other", "Stranger")
        ]
        made = await host.post("/api/tables", {**GAME, "public": False})
        table, key = made["table"]["id"], made["key"]
        await other.post(f"/api/tables/{table}/sit", {"seat": 1})
        async with (
            host.socket(table) as mine,
            other.socket(table) as theirs,
            stranger.socket(table) as watching,
        ):
            for talk in (theirs, watching):
                await talk.until("welcome")
            assert (await mine.answered("1", do="say", text="psst"))["ok"]
            assert (await theirs.until("chatted"))["text"] == "psst"
            refused = await watching.answered("2", do="say", text="hello")
            assert refused["fault"]["code"] == "private-chat"
            assert not [one for one in watching.kept if one["is"] == "chatted"]
        for guest, path, lines in (
            (other, f"{table}/socket", ["psst"]),
            (stranger, f"{table}/socket", []),
            (stranger, f"{table}/socket?key=", []),
            (stranger, f"{table}/socket?key=wrong", []),
            (stranger, f"{table}/socket?key={key}", ["psst"]),
        ):
            assert await welcomed(server, guest, path) == lines, path
        for guest in (host, other, stranger):
            await guest.client.aclose()


async def test_the_chat_of_a_public_table_is_for_all(tmp_path: Path) -> None:
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        host, stranger = await Guest(server, "Host").come(), await Guest(server, "Third").come()
        table = (await host.post("/api/tables", GAME))["table"]["id"]
        async with host.socket(table) as mine, stranger.socket(table) as watching:
            await mine.until("welcome")
            assert (await watching.answered("1", do="say", text="hello"))["ok"]
            assert (await mine.until("chatted"))["text"] == "hello"
        await host.client.aclose()
        await stranger.client.aclose()


async def test_a_history_names_tables_to_those_who_sat_there(server: AsgiServer) -> None:
    aki, ben, stranger = [await server.guest(name) for name in ("Aki", "Ben", "Chie")]
    table = await seated(server, "kingdoms", [aki, ben], public=False)
    match = await play(server, table)
    for reader, shown in (
        (aki, table),
        (ben, table),
        (stranger, None),
        (server.api_client(), None),
    ):
        for player in (aki.id, ben.id):
            history = await reader.get(f"/api/players/{player}/matches")
            assert [one["table"] for one in history["matches"]] == [shown]
        assert (await reader.get(f"/api/matches/{match}"))["match"]["table"] == shown


# Lines that are sent again ---------------------------------------------------------------------


async def test_a_line_that_is_sent_again_after_a_restart_is_said_once(tmp_path: Path) -> None:
    with server_process(tmp_path) as server:
        aki = await Guest(server, "Aki").come()
        table = (await aki.post("/api/tables", GAME))["table"]["id"]
        async with aki.socket(table) as talk:
            assert (await talk.answered("same", do="say", text="hello"))["ok"]
        server.kill()
        server.start()
        async with aki.socket(table) as talk:
            assert (await talk.answered("same", do="say", text="hello"))["ok"]
            assert (await talk.answered("other", do="say", text="again"))["ok"]
        async with aki.socket(table) as talk:
            chat = (await talk.until("welcome"))["chat"]
            assert [line["text"] for line in chat] == ["hello", "again"]
        await aki.client.aclose()


async def test_a_key_of_long_ago_is_known_too(server: AsgiServer) -> None:
    """It is not among the lines in memory: the store has it."""
    aki = await server.guest("Aki")
    table_id = (await aki.post("/api/tables", GAME, 201))["table"]["id"]
    store, registry = server.services.store, server.services.registry
    for n in range(1, CHAT_LINES + 11):
        await store.add_chat(ChatRow(table_id, n, aki.id, 0, f"line {n}", 0.0, f"key {n}"))
    registry.drop_idle()
    table = await registry.find(table_id)
    for key in ("key 3", f"key {CHAT_LINES}"):
        await handle(table, on.Say(aki.id, 0, "again", key))
    assert await store.chat(table_id, CHAT_LINES + 10) == []
    await handle(table, on.Say(aki.id, 0, "new", "new key"))
    assert isinstance(table.chat_lines[-1], frames.Chatted)
    assert table.chat_lines[-1].text == "new"
