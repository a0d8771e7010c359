"""The documentation as a site: its pages come from the repository, and are checked when built.

`make docs-site` builds it, and so does `make release-check`. The tests here do not need MkDocs.
"""

import re
from pathlib import Path

import pytest

import zashiki
from tools.docs_site import Broken, Gathering, configured, faults, rulebooks, settle

ROOT = Path(__file__).resolve().parent.parent
PAGE = "<html><head></head><body>{}</body></html>"
KANA = re.compile(r"[\u3040-\u30ff]")


@pytest.fixture(scope="module")
def gathered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("docs")
    Gathering(ROOT, folder).gather()
    return folder


def written(folder: Path, **pages: str) -> Path:
    for name, body in pages.items():
        path = folder / name / "index.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(PAGE.format(body), "utf-8")
    return folder


@pytest.mark.parametrize("suffix", ["", ".ja"])
def test_every_game_has_a_page_of_rules_in_both_languages(gathered: Path, suffix: str) -> None:
    for game in zashiki.games():
        page = (gathered / "play" / "rules" / f"{game}{suffix}.md").read_text("utf-8")
        assert page.startswith("# ")
        assert "{" not in page.partition("\n")[0]
        assert "**Z 3**" in page


def test_pages_do_not_link_out_of_the_site(gathered: Path) -> None:
    links = [
        link
        for page in gathered.rglob("*.md")
        for link in re.findall(r"\]\(((?:\.\./)+(?:src|examples)/[^)]+)\)", page.read_text("utf-8"))
    ]
    assert links == []


def test_every_page_is_in_the_navigation(gathered: Path) -> None:
    text = configured((ROOT / "mkdocs.yml").read_text("utf-8"), gathered)
    named = set(re.findall(r"^ +- (?:.+: )?([\w/-]+\.md)$", text, re.MULTILINE))
    pages = {path.relative_to(gathered).as_posix() for path in gathered.rglob("*.md")}
    english = {page for page in pages if not page.endswith(".ja.md")}
    decisions = {page for page in english if page.startswith("decisions/0")}
    assert named == english - decisions
    assert "play/rules/kamiza-2014.md" in named


@pytest.mark.parametrize("part", ["play", "host", "design"])
def test_every_page_for_players_hosts_and_designers_is_in_japanese_too(
    gathered: Path, part: str
) -> None:
    pages = {path for path in (gathered / part).rglob("*.md") if ".ja" not in path.suffixes}
    assert gathered / part / "index.md" in pages
    for page in [gathered / "index.md", *sorted(pages)]:
        japanese = page.with_suffix(".ja.md")
        assert japanese.is_file(), f"{japanese.relative_to(gathered)}: expected beside {page.name}"
        assert KANA.search(japanese.read_text("utf-8"))


def test_a_link_to_rules_becomes_one_to_their_page(gathered: Path) -> None:
    page = (gathered / "games" / "kingdoms.md").read_text("utf-8")
    assert "](../play/rules/kingdoms.md)" in page
    assert "](site:/ja/play/rules/kingdoms/)" in page


def test_a_link_to_a_file_that_is_no_page_is_refused(tmp_path: Path) -> None:
    gathering = Gathering(ROOT, tmp_path)
    with pytest.raises(Broken, match=r"a\.md: a link to Makefile: expected a page"):
        gathering.relinked("a.md", "docs/a.md", "[a](../Makefile)")


def test_a_picture_outside_of_the_documentation_comes_along(tmp_path: Path) -> None:
    gathering = Gathering(ROOT, tmp_path)
    text = gathering.relinked("play/a.md", "docs/play/a.md", "![a](../../web/public/icon.svg)")
    assert text == "![a](../pictures/web-public-icon.svg)"
    assert (tmp_path / "pictures" / "web-public-icon.svg").is_file()


def test_links_in_code_stay_as_they_are(tmp_path: Path) -> None:
    text = "```markdown\n[a](../nothing.md)\n```\n"
    assert Gathering(ROOT, tmp_path).relinked("a.md", "docs/a.md", text) == text


def test_rules_of_two_editions_are_two_pages() -> None:
    text = "# One {one}\n\nFirst.\n\n# Two (2014) {two}\n\nSecond.\n"
    assert rulebooks(text) == [("one", "# One\n\nFirst.\n\n"), ("two", "# Two (2014)\n\nSecond.\n")]


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ('<a href="../b/">b</a>', "no such page or file"),
        ('<a href="#there">b</a>', "no such heading"),
        ('<a href="/">b</a>', "no such page or file"),
        ('<img src="a.png">', "no such page or file"),
        ('<script src="https://cdn.example/a.js"></script>', "an outside host"),
        ('<link rel="stylesheet" href="https://fonts.example/a.css">', "an outside host"),
        ("<script>alert(1)</script>", "an inline script"),
        ('<p style="color: red">b</p>', "an inline style"),
        ('<p onclick="b()">b</p>', "onclick of <p>"),
        ('<link rel="alternate" href="./" hreflang="en">', "an alternate"),
    ],
)
def test_what_is_wrong_with_a_built_page_is_found(tmp_path: Path, body: str, fault: str) -> None:
    found = list(faults(written(tmp_path, a=body)))
    assert len(found) == 1
    assert found[0].startswith("a/index.html: ")
    assert fault in found[0]


def test_a_page_that_is_right_has_no_faults(tmp_path: Path) -> None:
    body = '<h2 id="日本">b</h2><a href="#日本">b</a> <a href="https://a.example">c</a>'
    other = '<a href="../a/">a</a> <a href="../a/#%E6%97%A5%E6%9C%AC">a</a>'
    assert list(faults(written(tmp_path, a=body, b=other))) == []


def test_a_built_page_is_settled_for_the_servers_policy(tmp_path: Path) -> None:
    body = '<script>a()</script><td style="text-align: right;">1</td><a href="site:/b/">b</a>'
    site = written(tmp_path, a=body, b='<a href="/ja/" hreflang="ja">ja</a>', ja="")
    settle(site)
    assert list(faults(site)) == []
    assert [path.read_text("utf-8") for path in site.glob("assets/inline/*.js")] == ["a()"]
    assert 'class="right"' in (site / "a" / "index.html").read_text("utf-8")


def test_the_menu_of_languages_leads_to_the_same_page_and_nothing_asks_for_a_sitemap(
    tmp_path: Path,
) -> None:
    head = '<link rel="alternate" href="/ja/" hreflang="ja">'
    menu = '<a href="/" hreflang="en">en</a> <a href="/ja/" hreflang="ja">ja</a>'
    pages = {"a/b": head + menu, "ja/a/b": head + menu, "c": head + menu, "ja": head + menu, "": ""}
    site = written(tmp_path, **pages)
    (site / "sitemap.xml").write_text("<urlset/>")
    settle(site)
    assert list(faults(site)) == []
    assert not (site / "sitemap.xml").exists()
    links = {
        page: re.findall('href="([^"]*)"', (site / page / "index.html").read_text("utf-8"))
        for page in pages
    }
    assert links["a/b"] == ["./", "../../ja/a/b/"]
    assert links["ja/a/b"] == ["../../../a/b/", "./"]
    assert links["c"] == ["./", "../ja/"]
    assert links["ja"] == ["../", "./"]
