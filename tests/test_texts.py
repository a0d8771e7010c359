"""Every text that a game needs exists in both languages, and none is unused.

A folder may specify several games, which share its texts: needs are checked per game, unused texts
per folder.
"""

import ast
import contextlib
import pkgutil
import random
import re
import string
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

import pytest

import zashiki
from zashiki.core.facts import Fact, plain_text
from zashiki.core.match import Match
from zashiki.core.record import BrokenKind
from zashiki.core.rulings import Malformed, Refusal
from zashiki.core.spec import AnyGame, GameSpec, OptionValue
from zashiki.core.text import LANGUAGES, Texts, load
from zashiki.core.witness import PartTaken

CORE = files("zashiki.core")
SPECS = list(zashiki.games().values())
FOLDERS = {str(spec.folder): spec.folder for spec in SPECS}
TEXTS = [CORE, *FOLDERS.values()]
SECTIONS = {
    "titles", "summaries", "goals", "words", "actions", "phases", "facts", "refusals", "options",
    "hints", "phrases", "forms", "client", "faults", "remarks", "findings", "bots", "house",
    "credits", "story",
}  # fmt: skip
A_WORD = re.compile(r"[a-z][a-z_-]*")
"""Values with these forms have texts; `R5` or `12` needs none."""


def names_of(folders: Iterable[Traversable]) -> list[str]:
    return [folder.name for folder in folders]


each_game = pytest.mark.parametrize("spec", SPECS, ids=[spec.id for spec in SPECS])
each_folder = pytest.mark.parametrize("folder", FOLDERS.values(), ids=names_of(FOLDERS.values()))
each_text = pytest.mark.parametrize("folder", TEXTS, ids=names_of(TEXTS))
each_language = pytest.mark.parametrize("language", LANGUAGES)


# The needs of a game ---------------------------------------------------------------------------


def specs_of(folder: Traversable) -> list[GameSpec]:
    return [spec for spec in SPECS if str(spec.folder) == str(folder)]


def choices(spec: GameSpec, seats: int) -> list[dict[str, OptionValue]]:
    """The default options, and each other value of each option by itself."""
    default = spec.check_options(None, seats)
    options = spec.options.values()
    others = [
        {**default, option.name: value}
        for option in options
        for value in option.values_for(seats)
        if option.check(value, seats) != default[option.name]
    ]
    return [default, *others]


def made(spec: GameSpec) -> Iterator[AnyGame]:
    """The game in all its seats and options; not every option fits every number of seats."""
    for seats in spec.seats:
        for options in choices(spec, seats):
            yield spec.make(seats, options)


def package_of(spec: GameSpec) -> str:
    return type(next(made(spec))).__module__.rpartition(".")[0]


def facts_of(spec: GameSpec) -> dict[str, set[str]]:
    """Return each fact with its arguments."""
    facts: dict[str, set[str]] = {}
    for seats in spec.seats:
        vocabulary = spec.vocabulary(seats, spec.check_options(None, seats))
        for part in (vocabulary.public, vocabulary.own, vocabulary.hidden):
            for name, signature in part.items():
                assert facts.setdefault(name, set(signature)) == set(signature), f"two facts {name}"
        assert set(vocabulary.every_fact()) <= set(facts)
    return facts


def actions_of(spec: GameSpec) -> dict[str, set[str]]:
    """Return each kind of action with its words."""
    kinds: dict[str, set[str]] = {}
    for game in made(spec):
        for action in game.actions:
            words = kinds.setdefault(action.kind, set(action.words))
            assert words == set(action.words), f"{action.text} has other words than its kind"
    return kinds


def words_of(spec: GameSpec) -> set[str]:
    """Return the words in the actions of a game."""
    values = [word for game in made(spec) for act in game.actions for word in act.words.values()]
    single = {str(one) for value in values for one in (value if type(value) is list else [value])}
    return {word for word in single if A_WORD.fullmatch(word)}


