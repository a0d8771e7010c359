"""The table in the terminal: its input and its output."""

import io
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console
from rich.theme import Theme

import zashiki
from zashiki.cli.terminal import session as sessions
from zashiki.cli.terminal.board import Board
from zashiki.cli.terminal.choices import card_numbers
from zashiki.cli.terminal.console import COLOURS
from zashiki.cli.terminal.seated_bots import SeatedBots
from zashiki.cli.terminal.session import Session, split_line
from zashiki.cli.terminal.wording import TerminalWording, terminal_texts
from zashiki.core.game import Outcome
from zashiki.core.match import Match
from zashiki.core.text import LANGUAGES

NAMES = ["Aki", "Bot A", "Bot B", "Bot C"]


class Table:
    """A person on seat 0 against random bots, and the whole output."""

    def __init__(
        self,
        game: str = "kamiza-second",
        language: str = "en",
        width: int = 80,
        seed: int = 7,
        **options: object,
    ) -> None:
        names = NAMES[: max(zashiki.games()[game].seats)]
        self.match = zashiki.start(game, len(names), options=options, seed=seed, names=names)
        self.file = io.StringIO()
        console = Console(
            file=self.file,
            width=width,
            theme=Theme(COLOURS),
            markup=False,
            emoji=False,
            highlight=False,
            force_terminal=True,
            color_system=None,
        )
        bots = SeatedBots(self.match, [None, *["random"] * (len(names) - 1)], {}, seed)
        wording = TerminalWording(self.match.spec, language, names)
        self.session = Session(console, self.match, 0, bots, wording)

    def answers(self, monkeypatch: pytest.MonkeyPatch, lines: Iterable[str]) -> None:
        given = iter(lines)
        monkeypatch.setattr("builtins.input", lambda _: next(given))

    def asked(self) -> None:
        """Let the bots act until the person has to decide."""
        while not self.match.over and self.session.bots.play_next(self.match):
            pass
        self.session.choices.update(self.match, 0)

    def type(self, line: str) -> str:
        """Return the output after an input line."""
        start = len(self.file.getvalue())
        self.session.answer(line)
        return self.file.getvalue()[start:]

    def board(self) -> str:
        return self.type("table")


def asked(game: str = "kamiza-second", language: str = "en", **more: object) -> Table:
    table = Table(game, language, **more)  # type: ignore[arg-type]
    table.asked()
    return table


def actions_of(match: Match, seat: int = 0) -> list[str]:
    return [action for who, action in match.journal.actions if who == seat]


# Input -----------------------------------------------------------------------------------------


def test_a_number_bids_the_card_of_that_number() -> None:
    table = asked("goofspiel")
    for typed in ("1", "13", "2", "bid:7"):
        table.type(typed)
        table.asked()
    assert actions_of(table.match) == ["bid:1", "bid:13", "bid:2", "bid:7"]
    assert "Z 3" in table.type("13")  # spent: refused, and no other card is bid
    assert "Z 3" in table.type("why 13")
    assert list(table.session.choices.labels) == ["3", "4", "5", "6", "8", "9", "10", "11", "12"]


def test_where_numbers_name_no_actions_the_list_is_numbered() -> None:
    table = asked()
    assert card_numbers(table.match.game) == {}
    assert list(table.session.choices.labels) == [str(number) for number in range(1, 9)]


@pytest.mark.parametrize("typed", ["１", "1", "BOSS@TOP", "Boss@top", "ｂｏｓｓ＠ｔｏｐ"])
def test_wide_and_big_letters_are_read(typed: str) -> None:
    table = asked()
    table.type(typed)
    assert actions_of(table.match) == ["boss@top"]


def test_words_stay_as_typed_after_a_japanese_space() -> None:
    table = asked(language="ja")
    table.type("１　こんばんは　ＡＢＣ")
    said = [fact.arguments["words"] for fact in table.match.facts() if fact.name == "said"]
    assert said == ["こんばんは　ＡＢＣ"]
    assert split_line("  q ") == ("q", "")
    assert split_line("") == ("", "")


@pytest.mark.parametrize("typed", ["boss@middle", "boss", "why boss", "99", "why foo"])
@pytest.mark.parametrize("language", ["en", "ja"])
def test_what_cannot_be_read_is_told_how_it_should_look(typed: str, language: str) -> None:
    told = asked(language=language, width=300).type(typed)
    words = typed.removeprefix("why ")
    understood = f"「{words}」は読めません" if language == "ja" else f"I don’t understand '{words}'"
    assert understood in told
    if language == "en":
        assert "@ and an area (top, bottom)" in told
    else:  # the game's own message exists in English only
        without = told.replace("boss@top", "").replace(words, "")
        assert not re.search(r"[A-Za-z]{2}", without)
    assert "`boss@top`" in told
    assert ("（1–8）" if language == "ja" else "(1–8)") in told


