"""Who takes part: bots by their name, or anybody's own from a file of Python."""

import hashlib
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

from zashiki.bots import bot_names, make_bot
from zashiki.core.bot import Bot
from zashiki.core.offer import AnyGame, Offer
from zashiki.core.rulings import Malformed, quoted

Factory = Callable[[AnyGame, int], Bot]


@dataclass(frozen=True)
class Entrant:
    """A bot that takes part, with all that another process or machine needs to make it."""

    name: str
    """Its own, or that of a class or function in a file."""
    path: str | None = None
    """Of the file, where it is from one."""
    source: str = ""
    """What the file said when the arena began: that is what plays."""

    @property
    def digest(self) -> str | None:
        """Of the source: another one is another bot."""
        return hashlib.sha256(self.source.encode()).hexdigest() if self.path else None

    def factory(self, offer: Offer) -> Factory:
        """What makes the bot for given rules and seed."""
        if self.path is None:
            return lambda game, seed: make_bot(self.name, offer, game, seed)
        return own_factory(self.name, self.path, self.source)


def checked_entrants(offer: Offer, game: AnyGame, bots: Iterable[object]) -> tuple[Entrant, ...]:
    """At least two different bots, each of which can be made."""
    if isinstance(bots, str) or not isinstance(bots, Iterable):
        raise Malformed(f"bots {bots!r}: a list of names is expected")
    entrants: list[Entrant] = []
    for text in bots:
        entrant = read_entrant(offer, text)
        if entrant.name in (other.name for other in entrants):
            raise Malformed(f"bot {entrant.name!r}: it is named twice, different ones are expected")
        if entrant.path is not None:
            check_made(entrant, offer, game)
        entrants.append(entrant)
    if len(entrants) < 2:
        raise Malformed(f"{len(entrants)} bots: at least 2 are expected")
    return tuple(entrants)


def read_entrant(offer: Offer, text: object) -> Entrant:
    """`sensible`, or `./mybot.py:MyBot`."""
    known = bot_names(offer)
    if isinstance(text, str) and text in known:
        return Entrant(text)
    path, colon, name = text.rpartition(":") if isinstance(text, str) else ("", "", "")
    if not colon and isinstance(text, str) and text.endswith(".py"):
        raise Malformed(f"bot {text!r}: {text}:NAME, the name of a class in it, is expected")
    if not path.endswith(".py"):
        expected = f"{offer.id} knows {', '.join(known)}, or FILE.py:NAME"
        raise Malformed(f"bot {quoted(text)}: {expected}")
    if not name.isidentifier():
        raise Malformed(f"bot {text!r}: the name of a class is expected after the colon")
    if name in known:
        raise Malformed(f"bot {text!r}: {name} is the name of another bot, a new one is expected")
    try:
        return Entrant(name, str(Path(path).resolve()), Path(path).read_text("utf-8"))
    except OSError as fault:
        raise Malformed(f"{path}: {fault.strerror or fault}") from None
    except ValueError:
        raise Malformed(f"{path}: Python is text in UTF-8, and this is not") from None


def check_made(entrant: Entrant, offer: Offer, game: AnyGame) -> None:
    """A bot of one's own can be made: found out before the first match."""
    call = f"{entrant.name}(game, seed)"
    try:
        bot: Any = entrant.factory(offer)(game, 0)
    except Malformed:
        raise
    except Exception as fault:
        raise Malformed(f"{entrant.path}: {call} fails: {told(fault)}") from fault
    if not callable(getattr(bot, "choose", None)):
        raise Malformed(f"{entrant.path}: {call} gives no bot: choose(view, legal) is expected")


@lru_cache(maxsize=32)
def own_factory(name: str, path: str, source: str) -> Factory:
    """What a file calls so; the file may import its neighbours."""
    module = ModuleType(f"zashiki_bot_{hashlib.sha256(f'{path}:{source}'.encode()).hexdigest()}")
    module.__file__ = path
    sys.modules[module.__name__] = module
    folder = str(Path(path).parent)
    if folder not in sys.path:
        sys.path.append(folder)  # last: a neighbour hides nothing that Python itself brings
    try:
        exec(compile(source, path, "exec"), module.__dict__)
    except Exception as fault:
        raise Malformed(f"{path}: it cannot be imported: {told(fault)}") from fault
    made = getattr(module, name, None)
    if not callable(made):
        raise Malformed(f"{path}: no class or function {name} is in it")
    return made  # type: ignore[no-any-return]


def told(fault: BaseException) -> str:
    """What went wrong and, in the file whose fault it is, where."""
    text = " ".join(f"{type(fault).__name__}: {fault}".split()).removesuffix(":")
    place = fault.__traceback__
    if place is None or isinstance(fault, SyntaxError):  # which names its line itself
        return text
    while place.tb_next is not None:
        place = place.tb_next
    return f"{text} ({Path(place.tb_frame.f_code.co_filename).name}, line {place.tb_lineno})"
