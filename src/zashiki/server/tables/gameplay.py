"""A match at a table: actions, explanations and the record."""

import logging

from msgspec.structs import replace

from zashiki.core.rulings import Malformed, Refusal, Refused
from zashiki.server.errors import ApiError
from zashiki.server.ops.logs import log
from zashiki.server.ops.metrics import COMMITS, DECISIONS
from zashiki.server.protocol import rest
from zashiki.server.store.errors import Busy, Overtaken
from zashiki.server.store.group_commit import future_outcome
from zashiki.server.store.rows import EntryRow, MatchRow, TableRow, is_bot
from zashiki.server.tables import commands as on
from zashiki.server.tables.live import LiveTable
from zashiki.server.tables.match import LiveMatch, Stale
from zashiki.server.tables.ratings import settled, settling

MAX_KEY_LENGTH = 64
MAX_RATING_TRIES = 8
"""Attempts to end a match while other matches of its players end."""


async def play(table: LiveTable, command: on.Play) -> None:
    """Judge, write and tell a move in one coroutine, after a reload. See `handler.start_move`."""
    entry = judge(table, command)
    if entry is None:
        return
    if not table.is_playing():
        await finish_and_tell(table, command, entry)
        return
    future, done = future_outcome()
    with table.stale_on_failure(), COMMITS.time():
        table.store.append(entry, done)
        await future
    tell(table, command, entry)


def judge(table: LiveTable, command: on.Play) -> EntryRow | None:
    """Play an action in memory, and return the entry to be written. Raises if it is refused.

    An action is taken once for its key: then there is nothing to be written. Another action with
    the same key is refused. Memory is ahead of the disk until the entry is written. If that fails,
    the table is reloaded.
    """
    live, match, frame = table.live, table.match_row, command.frame
    known = table.keys.get((command.seat, frame.key))
    if known is not None:
        if known != (frame.decision, frame.action):
            raise ApiError(422, "malformed", "key: it was used for another action")
        return None
    if live is None or match is None or table.row.state == "closed":
        raise ApiError(409, "not-playing", "no match is being played here")
    if live.is_old():
        text = "this match was begun by older rules: it can be read, but not continued"
        raise ApiError(409, "old-rules", text)
    check_actor(table, command.player, command.seat)
    # A bot that plays for a person acts for them, and says nothing in their name.
    says = None if table.is_stand_in(command.seat, command.player) else frame.says
    try:
        facts = live.play(command.seat, frame.decision, frame.action, says)
    except Stale as stale:
        text, now = "that decision is not open", {"decision": stale.decision}
        raise ApiError(409, "stale", text, now) from None
    except Refused as refused:
        why = explained(live, refused.refusal, command.language)
        raise ApiError(422, why.code, why.text, why.details) from None
    except Malformed as fault:
        raise ApiError(422, "malformed", str(fault)) from None
    return EntryRow(
        match.id, live.done, command.seat, frame.key, command.player, frame.action, says,
        facts, table.system.now(),
    )  # fmt: skip


def check_actor(table: LiveTable, player: str, seat: int) -> None:
    """Refuse a bot on a seat that needs none, and a person who has resigned."""
    if is_bot(player):
        if seat not in table.bot_seats():
            raise ApiError(409, "stale", "nobody needs a bot on this seat now")
    elif seat in table.doc.resigned:
        raise ApiError(409, "resigned", "you have resigned: a bot plays for this seat")


def tell(table: LiveTable, command: on.Play, entry: EntryRow) -> None:
    """Record an action that is on disk, and tell everybody."""
    announce(table, command, entry, table.record_actor(entry.seat, entry.by, entry.n))


def announce(table: LiveTable, command: on.Play, entry: EntryRow, is_taken_over: bool) -> None:
    if is_taken_over:
        log(logging.INFO, "taken-over", table=table.row.id, match=entry.match, seat=entry.seat)
    DECISIONS.add(table.doc.game, "bot" if is_bot(command.player) else "person")
    table.record_action(command.seat, command.frame)
    table.publish()
    table.reschedule_after_move()
    table.tell_turns()


async def finish_and_tell(table: LiveTable, command: on.Play, entry: EntryRow) -> None:
    """Write the last action with the end of the match, then tell everybody."""
    live, match = table.live, table.match_row
    assert live is not None
    assert match is not None
    outcome = live.match.outcome
    assert outcome is not None
    is_first = table.record_actor(entry.seat, entry.by, entry.n)  # who left counts as last
    ended = replace(match, ended=entry.at, ranks=list(outcome.ranks), scores=list(outcome.scores))
    row = table.next_row(state="over")
    with table.stale_on_failure(), COMMITS.time():
        ended = await finish(table, entry, ended, row)
    log(logging.INFO, "ended", table=row.id, match=ended.id)
    table.end_match(row, ended)
    announce(table, command, entry, is_first)


async def finish(table: LiveTable, entry: EntryRow, ended: MatchRow, row: TableRow) -> MatchRow:
    """Write the last entry, with ratings by those that the players have at that moment.

    Return the match as it was stored.
    """
    async with settling(table.store, ended):
        for _ in range(MAX_RATING_TRIES):
            match, ratings = await settled(table.store, ended, entry.at, table.left_after)
            try:
                await table.store.finish(entry, match, ratings, row)
                return match
            except Overtaken:
                continue
        raise Busy("the ratings of these players change faster than a match can end")


# Questions ---------------------------------------------------------------------------------------


def why_not(table: LiveTable, command: on.WhyNot) -> rest.Fault | None:
    """Return the rule that forbids an action, or None."""
    if table.live is None:
        raise ApiError(409, "not-playing", "no match is being played here")
    try:
        refusal = table.live.match.why_not(command.seat, command.action)
    except Malformed as fault:
        raise ApiError(422, "malformed", str(fault)) from None
    return None if refusal is None else explained(table.live, refusal, command.language)


def explained(live: LiveMatch, refusal: Refusal, language: str) -> rest.Fault:
    """Put a refusal into words."""
    text = live.wording(language).refusal(refusal)
    details = {"ruling": refusal.ruling, "blame": list(refusal.blame)}
    return rest.Fault("refused", f"{refusal.ruling}: {text}", details)


def record(table: LiveTable, player: str | None) -> str:
    """Return the record: all of it at the end, before that what the player's seat was told."""
    if table.live is None:
        raise ApiError(404, "no-match", "no match was played here yet")
    if table.live.match.over:
        return table.live.match.record()
    seat = None if player is None else table.doc.seat_of(player)
    if seat is None and table.doc.watch == "off":
        raise ApiError(403, "not-watched", "this table does not allow spectators")
    reader = "all" if seat is None else seat
    return table.projection(reader).record(reader)


def check_command_key(key: str) -> None:
    """Refuse a key that is not short printable ASCII."""
    if not 1 <= len(key) <= MAX_KEY_LENGTH or not key.isascii() or not key.isprintable():
        text = f"key: expected 1 to {MAX_KEY_LENGTH} printable ASCII characters"
        raise ApiError(422, "malformed", text)
