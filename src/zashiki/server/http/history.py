"""Played matches over HTTP: profiles, history, leaderboard, replay, records, verification."""

from functools import partial
from typing import Annotated

from litestar import get, post
from litestar.datastructures import State
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter

from zashiki.bots import LEVELS
from zashiki.core.rulings import Malformed
from zashiki.core.spec import GameSpec
from zashiki.games import game_spec
from zashiki.server.deps import AnyRequest, CurrentPlayer, address_of, session_player
from zashiki.server.errors import ApiError
from zashiki.server.http.accounts import find_player, public_player
from zashiki.server.protocol import rest
from zashiki.server.services import services_of
from zashiki.server.store.rows import HOUSE, MatchRow, PlayerRow, RatingPool, Rivals, is_bot
from zashiki.server.tables import commands as on
from zashiki.server.tables.handler import handle
from zashiki.server.tables.match import Reader
from zashiki.server.tables.ratings import (
    MIN_LISTED_MATCHES,
    SURE,
    YOUNG_SECONDS,
    bot_rows,
    form_of,
    fullest_pool,
    people_of,
    rows_of_bot,
    seen_changes,
    seen_rating,
)
from zashiki.server.tables.replay import PIECE, PlayersById, without_deleted

PAGE_SIZE = 50
MAX_COUNTED = 500
"""The newest matches of which statistics are made."""
MAX_RECORD_BYTES = 1024 * 1024
MAX_SIGHTS = PIECE
MAX_SEATS = 99
"""More than any game has. Databases refuse larger numbers."""
SEAT = r"^(all|[0-9]{1,2})(?!\n)$"
"""`$` alone would also match before a newline at the end."""
NOT_OVER = "this match is not over: until then only the socket shows what a seat sees"


@get("/api/players/{player_id:str}")
async def profile(player_id: FromPath[str], state: State) -> rest.Profile:
    """Return a player with ratings."""
    player = await find_player(state, player_id)
    if is_bot(player.id):
        ratings = list(rows_of_bot(player.id.removeprefix(HOUSE)))
    else:
        ratings = await services_of(state).store.ratings(player.id)
    return rest.Profile(public_player(player), [seen_rating(row) for row in ratings])


@get("/api/players/{player_id:str}/matches")
async def matches_of(
    player_id: FromPath[str],
    state: State,
    request: AnyRequest,
    before: FromQuery[float | None] = None,
    game: FromQuery[str | None] = None,
    seats: Annotated[int | None, QueryParameter(ge=1, le=MAX_SEATS)] = None,
    rival: FromQuery[str | None] = None,
    rivals: FromQuery[Rivals | None] = None,
) -> rest.History:
    """List a player's finished matches, the newest first.

    With `game`, `seats`, `rivals` or `rival`, the id of a player or a bot, it lists those among the
    newest 2000.
    """
    player = await find_player(state, player_id)
    reader = await session_player(request)
    store = services_of(state).store
    rows = await store.matches_of(player.id, PAGE_SIZE, before, game, seats, rival, rivals)
    finished = [row for row in rows if row.ended is not None]
    players = await players_in(state, finished)
    older = rows[-1].started if len(rows) == PAGE_SIZE else None
    return rest.History([summarize(row, players, reader) for row in finished], older)


@get("/api/statistics")
async def statistics(state: State, me: CurrentPlayer) -> rest.Statistics:
    """Return the newest finished matches of the player who asks, each as a line of numbers."""
    rows = await services_of(state).store.matches_of(me.id, MAX_COUNTED)
    finished = [row for row in rows if row.ended is not None and row.ranks is not None]
    counted = [count_match(row, me.id) for row in finished]
    return rest.Statistics(counted, len(rows) == MAX_COUNTED)