@cache
def refusals_of(package: str) -> list[tuple[str, set[str] | None]]:
    """Return the id and the details of every `Refusal(…)` in a package, without its tests."""
    found = import_module(package)
    modules = [found]
    for entry in pkgutil.walk_packages(found.__path__, f"{package}."):
        if "tests" not in entry.name.split("."):
            modules.append(import_module(entry.name))
    return [refusal for module in modules for refusal in refusals_in(module)]


def refusals_in(module: ModuleType) -> Iterator[tuple[str, set[str] | None]]:
    assert module.__file__ is not None
    for node in ast.walk(ast.parse(Path(module.__file__).read_text("utf-8"))):
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == "Refusal":
            given = dict(zip(("ruling", "blame", "details"), node.args, strict=False))
            given |= {str(keyword.arg): keyword.value for keyword in node.keywords}
            for ruling in constants(given["ruling"], module):
                yield ruling, keys_of(given.get("details"))


def constants(node: ast.expr, module: ModuleType) -> list[str]:
    """Return the ids that an expression may have: a constant of a module, or one of two."""
    if isinstance(node, ast.IfExp):
        return constants(node.body, module) + constants(node.orelse, module)
    first, *rest = ast.unparse(node).split(".")
    value: object = vars(module).get(first)
    for name in rest:
        value = getattr(value, name, None)
    if not isinstance(value, str):
        where = f"{module.__name__}, line {node.lineno}"
        pytest.fail(f"{where}: expected a constant of rulings, found {ast.unparse(node)}")
    return [value]


def keys_of(details: ast.expr | None) -> set[str] | None:
    """Return the keys of a literal dictionary; None if it is not literal."""
    if details is None:
        return set()
    if isinstance(details, ast.Dict) and all(isinstance(key, ast.Constant) for key in details.keys):
        return {str(key.value) for key in details.keys if isinstance(key, ast.Constant)}
    return None


# The content of a text -------------------------------------------------------------------------


def placeholders(text: str) -> set[str]:
    parsed = list(string.Formatter().parse(text))
    names = {name for _, name, _, _ in parsed if name is not None}
    assert all(name.isidentifier() for name in names), f"{text!r}: a placeholder has no name"
    assert not any(spec or conversion for _, _, spec, conversion in parsed), text
    return names


def flat(texts: Mapping[str, Any], path: str = "") -> dict[str, str]:
    """Return each entry's path and text."""
    entries: dict[str, str] = {}
    for key, value in texts.items():
        if isinstance(value, dict):
            entries |= flat(value, f"{path}{key} / ")
        else:
            assert isinstance(value, str), f"{path}{key}: expected a text, found {value!r}"
            entries[f"{path}{key}"] = value
    return entries


def used(text: object) -> set[str]:
    """Return the placeholders of a template, or of a table of them."""
    if isinstance(text, Mapping):
        return set().union(*map(placeholders, text.values()))
    return placeholders(str(text))


class Strict(Texts):
    """Raises for a word that neither the game nor its options know."""

    def __init__(self, spec: GameSpec, language: str, options: Mapping[str, Any]) -> None:
        words = spec.texts(language, options=options).chosen["words"]
        super().__init__(spec.folder, language, words=words)

    def word(self, word: str) -> str:
        known = self.has("words", word) or self.has("phrases", word)
        assert known or not A_WORD.fullmatch(word), f"words.{word} is missing"
        return super().word(word)


# Both languages alike --------------------------------------------------------------------------


@each_text
def test_all_languages_have_the_same_keys_and_the_same_placeholders(folder: Traversable) -> None:
    texts = {language: flat(load(folder, language)) for language in LANGUAGES}
    english = texts.pop("en")
    for language, entries in texts.items():
        assert entries.keys() == english.keys(), language
        for path, text in entries.items():
            assert placeholders(text) == placeholders(english[path]), f"{language}: {path}"


@each_language
@each_text
def test_no_text_is_empty_and_no_section_unknown(folder: Traversable, language: str) -> None:
    texts = load(folder, language)
    assert texts.keys() <= SECTIONS
    for path, text in flat(texts).items():
        is_form = path.startswith("forms / ")
        assert is_form or (text and text == text.strip() and "\n" not in text), path


