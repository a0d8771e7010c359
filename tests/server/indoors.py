"""A server in the process of the test, and people who ask it, without a socket in between."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast
from unittest.mock import patch

import httpx
from litestar import Litestar

from tests.server.inside import WEAK
from tests.server.stores import store_for
from zashiki.server.accounts import players
from zashiki.server.app import make_app
from zashiki.server.bots.dispatcher import BotDispatcher
from zashiki.server.protocol import frames
from zashiki.server.services import Services
from zashiki.server.settings import Settings
from zashiki.server.store.rows import is_bot
from zashiki.server.system import System
from zashiki.server.tables import commands as on
from zashiki.server.tables.handler import handle
from zashiki.server.tables.model import bot_id

HOST = "http://localhost"
MARKER = {"X-Zashiki": "1"}


class Moving(System):
    """A clock that moves when it is told to."""

    def __init__(self) -> None:
        self.at = 1_800_000_000.0

    def now(self) -> float:
        return self.at


class Asker:
    """Somebody with a cookie jar (or a token) of their own."""

    def __init__(self, app: Litestar, headers: dict[str, str]) -> None:
        transport = httpx.ASGITransport(cast("Any", app))
        self.client = httpx.AsyncClient(transport=transport, base_url=HOST, headers=headers)
        self.id = ""

    async def ask(self, method: str, path: str, data: Any = None, status: int = 200) -> Any:
        answer = await self.client.request(method, path, json=data)
        assert answer.status_code == status, answer.text
        return answer.json() if answer.content else None

    async def get(self, path: str, status: int = 200) -> Any:
        return await self.ask("GET", path, None, status)

    async def post(self, path: str, data: Any = None, status: int = 200) -> Any:
        return await self.ask("POST", path, data, status)

    async def refused(self, path: str, data: Any, status: int, method: str = "POST") -> str:
        """The code of a fault."""
        code: str = (await self.ask(method, path, data, status))["code"]
        return code


class Indoors:
    """A server and those who came."""

    def __init__(self, app: Litestar, system: Moving) -> None:
        self.app = app
        self.system = system
        self.server: Services = app.state["server"]
        self.askers: list[Asker] = []

    def asker(self, **headers: str) -> Asker:
        self.askers.append(Asker(self.app, headers or MARKER))
        return self.askers[-1]

    def program(self, token: str) -> Asker:
        return self.asker(Authorization=f"Bearer {token}")

    async def guest(self, name: str = "Aki") -> Asker:
        asker = self.asker()
        asker.id = (await asker.post("/api/guest", {"name": name}, 201))["id"]
        return asker

    async def account(self, login: str) -> Asker:
        asker = await self.guest(login)
        await asker.post("/api/register", {"login": login, "password": "correct horse"})
        return asker


@asynccontextmanager
async def indoors(folder: Path) -> AsyncIterator[Indoors]:
    system = Moving()
    with patch.object(players, "PasswordHasher", lambda: WEAK):
        made = Indoors(make_app(Settings(folder, system=system), store_for(folder)), system)
    async with made.app.lifespan():
        try:
            yield made
        finally:
            for asker in made.askers:
                await asker.client.aclose()


async def seated(home: Indoors, game: str, askers: list[Asker], **other: Any) -> str:
    """The id of a table that is dealt, with somebody on each seat."""
    wanted = {"game": game, "seats": len(askers), **other}
    table_id: str = (await askers[0].post("/api/tables", wanted, 201))["table"]["id"]
    for seat, asker in enumerate(askers[1:], 1):
        await asker.post(f"/api/tables/{table_id}/sit", {"seat": seat})
    await askers[0].post(f"/api/tables/{table_id}/start")
    table = await home.server.registry.find(table_id)
    for seat in range(len(askers)):
        await handle(table, on.Ready(seat, ""))
    return table_id


async def play(home: Indoors, table_id: str, actions: int = 10_000) -> str:
    """Play so many actions at random, or to the end; the id of the match."""
    table = await home.server.registry.find(table_id)
    choice = random.Random(5)
    for _ in range(actions):
        live, match = table.live, table.match_row
        assert live is not None
        if not live.match.to_act:
            break
        seat = choice.choice(sorted(live.match.to_act))
        chair = table.doc.chairs[seat]
        resigned = seat in table.doc.resigned
        player = bot_id(table.doc.level) if resigned else chair.player or bot_id(chair.bot)
        if is_bot(player) and table.presence is not None:
            table.presence.here(range(live.match.seats))  # a bot does not play for nobody
        decision = live.decision(seat)
        assert decision is not None
        action = choice.choice(live.match.legal(seat))
        frame = frames.Play(f"decision {decision}", decision, action)
        await handle(table, on.Play(player, seat, frame))
    match = table.match_row
    assert match is not None
    return match.id


async def leased(dispatcher: BotDispatcher) -> None:
    """Wait until this server holds the leases of all seats that wait for a bot."""
    leases = dispatcher.leases
    while leases is not None and not dispatcher.unassigned.keys() <= leases.held:
        await asyncio.sleep(0.01)
