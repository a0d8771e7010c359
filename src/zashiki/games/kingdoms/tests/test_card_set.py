"""Card sets: reading, refusals with their texts, and the content of `reconstructed`."""

import copy
import json
import re
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zashiki import Malformed
from zashiki.core.messages import Faulty
from zashiki.games.kingdoms.card_set import (
    BUILT_IN,
    LONGEST_TEXT,
    Settled,
    built_in,
    read_toml,
    remarks,
    settled,
)
from zashiki.games.kingdoms.forces import AREAS
from zashiki.games.kingdoms.options import KINGDOMS
from zashiki.games.kingdoms.skills import SKILLS, WITH_AMOUNT

ruling = pytest.mark.ruling
bounded = settings(derandomize=True, deadline=None, database=None, print_blob=False)

FILE = (files("zashiki.games.kingdoms") / "cards" / "reconstructed.toml").read_text("utf-8")
MINE = FILE.replace('name = "reconstructed"', 'name = "mine"')
"""The start for an owner of the box: our file under another name."""
SOLDIER, LIAISON, ARCHER, PRIEST, KNIGHT = 0, 3, 7, 8, 9
"""Indices in the list of cards."""
GONE = object()
"""Stands for the removal of a key or an entry."""
AREAS_EXPECTED = "red-capital, red-city, border, blue-city, blue-capital"
KEBAB_EXPECTED = "expected a name like capital-guard, at most 30 characters"


READ = settled(MINE)


def mine() -> Settled:
    """Return a user's set, for changes."""
    return copy.deepcopy(READ)


def changed(*path_and_value: Any) -> Settled:
    """Return a user's set with another value at a path, or without that key."""
    *path, last, value = path_and_value
    result = place = mine()
    for step in path:
        place = place[step]
    if value is GONE:
        del place[last]
    else:
        place[last] = value
    return result


def edited(old: str, new: str) -> str:
    """Return a user's file with one change."""
    assert MINE.count(old) == 1, old
    return MINE.replace(old, new)


def fault_in(value: object) -> str:
    with pytest.raises(Malformed) as malformed:
        settled(value)
    return str(malformed.value)


# The set that comes with the game ----------------------------------------------------------------


@ruling("RB 6.3")
def test_reconstructed_has_the_areas_of_the_rules() -> None:
    areas = built_in("reconstructed")["areas"]
    numbers = [(a["name"], a["red_funds"], a["blue_funds"], a["offset"]) for a in areas]
    assert numbers == [
        ("red-capital", 2, 1, 2),
        ("red-city", 2, 1, 1),
        ("border", 1, 1, 0),
        ("blue-city", 1, 2, 1),
        ("blue-capital", 1, 3, 2),
    ]


@ruling("RB 6.3")
def test_reconstructed_has_the_monarchs_of_the_rules() -> None:
    monarchs = built_in("reconstructed")["monarchs"]
    assert [(m["name"], m["side"], m["attack"], m["defence"]) for m in monarchs] == [
        ("prince", "red", 4, 3),
        ("princess", "blue", 3, 3),
    ]


@ruling("RB 6.3")
def test_reconstructed_has_the_cards_of_the_rules() -> None:
    keys = ("class", "name", "attack", "defence", "copies", "skill", "amount")
    found = [tuple(card.get(key) for key in keys) for card in built_in("reconstructed")["cards"]]
    assert found == [
        ("normal", "soldier", 2, 2, 6, None, None),
        ("normal", "lancer", 3, 1, 5, None, None),
        ("normal", "shieldman", 1, 3, 5, None, None),
        ("normal", "liaison", 1, 1, 3, "liaison", None),
        ("normal", "rearguard", 1, 2, 3, "rearguard", None),
        ("normal", "capital-guard", 1, 2, 2, "capital-guard", 2),
        ("normal", "city-guard", 1, 2, 2, "city-guard", 2),
        ("normal", "archer", 1, 1, 2, "archer", 1),
        ("normal", "priest", 0, 2, 2, "priest", 1),
        ("ace", "knight", 4, 3, 5, None, None),
        ("ace", "cavalry", 5, 2, 4, None, None),
        ("ace", "heavy-guard", 2, 5, 3, None, None),
        ("ace", "capital-guardian", 2, 3, 2, "capital-guard", 3),
        ("ace", "city-guardian", 2, 3, 2, "city-guard", 3),
        ("ace", "bird-soldier", 4, 2, 2, "bird-soldier", None),
        ("ace", "bishop", 0, 4, 2, "priest", 2),
    ]


