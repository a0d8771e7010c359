"""The socket of a person at a table. It stays open when they go on to the rematch."""

import asyncio

from zashiki.server.accounts.players import check_scope
from zashiki.server.deps import require_player
from zashiki.server.protocol import frames
from zashiki.server.realtime.table_socket import SocketSession, not_seated
from zashiki.server.realtime.transport import WebSocketConnection
from zashiki.server.services import Services
from zashiki.server.store.rows import PlayerRow, is_visitor
from zashiki.server.tables import commands as on
from zashiki.server.tables.handler import handle
from zashiki.server.tables.live import LiveTable
from zashiki.server.tables.opening import check_start, rematch


def scope_of(command: frames.Command) -> str:
    """Return the scope that the token of a bot needs for a frame."""
    if isinstance(command, frames.Hello):
        return "read"
    return "sit" if isinstance(command, frames.Start | frames.Rematch) else "play"


class PersonSession(SocketSession):
    """The session of a person, who may also start the table and ask for a rematch."""

    def __init__(
        self,
        socket: WebSocketConnection,
        table: LiveTable,
        player: PlayerRow,
        services: Services,
        address: str,
    ) -> None:
        super().__init__(socket, table, player, table.doc.seat_of(player.id), services.limits)
        self.services = services
        self.address = address
        """The address of the player, as a key for rate limits."""
        self._task: asyncio.Task[None] | None = None
        """The task that a command waits for besides its table. Without a reference it could be
        lost, and after its end it would only take memory."""

    def begin(self, command: frames.Command) -> None:
        if is_visitor(self.player.id) and not isinstance(command, frames.Hello):
            require_player(None)
        check_scope(self.player, scope_of(command))
        if isinstance(command, frames.Rematch) and self.connection.listens:
            self._task = asyncio.create_task(self.go_to_rematch())
        elif isinstance(command, frames.Hello) and not self.connection.listens:
            self._task = asyncio.create_task(self.arrive(command))
        else:
            super().begin(command)

    async def go_to_rematch(self) -> None:
        """Open or find the table of the rematch, and take the connection there."""
        try:
            await self.go_to(await rematch(self.services.registry, self.table, self.player))
        except Exception as fault:
            self.on_done(None, fault)
        else:
            self.on_done(None, None)
        finally:
            self._task = None

    async def arrive(self, hello: frames.Hello) -> None:
        """Say where the player is, then say hello at the table."""
        try:
            await self.note_address(is_new=False)
            super().begin(hello)
        except Exception as fault:
            self.on_done(None, fault)
        finally:
            self._task = None

    async def note_address(self, is_new: bool) -> None:
        """Keep a keyed hash of the address of somebody who has a seat, also before a match."""
        table, player = self.table, self.player.id
        if table.doc.seat_of(player) is not None and table.row.state in {"open", "playing"}:
            await self.services.note_address(table.row.id, player, self.address, is_new)

    def table_command(self, command: frames.Command) -> on.Command:
        if isinstance(command, frames.Start):
            check_start(self.services.registry, self.table, self.player.id, self.address)
            return on.Start(self.player.id, self.services.dispatcher.is_staffed())
        return super().table_command(command)

    async def go_to(self, table: LiveTable) -> None:
        """Take the connection to another table, which welcomes it."""
        connection, before = self.connection, self.table
        table.attach(connection)
        before.leave(connection)
        before.detach(connection)
        self.table = table
        hello = frames.Hello(0, connection.views, connection.language, connection.version)
        try:
            await self.note_address(is_new=True)
            await handle(table, on.Arrive(connection, hello))
        except Exception:
            text = "the next table cannot be reached now: come back in a moment"
            connection.close(frames.Bye("busy", text, True))
            raise

    def own_seat(self) -> int:
        """Return the seat that the player has at this table now."""
        seat = self.table.doc.seat_of(self.player.id)
        if seat is None:
            raise not_seated()
        return seat
