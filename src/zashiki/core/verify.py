"""Is a record what it claims to be? Separate answers: its chain, its seed, its rules, its nonces.

The chain shows that no line was changed, lost or moved. The seed opens the commitment that was
shown before the deal, and gives exactly the draws that are recorded. The rules allow every action
and tell exactly the facts that are recorded. Each action is judged in the position that the
recorded facts make, so one false line does not condemn the lines after it. The nonces are those
whose hashes were fixed before any was revealed; whether a player's own is among them, their witness
shows.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from importlib.resources import files
from itertools import groupby
from operator import attrgetter
from typing import Literal

from zashiki.core import record as records
from zashiki.core.dice import NoSeed, Script
from zashiki.core.facts import Fact
from zashiki.core.match import Match, Unfit, follow
from zashiki.core.messages import Message
from zashiki.core.record import Broken, Record
from zashiki.core.rulings import Malformed, Refusal, Refused, quoted
from zashiki.core.spec import GameSpec
from zashiki.core.witness import PartTaken, Witness, told_otherwise, took_part

CORE = files("zashiki.core")
"""Where the words for what was found are."""
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
    """One of the answers: a verdict, a sentence, and the line at fault if there is one."""

    verdict: Verdict
    message: Message
    line: int | None = None

    @property
    def text(self) -> str:
        return self.words()

    def words(self, language: str = "en") -> str:
        return self.message.words(language)


@dataclass(frozen=True)
class Report:
    """The answers, and how many actions (the set-up counts as one) were not judged."""

    chain: Finding
    seed: Finding
    rules: Finding
    nonces: Finding
    not_judged: int = 0

    @property
    def answers(self) -> Sequence[Finding]:
        return self.chain, self.seed, self.rules, self.nonces

    @property
    def ok(self) -> bool:
        """Has nothing failed? What was not judged is no failure."""
        return self.verdict is not Verdict.FAILED

    @property
    def verdict(self) -> Verdict:
        """Failed if one answer is, and OK if all are: then the shuffle is proved to the witness."""
        verdicts = {answer.verdict for answer in self.answers}
        if Verdict.FAILED in verdicts:
            return Verdict.FAILED
        return Verdict.OK if verdicts == {Verdict.OK} else Verdict.NOT_JUDGED


def verify(text: str, specs: Mapping[str, GameSpec], witness: Witness | None = None) -> Report:
    """Judge a record by itself, by the rules of the games on offer, and by what a player kept."""
    try:
        record = records.read(text)
    except Broken as fault:
        return unread(fault)
    chain = Finding(Verdict.OK, found("whole", facts=counted(len(record.facts), "fact")))
    opening = opened(record)
    nonces = judge_nonces(record, witness)
    reason = why_not_judged(record, specs)
    if reason is not None:
        return Report(chain, without_draws(opening), reason, nonces)
    return judged(record, specs[record.header.game], chain, opening, nonces)


def found(key: str, reason: str = "", /, **details: object) -> Message:
    return Message(CORE, "findings", key, details, reason)


def unread(fault: Broken) -> Report:
    """What is said of a record that cannot be read to its end."""
    not_judged = Finding(Verdict.NOT_JUDGED, found("unread"))
    said = found(fault.kind, fault.fault, line=fault.line)
    return Report(Finding(Verdict.FAILED, said, fault.line), not_judged, not_judged, not_judged)


def counted(number: int, noun: str) -> Message:
    return found(f"one-{noun}" if number == 1 else f"{noun}s", count=number)


def opened(record: Record) -> Finding:
    """Do seed and salt open the commitment?"""
    if record.seed is None or record.salt is None:
        text = found("withheld" if record.over else "not-revealed")
        return Finding(Verdict.NOT_JUDGED, text)
    if records.commit(record.seed, record.salt) != record.header.commitment:
        line = len(record.facts) + 2
        return Finding(Verdict.FAILED, found("not-opened", line=line), line)
    return Finding(Verdict.OK, found("opened"))


def without_draws(opening: Finding) -> Finding:
    if opening.verdict is not Verdict.OK:
        return opening
    return Finding(Verdict.OK, found("opened-only", opened=opening.message))


def why_not_judged(record: Record, specs: Mapping[str, GameSpec]) -> Finding | None:
    """What keeps us from judging the rules, which may be a fault in the header."""
    header = record.header
    spec = specs.get(header.game)
    if spec is None:
        return Finding(Verdict.NOT_JUDGED, found("unknown-game", game=repr(header.game)))
    if header.rules_version != spec.rules_version:
        text = found("other-version", version=header.rules_version, known=spec.rules_version)
        return Finding(Verdict.NOT_JUDGED, text)
    if record.reader != "everything":
        return Finding(Verdict.NOT_JUDGED, found("partial", reader=repr(record.reader)))
    try:
        seats = spec.check_seats(header.seats)
        if spec.check_options(header.options, seats) != header.options:
            raise Malformed("options: a value for each option of the game is expected")
    except Malformed as fault:
        return Finding(Verdict.FAILED, found("other-table", str(fault), line=1), 1)
    return None


# Nonces ----------------------------------------------------------------------------------------

NO_HASHES = "no-hashes"
"""The key of what is said of a record without hashes of nonces."""
NOT_PROVED = ("not-taken", "not-revealed-by-you", "not-compared")
"""What happened to the player's own nonce, if the server is not known to be at fault."""


