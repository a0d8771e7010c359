"""A person at the table: what is shown, what is asked, and what the answers mean."""

import contextlib
import json
import re
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path
from unicodedata import normalize

from rich.console import Console
from rich.text import Text

from zashiki.cli.commands.rules import show_rules
from zashiki.cli.files import check_new, write_text
from zashiki.cli.rulebook import Rulebook, rulebook
from zashiki.cli.terminal.board import Board
from zashiki.cli.terminal.console import seat_style, show_table
from zashiki.cli.terminal.fact_printer import Teller, listing
from zashiki.cli.terminal.seated_bots import Sitting
from zashiki.cli.terminal.stdio import printable
from zashiki.cli.terminal.wording import Wording
from zashiki.core.dice import Quick
from zashiki.core.facts import plain_text
from zashiki.core.match import Match
from zashiki.core.offer import AnyGame
from zashiki.core.rulings import Malformed, Refusal, Refused, quoted

try:  # line editing, where there is such a thing
    import readline

    HIDES_CODES = "libedit" not in (readline.__doc__ or "")
    """May a prompt have colours? Only GNU readline surely knows that they take no room."""
except ImportError:
    HIDES_CODES = False

MOST_ACTIONS = 30
"""So many actions are listed unasked."""
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
NUMBER = re.compile(r"\b\d+\b")


class Left(Exception):
    """The person has left the table."""


