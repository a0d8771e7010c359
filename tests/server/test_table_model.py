"""Who may open a table, sit down, get up and start."""

from typing import Any

import pytest

from zashiki.server.errors import ApiError
from zashiki.server.protocol.rest import Chair, NewTable
from zashiki.server.tables.model import TableDoc, check_full, opened, sat, stood


def table(*chairs: Chair, **wanted: Any) -> TableDoc:
    given = {"game": "kamiza-second", "seats": 3, "chairs": list(chairs) or None, **wanted}
    return opened(NewTable(**given), "aki", "Aki", 1.0, "the-key")


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
        ({"game": "chess"}, "game 'chess': one of"),
        ({"seats": 9}, "seats 9: kamiza-second expects 3 or 4"),
        ({"options": {"open_start": "yes"}}, "option open_start = 'yes'"),
        ({"options": {"mine": 1}}, "option 'mine'"),
        ({"chairs": [Chair("open")]}, "chairs: 3 are expected, not 1"),
        ({"chairs": [Chair("bot", "hal")] * 3}, "bot 'hal': one of random, greedy, sensible"),
        ({"chairs": [Chair("open", "random")] * 3}, "a bot on a chair that is 'open'"),
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
        with pytest.raises(ApiError, match="who have the link"):
            sat(made, 1, "ben", "Ben", key)
    made = sat(made, 1, "ben", "Ben", "the-key")
    assert kinds(stood(made, 1)) == ["player", "link", "open"]


def test_only_a_full_table_starts() -> None:
    with pytest.raises(ApiError, match="seats 1, 2 are empty"):
        check_full(table())
    with pytest.raises(ApiError, match="nobody sits on seat 1"):
        stood(table(), 1)
    for seat in (-1, 3):
        with pytest.raises(ApiError, match="a number from 0 to 2"):
            sat(table(), seat, "ben", "Ben", None)
