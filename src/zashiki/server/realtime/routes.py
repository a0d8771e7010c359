"""Which sockets there are, and who may open them: those of tables, of the lobby, of bot workers."""

import logging
from collections.abc import Awaitable, Callable

import msgspec

from zashiki.server.accounts.tickets import Ticket
from zashiki.server.deps import bearer_token, client_address, require_player
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
from zashiki.server.store.rows import PlayerRow


async def serve_socket(
    services: Services, request: UpgradeRequest, socket: WebSocketConnection
) -> None:
    """Serve one socket from its request to its end."""
    opening = Opening(services, request, socket)
    try:
        await opening.route()
    except HandshakeError as refusal:
        socket.refuse(refusal)
    except StoreFault as fault:
        problem = services.registry.context.outage.error_for(fault)
        if socket.is_accepted:
            socket.hang_up(CloseCode.INTERNAL_ERROR)
        else:
            opening.turn_away(problem)
    except Exception as fault:
        if not isinstance(fault, ApiError):
            log(logging.ERROR, "broken", fault)
        if socket.is_accepted:
            socket.hang_up(CloseCode.INTERNAL_ERROR)
        else:
            socket.refuse(HandshakeError())
    finally:
        socket.end()


class Opening:
    """One request for a socket."""

    def __init__(
        self, services: Services, request: UpgradeRequest, socket: WebSocketConnection
    ) -> None:
        self.services = services
        self.request = request
        self.socket = socket
        forwarded = request.header_values(b"x-forwarded-for")
        self.address = client_address(services, request.peer, forwarded)

    async def route(self) -> None:
        """Serve the socket that the path names. Empty parts of a path do not count."""
        match [part for part in self.request.path.split("/") if part]:
            case ["api", "tables", table_id, "socket"]:
                await self.table(table_id)
            case ["api", "lobby", "socket"]:
                await self.lobby()
            case parts if "/" + "/".join(parts) == SOCKET:
                await self.worker()
            case _:
                raise HandshakeError

    async def table(self, table_id: str) -> None:
        """Play and watch, with a session or a ticket: see the schema of the frames."""
        services, ticket = self.services, self.request.parameter("ticket")
        self.check_page()
        used = None if ticket is None else services.tickets.redeem_local(ticket)
        if used is not None and used.seat is not None and used.table == table_id:
            self.accept()
            await serve_bot(services.dispatcher, self.socket, used)
            return
        self.check_rate()
        try:
            if ticket is None:
                player = require_player(await self.player())
            else:
                used = used or await services.tickets.redeem(ticket)
                player = await self.ticket_holder(used, table_id)
            table = await services.registry.find(table_id)
        except ApiError as problem:
            self.turn_away(problem)
            return
        session = PersonSession(self.socket, table, player, services, self.address)
        session.connection.link = self.request.parameter("key")
        with session.attached():
            await self.counted(player.id, session.hold)

    async def lobby(self) -> None:
        """Every change of a public table, as it happens."""
        self.check_page()
        self.check_rate()
        player = await self.player()
        key = self.address if player is None else player.id
        lobby = self.services.registry.lobby
        await self.counted(key, lambda: watch_lobby(self.socket, lobby, player))

    async def worker(self) -> None:
        """Serve a bot worker that has the token. A browser has no business here."""
        dispatcher, token = self.services.dispatcher, self.request.header(b"authorization")
        if self.request.header(b"origin") or not dispatcher.is_worker(token):
            raise HandshakeError
        self.accept()
        await serve_worker(dispatcher, self.socket)

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
        bearer = bearer_token(self.request.header(b"authorization") or "")
        token = self.request.session_cookie if bearer is None else bearer
        return await self.services.accounts.of_token(token, self.address) if token else None

    async def ticket_holder(self, used: Ticket | None, table_id: str) -> PlayerRow:
        """Return the player who asked for a ticket for this table, in a session that goes on."""
        if used is not None and used.table == table_id:
            accounts = self.services.accounts
            player = await accounts.of_epoch(used.player, used.epoch, self.address)
            if player is not None:
                return player
        raise HandshakeError

    async def counted(self, key: str, serve: Callable[[], Awaitable[None]]) -> None:
        """Accept and serve the socket, unless its player or its address has too many."""
        services = self.services
        try:
            services.sockets.check(key)
            services.connections.check(self.address)
        except ApiError as problem:
            self.turn_away(problem)
            return
        with services.sockets.hold(key), services.connections.hold(self.address):
            self.accept()
            await serve()

    def accept(self) -> None:
        self.socket.accept()
        self.request.forget_headers()

    def turn_away(self, problem: ApiError) -> None:
        """Accept the socket to say why not: a page learns nothing of a socket that was refused."""
        bye = frames.Bye(problem.code, problem.text, problem.status in {429, 503})
        self.accept()
        self.socket.write([msgspec.json.encode(bye)])
