"""Reviews of whole matches: checked input, budgets in playouts or seconds, and progress."""

import math
import time
from collections.abc import Callable, Iterator

from zashiki.analysis.account import Changes
from zashiki.analysis.course import Course
from zashiki.analysis.ledger import Ledger, reference_policy
from zashiki.analysis.result import FORMAT, REVIEWER, Review, SeatReview
from zashiki.core.match import Match
from zashiki.core.parts import Seat
from zashiki.core.rulings import Malformed, quoted

MIN_PLAYOUTS = 256
MAX_PLAYOUTS = MIN_PLAYOUTS * 4**6
FACTOR = 4
"""Growth of the budget from one pass to the next, if seconds are given."""
ACCOUNT_SHARE = 8
"""The account has one playout per position for this number of playouts per decision."""
SECONDS = 60.0

Progress = Callable[[int, int], None]
"""Told the number of steps done in this pass, and of all steps in it."""


def unreported(_done: int, _steps: int) -> None:
    """Ignore progress."""


def review_match(
    match: Match,
    seat: int | None = None,
    *,
    seconds: float | None = None,
    playouts: int | None = None,
    seed: int | str = 0,
    progress: Progress | None = None,
) -> Review:
    """Return the review of a seat, or of all seats.

    With `playouts` (maximum per decision) the result is a function of match, seat, playouts and
    seed. With `seconds`, passes with four times the playouts follow each other while the next one
    is expected to end in time. The result names its playouts, so it can be repeated exactly.
    """
    report = progress or unreported
    if playouts is not None:
        if seconds is not None:
            raise Malformed("review: expected either seconds or playouts, found both")
        seats = checked_seats(match, seat)
        return one_pass(Course(match), seats, checked_playouts(playouts), seed, report)
    limit = checked_seconds(SECONDS if seconds is None else seconds)
    begun = before = time.monotonic()
    better = passes(match, seat, seed=seed, report=report)
    for found in better:  # noqa: B007 (the last one is the result)
        now = time.monotonic()
        if now - begun + FACTOR * (now - before) > limit:
            break
        before = now
    return found


def passes(
    match: Match,
    seat: int | None = None,
    *,
    playouts: int = MIN_PLAYOUTS,
    seed: int | str = 0,
    report: Progress = unreported,
) -> Iterator[Review]:
    """Yield reviews with more and more playouts per decision, each four times those before."""
    course, seats, count = Course(match), checked_seats(match, seat), checked_playouts(playouts)
    while count <= MAX_PLAYOUTS:
        yield one_pass(course, seats, count, seed, report)
        count *= FACTOR


def one_pass(
    course: Course, seats: list[Seat], playouts: int, seed: int | str, report: Progress
) -> Review:
    """Return the review with a number of playouts per decision."""
    policy = reference_policy(course.spec, course.game)
    ledgers = [Ledger(course, seat, policy, playouts, seed) for seat in seats]
    acts = [ledger.acts() for ledger in ledgers]
    steps, done = sum(map(len, acts)) + course.last + 1, 0

    def advance(count: int) -> None:
        nonlocal done
        done += count
        report(done, steps)

    changes = Changes(course, policy, max(1, playouts // ACCOUNT_SHARE), seed)
    changes.estimate_all(advance)
    reviews = []
    for ledger, own in zip(ledgers, acts, strict=True):
        decisions = []
        for act in own:
            decisions.append(ledger.decision(act))
            advance(1)
        seat = int(ledger.seat)
        account = changes.account(seat, decisions)
        reviews.append(SeatReview(seat, tuple(decisions), changes.curve(seat), account))
    header = course.header
    return Review(
        FORMAT,
        REVIEWER,
        header.game,
        header.rules_version,
        dict(header.options),
        tuple(header.names),
        header.commitment,
        course.is_over,
        playouts,
        seed,
        tuple(reviews),
    )


# Checking --------------------------------------------------------------------------------------


def checked_seats(match: Match, seat: object) -> list[Seat]:
    """Return a seat, or all seats if None is given."""
    if seat is None:
        return [Seat(one) for one in range(match.seats)]
    if type(seat) is not int or not 0 <= seat < match.seats:
        raise Malformed(
            f"seat: expected a number from 0 to {match.seats - 1}, or None for all, "
            f"found {quoted(seat)}"
        )
    return [Seat(seat)]


def checked_playouts(playouts: object) -> int:
    if type(playouts) is not int or not MIN_PLAYOUTS <= playouts <= MAX_PLAYOUTS:
        raise Malformed(
            f"playouts: expected a number from {MIN_PLAYOUTS} to {MAX_PLAYOUTS}, "
            f"found {quoted(playouts)}"
        )
    return playouts


def checked_seconds(seconds: object) -> float:
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
        raise Malformed(f"seconds: expected a number above 0, found {quoted(seconds)}")
    if not (math.isfinite(seconds) and seconds > 0):
        raise Malformed(f"seconds: expected a number above 0, found {seconds}")
    return float(seconds)
