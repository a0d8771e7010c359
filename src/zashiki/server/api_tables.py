"""Tables over HTTP, and the socket of a table."""

from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from litestar import get, post, websocket
from litestar.connection import WebSocket
from litestar.datastructures import State
from litestar.exceptions import NotAuthorizedException, TooManyRequestsException
from litestar.params import FromPath, FromQuery, JSONBody
from msgspec.structs import replace

from zashiki.server import seating, wire
from zashiki.server.api_history import record_text
from zashiki.server.asking import (
    AnyRequest,
    Asking,
    Server,
    address_of,
    asker_of,
    known_asker,
    server_of,
)
from zashiki.server.problems import Problem
from zashiki.server.sessions import Ticket, check_origin
from zashiki.server.sockets import Conversation, watch_lobby
from zashiki.server.store.rows import PlayerRow
from zashiki.server.tables import in_brief


@post("/api/tables", status_code=201)
async def open_table(
    data: JSONBody[wire.NewTable], request: AnyRequest, me: Asking
) -> wire.OpenedTable:
    """Open a table for any game; who opens it sits at it."""
    server = server_of(request.app.state)
    wanted = await server.card_sets.settle(me.id, data, address_of(request))
    room = await server.hall.open(me, wanted)
    return wire.OpenedTable(room.seen(), room.table.key)


@get("/api/tables")
async def list_tables(state: State) -> list[wire.Table]:
    """The lobby: public tables, those that changed last first."""
    return await server_of(state).hall.lobby()


@get("/api/my-tables")
async def list_mine(state: State, me: Asking) -> list[wire.Table]:
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
async def one_table(table_id: FromPath[str], state: State) -> wire.Table:
    """One table as all may see it."""
    return (await server_of(state).hall.room(table_id)).seen()


@post("/api/tables/{table_id:str}/sit", status_code=200)
async def sit_down(
    table_id: FromPath[str], data: JSONBody[wire.Sitting], state: State, me: Asking
) -> wire.Table:
    """Take a seat, or another one."""
    hall = server_of(state).hall
    room = await hall.room(table_id)
    with hall.ledger.coming(me.id, table_id):
        await seating.sit(room, data.seat, me.id, me.name, data.key, me.kind)
    return room.seen()


@post("/api/tables/{table_id:str}/stand", status_code=200)
async def stand_up(table_id: FromPath[str], state: State, me: Asking) -> wire.Table:
    """Leave the own seat."""
    room = await server_of(state).hall.room(table_id)
    await seating.stand(room, me.id)
    return room.seen()


@post("/api/tables/{table_id:str}/remove", status_code=200)
async def remove_seat(
    table_id: FromPath[str], data: JSONBody[wire.Sitting], state: State, me: Asking
) -> wire.Table:
    """The host empties a seat."""
    room = await server_of(state).hall.room(table_id)
    await seating.remove(room, me.id, data.seat)
    return room.seen()


@post("/api/tables/{table_id:str}/bot", status_code=200)
async def place_bot(
    table_id: FromPath[str], data: JSONBody[wire.Placing], state: State, me: Asking
) -> wire.Table:
    """The host puts a bot on a free seat, another in its place, or takes it away."""
    room = await server_of(state).hall.room(table_id)
    await seating.place(room, me.id, data.seat, data.bot)
    return room.seen()


@post("/api/tables/{table_id:str}/swap", status_code=200)
async def swap_seats(
    table_id: FromPath[str], data: JSONBody[wire.Swapping], state: State, me: Asking
) -> wire.Table:
    """Ask who sits there to swap seats, or agree to it; the host swaps any two seats at once."""
    room = await server_of(state).hall.room(table_id)
    await seating.swap(room, me.id, data.seat, data.other)
    return room.seen()


@post("/api/tables/{table_id:str}/start", status_code=200)
async def start_table(table_id: FromPath[str], state: State, me: Asking) -> wire.Table:
    """The host starts: the commitment is shown, and the deal waits for everybody's `ready`."""
    server = server_of(state)
    room = await server.hall.room(table_id)
    room.check_host(me.id)
    room.check_open()
    server.desk.check_staffed(room)
    await seating.start(room, me.id)
    return room.seen()


