"""The files that a forge reads: issue forms, the citation, and where to report a vulnerability."""

from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped,unused-ignore]

import zashiki

ROOT = Path(__file__).resolve().parent.parent
FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
KINDS = {"markdown", "input", "textarea", "dropdown", "checkboxes"}


def parsed(path: Path) -> dict[str, Any]:
    read: dict[str, Any] = yaml.safe_load(path.read_text("utf-8"))
    return read


@pytest.mark.parametrize(
    "form", [path for path in FORMS if path.stem != "config"], ids=lambda path: path.stem
)
def test_an_issue_form_is_one_that_a_forge_can_show(form: Path) -> None:
    shown = parsed(form)
    assert shown.keys() >= {"name", "description", "body"}
    fields = [part for part in shown["body"] if part["type"] != "markdown"]
    assert {part["type"] for part in shown["body"]} <= KINDS
    assert len({part["id"] for part in fields}) == len(fields) > 0
    assert all(part["attributes"]["label"] for part in fields)
    assert any(part.get("validations", {}).get("required") for part in fields)


def test_the_form_for_rules_offers_every_game() -> None:
    (games,) = (part for part in parsed(FORMS[-1])["body"] if part.get("id") == "game")
    titles = {spec.title for spec in zashiki.games().values()}
    assert set(games["attributes"]["options"]) == titles


def test_the_citation_has_what_its_format_requires() -> None:
    citation = parsed(ROOT / "CITATION.cff")
    assert citation.keys() >= {"cff-version", "message", "title", "authors", "version", "license"}
    assert all(author["name"] for author in citation["authors"])


def test_a_report_has_a_private_way_and_no_invented_address() -> None:
    for name in ("SECURITY.md", "CODE_OF_CONDUCT.md"):
        text = (ROOT / name).read_text("utf-8")
        assert "Report a vulnerability" in text
        assert "@" not in text
