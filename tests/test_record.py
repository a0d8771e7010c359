"""Records: each reader's facts, no way to infer others, and every kind of damage is named."""

import hashlib
import json
from itertools import product
from typing import Any

import pytest

import zashiki
from zashiki.core import record as records
from zashiki.core.dice import seed_bytes
from zashiki.core.record import Broken, Chain, canonical, commit

SALT = bytes(range(32))


def played(actions: int | None = None, **more: Any) -> zashiki.Match:
    """A match of KAMIZA, played to the end or for this many actions."""
    match = zashiki.start("kamiza-second", seats=3, seed=11, salt=SALT, **more)
    done = 0
    while not match.over and done != actions:
        (seat,) = match.to_act
        legal = match.legal(seat)
        match.play(seat, legal[done % len(legal)])
        done += 1
    return match


def rechained(lines: list[dict[str, Any]]) -> str:
    """Return lines as a forger would write them, with a valid chain."""
    chain = Chain()
    contents = [{key: value for key, value in line.items() if key != "hash"} for line in lines]
    return "".join(f"{chain.close(content)}\n" for content in contents)


def parsed(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


# The content of a record -------------------------------------------------------------------------


def test_a_header_says_what_everybody_may_know_before_the_first_fact() -> None:
    match = played(0, names=["Aka", "Ao", "Midori"], nonces=["00", "", "ff"])
    header = parsed(match.record())[0]
    header.pop("hash")
    assert header == {
        "zashiki": 1,
        "game": "kamiza-second",
        "rules_version": 1,
        "options": {"open_start": False, "underboss_shield": False, "tie_break": "chicken"},
        "seats": 3,
        "names": ["Aka", "Ao", "Midori"],
        "nonces": ["00", "", "ff"],
        "scenario": False,
        "reader": "everything",
        "commitment": hashlib.sha256(b"zashiki commitment" + seed_bytes(11) + SALT).hexdigest(),
    }


def test_seed_and_salt_are_told_at_the_end_and_not_before() -> None:
    going, over = played(4), played()
    for reader in ("everything", "all", 0):
        assert seed_bytes(11).hex() not in going.record(reader)
        closing = parsed(over.record(reader))[-1]
        assert (closing["seed"], closing["salt"]) == (seed_bytes(11).hex(), SALT.hex())
        assert closing["over"] is True


def test_a_line_names_audience_fact_and_the_action_that_caused_it() -> None:
    match = zashiki.start("kamiza-second", seats=3, seed=11, salt=SALT)
    (seat,) = match.to_act
    match.play(seat, "boss@top", says="After you.")
    lines = parsed(match.record())[2:-1]
    cause = {"act": 1, "by": seat, "action": "boss@top"}
    told = [(line["to"], line["fact"], line["with"]) for line in lines]
    assert told == [
        ("all", "said", {"seat": seat, "words": "After you."}),
        (seat, "laid", {"card": "boss"}),
        ("all", "placed", {"seat": seat, "area": "top"}),
    ]
    assert all(cause.items() <= line.items() for line in lines)


def test_each_reader_has_numbers_without_gaps_and_a_chain_of_its_own() -> None:
    match = played()
    heads = set()
    for reader in ("everything", "all", 0, 1, 2):
        lines = parsed(match.record(reader))
        assert [line["n"] for line in lines[1:-1]] == list(range(1, len(lines) - 1))
        assert lines[-1]["end"] == len(lines) - 2
        heads.add(lines[-2]["hash"])
        assert records.read(match.record(reader)).reader == reader
    assert len(heads) == 5


def test_readers_other_than_everything_see_no_action_and_no_foreign_line() -> None:
    match = played()
    for reader in ("all", 0, 1, 2):
        lines = parsed(match.record(reader))[1:-1]
        assert {line["to"] for line in lines} <= {"all", reader}
        assert all(set(line) == {"n", "to", "fact", "with", "hash"} for line in lines)


# Hidden information ------------------------------------------------------------------------------


def candidates(match: zashiki.Match, secret: int) -> dict[str, str]:
    """Return all hashes of a world in which this seat played another card."""
    hashes: dict[str, str] = {}
    whole = parsed(match.record())
    for card in ("boss", "underboss", "hitman", "police"):
        lines = json.loads(json.dumps(whole))
        for line in lines:
            if line.get("to") == secret and line.get("fact") == "laid":
                line["with"]["card"] = card
            if line.get("by") == secret:
                line["action"] = f"{card}@{line['action'].split('@')[1]}"
        for reader in ("everything", secret):
            told = [line for line in lines if records.tells(line.get("to", "all"), reader)]
            for number, line in enumerate(parsed(rechained(told))):
                hashes[line["hash"]] = f"{card} on line {number} for {reader}"
        for line in lines:
            content = {key: value for key, value in line.items() if key != "hash"}
            hashes[hashlib.sha256(canonical(content).encode()).hexdigest()[:32]] = card
    return hashes


def seeds_that_fit(commitment: str, salts: list[bytes]) -> list[int]:
    """Small seeds, each with all plausible salts, that open the commitment."""
    return [
        seed
        for seed, salt in product(range(2000), salts)
        if commit(seed_bytes(seed), salt) == commitment
    ]


def test_a_face_down_card_cannot_be_found_by_brute_force() -> None:
    match = zashiki.start("kamiza-second", seats=3, seed=11)
    (hider,) = match.to_act
    match.play(hider, "hitman@top")
    opponent = (hider + 1) % 3
    received = match.record(opponent) + match.record("all") + json.dumps(match.view(opponent))
    guesses = candidates(match, hider)
    assert not [hash for hash in guesses if hash in received]
    commitment = parsed(received.splitlines()[0])[0]["commitment"]
    assert not seeds_that_fit(commitment, [b"", bytes(32), seed_bytes(11)])


def test_the_brute_force_above_would_find_it_if_the_opponent_got_one_hash_too_many() -> None:
    match = zashiki.start("kamiza-second", seats=3, seed=11, salt=bytes(32))
    (hider,) = match.to_act
    match.play(hider, "hitman@top")
    leaked = match.record()
    found = {guess for hash, guess in candidates(match, hider).items() if hash in leaked}
    assert any(guess.startswith("hitman on line") for guess in found)
    assert not any(guess.startswith("boss on line 3") for guess in found)
    assert seeds_that_fit(match.header.commitment, [bytes(32)]) == [11]


def test_a_salt_is_drawn_anew_for_each_match() -> None:
    commitments = {
        zashiki.start("kamiza-second", seats=3, seed=1).header.commitment for _ in range(9)
    }
    assert len(commitments) == 9


# Damage ------------------------------------------------------------------------------------------


def test_a_tampered_line_is_named() -> None:
    lines = played().record().splitlines(keepends=True)
    for place in range(len(lines)):
        damaged = [*lines]
        damaged[place] = lines[place].replace('"hash":"', '"hash":"0', 1)
        with pytest.raises(Broken, match=rf"^line {place + 1}: tampered"):
            zashiki.replay("".join(damaged))


def test_a_changed_fact_is_named_even_where_the_record_would_make_sense() -> None:
    text = played().record()
    damaged = text.replace('"area":"top"', '"area":"bottom"', 1)
    line = next(
        number
        for number, pair in enumerate(zip(text.split("\n"), damaged.split("\n"), strict=True), 1)
        if pair[0] != pair[1]
    )
    with pytest.raises(Broken, match=rf"^line {line}: tampered"):
        zashiki.replay(damaged)


def test_white_space_is_tampering_too() -> None:
    text = played().record()
    with pytest.raises(Broken, match=r"^line 1: tampered"):
        zashiki.replay(text.replace(":", ": ", 1))


def test_reordered_lines_are_named() -> None:
    lines = played().record().splitlines(keepends=True)
    lines[4], lines[5] = lines[5], lines[4]
    with pytest.raises(
        Broken, match=r"^line 5: expected number 4, found 5: lines are missing or moved"
    ):
        zashiki.replay("".join(lines))


def test_a_missing_line_is_named() -> None:
    lines = played().record().splitlines(keepends=True)
    del lines[6]
    with pytest.raises(Broken, match=r"^line 7: expected number 6, found 7"):
        zashiki.replay("".join(lines))


def test_a_truncated_record_is_named_wherever_it_is_cut() -> None:
    lines = played(5).record().splitlines(keepends=True)
    for kept in range(1, len(lines)):
        with pytest.raises(Broken, match=rf"^line {kept}: truncated"):
            zashiki.replay("".join(lines[:kept]))


def test_a_record_cut_within_a_line_is_named() -> None:
    text = played(5).record()
    with pytest.raises(Broken, match=r"^line \d+: expected JSON, found"):
        zashiki.replay(text[:-20])


def test_a_closing_line_moved_up_is_named() -> None:
    lines = parsed(played(5).record())
    with pytest.raises(Broken, match="truncated: expected 14 facts above, found 13"):
        zashiki.replay(rechained([*lines[:-2], lines[-1]]))
    with pytest.raises(Broken, match="expected nothing after the closing line"):
        zashiki.replay(rechained([*lines, lines[1]]))


def forged(change: dict[str, Any], place: int) -> str:
    lines = parsed(played(5).record())
    lines[place] |= change
    return rechained(lines)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"zashiki": 3}, "line 1: expected format 1 or 2, found 3"),
        ({"zashiki": 2}, "line 1: header: expected the key 'hashes', found none"),
        ({"game": "chess"}, "game: expected one of .* found 'chess'"),
        ({"game": 7}, "line 1: game: expected a text, found 7"),
        ({"rules_version": "1"}, "line 1: rules_version: .* found '1'"),
        ({"options": []}, r"line 1: options: .* found \[\]"),
        ({"options": {}}, "line 1: options: expected settled values of open_start"),
        ({"options": {"x": 1}}, "options of .* found 'x'"),
        ({"seats": 99}, "line 1: seats: .* found 99"),
        ({"seats": 5}, "seats of kamiza-second: expected 3 or 4, found 5"),
        ({"names": ["a"]}, "line 1: names"),
        ({"names": ["a", "b\u0000", "c"]}, "line 1: name: expected plain text"),
        ({"nonces": ["zz", "", ""]}, "line 1: nonce: .* found 'zz'"),
        ({"reader": 9}, "line 1: reader: .* found 9"),
        ({"reader": 1}, "expected an audience of this record|that of the reader 1"),
    ],
)
def test_a_header_that_cannot_be_is_named(change: dict[str, Any], fault: str) -> None:
    with pytest.raises(zashiki.Malformed, match=fault):
        zashiki.replay(forged(change, 0))


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"to": 9}, "line 4: to: .* found 9"),
        ({"to": "some"}, "line 4: to: .* found 'some'"),
        ({"to": True}, "line 4: to: .* found True"),
        ({"fact": "flew"}, "line 4: expected one of .* to 'all', found 'flew'"),
        ({"fact": "__class__"}, "line 4: expected one of .* found '__class__'"),
        ({"with": []}, "line 4: .*an object"),
        ({"with": {"seat": 0}}, "line 4: placed: expected the arguments seat, area, found seat"),
        ({"with": {"seat": 7, "area": "top"}}, "line 4: expected a number from 0 to 2, found 7"),
        ({"with": {"seat": True, "area": "top"}}, "line 4: expected a number .* found True"),
        (
            {"with": {"seat": 0, "area": "roof"}},
            "line 4: expected one of top, bottom, found 'roof'",
        ),
        ({"act": 5}, "line 4: expected action 1 or 2, found action 5"),
        ({"act": "1"}, 'line 4: expected a number as "act"'),
        ({"by": 8}, 'line 4: expected a number as "act"'),
        ({"n": 9}, "line 4: expected number 3, found 9"),
    ],
)
def test_a_fact_that_cannot_be_is_named(change: dict[str, Any], fault: str) -> None:
    with pytest.raises(Broken, match=fault):
        zashiki.replay(forged(change, 3))


