"""One place that says what can happen to a table.

Every command, timer and notice comes here as a value of `commands`, and waits in the queue of its
table until those before it have happened. A command is validated, committed, projected for each
reader, sent: nobody is shown what is not on disk.

`apply` maps each command to a coroutine. Most moves do not come there: `begin_move` runs a move as
two functions, `gameplay.judge` and `gameplay.tell`, and `Store.append` between them calls back. If
the table has to be reloaded, or another server wrote first, the move goes through `apply` too.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from zashiki.server.errors import ApiError
from zashiki.server.ops.logs import log
from zashiki.server.ops.metrics import COMMITS, RETRIES
from zashiki.server.ops.shield import run_to_completion
from zashiki.server.store.errors import Conflict
from zashiki.server.store.group_commit import Done, future_outcome
from zashiki.server.store.rows import EntryRow
from zashiki.server.tables import (
    audience,
    chat,
    dealing,
    gameplay,
    handover,
    invitations,
    recovery,
    setup,
)
from zashiki.server.tables import commands as on
from zashiki.server.tables.live import LiveTable

Attempt = Callable[[], Awaitable[Any]]

MAX_TRIES = 8
"""Attempts at a command while other servers change the same table."""
KEEPS_CHANGING = "the table keeps changing: try again"
STOPPING = "the server stops: try again in a moment"


async def apply(table: LiveTable, command: on.Command) -> Any:  # noqa: PLR0912 (all are listed)
    """Map the first command in the queue to what follows, and return its outcome."""
    match command:
        case on.Play():
            await gameplay.play(table, command)
        case on.WhyNot():
            return gameplay.why_not(table, command)
        case on.ReadRecord():
            return gameplay.record(table, command.player)
        case on.Resign():
            await handover.resign(table, command.seat)
        case on.Claim():
            await handover.claim(table, command.seat)
        case on.TakeBack():
            await handover.take_back(table, command.seat)
        case on.GiveUp():
            await handover.give_up(table)
        case on.Say():
            await chat.say(table, command)
        case on.Arrive():
            await recovery.check_session(table, command.connection)
            await handover.arrive(table, command)
        case on.Start():
            await dealing.start(table, command)
        case on.Ready():
            await dealing.ready(table, command.seat, command.hash)
        case on.Reveal():
            await dealing.reveal(table, command.seat, command.nonce)
        case on.NonceTimeout():
            await dealing.end_phase(table, command.is_fixed)
        case on.LinkRematch():
            await setup.link_rematch(table, command)
        case on.Rename():
            await setup.rename(table, command.player, command.name)
        case on.CloseForAll():
            await setup.close_for_all(table)
        case on.Forget():
            await setup.forget(table, command.player, command.name)
        case on.SendAway() | on.Allow() | on.SetSpectators():
            await audience.change_audience(table, command)
        case on.Invite():
            await invitations.invite(table, command)
        case on.Decline():
            await invitations.decline(table, command.player)
        case on.RemoveDeletedPlayers():
            await recovery.remove_deleted_players(table)
        case on.CatchUp():
            await recovery.catch_up(table)
        case on.CatchUpChat():
            await chat.read_missed_lines(table)
        case _:
            await setup.change_seats(table, command)
    return None


# The queue of a table ----------------------------------------------------------------------------


async def handle(table: LiveTable, command: on.Command) -> Any:
    """Let a command happen, and return its outcome.

    A caller who is cancelled waits for the end of the command all the same.
    """
    future, done = future_outcome()
    submit(table, command, done)
    return await run_to_completion(future)


def submit(table: LiveTable, command: on.Command, done: Done) -> None:
    """Let a command happen once, after those before it. Then `done` is called, perhaps at once."""
    table.turns.append(on.Turn(command, done))
    if len(table.turns) == 1:
        take_turns(table)


def take_turns(table: LiveTable) -> None:
    """Begin commands in order, until one has to wait for the store. Its end calls this again."""
    while table.turns:
        turn = table.turns[0]
        command = turn.command
        if isinstance(command, on.Play) and not table.needs_reload:
            is_waiting = begin_move(table, turn, command)
        else:
            is_waiting = begin(table, turn, partial(apply, table, command))
        if is_waiting:
            return


def begin(table: LiveTable, turn: on.Turn, attempt: Attempt) -> bool:
    """Let a command happen as a coroutine. Return True, because it has to be waited for."""
    turn.task = asyncio.create_task(happen(table, turn.command, attempt))
    turn.task.add_done_callback(partial(go_on, table, turn))
    return True


async def happen(table: LiveTable, command: on.Command, attempt: Attempt) -> Any:
    """Let a command happen, at a table that is as it is stored.

    If a write has failed, the table is reloaded. If another server was first, the command is judged
    again.
    """
    for _ in range(MAX_TRIES):
        try:
            if table.needs_reload:
                await recovery.reload(table)
            try:
                return await attempt()
            finally:
                if table.needs_reload:
                    await recovery.reload(table)
        except Conflict:
            RETRIES.add()
            attempt = partial(apply, table, command)
    if isinstance(command, on.Play):
        raise ApiError(409, "stale", KEEPS_CHANGING)
    raise ApiError(409, "changed", KEEPS_CHANGING)


def go_on(table: LiveTable, turn: on.Turn, task: "asyncio.Task[Any]") -> None:
    """Begin the next command, after the coroutine of one has ended.

    It was cancelled if the event loop ends. Then nothing else happens here.
    """
    if task.cancelled():
        while table.turns:
            end(table, table.turns[0], None, ApiError(503, "stopping", STOPPING))
        return
    fault = task.exception()
    if fault is None:
        end(table, turn, task.result(), None)
    else:
        end(table, turn, None, fault)
    take_turns(table)


def end(table: LiveTable, turn: on.Turn, outcome: Any, fault: BaseException | None) -> None:
    """Report the outcome of the first command of the queue, and take it out.

    It is taken out last, so that a command which `done` submits does not begin inside `done`.
    """
    try:
        turn.done(outcome, fault)
    except Exception as broken:
        log(logging.ERROR, "broken", broken, table=table.row.id)
    del table.turns[0]


# A move ------------------------------------------------------------------------------------------


def begin_move(table: LiveTable, turn: on.Turn, command: on.Play) -> bool:
    """Judge a move and begin to write it. Return False if it is over: refused, or known already."""
    try:
        entry = gameplay.judge(table, command)
    except Exception as fault:
        end(table, turn, None, fault)
        return False
    if entry is None:
        end(table, turn, None, None)
        return False
    return begin_write(table, turn, command, entry)


def begin_write(table: LiveTable, turn: on.Turn, command: on.Play, entry: EntryRow) -> bool:
    """Write a move. With the last one the match ends, and ratings change."""
    if not table.is_playing():
        return begin(table, turn, partial(gameplay.finish_and_tell, table, command, entry))
    began = time.perf_counter()
    try:
        table.store.append(entry, partial(end_move, table, turn, command, entry, began))
    except Exception as fault:
        recover(table, turn, fault)
    return True


def end_move(
    table: LiveTable,
    turn: on.Turn,
    command: on.Play,
    entry: EntryRow,
    began: float,
    _: Any,
    fault: BaseException | None,
) -> None:
    """Tell everybody about a move that is on disk, or recover if its write failed."""
    if fault is not None:
        recover(table, turn, fault)
        return
    COMMITS.observe(time.perf_counter() - began)
    try:
        gameplay.tell(table, command, entry)
    except Exception as broken:
        end(table, turn, None, broken)
    else:
        end(table, turn, None, None)
    take_turns(table)


def recover(table: LiveTable, turn: on.Turn, fault: BaseException) -> None:
    """Reload the table, because memory may be ahead of the disk, and answer with the fault.

    `happen` reloads a stale table. After a conflict it judges the move again.
    """

    async def failed() -> None:
        raise fault

    table.mark_stale()
    begin(table, turn, failed)
