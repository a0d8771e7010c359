"""The laws: properties of every match of every game, for all its options and seats.

    python -m zashiki.laws my-game --matches 20

Most laws need nothing from the author of a game. For the others a game may have a module `laws`
beside its rules, with any of these:

- `conserved(truth)` returns a value that is the same at every step of a match.
- `openings(game)` returns small families of full states. Each family is all that could be dealt
  there, with equal likelihood. All histories from them are followed.
- `PRIOR` is "even" if all worlds that a seat considers possible are equally likely.
"""

from zashiki.laws import copying, exact, keeping, knowing, legality, looking, playing, sampling
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
    "copying",
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
