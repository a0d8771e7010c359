"""The ASGI application in the process of the test, called without a socket."""

import asyncio
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, cast

import httpx
from litestar import Litestar

from tests.server.applications import application
from zashiki.server.bots.dispatcher import BotDispatcher
from zashiki.server.protocol import frames
from zashiki.server.services import Services
from zashiki.server.settings import Settings
from zashiki.server.store.rows import is_bot
from zashiki.server.system import System
from zashiki.server.tables import commands as on
from zashiki.server.tables.handler import handle, run_queue
from zashiki.server.tables.live import LiveTable
from zashiki.server.tables.model import bot_id

HOST = "http://localhost"
MARKER = {"X-Zashiki": "1"}
LOCAL = "127.0.0.1"


class ManualClock(System):
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.at = 1_800_000_000.0
        self.set_by = 0.0
        """By how many seconds the machine's clock was set since."""

    def now(self) -> float:
        return self.at + self.set_by

    def monotonic(self) -> float:
        return self.at


class ApiClient:
    """An HTTP client with its own cookie jar or token."""

    def __init__(self, app: Litestar, headers: dict[str, str], address: str) -> None:
        transport = httpx.ASGITransport(cast("Any", app), client=(address, 1))
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
        """Return the error code of a refused request."""
        code: str = (await self.ask(method, path, data, status))["code"]
        return code


class AsgiServer:
    """The application, its services and its clients."""

    def __init__(self, app: Litestar, system: ManualClock) -> None:
        self.app = app
        self.system = system
        self.services: Services = app.state["server"]
        self.api_clients: list[ApiClient] = []

    def api_client(self, address: str = LOCAL, **headers: str) -> ApiClient:
        self.api_clients.append(ApiClient(self.app, headers or MARKER, address))
        return self.api_clients[-1]

    def program(self, token: str) -> ApiClient:
        return self.api_client(Authorization=f"Bearer {token}")

    async def guest(self, name: str = "Aki", address: str | None = None) -> ApiClient:
        """Return a new guest, with a separate address unless one is given."""
        api_client = self.api_client(address or f"192.0.2.{len(self.api_clients) % 250 + 1}")
        api_client.id = (await api_client.post("/api/guest", {"name": name}, 201))["id"]
        return api_client

    async def account(self, login: str) -> ApiClient:
        api_client = await self.guest(login)
        await api_client.post("/api/register", {"login": login, "password": "correct horse"})
        return api_client


@asynccontextmanager
async def asgi_server(
    folder: Path, at: float | None = None, **settings: Any
) -> AsyncIterator[AsgiServer]:
    system = ManualClock()
    system.at = system.at if at is None else at
    chosen = Settings(folder, system=system, **settings)
    made = AsgiServer(application(chosen), system)
    async with made.app.lifespan():
        try:
            yield made
        finally:
            for api_client in made.api_clients:
                await api_client.client.aclose()


@contextmanager
def busy(table: LiveTable) -> Iterator[None]:
    """Keep an idle table busy until the end of the block, so that commands wait."""
    assert not table.queue
    table.queue.append(on.QueuedCommand(on.CatchUp(), lambda *_: None))
    yield
    del table.queue[0]
    run_queue(table)


async def seated(server: AsgiServer, game: str, api_clients: list[ApiClient], **other: Any) -> str:
    """Return the id of a dealt table with a person on each seat."""
    wanted = {"game": game, "seats": len(api_clients), **other}
    table_id: str = (await api_clients[0].post("/api/tables", wanted, 201))["table"]["id"]
    for seat, api_client in enumerate(api_clients[1:], 1):
        await api_client.post(f"/api/tables/{table_id}/sit", {"seat": seat})
    await api_clients[0].post(f"/api/tables/{table_id}/start")
    table = await server.services.registry.find(table_id)
    for seat in range(len(api_clients)):
        await handle(table, on.Ready(seat, ""))
    return table_id


async def play(server: AsgiServer, table_id: str, actions: int = 10_000) -> str:
    """Play this many random actions, or to the end; return the id of the match."""
    table = await server.services.registry.find(table_id)
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
