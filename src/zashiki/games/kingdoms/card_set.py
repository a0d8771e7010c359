"""A card set (RB 6.1): read from TOML or a mapping, checked to the last key, and then only data.

It may come from a file that a person wrote or from a stranger over the network. Whatever it is, the
answer is the whole set in one fixed form or a `Malformed` that names the key at fault.
"""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final

from zashiki.core.facts import is_visible, plain_text
from zashiki.core.rulings import LONGEST, Malformed, quoted
from zashiki.core.text import LANGUAGES, load
from zashiki.games.kingdoms.forces import AREAS, SIDES
from zashiki.games.kingdoms.skills import SKILLS, WITH_AMOUNT

Settled = dict[str, Any]
"""A whole set, ready for JSON: dict, list, str and int only, keys in a fixed order."""

BUILT_IN: Final[tuple[str, ...]] = ("reconstructed",)
TO_COME: Final = ("balanced",)
"""RB 6.3: nobody's own set goes by the name of one that will come with the game."""
COUNTS: Final = MappingProxyType({"normal": 30, "ace": 20})
"""RB 1.3: so many cards of each class, counting copies. Only this binds a set of one's own."""

SET_KEYS: Final = ("name", "names", "areas", "monarchs", "cards")
AREA_NUMBERS: Final = ("red_funds", "blue_funds", "offset")
AREA_KEYS: Final = ("name", "names", *AREA_NUMBERS)
MONARCH_KEYS: Final = ("name", "names", "side", "attack", "defence")
CARD_KEYS: Final = ("name", "names", "class", "copies", "attack", "defence")
SKILL_KEYS: Final = ("skill", "amount")
"""A card may have these; one without a skill has neither."""

LONGEST_TEXT: Final = 32_768
LONGEST_NAME: Final = 30
LONGEST_WORDS: Final = 40
MOST_CARDS: Final = 50
"""More entries than there are cards cannot all have a copy."""
HIGHEST: Final = 99
FOLDER: Final = files("zashiki.games.kingdoms")
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
"""Words that mean something else in notation, truths, views and texts."""

KEBAB: Final = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
TEXT: Final = re.compile(
    r"""  "{3} (?: [^"\\] | \\. | "(?!"") )*+ (?: "{3,5} | \Z )
        | '{3} (?: [^'] | '(?!'') )*+ (?: '{3,5} | \Z )
        | " (?: [^"\\\n] | \\. )*+ "?
        | ' [^'\n]*+ '?
        | \# [^\n]*+ """,
    re.DOTALL | re.VERBOSE,
)
"""A text or a comment of TOML, up to its end or that of the file: what it says is no key."""
LONG_KEY: Final = re.compile(r"(?<![\w-])(?:[\w-]++[ \t]*+\.[ \t]*+){8}")
"""A dotted key of nine parts or more: no set has one, and tomllib takes seconds over thousands."""
SYNTAX: Final = re.compile(r"(.*) \(at (?:line (\d+), column \d+|end of document)\)", re.DOTALL)
"""How tomllib says what is wrong, and where."""


# What a table chose ------------------------------------------------------------------------------


def built_in(name: str) -> Settled:
    """A set that comes with the game, made anew: whoever asks may keep it."""
    made: Settled = json.loads(written_down(name))
    return made


@cache
def written_down(name: str) -> str:
    """A set that comes with the game, checked, as JSON."""
    if name not in BUILT_IN:
        raise unknown(name)
    return json.dumps(checked(parsed((FOLDER / "cards" / f"{name}.toml").read_text("utf-8"))))


def settled(value: object) -> Settled:
    """The whole set that is meant by a built-in's name, a TOML text or a mapping."""
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
    """A set from the text of a file like `cards/reconstructed.toml`."""
    return own(checked(parsed(text)))


def spoken(card_set: Settled, language: str) -> dict[str, str]:
    """What areas and cards are called in a language, by their names."""
    entries = [*card_set["areas"], *card_set["monarchs"], *card_set["cards"]]
    return {each["name"]: each["names"][language] for each in entries}


def own(card_set: Settled) -> Settled:
    """A name says which values: nobody's own set goes by the name of another (RB 6.3)."""
    name = card_set["name"]
    if name in TO_COME:
        raise fault(f"name = {quoted(name)}: this name is kept for a built-in set to come")
    if name in BUILT_IN and card_set != built_in(name):
        raise fault(
            f"name = {quoted(name)}: the built-in set of this name has other values: "
            "another name is expected"
        )
    return card_set


