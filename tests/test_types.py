"""mypy --strict rejects what would leak: each line marked `# E: …` is an error, no other is."""

import re
from pathlib import Path

import pytest
from mypy import api

REJECTED = Path(__file__).parent / "types" / "rejected"
ROOT = Path(__file__).parents[1]
EXPECTED = re.compile(r"# E: (?P<text>.+)$")
FOUND = re.compile(r"^[^:]+\.py:(?P<line>\d+): error: (?P<text>.+)$", re.MULTILINE)


@pytest.mark.parametrize("name", sorted(path.name for path in REJECTED.glob("*.py")))
def test_mypy_rejects(name: str, tmp_path: Path) -> None:
    source = (REJECTED / name).read_text("utf-8")
    lines = enumerate(source.splitlines(), 1)
    expected = {number: match["text"] for number, line in lines if (match := EXPECTED.search(line))}
    assert expected
    arguments = ["--strict", "--config-file", str(ROOT / "pyproject.toml"), "--cache-dir"]
    output, errors, _ = api.run([*arguments, str(tmp_path), "--no-pretty", str(REJECTED / name)])
    assert not errors
    found = [(int(match["line"]), match["text"]) for match in FOUND.finditer(output)]
    assert {number for number, _ in found} == set(expected), output
    for number, text in expected.items():
        assert any(line == number and text in error for line, error in found), output
