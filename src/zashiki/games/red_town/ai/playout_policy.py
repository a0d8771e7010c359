# mypyc: compile
"""The playout policy for Red Town: play the most cards, the lowest first, and keep Hitmen."""

from typing import Any, Final, final

from librt.vecs import append, vec
from mypy_extensions import i64

from zashiki.core.dice import Chance
from zashiki.core.game import ActionId, Choices, Game
from zashiki.core.parts import State, View
from zashiki.core.playout_policy import PlayoutPolicy
from zashiki.games.red_town.cards import size, without_hitmen
from zashiki.games.red_town.own import RedTownOwn
from zashiki.games.red_town.packing import DECIDE, LOOK, OVER, SHORT, TURN
from zashiki.games.red_town.play import RedTown
from zashiki.games.red_town.plays import NOTHING, Plays
from zashiki.games.red_town.state import RedTownPublic

NONE: Final = -1


@final
class RedTownPolicy(PlayoutPolicy):
    """Goes through the possible plays, the best first, and skips some at random."""

    def __init__(self, game: RedTown, looks: int) -> None:
        super().__init__(patience=0 if game.form == SHORT else 1)
        self.game: Final = game
        self.looks: Final[i64] = looks
        """One play in this many is skipped; with 1, a play is picked at random."""
        self.plays: Final = game.plays
        self.rows: vec[i64] = liked_rows(game.plays)
        self.losing: Final[dict[int, list[float]]] = {}
        self.ways: Final[dict[int, list[float]]] = {}

    def stage_values(self, view: View[Any, Any], state: State[Any, Any, Any]) -> list[float] | None:
        """Return the values after a stage, which is a round that one seat has lost."""
        before: RedTownPublic = view.public
        after: RedTownPublic = state.public
        if self.game.form == SHORT or (after.round == before.round and after.phase != OVER):
            return None
        return [
            1.0 if after.bosses >> seat * 4 & 15 == before.bosses >> seat * 4 & 15 else 0.0
            for seat in range(self.game.seats)
        ]

    def end_values(self, game: Game[Any, Any, Any], public: Any) -> list[float]:
        """Return the values at the end. Those of the short form are cached, since they are few."""
        here: RedTownPublic = public
        if self.game.form != SHORT:
            return super().end_values(game, public)
        way = int(here.out)
        known = self.ways.get(way)
        if known is None:
            known = super().end_values(game, public)
            self.ways[way] = known
        return known

    def is_quiet(self, public: Any) -> bool:
        """Return whether a round begins, from where chance is equal for all seats."""
        here: RedTownPublic = public
        return here.phase in (DECIDE, LOOK)

    def evaluate(self, state: State[Any, Any, Any]) -> list[float]:
        """Return values by the bosses left, as if each seat were equally likely to lose a round."""
        public: RedTownPublic = state.public
        others = float(self.game.seats - 1)
        best = 1.0 - (others - 1.0) / 2.0 / others  # the part that all but the loser share
        return [best * (1.0 - losing) for losing in self.losing_from(int(public.bosses))]

    def losing_from(self, bosses: int) -> list[float]:
        """Return the probability that each seat is the first without a boss."""
        known = self.losing.get(bosses)
        if known is not None:
            return known
        seats = self.game.seats
        left = [bosses >> seat * 4 & 15 for seat in range(seats)]
        found = [0.0] * seats
        if 0 in left:
            found[left.index(0)] = 1.0
        else:
            for loser in range(seats):
                after = self.losing_from(bosses - (1 << loser * 4))
                for seat in range(seats):
                    found[seat] += after[seat] / float(seats)
        self.losing[bosses] = found
        return found

    def act(
        self, game: Game[Any, Any, Any], view: View[Any, Any], choices: Choices, chance: Chance
    ) -> ActionId:
        public: RedTownPublic = view.public
        if public.phase != TURN or self.looks == 1:
            return super().act(game, view, choices, chance)
        own: RedTownOwn = view.own
        play = self.liked(own, public, chance)
        return self.game.table.passing if play == NONE else ActionId(play)

    def liked(self, own: RedTownOwn, public: RedTownPublic, chance: Chance) -> i64:
        """Return the play that is chosen, or NONE."""
        plays = self.plays
        key = plays.look(own.hand, public.free, public.declared)
        best: i64 = NONE
        if key == NOTHING:
            return best
        rows, masks, places, looks = self.rows, plays.masks, plays.places, self.looks
        row = plays.starts[key]
        end = plays.starts[key + 1]
        while row < end:
            shape = rows[row]
            row += 1
            mask = masks[shape & 31]
            if mask:
                play = (shape >> 5) + (places[mask] & 15)
                if chance.below(looks, "care"):
                    return play
                if best == NONE:
                    best = play
        return best


LIKED: Final[dict[int, vec[i64]]] = {}


def liked_rows(plays: Plays) -> vec[i64]:
    """Return the rows of shapes, the most playing cards of each key first. It is cached."""
    if plays.count not in LIKED:
        LIKED[plays.count] = sorted_rows(plays)
    return LIKED[plays.count]


def sorted_rows(plays: Plays) -> vec[i64]:
    found = vec[i64]()
    for key in range(len(plays.starts) - 1):
        rows = [int(plays.rows[row]) for row in range(plays.starts[key], plays.starts[key + 1])]
        rows.sort(key=lambda row: liking(plays, row), reverse=True)
        for row in rows:
            found = append(found, row)
    return found


def liking(plays: Plays, row: int) -> int:
    """Return the number of playing cards of a shape."""
    cards = plays.cards[row >> 5]
    return int(size(without_hitmen(cards)))
