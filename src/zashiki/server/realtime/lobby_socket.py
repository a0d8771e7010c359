"""The socket of the lobby: it is sent every change of a public table."""

from zashiki.server.realtime.table_socket import AnySocket, opened
from zashiki.server.tables.connection import Connection
from zashiki.server.tables.registry import TableRegistry


async def watch_lobby(socket: AnySocket, registry: TableRegistry) -> None:
    """Send what changes until the client leaves; whatever it says is not listened to."""
    connection, plug = Connection("", None), opened(socket)
    plug.listen(lambda _: None, connection.flush)
    connection.plug_in(plug)
    registry.watchers.add(connection)
    try:
        await plug.over
    finally:
        registry.watchers.discard(connection)
        connection.close()