def unknown(value: object) -> Malformed:
    names = ", ".join(repr(name) for name in BUILT_IN)
    expected = f"one of {names}, or the content of a card set (TOML text or a mapping), is expected"
    is_path = isinstance(value, str) and (value.endswith(".toml") or "/" in value or "\\" in value)
    hint = "; a path is read on the command line only" if is_path else ""
    return Malformed(f"option card_set = {shown(value)}: {expected}{hint}")


# TOML --------------------------------------------------------------------------------------------


def parsed(text: str) -> Mapping[str, object]:
    if len(text) > LONGEST_TEXT:
        raise fault(f"{len(text)} characters: at most {LONGEST_TEXT} are expected")
    text = text.removeprefix("\ufeff")  # some editors write this mark first, and show nothing
    without_texts = TEXT.sub(lambda found: "_" + "\n" * found[0].count("\n"), text)
    long_key = LONG_KEY.search(without_texts)
    if long_key:
        line = without_texts.count("\n", 0, long_key.start()) + 1
        raise fault(f"line {line}: a key of so many parts is not expected")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise fault(where_and_why(str(error), text)) from None
    except RecursionError:
        raise fault("nested too deep: nothing is deeper than the names of a card") from None
    except ValueError:  # more digits than Python converts
        raise fault(f"a number too long to be read: none is above {HIGHEST}") from None


def where_and_why(error: str, text: str) -> str:
    found = SYNTAX.fullmatch(error)
    reason, line = found.groups() if found else (error, None)
    line = line or text.rstrip("\n").count("\n") + 1
    reason = reason[:1].lower() + reason[1:]
    return f"line {line}: {reason if len(reason) <= LONGEST else f'{reason[:LONGEST]}…'}"


# What a set consists of --------------------------------------------------------------------------


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
    for class_, plural in (("normal", "normal cards"), ("ace", "aces")):
        count = sum(each["copies"] for each in cards if each["class"] == class_)
        if count != COUNTS[class_]:
            raise fault(f"cards: {count} {plural}: {COUNTS[class_]} are expected")
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
            raise fault(f"{label(where, given)}key 'amount' is missing")
        result["amount"] = number(f"{where}.amount", given["amount"], 0, HIGHEST)
    elif "amount" in given:
        takers = ", ".join(WITH_AMOUNT)
        raise fault(f"{label(where, given)}key 'amount' is for the skills {takers} only")
    return result


def told_apart(monarchs: Sequence[Settled], cards: Sequence[Settled]) -> None:
    """Records and notation know a card by its name alone."""
    owners: dict[str, str] = {}
    for kind, group in (("monarchs", monarchs), ("cards", cards)):
        for place, each in enumerate(group):
            where = f"{kind}[{place}]"
            owner = owners.setdefault(each["name"], where)
            if owner != where:
                raise fault(f"{where}.name = {quoted(each['name'])}: {owner} has this name already")


def in_order(path: str, found: Sequence[str], expected: Sequence[str]) -> None:
    if list(found) == list(expected):
        return
    missing = [name for name in expected if name not in found]
    wrong = f"{quoted(missing[0])} is missing" if missing else ", ".join(found)
    raise fault(f"{path}: {wrong}: {', '.join(expected)}, in this order, are expected")


# Single values -----------------------------------------------------------------------------------


def entries(path: str, value: object, most: int) -> Iterator[tuple[str, object]]:
    """Each entry of a list with its key path."""
    if not isinstance(value, list):
        raise fault(f"{path} = {shown(value)}: a list is expected ([[{path}]] in TOML)")
    if len(value) > most:
        raise fault(f"{path}: {len(value)} entries: at most {most} are expected")
    return ((f"{path}[{place}]", each) for place, each in enumerate(value))


def entry(
    where: str, value: object, keys: Sequence[str], optional: Sequence[str] = ()
) -> Mapping[Any, object]:
    """A mapping that has all of these keys, perhaps the optional ones, and no others."""
    if not isinstance(value, Mapping):
        raise fault(f"{where} = {shown(value)}: a mapping is expected")
    known = (*keys, *optional)
    for key in value:
        if key not in known:
            expected = f"{', '.join(known)} are expected"
            raise fault(f"{label(where, value)}unknown key {quoted(key)}: {expected}")
    for key in keys:
        if key not in value:
            raise fault(f"{label(where, value)}key {quoted(key)} is missing")
    return value


def label(where: str, value: Mapping[Any, object]) -> str:
    """A key path, and the name of what is found there if it has one: nobody counts entries."""
    name = value.get("name")
    called = f" ({name})" if where and is_kebab(name) else ""
    return f"{where}{called}: " if where else ""


