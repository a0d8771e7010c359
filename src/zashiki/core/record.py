"""The record of a match: hash-chained JSON Lines, for one reader.

    {"zashiki":1,"game":…,"commitment":…,"hash":…}          the header
    {"n":1,"to":"all","fact":"placed","with":{…},"by":…}    one line per fact
    {"end":37,"over":true,"seed":…,"salt":…,"hash":…}       the closing line

The reader is "everything", "all" (spectators) or a seat. A reader's record has only the lines that
this reader was told. Numbers and hashes count these lines alone, so that neither a gap nor a hash
betrays another line.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

from zashiki.core.facts import Fact, plain_text
from zashiki.core.parts import Audience
from zashiki.core.rulings import Malformed, quoted

FORMAT = 1
FORMAT_WITH_HASHES = 2
"""Format 1 with the hashes of the nonces, which were fixed before any nonce was revealed."""
NONCE_DIGITS = range(32, 65)
"""Lengths of a nonce that has a hash. A shorter one could be found from its hash."""
TRUNCATED = "truncated: the closing line is missing after this one"
HEADER_KEYS = (
    "zashiki",
    "game",
    "rules_version",
    "options",
    "seats",
    "names",
    "nonces",
    "scenario",
    "reader",
    "commitment",
)
HASHES_KEYS = ("hashes", "gave")
Gave = Literal["nonce", "withheld", "none", "bot"]
"""The contribution of a seat to the deal: a nonce, a hash without its nonce, none, or a bot."""

BrokenKind = Literal["unreadable", "tampered", "truncated", "moved"]
"""The kinds of damage that a line of a record can show."""


class Broken(Malformed):
    """A record that was changed, reordered or cut short, and the first line that shows it."""

    def __init__(self, line: int, fault: str, kind: BrokenKind = "unreadable") -> None:
        super().__init__(f"line {line}: {fault}")
        self.line = line
        self.fault = fault
        self.kind = kind

    def __reduce__(self) -> tuple[type["Broken"], tuple[object, ...]]:
        return Broken, (self.line, self.fault, self.kind)


@dataclass(frozen=True)
class Header:
    """The public data of a match before its first fact."""

    game: str
    rules_version: int
    options: Mapping[str, Any]
    seats: int
    names: Sequence[str]
    commitment: str
    nonces: Sequence[str] = ()
    scenario: bool = False
    hashes: Sequence[str | None] = ()
    """One per seat if people dealt in two phases: "" if they gave none, None for a bot."""

    @property
    def gave(self) -> list[Gave]:
        """The contribution of each seat to the deal, if people dealt in two phases."""
        return [gave(hash, nonce) for hash, nonce in zip(self.hashes, self.nonces, strict=False)]


def gave(hash: str | None, nonce: str) -> Gave:
    """Return the contribution of a seat with this hash and this nonce to the deal."""
    if hash is None:
        return "bot"
    if not hash:
        return "none"
    return "nonce" if nonce else "withheld"


@dataclass(frozen=True)
class Record:
    """A record as read: header, facts, and the secrets if they were revealed."""

    header: Header
    facts: Sequence[Fact]
    over: bool
    reader: str | int = "everything"
    seed: bytes | None = None
    salt: bytes | None = None
    lines: Sequence[int] = field(default=(), repr=False)
    """The number of each fact's line, from 1."""


def commit(seed: bytes, salt: bytes) -> str:
    """Return the commitment: shown before the deal, opened by seed and salt at the end."""
    return hashlib.sha256(b"zashiki commitment" + seed + salt).hexdigest()


def nonce_hash(commitment: str, seat: int, nonce: str) -> str:
    """Return the hash that a seat shows before nonces are revealed, for this deal and seat."""
    content = f"{commitment}/{seat}/{nonce}".encode()
    return hashlib.blake2b(content, digest_size=32, person=b"zashiki nonce").hexdigest()


def tells(audience: Audience, reader: str | int) -> bool:
    """Return True if this reader ("everything", "all" or a seat) is told a fact."""
    return (
        reader == "everything" or audience == "all" or (audience == reader and audience != "none")
    )


# Writing ---------------------------------------------------------------------------------------