@each_language
@each_game
def test_people_count_seats_from_one(spec: GameSpec, language: str) -> None:
    seats = range(spec.seats[-1])
    numbers = [re.findall(r"\d+", spec.texts(language).seat(seat)) for seat in seats]
    assert numbers == [[str(seat + 1)] for seat in seats]


# Everything that is needed is there ------------------------------------------------------------


@each_language
@each_game
def test_every_fact_has_a_template_for_exactly_its_arguments(spec: GameSpec, language: str) -> None:
    texts = spec.texts(language)
    for name, arguments in facts_of(spec).items():
        template = texts.get("facts", name)
        assert used(template) == arguments, f"facts.{name}"
        if isinstance(template, Mapping):
            named = {part for key in template for part in key.split("+")}
            assert named <= arguments | {"text", "otherwise"}, f"facts.{name}"


def retold_of(spec: GameSpec) -> dict[str, set[str]]:
    """Return each sentence of the short log with its arguments."""
    seats = spec.seats[0]
    vocabulary = spec.vocabulary(seats, spec.check_options(None, seats))
    assert not vocabulary.retold.keys() & vocabulary.every_fact().keys()
    return {name: set(kinds) for name, kinds in vocabulary.retold.items()}


@each_language
@each_game
def test_every_line_of_the_short_log_has_a_template(spec: GameSpec, language: str) -> None:
    retold = retold_of(spec)
    story = spec.texts(language).game.get("story", {})
    assert story.keys() == retold.keys()
    assert {name: used(template) for name, template in story.items()} == retold


@each_language
@each_game
def test_every_side_has_a_seat_and_a_word(spec: GameSpec, language: str) -> None:
    assert not spec.sides or spec.seats == (len(spec.sides),)
    assert all(spec.texts(language).has("words", side) for side in spec.sides)


@each_language
@each_game
def test_every_action_has_a_template_and_its_words(spec: GameSpec, language: str) -> None:
    texts = spec.texts(language)
    for kind, words in actions_of(spec).items():
        assert used(texts.get("actions", kind)) == words, f"actions.{kind}"
    missing = {word for word in words_of(spec) if not texts.has("words", word)}
    assert not missing


@each_language
@each_game
def test_every_refusal_has_a_text_that_its_details_can_fill(spec: GameSpec, language: str) -> None:
    texts = spec.texts(language)
    for ruling, details in refusals_of("zashiki.core") + refusals_of(package_of(spec)):
        needed = placeholders(str(texts.get("refusals", ruling)))
        assert details is None or needed <= details, f"refusals.{ruling}"


@each_language
@each_game
def test_every_option_has_title_help_and_values(spec: GameSpec, language: str) -> None:
    texts = spec.texts(language)
    for option in spec.options.values():
        assert {"title", "help"} <= set(texts.get("options", option.name)), option.name
        said = [texts.value(option.name, value) for value in option.values]
        assert len(set(said)) == len(option.values), f"{option.name}: two values read alike"


@each_language
@each_game
def test_titles_summaries_phases_and_hints_are_there(spec: GameSpec, language: str) -> None:
    texts = spec.texts(language)
    plain = [texts.get(section, spec.id) for section in ("titles", "summaries", "goals")]
    hints = [hint for phase in texts.hints(spec.id).values() for hint in phase.values()]
    plain += [*texts.game["phases"].values(), *hints]
    assert texts.game["phases"]
    assert hints
    assert not any(map(placeholders, plain))


@each_language
def test_every_role_in_credits_has_a_word_and_no_word_is_idle(language: str) -> None:
    people = [spec.credits.people for spec in SPECS if spec.credits]
    roles = {role for credited in people for role, _ in credited}
    assert load(CORE, language)["credits"].keys() == roles | {"title", "note"}


@each_language
@each_game
def test_phrases_may_be_said(spec: GameSpec, language: str) -> None:
    phrases = spec.texts(language).game.get("phrases", {})
    assert bool(phrases) == bool(spec.speech)
    for key, phrase in phrases.items():
        assert plain_text(key, "key", spec.speech) == key
        assert plain_text(phrase, "phrase", spec.speech) == phrase
    assert len(set(phrases.values())) == len(phrases)


