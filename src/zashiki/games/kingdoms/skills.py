"""The skills of RB 5, a closed list: the effect of each, by the amount of its card.

A new skill is one function here, if an `Effect` can express it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

CAPITAL, CITY, BORDER = "capital", "city", "border"
PLACES = (CAPITAL, CITY, BORDER, CITY, CAPITAL)
"""The kind of each area in the row."""


@dataclass(frozen=True)
class Effect:
    """The effect of a card besides its sword and shield. By default it has none."""

    in_defence: Mapping[str, int] = field(default_factory=dict)
    """Added to the defence total, by the kind of the defended area."""
    beside_partner: int = 0
    """Added to the total of its side, if another card fights on that side."""
    from_next_area: int = 0
    """Added to attacks of its player on an adjacent area, as a garrison."""
    ignores_offset: bool = False
    """If it attacks, the offset of the area does not count."""
    saves_added: bool = False
    """As a garrison, it returns the reinforcement to the hand if the battle is not won."""
    takes_place: bool = False
    """Can replace a garrison, which returns to the hand."""


def liaison(_: int) -> Effect:
    """Replaces a garrison (RB 5.1)."""
    return Effect(takes_place=True)


def rearguard(_: int) -> Effect:
    """Returns a reinforcement to the hand (RB 5.2)."""
    return Effect(saves_added=True)


def capital_guard(amount: int) -> Effect:
    """Adds to the defence of capitals (RB 5.3, RB 5.4)."""
    return Effect(in_defence={CAPITAL: amount})


def city_guard(amount: int) -> Effect:
    """Adds to the defence of cities (RB 5.3, RB 5.4)."""
    return Effect(in_defence={CITY: amount})


def archer(amount: int) -> Effect:
    """Adds to attacks on adjacent areas (RB 5.5)."""
    return Effect(from_next_area=amount)


def bird_soldier(_: int) -> Effect:
    """Ignores the offset (RB 5.6)."""
    return Effect(ignores_offset=True)


def priest(amount: int) -> Effect:
    """Adds to its side with a partner (RB 5.7)."""
    return Effect(beside_partner=amount)


SKILLS: Mapping[str, Callable[[int], Effect]] = {
    "liaison": liaison,
    "rearguard": rearguard,
    "capital-guard": capital_guard,
    "city-guard": city_guard,
    "archer": archer,
    "bird-soldier": bird_soldier,
    "priest": priest,
}
WITH_AMOUNT = ("capital-guard", "city-guard", "archer", "priest")
"""The skills with an amount."""
