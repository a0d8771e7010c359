"""The socket of the lobby: it is sent every change of a public table."""

from zashiki.server.realtime.transport import WebSocketConnection
from zashiki.server.tables.connection import Connection
from zashiki.server.tables.registry import TableRegistry


async def watch_lobby(socket: WebSocketConnection, registry: TableRegistry) -> None:
    """Send what changes until the client leaves; whatever it says is not listened to."""
    connection = Connection("", None)
    socket.listen(lambda _: None, connection.flush)
    connection.attach(socket)
    registry.watchers.add(connection)
    try:
        await socket.over
    finally:
        registry.watchers.discard(connection)
        connection.close()
