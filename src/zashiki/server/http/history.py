"""What was played: profiles, histories, leaderboards, records, every view, verification."""

from functools import partial
from typing import Annotated

from litestar import get, post
from litestar.datastructures import State
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter

from zashiki.core.rulings import Malformed
from zashiki.games import offer_of
from zashiki.server.deps import AnyRequest, address_of, asker_of
from zashiki.server.errors import ApiError
from zashiki.server.http.accounts import find, seen
from zashiki.server.protocol import rest
from zashiki.server.services import services_of
from zashiki.server.store.rows import MatchRow
from zashiki.server.tables import gameplay
from zashiki.server.tables.match import Reader
from zashiki.server.tables.ratings import seen_rating
from zashiki.server.tables.replay import PIECE, Accounts, without_deleted

PAGE = 50
LONGEST_RECORD = 1024 * 1024
MOST_SIGHTS = PIECE
SEAT = r"^(all|[0-9]{1,2})(?!\n)$"
"""Without a line's end, before which `$` would do."""


@get("/api/players/{player_id:str}")
async def profile(player_id: FromPath[str], state: State) -> rest.Profile:
    """A player as all may know them, with ratings."""
    player = await find(state, player_id)
    ratings = await services_of(state).store.ratings(player.id)
    return rest.Profile(seen(player), [seen_rating(row) for row in ratings])


@get("/api/players/{player_id:str}/matches")
async def matches_of(
    player_id: FromPath[str], state: State, before: FromQuery[float | None] = None
) -> rest.History:
    """A player's finished matches, the newest first."""
    player = await find(state, player_id)
    rows = await services_of(state).store.matches_of(player.id, PAGE, before)
    run_to_completion = [row for row in rows if row.ended is not None]
    people = await people_in(state, run_to_completion)
    older = rows[-1].started if len(rows) == PAGE else None
    return rest.History([played(row, people) for row in run_to_completion], older)


@get("/api/leaderboard")
async def leaderboard(
    state: State, game: FromQuery[str], seats: FromQuery[int]
) -> list[rest.Ranked]:
    """Those who are strong for certain first."""
    try:
        count = offer_of(game).check_seats(seats)
    except Malformed as fault:
        raise ApiError(422, "malformed", str(fault)) from None
    rows = await services_of(state).store.leaderboard(game, count)
    return [rest.Ranked(seen(await find(state, row.player)), seen_rating(row)) for row in rows]


@get("/api/matches/{match_id:str}")
async def one_match(
    match_id: FromPath[str],
    state: State,
    request: AnyRequest,
    seat: Annotated[str | None, QueryParameter(pattern=SEAT)] = None,
    step: Annotated[int | None, QueryParameter(ge=0)] = None,
    language: FromQuery[rest.Language] = "en",
) -> rest.Match:
    """A match; when it is over, also what a seat (or "all") saw after so many actions."""
    match = await find_match(state, match_id)
    people = await people_in(state, [match])
    header = without_deleted(match, people).header
    if match.ended is None:
        if seat is not None or step is not None:
            raise ApiError(409, "not-over", "until the end only the socket shows what a seat sees")
        return rest.Match(played(match, people), header)
    reader, address = read_seat(seat, match.seats), address_of(request)
    replays = services_of(state).replays
    replay = await replays.of(match, people, f"sight of {reader}", address)
    made = rest.Match(played(match, people), header, replay.steps)
    if seat is not None or step is not None:
        count = partial(replays.count, address)
        made.sight = await replay.sight(reader, read_step(step, replay.steps), language, count)
    return made


@get("/api/matches/{match_id:str}/sights")
async def sights(
    match_id: FromPath[str],
    state: State,
    request: AnyRequest,
    seat: Annotated[str, QueryParameter(pattern=SEAT)],
    first: Annotated[int, QueryParameter(ge=0)] = 0,
    language: FromQuery[rest.Language] = "en",
) -> list[rest.Sight]:
    """What a seat (or "all") saw of a match that is over: so many steps at once, in order."""
    match = await find_match(state, match_id)
    if match.ended is None:
        raise ApiError(409, "not-over", "until the end only the socket shows what a seat sees")
    people, reader = await people_in(state, [match]), read_seat(seat, match.seats)
    replays, address = services_of(state).replays, address_of(request)
    replay = await replays.of(match, people, f"sight of {reader}", address)
    count = partial(replays.count, address)
    steps = range(read_step(first, replay.steps), min(first + MOST_SIGHTS, replay.steps + 1))
    return [await replay.sight(reader, step, language, count) for step in steps]


@get("/api/matches/{match_id:str}/record", media_type="application/x-ndjson")
async def record_of_match(match_id: FromPath[str], state: State, request: AnyRequest) -> str:
    """The record: all of it when the match is over, before that what the asker may know."""
    return await record_text(request, await find_match(state, match_id))


@post("/api/verify", status_code=200, request_max_body_size=LONGEST_RECORD)
async def verify_record(
    data: JSONBody[rest.RecordText], request: AnyRequest, language: FromQuery[rest.Language] = "en"
) -> rest.Verified:
    """Is a record honest? Its chain, its seed and its rules, each by itself."""
    services = services_of(request.app.state)
    services.limits.take(records=address_of(request))
    return await services.verification.verify(data.record, language)


async def record_text(request: AnyRequest, match: MatchRow) -> str:
    """As much of a record as the asker may read now."""
    services = services_of(request.app.state)
    if match.ended is None:
        asker = await asker_of(request)
        table = await services.registry.find(match.table)
        return await gameplay.record(table, None if asker is None else asker.id)
    people = await people_in(request.app.state, [match])
    address = address_of(request)
    replay = await services.replays.of(match, people, "record", address)
    return await replay.record(partial(services.replays.count, address))


async def find_match(state: State, id: str) -> MatchRow:
    match = await services_of(state).store.match(id)
    if match is None:
        raise ApiError(404, "no-match", "there is no such match")
    return match


async def people_in(state: State, matches: list[MatchRow]) -> Accounts:
    """Everybody who played in one of them, as they are now."""
    ids = {player for match in matches for player in match.players if player is not None}
    return {id: await find(state, id) for id in sorted(ids)}


def played(match: MatchRow, people: Accounts) -> rest.Played:
    names = without_deleted(match, people).header["names"]
    players = [
        rest.Sitter(name, None if player is None else seen(people[player]))
        for player, name in zip(match.players, names, strict=True)
    ]
    return rest.Played(
        match.id, match.table, match.game, match.seats, match.started, match.ended, players,
        match.rated, match.ranks, match.scores,
    )  # fmt: skip


def read_seat(seat: str | None, seats: int) -> Reader:
    """Which reader is meant; everybody, where nothing is said."""
    if seat is None or seat == "all":
        return "all"
    if int(seat) >= seats:
        text = f'seat {seat}: a number from 0 to {seats - 1}, or "all", is expected'
        raise ApiError(422, "malformed", text)
    return int(seat)


def read_step(step: int | None, steps: int) -> int:
    if step is not None and step > steps:
        raise ApiError(422, "malformed", f"step {step}: a number from 0 to {steps} is expected")
    return steps if step is None else step


HANDLERS = (profile, matches_of, leaderboard, one_match, sights, record_of_match, verify_record)
