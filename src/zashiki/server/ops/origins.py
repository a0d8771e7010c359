"""Who is asking: signed session tokens, their cookie, tickets for sockets, and the key behind it.

A session is kept nowhere but in its token. What ends it is a later epoch of its player.
"""

from collections.abc import Container
from typing import Final

from zashiki.server.errors import ApiError

HEADER: Final = "X-Zashiki"
READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})


def check_origin(origin: str | None, allowed: Container[str]) -> None:
    """Browsers say from where a page asks; other programs have no cookie that could be abused."""
    if origin is not None and origin not in allowed:
        raise ApiError(403, "origin", "pages of this origin may not ask here")


def check_request(
    method: str, marker: str | None, origin: str | None, allowed: Container[str]
) -> None:
    """Refuse what a page of another site may have sent with the player's cookie.

    `marker` is the value of the header `X-Zashiki`: no page can send it to another site unless that
    site agrees, and this one does not.
    """
    if method.upper() in READING:
        return
    if marker != "1":
        raise ApiError(403, "header", f"a request that changes something needs {HEADER}: 1")
    check_origin(origin, allowed)
