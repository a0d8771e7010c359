"""A user's program under `mypy --strict`: every public name of the Python API.

Each `assert_type` states the type that the reference promises. With `Any` it would fail.
"""

from collections.abc import Mapping, Sequence
from typing import assert_type

import zashiki


def played(game: str, seats: int, seed: int) -> zashiki.Match:
    """Play the first legal action until the match is over."""
    match = zashiki.start(game, seats, seed=seed, names=["Aki", "Ben", "Chie"][:seats])
    while not match.over:
        for seat in sorted(match.to_act):
            actions = match.legal(seat)
            assert_type(actions, tuple[str, ...])
            told = match.play(seat, actions[0])
            assert_type(told, Sequence[zashiki.Fact])
    return match


def winners(match: zashiki.Match) -> list[int]:
    """Return the seats of the first rank."""
    outcome = match.outcome
    assert_type(outcome, zashiki.Outcome | None)
    if outcome is None:
        return []
    return [seat for seat, rank in enumerate(outcome.ranks) if rank == 1]


def forbidden(match: zashiki.Match, seat: int, action: str) -> str:
    """Name the rule against an action, by asking and by trying."""
    try:
        refusal = match.why_not(seat, action)
        assert_type(refusal, zashiki.Refusal | None)
        match.play(seat, action)
    except zashiki.Refused as refused:
        return refused.text
    except zashiki.Malformed as malformed:
        return str(malformed)
    return ""


def seats_of(game: str) -> tuple[int, ...]:
    specs = zashiki.games()
    assert_type(specs, Mapping[str, zashiki.GameSpec])
    options = specs[game].options
    assert_type(options, Mapping[str, zashiki.Option])
    return specs[game].seats


def main() -> None:
    match = played("kamiza-second", 3, 7)
    again = zashiki.replay(match.record())
    assert_type(again, zashiki.Match)
    assert_type(again.view(0), dict[str, object])
    assert winners(again) == winners(match)
    begun = zashiki.start("kamiza-second", 3, seed=7)
    shown = zashiki.scenario("kamiza-second", begun.truth(), seed=1)
    print(seats_of("kamiza-second"), winners(match))
    print(forbidden(shown, min(shown.to_act), "boss@nowhere"))
    print(forbidden(match, 0, "boss@top"))


if __name__ == "__main__":
    main()
