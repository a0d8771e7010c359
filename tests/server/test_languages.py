"""News in words: in the client's language, and only about the client's facts."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

import zashiki
from tests.server.guests import Guest
from tests.server.in_process_server import InProcessServer, in_process_server
from tests.server.waits import TIMEOUT
from zashiki.core.facts import Fact
from zashiki.core.text import LANGUAGES
from zashiki.core.wording import Wording
from zashiki.games import game_spec

Told = dict[str, Any]
BEYOND_ASCII = "\u3000"
"""Japanese uses the characters from here on."""


async def dealt(
    server: InProcessServer, game: str, seats: int, **more: Any
) -> tuple[str, list[Guest]]:
    guests = [await Guest(server, f"Guest {seat}").come() for seat in range(seats)]
    wanted = {"game": game, "seats": seats, **more}
    table: str = (await guests[0].post("/api/tables", wanted))["table"]["id"]
    for seat, guest in enumerate(guests[1:], 1):
        await guest.post(f"/api/tables/{table}/sit", {"seat": seat})
    await guests[0].post(f"/api/tables/{table}/start")
    for guest in guests:
        async with guest.socket(table) as talk:
            assert (await talk.answered("r", do="ready"))["ok"]
    return table, guests


async def shut(guests: list[Guest]) -> None:
    for guest in guests:
        await guest.client.aclose()


def in_words(game: str, told: Told, reader: int | None, names: list[str], language: str) -> Told:
    """Return the words of a frame, by the game's own texts."""
    match = zashiki.start(game, seats=len(names))
    wording = Wording(game_spec(game), language, names, match.header.options)
    own: Any = "all" if reader is None else reader
    facts = [
        Fact(own if fact["own"] else "all", fact["fact"], fact["with"]) for fact in told["facts"]
    ]
    return {
        "said": [wording.fact(fact, match.vocabulary) for fact in facts],
        "labels": [wording.action(match.game.by_text[action]) for action in told["legal"]],
        "asked": wording.phase(told["view"]),
    }


@pytest.mark.parametrize(
    ("game", "seats"), [("kamiza-second", 3), ("kingdoms", 2), ("red-town", 2)]
)
async def test_everybody_is_told_in_their_own_language(
    tmp_path: Path, game: str, seats: int
) -> None:
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        table, guests = await dealt(server, game, seats)
        names = [guest.name for guest in guests]
        for language in LANGUAGES:
            async with guests[0].socket(table, language=language) as talk:
                told = await talk.until("told")
            assert told["words"] == in_words(game, told, 0, names, language)
            said = "".join([*told["words"]["said"], *told["words"]["labels"]])
            assert (max(said) > BEYOND_ASCII) is (language == "ja")
            assert told["words"]["asked"]
        async with guests[0].socket(table) as talk:
            assert "words" not in await talk.until("told"), "who asks for none gets none"
        await shut(guests)


async def test_a_move_is_told_to_each_in_their_words(tmp_path: Path) -> None:
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        table, guests = await dealt(server, "kingdoms", 2)
        names = [guest.name for guest in guests]
        watcher = await Guest(server, "Watcher").come()
        async with (
            guests[0].socket(table, language="ja") as mine,
            guests[1].socket(table, views=False, language="en") as theirs,
            watcher.socket(table, language="ja") as seen,
        ):
            first = [await talk.until("told") for talk in (mine, theirs, seen)]
            own = {"decision": 1, "action": first[0]["legal"][0]}
            assert (await mine.answered("k", do="play", **own))["ok"]
            for reader, talk, language in ((0, mine, "ja"), (1, theirs, "en"), (None, seen, "ja")):
                told = await talk.until("told")
                assert told["facts"]
                assert ("view" in told) is (talk is not theirs), "words need no view"
                whole = {**told, "view": told.get("view", {"phase": "draft"})}
                expected = in_words("kingdoms", whole, reader, names, language)
                assert told["words"]["said"] == expected["said"]
                assert told["words"]["labels"] == expected["labels"]
                assert len(told["words"]["labels"]) == len(told["legal"])
        await shut([*guests, watcher])


async def test_who_watches_late_gets_the_words_of_then(tmp_path: Path) -> None:
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        table, guests = await dealt(server, "kingdoms", 2, watch="delayed", delay=2)
        names = [guest.name for guest in guests]
        watcher = await Guest(server, "Watcher").come()
        async with (
            guests[0].socket(table) as mine,
            watcher.socket(table, language="en") as seen,
        ):
            before = await seen.until("told")
            assert before["words"] == in_words("kingdoms", before, None, names, "en")
            for number, action in ((1, "draft:0"), (2, "done")):
                play = {"decision": number, "action": action}
                assert (await mine.answered(action, do="play", **play))["ok"]
            assert (await mine.answered("said", do="say", text="Well?"))["ok"]
            await seen.until("chatted")
            assert not [frame for frame in seen.kept if frame["is"] == "told"], "nothing yet"
        async with guests[1].socket(table) as mine, watcher.socket(table, language="ja") as seen:
            await seen.until("told")
            play = {"decision": 1, "action": "draft:0"}
            assert (await mine.answered("k", do="play", **play))["ok"]
            late = await seen.until("told")
            assert [fact["fact"] for fact in late["facts"]] == ["drafted"]
            assert late["words"] == in_words("kingdoms", late, None, names, "ja")
        await shut([*guests, watcher])


async def test_refusals_are_in_the_language_too(tmp_path: Path) -> None:
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        table, guests = await dealt(server, "kingdoms", 2)
        refusal = zashiki.start("kingdoms", seats=2).why_not(0, "draft:N1")
        assert refusal is not None
        for language in (None, *LANGUAGES):
            text = Wording(game_spec("kingdoms"), language or "en").refusal(refusal)
            async with guests[0].socket(table, language=language) as talk:
                why = await talk.answered("w", do="why_not", action="draft:N1")
                assert why["fault"]["text"] == f"RB 2.2: {text}"
                play = {"decision": 1, "action": "draft:N1"}
                refused = await talk.answered("p", do="play", **play)
                assert not refused["ok"]
                assert refused["fault"] == why["fault"]
                assert (max(text) > BEYOND_ASCII) is (language == "ja")
        async with guests[0].socket(table, language="tlh") as talk:
            assert (await talk.until("answer"))["fault"]["code"] == "malformed"
        await shut(guests)


async def test_how_it_ended_is_told_to_everybody(tmp_path: Path) -> None:
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        table, guests = await dealt(server, "kamiza-second", 3, watch="delayed", delay=3)
        watcher = await Guest(server, "Watcher").come()

        async def play(guest: Guest) -> Told:
            async with guest.socket(table, language="ja") as talk:
                while not (told := await talk.until("told"))["over"]:
                    assert told["outcome"] is None
                    if (number := told["decision"]) is not None:
                        own = {"decision": number, "action": told["legal"][0]}
                        await talk.send(do="play", key=str(number), **own)
                return told

        last = await asyncio.gather(*(play(guest) for guest in (*guests, watcher)))
        match = zashiki.replay((await watcher.client.get(f"/api/tables/{table}/record")).text)
        assert match.outcome is not None
        ranks, scores = list(match.outcome.ranks), list(match.outcome.scores)
        assert [told["outcome"] for told in last] == [{"ranks": ranks, "scores": scores}] * 4
        assert all(len(told["words"]["said"]) == len(told["facts"]) for told in last)
        async with watcher.socket(table) as talk:
            assert (await talk.until("told"))["outcome"]["ranks"] == ranks, "also who comes later"
        await shut([*guests, watcher])
