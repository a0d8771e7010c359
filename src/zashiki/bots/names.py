"""The names of bots at a table."""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from importlib.resources import files
from itertools import product
from string import ascii_uppercase
from zlib import crc32

from zashiki.core.text import LANGUAGES, load

BOT_NAME = re.compile(r"(?P<name>[A-Z][a-z]+)(?: (?P<letter>[A-Z]))?")


def names_of(bots: Sequence[str | None], person: str) -> list[str]:
    """Return a name per seat by the kind of its bot. Bots of one kind get letters."""
    count = Counter(bots)
    seen: Counter[str | None] = Counter()
    names = []
    for bot in bots:
        letter = f" {ascii_uppercase[seen[bot]]}" if count[bot] > 1 else ""
        seen[bot] += 1
        names.append(person if bot is None else f"{bot.capitalize()}{letter}")
    return names


@cache
def house_names(language: str = "en") -> tuple[str, ...]:
    """Return the names for built-in bots, in the same order in every language."""
    return tuple(str(load(files("zashiki.core"), language)["house"]["names"]).split())


def house_name(taken: Collection[str], chance: str) -> str:
    """Return a free name for a bot; `chance` chooses where the search begins."""
    names = house_names()
    first = crc32(chance.encode()) % len(names)
    return next(name for name in letters([*names[first:], *names[:first]]) if is_free(name, taken))


def letters(names: Sequence[str]) -> Iterator[str]:
    """Yield each name, then each with a letter."""
    yield from names
    for letter, name in product(ascii_uppercase, names):
        yield f"{name} {letter}"


def is_free(name: str, taken: Collection[str]) -> bool:
    """Return True if nobody has this bot's name, in any language."""
    used = {one.casefold() for one in taken}
    return not any(spoken_name(name, language).casefold() in used for language in LANGUAGES)


def spoken_name(name: str, language: str) -> str:
    """Translate the name of a bot; any other name is unchanged."""
    found = BOT_NAME.fullmatch(name)
    people = dict(zip(house_names(), house_names(language), strict=True))
    if found is not None and found["name"] in people:
        return f"{people[found['name']]} {found['letter'] or ''}".strip()
    return kind_name(name, language)


def kind_name(name: str, language: str) -> str:
    """Translate a name of `names_of` that says the kind of a bot; any other name is unchanged."""
    found = BOT_NAME.fullmatch(name)
    if found is None:
        return name
    kinds = load(files("zashiki.core"), language)["bots"]
    said = str(kinds.get(found["name"].lower(), name))
    return said.format(letter=found["letter"] or "").strip()


def is_house_name(name: str) -> bool:
    """Return True for a name of the house's bots, in any language, with or without a letter."""
    return folded(name) in all_house_names()


def folded(name: str) -> str:
    """Return a name for comparison: letters of any width and case are the same."""
    return unicodedata.normalize("NFKC", name).casefold()


@cache
def all_house_names() -> frozenset[str]:
    """Return every name that a bot of the house may have, for comparison."""
    kinds = load(files("zashiki.core"), LANGUAGES[0])["bots"]
    written = letters([*house_names(), *(str(kind).capitalize() for kind in kinds)])
    return frozenset(
        folded(spoken)
        for name in written
        for language in LANGUAGES
        for spoken in (name, spoken_name(name, language))
    )