@ruling("RB 6.3")
@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_tables_of_the_rules_say_what_the_files_say(language: str) -> None:
    page = (files("zashiki.games.kingdoms") / f"rules.{language}.md").read_text("utf-8")
    rows = [[cell.strip() for cell in row.split("|")[1:-1]] for row in page.splitlines()]
    numbers = {row[0]: [int(n) for n in row if n.isdecimal()] for row in rows if len(row) > 4}
    card_set = built_in("balanced")
    for area in card_set["areas"]:
        expected = [area[key] for key in ("red_funds", "blue_funds", "offset")]
        assert numbers[area["names"][language]] == expected
    for area in built_in("reconstructed")["areas"]:
        of_the_first = "/".join(str(area[key]) for key in ("red_funds", "blue_funds", "offset"))
        assert f"{area['names'][language]} {of_the_first}" in " ".join(page.split())
    for card in card_set["cards"] + card_set["monarchs"]:
        expected = [card.get("copies", 1), card["attack"], card["defence"]]
        assert numbers[card["names"][language]] == expected


@ruling("RB 6.3")
@pytest.mark.parametrize("path", [("cards", 0, "attack"), ("areas", 2, "offset")])
def test_nobody_gives_other_values_the_name_of_a_built_in_set(path: tuple[Any, ...]) -> None:
    other = changed(*path, 9) | {"name": "reconstructed"}
    assert fault_in(other) == (
        "card set: name = 'reconstructed': the built-in set of this name has other values: "
        "choose another name"
    )


@ruling("RB 6.2")
@pytest.mark.parametrize("name", BUILT_IN)
def test_our_sets_keep_what_is_known_of_the_printed_game(name: str) -> None:
    assert remarks(built_in(name)) == []


@ruling("RB 6.3")
def test_balanced_is_usual_and_changes_areas_and_a_few_shields_only() -> None:
    assert KINGDOMS.options["card_set"].default == "balanced"
    balanced, first = built_in("balanced"), built_in("reconstructed")
    assert first["cards"][KNIGHT]["defence"] == 3
    first["cards"][KNIGHT]["defence"] = 4
    assert balanced["cards"] == first["cards"]
    numbers = [(a["red_funds"], a["blue_funds"], a["offset"]) for a in balanced["areas"]]
    assert numbers == [(2, 1, 3), (2, 1, 1), (1, 2, 0), (1, 3, 1), (1, 4, 3)]
    assert [(m["attack"], m["defence"]) for m in balanced["monarchs"]] == [(4, 5), (3, 5)]


# What is read ------------------------------------------------------------------------------------


@ruling("RB 6.1")
def test_an_owner_of_the_box_writes_true_values_into_a_copy_of_the_file() -> None:
    card_set = settled(edited("attack = 5", "attack = 6"))
    assert card_set["name"] == "mine"
    assert [card["attack"] for card in card_set["cards"] if card["name"] == "cavalry"] == [6]


@ruling("RB 6.1")
def test_name_text_and_mapping_say_the_same() -> None:
    expected = built_in("reconstructed")
    assert settled("reconstructed") == settled(FILE) == settled(expected) == read_toml(FILE)


@pytest.mark.parametrize("name", ["border", "none", "hand", "fallen", "by-sword", "yes"])
def test_no_card_and_no_set_takes_over_a_word_of_the_game(name: str) -> None:
    for path in (("name",), ("cards", SOLDIER, "name")):
        with pytest.raises(Malformed, match=f"'{name}': this word has a meaning"):
            settled(changed(*path, name))


@pytest.mark.parametrize("name", ["\u3164", "\u2800", "—"])
def test_a_name_that_nobody_can_read_is_none(name: str) -> None:
    with pytest.raises(Malformed, match=r"cards\[0\]\.names\.en = .* a letter or a digit"):
        settled(changed("cards", SOLDIER, "names", {"en": name, "ja": "兵士"}))


