"""Daily digests over HTTP: where a player wants one, and the links in messages."""

from urllib.parse import quote

from litestar import get, post
from litestar.datastructures import State
from litestar.params import FromQuery, JSONBody
from litestar.response import Redirect

from zashiki.server.deps import AnyRequest, CurrentPlayer, address_of
from zashiki.server.protocol import rest
from zashiki.server.services import Services, services_of


@get("/api/digest")
async def show_digest(state: State, me: CurrentPlayer) -> rest.Digests:
    """Return the kinds of digests that there are, and the one of the player."""
    return await digests_of(services_of(state), me.id)


async def digests_of(services: Services, player: str) -> rest.Digests:
    row = await services.store.digest(player)
    kinds = services.digests.kinds
    if row is None:
        return rest.Digests(kinds)
    own = rest.OwnDigest(row.kind, row.address, row.hour, row.zone, row.confirmed)
    return rest.Digests(kinds, own)


@post("/api/digest", status_code=200)
async def ask_for_digest(
    data: JSONBody[rest.NewDigest], state: State, me: CurrentPlayer
) -> rest.Digests:
    """Send the player a daily digest at an address, after a link that is sent there is opened."""
    services = services_of(state)
    await services.digests.ask(me.id, data)
    return await digests_of(services, me.id)


@post("/api/digest/delete", status_code=200)
async def delete_digest(state: State, me: CurrentPlayer) -> rest.Digests:
    """Delete the player's address. No digest is sent any more."""
    services = services_of(state)
    await services.store.delete_digest(me.id)
    return await digests_of(services, me.id)


@post("/api/digest/confirm", status_code=200)
async def confirm_digest(data: JSONBody[rest.DigestLink], state: State) -> rest.Done:
    """Confirm an address by the link that was sent there. A session is not needed."""
    await services_of(state).digests.confirm(data.token)
    return rest.Done()


async def check_limit_only(request: AnyRequest) -> None:
    """Check the rate limit. The token of the link stands for the player, so that no origin has to:
    mail programs send this request without the header that other changes need (RFC 8058)."""
    services_of(request.app.state).limits.take(address=address_of(request))


@post("/api/digest/stop", status_code=200, before_request=check_limit_only)
async def stop_digest(state: State, token: FromQuery[str]) -> rest.Done:
    """Delete the address to which the link with this token was sent. A session is not needed."""
    await services_of(state).digests.stop(token)
    return rest.Done()


@get("/api/digest/stop", include_in_schema=False)
async def show_stop(token: FromQuery[str]) -> Redirect:
    """Lead to the page with a button: mail programs open links by themselves to look at them."""
    return Redirect(f"/digest?stop={quote(token)}")


HANDLERS = (show_digest, ask_for_digest, delete_digest, confirm_digest, stop_digest, show_stop)
