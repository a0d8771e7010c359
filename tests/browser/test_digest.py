"""The daily digest: requested in the settings, confirmed and stopped by links in real mails."""

import asyncio
import os
import re
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.browse import DESK, PHONE, Visitor
from tests.server.mail_server import MailServer, mail_server
from tests.server.server_process import ServerProcess
from tests.server.stores import environment
from zashiki.server.settings import SENDER_VARIABLE, SMTP_VARIABLE

PICTURES = os.environ.get("ZASHIKI_PICTURES")
"""A folder for screenshots, for looking at the pages."""


@contextmanager
def mails_in_a_thread() -> Iterator[MailServer]:
    """A mail server in a thread, because the browser blocks."""
    started: Future[tuple[MailServer, asyncio.AbstractEventLoop, asyncio.Event]] = Future()

    async def serve() -> None:
        end = asyncio.Event()
        async with mail_server() as mails:
            started.set_result((mails, asyncio.get_running_loop(), end))
            await end.wait()

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    mails, loop, end = started.result()
    try:
        yield mails
    finally:
        loop.call_soon_threadsafe(end.set)
        thread.join()


@pytest.fixture(scope="module")
def with_mail(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[ServerProcess, MailServer]]:
    """A server that may send mails and post to webhooks. Its links lead to itself."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder = Path(tmp_path_factory.mktemp("mail"))
    with mails_in_a_thread() as mails:
        server = ServerProcess(
            folder, "--bots", "0", "--quiet", "--webhooks", "--origin", f"http://127.0.0.1:{port}",
            settings={
                **environment(folder), SMTP_VARIABLE: f"smtp://127.0.0.1:{mails.port}",
                SENDER_VARIABLE: "games@play.example",
            },
        )  # fmt: skip
        server.port = port
        server.start()
        try:
            yield server, mails
        finally:
            server.kill()


def picture(visitor: Visitor, name: str) -> None:
    if PICTURES:
        visitor.settle()
        visitor.page.screenshot(path=f"{PICTURES}/{name}.png", full_page=True)


def link_of(mails: MailServer, name: str) -> str:
    found = re.search(rf"http://\S+(/digest\?{name}=\S+)", mails.mails[-1][2].get_content())
    assert found is not None
    return found[1]


@pytest.mark.parametrize(
    ("language", "theme", "size"),
    [pytest.param("en", "dark", DESK, marks=pytest.mark.long), ("ja", "light", PHONE)],
)
def test_a_digest_is_asked_for_confirmed_and_stopped(
    with_mail: tuple[ServerProcess, MailServer],
    browser: Browser,
    language: str,
    theme: str,
    size: tuple[int, int],
) -> None:
    server, mails = with_mail
    is_english = language == "en"
    aki = Visitor(server, browser, "Aki", size, language, theme=theme)
    aki.come()
    aki.visit("/settings")
    page = aki.page
    section = page.get_by_role("region", name="Daily digest" if is_english else "毎日のお知らせ")
    address = f"aki-{language}@mail.example"
    picture(aki, f"digest-{language}-0")
    field = section.get_by_label("Email address" if is_english else "メールアドレス")
    field.fill(address)
    section.get_by_role("combobox").select_option("19")
    section.get_by_role("button", name="Send a link" if is_english else "確認リンクを送る").click()
    expect(section.get_by_role("status")).to_contain_text(address)
    expect(section.get_by_role("status")).to_contain_text(
        "within three days" if is_english else "3日以内"
    )
    picture(aki, f"digest-{language}-1")
    assert aki.axe() == []
    aki.visit(link_of(mails, "confirm"))
    picture(aki, f"digest-{language}-2")
    assert aki.axe() == []
    page.get_by_role("button", name="Yes, send it" if is_english else "はい、受け取ります").click()
    expect(page.get_by_role("status")).to_contain_text(
        "Confirmed" if is_english else "確認しました"
    )
    aki.visit("/settings")
    expect(section.get_by_role("status")).to_contain_text("19:00")
    expect(section.get_by_role("button", name="Save" if is_english else "保存")).to_be_visible()
    picture(aki, f"digest-{language}-3")
    aki.visit(link_of(mails, "stop"))
    page.get_by_role("button", name="Stop the digest" if is_english else "お知らせを止める").click()
    expect(page.get_by_role("status")).to_contain_text("Stopped" if is_english else "止めました")
    aki.visit("/settings")
    expect(field).to_have_value("")
    expect(section.get_by_role("status")).to_have_count(0)
    aki.leave()


def test_what_cannot_be_reached_is_said(
    with_mail: tuple[ServerProcess, MailServer], browser: Browser
) -> None:
    server, mails = with_mail
    aki = Visitor(server, browser, "Aki", DESK)
    aki.expected.append("422")
    aki.come()
    aki.visit("/settings")
    section = aki.page.get_by_role("region", name="Daily digest")
    mails.answers["RCPT"] = "550 nobody"
    section.get_by_label("Email address").fill("nobody@mail.example")
    section.get_by_role("button", name="Send a link").click()
    expect(section.get_by_role("alert")).to_contain_text("Nothing could be sent to this address")
    del mails.answers["RCPT"]
    section.get_by_text("To a webhook").click()
    section.get_by_label("Address of the webhook").fill("https://localhost/hook")
    section.get_by_role("button", name="Send a link").click()
    expect(section.get_by_role("alert")).to_contain_text("public https address")
    aki.visit("/digest?confirm=v1.cut.off")
    aki.expected.append("404")
    aki.button("Yes, send it").click()
    expect(aki.page.get_by_role("alert")).to_contain_text("not valid any more")
    aki.visit("/digest")
    expect(aki.page.get_by_text("not valid any more")).to_be_visible()
    aki.leave()


def test_where_nothing_is_set_up_the_settings_do_not_speak_of_it(
    server: ServerProcess, browser: Browser
) -> None:
    aki = Visitor(server, browser, "Aki", DESK)
    aki.come()
    aki.visit("/settings")
    expect(aki.page.get_by_role("heading", name="Muted people")).to_be_visible()
    aki.settle()
    expect(aki.page.get_by_role("heading", name="Daily digest")).to_have_count(0)
    aki.leave()