def test_cards_that_are_called_alike_are_worth_a_remark() -> None:
    alike = changed("cards", SOLDIER, "names", {"en": "Lancer", "ja": "兵士"})
    assert remarks(settled(alike)) == ["2 cards are all called Lancer (en)."]


@pytest.mark.parametrize("name", BUILT_IN)
def test_who_changes_a_built_in_set_changes_only_the_own_copy(name: str) -> None:
    changed = settled(name)
    changed["areas"][0]["offset"] = 77
    assert settled(name) == built_in(name) != changed
    assert built_in(name)["name"] == name


@ruling("RB 6.1")
@pytest.mark.parametrize("value", ["reconstructed", MINE])
def test_a_settled_set_settles_to_itself_also_through_json(value: str) -> None:
    once = settled(value)
    assert settled(once) == once
    through = settled(json.loads(json.dumps(once)))
    assert json.dumps(through) == json.dumps(once)


def test_the_order_of_keys_is_fixed_whatever_was_written() -> None:
    def backwards(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: backwards(value[key]) for key in reversed(value)}
        return [backwards(each) for each in value] if isinstance(value, list) else value

    assert json.dumps(backwards(mine())) != json.dumps(mine())
    assert json.dumps(settled(backwards(mine()))) == json.dumps(mine())


def test_settling_leaves_what_was_given_as_it_was_and_shares_nothing_with_it() -> None:
    given_set = mine()
    before = copy.deepcopy(given_set)
    settled(given_set)["cards"][0]["names"]["en"] = "Other"
    assert given_set == before


@pytest.mark.parametrize(
    "text",
    [MINE.replace("\n", "\r\n"), "\ufeff" + MINE, MINE.rstrip("\n")],
    ids=["carriage returns", "byte order mark", "no last newline"],
)
def test_what_editors_do_to_a_text_does_not_matter(text: str) -> None:
    assert read_toml(text) == mine()


@pytest.mark.parametrize("skill", SKILLS)
@pytest.mark.parametrize("place", [SOLDIER, KNIGHT])
def test_any_card_may_have_any_skill(skill: str, place: int) -> None:
    card = (
        mine()["cards"][place] | {"skill": skill} | ({"amount": 0} if skill in WITH_AMOUNT else {})
    )
    assert settled(changed("cards", place, card))["cards"][place] == card


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("cards", SOLDIER, "attack"), 0),
        (("cards", SOLDIER, "attack"), 99),
        (("cards", SOLDIER, "defence"), 99),
        (("cards", ARCHER, "amount"), 99),
        (("areas", 0, "red_funds"), 99),
        (("areas", 0, "offset"), 0),
        (("monarchs", 1, "attack"), 99),
        (("cards", SOLDIER, "names", "ja"), "長" * 40),
        (("cards", SOLDIER, "name"), "a" * 30),
        (("cards", SOLDIER, "name"), "a-1-b2"),
    ],
)
def test_bounds_are_within(path: tuple[Any, ...], value: object) -> None:
    place: Any = settled(changed(*path, value))
    for step in path:
        place = place[step]
    assert place == value


def test_thirty_copies_of_one_card_and_twenty_aces_of_one_copy_are_a_set() -> None:
    soldier, knight = mine()["cards"][SOLDIER], mine()["cards"][KNIGHT]
    aces = [knight | {"name": f"knight-{n}", "copies": 1} for n in range(20)]
    card_set = changed("cards", [soldier | {"copies": 30}, *aces])
    assert settled(card_set) == card_set


# What people get wrong ---------------------------------------------------------------------------

