"""Who takes part: bots by their name, or anybody's own from a file of Python."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from traceback import walk_tb
from typing import Any

from zashiki.bots import bot_names, make_bot
from zashiki.core.bot import Bot
from zashiki.core.offer import AnyGame, Offer
from zashiki.core.rulings import Malformed, quoted
from zashiki.lab.arena.neighbours import (
    Neighbour,
    digest_of,
    executed,
    imports,
    neighbours_of,
    plainly,
    read_python,
)

Factory = Callable[[AnyGame, int], Bot]

FAULTS = (Exception, SystemExit, GeneratorExit)
"""What a bot may raise: it is its fault, and the arena's end. KeyboardInterrupt is the user's."""


@dataclass(frozen=True)
class Entrant:
    """A bot that takes part, with all that another process or machine needs to make it."""

    name: str
    """Its own, or that of a class or function in a file."""
    path: str | None = None
    """Of the file, where it is from one."""
    source: str = ""
    """What the file said when the arena began: that is what plays."""
    neighbours: tuple[Neighbour, ...] = ()
    """What it imports from its folder, as this was when the arena began."""

    @property
    def digest(self) -> str | None:
        """Of all sources: another one is another bot."""
        return digest_of(self.source, self.neighbours) if self.path else None

    def factory(self, offer: Offer) -> Factory:
        """What makes the bot for given rules and seed."""
        if self.path is None:
            return lambda game, seed: make_bot(self.name, offer, game, seed)
        return own_factory(self)


def checked_entrants(offer: Offer, game: AnyGame, bots: Iterable[object]) -> tuple[Entrant, ...]:
    """At least two different bots, each of which can be made."""
    if isinstance(bots, str) or not isinstance(bots, Iterable):
        raise Malformed(f"bots {bots!r}: a list of names is expected")
    entrants: list[Entrant] = []
    for text in bots:
        entrant = read_entrant(offer, text)
        if entrant.name in (other.name for other in entrants):
            how = "different ones are expected; of two in two files, rename one"
            raise Malformed(f"bot {entrant.name!r}: it is named twice, {how}")
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
    source = read_python(Path(path))
    place = Path(path).resolve()
    return Entrant(name, str(place), source, neighbours_of(place, source))


def check_made(entrant: Entrant, offer: Offer, game: AnyGame) -> None:
    """A bot of one's own can be made: found out before the first match."""
    make = entrant.factory(offer)
    call = f"{entrant.name}(game, seed)"
    try:
        bot: Any = make(game, 0)
        is_bot = callable(getattr(bot, "choose", None))
    except FAULTS as fault:
        raise Malformed(f"{entrant.path}: {call} fails: {told(fault)}") from fault
    if not is_bot:
        raise Malformed(f"{entrant.path}: {call} gives no bot: choose(view, legal) is expected")


def own_factory(entrant: Entrant) -> Factory:
    """What a file calls so."""
    name, path = entrant.name, entrant.path
    assert path is not None, "it is from a file"
    try:
        made = getattr(executed(path, entrant.source, entrant.neighbours), name, None)
    except FAULTS as fault:
        raise Malformed(f"{path}: it cannot be imported: {told(fault)}") from fault
    if not callable(made):
        raise Malformed(f"{path}: no class or function {name} is in it")
    return made  # type: ignore[no-any-return]


def spoken(speak: Callable[[Any], str], value: object) -> str:
    """What something of a bot's says of itself, or of what type it is where that fails."""
    try:
        return speak(value)
    except FAULTS:
        return f"something of type {type(value).__name__}"


def told(fault: BaseException) -> str:
    """What went wrong and, in the file whose fault it is, where."""
    kind, said = type(fault).__name__, spoken(str, fault)
    text = plainly(" ".join(f"{kind}: {said}".split())).removesuffix(":")
    if isinstance(fault, SyntaxError):  # which names its line itself
        return text
    places = [(frame.f_code.co_filename, line) for frame, line in walk_tb(fault.__traceback__)]
    for file, line in reversed(places):
        if not imports(file):
            return f"{text} ({Path(file).name}, line {line})"
    return text
