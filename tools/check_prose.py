"""Check the English of documentation, docstrings, comments, help texts and errors.

Each rule is a pattern for a habit that makes readers parse a sentence twice; CONTRIBUTING.md says
what to write instead. `python -m tools.check_prose PATH ...` lists the findings in some files, and
`--counts` prints how many each folder has.
"""

import ast
import io
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from tools.check_files import ROOT, project_files

ALLOWED = {
    "docs": 50,
}
"""The most findings that a folder may have until it is rewritten. Every other folder has none."""

EXCEPTIONS = {
    "Write *not a*, *if*, *again*, *continue* and *is*, where older texts had *no*, *where*, "
    "*anew*, *go on*, *stands*.": "the rule itself, which names the words to avoid",
}
"""Sentences that a rule matches although they are good English, each with the reason."""

SKIPPED = {
    "docs/reference/": "generated from the code, where the findings belong",
    "web/src/shared/wire.ts": "generated from the server's structs",
    "tests/test_prose.py": "the examples that the rules must find",
}
"""Files that are not read, by the beginning of their path, each with the reason."""


class Passage(NamedTuple):
    """A text in a file, its line and its kind: docstring, comment, help, string or page."""

    kind: str
    line: int
    text: str


class Rule(NamedTuple):
    """A habit to avoid: a pattern, the kinds of passages it applies to, and what to write."""

    pattern: re.Pattern[str]
    kinds: frozenset[str]
    advice: str


PROSE = frozenset({"docstring", "comment", "help", "page"})
UNITS = (
    "address|bot|chair|core|day|decision|game|hour|line|machine|match|minute|month|move|page|"
    "person|player|process|request|row|seat|server|step|table|turn|week|worker|year|"
    r"second(?! \w*(ment|ing|time|tab)\b)"
)
NOT_COUNTED = "as|at|by|for|from|gets|has|in|is|of|on|owes|takes|that|to|was|where|who|with"
AMOUNT = rf"(?<![\w.])(\d+([,.]\d+)*|[Oo]ne)( (?!({NOT_COUNTED})\b)[a-zµ%]+)?"
GOOD_AFTER_STANDS = "for|in for|up|out|down|by|between|still|open|alone|ready|idle"
RULES = (
    Rule(
        re.compile(r"^(Who|Whom|Whose|What|Where)\b(?! possible| necessary| needed)[^?]*$"),
        PROSE - {"page"},
        "name the actor or the thing: 'Anyone who ...', 'The cards that ...', 'If ...'",
    ),
    Rule(  # on a page a heading, a cell or the text of a link may begin so; a sentence may not
        re.compile(r"^(Who|Whom|Whose|What|Where)\b(?! possible| necessary| needed)[^?]*[.;:]$"),
        frozenset({"page"}),
        "name the actor or the thing: 'Anyone who ...', 'The cards that ...', 'If ...'",
    ),
    Rule(
        re.compile(r"\?$"),
        frozenset({"docstring"}),
        "state what is returned or changed instead of asking",
    ),
    Rule(
        re.compile(r"\bso (many|much|long|often|far)\b", re.IGNORECASE),
        frozenset({"help"}),
        "give a noun, its unit and the default: 'seconds per move (default: 30)'",
    ),
    Rule(
        re.compile(r"\b(is|are) expected\b(?! to\b| that\b)"),
        frozenset({"help", "string"}),
        "say 'expected X, found Y', and what to do",
    ),
    Rule(
        re.compile(rf"{AMOUNT} an? ({UNITS})\b"),
        PROSE | {"string"},
        "'per', not 'a': '600 per minute'",
    ),
    Rule(
        re.compile(
            r"(?<!\bthere )(?<!\bThere )(?<!\bHere )\b(is|are|was|were) no\b"
            r"(?!-| longer| more| less| fewer| better| worse| different| other than|[.,;:)]|$)"
        ),
        PROSE | {"string"},
        '"is not a", "does not" instead of "is no"',
    ),
    Rule(re.compile(r"\banew\b", re.IGNORECASE), PROSE | {"string"}, '"again", not "anew"'),
    Rule(
        re.compile(
            r"\b(go|goes|gone|went|going) on\b"
            r"(?=[.,;:)]|$| (after|as|at|by|for|from|if|in|until|when|where|while|with|without)\b)"
        ),
        PROSE | {"string"},
        "'continue', 'resume' or 'last', not 'go on'",
    ),
    Rule(
        re.compile(rf"\bst(ands|ood)\b(?! ({GOOD_AFTER_STANDS})\b)"),
        PROSE | {"string"},
        '"is", not "stands"',
    ),
)
SENTENCE_END = re.compile(r"(?<=[.!?;])[*_)]*\s+(?=[*_(]*[A-Z`'\"])")
CODE = re.compile(r"``[^`]*``|`[^`]*`|\"[^\"\n]*\"|“[^”]*”")


