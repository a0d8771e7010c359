"""Rules in Markdown, typeset on a terminal and as plain text in a pipe."""

import re

from rich.console import Console

PICTURE = re.compile(r"!\[([^\]]*)\]\([^)]*\)")
MARKED = re.compile(r"\*\*(.+?)\*\*|\*(\S.*?)\*|`(.+?)`")


def print_markdown(console: Console, markdown: str) -> None:
    """Print a text in Markdown. A picture is its description."""
    markdown = PICTURE.sub(r"\1", markdown)
    if not console.is_terminal:
        console.print(plain_text(markdown))
        return
    from rich.markdown import Markdown  # here: it takes longer to import than all else together

    console.print(Markdown(markdown))


def plain_text(markdown: str) -> str:
    """Remove emphasis, code marks and heading marks, and join each rule into one line."""
    text = re.sub(r"(?<=\S)\n +(?=\S)", " ", markdown)
    text = re.sub(r"^#+ ", "", text, flags=re.MULTILINE)
    return MARKED.sub(lambda match: match[match.lastindex or 0], text)
