"""`zashiki reports` against a running server."""

import asyncio
import shlex
from pathlib import Path

import pytest

from tests.server.guests import Guest
from tests.server.in_process_server import in_process_server
from zashiki import cli
from zashiki.server.accounts.secret_key import operator_key

OWN_KEY = bytes(range(32))


async def command(line: str, port: int) -> int:
    """Run the command in a thread, while the server of the test answers."""
    words = [*shlex.split(line), "--server", f"http://127.0.0.1:{port}"]
    return await asyncio.to_thread(cli.main, ["reports", *words])


async def test_an_operator_reads_and_acts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZASHIKI_KEY", OWN_KEY.hex())
    async with in_process_server(tmp_path, key=OWN_KEY) as running:
        aki, ben = await Guest(running, "Aki").come(), await Guest(running, "Ben").come()
        wanted = {"game": "kamiza-second", "seats": 3}
        table = (await ben.post("/api/tables", wanted))["table"]["id"]
        async with ben.socket(table) as talk:
            await talk.answered("1", do="say", text="you fool")
        await aki.post(f"/api/tables/{table}/report", {"text": "rude", "line": 1})
        assert await command("", running.port) == 0
        listed = capsys.readouterr().out
        report = listed.split()[0]
        assert f"Ben ({ben.id}), reported by Aki ({aki.id})" in listed
        assert await command(f"show {report}", running.port) == 0
        shown = capsys.readouterr().out
        assert f"table {table} (kamiza-second, open)" in shown
        assert ">    1" in shown
        assert "Ben: you fool" in shown
        mute = f"mute {ben.id} --hours 2 --why 'insults' --report {report}"
        assert await command(mute, running.port) == 0
        assert f"key: mute Ben ({ben.id}) until" in capsys.readouterr().out
        assert (await ben.get("/api/me"))["muted_until"] is not None
        assert await command(f"close {table} --why 'spam'", running.port) == 0
        assert (await aki.get(f"/api/tables/{table}"))["state"] == "closed"
        assert await command(f"done {report} --why 'muted'", running.port) == 0
        assert await command("", running.port) == 0
        assert "No reports." in capsys.readouterr().err
        assert await command("acts", running.port) == 0
        kinds = [line.split(": ")[1].split()[0] for line in capsys.readouterr().out.splitlines()]
        assert kinds == ["done", "close", "mute"]
        for guest in (aki, ben):
            await guest.client.aclose()


async def test_mistakes_are_told_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZASHIKI_KEY", OWN_KEY.hex())
    async with in_process_server(tmp_path, key=OWN_KEY) as running:
        for line, said in (
            ("show", "expected an id"),
            ("show nothing", "there is no such report"),
            ("mute nobody --hours 1", "expected a reason"),
            ("mute nobody --why x", "expected --hours"),
            ("close x --hours 1 --why x", "expected no --hours"),
            ("mute nobody --hours 1 --why x", "expected the id of a player"),
            ("expel x", "WHAT: expected one of list, show, mute, "),
        ):
            assert await command(line, running.port) == 2
            assert said in capsys.readouterr().err
        monkeypatch.setenv("ZASHIKI_KEY", bytes(32).hex())
        assert await command("list", running.port) == 2
        assert "wrong key" in capsys.readouterr().err
        port = running.port
    assert await command("list", port) == 2
    assert "cannot be reached" in capsys.readouterr().err


def test_the_key_follows_from_the_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ZASHIKI_KEY", raising=False)
    assert cli.main(["reports", "key", "--data", str(tmp_path)]) == 2
    assert "expected the key of a server" in capsys.readouterr().err
    file = tmp_path / "secret.key"
    file.write_text(OWN_KEY.hex() + "\n")
    file.chmod(0o600)
    assert cli.main(["reports", "key", "--data", str(tmp_path)]) == 0
    assert capsys.readouterr().out.strip() == operator_key(OWN_KEY)
