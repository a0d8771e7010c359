"""Players over HTTP: guests, accounts, own bots, muting and reports."""

import msgspec
from litestar import Response, get, post
from litestar.datastructures import Cookie, State
from litestar.params import FromPath, JSONBody
from msgspec.structs import replace

from zashiki.core.facts import plain_text
from zashiki.core.rulings import Malformed
from zashiki.server.accounts.players import DELETED, SCOPES
from zashiki.server.accounts.tokens import (
    DEVICE_COOKIE,
    device_cookie,
    expired_cookie,
    session_cookie,
)
from zashiki.server.deps import AnyRequest, CurrentPlayer, address_of, session_player, token_of
from zashiki.server.errors import ApiError
from zashiki.server.http.health import check_local
from zashiki.server.ops.addresses import is_loopback
from zashiki.server.protocol import rest
from zashiki.server.services import Services, services_of
from zashiki.server.store.rows import ChatRow, PlayerRow, ReportRow
from zashiki.server.tables.connection import NEW_SESSION

MAX_REPORT_LENGTH = 1000
MAX_CHAT_NUMBER = 2**62
"""Larger numbers do not fit into a database column."""
MAX_MUTED = 500


@post("/api/guest", status_code=201)
async def come_as_guest(
    data: JSONBody[rest.NewGuest], request: AnyRequest
) -> Response[rest.Player]:
    """Create a guest with a name, and sign in as that guest."""
    services = services_of(request.app.state)
    services.limits.take(guests=address_of(request))
    player, token = await services.accounts.create_guest(data.name, address_of(request))
    return Response(
        public_player(player), cookies=[session_cookie(token, secure=is_secure(request))]
    )


@get("/api/me")
async def who_am_i(request: AnyRequest, me: CurrentPlayer) -> Response[rest.Me]:
    """Return the player of this session. An old session is renewed, but not the token of a bot."""
    services = services_of(request.app.state)
    await services.accounts.note_address(me, address_of(request))
    token, is_program = token_of(request)
    renewed = None if me.kind == "bot" else services.sessions.renewal(token or "")
    own = own_player(services, me)
    if renewed is None:
        return Response(own)
    if is_program:
        return Response(replace(own, token=renewed))
    return Response(own, cookies=[session_cookie(renewed, secure=is_secure(request))])


@get("/api/session")
async def show_session(request: AnyRequest) -> rest.Session:
    """Return the player of this session, or none if there is no session."""
    player, services = await session_player(request), services_of(request.app.state)
    return rest.Session(None if player is None else own_player(services, player))


@post("/api/register", status_code=200)
async def register(
    data: JSONBody[rest.Credentials], request: AnyRequest, me: CurrentPlayer
) -> Response[rest.Me]:
    """Turn a guest into an account that keeps its history and ratings.

    The answer has the recovery codes of the account. They are shown once.
    """
    services, address = services_of(request.app.state), address_of(request)
    check_operator_login(request, services, data.login)
    player, codes = await services.accounts.register(me, data.login, data.password, address)
    cookie = known_device(request, services, player)
    return Response(replace(own_player(services, player), codes=codes), cookies=[cookie])


def check_operator_login(request: AnyRequest, services: Services, login: str) -> None:
    """Refuse the login of an operator to strangers, who could register it first. It is free if the
    operator has not registered yet, or has deleted the account."""
    if login.casefold() in services.settings.operators:
        try:
            check_local(request, services)
        except ApiError:
            text = f"the login {login.casefold()} is the operator's: choose another one"
            raise ApiError(409, "login-taken", text) from None


@post("/api/sign-in", status_code=200)
async def sign_in(data: JSONBody[rest.Credentials], request: AnyRequest) -> Response[rest.Me]:
    """Sign in with login and password. Failed attempts are delayed, a bit longer each time."""
    services = services_of(request.app.state)
    player, token = await services.accounts.sign_in(
        data.login, data.password, address_of(request), request.cookies.get(DEVICE_COOKIE, "")
    )
    return signed_in(request, services, player, token)


@post("/api/recover", status_code=200)
async def recover(data: JSONBody[rest.Recovery], request: AnyRequest) -> Response[rest.Me]:
    """Set a new password by a recovery code, which is used up, and sign in.

    All sessions of the account end, and the tokens of its bots.
    """
    services = services_of(request.app.state)
    player, token = await services.accounts.recover(
        data.login, data.code, data.password, address_of(request)
    )
    await close_sockets(services, player)
    await services.store.delete_subscriptions(player.id)
    return signed_in(request, services, player, token)


