"""Who asks: the parts of the server that every handler needs, and the player of a request."""

from collections.abc import Iterable
from typing import Any

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.di import NamedDependency

from zashiki.server.accounts.tokens import COOKIE
from zashiki.server.errors import ApiError
from zashiki.server.ops.addresses import network
from zashiki.server.ops.origins import check_request
from zashiki.server.services import Services, services_of
from zashiki.server.store.rows import PlayerRow

AnyRequest = Request[Any, Any, State]
AnyConnection = ASGIConnection[Any, Any, Any, State]
Asking = NamedDependency[PlayerRow]
"""The player of a request, for a handler that is not for strangers."""
BEARER = "bearer "


def bearer_token(authorization: str) -> str | None:
    """Return the session token of a program, if the header has one."""
    if authorization[: len(BEARER)].lower() == BEARER:
        return authorization[len(BEARER) :].strip()
    return None


def token_of(request: AnyConnection) -> tuple[str | None, bool]:
    """The session token, and whether a program sent it: a browser has a cookie instead."""
    token = bearer_token(request.headers.get("authorization", ""))
    return (request.cookies.get(COOKIE), False) if token is None else (token, True)


def client_address(services: Services, peer: str, forwarded: Iterable[str]) -> str:
    """Return what to count a client by: its address, as its connection or our proxies say it."""
    return network(services.proxies.origin(peer, ",".join(forwarded) or None))


def address_of(request: AnyConnection) -> str:
    """What to count the asker's address by."""
    peer = request.client.host if request.client else ""
    forwarded = request.headers.getall("x-forwarded-for", [])
    return client_address(services_of(request.app.state), peer, forwarded)


async def check(request: AnyRequest) -> None:
    """Before everything else: rates, and pages of other sites. Nothing is waited for, but what is
    not `async` would be done in a thread."""
    services = services_of(request.app.state)
    services.limits.take(address=address_of(request))
    host = request.headers.get("host")
    marker, origin = request.headers.get("x-zashiki"), request.headers.get("origin")
    if token_of(request)[1]:
        marker = "1"  # no browser sends such a token by itself, and its cookie then counts nothing
    check_request(request.method, marker, origin, services.origins(host))


async def asker_of(request: AnyConnection) -> PlayerRow | None:
    """Whose session the request carries, if it does."""
    token, _ = token_of(request)
    return await services_of(request.app.state).accounts.of_token(token) if token else None


async def player_of(request: AnyRequest) -> PlayerRow:
    """Whose session the request carries, for what is not for strangers."""
    return require_player(await asker_of(request))


def require_player(player: PlayerRow | None) -> PlayerRow:
    """Return the player of a session, or refuse a stranger."""
    if player is None:
        raise ApiError(401, "no-session", "sign in first, or come as a guest")
    return player
