"""Laws about hidden information: all that a reader gets follows from what it was told."""

import json
from collections.abc import Iterable
from itertools import count

from zashiki.core.dice import Quick
from zashiki.core.facts import Fact
from zashiki.core.match import Match
from zashiki.core.record import told_to
from zashiki.laws.law import Fault, Moment, difference, law
from zashiki.laws.walk import Walk, canonical, common_sight, fork, pick, sight

TWIN_EVERY = 3
"""Steps of a walk between two runs of twins."""
TOGETHER = 8
"""Steps from the first at which twins are always compared; then every second, third ... one."""
TRIED = 8
"""Maximum actions of a seat that are tried to find two that look alike."""

Reader = int | str
"""A seat, or "all" for spectators."""


@law("a view equals the fold of what its seat saw", Moment.STEP)
def view_is_fold(walk: Walk) -> None:
    match, game = walk.match, walk.game
    for seat in range(match.seats):
        folded = sight(game, walk.folded(seat), seat)
        seen = sight(game, match.state, seat)
        if folded != seen:
            raise Fault(f"seat {seat} was told, and is shown: {difference(folded, seen)}")
    folded = canonical(common_sight(game, walk.folded("all")))
    seen = canonical(common_sight(game, match.state))
    if folded != seen:
        raise Fault(f"everybody was told, and is shown: {difference(folded, seen)}")


@law("the public part is the same bytes for every reader, and in every view", Moment.STEP)
def public_part_is_shared(walk: Walk) -> None:
    """A seat's own facts do not change the public part, and a view adds only the own part."""
    match, game = walk.match, walk.game
    public = canonical(game.show_public(match.state.public))
    for reader in ("all", *range(match.seats)):
        shared = canonical(game.show_public(walk.folded(reader).public))
        if shared != public:
            raise Fault(f"reader {reader!r} sees, and everybody: {difference(shared, public)}")
    for seat in range(match.seats):
        merged = canonical({**json.loads(public), **game.show_own(match.state.views[seat])})
        seen = canonical(game.show(match.state.views[seat]))
        if merged != seen:
            raise Fault(f"public and own of seat {seat}, and its view: {difference(merged, seen)}")


# Twins -----------------------------------------------------------------------------------------


@law("worlds that differ only in what a seat cannot know look alike to it", Moment.STEP)
def hidden_does_not_show(walk: Walk) -> None:
    """If two actions look alike to another seat, it cannot tell the matches after them apart.

    The same holds for spectators: the public part does not depend on hidden parts.
    """
    match, chance = walk.match, walk.chance("twins")
    if match.over or (walk.step + walk.seed) % TWIN_EVERY:
        return
    mover = pick(sorted(match.to_act), chance)
    for watcher, actions in look_alikes(match, mover, chance).items():
        worlds = [fork(match), fork(match)]
        for world, action in zip(worlds, actions, strict=True):
            world.play(mover, action)
        run_together(worlds[0], worlds[1], watcher, chance)


def look_alikes(match: Match, mover: int, chance: Quick) -> dict[Reader, tuple[str, str]]:
    """Return two actions that look alike for each other reader, if there are any."""
    pairs: dict[Reader, tuple[str, str]] = {}
    seen: dict[tuple[Reader, str], str] = {}
    actions = list(match.legal(mover))
    for _ in range(min(TRIED, len(actions))):
        action = actions.pop(int(chance.below(len(actions), "action")))
        facts = fork(match).play(mover, action)
        for watcher in ("all", *range(match.seats)):
            key = (watcher, told(facts, watcher))
            if watcher != mover and key in seen:
                pairs.setdefault(watcher, (seen[key], action))
            seen[key] = action
    return pairs


def told(facts: Iterable[Fact], reader: Reader) -> str:
    """Return the facts for a reader as text, without their causes, which it must not learn."""
    return canonical([[f.audience, f.name, dict(f.arguments)] for f in told_to(facts, reader)])


def run_together(one: Match, other: Match, watcher: Reader, chance: Quick) -> None:
    """Play alike in both until a reader is told different facts; compare all that it gets."""
    paths = [one.journal.actions[-1][1], other.journal.actions[-1][1]]
    for step in count():
        over = one.over or other.over
        if over or step % (1 + step // TOGETHER) == 0:
            compare_twins(one, other, watcher, paths)
        if over:
            return
        seat = pick(sorted(one.to_act), chance)
        possible = [action for action in one.legal(seat) if action in other.legal(seat)]
        if not possible:
            return
        action = pick(possible, chance)
        if told(one.play(seat, action), watcher) != told(other.play(seat, action), watcher):
            return


def compare_twins(one: Match, other: Match, watcher: Reader, paths: list[str]) -> None:
    for what, left, right in (
        ("sees", seen_by(one, watcher), seen_by(other, watcher)),
        ("has the record", one.record(watcher), other.record(watcher)),
    ):
        if left != right:
            raise Fault(
                f"reader {watcher!r} was told the same after "
                f"{' as after '.join(map(repr, paths))}, and {what} {difference(left, right)}"
            )


def seen_by(match: Match, reader: Reader) -> str:
    if isinstance(reader, int):
        return sight(match.game, match.state, reader)
    return canonical(common_sight(match.game, match.state))


# Records ---------------------------------------------------------------------------------------


@law("a reader's record tells nothing but what it was told", Moment.MATCH)
def record_is_for_its_reader(walk: Walk) -> None:
    """It has no causes, no gap in the numbers and no hash of the whole chain."""
    match = walk.match
    whole = [json.loads(line) for line in match.record().splitlines()]
    for reader in ("all", *range(match.seats)):
        text = match.record(reader)
        lines = [json.loads(line) for line in text.splitlines()]
        for number, line in enumerate(lines[1:-1], 1):
            if list(line) != ["n", "to", "fact", "with", "hash"] or line["n"] != number:
                raise Fault(f"reader {reader!r} reads {line} as line {number}")
            if line["to"] not in ("all", reader):
                raise Fault(f"reader {reader!r} reads what {line['to']!r} was told: {line}")
        leaked = [line["hash"] for line in whole if line["hash"] in text]
        if leaked:
            raise Fault(f"reader {reader!r} reads {leaked[0]}, a hash of the whole chain")


@law("seed and salt stay secret until the end", Moment.STEP)
def seed_stays_secret(walk: Walk) -> None:
    """One reader's record is checked per step, in turn."""
    match = walk.match
    if match.over or match.seed is None or match.salt is None:
        return
    readers = ("everything", "all", *range(match.seats))
    reader = readers[walk.step % len(readers)]
    text = match.record(reader)
    if match.seed.hex() in text or match.salt.hex() in text:
        raise Fault(f"the record of reader {reader!r} reveals the seed or the salt")
