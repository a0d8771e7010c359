"""The matches of a measurement: each by its number alone, and on disk as soon as it is over.

A folder holds `plan.json` and `matches.jsonl`, a line a match in the order in which they ended. Who
was killed goes on with the same plan: nothing is lost, nothing is played twice.
"""

import json
import os
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO, NamedTuple

from zashiki.bots import derived_seed, make_bot
from zashiki.core.chronicle import CardUse, Chronicle
from zashiki.core.dice import Quick
from zashiki.core.offer import AnyGame, Offer, OptionValue
from zashiki.core.parts import Journal
from zashiki.core.rulings import Malformed
from zashiki.games import offer_of
from zashiki.lab.arena.ledger import MATCHES, PLAN, lock, prepare, read_plan, write_whole
from zashiki.lab.arena.plan import differences
from zashiki.lab.arena.playing import Watched
from zashiki.lab.crew import gathered
from zashiki.lab.simulate import Row, check_seed, checked_bots, checked_count, play_out

FORMAT = 1


@dataclass(frozen=True)
class Plan:
    """What is to be measured: make it with `Plan.checked`."""

    game: str
    bot: str
    matches: int
    seed: int | str
    options: Mapping[str, OptionValue]

    @staticmethod
    def checked(
        game: str, bot: str, matches: int, seed: int | str, options: Mapping[str, object]
    ) -> "Plan":
        """A plan that can be played; `Malformed` says what is wrong with it."""
        offer = offer_of(game)
        if offer.chronicle is None or "card_set" not in offer.options:
            raise Malformed(f"{offer.id} has no card sets that could be balanced")
        (name, _) = checked_bots(offer, [bot], 2)
        check_seed(seed)
        settled = offer.check_options(options, 2)
        return Plan(offer.id, name, checked_count("matches", matches), seed, settled)

    @property
    def card_set(self) -> dict[str, Any]:
        chosen = self.options["card_set"]
        assert isinstance(chosen, dict)
        return chosen

    @property
    def cards(self) -> list[str]:
        """All cards and the monarchs, in the order of the game."""
        return sorted(each["name"] for each in self.card_set["cards"] + self.card_set["monarchs"])

    def described(self) -> dict[str, Any]:
        """All that makes results comparable, JSON-ready."""
        return {
            "format": FORMAT,
            "game": self.game,
            "rules_version": offer_of(self.game).rules_version,
            "bot": self.bot,
            "seed": self.seed,
            "options": dict(self.options),
            "matches": self.matches,
        }


class Measured(NamedTuple):
    """A finished match."""

    match: int
    ranks: tuple[int, ...]
    scores: tuple[float, ...]
    turns: int
    uses: tuple[tuple[int, int, int], ...]
    """Drafted, played and kept, of each card in order, first by Red and then by Blue."""
    decisions: int
    seconds: float
    longest: float
    """All decisions together, and the one that took longest."""

    def rows(self, plan: Plan) -> list[Row]:
        """As `zashiki simulate` sums them up."""
        names = [(seat, card) for card in plan.cards for seat in range(2)]
        uses = [CardUse(*who, *use) for who, use in zip(names, self.uses, strict=True)]
        chronicle = Chronicle(self.turns, tuple(uses))
        return [
            Row(self.match, 0, seat, plan.bot, self.ranks[seat], self.scores[seat], chronicle)
            for seat in range(2)
        ]


# Playing ---------------------------------------------------------------------------------------


@lru_cache(maxsize=2)
def rules_of(game: str, written: str) -> tuple[Offer, AnyGame]:
    """Made once in each process: the tables of a game take longer than a match."""
    offer = offer_of(game)
    return offer, offer.make(2, json.loads(written))


