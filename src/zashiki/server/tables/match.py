"""A match in the server's hands: decisions with numbers, a stream of facts for each reader.

No clock, no socket, no file: what happens here is the same in a test, after a restart and on
another machine. Entries are what the store keeps: one for the set-up, then one for each action.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from zashiki.bots import spoken_name
from zashiki.core import match as matches
from zashiki.core import record as records
from zashiki.core.facts import Fact
from zashiki.core.game import members
from zashiki.core.match import Match, follow, happen
from zashiki.core.record import Record, tells
from zashiki.core.spec import GameSpec
from zashiki.core.wording import Wording

Reader = int | str
"""A seat, or "all" for spectators."""
Told = list[Any]
"""A fact as it is stored: its audience, its name and its arguments."""


class Stale(Exception):
    """A command for a decision that is not open."""

    def __init__(self, decision: int | None) -> None:
        super().__init__(f"the decision to be taken is {decision}")
        self.decision = decision


class LiveMatch:
    """A match with its numbered decisions, and the stream of facts of each reader."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.done = 0
        """The number of actions so far."""
        self.taken = [0] * match.seats
        """The number of actions by each seat."""
        self.facts: list[Told] = []
        """All facts, whoever was told."""
        readers: list[Reader] = [*range(match.seats), "all"]
        self.streams: dict[Reader, list[int]] = {reader: [] for reader in readers}
        """Places of the facts that each reader was told: numbered from 1, without gaps."""
        self.wordings: dict[str, Wording] = {}
        self._sentences: dict[tuple[int, str], str] = {}
        """Public facts in words, by place and language."""
        self._labels: dict[tuple[str, str], str] = {}
        """Actions in words, by notation and language."""
        self.server_bots: Collection[int] = ()
        """Seats of the server's bots, which have a name in every language."""
        self.public: list[int] = []
        """The number of public facts after the set-up and after each action."""

    # Asking ------------------------------------------------------------------------------------

    def is_old(self) -> bool:
        """Return True if other rules began it. It can be read, but not continued."""
        return self.match.header.rules_version != self.match.spec.rules_version

    def decision(self, seat: int) -> int | None:
        """Return the number of the decision that a seat owes. Others' actions do not change it."""
        return self.taken[seat] + 1 if seat in self.match.to_act else None

    def view(self, reader: Reader) -> dict[str, object]:
        return self.match.view(reader if isinstance(reader, int) else None)

    def told(self, reader: Reader, after: int) -> list[dict[str, object]]:
        """Return the facts of a reader after that number."""
        places = self.streams[reader][after:]
        return [
            numbered(number, self.facts[place]) for number, place in enumerate(places, after + 1)
        ]

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

    def said(self, reader: Reader, after: int, until: int, language: str) -> list[str]:
        """Return the facts of a reader between two numbers, as sentences."""
        return [self._sentence(place, language) for place in self.streams[reader][after:until]]

    def _sentence(self, place: int, language: str) -> str:
        """Return one fact as a sentence. A public one is made once for all readers."""
        kept = self._sentences.get((place, language))
        if kept is not None:
            return kept
        told = self.facts[place]
        sentence = self.sentence(told, language)
        if told[0] == "all":
            self._sentences[place, language] = sentence
        return sentence

    def sentence(self, told: Told, language: str) -> str:
        """Return a stored fact as a sentence."""
        return self.wording(language).fact(Fact(*told), self.match.vocabulary)

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

    def play(self, seat: int, decision: int, action: str, says: str | None) -> list[Told]:
        """Take an action that answers this decision. Return its facts for the store."""
        if decision != self.decision(seat):
            raise Stale(self.decision(seat))
        self.match.play(seat, action, says)
        facts = stored(self.match, len(self.facts))
        self._tell(seat, facts)
        return facts

    def _tell(self, seat: int | None, facts: Sequence[Told]) -> None:
        if seat is not None:
            self.done += 1
            self.taken[seat] += 1
        for place, (audience, _, _) in enumerate(facts, len(self.facts)):
            for reader, stream in self.streams.items():
                if tells(audience, reader):
                    stream.append(place)
        self.facts += facts
        self.public.append(len(self.streams["all"]))

    def follow(self, seat: int | None, action: str | None, facts: Sequence[Told]) -> None:
        """Fold a stored entry: nothing is judged and nothing is drawn."""
        act = 0 if seat is None else self.done + 1
        for audience, name, arguments in facts:
            follow(self.match, Fact(audience, name, arguments, act, seat, action))
        self._tell(seat, facts)


