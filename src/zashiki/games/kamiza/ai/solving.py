# mypyc: compile
"""One game of KAMIZA, round by round: the position before a round, and its value.

At the end of a round all its cards are public, so each round is a separate game: it begins in a
standing, and ends with points and another standing. The only chance is the first starter. Seats are
counted from the starter, so that does not matter either.
"""

from collections.abc import Callable
from typing import Final, NamedTuple, final

from mypy_extensions import i64

from zashiki.core.dice import Chance
from zashiki.core.game import ActionId
from zashiki.core.parts import NO_SEATS, Seat, Seats
from zashiki.games.kamiza.actions import area_of, card_of
from zashiki.games.kamiza.ai.bot import USUAL
from zashiki.games.kamiza.play import Kamiza, KamizaView
from zashiki.games.kamiza.state import (
    ALL_CARDS,
    LANE,
    LANE_MASK,
    ROUNDS,
    KamizaPublic,
    KamizaState,
    Lanes,
)


class Standing(NamedTuple):
    """The position before a round, seats counted from its starter."""

    round: int
    spent: int
    """The cards played before, four bits per seat."""
    scores: int
    """Lanes, as in `KamizaPublic`."""
    wanted: int
    """Lanes; 0 if chips do not matter."""


OUT_OF_REACH: Final = 6
"""A seat this many points behind cannot lead after one more round."""
BEGINNING: Final = Standing(1, 0, 0, 0)

Worth = Callable[[Standing], list[float]]
"""The value of a standing to each seat, counted from its starter."""


def standing_of(public: KamizaPublic) -> Standing:
    """Return the position before the present round, with everything that a bot may use."""
    seats = int(public.seats)
    starter = int(public.starter)
    spent = turned(int(public.spent), starter, seats, 4)
    scores = turned(int(public.scores), starter, seats, LANE)
    return Standing(
        int(public.round), spent, scores, turned(int(public.wanted), starter, seats, LANE)
    )


def turned(packed: int, starter: int, seats: int, width: int) -> int:
    """Rotate a number packed by seat so that the starter comes first."""
    low = starter * width
    return packed >> low | (packed & (1 << low) - 1) << seats * width - low


def essence(standing: Standing, seats: int) -> Standing:
    """Reduce to the part that matters for points: totals decide only who starts the last round."""
    if standing.round != ROUNDS - 1:
        return Standing(standing.round, standing.spent, 0, 0)
    totals = by_seat(standing.scores, seats)
    near = [max(0, total - max(totals) + OUT_OF_REACH) for total in totals]
    packed = sum([points << seat * LANE for seat, points in enumerate(near)])
    return Standing(standing.round, standing.spent, packed, 0)


def by_seat(packed: int, seats: int) -> list[int]:
    return [packed >> seat * LANE & LANE_MASK for seat in range(seats)]


def spent_after(rounds: int, seats: int) -> list[int]:
    """Return every way in which each seat can have spent `rounds` cards, four bits per seat."""
    sets = [cards for cards in range(ALL_CARDS + 1) if cards.bit_count() == rounds]
    spent = [0]
    for seat in range(seats):
        spent = [before | cards << seat * 4 for before in spent for cards in sets]
    return sorted(spent)


def last_standings(seats: int) -> list[Standing]:
    return [Standing(ROUNDS, spent, 0, 0) for spent in spent_after(ROUNDS - 1, seats)]


def led_standings(seats: int) -> list[Standing]:
    """Return second rounds that a clear leader starts, which are rare in a first game."""
    return [Standing(2, spent, OUT_OF_REACH, 0) for spent in spent_after(1, seats)]


def habit(_view: KamizaView, legal: list[ActionId]) -> list[float]:
    """Return how likely a player who does not think takes each action: as people usually do."""
    usual = [USUAL[card_of(action)][area_of(action)] for action in legal]
    return [share / sum(usual) for share in usual]


@final
class Round:
    """A round as a separate game. `after` gives the value of the rounds that follow."""

    def __init__(self, game: Kamiza, standing: Standing, after: Worth, charge: float = 0.0) -> None:
        self.game: Final = game
        self.standing: Final = standing
        self.after: Final = after
        self.charge: Final = charge
        """The assumed cost of a WANTED chip, in points."""

    def begin(self, chance: Chance) -> KamizaState:
        state = self.game.empty()
        number, spent, scores, wanted = self.standing
        state.public.scene_set(1, number, Seat(0), Lanes(scores), Lanes(wanted), NO_SEATS, spent)
        state.public.turn_came(Seats(1))
        return state

    def worths(self, state: KamizaState) -> list[float] | None:
        public = state.public
        if public.count or (public.round == self.standing.round and not public.over):
            return None
        seats = self.game.seats
        points = by_seat(int(public.scores) - self.standing.scores, seats)
        chips = by_seat(int(public.wanted) - self.standing.wanted, seats)
        worths = [utility(points, seat) - self.charge * chips[seat] for seat in range(seats)]
        if self.standing.round < ROUNDS:
            later = self.after(standing_of(public))
            for seat in range(seats):
                worths[seat] += later[(seat - int(public.starter)) % seats]
        return worths

    def key(self, view: KamizaView) -> int:
        return placed_key(view.public)


def utility(points: list[int], seat: int) -> float:
    """Return the points of a seat minus the mean of the others'."""
    return points[seat] - (sum(points) - points[seat]) / (len(points) - 1)


def placed_key(public: KamizaPublic) -> int:
    """Return the areas of the placed cards from the starter on: a 1, then a bit per card.

    A bit is 1 for the bottom.
    """
    key: i64 = 1
    place: i64 = 0
    while place < public.count:
        seat = (public.starter + place) % public.seats
        key = key << 1 | public.at_bottom >> seat & 1
        place += 1
    return int(key)
