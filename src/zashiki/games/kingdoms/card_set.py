"""Card sets (RB 6.1): read from TOML or a mapping, checked completely, and then plain data.

A set may come from a user's file or from the network. The result is the whole set in one fixed
form, or a `Faulty` that names the wrong key, in words of
`text/*.toml`.
"""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final

from zashiki.core.facts import is_visible, odd_in
from zashiki.core.messages import Faulty, LocalizedName, Message
from zashiki.core.rulings import MAX_QUOTED, quoted
from zashiki.core.text import LANGUAGES, load
from zashiki.games.kingdoms.forces import AREAS, SIDES
from zashiki.games.kingdoms.skills import SKILLS, WITH_AMOUNT

Settled = dict[str, Any]
"""A whole set, ready for JSON: dict, list, str and int only, keys in a fixed order."""

BUILT_IN: Final[tuple[str, ...]] = ("balanced", "reconstructed")
"""The sets that come with the game, the default first (RB 6.3)."""
COUNTS: Final = MappingProxyType({"normal": 30, "ace": 20})
"""The number of cards of each class, with copies (RB 1.3). Every set must have it."""

SET_KEYS: Final = ("name", "names", "areas", "monarchs", "cards")
AREA_NUMBERS: Final = ("red_funds", "blue_funds", "offset")
AREA_KEYS: Final = ("name", "names", *AREA_NUMBERS)
MONARCH_KEYS: Final = ("name", "names", "side", "attack", "defence")
CARD_KEYS: Final = ("name", "names", "class", "copies", "attack", "defence")
SKILL_KEYS: Final = ("skill", "amount")
"""Optional keys of a card. A card without a skill has neither."""

LONGEST_TEXT: Final = 32_768
LONGEST_NAME: Final = 30
LONGEST_WORDS: Final = 40
MOST_CARDS: Final = 50
"""The most entries: each card has at least one copy."""
HIGHEST: Final = 99
FOLDER: Final = files("zashiki.games.kingdoms")
WHAT: Final = "card set"
"""The beginning of an exception's text."""
RESERVED: Final = {
    *AREAS,
    *load(FOLDER, "en")["words"],
    "hand",
    "no",
    "none",
    "options",
    "seat",
    "yes",
}
"""Names with another meaning in notation, full states, views and texts."""

KEBAB: Final = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
TEXT: Final = re.compile(
    r"""  "{3} (?: [^"\\] | \\. | "(?!"") )*+ (?: "{3,5} | \Z )
        | '{3} (?: [^'] | '(?!'') )*+ (?: '{3,5} | \Z )
        | " (?: [^"\\\n] | \\. )*+ "?
        | ' [^'\n]*+ '?
        | \# [^\n]*+ """,
    re.DOTALL | re.VERBOSE,
)
"""A string or a comment of TOML, up to its end or that of the file. It has no keys."""
LONG_KEY: Final = re.compile(r"(?<![\w-])(?:[\w-]++[ \t]*+\.[ \t]*+){8}")
"""A dotted key of nine parts or more. No set has one, and tomllib is slow with thousands."""
SYNTAX: Final = re.compile(r"(.*) \(at (?:line (\d+), column \d+|end of document)\)", re.DOTALL)
"""The form of tomllib's errors: the reason and the place."""


# The set of a table ------------------------------------------------------------------------------


def built_in(name: str) -> Settled:
    """Return a new copy of a set that comes with the game."""
    made: Settled = json.loads(written_down(name))
    return made


@cache
def written_down(name: str) -> str:
    """Return a set that comes with the game, checked, as JSON."""
    if name not in BUILT_IN:
        raise unknown(name)
    return json.dumps(checked(parsed((FOLDER / "cards" / f"{name}.toml").read_text("utf-8"))))


def settled(value: object) -> Settled:
    """Return the whole set for a built-in name, a TOML text or a mapping."""
    if isinstance(value, str):
        if "\n" in value:
            return read_toml(value)
        if value not in BUILT_IN:
            raise unknown(value)
        return built_in(value)
    if not isinstance(value, Mapping):
        raise unknown(value)
    return own(checked(value))


