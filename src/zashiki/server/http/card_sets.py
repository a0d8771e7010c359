"""Card sets over HTTP: check, save, list, share, delete."""

from litestar import delete, get, post
from litestar.datastructures import State
from litestar.params import FromPath, FromQuery, JSONBody

from zashiki.core.messages import Faulty
from zashiki.server.accounts.card_sets import content_of, fault_in, remarks_on
from zashiki.server.deps import AnyRequest, CurrentPlayer, address_of
from zashiki.server.http.accounts import find_player, public_player
from zashiki.server.protocol import rest
from zashiki.server.services import services_of
from zashiki.server.store.rows import CardSetRow


@post("/api/card-sets/check", status_code=200)
async def check_card_set(
    data: JSONBody[rest.CardSetContent],
    request: AnyRequest,
    language: FromQuery[rest.Language] = "en",
) -> rest.CheckedCardSet:
    """Check whether a card set can be used. If it cannot, the fault says where and why."""
    card_sets = services_of(request.app.state).card_sets
    try:
        option, value = await card_sets.check(data, address_of(request))
    except Faulty as fault:
        return rest.CheckedCardSet(False, fault=fault_in(fault, language))
    remarks = content_of(option).remarks(value, language)
    return rest.CheckedCardSet(True, str(option.name_of(value)), remarks, value)


@post("/api/card-sets", status_code=201)
async def save_card_set(
    data: JSONBody[rest.CardSetContent],
    request: AnyRequest,
    me: CurrentPlayer,
    language: FromQuery[rest.Language] = "en",
) -> rest.CardSet:
    """Save a card set. Only its owner sees it until it is shared."""
    state = request.app.state
    row = await services_of(state).card_sets.save(me.id, data, address_of(request), language)
    return await full_card_set(state, row, language)


@get("/api/card-sets")
async def list_card_sets(state: State, me: CurrentPlayer) -> list[rest.CardSetInfo]:
    """List the player's own card sets, then shared ones of others, each the newest first."""
    rows = await services_of(state).store.card_sets(me.id)
    return [await info(state, row) for row in rows]


@get("/api/card-sets/{card_set_id:str}")
async def one_card_set(
    card_set_id: FromPath[str],
    state: State,
    me: CurrentPlayer,
    language: FromQuery[rest.Language] = "en",
) -> rest.CardSet:
    """Return one card set with its content: the player's own or a shared one."""
    row = await services_of(state).card_sets.find(me.id, card_set_id)
    return await full_card_set(state, row, language)


@post("/api/card-sets/{card_set_id:str}/share", status_code=200)
async def share_card_set(
    card_set_id: FromPath[str], state: State, me: CurrentPlayer
) -> rest.CardSetInfo:
    """Share a card set, so that everyone can see and use it."""
    row = await services_of(state).card_sets.share(me.id, card_set_id, True)
    return await info(state, row)


@post("/api/card-sets/{card_set_id:str}/unshare", status_code=200)
async def unshare_card_set(
    card_set_id: FromPath[str], state: State, me: CurrentPlayer
) -> rest.CardSetInfo:
    """Stop sharing a card set. Tables that already use it keep it."""
    row = await services_of(state).card_sets.share(me.id, card_set_id, False)
    return await info(state, row)


@delete("/api/card-sets/{card_set_id:str}", status_code=200)
async def delete_card_set(card_set_id: FromPath[str], state: State, me: CurrentPlayer) -> rest.Done:
    """Delete a card set. Tables that already use it keep it."""
    await services_of(state).card_sets.delete(me.id, card_set_id)
    return rest.Done()


async def info(state: State, row: CardSetRow) -> rest.CardSetInfo:
    owner = public_player(await find_player(state, row.owner))
    game, option = row.content["game"], row.content["option"]
    return rest.CardSetInfo(row.id, row.name, game, option, owner, row.shared, row.created)


async def full_card_set(state: State, row: CardSetRow, language: str) -> rest.CardSet:
    return rest.CardSet(await info(state, row), row.content["value"], remarks_on(row, language))


HANDLERS = (
    check_card_set, save_card_set, list_card_sets, one_card_set, share_card_set, unshare_card_set,
    delete_card_set,
)  # fmt: skip
