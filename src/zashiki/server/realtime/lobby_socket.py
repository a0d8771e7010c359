"""The socket of the lobby: it is sent every change of a public table."""

from zashiki.server.realtime.transport import WebSocketConnection
from zashiki.server.store.rows import PlayerRow
from zashiki.server.tables.connection import Connection
from zashiki.server.tables.lobby import Lobby


async def watch_lobby(socket: WebSocketConnection, lobby: Lobby, player: PlayerRow | None) -> None:
    """Send every change until the client leaves, and ignore its frames."""
    id, epoch = ("", 0) if player is None else (player.id, player.epoch)
    connection = Connection(id, None, epoch)
    socket.listen(lambda _: None, connection.flush)
    connection.attach(socket)
    lobby.watchers.add(connection)
    try:
        await socket.over
    finally:
        lobby.watchers.discard(connection)
        connection.close()