@post("/api/tables/{table_id:str}/close", status_code=200)
async def close_table(table_id: FromPath[str], state: State, me: Asking) -> wire.Table:
    """The host closes a table that has not started."""
    room = await server_of(state).hall.room(table_id)
    await seating.shut(room, me.id)
    return room.seen()


@post("/api/tables/{table_id:str}/rematch", status_code=200)
async def play_again(table_id: FromPath[str], state: State, me: Asking) -> wire.Table:
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
async def write_ticket(table_id: FromPath[str], state: State, me: Asking) -> wire.Ticket:
    """A ticket for the socket of a table, good once and for half a minute."""
    server = server_of(state)
    room = await server.hall.room(table_id)
    server.sockets.check(me.id)
    seat = room.table.seat_of(me.id)
    if seat is None and room.table.watch == "off":
        raise Problem(403, "not-watched", "this table is not to be watched")
    return wire.Ticket(await server.tickets.write(me.id, me.epoch, table_id), seat)


@websocket("/api/tables/{table_id:str}/socket")
async def table_socket(
    socket: WebSocket[Any, Any, State],
    table_id: FromPath[str],
    ticket: FromQuery[str | None] = None,
) -> None:
    """Play and watch, with a session or a ticket: see the schema of the frames."""
    server = server_of(socket.app.state)
    check_page(socket, server)
    used = None if ticket is None else server.tickets.use(ticket)
    if used is not None and used.seat is not None and used.table == table_id:
        await socket.accept()
        await server.desk.seat(socket, used)
        return
    check_rate(socket, server)
    try:
        if ticket is None:
            player = await known_asker(socket)
        else:
            player = await holder(server, used or await server.tickets.take(ticket), table_id)
        room = await server.hall.room(table_id)
    except Problem as problem:
        await turn_away(socket, problem)
        return
    talk = Conversation(socket, room, player, room.table.seat_of(player.id), server.limits)
    with room.kept(talk.line):
        await held(socket, server, player.id, talk.hold)


async def holder(server: Server, used: Ticket | None, table: str) -> PlayerRow:
    """Who wrote a ticket for this table, in a session that goes on."""
    player = None if used is None else await server.people.current(used.player, used.epoch)
    if used is None or used.table != table or player is None:
        raise NotAuthorizedException
    return player


async def turn_away(socket: WebSocket[Any, Any, State], problem: Problem) -> None:
    """Say why not: a page is told nothing of a socket that was not accepted."""
    bye = wire.Bye(problem.code, problem.text, problem.status == 429)
    await socket.accept()
    await socket.send_data(msgspec.json.encode(bye).decode())
    await socket.close()


@websocket("/api/lobby/socket")
async def lobby_socket(socket: WebSocket[Any, Any, State]) -> None:
    """Every change of a public table, as it happens."""
    server = server_of(socket.app.state)
    check_page(socket, server)
    check_rate(socket, server)
    player = await asker_of(socket)
    asker = address_of(socket) if player is None else player.id
    await held(socket, server, asker, lambda: watch_lobby(socket, server.hall))


async def held(
    socket: WebSocket[Any, Any, State],
    server: Server,
    key: str,
    talk: Callable[[], Awaitable[None]],
) -> None:
    """Let a socket talk, unless who opened it, or their address, has too many."""
    address = address_of(socket)
    try:
        server.sockets.check(key)
        server.connections.check(address)
    except Problem as problem:
        await turn_away(socket, problem)
        return
    with server.sockets.hold(key), server.connections.hold(address):
        await socket.accept()
        await talk()


def check_rate(socket: WebSocket[Any, Any, State], server: Server) -> None:
    """A socket is a request like any other."""
    try:
        server.limits.take(address=address_of(socket))
    except Problem:
        raise TooManyRequestsException from None


def check_page(socket: WebSocket[Any, Any, State], server: Server) -> None:
    """A page of another site is turned away before its socket is accepted."""
    try:
        check_origin(socket.headers.get("origin"), server.origins(socket.headers.get("host")))
    except Problem:
        raise NotAuthorizedException from None


HANDLERS = (
    open_table, list_tables, list_mine, list_turns, one_table, sit_down, stand_up, remove_seat,
    place_bot, swap_seats, start_table, close_table, play_again, lobby_socket, record_of,
    write_ticket, table_socket,
)  # fmt: skip