# Nothing is there that nobody needs ------------------------------------------------------------


@each_language
@each_folder
def test_a_folder_has_no_text_that_nothing_needs(folder: Traversable, language: str) -> None:
    texts, specs = load(folder, language), specs_of(folder)
    ids = {spec.id for spec in specs}
    assert texts["titles"].keys() == ids
    assert texts["summaries"].keys() == ids
    assert texts["goals"].keys() == ids
    assert texts["facts"].keys() <= {name for spec in specs for name in facts_of(spec)}
    assert texts["actions"].keys() == {kind for spec in specs for kind in actions_of(spec)}
    produced = ["zashiki.core", *(package_of(spec) for spec in specs)]
    rulings = {ruling for package in produced for ruling, _ in refusals_of(package)}
    assert texts.get("refusals", {}).keys() <= rulings
    tables = {key for key, hint in texts["hints"].items() if isinstance(hint, Mapping)}
    assert tables <= ids | texts["phases"].keys()


@each_language
@each_folder
def test_a_folder_has_no_option_that_no_game_has(folder: Traversable, language: str) -> None:
    known: dict[str, set[str]] = {}
    for spec in specs_of(folder):
        for option in spec.options.values():
            known.setdefault(option.name, set()).update(
                str(value).lower() for value in option.values
            )
    written = load(folder, language).get("options", {})
    assert written.keys() == known.keys()
    for name, option in written.items():
        assert option.keys() <= {"title", "help", "values"}, name
        assert option.get("values", {}).keys() <= known[name], name


@each_language
def test_core_has_no_text_that_nothing_needs(language: str) -> None:
    packages = ["zashiki.core", *map(package_of, SPECS)]
    rulings = {ruling for package in packages for ruling, _ in refusals_of(package)}
    texts = load(CORE, language)
    assert texts["refusals"].keys() <= rulings
    facts = {name for spec in SPECS for name in facts_of(spec)}
    assert texts.get("facts", {}).keys() <= facts


# Findings about records ------------------------------------------------------------------------


