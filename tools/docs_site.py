"""Build the documentation as a site: gather the pages, run MkDocs, check what comes out.

    make docs-site
    python -m tools.docs_site [--source FOLDER] [--no-package]

A page in the repository links to files, so that it can be read there. `gather` copies the pages to
`build/docs` and changes links to files outside `docs/` into links to pages of the site: the rules
of a game are a page, which is not written twice. `settle` moves inline scripts into files, because
the server allows none. `faults` follows every link of every page, to its anchor.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from hashlib import blake2b
from html.parser import HTMLParser
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parent.parent
PACKAGED = Path("src/zashiki/server/docs_site")
LANGUAGES = ("en", "ja")
LINK = re.compile(r"(\]\()([^)\s#]+)((?:#[^)\s]*)?\))")
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
TITLE = re.compile(r"^# (?P<title>.+?) \{(?P<id>[\w-]+)\}$", re.MULTILINE)
INLINE_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)
ALIGNED = re.compile(r'style="text-align: (left|center|right);"')
SWITCH = re.compile(r'href="/((?:\w\w/)?)" hreflang')
"""A link of the menu of languages, to the first page of a language."""
ALTERNATE = re.compile(r'<link rel="alternate"[^>]* hreflang="[^"]*">')
"""For each of these, the theme asks for a sitemap in its folder, and logs an error without one."""
SITE = "site:/"
"""Begins a link from the root of the site, until `settle` makes it relative."""
FOLDER_IN_NAV = re.compile(r"^( +)- (.+): ([\w/-]+)/\*$", re.MULTILINE)
PICTURES = {".png", ".svg", ".webp", ".jpg", ".gif"}
OUTSIDE = {
    "CONTRIBUTING.md": "contribute/how-we-work.md",
    "CHANGELOG.md": "contribute/changes.md",
    "CODE_OF_CONDUCT.md": "contribute/conduct.md",
    "SECURITY.md": "contribute/security-policy.md",
    "benchmarks/README.md": "contribute/benchmarks.md",
    "README.md": "index.md",
}
"""Pages of the repository that are not in docs/, and their places on the site."""
NOT_COPIED = {"README.md"}
ICON = "web/public/icon.svg"
RULEBOOKS = "src/zashiki/games/*/rules.{}.md", "examples/*/*/rules.{}.md"
EVERY_GAME = "src/zashiki/core/rules.{}.md"


class Broken(Exception):
    """The site cannot be built; the text says what is wrong."""


# Gathering -------------------------------------------------------------------------------------


class Gathering:
    """The pages of the site by their place in it, and the place of each file of the repository."""

    def __init__(self, source: Path, target: Path) -> None:
        self.source = source
        self.target = target
        self.place_of: dict[str, str] = {}
        """Maps a file of the repository to its page or picture on the site."""
        self.pages: list[tuple[str, str, str]] = []
        """Triples: place on the site, file of the repository, text."""

    def gather(self) -> None:
        shutil.rmtree(self.target, ignore_errors=True)
        self.add_docs()
        self.add_rules()
        self.write("pictures/icon.svg", (self.source / ICON).read_bytes())
        for name, place in OUTSIDE.items():
            self.place_of[name] = place
            if name not in NOT_COPIED:
                self.add(place, name, (self.source / name).read_text("utf-8"))
        for place, name, text in self.pages:
            self.write(place, self.relinked(place, name, text).encode())

    def add(self, place: str, name: str, text: str) -> None:
        self.place_of.setdefault(name, place)
        self.pages.append((place, name, text))

    def add_docs(self) -> None:
        for path in sorted((self.source / "docs").rglob("*")):
            name = path.relative_to(self.source).as_posix()
            place = path.relative_to(self.source / "docs").as_posix()
            if path.suffix == ".md":
                place = re.sub(r"\bREADME(\.\w+)?\.md$", r"index\1.md", place)
                self.add(place, name, path.read_text("utf-8"))
            elif path.suffix in PICTURES | {".css"}:
                self.place_of[name] = place
                self.write(place, path.read_bytes())

    def add_rules(self) -> None:
        """Make a page of each game's rules, in each language, with the rules of every game."""
        for language in LANGUAGES:
            every = (self.source / EVERY_GAME.format(language)).read_text("utf-8")
            suffix = "" if language == "en" else f".{language}"
            for pattern in RULEBOOKS:
                for path in sorted(self.source.glob(pattern.format(language))):
                    name = path.relative_to(self.source).as_posix()
                    for id, text in rulebooks(path.read_text("utf-8")):
                        self.add(f"play/rules/{id}{suffix}.md", name, f"{text}\n{every}")

    def relinked(self, place: str, name: str, text: str) -> str:
        """Return the text with links for its place on the site; blocks of code stay as they are."""
        parts = []
        end = 0
        for block in FENCE.finditer(text):
            parts += [self.relinked_prose(place, name, text[end : block.start()]), block[0]]
            end = block.end()
        return "".join([*parts, self.relinked_prose(place, name, text[end:])])

    def relinked_prose(self, place: str, name: str, text: str) -> str:
        def relink(link: re.Match[str]) -> str:
            target = link[2]
            if re.match(r"[a-z]+:", target):
                return link[0]
            path = os.path.normpath(PurePosixPath(name).parent / target)
            return f"{link[1]}{self.link(place, path, len(link[3]) > 1)}{link[3]}"

        return LINK.sub(relink, text)

    def link(self, place: str, path: str, has_anchor: bool) -> str:
        """Return the link from a page of the site to a file of the repository."""
        if path not in self.place_of and (self.source / path / "README.md").is_file():
            path = f"{path}/README.md"
        if path not in self.place_of and Path(path).suffix in PICTURES:
            self.place_of[path] = f"pictures/{path.replace('/', '-')}"
            self.write(self.place_of[path], (self.source / path).read_bytes())
        if path not in self.place_of:
            raise Broken(f"{place}: a link to {path}: expected a page of the site or a picture")
        found = self.place_of[path]
        language = language_of(found)
        if has_anchor and language == "en" and self.is_translated(found):
            return f"{SITE}{address(found)}/"  # the headings of a translation have other names
        if language != "en":  # MkDocs knows pages of the page's own language by their names alone
            if language == language_of(place):
                found = found.replace(f".{language}.md", ".md")
            else:
                return f"{SITE}{address(found)}/"  # a page of two languages is at two places
        return os.path.relpath(found, PurePosixPath(place).parent)

    def is_translated(self, place: str) -> bool:
        others = {place.replace(".md", f".{language}.md") for language in LANGUAGES[1:]}
        return any(page in others for page, _, _ in self.pages)

    def write(self, place: str, content: bytes) -> None:
        path = self.target / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def rulebooks(text: str) -> list[tuple[str, str]]:
    """Split rules for players into one text per game, by id; a title ends in the game's id."""
    titles = list(TITLE.finditer(text))
    ends = [*(title.start() for title in titles[1:]), len(text)]
    return [
        (title["id"], f"# {title['title']}{text[title.end() : end]}")
        for title, end in zip(titles, ends, strict=True)
    ]


