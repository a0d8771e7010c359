"""The socket of the lobby: it is sent every change of a public table."""

from zashiki.server.realtime.table_socket import AnySocket, opened
from zashiki.server.tables.connection import Line
from zashiki.server.tables.registry import Hall


async def watch_lobby(socket: AnySocket, hall: Hall) -> None:
    """Send what changes until the client leaves; whatever it says is not listened to."""
    line, plug = Line("", None), opened(socket)
    plug.listen(lambda _: None, line.flush)
    line.plug_in(plug)
    hall.watchers.add(line)
    try:
        await plug.over
    finally:
        hall.watchers.discard(line)
        line.close()
