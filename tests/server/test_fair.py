"""The command, the server and the page agree about every way to cheat with a shuffle.

Each case is a record, and what one player's browser kept of the deal. The matches are dealt by a
server; a cheat is a change that its operator could make.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.client_tests import run_client_tests
from tests.server.asgi_server import AsgiServer, play
from tests.server.streams import stream
from zashiki.cli import main
from zashiki.core import record as records
from zashiki.core.facts import Fact
from zashiki.core.match import opened, start
from zashiki.core.record import Chain, Header, nonce_hash
from zashiki.core.verify import verify
from zashiki.core.witness import read_witness, told_chain
from zashiki.games import catalogue, game_spec
from zashiki.server.tables import commands as on
from zashiki.server.tables.handler import handle
from zashiki.server.tables.views import table_seen

GAME, OPTIONS, SEATS = "red-town", {"form": "short"}, 3
NONCES = [f"{seat + 77:032x}" for seat in range(SEATS)]
OLD = Path(__file__).parents[1] / "goldens" / "red-town-3-form-short-v1.jsonl"
Lines = list[dict[str, Any]]


@dataclass
class Case:
    """A record, what seat 0 kept of it, and the expected findings."""

    name: str
    record: str
    witness: dict[str, Any] | None
    verdict: str
    key: str
    served: dict[str, Any] = field(default_factory=dict)


FEW = (
    "honest",
    "dropped nonce",
    "second commitment",
    "told in part",
    "forged card",
    "old record",
    "chosen deal",
    "set-up position",
)
"""Cases of every verdict. `--long` runs all cases."""


async def dealt(server: AsgiServer, withholds: int | None = None) -> tuple[str, dict[str, Any]]:
    """Return the record of a match, and what the browser of seat 0 kept of it."""
    guests = [await server.guest(name) for name in ("Aki", "Ben", "Chie")]
    wanted = {"game": GAME, "seats": SEATS, "options": OPTIONS}
    id = (await guests[0].post("/api/tables", wanted, 201))["table"]["id"]
    for seat in (1, 2):
        await guests[seat].post(f"/api/tables/{id}/sit", {"seat": seat})
    commitment = (await guests[0].post(f"/api/tables/{id}/start"))["commitment"]
    table = await server.services.registry.find(id)
    for seat, nonce in enumerate(NONCES):
        await handle(table, on.Ready(seat, nonce_hash(commitment, seat, nonce)))
    hashes = table_seen(table).hashes
    for seat, nonce in enumerate(NONCES):
        if seat != withholds:
            await handle(table, on.Reveal(seat, nonce))
    if withholds is not None:
        await handle(table, on.NonceTimeout(is_fixed=True))
    await play(server, id)
    live = table.live
    assert live is not None
    witness = {
        "witness": 1, "table": id, "seat": 0, "commitments": [commitment], "lists": [hashes],
        "options": msgspec.to_builtins(table_seen(table).options), "scenario": False,
        "nonce": NONCES[0], "accepted": True, "revealed": True,
        "told": told_chain(Fact(told.to, told.fact, told.arguments) for told in stream(live, 0)),
    }  # fmt: skip
    return (await guests[0].client.get(f"/api/tables/{id}/record")).text, witness


def forged(text: str, change: Callable[[Lines], None]) -> str:
    """Return the record with some lines changed and a new valid chain."""
    lines: Lines = [json.loads(line) for line in text.splitlines()]
    for line in lines:
        del line["hash"]
    change(lines)
    chain = Chain()
    return "".join(f"{chain.close(line)}\n" for line in lines)


def other_card(lines: Lines) -> None:
    """Swap a card of seat 0 with one of seat 1."""
    one, two = [line["with"]["cards"] for line in lines if line.get("fact") == "dealt"][:2]
    swap = next(place for place in range(len(one)) if one[place] != two[place])
    one[swap], two[swap] = two[swap], one[swap]
    one.sort(key=order), two.sort(key=order)


def order(card: str) -> tuple[bool, int]:
    return card[0] == "B", int(card[1:])


def other_seed(lines: Lines) -> None:
    lines[-1]["seed"] = "00" * 32


def other_nonce(lines: Lines) -> None:
    lines[0]["nonces"][1] = "00" * 16


def told_like(witness: dict[str, Any], text: str) -> dict[str, Any]:
    """Return a witness who was told what this record says."""
    facts = records.told_to(records.read(text).facts, 0)
    return {**witness, "told": told_chain(facts)}


def without(text: str, seat: int) -> str:
    """Return a match of the same seed, dealt and played without the hash and nonce of a seat."""
    record = records.read(text)
    header: Header = record.header
    hashes = ["" if one == seat else header.hashes[one] for one in range(SEATS)]
    nonces = ["" if one == seat else header.nonces[one] for one in range(SEATS)]
    match = start(
        game_spec(GAME), SEATS, header.options, record.seed, header.names, nonces, record.salt,
        hashes,
    )  # fmt: skip
    while not match.over:
        mover = min(match.to_act)
        match.play(mover, match.legal(mover)[-1])
    return match.record()


def arranged(text: str) -> str:
    """Return a match with the same seed, hashes and nonces, in a position that was set up."""
    record = records.read(text)
    header, spec = record.header, game_spec(GAME)
    chosen = start(spec, SEATS, header.options, 5).truth()
    match = opened(
        spec, SEATS, header.options, record.seed, header.names, header.nonces, record.salt,
        header.hashes, scenario=True,
    )  # fmt: skip
    match.game.set_scene(match.state, chosen)
    while not match.over:
        mover = min(match.to_act)
        match.play(mover, match.legal(mover)[-1])
    return match.record()


def cases(honest: tuple[str, Any], withheld: tuple[str, Any]) -> Iterator[Case]:
    text, kept = honest
    other = "ab" * 32
    yield Case("honest", text, kept, "ok", "took-part")
    yield Case("no witness", text, None, "not judged", "no-witness")
    dropped = without(text, 0)
    yield Case("dropped nonce", dropped, told_like(kept, dropped), "failed", "dropped")
    unheard = {**told_like(kept, dropped), "accepted": False, "revealed": False}
    yield Case("nonce that was never acknowledged", dropped, unheard, "not judged", "not-taken")
    twice = {**kept, "commitments": [*kept["commitments"], other]}
    yield Case("second commitment", text, twice, "failed", "second-commitment")
    instead = {**kept, "commitments": [other]}
    yield Case("other commitment", text, instead, "failed", "other-commitment")
    lists = [[*kept["lists"][0][:2], other]]
    for name, told in (("told in part", kept["told"][:-1]), ("told one fact", kept["told"][:1])):
        yield Case(name, text, {**kept, "told": told}, "not judged", "told-in-part")
    yield Case("told nothing", text, {**kept, "told": []}, "not judged", "not-compared")
    options = {**kept["options"], "hitmen": "hidden"}
    yield Case("other options", text, {**kept, "options": options}, "failed", "other-options")
    earlier = {key: value for key, value in kept.items() if key not in ("options", "scenario")}
    yield Case("witness of an earlier version", text, earlier, "ok", "took-part")
    chosen = arranged(text)
    kept_of_it = told_like(kept, chosen)
    yield Case("chosen deal", chosen, kept_of_it, "failed", "other-start")
    for name, said in (("set-up position", True), ("set-up position, earlier version", None)):
        yield Case(name, chosen, {**kept_of_it, "scenario": said}, "not judged", "took-part")
    yield Case("other list", text, {**kept, "lists": lists}, "failed", "other-list")
    yield Case("withheld reveal", *withheld, "not judged", "nonce-withheld")
    card = forged(text, other_card)
    yield Case("forged card", card, told_like(kept, card), "failed", "took-part")
    yield Case("forged card, told otherwise", card, kept, "failed", "told-otherwise")
    yield Case("forged seed", forged(text, other_seed), kept, "failed", "took-part")
    yield Case("forged nonce", forged(text, other_nonce), kept, "failed", "other-nonce")
    yield Case("old record", OLD.read_text("utf-8"), None, "not judged", "no-hashes")


@pytest.mark.parametrize(
    "names", [pytest.param(FEW, id="few"), pytest.param((), id="all", marks=pytest.mark.long)]
)
async def test_the_command_the_server_and_the_page_agree(
    server: AsgiServer, tmp_path: Path, capsys: pytest.CaptureFixture[str], names: tuple[str, ...]
) -> None:
    every = cases(await dealt(server), await dealt(server, withholds=2))
    made = [case for case in every if not names or case.name in names]
    assert len(made) >= len(names)
    guest = await server.guest("Dan")
    for case in made:
        witness = None if case.witness is None else read_witness(case.witness)
        report = verify(case.record, catalogue(), witness)
        found = report.verdict.value, report.nonces.message.key
        assert found == (case.verdict, case.key), case.name
        server.system.at += 60  # at most ten records are verified per minute
        asked = {"record": case.record, "witness": case.witness}
        case.served = await guest.post("/api/verify", asked)
        assert case.served["verdict"] == case.verdict, case.name
        assert case.served["nonces"]["text"] == report.nonces.text
        assert commanded(tmp_path, case) == (1 if case.verdict == "failed" else 0), case.name
        said = " ".join(capsys.readouterr().out.split())
        assert (report.nonces.text in said) == (case.name != "old record"), "as before"
    file = tmp_path / "cases.json"
    file.write_bytes(msgspec.json.encode(made))
    run_client_tests("web/src/verify/agreement.test.ts", ZASHIKI_CASES=str(file))


def commanded(folder: Path, case: Case) -> int:
    """Return the exit status of `zashiki verify`."""
    record, kept = folder / "record.jsonl", folder / "witness.json"
    record.write_text(case.record, "utf-8", newline="\n")
    kept.write_text(json.dumps(case.witness))
    more = [] if case.witness is None else ["--witness", str(kept)]
    return main(["verify", str(record), *more])


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"witness": 2}, '"witness": 1'),
        ({"seat": -1}, "'seat'"),
        ({"commitments": []}, "'commitments'"),
        ({"lists": [["x"]]}, "'lists'"),
        ({"nonce": "zz"}, "'nonce'"),
        ({"told": ["x"]}, "'told'"),
        ({"accepted": 1}, "'accepted'"),
        ({"options": 1}, "'options'"),
        ({"scenario": 1}, "'scenario'"),
    ],
)
async def test_a_witness_that_cannot_be_is_refused(
    server: AsgiServer, change: dict[str, Any], fault: str
) -> None:
    right = {
        "witness": 1, "table": "t", "seat": 0, "commitments": ["ab" * 32], "lists": [],
        "nonce": "00" * 16, "accepted": False, "revealed": False, "told": [],
    }  # fmt: skip
    read_witness(right)
    guest = await server.guest("Dan")
    asked = {"record": "x", "witness": {**right, **change}}
    answer = await guest.post("/api/verify", asked, 422)
    assert answer["code"] == "malformed"
    assert fault in answer["text"]
