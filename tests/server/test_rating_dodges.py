"""Ways to win a rating without playing well, or to keep one after playing badly: none works.

See decision 0034. Each test plays real matches in the real application.
"""

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tests.server.asgi_server import ApiClient, AsgiServer, asgi_server, seated
from zashiki.games import game_spec
from zashiki.server.protocol import frames
from zashiki.server.tables import commands as on
from zashiki.server.tables.connection import Connection
from zashiki.server.tables.handler import handle
from zashiki.server.tables.live import LiveTable
from zashiki.server.tables.model import bot_id
from zashiki.server.tables.sweep import close_old, run_due_timers

GAME, ACTIONS = "kamiza-second", 27
"""A game, and its number of actions with three seats."""
GRACE, MINUTE, HOUR, DAY = 31.0, 60.0, 3600.0, 86400.0
PAIR_LIMIT = 5
NEWCOMER = 25.0
"""The mean of a player before the first rated match."""
OPEN, BOT = {"kind": "open"}, {"kind": "bot", "bot": "random"}
Lines = dict[int, Connection]


# Playing -----------------------------------------------------------------------------------------


async def arrive(table: LiveTable, *seats: int) -> Lines:
    """Connect the people on these seats."""
    lines = {seat: Connection(str(table.doc.chairs[seat].player), None) for seat in seats}
    for line in lines.values():
        await handle(table, on.Arrive(line, frames.Hello()))
    return lines


async def decide(table: LiveTable, seat: int, choice: random.Random) -> None:
    """Take a decision, by the seat's stand-in or by its person."""
    live = table.live
    assert live is not None
    bot = table.bot_seats().get(seat)
    decision = live.decision(seat)
    assert decision is not None
    player = str(table.doc.chairs[seat].player) if bot is None else bot_id(bot)
    frame = frames.Play(f"{seat} {decision}", decision, choice.choice(live.match.legal(seat)))
    await handle(table, on.Play(player, seat, frame))


async def run(
    table: LiveTable, idle: Sequence[int] = (), until: Callable[[LiveTable], bool] | None = None
) -> None:
    """Play to the end, or until a condition holds. People on idle seats decide nothing."""
    choice, live = random.Random(7), table.live
    assert live is not None
    while not live.match.over and not (until and until(table)):
        able = [
            seat for seat in sorted(live.match.to_act) if seat not in idle or is_bots(table, seat)
        ]
        if not able:
            return
        await decide(table, choice.choice(able), choice)


def is_bots(table: LiveTable, seat: int) -> bool:
    return seat in table.bot_seats()


def waits_for(seat: int) -> Callable[[LiveTable], bool]:
    return lambda table: table.live is not None and seat in table.live.match.to_act


async def dealt(server: AsgiServer, people: list[ApiClient], **wanted: Any) -> LiveTable:
    game = wanted.pop("game", GAME)
    return await server.services.registry.find(await seated(server, game, people, **wanted))


async def against_bots(server: AsgiServer, person: ApiClient, **wanted: Any) -> LiveTable:
    request = {"game": GAME, "seats": 3, "chairs": [OPEN, BOT, BOT], **wanted}
    id = (await person.post("/api/tables", request, 201))["table"]["id"]
    await person.post(f"/api/tables/{id}/start")
    table = await server.services.registry.find(id)
    await handle(table, on.Ready(0))
    return table


async def played(person: ApiClient, table: LiveTable) -> dict[str, Any]:
    """Return the public data of a finished match."""
    found: dict[str, Any] = (await person.get(f"/api/matches/{table.row.match}"))["match"]
    return found


async def mean(person: ApiClient) -> float:
    (rating,) = (await person.get(f"/api/players/{person.id}"))["ratings"]
    return float(rating["mean"])


async def people_at(server: AsgiServer, *names: str) -> list[ApiClient]:
    """Return guests with separate addresses."""
    return [await server.guest(name) for name in names]


async def tick(server: AsgiServer, seconds: float) -> None:
    """Let time pass, and run the due timers."""
    server.system.at += seconds
    await run_due_timers(server.services.registry)


# (a) Content, bots -------------------------------------------------------------------------------


async def test_a_card_set_of_ones_own_is_not_rated(server: AsgiServer) -> None:
    content = game_spec("kingdoms").check_options({}, 2)["card_set"]
    assert isinstance(content, dict)
    mine = {**content, "name": "mine"}
    aki, ben = await people_at(server, "Aki", "Ben")
    table = await dealt(server, [aki, ben], game="kingdoms", options={"card_set": mine})
    await arrive(table, 0, 1)
    await run(table)
    match = await played(aki, table)
    assert not match["rated"]
    assert match["unrated"] == "content"
    assert (await aki.get(f"/api/players/{aki.id}"))["ratings"] == []