def python_passages(source: str) -> Iterator[Passage]:
    """Yield docstrings (attributes' too), help texts, other strings with words, and comments."""
    docstrings = set()
    helps = set()
    tree = ast.parse(source)
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant(value=str())):
                docstrings.add(node.value)
            case ast.keyword(arg="help" | "description" | "epilog" | "summary"):
                helps.add(node.value)
    for kind, node in strings(tree, docstrings, helps):
        yield from (Passage(kind, node.lineno, text) for text in paragraphs(words_of(node)))
    yield from comments(source)


def strings(
    tree: ast.AST, docstrings: set[ast.expr], helps: set[ast.expr]
) -> Iterator[tuple[str, ast.expr]]:
    """Yield every string of a module and its kind; an f-string is one string."""
    inside_help = {inner for outer in helps for inner in ast.walk(outer)}
    inside_f_string: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            inside_f_string.update(inner for inner in ast.walk(node) if inner is not node)
        elif not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
            continue
        if node not in inside_f_string:
            is_help = node in inside_help
            yield "docstring" if node in docstrings else "help" if is_help else "string", node


def words_of(node: ast.expr) -> str:
    """Return the text of a string; a formatted value in it counts as one word."""
    if isinstance(node, ast.JoinedStr):
        return "".join(
            str(part.value) if isinstance(part, ast.Constant) else "X" for part in node.values
        )
    return str(node.value) if isinstance(node, ast.Constant) else ""


def comments(source: str) -> Iterator[Passage]:
    """Yield the comments of a Python module; neighbouring lines are one comment."""
    block: list[str] = []
    first = last = 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type != tokenize.COMMENT:
            continue
        line, text = token.start[0], token.string.lstrip("#! ")
        if text.endswith("----"):
            continue  # a divider, which is a heading
        if block and line != last + 1:
            yield Passage("comment", first, " ".join(block))
            block = []
        first = line if not block else first
        last = line
        block.append(text)
    if block:
        yield Passage("comment", first, " ".join(block))


def markdown_passages(source: str) -> Iterator[Passage]:
    """Yield the paragraphs, list items and table cells of a page, without code and headings."""
    block: list[str] = []
    first = 0
    fenced = False
    for number, line in enumerate([*source.splitlines(), ""], start=1):
        text = line.strip()
        fenced ^= text.startswith(("```", "~~~"))
        is_prose = text and not fenced and not text.startswith(("#", "```", "~~~", "|", "<"))
        begins_item = re.match(r"([-*>]|\d+\.) ", text)
        if block and (not is_prose or begins_item):
            yield Passage("page", first, " ".join(block))
            block = []
        if is_prose:
            first = number if not block else first
            block.append(re.sub(r"^([-*>]|\d+\.) ", "", text))
        elif text.startswith("|") and not fenced:
            yield from (Passage("page", number, cell.strip()) for cell in text.split("|"))


