"""One play of a game: header, state and journal, without I/O and without time."""

import json
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from types import MappingProxyType
from typing import Any, overload

from zashiki.core import record as records
from zashiki.core.dice import Chance, Dice, NoChance, seed_bytes
from zashiki.core.facts import Fact, Vocabulary, plain_text
from zashiki.core.game import Attempt, Outcome, members
from zashiki.core.notebook import drawn
from zashiki.core.parts import Audience, Entry, Journal, Part, Seat, State
from zashiki.core.record import Broken, Header, Record
from zashiki.core.rulings import Malformed, Refusal, Refused, as_int, quoted
from zashiki.core.spec import AnyGame, AnyView, GameSpec, Rules
from zashiki.core.text import Texts

Unfit = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
"""The errors of rules and facts in a position that no play can reach. `Malformed` is one."""

MAX_ACTION_LENGTH = 500
"""Maximum characters of an action: more than the notation of any game needs."""
AnyState = State[Any, Any, Any]
Seed = int | str | bytes | None


class Match:
    """A match in play. Queries change nothing. `play` takes effect as a whole or not at all.

    Matches of one game share its rules, and the rules use the same lists for every query. So use
    all matches of a process from one thread.
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
        actions, outcome = len(self.journal.actions), self.outcome
        said = f"{self.spec.id}, {self.seats} seats, {actions} actions"
        acting = ", ".join(str(seat) for seat in sorted(self.to_act))
        return f"<Match {said}, {f'to act: {acting}' if outcome is None else repr(outcome)}>"

    def _repr_html_(self) -> str:
        """Return the full state as a table, for notebooks."""
        return drawn(repr(self), self.truth(), self.header.names, self.seats)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Match) and self._content() == other._content()

    __hash__ = None  # type: ignore[assignment]  # it changes

    def __reduce__(self) -> tuple[Callable[..., "Match"], tuple[object, ...]]:
        spec, header, *rest = self._content()
        return restored, (spec, replace(header, options=dict(header.options)), *rest)

    def _content(self) -> tuple[Any, ...]:
        journal = self.journal
        return self.spec, self.header, self.seed, self.salt, journal.entries, journal.actions

    # Copying -----------------------------------------------------------------------------------

    def copy(self) -> "Match":
        """Return an equal match, which can be played independently of this one."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)  # what does not change is shared
        twin.journal = self.journal.copy()
        twin.state = self.state.copy()
        twin.state.keep_journal(twin.journal)
        return twin

    def __copy__(self) -> "Match":
        return self.copy()

    def __deepcopy__(self, _: dict[int, object]) -> "Match":
        return self.copy()

    def position(self) -> str:
        """Return the full state in one line of text, from which `zashiki.position` makes a match.

        It has the options, but neither names nor seed nor what happened before.
        """
        options = {
            name: option.name_of(value) if option.is_listed(value) else value
            for name, option in self.spec.options.items()
            for value in (self.header.options[name],)
        }
        content = {"game": self.spec.id, "options": options, "truth": self.truth()}
        return json.dumps(content, ensure_ascii=False, separators=(",", ":"))

    # Asking ------------------------------------------------------------------------------------

    @property
    def seats(self) -> int:
        return self.header.seats

    @property
    def options(self) -> Mapping[str, Any]:
        """The settled options of the table, as a copy."""
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
        """Return the notation of every legal action of this seat, sorted as text."""
        actions = self.game.actions
        legal = self.game.legal(self.view_of(seat))
        return tuple(sorted([actions[action].text for action in legal]))

    def why_not(self, seat: int, action: str) -> Refusal | None:
        """Return the refusal of this action of this seat now; None if the action is legal."""
        view = self.view_of(seat)
        refusal = self.game.refuse(view, self._read(action))
        if refusal is not None:
            refusal.text = self.texts("en").refusal(refusal)
        return refusal

    def view(self, seat: int | None) -> dict[str, object]:
        """Return what a seat knows, JSON-ready; for None, what everybody knows."""
        public = self.shown(self.game.show_public(self.state.public))
        return public if seat is None else {**public, **self.own_view(seat)}

    def own_view(self, seat: int) -> dict[str, object]:
        """Return the keys of a seat's view that differ from the public view."""
        return self.game.show_own(self.view_of(seat))

    def shown(self, view: Mapping[str, object]) -> dict[str, object]:
        """Return a view of the game with the names of the options added."""
        return {"options": dict(self._option_names), **view}

    def truth(self) -> dict[str, object]:
        """Return the full state, JSON-ready. Never send it to a player of a running match."""
        return self.game.truth(self.state)

    def facts(self, reader: str | int = "everything") -> list[Fact]:
        """Return the facts so far for a reader: "everything", "all" (spectators) or a seat."""
        return records.told_to(Told(self, 0, len(self.journal.entries)), self._reader(reader))

    def record(self, reader: str | int = "everything") -> str:
        """Return the match as text for a reader, with seed and salt once the match is over."""
        known, facts = self._reader(reader), self.facts(reader)
        return records.write(Record(self.header, facts, self.over, known, self.seed, self.salt))

    def texts(self, language: str) -> Texts:
        """Return the texts of this match in a language, with the names of its players."""
        return self.spec.texts(language, self.header.names, self.header.options)

    # Playing -----------------------------------------------------------------------------------

    def play(self, seat: int, action: str, says: str | None = None) -> Sequence[Fact]:
        """Take an action, with words if the game has speech, and return the facts that it caused.

        Raise `Malformed` if seat, action or words cannot be read, and `Refused` if a rule forbids
        the action. Both leave the match as it was.
        """
        view = self.view_of(seat)
        attempt = self._read(action)
        words = self._words(says)
        refusal = self.game.refuse(view, attempt)
        if refusal is not None:
            refusal.text = self.texts("en").refusal(refusal)
            raise Refused(refusal, refusal.text)
        if self.header.rules_version != self.spec.rules_version:
            raise Malformed(
                f"expected a match of {self.spec.id} by version {self.spec.rules_version} of its "
                f"rules, found version {self.header.rules_version}: it can be replayed, but not "
                "continued"
            )
        told = len(self.journal.entries)
        acted = len(self.journal.actions)
        try:
            self._apply(int(view.seat), attempt, words)
        except BaseException:
            self._restore(told, acted)
            raise
        return Told(self, told, len(self.journal.entries))

    def undo(self) -> tuple[int, str]:
        """Take back the last action with all facts that it caused; return its seat and its text.

        Raise `Malformed` if there was no action. The facts of a deal or a scenario stay.
        """
        acted = len(self.journal.actions)
        if not acted:
            raise Malformed("undo: expected a match with an action, found one without")
        undone = self.journal.actions[-1]
        told = len(self.journal.entries)
        while told and self.journal.entries[told - 1][3] == acted:
            told -= 1
        self._restore(told, acted - 1)
        return undone

    def _apply(self, seat: int, attempt: Attempt, words: str | None) -> None:
        self.journal.caused(seat, attempt.text)
        if words is not None:
            self.state.public.said(seat, words)
        action = self.game.by_text[attempt.text].id
        self.game.apply(self.state, Seat(seat), action, self.chance(len(self.journal.actions)))

    def _restore(self, told: int, acted: int) -> None:
        """Return to the state after these facts and actions, by folding the journal again."""
        self.journal = self.journal.cut(told, acted)
        self.state = folded(self.game, self.journal.entries)
        self.state.keep_journal(self.journal)

    def chance(self, act: int) -> Chance:
        """Return the source of the draws of this action."""
        self.dice.turn_to(act)
        return self.dice

    # Reading -----------------------------------------------------------------------------------

    def view_of(self, seat: object, what: str = "seat") -> AnyView:
        """Return the view of a seat as rules and bots get it."""
        number = as_int(seat)
        if number is None or not 0 <= number < self.seats:
            raise Malformed(
                f"{what}: expected a number from 0 to {self.seats - 1}, found {quoted(seat)}"
            )
        return self.state.views[number]

    def _reader(self, reader: object) -> str | int:
        if isinstance(reader, str) and reader in ("everything", "all"):
            return reader
        return int(self.view_of(reader, "reader").seat)

    def _read(self, action: str) -> Attempt:
        if not isinstance(action, str):
            raise Malformed(f"action: expected {self.game.grammar()}, found {quoted(action)}")
        if len(action) > MAX_ACTION_LENGTH:
            raise Malformed(
                f"action: expected at most {MAX_ACTION_LENGTH} characters, {self.game.grammar()}, "
                f"found {len(action)}"
            )
        return self.game.read(action)

    def _words(self, says: str | None) -> str | None:
        if says is None:
            return None
        if not self.spec.speech:
            raise Malformed(
                f"says: expected None, because {self.spec.id} has no speech, found {quoted(says)}"
            )
        return plain_text(says, "says", self.spec.speech)


