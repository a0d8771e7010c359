"""Presence and clocks of the people at a match: when a bot has to play for one of them.

Time is only ever told, never asked for, so that all of it can be tested in no time.
"""

from collections.abc import Iterable

from zashiki.server.protocol.rest import Clock, Days, Pace

DAY = 86400.0


class Presence:
    """The people at a match: who is connected, and whose time runs."""

    def __init__(
        self, people: Iterable[int], resigned: Iterable[int], pace: Pace, grace: float, now: float
    ) -> None:
        self.people = set(people)
        self.resigned = set(resigned)
        self.pace = pace
        self.grace = grace
        self.away: dict[int, float] = dict.fromkeys(self.people, now)
        """By seat: since when a person has no connection."""
        self.asked: dict[int, float] = {}
        """By seat: since when a person owes a decision."""
        self.bank = dict.fromkeys(self.people, float(pace.bank) if isinstance(pace, Clock) else 0.0)
        self.absent: set[int] = set()
        """Seats that a bot plays until the person is back."""
        self.late: set[int] = set()
        """Seats for which a bot makes the one decision that is overdue."""
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
        return self.resigned | self.absent | (self.late if clock else set())

    # What happens ------------------------------------------------------------------------------

    def here(self, seats: Iterable[int | None]) -> None:
        """Count these seats as never away."""
        for seat in seats:
            if seat is not None:
                self.away.pop(seat, None)
                self.absent.discard(seat)

    def begin_anew(self, now: float) -> None:
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

    def came(self, seat: int, now: float) -> None:
        """A person is back, and has the seat at once."""
        everybody_was_away = self.paused()
        self.away.pop(seat, None)
        self.absent.discard(seat)
        if everybody_was_away:  # the time of those who are still away begins again
            for other in self.away:
                self.away[other] = now
            for other in self.asked:
                self.asked[other] = now

    def left(self, seat: int, now: float) -> None:
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
            # Who took longer than they had, with no bot in their place, was not being waited for:
            # the match was paused. The log does not say for how long.
            if beyond <= self.bank[seat] or seat in self.late:
                self.bank[seat] = max(0.0, self.bank[seat] - beyond)
        self.late.discard(seat)

    # When something is due ---------------------------------------------------------------------

    def until(self, seat: int, clock: bool = True) -> float | None:
        """Return when a bot will play for a seat, unless the person comes or decides before."""
        if seat not in self.playing() or seat in self.by_bots(clock) or self.paused():
            return None
        times = [self.away[seat] + self.grace] if seat in self.away and not self.is_slow() else []
        if clock and seat in self.asked:
            allowed = self.allowed(seat)
            times += [] if allowed is None else [self.asked[seat] + allowed]
        return min(times, default=None)

    def is_slow(self) -> bool:
        """Return True if a decision may take days, so that nobody has to stay."""
        return isinstance(self.pace, Days)

    def allowed(self, seat: int) -> float | None:
        if isinstance(self.pace, Clock):
            return self.pace.seconds + self.bank[seat]
        return self.pace.days * DAY if isinstance(self.pace, Days) else None

    def due(self) -> float | None:
        """Return when `advance` has something to do."""
        if not self.away and not isinstance(self.pace, Clock | Days):
            return None
        times = [self.until(seat) for seat in self.people]
        return min((time for time in times if time is not None), default=None)

    def advance(self, now: float) -> bool:
        """Let bots play for people whose time is up. Return True if anything changed."""
        changed = False
        for seat in sorted(self.people):
            until = self.until(seat)
            if until is None or until > now:
                continue
            gone = seat in self.away and not self.is_slow() and self.away[seat] + self.grace <= now
            (self.absent if gone else self.late).add(seat)
            changed = True
        return changed