def number(path: str, value: object, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        expected = f"an integer from {least} to {most} is expected"
        raise fault(f"{path} = {shown(value)}: {expected}")
    return value


def one_of(path: str, value: object, known: Sequence[str]) -> str:
    if not isinstance(value, str) or value not in known:
        raise fault(f"{path} = {shown(value)}: one of {', '.join(known)} is expected")
    return value


def kebab(path: str, value: object) -> str:
    if not isinstance(value, str) or not is_kebab(value):
        expected = f"a name like capital-guard, at most {LONGEST_NAME} characters, is expected"
        raise fault(f"{path} = {shown(value)}: {expected}")
    return value


def is_kebab(value: object) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_NAME and bool(KEBAB.fullmatch(value))


def own_name(path: str, value: object) -> str:
    name = kebab(path, value)
    if name in RESERVED:
        raise fault(f"{path} = {quoted(name)}: this word has a meaning: another one is expected")
    return name


def words(path: str, value: object) -> dict[str, str]:
    """What players read, in every language."""
    given = entry(path, value, LANGUAGES)
    return {language: shown_name(f"{path}.{language}", given[language]) for language in LANGUAGES}


def shown_name(path: str, value: object) -> str:
    text = plain_text(value, f"card set: {path}", LONGEST_WORDS)
    if not is_visible(text, "LN"):
        raise fault(f"{path} = {quoted(text)}: a name with a letter or a digit is expected")
    return text


def shown(value: object) -> str:
    """A wrong value for a message. What may be huge is not spelled out only to be cut off."""
    if isinstance(value, Mapping):
        return "a mapping"
    return "a list" if isinstance(value, list) else quoted(value)


def fault(text: str) -> Malformed:
    return Malformed(f"card set: {text}")


# What a set need not keep ------------------------------------------------------------------------


def remarks(card_set: Settled) -> list[str]:
    """What RB 6.2 says of the printed game and this set does not keep, a sentence each."""
    return [*on_monarchs(card_set), *on_areas(card_set), *on_cards(card_set)]


def on_monarchs(card_set: Settled) -> Iterator[str]:
    red, blue = card_set["monarchs"]
    prince, princess = (each["names"]["en"] for each in (red, blue))
    if red["attack"] != blue["attack"] + 1:
        yield (
            f"{prince} has attack {red['attack']} and {princess} {blue['attack']}: "
            "Red's monarch should have 1 more."
        )
    if red["defence"] != blue["defence"]:
        yield (
            f"{prince} has defence {red['defence']} and {princess} {blue['defence']}: "
            "the sets that come with the game give both the same."
        )


def on_areas(card_set: Settled) -> Iterator[str]:
    city = card_set["areas"][AREAS.index("red-city")]
    numbers = [city[key] for key in AREA_NUMBERS]
    if numbers != [2, 1, 1]:
        found = "{}, {} and {}".format(*numbers)
        yield (
            f"{city['names']['en']} has {found} as funds for Red, funds for Blue and offset: "
            "they should be 2, 1 and 1."
        )
    red, blue = (sum(each[f"{side}_funds"] for each in card_set["areas"]) for side in SIDES)
    if blue <= red:
        yield f"All areas together pay {red} to Red and {blue} to Blue: Blue should get more."


def on_cards(card_set: Settled) -> Iterator[str]:
    yield from on_names(card_set)
    normal, ace = (average(card_set, class_) for class_ in COUNTS)
    if ace <= normal:
        yield (
            f"Attack and defence together are {ace:.2f} for the average ace and {normal:.2f} for "
            "the average normal card: aces should be stronger."
        )
    for each in card_set["cards"]:
        if each.get("skill") == "priest" and each["attack"]:
            yield (
                f"{each['names']['en']} has the skill priest and attack {each['attack']}: "
                "it should be 0."
            )


def on_names(card_set: Settled) -> Iterator[str]:
    """Not of RB 6.2, but nobody could tell such cards apart."""
    for language in LANGUAGES:
        names = [each["names"][language] for each in card_set["monarchs"] + card_set["cards"]]
        for name in sorted({name for name in names if names.count(name) > 1}):
            yield f"{names.count(name)} cards are all called {name} ({language})."


def average(card_set: Settled, class_: str) -> float:
    """Attack and defence together of an average card of a class."""
    group = [each for each in card_set["cards"] if each["class"] == class_]
    total: int = sum(each["copies"] * (each["attack"] + each["defence"]) for each in group)
    return total / COUNTS[class_]
