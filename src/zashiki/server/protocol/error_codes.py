"""Codes of refusals: the meaning of each, the statuses that it comes with, the requests it answers.

A code is public and stays. Its text, which the server sends with it, may change.
"""

from typing import Final, NamedTuple

ANYWHERE: Final = "any request"
SOCKET: Final = "sockets"
"""For commands and news over a socket alone."""
REFUSALS: Final = {
    400: "Malformed request.",
    401: "No session, or an expired one.",
    403: "Not allowed for this player, or a possible cross-site request.",
    404: "Not found.",
    409: "In conflict with the present state: another request was first, or too early or too late.",
    413: "Request too long.",
    422: "Valid syntax, invalid content (see `code` and `text`).",
    429: "Rate limit exceeded. `retry_after` is the number of seconds to wait.",
    503: "Server overloaded, database unreachable, or no bot worker connected.",
}
"""The meaning of each status of a refusal."""


class ErrorCode(NamedTuple):
    """One code, as programs tell refusals apart by it."""

    code: str
    statuses: tuple[int, ...]
    """Statuses over HTTP. A refusal over a socket has none; they say what it would be there."""
    meaning: str
    """The fault, and the remedy."""
    areas: tuple[str, ...]
    """Tags of the endpoints that answer with it, or `SOCKET`, or `ANYWHERE`."""


