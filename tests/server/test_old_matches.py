"""Matches as the server stored them, of every rules_version there ever was: they stay readable.

A folder for each version of each game has the rows of one match, as the store returned them, and
the record that was made from them. `make goldens` writes missing ones for the present rules.
Existing ones are never written again: that would change the past.
"""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
import pytest

import zashiki
from tests.server import asgi_server as here
from tests.server.asgi_server import AsgiServer, ManualClock, asgi_server, play, seated
from tests.server.in_process_server import FixedSystem
from tests.server.store_conformance import appended
from tests.server.streams import readers, stream
from zashiki.core.record import tells
from zashiki.games import catalogue, game_spec
from zashiki.server.errors import ApiError
from zashiki.server.protocol import frames
from zashiki.server.store.rows import EntryRow, MatchRow, PlayerRow, TableRow
from zashiki.server.tables import commands as on
from zashiki.server.tables import model, replay
from zashiki.server.tables.handler import handle
from zashiki.server.tables.match import FACT, LiveMatch, restore_match
from zashiki.server.tables.replay import Replay

STORED = Path(__file__).parent / "stored"
SHORT = {"red-town": {"form": "short"}, "goofspiel": {"cards": 4}}
SEATS = {"red-town": 3, "kamiza-second": 3, "kamiza-2014": 3}
NAMES = ("Aki", "Ben", "Chie")
FOLDERS = [
    folder
    for folder in sorted(STORED.glob("*-v*"))
    if folder.name.rpartition("-v")[0] in catalogue()
]
VERSIONS = [
    (spec.id, version)
    for spec in catalogue().values()
    for version in range(1, spec.rules_version + 1)
]


class Still(FixedSystem, ManualClock):
    """The same ids, secrets and time whenever a match is stored."""


def folder_of(game: str, version: int) -> Path:
    return STORED / f"{game}-v{version}"


async def store(folder: Path, work: Path, game: str) -> None:
    """Play a match on a server, and save its stored rows."""
    with patch.object(here, "Moving", Still):
        async with asgi_server(work) as server:
            people = [await server.guest(name) for name in NAMES[: SEATS.get(game, 2)]]
            table = await seated(server, game, people, options=SHORT.get(game, {}))
            kept = server.services.store
            match = await kept.match(await play(server, table))
            assert match is not None
            rows = [match, *await kept.entries(match.id)]
            record = await people[0].client.get(f"/api/matches/{match.id}/record")
    folder.mkdir(parents=True)
    lines = [msgspec.json.encode(row) for row in rows]
    (folder / "rows.jsonl").write_bytes(b"\n".join([*lines, b""]))
    (folder / "record.jsonl").write_bytes(record.content)


@pytest.mark.parametrize(("game", "version"), VERSIONS)
async def test_every_version_of_every_game_has_a_stored_match(
    tmp_path: Path, pytestconfig: pytest.Config, game: str, version: int
) -> None:
    folder, is_present = folder_of(game, version), version == game_spec(game).rules_version
    if not folder.exists() and is_present and pytestconfig.getoption("--regenerate-goldens"):
        await store(folder, tmp_path, game)
    assert (folder / "rows.jsonl").is_file(), "none is stored: make goldens, and check it in"
    match, _ = rows_in(folder)
    assert (match.game, match.header["rules_version"]) == (game, version)


def rows_in(folder: Path) -> tuple[MatchRow, list[EntryRow]]:
    first, *others = (folder / "rows.jsonl").read_bytes().splitlines()
    entries = [msgspec.json.decode(line, type=EntryRow) for line in others]
    return msgspec.json.decode(first, type=MatchRow), entries


def record_in(folder: Path) -> str:
    return (folder / "record.jsonl").read_bytes().decode()


def restored(match: MatchRow, entries: list[EntryRow]) -> LiveMatch:
    live = restore_match(game_spec(match.game), match.header, match.seed, match.salt)
    for entry in entries:
        live.follow(entry.seat, entry.action, entry.facts)
    return live


by_folder = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)


@by_folder
def test_its_record_replays(folder: Path) -> None:
    text = record_in(folder)
    match = zashiki.replay(text)
    assert match.over
    assert match.record() == text


