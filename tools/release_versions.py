"""Check that all files and the tag name the same version.

    python -m tools.release_versions [--tag v0.1.0]

Status 1: they differ, or the changelog has no section for it; a line on stderr says which.
"""

import argparse
import json
import re
import sys
import tomllib
from pathlib import Path

from tools.release_notes import BadChangelog, section

ROOT = Path(__file__).resolve().parent.parent


class Differ(Exception):
    """The versions differ."""


def versions(root: Path) -> dict[str, str]:
    """Return the version that each file names."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    lock = json.loads((root / "package-lock.json").read_text("utf-8"))
    citation = re.search(
        r"^version: (\S+)$", (root / "CITATION.cff").read_text("utf-8"), re.MULTILINE
    )
    return {
        "CITATION.cff": citation[1] if citation else "nothing",
        "pyproject.toml": project["project"]["version"],
        "package.json": json.loads((root / "package.json").read_text("utf-8"))["version"],
        "package-lock.json": lock["version"],
        "package-lock.json, the project itself": lock["packages"][""]["version"],
    }


def check(root: Path, tag: str | None) -> str:
    """Return the version that all files name. With a tag, the changelog must have its date."""
    named = versions(root)
    if tag is not None:
        named[f"the tag {tag}"] = tag.removeprefix("v")
    if len(set(named.values())) != 1:
        raise Differ("; ".join(f"{place} says {version}" for place, version in named.items()))
    version = named["pyproject.toml"]
    try:
        found = section((root / "CHANGELOG.md").read_text("utf-8"), version)
    except BadChangelog as fault:
        raise Differ(f"CHANGELOG.md: {fault}") from None
    if tag is not None and found.released is None:
        raise Differ(f"CHANGELOG.md: expected a date for {version}, found unreleased")
    return version


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Check that all files name one version.")
    parser.add_argument("--tag", help="the tag of the release, for example v0.1.0")
    try:
        print(check(ROOT, parser.parse_args(arguments).tag))
    except Differ as fault:
        print(f"release_versions.py: {fault}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
