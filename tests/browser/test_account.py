"""The account page: a password with recovery codes, its change, recovery, and a player's bots."""

import re

from playwright.sync_api import Browser, expect

from tests.browser.browse import DESK, PHONE, Visitor
from tests.server.server_process import ServerProcess

OLD, NEW, LAST = "correct horse", "tanuki drinks tea", "kitsune eats tofu"


def registered(aki: Visitor) -> str:
    """Create an account; return one of the recovery codes."""
    page = aki.page
    page.get_by_text("Keep this name with a password").click()
    keep = page.locator("form").filter(has=aki.button("Create account"))
    keep.get_by_label("Login").fill("aki-of-the-page")
    keep.get_by_label("Password").fill("password1")
    aki.button("Create account").click()
    expect(page.get_by_text("This password is easy to guess")).to_be_visible()
    keep.get_by_label("Password").fill(OLD)
    aki.button("Create account").click()
    codes = page.get_by_role("dialog").locator("code")
    expect(codes).to_have_count(8)
    code = codes.first.inner_text()
    assert re.fullmatch(r"[A-Z2-7]{5}(-[A-Z2-7]{5}){3}", code)
    assert aki.axe() == []
    aki.button("I have saved them").click()
    return code


def make_bot(aki: Visitor) -> None:
    page = aki.page
    page.get_by_label("Name of the bot").fill("Haru")
    aki.button("Make a bot").click()
    expect(page.get_by_text("A bot here already has that name")).to_be_visible()
    page.get_by_label("Name of the bot").fill("R2")
    page.get_by_label("open tables and take seats").uncheck()
    aki.button("Make a bot").click()
    token = page.get_by_role("dialog").locator("code").inner_text()
    assert token.startswith("v1.")
    aki.button("I have saved them").click()
    expect(page.get_by_text("play and chat, read its tables, hands and matches")).to_be_visible()


def change_password(aki: Visitor) -> None:
    page = aki.page
    page.get_by_text("Change password").first.click()
    change = page.locator("form").filter(has=aki.button("Change password"))
    expect(change.get_by_text("This signs you out on every other device")).to_be_visible()
    change.get_by_label("Current password").fill("not this one")
    change.get_by_label("New password").fill(NEW)
    aki.button("Change password").click()
    expect(page.get_by_text("That is not your current password.")).to_be_visible()
    change.get_by_label("Current password").fill(OLD)
    assert aki.axe() == []
    aki.button("Change password").click()
    expect(page.get_by_text("You are signed out everywhere but here.")).to_be_visible()


def test_an_account_is_kept_guarded_and_recovered(server: ServerProcess, browser: Browser) -> None:
    aki = Visitor(server, browser, "Aki", PHONE, motion="off")
    aki.expected = ["400", "403"]
    aki.come()
    aki.visit("/settings")
    code = registered(aki)
    make_bot(aki)
    change_password(aki)
    aki.reload()
    expect(aki.page.get_by_text("no valid token")).to_be_visible()
    aki.button("Revoke R2").click()
    aki.button("Revoke for good").click()
    expect(aki.page.get_by_text("None yet.")).to_be_visible()

    lost = Visitor(server, browser, "Aki", DESK, motion="off")
    lost.visit("/settings")
    lost.button("Pick a name or sign in").click()
    lost.button("I have an account").click()
    lost.button("Forgot your password?").click()
    lost.page.get_by_label("Login").fill("aki-of-the-page")
    lost.page.get_by_label("Recovery code").fill(code.lower())
    lost.page.get_by_label("New password").fill(LAST)
    assert lost.axe() == []
    lost.button("Set password and sign in").click()
    lost.page.get_by_text("Recovery codes").click()
    expect(lost.page.get_by_text("7 codes are left.")).to_be_visible()
    aki.leave()
    lost.leave()
