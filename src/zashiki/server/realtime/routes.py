"""Who may open which socket: the routes of tables, of the lobby and of bot workers."""

from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from litestar import websocket
from litestar.connection import WebSocket
from litestar.datastructures import State
from litestar.exceptions import NotAuthorizedException, TooManyRequestsException
from litestar.params import FromPath, FromQuery

from zashiki.server.accounts.tickets import Ticket
from zashiki.server.deps import address_of, require_player, session_player
from zashiki.server.errors import ApiError
from zashiki.server.ops.origins import check_origin
from zashiki.server.protocol import frames
from zashiki.server.protocol.workers import SOCKET
from zashiki.server.realtime.bot_socket import serve_bot
from zashiki.server.realtime.lobby_socket import watch_lobby
from zashiki.server.realtime.person_socket import PersonSession
from zashiki.server.realtime.worker_socket import serve_worker
from zashiki.server.services import Services, services_of
from zashiki.server.store.rows import PlayerRow


@websocket("/api/tables/{table_id:str}/socket")
async def table_socket(
    socket: WebSocket[Any, Any, State],
    table_id: FromPath[str],
    ticket: FromQuery[str | None] = None,
) -> None:
    """Play and watch, with a session or a ticket: see the schema of the frames."""
    services = services_of(socket.app.state)
    check_page(socket, services)
    used = None if ticket is None else services.tickets.redeem_local(ticket)
    if used is not None and used.seat is not None and used.table == table_id:
        await socket.accept()
        await serve_bot(services.dispatcher, socket, used)
        return
    check_rate(socket, services)
    try:
        if ticket is None:
            player = await require_player(socket)
        else:
            player = await holder(services, used or await services.tickets.redeem(ticket), table_id)
        table = await services.registry.find(table_id)
    except ApiError as problem:
        await turn_away(socket, problem)
        return
    talk = PersonSession(socket, table, player, services)
    with talk.attached():
        await held(socket, services, player.id, talk.hold)


async def holder(services: Services, used: Ticket | None, table: str) -> PlayerRow:
    """Who wrote a ticket for this table, in a session that goes on."""
    player = None if used is None else await services.accounts.of_epoch(used.player, used.epoch)
    if used is None or used.table != table or player is None:
        raise NotAuthorizedException
    return player


async def turn_away(socket: WebSocket[Any, Any, State], problem: ApiError) -> None:
    """Say why not: a page is told nothing of a socket that was not accepted."""
    bye = frames.Bye(problem.code, problem.text, problem.status == 429)
    await socket.accept()
    await socket.send_data(msgspec.json.encode(bye).decode())
    await socket.close()


@websocket("/api/lobby/socket")
async def lobby_socket(socket: WebSocket[Any, Any, State]) -> None:
    """Every change of a public table, as it happens."""
    services = services_of(socket.app.state)
    check_page(socket, services)
    check_rate(socket, services)
    player = await session_player(socket)
    asker = address_of(socket) if player is None else player.id
    await held(socket, services, asker, lambda: watch_lobby(socket, services.registry))


async def held(
    socket: WebSocket[Any, Any, State],
    services: Services,
    key: str,
    talk: Callable[[], Awaitable[None]],
) -> None:
    """Let a socket talk, unless who opened it, or their address, has too many."""
    address = address_of(socket)
    try:
        services.sockets.check(key)
        services.connections.check(address)
    except ApiError as problem:
        await turn_away(socket, problem)
        return
    with services.sockets.hold(key), services.connections.hold(address):
        await socket.accept()
        await talk()


def check_rate(socket: WebSocket[Any, Any, State], services: Services) -> None:
    """A socket is a request like any other."""
    try:
        services.limits.take(address=address_of(socket))
    except ApiError:
        raise TooManyRequestsException from None


def check_page(socket: WebSocket[Any, Any, State], services: Services) -> None:
    """A page of another site is turned away before its socket is accepted."""
    try:
        check_origin(socket.headers.get("origin"), services.origins(socket.headers.get("host")))
    except ApiError:
        raise NotAuthorizedException from None


@websocket(SOCKET)
async def worker_socket(socket: WebSocket[Any, Any, State]) -> None:
    """Serve a bot worker that has the token. A browser has no business here."""
    dispatcher = services_of(socket.app.state).dispatcher
    if socket.headers.get("origin") or not dispatcher.is_worker(
        socket.headers.get("authorization")
    ):
        raise NotAuthorizedException
    await socket.accept()
    await serve_worker(dispatcher, socket)


HANDLERS = (table_socket, lobby_socket, worker_socket)