def test_words_that_cannot_be_said() -> None:
    table = asked(language="ja", width=300)
    assert table.type("1 " + "あ" * 81).strip() == "言葉は80文字までです（いまは81文字）。"
    assert table.type("1 a\u200bb").startswith("この言葉は口に出せません")
    assert asked("goofspiel", "ja").type("1 hello").startswith("このゲームでは")
    assert actions_of(table.match) == []


def test_help_names_every_command_and_a_number_that_can_be_typed() -> None:
    table = asked("goofspiel")
    table.type("1")
    table.asked()
    told = table.type("？")
    assert "table" in told
    assert "\n4 " in f"\n{told}"
    assert "Hint: " in told


# Output ----------------------------------------------------------------------------------------


def test_threats_are_shown_in_words() -> None:
    table = asked()
    table.match.play(0, "boss@top", "police-4")
    table.match.play(1, "boss@top", "Own [b]words[/b]")
    phrase = table.session.wording.texts.phrase("police-4")
    shown = board_of(table, 1)
    assert f"Aki: “{phrase}”" in shown
    assert "Bot A: “Own [b]words[/b]”" in shown
    assert "police-4" not in shown


def board_of(table: Table, seat: int) -> str:
    start = len(table.file.getvalue())
    console = table.session.console
    Board(table.session.wording, table.match, seat).print_to(console, table.match)
    return table.file.getvalue()[start:].replace("\n", " ").replace("  ", " ")


def test_only_options_other_than_usual_are_shown_and_in_words() -> None:
    assert "options" not in asked().board()
    assert "Open start" not in asked().board()
    shown = asked(language="ja", open_start=True).board()
    assert "親は表向き：表向きで出す" in shown
    assert "同点のとき" not in shown


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("width", [40, 60, 80])
def test_nothing_is_cut_off(language: str, width: int) -> None:
    table = asked(language=language, width=width)
    shown = table.board() + table.type("?") + table.type("threats") + table.type("actions")
    assert "…" not in shown
    assert all(cell_len(line) <= width for line in shown.splitlines())


@pytest.mark.parametrize(
    "game", ["kingdoms", "red-town", "kamiza-second", "kamiza-2014", "goofspiel"]
)
def test_the_reader_is_you_in_what_happened(game: str) -> None:
    table = Table(game, width=200)
    while not table.match.over:
        table.asked()
        if not table.match.over:
            table.type(table.match.legal(0)[0])
    told = " ".join(table.type("log").split())
    assert "Aki" not in told
    assert "You " in told
    assert not re.search(r"You’|\b[Yy]ou (has|is|was|\w+s) ", told)
    assert re.findall(r"\w+ You[^\w]", told) == []


def test_a_battle_is_told_without_its_arithmetic_until_all_is_asked_for() -> None:
    table = Table("kingdoms", width=200)
    while "revealed" not in {fact.name for fact in table.match.facts(0)}:
        table.asked()
        table.type(table.match.legal(0)[0])
    short, whole = table.type("log"), table.type("log all")
    assert "were turned up" in short
    assert "sword" not in short
    assert "sword" in whole
    assert "You played the" not in short


def told_after(table: Table, *actions: str) -> list[str]:
    """Return the lines of the log that are new after some actions of the seats in turn."""
    table.type("log")
    before = len(table.type("log").splitlines())
    for action in actions:
        seat = min(table.match.to_act)
        table.match.play(seat, action)
    return [line.strip() for line in table.type("log").splitlines()[before:]]


KAMIZA_ROUND = ("boss@top", "hitman@top", "underboss@bottom", "boss@bottom")
KAMIZA_LINES = {
    "en": [
        "You placed the Boss face down at the top seat.  (only you know)",
        "Bot A placed a card face down at the top seat.",
        "Bot B placed a card face down at the bottom seats.",
        "Bot C placed a card face down at the bottom seats.",
        "Turned up at the top seat: your Boss, Bot A’s Hitman.",
        "Turned up at the bottom seats: Bot B’s Underboss, Bot C’s Boss.",
        "Bot A’s Hitman brought down your Boss.",
        "Wrong area: Bot C’s Boss. Points: Bot A 4, Bot B 2.",
    ],
    "ja": [
        "あなたが上座に組長を伏せました。  （あなただけが知っています）",
        "Bot Aが上座にカードを1枚伏せました。",
        "Bot Bが下座にカードを1枚伏せました。",
        "Bot Cが下座にカードを1枚伏せました。",
        "上座のカードを公開：あなたの組長、Bot Aの鉄砲玉。",
        "下座のカードを公開：Bot Bの若頭、Bot Cの組長。",
        "Bot Aの鉄砲玉があなたの組長を討ち取りました。",
        "場違い：Bot Cの組長。得点：Bot A 4点、Bot B 2点。",
    ],
}


