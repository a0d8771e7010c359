# mypyc: compile
"""The actions of Red Town: the plays by the table of shapes, and the other decisions.

The grammar is wider than the table: any cards at any location can be read, so that a refusal can
say what is wrong with them.
"""

import re
from collections.abc import Mapping
from typing import Final, final

from zashiki.core.game import Action, ActionId, Attempt
from zashiki.core.rulings import Malformed, quoted
from zashiki.games.red_town.cards import (
    IN_ORDER,
    KINDS,
    NAMES,
    NO_CARDS,
    Cards,
    Kind,
    collected,
    hitmen,
    letters,
    named,
    one,
)
from zashiki.games.red_town.packing import STANDARD, TWO
from zashiki.games.red_town.plays import LOCATIONS, Plays

PLAIN: Final = (
    "pass", "keep", "end", "stay", "confirm", "add", "hand:kept", "hand:received",
)  # fmt: skip
NUMBERED: Final = ("look", "give")
MOST: Final = 7
"""The most playing cards of one kind that can be packed. A deck has fewer."""
MOST_HITMEN: Final = 15
"""The most Hitmen of one colour that can be packed."""

GRAMMAR: Final = re.compile(r"([a-z0-9]+):([A-Z0-9,]{1,350})")


@final
class Request(Action):
    """An action: cards at a location, cards discarded, Hitmen, or none of these."""

    def __init__(
        self, id: ActionId, text: str, kind: str, words: Mapping[str, object], cards: Cards
    ) -> None:
        super().__init__(id, text, kind, words)
        self.cards: Final = cards


@final
class Wish(Attempt):
    """An attempt that is never legal in this form of the game."""

    def __init__(self, text: str, kind: str, words: Mapping[str, object], cards: Cards) -> None:
        super().__init__(text, kind, words)
        self.cards: Final = cards


@final
class Table:
    """The actions of a form by id, and a reader for any attempt."""

    def __init__(self, plays: Plays, form: int) -> None:
        self.actions: Final[list[Action]] = []
        for id in range(plays.count):
            self.add_play(plays, id)
        for kind in plays.discards:
            name = NAMES[kind]
            self.add(f"discard:{name}", "discard", {"card": name}, one(Kind(kind)))
        self.passing: Final = self.add_plain("pass")
        self.keeping: Final = self.add_plain("keep")
        self.ending: Final = self.add_plain("end")
        self.staying: Final = self.add_plain("stay")
        self.decisions: Final = len(self.actions)
        """The ids of the first answer of each decision of preparation."""
        if form == STANDARD:
            self.add_plain("confirm")
            self.add_plain("add")
        self.hitmen: Final = len(self.actions)
        for red in (1, 0):
            self.add_hitman(hitmen(red, 1 - red))
        self.many: Final = len(self.actions)
        if form == STANDARD:
            for number in range(1, 9):
                self.add_many(hitmen(number // 3, number % 3))
        self.sets: Final = len(self.actions)
        if form == TWO:
            for kind_of_choice in NUMBERED:
                for place in (1, 2):
                    self.add(f"{kind_of_choice}:{place}", kind_of_choice, {"set": place}, NO_CARDS)
            self.add("hand:kept", "hand-kept", {}, NO_CARDS)
            self.add("hand:received", "hand-received", {}, NO_CARDS)

    def add(self, text: str, kind: str, words: Mapping[str, object], cards: Cards) -> ActionId:
        id = ActionId(len(self.actions))
        self.actions.append(Request(id, text, kind, words, cards))
        return id

    def add_plain(self, word: str) -> ActionId:
        return self.add(word, word, {}, NO_CARDS)

    def add_play(self, plays: Plays, id: int) -> None:
        location = LOCATIONS[plays.tiles[id]]
        cards = named(plays.cards[id])
        text = f"{location}:{','.join(cards)}"
        self.add(text, "play", words_of_play(location, cards), plays.cards[id])

    def add_hitman(self, cards: Cards) -> None:
        letter = named(cards)[0][0]
        self.add(f"hitman:{letter}", "hitman", {"hitman": letter}, cards)

    def add_many(self, cards: Cards) -> None:
        names = named(cards)
        text = f"hitmen:{''.join(name[0] for name in names)}"
        self.add(text, "hitmen", {"hitmen": names}, cards)


def canonical(text: str) -> Wish:
    """Read a text of the grammar as an attempt, its cards in order. Raise `Malformed` otherwise."""
    if text in PLAIN:
        return Wish(text, text.replace(":", "-"), {}, NO_CARDS)
    found = GRAMMAR.fullmatch(text)
    if found is None:
        raise unreadable(text)
    what, given = found.group(1), found.group(2)
    if what in NUMBERED and given in ("1", "2"):
        return Wish(text, what, {"set": int(given)}, NO_CARDS)
    if what in ("hitman", "hitmen"):
        return hitmen_wished(text, what, given)
    if what not in LOCATIONS and what != "discard":
        raise unreadable(text)
    kinds = [kind_of(card, text) for card in given.split(",")]
    return cards_wished(what, sorted(kinds, key=IN_ORDER.index))


def hitmen_wished(text: str, what: str, given: str) -> Wish:
    red, black = given.count("R"), given.count("B")
    most = 1 if what == "hitman" else MOST_HITMEN
    if red + black != len(given) or len(given) > most:
        raise unreadable(text)
    named_so = letters(red, black)
    cards = hitmen(red, black)
    words: dict[str, object] = {what: named_so if what == "hitman" else named(cards)}
    return Wish(f"{what}:{named_so}", what, words, cards)


def cards_wished(what: str, kinds: list[int]) -> Wish:
    names = [NAMES[kind] for kind in kinds]
    text = f"{what}:{','.join(names)}"
    few = [kind for place, kind in enumerate(kinds) if kinds[:place].count(kind) < most_of(kind)]
    cards = collected(few)
    if what == "discard":
        return Wish(text, "discard", {"card": names}, cards)
    return Wish(text, "play", words_of_play(what, names), cards)


def words_of_play(location: str, cards: list[str]) -> Mapping[str, object]:
    """Return the words of a play: location, cards and declared number. Hitmen alone have none."""
    numbers = [int(card[1:]) for card in cards if card[1:] != "H"]
    number = min(numbers) if numbers else "number_before"  # RT 5.1, RT 5.4, RT 5.5
    return {"location": location, "cards": cards, "number": number}


def most_of(kind: int) -> int:
    return MOST if kind < KINDS else MOST_HITMEN


def kind_of(card: str, text: str) -> int:
    if card not in NAMES:
        raise Malformed(
            f"{quoted(text)}: expected R3 to R11, B3 to B11, RH or BH, found {quoted(card)}"
        )
    return NAMES.index(card)


def unreadable(text: str) -> Malformed:
    return Malformed(f"action: expected {EXPECTED}, found {quoted(text)}")


EXPECTED: Final = (
    "a location and cards (r3:R5,R6,B7), pass, confirm, add, hitman:R, hitmen:RB, discard:B9, "
    "keep, end, stay, look:1, give:1, hand:kept or hand:received"
)
"""The forms of actions, for the error about an unreadable one."""
