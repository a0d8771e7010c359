"""Reviews over HTTP: for those who may read them, and for the bot workers that make them."""

import asyncio
from typing import Annotated

from litestar import get, post
from litestar.datastructures import State
from litestar.params import FromPath, FromQuery, QueryParameter

from zashiki.analysis.page import Words
from zashiki.analysis.result import Account, Decision, Review, SeatReview
from zashiki.core.rulings import Malformed
from zashiki.games import game_spec
from zashiki.server.deps import AnyRequest, address_of, session_player
from zashiki.server.errors import ApiError
from zashiki.server.http.history import find_finished, find_match, record_text
from zashiki.server.protocol import rest
from zashiki.server.protocol.workers import REVIEWS
from zashiki.server.services import services_of
from zashiki.server.store.rows import MatchRow

MAX_REVIEW_BYTES = 8 * 1024 * 1024
MAX_ACTIONS = 12
"""Actions shown of each decision, the best first, and the one that was played."""


@get("/api/matches/{match_id:str}/review")
async def review_of_match(
    match_id: FromPath[str],
    state: State,
    request: AnyRequest,
    known: Annotated[int, QueryParameter(ge=0)] = 0,
    language: FromQuery[rest.Language] = "en",
) -> rest.MatchReview:
    """Return the best review of a finished match so far, and have a better one made.

    `known` is the number of playouts of the review that the client has. Reviews are shown to those
    who played; if the table was public, to everybody.
    """
    services = services_of(state)
    services.limits.take(reviews=address_of(request))
    match = await find_finished(state, match_id)
    player = await session_player(request)
    if player is None or player.id not in match.players:
        await check_public(state, match)
    check_rules(match)
    readers = [address_of(request)] if player is None else [player.id, address_of(request)]
    row = await services.reviews.look(match.id, *readers)
    if row is None:
        return rest.MatchReview(False, 0)
    if row.playouts <= known:
        return rest.MatchReview(row.is_finished, row.playouts)
    seats = await asyncio.to_thread(told_seats, row.review, language)  # some have much to tell
    return rest.MatchReview(row.is_finished, row.playouts, seats)


@get(f"{REVIEWS}/{{match_id:str}}", media_type="application/x-ndjson", include_in_schema=False)
async def match_to_review(match_id: FromPath[str], state: State, request: AnyRequest) -> str:
    """Return the record of a finished match, to a bot worker that reviews it."""
    check_worker(request)
    return await record_text(request, await find_finished(state, match_id))


@post(
    f"{REVIEWS}/{{match_id:str}}",
    status_code=200,
    request_max_body_size=MAX_REVIEW_BYTES,
    include_in_schema=False,
)
async def keep_review(
    match_id: FromPath[str], state: State, request: AnyRequest, finished: FromQuery[bool] = False
) -> bool:
    """Take a review from a bot worker. Return whether the worker is to make a better one."""
    check_worker(request)
    match = await find_match(state, match_id)
    try:
        review = Review.from_json(await request.body())
    except Malformed as fault:
        raise ApiError(422, "malformed", str(fault)) from None
    if len(review.seats) != match.seats or any(one.account is None for one in review.seats):
        raise ApiError(422, "malformed", "review: expected all seats of a match that is over")
    return await services_of(state).reviews.keep(match.id, review, finished)


def check_worker(request: AnyRequest) -> None:
    dispatcher = services_of(request.app.state).dispatcher
    if not dispatcher.is_worker(request.headers.get("authorization")):
        raise ApiError(403, "not-a-worker", "only for bot workers: send the workers' token")


async def check_public(state: State, match: MatchRow) -> None:
    """Refuse those who did not play, unless the table was public."""
    table = await services_of(state).store.table(match.table)
    if table is None or not table.public:
        text = "the table was not public: only those who played may see the review"
        raise ApiError(403, "not-shown", text)


def check_rules(match: MatchRow) -> None:
    """Refuse a match that was played by older rules, which no reviewer knows."""
    try:
        spec = game_spec(match.game)
    except Malformed as fault:
        raise ApiError(409, "no-rules", str(fault)) from None
    if match.header["rules_version"] != spec.rules_version:
        text = "this match was played by older rules: it can be replayed, not reviewed"
        raise ApiError(409, "old-rules", text)


# In words --------------------------------------------------------------------------------------


def told_seats(text: str, language: rest.Language) -> list[rest.ReviewedSeat]:
    """Put the JSON of a review into words."""
    review = Review.from_json(text)
    words = Words(review, language)
    return [told_seat(words, one) for one in review.seats]


def told_seat(words: Words, seat: SeatReview) -> rest.ReviewedSeat:
    assert seat.account is not None
    return rest.ReviewedSeat(
        seat.seat,
        list(seat.curve),
        [told_decision(words, one) for one in seat.decisions],
        [seat.decisions.index(one) for one in seat.worst],
        told_account(seat.account),
    )


def told_decision(words: Words, one: Decision) -> rest.ReviewedDecision:
    best = one.actions[:MAX_ACTIONS]
    shown = [*best, *(each for each in one.actions[MAX_ACTIONS:] if each.action == one.played)]
    actions = [
        rest.ReviewedAction(
            each.action, words.action(each.action), each.value, each.error, each.worlds,
            each.frequency,
        )
        for each in shown
    ]  # fmt: skip
    return rest.ReviewedDecision(
        one.act, one.played, words.action(one.played), one.rival, words.action(one.rival),
        one.loss, one.error, one.mark, one.worlds, one.open_gain, one.open_error, actions,
    )  # fmt: skip


def told_account(one: Account) -> rest.ReviewAccount:
    effect = rest.ReviewedEffect
    return rest.ReviewAccount(
        one.result,
        effect(one.start, one.start_error),
        effect(-one.losses, one.losses_error),
        effect(one.cards, one.cards_error),
        effect(one.others, one.others_error),
        effect(one.unseen, one.unseen_error),
        one.remainder,
        one.adjusted,
    )


HANDLERS = (review_of_match, match_to_review, keep_review)
