"""A returning player is told at which tables it is their turn."""

from tests.server.asgi_server import AsgiServer, play, seated


async def test_the_tables_that_wait_for_somebody(server: AsgiServer) -> None:
    people = [await server.guest(name) for name in ("Aki", "Ben", "Chie")]
    table = await seated(server, "kamiza-second", people)
    await people[0].post("/api/tables", {"game": "kingdoms", "seats": 2}, 201)
    live = (await server.services.registry.find(table)).live
    assert live is not None
    (acting,) = live.match.to_act
    told = [await api_client.get("/api/my-turns") for api_client in people]
    assert told == [[table] if seat == acting else [] for seat in range(3)]
    await play(server, table)
    assert [await api_client.get("/api/my-turns") for api_client in people] == [[], [], []]
    assert await server.api_client().refused("/api/my-turns", None, 401, "GET") == "no-session"