class Told(Sequence[Fact]):
    """Facts of a match. Each is put into readable form when it is read."""

    def __init__(self, match: Match, start: int, stop: int) -> None:
        self._journal = match.journal  # `undo` gives the match another one
        self._vocabulary = match.vocabulary
        self._places = range(start, stop)

    def __reduce__(self) -> tuple[type[list[Fact]], tuple[list[Fact]]]:
        return list, (list(self),)

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
        audience, name, values, act = self._journal.entries[place]
        arguments = self._vocabulary.written(audience, name, values)
        seat, action = self._journal.actions[act - 1] if act else (None, None)
        return Fact(audience, name, arguments, act, seat, action)


# Making a match --------------------------------------------------------------------------------


def start(
    spec: GameSpec,
    seats: int | None,
    options: Mapping[str, object] | None = None,
    seed: Seed = None,
    names: Sequence[str] = (),
    nonces: Sequence[str] = (),
    salt: bytes | None = None,
    hashes: Sequence[str | None] = (),
) -> Match:
    """Return a new match, set up."""
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
    """Return a match in a given position. A seat knows what is public in it and what is its own."""
    if not isinstance(truth, Mapping):
        raise Malformed(f"truth: expected a mapping, found {quoted(truth)}")
    chosen = spec.options_in(truth, options)
    match = opened(spec, spec.seats_of(truth), chosen, seed, names, (), None, scenario=True)
    match.game.set_scene(match.state, truth)
    return match


