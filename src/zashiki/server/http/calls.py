"""Being called: the browsers in which a player wants to hear that they are waited for."""

from litestar import get, post
from litestar.datastructures import State
from litestar.params import JSONBody

from zashiki.server.calls.encryption import encrypted
from zashiki.server.calls.outgoing import check_url
from zashiki.server.calls.vapid import from_base64url
from zashiki.server.deps import CurrentPlayer
from zashiki.server.errors import ApiError
from zashiki.server.protocol import rest
from zashiki.server.services import Services, services_of
from zashiki.server.store.rows import SubscriptionRow

MAX_SUBSCRIPTIONS = 5
"""Browsers of one player. The newest ones stay."""
AUTH_BYTES = 16


@get("/api/calls")
async def show_calls(state: State, me: CurrentPlayer) -> rest.Calls:
    """Return the key with which a browser subscribes, and how many browsers of the player do."""
    return await calls_of(services_of(state), me.id)


async def calls_of(services: Services, player: str) -> rest.Calls:
    rows = await services.store.subscriptions(player)
    return rest.Calls(services.caller.key.public, len(rows))


@post("/api/calls", status_code=200)
async def subscribe(
    data: JSONBody[rest.Subscription], state: State, me: CurrentPlayer
) -> rest.Calls:
    """Call the player by this browser from now on. It is called for no other player any more."""
    services = services_of(state)
    services.limits.take(rare=("calls", me.id))
    check_url(data.endpoint, services.settings.calls_here)
    check_keys(data)
    row = SubscriptionRow(
        data.endpoint, me.id, data.p256dh, data.auth, data.language,
        services.settings.system.now(),
    )  # fmt: skip
    await services.store.put_subscription(row, MAX_SUBSCRIPTIONS)
    return await calls_of(services, me.id)


def check_keys(data: rest.Subscription) -> None:
    """Refuse keys for which nothing can be encrypted."""
    try:
        auth = from_base64url(data.auth)
        encrypted(b"", from_base64url(data.p256dh), auth)
    except ValueError:
        auth = b""
    if len(auth) != AUTH_BYTES:
        text = "p256dh, auth: expected the keys of a browser's push subscription"
        raise ApiError(422, "malformed", text)


@post("/api/calls/stop", status_code=200)
async def unsubscribe(
    data: JSONBody[rest.Unsubscription], state: State, me: CurrentPlayer
) -> rest.Calls:
    """Call the player no more: by one browser, or by none at all."""
    services = services_of(state)
    if data.endpoint is not None:
        check_url(data.endpoint, services.settings.calls_here)
    await services.store.delete_subscriptions(me.id, data.endpoint)
    return await calls_of(services, me.id)


HANDLERS = (show_calls, subscribe, unsubscribe)