BY_PEOPLE = {
    "wrong count": ("copies = 6", "copies = 5", "cards: expected 30 normal cards, found 29"),
    "unknown skill": (
        'skill = "rearguard"',
        'skill = "rear-guard"',
        "cards[4].skill = 'rear-guard': expected one of liaison, rearguard, capital-guard, "
        "city-guard, archer, bird-soldier, priest",
    ),
    "negative": (
        "attack = 5",
        "attack = -5",
        "cards[10].attack = -5: expected an integer from 0 to 99",
    ),
    "no integer": (
        "attack = 5",
        "attack = 4.5",
        "cards[10].attack = 4.5: expected an integer from 0 to 99",
    ),
    "missing area": (
        '[[areas]]\nname = "border"\nnames = { en = "Border", ja = "国境" }\n'
        "red_funds = 1\nblue_funds = 1\noffset = 0\n",
        "",
        f"areas: 'border' is missing: expected {AREAS_EXPECTED}, in this order",
    ),
    "missing monarch": (
        '[[monarchs]]\nname = "princess"\nnames = { en = "Princess", ja = "王女" }\n'
        'side = "blue"\nattack = 3\ndefence = 3\n',
        "",
        "monarchs: 'blue' is missing: expected red, blue, in this order",
    ),
    "missing amount": (
        'skill = "archer"\namount = 1\n',
        'skill = "archer"\n',
        "cards[7] (archer): key 'amount' is missing",
    ),
    "syntax error": ("attack = 5", "attack 5", "line {line}: expected '=' after a key"),
}


@ruling("RB 6.1")
@pytest.mark.parametrize(("old", "new", "message"), BY_PEOPLE.values(), ids=list(BY_PEOPLE))
def test_eight_files_that_people_write(old: str, new: str, message: str) -> None:
    text = edited(old, new)
    line = MINE[: MINE.index(old)].count("\n") + 1
    told = fault_in(text)
    if message.startswith("line"):  # the reason is tomllib's, the line is ours
        assert told.startswith(f"card set: {message.format(line=line)}")
    else:
        assert told == f"card set: {message}"


# What is no set ----------------------------------------------------------------------------------

EXPECTED = (
    "expected one of 'balanced', 'reconstructed', "
    "or the content of a card set (TOML text or a mapping)"
)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("x", "'x'"),
        ("", "''"),
        ("Reconstructed", "'Reconstructed'"),
        ('name = "mine"', "'name = \"mine\"'"),
        ("\ud800", r"'\ud800'"),
        (None, "None"),
        (True, "True"),
        (5, "5"),
        (float("nan"), "nan"),
        (b"reconstructed", "b'reconstructed'"),
        (["reconstructed"], "a list"),
    ],
)
def test_what_is_neither_a_name_nor_content(value: object, said: str) -> None:
    assert fault_in(value) == f"option card_set = {said}: {EXPECTED}"


@pytest.mark.parametrize("path", ["mine.toml", "sets/mine", "/etc/passwd", "../mine.toml", "a\\b"])
def test_a_path_is_not_read_here(path: str) -> None:
    hint = "; a path is read on the command line only"
    assert fault_in(path) == f"option card_set = {path!r}: {EXPECTED}{hint}"


def test_an_unknown_name_is_no_built_in_set() -> None:
    with pytest.raises(
        Malformed, match="option card_set = 'balance': expected one of 'balanced', 'reconstructed'"
    ):
        built_in("balance")


# Every fault names its key -----------------------------------------------------------------------