@pytest.mark.parametrize("game", ["kamiza-second", "kamiza-2014"])
@pytest.mark.parametrize("language", ["en", "ja"])
def test_kamiza_names_every_card_that_the_reader_knows_once(game: str, language: str) -> None:
    seeds = (seed for seed in range(99) if Table(game, seed=seed).match.view(None)["starter"] == 0)
    table = Table(game, language, width=200, seed=next(seeds))
    told = told_after(table, *KAMIZA_ROUND)
    assert told[: len(KAMIZA_LINES[language])] == KAMIZA_LINES[language]


BATTLE_LINES = {
    "en": [
        "You attacked the Blue Capital. Face down: Soldier and Soldier.  (only you know)",
        "The cards were turned up: attack 4 (Soldier 2, Soldier 2), "
        "defence 11 (Princess 5, reinforcement Shieldman 3, offset 3).",
        "Bot A won the battle for the Blue Capital. "
        "Discarded: your Soldier and Soldier, Bot A’s Shieldman.",
    ],
    "ja": [
        "あなたが兵士と兵士を伏せて青の王都を攻撃しました。  （あなただけが知っています）",
        "カードが表になりました。攻撃4（兵士2、兵士2）、防御11（王女5、援軍の盾兵3、補正3）。",
        "Bot Aが青の王都の戦闘に勝ちました。捨て札：あなたの兵士と兵士、Bot Aの盾兵。",
    ],
}


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_battle_is_three_lines(language: str) -> None:
    table = Table("kingdoms", language, width=200, seed=5)
    table.match.play(0, "draft:0")
    attack = ("attack:blue-capital:soldier+soldier", "defend:shieldman", "leave:princess")
    assert told_after(table, *attack) == BATTLE_LINES[language]


def test_a_battle_that_waits_for_the_reader_tells_its_result_first() -> None:
    table = Table("kingdoms", width=200, seed=5)
    for action in ("draft:0", "done", "draft:0", "attack:red-capital:shieldman"):
        table.match.play(min(table.match.to_act), action)
    assert told_after(table, "defend:soldier")[-1] == "You won the battle for the Red Capital."


def test_what_the_reader_says_stays_as_typed() -> None:
    table = asked(width=200)
    table.type("1 Listen: You, You’s and Aki")
    assert "You: “Listen: You, You’s and Aki”" in table.type("log")


def test_red_town_tells_a_choice_when_it_shows() -> None:
    table = Table("red-town", width=300)
    told = told_after(table, "add", "add", "confirm", "confirm", "hitman:R", "hitman:B")
    assert told[0] == "Adding a Hitman: you, Bot A. Confirming: Bot B, Bot C."
    assert told[1:3] == ["You added a red Hitman.", "Bot A added a black Hitman."]
    assert [line for line in told if "chose" in line or "choice" in line] == []


def test_goofspiel_says_who_has_chosen_and_what_is_to_come() -> None:
    shown = asked("goofspiel").board()
    assert "Already chosen: Bot A, Bot B, Bot C" in shown
    assert "Prizes to come: " in shown
    assert "まだ出ていない賞品：" in asked("goofspiel", "ja").board()


@pytest.mark.parametrize(("language", "supply"), [("en", "2 red, 2 black"), ("ja", "赤2枚、黒2枚")])
def test_hitmen_are_counted_in_words(language: str, supply: str) -> None:
    shown = Table("red-town", language, width=200).session
    table = asked("red-town", language, width=200)
    assert shown.wording.tally("RRBB") == supply
    assert table.board().count(supply) == 4
    assert "RRBB" not in table.board()


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_game_for_two_can_be_shown_at_every_moment(language: str) -> None:
    names = NAMES[:2]
    match = zashiki.start("red-town", 2, seed=3, names=names)
    wording = TerminalWording(match.spec, language, names)
    waiting = False
    while not match.over and match.view(None)["round"] == 1:
        for seat in (0, 1, None):
            file = io.StringIO()
            console = Console(file=file, width=400, theme=Theme(COLOURS), color_system=None)
            Board(wording, match, seat).print_to(console, match)
            shown = file.getvalue()
            assert not re.search(r"looked looked|\bsize size\b|None|[\[{]", shown)
            waiting |= wording.pair(wording.label("waiting"), "Aki") in shown
        seat = min(match.to_act)
        match.play(seat, match.legal(seat)[0])
    assert waiting


