"""Laws about play: it ends, simultaneous choices commute, and cards are conserved."""

import math
from itertools import islice, permutations

from zashiki.core.game import Outcome
from zashiki.core.match import Match
from zashiki.laws.law import Fault, Moment, Skipped, difference, law
from zashiki.laws.walk import Move, Walk, canonical, fork, pick, sight

MAX_ACTIONS = 5000
"""Maximum actions of a match in random play."""
MAX_ORDERS = 24
"""Maximum orders of simultaneous choices that are tried."""


@law("random play ends, with ranks", Moment.STEP)
def play_ends(walk: Walk) -> None:
    """No seat is to act exactly when there is an outcome."""
    match = walk.match
    outcome, to_act = match.outcome, match.to_act
    if walk.step >= MAX_ACTIONS and outcome is None:
        raise Fault(f"expected an end within {MAX_ACTIONS} actions, found none")
    if not to_act <= set(range(match.seats)):
        raise Fault(f"expected seats of this table to act, found {sorted(to_act)}")
    if (outcome is None) != bool(to_act):
        raise Fault(f"seats {sorted(to_act)} are to act, and the outcome is {outcome}")
    if outcome is not None:
        check_outcome(outcome, match.seats)


def check_outcome(outcome: Outcome, seats: int) -> None:
    """Check for competition ranks: a rank is 1 plus the number of better seats."""
    if len(outcome.ranks) != seats or len(outcome.scores) != seats:
        raise Fault(f"expected ranks and scores of {seats} seats, found {outcome}")
    expected = [1 + sum(other < rank for other in outcome.ranks) for rank in outcome.ranks]
    if list(outcome.ranks) != expected:
        raise Fault(f"expected the ranks {expected}, found {outcome}")
    if not all(math.isfinite(score) for score in outcome.scores):
        raise Fault(f"expected finite scores, found {outcome}")


@law("simultaneous choices commute", Moment.STEP)
def choices_commute(walk: Walk) -> None:
    match, chance = walk.match, walk.chance("orders")
    if len(match.to_act) < 2:
        return
    moves = [Move(seat, pick(match.legal(seat), chance), None) for seat in sorted(match.to_act)]
    first = after(match, moves)
    for order in islice(permutations(moves), 1, MAX_ORDERS):
        other = after(match, list(order))
        if other != first:
            raise Fault(f"{told(moves)}; {told(list(order))}: {difference(first, other)}")


def after(match: Match, moves: list[Move]) -> str:
    """Return the full state and all views after these moves, as text."""
    twin = fork(match)
    for move in moves:
        twin.play(*move)
    seen = [sight(twin.game, twin.state, seat) for seat in range(twin.seats)]
    return canonical([twin.truth(), seen])


def told(moves: list[Move]) -> str:
    return ", ".join(f"seat {move.seat} {move.action}" for move in moves)


@law("cards are conserved", Moment.MATCH)
def cards_are_conserved(walk: Walk) -> None:
    """The game's `laws.conserved(truth)` returns the same value at every step."""
    conserved = walk.form.statement("conserved")
    if conserved is None:
        raise Skipped("the game's package has no laws.conserved(truth)")
    first = conserved(walk.truths[0])
    for step, truth in enumerate(walk.truths):
        if conserved(truth) != first:
            raise Fault(f"expected {first}, found {conserved(truth)}", step)
