"""What readers see of a table: the table itself, and the news of its match.

A view is made of a `ReaderProjection`, never of the whole match.
"""

from zashiki.core import record as records
from zashiki.server.protocol import frames, rest
from zashiki.server.tables import model
from zashiki.server.tables.match import Reader
from zashiki.server.tables.state import TableState


def table_seen(table: TableState, seated: bool = False) -> rest.Table:
    """Show a table as everybody may see it, or as the people who sit at it may.

    Spectators learn from no clock who has decided before they are told so. Only people who sit here
    see the way to a rematch that is not public.
    """
    doc, shown = table.doc, model.seen(table.row, table.doc)
    if not (seated or table.row.public):
        shown.next = None
    if doc.dealing is not None:
        shown.state, shown.wishes = "starting", []
        shown.commitment = records.commit(*doc.dealing.secrets)
    if table.match_row is not None:
        shown.commitment = table.match_row.header["commitment"]
    if table.is_playing() and table.presence is not None:
        shown.paused = table.presence.paused()
    for seat, one in enumerate(shown.seats):
        show_presence(table, seat, one, seated or doc.watch == "live")
    return shown


def show_presence(table: TableState, seat: int, shown: rest.Seat, clock: bool) -> None:
    """Add to a seat whether its player is here, is ready, or is played for by a bot."""
    if shown.player is None:
        return
    doc, presence = table.doc, table.presence
    shown.here = table.is_here(shown.player.id)
    shown.ready = doc.dealing is not None and str(seat) in doc.dealing.nonces
    if presence is not None and seat in presence.people and table.is_playing():
        shown.stand_in = doc.level if seat in presence.by_bots(clock) else None
        shown.until = presence.until(seat, clock)


def news(
    table: TableState, reader: Reader, after: int, views: bool, language: rest.Language | None
) -> frames.Told:
    """Return all facts that a reader does not have yet, and where they leave the reader."""
    live, projection = table.live, table.projection(reader)
    assert live is not None
    seat = reader if isinstance(reader, int) else None
    told = frames.Told(
        after + 1,
        projection.told(after),
        projection.to_act(),
        None if seat is None else live.decision(seat),
        [] if seat is None else list(live.match.legal(seat)),
        projection.is_over(),
    )
    outcome = live.match.outcome
    if outcome is not None:
        told.outcome = frames.Outcome(list(outcome.ranks), list(outcome.scores))
    if seat in table.stand_in_moves:
        told.stood_in = table.stand_in_moves[seat]
    view = projection.view() if views or language is not None else {}
    if views:
        told.view = view
    if language is not None:
        told.words = frames.Words(
            projection.said(after, language),
            live.labels(told.legal, language),
            live.wording(language).phase(view),
        )
    return told
