"""Permissions to open a table, sit down, get up and start."""

from typing import Any

import pytest

from zashiki.server.errors import ApiError
from zashiki.server.protocol.rest import Chair, NewTable
from zashiki.server.tables.model import (
    TableDoc,
    check_full,
    new_table_doc,
    reseated,
    sat,
    stood,
    wished,
)


def table(*chairs: Chair, **wanted: Any) -> TableDoc:
    given = {"game": "kamiza-second", "seats": 3, "chairs": list(chairs) or None, **wanted}
    return new_table_doc(NewTable(**given), "aki", "Aki", 1.0, "the-key")


def kinds(one: TableDoc) -> list[str]:
    return [chair.kind for chair in one.chairs]


def test_who_opens_a_table_sits_at_it() -> None:
    made = table()
    assert kinds(made) == ["player", "open", "open"]
    assert made.seat_of("aki") == 0
    assert made.options == {
        "open_start": False, "underboss_shield": False, "tie_break": "chicken",
    }  # fmt: skip


def test_bots_sit_where_they_are_wanted() -> None:
    made = table(Chair("bot", "random"), Chair("open"), Chair("bot", "sensible"))
    assert kinds(made) == ["bot", "player", "bot"]
    check_full(made)


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        ({"game": "chess"}, "game: expected one of .*, found 'chess'"),
        ({"seats": 9}, "seats of kamiza-second: expected 3 or 4, found 9"),
        (
            {"options": {"open_start": "yes"}},
            "option open_start: expected one of False, True, found 'yes'",
        ),
        ({"options": {"mine": 1}}, "options of kamiza-second: expected .*, found 'mine'"),
        ({"chairs": [Chair("open")]}, "chairs: expected 3, found 1"),
        (
            {"chairs": [Chair("bot", "hal")] * 3},
            "expected one of random, greedy, .* found bot 'hal'",
        ),
        (
            {"chairs": [Chair("open", "random")] * 3},
            "expected no bot with the kind 'open', found 'random'",
        ),
    ],
)
def test_a_table_that_cannot_be_is_refused(wanted: dict[str, Any], told: str) -> None:
    with pytest.raises(ApiError, match=told) as problem:
        table(**wanted)
    assert problem.value.status == 422


def test_a_card_set_is_content_and_never_a_path() -> None:
    for value in ("mine.toml", "../../etc/passwd", "/etc/passwd"):
        with pytest.raises(ApiError, match="a path is read on the command line only"):
            table(game="kingdoms", seats=2, options={"card_set": value})


def test_a_seat_is_for_one() -> None:
    made = sat(table(), 1, "ben", "Ben", None)
    with pytest.raises(ApiError, match="seat 1 is taken"):
        sat(made, 1, "chie", "Chie", None)
    assert sat(made, 1, "ben", "Ben", None) == made


def test_who_sits_down_elsewhere_moves_over() -> None:
    made = sat(sat(table(), 1, "ben", "Ben", None), 2, "ben", "Ben", None)
    assert kinds(made) == ["player", "open", "player"]


def test_a_seat_kept_for_the_link_needs_it() -> None:
    made = table(Chair("open"), Chair("link"), Chair("open"))
    for key in (None, "another"):
        with pytest.raises(ApiError, match="people with the invite link"):
            sat(made, 1, "ben", "Ben", key)
    made = sat(made, 1, "ben", "Ben", "the-key")
    assert kinds(stood(made, 1)) == ["player", "link", "open"]


def test_only_a_full_table_starts() -> None:
    with pytest.raises(ApiError, match="seats 1, 2 are empty"):
        check_full(table())
    with pytest.raises(ApiError, match="seat 1 is empty"):
        stood(table(), 1)
    for seat in (-1, 3):
        with pytest.raises(ApiError, match="a number from 0 to 2"):
            sat(table(), seat, "ben", "Ben", None)


def test_two_change_sides_and_more_are_drawn() -> None:
    two = wished(sat(table(game="kingdoms", seats=2), 1, "ben", "Ben", None), "ben", 0)
    swapped = reseated(two, b"any")
    assert [swapped.seat_of(player) for player in ("aki", "ben")] == [1, 0]
    assert swapped.wishes == ()
    three = table(Chair("open"), Chair("bot", "random"), Chair("link"))
    drawn = [kinds(reseated(three, bytes([number]))) for number in range(40)]
    assert {chairs.index("player") for chairs in drawn} == {0, 1, 2}
    assert all(sorted(chairs) == ["bot", "link", "player"] for chairs in drawn)
