"""When the database fails: what is counted, what is written down, and what people are told."""

import logging

from zashiki.server.errors import ApiError
from zashiki.server.ops.logs import log
from zashiki.server.ops.metrics import FAULTS
from zashiki.server.store.errors import Away, Busy, StoreFault, Unanswered

TOO_MUCH = "too much waits to be written: try again in a moment"
NO_DATABASE = "the database cannot be reached: try again in a moment"


class Outage:
    """Written down when it begins and when it is over, however many meet it."""

    def __init__(self) -> None:
        self.is_on = False

    def met(self, fault: StoreFault, table: str | None = None) -> None:
        """The database has failed somebody."""
        FAULTS.inc()
        is_lasting = isinstance(fault, Away | Unanswered)
        if not (is_lasting and self.is_on):
            log(logging.ERROR, "store", fault, **({} if table is None else {"table": table}))
        self.is_on = self.is_on or is_lasting

    def over(self) -> None:
        """The database has answered."""
        if self.is_on:
            self.is_on = False
            log(logging.WARNING, "store", code="back")

    def problem(self, fault: StoreFault, table: str | None = None) -> ApiError:
        """What is kept cannot be reached, or too much waits. The same command may be sent again:
        it is done once, also if it was written all the same."""
        is_only_busy = isinstance(fault, Busy) and not isinstance(fault, Away)
        if not is_only_busy:
            self.met(fault, table)
        text = TOO_MUCH if is_only_busy and not self.is_on else NO_DATABASE
        return ApiError(503, "busy", text, {"retry_after": 1})
