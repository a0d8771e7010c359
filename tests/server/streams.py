"""A reader's facts in a match, and news of both versions in one format."""

from typing import Any

import msgspec

from zashiki.server.protocol.frames import Fact, in_order
from zashiki.server.tables.match import LiveMatch, OwnFacts, Reader

FACT = msgspec.json.Decoder(Fact)


def readers(live: LiveMatch) -> list[Reader]:
    return [*range(live.match.seats), "all"]


def stream(live: LiveMatch, reader: Reader, after: int = 0) -> list[Fact]:
    """Return a reader's facts after that number, in order."""
    own = live.own[reader] if isinstance(reader, int) else OwnFacts()
    return [FACT.decode(fact) for fact in in_order(live.public, own.facts, own.at)[after:]]


def merged(frame: dict[str, Any]) -> dict[str, Any]:
    """Return a frame unchanged, or `told` of version 2 with its parts merged as by a client."""
    if frame["is"] != "told" or "public" not in frame:
        return frame
    public, first = frame["public"], frame["first"]
    own = frame["own"] or {"facts": [], "at": [], "decision": None, "legal": []}
    facts = in_order(public["facts"], own["facts"], own["at"])
    flat = {
        "is": "told",
        "first": first,
        "facts": [
            {"n": number, "own": to != "all", "fact": name, "with": given}
            for number, (to, name, given) in enumerate(facts, first)
        ],
        **{key: public[key] for key in ("to_act", "over", "outcome")},
        **{key: own[key] for key in ("decision", "legal", "stood_in") if key in own},
    }
    if "view" in public:
        flat["view"] = {**public["view"], **own.get("view", {})}
    if "words" in public:
        mine = own.get("words", {"said": [], "labels": []})
        said = in_order(public["words"]["said"], mine["said"], own["at"])
        asked = public["words"]["asked"]
        flat["words"] = {"said": said, "labels": mine["labels"], "asked": asked}
    return flat