def read_toml(text: str) -> Settled:
    """Return the set in the text of a file like `cards/reconstructed.toml`."""
    return own(checked(parsed(text)))


def spoken(card_set: Settled, language: str) -> dict[str, str]:
    """Return the displayed names of areas and cards in a language, by their ids."""
    entries = [*card_set["areas"], *card_set["monarchs"], *card_set["cards"]]
    return {each["name"]: each["names"][language] for each in entries}


def own(card_set: Settled) -> Settled:
    """Refuse a user's set with the name of a built-in one and other values (RB 6.3)."""
    name = card_set["name"]
    if name in BUILT_IN and card_set != built_in(name):
        raise fault("built-in-name", "name", value=quoted(name))
    return card_set


def unknown(value: object) -> Faulty:
    names = ", ".join(repr(name) for name in BUILT_IN)
    is_path = isinstance(value, str) and (value.endswith(".toml") or "/" in value or "\\" in value)
    message = told("a-path" if is_path else "no-set", value=shown(value), names=names)
    return Faulty(message)


# TOML --------------------------------------------------------------------------------------------


def parsed(text: str) -> Mapping[str, object]:
    if len(text) > LONGEST_TEXT:
        raise fault("too-long", count=len(text), most=LONGEST_TEXT)
    text = text.removeprefix("\ufeff")  # a byte order mark, which some editors write
    without_texts = TEXT.sub(lambda found: "_" + "\n" * found[0].count("\n"), text)
    long_key = LONG_KEY.search(without_texts)
    if long_key:
        line = without_texts.count("\n", 0, long_key.start()) + 1
        raise Faulty(told("long-key", line=line), WHAT, line=line)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise unreadable(str(error), text) from None
    except RecursionError:
        raise fault("too-deep") from None
    except ValueError:  # more digits than Python converts
        raise fault("too-many-digits", most=HIGHEST) from None


def unreadable(error: str, text: str) -> Faulty:
    """Return the fault with the line and tomllib's reason, which is English."""
    found = SYNTAX.fullmatch(error)
    reason, place = found.groups() if found else (error, None)
    line = int(place) if place else text.rstrip("\n").count("\n") + 1
    reason = reason[:1].lower() + reason[1:]
    reason = reason if len(reason) <= MAX_QUOTED else f"{reason[:MAX_QUOTED]}…"
    return Faulty(told("unreadable", reason, line=line), WHAT, line=line)


# The parts of a set ------------------------------------------------------------------------------


def checked(value: Mapping[Any, object]) -> Settled:
    given = entry("", value, SET_KEYS)
    name = own_name("name", given["name"])
    names = words("names", given["names"])
    areas = [area(*each) for each in entries("areas", given["areas"], len(AREAS))]
    in_order("areas", [each["name"] for each in areas], AREAS)
    monarchs = [monarch(*each) for each in entries("monarchs", given["monarchs"], len(SIDES))]
    in_order("monarchs", [each["side"] for each in monarchs], SIDES)
    cards = [card(*each) for each in entries("cards", given["cards"], MOST_CARDS)]
    told_apart(monarchs, cards)
    for class_, key in (("normal", "normal-cards"), ("ace", "aces")):
        count = sum(each["copies"] for each in cards if each["class"] == class_)
        if count != COUNTS[class_]:
            raise fault(key, "cards", count=count, expected=COUNTS[class_])
    return {"name": name, "names": names, "areas": areas, "monarchs": monarchs, "cards": cards}


def area(where: str, value: object) -> Settled:
    given = entry(where, value, AREA_KEYS)
    return {
        "name": one_of(f"{where}.name", given["name"], AREAS),
        "names": words(f"{where}.names", given["names"]),
        **{key: number(f"{where}.{key}", given[key], 0, HIGHEST) for key in AREA_NUMBERS},
    }


def monarch(where: str, value: object) -> Settled:
    given = entry(where, value, MONARCH_KEYS)
    return {
        "name": own_name(f"{where}.name", given["name"]),
        "names": words(f"{where}.names", given["names"]),
        "side": one_of(f"{where}.side", given["side"], SIDES),
        "attack": number(f"{where}.attack", given["attack"], 0, HIGHEST),
        "defence": number(f"{where}.defence", given["defence"], 0, HIGHEST),
    }


