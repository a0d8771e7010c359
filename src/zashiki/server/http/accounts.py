"""People over HTTP: guests, accounts, bots of one's own, and whom one does not want to hear."""

from litestar import Response, get, post
from litestar.datastructures import State
from litestar.params import FromPath, JSONBody

from zashiki.core.facts import plain_text
from zashiki.core.rulings import Malformed
from zashiki.server.accounts.players import DELETED
from zashiki.server.accounts.tokens import cookie, no_cookie
from zashiki.server.deps import AnyRequest, Asking, address_of, asker_of, token_of
from zashiki.server.errors import ApiError
from zashiki.server.ops.addresses import is_loopback
from zashiki.server.protocol import rest
from zashiki.server.services import Services, services_of
from zashiki.server.store.rows import ChatRow, PlayerRow, ReportRow

MAX_REPORT_LENGTH = 1000
MAX_CHAT_NUMBER = 2**62
"""Larger numbers no database holds."""
MAX_MUTED = 500


@post("/api/guest", status_code=201)
async def come_as_guest(
    data: JSONBody[rest.NewGuest], request: AnyRequest
) -> Response[rest.Player]:
    """Sit down under a name, without registration."""
    services = services_of(request.app.state)
    services.limits.take(guests=address_of(request))
    player, token = await services.accounts.guest(data.name)
    return Response(seen(player), cookies=[cookie(token, secure=is_secure(request))])


@get("/api/me")
async def who_am_i(request: AnyRequest, me: Asking) -> Response[rest.Me]:
    """The player of this session. A session that is no longer young is renewed by this."""
    token, is_program = token_of(request)
    renewed = services_of(request.app.state).sessions.renewal(token or "")
    if renewed is None:
        return Response(known(me))
    if is_program:
        return Response(known(me, renewed))
    return Response(known(me), cookies=[cookie(renewed, secure=is_secure(request))])


@get("/api/session")
async def show_session(request: AnyRequest) -> rest.Session:
    """Whether somebody is known here, for a page that has just been opened."""
    player = await asker_of(request)
    return rest.Session(None if player is None else known(player))


@post("/api/register", status_code=200)
async def register(data: JSONBody[rest.Credentials], request: AnyRequest, me: Asking) -> rest.Me:
    """A guest becomes an account and keeps history and ratings."""
    accounts = services_of(request.app.state).accounts
    return known(await accounts.register(me, data.login, data.password, address_of(request)))


@post("/api/sign-in", status_code=200)
async def sign_in(data: JSONBody[rest.Credentials], request: AnyRequest) -> Response[rest.Me]:
    """Come back as the player one is."""
    services = services_of(request.app.state)
    player, token = await services.accounts.sign_in(data.login, data.password, address_of(request))
    return Response(known(player), cookies=[cookie(token, secure=is_secure(request))])


@post("/api/sign-out", status_code=200)
async def sign_out(request: AnyRequest, me: Asking) -> Response[rest.Done]:
    """End all sessions of the player, on every device. A guest does not come back from this."""
    services = services_of(request.app.state)
    await services.accounts.sign_out(me)
    services.registry.sign_out(me.id)
    return Response(rest.Done(), cookies=[no_cookie(secure=is_secure(request))])


@post("/api/rename", status_code=200)
async def rename(data: JSONBody[rest.NewName], state: State, me: Asking) -> rest.Me:
    """Be shown by another name: at tables that have not started at once, in no match."""
    services = services_of(state)
    player = await services.accounts.rename(me, data.name)
    await services.registry.rename(player.id, player.name)
    return known(player)


@post("/api/delete", status_code=200)
async def delete(request: AnyRequest, me: Asking) -> Response[rest.Done]:
    """Be forgotten: login, password and name go, and bots. The matches stay, for those who played
    them."""
    services = services_of(request.app.state)
    for bot in await services.store.bots_of(me.id):
        await forget_bot(services, me, bot.id)
    await services.accounts.delete(me)
    await services.registry.forget(me.id, DELETED)
    await services.card_sets.forget(me.id)
    return Response(rest.Done(), cookies=[no_cookie(secure=is_secure(request))])