SET, CARDS = "name, names, areas, monarchs, cards", "name, names, class, copies, attack, defence"
NO_SKILLS: list[tuple[object, str]] = [
    ("", "''"),
    (None, "None"),
    ("Liaison", "'Liaison'"),
    ([], "a list"),
]
FAULTS: list[tuple[Settled, str]] = [
    # keys
    (changed("cards", GONE), "key 'cards' is missing"),
    (changed("extra", 1), f"unknown key 'extra': expected {SET}"),
    (changed(3, 1), f"unknown key 3: expected {SET}"),
    (changed("names", "ja", GONE), "names: key 'ja' is missing"),
    (changed("names", "fr", "x"), "names: unknown key 'fr': expected en, ja"),
    (changed("areas", 1, "offset", GONE), "areas[1] (red-city): key 'offset' is missing"),
    (
        changed("areas", 0, "kind", "capital"),
        "areas[0] (red-capital): unknown key 'kind': "
        "expected name, names, red_funds, blue_funds, offset",
    ),
    (
        changed("monarchs", 0, "skill", "priest"),
        "monarchs[0] (prince): unknown key 'skill': expected name, names, side, attack, defence",
    ),
    (changed("monarchs", 1, "side", GONE), "monarchs[1] (princess): key 'side' is missing"),
    (
        changed("cards", LIAISON, "atack", 1),
        f"cards[3] (liaison): unknown key 'atack': expected {CARDS}, skill, amount",
    ),
    (changed("cards", LIAISON, "name", GONE), "cards[3]: key 'name' is missing"),
    (changed("cards", LIAISON, "copies", GONE), "cards[3] (liaison): key 'copies' is missing"),
    (changed("cards", LIAISON, "names", "en", GONE), "cards[3].names: key 'en' is missing"),
    # skills
    (changed("cards", ARCHER, "amount", GONE), "cards[7] (archer): key 'amount' is missing"),
    (
        changed("cards", SOLDIER, "amount", 1),
        "cards[0] (soldier): key 'amount' is only for the skills "
        "capital-guard, city-guard, archer, priest",
    ),
    (
        changed("cards", LIAISON, "amount", 1),
        "cards[3] (liaison): key 'amount' is only for the skills "
        "capital-guard, city-guard, archer, priest",
    ),
    *(
        (
            changed("cards", LIAISON, "skill", value),
            f"cards[3].skill = {said}: expected one of {', '.join(SKILLS)}",
        )
        for value, said in NO_SKILLS
    ),
    # shapes
    (changed("areas", {}), "areas = a mapping: expected a list ([[areas]] in TOML)"),
    (changed("monarchs", None), "monarchs = None: expected a list ([[monarchs]] in TOML)"),
    (changed("cards", "x"), "cards = 'x': expected a list ([[cards]] in TOML)"),
    (changed("cards", 2, []), "cards[2] = a list: expected a mapping"),
    (changed("cards", 2, "names", "x"), "cards[2].names = 'x': expected a mapping"),
    # areas and monarchs
    (
        changed("areas", []),
        f"areas: 'red-capital' is missing: expected {AREAS_EXPECTED}, in this order",
    ),
    (
        changed("areas", mine()["areas"][::-1]),
        f"areas: expected {AREAS_EXPECTED}, in this order, "
        "found blue-capital, blue-city, border, red-city, red-capital",
    ),
    (
        changed("areas", 3, "name", "border"),
        f"areas: 'blue-city' is missing: expected {AREAS_EXPECTED}, in this order",
    ),
    (
        changed("areas", 2, "name", "middle"),
        f"areas[2].name = 'middle': expected one of {AREAS_EXPECTED}",
    ),
    (changed("areas", mine()["areas"] * 2), "areas: expected at most 5 entries, found 10"),
    (
        changed("monarchs", mine()["monarchs"][::-1]),
        "monarchs: expected red, blue, in this order, found blue, red",
    ),
    (
        changed("monarchs", 0, "side", "green"),
        "monarchs[0].side = 'green': expected one of red, blue",
    ),
    (changed("monarchs", mine()["monarchs"] * 2), "monarchs: expected at most 2 entries, found 4"),
    # counts
    (changed("cards", []), "cards: expected 30 normal cards, found 0"),
    (changed("cards", SOLDIER, "copies", 7), "cards: expected 30 normal cards, found 31"),
    (changed("cards", KNIGHT, "copies", 4), "cards: expected 20 aces, found 19"),
    (changed("cards", mine()["cards"] * 4), "cards: expected at most 50 entries, found 64"),
    (
        changed("cards", 0, "class", "monarch"),
        "cards[0].class = 'monarch': expected one of normal, ace",
    ),
    # names
    (changed("name", "My set"), f"name = 'My set': {KEBAB_EXPECTED}"),
    (changed("name", 3), f"name = 3: {KEBAB_EXPECTED}"),
    *(
        (changed("cards", 0, "name", name), f"cards[0].name = {name!r}: {KEBAB_EXPECTED}")
        for name in ["", "A", "1a", "-a", "a-", "a--b", "a b", "a_b", "é", "a\n", "a" * 31, None]
    ),
    *(
        (
            changed("cards", 0, "name", name),
            f"cards[0].name = {name!r}: this word has a meaning in the game: choose another name",
        )
        for name in ["none", "normal", "ace", "red", "blue", *AREAS]
    ),
    (
        changed("monarchs", 0, "name", "none"),
        "monarchs[0].name = 'none': this word has a meaning in the game: choose another name",
    ),
    (
        changed("cards", 1, "name", "soldier"),
        "cards[1].name = 'soldier': cards[0] has this name already",
    ),
    (
        changed("cards", 1, "name", "prince"),
        "cards[1].name = 'prince': monarchs[0] has this name already",
    ),
    (
        changed("monarchs", 1, "name", "prince"),
        "monarchs[1].name = 'prince': monarchs[0] has this name already",
    ),
    *(
        (
            changed("cards", 0, "names", "en", name),
            f"cards[0].names.en: expected 1 to 40 characters without outer spaces, found {name!r}",
        )
        for name in ["", " a", "a" * 41]
    ),
    (changed("names", "ja", 3), "names.ja: expected a text, found 3"),
    (
        changed("areas", 0, "names", "ja", "a\ud800b"),
        r"areas[0].names.ja: expected plain text, found '\ud800'",
    ),
    (
        changed("cards", 0, "names", "en", "a\x1b[31mb"),
        r"cards[0].names.en: expected plain text, found '\x1b'",
    ),
]


