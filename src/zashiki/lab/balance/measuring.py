"""The matches of a measurement: each by its number alone, and kept as soon as it is over."""

import json
from collections.abc import Generator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from zashiki.bots import derived_seed, make_bot
from zashiki.core.dice import Quick
from zashiki.core.match_stats import CardUse, MatchStats
from zashiki.core.offer import AnyGame, Offer, OptionValue
from zashiki.core.parts import Journal
from zashiki.core.rulings import Malformed
from zashiki.games import offer_of
from zashiki.lab import ledger
from zashiki.lab.arena.playing import Watched
from zashiki.lab.crew import gathered
from zashiki.lab.ledger import checked_matches, listed, number, ranking, whole_number
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
        return Plan(offer.id, name, checked_matches(matches), seed, settled)

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
        chronicle = MatchStats(self.turns, tuple(uses))
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


def measure(plan: Plan, kept: "Ledger", workers: int = 1) -> Generator[Measured, None, None]:
    """Plays what the ledger lacks, in any order; each match is in it before it is handed out."""
    count = min(checked_count("workers", workers), plan.matches - len(kept))
    if count < 2:
        source = ((match, play(plan, match)) for match in kept.missing())
    else:
        source = gathered(play, plan, kept.missing(), count)
    try:
        for _, measured in source:
            kept.keep(measured)
            yield measured
    finally:
        source.close()


# Keeping ---------------------------------------------------------------------------------------

Ledger = ledger.Ledger[Measured]


def opened(folder: Path | None, plan: Plan) -> AbstractContextManager[Ledger]:
    """What was measured by this plan in this folder; None: one that is forgotten."""
    more = "another measurement (of {} matches)"
    reading = partial(read, len(plan.cards))
    kind = ledger.Kind("measurement", "a measurement", more, Measured._asdict, reading)
    return ledger.opened(kind, folder, plan)


def read(cards: int, known: dict[str, Any]) -> Measured:
    return Measured(
        known["match"],
        ranking(known["ranks"], 2),
        tuple(number(score) for score in listed(known["scores"], 2)),
        whole_number(known["turns"], 0),
        tuple(read_use(*listed(use, 3)) for use in listed(known["uses"], 2 * cards)),
        whole_number(known["decisions"], 1),
        number(known["seconds"], 0),
        number(known["longest"], 0),
    )


def read_use(*counts: object) -> tuple[int, int, int]:
    drafted, played, kept = (whole_number(count, 0) for count in counts)
    return drafted, played, kept
