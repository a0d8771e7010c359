"""One play of a game: header, state and journal, without I/O and without time."""

import secrets
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from types import MappingProxyType
from typing import Any, overload

from zashiki.core import record as records
from zashiki.core.dice import Chance, Dice, NoChance, seed_bytes
from zashiki.core.facts import Fact, Vocabulary, plain_text
from zashiki.core.game import Attempt, Outcome, members
from zashiki.core.parts import Audience, Journal, Part, Seat, State
from zashiki.core.record import Broken, Header, Record
from zashiki.core.rulings import Malformed, Refusal, Refused, quoted
from zashiki.core.spec import AnyGame, AnyView, GameSpec, Rules
from zashiki.core.text import Texts

Unfit = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
"""What rules and facts may raise in a position that no play can reach; `Malformed` is one."""

LONGEST_ACTION = 500
"""So many characters no game's notation needs."""
AnyState = State[Any, Any, Any]
Seed = int | str | bytes | None


class Match:
    """A match in play. Asking changes nothing; `play` changes everything or nothing.

    Matches of one game share its rules, and these keep lists that they fill again and again: so
    all matches of a process belong to one thread.
    """

    def __init__(
        self,
        spec: GameSpec,
        header: Header,
        seed: bytes | None,
        salt: bytes | None,
        rules: Rules | None = None,
    ) -> None:
        self.spec = spec
        self.header = header
        self.seed = seed
        self.salt = salt
        self.rules = rules or spec.rules(header.seats, header.options)
        self.game: AnyGame = self.rules.game
        self.vocabulary: Vocabulary = self.rules.vocabulary
        self.dice: Chance = NoChance() if seed is None else Dice(seed, list(header.nonces))
        self.journal = Journal()
        self.state: AnyState = self.game.empty()
        self.state.keep_journal(self.journal)
        self._option_names = {
            name: spec.options[name].name_of(value) for name, value in header.options.items()
        }

    def __repr__(self) -> str:
        done = len(self.journal.actions)
        end = ", over" if self.over else ""
        return f"<Match {self.spec.id}, {self.seats} seats, {done} actions{end}>"

    # Asking ------------------------------------------------------------------------------------

    @property
    def seats(self) -> int:
        return self.header.seats

    @property
    def options(self) -> Mapping[str, Any]:
        """What the table chose, settled: a copy."""
        return MappingProxyType(deepcopy(dict(self.header.options)))

    @property
    def to_act(self) -> frozenset[int]:
        """The seats that owe a decision."""
        return frozenset(members(self.game.to_act(self.state.public)))

    @property
    def over(self) -> bool:
        return self.outcome is not None

    @property
    def outcome(self) -> Outcome | None:
        return self.game.outcome(self.state.public)

    def legal(self, seat: int) -> tuple[str, ...]:
        """The notation of every action this seat may take, sorted as text."""
        actions = self.game.actions
        legal = self.game.legal(self._view(seat))
        return tuple(sorted([actions[action].text for action in legal]))

    def why_not(self, seat: int, action: str) -> Refusal | None:
        """The rule against this action of this seat now; None if it is legal."""
        view = self._view(seat)
        return self.game.refuse(view, self._read(action))

    def view(self, seat: int | None) -> dict[str, object]:
        """What a seat knows; what everybody knows for None."""
        public = self.shown(self.game.show_public(self.state.public))
        return public if seat is None else {**public, **self.own_view(seat)}

    def own_view(self, seat: int) -> dict[str, object]:
        """What only a seat knows: these keys of its view are not as everybody sees them."""
        return self.game.show_own(self._view(seat))

    def shown(self, view: Mapping[str, object]) -> dict[str, object]:
        """What a game shows, with the options by their names."""
        return {"options": dict(self._option_names), **view}

    def truth(self) -> dict[str, object]:
        """Everything."""
        return self.game.truth(self.state)

    def facts(self, reader: str | int = "everything") -> list[Fact]:
        """What was told so far: everything, to "all", or to a seat."""
        if reader not in ("everything", "all"):
            self._view(reader, "reader")
        return records.told_to(Told(self, 0, len(self.journal.entries)), reader)

    def record(self, reader: str | int = "everything") -> str:
        """The match as text: all of it, or what a seat or "all" was told; the seed when over."""
        record = Record(self.header, self.facts(reader), self.over, reader, self.seed, self.salt)
        return records.write(record)

    def texts(self, language: str) -> Texts:
        """What is said of this match in a language, with its names."""
        return self.spec.texts(language, self.header.names, self.header.options)

    # Playing -----------------------------------------------------------------------------------

    def play(self, seat: int, action: str, says: str | None = None) -> Sequence[Fact]:
        """Take an action and say something with it; the facts it caused."""
        view = self._view(seat)
        attempt = self._read(action)
        words = self._words(says)
        refusal = self.game.refuse(view, attempt)
        if refusal is not None:
            raise Refused(refusal, self.texts("en").refusal(refusal))
        if self.header.rules_version != self.spec.rules_version:
            raise Malformed(
                f"this match of {self.spec.id} was played by version {self.header.rules_version} "
                f"of its rules: it can be replayed, but not go on under {self.spec.rules_version}"
            )
        told = len(self.journal.entries)
        try:
            self._apply(seat, attempt, words)
        except BaseException:
            self._restore(told)
            raise
        return Told(self, told, len(self.journal.entries))

    def _apply(self, seat: int, attempt: Attempt, words: str | None) -> None:
        self.journal.caused(seat, attempt.text)
        if words is not None:
            self.state.public.said(seat, words)
        action = self.game.by_text[attempt.text].id
        self.game.apply(self.state, Seat(seat), action, self.chance(len(self.journal.actions)))

    def _restore(self, told: int) -> None:
        """Forget the last action, which failed half-way."""
        journal = Journal()
        journal.entries = self.journal.entries[:told]
        journal.actions = self.journal.actions[: journal.entries[-1][3] if told else 0]
        self.journal = journal
        self.state = self.game.empty()
        for audience, name, arguments, _ in journal.entries:
            getattr(part_of(self.state, audience), name)(*arguments)
        self.state.keep_journal(journal)

    def chance(self, act: int) -> Chance:
        """Where the draws of this action come from."""
        self.dice.turn_to(act)
        return self.dice

    # Reading -----------------------------------------------------------------------------------

    def _view(self, seat: object, what: str = "seat") -> AnyView:
        if type(seat) is not int or not 0 <= seat < self.seats:
            raise Malformed(
                f"{what} {quoted(seat)}: a number from 0 to {self.seats - 1} is expected"
            )
        return self.state.views[seat]

    def _read(self, action: str) -> Attempt:
        if not isinstance(action, str):
            raise Malformed(f"action {quoted(action)}: a text is expected: {self.game.grammar()}")
        if len(action) > LONGEST_ACTION:
            raise Malformed(
                f"action {quoted(action)}: at most {LONGEST_ACTION} characters are expected: "
                f"{self.game.grammar()}"
            )
        return self.game.read(action)

    def _words(self, says: str | None) -> str | None:
        if says is None:
            return None
        if not self.spec.speech:
            raise Malformed(f"says: in {self.spec.id} nothing is said with an action")
        return plain_text(says, "says", self.spec.speech)


