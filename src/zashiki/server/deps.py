"""Request helpers: the session token, the player and the address of a request."""

from collections.abc import Iterable
from typing import Any

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.di import NamedDependency

from zashiki.server.accounts.players import check_scope
from zashiki.server.accounts.tokens import token_in
from zashiki.server.errors import ApiError
from zashiki.server.ops.addresses import rate_key
from zashiki.server.ops.origins import SAFE_METHODS, check_request
from zashiki.server.services import Services, services_of
from zashiki.server.store.rows import PlayerRow

AnyRequest = Request[Any, Any, State]
AnyConnection = ASGIConnection[Any, Any, Any, State]
CurrentPlayer = NamedDependency[PlayerRow]
"""The player of a request, for a handler that needs a session."""
BEARER = "bearer "


def session_token(authorization: str | None, cookies: str | None) -> tuple[str | None, bool]:
    """Return the session token in the headers, and whether it is a bearer token, not a cookie."""
    if authorization is not None and authorization[: len(BEARER)].lower() == BEARER:
        return authorization[len(BEARER) :].strip(), True
    return token_in(cookies or ""), False


def token_of(request: AnyConnection) -> tuple[str | None, bool]:
    """Return the session token of a request, and whether it is a bearer token, not a cookie."""
    return session_token(request.headers.get("authorization"), request.headers.get("cookie"))


def client_address(services: Services, peer: str, forwarded: Iterable[str]) -> str:
    """Return the client's address as a key for rate limits, as the connection or a proxy says."""
    return rate_key(services.proxies.client_address(peer, ",".join(forwarded) or None))


def address_of(request: AnyConnection) -> str:
    """Return the client's address as a key for rate limits."""
    peer = request.client.host if request.client else ""
    forwarded = request.headers.getall("x-forwarded-for", [])
    return client_address(services_of(request.app.state), peer, forwarded)


async def check_limits_and_origin(request: AnyRequest) -> None:
    """Check the rate limit and the origin of a request, before its handler runs.

    It awaits nothing, but Litestar would run a plain function in a thread.
    """
    services = services_of(request.app.state)
    services.limits.take(address=address_of(request))
    host = request.headers.get("host")
    marker, origin = request.headers.get("x-zashiki"), request.headers.get("origin")
    if token_of(request)[1]:
        marker = "1"  # browsers never send bearer tokens by themselves, and the cookie is ignored
    check_request(request.method, marker, origin, services.origins(host))


async def session_player(request: AnyConnection) -> PlayerRow | None:
    """Return the player of the request's session, or None if it has no valid session."""
    token, _ = token_of(request)
    accounts = services_of(request.app.state).accounts
    return await accounts.of_token(token, address_of(request)) if token else None


async def provide_player(request: AnyRequest) -> PlayerRow:
    """Provide the player of the request's session to handlers. Refuse a request without one.

    A handler names the scope that the token of a bot needs as `scope="sit"`. Without it, reading
    needs the scope `read`, and the token of a bot changes nothing.
    """
    player = require_player(await session_player(request))
    usual = "read" if request.method in SAFE_METHODS else None
    check_scope(player, request.route_handler.opt.get("scope", usual))
    return player


def require_player(player: PlayerRow | None) -> PlayerRow:
    """Return the player of a session, or refuse a request without one."""
    if player is None:
        raise ApiError(401, "no-session", "no valid session: sign in first, or come as a guest")
    return player