async def test_a_guest_who_farms_bots_moves_none_of_them_and_leads_no_list(
    server: AsgiServer,
) -> None:
    aki = await server.guest("Aki")
    chairs = [OPEN, BOT, {"kind": "bot", "bot": "greedy"}]
    before = await aki.get("/api/players/bot:random")
    for _ in range(12):
        table = await against_bots(server, aki, chairs=chairs)
        await arrive(table, 0)
        await run(table)
        assert (await played(aki, table))["rated"]
        server.system.at += DAY
    assert await aki.get("/api/players/bot:random") == before
    for rivals in ("people", "bots"):
        board = await aki.get(f"/api/leaderboard?game={GAME}&seats=3&rivals={rivals}")
        assert aki.id not in {place["player"]["id"] for place in board}


async def test_an_account_is_listed_when_it_is_a_week_old_and_has_ten_matches(
    server: AsgiServer,
) -> None:
    aki = await server.account("aki")
    path = f"/api/leaderboard?game={GAME}&seats=3&rivals=bots"

    async def is_listed() -> bool:
        return aki.id in {place["player"]["id"] for place in await aki.get(path)}

    for number in range(10):
        assert not await is_listed(), number
        table = await against_bots(server, aki)
        await arrive(table, 0)
        await run(table)
    assert not await is_listed(), "it is young"
    server.system.at += 7 * DAY
    assert await is_listed()


# (b) Losing without losing -----------------------------------------------------------------------


async def test_who_lets_the_clock_run_out_counts_as_last(server: AsgiServer) -> None:
    people = await people_at(server, "Aki", "Ben", "Chie")
    table = await dealt(server, people, pace={"kind": "clock", "seconds": 5})
    await arrive(table, 0, 1, 2)
    while table.is_playing():
        await run(table, idle=[1])
        await tick(server, 6)
    match = await played(people[0], table)
    assert match["rated"], "the others have played a whole match"
    assert match["rated_ranks"][1] == 3
    means = [await mean(person) for person in people]
    assert min(means) == means[1]


async def test_one_late_decision_is_forgiven(server: AsgiServer) -> None:
    people = await people_at(server, "Aki", "Ben", "Chie")
    table = await dealt(server, people, pace={"kind": "clock", "seconds": 5})
    await arrive(table, 0, 1, 2)
    await run(table, idle=[1])
    await tick(server, 6)
    assert table.presence is not None
    assert table.presence.late == {1}
    await run(table)
    match = await played(people[0], table)
    assert match["rated"]
    assert match["rated_ranks"] == match["ranks"]


async def test_who_goes_away_counts_as_last_unless_back_within_two_decisions(
    server: AsgiServer,
) -> None:
    for is_back in (False, True):
        people = await people_at(server, "Aki", "Ben", "Chie")
        table = await dealt(server, people)
        lines = await arrive(table, 0, 1, 2)
        await run(table, until=waits_for(1))
        table.leave(lines[1])
        await tick(server, GRACE)
        await run(table, until=lambda table: table.stand_in_moves.get(1, 0) == 2)
        if is_back:
            await arrive(table, 1)
        await run(table)
        match = await played(people[0], table)
        assert match["rated"]
        assert match["rated_ranks"] == (match["ranks"] if is_back else last(match["ranks"], 1))


def last(ranks: list[int], seat: int) -> list[int]:
    """Return the ranks if one seat is last and the others are ranked among themselves."""
    others = [rank for other, rank in enumerate(ranks) if other != seat]
    return [
        len(ranks) if other == seat else 1 + sum(one < rank for one in others)
        for other, rank in enumerate(ranks)
    ]


async def test_a_match_left_to_bots_is_lost_after_a_day(tmp_path: Path) -> None:
    """By the time of the last move, which a restart does not change."""
    async with asgi_server(tmp_path) as server:
        aki = await server.guest("Aki")
        cookies = dict(aki.client.cookies)
        table = await against_bots(server, aki)
        lines = await arrive(table, 0)
        await run(table, until=waits_for(0))
        table.leave(lines[0])
        id, began = table.row.id, server.system.at
    async with asgi_server(tmp_path, began + HOUR) as server:
        registry = server.services.registry
        aki.client = server.api_client().client
        aki.client.cookies.update(cookies)
        await tick(server, DAY - HOUR - 1)
        assert not (await registry.find(id)).doc.resigned
        registry.drop_idle()
        await tick(server, 2)
        table = await registry.find(id)
        assert table.doc.resigned == (0,)
        await run(table)
        match = await played(aki, table)
        assert match["rated"]
        assert match["rated_ranks"][0] == 3
        (rating,) = (await aki.get(f"/api/players/{aki.id}"))["ratings"]
        assert (rating["rivals"], rating["matches"]) == ("bots", 1)
        assert rating["mean"] < 25


