"""One place that says what can happen to a table.

Every command that may be refused or written comes here as a value of `commands`, and so do the
timers and notices that write. It waits in the queue of its table until those before it have
happened, and is validated, committed, projected for each reader, sent: nobody is shown what is not
on disk. Connections and timers are not stored: `LiveTable` changes what follows from them at once.

`dispatch` says what follows from each command, as a coroutine. A move takes a shorter way, without
a task: `start_move` judges it, `Store.append` writes it, and `on_move_written` tells everybody. It
goes through `dispatch` only if the table is reloaded first, or if another server wrote first.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from functools import partial
from itertools import takewhile
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


async def dispatch(table: LiveTable, command: on.Command) -> Any:  # noqa: PLR0912 (all are listed)
    """Do what follows from a command, and return its outcome."""
    match command:
        case on.Play():  # after a reload; otherwise it goes to `start_move`
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
            if not command.connection.listens:  # otherwise it comes from another table
                await recovery.check_session(table, command.connection)
            await handover.arrive(table, command)
        case on.Start():
            await dealing.start(table, command)
        case on.Ready() | on.Reveal():
            raise TypeError("answers are joined before they happen")
        case on.Answers():
            return await dealing.take_answers(table, command)
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
    table.queue.append(on.QueuedCommand(command, done))
    if len(table.queue) == 1:
        run_queue(table)


def run_queue(table: LiveTable) -> None:
    """Start commands in order, until one has to wait for the store. Its end calls this again.

    `complete` takes a command out after its `done` was called, so this never runs inside itself.
    """
    while table.queue:
        join_answers(table)
        queued = table.queue[0]
        command = queued.command
        if isinstance(command, on.Play) and not table.needs_reload:
            is_waiting = start_move(table, queued, command)
        else:
            is_waiting = start_task(table, queued, partial(dispatch, table, command))
        if is_waiting:
            return


def join_answers(table: LiveTable) -> None:
    """Make one command of the answers to a deal that are first in the queue: they are one write."""
    kind = type(table.queue[0].command)
    if kind in {on.Ready, on.Reveal}:
        joined = list(takewhile(lambda queued: type(queued.command) is kind, table.queue))
        answers: Any = tuple(queued.command for queued in joined)
        done = partial(report_each, table, joined)
        table.queue[: len(joined)] = [on.QueuedCommand(on.Answers(answers), done)]


def start_task(table: LiveTable, queued: on.QueuedCommand, attempt: Attempt) -> bool:
    """Start a coroutine for a command. Return True, because it has to be waited for."""
    queued.task = asyncio.create_task(run(table, queued.command, attempt))
    queued.task.add_done_callback(partial(on_task_done, table, queued))
    return True


async def run(table: LiveTable, command: on.Command, attempt: Attempt) -> Any:
    """Run a command, and reload the table whenever memory and store may differ.

    If another server was first, the command is dispatched again.
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
            attempt = partial(dispatch, table, command)
    if isinstance(command, on.Play):
        raise ApiError(409, "stale", KEEPS_CHANGING)
    raise ApiError(409, "changed", KEEPS_CHANGING)


def on_task_done(table: LiveTable, queued: on.QueuedCommand, task: "asyncio.Task[Any]") -> None:
    """Complete a command whose coroutine has ended, and start the next one.

    If the event loop ends, the coroutine was cancelled, and all commands are refused.
    """
    if task.cancelled():
        while table.queue:
            complete(table, table.queue[0], None, ApiError(503, "stopping", STOPPING))
        return
    fault = task.exception()
    if fault is None:
        complete(table, queued, task.result(), None)
    else:
        complete(table, queued, None, fault)
    run_queue(table)


def complete(
    table: LiveTable, queued: on.QueuedCommand, outcome: Any, fault: BaseException | None
) -> None:
    """Report the outcome of the first command of the queue, and take it out.

    It is taken out last, so that a command which `done` submits does not begin inside `done`.
    """
    report(table, queued, outcome, fault)
    del table.queue[0]


def report(
    table: LiveTable, queued: on.QueuedCommand, outcome: Any, fault: BaseException | None
) -> None:
    """Report the outcome of a command."""
    try:
        queued.done(outcome, fault)
    except Exception as broken:
        log(logging.ERROR, "broken", broken, table=table.row.id)


def report_each(
    table: LiveTable,
    joined: list[on.QueuedCommand],
    faults: list[ApiError | None] | None,
    fault: BaseException | None,
) -> None:
    """Report to each of several answers its own fault, or the one of all."""
    for queued, own in zip(joined, faults or [None] * len(joined), strict=True):
        report(table, queued, None, fault or own)


# A move ------------------------------------------------------------------------------------------


def start_move(table: LiveTable, queued: on.QueuedCommand, command: on.Play) -> bool:
    """Judge a move and start to write it. Return False if it is refused, or known already."""
    try:
        entry = gameplay.judge(table, command)
    except Exception as fault:
        complete(table, queued, None, fault)
        return False
    if entry is None:
        complete(table, queued, None, None)
        return False
    return write_move(table, queued, command, entry)


def write_move(
    table: LiveTable, queued: on.QueuedCommand, command: on.Play, entry: EntryRow
) -> bool:
    """Write a move. If it has ended the match in memory, write the end and the ratings, too."""
    if not table.is_playing():
        return start_task(table, queued, partial(gameplay.finish_and_tell, table, command, entry))
    began = time.perf_counter()
    try:
        table.store.append(entry, partial(on_move_written, table, queued, command, entry, began))
    except Exception as fault:
        on_write_failed(table, queued, fault)
    return True


def on_move_written(
    table: LiveTable,
    queued: on.QueuedCommand,
    command: on.Play,
    entry: EntryRow,
    began: float,
    _: Any,
    fault: BaseException | None,
) -> None:
    """Tell everybody about a move that is on disk, and start the next command."""
    if fault is not None:
        on_write_failed(table, queued, fault)
        return
    COMMITS.observe(time.perf_counter() - began)
    try:
        gameplay.tell(table, command, entry)
    except Exception as broken:
        complete(table, queued, None, broken)
    else:
        complete(table, queued, None, None)
    run_queue(table)


def on_write_failed(table: LiveTable, queued: on.QueuedCommand, fault: BaseException) -> None:
    """Reload the table, because memory may be ahead of the disk. Then answer with the fault.

    After a conflict, `run` judges the move again instead.
    """

    async def answer_after_reload() -> None:
        raise fault

    table.mark_stale()
    start_task(table, queued, answer_after_reload)
