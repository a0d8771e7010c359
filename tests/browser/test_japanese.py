"""With Japanese chosen, every text is Japanese, errors included."""

import re

import pytest
from playwright.sync_api import Browser, expect

import zashiki
from tests.browser.browse import ROOT, Visitor
from tests.server.server_process import ServerProcess

RECORD = ROOT / "tests" / "goldens" / "kamiza-second-3-default-v1.jsonl"
WORDS = """
() => {
  const found = [document.title];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const around = walk.currentNode.parentElement;
    const hidden = "script, style, noscript, code, textarea, [lang=en]";
    if (around && !around.closest(hidden)) found.push(walk.currentNode.textContent);
  }
  for (const name of ["aria-label", "title", "alt", "placeholder"]) {
    const named = document.querySelectorAll(`[${name}]`);
    found.push(...[...named].map((one) => one.getAttribute(name)));
  }
  return found;
}
"""
CREDITS = [spec.credits for spec in zashiki.games().values() if spec.credits]
CREDITED = [one for credits in CREDITS for _, names in credits.people for one in names]
NAMES = re.compile(
    "|".join(re.escape(name) for name in [*CREDITED, *filter(None, (c.website for c in CREDITS))])
    + r"|Zashiki|KAMIZA|API|TOML|WANTED|English|SHA-256|areas|red_funds"
    r"|zashiki (?:commitment|verify --witness)"
    r"|\b(?:Aki|Ben|Player \d)\b"  # people of other tests, who have tables on this server
)
ENGLISH = re.compile(r"[A-Za-z]{3,}")
PAGES = (
    "/", "/new", "/rules", "/rules/kingdoms", "/leaderboard", "/history", "/settings", "/card-sets",
    "/card-sets/reconstructed", "/verify", "/nowhere",
)  # fmt: skip
NOT_THERE = ("/table/nope", "/replay/nope", "/player/nope", "/card-sets/nope", "/verify?match=nope")


def english_on(visitor: Visitor) -> list[str]:
    visitor.settle()
    return [text for text in visitor.page.evaluate(WORDS) if ENGLISH.search(NAMES.sub("", text))]


@pytest.fixture
def aki(server: ServerProcess, browser: Browser) -> Visitor:
    visitor = Visitor(server, browser, "あき", language="ja")
    visitor.come()
    return visitor


def test_no_page_speaks_english_to_who_reads_japanese(aki: Visitor) -> None:
    for path in PAGES:
        aki.visit(path)
        assert english_on(aki) == [], path
    assert aki.page.evaluate("document.documentElement.lang") == "ja"
    aki.leave()


def test_what_is_not_there_is_told_in_japanese(aki: Visitor) -> None:
    aki.expected = ["404"]
    for path in NOT_THERE:
        aki.visit(path)
        expect(aki.page.get_by_role("alert")).to_be_visible()
        assert english_on(aki) == [], path
    aki.leave()


def test_a_faulty_card_set_is_told_in_japanese_and_is_no_error(aki: Visitor) -> None:
    aki.visit("/card-sets/reconstructed?edit=copy")
    funds = aki.page.get_by_label("赤の資金").first
    told = aki.page.locator("#set-state")
    funds.fill("500")
    expect(told).to_contain_text("areas[0].red_funds = 500：0から99までの整数にしてください。")
    expect(funds).to_have_attribute("aria-invalid", "true")
    assert english_on(aki) == []
    funds.fill("9")
    expect(told).to_contain_text("製品版との違い（1件）")
    told.get_by_text("製品版との違い").click()
    expect(told).to_contain_text("全拠点の資金は、合わせて赤が14、青が8です。")
    aki.button("English").click()
    expect(told).to_contain_text("All areas together pay 14 to Red and 8 to Blue")
    expect(aki.page.get_by_label("Funds for Red").first).to_have_value("9")
    aki.leave()


@pytest.mark.parametrize("forged", [False, True])
def test_a_verification_is_told_in_japanese(aki: Visitor, forged: bool) -> None:
    record = RECORD.read_text("utf-8")
    aki.visit("/verify")
    aki.page.locator("textarea").fill(record.replace('"n":5', '"n":6') if forged else record)
    aki.button("検証する").click()
    said = "合わないところがあります" if forged else "誤りはありません"
    expect(aki.page.get_by_role("status")).to_contain_text(said)
    assert english_on(aki) == []
    aki.leave()