def language_of(place: str) -> str:
    found = re.search(r"\.(\w\w)\.md$", place)
    return found[1] if found else "en"


def address(place: str) -> str:
    """Return the address of a page on the site: `play/first.ja.md` is at `ja/play/first/`."""
    language = language_of(place)
    path = re.sub(r"(\.\w\w)?\.md$", "", place)
    path = re.sub(r"(^|/)index$", r"\1", path)
    return f"{'' if language == 'en' else f'{language}/'}{path.rstrip('/')}"


# Building --------------------------------------------------------------------------------------


def configured(text: str, docs: Path) -> str:
    """Return the configuration with all pages of a folder where it names `FOLDER/*`."""

    def listed(line: re.Match[str]) -> str:
        indent, name, folder = line.groups()
        pages = sorted(
            page for page in (docs / folder).glob("*.md") if language_of(page.name) == "en"
        )
        places = [f"{indent}    - {folder}/{page.name}" for page in pages]
        return "\n".join([f"{indent}- {name}:", *places])

    return FOLDER_IN_NAV.sub(listed, text)


def build(source: Path) -> None:
    """Run MkDocs, with warnings as errors."""
    folder = source / "build"
    text = (source / "mkdocs.yml").read_text("utf-8")
    (folder / "mkdocs.yml").write_text(configured(text, folder / "docs"), "utf-8")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--clean"]
    done = subprocess.run(
        command, cwd=folder, check=False, capture_output=True, text=True,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1", "DISABLE_MKDOCS_2_WARNING": "true"},
    )  # fmt: skip
    if done.returncode:
        raise Broken(f"mkdocs: status {done.returncode}\n{done.stdout}{done.stderr}")