@post("/api/bot-tokens", status_code=201)
async def make_bot(data: JSONBody[rest.NewName], state: State, me: Asking) -> rest.BotToken:
    """A bot of one's own: it sits down like anybody, with its token as `Authorization: Bearer`."""
    services = services_of(state)
    if me.kind != "account":
        raise ApiError(403, "accounts-only", "only an account can have bots: register first")
    services.limits.take(rare=("bot", me.id))
    bot, token = await services.accounts.bot(data.name, me.id)
    return rest.BotToken(seen(bot), token)


@get("/api/bot-tokens")
async def list_bots(state: State, me: Asking) -> list[rest.Player]:
    """The player's own bots, the oldest first. Their tokens are kept nowhere."""
    return [seen(bot) for bot in await services_of(state).store.bots_of(me.id)]


@post("/api/bot-tokens/{bot_id:str}/revoke", status_code=200)
async def revoke_bot(bot_id: FromPath[str], state: State, me: Asking) -> rest.Done:
    """Forget a bot of one's own: its token is void, and its name goes."""
    await forget_bot(services_of(state), me, bot_id)
    return rest.Done()


async def forget_bot(services: Services, owner: PlayerRow, bot: str) -> None:
    await services.accounts.revoke(owner.id, bot)
    await services.registry.forget(bot, DELETED)


@get("/api/muted")
async def list_muted(state: State, me: Asking) -> list[str]:
    """The ids of those whom the player does not want to hear."""
    return sorted(await services_of(state).store.muted(me.id))


@post("/api/mute", status_code=200)
async def mute(data: JSONBody[rest.Mute], state: State, me: Asking) -> rest.Done:
    """Hear no chat of somebody, or hear it again; from now on, at every table."""
    services = services_of(state)
    await find(state, data.player)
    muted = await services.store.muted(me.id)
    if data.muted and len(muted | {data.player}) > MAX_MUTED:
        raise ApiError(409, "too-many-muted", f"at most {MAX_MUTED} players can be muted")
    await services.store.set_muted(me.id, data.player, data.muted)
    for table in services.registry.tables.values():
        for line in table.subscribers:
            if line.player == me.id:
                (line.muted.add if data.muted else line.muted.discard)(data.player)
    return rest.Done()


@post("/api/tables/{table_id:str}/report", status_code=201)
async def report(
    table_id: FromPath[str], data: JSONBody[rest.Complaint], state: State, me: Asking
) -> rest.Done:
    """Tell the operator what somebody did at a table, while it is played at or later."""
    services = services_of(state)
    try:
        quoted = data.line is not None and data.text == ""
        text = "" if quoted else plain_text(data.text, "text", MAX_REPORT_LENGTH)
    except Malformed as fault:
        raise ApiError(422, "malformed", str(fault)) from None
    services.limits.take(rare=("report", me.id))
    table = await services.registry.find(table_id)
    about = data.about
    if data.line is not None:
        said = await said_at(services, table_id, data.line)
        if about not in {None, said.player}:
            raise ApiError(422, "malformed", f"about: who said line {said.n} is expected")
        about = said.player
        text = f"Chat {said.n}: {said.text} | {text}".removesuffix(" | ")
    elif about is not None:
        await find(state, about)
    row = ReportRow(
        services.settings.system.id(), me.id, table.row.id, about, text,
        services.settings.system.now(),
    )  # fmt: skip
    await services.store.add_report(row)
    return rest.Done()


async def said_at(services: Services, table: str, line: int) -> ChatRow:
    """A line of chat, as it was said: nobody puts words into another's mouth."""
    row = await services.store.chat_message(table, line) if 0 < line < MAX_CHAT_NUMBER else None
    if row is None:
        raise ApiError(422, "malformed", f"line: nothing was said here under the number {line}")
    return row


async def find(state: State, player: str) -> PlayerRow:
    """Somebody by id, whether they still come or not."""
    row = await services_of(state).store.player(player)
    if row is None:
        raise ApiError(404, "no-player", "there is no such player")
    return row


def is_secure(request: AnyRequest) -> bool:
    return not is_loopback(request.headers.get("host", ""))


def seen(player: PlayerRow) -> rest.Player:
    return rest.Player(player.id, player.name, player.kind)


def known(player: PlayerRow, token: str | None = None) -> rest.Me:
    return rest.Me(player.id, player.name, player.kind, player.login, token)


HANDLERS = (
    come_as_guest, who_am_i, show_session, register, sign_in, sign_out, rename, delete, make_bot,
    list_bots, revoke_bot, list_muted, mute, report,
)  # fmt: skip
