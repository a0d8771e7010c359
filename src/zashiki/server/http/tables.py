"""Tables over HTTP: open, list, sit down, start, rematch."""

from functools import partial
from typing import Annotated

import msgspec
from litestar import Response, get, post
from litestar.datastructures import State
from litestar.params import FromPath, JSONBody, QueryParameter

from zashiki.bots import USUAL
from zashiki.server.calls.caller import Call
from zashiki.server.deps import AnyRequest, CurrentPlayer, address_of
from zashiki.server.errors import ApiError
from zashiki.server.http.accounts import find_player
from zashiki.server.http.history import (
    NOT_OVER,
    check_step,
    find_match,
    players_in,
    record_text,
)
from zashiki.server.protocol import rest
from zashiki.server.services import services_of
from zashiki.server.tables import commands as on
from zashiki.server.tables import listing, opening
from zashiki.server.tables.audience import audience_seen
from zashiki.server.tables.handler import handle
from zashiki.server.tables.invitations import companions, invitation
from zashiki.server.tables.lobby import MAX_LISTED_TABLES
from zashiki.server.tables.setup import own_seat
from zashiki.server.tables.views import table_seen


@post("/api/tables", status_code=201, scope="sit")
async def open_table(
    data: JSONBody[rest.NewTable], request: AnyRequest, me: CurrentPlayer
) -> rest.OpenedTable:
    """Open a table for a game. The player takes a seat at it and is its host."""
    services, address = services_of(request.app.state), address_of(request)
    services.limits.take(tables=address)
    wanted = await services.card_sets.expand(me.id, data, address)
    table = await opening.open_table(services.registry, me, wanted, address)
    await services.note_address(table.row.id, me.id, address)
    return rest.OpenedTable(table_seen(table), table.doc.key)


@post("/api/matches/{match_id:str}/play-on", status_code=201, scope="sit")
async def play_on(
    match_id: FromPath[str], data: JSONBody[rest.PlayOn], request: AnyRequest, me: CurrentPlayer
) -> rest.OpenedTable:
    """Open a private table whose match begins at a step of a finished one. It is not rated."""
    services, address = services_of(request.app.state), address_of(request)
    match = await find_match(request.app.state, match_id)
    if match.ended is None:
        raise ApiError(409, "not-over", NOT_OVER)
    if not 0 <= data.seat < match.seats:
        text = f"seat: expected a number from 0 to {match.seats - 1}, found {data.seat}"
        raise ApiError(422, "malformed", text)
    services.limits.take(tables=address)
    players = await players_in(request.app.state, [match])
    replay = await services.replays.of(match, players, "play on", address)
    step = check_step(data.step, replay.steps)
    scene = await replay.scene(step, partial(services.replays.count, address))
    bot = rest.Chair("bot", USUAL if data.level is None else data.level)
    chairs = [rest.Chair("open") if seat == data.seat else bot for seat in range(match.seats)]
    options = match.header["options"]
    wanted = rest.NewTable(match.game, match.seats, options, chairs, public=False, level=bot.bot)
    table = await opening.open_table(services.registry, me, wanted, address, scene)
    await services.note_address(table.row.id, me.id, address)
    return rest.OpenedTable(table_seen(table), table.doc.key)


@get("/api/tables")
async def list_tables(
    state: State,
    skip: Annotated[int, QueryParameter(ge=0)] = 0,
    limit: Annotated[int, QueryParameter(ge=1, le=MAX_LISTED_TABLES)] = MAX_LISTED_TABLES,
) -> Response[list[rest.Table]]:
    """List the public tables, those that changed last first: `limit` of them after `skip`."""
    page = await services_of(state).registry.lobby.page(skip, limit)
    return Response(msgspec.Raw(page))  # type: ignore[arg-type]  # a list, as JSON already


@get("/api/my-tables")
async def list_mine(state: State, me: CurrentPlayer) -> list[rest.Table]:
    """List the tables that have not ended and at which the player sits."""
    return [one.shown for one in await listing.own_tables(services_of(state).registry, me.id)]


@get("/api/my-turns")
async def list_turns(state: State, me: CurrentPlayer) -> list[str]:
    """List the ids of the tables that wait for a decision of the player."""
    own = await listing.own_tables(services_of(state).registry, me.id)
    return [one.shown.id for one in own if one.is_waiting]


@get("/api/my-invitations")
async def list_invitations(state: State, me: CurrentPlayer) -> list[rest.Invitation]:
    """List the tables that have not started and to which the player is invited."""
    registry = services_of(state).registry
    ids = registry.quotas.invited(me.id)
    found = [await invitation(registry.store, registry.tables, id, me.id) for id in ids]
    return [one for one in found if one is not None]


