"""The examples in the documentation run, and everything that it names exists.

Each check is a function from a page to its faults, and is itself tested with a faulty page. A page
is read in order: its Python blocks share one namespace, and its commands share one folder, which
has the files that its Python has written. The blocks are:

- a block of Python with `>>>` is a doctest, another is executed, and a block of `text` right after
  it is what it prints;
- a block whose first line is a comment naming a file (`# src/zashiki/core/dice.py`) quotes it, and
  one that begins `# save as tidy.py` becomes a file of the folder;
- a line `$ zashiki …` is run by the real command line, in this process; the lines below it are its
  output.

In output `…` means any text, and on a line of its own any number of lines.
"""

import doctest
import io
import re
import shlex
from collections.abc import Callable, Iterator
from contextlib import chdir, redirect_stdout
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from pkgutil import resolve_name
from types import ModuleType

import pytest

import zashiki
from tests.commands import Done, run_cli
from tools import docs_decisions
from tools.check_files import project_files
from zashiki.cli import COMMANDS
from zashiki.core.spec import GameSpec
from zashiki.core.wording import Wording

ROOT = Path(__file__).resolve().parent.parent
INDEX = ROOT / "docs" / "README.md"
BASES = (
    "",
    "src",
    "src/zashiki",
    "src/zashiki/server",
    "src/zashiki/games/kamiza",
    "examples/goofspiel",
)
"""Folders in which a path in prose may begin, beside the page's own folder and its subject."""
MADE_LATER = ("build/", ".venv", "dist/")
"""Files that a target of the Makefile creates, and git does not keep."""
SEARCHED = (".ci", "benchmarks", "docs", "examples", "requirements", "src", "tests", "tools")

