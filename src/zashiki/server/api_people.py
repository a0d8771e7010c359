"""People over HTTP: come as a guest, and what follows from that."""

from litestar import Response, get, post

from zashiki.server import wire
from zashiki.server.asking import AnyRequest, server_of
from zashiki.server.sessions import cookie, is_loopback
from zashiki.server.store.rows import PlayerRow


@post("/api/guest", status_code=201)
async def come_as_guest(data: wire.NewGuest, request: AnyRequest) -> Response[wire.Player]:
    """Sit down under a name, without registration."""
    server = server_of(request.app.state)
    player, token = await server.people.guest(data.name)
    secure = not is_loopback(request.headers.get("host", ""))
    return Response(seen(player), cookies=[cookie(token, secure=secure)])


@get("/api/me")
async def who_am_i(player: PlayerRow) -> wire.Player:
    """The player of this session."""
    return seen(player)


def seen(player: PlayerRow) -> wire.Player:
    return wire.Player(player.id, player.name, player.kind)


HANDLERS = (come_as_guest, who_am_i)
