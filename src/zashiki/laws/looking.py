"""Laws about queries: views, questions, samples and bots change nothing."""

from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec

from zashiki.core.bot import Bot
from zashiki.core.spec import AnyGame, GameSpec
from zashiki.laws.law import Fault, Moment, Skipped, difference, law
from zashiki.laws.walk import Walk, fingerprint

WORLDS = 8
"""Worlds that a searching bot samples here: more would prove no more."""
BOTS_EVERY = 11
"""Steps between two decisions for which every bot is asked."""


@law("looking, asking and sampling change nothing", Moment.STEP)
def looking_changes_nothing(walk: Walk) -> None:
    match, game = walk.match, walk.game
    views = match.state.views
    looks: dict[str, Callable[[int], object]] = {
        "match.legal": match.legal,
        "legal": lambda seat: game.legal(views[seat]),
        "refuse": lambda seat: [game.refuse(views[seat], action) for action in game.actions],
        "view": match.view,
        "sample": lambda seat: game.sample(views[seat], walk.chance("look")),
    }
    common: dict[str, Callable[[], object]] = {
        "view(None)": lambda: match.view(None),
        "truth": match.truth,
        "record": lambda: match.record(walk.step % match.seats),
        "outcome": lambda: match.outcome,
    }
    before = fingerprint(match)
    for name, ask in common.items():
        ask()
        unchanged(walk, before, name)
    for name, look in looks.items():
        for seat in range(match.seats):
            look(seat)
        unchanged(walk, before, name)


def unchanged(walk: Walk, before: str, name: str) -> None:
    now = fingerprint(walk.match)
    if now != before:
        raise Fault(f"{name} changed something: {difference(before, now)}")


@law("a bot chooses by view and seed, legally, and changes nothing", Moment.STEP)
def bots_only_look(walk: Walk) -> None:
    """Its choice is the same in a state that is made only of the facts told to its seat."""
    spec, match = walk.form.spec, walk.match
    names = bot_names(spec)
    if not names:
        raise Skipped("there are no bots")
    if match.over or (walk.step + walk.seed) % BOTS_EVERY:
        return
    seat = min(match.to_act)
    before = fingerprint(match)
    for name in names:
        check_bot(walk, name, seat)
        unchanged(walk, before, f"the bot {name}")


def check_bot(walk: Walk, name: str, seat: int) -> None:
    spec, game = walk.form.spec, walk.game
    view = walk.match.state.views[seat]
    legal = game.legal(view)
    choice = make_bot(name, spec, game, walk.seed).choose(view, list(legal))
    if choice not in legal:
        raise Fault(f"the bot {name} chose {choice!r}, which is not legal for seat {seat}")
    told = walk.folded(seat).views[seat]
    again = make_bot(name, spec, game, walk.seed).choose(told, list(legal))
    if again != choice:
        texts = [game.actions[action].text for action in (choice, again)]
        raise Fault(f"the bot {name} chose {texts[0]}, and {texts[1]} from an equal view and seed")


def bot_names(spec: GameSpec) -> Sequence[str]:
    """Return the bots that can play this game; without `zashiki.bots`, the game's own."""
    if find_spec("zashiki.bots") is None:
        return sorted(spec.bots)
    names: Sequence[str] = import_module("zashiki.bots").bot_names(spec)
    return names


def make_bot(name: str, spec: GameSpec, game: AnyGame, seed: int) -> Bot:
    if find_spec("zashiki.bots") is None:
        return spec.bots[name](game, seed)
    bot: Bot = import_module("zashiki.bots").make_bot(name, spec, game, seed, worlds=WORLDS)
    return bot