def position(text: str, specs: Mapping[str, GameSpec], seed: Seed, names: Sequence[str]) -> Match:
    """Return a match in the position of a text, as `Match.position` returns it."""
    try:
        content = json.loads(text)
    except (TypeError, ValueError, RecursionError):
        content = None
    if not isinstance(content, dict) or list(content) != ["game", "options", "truth"]:
        raise Malformed(f"position: expected a text of `Match.position`, found {quoted(text)}")
    spec = specs.get(content["game"]) if isinstance(content["game"], str) else None
    if spec is None:
        raise Malformed(
            f"position: expected one of the games {', '.join(specs)}, "
            f"found {quoted(content['game'])}"
        )
    return scenario(spec, content["truth"], content["options"], seed, names)


def restored(
    spec: GameSpec,
    header: Header,
    seed: bytes | None,
    salt: bytes | None,
    entries: list[Entry],
    actions: list[tuple[int, str]],
) -> Match:
    """Return the match that was pickled with this content."""
    settled = MappingProxyType(header.options)
    match = Match(spec, replace(header, options=settled), seed, salt)
    match.journal.entries = entries
    match.journal.actions = actions
    match._restore(len(entries), len(actions))
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
    """Return a match before its first fact, with its commitment."""
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
        raise Malformed(f"salt: expected 32 bytes, found {quoted(salt)}")
    return salt


def replayed(
    spec: GameSpec,
    record: Record,
    seed: Seed = None,
    salt: bytes | None = None,
    until: int | None = None,
) -> Match:
    """Return the match of a record, or of its first `until` facts.

    The recorded facts are applied. No rule is checked, and nothing is drawn.
    """
    if record.reader != "everything":
        raise Malformed(
            f"record: expected a whole one, found that of the reader {quoted(record.reader)}: "
            "ask for the reader 'everything'"
        )
    secret = record.seed if seed is None else seed_bytes(seed)
    grain = record.salt if salt is None else checked_salt(salt)
    if (
        secret is not None
        and grain is not None
        and records.commit(secret, grain) != record.header.commitment
    ):
        raise Malformed(
            "seed and salt: expected those of the commitment in the header, found others"
        )
    seats = spec.check_seats(record.header.seats)
    if spec.check_options(record.header.options, seats) != record.header.options:
        names = ", ".join(spec.options) or "none"
        raise Broken(1, f"options: expected settled values of {names}, found others")
    last = as_int(until)
    if until is not None and (last is None or last < 0):
        raise Malformed(f"until: expected a number of facts, found {quoted(until)}")
    match = Match(spec, record.header, secret, grain)
    facts = list(record.facts)[:last]
    for place, fact in zip(record.lines, facts, strict=False):
        try:
            follow(match, fact)
        except Malformed as fault:
            raise Broken(place, str(fault)) from None
    return match


def follow(match: Match, fact: Fact) -> None:
    """Apply one recorded fact, under the action that caused it."""
    if fact.act > len(match.journal.actions) and fact.seat is not None and fact.action is not None:
        match.journal.caused(fact.seat, fact.action)
    happen(match.state, match.vocabulary, fact)


def happen(state: AnyState, vocabulary: Vocabulary, fact: Fact) -> None:
    """Apply a fact in its written form to a state."""
    signature = vocabulary.signature(fact.audience, fact.name)
    if list(fact.arguments) != list(signature):
        expected = ", ".join(signature) or "nothing"
        found = ", ".join(fact.arguments) or "nothing"
        raise Malformed(f"{fact.name}: expected the arguments {expected}, found {found}")
    values = [kind.read(fact.arguments[name]) for name, kind in signature.items()]
    try:
        getattr(part_of(state, fact.audience), fact.name)(*values)
    except Unfit as fault:
        raise Malformed(f"{fact.name}: it cannot happen here: {fault}") from None


def folded(game: AnyGame, entries: Sequence[Entry]) -> AnyState:
    """Return a new state with the facts of a journal applied."""
    state: AnyState = game.empty()
    for audience, name, arguments, _ in entries:
        getattr(part_of(state, audience), name)(*arguments)
    return state


def part_of(state: AnyState, audience: Audience) -> Part:
    """Return the part that has the facts of this audience."""
    if audience == "all":
        part: Part = state.public
    elif audience == "none":
        part = state.hidden
    else:
        part = state.own[audience]
    return part
