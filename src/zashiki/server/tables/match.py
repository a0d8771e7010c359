"""A match on the server: decisions with numbers, and a stream of facts for each reader.

No clock, no socket, no file: what happens here is the same in a test, after a restart and on
another machine. Entries are what the store keeps: one for the set-up, then one for each action.
"""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Raw

from zashiki.bots import spoken_name
from zashiki.core import match as matches
from zashiki.core import record as records
from zashiki.core.facts import Fact
from zashiki.core.game import members
from zashiki.core.match import Match, follow, happen
from zashiki.core.parts import Audience
from zashiki.core.record import Record
from zashiki.core.spec import GameSpec
from zashiki.core.wording import Wording

Reader = int | str
"""A seat, or "all" for spectators."""
FACT = msgspec.json.Decoder(tuple[Audience, str, dict[str, Any]])
ENCODER = msgspec.json.Encoder()


class Stale(Exception):
    """A command for a decision that is not open."""

    def __init__(self, decision: int | None) -> None:
        super().__init__(f"the decision to be taken is {decision}")
        self.decision = decision


class OwnFacts:
    """The facts that only one seat was told, and their places among all that it was told."""

    def __init__(self) -> None:
        self.facts: list[bytes] = []
        self.at: list[int] = []
        """The number of facts that the seat was told before each."""

    def known(self, count: int) -> int:
        """Return how many of the first facts that the seat was told are its own."""
        return bisect_left(self.at, count)


class LiveMatch:
    """A match with its numbered decisions, and the stream of facts of each reader.

    A fact is JSON: its audience, its name and its arguments. It is encoded once. The store, the
    news and the sentences are made of these bytes.
    """

    def __init__(self, match: Match) -> None:
        self.match = match
        self.done = 0
        """The number of actions so far."""
        self.taken = [0] * match.seats
        """The number of actions by each seat."""
        self.public: list[bytes] = []
        """The facts that everybody was told."""
        self.own = [OwnFacts() for _ in range(match.seats)]
        """By seat: the facts that only this seat was told."""
        self.public_counts: list[int] = []
        """The number of public facts after the set-up and after each action."""
        self.wordings: dict[str, Wording] = {}
        self._sentences: dict[tuple[int, str], str] = {}
        """Public facts in words, by place and language."""
        self._labels: dict[tuple[str, str], str] = {}
        """Actions in words, by notation and language."""
        self.server_bots: frozenset[int] = frozenset()
        """Seats of the server's bots, which have a name in every language."""

    # Asking ------------------------------------------------------------------------------------

    def is_old(self) -> bool:
        """Return True if other rules began it. It can be read, but not continued."""
        return self.match.header.rules_version != self.match.spec.rules_version

    def decision(self, seat: int) -> int | None:
        """Return the number of the decision that a seat owes. Others' actions do not change it."""
        is_owed = self.match.game.to_act(self.match.state.public) >> seat & 1
        return self.taken[seat] + 1 if is_owed else None

    def view(self, reader: Reader) -> dict[str, object]:
        return self.match.view(reader if isinstance(reader, int) else None)

    # In words ----------------------------------------------------------------------------------

    def wording(self, language: str) -> Wording:
        if language not in self.wordings:
            match = self.match
            names = [
                spoken_name(name, language) if seat in self.server_bots else name
                for seat, name in enumerate(match.header.names)
            ]
            self.wordings[language] = Wording(match.spec, language, names, match.header.options)
        return self.wordings[language]

    def said(self, after: int, until: int, language: str) -> list[str]:
        """Return the public facts between two numbers as sentences. Each is made once."""
        return [self._sentence(place, language) for place in range(after, until)]

    def _sentence(self, place: int, language: str) -> str:
        kept = self._sentences.get((place, language))
        if kept is None:
            kept = self._sentences[place, language] = self.sentence(self.public[place], language)
        return kept

    def sentence(self, fact: bytes | Raw, language: str) -> str:
        """Return a fact as a sentence."""
        return self.wording(language).fact(Fact(*FACT.decode(fact)), self.match.vocabulary)

    def labels(self, actions: Iterable[str], language: str) -> list[str]:
        """Return actions as phrases. Each is made once."""
        return [self._label(action, language) for action in actions]

    def _label(self, action: str, language: str) -> str:
        kept = self._labels.get((action, language))
        if kept is None:
            kept = self.wording(language).action(self.match.game.by_text[action])
            self._labels[action, language] = kept
        return kept

    # Playing -----------------------------------------------------------------------------------

    def play(self, seat: int, decision: int, action: str, says: str | None) -> list[Raw]:
        """Take an action that answers this decision. Return its facts for the store."""
        if decision != self.decision(seat):
            raise Stale(self.decision(seat))
        before = len(self.match.journal.entries)
        self.match.play(seat, action, says)
        self.done += 1
        self.taken[seat] += 1
        return self._encode(before)

    def _encode(self, after: int) -> list[Raw]:
        """Encode the facts after this number, and add them to the streams."""
        written, encode = self.match.vocabulary.written, ENCODER.encode
        facts: list[Raw] = []
        for audience, name, values, _ in self.match.journal.entries[after:]:
            fact = encode((audience, name, written(audience, name, values)))
            self._tell(audience, fact)
            facts.append(Raw(fact))
        self.public_counts.append(len(self.public))
        return facts

    def _tell(self, audience: Audience, fact: bytes) -> None:
        if audience == "all":
            self.public.append(fact)
        elif isinstance(audience, int):
            own = self.own[audience]
            own.at.append(len(self.public) + len(own.facts))
            own.facts.append(fact)

    def follow(self, seat: int | None, action: str | None, facts: Sequence[Raw]) -> None:
        """Fold a stored entry: nothing is judged and nothing is drawn."""
        if seat is not None:
            self.done += 1
            self.taken[seat] += 1
        act = 0 if seat is None else self.done
        for fact in facts:
            audience, name, arguments = FACT.decode(fact)
            follow(self.match, Fact(audience, name, arguments, act, seat, action))
            self._tell(audience, bytes(fact))
        self.public_counts.append(len(self.public))