def keys_said(module: str, *functions: str) -> set[str]:
    """Return the keys that a module passes to these functions; both of two in `a if … else b`."""
    tree = ast.parse(Path(str(import_module(module).__file__)).read_text("utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    names = [
        call
        for call in calls
        if getattr(call.func, "id", getattr(call.func, "attr", "")) in functions
    ]
    given = [node for call in names for arg in call.args[:2] for node in ast.walk(arg)]
    return {
        node.value for node in given if isinstance(node, ast.Constant) and type(node.value) is str
    }


@each_language
def test_every_fault_and_remark_of_a_card_set_has_words_and_no_words_are_idle(
    language: str,
) -> None:
    module = "zashiki.games.kingdoms.card_set"
    texts = load(FOLDERS[str(files("zashiki.games.kingdoms"))], language)
    faults = keys_said(module, "fault", "told") | {"normal-cards", "aces"}
    assert texts["faults"].keys() <= faults
    assert texts["remarks"].keys() == keys_said(module, "remark")


@each_language
def test_a_finding_has_no_words_that_nothing_says(language: str) -> None:
    said = keys_said("zashiki.core.verify", "found", "blame_rules", "counted")
    said |= {"over", "not-over", "undrawn", "disputed", *get_args(BrokenKind)}
    said |= {"no-hashes", "not-compared", *get_args(PartTaken)}
    said |= {f"one-{noun}" for noun in said} | {f"{noun}s" for noun in said}
    assert load(CORE, language)["findings"].keys() <= said


# Whole matches read aloud ----------------------------------------------------------------------


def matches(spec: GameSpec, phrases: list[str]) -> Iterator[Match]:
    """Random matches, with phrases if the game has them, in every seat count and option."""
    chance = random.Random(spec.id)
    for seats in spec.seats:
        for options in choices(spec, seats):
            match = zashiki.start(spec.id, seats, options=options, seed=chance.random().hex())
            while not match.over:
                seat = chance.choice(sorted(match.to_act))
                says = chance.choice([None, *phrases])
                match.play(seat, chance.choice(match.legal(seat)), says=says)
                if chance.random() < 0.05:
                    yield zashiki.scenario(spec.id, match.truth(), match.options)
            yield match


@pytest.mark.compiled
@each_game
def test_the_log_of_a_match_can_be_read_in_every_language(spec: GameSpec) -> None:
    phases, phrases = (spec.texts("en").game.get(name, {}) for name in ("phases", "phrases"))
    for match in matches(spec, sorted(phrases)):
        assert match.view(None).get("phase", next(iter(phases))) in phases
        for language in LANGUAGES:
            texts = Strict(spec, language, match.options)
            story = [match.vocabulary.story(match.facts(who)) for who in ("everything", "all", 0)]
            for fact in [*match.facts(), *(fact for facts in story for fact in facts)]:
                line = texts.fact(fact, match.vocabulary)
                assert line, fact
                assert line == line.strip(), fact
                assert not set("{}") & set(line), line
                assert not NOTATION.search(line), line


# Cards in words --------------------------------------------------------------------------------

NOTATION = re.compile(
    r"(?<![A-Za-z0-9])"
    r"(?:[RB](?:\d+|H)|[RB]{2,}(?! \d)|[rb][1-4]:|[a-z]+@[a-z]+)"
    r"(?![A-Za-z0-9])"
)
"""Notation of Red Town (`R5`, `BH`, `RRB`, `b2:…`) and KAMIZA (`boss@top`); `RB 3.4` is a rule."""


def attempts(match: Match, chance: random.Random) -> list[str]:
    """Actions that a person might try: of this game, and with the cards of another."""
    texts = [action.text for action in chance.sample(match.game.actions, 2)]
    kinds, cards = zip(*(text.partition(":")[::2] for text in texts), strict=True)
    return [*texts, f"{kinds[0]}:{cards[1]}"]


def refused(match: Match, chance: random.Random) -> Iterator[Refusal]:
    """Yield the refusals of some attempts of every seat."""
    for seat in range(match.seats):
        for attempt in attempts(match, chance):
            with contextlib.suppress(Malformed):  # the mixture may not be an action
                refusal = match.why_not(seat, attempt)
                if refusal is not None:
                    yield refusal


@pytest.mark.compiled
@each_game
def test_no_sentence_of_a_match_is_in_notation(spec: GameSpec) -> None:
    chance = random.Random(spec.id)
    seen: set[str] = set()
    for match in matches(spec, []):
        texts = [spec.texts(language, options=match.options) for language in LANGUAGES]
        refusals = [*refused(match, chance)]
        for spoken in texts:
            said = [spoken.fact(fact, match.vocabulary) for fact in match.facts()]
            said += [spoken.refusal(refusal) for refusal in refusals]
            said += [spoken.action(action) for action in match.game.actions]
            assert [line for line in said if NOTATION.search(line)] == []
        seen.update(refusal.ruling for refusal in refusals)
    assert seen


def test_a_text_that_is_not_toml_is_told_with_its_file(tmp_path: Path) -> None:
    (tmp_path / "text").mkdir()
    (tmp_path / "text" / "en.toml").write_text('[actions]\nplay = "Play\n', "utf-8")
    with pytest.raises(ValueError, match=r"en\.toml: .*line 2"):
        load(tmp_path, "en")


@each_language
@each_text
def test_no_text_is_in_notation(folder: Traversable, language: str) -> None:
    texts = flat(load(folder, language))
    assert {path: text for path, text in texts.items() if NOTATION.search(text)} == {}


@each_text
def test_english_sentences_about_a_seat_fit_the_reader_too(folder: Traversable) -> None:
    """The reader is called *You*, so *{who} starts* would become *You starts*."""
    wrong = re.compile(r"\{(who|seat)\} ([a-z]+s|is|was|has)\b")
    said = {
        path: text
        for path, text in flat(load(folder, "en")).items()
        if path.startswith(("facts / ", "client / log-")) and wrong.search(text)
    }
    assert said == {}


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Aki played 3 black 8s and a black Hitman at Black Four: 8."),
        ("ja", "アキが「黒フォーカード」に黒の8（3枚）と黒のヒットマンを出し、8を宣言しました。"),
    ],
)
def test_equal_cards_are_counted_in_a_sentence(language: str, said: str) -> None:
    spec = zashiki.games()["red-town"]
    names = {"en": ["Aki"], "ja": ["アキ"]}[language]
    played = Fact("all", "played", {"seat": 0, "action": "b4:B8,B8,B8,BH", "number": 8})
    vocabulary = spec.vocabulary(4, spec.check_options(None, 4))
    assert spec.texts(language, names).fact(played, vocabulary) == said


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Aki added 2 red Hitmen and a black Hitman."),
        ("ja", "Akiが手札に赤のヒットマン2枚と黒のヒットマン1枚を加えました。"),
    ],
)
def test_hitmen_of_both_colours_are_one_sentence(language: str, said: str) -> None:
    spec = zashiki.games()["red-town"]
    hired = Fact("all", "hired", {"seat": 0, "red": 2, "black": 1})
    vocabulary = spec.vocabulary(4, spec.check_options(None, 4))
    assert spec.texts(language, ["Aki"]).fact(hired, vocabulary) == said


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ["", "a", "a and b", "a, b and c"]),
        ("ja", ["", "a", "aとb", "a、b、c"]),
    ],
)
def test_a_list_within_a_sentence_is_joined_as_the_language_does(
    language: str, said: list[str]
) -> None:
    texts = zashiki.games()["red-town"].texts(language)
    assert [texts.joined(list("abc"[:count])) for count in range(4)] == said


