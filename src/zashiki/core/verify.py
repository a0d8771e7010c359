"""Verification of a record, with separate findings for its chain, seed, rules and nonces.

- Chain: no line was changed, lost or moved.
- Seed: it opens the commitment that was shown before the deal, and gives the recorded draws.
- Rules: they allow every action and give the recorded facts. Each action is judged in the position
  of the recorded facts before it, so that one false line does not condemn the lines after it.
- Nonces: they fit the hashes that were fixed before any nonce was revealed. A player's witness
  shows whether their own nonce is among them.
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
"""The folder with the texts of findings."""
MAX_BRANCHES = 2000
"""Maximum outcomes of chance that are tried for a record without a seed."""
MAX_FOLDED = 200_000
"""Maximum facts that are applied again for that: every try begins with the match."""
MAX_FAULTS = 10
"""Maximum wrong actions that are judged: each costs as much as the whole record."""


class Verdict(Enum):
    """The result of a check."""

    OK = "ok"
    FAILED = "failed"
    NOT_JUDGED = "not judged"


@dataclass(frozen=True)
class Finding:
    """The result of one check: a verdict, a sentence, and the line at fault if there is one."""

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
    """All findings, and the number of actions (with the set-up) that were not judged."""

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
        """True if no check failed. A check that could not be made did not fail."""
        return self.verdict is not Verdict.FAILED

    @property
    def verdict(self) -> Verdict:
        """FAILED if one check failed, OK if all passed: then the shuffle is proved fair."""
        verdicts = {answer.verdict for answer in self.answers}
        if Verdict.FAILED in verdicts:
            return Verdict.FAILED
        return Verdict.OK if verdicts == {Verdict.OK} else Verdict.NOT_JUDGED


def verify(text: str, specs: Mapping[str, GameSpec], witness: Witness | None = None) -> Report:
    """Verify a record by itself, by the rules of known games, and by a player's witness."""
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


def reader_name(reader: str | int) -> Message:
    """Name the reader of a record that does not hold everything."""
    return found("reader-seat", seat=reader + 1) if isinstance(reader, int) else found("reader-all")


def unread(fault: Broken) -> Report:
    """Return the report on a record that cannot be read to its end."""
    not_judged = Finding(Verdict.NOT_JUDGED, found("unread"))
    said = found(fault.kind, fault.fault, line=fault.line)
    return Report(Finding(Verdict.FAILED, said, fault.line), not_judged, not_judged, not_judged)


def counted(number: int, noun: str) -> Message:
    return found(f"one-{noun}" if number == 1 else f"{noun}s", count=number)


def opened(record: Record) -> Finding:
    """Return the finding on the commitment: whether seed and salt open it."""
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
    """Return the reason why the rules cannot be judged, such as a bad header; else None."""
    header = record.header
    spec = specs.get(header.game)
    if spec is None:
        return Finding(Verdict.NOT_JUDGED, found("unknown-game", game=repr(header.game)))
    if header.rules_version != spec.rules_version:
        text = found("other-version", version=header.rules_version, known=spec.rules_version)
        return Finding(Verdict.NOT_JUDGED, text)
    if record.reader != "everything":
        return Finding(Verdict.NOT_JUDGED, found("partial", reader=reader_name(record.reader)))
    try:
        seats = spec.check_seats(header.seats)
        if spec.check_options(header.options, seats) != header.options:
            raise Malformed("options: expected a settled value of each option, found others")
    except Malformed as fault:
        return Finding(Verdict.FAILED, found("other-table", str(fault), line=1), 1)
    return None


# Nonces ----------------------------------------------------------------------------------------

NO_HASHES = "no-hashes"
"""The key of the finding on a record without hashes of nonces."""
NOT_PROVED = ("not-taken", "not-revealed-by-you", "not-compared")
"""The keys of findings that prove nothing, neither for nor against the server."""


def judge_nonces(record: Record, witness: Witness | None) -> Finding:
    """Return the finding on the nonces: whether they fit their hashes and the witness."""
    header = record.header
    for seat, (hash, nonce) in enumerate(zip(header.hashes, header.nonces, strict=False)):
        if nonce and records.nonce_hash(header.commitment, seat, nonce) != hash:
            return Finding(Verdict.FAILED, found("other-nonce", line=1, seat=seat + 1), 1)
    if witness is not None:
        against = against_witness(record, witness)
        if against is not None:
            return against
    withheld = [seat for seat, gave in enumerate(header.gave) if gave == "withheld"]
    if withheld:
        seats = ", ".join(str(seat + 1) for seat in withheld)
        return Finding(Verdict.NOT_JUDGED, found("nonce-withheld", seats=seats))
    if witness is None:
        return Finding(Verdict.NOT_JUDGED, found("no-witness" if header.hashes else NO_HASHES))
    nonces = counted(header.gave.count("nonce"), "nonce")
    facts = counted(len(witness.told), "fact")
    return Finding(Verdict.OK, found("took-part", nonces=nonces, facts=facts))


