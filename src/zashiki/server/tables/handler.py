"""One place that says what can happen to a table.

Every command, timer and notice comes here as a value of `commands`. It is applied alone, in the
order: validate, commit, project for each reader, send. Nobody is shown what is not on disk.
"""

from types import TracebackType

from zashiki.server.errors import ApiError
from zashiki.server.ops.metrics import RETRIES
from zashiki.server.ops.shield import run_to_completion
from zashiki.server.store.errors import Conflict
from zashiki.server.tables import absence, audience, chat, dealing, gameplay, recovery, setup
from zashiki.server.tables import commands as on
from zashiki.server.tables.live import LiveTable

MAX_TRIES = 8
"""Attempts at a command while other servers change the same table."""
KEEPS_CHANGING = "the table keeps changing: try again"


class Exclusive:
    """The lock of a table. It reloads the table if the last write may have been lost.

    It is a class because every command needs one, and a generator takes longer.
    """

    def __init__(self, table: LiveTable) -> None:
        self.table = table

    async def __aenter__(self) -> None:
        await self.table.lock.acquire()
        try:
            if self.table.needs_reload:
                await recovery.reload(self.table)
        except BaseException:
            self.table.lock.release()
            raise

    async def __aexit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, _: TracebackType | None
    ) -> None:
        try:
            if self.table.needs_reload:
                await run_to_completion(recovery.reload(self.table))
        finally:
            self.table.lock.release()


async def handle(table: LiveTable, command: on.Command) -> None:
    """Let a command happen once. If another server was first, it is judged again."""
    for _ in range(MAX_TRIES):
        try:
            async with Exclusive(table):
                return await apply(table, command)
        except Conflict:
            RETRIES.inc()
    if isinstance(command, on.Play):
        raise ApiError(409, "stale", KEEPS_CHANGING)
    raise ApiError(409, "changed", KEEPS_CHANGING)


async def apply(table: LiveTable, command: on.Command) -> None:  # noqa: PLR0912 (all are listed)
    """Map each command to what follows. The caller holds the lock."""
    match command:
        case on.Play():
            await gameplay.play(table, command)
        case on.Resign():
            await absence.resign(table, command.seat)
        case on.Claim():
            await absence.claim(table, command.seat)
        case on.TakeBack():
            await absence.take_back(table, command.seat)
        case on.GiveUp():
            await absence.give_up(table)
        case on.Say():
            await chat.say(table, command)
        case on.Arrive():
            await absence.arrive(table, command)
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
        case on.CatchUp():
            await recovery.read_on(table)
        case on.CatchUpChat():
            await chat.read_on(table)
        case _:
            await setup.change_seats(table, command)