@pytest.mark.parametrize(
    ("winner", "reason", "said"),
    [
        ("red", "fallen", "君主が討たれたため、対戦が終わりました。勝者：赤。"),
        (
            "nobody",
            "turn-200",
            "第200手番が終わったため、対戦が終わりました。勝者：なし（引き分け）。",
        ),
    ],
)
def test_the_end_does_not_read_as_if_the_winner_had_lost_the_monarch(
    winner: str, reason: str, said: str
) -> None:
    spec = zashiki.games()["kingdoms"]
    ended = Fact("all", "ended", {"winner": winner, "reason": reason})
    vocabulary = spec.vocabulary(2, spec.check_options(None, 2))
    assert spec.texts("ja").fact(ended, vocabulary) == said


def test_notation_is_told_from_words() -> None:
    notation = ["B7 and BH", "赤R6、", "Add RRB", "(b2:B7,BH)", "boss@top", "R11."]
    words = ["black 7", "RB 3.4", "赤の11", "a red Hitman", "KAMIZA", "B", "x-ray R", "RT 3.5"]
    assert [text for text in notation if not NOTATION.search(text)] == []
    assert [text for text in words if NOTATION.search(text)] == []


@each_language
@each_game
def test_every_action_can_be_read(spec: GameSpec, language: str) -> None:
    for seats in spec.seats:
        for options in choices(spec, seats):
            match = zashiki.start(spec.id, seats, options=options, seed=1)
            texts = Strict(spec, language, match.options)
            for action in match.game.actions:
                assert not set("{}") & set(texts.action(action))


@pytest.mark.parametrize(("language", "pikeman"), [("en", "Pikeman"), ("ja", "長槍兵")])
def test_a_match_with_a_card_set_of_ones_own_is_read_in_its_words(
    language: str, pikeman: str
) -> None:
    record = Path(__file__).parent / "goldens" / "kingdoms-2-own-set-v1.jsonl"
    match = zashiki.replay(record.read_text("utf-8"))
    texts = Strict(match.spec, language, match.options)
    log = [texts.fact(fact, match.vocabulary) for fact in match.facts()]
    assert any(pikeman in line for line in log)
    assert not any("Soldier" in line.replace("Bird Soldier", "") for line in log)
    assert not any("兵士" in line for line in log)


