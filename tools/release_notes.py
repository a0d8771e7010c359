"""Print the notes of one version, taken out of CHANGELOG.md.

    python tools/release_notes.py 0.1.0
    python tools/release_notes.py 0.1.0 --released

With `--released` a section that is headed "unreleased" is an error: a tag needs a date.
"""

import argparse
import re
import sys
from dataclasses import dataclass
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CHANGELOG = ROOT / "CHANGELOG.md"
HEADING = re.compile(r"^## (?P<version>\d+\.\d+\.\d+\S*), (?P<when>\S+)$")
UNRELEASED = "unreleased"


class BadChangelog(Exception):
    """The changelog lacks what a release needs."""


@dataclass(frozen=True)
class Section:
    """The notes of one version."""

    version: str
    released: date | None
    """The date of the release; None if it is not released yet."""
    text: str


def sections(changelog: str) -> list[Section]:
    """Return the sections of the changelog, newest first as they are written."""
    found: list[Section] = []
    for block in re.split(r"^(?=## )", changelog, flags=re.MULTILINE)[1:]:
        heading, _, text = block.partition("\n")
        match = HEADING.match(heading)
        if match is None:
            raise BadChangelog(f"expected '## VERSION, DATE', found {heading!r}")
        found.append(Section(match["version"], day(match["when"]), text.strip()))
    return found


def day(text: str) -> date | None:
    """Read the date of a heading; None for "unreleased"."""
    if text == UNRELEASED:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise BadChangelog(f"expected a date (2026-01-31) or {UNRELEASED}, found {text}") from None


def section(changelog: str, version: str) -> Section:
    """Return the section of this version, which must have notes."""
    found = [one for one in sections(changelog) if one.version == version]
    if len(found) != 1:
        raise BadChangelog(f"expected one section for {version}, found {len(found)}")
    if not found[0].text:
        raise BadChangelog(f"expected notes for {version}, found an empty section")
    return found[0]


def main(arguments: list[str] | None = None) -> int:
    """Print the notes. Status 1: there are none; a line on stderr says why."""
    parser = argparse.ArgumentParser(description="Print the notes of one version.")
    parser.add_argument("version", help="for example 0.1.0, or the tag v0.1.0")
    parser.add_argument("--released", action="store_true", help="fail if the section has no date")
    given = parser.parse_args(arguments)
    try:
        found = section(CHANGELOG.read_text("utf-8"), given.version.removeprefix("v"))
        if given.released and found.released is None:
            raise BadChangelog(f"expected a date for {found.version}, found {UNRELEASED}")
    except BadChangelog as fault:
        print(f"release_notes.py: CHANGELOG.md: {fault}", file=sys.stderr)
        return 1
    print(found.text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
