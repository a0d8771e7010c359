"""Whoever comes back is told where it is their turn."""

import asyncio
from pathlib import Path

from tests.server.indoors import indoors, play, seated


def test_the_tables_that_wait_for_somebody(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with indoors(tmp_path) as home:
            people = [await home.guest(name) for name in ("Aki", "Ben", "Chie")]
            table = await seated(home, "kamiza-second", people)
            await people[0].post("/api/tables", {"game": "kingdoms", "seats": 2}, 201)
            live = (await home.server.registry.find(table)).live
            assert live is not None
            (acting,) = live.match.to_act
            told = [await asker.get("/api/my-turns") for asker in people]
            assert told == [[table] if seat == acting else [] for seat in range(3)]
            await play(home, table)
            assert [await asker.get("/api/my-turns") for asker in people] == [[], [], []]
            assert await home.asker().refused("/api/my-turns", None, 401, "GET") == "no-session"

    asyncio.run(scenario())