ERROR_CODES: Final = (
    ErrorCode(
        "malformed",
        (400, 422),
        "The request cannot be read, or a value in it is not allowed. `text` names the field, "
        "what was expected and what was found.",
        (ANYWHERE,),
    ),
    ErrorCode("not-found", (404,), "Nothing is at this address. Check the path.", (ANYWHERE,)),
    ErrorCode(
        "method", (405,), "This address does not take this method. Check the method.", (ANYWHERE,)
    ),
    ErrorCode(
        "too-long",
        (413,),
        "The request is longer than the server reads. Send less.",
        (ANYWHERE, SOCKET),
    ),
    ErrorCode(
        "header",
        (403,),
        "The header `X-Zashiki: 1` is missing. Add it, or use a bearer token.",
        (ANYWHERE,),
    ),
    ErrorCode(
        "origin",
        (403,),
        "The page that sent the request has a foreign origin. The operator can allow it with "
        "`--origin`.",
        (ANYWHERE,),
    ),
    ErrorCode(
        "no-session", (401,), "There is no valid session. Sign in, or come as a guest.", (ANYWHERE,)
    ),
    ErrorCode(
        "signed-out",
        (401,),
        "The session has ended. Sign in again.",
        ("accounts", "tables", "card sets", SOCKET),
    ),
    ErrorCode(
        "banned",
        (403,),
        "The operator has banned the player. `details.until` is the end, in seconds since the "
        "epoch.",
        (ANYWHERE, SOCKET),
    ),
    ErrorCode(
        "scope",
        (403,),
        "The token of this bot does not have the scope that this needs. Make a new token with it.",
        (ANYWHERE,),
    ),
    ErrorCode(
        "too-many",
        (429,),
        "A rate limit was reached. Wait for `details.retry_after` seconds.",
        (ANYWHERE, SOCKET),
    ),
    ErrorCode(
        "busy",
        (503,),
        "The server is overloaded, or its database cannot be reached. Try again after "
        "`details.retry_after` seconds.",
        (ANYWHERE, SOCKET),
    ),
    ErrorCode(
        "stopping",
        (503,),
        "This server is about to stop. Try again in a moment: another server may answer.",
        (ANYWHERE, SOCKET),
    ),
    ErrorCode(
        "memory-full",
        (503,),
        "The memory for matches is full. Try again after `details.retry_after` seconds.",
        ("tables", SOCKET),
    ),
    ErrorCode(
        "broken",
        (500,),
        "An internal error, which the server has logged. Tell the operator.",
        (ANYWHERE, SOCKET),
    ),
    ErrorCode(
        "refused",
        (400, 422),
        "Over a socket: a rule forbids the action. `details.ruling` is the id of the rule. Over "
        "HTTP: the framework refused the request.",
        (ANYWHERE, SOCKET),
    ),
    ErrorCode(
        "stale",
        (409,),
        "Another request or move was faster. Load the present state, and decide again.",
        (ANYWHERE, SOCKET),
    ),
    ErrorCode("changed", (409,), "The table keeps changing. Try again.", ("tables", SOCKET)),
    ErrorCode(
        "bad-name",
        (400,),
        "The name is empty, too long, or has characters that are not allowed.",
        ("accounts",),
    ),
    ErrorCode(
        "house-name",
        (400,),
        "A bot of the server has this name. Choose another one.",
        ("accounts",),
    ),
    ErrorCode(
        "bad-login",
        (400,),
        "The login is not 3 to 24 characters of a-z, 0-9, `_` and `-`.",
        ("accounts",),
    ),
    ErrorCode("bad-password", (400,), "The password is too short or too long.", ("accounts",)),
    ErrorCode(
        "common-password",
        (400,),
        "The password is easy to guess. Choose another one.",
        ("accounts",),
    ),
    ErrorCode("sign-in", (401,), "The login or the password is wrong.", ("accounts",)),
    ErrorCode(
        "recovery",
        (401,),
        "The login or the recovery code is wrong, or the code was used before.",
        ("accounts",),
    ),
    ErrorCode("wrong-password", (403,), "This is not the current password.", ("accounts",)),
    ErrorCode(
        "accounts-only", (403,), "Only an account may do this. Register first.", ("accounts",)
    ),
    ErrorCode(
        "not-a-guest",
        (409,),
        "Only a guest can register. The player has an account already, or is a bot.",
        ("accounts",),
    ),
    ErrorCode(
        "login-taken", (409,), "Another account has this login. Choose another one.", ("accounts",)
    ),
    ErrorCode(
        "no-player",
        (404,),
        "There is no such player.",
        ("accounts", "tables", "history", "card sets", "operation"),
    ),
    ErrorCode("no-bot", (404,), "The player has no such bot.", ("accounts",)),
    ErrorCode(
        "too-many-bots",
        (409,),
        "The player has as many bots as are allowed. Revoke one first.",
        ("accounts",),
    ),
    ErrorCode(
        "too-many-muted",
        (409,),
        "The player has muted as many players as are allowed. Unmute one first.",
        ("accounts",),
    ),
    ErrorCode(
        "no-digest",
        (404,),
        "The link is not of this server, is too old, or its address was changed or deleted.",
        ("accounts",),
    ),
    ErrorCode("not-sent", (422,), "The address of a digest does not take messages.", ("accounts",)),
    ErrorCode("no-game", (404,), "There is no such game.", ("games",)),
    ErrorCode(
        "no-rules",
        (404, 409),
        "404: the game has no written rules. 409: the present rules cannot replay this match.",
        ("games", "history", "tables"),
    ),
    ErrorCode(
        "no-table", (404,), "There is no such table.", ("tables", "accounts", "operation", SOCKET)
    ),
    ErrorCode(
        "no-match",
        (404,),
        "There is no such match, or none was played at this table yet.",
        ("tables", "history", SOCKET),
    ),
    ErrorCode("not-host", (403,), "Only the host of the table may do this.", ("tables", SOCKET)),
    ErrorCode(
        "not-seated", (403, 409), "The player does not sit at this table.", ("tables", SOCKET)
    ),
    ErrorCode(
        "seated",
        (409,),
        "The player to send away has a seat. Remove them from the seat first.",
        ("tables",),
    ),
    ErrorCode(
        "seat-taken", (409,), "Somebody has this seat already. Choose another one.", ("tables",)
    ),
    ErrorCode("seat-empty", (409,), "Nobody has this seat.", ("tables",)),
    ErrorCode(
        "seats-empty",
        (409,),
        "Seats are free: `details.seats`. Fill them before the start.",
        ("tables", SOCKET),
    ),
    ErrorCode(
        "link-needed",
        (403,),
        "This seat is reserved for people with the invite link. Send its `key`.",
        ("tables",),
    ),
    ErrorCode(
        "removed",
        (403,),
        "The host has removed the player from this table. The host can allow them again.",
        ("tables",),
    ),
    ErrorCode(
        "sent-away",
        (403,),
        "The host has sent the spectator away. The host can allow them again.",
        ("tables", SOCKET),
    ),
    ErrorCode(
        "not-watched",
        (403, 409),
        "403: the table does not allow spectators. 409: it was opened without them.",
        ("tables", "history", SOCKET),
    ),
    ErrorCode(
        "not-welcome",
        (409,),
        "The host has removed this player, so nobody can invite them to this table.",
        ("tables",),
    ),
    ErrorCode(
        "no-companion",
        (403,),
        "The player has not played with this person, and so cannot invite them.",
        ("tables",),
    ),
    ErrorCode("declined", (409,), "This player has declined the invitation.", ("tables",)),
    ErrorCode(
        "too-many-invited",
        (409,),
        "As many players were invited to this table as are allowed.",
        ("tables",),
    ),
    ErrorCode(
        "table-started", (409,), "The table has started. Choose another one.", ("tables", SOCKET)
    ),
    ErrorCode("table-closed", (409,), "The table is closed. Open another one.", ("tables", SOCKET)),
    ErrorCode(
        "too-many-tables",
        (429,),
        "The player or the address has as many tables as are allowed. Close or finish one first.",
        ("tables",),
    ),
    ErrorCode(
        "too-many-seats",
        (429,),
        "The player has as many seats as are allowed. Leave or finish one first.",
        ("tables",),
    ),
    ErrorCode(
        "too-many-bot-tables",
        (429,),
        "The player or the address has as many matches among bots alone as are allowed. Wait "
        "until one has ended.",
        ("tables", SOCKET),
    ),
    ErrorCode(
        "too-many-sockets",
        (429,),
        "The player or the address has as many open sockets as are allowed. Close one first.",
        ("tables", SOCKET),
    ),
    ErrorCode(
        "no-bots",
        (503,),
        "No bot worker is connected, so that bots cannot play. Remove the bots of "
        "`details.seats`, or tell the operator.",
        ("tables", SOCKET),
    ),
    ErrorCode("not-playing", (409,), "No match is being played at this table.", ("tables", SOCKET)),
    ErrorCode("not-over", (409,), "The match is not over.", ("tables", "history")),
    ErrorCode(
        "match-over", (409,), "The match is over at this step. Choose an earlier one.", ("tables",)
    ),
    ErrorCode(
        "old-rules",
        (409,),
        "The match was begun by older rules. It can be read, but neither continued nor reviewed.",
        ("tables", "history", SOCKET),
    ),
    ErrorCode(
        "not-shown",
        (403,),
        "The table was not public. Only those who played the match may see its review.",
        ("history",),
    ),
    ErrorCode(
        "not-a-worker",
        (403,),
        "Only bot workers of this server may do this. Send the workers' token.",
        ("history",),
    ),
    ErrorCode(
        "resigned",
        (409,),
        "The player has resigned: a bot plays on this seat until the end.",
        ("tables", SOCKET),
    ),
    ErrorCode(
        "not-idle",
        (409,),
        "Nobody can be claimed now. Wait until the time `claim` of a seat.",
        ("tables", SOCKET),
    ),
    ErrorCode(
        "your-turn",
        (409,),
        "The match waits for the player who claims. Decide first.",
        ("tables", SOCKET),
    ),
    ErrorCode(
        "not-for-bots", (403,), "For bot workers: a bot plays, and does nothing else.", (SOCKET,)
    ),
    ErrorCode(
        "no-card-set",
        (404,),
        "There is no such card set, or it is not shared.",
        ("card sets", "tables"),
    ),
    ErrorCode("not-yours", (403,), "Only the owner of the card set may do this.", ("card sets",)),
    ErrorCode(
        "too-many-card-sets",
        (409,),
        "The player has as many card sets as are stored. Delete one first.",
        ("card sets",),
    ),
    ErrorCode(
        "too-hard",
        (422,),
        "The record takes too long to verify. Verify it with `zashiki verify`.",
        ("history",),
    ),
    ErrorCode(
        "not-here",
        (403,),
        "Only requests from the server's own machine are answered.",
        ("operation",),
    ),
    ErrorCode(
        "operator",
        (403,),
        "Only an operator may do this. Sign in with an account of `--operator`, or use the key.",
        ("operation",),
    ),
    ErrorCode(
        "operator-key",
        (403,),
        "The operator's key is wrong. `zashiki reports key` prints the right one.",
        ("operation",),
    ),
    ErrorCode("no-report", (404,), "There is no such report.", ("operation",)),
    ErrorCode(
        "no-address",
        (409,),
        "No address of this player is known, so that it cannot be banned.",
        ("operation",),
    ),
    ErrorCode("store", (503,), "The database cannot be read or written.", ("operation",)),
    ErrorCode(
        "hello-first",
        (409,),
        "The first frame has to be a `hello`, within a few seconds.",
        (SOCKET,),
    ),
    ErrorCode("not-starting", (409,), "Nothing is being dealt.", (SOCKET,)),
    ErrorCode(
        "too-early",
        (409,),
        "The list of hashes is not fixed yet. Wait for it before `reveal`.",
        (SOCKET,),
    ),
    ErrorCode(
        "too-late", (409,), "The list of hashes is fixed. The seat gives no nonce.", (SOCKET,)
    ),
    ErrorCode(
        "hash-given", (409,), "Another hash was given for this seat before. It stays.", (SOCKET,)
    ),
    ErrorCode(
        "other-nonce",
        (422,),
        "The nonce does not fit the hash of the seat. Reveal the nonce that was hashed.",
        (SOCKET,),
    ),
    ErrorCode(
        "muted",
        (403,),
        "The operator has muted the player. `details.until` is the end, in seconds since the "
        "epoch.",
        (SOCKET,),
    ),
    ErrorCode(
        "private-chat",
        (403,),
        "At a private table only people with a seat or the invite link may chat.",
        (SOCKET,),
    ),
    ErrorCode("spectators-muted", (403,), "The host has muted the chat of spectators.", (SOCKET,)),
    ErrorCode(
        "released", (), "For bot workers: the seat belongs to another worker now.", (SOCKET,)
    ),
    ErrorCode(
        "slow",
        (),
        "Too many frames were waiting for the client. Connect again, and say how many facts it "
        "has.",
        (SOCKET,),
    ),
)


def codes_for(status: int, area: str) -> list[ErrorCode]:
    """Return the codes that an endpoint of this area may answer with this status."""
    return [
        one for one in ERROR_CODES if status in one.statuses and {area, ANYWHERE} & set(one.areas)
    ]