def test_people_are_named_and_never_numbered_on_the_table() -> None:
    table = Table("kingdoms", width=300, seed=5)
    for action in ("draft:0", "attack:blue-capital:soldier+soldier", "defend:shieldman"):
        table.match.play(min(table.match.to_act), action)
    shown = board_of(table, 1)
    assert "Winner: Bot A" in shown
    assert "Arithmetic" not in shown
    table = Table("red-town", width=300)
    board = Board(table.session.wording, table.match, 0)
    assert board.value_text("out", [2, 0]) == "Bot B, Aki"


def test_the_headline_tells_no_zeros_and_no_options() -> None:
    first = asked("kingdoms", "ja").board().splitlines()[0]
    assert first == "赤の国 青の国 · 段階：徴兵 · 通算手番：1"
    assert asked("red-town", width=200).board().splitlines()[0].endswith("Phase: decisions")


@pytest.mark.parametrize(
    ("language", "said"), [("en", "You have won."), ("ja", "あなたの勝ちです。")]
)
def test_the_winner_is_you(language: str, said: str) -> None:
    table = Table(language=language)
    outcome = Outcome((1, 2, 3, 4), (4, 3, 2, 1))
    assert table.session.facts.winners(outcome, 0) == said
    assert "Aki" in table.session.facts.winners(outcome, 1)


def test_as_many_cards_as_seats_are_no_column_of_the_table() -> None:
    assert "Prizes to come: " in asked("goofspiel", cards=5).board()


def test_the_table_can_be_asked_for_and_tells_what_is_asked() -> None:
    table = asked()
    assert table.board() == table.type("b")
    assert "Choose a card and place it" in table.board()
    assert "boss@top" in table.board()


def test_the_first_hint_depends_on_the_seed() -> None:
    first = {Table(seed=seed).session.hints.next("") for seed in range(20)}
    assert len(first) > 3
    assert Table(seed=5).session.hints.next("") == Table(seed=5).session.hints.next("")
    assert first <= set(Table().session.wording.texts.hints("kamiza-second")[""].values())


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_hint_fits_the_phase(language: str) -> None:
    table = asked("kingdoms", language, width=300)
    hints = table.session.wording.texts.hints("kingdoms")
    assert table.match.view(0)["phase"] == "draft"
    fitting = [table.session.wording.say("tip", tip=hint) for hint in hints["draft"].values()]
    for _ in range(5):
        assert table.type("?").strip().splitlines()[-1] in fitting


def test_hints_are_repeated_only_after_all_were_given() -> None:
    hints = Table("red-town").session.hints
    given = [hints.next("turn") for _ in range(11)]
    assert sorted(map(str, given)) == sorted(hints.by_phase["turn"])
    assert hints.next("decide") in hints.by_phase["decide"]
    assert hints.next("turn") == given[0]


def test_a_game_without_hints_gives_none() -> None:
    hints = Table().session.hints
    hints.by_phase = {"": []}
    assert hints.next("place") is None


def test_the_prompt_is_whole_and_hides_its_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Table().session
    assert session.prompt() == "Aki › "
    session.console = Console(
        file=io.StringIO(), theme=Theme(COLOURS), force_terminal=True, color_system="truecolor"
    )
    monkeypatch.setattr(sessions, "HIDES_CODES", True)
    assert session.prompt().startswith("\x01\x1b[")
    assert session.prompt().endswith("m\x02› ")
    assert session.prompt().count("\x01") == session.prompt().count("\x02") == 2
    monkeypatch.setattr(sessions, "HIDES_CODES", False)
    assert session.prompt() == "Aki › "


def test_at_the_end_it_offers_to_save(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "match.jsonl"
    table = Table("goofspiel", cards=2)
    table.answers(monkeypatch, ["2", "1", str(tmp_path / "no" / "file"), str(path)])
    table.session.run(None)
    assert table.file.getvalue().count("Record saved") == 1  # asked again after a wrong place
    assert zashiki.replay(path.read_text("utf-8")).over


def test_both_languages_of_the_terminal_have_the_same_keys() -> None:
    english, japanese = map(terminal_texts, LANGUAGES)
    assert english.keys() == japanese.keys()
    for section in english.keys() - {"help"}:  # its keys are the possible inputs, in words
        assert keys_in(english[section]) == keys_in(japanese[section])
    assert len(english["help"]) == len(japanese["help"])


def keys_in(texts: Mapping[str, object]) -> object:
    """Return the keys, with those of each section."""
    return {key: keys_in(x) if isinstance(x, Mapping) else "" for key, x in texts.items()}
