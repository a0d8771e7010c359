"""Acts of the operator: mute, ban, close tables. Each is kept and logged before it takes effect."""

import logging
from typing import Final

from msgspec.structs import replace

from zashiki.core.facts import plain_text
from zashiki.core.rulings import Malformed
from zashiki.server.accounts.players import Accounts, banned
from zashiki.server.errors import ApiError
from zashiki.server.ops.logs import log
from zashiki.server.protocol import frames, rest
from zashiki.server.store.protocol import Store
from zashiki.server.store.rows import HOUSE, ActRow, AddressBanRow, PlayerRow, ReportRow
from zashiki.server.system import System
from zashiki.server.tables import commands as on
from zashiki.server.tables.handler import handle
from zashiki.server.tables.recovery import silenced_until
from zashiki.server.tables.registry import TableRegistry

MAX_WHY_LENGTH: Final = 500
MAX_HOURS: Final = 24 * 366.0
TIMED: Final = frozenset({"mute", "ban", "ban-address"})
"""Acts that have an end."""
ON_PLAYERS: Final = TIMED | {"unmute", "unban", "unban-address"}


class Moderation:
    """Carries out what operators decide, and enforces what they decided at other servers."""

    def __init__(
        self, store: Store, system: System, accounts: Accounts, registry: TableRegistry
    ) -> None:
        self._store = store
        self._system = system
        self._accounts = accounts
        self._registry = registry

    async def act(self, operator: str, wanted: rest.NewAct) -> ActRow:
        """Check an act, keep it, log it and let it take effect."""
        player = await self._player(wanted)
        report = await self._report(wanted)
        table = await self._table(wanted)
        row = ActRow(
            self._system.id(), self._system.now(), operator, wanted.kind,
            None if player is None else player.id, table, wanted.report, self._end(wanted),
            check_why(wanted.why),
        )  # fmt: skip
        await self._store.add_act(row)
        log(
            logging.WARNING, "operator", operator=operator, kind=row.kind, player=row.player,
            table=row.table, report=row.report, until=row.until,
        )  # fmt: skip
        if player is not None:
            await self._act_on_player(row, player)
        elif table is not None:
            await handle(await self._registry.find(table), on.CloseForAll())
        elif report is not None:
            await self._store.change_report(replace(report, done=row.at))
        return row

    async def _act_on_player(self, act: ActRow, player: PlayerRow) -> None:
        match act.kind:
            case "mute" | "unmute":
                await self._accounts.sanction(player.id, muted_until=act.until)
            case "ban" | "unban":
                await self._accounts.sanction(player.id, banned_until=act.until)
            case "ban-address":
                assert player.address is not None
                assert act.until is not None
                ban = AddressBanRow(player.address, act.until, player.id)
                await self._store.set_address_ban(ban)
            case _:
                await self._store.delete_address_bans(float("inf"), player.id)
        await self.enforce(player.id)

    # Checks ------------------------------------------------------------------------------------

    async def _player(self, wanted: rest.NewAct) -> PlayerRow | None:
        if wanted.kind not in ON_PLAYERS:
            return None
        player = None if wanted.player is None else await self._store.player(wanted.player)
        if player is None or player.deleted or player.id.startswith(HOUSE):
            raise ApiError(404, "no-player", "player: expected the id of a player who exists")
        if wanted.kind == "ban-address" and player.address is None:
            text = "no address of this player is known: it was this machine, or is too long ago"
            raise ApiError(409, "no-address", text)
        return player

    async def _report(self, wanted: rest.NewAct) -> ReportRow | None:
        report = None if wanted.report is None else await self._store.report(wanted.report)
        if report is None and (wanted.kind == "done" or wanted.report is not None):
            raise ApiError(404, "no-report", "report: expected the id of a report")
        return report

    async def _table(self, wanted: rest.NewAct) -> str | None:
        if wanted.kind != "close":
            return None
        if wanted.table is None or await self._store.table(wanted.table) is None:
            raise ApiError(404, "no-table", "table: expected the id of a table")
        return wanted.table

    def _end(self, wanted: rest.NewAct) -> float | None:
        if wanted.kind not in TIMED:
            return None
        if wanted.hours is None or not 0 < wanted.hours <= MAX_HOURS:
            text = f"hours: expected a number above 0, up to {MAX_HOURS:g}"
            raise ApiError(422, "malformed", text)
        return self._system.now() + wanted.hours * 3600

    # Enforcing ---------------------------------------------------------------------------------

    async def enforce(self, id: str) -> None:
        """Apply a mute or a ban here, whichever server recorded it."""
        await self._accounts.read_address_bans()
        player = await self._store.player(id)
        if player is None:
            return
        owner = None if player.owner is None else await self._store.player(player.owner)
        bots = await self._store.bots_of(id)
        self._registry.silence(id, silenced_until(player, owner))
        for bot in bots:
            self._registry.silence(bot.id, silenced_until(bot, player))
        now = self._system.now()
        if player.banned_until is not None and player.banned_until > now:
            for one in [id, *(bot.id for bot in bots)]:
                self._close(one, player.banned_until)
        if player.address is not None:
            await self._enforce_address(player.address)

    async def _enforce_address(self, address: str) -> None:
        until = self._accounts.banned_addresses.get(address, 0.0)
        if until <= self._system.now():
            return
        for player in await self._store.players_at(address):
            if player.kind == "guest":
                self._close(player.id, until)

    def _close(self, player: str, until: float) -> None:
        refusal = banned(until)
        self._registry.close_connections(player, bye=frames.Bye(refusal.code, refusal.text, False))


def check_why(why: str) -> str:
    """Refuse an act without a reason."""
    try:
        return plain_text(why, "why", MAX_WHY_LENGTH)
    except Malformed as fault:
        raise ApiError(422, "malformed", str(fault)) from None
