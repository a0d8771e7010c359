"""The table in the terminal: what a person may type there, and what is shown."""

import io
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
from zashiki.core.match import Match
from zashiki.core.text import LANGUAGES

NAMES = ["Aki", "Bot A", "Bot B", "Bot C"]


class Table:
    """A person on seat 0 against random bots, and all that is printed."""

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
        """Let the bots act until the person is asked."""
        while not self.match.over and self.session.bots.play_next(self.match):
            pass
        self.session.choices.update(self.match, 0)

    def type(self, line: str) -> str:
        """What is printed upon a line."""
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


# What may be typed -----------------------------------------------------------------------------


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
    assert "読めません" in told if language == "ja" else "I don't understand" in told
    assert "@ and an area (top, bottom)" in told
    assert "`boss@top`" in told


def test_words_that_cannot_be_said() -> None:
    table = asked(language="ja", width=300)
    assert table.type("1 " + "あ" * 81).strip() == "言葉は80文字までです（今は81文字）。"
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


# What is shown ---------------------------------------------------------------------------------


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


def test_goofspiel_says_who_has_chosen_and_what_is_to_come() -> None:
    shown = asked("goofspiel").board()
    assert "Have chosen: Bot A, Bot B, Bot C" in shown
    assert "Prizes to come: " in shown
    assert "まだ出ていない賞品：" in asked("goofspiel", "ja").board()


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
    for section in english.keys() - {"help"}:  # its keys are what may be typed, in words
        assert keys_in(english[section]) == keys_in(japanese[section])
    assert len(english["help"]) == len(japanese["help"])


def keys_in(texts: Mapping[str, object]) -> object:
    """The keys, with those of each section within."""
    return {key: keys_in(x) if isinstance(x, Mapping) else "" for key, x in texts.items()}