def card(where: str, value: object) -> Settled:
    given = entry(where, value, CARD_KEYS, SKILL_KEYS)
    result: Settled = {
        "name": own_name(f"{where}.name", given["name"]),
        "names": words(f"{where}.names", given["names"]),
        "class": one_of(f"{where}.class", given["class"], tuple(COUNTS)),
        "copies": number(f"{where}.copies", given["copies"], 1, max(COUNTS.values())),
        "attack": number(f"{where}.attack", given["attack"], 0, HIGHEST),
        "defence": number(f"{where}.defence", given["defence"], 0, HIGHEST),
    }
    if "skill" in given:
        result["skill"] = one_of(f"{where}.skill", given["skill"], tuple(SKILLS))
    if result.get("skill") in WITH_AMOUNT:
        if "amount" not in given:
            raise missing(where, given, "amount")
        result["amount"] = number(f"{where}.amount", given["amount"], 0, HIGHEST)
    elif "amount" in given:
        takers = ", ".join(WITH_AMOUNT)
        raise fault("no-amount", where, place=label(where, given), skills=takers)
    return result


def told_apart(monarchs: Sequence[Settled], cards: Sequence[Settled]) -> None:
    """Refuse two cards of one name, since records and notation identify a card by its name."""
    owners: dict[str, str] = {}
    for kind, group in (("monarchs", monarchs), ("cards", cards)):
        for place, each in enumerate(group):
            where = f"{kind}[{place}]"
            owner = owners.setdefault(each["name"], where)
            if owner != where:
                raise fault("taken", f"{where}.name", value=quoted(each["name"]), owner=owner)


def in_order(path: str, found: Sequence[str], expected: Sequence[str]) -> None:
    if list(found) == list(expected):
        return
    absent = [name for name in expected if name not in found]
    if absent:
        raise fault("absent", path, name=quoted(absent[0]), expected=", ".join(expected))
    raise fault("order", path, found=", ".join(found), expected=", ".join(expected))


# Single values -----------------------------------------------------------------------------------


def entries(path: str, value: object, most: int) -> Iterator[tuple[str, object]]:
    """Yield each entry of a list with its key path."""
    if not isinstance(value, list):
        raise fault("no-list", path, value=shown(value))
    if len(value) > most:
        raise fault("too-many", path, count=len(value), most=most)
    return ((f"{path}[{place}]", each) for place, each in enumerate(value))


def entry(
    where: str, value: object, keys: Sequence[str], optional: Sequence[str] = ()
) -> Mapping[Any, object]:
    """Return a mapping that has all of these keys, perhaps optional ones, and no others."""
    if not isinstance(value, Mapping):
        raise fault("no-mapping", where, value=shown(value))
    known = (*keys, *optional)
    for key in value:
        if key not in known:
            given = {"place": label(where, value), "key": quoted(key)}
            raise fault("unknown-key", where, **given, expected=", ".join(known))
    for key in keys:
        if key not in value:
            raise missing(where, value, key)
    return value


def missing(where: str, value: Mapping[Any, object], key: str) -> Faulty:
    return fault("missing-key", where, place=label(where, value), key=quoted(key))


def label(where: str, value: Mapping[Any, object]) -> str:
    """Return a key path with the name of its entry, if it has one, for messages."""
    name = value.get("name")
    called = f" ({name})" if where and is_kebab(name) else ""
    return f"{where}{called}: " if where else ""


