"""When a bot stands in for a player, and when it stops."""

from zashiki.server.protocol.rest import Clock, Days, Pace, Relaxed
from zashiki.server.tables.presence import DAY, Presence


def at(pace: Pace | None = None, people: int = 2) -> Presence:
    """Everyone is present at second 100."""
    made = Presence(range(people), (), pace or Relaxed(), 30, 0)
    for seat in range(people):
        made.connected(seat, 100)
    return made


def test_who_is_away_too_long_is_played_for_until_they_are_back() -> None:
    made = at()
    made.disconnected(0, 110)
    assert (made.until(0), made.due()) == (140, 140)
    assert not made.advance(139)
    assert made.advance(140)
    assert made.by_bots() == {0}
    assert made.due() is None
    made.connected(0, 200)
    assert made.by_bots() == set()


def test_who_comes_back_in_time_has_missed_nothing() -> None:
    made = at()
    made.disconnected(0, 110)
    made.connected(0, 120)
    assert made.due() is None
    assert not made.advance(1000)


def test_a_match_whose_people_are_all_away_waits() -> None:
    made = at()
    made.disconnected(0, 110)
    made.disconnected(1, 120)
    assert made.paused()
    assert made.due() is None
    assert not made.advance(9999)
    made.connected(1, 10_000)
    assert made.due() == 10_030, "the other one has the whole grace again"


def test_a_clock_gives_seconds_and_a_bank() -> None:
    made = at(Clock(10, 15))
    made.owes([0], 100)
    assert made.until(0) == 125
    made.acted(0, 118)
    made.owes([0], 200)
    assert made.until(0) == 200 + 10 + 7, "eight seconds of the bank are spent"
    assert made.advance(217)
    assert made.late == {0}
    made.acted(0, 218)
    assert made.by_bots() == set()
    made.owes([0], 300)
    assert made.until(0) == 310


def test_days_need_no_presence() -> None:
    made = at(Days(2))
    made.owes([0], 100)
    made.disconnected(0, 110)
    assert made.until(0) == 100 + 2 * DAY
    assert made.advance(100 + 2 * DAY)
    assert made.late == {0}


def test_who_resigns_is_played_for_for_good() -> None:
    made = at()
    made.resigned.add(0)
    made.connected(0, 300)
    assert made.by_bots() == {0}
    made.disconnected(1, 300)
    assert made.paused(), "the only one who could come back is away"
    made.resigned.add(1)
    assert not made.paused()


def test_a_decision_that_is_gone_costs_no_more_time() -> None:
    made = at(Clock(10, 0), people=3)
    made.owes([0, 1], 100)
    made.owes([1], 105)
    assert made.until(0) is None
    assert made.until(1) == 110


def test_what_the_log_does_not_say_is_not_held_against_anybody() -> None:
    for pace, asked in ((Clock(10, 15), 500), (Days(1), 100)):
        made = Presence(range(2), (), pace, 30, 500)
        made.recall(None, False, [0], 90)
        made.recall(0, False, [1], 100)
        made.restart_clocks(500)
        assert made.asked == {1: asked}
        assert made.done == 1


def test_at_relaxed_pace_an_idle_player_is_noticed_and_can_be_claimed() -> None:
    made = at()
    made.owes([0], 100)
    assert made.due() == 160
    assert not made.advance(159)
    assert made.advance(160), "everybody is told"
    assert made.waits() == {0: 100}
    assert (made.due(), made.claim_time(0)) == (None, 400)
    assert made.claimable(399) == set()
    assert made.claimable(400) == {0}
    made.claimed.add(0)
    assert (made.by_bots(), made.claimable(500)) == ({0}, set())
    made.acted(0, 500)
    assert made.waits() == {}


def test_neither_who_is_away_nor_who_has_a_clock_can_be_claimed() -> None:
    for pace in (Relaxed(), Clock(600, 0), Days(1)):
        made = at(pace)
        made.owes([0], 100)
        if isinstance(pace, Relaxed):
            made.disconnected(0, 110)
        assert made.claim_time(0) is None


def test_a_match_is_given_up_by_those_it_waits_for() -> None:
    made = at(people=3)
    assert made.given_up() == set(), "nobody is waited for"
    made.owes([1], 100)
    assert made.given_up() == {1}
    made.claimed.add(1)
    assert made.given_up() == set(), "a bot plays"
    for seat in range(3):
        made.disconnected(seat, 200)
    assert made.given_up() == {1}, "all are away, and one owes a decision"
    made.owes([], 200)
    assert made.given_up() == {0, 1, 2}
