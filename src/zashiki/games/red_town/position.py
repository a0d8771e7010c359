"""A position of Red Town read from a full state: checked strictly, every fault named."""

from collections import Counter
from collections.abc import Mapping

from zashiki.core.position import PositionReader
from zashiki.core.rulings import Malformed, quoted
from zashiki.games.red_town.actions import Request, Table, cards_wished
from zashiki.games.red_town.cards import (
    LOWEST,
    NAMES,
    NO_CARDS,
    Cards,
    black_hitmen,
    collected,
    letters,
    named,
    red_hitmen,
    size,
)
from zashiki.games.red_town.judging import ASKED_IN
from zashiki.games.red_town.packing import (
    BOSSES,
    CHOOSE,
    DECIDE,
    DISCARD,
    END_WAR,
    FORMS,
    GIVE,
    LOOK,
    OVER,
    PHASES,
    PICK,
    PICK_MANY,
    SHORT,
    STANDARD,
    TURN,
    TWO,
)
from zashiki.games.red_town.plays import LOCATIONS

KEYS = (
    "form", "seats", "round", "phase", "bosses", "supply", "confirmed", "chosen", "hands", "sets",
    "waiting", "aside", "discard", "board", "declared", "last", "passed", "turn", "out",
)  # fmt: skip
PHASES_OF = {
    STANDARD: (DECIDE, PICK, PICK_MANY, TURN, DISCARD, END_WAR, OVER),
    SHORT: (PICK, TURN, DISCARD, END_WAR, OVER),
    TWO: (LOOK, PICK, GIVE, CHOOSE, TURN, DISCARD, END_WAR, OVER),
}
TOGETHER = (DECIDE, PICK, LOOK, GIVE, CHOOSE)
"""The phases in which several seats may act at once."""
WITH_SETS = (LOOK, PICK, GIVE, CHOOSE)
"""The phases of the two-player form before hands are chosen."""
MOST_ROUNDS = 15


