"""Is a record what it claims to be? Three separate answers: its chain, its seed, its rules.

The chain shows that no line was changed, lost or moved. The seed opens the commitment that was
shown before the deal, and gives exactly the draws that are recorded. The rules allow every action
and tell exactly the facts that are recorded. Each action is judged in the position that the
recorded facts make, so one false line does not condemn the lines after it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import groupby
from operator import attrgetter

from zashiki.core import record as records
from zashiki.core.dice import NoSeed, Script
from zashiki.core.facts import Fact
from zashiki.core.match import Match, Unfit, follow
from zashiki.core.offer import Offer
from zashiki.core.record import Broken, Record
from zashiki.core.rulings import Malformed, Refused, quoted

MOST_BRANCHES = 2000
"""So many ways that chance may have gone are tried in all, where no seed tells which it was."""
MOST_FOLDED = 200_000
"""And so many facts are told again for that: a try begins where the match began."""
MOST_FAULTS = 10
"""After so many wrong actions nothing more is judged: each costs as much as the whole record."""


class Verdict(Enum):
    """What a check says."""

    OK = "ok"
    FAILED = "failed"
    NOT_JUDGED = "not judged"


@dataclass(frozen=True)
class Finding:
    """One of the three answers: a verdict, a sentence, and the line at fault if there is one."""

    verdict: Verdict
    text: str
    line: int | None = None


@dataclass(frozen=True)
class Report:
    """The three answers, and how many actions (the set-up counts as one) were not judged."""

    chain: Finding
    seed: Finding
    rules: Finding
    not_judged: int = 0

    @property
    def ok(self) -> bool:
        """Has nothing failed? What was not judged is no failure."""
        answers = (self.chain, self.seed, self.rules)
        return all(answer.verdict is not Verdict.FAILED for answer in answers)


def verify(text: str, offers: Mapping[str, Offer]) -> Report:
    """Judge a record by itself and by the rules of the games on offer."""
    try:
        record = records.read(text)
    except Broken as fault:
        unread = Finding(Verdict.NOT_JUDGED, "the chain is broken")
        return Report(Finding(Verdict.FAILED, str(fault), fault.line), unread, unread)
    whole = f"{counted(len(record.facts), 'fact')}, none changed, lost or moved"
    chain = Finding(Verdict.OK, whole)
    opening = opened(record)
    reason = why_not_judged(record, offers)
    if reason is not None:
        return Report(chain, without_draws(opening), reason)
    return judged(record, offers[record.header.game], chain, opening)


def counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def opened(record: Record) -> Finding:
    """Do seed and salt open the commitment?"""
    if record.seed is None or record.salt is None:
        over = "the match is over, and yet it was " if record.over else ""
        return Finding(Verdict.NOT_JUDGED, f"{over}not revealed")
    if records.commit(record.seed, record.salt) != record.header.commitment:
        line = len(record.facts) + 2
        text = f"line {line}: seed and salt do not open the commitment in the header"
        return Finding(Verdict.FAILED, text, line)
    return Finding(Verdict.OK, "seed and salt open the commitment")


def without_draws(opening: Finding) -> Finding:
    if opening.verdict is not Verdict.OK:
        return opening
    return Finding(Verdict.OK, f"{opening.text}; the draws were not judged")


def why_not_judged(record: Record, offers: Mapping[str, Offer]) -> Finding | None:
    """What keeps us from judging the rules, which may be a fault in the header."""
    header = record.header
    offer = offers.get(header.game)
    if offer is None:
        return Finding(Verdict.NOT_JUDGED, f"the game {header.game!r} is not known here")
    if header.rules_version != offer.rules_version:
        text = f"played by version {header.rules_version} of the rules"
        return Finding(Verdict.NOT_JUDGED, f"{text}, version {offer.rules_version} is known here")
    if record.reader != "everything":
        text = f"this is what reader {record.reader!r} was told, a whole record is needed"
        return Finding(Verdict.NOT_JUDGED, text)
    try:
        seats = offer.check_seats(header.seats)
        if offer.check_options(header.options, seats) != header.options:
            raise Malformed("options: a value for each option of the game is expected")
    except Malformed as fault:
        return Finding(Verdict.FAILED, f"line 1: {fault}", 1)
    return None


# Judging ---------------------------------------------------------------------------------------


def judged(record: Record, offer: Offer, chain: Finding, opening: Finding) -> Report:
    """The report of a record whose rules are known."""
    judge = Judge(record, offer)
    judge.judge()
    seed = opening if opening.verdict is Verdict.FAILED else judge.against_seed
    if seed is None and opening.verdict is Verdict.OK:
        drawn = f"what was drawn in {counted(judge.draws, 'place')} is what they give"
        seed = Finding(Verdict.OK, f"{opening.text}; {drawn}")
    rules = judge.against_rules or judge.nothing_against_rules()
    return Report(chain, seed or opening, rules, judge.not_judged)


@dataclass(frozen=True)
class Deed:
    """An action (or the set-up) as recorded: its facts and the lines on which they stand."""

    facts: Sequence[Fact]
    lines: Sequence[int]

    @property
    def act(self) -> int:
        return self.facts[0].act if self.facts else 0

    def __str__(self) -> str:
        if not self.act:
            return "the set-up"
        return f"action {self.act}, {quoted(self.facts[0].action)} of seat {self.facts[0].seat}"

    @property
    def first_line(self) -> int:
        return self.lines[0] if self.lines else 2

    @property
    def last_line(self) -> int:
        """Its last line, or the header where it has none."""
        return self.lines[-1] if self.lines else 1

    def words(self) -> str | None:
        """What was said with it, as recorded."""
        said = [fact.arguments.get("words") for fact in self.facts if fact.name == "said"]
        return str(said[0]) if said else None


def deeds(record: Record) -> Iterator[Deed]:
    """The set-up, also where it tells nothing, and each action."""
    if not record.facts or record.facts[0].act:
        yield Deed([], [])
    start = 0
    for _, group in groupby(record.facts, attrgetter("act")):
        facts = list(group)
        yield Deed(facts, record.lines[start : start + len(facts)])
        start += len(facts)


class Judge:
    """Plays a record again, action by action, and keeps the first fault of each kind."""

    def __init__(self, record: Record, offer: Offer) -> None:
        self.record = record
        self.match = Match(offer, record.header, record.seed, record.salt)
        self.done = 0
        """How many facts the match stands on."""
        self.tried = 0
        self.folded = 0
        self.faults = 0
        self.draws = 0
        self.judged: list[Deed] = []
        self.undrawn: list[Deed] = []
        """Those that draw, where no seed is revealed."""
        self.disputed: list[Deed] = []
        """Those that draw, and tell what the seed does not give."""
        self.against_seed: Finding | None = None
        self.against_rules: Finding | None = None

    def judge(self) -> None:
        for deed in deeds(self.record):
            told = self.tell_again(deed)
            if told is not None:
                self.compare(deed, told)
            if not self.stand_after(deed, told):
                return
        if self.match.over != self.record.over:
            now = "over" if self.match.over else "not over"
            self.blame_rules(len(self.record.facts) + 2, f"by the rules the match is {now} here")

    def tell_again(self, deed: Deed) -> Sequence[Fact] | None:
        """The facts that the rules tell; None where they tell nothing or cannot be asked."""
        try:
            told = self.arrange(deed) if self.is_arranged(deed) else self.tell(deed)
        except NoSeed:
            return self.guess(deed)
        except Refused as refused:
            self.blame_rules(deed.first_line, f"{deed}, is refused: {refused}")
        except Unfit as fault:
            self.blame_rules(deed.first_line, f"{deed}, cannot be taken: {fault}")
        else:
            self.judged.append(deed)
            return told
        return None

    def tell(self, deed: Deed) -> Sequence[Fact]:
        return self.play(deed) if deed.act else self.start()

    def is_arranged(self, deed: Deed) -> bool:
        return self.record.header.scenario and not deed.act

    def arrange(self, deed: Deed) -> Sequence[Fact]:
        """A scenario is set up as its truth is, whatever the truth may be."""
        self.stand_on(deed.facts)
        truth = self.match.truth()
        self.stand_on([])
        self.match.game.set_scene(self.match.state, truth)
        return self.match.facts()

    def guess(self, deed: Deed) -> Sequence[Fact] | None:
        """Without a seed: the recorded facts, if the rules tell them for some draw."""
        possible = self.can_be_drawn(deed)
        if possible:
            self.judged.append(deed)
            return deed.facts
        if possible is None:
            self.undrawn.append(deed)
        else:
            text = f"{deed}: whatever was drawn, the rules do not tell this"
            self.blame_rules(deed.first_line, text)
        return None

    def can_be_drawn(self, deed: Deed) -> bool | None:
        """Do the rules tell the recorded facts for some draw? None where there are too many."""
        answers: list[int] | None = []
        while answers is not None:
            if self.tried == MOST_BRANCHES or self.folded > MOST_FOLDED:
                return None
            self.tried += 1
            self.folded += self.done
            script = Script(answers)
            self.stand_on(self.record.facts[: self.done])
            self.match.dice = script
            if self.tells(deed):
                return True
            answers = script.next_answers()
        return False

    def tells(self, deed: Deed) -> bool:
        try:
            return difference(deed, self.tell(deed)) is None
        except (Refused, *Unfit):
            return False

    def start(self) -> Sequence[Fact]:
        match = self.match
        match.game.start(match.state, match.chance(0))
        return match.facts()

    def play(self, deed: Deed) -> Sequence[Fact]:
        first = deed.facts[0]
        assert first.seat is not None, "records.read has seen to it"
        assert first.action is not None
        return list(self.match.play(first.seat, first.action, deed.words()))

    def compare(self, deed: Deed, told: Sequence[Fact]) -> None:
        """Blame a difference on the seed if another draw would tell what is recorded."""
        has_drawn = self.match.dice.has_drawn()
        found = difference(deed, told)
        if found is None:
            self.draws += has_drawn
            return
        line, text = found
        if not has_drawn or self.can_be_drawn(deed) is False:
            self.blame_rules(line, f"{deed}: {text}")
            return
        self.judged.remove(deed)
        self.disputed.append(deed)
        if self.against_seed is None:
            text = f"line {line}: {deed}: drawn from this seed, {text}"
            self.against_seed = Finding(Verdict.FAILED, text, line)

    def stand_after(self, deed: Deed, told: Sequence[Fact] | None) -> bool:
        """Let the match stand where the record says; False if it is not worth going on."""
        self.done += len(deed.facts)
        if told is not None and difference(deed, told) is None:
            return True
        self.faults += 1
        if self.faults > MOST_FAULTS:
            return False
        try:
            self.stand_on(self.record.facts[: self.done])
        except Broken as fault:
            self.blame_rules(fault.line, str(fault).partition(": ")[2])
            return False
        return True

    def stand_on(self, facts: Sequence[Fact]) -> None:
        """A fresh match that these facts of the record have happened to."""
        header, seed, salt = self.record.header, self.record.seed, self.record.salt
        self.match = Match(self.match.offer, header, seed, salt)
        for line, fact in zip(self.record.lines, facts, strict=False):
            try:
                follow(self.match, fact)
            except Unfit as fault:
                raise Broken(line, f"{fact.name} cannot happen here: {fault}") from None

    def blame_rules(self, line: int, text: str) -> None:
        if self.against_rules is None:
            self.against_rules = Finding(Verdict.FAILED, f"line {line}: {text}", line)

    @property
    def not_judged(self) -> int:
        return len(self.undrawn) + len(self.disputed)

    def nothing_against_rules(self) -> Finding:
        """All legal, as far as it was judged."""
        if not self.judged:
            return Finding(Verdict.NOT_JUDGED, "nothing could be judged")
        actions = sum(deed.act > 0 for deed in self.judged)
        notes = [f"{counted(actions, 'action')}, all legal and told as the rules tell them"]
        if self.undrawn:
            notes.append(f"not judged, because no seed is told to draw by: {named(self.undrawn)}")
        if self.disputed:
            notes.append(f"not judged, because of what was drawn: {named(self.disputed)}")
        return Finding(Verdict.OK, "; ".join(notes))


def named(some: Sequence[Deed]) -> str:
    """The set-up, if it is among them, and how many actions."""
    actions = sum(deed.act > 0 for deed in some)
    which = ["the set-up"] if actions < len(some) else []
    which += [counted(actions, "action")] if actions else []
    return ", ".join(which)


def difference(deed: Deed, told: Sequence[Fact]) -> tuple[int, str] | None:
    """The first line on which the record and the rules part, and what each of them says."""
    recorded = [spelled(fact) for fact in deed.facts]
    expected = [spelled(fact) for fact in told]
    for place, (here, there) in enumerate(zip(recorded, expected, strict=False)):
        if here != there:
            return deed.lines[place], f"the rules tell {there}, not {here}"
    if len(recorded) > len(expected):
        return deed.lines[len(expected)], f"the rules do not tell {recorded[len(expected)]}"
    if len(recorded) < len(expected):
        return deed.last_line, f"after this line the rules tell {expected[len(recorded)]}"
    return None


def spelled(fact: Fact) -> str:
    """A fact to the letter, so that 1, 1.0 and true are three different things."""
    name = fact.name if fact.name.isidentifier() else quoted(fact.name)
    return f"{name} {records.canonical(fact.arguments)} to {records.canonical(fact.audience)}"
