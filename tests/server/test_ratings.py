"""Who wins gets stronger in that game with so many seats, and nowhere else."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from tests.server.stores import store_for
from tests.server.waits import TIMEOUT
from zashiki.server.store.protocol import Store
from zashiki.server.store.rows import EntryRow, MatchRow, PlayerRow, TableRow
from zashiki.server.tables.ratings import MODEL, rated, seen_rating, settling

NOW = 1000.0
PEOPLE = ("aki", "ben", "chie")


@asynccontextmanager
async def store_with_players(folder: Path) -> AsyncIterator[Store]:
    store = store_for(folder)
    await store.open()
    try:
        for id in PEOPLE:
            await store.add_player(PlayerRow(id, "guest", id, None, None, NOW))
        yield store
    finally:
        await store.close()


def ended(players: list[str | None], ranks: list[int]) -> MatchRow:
    return MatchRow(
        "match", "table", "red-town", len(players), {}, b"", b"", NOW, NOW, players, True, ranks,
        [0.0] * len(players),
    )  # fmt: skip


async def table(store: Store, *chairs: str) -> None:
    """A table with people, or bots of the house, by name."""
    kinds = [{"player": name} if name in PEOPLE else {"bot": name} for name in chairs]
    await store.add_table(TableRow("table", "aki", "over", True, {"chairs": kinds}, 1, NOW))


async def test_the_winner_rises_and_the_loser_sinks(tmp_path: Path) -> None:
    async with store_with_players(tmp_path) as store:
        await table(store, *PEOPLE)
        rows = await rated(store, ended([*PEOPLE], [2, 1, 3]), NOW)
        by = {row.player: row for row in rows}
        assert by["ben"].mu > by["aki"].mu > by["chie"].mu
        assert by["ben"].mu > MODEL.mu > by["chie"].mu
        assert {(row.game, row.seats, row.matches) for row in rows} == {("red-town", 3, 1)}
        assert all(row.sigma < MODEL.sigma for row in rows)


async def test_equals_stay_equal(tmp_path: Path) -> None:
    async with store_with_players(tmp_path) as store:
        await table(store, "aki", "ben")
        aki, ben = await rated(store, ended(["aki", "ben"], [1, 1]), NOW)
        assert abs(aki.mu - ben.mu) < 1e-9


async def test_a_match_that_does_not_count_changes_nothing(tmp_path: Path) -> None:
    async with store_with_players(tmp_path) as store:
        await table(store, *PEOPLE)
        others: list[dict[str, Any]] = [
            {"rated": False},
            {"ranks": None},
            {"players": ["aki", None, "ben"]},
        ]
        for other in others:
            match = replace(ended([*PEOPLE], [1, 2, 3]), **other)
            assert await rated(store, match, NOW) == []


async def test_bots_of_the_house_are_rated_unless_they_sit_twice(tmp_path: Path) -> None:
    async with store_with_players(tmp_path) as store:
        await table(store, "aki", "random", "sensible", "random")
        rows = await rated(store, ended(["aki", None, None, None], [1, 3, 2, 4]), NOW)
        assert [row.player for row in rows] == ["aki", "bot:sensible"]


async def test_what_is_known_is_where_the_next_match_begins(tmp_path: Path) -> None:
    async with store_with_players(tmp_path) as store:
        await table(store, "aki", "ben")
        match = ended(["aki", "ben"], [1, 2])
        begun = TableRow("table", "aki", "playing", True, {"chairs": []}, 2, NOW)
        first = EntryRow("match", 0, None, None, None, None, None, [], NOW)
        await store.begin_match(replace(match, ended=None, ranks=None), first, begun)
        async with settling(store, match):
            rows = await rated(store, match, NOW)
            last = replace(first, n=1, seat=0, action="win")
            await store.finish(last, match, rows, replace(begun, state="over", version=3))
        again = await rated(store, match, NOW + 1)
        assert [row.matches for row in again] == [2, 2]
        assert again[0].mu > rows[0].mu > MODEL.mu
        board = await store.leaderboard("red-town", 2)
        assert [row.player for row in board] == ["aki", "ben"]
        shown = seen_rating(board[0])
        assert shown.low < shown.mean < shown.high


async def test_only_matches_of_the_same_players_wait_for_each_other(tmp_path: Path) -> None:
    async with store_with_players(tmp_path) as store:
        await table(store, *PEOPLE)
        settled: list[str] = []

        async def settle(name: str, *players: str) -> None:
            async with settling(store, ended([*players, None], [1, 2, 3])):
                settled.append(name)

        async with settling(store, ended(["aki", "ben", None], [1, 2, 3])):
            waits = asyncio.create_task(settle("also ben's", "chie", "ben"))
            await asyncio.wait_for(settle("others'", "dai", "emi"), TIMEOUT)
            await asyncio.sleep(0.05)
            assert settled == ["others'"]
        await waits
        assert settled == ["others'", "also ben's"]


async def test_who_resigned_is_last_whatever_the_bot_made_of_it(tmp_path: Path) -> None:
    async with store_with_players(tmp_path) as store:
        await table(store, *PEOPLE)
        rows = await rated(store, ended([*PEOPLE], [1, 2, 3]), NOW, resigned=(0,))
        by = {row.player: row for row in rows}
        assert by["ben"].mu > by["chie"].mu > by["aki"].mu