class Position(PositionReader):
    """A full state, read and checked."""

    def __init__(
        self,
        truth: Mapping[str, object],
        seats: int,
        form: int,
        is_open: bool,
        table: Table,
        deck: Cards,
    ) -> None:
        super().__init__(truth, seats, KEYS)
        self.form, self.is_open, self.table, self.deck = form, is_open, table, deck
        if truth["form"] != FORMS[form]:
            raise Malformed(f"truth: form: expected {FORMS[form]!r}, found {quoted(truth['form'])}")
        self.round = self.number("round", truth["round"], 1, MOST_ROUNDS)
        self.phase = self.read_phase()
        self.bosses = self.read_bosses()
        self.supply = [self.read_supply(seat) for seat in range(seats)]
        self.confirmed = self.seat_list("confirmed")
        self.passed = self.seat_list("passed")
        self.out = self.seat_list("out", rising=False)
        self.last = self.read_seat("last")
        self.turn = self.read_seat("turn")
        self.declared = self.read_declared()
        self.hands = [
            self.cards(f"hands[{seat}]", hand) for seat, hand in enumerate(self.by_seat("hands"))
        ]
        self.sets, self.looked = self.read_sets()
        self.waiting = self.read_waiting()
        self.aside = self.cards("aside", truth["aside"])
        self.pile = self.names("discard", truth["discard"])
        self.board = self.read_board()
        self.chosen = self.read_chosen()
        self.check_cards()
        self.check_turn()
        self.check_holders()

    # Reading -----------------------------------------------------------------------------------

    def read_phase(self) -> int:
        known = [PHASES[phase] for phase in PHASES_OF[self.form]]
        self.one_of("phase", self.truth["phase"], known)
        return PHASES.index(str(self.truth["phase"]))

    def read_bosses(self) -> list[int]:
        if self.form == SHORT:
            if self.truth["bosses"] is not None:
                raise Malformed("truth: bosses: expected null in the short form, found a value")
            return [BOSSES] * self.seats
        least = 0 if self.phase == OVER else 1
        return [
            self.number(f"bosses[{seat}]", left, least, BOSSES)
            for seat, left in enumerate(self.by_seat("bosses"))
        ]

    def read_supply(self, seat: int) -> Cards:
        most = 2 if self.form == STANDARD else 1
        possible = {
            letters(red, black): [18] * red + [19] * black
            for red in range(most + 1)
            for black in range(most + 1)
        }
        if self.form == TWO:  # RT 7.2: both, until they are placed
            expected = "RB" if self.phase in (LOOK, PICK) else ""
            possible = {expected: possible[expected]}
        given = self.by_seat("supply")[seat]
        self.one_of(f"supply[{seat}]", given, list(possible))
        return collected(possible[str(given)])

    def seat_list(self, key: str, rising: bool = True) -> list[int]:
        seats = [
            self.number(key, seat, 0, self.seats - 1) for seat in self.items(key, self.truth[key])
        ]
        expected = sorted(set(seats)) if rising else list(dict.fromkeys(seats))
        if seats != expected:
            order = ", ascending" if rising else ""
            raise Malformed(f"truth: {key}: expected each seat once{order}, found {quoted(seats)}")
        return seats

    def read_seat(self, key: str) -> int | None:
        seat = self.truth[key]
        return None if seat is None else self.number(key, seat, 0, self.seats - 1)

    def read_declared(self) -> int:
        declared = self.truth["declared"]
        highest = 11 if self.seats == 5 else 10
        return 0 if declared is None else self.number("declared", declared, LOWEST, highest)

    def names(self, path: str, value: object) -> list[int]:
        """Return cards in the order given, by their kinds."""
        return [
            self.one_of(f"{path}[{place}]", card, NAMES)
            for place, card in enumerate(self.items(path, value))
        ]

    def cards(self, path: str, value: object) -> Cards:
        kinds = self.names(path, value)
        for kind, number in Counter(kinds).items():
            if number > (15 if kind >= 18 else 7):
                raise Malformed(f"truth: {path}: {NAMES[kind]} is there {number} times")
        return collected(kinds)

    def read_sets(self) -> tuple[list[Cards], list[int | None]]:
        """Read the four sets and which were looked at (two players, before hands are chosen)."""
        if self.form != TWO or self.phase not in WITH_SETS:
            if self.truth["sets"] is not None:
                raise Malformed("truth: sets: expected null in this form and phase, found a value")
            return [], []
        sets: list[Cards] = []
        looked: list[int | None] = []
        for seat, value in enumerate(self.by_seat("sets")):
            path = f"sets[{seat}]"
            items = self.items(path, value)
            if len(items) != 3:
                raise Malformed(
                    f"truth: {path}: expected two sets and the one looked at, found {len(items)}"
                )
            sets += [self.cards(f"{path}[{place}]", items[place]) for place in range(2)]
            looked.append(self.read_looked(f"{path}[2]", items[2]))
        if any(self.hands):
            raise Malformed("truth: hands: expected no cards before hands are chosen, found some")
        return sets, looked

    def read_looked(self, path: str, value: object) -> int | None:
        if value is None and self.phase in (LOOK, CHOOSE):
            return None
        return self.number(path, value, 1, 1 if self.phase == CHOOSE else 2)

    def read_waiting(self) -> list[Cards]:
        if self.form != TWO or self.sets:
            if self.truth["waiting"] is not None:
                raise Malformed(
                    "truth: waiting: expected null in this form and phase, found a value"
                )
            return []
        values = enumerate(self.by_seat("waiting"))
        return [self.cards(f"waiting[{seat}]", value) for seat, value in values]

    def read_board(self) -> list[int]:
        """Read the plays at locations, as their ids."""
        given = self.truth["board"]
        if not isinstance(given, Mapping):
            raise Malformed(f"truth: board: expected a mapping, found {quoted(given)}")
        plays: list[int] = []
        for location, value in given.items():
            self.one_of("board", location, LOCATIONS)
            cards = self.cards(f"board.{location}", value)
            wish = cards_wished(str(location), [NAMES.index(name) for name in named(cards)])
            found = [a for a in self.table.actions if a.text == wish.text]
            if not found:
                raise Malformed(f"truth: board.{location}: {wish.text} does not fit there")
            plays.append(int(found[0].id))
        return plays

    def read_chosen(self) -> dict[int, int]:
        """Read the secret choices, as ids of actions by seat."""
        given = self.truth["chosen"]
        if not isinstance(given, Mapping):
            raise Malformed(f"truth: chosen: expected a mapping, found {quoted(given)}")
        by_text = {action.text: action for action in self.table.actions}
        chosen: dict[int, int] = {}
        for key, text in given.items():
            if key not in [str(seat) for seat in range(self.seats)]:
                raise Malformed(f"truth: chosen: expected a seat as a text, found {quoted(key)}")
            action = by_text.get(text) if isinstance(text, str) else None
            fits = self.phase in TOGETHER and self.phase != LOOK
            if action is None or not fits or ASKED_IN[action.kind] != self.phase:
                raise Malformed(
                    f"truth: chosen[{key}]: expected a choice here, found {quoted(text)}"
                )
            assert isinstance(action, Request)
            if not self.can_choose(int(key), action):
                supplied = "a choice that the supply has"
                raise Malformed(f"truth: chosen[{key}]: expected {supplied}, found {quoted(text)}")
            chosen[int(key)] = int(action.id)
        return dict(sorted(chosen.items()))

    def can_choose(self, seat: int, action: Request) -> bool:
        supply = self.supply[seat]
        if action.kind == "add":
            return supply != NO_CARDS
        red, black = red_hitmen(action.cards), black_hitmen(action.cards)
        return red <= red_hitmen(supply) and black <= black_hitmen(supply)

    # Checking ----------------------------------------------------------------------------------

    def check_cards(self) -> None:
        """Check that each card of the deck is in one place, and that Hitmen are not too many."""
        places = [*self.hands, *self.sets, *self.waiting, self.aside, *self.supply]
        found = Counter(name for place in places for name in named(place))
        found.update(NAMES[kind] for kind in self.pile)
        for play in self.board:
            action = self.table.actions[play]
            assert isinstance(action, Request)
            found.update(named(action.cards))
        for name, expected in Counter(named(self.deck)).items():
            if found[name] != expected:
                raise Malformed(f"truth: {name}: expected {expected} of them, found {found[name]}")
        most = self.seats * (2 if self.form == STANDARD else 1)
        for name in found.keys() - Counter(named(self.deck)).keys():
            allowed = most if name in ("RH", "BH") else 0
            if found[name] > allowed:
                raise Malformed(
                    f"truth: {name}: expected at most {allowed} of them, found {found[name]}"
                )
        if "RH" in named(self.aside) or "BH" in named(self.aside):
            raise Malformed("truth: aside: expected playing cards, found a Hitman")

    def check_turn(self) -> None:
        if self.phase in TOGETHER or self.phase == OVER:
            if self.turn is not None:
                raise Malformed(f"truth: turn: expected null in this phase, found {self.turn}")
            if self.phase != OVER and not self.acting():
                raise Malformed(
                    "truth: chosen: expected a seat that is still to choose, found none"
                )
            if self.phase == PICK and any(not self.supply[seat] for seat in self.acting()):
                raise Malformed("truth: supply: expected a Hitman to pick, found none")
            return
        if self.turn is None:
            raise Malformed("truth: turn: expected a seat in this phase, found None")
        held = int(size(self.hands[self.turn]))
        if self.phase == PICK_MANY and not self.supply[self.turn]:
            raise Malformed(f"truth: turn: expected a seat with Hitmen to add, found {self.turn}")
        least = {TURN: 1, DISCARD: 2, END_WAR: 0, PICK_MANY: 0}[self.phase]
        if held < least:
            raise Malformed(
                f"truth: turn: expected a seat with {least} or more cards, found {self.turn}"
            )

    def check_holders(self) -> None:
        """Check that seats that are out have no cards, and that two or more have some."""
        if self.phase == TURN and self.turn in self.passed:
            raise Malformed(f"truth: turn: expected a seat that has not passed, found {self.turn}")
        for seat in range(self.seats):
            if self.holds(seat) and seat in self.out:
                raise Malformed(f"truth: out: expected seats without cards, found {seat}")
            missed = self.form == SHORT and self.phase != PICK and seat not in self.out
            if missed and not self.holds(seat):  # RT 8.2: its rank counts
                raise Malformed(f"truth: out: expected seat {seat}, which has no cards")
        for seat in range(len(self.waiting)):
            if self.waiting[seat] and not self.hands[seat]:  # RT 7.6: it was taken at once
                raise Malformed(f"truth: waiting[{seat}]: expected a hand beside it, found none")
        if self.sets:
            if not all(self.sets):
                raise Malformed("truth: sets: expected cards in each, found an empty one")
        elif self.phase != OVER and sum(map(self.holds, range(self.seats))) < 2:
            raise Malformed("truth: hands: expected two or more with cards, found fewer")

    def holds(self, seat: int) -> bool:
        return bool(self.hands[seat] or (self.waiting and self.waiting[seat]))

    def acting(self) -> list[int]:
        """Return the seats that owe a decision."""
        if self.phase == OVER:
            return []
        if self.turn is not None:
            return [self.turn]
        if self.phase == LOOK:
            return [seat for seat in range(2) if self.looked[seat] is None]
        seats = [seat for seat in range(self.seats) if seat not in self.chosen]
        if self.phase in (DECIDE, PICK) and self.form == STANDARD:
            return [seat for seat in seats if seat not in self.confirmed]
        return seats