def script_passages(source: str) -> Iterator[Passage]:
    """Yield the comments of TypeScript, JavaScript, Svelte and CSS."""
    pattern = r"/\*(.*?)\*/|<!--(.*?)-->|(?:^|(?<=\s))//[ \t](.*?)$"
    for found in re.finditer(pattern, source, re.DOTALL | re.MULTILINE):
        text = next(group for group in found.groups() if group is not None)
        line = source.count("\n", 0, found.start()) + 1
        cleaned = re.sub(r"\n\s*(\*|//)?\s*", " ", text.lstrip("*"))
        if not cleaned.endswith("----"):
            yield Passage("comment", line, cleaned.strip())


def makefile_passages(source: str) -> Iterator[Passage]:
    """Yield the help of targets, and comments."""
    for number, line in enumerate(source.splitlines(), start=1):
        if found := re.search(r"^[\w-]+:.*## (.*)$", line):
            yield Passage("help", number, found[1])
        elif found := re.search(r"^# (.*)$", line):
            yield Passage("comment", number, found[1])


READERS = {
    ".py": python_passages,
    ".md": markdown_passages,
    ".ts": script_passages,
    ".js": script_passages,
    ".svelte": script_passages,
    ".css": script_passages,
    "Makefile": makefile_passages,
}


def paragraphs(text: str) -> Iterator[str]:
    """Yield the paragraphs of a docstring or string, without doctests and indented blocks."""
    for paragraph in re.split(r"\n\s*\n", text):
        if not paragraph.lstrip().startswith(">>>"):
            yield " ".join(paragraph.split())


def sentences(text: str) -> list[str]:
    """Return the sentences of a paragraph. Code and quotations count as one word."""
    return SENTENCE_END.split(CODE.sub("X", text))


def findings(path: Path) -> Iterator[str]:
    """Yield a line for each sentence of a file that breaks a rule."""
    read = READERS[path.name if path.name in READERS else path.suffix]
    name = path.relative_to(ROOT)
    for passage in sorted(read(path.read_text("utf-8")), key=lambda passage: passage.line):
        for sentence in sentences(passage.text):
            plain = sentence.strip(" *_(")
            if plain not in EXCEPTIONS:
                for rule in RULES:
                    if passage.kind in rule.kinds and rule.pattern.search(plain):
                        yield f"{name}:{passage.line}: {plain}\n    {rule.advice}"


def folder_of(path: Path) -> str:
    """Return the folder under which findings are counted: the package, or the top folder."""
    parts = path.relative_to(ROOT).parts[:-1]
    return "/".join(parts[:3] if parts[:2] == ("src", "zashiki") else parts[:1]) or "."


def checked(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield the files that the check reads."""
    for path in paths:
        name = path.relative_to(ROOT).as_posix()
        if (path.suffix in READERS or path.name in READERS) and not name.startswith(tuple(SKIPPED)):
            yield path


def excess(found: dict[str, list[str]], allowed: dict[str, int]) -> Iterator[str]:
    """Yield the findings of each folder that has more than it may have, and their number."""
    for folder, lines in sorted(found.items()):
        most = allowed.get(folder, 0)
        if len(lines) > most:
            yield "\n".join(lines)
            yield f"{folder}: expected at most {most} findings, found {len(lines)}"


def main(arguments: list[str]) -> int:
    """Print what is too much; the exit status is 1 if there is anything."""
    named = [Path(argument).resolve() for argument in arguments if argument != "--counts"]
    found: dict[str, list[str]] = {}
    for path in checked(named or project_files()):
        found.setdefault(folder_of(path), []).extend(findings(path))
    if "--counts" in arguments:
        counts = Counter({folder: len(lines) for folder, lines in found.items()})
        print("\n".join(f'    "{folder}": {count},' for folder, count in sorted(counts.items())))
        return 0
    lines = list(excess(found, {} if named else ALLOWED))
    print("\n".join(lines) or "Prose: all as it should be.")
    return bool(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
