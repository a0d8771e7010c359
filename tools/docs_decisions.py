"""Write docs/decisions/README.md: a table of all decisions with their results.

    python -m tools.docs_decisions

The first line of a decision is its number and title. A line `**Result:** …` says what was chosen.
"""

import re
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "decisions"
HEAD = """\
<!-- Written by tools/docs_decisions.py: change the decisions instead. -->

# Decisions

Choices that somebody may want to undo one day: the context, the choice, and what it costs. A later
decision can replace one; nothing else changes it.

| | decision | result |
|---|---|---|
"""


def row(path: Path) -> str:
    """Return the row of a decision. A file without a title or a result is an error."""
    text = path.read_text("utf-8")
    title = re.match(r"# (\d{4}) +(.+)\n", text)
    result = re.search(r"^\*\*Result:\*\* (.+?)\n\n", text, re.MULTILINE | re.DOTALL)
    if title is None or result is None:
        raise ValueError(f"{path.name}: expected '# NNNN Title' and a line '**Result:** …'")
    said = " ".join(result[1].split())
    return f"| {title[1]} | [{title[2].strip()}]({path.name}) | {said} |\n"


def page() -> str:
    return HEAD + "".join(map(row, sorted(FOLDER.glob("0*.md"))))


if __name__ == "__main__":
    (FOLDER / "README.md").write_text(page(), encoding="utf-8", newline="\n")
