"""Routes of sockets, and the checks before one opens: of tables, of the lobby, of bot workers."""

import logging
from collections.abc import Awaitable, Callable
from functools import partial

import msgspec

from zashiki.server.accounts.tickets import Ticket
from zashiki.server.deps import client_address, require_player, session_token
from zashiki.server.errors import ApiError
from zashiki.server.ops.logs import log
from zashiki.server.ops.origins import check_origin
from zashiki.server.protocol import frames
from zashiki.server.protocol.workers import SOCKET
from zashiki.server.realtime.bot_socket import serve_bot
from zashiki.server.realtime.framing import CloseCode
from zashiki.server.realtime.handshake import HandshakeError, UpgradeRequest
from zashiki.server.realtime.lobby_socket import watch_lobby
from zashiki.server.realtime.person_socket import PersonSession
from zashiki.server.realtime.transport import WebSocketConnection
from zashiki.server.realtime.worker_socket import serve_worker
from zashiki.server.services import Services
from zashiki.server.store.errors import StoreFault
from zashiki.server.store.rows import VISITOR, PlayerRow, is_visitor

ServeAccepted = Callable[[], Awaitable[None]]
"""Serves a socket that was accepted, until its end."""


async def serve_socket(
    services: Services, request: UpgradeRequest, socket: WebSocketConnection
) -> None:
    """Serve one socket from its request to its end."""
    try:
        serve = await Opening(services, request, socket).route()
        del request  # a socket may be open for days
        if serve is not None:
            await serve()
    except HandshakeError as refusal:
        socket.refuse(refusal)
    except StoreFault as fault:
        problem = services.registry.context.outage.error_for(fault)
        if socket.is_accepted:
            socket.hang_up(CloseCode.INTERNAL_ERROR)
        else:
            turn_away(socket, problem)
    except Exception as fault:
        if not isinstance(fault, ApiError):
            log(logging.ERROR, "broken", fault)
        if socket.is_accepted:
            socket.hang_up(CloseCode.INTERNAL_ERROR)
        else:
            socket.refuse(HandshakeError())
    finally:
        socket.end()


async def serve_counted(
    services: Services, player: str, address: str, serve: ServeAccepted
) -> None:
    """Serve a socket, which counts as one of its player and of its address meanwhile."""
    services.sockets.acquire(player)
    services.connections.acquire(address)
    try:
        await serve()
    finally:
        services.connections.release(address)
        services.sockets.release(player)


def turn_away(socket: WebSocketConnection, problem: ApiError) -> None:
    """Accept the socket and send the reason: a page cannot read why a socket was refused."""
    bye = frames.Bye(problem.code, problem.text, problem.status in {429, 503})
    socket.accept()
    socket.write([msgspec.json.encode(bye)])


class Opening:
    """One request for a socket, until it is accepted or refused."""

    def __init__(
        self, services: Services, request: UpgradeRequest, socket: WebSocketConnection
    ) -> None:
        self.services = services
        self.request = request
        self.socket = socket
        forwarded = request.header_values(b"x-forwarded-for")
        self.address = client_address(services, request.peer, forwarded)

    async def route(self) -> ServeAccepted | None:
        """Open the socket that the path names. Empty parts of a path do not count.

        Return how to serve it, or None if it was turned away.
        """
        match [part for part in self.request.path.split("/") if part]:
            case ["api", "tables", table_id, "socket"]:
                return await self.table(table_id)
            case ["api", "lobby", "socket"]:
                return await self.lobby()
            case parts if "/" + "/".join(parts) == SOCKET:
                return self.worker()
            case _:
                raise HandshakeError

    async def table(self, table_id: str) -> ServeAccepted | None:
        """Return how to serve the socket of a table, or None if it was turned away."""
        services, ticket = self.services, self.request.parameter("ticket")
        self.check_page()
        used = None if ticket is None else services.tickets.redeem_local(ticket)
        if used is not None and used.seat is not None and used.table == table_id:
            self.socket.accept()
            return partial(serve_bot, services.dispatcher, self.socket, used)
        self.check_rate()
        try:
            if ticket is None:
                player = await self.player() or self.visitor()
            else:
                used = used or await services.tickets.redeem(ticket)
                player = await self.ticket_holder(used, table_id)
            table = await services.registry.find(table_id)
        except ApiError as problem:
            turn_away(self.socket, problem)
            return None
        session = PersonSession(self.socket, table, player, services, self.address)
        session.connection.link = self.request.parameter("key")
        key = self.address if is_visitor(player.id) else player.id
        return self.counted(key, session.run)

    async def lobby(self) -> ServeAccepted | None:
        """Return how to serve the socket of the lobby, or None if it was turned away."""
        self.check_page()
        self.check_rate()
        player = await self.player()
        key = self.address if player is None else player.id
        lobby = self.services.registry.lobby
        return self.counted(key, partial(watch_lobby, self.socket, lobby, player))

    def worker(self) -> ServeAccepted:
        """Serve a bot worker that has the token, and refuse browsers."""
        dispatcher, token = self.services.dispatcher, self.request.header(b"authorization")
        if self.request.header(b"origin") or not dispatcher.is_worker(token):
            raise HandshakeError
        self.socket.accept()
        return partial(serve_worker, dispatcher, self.services.reviews, self.socket)

    # Checks ------------------------------------------------------------------------------------

    def check_page(self) -> None:
        """Refuse a page of another site, before its socket is accepted."""
        allowed = self.services.origins(self.request.header(b"host"))
        try:
            check_origin(self.request.header(b"origin"), allowed)
        except ApiError:
            raise HandshakeError from None

    def check_rate(self) -> None:
        """Count the socket as a request like any other."""
        try:
            self.services.limits.take(address=self.address)
        except ApiError as problem:
            raise HandshakeError(429, problem.text) from None

    async def player(self) -> PlayerRow | None:
        """Return the player whose session the request carries, if any."""
        token = self.session_token()
        return await self.services.accounts.of_token(token, self.address) if token else None

    def session_token(self) -> str | None:
        """Return the token of a session that the request carries, valid or not."""
        authorization, cookies = map(self.request.header, (b"authorization", b"cookie"))
        return session_token(authorization, cookies)[0] or None

    def visitor(self) -> PlayerRow:
        """Return somebody who watches without a name. Nothing of them is stored.

        A request with a session that has ended is refused: its player may have a seat.
        """
        if self.session_token() is not None:
            require_player(None)
        self.services.accounts.check_not_banned(self.address)
        system = self.services.settings.system
        return PlayerRow(f"{VISITOR}{system.id()}", "guest", "", None, None, system.now())

    async def ticket_holder(self, used: Ticket | None, table_id: str) -> PlayerRow:
        """Return the player of a ticket for this table, if their session has not ended."""
        if used is not None and used.table == table_id:
            accounts = self.services.accounts
            player = await accounts.of_epoch(used.player, used.epoch, self.address)
            if player is not None:
                return player
        raise HandshakeError

    def counted(self, player: str, serve: ServeAccepted) -> ServeAccepted | None:
        """Accept the socket, unless its player or its address has too many."""
        try:
            self.services.sockets.check(player)
            self.services.connections.check(self.address)
        except ApiError as problem:
            turn_away(self.socket, problem)
            return None
        self.socket.accept()
        return partial(serve_counted, self.services, player, self.address, serve)
