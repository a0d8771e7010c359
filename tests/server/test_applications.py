"""The applications that tests make: they share routes, and nothing else."""

from pathlib import Path

from litestar import Litestar

from tests.server.asgi_server import asgi_server
from zashiki.server import app
from zashiki.server.settings import Settings


async def test_two_servers_at_a_time_have_their_own_players_and_tables(tmp_path: Path) -> None:
    async with asgi_server(tmp_path / "1") as one, asgi_server(tmp_path / "2") as two:
        assert one.app.routes is two.app.routes
        assert one.services is not two.services
        aki = await one.guest("Aki")
        wanted = {"game": "kingdoms", "seats": 2}
        table = (await aki.post("/api/tables", wanted, 201))["table"]["id"]
        path = f"/api/tables/{table}"
        assert (await aki.get(path))["id"] == table
        stranger = two.api_client()
        stranger.client.cookies = aki.client.cookies
        assert await stranger.refused("/api/me", None, 401, "GET") == "no-session"
        assert await (await two.guest("Ben")).refused(path, None, 404, "GET") == "no-table"
        assert one.services.is_ready


async def test_one_that_ends_leaves_the_other_in_service(tmp_path: Path) -> None:
    async with asgi_server(tmp_path / "1") as one:
        async with asgi_server(tmp_path / "2") as two:
            await two.guest("Ben")
        assert (await (await one.guest("Aki")).get("/api/me"))["name"] == "Aki"


async def test_its_routes_are_those_of_a_server(tmp_path: Path) -> None:
    async with asgi_server(tmp_path / "1") as shared:
        (tmp_path / "2").mkdir()
        whole = app.make_app(Settings(tmp_path / "2"))
        assert routes(shared.app) == routes(whole)


def routes(made: Litestar) -> list[tuple[str, str]]:
    """Return paths and their handlers."""
    return sorted(
        (name, path) for name, paths in made.route_handler_method_view.items() for path in paths
    )
