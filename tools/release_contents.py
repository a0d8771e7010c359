"""Compare the contents of the sdist and the wheels with the sources of the commit."""

import re
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from tools.release_build import CLIENT, DOCS_SITE, Failed

MARKER = b"# mypyc: compile"
EXTENSION = re.compile(r"\.(cpython-[^/]*|cp[^/]*)\.(so|pyd)$")
DATA = (".py", ".toml", ".md", ".sql", ".bin", ".css")
NEEDED_BY_BUILD = (
    "CHANGELOG.md", "LICENSE", "README.md", "pyproject.toml", "setup.py",
    "requirements/wheel.txt", "tools/compiled.py", "tools/release_smoke.py",
)  # fmt: skip


def read_wheel(wheel: Path) -> dict[str, bytes]:
    """Return the files of a wheel by name."""
    with zipfile.ZipFile(wheel) as opened:
        return {name: opened.read(name) for name in opened.namelist() if not name.endswith("/")}


def read_sdist(sdist: Path) -> dict[str, bytes]:
    """Return the files of an sdist by name, without its own folder."""
    files = {}
    with tarfile.open(sdist) as opened:
        for member in opened:
            content = opened.extractfile(member) if member.isfile() else None
            if content is not None:
                files[member.name.partition("/")[2]] = content.read()
    return files


def expected(source: Path) -> dict[str, bytes]:
    """Return the package's files as a pure wheel must have them: no tests, no client sources."""
    package = source / "src"
    return {
        path.relative_to(package).as_posix(): path.read_bytes()
        for path in sorted((package / "zashiki").rglob("*"))
        if path.is_file() and is_shipped(path.relative_to(source))
    }


def is_shipped(path: Path) -> bool:
    """Return whether a wheel contains this file of the source tree."""
    if path.is_relative_to(CLIENT) or path.is_relative_to(DOCS_SITE):
        return True
    if {"tests", "client", "__pycache__"}.intersection(path.parts):
        return False
    return path.suffix in DATA or path.name == "py.typed"


def check_same(found: dict[str, bytes], wanted: dict[str, bytes], where: str) -> None:
    """Refuse files that are missing, too many or different."""
    faults = [f"{name} is missing" for name in sorted(wanted.keys() - found.keys())]
    faults += [f"{name} is too many" for name in sorted(found.keys() - wanted.keys())]
    both = sorted(wanted.keys() & found.keys())
    faults += [f"{name} differs" for name in both if found[name] != wanted[name]]
    if faults:
        raise Failed(f"{where}: " + "; ".join(faults[:20]))


def check_pages(files: dict[str, bytes], where: str) -> None:
    """Refuse a client whose page names files that are not there."""
    prefix = CLIENT.relative_to("src").as_posix()
    page = files.get(f"{prefix}/index.html", b"").decode()
    names = re.findall(r'(?:src|href)="/([^"]+)"', page)
    if not any(name.startswith("assets/") for name in names):
        raise Failed(f"{where}: expected the built client, found a page without assets")
    if missing := [name for name in names if f"{prefix}/{name}" not in files]:
        raise Failed(f"{where}: the client's page names {', '.join(missing)}, not found")


def metadata_faults(files: dict[str, bytes], version: str) -> Iterator[str]:
    """Yield the faults outside the package's files: licence, entry point, metadata."""
    info = f"zashiki-{version}.dist-info"
    if f"{info}/licenses/LICENSE" not in files:
        yield "the licence is missing"
    if b"zashiki = zashiki.cli:main" not in files.get(f"{info}/entry_points.txt", b""):
        yield "the command zashiki is missing"
    if f"Version: {version}\n".encode() not in files.get(f"{info}/METADATA", b""):
        yield f"the metadata does not say version {version}"


def check_wheel(wheel: Path, source: Path, version: str, is_compiled: bool) -> int:
    """Check one wheel against the sources; return how many of its files are extensions."""
    files = read_wheel(wheel)
    package = {name: data for name, data in files.items() if name.startswith("zashiki/")}
    extensions = {EXTENSION.sub(".py", name) for name in package if EXTENSION.search(name)}
    plain = {name: data for name, data in package.items() if not EXTENSION.search(name)}
    wanted = expected(source)
    check_same(plain, wanted, wheel.name)
    marked = {name for name, data in wanted.items() if data.startswith(MARKER)}
    if extensions != (marked if is_compiled else set()):
        raise Failed(f"{wheel.name}: expected {len(marked)} extensions, found {len(extensions)}")
    if is_compiled == wheel.name.endswith("-py3-none-any.whl"):
        raise Failed(f"{wheel.name}: the tag does not fit the contents")
    if faults := list(metadata_faults(files, version)):
        raise Failed(f"{wheel.name}: {'; '.join(faults)}")
    check_pages(files, wheel.name)
    return len(extensions)


def check_sdist(sdist: Path, source: Path) -> int:
    """Check the sdist against the sources; return the number of its files."""
    files = read_sdist(sdist)
    package = {
        name.removeprefix("src/"): data
        for name, data in files.items()
        if name.startswith("src/zashiki/")
    }
    check_same(package, expected(source), sdist.name)
    if missing := [name for name in NEEDED_BY_BUILD if name not in files]:
        raise Failed(f"{sdist.name}: {', '.join(missing)} not found")
    if tests := [name for name in files if "tests" in Path(name).parts]:
        raise Failed(f"{sdist.name}: expected no tests, found {', '.join(tests[:5])}")
    return len(files)
