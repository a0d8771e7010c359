"""The release tools, on good and on bad input, and the workflows that call them."""

import json
import re
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped,unused-ignore]

from tests.test_deploy import pins
from tools import release_notes, release_versions
from tools.release_build import Failed
from tools.release_contents import check_pages, check_same, check_wheel, is_shipped
from tools.release_notes import BadChangelog, section, sections

ROOT = Path(__file__).resolve().parent.parent
WORKFLOWS = ROOT / ".github" / "workflows"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
CHANGELOG = """\
# Changelog

A word before.

## 0.2.0, unreleased

### Added

- Something new.

## 0.1.0, 2026-01-31

### Added

- Everything.
"""


# Notes -------------------------------------------------------------------------------------------


def test_the_notes_of_a_version_are_its_section() -> None:
    assert section(CHANGELOG, "0.2.0").text == "### Added\n\n- Something new."
    assert section(CHANGELOG, "0.1.0").text == "### Added\n\n- Everything."
    assert str(section(CHANGELOG, "0.1.0").released) == "2026-01-31"
    assert section(CHANGELOG, "0.2.0").released is None


@pytest.mark.parametrize(
    ("text", "version", "said"),
    [
        (CHANGELOG, "0.3.0", "expected one section for 0.3.0, found 0"),
        (CHANGELOG.replace("0.2.0", "0.1.0"), "0.1.0", "expected one section for 0.1.0, found 2"),
        (CHANGELOG.replace("- Everything.", "").replace("### Added\n\n\n", ""), "0.1.0", "empty"),
        (CHANGELOG.replace("2026-01-31", "soon"), "0.1.0", "expected a date"),
        (CHANGELOG.replace("0.1.0, ", "0.1.0 "), "0.1.0", "expected '## VERSION, DATE'"),
    ],
)
def test_a_changelog_without_the_notes_is_refused(text: str, version: str, said: str) -> None:
    with pytest.raises(BadChangelog, match=re.escape(said)):
        section(text, version)


def test_the_changelog_of_the_project_can_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    newest = sections(text)[0]
    assert newest.version == PROJECT["project"]["version"]
    assert release_notes.main([f"v{newest.version}"]) == 0
    assert capsys.readouterr().out.strip() == newest.text
    assert release_notes.main(["9.9.9"]) == 1
    assert "CHANGELOG.md: expected one section for 9.9.9" in capsys.readouterr().err


def test_a_tag_needs_a_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "CHANGELOG.md"
    file.write_text(CHANGELOG)
    monkeypatch.setattr(release_notes, "CHANGELOG", file)
    assert release_notes.main(["v0.1.0", "--released"]) == 0
    assert release_notes.main(["v0.2.0"]) == 0
    assert release_notes.main(["v0.2.0", "--released"]) == 1
    assert "expected a date for 0.2.0, found unreleased" in capsys.readouterr().err


# Versions ----------------------------------------------------------------------------------------


PLACES = ("pyproject", "package", "lock", "inner", "citation")


def project(folder: Path, **other: str) -> Path:
    """A project whose files all have version 0.1.0, except those named."""
    said = dict.fromkeys(PLACES, "0.1.0") | other
    (folder / "CITATION.cff").write_text(f"title: A\nversion: {said['citation']}\n")
    (folder / "pyproject.toml").write_text(f'[project]\nversion = "{said["pyproject"]}"\n')
    (folder / "package.json").write_text(json.dumps({"version": said["package"]}))
    lock = {"version": said["lock"], "packages": {"": {"version": said["inner"]}}}
    (folder / "package-lock.json").write_text(json.dumps(lock))
    (folder / "CHANGELOG.md").write_text(CHANGELOG)
    return folder


def test_one_version_everywhere(tmp_path: Path) -> None:
    assert release_versions.check(project(tmp_path), None) == "0.1.0"
    assert release_versions.check(tmp_path, "v0.1.0") == "0.1.0"


@pytest.mark.parametrize("place", PLACES)
def test_another_version_is_refused(place: str, tmp_path: Path) -> None:
    with pytest.raises(release_versions.Differ, match=r"says 0\.1\.1"):
        release_versions.check(project(tmp_path, **{place: "0.1.1"}), None)


def test_another_tag_and_a_version_without_notes_are_refused(tmp_path: Path) -> None:
    with pytest.raises(release_versions.Differ, match=r"the tag v0\.1\.1 says 0\.1\.1"):
        release_versions.check(project(tmp_path), "v0.1.1")
    every = dict.fromkeys(PLACES, "0.3.0")
    with pytest.raises(release_versions.Differ, match="expected one section"):
        release_versions.check(project(tmp_path, **every), None)
    soon = dict.fromkeys(every, "0.2.0")
    assert release_versions.check(project(tmp_path, **soon), None) == "0.2.0"
    with pytest.raises(release_versions.Differ, match="found unreleased"):
        release_versions.check(tmp_path, "v0.2.0")


def test_the_versions_of_the_project_are_one() -> None:
    assert release_versions.check(ROOT, None) == PROJECT["project"]["version"]


# Contents ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("src/zashiki/py.typed", True),
        ("src/zashiki/core/dice.py", True),
        ("src/zashiki/server/client.py", True),
        ("src/zashiki/server/client/assets/a.js", True),
        ("src/zashiki/games/kamiza/client/Table.svelte", False),
        ("src/zashiki/games/kamiza/tests/test_play.py", False),
        ("src/zashiki/core/__pycache__/dice.pyc", False),
    ],
)
def test_what_a_wheel_carries(path: str, expected: bool) -> None:
    assert is_shipped(Path(path)) is expected


