"""The operator over HTTP: reports with their context, acts, and what was done before."""

import hmac
from typing import Literal

from litestar import get, post
from litestar.datastructures import State
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody

from zashiki.server.deps import AnyRequest, session_player
from zashiki.server.errors import ApiError
from zashiki.server.http.accounts import find_player, is_operator, public_player
from zashiki.server.http.health import check_local
from zashiki.server.protocol import rest
from zashiki.server.services import services_of
from zashiki.server.store.rows import ActRow, ChatRow, PlayerRow, ReportRow

KEY = "key"
"""Stands for an operator who has the operator's key."""
HEADER = "x-zashiki-operator"
PAGE_SIZE = 50
LINES_AROUND = 10
LINES_BEFORE = 30
"""Lines of chat that are shown with a report that names none of them."""
MAX_LINES = 500

CurrentOperator = NamedDependency[str]
"""The operator who sends a request: the id of an account, or `KEY`."""


async def provide_operator(request: AnyRequest) -> str:
    """Provide the operator to handlers. Refuse everyone else.

    The operator's key is accepted from this machine only. An account needs `--operator`.
    """
    services = services_of(request.app.state)
    given = request.headers.get(HEADER)
    if given is not None:
        check_local(request, services)
        if hmac.compare_digest(given.encode(), services.operator_key.encode()):
            return KEY
        raise ApiError(403, "operator-key", "wrong key: `zashiki reports key` prints the right one")
    player = await session_player(request)
    if player is not None and is_operator(services, player):
        return player.id
    text = "only for the operator: sign in with an account of --operator, or use the key"
    raise ApiError(403, "operator", text)


@get("/api/operator")
async def show_operator(state: State, operator: CurrentOperator) -> rest.OperatorSession:
    """Return the operator who sends the request."""
    name = await Names(state).operator(operator)
    return rest.OperatorSession(name, None if operator == KEY else operator)


@get("/api/operator/reports")
async def list_reports(
    state: State,
    operator: CurrentOperator,  # noqa: ARG001 (it refuses everyone else)
    which: FromQuery[Literal["open", "done", "all"]] = "open",
    before: FromQuery[float | None] = None,
) -> list[rest.Report]:
    """List the reports of players, the newest first."""
    done = {"open": False, "done": True, "all": None}[which]
    rows = await services_of(state).store.reports(PAGE_SIZE, before, done)
    names = Names(state)
    return [await names.report(row) for row in rows]


@get("/api/operator/reports/{report_id:str}")
async def one_report(
    report_id: FromPath[str],
    state: State,
    operator: CurrentOperator,  # noqa: ARG001 (it refuses everyone else)
) -> rest.Case:
    """Return a report with its context: the chat around it, the player, what was done before."""
    store, names = services_of(state).store, Names(state)
    report = await store.report(report_id)
    if report is None:
        raise ApiError(404, "no-report", "there is no such report")
    table = None if report.table is None else await store.table(report.table)
    others: list[ReportRow] = []
    acts = await store.acts_on(report.id)
    standing = None
    if report.about is not None:
        others = [row for row in await store.reports_about(report.about) if row.id != report.id]
        known = {act.id for act in acts}
        acts += [act for act in await store.acts(report.about) if act.id not in known]
        standing = await names.standing(await find_player(state, report.about))
    return rest.Case(
        await names.report(report),
        standing,
        None if table is None else table.doc["game"],
        None if table is None else table.state,
        [await names.line(row) for row in await chat_around(state, report)],
        [await names.report(row) for row in others],
        [await names.act(row) for row in sorted(acts, key=lambda act: -act.at)],
    )


@get("/api/operator/players/{player_id:str}")
async def one_player(
    player_id: FromPath[str],
    state: State,
    operator: CurrentOperator,  # noqa: ARG001 (it refuses everyone else)
) -> rest.Standing:
    """Return what operators have imposed on a player."""
    return await Names(state).standing(await find_player(state, player_id))


@get("/api/operator/acts")
async def list_acts(
    state: State,
    operator: CurrentOperator,  # noqa: ARG001 (it refuses everyone else)
) -> list[rest.Act]:
    """List what operators did, the newest first."""
    names = Names(state)
    return [await names.act(row) for row in await services_of(state).store.acts()]


@post("/api/operator/acts", status_code=201)
async def act(data: JSONBody[rest.NewAct], state: State, operator: CurrentOperator) -> rest.Act:
    """Mute or ban a player, close a table, or be done with a report. Every act is kept."""
    return await Names(state).act(await services_of(state).moderation.act(operator, data))


async def chat_around(state: State, report: ReportRow) -> list[ChatRow]:
    """Return the lines of chat around the reported one, or the last ones before the report."""
    store = services_of(state).store
    if report.table is None:
        return []
    if report.line is not None:
        first, last = report.line - LINES_AROUND, report.line + LINES_AROUND
        return await store.chat_between(report.table, first, last)
    lines = await store.chat(report.table, limit=MAX_LINES)
    return [line for line in lines if line.at <= report.at][-LINES_BEFORE:]


class Names:
    """Rows as the operator sees them, with the names of players. Each player is read once."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._known: dict[str, rest.Player] = {}

    async def player(self, id: str) -> rest.Player:
        if id not in self._known:
            self._known[id] = public_player(await find_player(self._state, id))
        return self._known[id]

    async def maybe(self, id: str | None) -> rest.Player | None:
        return None if id is None else await self.player(id)

    async def operator(self, operator: str) -> str:
        return KEY if operator == KEY else (await self.player(operator)).name

    async def report(self, row: ReportRow) -> rest.Report:
        return rest.Report(
            row.id, row.at, await self.player(row.by), await self.maybe(row.about), row.text,
            row.table, row.match, row.line, row.done,
        )  # fmt: skip

    async def line(self, row: ChatRow) -> rest.SpokenLine:
        return rest.SpokenLine(row.n, row.at, await self.player(row.player), row.seat, row.text)

    async def act(self, row: ActRow) -> rest.Act:
        return rest.Act(
            row.id, row.at, await self.operator(row.operator), row.kind,
            await self.maybe(row.player), row.table, row.report, row.until, row.why,
        )  # fmt: skip

    async def standing(self, row: PlayerRow) -> rest.Standing:
        bans = services_of(self._state).accounts.banned_addresses
        return rest.Standing(
            public_player(row), row.created, row.muted_until, row.banned_until,
            bans.get(row.address or ""), row.address is not None, await self.maybe(row.owner),
        )  # fmt: skip


HANDLERS = (show_operator, list_reports, one_report, one_player, list_acts, act)