@get("/api/companions")
async def list_companions(state: State, me: CurrentPlayer) -> list[rest.Player]:
    """List the people of the player's last matches, whom the player can invite."""
    return await companions(services_of(state).store, me.id)


@post("/api/tables/{table_id:str}/invite", status_code=200, scope="sit")
async def invite(
    table_id: FromPath[str], data: JSONBody[rest.PlayerChoice], state: State, me: CurrentPlayer
) -> rest.Table:
    """Invite somebody with whom the player has played to the table at which the player sits.

    Somebody who has muted the player is not told.
    """
    services = services_of(state)
    services.limits.take(rare=("invite", me.id))
    if data.player not in {one.id for one in await companions(services.store, me.id)}:
        raise ApiError(403, "no-companion", "you can invite people with whom you have played")
    table = await services.registry.find(table_id)
    own_seat(table, me.id)
    if me.id in await services.store.muted(data.player):
        return table_seen(table)  # as without the mute
    known = table.doc.invited
    shown = await handled(state, table_id, on.Invite(me.id, data.player))
    if data.player in table.doc.invited and data.player not in known:
        services.caller.call(Call(data.player, "invited", table_id, table.doc.game, me.name))
    return shown


@post("/api/tables/{table_id:str}/decline", status_code=200, scope="sit")
async def decline(table_id: FromPath[str], state: State, me: CurrentPlayer) -> rest.Done:
    """Decline an invitation to a table. The player is not invited there again."""
    await handled(state, table_id, on.Decline(me.id))
    return rest.Done()


@get("/api/tables/{table_id:str}")
async def one_table(table_id: FromPath[str], state: State) -> rest.Table:
    """Return one table as everyone may see it."""
    return await listing.one_table(services_of(state).registry, table_id)


async def handled(state: State, table_id: str, command: on.Command) -> rest.Table:
    """Let a command happen at a table, and show the table afterwards."""
    table = await services_of(state).registry.find(table_id)
    await handle(table, command)
    return table_seen(table)


@post("/api/tables/{table_id:str}/sit", status_code=200, scope="sit")
async def sit_down(
    table_id: FromPath[str], data: JSONBody[rest.Sitting], request: AnyRequest, me: CurrentPlayer
) -> rest.Table:
    """Take a seat, or move to another one."""
    services = services_of(request.app.state)
    with services.registry.quotas.coming(me.id, table_id):
        table = await handled(request.app.state, table_id, on.Sit(me, data.seat, data.key))
    await services.note_address(table_id, me.id, address_of(request))
    return table


@post("/api/tables/{table_id:str}/stand", status_code=200, scope="sit")
async def stand_up(table_id: FromPath[str], state: State, me: CurrentPlayer) -> rest.Table:
    """Leave the player's seat."""
    return await handled(state, table_id, on.Stand(me.id))


@post("/api/tables/{table_id:str}/remove", status_code=200, scope="sit")
async def remove_seat(
    table_id: FromPath[str], data: JSONBody[rest.Sitting], state: State, me: CurrentPlayer
) -> rest.Table:
    """Empty a seat. Only the host may do this. The player cannot sit down again until allowed."""
    return await handled(state, table_id, on.Remove(me.id, data.seat))


@get("/api/tables/{table_id:str}/audience")
async def show_audience(table_id: FromPath[str], state: State, me: CurrentPlayer) -> rest.Audience:
    """List the spectators, and the players who were removed. Only the host may see this."""
    table = await services_of(state).registry.find(table_id)
    table.check_host(me.id)
    return await audience_seen(table)


@post("/api/tables/{table_id:str}/send-away", status_code=200, scope="sit")
async def send_away(
    table_id: FromPath[str], data: JSONBody[rest.PlayerChoice], state: State, me: CurrentPlayer
) -> rest.Table:
    """Send a spectator away until they are allowed again. Only the host may do this."""
    await find_player(state, data.player)
    return await handled(state, table_id, on.SendAway(me.id, data.player))


@post("/api/tables/{table_id:str}/allow", status_code=200, scope="sit")
async def allow_again(
    table_id: FromPath[str], data: JSONBody[rest.PlayerChoice], state: State, me: CurrentPlayer
) -> rest.Table:
    """Allow a player again who was removed or sent away. Only the host may do this."""
    return await handled(state, table_id, on.Allow(me.id, data.player))


