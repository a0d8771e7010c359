"""The messages of a digest, made of the server's own sentences: they cannot name a card."""

from collections.abc import Sequence
from importlib.resources import files
from typing import Any, Final

from msgspec import Struct

from zashiki.core.text import LANGUAGES, load
from zashiki.core.wording import Wording
from zashiki.games import game_spec
from zashiki.server.tables.listing import OwnTable

MAX_TABLES: Final = 10
"""Tables that a digest names. Of others it gives the number."""
HOUR: Final = 3600
DAYS_FROM: Final = 48 * HOUR
"""From this time on, days are named and not hours."""


class WaitingTable(Struct, frozen=True):
    """A table at which a decision waits, as a webhook gets it."""

    table: str
    game: str
    until: float | None
    url: str


class Message(Struct, frozen=True):
    """A message to an address. Its JSON is the body for a webhook."""

    kind: str
    """`confirm` or `digest`."""
    subject: str
    text: str
    content: str
    """The same text, under the name that some chat services want."""
    url: str
    """The page to open: the one that confirms, or the lobby."""
    stop: str
    """The address that takes a POST to stop the digest."""
    tables: tuple[WaitingTable, ...] = ()


def digest_message(
    own: Sequence[OwnTable], language: str, origin: str, token: str, now: float
) -> Message:
    """Put the tables that wait for a player into words. The token stops the digest."""
    texts = texts_in(language)
    waiting = [waiting_table(one, origin) for one in own[:MAX_TABLES]]
    count = len(own)
    subject = texts["subject_one"] if count == 1 else texts["subject"].format(count=count)
    lines = [subject, ""]
    for one, shown in zip(own, waiting, strict=False):
        lines += [line_of(one, texts, language, now), shown.url, ""]
    if count > MAX_TABLES:
        lines += [texts["more"].format(count=count - MAX_TABLES, url=f"{origin}/"), ""]
    lines.append(texts["stop"].format(url=stop_page(origin, token)))
    text = "\n".join(lines) + "\n"
    stop = stop_address(origin, token)
    return Message("digest", subject, text, text, f"{origin}/", stop, tuple(waiting))


def confirmation(language: str, origin: str, confirm: str, token: str, days: int) -> Message:
    """Ask the reader of an address whether to send a digest there. Both tokens are for links."""
    texts = texts_in(language)
    url = f"{origin}/digest?confirm={confirm}"
    lines = [texts["confirm"].format(days=days), url, "", texts["ignore"]]
    text = "\n".join([*lines, texts["stop"].format(url=stop_page(origin, token))]) + "\n"
    return Message(
        "confirm", texts["confirm_subject"], text, text, url, stop_address(origin, token)
    )


def texts_in(language: str) -> dict[str, str]:
    texts: Any = load(files("zashiki.server"), language if language in LANGUAGES else "en")
    found: dict[str, str] = texts["digest"]
    return found


def stop_page(origin: str, token: str) -> str:
    """Return the page with a button that stops a digest."""
    return f"{origin}/digest?stop={token}"


def stop_address(origin: str, token: str) -> str:
    """Return the address that takes a POST to stop a digest."""
    return f"{origin}/api/digest/stop?token={token}"


def waiting_table(own: OwnTable, origin: str) -> WaitingTable:
    shown = own.shown
    url = f"{origin}/table/{shown.id}"
    return WaitingTable(shown.id, shown.game, shown.seats[own.seat].until, url)


def line_of(own: OwnTable, texts: dict[str, str], language: str, now: float) -> str:
    """Return the line of one table: game, the others at it, and the time left."""
    seats, until = enumerate(own.shown.seats), own.shown.seats[own.seat].until
    others = [one.player.name for place, one in seats if one.player and place != own.seat]
    game = Wording(game_spec(own.shown.game), language).title()
    left = time_left(0.0 if until is None else until - now, texts)
    return texts["line"].format(game=game, names=texts["joined"].join(others), left=left)


def time_left(seconds: float, texts: dict[str, str]) -> str:
    if seconds >= DAYS_FROM:
        return texts["days"].format(count=int(seconds // (24 * HOUR)))
    if seconds >= HOUR:
        return texts["hours"].format(count=int(seconds // HOUR))
    return texts["soon"]
