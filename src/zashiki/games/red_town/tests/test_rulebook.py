"""The worked examples of the rulebook, played with the default options."""

import re
from importlib.resources import files

import pytest

import zashiki
from zashiki import Match
from zashiki.games.red_town.tests.tables import plays, refusal, told, war

ruling = pytest.mark.ruling

HEADINGS = {"en": "Examples", "ja": "例"}
LANGUAGES = tuple(HEADINGS)
TITLES = {
    "hands": ("Hands on the move", "流れる手札"),
    "war": ("A turf war", "ある抗争"),
    "refused": ("Not like that", "それは出せません"),
    "below": ("A Hitman below", "下に回るヒットマン"),
    "start": ("Two Hitmen to start with", "のっけからふたり組"),
    "bang": ("Leaving with a bang", "捨て台詞のあと"),
}
AKI, BEN, CHIE, DAI = range(4)
NAMES = {"Aki": AKI, "Ben": BEN, "Chie": CHIE, "Dai": DAI} | {
    "アキ": AKI, "ベン": BEN, "チエ": CHIE, "ダイ": DAI
}  # fmt: skip
KEPT = ("R4", "R4", "B3", "B3")
"""A card per hand that is not played in an example, so that no seat goes out."""


def examples(language: str) -> dict[str, str]:
    """Return the text of each worked example by its title."""
    rules = (files("zashiki.games.red_town") / f"rules.{language}.md").read_text("utf-8")
    section = rules.partition(f"\n## {HEADINGS[language]}\n")[2].partition("\n## ")[0]
    parts = re.split(r"^\*\*(.+?)[.。]\*\*", section, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def example(name: str, language: str) -> str:
    return examples(language)[TITLES[name][LANGUAGES.index(language)]]


def notations(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


each_language = pytest.mark.parametrize("language", LANGUAGES)


@each_language
def test_every_example_is_played_here(language: str) -> None:
    known = [titles[LANGUAGES.index(language)] for titles in TITLES.values()]
    assert list(examples(language)) == known


@ruling("RT 2.5")
@ruling("RT 2.6")
def test_hands_on_the_move() -> None:
    match = zashiki.start("red-town", 4, seed=1)
    dealt = match.truth()["hands"]
    for seat, action in ((AKI, "add"), (BEN, "add"), (CHIE, "confirm"), (DAI, "add")):
        match.play(seat, action)
    for seat, action in ((AKI, "hitman:R"), (BEN, "hitman:R"), (DAI, "hitman:B")):
        match.play(seat, action)
    hands = match.truth()["hands"]
    for giver, taker in ((AKI, BEN), (BEN, DAI), (DAI, AKI), (CHIE, CHIE)):
        assert set(dealt[giver]) <= set(hands[taker])  # type: ignore[index]
    for seat, action in ((AKI, "add"), (BEN, "confirm"), (DAI, "confirm"), (AKI, "hitmen:RB")):
        match.play(seat, action)
    view = match.view(None)
    assert view["hitmen_held"][AKI] == "RBB"  # type: ignore[index]
    assert view["supply"][AKI] == "B"  # type: ignore[index]
    assert view["phase"] == "turn"


@ruling("RT 3.8")
@each_language
def test_a_turf_war(language: str) -> None:
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in example("war", language).splitlines()
        if "`" in line
    ]
    acts = [(NAMES[who], notation.strip("`"), number) for who, _, number, _, notation in rows]
    hands = list(KEPT)
    for seat, act, _ in acts:
        hands[seat] += " " + act.partition(":")[2].replace(",", " ")
    match = war(hands)
    for seat, act, number in acts:
        match.play(seat, act)
        if act != "pass":
            assert told(match, "played")[-1]["number"] == int(number)
    assert told(match, "war_ended") == [{"starter": BEN}]
    assert match.to_act == {BEN}
    assert match.view(None)["passed"] == [], "Chie is back"


@ruling("RT 3.5")
@ruling("RT 4.4")
@each_language
def test_not_like_that(language: str) -> None:
    hands = ["R8 R9 R9 R10 B7 B9 B9 B10", "R3", "B3"]
    match = war(hands, board={"r1": ["R8"]}, declared=8, last=2)
    pieces = re.split(r"[(（]((?:`[^`]+`)|(?:RT [\d.]+))[)）]", example("refused", language))
    marks = pieces[1::2]
    judged: dict[str, str] = {}
    waiting: list[str] = []
    for mark in marks:
        if mark.startswith("`"):
            waiting.append(mark.strip("`"))
        else:
            judged |= dict.fromkeys(waiting, mark)
            waiting = []
    assert len(judged) == 6
    assert {act: refusal(match, 0, act) for act in judged} == judged
    assert [refusal(match, 0, act) for act in waiting] == [""], "the last one would do"


@ruling("RT 5.3")
@each_language
def test_a_hitman_below(language: str) -> None:
    (act,) = notations(example("below", language))
    match = war(["B10 B11 BH R4", *["B3 R5", "B4 R6", "B5 R7", "B6 R8"]])
    assert told(plays(match, act), "played")[-1]["number"] == 10


@ruling("RT 5.5")
@each_language
def test_two_of_them_for_a_start(language: str) -> None:
    (act,) = notations(example("start", language))
    match = war(["RH RH R9", "B3 R5", "B4 R6", "B5 R7"])
    assert told(plays(match, act), "played")[-1]["number"] == 3


def leaving() -> Match:
    """Return a match in which Dai has one card left, and Aki and Chie, but not Ben, have passed."""
    hands = ["B3 B4", "B5 R9", "R4 R5", "R8"]
    lying = {"b1": ["B7"]}
    return war(hands, board=lying, declared=7, last=BEN, passed=[AKI, CHIE], turn=DAI)


@ruling("RT 3.8")
@ruling("RT 3.9")
def test_leaving_with_a_bang() -> None:
    match = plays(leaving(), "r1:R8")
    assert match.to_act == {BEN}, "he may still answer"
    plays(match, "pass")
    assert told(match, "war_ended") == [{"starter": AKI}]
