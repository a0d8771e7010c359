"""The host's power over spectators: send them away, close watching, mute their chat."""

from msgspec.structs import replace

from zashiki.server.errors import ApiError
from zashiki.server.protocol import rest
from zashiki.server.store.rows import is_visitor
from zashiki.server.tables import commands as on
from zashiki.server.tables import model
from zashiki.server.tables.live import LiveTable
from zashiki.server.tables.model import TableDoc

AudienceCommand = on.SendAway | on.Allow | on.SetSpectators
MAX_SPECTATORS_SHOWN = 200


async def change_audience(table: LiveTable, command: AudienceCommand) -> None:
    """Change who may watch, and who may chat, before, during and after a match."""
    table.check_host(command.host)
    match command:
        case on.SendAway():
            doc = sent_away(table.doc, command)
        case on.Allow():
            doc = replace(
                table.doc,
                removed=model.unlisted(table.doc.removed, command.player),
                sent_away=model.unlisted(table.doc.sent_away, command.player),
            )
        case on.SetSpectators():
            doc = with_spectators(table.doc, command)
    if doc != table.doc:
        await table.change(doc)


def sent_away(doc: TableDoc, command: on.SendAway) -> TableDoc:
    if command.player == command.host or doc.seat_of(command.player) is not None:
        text = "only spectators can be sent away: empty the seat of a player instead"
        raise ApiError(409, "seated", text)
    return replace(doc, sent_away=model.listed(doc.sent_away, command.player))


def with_spectators(doc: TableDoc, command: on.SetSpectators) -> TableDoc:
    """Open or close watching and the chat of spectators.

    Watching is reopened only as it was before, because players sat down under those terms.
    """
    if command.may_chat is not None:
        doc = replace(doc, are_spectators_muted=not command.may_chat)
    if command.may_watch is False and doc.watch != "off":
        return replace(doc, watch="off", watch_before=doc.watch)
    if command.may_watch and doc.watch == "off":
        if doc.watch_before is None:
            text = "this table was opened without spectators: open another table"
            raise ApiError(409, "not-watched", text)
        return replace(doc, watch=doc.watch_before, watch_before=None)
    return doc


async def audience_seen(table: LiveTable) -> rest.Audience:
    """Show the host who watches under a name, and who was removed or sent away."""
    named = sorted(one for one in table.watchers() if not is_visitor(one))
    watching = named[:MAX_SPECTATORS_SHOWN]
    gone = [*table.doc.removed, *table.doc.sent_away]
    names = await table.store.names({*watching, *gone})
    return rest.Audience(
        [rest.Visitor(id, names[id]) for id in watching if id in names],
        [rest.Visitor(id, names[id]) for id in dict.fromkeys(gone) if id in names],
        table.doc.watch_before is not None,
    )
