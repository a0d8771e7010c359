"""The statistics of a finished match of Kingdoms, from its facts.

The private facts of each seat are enough: every card that a seat places leaves its hand by one of
them, and every card that comes back returns by another.
"""

from collections import Counter
from collections.abc import Sequence

from zashiki.core.match_stats import CardUse, MatchStats
from zashiki.core.parts import Audience, Entry
from zashiki.core.spec import AnyGame
from zashiki.games.kingdoms.cards import kinds_of
from zashiki.games.kingdoms.forces import SIDES
from zashiki.games.kingdoms.play import Kingdoms

Moved = Counter[tuple[Audience, int]]
"""The number of copies, by seat and number of the kind."""


def match_stats(game: AnyGame, entries: Sequence[Entry]) -> MatchStats:
    """Return the number of the last turn, and the uses of each card by each seat."""
    assert isinstance(game, Kingdoms)
    turns = 1
    came, played, back = Moved(), Moved(), Moved()
    moved = {"dealt": came, "took": came, "laid": played, "committed": played, "took_back": back}
    for audience, fact, arguments, _ in entries:
        if fact in moved:
            moved[fact].update([(audience, kind) for kind in kinds_of(arguments[0])])
        elif fact == "turn_began":
            turns = arguments[1]
        elif fact == "scene_set":
            turns = arguments[3]
    uses: list[CardUse] = []
    for kind, name in enumerate(game.forces.names, 1):
        comes_from_a_pile = not game.forces.is_monarch(kind)  # a scene may have one in a hand
        for seat in range(len(SIDES)):
            drafted = came[seat, kind] if comes_from_a_pile else 0
            kept = came[seat, kind] - played[seat, kind] + back[seat, kind]
            uses.append(CardUse(seat, name, drafted, played[seat, kind], kept))
    return MatchStats(turns, tuple(uses))
