"""`zashiki new-game`: write a package with a small playable game, to be changed into another."""

import keyword
import re
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path

from zashiki.cli.files import errors_naming
from zashiki.core.rulings import Malformed
from zashiki.games import catalogue

DESCRIPTION = """\
Write a new folder NAME with a package of a small card game that can be played
at once: rules, texts in English and Japanese, tests. Change it into your game.
"""
EPILOG = """\
examples:
  zashiki new-game river-crossing
  pip install --editable river-crossing
  python -m zashiki.laws river-crossing
  zashiki play river-crossing
"""
TEMPLATE = "zashiki.cli.template_game"
NAME = re.compile(r"[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*")
MAX_NAME = 40
PLACES = {"project.toml": "pyproject.toml", "checks.py": "{package}/tests/test_game.py"}
"""Files of the template that have another place in the new folder, from its root."""
EMPTY = ("{package}/py.typed", "{package}/tests/__init__.py")
TAKEN_PREFIXES = {"K1", "K2", "RT", "RB", "GS", "Z", "TG"}
MAX_PREFIX_LENGTH = 3


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "name", metavar="NAME", help="id of the game and name of the folder, such as river-crossing"
    )


def run(arguments: Namespace) -> int:
    name = check_name(arguments.name)
    written = new_files(name)
    root = Path(name)
    with errors_naming(root):
        root.mkdir()
        for place, text in written.items():
            path = root / place
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
    print(f"{name}: {len(written)} files. Next:")
    print(f"  {installer()} install --editable {name}")
    print(f"  python -m zashiki.laws {name}")
    print(f"  zashiki play {name}")
    return 0


def installer() -> str:
    """Return the command that installs into this environment; `pip` may be that of another one."""
    return "uv pip" if find_spec("pip") is None else "pip"


def check_name(text: str) -> str:
    """Return the id of a new game; `Malformed` says why it cannot have this one."""
    if not NAME.fullmatch(text) or len(text) > MAX_NAME:
        raise Malformed(
            f"NAME {text!r}: expected up to {MAX_NAME} lower-case letters, digits and single "
            "hyphens, such as river-crossing"
        )
    name = text.replace("_", "-")
    package = name.replace("-", "_")
    taken = {"zashiki", "tests", *sys.stdlib_module_names}
    if keyword.iskeyword(package) or package in taken:
        raise Malformed(f"NAME {text!r}: a word of Python has this name, choose another one")
    if name in catalogue():
        raise Malformed(f"NAME {text!r}: a game has this id, choose another one")
    if Path(name).exists():
        raise Malformed(f"{name}: exists already, choose another name or folder")
    return name


def new_files(name: str) -> dict[str, str]:
    """Return the files of the new folder by their places in it."""
    package = name.replace("-", "_")
    written = {place.format(package=package): "" for place in EMPTY}
    for path, file in template_files(files(TEMPLATE)):
        place = PLACES.get(path, f"{{package}}/{path}").format(package=package)
        written[place] = renamed(file.read_text("utf-8"), name)
    return dict(sorted(written.items()))


def template_files(folder: Traversable, above: str = "") -> Iterator[tuple[str, Traversable]]:
    """Yield the files of the template with their paths."""
    for file in folder.iterdir():
        path = f"{above}{file.name}"
        if file.is_dir() and file.name != "__pycache__":
            yield from template_files(file, f"{path}/")
        elif path.endswith((".py", ".toml", ".md")):
            yield path, file


def renamed(text: str, name: str) -> str:
    """Return a text of the template for a game of another name."""
    words = name.split("-")
    for old, new in (
        ("template_game", "_".join(words)),
        ("template-game", name),
        ("TEMPLATE_GAME", "_".join(words).upper()),
        ("TemplateGame", "".join(word.capitalize() for word in words)),
        ("Template Game", " ".join(word.capitalize() for word in words)),
    ):
        text = text.replace(old, new)
    return re.sub(r"\bTG(?=[ _]\d)", rule_prefix(words), text)


def rule_prefix(words: list[str]) -> str:
    """Return the letters with which the ids of rules begin: RC for river-crossing."""
    initials = "".join(word[0] for word in words if word[0].isalpha()).upper()[:MAX_PREFIX_LENGTH]
    if len(initials) > 1 and initials not in TAKEN_PREFIXES:
        return initials
    letters = re.sub(r"[^A-Z]", "", "".join(words).upper())
    longest = max(MAX_PREFIX_LENGTH, len(letters))
    found = (letters[:length] for length in range(2, longest + 1))
    return next((prefix for prefix in found if prefix not in TAKEN_PREFIXES), "MY")
