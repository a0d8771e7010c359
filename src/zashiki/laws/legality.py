"""Laws about legality: legal exactly if not refused; a refusal changes nothing."""

from zashiki.core.match import Match
from zashiki.core.rulings import Malformed, Refused
from zashiki.laws.law import Fault, Moment, law
from zashiki.laws.walk import Walk, fingerprint, pick

UNREADABLE: tuple[object, ...] = ("", "no such action", "\x00", "a" * 5000, None, 7, b"", [])
INVALID_SEATS: tuple[object, ...] = (-1, 99, None, "0", True, 0.0)


@law("every action of the table reads back", Moment.FORM)
def table_reads_back(walk: Walk) -> None:
    game = walk.game
    for place, action in enumerate(game.actions):
        if action.id != place:
            raise Fault(f"action {action.text!r} at place {place} has the id {action.id}")
        if game.by_text.get(action.text) is not action or game.read(action.text) is not action:
            raise Fault(f"action {place}, {action.text!r}, is read as {game.read(action.text)!r}")


@law("legal ⇔ not refused", Moment.STEP)
def legal_iff_not_refused(walk: Walk) -> None:
    match, game = walk.match, walk.game
    to_act = match.to_act
    for seat in range(match.seats):
        view = match.state.views[seat]
        legal = [int(action) for action in game.legal(view)]
        if len(set(legal)) != len(legal):
            raise Fault(f"seat {seat} is offered an action twice: {texts(match, legal)}")
        if bool(legal) != (seat in to_act):
            raise Fault(f"seats {sorted(to_act)} are to act, seat {seat} may {texts(match, legal)}")
        allowed = [int(action.id) for action in game.actions if game.refuse(view, action) is None]
        if sorted(legal) != sorted(allowed):
            raise Fault(
                f"seat {seat} may {texts(match, legal)}, not refused {texts(match, allowed)}"
            )
        if match.legal(seat) != tuple(texts(match, legal)):
            raise Fault(
                f"seat {seat}: match.legal is {match.legal(seat)}, not {texts(match, legal)}"
            )


def texts(match: Match, actions: list[int]) -> list[str]:
    return sorted(match.game.actions[action].text for action in actions)


@law("a refused or malformed play changes nothing", Moment.STEP)
def refusing_changes_nothing(walk: Walk) -> None:
    match, chance = walk.match, walk.chance("refused")
    before = fingerprint(match)
    for seat in range(match.seats):
        legal = match.legal(seat)
        refused = [action.text for action in match.game.actions if action.text not in legal]
        if refused:
            try_invalid(match, seat, pick(refused, chance))
        try_invalid(match, seat, pick(UNREADABLE, chance))
        if legal:
            try_invalid(match, seat, legal[0], "\n")
    try_invalid(match, pick(INVALID_SEATS, chance), match.game.actions[0].text)
    if fingerprint(match) != before:
        raise Fault("a refused play changed the match")


def try_invalid(match: Match, seat: object, action: object, says: str | None = None) -> None:
    before = len(match.journal.entries)
    try:
        match.play(seat, action, says)  # type: ignore[arg-type]  # wrong types are the point
    except (Refused, Malformed):
        if len(match.journal.entries) != before:
            raise Fault(f"seat {seat!r}: {action!r} was refused, but a fact was told") from None
        return
    raise Fault(f"seat {seat!r}: {action!r} (saying {says!r}) was neither refused nor malformed")
