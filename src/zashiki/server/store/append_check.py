"""What may be appended to a match: a journal has no gaps, and nothing after its end."""

from msgspec import Struct

from zashiki.server.store.errors import Conflict, Missing
from zashiki.server.store.rows import EntryRow


class Head(Struct, frozen=True):
    """How far a match has come."""

    ended: float | None
    last: int | None
    """The number of its last entry."""


def check_next(entry: EntryRow, head: Head | None) -> None:
    """`Missing` without the match, `Conflict` unless this is the next entry of one in play."""
    if head is None:
        raise Missing(f"match {entry.match}: there is none to append to")
    if head.ended is not None:
        raise Conflict(f"match {entry.match}: it is over")
    following = 0 if head.last is None else head.last + 1
    if entry.n != following:
        raise Conflict(f"match {entry.match}: entry {following} is the next, not {entry.n}")