def test_contents_that_differ_are_named() -> None:
    check_same({"a": b"1"}, {"a": b"1"}, "wheel")
    with pytest.raises(Failed, match="b is missing; c is too many; a differs"):
        check_same({"a": b"1", "c": b""}, {"a": b"2", "b": b""}, "wheel")


def test_a_page_without_its_files_is_refused() -> None:
    page = b'<script src="/assets/main.js"></script>'
    files = {"zashiki/server/client/index.html": page}
    with pytest.raises(Failed, match=r"names assets/main\.js, not found"):
        check_pages(files, "wheel")
    check_pages({**files, "zashiki/server/client/assets/main.js": b""}, "wheel")
    with pytest.raises(Failed, match="expected the built client"):
        check_pages({}, "wheel")


def wheel(folder: Path, **files: str) -> Path:
    """A small wheel, and its source tree in `folder`."""
    source = folder / "src" / "zashiki" / "server" / "client"
    (source / "assets").mkdir(parents=True)
    (source / "index.html").write_text('<script src="/assets/main.js"></script>')
    (source / "assets" / "main.js").write_text("")
    (folder / "src" / "zashiki" / "rules.py").write_text("# mypyc: compile\n")
    info = "zashiki-0.1.0.dist-info"
    more = {
        f"{info}/licenses/LICENSE": "", f"{info}/METADATA": "Version: 0.1.0\n",
        f"{info}/entry_points.txt": "zashiki = zashiki.cli:main",
    }  # fmt: skip
    made = folder / f"zashiki-0.1.0-{'cp311-cp311-any' if files else 'py3-none-any'}.whl"
    with zipfile.ZipFile(made, "w") as opened:
        for path in (folder / "src").rglob("*.*"):
            opened.write(path, path.relative_to(folder / "src").as_posix())
        for name, text in (more | files).items():
            opened.writestr(name, text)
    return made


def test_extensions_are_those_of_the_marked_modules(tmp_path: Path) -> None:
    extension = {"zashiki/rules.cpython-311-x86_64-linux-gnu.so": ""}
    good = wheel(tmp_path / "good", **extension)
    assert check_wheel(good, tmp_path / "good", "0.1.0", is_compiled=True) == 1
    pure = wheel(tmp_path / "pure")
    assert check_wheel(pure, tmp_path / "pure", "0.1.0", is_compiled=False) == 0
    with pytest.raises(Failed, match="expected 1 extensions, found 0"):
        check_wheel(pure, tmp_path / "pure", "0.1.0", is_compiled=True)
    with pytest.raises(Failed, match=r"does not say version 0\.2\.0"):
        check_wheel(pure, tmp_path / "pure", "0.2.0", is_compiled=False)
    more = wheel(tmp_path / "more", **extension, **{"zashiki/tests/test_rules.py": ""})
    with pytest.raises(Failed, match=r"zashiki/tests/test_rules\.py is too many"):
        check_wheel(more, tmp_path / "more", "0.1.0", is_compiled=True)


# Workflows and configuration ---------------------------------------------------------------------


def workflow(name: str) -> dict[str, Any]:
    read: dict[str, Any] = yaml.safe_load((WORKFLOWS / name).read_text("utf-8"))
    return read


def every_step() -> list[dict[str, Any]]:
    jobs = [job for path in WORKFLOWS.glob("*.yml") for job in workflow(path.name)["jobs"].values()]
    return [step for job in jobs for step in job["steps"]]


def test_actions_are_pinned_by_a_full_version() -> None:
    used = [step["uses"] for step in every_step() if "uses" in step]
    assert used
    assert [name for name in used if not re.search(r"@v\d+\.\d+\.\d+$", name)] == []


def test_workflows_name_files_that_are_there() -> None:
    text = "\n".join(str(step.get("run", "")) for step in every_step())
    files = set(re.findall(r"(?:tools|requirements|deploy)/[\w./-]+\.\w+", text))
    files |= {f"{name.replace('.', '/')}.py" for name in re.findall(r"-m (tools\.\w+)", text)}
    assert {"tools/release_notes.py", "requirements/release.txt"} <= files
    assert [name for name in sorted(files) if not (ROOT / name).is_file()] == []


def test_workflows_and_wheels_are_for_the_supported_pythons() -> None:
    classified = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["project"]["classifiers"]))
    for job in ("play", "windows"):
        assert workflow("ci.yml")["jobs"][job]["strategy"]["matrix"]["python"] == classified
    built = PROJECT["tool"]["cibuildwheel"]["build"]
    assert built == [f"cp{version.replace('.', '')}-*" for version in classified]
    assert PROJECT["project"]["requires-python"] == f">={classified[0]}"


def test_cibuildwheel_builds_what_a_release_is() -> None:
    settings = PROJECT["tool"]["cibuildwheel"]
    for chosen in (settings, settings["macos"]):
        assert chosen["environment"]["ZASHIKI_COMPILE"] == "1"
        assert chosen["environment"]["ZASHIKI_RELEASE"] == "1"
    carried = (ROOT / "MANIFEST.in").read_text("utf-8").split()
    for line in (settings["before-build"], settings["test-command"]):
        for name in re.findall(r"\{project\}/(\S+)", line):
            assert name in carried, f"{name} is not in the source distribution"


@pytest.mark.parametrize("name", ["wheel", "release"])
def test_what_builds_a_release_has_the_pins_of_the_tests(name: str) -> None:
    mine = pins(ROOT / "requirements" / f"{name}.txt")
    tested = pins(ROOT / "requirements" / "dev.txt")
    both = mine.keys() & tested.keys()
    assert {"setuptools", "wheel"} <= both
    differ = {one for one in both if mine[one][0].split()[0] != tested[one][0].split()[0]}
    assert differ == set()
    assert all(hashes for _, hashes in mine.values())
