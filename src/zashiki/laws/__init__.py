"""The laws: what holds in every match of every game, its options and seats, and how to ask for it.

    python -m zashiki.laws my-game --matches 20

The author of a game writes nothing for most of them. What only a game can know, it may state in a
module `laws` beside its rules: `conserved(truth)`, which is the same at every step of a match;
`openings(game)`, small families of truths, each family all that could be dealt there, every one as
likely as the other, from which all histories are followed; `PRIOR`, "even" where all worlds that a
seat thinks possible are equally likely.
"""

from zashiki.laws import exact, keeping, knowing, legality, looking, playing, sampling
from zashiki.laws.exact import beginnings, distribution, histories, standing
from zashiki.laws.law import LAWS, BrokenLaw, Law, Moment, Skipped
from zashiki.laws.run import Tally, check_form, check_game, check_match
from zashiki.laws.walk import Form, Walk, forms

__all__ = [
    "LAWS",
    "BrokenLaw",
    "Form",
    "Law",
    "Moment",
    "Skipped",
    "Tally",
    "Walk",
    "beginnings",
    "check_form",
    "check_game",
    "check_match",
    "distribution",
    "exact",
    "forms",
    "histories",
    "keeping",
    "knowing",
    "legality",
    "looking",
    "playing",
    "sampling",
    "standing",
]