FENCE = re.compile(r"^```(?P<language>\w*)\n(?P<content>.*?)^```$", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
LINK = re.compile(r"\[(?:[^\]\[]|\[[^\]]*\])*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ +(.+?)\s*$", re.MULTILINE)
QUOTED = re.compile(r"# ((?:[\w.-]+/)*[\w.-]+\.(?:py|toml|md))\n")
SAVED = re.compile(r"# save as ([\w-]+\.py)\n")
MAKE = re.compile(r"(?:^|[`\s])make((?: +[a-z][a-z-]*)+)", re.MULTILINE)
COMMAND = re.compile(
    r"(?:^|[`$\s])zashiki +([a-z]+(?:-[a-z]+)*(?:\|[a-z]+(?:-[a-z]+)*)*)", re.MULTILINE
)
PATH = re.compile(r"[\w.-]+(?:/[\w.-]+)*/?")
FILE = re.compile(r"[\w-][\w.-]*\.(?:py|md|toml|sh|txt|in)")
CALL = re.compile(r"(?:\w+\.)*([A-Za-z_]\w*)\([^()]*\)")
DOTTED = re.compile(r"zashiki(?:\.[A-Za-z_]\w*)+")
RULING = re.compile(r"\b(?:K1|K2|RT|RB|GS|Z) \d+(?:\.\d+[a-z]?)?\b")

Check = Callable[["Page"], Iterator[str]]


@dataclass(frozen=True)
class Block:
    """A fenced block, and the line of the page on which its content begins."""

    language: str
    content: str
    line: int
    follows: bool
    """True if it directly follows another block."""

    @property
    def is_python(self) -> bool:
        return self.language in ("python", "pycon")

    @property
    def quoted(self) -> str | None:
        """The file that it quotes."""
        found = QUOTED.match(self.content)
        return found[1] if found else None


@dataclass(frozen=True)
class Page:
    """A page of the documentation."""

    path: Path
    text: str

    def __str__(self) -> str:
        return self.path.relative_to(ROOT).as_posix()

    @cached_property
    def blocks(self) -> list[Block]:
        found = list(FENCE.finditer(self.text))
        ends = [0, *(block.end() for block in found)]
        return [
            Block(
                block["language"],
                block["content"],
                self.line(block.start("content")),
                bool(end) and not self.text[end : block.start()].strip(),
            )
            for end, block in zip(ends, found, strict=False)
        ]

    @cached_property
    def prose(self) -> str:
        """The page without its blocks, on the same lines."""
        return FENCE.sub(lambda block: "\n" * block[0].count("\n"), self.text)

    @cached_property
    def spans(self) -> list[str]:
        """The texts between backticks in the prose."""
        return SPAN.findall(self.prose)

    @cached_property
    def code(self) -> str:
        """All code: the blocks, and the spans of the prose."""
        contents = [block.content for block in self.blocks]
        return "\n".join([*contents, *(f"`{span}`" for span in self.spans)])

    def line(self, place: int) -> int:
        return self.text.count("\n", 0, place) + 1


def read(path: Path) -> Page:
    return Page(path, path.read_text("utf-8"))


def pages() -> list[Page]:
    names = ("README.md", "README.ja.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")
    roots = [ROOT / name for name in (*names, "CODE_OF_CONDUCT.md")]
    return [read(path) for path in [*roots, *sorted((ROOT / "docs").rglob("*.md"))]]


def is_like(shown: str, printed: str) -> bool:
    """Return whether this is the output shown, in which `…` means any text."""
    lines = [line.rstrip() for line in shown.strip("\n").splitlines()]
    pattern = "".join(
        r"(?:.*\n)*?" if line == "…" else r".*?".join(map(re.escape, line.split("…"))) + r"\n"
        for line in lines
    )
    said = "".join(f"{line.rstrip()}\n" for line in printed.strip("\n").splitlines())
    return re.fullmatch(pattern, said) is not None


# Examples that run -----------------------------------------------------------------------------


def faults_of_python(page: Page) -> Iterator[str]:
    """Run every block of Python that quotes no file, in order and in one namespace."""
    namespace: dict[str, object] = {"__name__": "__main__"}
    printed = ""
    for block in page.blocks:
        if block.language == "text" and block.follows and printed:
            if not is_like(block.content, printed):
                yield f"{page}:{block.line}: printed is {printed!r}"
        elif block.is_python and (saved := SAVED.match(block.content)):
            Path(saved[1]).write_text(block.content, "utf-8")
        elif block.is_python and not block.quoted:
            if ">>>" in block.content:
                yield from faults_of_doctest(page, block, namespace)
                continue
            printed, fault = executed(page, block, namespace)
            if fault:
                yield fault
            continue
        printed = ""


def faults_of_doctest(page: Page, block: Block, namespace: dict[str, object]) -> Iterator[str]:
    source = "\n" * (block.line - 1) + block.content
    examples = doctest.DocTestParser().get_doctest(source, namespace, str(page), str(page), 0)
    examples.globs = namespace  # get_doctest made a copy, and the next block needs these names
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
    output = io.StringIO()
    runner.run(examples, out=output.write, clear_globs=False)
    if not runner.tries:
        yield f"{page}:{block.line}: no example was found"
    if runner.failures:
        yield output.getvalue()


def executed(page: Page, block: Block, namespace: dict[str, object]) -> tuple[str, str]:
    """Run a block; return its output and its faults."""
    output = io.StringIO()
    source = "\n" * (block.line - 1) + block.content
    try:
        with redirect_stdout(output):
            exec(compile(source, str(page), "exec"), namespace)
    except Exception as error:
        return "", f"{page}:{block.line}: {type(error).__name__} was raised: {error}"
    return output.getvalue(), ""


def faults_of_quotations(page: Page) -> Iterator[str]:
    """Check that a block that names a file in its first line is a part of that file."""
    for block in page.blocks:
        if block.quoted is None:
            continue
        found = [path for path in places(page, block.quoted) if path.is_file()]
        wanted = block.content.splitlines()[1:]
        if not found:
            yield f"{page}:{block.line}: {block.quoted} is not there"
        elif not any(holds(path.read_text("utf-8").splitlines(), wanted) for path in found):
            yield f"{page}:{block.line}: {block.quoted} says something else"


def holds(lines: list[str], wanted: list[str]) -> bool:
    starts = range(len(lines) - len(wanted) + 1)
    return bool(wanted) and any(lines[at : at + len(wanted)] == wanted for at in starts)


@dataclass(frozen=True)
class Run:
    """A command of a page, and the output that is shown below it."""

    command: str
    shown: str
    line: int


def runs(page: Page) -> Iterator[Run]:
    for block in page.blocks:
        lines = block.content.splitlines()
        starts = [number for number, line in enumerate(lines) if line.startswith("$ ")]
        for start, end in zip(starts, [*starts[1:], len(lines)], strict=False):
            shown = "\n".join(lines[start + 1 : end])
            yield Run(lines[start][2:].strip(), shown, block.line + start)


def faults_of_commands(page: Page, folder: Path) -> Iterator[str]:
    """Run every `$ zashiki …`, one after the other in one folder; others are not run."""
    for run in runs(page):
        words = shlex.split(run.command.removesuffix("< /dev/null"), comments=True)
        if words[0] != "zashiki":
            continue
        done = zashiki_command(words[1:], folder)
        if done.returncode == 0 and done.stderr.strip() not in run.shown:
            yield f"{page}:{run.line}: {run.command}: {done.stderr}"
        if not run.shown and done.returncode:
            yield f"{page}:{run.line}: {run.command}: status {done.returncode}: {done.stderr}"
        said = (done.stdout + done.stderr, done.stderr + done.stdout)  # a warning comes first
        if run.shown and not any(is_like(run.shown, printed) for printed in said):
            yield f"{page}:{run.line}: {run.command} says\n{done.stdout}{done.stderr}"


def zashiki_command(words: list[str], folder: Path) -> Done:
    with pytest.MonkeyPatch.context() as patch, chdir(folder):
        patch.setenv("COLUMNS", "200")
        return run_cli(*words)


# Names -----------------------------------------------------------------------------------------


def faults_of_links(page: Page) -> Iterator[str]:
    """Check that relative links lead to a file, and to a heading in it."""
    for target in LINK.findall(SPAN.sub("", page.prose)):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        path = (page.path.parent / name).resolve() if name else page.path
        if name and not path.exists():
            yield f"{page}: the link {target} leads nowhere"
        elif anchor and anchor not in anchors(page if path == page.path else read(path)):
            yield f"{page}: {target}: no such heading"


def anchors(page: Page) -> set[str]:
    """Return the anchors of a page's headings, as a forge makes them."""
    found: set[str] = set()
    for heading in HEADING.findall(page.prose):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        plain = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        number = 0
        while (name := f"{plain}-{number}" if number else plain) in found:
            number += 1
        found.add(name)
    return found


def faults_of_spans(page: Page) -> Iterator[str]:
    """Check that no span is split across lines, because the other checks would miss it."""
    for number, line in enumerate(page.prose.splitlines(), 1):
        if line.count("`") % 2:
            yield f"{page}:{number}: a backtick without its fellow"


def faults_of_targets(page: Page) -> Iterator[str]:
    """Check that every `make …` in code names targets of the Makefile."""
    for words in MAKE.findall(page.code):
        for target in words.split():
            if target not in makefile_targets():
                yield f"{page}: make {target}: the Makefile has no such target"


@cache
def makefile_targets() -> frozenset[str]:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    return frozenset(re.findall(r"^([a-z][a-z-]*):(?!=)", makefile, re.MULTILINE))


def faults_of_subcommands(page: Page) -> Iterator[str]:
    """Check that every `zashiki …` in code names a command."""
    for words in COMMAND.findall(page.code):
        for name in words.split("|"):
            if name not in COMMANDS:
                yield f"{page}: zashiki {name}: there is no such command"


def faults_of_paths(page: Page) -> Iterator[str]:
    """Check that every span that looks like a file or folder of the project is one."""
    for span in page.spans:
        if "/" in span and PATH.fullmatch(span) and not span.startswith(MADE_LATER):
            is_there = any(path.exists() for path in places(page, span))
        elif FILE.fullmatch(span):
            is_there = span in file_names()
        else:
            continue
        if not is_there:
            yield f"{page}: {span} is not there"


def places(page: Page, name: str) -> list[Path]:
    """Return the places that a path on a page may refer to."""
    bases = [ROOT / base for base in BASES]
    return [base / name for base in [page.path.parent, *bases, bases[-1] / "goofspiel"]]


@cache
def file_names() -> frozenset[str]:
    inside = (path for folder in SEARCHED for path in (ROOT / folder).rglob("*"))
    return frozenset(path.name for path in (*ROOT.iterdir(), *inside) if path.is_file())


def faults_of_modules(page: Page) -> Iterator[str]:
    """Check that every dotted name that begins with zashiki can be imported."""
    for name in DOTTED.findall("\n".join(page.spans)):
        try:
            resolve_name(name)
        except (ImportError, AttributeError) as error:
            yield f"{page}: {name}: {error}"


def faults_of_calls(page: Page) -> Iterator[str]:
    """Check that every call in a span names a word of the code."""
    for span in page.spans:
        call = CALL.fullmatch(span)
        if call and call[1] not in words_of_code():
            yield f"{page}: {span}: the code has no {call[1]}"


@cache
def words_of_code() -> frozenset[str]:
    """Return every word of the programs: of functions, and of others that a page may call."""
    programs = ("src/zashiki", "examples", "tests", "tools", "web/src")
    files = {path for folder in programs for path in (ROOT / folder).rglob("*")}
    files.remove(Path(__file__).resolve())
    texts = (path.read_text("utf-8") for path in files if path.suffix in (".py", ".ts", ".svelte"))
    return frozenset(word for text in texts for word in re.findall(r"\w+", text))


def faults_of_rulings(page: Page) -> Iterator[str]:
    """Check that every cited rule is in the rules for players, or is one of every game's."""
    for ruling in sorted(set(RULING.findall(page.text)) - known_rulings()):
        yield f"{page}: {ruling}: no rule has this id"


@cache
def known_rulings() -> frozenset[str]:
    books = [
        path for folder in ("src", "examples") for path in (ROOT / folder).rglob("rules.en.md")
    ]
    text = "".join(path.read_text("utf-8") for path in books)
    chapters = re.findall(r"^## (\w+ \d+) ", text, re.MULTILINE)
    rules = re.findall(r"^- \*\*(\w+ [\d.]+[a-z]?)\*\*", text, re.MULTILINE)
    return frozenset([*chapters, *rules, "Z 1", "Z 2", "Z 3"])


def nothing_wrong(faults: Iterator[str]) -> None:
    found = list(faults)
    assert not found, "\n".join(found)


# Every page ------------------------------------------------------------------------------------


def name_of(check: Check) -> str:
    return check.__name__.removeprefix("faults_of_")


every_page = pytest.mark.parametrize("page", pages(), ids=str)
NAMES = [
    faults_of_spans,
    faults_of_links,
    faults_of_targets,
    faults_of_subcommands,
    faults_of_paths,
    faults_of_modules,
    faults_of_calls,
    faults_of_rulings,
    faults_of_quotations,
]


@pytest.mark.compiled
@every_page
def test_what_a_page_shows_runs(
    page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    nothing_wrong(faults_of_python(page))
    nothing_wrong(faults_of_commands(page, tmp_path))


@every_page
def test_what_is_named_is_there(page: Page) -> None:
    nothing_wrong(fault for check in NAMES for fault in check(page))


def test_links_lead_from_the_index_to_every_page() -> None:
    found, new = set(), {INDEX}
    while new:
        found |= new
        links = [(path, link) for path in new for link in LINK.findall(read(path).prose)]
        targets = {(path.parent / link.partition("#")[0]).resolve() for path, link in links}
        new = {path for path in targets if path.suffix == ".md" and path.is_file()} - found
    assert sorted(path.name for path in set(INDEX.parent.rglob("*.md")) - found) == []


def test_every_picture_is_small_and_shown_on_a_page() -> None:
    pictures = {path for path in (ROOT / "docs" / "pictures").iterdir() if path.is_file()}
    shown = {
        (page.path.parent / link).resolve() for page in pages() for link in LINK.findall(page.prose)
    }
    assert sorted(path.name for path in pictures - shown) == []
    for path in pictures:
        most = 1_500_000 if path.suffix == ".webp" else 300_000
        assert path.stat().st_size < most, path.name


def test_decisions_are_numbered_without_gaps() -> None:
    numbers = [path.name[:4] for path in sorted((ROOT / "docs" / "decisions").glob("0*.md"))]
    assert numbers == [f"{number:04}" for number in range(1, len(numbers) + 1)]


def test_the_table_of_decisions_is_as_generated() -> None:
    table = (docs_decisions.FOLDER / "README.md").read_text("utf-8")
    assert table == docs_decisions.page(), "expected the output of python -m tools.docs_decisions"


READMES = {"en": read(ROOT / "README.md"), "ja": read(ROOT / "README.ja.md")}
FIGURE = re.compile(r"\*\*([\d.]+)[^*]*\*\*")
PRINTED_GAMES = [spec for spec in zashiki.games().values() if spec.credits is not None]
in_each_language = pytest.mark.parametrize("language", READMES)


@in_each_language
def test_the_readme_is_short_and_has_a_program_a_bot_and_all_commands(language: str) -> None:
    readme = READMES[language]
    assert len(readme.text.splitlines()) <= 100
    program, bot = (block.content for block in readme.blocks if block.is_python)
    assert len(program.splitlines()) <= 12
    assert SAVED.match(bot)
    assert sum(bool(line.strip()) for line in bot.splitlines()[1:]) <= 8
    arena = [run for run in runs(readme) if run.command.startswith("zashiki arena ")]
    assert len(arena) == 1
    assert "\nTidy " in arena[0].shown
    for name in COMMANDS:
        assert f"zashiki {name}" in readme.text


@pytest.mark.parametrize("spec", PRINTED_GAMES, ids=lambda spec: spec.id)
@in_each_language
def test_the_readme_names_a_game_as_its_data_do(language: str, spec: GameSpec) -> None:
    wording = Wording(spec, language)
    found = [
        line for line in READMES[language].text.splitlines() if f"[{wording.title()}](" in line
    ]
    assert len(found) == 1
    about, _, credits = found[0].partition("<br>")
    assert spec.credits is not None
    website = [f"<{spec.credits.website}>"] if spec.credits.website else []
    assert credits.split(" · ") == [*wording.credits(), *website]
    assert about.endswith(wording.summary())
    assert all(str(count) in about for count in (min(spec.seats), max(spec.seats), spec.minutes))


def proofs(readme: Page) -> list[tuple[list[str], list[str]]]:
    """Return of each row of the table of proofs its figures and its links."""
    rows = [line for line in readme.text.splitlines() if line.startswith("| ")]
    found = [(FIGURE.findall(row), LINK.findall(row)) for row in rows]
    return [(figures, links) for figures, links in found if figures]


def test_a_proof_of_the_readme_is_on_the_page_that_it_links_to() -> None:
    found = proofs(READMES["en"])
    assert len(found) >= 7
    for figures, links in found:
        page = read(ROOT / links[0].partition("#")[0])
        if page.path.suffix == ".md":
            assert all(figure in page.text for figure in figures), links


def test_both_readmes_say_the_same() -> None:
    english, japanese = READMES["en"], READMES["ja"]
    assert len(english.blocks) == len(japanese.blocks)
    for block, other in zip(english.blocks, japanese.blocks, strict=True):
        assert without_comments(block) == without_comments(other)
    headings = [HEADING.findall(readme.prose) for readme in (english, japanese)]
    assert len(headings[0]) == len(headings[1])
    links = [sorted(translated(readme)) for readme in (english, japanese)]
    assert links[0] == links[1]
    measured = [
        [row for row in proofs(readme) if row[1][0].startswith("benchmarks/")]
        for readme in (english, japanese)
    ]
    assert measured[0] == measured[1]
    assert len(measured[0]) == 4


def without_comments(block: Block) -> list[str]:
    return [re.sub(r" +# (?!save as).*", "", line) for line in block.content.splitlines()]


TRANSLATED = sorted(
    path.with_name(path.name.replace(".ja.md", ".md"))
    for part in ("play", "host", "design")
    for path in (ROOT / "docs" / part).glob("*.ja.md")
)
HOST = [path for path in TRANSLATED if path.parent.name == "host"]
PARTS = {"headings": r"^#+ ", "rows": r"^\|", "items": r"^(?:- |\d+\. )"}
WHOLE_COMMENT = re.compile(r"^# .*")


def in_japanese(path: Path) -> Path:
    return path.with_name(path.name.replace(".md", ".ja.md"))


def path_name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", TRANSLATED, ids=path_name)
def test_a_page_in_japanese_has_every_part_of_the_english_one(path: Path) -> None:
    english, japanese = read(path), read(in_japanese(path))
    for name, pattern in PARTS.items():
        counts = [
            len(re.findall(pattern, page.prose, re.MULTILINE)) for page in (english, japanese)
        ]
        assert counts[0] == counts[1], name


@pytest.mark.parametrize("path", HOST, ids=path_name)
def test_a_page_for_hosts_has_the_same_commands_in_both_languages(path: Path) -> None:
    english, japanese = (
        [[WHOLE_COMMENT.sub("", line) for line in without_comments(block)] for block in page.blocks]
        for page in (read(path), read(in_japanese(path)))
    )
    assert english == japanese


def translated(readme: Page) -> Iterator[str]:
    """Yield the links of a page; the Japanese version of a file counts as the file."""
    for link in LINK.findall(readme.prose):
        yield re.sub(r"\.(en|ja)\.md$", ".md", link)


def generator() -> ModuleType:
    spec = spec_from_file_location("generate", ROOT / "docs" / "reference" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_reference_is_as_generated() -> None:
    folder = ROOT / "docs" / "reference"
    made: dict[str, str] = generator().pages()
    assert {path.name for path in folder.glob("*.md")} == {name for name in made if "/" not in name}
    for name, text in made.items():
        there = (folder / name).read_text("utf-8")
        assert there == text, f"{name} is not current: python docs/reference/generate.py"


def test_the_reference_has_every_command_and_every_variable() -> None:
    pages = generator().pages()
    for name in COMMANDS:
        assert f"## zashiki {name}\n" in pages["cli.md"]
    used: set[str] = set()
    for file in project_files():
        if file.suffix in {".py", ".ts", ".sh", ".yml", ".yaml", ".toml", ".service", ".example"}:
            used |= set(re.findall(r"\bZASHIKI_[A-Z_]+\b", file.read_text("utf-8")))
    assert len(used) >= 12
    listed = set(re.findall(r"\bZASHIKI_[A-Z_]+\b", pages["options.md"]))
    assert listed == used, "name it in docs/reference/generate.py"
    example = (ROOT / "deploy" / ".env.example").read_text("utf-8")
    assert set(re.findall(r"^(\w+)=", example, re.MULTILINE)) == {
        name.strip("`") for name in generator().DEPLOYMENT
    }


# Every check can fail --------------------------------------------------------------------------


def some_page(text: str) -> Page:
    return Page(ROOT / "docs" / "some.md", text)


def label(part: Check | str) -> str:
    return repr(part) if isinstance(part, str) else name_of(part)


WRONG: list[tuple[Check, str]] = [
    (faults_of_python, "```python\n1 / 0\n```\n"),
    (faults_of_python, "```python\nif\n```\n"),
    (faults_of_python, "```python\nprint(1)\n```\n\n```text\n2\n```\n"),
    (faults_of_python, "```pycon\n>>> 1 + 1\n3\n\n```\n"),
    (faults_of_python, "```python\nx = 1\n```\n```pycon\n>>> x\n2\n\n```\n"),
    (faults_of_quotations, "```python\n# src/zashiki/core/dice.py\nclass Cards:\n```\n"),
    (faults_of_quotations, "```python\n# src/zashiki/core/cards.py\nclass Cards:\n```\n"),
    (faults_of_spans, "`src/\nzashiki`"),
    (faults_of_links, "[a](nowhere.md)"),
    (faults_of_links, "[a](README.md#nowhere)"),
    (faults_of_links, "# Here\n\n[a](#there)"),
    (faults_of_targets, "`make tea`"),
    (faults_of_targets, "```sh\nmake check tea\n```\n"),
    (faults_of_subcommands, "`zashiki dance`"),
    (faults_of_subcommands, "```console\n$ zashiki dance\n```\n"),
    (faults_of_paths, "`src/zashiki/nothing.py`"),
    (faults_of_paths, "`docs/nothing/`"),
    (faults_of_paths, "`nothing.toml`"),
    (faults_of_modules, "`zashiki.nothing`"),
    (faults_of_modules, "`zashiki.core.dice.Cards`"),
    (faults_of_calls, "`somersault(game, entries)`"),
    (faults_of_calls, "`match.somersault()`"),
    (faults_of_rulings, "by K2 9.9"),
    (faults_of_rulings, "by RT 9.9"),
    (faults_of_rulings, "by RB 9.9"),
    (faults_of_rulings, "by RB 2.4d"),
]

RIGHT: list[tuple[Check, str]] = [
    (faults_of_python, "```python\nx = 1\nprint(x)\n```\n\n```text\n…\n```\n"),
    (faults_of_python, "```python\nx = 1\n```\n```pycon\n>>> x\n1\n\n```\n"),
    (faults_of_python, "```python\n# src/zashiki/core/dice.py\nclass Nothing(\n```\n"),
    (faults_of_quotations, "```python\n# src/zashiki/core/dice.py\nclass Dice(Chance):\n```\n"),
    (faults_of_links, "# Here, again\n\n[a](#here-again) [b](README.md) `[c](d)`"),
    (faults_of_targets, "`make test`, and make tea"),
    (faults_of_subcommands, "`zashiki play|replay`, as zashiki does"),
    (faults_of_paths, "`core/dice.py` `dice.py` `1/2 of it` `games/<game>/`"),
    (faults_of_modules, "`zashiki.start` `zashiki.core.dice.Dice`"),
    (faults_of_calls, "`match_stats(game, entries)` `match.copy()` `SELECT f(x)`"),
    (faults_of_rulings, "K2 3.5, K1 3, RT 2.10, RB 2.4, RB 2.4a, GS 2.6 and Z 3"),
]


@pytest.mark.parametrize(("check", "text"), WRONG, ids=label)
def test_a_check_finds_what_is_wrong(check: Check, text: str) -> None:
    assert list(check(some_page(text)))


@pytest.mark.parametrize(("check", "text"), RIGHT, ids=label)
def test_a_check_leaves_what_is_right(check: Check, text: str) -> None:
    nothing_wrong(check(some_page(text)))


@pytest.mark.parametrize("shown", ["zashiki 9.9.9", "zashiki …\n…\nand more"])
def test_a_wrong_output_of_a_command_is_found(shown: str, tmp_path: Path) -> None:
    page = some_page(f"```console\n$ zashiki --version\n{shown}\n```\n")
    assert list(faults_of_commands(page, tmp_path))


def test_a_warning_of_a_command_is_found_unless_it_is_shown(tmp_path: Path) -> None:
    odd = (ROOT / "src/zashiki/games/kingdoms/cards/reconstructed.toml").read_text("utf-8")
    odd = odd.replace('"reconstructed"', '"odd"')
    odd = odd.replace("blue_funds = 3", "blue_funds = 0")
    (tmp_path / "odd.toml").write_text(odd, "utf-8")
    command = "$ zashiki simulate kingdoms --bots random --options card_set=odd.toml --matches 2"
    assert list(faults_of_commands(some_page(f"```console\n{command}\n…\n```\n"), tmp_path))
    warning = (
        "odd.toml: warning: All areas together pay 7 to Red and 5 to Blue: Blue should get more."
    )
    page = some_page(f"```console\n{command}\n{warning}\n…\n```\n")
    nothing_wrong(faults_of_commands(page, tmp_path))


def test_a_command_that_fails_is_found_unless_it_is_shown_to(tmp_path: Path) -> None:
    fails = "```console\n$ zashiki verify nothing.jsonl\n"
    assert list(faults_of_commands(some_page(f"{fails}```\n"), tmp_path))
    nothing_wrong(
        faults_of_commands(some_page(f"{fails}zashiki: nothing.jsonl: …\n```\n"), tmp_path)
    )


def test_a_block_that_is_saved_is_a_file_of_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    nothing_wrong(faults_of_python(some_page("```python\n# save as some.py\n1 / 0\n```\n")))
    assert (tmp_path / "some.py").read_text("utf-8") == "# save as some.py\n1 / 0\n"


def test_the_right_output_of_a_command_is_accepted(tmp_path: Path) -> None:
    page = some_page("```console\n$ zashiki games\nid …\n…\nkamiza-second  …\n…\n```\n")
    nothing_wrong(faults_of_commands(page, tmp_path))
    assert zashiki.games()


@pytest.mark.parametrize(
    ("shown", "printed", "expected"),
    [
        ("a\n…\nc", "a\nb\nb\nc\n", True),
        ("a\n…\nc", "a\nc\n", True),
        ("a … c", "a b c", True),
        ("a … c", "a b\nc", False),
        ("a\n…", "b\n", False),
        ("a", "a\nb", False),
        ("a.c", "abc", False),
    ],
)
def test_an_elision_stands_for_anything(shown: str, printed: str, expected: bool) -> None:
    assert is_like(shown, printed) is expected
