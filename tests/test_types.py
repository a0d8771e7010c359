"""mypy --strict rejects leaks: each line marked `# E: …` is an error, no other is."""

import re
from pathlib import Path

from mypy import api

REJECTED = Path(__file__).parent / "types" / "rejected"
ROOT = Path(__file__).parents[1]
EXPECTED = re.compile(r"# E: (?P<text>.+)$")
FOUND = re.compile(r"^(?P<path>[^:]+\.py):(?P<line>\d+): error: (?P<text>.+)$", re.MULTILINE)

Place = tuple[str, int]
"""The name of a file and the number of a line."""


def expected_in(path: Path) -> dict[Place, str]:
    lines = enumerate(path.read_text("utf-8").splitlines(), 1)
    found = {(path.name, number): EXPECTED.search(line) for number, line in lines}
    return {place: match["text"] for place, match in found.items() if match}


def test_mypy_rejects_what_would_leak() -> None:
    """Check all files in one run, with the cache of `make check`: mypy reads the package once."""
    paths = sorted(REJECTED.glob("*.py"))
    expected: dict[Place, str] = {}
    for path in paths:
        assert expected_in(path), path
        expected |= expected_in(path)
    options = ["--strict", "--no-pretty", "--config-file", str(ROOT / "pyproject.toml")]
    cache = ["--cache-dir", str(ROOT / ".mypy_cache")]
    output, errors, _ = api.run([*options, *cache, *map(str, paths)])
    assert not errors
    found = [
        ((Path(match["path"]).name, int(match["line"])), match["text"])
        for match in FOUND.finditer(output)
    ]
    assert {place for place, _ in found} == set(expected), output
    for place, text in expected.items():
        assert any(where == place and text in error for where, error in found), output