def judge_nonces(record: Record, witness: Witness | None) -> Finding:
    """Do all nonces fit the hashes that were fixed before, and is the player's own among them?"""
    header = record.header
    for seat, (hash, nonce) in enumerate(zip(header.hashes, header.nonces, strict=False)):
        if nonce and records.nonce_hash(header.commitment, seat, nonce) != hash:
            return Finding(Verdict.FAILED, found("other-nonce", line=1, seat=seat), 1)
    if witness is not None:
        against = against_witness(record, witness)
        if against is not None:
            return against
    withheld = [seat for seat, gave in enumerate(header.gave) if gave == "withheld"]
    if withheld:
        seats = ", ".join(map(str, withheld))
        return Finding(Verdict.NOT_JUDGED, found("nonce-withheld", seats=seats))
    if witness is None:
        return Finding(Verdict.NOT_JUDGED, found("no-witness" if header.hashes else NO_HASHES))
    nonces = counted(header.gave.count("nonce"), "nonce")
    facts = counted(len(witness.told), "fact")
    return Finding(Verdict.OK, found("took-part", nonces=nonces, facts=facts))


def against_witness(record: Record, witness: Witness) -> Finding | None:
    """What a player kept that the record does not confirm."""
    key: PartTaken | Literal["not-compared"] = took_part(witness, record.header)
    is_told = bool(witness.told) and record.reader in ("everything", witness.seat)
    if key == "took-part" and not is_told:
        key = "not-compared"
    if key in NOT_PROVED:
        return Finding(Verdict.NOT_JUDGED, found(key))
    if key != "took-part":
        return Finding(Verdict.FAILED, found(key, line=1), 1)
    told = [
        (line, fact)
        for line, fact in zip(record.lines, record.facts, strict=True)
        if records.tells(fact.audience, witness.seat)
    ]
    place = told_otherwise(witness, [fact for _, fact in told])
    if place is None:
        return None
    line = told[place][0] if place < len(told) else len(record.facts) + 2
    return Finding(Verdict.FAILED, found("told-otherwise", line=line), line)


# Judging ---------------------------------------------------------------------------------------


def judged(
    record: Record, spec: GameSpec, chain: Finding, opening: Finding, nonces: Finding
) -> Report:
    """The report of a record whose rules are known."""
    judge = Judge(record, spec)
    judge.judge()
    seed = opening if opening.verdict is Verdict.FAILED else judge.against_seed
    if seed is None and opening.verdict is Verdict.OK:
        drawn = counted(judge.draws, "place")
        seed = Finding(Verdict.OK, found("drawn", opened=opening.message, places=drawn))
    rules = judge.against_rules or judge.nothing_against_rules()
    return Report(chain, seed or opening, rules, nonces, judge.not_judged)