class PublicProjection:
    """The present public view of a match. A seat knows its own facts besides."""

    def __init__(self, live: LiveMatch) -> None:
        self.live = live

    def count(self) -> int:
        """Return the number of public facts that may be seen."""
        return len(self.live.public)

    def count_for(self, reader: Reader) -> int:
        """Return the number of facts that a reader may have."""
        own = len(self.live.own[reader].facts) if isinstance(reader, int) else 0
        return self.count() + own

    def to_act(self) -> list[int]:
        return members(self.live.match.game.to_act(self.live.match.state.public))

    def view(self) -> dict[str, object]:
        return self.live.view("all")

    def record(self, reader: Reader) -> str:
        return self.live.match.record(reader)


class DelayedProjection(PublicProjection):
    """The part that delayed spectators may see. At the end they see everything."""

    def __init__(self, live: LiveMatch, delay: int) -> None:
        super().__init__(live)
        self.delay = delay
        self.state = live.match.game.empty()
        self.followed = 0

    def count(self) -> int:
        live = self.live
        shown = live.done if live.match.over else max(0, live.done - self.delay)
        return live.public_counts[shown]

    def delayed_public(self) -> Any:
        """Fold the public facts up to the delay, and return that public part."""
        match, count = self.live.match, self.count()
        for fact in self.live.public[self.followed : count]:
            happen(self.state, match.vocabulary, Fact(*FACT.decode(fact)))
        self.followed = count
        return self.state.public

    def to_act(self) -> list[int]:
        return members(self.live.match.game.to_act(self.delayed_public()))

    def view(self) -> dict[str, object]:
        return self.live.match.shown(self.live.match.game.show_public(self.delayed_public()))

    def record(self, reader: Reader) -> str:
        """Return the record of a spectator: no other reader is delayed."""
        match = self.live.match
        return records.write(Record(match.header, match.facts("all")[: self.count()], False, "all"))


def create_match(
    spec: GameSpec,
    seats: int,
    options: Mapping[str, object],
    seed: bytes,
    salt: bytes,
    names: Sequence[str],
    nonces: Sequence[str],
    hashes: Sequence[str | None] = (),
    scene: Mapping[str, object] | None = None,
) -> tuple[LiveMatch, list[Raw]]:
    """Start a match, or set up a position. Return it with the facts of its set-up for the store."""
    dealt = (spec, seats, options, seed, names, nonces, salt, hashes)
    if scene is None:
        live = LiveMatch(matches.start(*dealt))
    else:
        live = LiveMatch(matches.opened(*dealt, scenario=True))
        live.match.game.set_scene(live.match.state, scene)
    return live, live._encode(0)


def restore_match(spec: GameSpec, header: Mapping[str, Any], seed: bytes, salt: bytes) -> LiveMatch:
    """Return a match before its set-up, from its stored header. Its entries follow."""
    return LiveMatch(Match(spec, records.checked_header(dict(header)), seed, salt))
