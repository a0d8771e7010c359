"""What a bot's file imports from its own folder: read once, and its own in every process.

Two bots may have a `helper.py` each. Python knows one module of a name, so each bot gets modules
under names of its own: the bot's file is a package `zashiki_bot_…`, its neighbours are modules in
it, and an `import helper` in any of them means `zashiki_bot_….helper`. This needs no change of the
path and of what others import, and is true whenever a method gets to its import.

Which neighbours there are is read off the import statements, without running anything: so they are
known before the first match, are part of what makes a bot that bot, and travel with it.
"""

import ast
import builtins
import hashlib
import importlib
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from functools import lru_cache
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from zashiki.core.rulings import Malformed

PREFIX = "zashiki_bot_"
BROUGHT = sys.stdlib_module_names | {"zashiki"}
"""What no neighbour hides."""
PACKAGE = "__init__.py"
INSTALLED = ("site-packages", "dist-packages")
"""What lies in such a folder is everybody's, and no neighbour."""


class Neighbour(NamedTuple):
    """A file that a bot imports from its own folder."""

    name: str
    """As the bot's file would import it: `helper`, or `pack.helper`."""
    place: str
    """From the folder on."""
    source: str

    @property
    def is_package(self) -> bool:
        return self.place.endswith(PACKAGE)


def digest_of(source: str, neighbours: Sequence[Neighbour]) -> str:
    """Of all that a bot consists of, wherever it lies."""
    text = json.dumps([source, *neighbours]) if neighbours else source
    return hashlib.sha256(text.encode()).hexdigest()


# Reading ---------------------------------------------------------------------------------------


def read_python(path: Path) -> str:
    try:
        return path.read_text("utf-8-sig")
    except OSError as fault:
        raise Malformed(f"{path}: {fault.strerror or fault}") from None
    except ValueError:
        raise Malformed(f"{path}: Python is text in UTF-8, and this is not") from None


def neighbours_of(path: Path, source: str) -> tuple[Neighbour, ...]:
    """All that a file imports from its folder, and all that these import."""
    found: dict[str, Neighbour] = {}
    waiting = [] if path.parent.name in INSTALLED else list(imported_by(source, ""))
    while waiting:
        for neighbour in lying_in(path.parent, waiting.pop()):
            if neighbour.name not in found:
                found[neighbour.name] = neighbour
                within = neighbour.name if neighbour.is_package else parent(neighbour.name)
                waiting += imported_by(neighbour.source, within)
    return tuple(found[name] for name in sorted(found))


def imported_by(source: str, package: str) -> Iterator[str]:
    """What import statements may mean, in a file of this package, wherever in it they stand."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return  # it says so itself when it is imported
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package
            for _ in range(node.level - 1):
                above = parent(above)
            start = joined(above if node.level else "", node.module or "")
            yield start
            yield from (joined(start, alias.name) for alias in node.names if alias.name != "*")


def parent(name: str) -> str:
    return name.rpartition(".")[0]


def joined(package: str, name: str) -> str:
    return f"{package}.{name}" if package and name else package or name


def lying_in(folder: Path, name: str) -> list[Neighbour]:
    """A module and the packages around it, as far as they lie there."""
    steps = name.split(".")
    if steps[0] in BROUGHT:
        return []
    files = [file_of(folder, steps[:count]) for count in range(1, len(steps) + 1)]
    while files and files[-1] is None:
        files.pop()  # what was imported is no module but something in one
    return [neighbour_at(folder, steps[: count + 1], files[count]) for count in range(len(files))]


def file_of(folder: Path, steps: Sequence[str]) -> Path | None:
    base = folder.joinpath(*steps)
    files = (base / PACKAGE, base.with_name(f"{base.name}.py"))
    return next((file for file in files if file.is_file()), None)


def neighbour_at(folder: Path, steps: Sequence[str], file: Path | None) -> Neighbour:
    """A folder that is a package without saying so is an empty one."""
    name = ".".join(steps)
    if file is None:
        return Neighbour(name, "/".join([*steps, PACKAGE]), "")
    return Neighbour(name, file.relative_to(folder).as_posix(), read_python(file))


# Running ---------------------------------------------------------------------------------------


@lru_cache(maxsize=32)
def executed(path: str, source: str, neighbours: tuple[Neighbour, ...]) -> ModuleType:
    """A bot's file as a module that has these neighbours, whatever lies beside it by now."""
    digest = hashlib.sha256(f"{path}:{digest_of(source, neighbours)}".encode()).hexdigest()
    bundle = Bundle(PREFIX + digest, Path(path), source, neighbours)
    path_before, known = list(sys.path), set(sys.modules)
    try:
        with bundle.findable():
            return importlib.import_module(bundle.name)
    finally:
        added = [Path(entry).resolve() for entry in sys.path if entry not in path_before]
        sys.path[:] = path_before
        forget(added, known)


def forget(folders: Sequence[Path], known: Set[str]) -> None:
    """What a file adds to the path is for itself: nobody else finds the modules from there."""
    for name, module in list(sys.modules.items()) if folders else []:
        file = getattr(module, "__file__", None)
        if not file or name.startswith(PREFIX) or name.partition(".")[0] in known:
            continue
        if any(Path(file).resolve().is_relative_to(folder) for folder in folders):
            del sys.modules[name]


def imports(file: str) -> bool:
    """Is it a part of what imports, and no file of a bot?"""
    return file in (__file__, importlib.__file__) or file.startswith("<frozen importlib")


def plainly(text: str) -> str:
    """Modules by the names that a bot's file has for them."""
    return re.sub(rf"{PREFIX}[0-9a-f]{{64}}\.?", "", text)


class Bundle(Loader, MetaPathFinder):
    """A bot's file and its neighbours, as a package of this name.

    Python asks it for modules only while one of these files imports something: nothing else in the
    process imports through it.
    """

    def __init__(self, name: str, path: Path, source: str, neighbours: Iterable[Neighbour]) -> None:
        self.name = name
        self.files = {name: (str(path), source, True)} | {
            f"{name}.{one.name}": (str(path.parent / one.place), one.source, one.is_package)
            for one in neighbours
        }
        self.builtins = {**vars(builtins), "__import__": self.import_own}

    @contextmanager
    def findable(self) -> Iterator[None]:
        """Let Python find these files by their names within."""
        sys.meta_path.append(self)
        try:
            yield
        finally:
            sys.meta_path.remove(self)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname not in self.files:
            return None
        place, _, is_package = self.files[fullname]
        spec = ModuleSpec(fullname, self, origin=place, is_package=is_package)
        spec.has_location = True
        return spec

    def exec_module(self, module: ModuleType) -> None:
        path, source, _ = self.files[module.__name__]
        module.__dict__["__builtins__"] = self.builtins  # where Python looks up what imports
        exec(compile(source, path, "exec", dont_inherit=True), module.__dict__)

    def import_own(
        self,
        name: str,
        globals: Mapping[str, Any] | None = None,
        locals: Mapping[str, Any] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        """What an import statement does in these files: neighbours first."""
        first = f"{self.name}.{name.partition('.')[0]}"
        if not level and first not in self.files:
            return __import__(name, globals, locals, fromlist or (), level)
        with self.findable():
            if level:
                return __import__(name, globals, locals, fromlist or (), level)
            own = importlib.import_module(f"{self.name}.{name}")
            if not fromlist:
                return sys.modules[first]
            return __import__(own.__name__, globals, locals, fromlist, 0)