@dataclass(frozen=True)
class Deed:
    """An action (or the set-up) as recorded: its facts and the lines on which they stand."""

    facts: Sequence[Fact]
    lines: Sequence[int]

    @property
    def act(self) -> int:
        return self.facts[0].act if self.facts else 0

    @property
    def name(self) -> Message:
        if not self.act:
            return found("set-up")
        first = self.facts[0]
        return found("deed", number=self.act, action=quoted(first.action), seat=first.seat)

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

    def __init__(self, record: Record, spec: GameSpec) -> None:
        self.record = record
        self.match = Match(spec, record.header, record.seed, record.salt)
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
            text = "over" if self.match.over else "not-over"
            self.blame_rules(len(self.record.facts) + 2, text)

    def tell_again(self, deed: Deed) -> Sequence[Fact] | None:
        """The facts that the rules tell; None where they tell nothing or cannot be asked."""
        try:
            told = self.arrange(deed) if self.is_arranged(deed) else self.tell(deed)
        except NoSeed:
            return self.guess(deed)
        except Refused as refused:
            why = Objection(self.match, refused.refusal)
            self.blame_rules(deed.first_line, "refused", deed=deed.name, refusal=why)
        except Unfit as fault:
            self.blame_rules(deed.first_line, "impossible-deed", str(fault), deed=deed.name)
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
            self.blame_rules(deed.first_line, "never-drawn", deed=deed.name)
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
        parting = difference(deed, told)
        if parting is None:
            self.draws += has_drawn
            return
        line, text = parting
        if not has_drawn or self.can_be_drawn(deed) is False:
            self.blame_rules(line, "differs", deed=deed.name, difference=text)
            return
        self.judged.remove(deed)
        self.disputed.append(deed)
        if self.against_seed is None:
            text = found("against-seed", line=line, deed=deed.name, difference=text)
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
            self.blame_rules(fault.line, "impossible-fact", fault.fault)
            return False
        return True

    def stand_on(self, facts: Sequence[Fact]) -> None:
        """A fresh match that these facts of the record have happened to."""
        header, seed, salt = self.record.header, self.record.seed, self.record.salt
        self.match = Match(self.match.spec, header, seed, salt)
        for line, fact in zip(self.record.lines, facts, strict=False):
            try:
                follow(self.match, fact)
            except Unfit as fault:
                raise Broken(line, f"{fact.name} cannot happen here: {fault}") from None

    def blame_rules(self, line: int, key: str, reason: str = "", /, **details: object) -> None:
        if self.against_rules is None:
            text = found(key, reason, line=line, **details)
            self.against_rules = Finding(Verdict.FAILED, text, line)

    @property
    def not_judged(self) -> int:
        return len(self.undrawn) + len(self.disputed)

    def nothing_against_rules(self) -> Finding:
        """All legal, as far as it was judged."""
        if not self.judged:
            return Finding(Verdict.NOT_JUDGED, found("nothing-judged"))
        actions = sum(deed.act > 0 for deed in self.judged)
        text = found("legal", actions=counted(actions, "action"))
        for key, some in (("undrawn", self.undrawn), ("disputed", self.disputed)):
            if some:
                text = found(key, before=text, deeds=named(some))
        return Finding(Verdict.OK, text)


@dataclass(frozen=True)
class Objection:
    """The rule that stands against an action, in the words of the match."""

    match: Match
    refusal: Refusal

    def words(self, language: str) -> str:
        return f"{self.refusal.ruling}: {self.match.texts(language).refusal(self.refusal)}"


def named(some: Sequence[Deed]) -> Message:
    """The set-up, if it is among them, and how many actions."""
    actions = sum(deed.act > 0 for deed in some)
    if not actions:
        return found("set-up")
    count = counted(actions, "action")
    return count if actions == len(some) else found("set-up-and", actions=count)


def difference(deed: Deed, told: Sequence[Fact]) -> tuple[int, Message] | None:
    """The first line on which the record and the rules part, and what each of them says."""
    recorded = [spelled(fact) for fact in deed.facts]
    expected = [spelled(fact) for fact in told]
    for place, (here, there) in enumerate(zip(recorded, expected, strict=False)):
        if here != there:
            return deed.lines[place], found("other-fact", there=there, here=here)
    if len(recorded) > len(expected):
        return deed.lines[len(expected)], found("extra-fact", fact=recorded[len(expected)])
    if len(recorded) < len(expected):
        return deed.last_line, found("missing-fact", fact=expected[len(recorded)])
    return None


def spelled(fact: Fact) -> Message:
    """A fact to the letter, so that 1, 1.0 and true are three different things."""
    name = fact.name if fact.name.isidentifier() else quoted(fact.name)
    arguments, audience = records.canonical(fact.arguments), records.canonical(fact.audience)
    return found("spelled", name=name, arguments=arguments, audience=audience)
