"""The socket of a table in the hands of a bot, which a ticket opens."""

from zashiki.server.accounts.tickets import Ticket
from zashiki.server.bots.dispatcher import Desk
from zashiki.server.errors import Problem
from zashiki.server.ops.rate_limits import Limits, Rate
from zashiki.server.protocol import frames
from zashiki.server.realtime.table_socket import AnySocket, Conversation
from zashiki.server.store.rows import PlayerRow
from zashiki.server.system import Source
from zashiki.server.tables.live import Room

FASTEST = Rate(6000, 60)
"""How often a bot may ask for one seat: nobody has to wait in a match among bots alone."""


class BotTalk(Conversation):
    """A bot may do less than a person: it plays, for a seat that wants a bot."""

    def __init__(self, socket: AnySocket, room: Room, id: str, seat: int, source: Source) -> None:
        player = PlayerRow(id, "bot", id, None, None, source.now())
        super().__init__(socket, room, player, seat, Limits(source.now, {"player": FASTEST}))

    async def do(self, command: frames.Command) -> frames.Answer | None:
        if not isinstance(command, frames.Hello | frames.Play | frames.WhyNot):
            raise Problem(403, "not-for-bots", "a bot plays, and does nothing else")
        return await super().do(command)


async def serve_bot(desk: Desk, socket: AnySocket, ticket: Ticket) -> None:
    """Serve the bot of one seat. The caller has accepted its socket."""
    assert ticket.seat is not None
    place = ticket.table, ticket.seat
    room = await desk.hall.room(ticket.table)
    talk = BotTalk(socket, room, ticket.player, ticket.seat, desk.source)
    desk.attach(place, talk.line)
    try:
        with room.kept(talk.line):
            await talk.hold()
    finally:
        desk.detach(place, talk.line)