@pytest.mark.parametrize(("value", "message"), FAULTS, ids=[message[:50] for _, message in FAULTS])
def test_every_fault_names_its_key(value: Settled, message: str) -> None:
    assert fault_in(value) == f"card set: {message}"


JAPANESE = re.compile("[ぁ-ん]")
ENGLISH = re.compile(r"\b(?:is|are|the|expected|missing|a|key|list|mapping)\b")
PATH = re.compile(r"(?:name|names|areas|monarchs|cards)?(?:\[\d+\])?(?:\.[a-z_]+)*")


@pytest.mark.parametrize(("value", "message"), FAULTS, ids=[message[:50] for _, message in FAULTS])
def test_every_fault_is_told_in_japanese_too(value: Settled, message: str) -> None:
    with pytest.raises(Faulty) as faulty:
        settled(value)
    told = faulty.value.message.words("ja")
    assert JAPANESE.search(told)
    assert not ENGLISH.search(re.sub(r"'[^']*'", "", told))
    assert not set("{}") & set(told)
    path = faulty.value.path
    assert PATH.fullmatch(path)
    assert message.startswith(path)


REMARKABLE = [
    (("monarchs", 0, "attack", 9), "attack", "王子の攻撃力は9、王女の攻撃力は3です。"),
    (("monarchs", 0, "defence", 9), "defence", "王子の防御力は9、王女の防御力は3です。"),
    (("areas", 1, "offset", 9), "offset", "赤の街の値は、赤の資金2、青の資金1、補正9です。"),
    (("areas", 0, "red_funds", 9), "All areas", "赤が14、青が8です。"),
    (("cards", SOLDIER, "attack", 99), "aces", "ノーマルが"),
    (("cards", PRIEST, "attack", 1), "priest", "攻撃力が1です。"),
    (("cards", SOLDIER, "names", {"en": "Man", "ja": "騎士"}), "called 騎士 (ja)", "2種類あります"),
]


@ruling("RB 6.2")
@pytest.mark.parametrize(("change", "english", "japanese"), REMARKABLE)
def test_remarks_are_made_in_both_languages(
    change: tuple[Any, ...], english: str, japanese: str
) -> None:
    card_set = settled(changed(*change))
    assert any(english in said for said in remarks(card_set))
    assert any(japanese in said for said in remarks(card_set, "ja"))
    assert len(remarks(card_set)) == len(remarks(card_set, "ja"))


NUMBERS = [
    ("areas", 0, "red_funds", 0),
    ("areas", 1, "blue_funds", 0),
    ("areas", 2, "offset", 0),
    ("monarchs", 0, "attack", 0),
    ("monarchs", 1, "defence", 0),
    ("cards", 3, "attack", 0),
    ("cards", 3, "defence", 0),
    ("cards", 3, "copies", 1),
    ("cards", 7, "amount", 0),
]
NO_NUMBERS = [
    (-1, "-1"),
    (100, "100"),
    (True, "True"),
    (2.0, "2.0"),
    (float("nan"), "nan"),
    (float("inf"), "inf"),
    ("2", "'2'"),
    (None, "None"),
    ([2], "a list"),
    ({}, "a mapping"),
    (10**5000, "something of type int"),
]