@post("/api/password", status_code=200)
async def change_password(
    data: JSONBody[rest.PasswordChange], request: AnyRequest, me: CurrentPlayer
) -> Response[rest.Me]:
    """Change the password. All other sessions end, and the tokens of bots unless they are kept."""
    services = services_of(request.app.state)
    player, token, bots = await services.accounts.change_password(
        me, data.present, data.password, data.keep_bots
    )
    services.registry.close_connections(me.id, player.epoch, NEW_SESSION)
    for bot in bots:
        services.registry.close_connections(bot)
    await services.store.delete_subscriptions(me.id)
    return signed_in(request, services, player, token)


@post("/api/recovery-codes", status_code=200)
async def make_recovery_codes(
    data: JSONBody[rest.OwnPassword], state: State, me: CurrentPlayer
) -> rest.Me:
    """Make new recovery codes. The old ones are invalid from now on."""
    services = services_of(state)
    player, codes = await services.accounts.make_codes(me, data.password)
    return replace(own_player(services, player), codes=codes)


@post("/api/sign-out", status_code=200)
async def sign_out(request: AnyRequest, me: CurrentPlayer) -> Response[rest.Done]:
    """End all sessions of the player, on every device, and the tokens of the player's bots.

    No browser is called any more. A guest cannot sign in again.
    """
    services = services_of(request.app.state)
    await services.store.delete_subscriptions(me.id)
    for id in [me.id, *await services.accounts.end_sessions(me)]:
        services.registry.close_connections(id)
    return Response(rest.Done(), cookies=[expired_cookie(secure=is_secure(request))])


@post("/api/rename", status_code=200)
async def rename(data: JSONBody[rest.NewName], state: State, me: CurrentPlayer) -> rest.Me:
    """Change the player's name at tables that have not started. Matches keep the old name."""
    services = services_of(state)
    player = await services.accounts.rename(me, data.name)
    await services.registry.rename(player.id, player.name)
    return own_player(services, player)


@post("/api/delete", status_code=200)
async def delete(request: AnyRequest, me: CurrentPlayer) -> Response[rest.Done]:
    """Delete login, password, name and bots of the player. Matches stay, without the name."""
    services = services_of(request.app.state)
    for bot in await services.store.bots_of(me.id):
        await delete_bot(services, me, bot.id)
    await services.accounts.delete(me)
    await services.registry.forget(me.id, DELETED)
    await services.store.delete_subscriptions(me.id)
    await services.store.delete_digest(me.id)
    await services.card_sets.delete_unshared(me.id)
    return Response(rest.Done(), cookies=[expired_cookie(secure=is_secure(request))])


@post("/api/bot-tokens", status_code=201)
async def make_bot(data: JSONBody[rest.NewBot], state: State, me: CurrentPlayer) -> rest.BotToken:
    """Create a bot of the player. It signs in with its token as `Authorization: Bearer`.

    The token is valid for 30 days, until the player's sessions end, or until it is revoked.
    """
    services = services_of(state)
    if me.kind != "account":
        raise ApiError(403, "accounts-only", "only an account can have bots: register first")
    services.limits.take(rare=("bot", me.id))
    bot, token = await services.accounts.create_bot(data.name, me.id, data.scopes)
    return bot_token(bot, token)


@get("/api/bot-tokens")
async def list_bots(state: State, me: CurrentPlayer) -> list[rest.OwnBot]:
    """List the player's bots, the oldest first. Their tokens are not stored."""
    return [
        rest.OwnBot(bot.id, bot.name, "bot", bot.created, scopes_of(bot), bot.expires)
        for bot in await services_of(state).store.bots_of(me.id)
    ]


@post("/api/bot-tokens/{bot_id:str}/renew", status_code=200)
async def renew_bot(
    bot_id: FromPath[str], data: JSONBody[rest.NewToken], state: State, me: CurrentPlayer
) -> rest.BotToken:
    """Make a new token for a bot of the player. The old one is invalid from now on."""
    services = services_of(state)
    services.limits.take(rare=("bot", me.id))
    bot, token = await services.accounts.renew_bot(me.id, bot_id, data.scopes)
    services.registry.close_connections(bot.id)
    return bot_token(bot, token)


@post("/api/bot-tokens/{bot_id:str}/revoke", status_code=200)
async def revoke_bot(bot_id: FromPath[str], state: State, me: CurrentPlayer) -> rest.Done:
    """Delete a bot of the player, and invalidate its token."""
    await delete_bot(services_of(state), me, bot_id)
    return rest.Done()


def bot_token(bot: PlayerRow, token: str) -> rest.BotToken:
    assert bot.expires is not None
    return rest.BotToken(public_player(bot), token, scopes_of(bot), bot.expires)


def scopes_of(bot: PlayerRow) -> list[rest.Scope]:
    return msgspec.convert(bot.scopes or SCOPES, list[rest.Scope])


async def delete_bot(services: Services, owner: PlayerRow, bot: str) -> None:
    await services.accounts.revoke_bot(owner.id, bot)
    await services.registry.forget(bot, DELETED)


