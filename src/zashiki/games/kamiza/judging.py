# mypyc: compile
"""Judge the cards of a round in the rulebook's order, for both editions."""

from typing import Final, final

from mypy_extensions import i64

from zashiki.core.parts import NO_SEATS, Seats, bit
from zashiki.games.kamiza.state import (
    BOSS,
    BOTTOM,
    HITMAN,
    LANE,
    LIES_HERE,
    OFFICER,
    TOP,
    UNDERBOSS,
    Lanes,
    Layout,
)

SHOT: Final = 4
"""The points of a Hitman who defeats a Boss (K2 3.5, K1 3.5)."""


@final
class Judging:
    """The differences between editions and options."""

    def __init__(self, second: bool, underboss_shield: bool) -> None:
        self.second: Final = second
        self.underboss_shield: Final = underboss_shield


@final
class Verdict:
    """The result of a round: the seats whose card was removed, the reasons, and the points."""

    def __init__(self) -> None:
        self.raider: Seats = NO_SEATS
        self.misplaced: Seats = NO_SEATS
        self.cancelled: Seats = NO_SEATS
        self.beaten: Seats = NO_SEATS
        self.shot_boss: Seats = NO_SEATS
        self.shooter: Seats = NO_SEATS
        self.bribed: Seats = NO_SEATS
        self.points: Lanes = Lanes(0)

    def score(self, seat: Seats, points: i64) -> None:
        """Give these points to the only seat in this set; an empty set is allowed."""
        if seat:
            self.points = Lanes(self.points + (points << only(seat) * LANE))


def judge(layout: Layout, judging: Judging) -> Verdict:
    """Judge a round: raid, places, cancelling, then each area by itself."""
    verdict = Verdict()
    here = sorted_by_card(layout)
    if not judging.second and raid(here, verdict):
        return verdict
    here = remove_misplaced(here, judging, verdict)
    here = cancel_equals(here, verdict)
    judge_top(here, judging, verdict)
    judge_bottom(here, verdict)
    return verdict


def sorted_by_card(layout: Layout) -> i64:
    """Return the seats that placed each card in each area: four bits at 4 x (area x 4 + card)."""
    here: i64 = 0
    seat: i64 = 0
    while layout:
        if layout & LIES_HERE:
            here |= bit((layout & 7) * 4 + seat)
        layout = Layout(layout >> 4)
        seat += 1
    return here


def who(here: i64, card: i64, area: i64) -> Seats:
    return Seats(here >> (area * 4 + card) * 4 & 15)


def only(seat: Seats) -> i64:
    """Return the only seat in a set of one: 1, 2, 4, 8 give 0, 1, 2, 3."""
    return (seat >> 1) - (seat >> 3)


def raid(here: i64, verdict: Verdict) -> bool:
    """Note the raider and return True if there is exactly one Raid (K1 3.1)."""
    raids = who(here, OFFICER, TOP) | who(here, OFFICER, BOTTOM)
    if raids == 0 or raids & (raids - 1):
        return False
    verdict.raider = Seats(raids)
    return True


def remove_misplaced(here: i64, judging: Judging, verdict: Verdict) -> i64:
    """Remove a Boss, and in the second edition a Policeman, from the bottom (K2 3.1, K1 3.2)."""
    barred: i64 = 15 << (BOTTOM * 4 + BOSS) * 4
    if judging.second:
        barred |= 15 << (BOTTOM * 4 + OFFICER) * 4
    verdict.misplaced = Seats(
        who(here & barred, BOSS, BOTTOM) | who(here & barred, OFFICER, BOTTOM)
    )
    return here & ~barred


def cancel_equals(here: i64, verdict: Verdict) -> i64:
    """Remove two or more cards of one type in one area (K2 3.2, K1 3.3)."""
    shift: i64 = 0
    while here >> shift:
        equals = here >> shift & 15
        if equals & (equals - 1):
            verdict.cancelled = Seats(verdict.cancelled | equals)
            here &= ~(equals << shift)
        shift += 4
    return here


def judge_top(here: i64, judging: Judging, verdict: Verdict) -> None:
    """Give the top seat to the highest number, or to a Hitman (K2 3.3-3.10, K1 3.4-3.6)."""
    boss = who(here, BOSS, TOP)
    underboss = who(here, UNDERBOSS, TOP)
    hitman = who(here, HITMAN, TOP)
    officer = who(here, OFFICER, TOP)
    points: i64
    if boss and hitman and not (underboss and judging.underboss_shield):
        winner, points = hitman, SHOT
        verdict.shot_boss, verdict.shooter = boss, hitman
    elif boss:
        winner, points = boss, 5
    elif underboss:
        winner, points = underboss, 2
    else:
        winner, points = hitman, 1
    verdict.beaten = Seats((boss | underboss | hitman) & ~winner)
    if not judging.second:
        if winner:
            verdict.beaten = Seats(verdict.beaten | officer)
    elif officer and winner:
        points >>= 1  # K2 3.7: halved, rounded down, to each of the two
        verdict.score(officer, points)
        if points:
            verdict.bribed = officer
    verdict.score(winner, points)


def judge_bottom(here: i64, verdict: Verdict) -> None:
    """Give the two bottom seats to Underboss and Hitman; a Raid fits if one is missing (K1 3.4)."""
    underboss = who(here, UNDERBOSS, BOTTOM)
    hitman = who(here, HITMAN, BOTTOM)
    verdict.score(underboss, 2)
    verdict.score(hitman, 1)
    if underboss and hitman:
        verdict.beaten = Seats(verdict.beaten | who(here, OFFICER, BOTTOM))