@pytest.mark.parametrize(("group", "place", "key", "least"), NUMBERS)
@pytest.mark.parametrize(("value", "said"), NO_NUMBERS, ids=[said for _, said in NO_NUMBERS])
def test_numbers_are_integers_within_bounds(
    group: str, place: int, key: str, least: int, value: object, said: str
) -> None:
    most = 30 if key == "copies" else 99
    assert fault_in(changed(group, place, key, value)) == (
        f"card set: {group}[{place}].{key} = {said}: expected an integer from {least} to {most}"
    )


@pytest.mark.parametrize("copies", [0, 31])
def test_copies_have_bounds_of_their_own(copies: int) -> None:
    assert fault_in(changed("cards", 0, "copies", copies)) == (
        f"card set: cards[0].copies = {copies}: expected an integer from 1 to 30"
    )


# Texts that are no TOML, and texts that mean harm ------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('name = "mine"\nnames = {\n', 2),
        ('name = "mine\n', 1),
        ("\n\n\nname = 'a'\nname = 'b'\n", 5),
        ("[[cards]\n", 1),
        ("\n'''\n\n", 2),
        ("a = 1\n" * 3, 2),
        ("# \x00\n", 1),
        ("\n" + ".".join("a" * 5000) + " = 1\n", 2),
        ("\n[" + ' . "x"' * 9 + "]\n", 2),
        ("x = 'a'\n[a.b.'c'.d.e.f.g.h.i]\n", 2),
    ],
)
def test_what_is_no_toml_is_told_by_its_line(text: str, line: int) -> None:
    told = fault_in(text)
    assert re.match(rf"card set: line {line}: [a-z']", told), told
    assert len(told) < 150


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\n" * (LONGEST_TEXT + 1), "expected at most 32768 characters, found 32769"),
        ("\n" * LONGEST_TEXT, "key 'name' is missing"),
        (
            "x = " + "[" * 16000 + "\n",
            "nested too deep: nothing is deeper than the names of a card",
        ),
        (
            "x = " + "{a=" * 9000 + "\n",
            "nested too deep: nothing is deeper than the names of a card",
        ),
        ("x = " + "9" * 5000 + "\n", "expected numbers up to 99, found one too long to read"),
        ("x = 0x" + "f" * 30000 + "\n", f"unknown key 'x': expected {SET}"),
        ("\n" + "a.b.c.d.e.f.g.h" + " = 1\n", f"unknown key 'a': expected {SET}"),
    ],
    ids=["too long", "empty", "lists", "mappings", "digits", "hexadecimal", "eight parts"],
)
def test_a_text_that_means_harm(text: str, message: str) -> None:
    assert fault_in(text) == f"card set: {message}"


def deep(wrap: Callable[[Any], Any], depth: int = 10_000) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = wrap(value)
    return value


@pytest.mark.parametrize("wrap", [lambda x: [x], lambda x: {"names": x}], ids=["list", "mapping"])
@pytest.mark.parametrize(
    "path",
    [
        ("name",),
        ("names",),
        ("names", "en"),
        ("areas",),
        ("areas", 0),
        ("cards",),
        ("cards", 0),
        ("cards", 0, "attack"),
        ("cards", 0, "names", "ja"),
    ],
)
def test_a_mapping_nested_very_deep(path: tuple[Any, ...], wrap: Callable[[Any], Any]) -> None:
    assert fault_in(changed(*path, deep(wrap))).startswith("card set: ")
    assert fault_in(deep(wrap)).startswith(("card set: ", "option card_set = a list"))


def test_much_of_the_same_is_not_looked_through() -> None:
    entry = mine()["cards"][0]
    assert fault_in(changed("cards", [entry] * 1_000_000)) == (
        "card set: cards: expected at most 50 entries, found 1000000"
    )
    many = {f"key-{number}": entry for number in range(100_000)}
    assert fault_in(many).startswith("card set: unknown key 'key-0': ")


texts = st.text(st.characters(exclude_categories=()), max_size=50)
"""Any characters, surrogates included."""
signs = st.text("[]{}\"=.,\n #ax1-\\\r'", max_size=200)
"""The characters and words of TOML."""
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=8,
)


