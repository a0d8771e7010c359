"""A position of Kingdoms read from a full state: checked strictly, and turned into facts.

Keys, counts and cards must be right. A position that no play can reach is allowed.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from zashiki.core.parts import NO_SEATS, Seat, Seats
from zashiki.core.position import PositionReader
from zashiki.core.rulings import Malformed, quoted
from zashiki.games.kingdoms.cards import NO_CARD, NO_CARDS, Hand, Kind, hand_of, holds
from zashiki.games.kingdoms.forces import AREAS, CLASSES, SIDES, Forces
from zashiki.games.kingdoms.state import (
    DEFEND,
    LEAVE,
    MOST_STILL,
    MOST_TURNS,
    OVER,
    PHASES,
    KingdomsState,
    spelled,
)

KEYS = (
    "card_set", "phase", "turn", "number", "still", "placed", "areas", "hands", "piles", "discards",
    "battle",
)  # fmt: skip
BATTLE_KEYS = ("area", "attackers", "defender", "added", "winner")


class Position(PositionReader):
    """A full state, read and checked."""

    def __init__(self, truth: Mapping[str, object], forces: Forces) -> None:
        super().__init__(truth, len(SIDES), KEYS)
        self.forces = forces
        if truth["card_set"] != forces.name:
            raise Malformed(
                f"truth: card_set: expected {forces.name!r}, found {quoted(truth['card_set'])}"
            )
        self.phase = self.one_of("phase", truth["phase"], PHASES)
        self.number_of_turn = self.number("number", truth["number"], 1, MOST_TURNS)
        self.still = self.number("still", truth["still"], 0, MOST_STILL)
        if not isinstance(truth["placed"], bool):
            raise Malformed(
                f"truth: placed: expected true or false, found {quoted(truth['placed'])}"
            )
        self.placed = truth["placed"]
        self.areas = [
            self.area(f"areas.{name}", value)
            for name, value in self.entries("areas", truth["areas"], AREAS).items()
        ]
        self.hands = [
            self.cards(f"hands[{seat}]", hand) for seat, hand in enumerate(self.by_seat("hands"))
        ]
        self.piles = self.by_class("piles")
        self.discards = self.by_class("discards")
        self.read_battle()
        self.read_turn()
        self.check_cards()

    # Reading -----------------------------------------------------------------------------------

    def entries(self, path: str, value: object, keys: Sequence[str]) -> dict[str, object]:
        """Return a mapping with exactly these keys."""
        if not isinstance(value, Mapping):
            raise Malformed(f"truth: {path}: expected a mapping, found {quoted(value)}")
        for key in value:
            if key not in keys:
                expected = ", ".join(keys)
                raise Malformed(f"truth: {path}: expected the keys {expected}, found {quoted(key)}")
        for key in keys:
            if key not in value:
                raise Malformed(f"truth: {path}: expected the key {quoted(key)}, found none")
        return {key: value[key] for key in keys}

    def card(self, path: str, value: object) -> Kind:
        return Kind(self.one_of(path, value, self.forces.names) + 1)

    def cards(self, path: str, value: object) -> list[int]:
        return [
            int(self.card(f"{path}[{place}]", card))
            for place, card in enumerate(self.items(path, value))
        ]

    def by_class(self, key: str) -> list[list[int]]:
        entries = self.entries(key, self.truth[key], CLASSES)
        found = [self.cards(f"{key}.{name}", entries[name]) for name in CLASSES]
        for rank, name in enumerate(CLASSES):
            for kind in found[rank]:
                is_monarch = self.forces.is_monarch(kind)
                if is_monarch or self.forces.classes[kind] != rank:
                    raise Malformed(
                        f"truth: {key}.{name}: expected cards of the class {name}, "
                        f"found {self.forces.names[kind - 1]!r}"
                    )
        return found

    def area(self, path: str, value: object) -> tuple[Seat, Kind] | None:
        if value is None:
            return None
        entries = self.entries(path, value, ("seat", "card"))
        seat = self.number(f"{path}.seat", entries["seat"], 0, 1)
        return Seat(seat), self.card(f"{path}.card", entries["card"])

    def read_battle(self) -> None:
        """Read the battle that is not settled, if there is one."""
        self.place, self.attackers, self.added = -1, NO_CARDS, NO_CARD
        self.attacker = Seat(0)
        self.winner: Seat | None = None
        battle = self.truth["battle"]
        if battle is None:
            if self.phase in (DEFEND, LEAVE):
                raise Malformed(f"truth: battle: expected one in {PHASES[self.phase]}, found None")
            return
        if self.phase not in (DEFEND, LEAVE, OVER):
            raise Malformed(f"truth: battle: expected None in {PHASES[self.phase]}, found one")
        entries = self.entries("battle", battle, BATTLE_KEYS)
        self.place = self.one_of("battle.area", entries["area"], AREAS)
        there = self.areas[self.place]
        if there is None:
            raise Malformed(
                f"truth: battle.area: expected a held area, found {AREAS[self.place]!r}"
            )
        if self.card("battle.defender", entries["defender"]) != there[1]:
            raise Malformed(
                f"truth: battle.defender: expected {self.forces.names[there[1] - 1]!r}, the card "
                f"in the area, found {quoted(entries['defender'])}"
            )
        attackers = self.cards("battle.attackers", entries["attackers"])
        if not 1 <= len(attackers) <= 2:
            raise Malformed(f"truth: battle.attackers: expected 1 or 2, found {len(attackers)}")
        self.attackers, self.attacker = hand_of(attackers), Seat(1 - there[0])
        if entries["added"] is not None:
            self.added = self.card("battle.added", entries["added"])
        self.read_winner(entries["winner"])

    def read_winner(self, winner: object) -> None:
        """Read the winner of a battle, who must have a choice of cards to leave (RB 3.4)."""
        if self.phase != LEAVE:
            if winner is not None:
                raise Malformed(f"truth: battle.winner: expected None, found {quoted(winner)}")
            if self.phase == DEFEND and self.added:
                raise Malformed("truth: battle.added: expected None in defend, found a card")
            return
        self.winner = Seat(self.number("battle.winner", winner, 0, 1))
        two = self.attackers >> 6 if self.winner == self.attacker else self.added
        if not two:
            raise Malformed(f"truth: battle.winner: expected a seat with two cards, found {winner}")

    def read_turn(self) -> None:
        turn = self.truth["turn"]
        if self.phase == OVER:
            if turn is not None:
                raise Malformed(
                    f"truth: turn: expected None in a match that is over, found {quoted(turn)}"
                )
            self.acting, self.owner = NO_SEATS, self.attacker
            return
        seat = Seat(self.number("turn", turn, 0, 1))
        expected = seat
        if self.phase == DEFEND:
            expected = Seat(1 - self.attacker)
        elif self.winner is not None:
            expected = self.winner
        if seat != expected:
            raise Malformed(f"truth: turn: expected {expected}, who decides this, found {turn}")
        self.acting = Seats(1 << seat)
        self.owner = self.attacker if self.phase in (DEFEND, LEAVE) else seat

    def check_cards(self) -> None:
        """Check that every card of the set is in one place, and monarchs are with their owners."""
        self.held = [hand + self.fighting(Seat(seat)) for seat, hand in enumerate(self.hands)]
        """Each hand with its cards in the battle."""
        for seat, cards in enumerate(self.held):
            lying = [int(area[1]) for area in self.areas if area is not None and area[0] == seat]
            if int(self.forces.monarchs[1 - seat]) in cards + lying:
                name = self.forces.names[self.forces.monarchs[1 - seat] - 1]
                raise Malformed(
                    f"truth: {name!r}: expected it with its owner, found it with seat {seat}"
                )
        places = [*self.held, *self.piles, *self.discards]
        found = Counter(kind for cards in places for kind in cards)
        found.update(int(area[1]) for area in self.areas if area is not None)
        for kind, name in enumerate(self.forces.names, 1):
            if found[kind] != self.forces.copies[kind]:
                raise Malformed(
                    f"truth: {name!r}: expected {self.forces.copies[kind]} in all places together, "
                    f"found {found[kind]}"
                )

    def fighting(self, seat: Seat) -> list[int]:
        """Return the cards of a seat that have left its hand for the battle."""
        if self.place < 0:
            return []
        if seat == self.attacker:
            return [int(kind) for kind in (self.attackers & 63, self.attackers >> 6) if kind]
        return [int(self.added)] if self.added else []

    # Telling -----------------------------------------------------------------------------------

    def tell(self, state: KingdomsState) -> None:
        public = state.public
        for area, there in enumerate(self.areas):
            if there is not None:
                public.scene_held(there[0], area, there[1])
        for seat, cards in enumerate(self.held):
            hand, monarch = hand_of(cards), Kind(self.forces.monarchs[seat])
            aces = sum(int(self.forces.classes[kind]) for kind in cards)
            known = Hand(int(monarch)) if holds(hand, monarch) else NO_CARDS
            public.scene_hand(Seat(seat), len(cards) - aces, aces, known)
            state.own[seat].dealt(hand)
        for rank in range(len(CLASSES)):
            public.scene_pile(rank, len(self.piles[rank]), spelled(self.discards[rank]))
            state.hidden.shuffled(rank, spelled(self.piles[rank]))
        if self.place >= 0:
            self.tell_battle(state)
        public.scene_set(
            self.owner, self.acting, self.phase, self.number_of_turn, self.still, int(self.placed)
        )

    def tell_battle(self, state: KingdomsState) -> None:
        public, attacker = state.public, self.attacker
        cards = self.fighting(attacker)
        aces = sum(int(self.forces.classes[kind]) for kind in cards)
        state.own[attacker].committed(self.attackers)
        public.attacked(attacker, self.place, len(cards) - aces, aces)
        if self.phase == DEFEND:
            return
        state.own[attacker].turned_up()
        if self.added:
            state.own[1 - attacker].laid(self.added)
        holder = public.card_in(self.place)
        public.revealed(attacker, self.place, self.attackers, holder, self.added)
        if self.winner is not None:
            public.leave_asked(self.winner)