@post("/api/tables/{table_id:str}/spectators", status_code=200, scope="sit")
async def set_spectators(
    table_id: FromPath[str], data: JSONBody[rest.SpectatorRules], state: State, me: CurrentPlayer
) -> rest.Table:
    """Close or open watching, and the chat of spectators. Only the host may do this."""
    return await handled(state, table_id, on.SetSpectators(me.id, data.watch, data.chat))


@post("/api/tables/{table_id:str}/bot", status_code=200, scope="sit")
async def place_bot(
    table_id: FromPath[str], data: JSONBody[rest.Placing], state: State, me: CurrentPlayer
) -> rest.Table:
    """Put a bot on a free seat, replace it or remove it. Only the host may do this."""
    return await handled(state, table_id, on.PlaceBot(me.id, data.seat, data.bot))


@post("/api/tables/{table_id:str}/swap", status_code=200, scope="sit")
async def swap_seats(
    table_id: FromPath[str], data: JSONBody[rest.Swapping], state: State, me: CurrentPlayer
) -> rest.Table:
    """Ask the player on a seat to swap, or agree to it. The host swaps any two seats at once."""
    return await handled(state, table_id, on.Swap(me.id, data.seat, data.other))


@post("/api/tables/{table_id:str}/start", status_code=200, scope="sit")
async def start_table(
    table_id: FromPath[str], state: State, request: AnyRequest, me: CurrentPlayer
) -> rest.Table:
    """Start the match as the host: show the commitment, wait for every `ready` and `reveal`."""
    services = services_of(state)
    table = await services.registry.find(table_id)
    opening.check_start(services.registry, table, me.id, address_of(request))
    return await handled(state, table_id, on.Start(me.id, services.dispatcher.is_staffed()))


@post("/api/tables/{table_id:str}/close", status_code=200, scope="sit")
async def close_table(table_id: FromPath[str], state: State, me: CurrentPlayer) -> rest.Table:
    """Close a table that has not started. Only the host may do this."""
    return await handled(state, table_id, on.Close(me.id))


@post("/api/tables/{table_id:str}/claim", status_code=200, scope="play")
async def claim_seats(table_id: FromPath[str], state: State, me: CurrentPlayer) -> rest.Table:
    """Let a bot play for those who are connected and have not moved for five minutes.

    Their seats show from when on this is possible. Only for those who play at the table.
    """
    table = await services_of(state).registry.find(table_id)
    return await handled(state, table_id, on.Claim(own_seat(table, me.id)))


@post("/api/tables/{table_id:str}/take-back", status_code=200, scope="play")
async def take_back_seat(table_id: FromPath[str], state: State, me: CurrentPlayer) -> rest.Table:
    """Play again on a seat that others have claimed."""
    table = await services_of(state).registry.find(table_id)
    return await handled(state, table_id, on.TakeBack(own_seat(table, me.id)))


@post("/api/tables/{table_id:str}/rematch", status_code=200, scope="sit")
async def play_again(table_id: FromPath[str], state: State, me: CurrentPlayer) -> rest.Table:
    """Open a new table for the same players, or return the one that another player opened."""
    registry = services_of(state).registry
    return table_seen(await opening.rematch(registry, await registry.find(table_id), me))


@get("/api/tables/{table_id:str}/record", media_type="application/x-ndjson")
async def record_of(table_id: FromPath[str], state: State, request: AnyRequest) -> str:
    """Return the record of a table's match: before its end, only the player's own knowledge."""
    row = await services_of(state).registry.row(table_id)
    if row.match is None:
        raise ApiError(404, "no-match", "no match was played here yet")
    return await record_text(request, await find_match(state, row.match))


@post("/api/tables/{table_id:str}/ticket", status_code=201, scope="read")
async def write_ticket(table_id: FromPath[str], state: State, me: CurrentPlayer) -> rest.Ticket:
    """Issue a ticket for the socket of a table. It is valid once, for 30 seconds."""
    services = services_of(state)
    table = await services.registry.find(table_id)
    services.sockets.check(me.id)
    seat = table.doc.seat_of(me.id)
    if seat is None and table.doc.watch == "off":
        raise ApiError(403, "not-watched", "this table does not allow spectators")
    if seat is None and me.id in table.doc.sent_away:
        raise ApiError(403, "sent-away", "the host has sent you away")
    return rest.Ticket(await services.tickets.issue_shared(me.id, me.epoch, table_id), seat)


HANDLERS = (
    list_invitations, list_companions, invite, decline,
    open_table, play_on, list_tables, list_mine, list_turns, one_table, sit_down, stand_up,
    remove_seat, show_audience, send_away, allow_again, set_spectators, place_bot, swap_seats,
    start_table, close_table, claim_seats, take_back_seat, play_again, record_of, write_ticket,
)  # fmt: skip
