"""The skills of RB 5, a closed list: what each changes, by the amount that its card has.

A new skill is one function here, as long as it changes something that an `Effect` can say.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

CAPITAL, CITY, BORDER = "capital", "city", "border"
PLACES = (CAPITAL, CITY, BORDER, CITY, CAPITAL)
"""What each area of the row is."""


@dataclass(frozen=True)
class Effect:
    """What a card does beside its sword and shield; nothing, unless said."""

    in_defence: Mapping[str, int] = field(default_factory=dict)
    """Added to the defence total, by the place that is defended."""
    beside_partner: int = 0
    """Added to the total of its side, if another card fights on that side."""
    from_next_area: int = 0
    """Added to attacks of its player on an area next to the one that it holds."""
    ignores_offset: bool = False
    """Attacking, the offset of the area does not count."""
    saves_added: bool = False
    """Holding an area, it lets the card added return to the hand where the battle is not won."""
    takes_place: bool = False
    """May be placed on an area held, and sets free the card there."""


def liaison(_: int) -> Effect:
    """RB 5.1."""
    return Effect(takes_place=True)


def rearguard(_: int) -> Effect:
    """RB 5.2."""
    return Effect(saves_added=True)


def capital_guard(amount: int) -> Effect:
    """RB 5.3, RB 5.4."""
    return Effect(in_defence={CAPITAL: amount})


def city_guard(amount: int) -> Effect:
    """RB 5.3, RB 5.4."""
    return Effect(in_defence={CITY: amount})


def archer(amount: int) -> Effect:
    """RB 5.5."""
    return Effect(from_next_area=amount)


def bird_soldier(_: int) -> Effect:
    """RB 5.6."""
    return Effect(ignores_offset=True)


def priest(amount: int) -> Effect:
    """RB 5.7."""
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
"""Those that take one; the others are what they are."""
