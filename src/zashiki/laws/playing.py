"""Laws about play itself: it ends, choices of one moment commute, and no card is lost."""

import math
from itertools import islice, permutations

from zashiki.core.game import Outcome
from zashiki.core.match import Match
from zashiki.laws.law import Fault, Moment, Skipped, difference, law
from zashiki.laws.walk import Move, Walk, canonical, fork, pick, sight

MOST_ACTIONS = 5000
"""Random play ends within this."""
MOST_ORDERS = 24


@law("random play ends, with ranks", Moment.STEP)
def play_ends(walk: Walk) -> None:
    """Nobody is to act exactly when there is an outcome."""
    match = walk.match
    outcome, to_act = match.outcome, match.to_act
    if walk.step >= MOST_ACTIONS and outcome is None:
        raise Fault(f"no end within {MOST_ACTIONS} actions")
    if not to_act <= set(range(match.seats)):
        raise Fault(f"seats {sorted(to_act)} are to act")
    if (outcome is None) != bool(to_act):
        raise Fault(f"seats {sorted(to_act)} are to act, and the outcome is {outcome}")
    if outcome is not None:
        check_outcome(outcome, match.seats)


def check_outcome(outcome: Outcome, seats: int) -> None:
    """Competition ranks: as many seats are better as the rank says."""
    if len(outcome.ranks) != seats or len(outcome.scores) != seats:
        raise Fault(f"{outcome} is not for {seats} seats")
    expected = [1 + sum(other < rank for other in outcome.ranks) for rank in outcome.ranks]
    if list(outcome.ranks) != expected:
        raise Fault(f"{outcome}: the ranks {expected} are expected")
    if not all(math.isfinite(score) for score in outcome.scores):
        raise Fault(f"{outcome}: a score that is no number")


@law("simultaneous choices commute", Moment.STEP)
def choices_commute(walk: Walk) -> None:
    match, chance = walk.match, walk.chance("orders")
    if len(match.to_act) < 2:
        return
    moves = [Move(seat, pick(match.legal(seat), chance), None) for seat in sorted(match.to_act)]
    first = after(match, moves)
    for order in islice(permutations(moves), 1, MOST_ORDERS):
        other = after(match, list(order))
        if other != first:
            raise Fault(f"{told(moves)}; {told(list(order))}: {difference(first, other)}")


def after(match: Match, moves: list[Move]) -> str:
    """The truth and all that every seat sees after these moves."""
    twin = fork(match)
    for move in moves:
        twin.play(*move)
    seen = [sight(twin.game, twin.state, seat) for seat in range(twin.seats)]
    return canonical([twin.truth(), seen])


def told(moves: list[Move]) -> str:
    return ", ".join(f"seat {move.seat} {move.action}" for move in moves)


@law("cards are conserved", Moment.MATCH)
def cards_are_conserved(walk: Walk) -> None:
    """What the game's own `laws.conserved(truth)` says is the same at every step."""
    conserved = walk.form.statement("conserved")
    if conserved is None:
        raise Skipped("the game's package has no laws.conserved(truth)")
    first = conserved(walk.truths[0])
    for step, truth in enumerate(walk.truths):
        if conserved(truth) != first:
            raise Fault(f"{conserved(truth)} where {first} is expected", step)