def paths_in(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return every path in a set, from the whole to single values."""
    steps: list[tuple[Any, Any]] = []
    if isinstance(value, dict | list):
        steps = list(value.items() if isinstance(value, dict) else enumerate(value))
    return [path, *(place for key, inner in steps for place in paths_in(inner, (*path, key)))]


def is_set_or_malformed(value: object) -> bool:
    """Return whether `settled` gives a complete set that settles to itself, or a short fault."""
    try:
        result = settled(value)
    except Malformed as malformed:
        return len(str(malformed).encode("utf-8")) < 1000  # short, and can be sent
    assert settled(json.loads(json.dumps(result))) == result
    assert list(result) == ["name", "names", "areas", "monarchs", "cards"]
    remarks(result)
    return True


@settings(bounded, max_examples=300)
@given(
    changes=st.lists(
        st.tuples(st.sampled_from(paths_in(mine())[1:]), st.just(GONE) | json_values),
        min_size=1,
        max_size=3,
    )
)
def test_a_set_with_anything_anywhere_is_a_set_or_malformed(
    changes: list[tuple[tuple[Any, ...], Any]],
) -> None:
    value: Any = mine()
    for path, new in changes:
        place = value
        try:
            for step in path[:-1]:
                place = place[step]
            if new is GONE:
                del place[path[-1]]
            else:
                place[path[-1]] = new
        except (LookupError, TypeError):  # an earlier change took this place away
            continue
    assert is_set_or_malformed(value)


@settings(bounded, max_examples=200)
@given(value=json_values)
def test_anything_is_a_set_or_malformed(value: object) -> None:
    assert is_set_or_malformed(value)


@settings(bounded, max_examples=200)
@given(
    start=st.integers(0, len(MINE)),
    length=st.integers(0, 60),
    new=texts | signs,
)
def test_a_text_with_anything_anywhere_is_a_set_or_malformed(
    start: int, length: int, new: str
) -> None:
    assert is_set_or_malformed(MINE[:start] + new + MINE[start + length :])


@settings(bounded, max_examples=200)
@given(text=texts | signs)
def test_any_text_is_a_set_or_malformed(text: str) -> None:
    assert is_set_or_malformed(text + "\n")


# What a set need not keep ------------------------------------------------------------------------

REMARKS: list[tuple[tuple[Any, ...], str]] = [
    (
        ("monarchs", 0, "attack", 5),
        "Prince has attack 5 and Princess 3: Red’s monarch should have 1 more.",
    ),
    (
        ("monarchs", 1, "attack", 4),
        "Prince has attack 4 and Princess 4: Red’s monarch should have 1 more.",
    ),
    (
        ("monarchs", 1, "defence", 4),
        "Prince has defence 3 and Princess 4: the sets that come with the game give both the same.",
    ),
    (
        ("areas", 1, "offset", 2),
        "Red City has 2, 1 and 2 as funds for Red, funds for Blue and offset: "
        "they should be 2, 1 and 1.",
    ),
    (
        ("areas", 4, "blue_funds", 2),
        "All areas together pay 7 to Red and 7 to Blue: Blue should get more.",
    ),
    (
        ("cards", LIAISON, "attack", 30),
        "Attack and defence together are 6.20 for the average ace and 6.20 for the average normal "
        "card: aces should be stronger.",
    ),
    (("cards", PRIEST, "attack", 1), "Priest has the skill priest and attack 1: it should be 0."),
]


@ruling("RB 6.2")
@pytest.mark.parametrize(("change", "remark"), REMARKS, ids=[remark[:40] for _, remark in REMARKS])
def test_a_set_of_ones_own_is_bound_to_the_counts_only(
    change: tuple[Any, ...], remark: str
) -> None:
    assert remarks(settled(changed(*change))) == [remark]


@ruling("RB 6.2")
@pytest.mark.parametrize(
    ("place", "key", "value"), [(LIAISON, "attack", 29), (ARCHER, "defence", 44)]
)
def test_averages_count_copies(place: int, key: str, value: int) -> None:
    """Counted by kinds, the normal cards would be far ahead; by copies they are just behind."""
    assert remarks(settled(changed("cards", place, key, value))) == []


@ruling("RB 6.2")
def test_every_departure_has_a_sentence() -> None:
    card_set = mine()
    for (group, place, key, value), _ in REMARKS:
        if (group, place, key) != ("monarchs", 1, "attack"):  # it would make up for the Prince's
            card_set[group][place][key] = value
    assert len(remarks(settled(card_set))) == len(REMARKS) - 1
