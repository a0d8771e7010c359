"""The news of a match on the wire: a public part that all readers share, and a private part."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import Raw

from tests.server.asgi_server import AsgiServer, asgi_server, play, seated
from tests.server.guests import Guest
from tests.server.in_process_server import in_process_server
from tests.server.streams import merged
from tests.server.test_card_sets import TEXT
from tests.server.waits import TIMEOUT
from zashiki.core.record import tells
from zashiki.server.protocol import frames
from zashiki.server.tables import commands as on
from zashiki.server.tables.connection import Connection
from zashiki.server.tables.handler import handle

GAMES = [
    ("kamiza-second", 4, 36),
    ("kamiza-2014", 3, 30),
    ("red-town", 4, 40),
    ("red-town", 2, 40),
    ("kingdoms", 2, 60),
    ("goofspiel", 3, 30),
]
DELAY = 3
FEWEST = 5
"""Every match has more news than this: some end early, by chance."""


class Parts(msgspec.Struct):
    """A frame `told` in its two parts, each as raw bytes."""

    first: int
    public: Raw
    own: Raw


class PublicFacts(msgspec.Struct):
    facts: list[Raw]


class OwnFacts(PublicFacts):
    at: list[int]


async def dealt(server: AsgiServer, game: str, seats: int, **other: Any) -> tuple[str, list[str]]:
    """A table with a dealt match, and its people."""
    clients = [await server.guest(f"Guest {seat}") for seat in range(seats)]
    table = await seated(server, game, clients, **other)
    return table, [client.id for client in clients]


async def arrived(
    server: AsgiServer, table: str, player: str, version: frames.Version, have: int = 0
) -> Connection:
    """A connection that has sent hello. It is never flushed, so all its frames wait."""
    connection = Connection(player, None)
    hello = frames.Hello(have, language="en", version=version)
    await handle(await server.services.registry.find(table), on.Arrive(connection, hello))
    return connection


def told(connection: Connection) -> list[bytes]:
    return [frame for frame in connection.waiting if b'"is":"told"' in frame]


def publics(connection: Connection) -> list[bytes]:
    return [bytes(msgspec.json.decode(frame, type=Parts).public) for frame in told(connection)]


@pytest.mark.parametrize(("game", "seats", "actions"), GAMES)
async def test_both_versions_tell_the_same(
    tmp_path: Path, game: str, seats: int, actions: int
) -> None:
    async with asgi_server(tmp_path) as server:
        table, people = await dealt(server, game, seats)
        readers = [*people, "a spectator"]
        old = [await arrived(server, table, player, 1) for player in readers]
        new = [await arrived(server, table, player, 2) for player in readers]
        await play(server, table, actions)
        for player in readers:  # they come again, and have some facts
            old.append(await arrived(server, table, player, 1, 4))
            new.append(await arrived(server, table, player, 2, 4))
        for one, other in zip(old, new, strict=True):
            for left, right in zip(told(one), told(other), strict=True):
                assert merged(json.loads(right)) == json.loads(left)
        assert len(told(new[0])) > FEWEST


@pytest.mark.parametrize(("game", "seats", "actions"), GAMES)
async def test_the_public_part_is_the_same_bytes_for_everybody(
    tmp_path: Path, game: str, seats: int, actions: int
) -> None:
    async with asgi_server(tmp_path) as server:
        table, people = await dealt(server, game, seats)
        readers = [await arrived(server, table, player, 2) for player in (*people, "a spectator")]
        await play(server, table, actions)
        everybody = publics(readers[0])
        assert len(everybody) > FEWEST
        for reader in readers:
            assert publics(reader) == everybody
        owns = {bytes(msgspec.json.decode(told(one)[-1], type=Parts).own) for one in readers}
        assert len(owns) == seats + 1, "each seat has something of its own, spectators nothing"
        assert b"null" in owns


@pytest.mark.parametrize(("game", "seats", "actions"), GAMES)
async def test_a_fact_is_the_same_bytes_in_the_store_on_the_wire_and_in_the_record(
    tmp_path: Path, game: str, seats: int, actions: int
) -> None:
    async with asgi_server(tmp_path) as server:
        table, people = await dealt(server, game, seats)
        sent = [await arrived(server, table, player, 2) for player in (*people, "a spectator")]
        await play(server, table, actions)
        live = await server.services.registry.find(table)
        assert live.match_row is not None
        assert live.live is not None
        stored = [
            fact for entry in await live.store.entries(live.match_row.id) for fact in entry.facts
        ]
        for seat, connection in enumerate(sent):
            reader = seat if seat < seats else "all"
            mine = [bytes(fact) for fact in stored if tells(audience(fact), reader)]
            assert facts_in(connection) == mine
        lines = live.live.match.record().splitlines()[1:-1]
        for number, (line, fact) in enumerate(zip(lines, stored, strict=True), 1):
            to, name, given = (bytes(part).decode() for part in parts(fact))
            assert line.startswith(f'{{"n":{number},"to":{to},"fact":{name},"with":{given}')


def parts(fact: Raw) -> Sequence[Raw]:
    return msgspec.json.decode(fact, type=tuple[Raw, Raw, Raw])


def audience(fact: Raw) -> Any:
    return msgspec.json.decode(parts(fact)[0])


def facts_in(connection: Connection) -> list[bytes]:
    """Return all facts that a connection was sent, in order, as raw bytes."""
    facts: list[bytes] = []
    for frame in told(connection):
        news = msgspec.json.decode(frame, type=Parts)
        assert news.first == len(facts) + 1
        public = msgspec.json.decode(news.public, type=PublicFacts).facts
        own = msgspec.json.decode(news.own, type=OwnFacts | None) or OwnFacts([], [])
        facts += [bytes(fact) for fact in frames.in_order(public, own.facts, own.at)]
    return facts


async def test_delayed_spectators_get_the_bytes_of_then(tmp_path: Path) -> None:
    async with asgi_server(tmp_path) as server:
        table, people = await dealt(server, "kamiza-second", 4, watch="delayed", delay=DELAY)
        player = await arrived(server, table, people[0], 2)
        spectator = await arrived(server, table, "a spectator", 2)
        await play(server, table, 20)
        then, late = publics(player), publics(spectator)
        assert late[0] == then[0]
        shown = [frame for frame in then[1:-DELAY] if json.loads(frame)["facts"]]
        assert late[1:] == shown, "nothing is sent when there is nothing to show"
        assert len(shown) > DELAY


async def test_a_delayed_spectator_does_not_learn_when_somebody_acts(tmp_path: Path) -> None:
    """Before the first delayed moment there is no frame at all, however much is played.

    Not even the one by which the others learn that somebody is no longer waited for.
    """
    async with asgi_server(tmp_path) as server:
        table, people = await dealt(server, "kamiza-second", 4, watch="delayed", delay=DELAY)
        player = await arrived(server, table, people[0], 2)
        spectators = [await arrived(server, table, "a spectator", version) for version in (1, 2)]
        live = await server.services.registry.find(table)
        assert live.presence is not None
        live.presence.noticed = dict(live.presence.asked)
        live.tell_changed()
        before = len(publics(player)), [list(one.waiting) for one in spectators]
        is_changed = [b'"is":"changed"' in frame for frame in player.waiting]
        await play(server, table, DELAY)
        assert len(publics(player)) == before[0] + DELAY
        assert [b'"is":"changed"' in frame for frame in player.waiting].count(True) > sum(
            is_changed
        )
        assert [one.waiting for one in spectators] == before[1]


async def test_a_card_set_is_sent_once(tmp_path: Path) -> None:
    """With the welcome. Later frames of the table name it only."""
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        host, other = await Guest(server, "Host").come(), await Guest(server, "Other").come()
        wanted = {"game": "kingdoms", "seats": 2, "options": {"card_set": TEXT}}
        table = (await host.post("/api/tables", wanted))["table"]
        async with host.socket(table["id"]) as talk:
            welcome = (await talk.until("welcome"))["table"]
            assert welcome["options"] == table["options"]
            assert len(welcome["options"]["card_set"]["cards"]) > 1
            await other.post(f"/api/tables/{table['id']}/sit", {"seat": 1})
            while (changed := (await talk.until("changed"))["table"])["seats"][1]["player"] is None:
                pass
            assert changed["options"] == {"card_set": "mine"}
            assert changed | {"options": {}} == await host.get(f"/api/tables/{table['id']}") | {
                "options": {}, "unrated": changed["unrated"],
            }  # fmt: skip
        await host.client.aclose()
        await other.client.aclose()