class ReaderProjection:
    """The part of a match that one reader may see now."""

    def __init__(self, live: LiveMatch, reader: Reader) -> None:
        self.live = live
        self.reader = reader

    def count(self) -> int:
        """Return the number of facts that the reader may have."""
        return len(self.live.streams[self.reader])

    def told(self, after: int) -> list[dict[str, object]]:
        return self.live.told(self.reader, after)

    def said(self, after: int, language: str) -> list[str]:
        """The same facts as sentences."""
        return self.live.said(self.reader, after, self.count(), language)

    def to_act(self) -> list[int]:
        return sorted(self.live.match.to_act)

    def is_over(self) -> bool:
        return self.live.match.over

    def view(self) -> dict[str, object]:
        return self.live.view(self.reader)

    def record(self) -> str:
        return self.live.match.record(self.reader)


class DelayedProjection(ReaderProjection):
    """The part that delayed spectators may see. At the end they see everything."""

    def __init__(self, live: LiveMatch, delay: int) -> None:
        super().__init__(live, "all")
        self.delay = delay
        self.state = live.match.game.empty()
        self.followed = 0

    def count(self) -> int:
        live = self.live
        shown = live.done if live.match.over else max(0, live.done - self.delay)
        return live.public[shown]

    def told(self, after: int) -> list[dict[str, object]]:
        return self.live.told("all", after)[: max(0, self.count() - after)]

    def catch_up(self) -> Any:
        """Fold the public facts up to the delay, and return that public part."""
        match = self.live.match
        for fact in self.told(self.followed):
            arguments: Any = fact["with"]
            happen(self.state, match.vocabulary, Fact("all", str(fact["fact"]), arguments))
        self.followed = self.count()
        return self.state.public

    def to_act(self) -> list[int]:
        return members(self.live.match.game.to_act(self.catch_up()))

    def view(self) -> dict[str, object]:
        return self.live.match.shown(self.live.match.game.show_public(self.catch_up()))

    def record(self) -> str:
        match = self.live.match
        return records.write(Record(match.header, match.facts("all")[: self.count()], False, "all"))


def numbered(number: int, told: Told) -> dict[str, object]:
    """Return a fact as its reader gets it."""
    audience, name, arguments = told
    return {"n": number, "own": audience != "all", "fact": name, "with": arguments}


def stored(match: Match, after: int) -> list[Told]:
    """Return the facts after this number, for the store."""
    written = match.vocabulary.written
    return [
        [audience, name, written(audience, name, values)]
        for audience, name, values, _ in match.journal.entries[after:]
    ]


def create_match(
    spec: GameSpec,
    seats: int,
    options: Mapping[str, object],
    seed: bytes,
    salt: bytes,
    names: Sequence[str],
    nonces: Sequence[str],
) -> tuple[LiveMatch, list[Told]]:
    """Start a match. Return it with the facts of its set-up for the store."""
    match = matches.start(spec, seats, options, seed, names, nonces, salt)
    live = LiveMatch(match)
    facts = stored(match, 0)
    live._tell(None, facts)
    return live, facts


def restore_match(spec: GameSpec, header: Mapping[str, Any], seed: bytes, salt: bytes) -> LiveMatch:
    """Return a match before its set-up, from its stored header. Its entries follow."""
    return LiveMatch(Match(spec, records.checked_header(dict(header)), seed, salt))