def against_witness(record: Record, witness: Witness) -> Finding | None:
    """Return the first difference between a record and a player's witness, if any."""
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
        is_whole = len(witness.told) == len(told)
        return None if is_whole else Finding(Verdict.NOT_JUDGED, found("told-in-part"))
    line = told[place][0] if place < len(told) else len(record.facts) + 2
    return Finding(Verdict.FAILED, found("told-otherwise", line=line), line)


# Judging ---------------------------------------------------------------------------------------


def judged(
    record: Record, spec: GameSpec, chain: Finding, opening: Finding, nonces: Finding
) -> Report:
    """Return the report on a record whose rules are known."""
    judge = Judge(record, spec)
    judge.judge()
    seed = opening if opening.verdict is Verdict.FAILED else judge.against_seed
    if seed is None and opening.verdict is Verdict.OK:
        seed = drawn(record, opening, judge.draws)
    rules = judge.against_rules or judge.nothing_against_rules()
    return Report(chain, seed or opening, rules, nonces, judge.not_judged)


def drawn(record: Record, opening: Finding, draws: int) -> Finding:
    """Return the finding on draws that all follow from the seed. Nobody drew a scenario's cards."""
    if record.header.scenario:
        return Finding(Verdict.NOT_JUDGED, found("arranged", opened=opening.message))
    places = counted(draws, "place")
    return Finding(Verdict.OK, found("drawn", opened=opening.message, places=places))


@dataclass(frozen=True)
class Deed:
    """An action (or the set-up) as recorded: its facts and their lines."""

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
        assert first.seat is not None, "records.read has seen to it"
        return found("deed", number=self.act, action=quoted(first.action), seat=first.seat + 1)

    @property
    def first_line(self) -> int:
        return self.lines[0] if self.lines else 2

    @property
    def last_line(self) -> int:
        """The last line, or the header's if there are no facts."""
        return self.lines[-1] if self.lines else 1

    def words(self) -> str | None:
        """Return the words that were said with the action, as recorded."""
        said = [fact.arguments.get("words") for fact in self.facts if fact.name == "said"]
        return str(said[0]) if said else None


def deeds(record: Record) -> Iterator[Deed]:
    """Yield the set-up, even if it has no facts, and each action."""
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
        """The number of facts that are applied to the match."""
        self.tried = 0
        self.folded = 0
        self.faults = 0
        self.draws = 0
        self.judged: list[Deed] = []
        self.undrawn: list[Deed] = []
        """Actions that draw, in a record without a seed."""
        self.disputed: list[Deed] = []
        """Actions whose recorded draws differ from those of the seed."""
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
        """Return the facts by the rules; None if the rules refuse or nothing can be drawn."""
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
        """Return the facts that set up the position that the recorded facts of a scenario make."""
        self.stand_on(deed.facts)
        truth = self.match.truth()
        self.stand_on([])
        self.match.game.set_scene(self.match.state, truth)
        return self.match.facts()

    def guess(self, deed: Deed) -> Sequence[Fact] | None:
        """Return the recorded facts if some draw gives them, for a record without a seed."""
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
        """Return True if some draw gives the recorded facts; None if there are too many to try."""
        answers: list[int] | None = []
        while answers is not None:
            if self.tried == MAX_BRANCHES or self.folded > MAX_FOLDED:
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
        assert first.seat is not None, "records.read checks it"
        assert first.action is not None
        return list(self.match.play(first.seat, first.action, deed.words()))

    def compare(self, deed: Deed, told: Sequence[Fact]) -> None:
        """Blame a difference on the seed if another draw gives the recorded facts."""
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
        """Bring the match to the recorded position; return False if judging should stop."""
        self.done += len(deed.facts)
        if told is not None and difference(deed, told) is None:
            return True
        self.faults += 1
        if self.faults > MAX_FAULTS:
            return False
        try:
            self.stand_on(self.record.facts[: self.done])
        except Broken as fault:
            self.blame_rules(fault.line, "impossible-fact", fault.fault)
            return False
        return True

    def stand_on(self, facts: Sequence[Fact]) -> None:
        """Replace the match by a new one with these facts of the record applied."""
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
        """Return the finding that every judged action is legal."""
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
    """The rule that forbids an action, in the words of the match."""

    match: Match
    refusal: Refusal

    def words(self, language: str) -> str:
        return f"{self.refusal.ruling}: {self.match.texts(language).refusal(self.refusal)}"


def named(some: Sequence[Deed]) -> Message:
    """Return a message with the number of actions, and the set-up if it is among them."""
    actions = sum(deed.act > 0 for deed in some)
    if not actions:
        return found("set-up")
    count = counted(actions, "action")
    return count if actions == len(some) else found("set-up-and", actions=count)


def difference(deed: Deed, told: Sequence[Fact]) -> tuple[int, Message] | None:
    """Return the first line on which record and rules differ, and the difference."""
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
    """Return a message with the exact fact: 1, 1.0 and true are different."""
    name = fact.name if fact.name.isidentifier() else quoted(fact.name)
    arguments, audience = records.canonical(fact.arguments), records.canonical(fact.audience)
    return found("spelled", name=name, arguments=arguments, audience=audience)
