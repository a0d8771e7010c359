# mypyc: compile
"""The actions of Kingdoms, and a wider grammar: any cards anywhere, so that a refusal can say what
is wrong with them."""

import re
from typing import Final, final

from librt.vecs import append, vec
from mypy_extensions import i64

from zashiki.core.game import Action, ActionId, Attempt
from zashiki.core.rulings import Malformed, quoted
from zashiki.games.kingdoms.cards import CARD, MOST, Hand, Kind, hand_of
from zashiki.games.kingdoms.forces import AREAS, Forces

MOVES: Final = ("draft", "occupy", "attack", "swap", "done", "defend", "leave")
TO_DRAFT: Final = 0
TO_OCCUPY: Final = 1
TO_ATTACK: Final = 2
TO_SWAP: Final = 3
TO_END: Final = 4
TO_DEFEND: Final = 5
TO_LEAVE: Final = 6

ON_AREAS: Final = ("occupy", "attack", "swap")
DRAFT_GRAMMAR: Final = re.compile(r"draft:(?:0|(?:N([1-9]))?(?:A([1-9]))?)")
MOST_NAMED: Final = 5
"""The most cards that one action can name: a whole hand."""


@final
class Meaning:
    """The meaning of an action or an attempt: a move, an area and cards, or numbers per class."""

    def __init__(
        self,
        move: int,
        area: int = 0,
        kinds: list[int] | None = None,
        normal: int = 0,
        ace: int = 0,
    ) -> None:
        self.move: Final = move
        self.area: Final = area
        self.kinds: Final = [] if kinds is None else sorted(kinds)
        self.normal: Final = normal
        self.ace: Final = ace

    def text(self, names: list[str]) -> str:
        """Return the notation."""
        if self.move == TO_DRAFT:
            normal = f"N{self.normal}" if self.normal else ""
            ace = f"A{self.ace}" if self.ace else ""
            return f"draft:{normal + ace or 0}"
        word = MOVES[self.move]
        if self.move == TO_END:
            return word
        where = f"{AREAS[self.area]}:" if word in ON_AREAS else ""
        return f"{word}:{where}{'+'.join(self.cards(names)) or 'none'}"

    def cards(self, names: list[str]) -> list[str]:
        return [names[kind - 1] for kind in self.kinds]

    def template(self) -> str:
        """Return the key of the game's text for it."""
        if self.move == TO_DRAFT and not (self.normal and self.ace):
            return "draft-normal" if self.normal else "draft-ace" if self.ace else "draft-nothing"
        if self.move == TO_DEFEND and not self.kinds:
            return "defend-none"
        return MOVES[self.move]

    def words(self, names: list[str]) -> dict[str, object]:
        if self.move == TO_DRAFT:
            drafted: dict[str, object] = {
                "normal": ["normal-card"] * self.normal,
                "ace": ["ace-card"] * self.ace,
            }
            return {rank: cards for rank, cards in drafted.items() if cards}
        cards: list[str] = self.cards(names)
        words: dict[str, object] = {"cards": cards} if self.move == TO_ATTACK else {"card": cards}
        if MOVES[self.move] in ON_AREAS:
            words["area"] = AREAS[self.area]
        return words if cards else {}


@final
class Request(Action):
    """An action of the table."""

    def __init__(self, id: ActionId, meaning: Meaning, names: list[str]) -> None:
        super().__init__(id, meaning.text(names), meaning.template(), meaning.words(names))
        self.meaning: Final = meaning


@final
class Wish(Attempt):
    """An attempt that is never legal."""

    def __init__(self, meaning: Meaning, names: list[str]) -> None:
        super().__init__(meaning.text(names), meaning.template(), meaning.words(names))
        self.meaning: Final = meaning


