"""Laws about sampled worlds: their seat has the same view, and they can be played."""

from zashiki.core.dice import Chance
from zashiki.core.match import AnyState
from zashiki.core.parts import Seat
from zashiki.core.spec import AnyGame
from zashiki.laws.law import Fault, Moment, difference, law
from zashiki.laws.playing import MAX_ACTIONS
from zashiki.laws.walk import Walk, canonical, fingerprint, sight


@law("a sampled world has the same view", Moment.STEP)
def sampled_view(walk: Walk) -> None:
    """Legal actions and refusals are the same too, equal chance samples alike, cards are kept."""
    match, game = walk.match, walk.game
    conserved = walk.form.statement("conserved")
    for seat in range(match.seats):
        worlds = [sampled(walk, seat), sampled(walk, seat)]
        seen, expected = sight(game, worlds[0], seat), sight(game, match.state, seat)
        if seen != expected:
            raise Fault(f"seat {seat} sees, here and sampled: {difference(expected, seen)}")
        truths = [game.truth(world) for world in worlds]
        if canonical(truths[0]) != canonical(truths[1]):
            raise Fault(f"seat {seat}: equal chance sampled {truths[0]} and {truths[1]}")
        if conserved is not None and conserved(truths[0]) != conserved(match.truth()):
            raise Fault(f"seat {seat}: a sampled world has other cards: {truths[0]}")


@law("a sampled world can be played to its end", Moment.STEP)
def sampled_is_playable(walk: Walk) -> None:
    """Random play from it ends, and it shares no part with the match."""
    before = fingerprint(walk.match)
    world = sampled(walk, walk.step % walk.match.seats)
    play_on(walk.game, world, walk.chance("play on"))
    if fingerprint(walk.match) != before:
        raise Fault("playing in a sampled world changed the match")


def sampled(walk: Walk, seat: int) -> AnyState:
    return walk.game.sample(walk.match.state.views[seat], walk.chance(f"world of {seat}"))


def play_on(game: AnyGame, world: AnyState, chance: Chance) -> None:
    """Play a world to its end at random."""
    for _ in range(MAX_ACTIONS):
        seats = [seat for seat in range(game.seats) if game.to_act(world.public) >> seat & 1]
        if not seats:
            break
        seat = seats[int(chance.below(len(seats), "seat"))]
        legal = game.legal(world.views[seat])
        if not legal:
            raise Fault(f"in a sampled world seat {seat} is to act and has no legal action")
        game.apply(world, Seat(seat), legal[int(chance.below(len(legal), "pick"))], chance)
    if game.outcome(world.public) is None:
        raise Fault(f"a sampled world did not end within {MAX_ACTIONS} actions")
