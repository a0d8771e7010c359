"""Views of a table for its readers: the table itself, and the news of its match.

News are made of a `PublicProjection` and of a seat's own part, never of the whole match.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple, cast

import msgspec
from msgspec import UNSET, Raw

from zashiki.server.protocol import frames, rest
from zashiki.server.protocol.frames import in_order
from zashiki.server.tables import model
from zashiki.server.tables.match import FACT, PublicProjection, Reader
from zashiki.server.tables.ratings import why_unrated
from zashiki.server.tables.state import TableState

ENCODER = msgspec.json.Encoder()


def table_seen(table: TableState, seated: bool = False) -> rest.Table:
    """Show a table as everybody may see it, or as the people who sit at it may.

    Delayed spectators see no clocks, and not who counts as last before the match is over: these
    would tell them who has decided. Only people who sit here see the way to a rematch that is not
    public.
    """
    doc, shown = table.doc, model.seen(table.row, table.doc)
    if not (seated or table.row.public):
        shown.next = shown.next_seat = None
    shown.watching = len(table.watchers())
    if doc.dealing is not None:
        shown.state, shown.wishes = "starting", []
        shown.commitment = doc.dealing.commitment
        if doc.dealing.is_fixed:
            shown.hashes = doc.dealing.hashes_of(doc.chairs)
    if table.match_row is not None:
        shown.commitment = table.match_row.header["commitment"]
    if table.is_playing() and table.presence is not None:
        shown.paused = table.presence.paused()
    if seated:
        match = table.match_row
        shown.unrated = why_unrated(doc) if match is None else match.unrated
    here = table.here()
    for seat, one in enumerate(shown.seats):
        if one.player is not None:
            one.here = one.player.id in here
            show_presence(table, seat, one, seated or doc.watch == "live")
    return shown


def show_presence(table: TableState, seat: int, shown: rest.Seat, clock: bool) -> None:
    """Add to a player's seat whether the player is ready, or is played for by a bot."""
    doc, presence = table.doc, table.presence
    shown.ready = doc.dealing is not None and doc.dealing.has_answered(seat)
    is_rated = table.match_row is not None and table.match_row.rated
    shown.last = is_rated and seat in table.left_after and (clock or not table.is_playing())
    if presence is not None and seat in presence.people and table.is_playing():
        shown.stand_in = doc.level if seat in presence.by_bots(clock) else None
        ahead = table.system.now() - table.clock()
        until = presence.until(seat, clock)
        shown.until = None if until is None else round(until + ahead, 3)
        claim = presence.claim_time(seat)
        if clock and claim is not None and seat in presence.waits():
            shown.since = round(presence.asked[seat] + ahead, 3)
            shown.claim = round(claim + ahead, 3)


class Wanted(NamedTuple):
    """The news that a connection wants: those after the facts that it has, in its shape."""

    reader: Reader
    after: int
    views: bool
    language: rest.Language | None
    version: frames.Version


class NewsFrames:
    """The frames by which readers learn where a match is now: each is made and encoded once.

    The public part is shared: all readers who have the same public facts get the same bytes.
    """

    def __init__(self, table: TableState) -> None:
        assert table.live is not None
        self._table = table
        self._live = table.live
        self._shared: dict[tuple[bool, int, bool, rest.Language | None], PublicPart] = {}
        self._made: dict[Wanted, bytes] = {}

    def told(self, wanted: Wanted) -> bytes:
        """Return all that a reader does not know yet, and where it leaves the reader."""
        made = self._made.get(wanted)
        if made is None:
            made = self._made[wanted] = self._make(wanted)
        return made

    def _make(self, wanted: Wanted) -> bytes:
        reader, after, views, language, version = wanted
        if isinstance(reader, int):
            known = self._live.own[reader].known(after)
            public = self._public(reader, after - known, views, language)
            own = self._own(reader, after, known, views, language)
        else:
            public, own = self._public(reader, after, views, language), None
        if version == 1:
            return ENCODER.encode(old_told(after + 1, public.news, own))
        return ENCODER.encode(frames.Told(after + 1, public.encoded(), own))

    def _public(
        self, reader: Reader, after: int, views: bool, language: rest.Language | None
    ) -> "PublicPart":
        projection = self._table.projection(reader)
        which = (projection is self._table.delayed, after, views, language)
        if which not in self._shared:
            self._shared[which] = PublicPart(public_news(projection, *which[1:]))
        return self._shared[which]

    def _own(
        self, seat: int, after: int, known: int, views: bool, language: rest.Language | None
    ) -> frames.OwnNews:
        live, facts = self._live, self._live.own[seat]
        decision = live.decision(seat)
        own = frames.OwnNews(
            as_sent(facts.facts[known:]),
            [place - after for place in facts.at[known:]],
            decision,
            [] if decision is None else list(live.match.legal(seat)),
        )
        if views:
            own.view = live.match.own_view(seat)
        if language is not None:
            said = [live.sentence(fact, language) for fact in facts.facts[known:]]
            own.words = frames.OwnWords(said, live.labels(own.legal, language))
        if seat in self._table.stand_in_moves:
            own.stood_in = self._table.stand_in_moves[seat]
        return own


class PublicPart:
    """The public part of the news, and its bytes, which are made once."""

    def __init__(self, news: frames.PublicNews) -> None:
        self.news = news
        self._encoded: Raw | None = None

    def encoded(self) -> frames.PublicNews:
        """Return the bytes, to be used in the place of the part."""
        if self._encoded is None:
            self._encoded = Raw(ENCODER.encode(self.news))
        return cast(frames.PublicNews, self._encoded)


def public_news(
    projection: PublicProjection, after: int, views: bool, language: rest.Language | None
) -> frames.PublicNews:
    """Return the public part for readers who have this number of public facts."""
    live, count = projection.live, projection.count()
    outcome = live.match.outcome
    news = frames.PublicNews(
        as_sent(live.public[after:count]),
        projection.to_act(),
        outcome is not None,
        None if outcome is None else frames.Outcome(list(outcome.ranks), list(outcome.scores)),
    )
    view = projection.view() if views or language is not None else {}
    if views:
        news.view = view
    if language is not None:
        said = live.said(after, count, language)
        news.words = frames.PublicWords(said, live.wording(language).phase(view))
    return news


def as_sent(facts: Iterable[bytes]) -> list[frames.Fact]:
    """Return the bytes of facts, to be used in their place."""
    return cast(list[frames.Fact], [Raw(fact) for fact in facts])


def old_told(first: int, public: frames.PublicNews, own: frames.OwnNews | None) -> frames.OldTold:
    """Return the same news in version 1."""
    mine = own or frames.OwnNews([], [], None, [])
    told: list[dict[str, Any]] = []
    for fact in in_order(public.facts, mine.facts, mine.at):
        audience, name, arguments = FACT.decode(cast(Raw, fact))
        number, is_own = first + len(told), audience != "all"
        told.append({"n": number, "own": is_own, "fact": name, "with": arguments})
    old = frames.OldTold(
        first, told, public.to_act, mine.decision, mine.legal, public.over, public.outcome
    )
    if public.view is not UNSET:
        old.view = {**public.view, **(mine.view or {})}
    if public.words is not UNSET:
        words = mine.words or frames.OwnWords([], [])
        said = in_order(public.words.said, words.said, mine.at)
        old.words = frames.OldWords(said, words.labels, public.words.asked)
    old.stood_in = mine.stood_in
    return old