def play(plan: Plan, match: int) -> Measured:
    """The match of this number: the same that `zashiki simulate` plays with this seed."""
    offer, game = rules_of(plan.game, json.dumps(dict(plan.options)))
    seed = derived_seed(plan.seed, match)
    bots = [
        Watched(
            make_bot(plan.bot, offer, game, derived_seed(seed, "bot", seat)),
            plan.bot,
            f"match {match}, seat {seat}, seed {plan.seed}",
        )
        for seat in range(2)
    ]
    journal = Journal()
    outcome = play_out(game, bots, Quick(seed), journal)
    assert offer.chronicle is not None
    chronicle = offer.chronicle(game, journal.entries)
    times = [bot.times() for bot in bots]
    return Measured(
        match,
        outcome.ranks,
        outcome.scores,
        chronicle.turns,
        tuple((use.drafted, use.played, use.kept) for use in chronicle.uses),
        sum(spent.decisions for spent in times),
        round(sum(spent.seconds for spent in times), 6),
        max(spent.longest for spent in times),
    )


def measure(plan: Plan, ledger: "Ledger", workers: int = 1) -> Generator[Measured, None, None]:
    """Plays what the ledger lacks, in any order; each match is in it before it is handed out."""
    missing = [match for match in range(plan.matches) if match not in ledger.matches]
    if checked_count("workers", workers) == 1 or len(missing) < 2:
        source = ((match, play(plan, match)) for match in missing)
    else:
        source = gathered(play, plan, missing, workers)
    try:
        for _, measured in source:
            ledger.keep(measured)
            yield measured
    finally:
        source.close()


# Keeping ---------------------------------------------------------------------------------------


class Ledger:
    """The matches that are over, by their number."""

    def __init__(self, file: BinaryIO) -> None:
        self.file = file
        self.matches: dict[int, Measured] = {}

    def keep(self, measured: Measured) -> None:
        self.matches[measured.match] = measured
        self.file.write(json.dumps(measured._asdict(), separators=(",", ":")).encode() + b"\n")
        self.file.flush()

    def load(self, path: Path) -> None:
        """Find all matches; what a killed process left of a line is cut off."""
        end = 0
        for number, line in enumerate(self.file, start=1):
            try:
                measured = read_line(line)
            except (ValueError, TypeError, KeyError):
                if self.file.read(1):  # something follows: this is no line torn at the end
                    raise Malformed(f"{path}: line {number} is damaged") from None
                break
            self.matches[measured.match] = measured
            end += len(line)
        self.file.truncate(end)
        self.file.seek(end)

    def in_order(self, matches: int) -> list[Measured]:
        return [self.matches[match] for match in range(matches)]


def read_line(line: bytes) -> Measured:
    if not line.endswith(b"\n"):
        raise ValueError("torn")
    known = json.loads(line)
    known["ranks"], known["scores"] = tuple(known["ranks"]), tuple(known["scores"])
    known["uses"] = tuple((drafted, played, kept) for drafted, played, kept in known["uses"])
    return Measured(**known)


@contextmanager
def opened(folder: Path | None, plan: Plan) -> Iterator[Ledger]:
    """What was measured by this plan in this folder; None: one that is forgotten."""
    if folder is None:
        with (
            TemporaryDirectory(prefix="zashiki-balance-") as forgotten,
            opened(Path(forgotten), plan) as ledger,
        ):
            yield ledger
        return
    prepare(folder)
    path = folder / MATCHES
    with open(os.open(path, os.O_RDWR | os.O_CREAT, 0o666), "r+b") as file:
        lock(file, folder)
        agree(folder, plan)
        ledger = Ledger(file)
        ledger.load(path)
        yield ledger


def agree(folder: Path, plan: Plan) -> None:
    """The plan stands in the folder; another one does not. More matches may be asked for."""
    path, described = folder / PLAN, plan.described()
    if path.exists():
        before = read_plan(path)
        others = differences(before, described)
        if others or before["matches"] > plan.matches:
            why = "; ".join(others) or f"{before['matches']} matches"
            raise Malformed(
                f"{folder}: holds another measurement ({why}): "
                "the same plan, more matches of it, or another folder is expected"
            )
    write_whole(path, json.dumps(described, indent=2, ensure_ascii=False).encode() + b"\n")