@pytest.mark.parametrize("missing", ["n", "to", "fact", "with"])
def test_a_fact_without_a_key_is_named(missing: str) -> None:
    lines = parsed(played(5).record())
    del lines[3][missing]
    with pytest.raises(Broken, match=f"line 4: fact: expected the key '{missing}', found none"):
        zashiki.replay(rechained(lines))


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"over": 1}, '"over"'),
        ({"seed": "xyz"}, "'seed': expected 64"),
        ({"salt": 5}, "'salt': expected 64"),
    ],
)
def test_a_closing_line_that_cannot_be_is_named(change: dict[str, Any], fault: str) -> None:
    with pytest.raises(Broken, match=fault):
        zashiki.replay(forged(change, -1))


@pytest.mark.parametrize(
    "text", ["", "\n", "hello", "[]", "{}", '{"a":1}', "[" * 100_000, '"\ud800"']
)
def test_what_is_no_record_is_said_to_be_none(text: str) -> None:
    with pytest.raises(Broken, match=r"^line 1: "):
        zashiki.replay(text)


@pytest.mark.parametrize("text", [None, 7, b"{}"])
def test_what_is_no_text_is_malformed(text: str) -> None:
    with pytest.raises(zashiki.Malformed, match="expected a text, found"):
        zashiki.replay(text)


