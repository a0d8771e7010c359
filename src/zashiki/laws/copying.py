"""Laws about a match as a value: copies are equal and independent, and actions can be undone."""

from zashiki.core.match import Match
from zashiki.laws.keeping import cut_text
from zashiki.laws.law import Fault, Moment, difference, law
from zashiki.laws.walk import Walk, fingerprint, fork, random_move


@law("a copy is equal and independent", Moment.STEP)
def copy_is_equal(walk: Walk) -> None:
    """It continues as the match would, and an action in either changes nothing in the other."""
    match, before = walk.match, fingerprint(walk.match)
    original = match.copy()
    twin = original.copy()
    expect(before, twin, "the copy of a copy")
    if twin != match:
        raise Fault("a copy has another header, seed or journal")
    if match.over:
        return
    move = random_move(match, walk.chance("copy"))
    refolded = fork(match)
    for one in (twin, refolded):
        one.play(*move)
    after = fingerprint(refolded)
    expect(after, twin, "a copy after an action")
    expect(before, original, "the original after an action in its copy")
    expect(before, match, "the match after an action in its copy")
    original.play(*move)
    expect(after, twin, "a copy after an action in its original")


@law("undo restores the bytes", Moment.STEP)
def undo_restores(walk: Walk) -> None:
    """The record is again that of the step before, and the same action leads back."""
    if not walk.moves:
        return
    match, move = walk.match, walk.moves[-1]
    twin = match.copy()
    undone = twin.undo()
    if undone != (move.seat, move.action):
        raise Fault(f"undo: expected {(move.seat, move.action)}, found {undone}")
    earlier = cut_text(walk, walk.step - 1)
    if twin.record() != earlier:
        raise Fault(f"undo: {difference(earlier, twin.record())}")
    expect(fingerprint(fork(twin)), twin, "a match after undo")
    twin.play(*move)
    expect(fingerprint(match), twin, "the same action after undo")


def expect(expected: str, match: Match, what: str) -> None:
    found = fingerprint(match)
    if found != expected:
        raise Fault(f"{what}: {difference(expected, found)}")