# Rules for players -----------------------------------------------------------------------------

RULE = re.compile(r"^- \*\*([A-Z]+\d? \d+\.\d+[a-z]?)\*\* \S", re.MULTILINE)
GAME = re.compile(r"^# .+ \{([a-z0-9-]+)\}$", re.MULTILINE)
SECTION = re.compile(r"^## ([A-Z]+\d? \d+) \S", re.MULTILINE)
WITH_RULES = [folder for folder in FOLDERS.values() if (folder / "rules.en.md").is_file()]
each_rulebook = pytest.mark.parametrize("folder", WITH_RULES, ids=names_of(WITH_RULES))


def rules_of(folder: Traversable, language: str) -> str:
    return (folder / f"rules.{language}.md").read_text("utf-8")


def rulings_of(folder: Traversable) -> dict[str, str]:
    """Return the names and ids of the constants in `rulings.py`, in order."""
    module = import_module(f"{package_of(specs_of(folder)[0])}.rulings")
    tree = ast.parse((folder / "rulings.py").read_text("utf-8"))
    targets = [node.target for node in tree.body if isinstance(node, ast.AnnAssign)]
    names = [target.id for target in targets if isinstance(target, ast.Name)]
    return {name: getattr(module, name) for name in names}


@each_rulebook
def test_rules_and_rulings_have_the_same_ids_in_the_same_order(folder: Traversable) -> None:
    rulings = rulings_of(folder)
    for language in LANGUAGES:
        ids = RULE.findall(rules_of(folder, language))
        assert ids == list(rulings.values()), language
        assert len(set(ids)) == len(ids), language
    for name, ruling in rulings.items():
        assert name == re.sub("[ .]", "_", ruling)


@each_language
@each_rulebook
def test_a_rulebook_has_a_chapter_for_each_game(folder: Traversable, language: str) -> None:
    rules = rules_of(folder, language)
    assert sorted(GAME.findall(rules)) == sorted(spec.id for spec in specs_of(folder))
    sections = SECTION.findall(rules)
    assert len(set(sections)) == len(sections)
    assert set(sections) == {ruling.partition(".")[0] for ruling in RULE.findall(rules)}


@each_rulebook
def test_what_is_cited_is_a_rule(folder: Traversable) -> None:
    ids = set(rulings_of(folder).values()) | {ruling for ruling, _ in refusals_of("zashiki.core")}
    ids |= set(load(CORE, "en")["refusals"])
    for spec in specs_of(folder):
        assert {option.ruling for option in spec.options.values()} <= ids
        assert {ruling for ruling, _ in refusals_of(package_of(spec))} <= ids


@each_language
@each_rulebook
def test_rules_name_every_option(folder: Traversable, language: str) -> None:
    rules = rules_of(folder, language)
    for spec in specs_of(folder):
        chapter = rules[rules.index(f"{{{spec.id}}}") :].partition("\n# ")[0]
        texts = spec.texts(language)
        for name in spec.options:
            title = re.escape(str(texts.get("options", name)["title"]))
            shown = (
                rf"\*\*{title}\*\* \(`{name}`" if language == "en" else rf"「{title}」（`{name}`"
            )
            assert re.search(shown, chapter), f"{spec.id}: option {name} by its title"


@each_rulebook
def test_notation_is_the_last_chapter_after_examples_and_questions(folder: Traversable) -> None:
    last = {"en": "Notation", "ja": "手の書き方"}
    questions = {"en": "Questions", "ja": "よくある質問"}
    for language in LANGUAGES:
        for chapter in re.split(r"^# ", rules_of(folder, language), flags=re.MULTILINE)[1:]:
            headings = re.findall(r"^## (.+)$", chapter, re.MULTILINE)
            assert headings[-1] == last[language], language
            if package_of(specs_of(folder)[0]).startswith("zashiki."):
                assert headings[-2] == questions[language], language
                assert chapter.split("\n\n")[1].startswith("!["), "it begins with a picture"