@by_folder
async def test_its_rows_are_followed(folder: Path) -> None:
    match, entries = rows_in(folder)
    live = restored(match, entries)
    assert live.match.over
    assert live.match.record() == record_in(folder)
    assert live.match.outcome is not None
    assert (list(live.match.outcome.ranks), list(live.match.outcome.scores)) == (
        match.ranks, match.scores,
    )  # fmt: skip
    for reader in readers(live):
        told = [
            fact for entry in entries for fact in map(FACT.decode, entry.facts)
            if tells(fact[0], reader)
        ]  # fmt: skip
        sent = [(fact.to, fact.fact, fact.arguments) for fact in stream(live, reader)]
        assert sent == told
        replay = Replay(match, entries)
        for step in range(len(entries)):
            sight = await replay.sight(reader, step, "ja", lambda: None)
            assert len(sight.said) == len(sight.facts)


# On a server -----------------------------------------------------------------------------------


async def moved_in(server: AsgiServer, folder: Path, left: int) -> str:
    """Put a stored match into a store, without its last entries; return the id of its table."""
    match, entries = rows_in(folder)
    kept = server.services.store
    for player, name in zip(match.players, match.header["names"], strict=True):
        assert player is not None
        await kept.add_player(PlayerRow(player, "guest", name, None, None, match.started))
    chairs = [
        model.Chair("player", player, name)
        for player, name in zip(match.players, match.header["names"], strict=True)
    ]
    table = model.TableDoc(
        match.game, match.header["options"], tuple(chairs), "live", match.started, "key",
        level="greedy",
    )  # fmt: skip
    host = match.players[0]
    assert host is not None
    doc: dict[str, Any] = json.loads(msgspec.json.encode(table))
    row = TableRow(match.table, host, "open", True, doc, 1, match.started)
    await kept.add_table(row)
    begun = msgspec.structs.replace(match, ended=None, ranks=None, scores=None)
    playing_row = msgspec.structs.replace(row, state="playing", match=match.id, version=2)
    await kept.begin_match(begun, entries[0], playing_row)
    for entry in entries[1 : len(entries) - max(left, 1)]:
        await appended(kept, entry)
    if not left:
        over = msgspec.structs.replace(playing_row, state="over", version=3)
        await kept.finish(entries[-1], match, [], over)
    return match.table


@by_folder
async def test_a_server_shows_it(folder: Path, server: AsgiServer) -> None:
    table_id = await moved_in(server, folder, 0)
    match, entries = rows_in(folder)
    stranger = server.api_client()
    for path in (f"/api/matches/{match.id}/record", f"/api/tables/{table_id}/record"):
        assert (await stranger.client.get(path)).content.decode() == record_in(folder)
    sights = await stranger.get(f"/api/matches/{match.id}/sights?seat=0")
    assert sights[0]["steps"] == len(entries) - 1
    table = await server.services.registry.find(table_id)
    assert table.live is not None
    assert table.live.match.over


@by_folder
async def test_a_server_that_was_stopped_stands_where_it_stood(
    folder: Path, server: AsgiServer
) -> None:
    """It resumes if the rules are still the same; if not, it says so and changes nothing."""
    table_id = await moved_in(server, folder, 3)
    _, entries = rows_in(folder)
    table = await server.services.registry.find(table_id)
    assert table.live is not None
    assert table.live.done == len(entries) - 4
    if not table.live.is_old():
        await play(server, table_id)
        assert table.state == "over"


@pytest.mark.parametrize("game", ["kingdoms"])
async def test_a_match_of_older_rules_is_read_and_does_not_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    """As if the rules had changed today."""
    spec = game_spec(game)
    folder = folder_of(game, spec.rules_version)
    newer = replace(spec, rules_version=spec.rules_version + 1)
    monkeypatch.setattr(model, "game_spec", lambda _: newer)
    monkeypatch.setattr(replay, "game_spec", lambda _: newer)
    async with asgi_server(tmp_path) as server:
        table = await server.services.registry.find(await moved_in(server, folder, 3))
        match, entries = rows_in(folder)
        assert table.live is not None
        assert table.live.is_old()
        assert table.presence is not None
        seat = min(table.live.match.to_act)
        table.presence.here(range(2))
        table.presence.absent.add(seat)
        assert table.bot_seats() == {}, "no bot tries in vain"
        decision, action = table.live.decision(seat), table.live.match.legal(seat)[0]
        assert decision is not None
        player = match.players[seat]
        assert player is not None
        with pytest.raises(ApiError) as problem:
            await handle(table, on.Play(player, seat, frames.Play("k", decision, action)))
        assert (problem.value.status, problem.value.code) == (409, "old-rules")
        assert table.live.done == len(entries) - 4
        path = f"/api/matches/{match.id}/record"
        text = (await server.api_client().client.get(path)).text
        assert json.loads(text.splitlines()[0])["rules_version"] == spec.rules_version
