"""The Python files of a user's bot: read once, then imported from memory as a package.

A bot's file may import other files from its folder. Import statements tell which, without running
anything. So all files of a bot are known before the first match: they belong to its hash, and go
with it to other processes and machines.

Python knows one module per name, but two bots may each have a `helper.py`. So the folder of each
bot is a package with a name of its own, `zashiki_bot_<hash>`, and `import helper` in its files is
compiled as `import zashiki_bot_<hash>.helper as helper`.
"""

import ast
import hashlib
import importlib
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from zashiki.core.rulings import Malformed

PREFIX = "zashiki_bot_"
MAIN = "__main__"
"""The module that is the bot's file."""
NEVER_LOCAL = sys.stdlib_module_names | {"zashiki"}
"""Modules that no file of a bot replaces."""
INSTALLED = ("site-packages", "dist-packages")
"""Folders whose files belong to all programs: a bot there has no other files of its own."""


class LocalModule(NamedTuple):
    """A file that a bot imports from its own folder."""

    name: str
    """As the bot's file imports it: `helper`, or `pack.helper`."""
    path: str
    """Relative to the folder."""
    source: str

    @property
    def is_package(self) -> bool:
        return self.path.endswith("__init__.py")


def sha256_of(source: str, modules: Sequence[LocalModule]) -> str:
    """Hash all files of a bot, wherever they are."""
    text = json.dumps([source, *modules]) if modules else source
    return hashlib.sha256(text.encode()).hexdigest()


# Reading ---------------------------------------------------------------------------------------


def read_source(path: Path) -> str:
    try:
        return path.read_text("utf-8-sig")
    except OSError as fault:
        raise Malformed(f"{path}: {fault.strerror or fault}") from None
    except ValueError:
        raise Malformed(f"{path}: expected Python in UTF-8, found another encoding") from None


def read_local_modules(path: Path, source: str) -> tuple[LocalModule, ...]:
    """Read all files that a bot's file imports from its folder, and all that these import."""
    found: dict[str, LocalModule] = {}
    waiting = [] if path.parent.name in INSTALLED else list(imported_names(source, []))
    while waiting:
        for module in find_modules(path.parent, waiting.pop().split(".")):
            if module.name not in found:
                found[module.name] = module
                steps = module.name.split(".")
                waiting += imported_names(module.source, steps if module.is_package else steps[:-1])
    return tuple(found[name] for name in sorted(found))


def imported_names(source: str, package: list[str]) -> Iterator[str]:
    """List what the import statements of a file in this package may mean, wherever they are."""
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return  # reported when the file is imported
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            around = package[: max(0, len(package) + 1 - node.level)] if node.level else []
            start = [*around, *filter(None, [node.module])]
            yield from (".".join([*start, alias.name]) for alias in node.names)


def find_modules(folder: Path, steps: list[str]) -> list[LocalModule]:
    """Read a module and the packages around it, as far as they are files of the folder."""
    if steps[0] in NEVER_LOCAL:
        return []
    files = [find_file(folder.joinpath(*steps[:end])) for end in range(1, len(steps) + 1)]
    while files and files[-1] is None:
        files.pop()  # the name of something in the module before
    modules = []
    for end, file in enumerate(files, start=1):
        # A folder that has no __init__.py is an empty package.
        path = file or folder.joinpath(*steps[:end], "__init__.py")
        source = read_source(path) if file else ""
        place = path.relative_to(folder).as_posix()
        modules.append(LocalModule(".".join(steps[:end]), place, source))
    return modules


def find_file(base: Path) -> Path | None:
    files = (base / "__init__.py", base.with_name(f"{base.name}.py"))
    return next((file for file in files if file.is_file()), None)


# Importing -------------------------------------------------------------------------------------


def load_bot(path: str, source: str, modules: Sequence[LocalModule]) -> ModuleType:
    """Import a bot's file and its modules as they were when they were read."""
    digest = hashlib.sha256(f"{path}:{sha256_of(source, modules)}".encode()).hexdigest()
    package, file = PREFIX + digest, Path(path)
    FINDER.files[package] = LocalModule("", str(file.with_name("__init__.py")), "")
    for module in (LocalModule(MAIN, file.name, source), *modules):
        place = str(file.parent / module.path)
        FINDER.files[f"{package}.{module.name}"] = module._replace(path=place)
    with own_path():
        return importlib.import_module(f"{package}.{MAIN}")


@contextmanager
def own_path() -> Iterator[None]:
    """Undo what a bot adds to `sys.path`: other bots do not find the modules that are there."""
    before, known = list(sys.path), set(sys.modules)
    try:
        yield
    finally:
        added = [Path(entry).resolve() for entry in sys.path if entry not in before]
        sys.path[:] = before
        for name, module in list(sys.modules.items()):
            if name.partition(".")[0] in known or name.startswith(PREFIX):
                continue
            file = getattr(module, "__file__", None)
            if file and any(Path(file).resolve().is_relative_to(folder) for folder in added):
                del sys.modules[name]


class BotFinder(MetaPathFinder, Loader):
    """Imports the files of bots from memory."""

    def __init__(self) -> None:
        self.files: dict[str, LocalModule] = {}
        """By the full name of the module, with absolute paths."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        file = self.files.get(fullname)
        return None if file is None else ModuleSpec(fullname, self, is_package=file.is_package)

    def exec_module(self, module: ModuleType) -> None:
        file = self.files[module.__name__]
        module.__file__ = file.path
        tree = ast.parse(file.source, file.path)
        for node in ast.walk(tree):
            self.use_own_modules(node, module.__name__.partition(".")[0])
        exec(compile(tree, file.path, "exec", dont_inherit=True), module.__dict__)

    def use_own_modules(self, node: ast.AST, package: str) -> None:
        """Change an import statement to import modules of this package, if it has them."""

        def is_own(name: str) -> bool:
            return f"{package}.{name.partition('.')[0]}" in self.files

        if isinstance(node, ast.ImportFrom) and not node.level and is_own(node.module or ""):
            node.module = f"{package}.{node.module}"
        elif isinstance(node, ast.Import):
            names = [
                own_names(alias, package) if is_own(alias.name) else [alias] for alias in node.names
            ]
            node.names = [alias for some in names for alias in some]


def own_names(alias: ast.alias, package: str) -> list[ast.alias]:
    """`import pack.helper` imports a module and binds the package: two imports do the same."""
    top = alias.name.partition(".")[0]
    names = [alias.name] if alias.asname or alias.name == top else [alias.name, top]
    own = [ast.alias(f"{package}.{name}", alias.asname or top) for name in names]
    return [ast.copy_location(one, alias) for one in own]


FINDER = BotFinder()
sys.meta_path.append(FINDER)