def write(record: Record) -> str:
    """Return the text of a record for its reader."""
    chain = Chain()
    lines = [chain.close(header_line(record))]
    told = told_to(record.facts, record.reader)
    for number, fact in enumerate(told, 1):
        lines.append(chain.close(fact_line(number, fact)))
    lines.append(chain.close(closing_line(len(told), record)))
    return "".join(f"{line}\n" for line in lines)


class Chain:
    """A chain of hashes: each covers its line and, through the hash before it, all lines above."""

    def __init__(self) -> None:
        self.head = ""

    def hash(self, content: str) -> str:
        self.head = hashlib.sha256(f"{self.head}{content}".encode()).hexdigest()[:32]
        return self.head

    def close(self, line: dict[str, object]) -> str:
        return canonical({**line, "hash": self.hash(canonical(line))})


def canonical(line: object) -> str:
    return json.dumps(line, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def header_line(record: Record) -> dict[str, object]:
    header = record.header
    has_hashes = bool(header.hashes)
    return {
        "zashiki": FORMAT_WITH_HASHES if has_hashes else FORMAT,
        "game": header.game,
        "rules_version": header.rules_version,
        "options": dict(header.options),
        "seats": header.seats,
        "names": list(header.names),
        "nonces": list(header.nonces),
        **({"hashes": list(header.hashes), "gave": header.gave} if has_hashes else {}),
        "scenario": header.scenario,
        "reader": record.reader,
        "commitment": header.commitment,
    }


def fact_line(number: int, fact: Fact) -> dict[str, object]:
    line: dict[str, object] = {
        "n": number,
        "to": fact.audience,
        "fact": fact.name,
        "with": dict(fact.arguments),
    }
    if fact.act:
        line |= {"act": fact.act, "by": fact.seat, "action": fact.action}
    return line


def closing_line(count: int, record: Record) -> dict[str, object]:
    line: dict[str, object] = {"end": count, "over": record.over}
    if record.over and record.seed is not None and record.salt is not None:
        line |= {"seed": record.seed.hex(), "salt": record.salt.hex()}
    return line


# Reading ---------------------------------------------------------------------------------------


def read(text: str) -> Record:
    """Read a record from its text and verify its chain; `Broken` names the first line that fails.

    Each line must be exactly what `write` writes for its content. So there are no unknown keys, no
    1.0 or true for 1, and no second spelling of anything.
    """
    if not isinstance(text, str):
        raise Malformed(f"record: expected a text, found {type(text).__name__}")
    lines = text.removesuffix("\n").split("\n")
    chain = Chain()
    header, reader = read_header(read_line(1, lines[0]))
    empty = Record(header, (), False, reader)
    check_line(1, lines[0], header_line(empty), chain)
    facts: list[Fact] = []
    for place, raw in enumerate(lines[1:], 2):
        line = read_line(place, raw)
        if "end" in line:
            check_closing(place, line, len(facts), len(lines))
            record = closed(header, reader, facts, place, line)
            check_line(place, raw, closing_line(len(facts), record), chain)
            return record
        fact = read_fact(place, line, len(facts) + 1, header, reader)
        check_line(place, raw, fact_line(len(facts) + 1, fact), chain)
        check_cause(place, fact, facts[-1] if facts else None)
        facts.append(fact)
    raise Broken(len(lines), TRUNCATED, "truncated")


def read_line(place: int, raw: str) -> dict[str, Any]:
    try:
        line = json.loads(raw)
    except (ValueError, RecursionError) as fault:
        raise Broken(place, f"expected JSON, found {described(fault)}") from None
    if not isinstance(line, dict):
        raise Broken(place, f"expected a JSON object, found {quoted(line)}")
    return line


def described(fault: ValueError | RecursionError) -> str:
    """Say where a text stops being JSON. The text of `fault` would count lines of its own."""
    column = getattr(fault, "colno", None)
    return "text that is not JSON" + (f" from column {column}" if column else "")


def check_line(place: int, raw: str, line: dict[str, object], chain: Chain) -> None:
    try:
        expected = chain.close(line)
    except (ValueError, RecursionError):
        raise Broken(
            place,
            "tampered: expected values of a record, found one that JSON cannot write",
            "tampered",
        ) from None
    if raw != expected:
        text = "tampered: expected the hash of its content and the lines above, found another"
        raise Broken(place, text, "tampered")


def check_closing(place: int, line: dict[str, Any], count: int, lines: int) -> None:
    if line["end"] != count:
        text = f"truncated: expected {quoted(line['end'])} facts above, found {count}"
        raise Broken(place, text, "truncated")
    if place != lines:
        raise Broken(place + 1, "expected nothing after the closing line, found a line")


def closed(
    header: Header, reader: str | int, facts: list[Fact], place: int, line: dict[str, Any]
) -> Record:
    if type(line.get("over")) is not bool:
        raise Broken(place, f'"over": expected true or false, found {quoted(line.get("over"))}')
    seed, salt = (read_secret(place, line, key) for key in ("seed", "salt"))
    return Record(header, facts, line["over"], reader, seed, salt, range(2, place))


def read_secret(place: int, line: dict[str, Any], key: str) -> bytes | None:
    if key not in line:
        return None
    if not isinstance(line[key], str) or not is_hex(line[key], 64):
        raise Broken(place, f"{key!r}: expected 64 hexadecimal digits, found {quoted(line[key])}")
    return bytes.fromhex(line[key])


def read_header(line: dict[str, Any]) -> tuple[Header, str | int]:
    if "zashiki" not in line:
        raise Broken(1, 'expected a header with "zashiki", found none: this is not a record')
    format = line["zashiki"]
    if format not in (FORMAT, FORMAT_WITH_HASHES):
        known = f"{FORMAT} or {FORMAT_WITH_HASHES}"
        raise Broken(1, f"expected format {known}, found {quoted(format)}")
    more = HASHES_KEYS if format == FORMAT_WITH_HASHES else ()
    missing = [key for key in (*HEADER_KEYS, *more, "hash") if key not in line]
    if missing:
        raise Broken(1, f"header: expected the key {quoted(missing[0])}, found none")
    try:
        return checked_header(line), checked_reader(line)
    except Malformed as fault:
        raise Broken(1, str(fault)) from None


def checked_header(line: dict[str, Any]) -> Header:
    seats = line["seats"]
    if type(seats) is not int or not 1 <= seats <= 16:
        raise Malformed(f"seats: expected a number from 1 to 16, found {quoted(seats)}")
    if type(line["rules_version"]) is not int or not 1 <= line["rules_version"] < 10**6:
        found = quoted(line["rules_version"])
        raise Malformed(f"rules_version: expected a number from 1 to 999999, found {found}")
    if not isinstance(line["options"], dict):
        raise Malformed(f"options: expected an object, found {quoted(line['options'])}")
    if type(line["scenario"]) is not bool:
        raise Malformed(f"scenario: expected true or false, found {quoted(line['scenario'])}")
    if not isinstance(line["game"], str):
        raise Malformed(f"game: expected a text, found {quoted(line['game'])}")
    if not isinstance(line["commitment"], str) or not is_hex(line["commitment"], 64):
        raise Malformed(
            f"commitment: expected 64 hexadecimal digits, found {quoted(line['commitment'])}"
        )
    names = checked_names(line["names"], seats)
    nonces = checked_nonces(line["nonces"], seats)
    hashes = checked_hashes(line["hashes"], nonces, seats) if "hashes" in line else ()
    return Header(
        line["game"],
        line["rules_version"],
        MappingProxyType(line["options"]),
        seats,
        names,
        line["commitment"],
        nonces,
        line["scenario"],
        hashes,
    )


def is_hex(text: str, digits: int) -> bool:
    return len(text) == digits and not set(text) - set("0123456789abcdef")


def checked_names(names: object, seats: int) -> Sequence[str]:
    """Return the names of the seats: one per seat, or none at all."""
    if not isinstance(names, (list, tuple)) or len(names) not in (0, seats):
        raise Malformed(
            f"names: expected none, or one for each of the {seats} seats, found {quoted(names)}"
        )
    return tuple(plain_text(name, "name", 40) for name in names)


def checked_nonces(nonces: object, seats: int) -> Sequence[str]:
    """Return the nonces in hexadecimal digits: one per seat, which may be empty, or none at all."""
    if not isinstance(nonces, (list, tuple)) or len(nonces) not in (0, seats):
        raise Malformed(
            f"nonces: expected none, or one for each of the {seats} seats, found {quoted(nonces)}"
        )
    for nonce in nonces:
        if not isinstance(nonce, str) or len(nonce) > 64 or not is_hex(nonce, len(nonce)):
            raise Malformed(
                f"nonce: expected up to 64 hexadecimal digits (0-9, a-f), found {quoted(nonce)}"
            )
    return tuple(nonces)


def checked_hashes(hashes: object, nonces: Sequence[str], seats: int) -> Sequence[str | None]:
    """Return the hashes: one per seat, "" or None for none. Only a seat with a hash has a nonce."""
    if not isinstance(hashes, (list, tuple)) or len(hashes) != seats or len(nonces) != seats:
        raise Malformed(f"expected {seats} hashes and {seats} nonces, found {quoted(hashes)}")
    for hash, nonce in zip(hashes, nonces, strict=True):
        if hash is not None and not (isinstance(hash, str) and (not hash or is_hex(hash, 64))):
            raise Malformed(f"expected a hash of 64 hexadecimal digits, found {quoted(hash)}")
        if nonce and (not hash or len(nonce) not in NONCE_DIGITS):
            raise Malformed(
                f"expected a nonce of {NONCE_DIGITS[0]} to {NONCE_DIGITS[-1]} hexadecimal digits "
                f"and its hash, found {quoted(nonce)} with {quoted(hash)}"
            )
    return tuple(hashes)


def checked_reader(line: dict[str, Any]) -> str | int:
    reader = line["reader"]
    if type(reader) is int and 0 <= reader < line["seats"]:
        return int(reader)
    if reader in ("everything", "all"):
        return str(reader)
    raise Malformed(f'reader: expected "everything", "all" or a seat, found {quoted(reader)}')


def read_fact(
    place: int, line: dict[str, Any], number: int, header: Header, reader: str | int
) -> Fact:
    missing = [key for key in ("n", "to", "fact", "with", "hash") if key not in line]
    if missing:
        raise Broken(place, f"fact: expected the key {quoted(missing[0])}, found none")
    if line["n"] != number:
        raise Broken(
            place,
            f"expected number {number}, found {quoted(line['n'])}: lines are missing or moved",
            "moved",
        )
    audience, name, arguments = line["to"], line["fact"], line["with"]
    is_seat = type(audience) is int and audience in range(header.seats)
    if not (is_seat or audience in ("all", "none")) or not tells(audience, reader):
        raise Broken(place, f"to: expected an audience of this record, found {quoted(audience)}")
    if not isinstance(name, str) or not isinstance(arguments, dict):
        raise Broken(
            place, 'expected a text as "fact" and an object as "with", found something else'
        )
    return Fact(audience, name, arguments, *read_cause(place, line, header.seats))


def read_cause(place: int, line: dict[str, Any], seats: int) -> tuple[int, int | None, str | None]:
    if "act" not in line:
        return 0, None, None
    act, seat, action = line["act"], line.get("by"), line.get("action")
    if (
        type(act) is not int
        or type(seat) is not int
        or seat not in range(seats)
        or not isinstance(action, str)
    ):
        text = 'expected a number as "act", a seat as "by" and a text as "action", found others'
        raise Broken(place, text)
    return act, seat, action


def check_cause(place: int, fact: Fact, before: Fact | None) -> None:
    """Check that actions are numbered from 1, each with at least one fact."""
    known = (before.act, before.seat, before.action) if before else (0, None, None)
    if (fact.act, fact.seat, fact.action) != known and fact.act != known[0] + 1:
        raise Broken(
            place, f"expected action {known[0]} or {known[0] + 1}, found action {fact.act}", "moved"
        )


def told_to(facts: Iterable[Fact], reader: str | int) -> list[Fact]:
    """Return the facts for a reader. Only "everything" has their causes: notation names cards."""
    told = [fact for fact in facts if tells(fact.audience, reader)]
    if reader == "everything":
        return told
    return [Fact(fact.audience, fact.name, fact.arguments) for fact in told]
