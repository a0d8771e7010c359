"""`make audit` checks every lock file, and does not take silence for good news."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from tools import audit
from tools.audit import ROOT, Verdict, judge_npm, judge_python, lock_files


def test_every_lock_file_is_asked_about() -> None:
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode != 0:
        pytest.skip("not a checkout")
    locks = {
        file
        for file in listed.stdout.splitlines()
        if file.endswith("package-lock.json")
        or (file.endswith(".txt") and "--hash=sha256" in (ROOT / file).read_text("utf-8"))
    }
    found = {file.relative_to(ROOT).as_posix() for files in lock_files() for file in files}
    assert found == locks
    assert {"package-lock.json", "benchmarks/boardgame/package-lock.json"} < found
    assert {"deploy/requirements/server.txt", "requirements/release.txt"} < found


PIP = {
    "dependencies": [
        {"name": "a", "version": "1", "vulns": []},
        {"name": "b", "version": "2", "vulns": [{"id": "PYSEC-1"}, {"id": "CVE-2"}]},
        {"name": "c", "skip_reason": "not found"},
    ]
}
NPM: dict[str, Any] = {"metadata": {"dependencies": {"total": 9}}, "vulnerabilities": {}}


def test_what_is_known_is_named() -> None:
    assert judge_python("x.txt", PIP) == Verdict("x.txt", 2, ("b 2 (PYSEC-1, CVE-2)",))
    assert judge_python("x.txt", PIP).status == 1
    bad = {**NPM, "vulnerabilities": {"left-pad": {"severity": "high"}}}
    assert str(judge_npm("l", bad)) == "l: VULNERABLE: left-pad (high)"
    good = judge_npm("l", NPM)
    assert (good.status, str(good)) == (0, "l: 9 packages, no known vulnerabilities")


@pytest.mark.parametrize("report", [{}, {"reason": "no route to host"}, {"message": "ENOTFOUND"}])
def test_silence_is_not_good_news(report: dict[str, Any]) -> None:
    for verdict in (judge_python("x.txt", report), judge_npm("l", report)):
        assert verdict.status == 2
        assert "NOT AUDITED" in str(verdict)


def test_a_tool_that_fails_gives_its_reason(tmp_path: Path) -> None:
    tool = tmp_path / "tool"
    tool.write_text("#!/bin/sh\necho 'a line' >&2\necho 'cannot reach it' >&2\nexit 1\n")
    tool.chmod(0o700)
    assert audit.ask([tool]) == {"reason": "cannot reach it"}
    assert "No such file" in audit.ask([tmp_path / "none"])["reason"]


def test_the_worst_verdict_is_the_status(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    silent, bad, good = Verdict("s", 0), Verdict("b", 3, ("x 1 (Y)",)), Verdict("g", 3)
    for python, npm, status in (
        ([good], [good], 0),
        ([good], [silent], 2),
        ([bad], [silent], 1),
    ):
        monkeypatch.setattr(audit, "audit_python", lambda *_, found=python: found)
        monkeypatch.setattr(audit, "audit_npm", lambda *_, found=npm: found)
        assert audit.main() == status
        said = capsys.readouterr().out
        assert ("NOT AUDITED" in said) == (silent in npm)
