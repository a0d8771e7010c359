"""Protection against cross-site requests: the `Origin` and `X-Zashiki` headers."""

from collections.abc import Container
from typing import Final

from zashiki.server.errors import ApiError

HEADER: Final = "X-Zashiki"
SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})


def check_origin(origin: str | None, allowed: Container[str]) -> None:
    """Refuse a browser's request from a page of another origin. Other programs send no origin."""
    if origin is not None and origin not in allowed:
        raise ApiError(403, "origin", "origin not allowed: the operator can add it with --origin")


def check_request(
    method: str, marker: str | None, origin: str | None, allowed: Container[str]
) -> None:
    """Refuse a change that a page of another site may have sent with the player's cookie.

    `marker` is the value of the header `X-Zashiki`. Browsers do not let pages send it to another
    site without that site's consent, which this server never gives.
    """
    if method.upper() in SAFE_METHODS:
        return
    if marker != "1":
        raise ApiError(403, "header", f"this request needs the header {HEADER}: 1")
    check_origin(origin, allowed)
