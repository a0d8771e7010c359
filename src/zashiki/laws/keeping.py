"""Laws about records: what was written down makes the match again, and lets it go on."""

import json

from zashiki.core import record as records
from zashiki.core.dice import NoSeed
from zashiki.core.match import Match, replayed, scenario
from zashiki.laws.law import Fault, Moment, difference, law
from zashiki.laws.walk import SALT, Walk, begun, canonical, fingerprint

CUTS = 4
"""At so many places of a match it is interrupted and goes on from its text."""


@law("every action tells a fact, and facts survive being written", Moment.MATCH)
def facts_survive(walk: Walk) -> None:
    match = walk.match
    for step, move in enumerate(walk.moves):
        if walk.told[step] == walk.told[step + 1]:
            raise Fault(f"seat {move.seat} did {move.action} and nothing was told", step)
    for audience, name, values, act in match.journal.entries:
        signature = match.vocabulary.signature(audience, name)
        if len(signature) != len(values):
            raise Fault(f"{name}{values}: {', '.join(signature)} are expected", act)
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
            raise Fault(f"replayed so far it is {truth}, and was {walk.truths[step]}", step)


@law("a restored match goes on as the original", Moment.MATCH)
def restored_goes_on(walk: Walk) -> None:
    """With its seed to the same record; without, until chance is needed: then it stands still."""
    final = walk.match.record()
    for step in cuts(walk):
        text = cut_text(walk, step)
        with_seed = again(walk, text)
        for move in walk.moves[step:]:
            with_seed.play(*move)
        if with_seed.record() != final:
            raise Fault(f"it went on otherwise: {difference(final, with_seed.record())}", step)
        go_on_without_seed(walk, text, step)


def go_on_without_seed(walk: Walk, text: str, step: int) -> None:
    match = replayed(walk.form.spec, records.read(text))
    for move in walk.moves[step:]:
        before = fingerprint(match)
        try:
            match.play(*move)
        except NoSeed:
            if fingerprint(match) != before:
                raise Fault("a draw without a seed changed the match", step) from None
            return
    same(walk.match, match, "the match", "what became of it without its seed", step)


@law("scenario(truth) = truth", Moment.STEP)
def scenario_is_truth(walk: Walk) -> None:
    match = walk.match
    truth = json.loads(canonical(match.truth()))
    scene = scenario(match.spec, truth, match.options, walk.seed)
    if canonical(scene.truth()) != canonical(match.truth()):
        raise Fault(f"the scenario {truth} is {scene.truth()}")
    for seat in range(match.seats):
        if scene.legal(seat) != match.legal(seat):
            raise Fault(f"seat {seat} may {match.legal(seat)}, in a scenario {scene.legal(seat)}")


@law("equal seeds make equal matches", Moment.MATCH)
def seeds_decide(walk: Walk) -> None:
    """Chance comes from the seed alone."""
    twin = begun(walk.form, walk.seed)
    for step, move in enumerate(walk.moves):
        if canonical(twin.truth()) != canonical(walk.truths[step]):
            raise Fault(f"it was {walk.truths[step]}, and again {twin.truth()}", step)
        twin.play(*move)
    if twin.record() != walk.match.record():
        raise Fault(f"once, and again: {difference(walk.match.record(), twin.record())}")


# What they share -------------------------------------------------------------------------------


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
    """Steps at which a match is cut: the first, some between, never the end."""
    chance = walk.chance("cuts")
    return sorted({0, *(int(chance.below(walk.step or 1, "cut")) for _ in range(CUTS - 1))})


def cut_text(walk: Walk, step: int) -> str:
    """The record as it was at this step."""
    match = walk.match
    facts = walk.facts[: walk.told[step]]
    return records.write(records.Record(match.header, facts, over=False))