@final
class Table:
    """Every action of a card set by id, and a reader for any attempt."""

    def __init__(self, forces: Forces) -> None:
        self.forces: Final = forces
        self.actions: Final[list[Action]] = []
        self.moves: vec[i64] = vec[i64]()
        self.areas: vec[i64] = vec[i64]()
        self.cards: vec[i64] = vec[i64]()
        """The move, the area and the cards of each action; the numbers of a draft as backs."""
        kinds = list(range(1, forces.count + 1))
        self.drafts: Final = self.add_drafts()
        """The drafts, at index six times the aces plus the normal cards."""
        self.occupying: Final = self.add_on_areas(TO_OCCUPY, [[kind] for kind in kinds])
        swappers = [[kind] for kind in kinds if forces.takes_place[kind]]
        self.swappers: Final = len(swappers)
        self.swapping: Final = self.add_on_areas(TO_SWAP, swappers)
        together = attacks(forces)
        self.attacks: Final = len(together)
        self.attacking: Final = self.add_on_areas(TO_ATTACK, together)
        self.pairs: Final = places(together)
        """The index of one or two attackers among all that can attack together."""
        self.ending: Final = self.add(Meaning(TO_END))
        self.defending: Final = self.add(Meaning(TO_DEFEND))
        """Actions without a card, and then with each kind."""
        for kind in kinds:
            self.add(Meaning(TO_DEFEND, 0, [kind]))
        self.leaving: Final = ActionId(len(self.actions) - 1)
        """Actions that leave a card, by its kind."""
        for kind in kinds:
            self.add(Meaning(TO_LEAVE, 0, [kind]))

    def add_drafts(self) -> vec[i64]:
        drafts = vec[i64]()
        for number in range(36):
            normal, ace = number % 6, number // 6
            drafts = append(drafts, len(self.actions))
            if normal + ace <= MOST:
                self.add(Meaning(TO_DRAFT, normal=normal, ace=ace))
        return drafts

    def add_on_areas(self, move: int, cards: list[list[int]]) -> int:
        """Add a move with each of these cards on each area. Return the id of the first."""
        first = len(self.actions)
        for area in range(len(AREAS)):
            for kinds in cards:
                self.add(Meaning(move, area, kinds))
        return first

    def add(self, meaning: Meaning) -> ActionId:
        id = ActionId(len(self.actions))
        self.actions.append(Request(id, meaning, self.forces.names))
        cards = hand_of(meaning.kinds)
        if meaning.move == TO_DRAFT:
            cards = Hand(meaning.normal | meaning.ace << 4)
        self.moves = append(self.moves, meaning.move)
        self.areas = append(self.areas, meaning.area)
        self.cards = append(self.cards, cards)
        return id

    def swap(self, area: i64, kind: Kind) -> ActionId:
        """Return the action that swaps in this card. Few cards can, so they are counted here."""
        place: i64 = 0
        other: i64 = 1
        while other < kind:
            place += self.forces.takes_place[other]
            other += 1
        return ActionId(self.swapping + area * self.swappers + place)

    def read(self, text: str) -> Wish:
        """Read a text of the grammar that is not an action, cards in order; else `Malformed`."""
        word, colon, rest = text.partition(":")
        if word == "draft":
            return Wish(self.draft_in(text), self.forces.names)
        if not colon or word not in MOVES:
            raise unreadable(text)
        area = 0
        if word in ON_AREAS:
            where, colon, rest = rest.partition(":")
            if not colon:
                raise unreadable(text)
            if where not in AREAS:
                raise Malformed(
                    f"{quoted(text)}: expected an area, one of {', '.join(AREAS)}, "
                    f"found {quoted(where)}"
                )
            area = AREAS.index(where)
        named = rest.split("+")
        if len(named) > (MOST_NAMED if word in ("attack", "defend") else 1):
            raise unreadable(text)
        kinds = [self.kind_in(name, text) for name in named]
        return Wish(Meaning(MOVES.index(word), area, kinds), self.forces.names)

    def draft_in(self, text: str) -> Meaning:
        found = DRAFT_GRAMMAR.fullmatch(text)
        if found is None or text == "draft:":
            raise unreadable(text)
        normal, ace = found.group(1), found.group(2)
        return Meaning(
            TO_DRAFT,
            normal=0 if normal is None else int(normal),
            ace=0 if ace is None else int(ace),
        )

    def kind_in(self, name: str, text: str) -> int:
        if name not in self.forces.kinds:
            raise Malformed(
                f"{quoted(text)}: expected a card of the set {self.forces.name!r}, "
                f"one of {', '.join(self.forces.names)}, found {quoted(name)}"
            )
        return self.forces.kinds[name]


def attacks(forces: Forces) -> list[list[int]]:
    """Return the one or two cards that can attack together: enough copies, and one owner."""
    kinds = range(1, forces.count + 1)
    found = [[kind] for kind in kinds]
    for one in kinds:
        for other in range(one, forces.count + 1):
            monarchs = forces.is_monarch(one) and forces.is_monarch(other)
            if not monarchs and (one != other or forces.copies[one] > 1):
                found.append([one, other])
    return found


def places(together: list[list[int]]) -> vec[i64]:
    """Return the index of each entry of the list, at the packed number of its cards."""
    found = vec[i64]()
    for _ in range(1 << 2 * CARD):
        found = append(found, 0)
    for place, kinds in enumerate(together):
        found[hand_of(kinds)] = place
    return found


def unreadable(text: str) -> Malformed:
    return Malformed(f"action: expected {EXPECTED}, found {quoted(text)}")


EXPECTED: Final = (
    "draft:0, draft:N1A1, occupy:AREA:CARD, attack:AREA:CARD, attack:AREA:CARD+CARD, "
    "swap:AREA:CARD, done, defend:CARD, defend:none or leave:CARD"
)
"""The forms of actions, for the error about an unreadable one."""
