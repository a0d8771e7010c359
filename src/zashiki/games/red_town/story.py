"""The short log of Red Town: what a seat sees of its own acts replaces what all are told."""

from collections.abc import Iterable, Iterator

from zashiki.core.facts import Fact

QUIET = frozenset(
    {
        "laid",  # `played` and `discarded` say it
        *("has_chosen", "chose"),  # `decided`, `hired` and others say it once all have chosen
        *("discard_offered", "end_offered"),  # the decision says it
        "gathered",  # the next deal says it
    }
)
SAID_BY_ALL = {"joined": "hired", "split": "hitmen_split"}
"""Private facts that a public one says as well."""
SAID_BY_OWN = {
    "hired_unseen": "joined",
    "hitmen_split_unseen": "split",
    "looked_into": "looked_at",
}
"""Public facts that a private one says as well, and with the cards."""


def retell(facts: Iterable[Fact]) -> Iterator[Fact]:
    """Leave out each fact that the fact beside it tells of the same seat."""
    told = list(facts)
    deals = [fact.arguments["round"] for fact in told if fact.name == "dealt"]
    for place, fact in enumerate(told):
        other = SAID_BY_ALL.get(fact.name) or SAID_BY_OWN.get(fact.name)
        beside = [*told[max(place - 1, 0) : place], *told[place + 1 : place + 2]]
        if (other, seat_of(fact)) in [(one.name, seat_of(one)) for one in beside]:
            continue
        if fact.name == "round_began" and deals.count(fact.arguments["round"]) == 1:
            continue  # `dealt` says it to its seat
        yield fact


def seat_of(fact: Fact) -> object:
    """Return the seat that a fact is about."""
    return fact.arguments.get("seat") if fact.audience == "all" else fact.audience
