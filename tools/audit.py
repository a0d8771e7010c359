"""Check all pinned packages for known vulnerabilities, by asking public databases.

Status 0: all packages were checked, none is vulnerable. Status 1: a vulnerability is known. Status
2: at least one lock file could not be checked.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
KNOWN, NOT_ASKED = 1, 2
TIMEOUT_SECONDS = 600


@dataclass(frozen=True)
class Verdict:
    """The result of the audit of one lock file."""

    file: str
    asked: int
    """The number of packages that were checked against a database."""
    known: tuple[str, ...] = ()
    reason: str = ""
    """The reason why nothing was checked."""

    @property
    def status(self) -> int:
        if self.known:
            return KNOWN
        return 0 if self.asked else NOT_ASKED

    def __str__(self) -> str:
        if self.known:
            return f"{self.file}: VULNERABLE: {', '.join(self.known)}"
        if not self.asked:
            return f"{self.file}: NOT AUDITED: {self.reason or 'no advisory database answered'}"
        return f"{self.file}: {self.asked} packages, no known vulnerabilities"


def lock_files(root: Path = ROOT) -> tuple[list[Path], list[Path]]:
    """Return all lock files: those of Python, and those of npm."""
    python = [*root.glob("requirements/*.txt"), *root.glob("deploy/requirements/*.txt")]
    hidden = {".git", "node_modules", "build", "dist"}
    npm = [
        file
        for file in root.rglob("package-lock.json")
        if not any(part in hidden or part.startswith(".venv") for part in file.parts)
    ]
    return sorted(python), sorted(npm)


def judge_python(name: str, report: Mapping[str, Any]) -> Verdict:
    """Read a report of pip-audit."""
    answers = [one for one in report.get("dependencies", ()) if "vulns" in one]
    known = [
        f"{one['name']} {one['version']} ({', '.join(fault['id'] for fault in one['vulns'])})"
        for one in answers
        if one["vulns"]
    ]
    return Verdict(name, len(answers), tuple(sorted(known)), report.get("reason", ""))


def judge_npm(name: str, report: Mapping[str, Any]) -> Verdict:
    """Read a report of npm audit."""
    asked = report.get("metadata", {}).get("dependencies", {}).get("total", 0)
    found = report.get("vulnerabilities", {})
    known = [f"{package} ({one['severity']})" for package, one in found.items()]
    reason = report.get("reason") or report.get("message", "")
    return Verdict(name, asked, tuple(sorted(known)), reason)


def ask(command: list[str | Path], report: Path | None = None) -> dict[str, Any]:
    """Run a tool and return its report, or the last line of its output if there is no report.

    Both tools exit with a status other than 0 if a vulnerability is known.
    """
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, cwd=ROOT, timeout=TIMEOUT_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as fault:
        return {"reason": str(fault)}
    written = report.read_text("utf-8") if report and report.exists() else done.stdout
    try:
        read = json.loads(written)
    except ValueError:
        read = {}
    if isinstance(read, dict) and read:
        return read
    lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
    return {"reason": lines[-1][:200] if lines else ""}


def audit_python(files: list[Path], scratch: Path) -> list[Verdict]:
    """Audit Python packages with pip-audit, installed in a separate environment."""
    venv = scratch / "venv"
    setup: list[str | Path] = [ROOT / "tools" / "setup_venv.sh", venv, "requirements/audit.txt"]
    made = subprocess.run(setup, capture_output=True, text=True, cwd=ROOT, check=False)
    verdicts = []
    for number, file in enumerate(files):
        name, report = file.relative_to(ROOT).as_posix(), scratch / f"{number}.json"
        if made.returncode != 0:
            verdicts.append(Verdict(name, 0, reason="pip-audit cannot be installed"))
            continue
        asked = ask(
            [venv / "bin" / "pip-audit", "--requirement", file, "--disable-pip", "--require-hashes",
             "--progress-spinner", "off", "--format", "json", "--output", report],
            report,
        )  # fmt: skip
        verdicts.append(judge_python(name, asked))
    return verdicts


def audit_npm(files: list[Path]) -> list[Verdict]:
    """Audit npm packages by their lock files alone."""
    command: list[str | Path] = ["npm", "audit", "--json", "--package-lock-only", "--prefix"]
    return [
        judge_npm(file.relative_to(ROOT).as_posix(), ask([*command, file.parent])) for file in files
    ]


def main() -> int:
    python, npm = lock_files()
    with tempfile.TemporaryDirectory() as scratch:
        verdicts = [*audit_python(python, Path(scratch)), *audit_npm(npm)]
    for verdict in verdicts:
        print(verdict)
    missing = [one for one in verdicts if one.status == NOT_ASKED]
    if missing:
        print(f"{len(missing)} of {len(verdicts)} lock files were NOT AUDITED: nothing is known of")
        print("their packages, good or bad. Run this where the advisory databases can be reached.")
    statuses = {one.status for one in verdicts}
    return KNOWN if KNOWN in statuses else max(statuses)


if __name__ == "__main__":
    sys.exit(main())