class Told(Sequence[Fact]):
    """Facts of a match, put into readable form only when looked at."""

    def __init__(self, match: Match, start: int, stop: int) -> None:
        self._match = match
        self._places = range(start, stop)

    def __len__(self) -> int:
        return len(self._places)

    def __repr__(self) -> str:
        return repr(list(self))

    @overload
    def __getitem__(self, place: int) -> Fact: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Fact]: ...

    def __getitem__(self, place: int | slice) -> Fact | Sequence[Fact]:
        if isinstance(place, slice):
            return [self[one] for one in range(len(self))[place]]
        return self._fact(self._places[place])

    def __iter__(self) -> Iterator[Fact]:
        return map(self._fact, self._places)

    def _fact(self, place: int) -> Fact:
        journal = self._match.journal
        audience, name, values, act = journal.entries[place]
        arguments = self._match.vocabulary.written(audience, name, values)
        seat, action = journal.actions[act - 1] if act else (None, None)
        return Fact(audience, name, arguments, act, seat, action)


# Making a match --------------------------------------------------------------------------------


def start(
    spec: GameSpec,
    seats: int,
    options: Mapping[str, object] | None = None,
    seed: Seed = None,
    names: Sequence[str] = (),
    nonces: Sequence[str] = (),
    salt: bytes | None = None,
    hashes: Sequence[str | None] = (),
) -> Match:
    """A match from its beginning."""
    match = opened(spec, seats, options, seed, names, nonces, salt, hashes)
    match.game.start(match.state, match.chance(0))
    return match


