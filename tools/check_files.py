"""Check files for forbidden content, and core for forbidden imports.

A file names no registry host, since each user has their own, and no path of a developer's machine.
Locked requirements have hashes and no index. core imports the standard library and two small
packages.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CORE_MAY_IMPORT = sys.stdlib_module_names | {"mypy_extensions", "librt"}

# In pieces, so that this file does not contain what it looks for.
HOSTS = [
    ("pypi", "org"),
    ("pypi", "python", "org"),
    ("pythonhosted", "org"),
    ("npmjs", "org"),
    ("npmjs", "com"),
    ("yarnpkg", "com"),
    ("deb", "debian", "org"),
    ("ftp", "debian", "org"),
    ("security", "debian", "org"),
    ("snapshot", "debian", "org"),
]
HOST = re.compile("|".join(r"\.".join(host) for host in HOSTS).encode(), re.IGNORECASE)
HOMES = ["root", "work", "home", "Users"]
MACHINE_PATH = re.compile(rf"(?<![\w.~-])/(?:{'|'.join(HOMES)})/".encode())
INDEX_LINE = re.compile(rb"^(-i|-f|--index-url|--extra-index-url|--find-links|--trusted-host)\b")


def project_files() -> list[Path]:
    """Return the files that git tracks, or would track after `git add`."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    git = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    if git.returncode:
        raise SystemExit(f"check_files.py: git cannot list the project's files: {git.stderr}")
    paths = (ROOT / name for name in git.stdout.split("\0") if name)
    return [path for path in paths if path.is_file()]


def forbidden_words(path: Path) -> Iterator[str]:
    """Yield the lines that name a registry host or a path of a machine."""
    for number, line in enumerate(path.read_bytes().splitlines(), start=1):
        if HOST.search(line):
            yield f"{number}: names a package registry's host"
        if MACHINE_PATH.search(line):
            yield f"{number}: names a path of a developer's machine"


def unlocked(path: Path) -> Iterator[str]:
    """Yield the lines of a locked requirements file that name an index or lack a hash."""
    requirements = path.read_bytes().replace(b"\\\n", b" ").splitlines()
    for line in requirements:
        if INDEX_LINE.match(line):
            yield f"names an index: {line.decode()}"
        elif line[:1].isalnum() and b"--hash=sha256:" not in line:
            yield f"has no hash: {line.decode()}"


def foreign_imports(path: Path) -> Iterator[str]:
    """Yield the forbidden packages that a module of core imports; import-linter checks zashiki."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        match node:
            case ast.Import():
                names = [alias.name for alias in node.names]
            case ast.ImportFrom(module=str(module), level=0):
                names = [module]
            case _:
                continue
        for name in names:
            if name.partition(".")[0] not in CORE_MAY_IMPORT | {"zashiki"}:
                yield f"{node.lineno}: core may not import {name}"


def faults(path: Path) -> Iterator[str]:
    """Yield all faults of one file."""
    yield from forbidden_words(path)
    if path.match("requirements/*.txt"):
        yield from unlocked(path)
    if path.suffix == ".py" and path.is_relative_to(ROOT / "src" / "zashiki" / "core"):
        yield from foreign_imports(path)


def main() -> int:
    """Print every fault. The exit status is 1 if there are any."""
    lines = [
        f"{path.relative_to(ROOT)}:{fault}" for path in project_files() for fault in faults(path)
    ]
    print("\n".join(lines) or "Files: all as they should be.")
    return bool(lines)


if __name__ == "__main__":
    sys.exit(main())
