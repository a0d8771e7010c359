"""A match on the server: the same streams whether it was played or restored."""

import random
from typing import Any

import pytest
from msgspec import Raw

import zashiki
from tests.server.streams import readers, stream
from zashiki.core.record import Record, header_line
from zashiki.server.tables.match import LiveMatch, Stale, create_match, restore_match

SEED, SALT = b"s" * 32, b"t" * 32
GAMES = [
    ("kamiza-second", 4),
    ("kamiza-2014", 3),
    ("red-town", 5),
    ("red-town", 2),
    ("kingdoms", 2),
]

Entry = tuple[int | None, str | None, list[Raw]]


def played(game: str, seats: int, actions: int = 10_000) -> tuple[LiveMatch, list[Entry]]:
    """A match of random actions, and its entries."""
    spec = zashiki.games()[game]
    live, facts = create_match(spec, seats, {}, SEED, SALT, (), ())
    entries: list[Entry] = [(None, None, facts)]
    choice = random.Random(7)
    while live.match.to_act and len(entries) <= actions:
        seat = choice.choice(sorted(live.match.to_act))
        action = choice.choice(live.match.legal(seat))
        decision = live.decision(seat)
        assert decision is not None
        entries.append((seat, action, live.play(seat, decision, action, None)))
    return live, entries


def restored(live: LiveMatch, entries: list[Entry]) -> LiveMatch:
    header: Any = header_line(Record(live.match.header, (), False))
    again = restore_match(live.match.spec, header, SEED, SALT)
    for seat, action, facts in entries:
        again.follow(seat, action, facts)
    return again


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_a_restored_match_is_the_match(game: str, seats: int) -> None:
    live, entries = played(game, seats, 40)
    again = restored(live, entries)
    assert again.match.truth() == live.match.truth()
    assert (again.done, again.taken) == (live.done, live.taken)
    for reader in readers(live):
        assert stream(again, reader) == stream(live, reader)
        assert again.view(reader) == live.view(reader)
    for seat in again.match.to_act:
        action = again.match.legal(seat)[0]
        decision = again.decision(seat)
        assert decision == live.decision(seat)
        assert decision is not None
        assert again.play(seat, decision, action, None) == live.play(seat, decision, action, None)
        break


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_a_stream_is_what_its_reader_may_know(game: str, seats: int) -> None:
    live, _ = played(game, seats, 60)
    for reader in readers(live):
        told = [(fact.to, fact.fact, fact.arguments) for fact in stream(live, reader)]
        assert told == [(f.audience, f.name, f.arguments) for f in live.match.facts(reader)]


def test_simultaneous_choices_do_not_make_each_other_stale() -> None:
    live, _ = create_match(zashiki.games()["red-town"], 5, {}, SEED, SALT, (), ())
    asked = {seat: live.decision(seat) for seat in range(5)}
    assert set(asked.values()) == {1}
    for seat in (3, 0, 4, 1):
        live.play(seat, 1, "add", None)
    with pytest.raises(Stale) as stale:
        live.play(3, 1, "confirm", None)
    assert stale.value.decision is None
    live.play(2, 1, "add", None)
    assert [live.decision(seat) for seat in range(5)] == [2] * 5


def test_a_decision_that_is_not_open_is_not_answered() -> None:
    live, _ = create_match(zashiki.games()["kingdoms"], 2, {}, SEED, SALT, (), ())
    for decision in (0, 2, -1):
        with pytest.raises(Stale):
            live.play(0, decision, "draft:0", None)
    with pytest.raises(Stale):
        live.play(1, 1, "draft:0", None)
    live.play(0, 1, "draft:0", None)
    assert live.decision(0) == 2