def number(path: str, value: object, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        raise fault("no-number", path, value=shown(value), least=least, most=most)
    return value


def one_of(path: str, value: object, known: Sequence[str]) -> str:
    if not isinstance(value, str) or value not in known:
        raise fault("none-of", path, value=shown(value), expected=", ".join(known))
    return value


def kebab(path: str, value: object) -> str:
    if not isinstance(value, str) or not is_kebab(value):
        raise fault("no-name", path, value=shown(value), most=LONGEST_NAME)
    return value


def is_kebab(value: object) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_NAME and bool(KEBAB.fullmatch(value))


def own_name(path: str, value: object) -> str:
    name = kebab(path, value)
    if name in RESERVED:
        raise fault("reserved", path, value=quoted(name))
    return name


def words(path: str, value: object) -> dict[str, str]:
    """Return the displayed name in every language."""
    given = entry(path, value, LANGUAGES)
    return {language: shown_name(f"{path}.{language}", given[language]) for language in LANGUAGES}


def shown_name(path: str, value: object) -> str:
    """Return a name that can be displayed: one line with visible characters."""
    if not isinstance(value, str):
        raise fault("no-text", path, value=quoted(value))
    if not 1 <= len(value) <= LONGEST_WORDS or value != value.strip():
        raise fault("wrong-length", path, value=quoted(value), most=LONGEST_WORDS)
    odd = odd_in(value)
    if odd is not None:
        raise fault("not-plain", path, character=quoted(odd))
    if not is_visible(value, "LN"):
        raise fault("no-letter", path, value=quoted(value))
    return value


def shown(value: object) -> str | Message:
    """Return a wrong value for a message. A list or a mapping is not written out."""
    if isinstance(value, Mapping):
        return told("a-mapping")
    return told("a-list") if isinstance(value, list) else quoted(value)


def told(key: str, reason: str = "", /, **details: object) -> Message:
    return Message(FOLDER, "faults", key, details, reason)


def fault(key: str, path: str = "", /, **details: object) -> Faulty:
    return Faulty(told(key, path=path, **details), WHAT, path)


# Optional properties -----------------------------------------------------------------------------


def remarks(card_set: Settled, language: str = "en") -> list[str]:
    """Return a sentence for each property of RB 6.2 that this set does not have."""
    found = (*on_monarchs(card_set), *on_areas(card_set), *on_cards(card_set))
    return [each.words(language) for each in found]


def remark(key: str, /, **details: object) -> Message:
    return Message(FOLDER, "remarks", key, details)


def on_monarchs(card_set: Settled) -> Iterator[Message]:
    red, blue = card_set["monarchs"]
    called = {"prince": LocalizedName(red["names"]), "princess": LocalizedName(blue["names"])}
    if red["attack"] != blue["attack"] + 1:
        yield remark("attack", **called, red=red["attack"], blue=blue["attack"])
    if red["defence"] != blue["defence"]:
        yield remark("defence", **called, red=red["defence"], blue=blue["defence"])


def on_areas(card_set: Settled) -> Iterator[Message]:
    city = card_set["areas"][AREAS.index("red-city")]
    red, blue, offset = (city[key] for key in AREA_NUMBERS)
    if (red, blue, offset) != (2, 1, 1):
        yield remark("city", city=LocalizedName(city["names"]), red=red, blue=blue, offset=offset)
    red, blue = (sum(each[f"{side}_funds"] for each in card_set["areas"]) for side in SIDES)
    if blue <= red:
        yield remark("funds", red=red, blue=blue)


def on_cards(card_set: Settled) -> Iterator[Message]:
    yield from on_names(card_set)
    normal, ace = (average(card_set, class_) for class_ in COUNTS)
    if ace <= normal:
        yield remark("aces", ace=f"{ace:.2f}", normal=f"{normal:.2f}")
    for each in card_set["cards"]:
        if each.get("skill") == "priest" and each["attack"]:
            yield remark("priest", card=LocalizedName(each["names"]), attack=each["attack"])


def on_names(card_set: Settled) -> Iterator[Message]:
    """Yield remarks about equal displayed names, which are confusing but allowed."""
    for language in LANGUAGES:
        names = [each["names"][language] for each in card_set["monarchs"] + card_set["cards"]]
        for name in sorted({name for name in names if names.count(name) > 1}):
            yield remark("alike", count=names.count(name), name=name, language=language)


def average(card_set: Settled, class_: str) -> float:
    """Return the mean sum of attack and defence of a class's cards."""
    group = [each for each in card_set["cards"] if each["class"] == class_]
    total: int = sum(each["copies"] * (each["attack"] + each["defence"]) for each in group)
    return total / COUNTS[class_]
