"""Matches over real sockets by people who are cut off, and who send twice, late, early and at once.

The expected result is that of a plain match with the same actions.
"""

import asyncio
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.server.guests import Guest, Talk
from tests.server.server_process import ServerProcess, server_process
from tests.server.simulated_players import (
    UNLIMITED,
    SimulatedPlayer,
    check_match,
    close_clients,
    seated,
)
from tests.server.waits import TIMEOUT
from zashiki.games import catalogue
from zashiki.laws import Form, forms

GAMES = [("kamiza-second", 3), ("kamiza-2014", 3), ("kingdoms", 2), ("red-town", 3)]
FORMS = [form for spec in catalogue().values() for form in forms(spec)]
SEEDS = 3
"""Matches per form with --long."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with server_process(Path(tmp_path_factory.mktemp("server")), *UNLIMITED) as made:
        yield made


async def play_through(
    server: ServerProcess, game: str, seats: int, seed: int, options: dict[str, Any] | None = None
) -> None:
    """Play a match by people with two tabs each; check what each is told afterwards."""
    table, guests = await seated(server, game, seats, options)
    people = [
        SimulatedPlayer(guest, table, seat, seed, tabs=2) for seat, guest in enumerate(guests)
    ]
    try:
        async with asyncio.timeout(5 * TIMEOUT):
            await asyncio.gather(*(person.play() for person in people))
        await check_match(people, table)
        for person in people:
            await check_late(person.guest, table, person.tabs[0].facts)
    finally:
        await close_clients(people)


async def check_late(guest: Guest, table: str, facts: list[dict[str, Any]]) -> None:
    """Whatever number of facts a client claims, it is sent the rest."""
    most = len(facts)
    for have in (-(2**70), -1, 0, most // 2, most - 1, most, most + 1, 2**70):
        async with guest.socket(table, have) as talk:
            told = await talk.until("told")
        known = min(max(have, 0), most)
        assert told["first"] == known + 1
        assert told["facts"] == facts[known:]


@pytest.mark.parametrize(("game", "seats"), GAMES)
async def test_a_match_over_sockets_is_a_match(
    server: ServerProcess, game: str, seats: int
) -> None:
    short = {"form": "short"} if game == "red-town" else None
    await play_through(server, game, seats, 1, short)


@pytest.mark.long
@pytest.mark.parametrize("form", FORMS, ids=str)
async def test_matches_of_every_form(tmp_path: Path, form: Form) -> None:
    with server_process(tmp_path, *UNLIMITED) as own:
        game, seats, options = form.spec.id, form.seats, dict(form.options)
        matches = (play_through(own, game, seats, seed, options) for seed in range(SEEDS))
        await asyncio.gather(*matches)


async def test_two_tabs_are_one_person(server: ServerProcess) -> None:
    """Either tab plays; the same key from the other tab gets the same answer, and is played once.
    With another action it is refused."""
    table, guests = await seated(server, "kingdoms", 2)
    aki, ben = guests
    async with aki.socket(table) as one, aki.socket(table) as two, ben.socket(table) as other:
        await aki.post(f"/api/tables/{table}/start")
        assert (await one.answered("r", do="ready"))["ok"]
        assert (await two.answered("r", do="ready"))["ok"]
        assert (await other.answered("r", do="ready"))["ok"]
        told = await one.until("told")
        assert told == await two.until("told")
        play = {"do": "play", "decision": 1, "action": told["legal"][0]}
        await asyncio.gather(one.send(key="k", **play), two.send(key="k", **play))
        answers = [await one.until("answer"), await two.until("answer")]
        assert answers[0] == answers[1]
        assert answers[0]["ok"]
        told = await one.until("told")
        assert told == await two.until("told")
        assert told["decision"] == 2
        later = {"do": "play", "decision": 3, "action": told["legal"][0]}
        assert (await two.answered("l", **later))["fault"]["details"] == {"decision": 2}
        assert await two.answered("k", **play) == answers[0], "a key is what it was"
        for other_play in (later, {**play, "decision": 2}, {**later, "decision": 1}):
            assert (await two.answered("k", **other_play))["fault"]["code"] == "malformed"
    async with aki.socket(table, len(told["facts"])) as three:
        again = await three.until("told")
        assert again["decision"] == 2, "nothing was played twice"
    for guest in guests:
        await guest.client.aclose()


async def test_commands_in_any_order_are_each_answered(server: ServerProcess) -> None:
    """Commands sent without waiting are carried out in the order of arrival."""
    table, guests = await seated(server, "kingdoms", 2)
    async with guests[0].socket(table) as talk, guests[1].socket(table) as other:
        await guests[0].post(f"/api/tables/{table}/start")
        await talk.answered("r", do="ready")
        await other.answered("r", do="ready")
        action = (await talk.until("told"))["legal"][0]
        await talk.send(do="play", key="2", decision=2, action="done")
        await talk.send(do="why_not", key="why", action=action)
        await talk.send(do="play", key="1", decision=1, action=action)
        await talk.send(do="play", key="1", decision=1, action=action)
        await talk.send(do="say", key="say", text="…")
        await talk.send(do="play", key="0", decision=1, action=action)
        await talk.send(do="play", key="2", decision=2, action="done")
        answers = [await talk.until("answer") for _ in range(7)]
    assert [(answer["key"], answer["ok"]) for answer in answers] == [
        ("2", False), ("why", True), ("1", True), ("1", True), ("say", True), ("0", False),
        ("2", True),
    ]  # fmt: skip
    for guest in guests:
        await guest.client.aclose()


async def choose_at_once(server: ServerProcess, options: dict[str, Any]) -> int:
    """Let all answer at the same moment whenever all are asked, without waiting for each other's
    news; return how often that was."""
    table, guests = await seated(server, "red-town", 5, options)
    together = asyncio.Barrier(5)

    async def play(guest: Guest, seat: int) -> int:
        choice, answered, met = random.Random(seat), 0, 0
        async with guest.socket(table) as talk:
            await asyncio.wait_for(together.wait(), TIMEOUT)
            if seat == 0:
                await guest.post(f"/api/tables/{table}/start")
            await ready(talk)
            while not (told := await talk.until("told"))["over"]:
                number = told["decision"]
                if len(told["to_act"]) == 5:
                    await asyncio.wait_for(together.wait(), TIMEOUT)
                    met += 1
                if number is None or number == answered:
                    continue
                answered = number
                action = choice.choice(told["legal"])
                await talk.send(do="play", key=str(number), decision=number, action=action)
                answer = await talk.until("answer")
                assert answer["ok"], answer
        await guest.client.aclose()
        return met

    async with asyncio.timeout(5 * TIMEOUT):
        counts = await asyncio.gather(*(play(guest, seat) for seat, guest in enumerate(guests)))
    assert len(set(counts)) == 1
    return counts[0]


async def ready(talk: Talk) -> None:
    """Answer the deal as soon as the commitment is there."""
    while (await talk.until("changed"))["table"]["state"] != "starting":
        pass
    assert (await talk.answered("ready", do="ready"))["ok"]


async def test_five_who_choose_at_once_are_all_accepted_the_first_time(
    server: ServerProcess,
) -> None:
    assert await choose_at_once(server, {"form": "short"}) == 1


@pytest.mark.long
@pytest.mark.parametrize("hitmen", ["open", "hidden"])
async def test_five_choose_at_once_again_and_again(server: ServerProcess, hitmen: str) -> None:
    assert await choose_at_once(server, {"form": "standard", "hitmen": hitmen}) > 1


def test_a_server_that_is_told_to_stop_ends_well(tmp_path: Path) -> None:
    with server_process(tmp_path) as server:
        assert server.end() == 0
