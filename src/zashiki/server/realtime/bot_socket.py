"""The socket of a table for a bot, which a ticket opens."""

import math

from zashiki.server.accounts.tickets import Ticket
from zashiki.server.bots.dispatcher import BotDispatcher
from zashiki.server.errors import ApiError
from zashiki.server.ops.rate_limits import Rate, RateLimits
from zashiki.server.protocol import frames
from zashiki.server.realtime.table_socket import SocketSession
from zashiki.server.realtime.transport import WebSocketConnection
from zashiki.server.store.rows import PlayerRow
from zashiki.server.system import System
from zashiki.server.tables.live import LiveTable

FASTEST = Rate(6000, 60)
"""Rate limit of a bot for one seat. It is high: a match among bots alone need not wait."""


class BotSession(SocketSession):
    """The session of a bot, which can only play, for a seat that needs a bot."""

    def __init__(
        self, socket: WebSocketConnection, table: LiveTable, id: str, seat: int, system: System
    ) -> None:
        socket.max_turns = math.inf  # a worker is trusted, and its bots may be very fast
        player = PlayerRow(id, "bot", id, None, None, system.now())
        super().__init__(
            socket, table, player, seat, RateLimits(system.monotonic, {"player": FASTEST})
        )
        self.guard.max_pauses = math.inf

    def begin(self, command: frames.Command) -> None:
        if not isinstance(command, frames.Hello | frames.Play | frames.WhyNot):
            raise ApiError(403, "not-for-bots", "a bot plays, and does nothing else")
        super().begin(command)


async def serve_bot(dispatcher: BotDispatcher, socket: WebSocketConnection, ticket: Ticket) -> None:
    """Serve the bot of one seat. The caller has accepted its socket."""
    assert ticket.seat is not None
    place = ticket.table, ticket.seat
    table = await dispatcher.registry.find(ticket.table)
    session = BotSession(socket, table, ticket.player, ticket.seat, dispatcher.system)
    dispatcher.attach(place, session.connection)
    try:
        await session.run()
    finally:
        dispatcher.detach(place, session.connection)
