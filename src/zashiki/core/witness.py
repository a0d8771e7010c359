"""A witness: the values of a deal that one player was shown, sent and was told.

A witness is a JSON object, which the verify page of the client offers as a file. Compared with the
record of the match, it shows whether the player's own nonce took part in the deal.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from zashiki.core.facts import Fact
from zashiki.core.record import Header, is_hex, nonce_hash
from zashiki.core.rulings import Malformed, quoted

FORMAT = 1
MAX_TOLD = 100_000
MAX_SHOWN = 100


@dataclass(frozen=True)
class Witness:
    """One player's own evidence of a deal."""

    seat: int
    commitments: Sequence[str]
    """Every commitment that was shown for the table, in order. An honest server shows one."""
    lists: Sequence[Sequence[str | None]]
    """Every fixed list of hashes that was shown. An honest server shows one."""
    nonce: str
    accepted: bool
    """True if the server answered that it has the hash of the nonce."""
    revealed: bool
    """True if the server answered that it has the nonce."""
    told: Sequence[str]
    """A chain of hashes over the facts that the player was told."""
    options: Mapping[str, Any] | None = None
    """The options of the table, card set included; None in witnesses of earlier versions."""
    scenario: bool | None = None
    """True if the table said before the deal that its position is set up; None if not noted."""

    @property
    def hash(self) -> str:
        """The hash that the player sent for the first commitment."""
        return nonce_hash(self.commitments[0], self.seat, self.nonce)


PartTaken = Literal[
    "took-part", "second-commitment", "other-commitment", "other-options", "other-start", "dropped",
    "not-taken", "other-list", "not-revealed-by-you",
]  # fmt: skip
"""Whether a player's nonce took part in a deal, and if not, what happened to it."""


def took_part(witness: Witness, header: Header) -> PartTaken:
    """Return "took-part" if the player's own nonce took part, else a key that says what happened.

    The deal cannot have been chosen against a player who took part: the seed was committed to
    before their nonce existed, and every other nonce was fixed before theirs could be read.
    """
    if len(witness.commitments) > 1:
        return "second-commitment"
    if witness.commitments[0] != header.commitment:
        return "other-commitment"
    if witness.options is not None and canonical(witness.options) != canonical(header.options):
        return "other-options"
    if witness.scenario is False and header.scenario:
        return "other-start"
    own = header.hashes[witness.seat] if witness.seat < len(header.hashes) else ""
    if own != witness.hash:
        return "dropped" if witness.accepted else "not-taken"
    if [list(shown) for shown in witness.lists] not in ([], [list(header.hashes)]):
        return "other-list"
    if header.nonces[witness.seat] != witness.nonce:
        return "dropped" if witness.revealed else "not-revealed-by-you"
    return "took-part" if witness.lists else "other-list"


def canonical(options: Mapping[str, Any]) -> str:
    return json.dumps(dict(options), sort_keys=True)


def told_otherwise(witness: Witness, facts: Sequence[Fact]) -> int | None:
    """Return the index of the first fact that differs from what the player was told, or None."""
    chain = told_chain(facts)
    for place, (here, there) in enumerate(zip(chain, witness.told, strict=False)):
        if here != there:
            return place
    return None if len(witness.told) <= len(chain) else len(chain)


def told_chain(facts: Iterable[Fact]) -> list[str]:
    """Return one hash per fact, over this fact and all before it."""
    chain, head = [], ""
    for fact in facts:
        told = [fact.audience != "all", fact.name, fact.arguments]
        text = json.dumps(told, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
        content = f"{head}{text}".encode()
        head = hashlib.blake2b(content, digest_size=16, person=b"zashiki told").hexdigest()
        chain.append(head)
    return chain


# Reading ---------------------------------------------------------------------------------------


def parse_witness(text: str) -> Witness:
    """Read a witness from its text."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise Malformed("witness: expected a JSON object, found text that is not JSON") from None
    return read_witness(value)


def read_witness(value: object) -> Witness:
    """Read a witness from its JSON object. Unknown keys are ignored."""
    if not isinstance(value, dict) or value.get("witness") != FORMAT:
        raise Malformed(f'witness: expected an object with "witness": {FORMAT}: download it again')
    return Witness(
        checked(value, "seat", lambda seat: type(seat) is int and 0 <= seat < 16),
        checked(value, "commitments", lambda some: is_list(some, is_hash) and bool(some)),
        checked(value, "lists", lambda some: is_list(some, is_list_of_hashes)),
        checked(value, "nonce", lambda nonce: isinstance(nonce, str) and is_hex(nonce, 32)),
        checked(value, "accepted", lambda flag: type(flag) is bool),
        checked(value, "revealed", lambda flag: type(flag) is bool),
        checked(value, "told", lambda some: is_list(some, is_link, MAX_TOLD)),
        checked(value, "options", lambda some: some is None or isinstance(some, dict)),
        checked(value, "scenario", lambda flag: flag is None or type(flag) is bool),
    )


def checked(value: dict[str, Any], key: str, is_right: Any) -> Any:
    if not is_right(value.get(key)):
        raise Malformed(
            f"witness: expected another value of {key!r}, found {quoted(value.get(key))}"
        )
    return value.get(key)


def is_list(value: object, is_right: Any, most: int = MAX_SHOWN) -> bool:
    return isinstance(value, list) and len(value) <= most and all(map(is_right, value))


def is_hash(value: object) -> bool:
    return isinstance(value, str) and is_hex(value, 64)


def is_link(value: object) -> bool:
    return isinstance(value, str) and is_hex(value, 32)


def is_list_of_hashes(value: object) -> bool:
    return is_list(value, lambda hash: hash is None or hash == "" or is_hash(hash))