def scenario(
    spec: GameSpec,
    truth: Mapping[str, object],
    options: Mapping[str, object] | None = None,
    seed: Seed = None,
    names: Sequence[str] = (),
) -> Match:
    """A match standing in a position. Its seats know what is public in it and what is their own."""
    if not isinstance(truth, Mapping):
        raise Malformed(f"truth: a mapping is expected, not {quoted(truth)}")
    chosen = spec.options_in(truth, options)
    match = opened(spec, spec.seats_of(truth), chosen, seed, names, (), None, scenario=True)
    match.game.set_scene(match.state, truth)
    return match


def opened(
    spec: GameSpec,
    seats: object,
    options: object,
    seed: Seed,
    names: Sequence[str],
    nonces: Sequence[str],
    salt: bytes | None,
    hashes: Sequence[str | None] = (),
    scenario: bool = False,
) -> Match:
    """A match before its first fact, with its commitment made."""
    count = spec.check_seats(seats)
    secret = secrets.token_bytes(32) if seed is None else seed_bytes(seed)
    grain = secrets.token_bytes(32) if salt is None else checked_salt(salt)
    header = Header(
        spec.id,
        spec.rules_version,
        MappingProxyType(spec.check_options(options, count)),
        count,
        records.checked_names(names, count),
        records.commit(secret, grain),
        records.checked_nonces(nonces, count),
        scenario,
        records.checked_hashes(hashes, nonces, count) if hashes else (),
    )
    return Match(spec, header, secret, grain)


def checked_salt(salt: object) -> bytes:
    if not isinstance(salt, bytes) or len(salt) != 32:
        raise Malformed(f"salt: 32 bytes are expected, not {quoted(salt)}")
    return salt


def replayed(
    spec: GameSpec,
    record: Record,
    seed: Seed = None,
    salt: bytes | None = None,
    until: int | None = None,
) -> Match:
    """A match as a record tells it (or its first facts): folded, not judged, nothing drawn."""
    if record.reader != "everything":
        raise Malformed(
            f"this is what reader {quoted(record.reader)} was told: a whole record is expected"
        )
    secret = record.seed if seed is None else seed_bytes(seed)
    grain = record.salt if salt is None else checked_salt(salt)
    if (
        secret is not None
        and grain is not None
        and records.commit(secret, grain) != record.header.commitment
    ):
        raise Malformed("seed and salt: they do not open the commitment in the header")
    seats = spec.check_seats(record.header.seats)
    if spec.check_options(record.header.options, seats) != record.header.options:
        raise Broken(
            1, f"options: a value for each of {', '.join(spec.options) or 'none'} is expected"
        )
    if until is not None and (type(until) is not int or until < 0):
        raise Malformed(f"until {quoted(until)}: a number of facts is expected")
    match = Match(spec, record.header, secret, grain)
    facts = list(record.facts)[:until]
    for place, fact in zip(record.lines, facts, strict=False):
        try:
            follow(match, fact)
        except Malformed as fault:
            raise Broken(place, str(fault)) from None
    return match


def follow(match: Match, fact: Fact) -> None:
    """Let one recorded fact happen, under the action that was its cause."""
    if fact.act > len(match.journal.actions) and fact.seat is not None and fact.action is not None:
        match.journal.caused(fact.seat, fact.action)
    happen(match.state, match.vocabulary, fact)


def happen(state: AnyState, vocabulary: Vocabulary, fact: Fact) -> None:
    """Tell a state a fact that was written down."""
    signature = vocabulary.signature(fact.audience, fact.name)
    if list(fact.arguments) != list(signature):
        expected = ", ".join(signature) or "nothing"
        raise Malformed(
            f"{fact.name} with {', '.join(fact.arguments) or 'nothing'}: {expected} is expected"
        )
    values = [kind.read(fact.arguments[name]) for name, kind in signature.items()]
    try:
        getattr(part_of(state, fact.audience), fact.name)(*values)
    except Unfit as fault:
        raise Malformed(f"{fact.name}: it cannot happen here: {fault}") from None


def part_of(state: AnyState, audience: Audience) -> Part:
    """The part on which facts with this audience live."""
    if audience == "all":
        part: Part = state.public
    elif audience == "none":
        part = state.hidden
    else:
        part = state.own[audience]
    return part
