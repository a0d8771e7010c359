"""Laws about records: a record restores its match, and the match can be continued."""

import json

from zashiki.core import record as records
from zashiki.core.dice import NoSeed
from zashiki.core.match import Match, position, replayed, scenario
from zashiki.laws.law import Fault, Moment, difference, law
from zashiki.laws.walk import SALT, Walk, begun, canonical, fingerprint

CUTS = 4
"""Number of steps at which a match is restored from its text and continued."""


@law("every action tells a fact, and facts survive being written", Moment.MATCH)
def facts_survive(walk: Walk) -> None:
    match = walk.match
    for step, move in enumerate(walk.moves):
        if walk.told[step] == walk.told[step + 1]:
            raise Fault(
                f"expected a fact after {move.action} of seat {move.seat}, found none", step
            )
    for audience, name, values, act in match.journal.entries:
        signature = match.vocabulary.signature(audience, name)
        if len(signature) != len(values):
            raise Fault(
                f"{name}: expected the arguments {', '.join(signature)}, found {values}", act
            )
        for (argument, kind), value in zip(signature.items(), values, strict=True):
            written = json.loads(json.dumps(kind.write(value)))
            if kind.read(written) != value:
                raise Fault(f"{name}: {argument} = {value!r} was written {written!r}", act)


@law("replay(record(match)) = match", Moment.STEP)
def replay_is_match(walk: Walk) -> None:
    text = walk.match.record()
    twin = again(walk, text)
    same(walk.match, twin, "the match", "its replay")
    if twin.record() != text:
        raise Fault(f"a record and its replay's: {difference(text, twin.record())}")


@law("the whole record replays to every prefix", Moment.MATCH)
def replay_to_prefix(walk: Walk) -> None:
    record = records.read(walk.match.record())
    for step in cuts(walk):
        truth = replayed(walk.form.spec, record, until=walk.told[step]).truth()
        if canonical(truth) != canonical(walk.truths[step]):
            raise Fault(f"replayed to this step: expected {walk.truths[step]}, found {truth}", step)


@law("a restored match continues as the original", Moment.MATCH)
def restored_continues(walk: Walk) -> None:
    """With its seed it reaches the same record. Without, it stops unchanged before a draw."""
    final = walk.match.record()
    for step in cuts(walk):
        text = cut_text(walk, step)
        with_seed = again(walk, text)
        for move in walk.moves[step:]:
            with_seed.play(*move)
        if with_seed.record() != final:
            raise Fault(f"it continued differently: {difference(final, with_seed.record())}", step)
        continue_without_seed(walk, text, step)


def continue_without_seed(walk: Walk, text: str, step: int) -> None:
    match = replayed(walk.form.spec, records.read(text))
    for move in walk.moves[step:]:
        before = fingerprint(match)
        try:
            match.play(*move)
        except NoSeed:
            if fingerprint(match) != before:
                raise Fault("a draw without a seed changed the match", step) from None
            return
    same(walk.match, match, "the match", "the one without its seed", step)


@law("scenario(truth) = truth", Moment.STEP)
def scenario_is_truth(walk: Walk) -> None:
    match = walk.match
    truth = json.loads(canonical(match.truth()))
    text = match.position()
    scene = scenario(match.spec, truth, match.options, walk.seed)
    for one in (scene, position(text, {match.spec.id: match.spec}, walk.seed, ())):
        if canonical(one.truth()) != canonical(match.truth()):
            raise Fault(f"scenario: expected {truth}, found {one.truth()}")
        if one.position() != text:
            raise Fault(f"position: expected {text}, found {one.position()}")
    for seat in range(match.seats):
        if scene.legal(seat) != match.legal(seat):
            raise Fault(f"seat {seat}: expected {match.legal(seat)}, found {scene.legal(seat)}")


@law("equal seeds make equal matches", Moment.MATCH)
def seeds_decide(walk: Walk) -> None:
    """No draw depends on anything but the seed."""
    twin = begun(walk.form, walk.seed)
    for step, move in enumerate(walk.moves):
        if canonical(twin.truth()) != canonical(walk.truths[step]):
            raise Fault(
                f"the second match: expected {walk.truths[step]}, found {twin.truth()}", step
            )
        twin.play(*move)
    if twin.record() != walk.match.record():
        raise Fault(f"two records differ: {difference(walk.match.record(), twin.record())}")


# Shared parts ----------------------------------------------------------------------------------


def again(walk: Walk, text: str) -> Match:
    match = walk.match
    return replayed(walk.form.spec, records.read(text), match.seed, SALT)


def same(one: Match, other: Match, left: str, right: str, step: int | None = None) -> None:
    if fingerprint(one) != fingerprint(other):
        raise Fault(f"{left}, {right}: {difference(fingerprint(one), fingerprint(other))}", step)
    if one.to_act != other.to_act or one.outcome != other.outcome:
        raise Fault(
            f"{left} waits for {sorted(one.to_act)}, {right} for {sorted(other.to_act)}", step
        )


def cuts(walk: Walk) -> list[int]:
    """Return the steps at which a match is cut: the first and some others, never the end."""
    chance = walk.chance("cuts")
    return sorted({0, *(int(chance.below(walk.step or 1, "cut")) for _ in range(CUTS - 1))})


def cut_text(walk: Walk, step: int) -> str:
    """Return the record as it was at this step."""
    match = walk.match
    facts = walk.facts[: walk.told[step]]
    return records.write(records.Record(match.header, facts, over=False))