def settle(site: Path) -> None:
    """Rewrite each page so that the server's policy allows it and any address can serve it.

    Inline scripts become files and inline styles classes. The menu of languages leads to the same
    page. A sitemap needs whole addresses, which a site for any server does not have.
    """
    folder = site / "assets" / "inline"
    folder.mkdir(parents=True, exist_ok=True)
    for pattern in ("*.map", "sitemap.xml*"):
        for file in site.rglob(pattern):
            file.unlink()
    for page in sorted(site.rglob("*.html")):
        text = page.read_text("utf-8")
        for script in set(INLINE_SCRIPT.findall(text)):
            name = f"{blake2b(script.encode(), digest_size=8).hexdigest()}.js"
            (folder / name).write_text(script, "utf-8")
            source = os.path.relpath(folder / name, page.parent)
            text = text.replace(f"<script>{script}</script>", f'<script src="{source}"></script>')
        text = ALIGNED.sub(r'class="\1"', text)
        root = os.path.relpath(site, page.parent)
        text = ALTERNATE.sub("", text)
        text = SWITCH.sub(partial(switched, site, page), text)
        text = text.replace(f'"{SITE}', f'"{root}/')
        page.write_text(text, "utf-8")


def switched(site: Path, page: Path, link: re.Match[str]) -> str:
    """Return a link of the menu of languages that leads to the same page, or else to the first."""
    place = page.parent.relative_to(site)
    if place.parts[:1] and place.parts[0] in LANGUAGES:
        place = place.relative_to(place.parts[0])
    same = site / link[1] / place
    target = same if (same / "index.html").is_file() else site / link[1]
    return f'href="{os.path.relpath(target, page.parent)}/" hreflang'


# Checking --------------------------------------------------------------------------------------


class Reader(HTMLParser):
    """Collects a page's anchors, its links, and everything that the server's policy forbids."""

    def __init__(self) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.assets: list[str] = []
        self.forbidden: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        named = {name: value or "" for name, value in attributes}
        self.anchors |= {named[name] for name in ("id", "name") if name in named}
        if tag == "script" and "src" not in named and named.get("type") != "application/json":
            self.forbidden.append("an inline script")
        self.forbidden += [f"{name} of <{tag}>" for name in named if name.startswith("on")]
        if named.get("rel") == "alternate":
            self.forbidden.append("an alternate, for which the theme asks for a sitemap")
        if tag == "style" or "style" in named:
            self.forbidden.append(f"an inline style ({tag})")
        if tag == "a" and "href" in named:
            self.links.append(named["href"])
        elif "href" in named and named.get("rel") != "canonical":
            self.assets.append(named["href"])
        if "src" in named:
            self.assets.append(named["src"])


def read(page: Path) -> Reader:
    reader = Reader()
    reader.feed(page.read_text("utf-8"))
    return reader


def faults(site: Path) -> Iterator[str]:
    """Yield every broken link, and everything that comes from another host."""
    readers = {page: read(page) for page in sorted(site.rglob("*.html"))}
    for page, reader in readers.items():
        where = page.relative_to(site).as_posix()
        if where == "404.html":
            continue  # its links begin at the site's root, wherever that is
        yield from (f"{where}: {what}" for what in sorted(set(reader.forbidden)))
        for link in [*reader.links, *reader.assets]:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                if link in reader.assets:
                    yield f"{where}: {link}: an outside host"
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            target = target / "index.html" if target.is_dir() else target
            if not target.is_file():
                yield f"{where}: {link}: no such page or file"
            elif parts.fragment and target in readers:
                anchors = readers[target].anchors
                yield from nowhere(f"{where}: {link}", unquote(parts.fragment), anchors)


def nowhere(link: str, anchor: str, anchors: set[str]) -> Iterator[str]:
    if anchor not in anchors:
        yield f"{link}: no such heading"


def make(source: Path) -> Path:
    """Gather, build and check; return the folder of the site."""
    began = time.monotonic()
    Gathering(source, source / "build" / "docs").gather()
    build(source)
    site = source / "build" / "site"
    settle(site)
    found = list(faults(site.resolve()))
    if found:
        raise Broken("\n".join(found))
    pages = len(list(site.rglob("*.html")))
    files = [path for path in site.rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files) / 1e6
    seconds = time.monotonic() - began
    print(f"{site}: {pages} pages, {len(files)} files, {size:.1f} MB, in {seconds:.1f} s")
    return site


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Build the documentation as a site.")
    parser.add_argument("--source", type=Path, default=ROOT, help="a checkout (default: this one)")
    parser.add_argument(
        "--no-package", action="store_true", help=f"do not copy the site to {PACKAGED}"
    )
    chosen = parser.parse_args(arguments)
    try:
        site = make(chosen.source.resolve())
    except Broken as fault:
        print(f"docs_site: {fault}", file=sys.stderr)
        return 1
    if not chosen.no_package:
        packaged = chosen.source / PACKAGED
        shutil.rmtree(packaged, ignore_errors=True)
        shutil.copytree(site, packaged)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
