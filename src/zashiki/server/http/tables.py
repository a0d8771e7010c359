"""Tables over HTTP: open, list, sit down, start, rematch."""

from litestar import get, post
from litestar.datastructures import State
from litestar.params import FromPath, JSONBody
from msgspec.structs import replace

from zashiki.server.deps import AnyRequest, Asking, address_of
from zashiki.server.errors import Problem
from zashiki.server.http.history import record_text
from zashiki.server.protocol import rest
from zashiki.server.services import server_of
from zashiki.server.tables import dealing, setup
from zashiki.server.tables.model import in_brief


@post("/api/tables", status_code=201)
async def open_table(
    data: JSONBody[rest.NewTable], request: AnyRequest, me: Asking
) -> rest.OpenedTable:
    """Open a table for any game; who opens it sits at it."""
    server = server_of(request.app.state)
    wanted = await server.card_sets.settle(me.id, data, address_of(request))
    room = await server.hall.open(me, wanted)
    return rest.OpenedTable(room.seen(), room.table.key)


@get("/api/tables")
async def list_tables(state: State) -> list[rest.Table]:
    """The lobby: public tables, those that changed last first."""
    return await server_of(state).hall.lobby()


@get("/api/my-tables")
async def list_mine(state: State, me: Asking) -> list[rest.Table]:
    """Where the player sits, at tables that have not ended."""
    hall = server_of(state).hall
    rooms = [await hall.room(id) for id in hall.ledger.of(me.id)]
    mine = [room for room in rooms if room.table.seat_of(me.id) is not None]
    return [
        replace(in_brief(room.seen(True)), to_act=list(room.live.match.to_act) if room.live else [])
        for room in mine
    ]


@get("/api/my-turns")
async def list_turns(state: State, me: Asking) -> list[str]:
    """The ids of the tables that wait for a decision of the player."""
    hall = server_of(state).hall
    rooms = [await hall.room(id) for id in hall.ledger.of(me.id)]
    return [room.row.id for room in rooms if room.waits_for(me.id)]


@get("/api/tables/{table_id:str}")
async def one_table(table_id: FromPath[str], state: State) -> rest.Table:
    """One table as all may see it."""
    return (await server_of(state).hall.room(table_id)).seen()


@post("/api/tables/{table_id:str}/sit", status_code=200)
async def sit_down(
    table_id: FromPath[str], data: JSONBody[rest.Sitting], state: State, me: Asking
) -> rest.Table:
    """Take a seat, or another one."""
    hall = server_of(state).hall
    room = await hall.room(table_id)
    with hall.ledger.coming(me.id, table_id):
        await setup.sit(room, data.seat, me.id, me.name, data.key, me.kind)
    return room.seen()


@post("/api/tables/{table_id:str}/stand", status_code=200)
async def stand_up(table_id: FromPath[str], state: State, me: Asking) -> rest.Table:
    """Leave the own seat."""
    room = await server_of(state).hall.room(table_id)
    await setup.stand(room, me.id)
    return room.seen()


@post("/api/tables/{table_id:str}/remove", status_code=200)
async def remove_seat(
    table_id: FromPath[str], data: JSONBody[rest.Sitting], state: State, me: Asking
) -> rest.Table:
    """The host empties a seat."""
    room = await server_of(state).hall.room(table_id)
    await setup.remove(room, me.id, data.seat)
    return room.seen()


@post("/api/tables/{table_id:str}/bot", status_code=200)
async def place_bot(
    table_id: FromPath[str], data: JSONBody[rest.Placing], state: State, me: Asking
) -> rest.Table:
    """The host puts a bot on a free seat, another in its place, or takes it away."""
    room = await server_of(state).hall.room(table_id)
    await setup.place(room, me.id, data.seat, data.bot)
    return room.seen()


@post("/api/tables/{table_id:str}/swap", status_code=200)
async def swap_seats(
    table_id: FromPath[str], data: JSONBody[rest.Swapping], state: State, me: Asking
) -> rest.Table:
    """Ask who sits there to swap seats, or agree to it; the host swaps any two seats at once."""
    room = await server_of(state).hall.room(table_id)
    await setup.swap(room, me.id, data.seat, data.other)
    return room.seen()


@post("/api/tables/{table_id:str}/start", status_code=200)
async def start_table(table_id: FromPath[str], state: State, me: Asking) -> rest.Table:
    """The host starts: the commitment is shown, and the deal waits for everybody's `ready`."""
    server = server_of(state)
    room = await server.hall.room(table_id)
    room.check_host(me.id)
    room.check_open()
    server.desk.check_staffed(room)
    await dealing.start(room, me.id)
    return room.seen()


@post("/api/tables/{table_id:str}/close", status_code=200)
async def close_table(table_id: FromPath[str], state: State, me: Asking) -> rest.Table:
    """The host closes a table that has not started."""
    room = await server_of(state).hall.room(table_id)
    await setup.shut(room, me.id)
    return room.seen()


@post("/api/tables/{table_id:str}/rematch", status_code=200)
async def play_again(table_id: FromPath[str], state: State, me: Asking) -> rest.Table:
    """The same people at a new table: the first who asks opens it, the others are led there."""
    hall = server_of(state).hall
    return (await hall.rematch(await hall.room(table_id), me)).seen()


@get("/api/tables/{table_id:str}/record", media_type="application/x-ndjson")
async def record_of(table_id: FromPath[str], state: State, request: AnyRequest) -> str:
    """The record: all of it when the match is over, before that what the asker may know."""
    room = await server_of(state).hall.room(table_id)
    if room.match is None:
        raise Problem(404, "no-match", "no match was played here yet")
    return await record_text(request, room.match)


@post("/api/tables/{table_id:str}/ticket", status_code=201)
async def write_ticket(table_id: FromPath[str], state: State, me: Asking) -> rest.Ticket:
    """A ticket for the socket of a table, good once and for half a minute."""
    server = server_of(state)
    room = await server.hall.room(table_id)
    server.sockets.check(me.id)
    seat = room.table.seat_of(me.id)
    if seat is None and room.table.watch == "off":
        raise Problem(403, "not-watched", "this table is not to be watched")
    return rest.Ticket(await server.tickets.write(me.id, me.epoch, table_id), seat)


HANDLERS = (
    open_table, list_tables, list_mine, list_turns, one_table, sit_down, stand_up, remove_seat,
    place_bot, swap_seats, start_table, close_table, play_again, record_of, write_ticket,
)  # fmt: skip
