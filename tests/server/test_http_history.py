"""After a match everything is open; before its end a seat gets its own facts only."""

import json
from typing import Any

import pytest

import zashiki
from tests.server.asgi_server import AsgiServer, play, seated
from zashiki.bots import LEVELS
from zashiki.bots.names import house_names
from zashiki.core.verify import verify
from zashiki.games import catalogue
from zashiki.server.errors import ApiError
from zashiki.server.http import history
from zashiki.server.http.history import MAX_SIGHTS
from zashiki.server.ops.verification import VerificationPool
from zashiki.server.protocol import frames
from zashiki.server.store.rows import RatingPool, RatingRow
from zashiki.server.tables import commands as on
from zashiki.server.tables import recovery
from zashiki.server.tables.handler import handle
from zashiki.server.tables.model import bot_id
from zashiki.server.tables.ratings import YOUNG_SECONDS, fullest_pool

GAME = "kamiza-second"


async def test_a_finished_match_can_be_seen_by_anybody_at_every_step(server: AsgiServer) -> None:
    people = [await server.guest(name) for name in ("Aki", "Ben", "Chie")]
    id = await play(server, await seated(server, GAME, people))
    stranger = server.api_client()
    record = (await stranger.client.get(f"/api/matches/{id}/record")).text
    match = zashiki.replay(record)
    assert match.over
    told = await stranger.get(f"/api/matches/{id}")
    assert told["header"]["names"] == ["Aki", "Ben", "Chie"]
    assert told["steps"] == len(match.journal.actions)
    assert told["sight"] is None
    assert match.outcome is not None
    assert told["match"]["ranks"] == list(match.outcome.ranks)
    assert [one["player"]["id"] for one in told["match"]["players"]] == [one.id for one in people]
    last = (await stranger.get(f"/api/matches/{id}?seat=1"))["sight"]
    assert last["view"] == json.loads(json.dumps(match.view(1)))
    assert last["step"] == told["steps"]
    middle = told["steps"] // 2
    until = sum(1 for fact in match.facts() if fact.act <= middle)
    then = zashiki.replay(record, until=until)
    for seat in (2, "all"):
        for _ in range(2):  # the first one goes back, the second one stays
            path = f"/api/matches/{id}?seat={seat}&step={middle}"
            sight = (await stranger.get(path))["sight"]
            view = then.view(seat if isinstance(seat, int) else None)
            assert sight["view"] == json.loads(json.dumps(view))
            assert [sight["seat"], sight["action"]] == list(match.journal.actions[middle - 1])
    start = (await stranger.get(f"/api/matches/{id}?step=0"))["sight"]
    assert (start["reader"], start["seat"], start["action"]) == ("all", None, None)
    for bad in ("seat=3", f"step={told['steps'] + 1}"):
        path = f"/api/matches/{id}?{bad}"
        assert await stranger.refused(path, None, 422, "GET") == "malformed"
    for bad in ("seat=me", "step=-1", "seat=%D9%A3"):
        path = f"/api/matches/{id}?{bad}"
        assert (await stranger.client.get(path)).status_code == 400


