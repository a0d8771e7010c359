"""Hand the seat of a person over to a bot, and back: resign, claim, take back, give up.

These are commands, and what they change is stored. If somebody is only away or late, `presence`
decides when a bot plays, and nothing is stored. See decision 0034.
"""

import logging

from msgspec.structs import replace

from zashiki.server.errors import ApiError
from zashiki.server.ops.logs import log
from zashiki.server.tables import commands as on
from zashiki.server.tables.live import LiveTable
from zashiki.server.tables.presence import Presence
from zashiki.server.tables.recovery import catch_up


async def resign(table: LiveTable, seat: int) -> None:
    """Hand a seat over to a bot, for good."""
    presence = await current(table)
    if seat not in presence.resigned:
        await hand_over(table, {seat})
        log(logging.INFO, "resigned", table=table.row.id, match=table.row.match, seat=seat)


async def give_up(table: LiveTable) -> None:
    """Count those as gone for whom the match waited too long."""
    presence = await current(table)
    if table.has_waited_too_long():
        seats = presence.given_up()
        await hand_over(table, seats)
        for seat in sorted(seats):
            log(logging.INFO, "given-up", table=table.row.id, match=table.row.match, seat=seat)


async def hand_over(table: LiveTable, seats: set[int]) -> None:
    """Let bots play for these seats to the end."""
    assert table.live is not None
    doc, done = table.doc, table.live.done
    gone = {**doc.gone, **{str(seat): done for seat in sorted(seats)}}
    await table.save(replace(doc, resigned=tuple(sorted({*doc.resigned, *seats})), gone=gone))
    table.tell_changed()
    table.reschedule()


async def claim(table: LiveTable, seat: int) -> None:
    """Let a bot play for those who are here and have not moved for a long time."""
    presence = await current(table)
    if seat in presence.resigned:
        raise ApiError(409, "resigned", "you have resigned: only those who play may claim")
    if seat in presence.asked:
        raise ApiError(409, "your-turn", "the match waits for you: decide first, then claim")
    idle = presence.claimable(table.clock())
    if not idle:
        text = "no seat can be claimed now: wait until the countdown of a seat has ended"
        raise ApiError(409, "not-idle", text)
    await table.save(replace(table.doc, claimed=tuple(sorted({*table.doc.claimed, *idle}))))
    for other in sorted(idle):
        log(logging.INFO, "claimed", table=table.row.id, match=table.row.match, seat=other)
    table.tell_changed()
    table.reschedule()


async def take_back(table: LiveTable, seat: int) -> None:
    """Give a seat that was claimed back to its player."""
    if seat in table.doc.claimed:
        claimed = tuple(one for one in table.doc.claimed if one != seat)
        await table.save(replace(table.doc, claimed=claimed))
        table.tell_changed()
        table.reschedule()


async def arrive(table: LiveTable, command: on.Arrive) -> None:
    """Welcome a connection. A player who comes again has their seat back."""
    connection = command.connection
    seat = table.doc.seat_of(connection.player) if connection.is_person else None
    if seat is not None:
        await take_back(table, seat)
    table.arrive(connection, command.hello)


async def current(table: LiveTable) -> Presence:
    """Return who is at the match, after what other servers have written."""
    await catch_up(table)
    if table.presence is None or not table.is_playing():
        raise ApiError(409, "not-playing", "no match is being played here")
    return table.presence
