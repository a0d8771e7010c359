"""The bots that take part: by their name, or from a Python file of a user."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from traceback import walk_tb
from typing import Any

from zashiki.bots import bot_names, make_bot
from zashiki.core.bot import Bot
from zashiki.core.rulings import Malformed, quoted
from zashiki.core.spec import AnyGame, GameSpec
from zashiki.lab.arena.bot_files import (
    PREFIX,
    LocalModule,
    load_bot,
    read_local_modules,
    read_source,
    sha256_of,
)

Factory = Callable[[AnyGame, int], Bot]

FAULTS = (Exception, SystemExit, GeneratorExit)
"""Exceptions of a bot, which end the arena. KeyboardInterrupt is the user's."""


@dataclass(frozen=True)
class Entrant:
    """A bot that takes part, with all that another process or machine needs to make it."""

    name: str
    """A bot's name, or that of a class or function in a file."""
    path: str | None = None
    """The file; None for a bot of the package or of a game."""
    source: str = ""
    """The content of the file when the arena began: that is what plays."""
    modules: tuple[LocalModule, ...] = ()
    """The files that it imports from its folder, as they were when the arena began."""

    @property
    def digest(self) -> str | None:
        """SHA-256 of all files: with another one it is another bot."""
        return sha256_of(self.source, self.modules) if self.path else None

    def factory(self, spec: GameSpec) -> Factory:
        """A function that makes the bot for given rules and seed."""
        if self.path is None:
            return lambda game, seed: make_bot(self.name, spec, game, seed)
        return own_factory(self)


def checked_entrants(spec: GameSpec, game: AnyGame, bots: Iterable[object]) -> tuple[Entrant, ...]:
    """Read at least two different bots, and make each once."""
    if isinstance(bots, str) or not isinstance(bots, Iterable):
        raise Malformed(f"bots {bots!r}: expected a list of names")
    entrants: list[Entrant] = []
    for text in bots:
        entrant = read_entrant(spec, text)
        if entrant.name in (other.name for other in entrants):
            how = "expected different bots; if two files use one name, rename one"
            raise Malformed(f"bot {entrant.name!r}: it is named twice, {how}")
        if entrant.path is not None:
            check_made(entrant, spec, game)
        entrants.append(entrant)
    if len(entrants) < 2:
        raise Malformed(f"bots: expected at least 2, found {len(entrants)}")
    return tuple(entrants)


def read_entrant(spec: GameSpec, text: object) -> Entrant:
    """Read `sensible`, or `./mybot.py:MyBot`."""
    known = bot_names(spec)
    if isinstance(text, str) and text in known:
        return Entrant(text)
    path, colon, name = text.rpartition(":") if isinstance(text, str) else ("", "", "")
    if not colon and isinstance(text, str) and text.endswith(".py"):
        raise Malformed(f"bot {text!r}: expected {text}:NAME, with the name of a class in it")
    if not path.endswith(".py"):
        expected = f"one of {', '.join(known)}, or FILE.py:NAME"
        raise Malformed(f"bot of {spec.id}: expected {expected}, found {quoted(text)}")
    if not name.isidentifier():
        raise Malformed(f"bot {text!r}: expected the name of a class after the colon")
    if name in known:
        raise Malformed(f"bot {text!r}: {name} is the name of another bot; choose a new one")
    source = read_source(Path(path))
    place = Path(path).resolve()
    return Entrant(name, str(place), source, read_local_modules(place, source))


def check_made(entrant: Entrant, spec: GameSpec, game: AnyGame) -> None:
    """Make a bot from a file once, so that errors show before the first match."""
    make = entrant.factory(spec)
    call = f"{entrant.name}(game, seed)"
    try:
        bot: Any = make(game, 0)
        is_bot = callable(getattr(bot, "choose", None))
    except FAULTS as fault:
        raise Malformed(f"{entrant.path}: {call} fails: {describe(fault)}") from fault
    if not is_bot:
        raise Malformed(f"{entrant.path}: {call}: expected a bot with choose(view, legal)")


def own_factory(entrant: Entrant) -> Factory:
    """The class or function of this name in a bot's file."""
    name, path = entrant.name, entrant.path
    assert path is not None, "it is from a file"
    try:
        made = getattr(load_bot(path, entrant.source, entrant.modules), name, None)
    except FAULTS as fault:
        raise Malformed(f"{path}: it cannot be imported: {describe(fault)}") from fault
    if not callable(made):
        raise Malformed(f"{path}: no class or function {name} is in it")
    return made  # type: ignore[no-any-return]


def safe_text(form: Callable[[Any], str], value: object) -> str:
    """Format a value of a bot; only its type, if formatting fails."""
    try:
        return form(value)
    except FAULTS:
        return f"something of type {type(value).__name__}"


def describe(fault: BaseException) -> str:
    """Describe an exception, and where it happened: the last line in a bot's file, if any."""
    text = " ".join(f"{type(fault).__name__}: {safe_text(str, fault)}".split()).removesuffix(":")
    text = re.sub(rf"{PREFIX}[0-9a-f]{{64}}\.?", "", text)  # users know modules by other names
    if isinstance(fault, SyntaxError):  # its text has the line already
        return text
    frames = list(walk_tb(fault.__traceback__))
    own = [at for at in frames if str(at[0].f_globals.get("__name__")).startswith(PREFIX)]
    frame, line = (own or frames)[-1]
    return f"{text} ({Path(frame.f_code.co_filename).name}, line {line})"
