"""A table that is alive: the only place that changes what is known of a table.

The match itself is the exception: `gameplay.judge` plays on in it.

`handler` decides what follows from a command. The methods here take what was decided and, where it
has to be kept, written: they change the table, and tell its connections and observers.
"""

import asyncio
from collections.abc import Iterator, Sequence, Set
from contextlib import contextmanager
from typing import Any

import msgspec

from zashiki.server.protocol import frames
from zashiki.server.store.rows import ChatRow, EntryRow, MatchRow, TableRow, server_bot_seats
from zashiki.server.tables.connection import Connection, send_all
from zashiki.server.tables.match import LiveMatch, restore_match
from zashiki.server.tables.model import TableDoc, in_brief, with_answers_of
from zashiki.server.tables.presence import Presence
from zashiki.server.tables.state import (
    CHAT_KEYS,
    CHAT_LINES,
    FORGIVEN_DECISIONS,
    TableContext,
    TableState,
)
from zashiki.server.tables.views import NewsFrames, Wanted, table_seen


class LiveTable(TableState):
    """One table in memory, with its timer."""

    def __init__(self, row: TableRow, context: TableContext) -> None:
        super().__init__(row, context)
        self._timer: asyncio.TimerHandle | None = None
        self._bots: tuple[dict[int, str], bool] = ({}, False)
        """The bots that observers know of: the seats, and whether people play."""
        self._shown_waits: dict[int, float] = {}
        """The seats that are shown as waited for."""
        self._shown_delayed: dict[bool, bytes] = {}
        """The table as delayed spectators were last shown it, by whether their version is old."""

    # Sending -----------------------------------------------------------------------------------

    def publish(self) -> None:
        """Send every subscriber the news it lacks.

        Delayed spectators are sent nothing for an action that shows them nothing: they would learn
        when it was taken.
        """
        if self.live is None:
            return
        news = NewsFrames(self)
        outgoing: list[tuple[Connection, bytes]] = []
        for one in self.subscribers:
            projection = self.projection(one.reader)
            count = projection.count_for(one.reader)
            if projection is self.delayed and one.has == count and not self.live.match.over:
                continue
            told = news.told(Wanted(one.reader, one.has, one.views, one.language, one.version))
            one.has = count
            outgoing.append((one, told))
        send_all(outgoing)

    def tell_changed(self) -> None:
        """Tell subscribers and observers that the table looks different.

        Delayed spectators are told only if it looks different to them.
        """
        self._shown_waits = {} if self.presence is None else self.presence.waits()
        made: dict[tuple[bool, bool], bytes] = {}
        delayed: dict[bool, bytes] = {}
        outgoing: list[tuple[Connection, bytes]] = []
        for one in self.subscribers:
            seated, is_old = which = one.seat is not None, one.version == 1
            if which not in made:
                shown = table_seen(self, seated)
                made[which] = msgspec.json.encode(
                    frames.Changed(shown if is_old else in_brief(shown))
                )
            if not seated and self.doc.watch == "delayed":
                delayed[is_old] = made[which]
                if self._shown_delayed.get(is_old) == made[which]:
                    continue
            outgoing.append((one, made[which]))
        self._shown_delayed = delayed
        send_all(outgoing)
        for observer in self.context.observers:
            observer.on_shown(self)

    # The row -----------------------------------------------------------------------------------

    @contextmanager
    def stale_on_failure(self) -> Iterator[None]:
        """Surround a write or a read. If it fails, the table is reloaded."""
        try:
            yield
        except BaseException:
            self.mark_stale()
            raise

    def mark_stale(self) -> None:
        """Have the table read again before the next command: memory and store may differ."""
        self.needs_reload = True

    def next_row(self, **changes: Any) -> TableRow:
        """Return the row with the next version and these changes."""
        version, now = self.row.version + 1, self.system.now()
        return msgspec.structs.replace(self.row, version=version, updated=now, **changes)

    async def save(self, doc: TableDoc, **changes: Any) -> None:
        """Write the table and apply it."""
        row = self.next_row(doc=msgspec.to_builtins(doc), **changes)
        with self.stale_on_failure():
            await self.store.change_table(row)
        self.apply_row(row, doc)

    async def change(self, doc: TableDoc, **changes: Any) -> None:
        """Write the table, apply it and show it."""
        await self.save(doc, **changes)
        self.tell_changed()

    async def read_row(self) -> None:
        """Take the table as it is stored."""
        row = await self.store.table(self.row.id)
        assert row is not None, "tables are never deleted"
        self.apply_row(row, msgspec.convert(row.doc, TableDoc))

    def apply_row(self, row: TableRow, doc: TableDoc) -> None:
        """Take a table as it was written, here or by another server."""
        self.row, self.doc = row, with_answers_of(self.doc, doc)
        if row.state == "closed":
            self.presence = None  # nobody is waited for, and no bot plays
        if self.presence is not None:
            self.presence.resigned = set(doc.resigned)
            self.presence.claimed = set(doc.claimed)
        for one in list(self.subscribers):
            self.assign_seat(one)
        for observer in self.context.observers:
            observer.on_row_changed(self)

    def keep_answers(self, doc: TableDoc) -> None:
        """Keep hashes or nonces in memory until all of them are written."""
        self.doc = doc

    def show_answers(self, doc: TableDoc) -> None:
        """Keep hashes or nonces, and show who has answered."""
        self.keep_answers(doc)
        self.tell_changed()

    def mark_current(self) -> None:
        """Note that memory and store agree."""
        self.needs_reload = False

    # The match ---------------------------------------------------------------------------------

    def begin_match(self, row: TableRow, doc: TableDoc, match: MatchRow, live: LiveMatch) -> None:
        """Take a match that was dealt and written."""
        self.match_row, self.live = match, live
        self.moved, self.moved_here = match.started, self.system.monotonic()
        self.apply_row(row, doc)
        self.attend(self.new_presence())

    def end_match(self, row: TableRow, match: MatchRow) -> None:
        """The match is over, and that is written."""
        self.match_row, self.row = match, row
        self.tell_changed()

    def record_action(self, seat: int, frame: frames.Play) -> None:
        """An action was written: its key answers the same command from now on."""
        self.keys[seat, frame.key] = frame.decision, frame.action
        self.moved, self.moved_here = self.system.now(), self.system.monotonic()
        if self.presence is not None:
            self.presence.acted(seat, self.clock())

    def record_actor(self, seat: int | None, actor: str | None, done: int) -> bool:
        """Note who acted. Returns True the first time a bot acts for a person in this match.

        `done` is the number of the action. A person counts as last from the first decision that a
        bot takes after they resigned, or when it has taken more decisions than are forgiven.
        """
        if seat is None or not self.is_stand_in(seat, actor):
            return False
        if seat in self.doc.resigned and done > self.doc.gone.get(str(seat), 0):
            self.left_after.setdefault(seat, self.doc.gone.get(str(seat), 0))
            return False
        is_first = not self.stand_in_moves
        self.stand_in_moves[seat] = self.stand_in_moves.get(seat, 0) + 1
        if self.stand_in_moves[seat] > FORGIVEN_DECISIONS:
            self.left_after.setdefault(seat, done)
        return is_first

    def forget_match(self) -> None:
        """Drop what is known of the match before it is read again."""
        self.live, self.keys = None, {}
        self.stand_in_moves, self.left_after = {}, {}

    def restore_match(self, match: MatchRow, entries: Sequence[EntryRow]) -> None:
        """Fold a stored match. The table itself knows best who is here, and since when."""
        live = restore_match(self.doc.spec, match.header, match.seed, match.salt)
        live.server_bots = server_bot_seats(match)
        presence = self.presence or self.new_presence()
        is_new, now = presence is not self.presence, self.clock()
        for entry in entries:
            self._fold(live, entry)
            if is_new or entry.n > presence.done:
                by_bot = self.is_stand_in(entry.seat, entry.by)
                then = entry.at if is_new else now
                presence.recall(entry.seat, by_bot, live.match.to_act, then)
        if is_new:
            presence.restart_clocks(now)
        self.live, self.match_row = live, match
        if live.match.over or self.row.state == "closed":
            self.presence = None
            self.reschedule()
        else:
            self.attend(presence)

    def follow(self, entries: Sequence[EntryRow]) -> None:
        """Take entries that another server wrote."""
        assert self.live is not None
        for entry in entries:
            self._fold(self.live, entry)
            if self.presence is not None and entry.seat is not None:
                self.presence.acted(entry.seat, self.clock())

    def _fold(self, live: LiveMatch, entry: EntryRow) -> None:
        live.follow(entry.seat, entry.action, entry.facts)
        self.moved, self.moved_here = entry.at, None
        self.record_actor(entry.seat, entry.by, entry.n)
        if entry.seat is not None and entry.key is not None and entry.action is not None:
            self.keys[entry.seat, entry.key] = live.taken[entry.seat], entry.action

    # Chat --------------------------------------------------------------------------------------

    def add_chat(self, row: ChatRow, name: str) -> frames.Chatted:
        """Add a line of chat that is written."""
        self.chat_number = row.n
        chatted = frames.Chatted(row.n, row.player, name, row.seat, row.text)
        self.chat_lines.append(chatted)
        del self.chat_lines[:-CHAT_LINES]
        if row.key is not None:
            self.chat_keys.append((row.player, row.key))
            del self.chat_keys[:-CHAT_KEYS]
        return chatted

    def rename_in_chat(self, player: str, name: str) -> None:
        """Show what a player said under their present name."""
        for line in self.chat_lines:
            if line.player == player:
                line.name = name

    # Connections -------------------------------------------------------------------------------

    def visit(self) -> None:
        """Keep the table in memory for a while, because somebody has asked for it."""
        self.visited = self.system.now()

    def attach(self, connection: Connection) -> None:
        """Keep the table in memory while a socket is open, from before its hello."""
        self.sockets.add(connection)

    def detach(self, connection: Connection) -> None:
        """Count one socket less: it has ended, or goes to another table."""
        self.sockets.discard(connection)

    def arrive(self, connection: Connection, hello: frames.Hello) -> None:
        """Tell a connection what it does not have, and everything from now on."""
        self.assign_seat(connection)
        if not connection.is_open:
            return
        connection.views, connection.language = hello.views, hello.language
        connection.version = hello.version
        connection.listens, connection.has = True, 0  # of another match, perhaps
        seated = connection.seat is not None
        chat = [line for line in self.chat_lines if line.player not in connection.muted]
        if not self.has_chat(connection.seat, connection.link):
            chat = []
        connection.send(frames.Welcome(table_seen(self, seated), connection.seat, chat))
        if self.live is not None:
            count = self.projection(connection.reader).count_for(connection.reader)
            connection.has = min(max(hello.have, 0), count)
            reader, language, version = connection.reader, connection.language, connection.version
            wanted = Wanted(reader, connection.has, True, language, version)
            connection.send(NewsFrames(self).told(wanted))
            connection.has = count
        is_first = connection.is_person and not self.is_connected_here(connection.player)
        self.subscribers.add(connection)
        if is_first:
            self._tell_presence(connection.player)
        if self.presence is not None and connection.seat is not None and connection.is_person:
            self.presence.connected(connection.seat, self.clock())
        self.tell_changed()
        self.reschedule()

    def assign_seat(self, connection: Connection) -> None:
        """Give a connection the seat that its player has now, not the one they came with."""
        if not connection.is_person:
            return  # a bot's ticket is for one seat
        connection.seat = self.doc.seat_of(connection.player)
        if connection.seat is None and self.doc.watch == "off":
            connection.close(
                frames.Bye("not-watched", "this table does not allow spectators", False)
            )
        elif connection.seat is None and connection.player in self.doc.sent_away:
            connection.close(frames.Bye("sent-away", "the host has sent you away", False))

    def leave(self, connection: Connection) -> None:
        """Remove a connection that has ended, or that goes to another table."""
        if connection not in self.subscribers:
            return
        self.subscribers.remove(connection)
        seat, presence = connection.seat, self.presence
        if connection.is_person and not self.is_connected_here(connection.player):
            self._tell_presence(connection.player)
            if presence is not None and seat is not None and not self.is_here(connection.player):
                presence.disconnected(seat, self.clock())
        self.tell_changed()
        self.reschedule()

    def set_present_on_other_nodes(self, players: Set[str]) -> None:
        """Note who is connected to this table by another server."""
        before, self.elsewhere = self.elsewhere, players
        if before == players:
            return
        for player in before ^ players:
            seat = self.doc.seat_of(player)
            if self.presence is None or seat is None or self.is_connected_here(player):
                continue
            if player in players:
                self.presence.connected(seat, self.clock())
            else:
                self.presence.disconnected(seat, self.clock())
        self.tell_changed()
        self.reschedule()

    def _tell_presence(self, player: str) -> None:
        for observer in self.context.observers:
            observer.on_presence_changed(self, player)

    # Bots and the timer ------------------------------------------------------------------------

    def new_presence(self) -> Presence:
        """Return the presence of a match with nobody connected yet."""
        doc, now = self.doc, self.clock()
        made = Presence(doc.people(), doc.resigned, doc.pace, self.context.away_seconds, now)
        made.claimed = set(doc.claimed)
        return made

    def attend(self, presence: Presence) -> None:
        """Note who is here when a match begins or continues."""
        presence.here(one.seat for one in self.subscribers if one.is_here)
        presence.here(self.doc.seat_of(player) for player in self.elsewhere)
        self.presence = presence
        self.reschedule()

    def tell_turns(self) -> None:
        """Tell observers whose turn it is, if people are away who may want to know."""
        if self.presence is not None and self.presence.away and self.is_playing():
            for observer in self.context.observers:
                observer.on_turns(self)

    def reschedule_after_move(self) -> None:
        """Set the timer again if somebody is away or waited for, or there is a clock.

        Otherwise the timer that is set may stay. It comes early, and looks again.
        """
        live, presence = self.live, self.presence
        is_set = self._timer is not None and not self._shown_waits
        if is_set and live is not None and presence is not None and self.is_playing():
            presence.owes(live.match.to_act, self.clock())
            if not (presence.is_watched() or presence.noticed):
                return
        self.reschedule()

    def reschedule(self) -> None:
        """Set the timer again, and tell observers if other seats need bots now."""
        self.cancel_timer()
        if self.live is not None and self.presence is not None and self.is_playing():
            self.presence.owes(self.live.match.to_act, self.clock())
            if self.presence.waits() != self._shown_waits:
                self.tell_changed()
        wait = self.seconds_until_due()
        if wait is not None:
            self._timer = asyncio.get_running_loop().call_later(max(0.0, wait), self.on_timer)
        bots = self.bot_seats(), self.has_people()
        if bots != self._bots:
            self._bots = bots
            for observer in self.context.observers:
                observer.on_bots_changed(self)

    def on_timer(self) -> None:
        """Let bots play for the people whose time is up."""
        if self.presence is not None and self.is_playing():
            if self.presence.advance(self.clock()):
                self.tell_changed()
            self.reschedule()

    def cancel_timer(self) -> None:
        """Cancel the timer."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