async def test_what_a_seat_saw_can_be_read_many_steps_at_once(server: AsgiServer) -> None:
    people = [await server.guest(name) for name in ("Aki", "Ben", "Chie")]
    id = await play(server, await seated(server, "red-town", people))  # it is never short
    stranger, path = server.api_client(), f"/api/matches/{id}"
    steps = (await stranger.get(path))["steps"]
    assert steps > MAX_SIGHTS
    seen: list[dict[str, Any]] = []
    while len(seen) <= steps:
        part = await stranger.get(f"{path}/sights?seat=1&first={len(seen)}")
        assert len(part) == min(MAX_SIGHTS, steps + 1 - len(seen))
        seen += part
    assert [sight["step"] for sight in seen] == list(range(steps + 1))
    for step in (0, 1, steps // 2, steps):
        assert seen[step] == (await stranger.get(f"{path}?seat=1&step={step}"))["sight"]
    match = zashiki.replay((await stranger.client.get(f"{path}/record")).text)
    told = [(fact["fact"], fact["with"]) for sight in seen for fact in sight["facts"]]
    assert told == [(fact.name, dict(fact.arguments)) for fact in match.facts(1)]
    assert all(len(sight["said"]) == len(sight["facts"]) for sight in seen)
    assert [[sight["seat"], sight["action"]] for sight in seen[1:]] == [
        list(action) for action in match.journal.actions
    ]
    for seat in (0, "all"):
        others = await stranger.get(f"{path}/sights?seat={seat}&first={steps}")
        assert [sight["reader"] for sight in others] == [seat]
        assert others[0]["view"] != seen[-1]["view"]


async def test_sights_have_bounds_and_words(server: AsgiServer) -> None:
    people = [await server.guest(name) for name in ("Aki", "Ben", "Chie")]
    table = await seated(server, GAME, people)
    id = await play(server, table, 6)
    path = f"/api/matches/{id}/sights"
    for api_client in (*people, server.api_client()):
        for seat in ("0", "1", "all"):
            asked = f"{path}?seat={seat}"
            assert await api_client.refused(asked, None, 409, "GET") == "not-over"
    await play(server, table)
    stranger = server.api_client()
    steps = (await stranger.get(f"/api/matches/{id}"))["steps"]
    for bad in ("seat=3", f"seat=0&first={steps + 1}"):
        assert await stranger.refused(f"{path}?{bad}", None, 422, "GET") == "malformed"
    for bad in ("", "seat=me", "seat=-1", "seat=0&first=-1", "seat=0&language=tlh"):
        assert (await stranger.client.get(f"{path}?{bad}")).status_code == 400, bad
    none = "/api/matches/none/sights?seat=0"
    assert await stranger.refused(none, None, 404, "GET") == "no-match"
    english = await stranger.get(f"{path}?seat=0")
    japanese = await stranger.get(f"{path}?seat=0&language=ja")
    assert [sight.pop("said") for sight in english] != [sight.pop("said") for sight in japanese]
    assert english == japanese, "only the words differ"


async def test_before_the_end_a_seat_has_what_it_was_told(server: AsgiServer) -> None:
    people = [await server.guest(name) for name in ("Aki", "Ben", "Chie")]
    id = await play(server, await seated(server, GAME, people), 4)
    readers = [*people, server.api_client()]
    texts = [(await one.client.get(f"/api/matches/{id}/record")).text for one in readers]
    heads = [json.loads(text.splitlines()[0])["reader"] for text in texts]
    assert heads == [0, 1, 2, "all"]
    told = await people[0].get(f"/api/matches/{id}")
    assert told["steps"] is told["sight"] is None
    assert "seed" not in json.dumps(told)
    for query in ("seat=0", "seat=1", "step=1"):
        path = f"/api/matches/{id}?{query}"
        assert await people[0].refused(path, None, 409, "GET") == "not-over"
    listed = await people[0].get(f"/api/players/{people[0].id}/matches")
    assert listed == {"matches": [], "before": None}
    assert await people[0].refused("/api/matches/none", None, 404, "GET") == "no-match"


async def test_a_table_that_is_not_watched_shows_no_record_early(server: AsgiServer) -> None:
    people = [await server.guest(name) for name in ("Aki", "Ben", "Chie")]
    id = await play(server, await seated(server, GAME, people, watch="off"), 4)
    path = f"/api/matches/{id}/record"
    assert await server.api_client().refused(path, None, 403, "GET") == "not-watched"


async def test_history_ratings_and_leaderboard(server: AsgiServer) -> None:
    people = [await server.guest(name) for name in ("Aki", "Ben", "Chie")]
    ids = []
    for _ in range(2):
        ids.append(await play(server, await seated(server, GAME, people)))
        server.system.at += 60
    aki = people[0]
    listed = await server.api_client().get(f"/api/players/{aki.id}/matches")
    assert [match["id"] for match in listed["matches"]] == ids[::-1]
    newest = listed["matches"][0]
    assert newest["rated"]
    older = await aki.get(f"/api/players/{aki.id}/matches?before={newest['started']}")
    assert [match["id"] for match in older["matches"]] == ids[:1]
    profile = await aki.get(f"/api/players/{aki.id}")
    assert profile["player"] == {"id": aki.id, "name": "Aki", "kind": "guest"}
    (rating,) = profile["ratings"]
    assert (rating["game"], rating["form"], rating["seats"]) == (GAME, "", 3)
    assert (rating["rivals"], rating["matches"]) == ("people", 2)
    assert await aki.get(f"/api/leaderboard?game={GAME}&seats=3") == [], "guests are not listed"
    for query in (
        "game=chess&seats=2",
        f"game={GAME}&seats=9",
        "game=red-town&seats=4&form=two",
        f"game={GAME}&seats=3&form=short",
    ):
        path = f"/api/leaderboard?{query}"
        assert await aki.refused(path, None, 422, "GET") == "malformed"
    assert await aki.refused("/api/players/none", None, 404, "GET") == "no-player"


async def test_without_accounts_the_leaderboard_of_bots_is_the_fullest(server: AsgiServer) -> None:
    """Bots are listed there; guests who have played are not listed anywhere."""
    people = [await server.guest(name) for name in ("Aki", "Ben", "Chie")]
    await play(server, await seated(server, GAME, people))
    server.system.at += YOUNG_SECONDS
    fullest = await people[0].get("/api/leaderboard/fullest")
    assert fullest["rivals"] == "bots"
    query = "&".join(f"{name}={value}" for name, value in fullest.items())
    listed = await people[0].get(f"/api/leaderboard?{query}")
    assert {place["player"]["kind"] for place in listed} == {"bot"}


def test_the_fullest_leaderboard_is_one_among_people() -> None:
    bots, few = RatingPool(GAME, "", 4, "bots"), RatingPool(GAME, "", 3, "people")
    many, gone = (
        RatingPool("kingdoms", "balanced", 2, "people"),
        RatingPool("chess", "", 2, "people"),
    )
    listed = [
        RatingRow(str(number), *pool, 25.0, 1.0, 10, 0.0)
        for pool, count in ((bots, 5), (few, 1), (many, 2), (gone, 9))
        for number in range(count)
    ]
    assert fullest_pool(listed) == many
    assert fullest_pool([row for row in listed if row.rivals == "bots"]) == bots


async def test_a_decision_that_a_bot_took_is_forgiven(server: AsgiServer) -> None:
    """Whether the server remembers it or has to read it in the log."""
    people = [await server.guest(name) for name in ("Aki", "Ben", "Chie")]
    table_id = await seated(server, GAME, people)
    table = await server.services.registry.find(table_id)
    assert table.live is not None
    seat = min(table.live.match.to_act)
    bot, action = bot_id(table.doc.level), table.live.match.legal(seat)[0]
    assert table.presence is not None
    table.presence.here(range(3))
    table.presence.absent.add(seat)
    await handle(table, on.Play(bot, seat, frames.Play("for somebody", 1, action)))
    table.presence.absent.clear()
    assert server.services.registry.drop_idle() == 1
    id = await play(server, table_id)
    played = (await people[0].get(f"/api/matches/{id}"))["match"]
    assert played["rated"]
    assert played["rated_ranks"] == played["ranks"]
    table = await server.services.registry.find(table_id)
    assert table.stand_in_moves == {seat: 1}


async def test_a_bot_of_ones_own_has_no_rating_and_gives_none(server: AsgiServer) -> None:
    aki, ben = await server.account("aki"), await server.guest("Ben")
    made = await aki.post("/api/bot-tokens", {"name": "R2"}, 201)
    id = await play(server, await seated(server, GAME, [aki, ben, server.program(made["token"])]))
    played = (await aki.get(f"/api/matches/{id}"))["match"]
    assert (played["rated"], played["unrated"]) == (False, "own-bot")
    assert (await aki.get(f"/api/players/{aki.id}"))["ratings"] == []


async def test_bots_of_the_house_are_on_the_board(server: AsgiServer) -> None:
    aki = await server.guest("Aki")
    chairs = [{"kind": "open"}, *({"kind": "bot", "bot": bot} for bot in ("random", "greedy"))]
    wanted = {"game": GAME, "seats": 3, "chairs": chairs}
    table = (await aki.post("/api/tables", wanted, 201))["table"]["id"]
    await aki.post(f"/api/tables/{table}/start")
    await handle(await server.services.registry.find(table), on.Ready(0))
    id = await play(server, table)
    told = (await aki.get(f"/api/matches/{id}"))["match"]
    assert told["rated"]
    assert [one["player"]["id"] for one in told["players"]] == [
        aki.id,
        "bot:random",
        "bot:greedy",
    ]
    names = {one["name"] for one in told["players"]}
    assert len(names) == 3
    assert names <= {"Aki", *house_names()}
    board = await aki.get(f"/api/leaderboard?game={GAME}&seats=3&rivals=bots")
    assert {place["player"]["id"] for place in board} == {f"bot:{level}" for level in LEVELS}
    lows = [place["rating"]["low"] for place in board]
    assert lows == sorted(lows, reverse=True)
    (rating,) = (await aki.get(f"/api/players/{aki.id}"))["ratings"]
    assert rating["rivals"] == "bots"


async def test_who_is_deleted_is_named_nowhere(server: AsgiServer) -> None:
    people = [await server.guest(name) for name in ("Aki", "Benjamin", "Chie")]
    table = await seated(server, GAME, people)
    id = await play(server, table)
    aki, ben = people[0], people[1]
    paths = [
        f"/api/matches/{id}", f"/api/matches/{id}/record", f"/api/players/{ben.id}",
        f"/api/players/{ben.id}/matches", f"/api/matches/{id}?seat=0",
        f"/api/tables/{table}/record",
    ]  # fmt: skip
    assert "Benjamin" in (await aki.client.get(paths[1])).text
    await ben.post("/api/delete")
    for path in paths:
        answer = await aki.client.get(path)
        assert answer.status_code == 200
        assert "Benjamin" not in answer.text, path
    record = (await aki.client.get(paths[1])).text
    assert zashiki.replay(record).over


async def test_a_record_is_verified(server: AsgiServer) -> None:
    people = [await server.guest(name) for name in ("Aki", "Ben", "Chie")]
    id = await play(server, await seated(server, GAME, people))
    record = (await people[0].client.get(f"/api/matches/{id}/record")).text
    stranger = server.api_client()
    good = await stranger.post("/api/verify", {"record": record})
    assert good["ok"]
    parts = ("chain", "seed", "rules")
    assert [good[part]["verdict"] for part in parts] == ["ok"] * 3
    forged = await stranger.post("/api/verify", {"record": record.replace("Aki", "Bad")})
    assert not forged["ok"]
    assert [forged[part]["verdict"] for part in parts] == ["failed", "not judged", "not judged"]
    assert forged["chain"]["line"] == 1
    assert not (await stranger.post("/api/verify", {"record": "no record\n"}))["ok"]
    cut = "".join(record.splitlines(keepends=True)[:-1])
    lines = record.count("\n") - 1
    for text, said in ((record, "ありません。"), (record.replace("Aki", "Bad"), "1行目：")):
        told = await stranger.post("/api/verify?language=ja", {"record": text})
        assert said in told["chain"]["text"]
    told = await stranger.post("/api/verify?language=ja", {"record": cut})
    assert told["chain"]["text"] == f"{lines}行目：対戦記録が途中で切れています。"
    told = await stranger.post("/api/verify", {"record": cut})
    assert told["chain"]["text"].startswith(f"line {lines}: truncated: ")
    long = await stranger.client.post("/api/verify", json={"record": "x" * 1024 * 1024})
    assert long.status_code == 413


async def test_who_verifies_waits_neither_long_nor_in_a_crowd() -> None:
    record = zashiki.start(GAME, 3).record()
    with pytest.raises(ApiError, match="takes too long"):
        await VerificationPool(seconds=0.01).verify(record)
    with pytest.raises(ApiError, match="too many records"):
        await VerificationPool(max_waiting=0).verify(record)
    assert not (await VerificationPool(max_waiting=0).verify("no record")).ok


# Statistics --------------------------------------------------------------------------------------


async def test_a_player_has_statistics_of_their_own(server: AsgiServer) -> None:
    aki, ben = await server.guest("Aki"), await server.guest("Ben")
    chie = await server.guest("Chie")
    people = await play(server, await seated(server, GAME, [aki, ben, chie]))
    server.system.at += 60.0
    chairs = [{"kind": "open"}, {"kind": "bot", "bot": "strong"}, {"kind": "bot", "bot": "strong"}]
    wanted = {"game": GAME, "seats": 3, "chairs": chairs}
    table_id = (await aki.post("/api/tables", wanted, 201))["table"]["id"]
    table = await server.services.registry.find(table_id)
    await handle(table, on.Start(aki.id, True))
    await handle(table, on.Ready(0, ""))
    await play(server, table_id, 1)
    server.system.at += 90.0
    bots = await play(server, table_id)
    told = await aki.get("/api/statistics")
    assert not told["more"]
    newest, oldest = told["matches"]
    assert [newest["id"], oldest["id"]] == [bots, people]
    for rivals, match in (("people", people), ("bots", bots)):
        found = await aki.get(f"/api/players/{aki.id}/matches?rivals={rivals}")
        assert [one["id"] for one in found["matches"]] == [match]
    assert (newest["rivals"], newest["level"], newest["seconds"]) == ("bots", "strong", 90.0)
    assert (oldest["rivals"], oldest["level"], oldest["seconds"]) == ("people", None, 0.0)
    for line, seat in ((newest, 0), (oldest, 0)):
        match = (await aki.get(f"/api/matches/{line['id']}"))["match"]
        assert line["rank"] == match["ranks"][seat]
        assert line["score"] == match["scores"][seat]
        assert line["winners"] == match["ranks"].count(1)
        assert line["change"] == match["changes"][seat]
    ratings = {one["rivals"]: one for one in (await aki.get(f"/api/players/{aki.id}"))["ratings"]}
    for line in (newest, oldest):
        change, rating = line["change"], ratings[line["rivals"]]
        assert change["before"] == 25.0
        assert [change["mean"], change["low"], change["high"]] == [
            rating["mean"], rating["low"], rating["high"],
        ]  # fmt: skip
    assert (await ben.get("/api/statistics"))["matches"][0]["id"] == people
    assert await server.api_client().refused("/api/statistics", None, 401, "GET") == "no-session"


async def test_statistics_are_made_of_the_newest_matches(
    server: AsgiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "MAX_COUNTED", 2)
    people = [await server.guest(name) for name in ("Aki", "Ben", "Chie")]
    ids = []
    for _ in range(3):
        server.system.at += 10.0
        ids.append(await play(server, await seated(server, GAME, people)))
    told = await people[0].get("/api/statistics")
    assert [one["id"] for one in told["matches"]] == ids[:0:-1]
    assert told["more"]


async def test_matches_are_listed_by_kind(server: AsgiServer) -> None:
    people = [await server.guest(name) for name in ("Aki", "Ben", "Chie")]
    aki, ben, chie = people
    three = await play(server, await seated(server, GAME, people))
    server.system.at += 10.0
    two = await play(server, await seated(server, "kingdoms", [aki, ben]))

    async def listed(query: str) -> list[str]:
        told = await chie.get(f"/api/players/{aki.id}/matches?{query}")
        return [one["id"] for one in told["matches"]]

    assert await listed("") == [two, three]
    assert await listed("game=kingdoms") == [two]
    assert await listed("seats=3") == [three]
    assert await listed(f"rival={chie.id}") == [three]
    assert await listed(f"rival={ben.id}&game={GAME}") == [three]
    assert await listed("rival=bot:strong") == []
    assert await listed("rivals=bots") == []
    assert three in await listed("rivals=people")
    for seats in (-1, 0, 2**31, 2**63, 10**30):
        answer = await chie.client.get(f"/api/players/{aki.id}/matches?seats={seats}")
        assert answer.status_code == 400, seats


# Playing on --------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["kamiza-second", "kamiza-2014", "red-town", "kingdoms"])
async def test_somebody_plays_on_from_any_step_against_bots(server: AsgiServer, game: str) -> None:
    """With the position of that step, on the seat of their choice; the match is not rated."""
    names = ("Aki", "Ben") if game == "kingdoms" else ("Aki", "Ben", "Chie")
    options = {"form": "short"} if game == "red-town" else {}
    people = [await server.guest(name) for name in names]
    id = await play(server, await seated(server, game, people, options=options))
    stranger = await server.guest("Dan")
    record = (await stranger.client.get(f"/api/matches/{id}/record")).text
    old = zashiki.replay(record)
    steps = len(old.journal.actions)
    for step in (0, steps // 2, steps - 1):
        wanted = {"seat": 1, "step": step, "level": "random"}
        made = await stranger.post(f"/api/matches/{id}/play-on", wanted, 201)
        table = await server.services.registry.find(made["table"]["id"])
        assert not made["table"]["public"]
        assert [chair.bot for chair in table.doc.chairs].count("random") == len(names) - 1
        assert table.doc.seat_of(stranger.id) == 1
        await handle(table, on.Start(stranger.id, True))
        await handle(table, on.Ready(1, ""))
        live, match = table.live, table.match_row
        assert live is not None
        assert match is not None
        assert (match.rated, match.unrated) == (False, "scene")
        until = sum(1 for fact in old.facts() if fact.act <= step)
        then = zashiki.replay(record, until=until)
        assert live.match.truth() == then.truth()
        assert live.match.legal(1) == then.legal(1)
        again = await play(server, table.row.id)
        new = (await stranger.client.get(f"/api/matches/{again}/record")).text
        assert verify(new, catalogue()).ok
        await recovery.reload(table)
        assert table.live is not None
        assert table.live is not live
        assert table.live.match.truth() == live.match.truth(), "folded from the journal"


async def test_nobody_plays_on_from_a_match_that_goes_on_or_from_its_end(
    server: AsgiServer,
) -> None:
    people = [await server.guest(name) for name in ("Aki", "Ben", "Chie")]
    table_id = await seated(server, GAME, people)
    id = await play(server, table_id, 3)
    path, aki = f"/api/matches/{id}/play-on", people[0]
    before = len(server.services.registry.tables)
    assert await aki.refused(path, {"seat": 0, "step": 1}, 409) == "not-over"
    await play(server, table_id)
    steps = (await aki.get(f"/api/matches/{id}"))["steps"]
    assert await aki.refused(path, {"seat": 0, "step": steps}, 409) == "match-over"
    for bad in ({"seat": 3, "step": 0}, {"seat": -1, "step": 0}, {"seat": 0, "step": steps + 1}):
        assert await aki.refused(path, bad, 422) == "malformed"
    assert await aki.refused(path, {"seat": 0, "step": -1}, 422) == "malformed"
    assert await aki.refused(path, {"seat": 0, "step": 0, "level": "?"}, 422) == "malformed"
    assert await aki.refused("/api/matches/none/play-on", {"seat": 0, "step": 0}, 404) == "no-match"
    somebody = server.api_client()
    assert await somebody.refused(path, {"seat": 0, "step": 0}, 401) == "no-session"
    assert len(server.services.registry.tables) == before