class Session:
    """One match of one person."""

    def __init__(
        self, console: Console, match: Match, seat: int, sitting: Sitting, wording: Wording
    ) -> None:
        self.console = console
        self.match = match
        self.seat = seat
        self.sitting = sitting
        self.wording = wording
        self.teller = Teller(console, wording, match.vocabulary, match.seats)
        self.board = Board(wording, match, seat)
        self.told = 0
        """How many of the facts told to this seat were shown."""
        self.labels: dict[str, str] = {}
        """From what may be typed for a legal action to its notation."""
        self.numbers = own_numbers(match.game)
        self.tips = tips(match, wording)
        self.save_as: Path | None = None
        self.has_hinted = False
        self.commands: dict[str, Callable[[str], None]] = {
            "?": self.help,
            "help": self.help,
            "why": self.why,
            "rules": self.rules,
            "log": self.log,
            "actions": self.actions,
            "table": self.table,
            "b": self.table,
            "threats": self.threats,
            "view": self.view,
            "quit": self.quit,
            "q": self.quit,
        }

    def run(self, save_as: Path | None) -> None:
        """To the end of the match, or until the person leaves."""
        self.save_as = save_as
        try:
            while not self.match.over:
                if not self.sitting.play_next(self.match):
                    self.decide()
        except (EOFError, KeyboardInterrupt):
            self.console.print()
            self.leave(self.save_as)
        self.tell_news()
        outcome = self.match.outcome
        assert outcome is not None
        self.teller.tell_outcome(outcome, self.seat)
        if self.save_as is None:
            self.offer_to_save()

    def say(self, text: str, style: str = "none") -> None:
        self.console.print(Text(text, style=style))

    # Showing -----------------------------------------------------------------------------------

    def tell_news(self) -> None:
        """What this seat was told since the last decision."""
        facts = self.match.facts(self.seat)
        for fact in facts[self.told :]:
            self.teller.tell(fact, self.seat)
        self.told = len(facts)

    def number_actions(self) -> None:
        """Numbers for what is legal: those in the notation itself, for they name the cards."""
        view = self.match.state.views[self.seat]
        legal = [self.match.game.actions[action].text for action in self.match.game.legal(view)]
        own = {text: number for number, text in self.numbers.items()}
        if any(text.isdecimal() or text in own for text in legal):
            self.labels = {own.get(text, text): text for text in legal}
        else:
            self.labels = {str(number): text for number, text in enumerate(legal, 1)}

    def list_actions(self, most: int) -> None:
        rows: list[list[str | Text]] = []
        for label, text in list(self.labels.items())[:most]:
            words = self.wording.action(self.match.game.by_text[text])
            rows.append([Text(label, style="kin"), words, Text(text, style="usuzumi")])
        show_table(self.console, listing(rows))
        if len(self.labels) > most:
            self.say(self.wording.say("more", count=len(self.labels) - most), "usuzumi")

    # Deciding ----------------------------------------------------------------------------------

    def decide(self) -> None:
        """Show the table and ask until an action is taken."""
        self.tell_news()
        self.console.rule(style="usuzumi")
        self.number_actions()
        self.table("")
        self.hint()
        while not self.answered(self.ask()):
            pass

    def hint(self) -> None:
        """How to answer: at length the first time."""
        keys = ["help_hint"]
        if not self.has_hinted:
            self.show_tip()
            keys = ["choose", *(["speak"] if self.match.offer.speech else []), "help_hint"]
        self.has_hinted = True
        gap = str(self.wording.texts.get("forms", "gap"))
        self.say(gap.join(self.wording.say(key) for key in keys), "usuzumi")

    def show_tip(self) -> None:
        tip = next(self.tips, None)
        if tip is not None:
            self.say(self.wording.say("tip", tip=tip), "usuzumi")

    def ask(self) -> str:
        return input(self.prompt()).strip()

    def prompt(self) -> str:
        """All of it, for line editing must know how much room it takes."""
        name = Text(f"{self.wording.seat(self.seat)} ", style=f"bold {seat_style(self.seat)}")
        with self.console.capture() as captured:
            self.console.print(name, end="", soft_wrap=True)
        hidden = "\x01\\g<0>\x02" if HIDES_CODES else ""
        return COLOUR.sub(hidden, captured.get()) + "› "

    def answered(self, line: str) -> bool:
        """Was this an action, and is it taken? Anything else is explained."""
        first, rest = parted(line)
        if not first:
            return False
        word = normalize("NFKC", first)
        if word.lower() in self.commands and word not in self.match.game.by_text:
            self.commands[word.lower()](rest)
            return False
        action = self.meant(word)
        fault = self.fault(action)
        if fault is not None:
            self.cannot_read(line, fault)
            return False
        try:
            self.match.play(self.seat, action, self.words(rest))
        except Refused as refused:
            self.explain(refused.refusal)
            return False
        except Malformed as malformed:
            self.say(str(malformed), "shu")
            return False
        return True

    def words(self, rest: str) -> str | None:
        """What is said with an action; what is wrong with it is told in the person's language."""
        most = self.match.offer.speech
        if not rest:
            return None
        if not most:
            raise Malformed(self.wording.say("silent"))
        if len(rest) > most:
            raise Malformed(self.wording.say("too_long", most=most, count=len(rest)))
        try:
            return plain_text(rest, "says", most)
        except Malformed as fault:
            raise Malformed(f"{self.wording.say('odd_words')} {fault}") from None

    def meant(self, typed: str) -> str:
        """The notation for what was typed: a number, or an action, be it in wide or big letters."""
        word = normalize("NFKC", typed)
        if word in self.labels or word in self.numbers:
            return self.labels.get(word) or self.numbers[word]
        lower = word.lower()
        return lower if self.fault(word) and not self.fault(lower) else word

    def fault(self, action: str) -> Malformed | None:
        """What is wrong with the notation; None if it can be read."""
        try:
            self.match.game.read(action)
        except Malformed as fault:
            return fault
        return None

    def cannot_read(self, typed: str, fault: Malformed) -> None:
        """In the person's language, and then what the game, in English, has to say about it."""
        example = next(iter(self.labels.values()))
        self.say(self.wording.say("unknown", input=quoted(typed), example=example), "shu")
        self.say(str(fault), "usuzumi")

    def explain(self, refusal: Refusal) -> None:
        """The rule against it: its id, what it says here, and its text."""
        line = Text(refusal.ruling, style="bold shu")
        self.console.print(line.append(f"  {self.wording.refusal(refusal)}", style="none"))
        with contextlib.suppress(Malformed):
            text = self.book().find(refusal.ruling)
            if text is not None:
                show_rules(self.console, text)

    def book(self) -> Rulebook:
        return rulebook(self.match.offer, self.wording.language)

    # Commands ----------------------------------------------------------------------------------

    def help(self, _: str) -> None:
        number = list(self.labels)[:3][-1]
        example = next(iter(self.labels.values()))
        phrase = next(iter(self.wording.phrases(self.match.game)), None)
        rows: list[list[str | Text]] = []
        for typed, meaning in self.wording.own["terminal"]["help"].items():
            speaks = typed.startswith("{number} ")
            needs_phrase = "{phrase}" in typed or typed == "threats"
            if (speaks and not self.match.offer.speech) or (needs_phrase and phrase is None):
                continue
            shown = typed.format(number=number, example=example, phrase=phrase)
            rows.append([Text(shown, style="kin"), meaning])
        show_table(self.console, listing(rows))
        self.show_tip()

    def why(self, action: str) -> None:
        text = self.meant(action)
        if not text:
            example = self.match.game.actions[0].text
            self.say(self.wording.say("why_what", example=example), "shu")
            return
        try:
            refusal = self.match.why_not(self.seat, text)
        except Malformed as fault:
            self.cannot_read(action, fault)
            return
        if refusal is None:
            self.say(self.wording.say("legal"), "matsu")
        else:
            self.explain(refusal)

    def rules(self, id: str) -> None:
        try:
            book = self.book()
        except Malformed:
            self.say(self.wording.say("no_rules"), "shu")
            return
        text = book.find(normalize("NFKC", id)) if id else book.text
        if text is None:
            self.say(self.wording.say("no_rule", id=id), "shu")
        else:
            show_rules(self.console, text)

    def log(self, _: str) -> None:
        for fact in self.match.facts(self.seat):
            self.teller.tell(fact, self.seat)

    def table(self, _: str) -> None:
        """Everything as it stands, and what is asked."""
        self.board.show(self.console, self.match)
        phase = self.wording.phase(self.match.view(None))
        if phase:
            self.say(phase, "title")
        self.list_actions(MOST_ACTIONS)

    def actions(self, _: str) -> None:
        self.list_actions(len(self.labels))

    def threats(self, _: str) -> None:
        phrases = self.wording.phrases(self.match.game)
        if not self.match.offer.speech or not phrases:
            self.say(self.wording.say("no_threats"), "usuzumi")
            return
        rows = [(Text(key, style="kin"), phrases[key]) for key in phrases]
        show_table(self.console, listing(rows))
        example = f"{next(iter(self.labels))} {next(iter(phrases))}"
        most = self.match.offer.speech
        self.say(self.wording.say("own_threats", example=example, most=most), "usuzumi")

    def view(self, _: str) -> None:
        shown = self.match.view(self.seat)
        self.say("\n".join(f"{key}: {json.dumps(shown[key], ensure_ascii=False)}" for key in shown))

    # Leaving -----------------------------------------------------------------------------------

    def quit(self, _: str) -> None:
        if input(f"{self.wording.say('quit')} ").strip().lower() != self.wording.say("yes"):
            return
        self.leave(self.save_as or self.save_where_asked())

    def save_where_asked(self) -> Path | None:
        """Ask until the record is saved, or is not to be."""
        path = None
        while path is None:
            typed = input(f"{self.wording.say('save')} ").strip()
            if not typed:
                break
            path = self.try_to_save(Path(typed), is_new=True)
        return path

    def offer_to_save(self) -> None:
        """After the end, where no place was named before."""
        try:
            path = self.save_where_asked()
        except (EOFError, KeyboardInterrupt):
            self.console.print()
            path = None
        self.say(self.where_saved(path), "usuzumi")

    def try_to_save(self, path: Path, is_new: bool = False) -> Path | None:
        try:
            if is_new:
                check_new(path)
            write_text(path, self.match.record())
        except Malformed as fault:
            self.say(printable(str(fault)), "shu")
            return None
        return path

    def where_saved(self, path: Path | None) -> str:
        if path is None:
            return self.wording.say("not_saved")
        return self.wording.say("saved", path=printable(str(path)))

    def leave(self, path: Path | None) -> None:
        """Say good-bye; the record, as far as it goes, is kept if there is a place for it."""
        said = self.where_saved(path and self.try_to_save(path))
        self.say(f"{said} {self.wording.say('left')}", "usuzumi")
        raise Left


def parted(line: str) -> tuple[str, str]:
    """The first word and the rest as typed; a Japanese space parts them as well as any other."""
    word, *rest = line.split(maxsplit=1) or [""]
    return word, "".join(rest).strip()


def own_numbers(game: AnyGame) -> dict[str, str]:
    """From the numbers that name the actions of a game (`bid:7`) to these; none if two share one.

    Of the whole table, not of what is legal: a number means the same all the match long.
    """
    found = [(NUMBER.findall(action.text), action.text) for action in game.actions]
    pairs = [(numbers[0], text) for numbers, text in found if len(numbers) == 1]
    numbers = dict(pairs)
    return numbers if 1 < len(numbers) == len(pairs) else {}


def tips(match: Match, wording: Wording) -> Iterator[str]:
    """The hints of a game, in another order for another seed, over and over."""
    phases = wording.texts.hints(match.offer.id).values()
    hints = [hint for phase in phases for hint in phase.values()]
    order = list(range(len(hints)))
    Quick(int.from_bytes(match.seed or b"", "big")).shuffle(order, "tips")
    return cycle([hints[place] for place in order])