@get("/api/muted")
async def list_muted(state: State, me: CurrentPlayer) -> list[str]:
    """List the ids of the players whom this player has muted."""
    return sorted(await services_of(state).store.muted(me.id))


@post("/api/mute", status_code=200)
async def mute(data: JSONBody[rest.Mute], state: State, me: CurrentPlayer) -> rest.Done:
    """Mute or unmute the chat of a player, at every table, from now on."""
    services = services_of(state)
    await find_player(state, data.player)
    muted = await services.store.muted(me.id)
    if data.muted and len(muted | {data.player}) > MAX_MUTED:
        text = f"you have muted {MAX_MUTED} players, the most that are allowed: unmute one first"
        raise ApiError(409, "too-many-muted", text)
    await services.store.set_muted(me.id, data.player, data.muted)
    for connection in services.registry.connections():
        if connection.player == me.id:
            muted = connection.muted - {data.player}
            connection.muted = muted | {data.player} if data.muted else muted
    return rest.Done()


@post("/api/tables/{table_id:str}/report", status_code=201)
async def report(
    table_id: FromPath[str], data: JSONBody[rest.Complaint], state: State, me: CurrentPlayer
) -> rest.Done:
    """Report bad behaviour at a table to the operator, during the match or later."""
    services = services_of(state)
    try:
        is_only_quote = data.line is not None and data.text == ""
        text = "" if is_only_quote else plain_text(data.text, "text", MAX_REPORT_LENGTH)
    except Malformed as fault:
        raise ApiError(422, "malformed", str(fault)) from None
    services.limits.take(rare=("report", me.id))
    table = await services.registry.row(table_id)
    about = data.about
    if data.line is not None:
        line = await find_chat_line(services, table_id, data.line)
        if about not in {None, line.player}:
            raise ApiError(422, "malformed", f"about: expected the sender of line {line.n}")
        about = line.player
        text = f"Chat {line.n}: {line.text} | {text}".removesuffix(" | ")
    elif about is not None:
        await find_player(state, about)
    row = ReportRow(
        services.settings.system.id(), me.id, table.id, about, text,
        services.settings.system.now(), table.match, data.line,
    )  # fmt: skip
    await services.store.add_report(row)
    return rest.Done()


async def find_chat_line(services: Services, table: str, line: int) -> ChatRow:
    """Return a stored line of chat, so that a report cannot misquote it."""
    row = await services.store.chat_message(table, line) if 0 < line < MAX_CHAT_NUMBER else None
    if row is None:
        raise ApiError(422, "malformed", f"line: the chat of this table has no line {line}")
    return row


async def find_player(state: State, player: str) -> PlayerRow:
    """Return a player by id, deleted or not."""
    row = await services_of(state).store.player(player)
    if row is None:
        raise ApiError(404, "no-player", "there is no such player")
    return row


def is_secure(request: AnyRequest) -> bool:
    """Return True if the session cookie must require TLS."""
    return not is_loopback(request.headers.get("host", ""))


def public_player(player: PlayerRow) -> rest.Player:
    return rest.Player(player.id, player.name, player.kind)


def is_operator(services: Services, player: PlayerRow) -> bool:
    """Return True for an account that the settings name as an operator."""
    return player.kind == "account" and player.login in services.settings.operators


def own_player(services: Services, player: PlayerRow) -> rest.Me:
    return rest.Me(
        player.id, player.name, player.kind, player.login,
        codes_left=len(player.recovery or []) if player.kind == "account" else None,
        muted_until=player.muted_until, operator=is_operator(services, player),
    )  # fmt: skip


def signed_in(
    request: AnyRequest, services: Services, player: PlayerRow, token: str
) -> Response[rest.Me]:
    """Answer with a new session, in a browser that is known from now on."""
    session = session_cookie(token, secure=is_secure(request))
    cookies = [session, known_device(request, services, player)]
    return Response(own_player(services, player), cookies=cookies)


def known_device(request: AnyRequest, services: Services, player: PlayerRow) -> Cookie:
    """Return the cookie by which this browser is known when the player signs in again."""
    return device_cookie(services.accounts.device_token(player), secure=is_secure(request))


async def close_sockets(services: Services, player: PlayerRow) -> None:
    """Close the sockets of a player whose sessions have ended, and those of the player's bots."""
    bots = await services.store.bots_of(player.id)
    for id in [player.id, *(bot.id for bot in bots)]:
        services.registry.close_connections(id)


HANDLERS = (
    come_as_guest, who_am_i, show_session, register, sign_in, recover, change_password,
    make_recovery_codes, sign_out, rename, delete, make_bot, list_bots, renew_bot, revoke_bot,
    list_muted, mute, report,
)  # fmt: skip