def test_a_lone_surrogate_in_a_line_is_tampering() -> None:
    lines = played(2).record().splitlines(keepends=True)
    lines[2] = lines[2].replace('"laid"', '"\\ud800"')
    with pytest.raises(Broken, match=r"^line 3: tampered"):
        zashiki.replay("".join(lines))


def test_what_one_seat_was_told_is_no_whole_record() -> None:
    with pytest.raises(zashiki.Malformed, match="expected a whole one, found that of the reader 1"):
        zashiki.replay(played().record(1))


# Going on ----------------------------------------------------------------------------------------


def test_replay_shows_everything_at_every_prefix() -> None:
    match = played()
    again = zashiki.replay(match.record())
    assert again.record() == match.record()
    assert again.truth() == match.truth()
    facts = match.facts()
    for until in range(len(facts) + 1):
        assert zashiki.replay(match.record(), until=until).facts() == facts[:until]


def test_a_match_restored_from_journal_and_seed_goes_on_byte_for_byte() -> None:
    original = played(7)
    restored = zashiki.replay(original.record(), seed=11, salt=SALT)
    while not original.over:
        (seat,) = original.to_act
        action = original.legal(seat)[-1]
        original.play(seat, action)
        restored.play(seat, action)
    assert restored.record() == original.record()


def test_the_wrong_seed_or_salt_is_refused() -> None:
    record = played(3).record()
    with pytest.raises(zashiki.Malformed, match="expected those of the commitment"):
        zashiki.replay(record, seed=12, salt=SALT)
    with pytest.raises(zashiki.Malformed, match="expected those of the commitment"):
        zashiki.replay(record, seed=11, salt=bytes(32))
    with pytest.raises(zashiki.Malformed, match="salt: expected 32 bytes"):
        zashiki.replay(record, seed=11, salt=b"short")


def test_another_version_of_the_rules_is_replayed_but_does_not_go_on() -> None:
    old = forged({"rules_version": 99}, 0)
    match = zashiki.replay(old)
    assert match.truth() == played(5).truth()
    (seat,) = match.to_act
    with pytest.raises(
        zashiki.Malformed, match="found version 99: it can be replayed, but not continued"
    ):
        match.play(seat, match.legal(seat)[0])