@get("/api/leaderboard")
async def leaderboard(
    state: State,
    game: FromQuery[str],
    seats: FromQuery[int],
    form: FromQuery[str | None] = None,
    rivals: FromQuery[Rivals] = "people",
) -> list[rest.Ranked]:
    """List the players of a game by the lower end of their rating interval, the best first.

    Accounts are listed a week after their player came, and from ten rated matches on. Against bots,
    the bots are listed too, with their measured strength.
    """
    spec, pool = checked_pool(game, seats, form, rivals)
    store, now = services_of(state).store, services_of(state).settings.system.now()
    rows = await store.leaderboard(pool, now - YOUNG_SECONDS, MIN_LISTED_MATCHES)
    if rivals == "bots":
        rows += bot_rows(spec, pool.form, pool.seats, LEVELS)
        rows.sort(key=lambda row: row.mu - SURE * row.sigma, reverse=True)
    players = [public_player(await find_player(state, row.player)) for row in rows]
    return [
        rest.Ranked(player, seen_rating(row)) for player, row in zip(players, rows, strict=True)
    ]


@get("/api/leaderboard/fullest")
async def fullest_leaderboard(state: State) -> rest.RatedPool:
    """Return the leaderboard that lists most players, one among people if there is any."""
    store, now = services_of(state).store, services_of(state).settings.system.now()
    rows = await store.listed_ratings(now - YOUNG_SECONDS, MIN_LISTED_MATCHES)
    return rest.RatedPool(*fullest_pool(rows))


@get("/api/matches/{match_id:str}")
async def one_match(
    match_id: FromPath[str],
    state: State,
    request: AnyRequest,
    seat: Annotated[str | None, QueryParameter(pattern=SEAT)] = None,
    step: Annotated[int | None, QueryParameter(ge=0)] = None,
    language: FromQuery[rest.Language] = "en",
) -> rest.Match:
    """Return a match. If it is over, `seat` (or "all") and `step` add a view of it."""
    match = await find_match(state, match_id)
    players, reader_row = await players_in(state, [match]), await session_player(request)
    header = without_deleted(match, players).header
    summary = summarize(match, players, reader_row)
    if match.ended is None:
        if seat is not None or step is not None:
            raise ApiError(409, "not-over", NOT_OVER)
        return rest.Match(summary, header)
    reader, address = parse_seat(seat, match.seats), address_of(request)
    replays = services_of(state).replays
    replay = await replays.of(match, players, f"sight of {reader}", address)
    answer = rest.Match(summary, header, replay.steps)
    if seat is not None or step is not None:
        count = partial(replays.count, address)
        answer.sight = await replay.sight(reader, check_step(step, replay.steps), language, count)
    return answer


@get("/api/matches/{match_id:str}/sights")
async def sights(
    match_id: FromPath[str],
    state: State,
    request: AnyRequest,
    seat: Annotated[str, QueryParameter(pattern=SEAT)],
    first: Annotated[int, QueryParameter(ge=0)] = 0,
    language: FromQuery[rest.Language] = "en",
) -> list[rest.Sight]:
    """List the views of a seat (or "all") in a finished match, from step `first` on, in order."""
    match = await find_finished(state, match_id)
    players, reader = await players_in(state, [match]), parse_seat(seat, match.seats)
    replays, address = services_of(state).replays, address_of(request)
    replay = await replays.of(match, players, f"sight of {reader}", address)
    count = partial(replays.count, address)
    steps = range(check_step(first, replay.steps), min(first + MAX_SIGHTS, replay.steps + 1))
    return [await replay.sight(reader, step, language, count) for step in steps]


@get("/api/matches/{match_id:str}/record", media_type="application/x-ndjson")
async def record_of_match(match_id: FromPath[str], state: State, request: AnyRequest) -> str:
    """Return the record of a match: before its end, only the facts that the player may know."""
    return await record_text(request, await find_match(state, match_id))


@post("/api/verify", status_code=200, request_max_body_size=MAX_RECORD_BYTES)
async def verify_record(
    data: JSONBody[rest.RecordText], request: AnyRequest, language: FromQuery[rest.Language] = "en"
) -> rest.Verified:
    """Verify a record: its hash chain, its seed, its rules and its nonces."""
    services = services_of(request.app.state)
    services.limits.take(records=address_of(request))
    return await services.verification.verify(data.record, language, data.witness)


