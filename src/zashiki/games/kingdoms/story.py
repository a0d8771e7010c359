"""The short log of Kingdoms: a battle is an attack, its arithmetic in one line, and its result."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import takewhile

from zashiki.core.facts import Fact, Number, OneOf, Sayable, SeatNumber, Speaker, read_list

QUIET = frozenset(
    {
        "drew",  # `drafted` says it
        *("counted", "offset_counted", "offset_cancelled"),  # `reckoned` says it
        *("leave_asked", "took_hold", "battle_ended"),  # the result says it
        "emptied",  # `battle_tied` says it
        "turn_ended",  # `turn_began` says it
        *("laid", "turned_up", "took_back"),  # a public fact says it
    }
)
RESULTS = {"battle_won": "won_at_cost", "battle_tied": "tied_at_cost"}
"""Results of a battle, and how they are told together with the discards."""
AFTER = frozenset({"discarded", "returned", "leave_asked", "took_hold", "emptied", "took_back"})
"""Facts between the result of a battle and its end."""

DRAFT = frozenset({"drew", "took", "pile_made", "shuffled", "worked_out"})
"""Facts after `drafted` that belong to the same draft."""


@dataclass(frozen=True)
class Parts:
    """The parts of a total: cards, bonuses and the offset, each with its amount."""

    def say(self, written: object, speaker: Speaker) -> str:
        return speaker.listed([say_part(part, speaker) for part in read_list(written)])


def say_part(part: object, speaker: Speaker) -> str:
    """Say one part of a total, such as `Soldier 2`. A zero is not told."""
    assert isinstance(part, Mapping)
    said = speaker.word(str(part["word"]))
    if part["amount"]:
        said = speaker.form("part", said=said, amount=part["amount"])
    return speaker.form("part-added", said=said) if part["is_added"] else said


@dataclass(frozen=True)
class Losses:
    """The cards that each seat discarded."""

    cards: Sayable

    def say(self, written: object, speaker: Speaker) -> str:
        losses = [(seat, self.cards.say(cards, speaker)) for seat, cards in pairs(written)]
        return speaker.listed(
            [speaker.form("loss", seat=speaker.seat(seat), cards=said) for seat, said in losses]
        )


def pairs(written: object) -> Iterator[tuple[int, object]]:
    for one in read_list(written):
        seat, cards = read_list(one)
        yield int(str(seat)), cards


def retold(
    seat: SeatNumber, area: OneOf, cards: Sayable, card: Sayable, total: Number
) -> Mapping[str, Mapping[str, Sayable]]:
    cost: Mapping[str, Sayable] = {"area": area, "losses": Losses(cards), "returned": card}
    return {
        "drafted_own": {"seat": seat, "cards": cards},
        "attacked_own": {"seat": seat, "area": area, "cards": cards},
        "reckoned": {
            "attack": total,
            "attackers": Parts(),
            "defence": total,
            "defenders": Parts(),
        },
        "won_at_cost": {"seat": seat, **cost},
        "tied_at_cost": cost,
    }


@dataclass
class Battle:
    """The arithmetic of one battle as far as it was told."""

    attacker: object
    attackers: list[object] = field(default_factory=list)
    defenders: list[object] = field(default_factory=list)
    shields: int = 0

    def count(self, fact: Fact) -> None:
        """Add a line. A sword and a shield are told by their card, a bonus by its source."""
        given = fact.arguments
        if fact.name == "offset_cancelled":
            self.defenders.append(part("no-offset", 0))
        elif fact.name == "offset_counted" and given["amount"]:
            self.defenders.append(part("offset", given["amount"]))
        elif fact.name == "counted":
            own = self.attackers if given["seat"] == self.attacker else self.defenders
            own.append(self.counted(str(given["source"]), given))

    def counted(self, source: str, given: Mapping[str, object]) -> object:
        if source not in ("sword", "shield"):
            return part(f"by-{source}", given["amount"])
        self.shields += source == "shield"
        is_added = source == "shield" and self.shields == 2
        return part(str(given["card"]), given["amount"], is_added)

    def reckoned(self, totalled: Fact) -> Fact:
        totals = {side: totalled.arguments[side] for side in ("attack", "defence")}
        parts = {"attackers": self.attackers, "defenders": self.defenders}
        return replace(totalled, name="reckoned", arguments={**totals, **parts})


def part(word: str, amount: object, is_added: bool = False) -> dict[str, object]:
    return {"word": word, "amount": amount, "is_added": is_added}


def retell(facts: Iterable[Fact]) -> Iterator[Fact]:
    """Tell a battle in three lines, and the reader's own cards in the lines about them."""
    return told_results(told_battles(told_own(list(facts))))


def told_own(facts: list[Fact]) -> Iterator[Fact]:
    """Name the cards that a seat drew and attacked with, in place of their backs."""
    committed: dict[object, object] = {}
    for place, fact in enumerate(facts):
        given, seat = fact.arguments, fact.arguments.get("seat")
        if fact.name == "committed":
            committed[fact.audience] = given["cards"]
        elif fact.name == "attacked" and seat in committed:
            told = {"seat": seat, "area": given["area"], "cards": committed.pop(seat)}
            yield own(fact, "attacked_own", told)
        elif fact.name == "drafted" and (cards := drawn(facts[place + 1 :], seat)):
            yield own(fact, "drafted_own", {"seat": seat, "cards": cards})
        elif fact.name != "took":
            yield fact


def drawn(facts: list[Fact], seat: object) -> list[object]:
    """Return the cards that a seat is told to draw in the draft before these facts."""
    draft = takewhile(lambda fact: fact.name in DRAFT, facts)
    took = [fact for fact in draft if fact.name == "took" and fact.audience == seat]
    return [card for fact in took for card in read_list(fact.arguments["cards"])]


def own(fact: Fact, name: str, arguments: Mapping[str, object]) -> Fact:
    return replace(fact, audience=int(str(arguments["seat"])), name=name, arguments=arguments)


def told_battles(facts: Iterable[Fact]) -> Iterator[Fact]:
    """Tell the revealed cards and the arithmetic in one line."""
    battle: Battle | None = None
    for fact in facts:
        if fact.name == "revealed":
            battle = Battle(fact.arguments["seat"])
        elif battle is not None and fact.name == "totalled":
            yield battle.reckoned(fact)
            battle = None
        elif battle is not None:
            battle.count(fact)
        else:
            yield fact


def told_results(facts: Iterable[Fact]) -> Iterator[Fact]:
    """Tell the discards of a battle in the line of its result."""
    result: list[Fact] = []
    for fact in facts:
        if result and fact.name in AFTER:
            result.append(fact)
            continue
        yield from with_costs(result)
        result = [fact] if fact.name in RESULTS else []
        if not result:
            yield fact
    yield from with_costs(result)


def with_costs(facts: list[Fact]) -> list[Fact]:
    """Return the result of a battle with its discards, or as it is if there are none yet."""
    losses = [fact for fact in facts if fact.name == "discarded"]
    if not losses:
        return facts
    back = [fact.arguments["card"] for fact in facts if fact.name == "returned"]
    cost = {
        "losses": [[fact.arguments["seat"], fact.arguments["cards"]] for fact in losses],
        "returned": back[0] if back else None,
    }
    result, last = facts[0], facts[-1]
    told = {**result.arguments, **cost}
    return [replace(last, name=RESULTS[result.name], audience="all", arguments=told)]