async def test_after_a_long_outage_people_have_an_hour_to_come_back(tmp_path: Path) -> None:
    async with asgi_server(tmp_path) as server:
        aki = await server.guest("Aki")
        table = await against_bots(server, aki)
        id, began = table.row.id, server.system.at
    async with asgi_server(tmp_path, began + 3 * DAY) as server:
        registry = server.services.registry
        await tick(server, HOUR - 1)
        assert not (await registry.find(id)).doc.resigned
        registry.drop_idle()
        await tick(server, 2)
        assert (await registry.find(id)).doc.resigned == (0,)


async def test_staying_idle_at_relaxed_pace_can_be_claimed(server: AsgiServer) -> None:
    people = await people_at(server, "Aki", "Ben", "Chie")
    table = await dealt(server, people)
    await arrive(table, 0, 1, 2)
    await run(table, idle=[1])
    began = server.system.at
    path = f"/api/tables/{table.row.id}"
    await tick(server, MINUTE - 1)
    assert (await people[0].get(path))["seats"][1]["claim"] is None, "everybody may think"
    await tick(server, 2)
    seat = (await people[0].get(path))["seats"][1]
    assert (seat["since"], seat["claim"]) == (began, began + 5 * MINUTE)
    assert await people[0].refused(f"{path}/claim", None, 409) == "not-idle"
    await tick(server, 4 * MINUTE)
    assert await people[1].refused(f"{path}/claim", None, 409) == "your-turn"
    stranger = await server.guest("Dan")
    assert await stranger.refused(f"{path}/claim", None, 409) == "not-seated"
    seat = (await people[0].post(f"{path}/claim"))["seats"][1]
    assert (seat["stand_in"], seat["claim"]) == (table.doc.level, None)
    await run(table)
    match = await played(people[0], table)
    assert match["rated"]
    assert match["rated_ranks"][1] == 3


async def test_who_takes_a_claimed_seat_back_in_time_has_lost_nothing(server: AsgiServer) -> None:
    people = await people_at(server, "Aki", "Ben", "Chie")
    table = await dealt(server, people)
    await arrive(table, 0, 1, 2)
    await run(table, idle=[1])
    await tick(server, 6 * MINUTE)
    path = f"/api/tables/{table.row.id}"
    await people[0].post(f"{path}/claim")
    await run(table, until=lambda table: table.stand_in_moves.get(1, 0) == 1)
    server.services.registry.tables.clear()  # another server, or this one after a restart
    server.services.registry.matches.clear()
    table = await server.services.registry.find(table.row.id)
    await arrive(table, 0, 2)
    assert table.doc.claimed == (1,)
    assert (await people[1].post(f"{path}/take-back"))["seats"][1]["stand_in"] is None
    await arrive(table, 1)
    await run(table)
    match = await played(people[0], table)
    assert match["rated_ranks"] == match["ranks"]


# (c) Two accounts of one person ------------------------------------------------------------------


async def test_resigning_after_the_last_card_changes_no_rank(server: AsgiServer) -> None:
    people = await people_at(server, "Aki", "Ben", "Chie")
    table = await dealt(server, people)
    await arrive(table, 0, 1, 2)
    live, choice = table.live, random.Random(3)
    assert live is not None
    while live.done < ACTIONS - 1:
        await decide(table, min(live.match.to_act), choice)
    waiting = min(live.match.to_act)
    done = [seat for seat in range(3) if seat != waiting]
    for seat in done:
        await handle(table, on.Resign(seat))
    await decide(table, waiting, choice)
    assert live.match.over
    match = await played(people[0], table)
    assert match["rated"]
    means = [await mean(person) for person in people]
    order = sorted(range(3), key=lambda seat: match["ranks"][seat])
    assert means[order[0]] >= means[order[1]] >= means[order[2]]
    assert match["rated_ranks"] == match["ranks"]


async def test_who_resigns_before_counts_as_last_in_order(server: AsgiServer) -> None:
    people = await people_at(server, "Aki", "Ben", "Chie")
    table = await dealt(server, people)
    await arrive(table, 0, 1, 2)
    await handle(table, on.Resign(2))
    await run(table, until=lambda table: table.live is not None and table.live.done >= 6)
    await handle(table, on.Resign(0))
    await run(table)
    match = await played(people[0], table)
    assert match["rated_ranks"] == [2, 1, 3]


