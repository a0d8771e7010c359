# mypyc: compile
"""A card set as numbers for the rules: one value per kind of card or area."""

from typing import Any, Final, final

from librt.vecs import append, vec
from mypy_extensions import i64

from zashiki.games.kingdoms.skills import PLACES, SKILLS, Effect

AREAS: Final = ("red-capital", "red-city", "border", "blue-city", "blue-capital")
ALL_AREAS: Final = 31
"""The five areas, as bits."""
SIDES: Final = ("red", "blue")
"""The kingdoms, by seat."""
CLASSES: Final = ("normal", "ace")
"""The classes that backs show (RB 1.3)."""
NORMAL: Final = 0
ACE: Final = 1
SOURCES: Final = ("sword", "shield", *SKILLS)
"""The sources of lines of a battle's arithmetic."""
SWORD: Final = 0
SHIELD: Final = 1


@final
class Forces:
    """The values of areas and cards. Kinds are numbered in the order of their names, from 1."""

    def __init__(self, card_set: dict[str, Any]) -> None:
        self.name: Final[str] = card_set["name"]
        monarchs = {entry["side"]: entry for entry in card_set["monarchs"]}
        entries = sorted([*card_set["cards"], *card_set["monarchs"]], key=lambda e: str(e["name"]))
        self.names: Final[list[str]] = [entry["name"] for entry in entries]
        """The name of each kind; that of kind 1 has index 0."""
        self.kinds: Final = {name: place + 1 for place, name in enumerate(self.names)}
        self.count: Final = len(entries)
        self.monarchs: Final[vec[i64]] = packed(
            [self.kinds[monarchs[side]["name"]] for side in SIDES]
        )
        effects = [
            SKILLS[e["skill"]](e.get("amount", 0)) if "skill" in e else Effect() for e in entries
        ]
        self.attack: Final[vec[i64]] = packed([0] + [e["attack"] for e in entries])
        self.defence: Final[vec[i64]] = packed([0] + [e["defence"] for e in entries])
        self.copies: Final[vec[i64]] = packed([0] + [e.get("copies", 1) for e in entries])
        self.classes: Final[vec[i64]] = packed(
            [NORMAL] + [CLASSES.index(e.get("class", "normal")) for e in entries]
        )
        """The class of each kind. A monarch has the back of a normal card (RB 1.3)."""
        self.sources: Final[vec[i64]] = packed(
            [0] + [SOURCES.index(e["skill"]) if "skill" in e else 0 for e in entries]
        )
        """The skill of each kind, as an index of the sources."""
        self.guard: Final[vec[i64]] = packed(
            [0] * 5 + [effect.in_defence.get(place, 0) for effect in effects for place in PLACES]
        )
        """The points that each kind adds to the defence of each area."""
        self.partner: Final[vec[i64]] = packed([0] + [e.beside_partner for e in effects])
        self.next_area: Final[vec[i64]] = packed([0] + [e.from_next_area for e in effects])
        self.ignores_offset: Final[vec[i64]] = packed(
            [0] + [int(e.ignores_offset) for e in effects]
        )
        self.saves_added: Final[vec[i64]] = packed([0] + [int(e.saves_added) for e in effects])
        self.takes_place: Final[vec[i64]] = packed([0] + [int(e.takes_place) for e in effects])
        areas = card_set["areas"]
        self.funds: Final[vec[i64]] = packed(
            [area[key] for key in ("red_funds", "blue_funds") for area in areas]
        )
        """The funds of each area: five for Red, then five for Blue."""
        self.offset: Final[vec[i64]] = packed([area["offset"] for area in areas])
        self.piles: Final = [self.cards_of("normal", card_set), self.cards_of("ace", card_set)]
        """Every copy of each class, by kind (RB 1.3)."""

    def cards_of(self, wanted: str, card_set: dict[str, Any]) -> list[int]:
        return sorted(
            self.kinds[entry["name"]]
            for entry in card_set["cards"]
            for _ in range(entry["copies"])
            if entry["class"] == wanted
        )

    def is_monarch(self, kind: i64) -> bool:
        return bool(kind == self.monarchs[0] or kind == self.monarchs[1])

    def funds_of(self, seat: i64, areas: i64) -> i64:
        """Return the funds of these areas for this side (RB 2.1)."""
        funds: i64 = 0
        area: i64 = 0
        while area < 5:
            if areas >> area & 1:
                funds += self.funds[seat * 5 + area]
            area += 1
        return funds


def packed(values: list[int]) -> vec[i64]:
    numbers = vec[i64]()
    for value in values:
        numbers = append(numbers, value)
    return numbers
