"""Every fact, action and option has a text in both languages."""

import pytest

from goofspiel.options import GOOFSPIEL
from goofspiel.tests.tables import bid, position, standing, started
from zashiki.core.text import LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_fact_action_and_option_has_words(language: str) -> None:
    texts = GOOFSPIEL.texts(language)
    match = started(2, cards=3, order="descending")
    bid(match, 3, 3)
    bid(match, 2, 1)
    told = [*match.facts(), *standing(position([[1, 2], [1, 2]], 3, [1], bids=[5, None])).facts()]
    assert {fact.name for fact in told} == set(match.vocabulary.every_fact())
    for fact in told:
        sentence = texts.fact(fact, match.vocabulary)
        assert sentence
        assert "{" not in sentence
    assert "13" in texts.action(started().game.read("bid:13"))
    for name, option in GOOFSPIEL.options.items():
        assert texts.get("options", name)["title"]
        assert texts.get("options", name)["help"]
        assert all(texts.value(name, value) for value in option.values)


def test_both_languages_have_the_same_keys() -> None:
    english, japanese = (GOOFSPIEL.texts(language).game for language in LANGUAGES)
    assert paths(english) == paths(japanese)


def paths(table: object, path: str = "") -> list[str]:
    if not isinstance(table, dict):
        return [path]
    return [found for key, value in table.items() for found in paths(value, f"{path}/{key}")]


def test_a_sentence() -> None:
    match = started(3, cards=3, order="descending")
    bid(match, 3, 3, 1)
    texts = GOOFSPIEL.texts("en", ["Aki", "Beni", "Chiyo"])
    said = [texts.fact(fact, match.vocabulary) for fact in match.facts("all")]
    assert said[-3:] == [
        "The bids were turned up: Aki 3, Beni 3, Chiyo 1.",
        "The highest bid was shared: the prize of 3 was discarded.",
        "Round 2: the prize is 2.",
    ]
