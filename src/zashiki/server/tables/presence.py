"""Connected players and running clocks of a match: when a bot plays for a player.

It is kept in memory only. The commands by which a seat goes to a bot are in `handover`. Time is a
parameter everywhere, so that hours can be tested in no time.
"""

from collections.abc import Iterable

from zashiki.server.protocol.rest import Clock, Days, Pace, Relaxed

DAY = 86400.0
NOTICE_SECONDS = 60.0
"""At relaxed pace, everybody sees after this time for whom the match waits."""
CLAIM_SECONDS = 300.0
"""At relaxed pace, others may claim the seat of somebody who is here and did not move for this
time."""
GIVE_UP_SECONDS = DAY
"""Somebody for whom the match waited this long, without a clock of days, counts as gone."""


class Presence:
    """The people at a match: who is connected, and whose time runs."""

    def __init__(
        self,
        people: Iterable[int],
        resigned: Iterable[int],
        pace: Pace,
        away_seconds: float,
        now: float,
    ) -> None:
        self.people = set(people)
        self.resigned = set(resigned)
        self.pace = pace
        self.away_seconds = away_seconds
        self.away: dict[int, float] = dict.fromkeys(self.people, now)
        """By seat: since when a person has no connection."""
        self.asked: dict[int, float] = {}
        """By seat: since when a person owes a decision."""
        self.bank = dict.fromkeys(self.people, float(pace.bank) if isinstance(pace, Clock) else 0.0)
        self.absent: set[int] = set()
        """Seats that a bot plays until the person is back."""
        self.late: set[int] = set()
        """Seats for which a bot makes the one decision that is overdue."""
        self.claimed: set[int] = set()
        """Seats that a bot plays until the person, who is here, takes it back."""
        self.noticed: dict[int, float] = {}
        """By seat: the time since which everybody was told that the match waits for a person."""
        self.done = 0
        """The number of actions of the match that are counted here."""

    def playing(self) -> set[int]:
        """Return the seats of people who have not resigned."""
        return self.people - self.resigned

    def deserted(self) -> bool:
        """Return True if all people who have not resigned are away."""
        playing = self.playing()
        return bool(playing) and playing <= self.away.keys()

    def paused(self) -> bool:
        """Return True if the match waits for somebody to come back. Days pass all the same."""
        return self.deserted() and not self.is_slow()

    def by_bots(self, clock: bool = True) -> set[int]:
        """Return the seats of people for whom a bot plays now, with or without the clock."""
        return self.resigned | self.absent | self.claimed | (self.late if clock else set())

    def waits(self) -> dict[int, float]:
        """Return the seats for which the match waits noticeably, and since when for each."""
        return {
            seat: since for seat, since in self.noticed.items() if self.asked.get(seat) == since
        }

    def claim_time(self, seat: int) -> float | None:
        """Return when others may claim a seat, unless its player moves or goes before."""
        return None if not self._is_idle(seat) else self.asked[seat] + CLAIM_SECONDS

    def claimable(self, now: float) -> set[int]:
        """Return the seats that others may claim now."""
        times = {seat: self.claim_time(seat) for seat in self.asked}
        return {seat for seat, time in times.items() if time is not None and time <= now}

    def given_up(self) -> set[int]:
        """Return whom the match waits for: those who owe a decision, or all if they are away."""
        if self.paused():
            return (self.asked.keys() & self.playing()) or self.playing()
        return self.asked.keys() & (self.playing() - self.by_bots())

    def _is_idle(self, seat: int) -> bool:
        """Return True if a person who is here owes a decision, and no clock runs."""
        if not isinstance(self.pace, Relaxed) or seat not in self.asked or seat in self.away:
            return False
        return seat not in self.resigned and seat not in self.absent and seat not in self.claimed

    # What happens ------------------------------------------------------------------------------

    def here(self, seats: Iterable[int | None]) -> None:
        """Count these seats as never away."""
        for seat in seats:
            if seat is not None:
                self.away.pop(seat, None)
                self.absent.discard(seat)

    def restart_clocks(self, now: float) -> None:
        """Give everybody who owes a decision the whole time for it, except days.

        The journal does not say for how long nobody was connected.
        """
        if not self.is_slow():
            self.asked = dict.fromkeys(self.asked, now)

    def recall(self, seat: int | None, by_bot: bool, owing: Iterable[int], then: float) -> None:
        """Count a stored action: who acted then, and who owed a decision afterwards."""
        if seat is not None:
            if by_bot and seat in self.asked:
                self.late.add(seat)
            self.acted(seat, then)
        self.owes(owing, then)

    def connected(self, seat: int, now: float) -> None:
        """Note that a person is connected again, who has the seat back at once."""
        everybody_was_away = self.paused()
        self.away.pop(seat, None)
        self.absent.discard(seat)
        if everybody_was_away:  # the time of those who are still away begins again
            for other in self.away:
                self.away[other] = now
            for other in self.asked:
                self.asked[other] = now

    def disconnected(self, seat: int, now: float) -> None:
        """Note that a person is no longer connected."""
        if seat in self.people:
            self.away.setdefault(seat, now)

    def owes(self, seats: Iterable[int], now: float) -> None:
        """Note which seats owe a decision now. The others have made it."""
        owing = set(seats) & self.people
        for seat in [seat for seat in self.asked if seat not in owing]:
            self._spend(seat, now)
        for seat in owing:
            self.asked.setdefault(seat, now)

    def acted(self, seat: int, now: float) -> None:
        """A decision was made, by the person or by a bot."""
        self.done += 1
        if seat in self.asked:
            self._spend(seat, now)

    def _spend(self, seat: int, now: float) -> None:
        spent = now - self.asked.pop(seat)
        if isinstance(self.pace, Clock):
            beyond = max(0.0, spent - self.pace.seconds)
            # If a player took longer than they had and no bot played for them, the match was
            # paused. The journal does not say for how long.
            if beyond <= self.bank[seat] or seat in self.late:
                self.bank[seat] = max(0.0, self.bank[seat] - beyond)
        self.late.discard(seat)
        self.noticed.pop(seat, None)

    # When something is due ---------------------------------------------------------------------

    def until(self, seat: int, clock: bool = True) -> float | None:
        """Return when a bot will play for a seat, unless the person comes or decides before."""
        if seat not in self.playing() or seat in self.by_bots(clock) or self.paused():
            return None
        times = (
            [self.away[seat] + self.away_seconds]
            if seat in self.away and not self.is_slow()
            else []
        )
        if clock and seat in self.asked:
            allowed = self.allowed(seat)
            times += [] if allowed is None else [self.asked[seat] + allowed]
        return min(times, default=None)

    def is_slow(self) -> bool:
        """Return True if a decision may take days, so that nobody has to stay."""
        return isinstance(self.pace, Days)

    def is_watched(self) -> bool:
        """Return True if a bot may have to play for somebody: they are away, or a clock runs."""
        return bool(self.away) or isinstance(self.pace, Clock | Days)

    def allowed(self, seat: int) -> float | None:
        if isinstance(self.pace, Clock):
            return self.pace.seconds + self.bank[seat]
        return self.pace.days * DAY if isinstance(self.pace, Days) else None

    def due(self) -> float | None:
        """Return when `advance` has something to do."""
        times = [self._notice_time(seat) for seat in self.asked]
        if self.is_watched():
            times += [self.until(seat) for seat in self.people]
        return min((time for time in times if time is not None), default=None)

    def _notice_time(self, seat: int) -> float | None:
        """Return when everybody has to be told that the match waits for a seat."""
        if not self._is_idle(seat) or self.noticed.get(seat) == self.asked[seat]:
            return None
        return self.asked[seat] + NOTICE_SECONDS

    def advance(self, now: float) -> bool:
        """Let bots play for people whose time is up, and notice who is waited for.

        Return True if anything changed.
        """
        changed = False
        for seat in sorted(self.people):
            until = self.until(seat)
            if until is None or until > now:
                continue
            gone = (
                seat in self.away
                and not self.is_slow()
                and self.away[seat] + self.away_seconds <= now
            )
            (self.absent if gone else self.late).add(seat)
            changed = True
        for seat in sorted(self.asked):
            time = self._notice_time(seat)
            if time is not None and time <= now:
                self.noticed[seat] = self.asked[seat]
                changed = True
        return changed