async def record_text(request: AnyRequest, match: MatchRow) -> str:
    """Return as much of a record as the player of the request may read now."""
    services = services_of(request.app.state)
    if match.ended is None:
        player = await session_player(request)
        table = await services.registry.find(match.table)
        record: str = await handle(table, on.ReadRecord(None if player is None else player.id))
        return record
    players = await players_in(request.app.state, [match])
    address = address_of(request)
    replay = await services.replays.of(match, players, "record", address)
    return await replay.record(partial(services.replays.count, address))


async def find_match(state: State, id: str) -> MatchRow:
    match = await services_of(state).store.match(id)
    if match is None:
        raise ApiError(404, "no-match", "there is no such match")
    return match


async def find_finished(state: State, id: str) -> MatchRow:
    match = await find_match(state, id)
    if match.ended is None:
        raise ApiError(409, "not-over", NOT_OVER)
    return match


async def players_in(state: State, matches: list[MatchRow]) -> PlayersById:
    """Return the present rows of all players of these matches, by id."""
    ids = {player for match in matches for player in match.players if player is not None}
    return {id: await find_player(state, id) for id in sorted(ids)}


def checked_pool(
    game: str, seats: int, form: str | None, rivals: Rivals
) -> tuple[GameSpec, RatingPool]:
    """Return the pool that parameters name; the default form if none is named."""
    try:
        spec = game_spec(game)
        forms = spec.forms_for(spec.check_seats(seats))
    except Malformed as fault:
        raise ApiError(422, "malformed", str(fault)) from None
    if form is not None and form not in forms:
        expected = " or ".join(map(repr, forms))
        raise ApiError(422, "malformed", f"form: expected {expected}, found {form!r}")
    return spec, RatingPool(spec.id, forms[0] if form is None else form, seats, rivals)


def summarize(match: MatchRow, players: PlayersById, reader: PlayerRow | None) -> rest.Played:
    """Show a match in brief.

    Only its players learn the table, which may be private, and that two of them share an address.
    """
    is_player = reader is not None and reader.id in match.players
    names = without_deleted(match, players).header["names"]
    table = match.table if is_player else None
    sitters = [
        rest.Sitter(name, None if player is None else public_player(players[player]))
        for player, name in zip(match.players, names, strict=True)
    ]
    return rest.Played(
        match.id, table, match.game, match.seats, match.started, match.ended, sitters,
        match.rated, match.ranks, match.scores, form_of(match),
        match.unrated if is_player or match.unrated != "address" else None, match.rated_ranks,
        seen_changes(match),
    )  # fmt: skip


def count_match(match: MatchRow, player: str) -> rest.Counted:
    """Return the numbers of a finished match, as one of its players counts it."""
    seat, changes = match.players.index(player), seen_changes(match)
    assert match.ended is not None
    assert match.ranks is not None
    bots = {(one or "").removeprefix(HOUSE) for one in match.players if is_bot(one)}
    return rest.Counted(
        match.id, match.game, form_of(match), match.seats, match.started,
        round(match.ended - match.started, 1), match.ranks[seat], match.ranks.count(1),
        None if match.scores is None else match.scores[seat],
        "people" if len(people_of(match)) > 1 else "bots",
        bots.pop() if len(bots) == 1 else None,
        None if changes is None else changes[seat],
    )  # fmt: skip


def parse_seat(seat: str | None, seats: int) -> Reader:
    """Return the reader that a parameter names; "all" if it is absent."""
    if seat is None or seat == "all":
        return "all"
    if int(seat) >= seats:
        text = f'seat: expected a number from 0 to {seats - 1}, or "all", found {seat}'
        raise ApiError(422, "malformed", text)
    return int(seat)


def check_step(step: int | None, steps: int) -> int:
    """Return a step of a replay; the last one if it is absent."""
    if step is not None and not 0 <= step <= steps:
        text = f"step: expected a number from 0 to {steps}, found {step}"
        raise ApiError(422, "malformed", text)
    return steps if step is None else step


HANDLERS = (
    profile, matches_of, statistics, leaderboard, fullest_leaderboard, one_match, sights,
    record_of_match, verify_record,
)  # fmt: skip