async def test_two_guests_of_one_person_are_not_rated_and_not_listed(server: AsgiServer) -> None:
    aki, too = await server.guest("Aki", "192.0.2.77"), await server.guest("Too", "192.0.2.77")
    options = {"form": "two"}
    table = await dealt(server, [aki, too], game="red-town", options=options)
    line = Connection(aki.id, None)
    await handle(table, on.Arrive(line, frames.Hello()))
    await arrive(table, 1)
    await run(table)
    match = await played(aki, table)
    assert not match["rated"]
    assert match["unrated"] == "address"
    stranger = server.api_client()
    assert (await played(stranger, table))["unrated"] is None, "that is nobody else's business"
    (listed,) = (await stranger.get(f"/api/players/{aki.id}/matches"))["matches"]
    assert (listed["rated"], listed["unrated"]) == (False, None)
    away = await server.guest("Two")
    table = await dealt(server, [aki, away], game="red-town", options=options)
    await arrive(table, 0, 1)
    await handle(table, on.Resign(1))
    await run(table)
    assert (await played(aki, table))["rated"]
    assert await aki.get("/api/leaderboard?game=red-town&seats=2") == []


async def test_accounts_at_one_address_are_not_rated_however_late_it_shows(
    server: AsgiServer,
) -> None:
    aki, ben = await server.account("aki"), await server.account("ben")
    for service, is_late in ((server.services, False), (server.services, True)):
        table = await dealt(server, [aki, ben], game="red-town", options={"form": "two"})
        if is_late:
            for person in (aki, ben):
                await service.note_address(table.row.id, person.id, "198.51.100.1")
        await arrive(table, 0, 1)
        await run(table)
        match = await played(aki, table)
        assert match["rated"] != is_late
        assert match["unrated"] == ("address" if is_late else None)


async def test_two_of_one_person_do_not_undo_a_match_that_they_lose(server: AsgiServer) -> None:
    """By coming from one address once they see that they lose."""
    people = await people_at(server, "Aki", "Too", "Ben")
    table = await dealt(server, people)
    await arrive(table, 0, 1, 2)
    await handle(table, on.Resign(0))
    await handle(table, on.Resign(1))
    await run(table, until=lambda table: table.live is not None and table.live.done >= ACTIONS - 3)
    for person in people[:2]:
        await server.services.note_address(table.row.id, person.id, "198.51.100.1")
    await run(table)
    match = await played(people[2], table)
    assert (match["rated"], match["unrated"]) == (True, None)
    assert match["rated_ranks"] == [2, 2, 1]
    aki, too, ben = [await mean(person) for person in people]
    assert aki < NEWCOMER < ben
    assert too <= NEWCOMER, "who shares an address gains nothing"


async def test_a_pair_is_rated_five_times_a_day(server: AsgiServer) -> None:
    aki, ben = await people_at(server, "Aki", "Ben")
    rated, known = [], []
    for _ in range(PAIR_LIMIT + 2):
        table = await dealt(server, [aki, ben], game="red-town", options={"form": "two"})
        await arrive(table, 0, 1)
        (told,) = [one for one in await aki.get("/api/my-tables") if one["id"] == table.row.id]
        await run(table)
        match = await played(aki, table)
        rated.append(match["rated"])
        known.append((told.get("unrated"), match.get("unrated")))
        server.system.at += MINUTE
    assert rated == [True] * PAIR_LIMIT + [False] * 2
    assert known == [(None, None)] * PAIR_LIMIT + [("pair", "pair")] * 2, "from the start on"
    server.system.at += DAY
    table = await dealt(server, [aki, ben], game="red-town", options={"form": "two"})
    await arrive(table, 0, 1)
    await run(table)
    assert (await played(aki, table))["rated"]


# Addresses ---------------------------------------------------------------------------------------


async def test_an_address_is_kept_as_a_keyed_hash_until_the_match_ends(server: AsgiServer) -> None:
    aki, ben = await server.guest("Aki", "192.0.2.8"), await server.guest("Ben", "192.0.2.9")
    tables = [
        await dealt(server, [aki, ben], game="red-town", options={"form": "two"}) for _ in range(2)
    ]
    store = server.services.store
    rows = [await store.addresses(table.row.id) for table in tables]
    assert [len(found) for found in rows] == [2, 2]
    assert len({row.hash for found in rows for row in found}) == 4, "no table tells of another"
    assert not any("192.0.2" in row.hash for found in rows for row in found)
    await arrive(tables[0], 0, 1)
    await run(tables[0])
    await close_old(server.services.registry)
    assert await store.addresses(tables[0].row.id) == []
    assert await store.addresses(tables[1].row.id) == rows[1]
