"""Card sets are checked, stored, shared and played with; a set is never read as a path."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

import zashiki
from tests.server.asgi_server import AsgiServer, asgi_server, play, seated
from zashiki.server.accounts import card_sets
from zashiki.server.store.rows import CardSetRow

FILE = Path(zashiki.__file__).parent / "games" / "kingdoms" / "cards" / "reconstructed.toml"
TEXT = FILE.read_text("utf-8").replace('name = "reconstructed"', 'name = "mine"', 1)
PATHS = ("mine.toml", "../../etc/passwd", "/etc/passwd", str(FILE), f"file://{FILE}")


def written(content: Any, game: str = "kingdoms", option: str = "card_set") -> dict[str, Any]:
    return {"game": game, "option": option, "content": content}


async def test_a_set_is_checked(server: AsgiServer) -> None:
    anybody = server.api_client()
    told = await anybody.post("/api/card-sets/check", written(TEXT))
    assert told | {"content": None} == {
        "ok": True, "name": "mine", "remarks": told["remarks"], "content": None, "fault": None,
    }  # fmt: skip
    assert (await anybody.post("/api/card-sets/check", written(told["content"]))) == told
    built_in = await anybody.post("/api/card-sets/check", written("reconstructed"))
    assert built_in["content"] == told["content"] | {"name": "reconstructed"}
    for bad, fault in [
        (written(TEXT, "chess"), "found 'chess'"),
        (written(TEXT, "kingdoms", "tie"), "expected one of card_set"),
        (written(TEXT, "kamiza-second", "open_start"), "no option takes content"),
    ]:
        answer = await anybody.post("/api/card-sets/check", bad, 422)
        assert answer["code"] == "malformed"
        assert fault in answer["text"]


FAULTY = [
    (TEXT.replace("copies = 6", "copies = 7"), "cards", None, "found 31", "31枚"),
    (TEXT.replace("attack = 5", "attack = -5"), "cards[10].attack", None, "an integer", "整数"),
    (TEXT.replace('name = "mine"', 'name "mine"'), "", 30, "line 30: expected '='", "30行目"),
    ({"name": "mine"}, "", None, "key 'names' is missing", "キー 'names' がありません"),
    ("mine.toml", "", None, "a path is read on the command line only", "コマンドライン"),
]


async def test_a_faulty_set_is_told_so_in_the_language_asked_for(server: AsgiServer) -> None:
    aki = await server.guest()
    for content, path, line, english, japanese in FAULTY:
        for language, words in (("en", english), ("ja", japanese)):
            where = f"?language={language}"
            told = await aki.post(f"/api/card-sets/check{where}", written(content))
            fault = told["fault"]
            assert (told["ok"], told["content"], told["remarks"]) == (False, None, [])
            assert (fault["path"], fault["line"]) == (path, line)
            assert words in fault["text"]
            kept = await aki.post(f"/api/card-sets{where}", written(content), 422)
            assert (kept["code"], kept["text"]) == ("malformed", fault["text"])
            assert kept["details"] == {"path": path, "line": line}
        plain = await aki.post("/api/card-sets/check", written(content))
        assert english in plain["fault"]["text"]


async def test_remarks_are_made_in_the_language_asked_for(server: AsgiServer) -> None:
    aki = await server.guest()
    content = written(TEXT.replace('side = "red"\nattack = 4', 'side = "red"\nattack = 6'))
    saved = await aki.post("/api/card-sets?language=ja", content, 201)
    kept = await aki.get(f"/api/card-sets/{saved['about']['id']}?language=ja")
    told = await aki.post("/api/card-sets/check?language=ja", content)
    assert saved["remarks"] == kept["remarks"] == told["remarks"]
    assert told["remarks"][0].startswith("王子の攻撃力は6")
    (english,) = (await aki.post("/api/card-sets/check", content))["remarks"]
    assert english.startswith("Prince has attack 6")
    await aki.refused("/api/card-sets/check?language=fr", content, 400)


async def test_a_path_is_no_set(server: AsgiServer) -> None:
    aki = await server.guest()
    table: dict[str, Any] = {"game": "kingdoms", "seats": 2}
    for path in PATHS:
        assert not (await aki.post("/api/card-sets/check", written(path)))["ok"]
        assert await aki.refused("/api/card-sets", written(path), 422) == "malformed"
        for value, status in ((path, 422), ({"saved": path}, 404), ({"path": path}, 422)):
            wanted = {**table, "options": {"card_set": value}}
            await aki.refused("/api/tables", wanted, status)


async def test_a_set_is_ones_own_until_it_is_shared(server: AsgiServer) -> None:
    aki, ben = await server.guest("Aki"), await server.guest("Ben")
    saved = await aki.post("/api/card-sets", written(TEXT), 201)
    about, path = saved["about"], f"/api/card-sets/{saved['about']['id']}"
    assert (about["name"], about["owner"]["name"], about["shared"]) == ("mine", "Aki", False)
    assert await aki.get(path) == saved
    assert await aki.get("/api/card-sets") == [about]
    assert await ben.get("/api/card-sets") == []
    for method, rest in (("GET", ""), ("DELETE", ""), ("POST", "/share")):
        assert await ben.refused(path + rest, None, 404, method) == "no-card-set"
    assert (await aki.post(f"{path}/share"))["shared"]
    assert (await ben.get(path))["content"] == saved["content"]
    assert [one["id"] for one in await ben.get("/api/card-sets")] == [about["id"]]
    for method, rest in (("DELETE", ""), ("POST", "/share"), ("POST", "/unshare")):
        assert await ben.refused(path + rest, None, 403, method) == "not-yours"
    assert not (await aki.post(f"{path}/unshare"))["shared"]
    assert await ben.refused(path, None, 404, "GET") == "no-card-set"
    assert await aki.ask("DELETE", path) == {"ok": True}
    assert await aki.refused(path, None, 404, "GET") == "no-card-set"
    assert await server.api_client().refused("/api/card-sets", None, 401, "GET") == "no-session"


async def test_a_table_plays_with_what_was_saved(server: AsgiServer) -> None:
    aki, ben = await server.guest("Aki"), await server.guest("Ben")
    saved = await aki.post("/api/card-sets", written(TEXT), 201)
    id = saved["about"]["id"]
    options = {"card_set": {"saved": id}}
    table = {"game": "kingdoms", "seats": 2, "options": options}
    assert await ben.refused("/api/tables", table, 404) == "no-card-set"
    for other in ({"game": "kamiza-second", "seats": 3}, {"options": {"tie": {"saved": id}}}):
        assert await aki.refused("/api/tables", {**table, **other}, 422) == "malformed"
    wrong = {"options": {"card_set": {"saved": 7}}}
    assert await aki.refused("/api/tables", {**table, **wrong}, 422) == "malformed"
    match = await play(server, await seated(server, "kingdoms", [aki, ben], options=options))
    await aki.ask("DELETE", f"/api/card-sets/{id}")
    header = (await ben.get(f"/api/matches/{match}"))["header"]
    assert header["options"]["card_set"] == saved["content"]


async def test_a_player_keeps_so_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(card_sets, "MAX_OWN", 3)
    async with asgi_server(tmp_path) as server:
        aki, ben = await server.guest("Aki"), await server.guest("Ben")
        asked = [aki.client.post("/api/card-sets", json=written(TEXT)) for _ in range(5)]
        statuses = [answer.status_code for answer in await asyncio.gather(*asked)]
        assert sorted(statuses) == [201, 201, 201, 409, 409]
        await ben.post("/api/card-sets", written(TEXT), 201)


async def test_what_was_not_shared_goes_with_its_owner(server: AsgiServer) -> None:
    aki, ben = await server.guest("Aki"), await server.guest("Ben")
    ids = []
    for _ in range(2):
        ids.append((await aki.post("/api/card-sets", written(TEXT), 201))["about"]["id"])
    await aki.post(f"/api/card-sets/{ids[0]}/share")
    await aki.post("/api/delete")
    (left,) = await ben.get("/api/card-sets")
    assert (left["id"], left["owner"]["name"]) == (ids[0], "—")
    kept: list[CardSetRow | None] = [await server.services.store.card_set(id) for id in ids]
    assert kept[1] is None
