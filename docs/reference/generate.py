"""Write the pages of this folder and the client's types anew: `python docs/reference/generate.py`.

Signatures are read from the source, so that a page is the same on every Python, compiled or not.
"""

import ast
import re
from pathlib import Path

from zashiki.laws import LAWS, Moment
from zashiki.server.protocol.schema import typescript
from zashiki.server.settings import (
    OperatorSettings,
    Option,
    Reader,
    Settings,
    StoreSettings,
    WorkerSettings,
    options_of,
)

FOLDER = Path(__file__).resolve().parent
SOURCE = FOLDER.parents[1] / "src" / "zashiki"
NOTE = "<!-- Written by docs/reference/generate.py: change the code instead. -->\n"
INSIDE = {"chance", "seats_of", "options_in", "check", "parse", "check_seats", "check_options"}
"""What the layers above use, and nobody at the front door."""
CLASSES = {
    "Match": ("core/match.py", "What `start`, `replay` and `scenario` return."),
    "Outcome": ("core/game.py", ""),
    "Fact": ("core/facts.py", ""),
    "Refusal": ("core/rulings.py", ""),
    "Refused": ("core/rulings.py", ""),
    "Malformed": ("core/rulings.py", ""),
    "GameSpec": ("core/spec.py", "What `zashiki.games()` has for each game."),
    "Option": ("core/spec.py", ""),
    "Content": ("core/spec.py", ""),
}
SOCKET = """\
# The wire

What the server takes and gives, over HTTP and through the socket of a table. A server hands out
the same at `/api/schema/types.ts` and, as JSON Schema, at `/api/schema/socket.json`; its endpoints
are described at `/schema/openapi.json`.

A session opens `/api/tables/{id}/socket`, by its cookie or as a bearer token; so does a ticket
(`POST /api/tables/{id}/ticket`), once, within half a minute, as `?ticket=…`. Who is turned away is
told why by a `Bye`. The first frame to the server is a `Hello`; every other `Command` is answered
by its key, exactly once. From the server comes `News`: facts are numbered without a gap, so that
after a loss a client says how many it has, and is told the rest.
"""
OPTIONS = """\
# Options of the server

A flag goes before a variable, and a variable before the default. A wrong value ends the command
with status 2 and one line that names the flag or the variable.
"""
COLUMNS = "| option | meaning | value | default |\n|---|---|---|---|\n"
OPTIONS_OF = {
    "zashiki serve": Settings,
    "zashiki bots": WorkerSettings,
    "zashiki reports": OperatorSettings,
    "zashiki backup, zashiki restore": StoreSettings,
}
TYPES = "// Written by docs/reference/generate.py: change the structs of the wire instead.\n\n"
MOMENTS = {
    Moment.FORM: "Once for each form: a game, its options and seats",
    Moment.STEP: "Before an action, and when the match is over",
    Moment.MATCH: "When a match is over",
}


def tree(name: str) -> ast.Module:
    return ast.parse((SOURCE / name).read_text("utf-8"))


def signature(function: ast.FunctionDef) -> str:
    """As it is called: without self, defaults as in the source."""
    arguments = function.args
    if arguments.args and arguments.args[0].arg == "self":
        arguments.args = arguments.args[1:]
    returns = f" -> {ast.unparse(function.returns)}" if function.returns else ""
    return f"{function.name}({ast.unparse(arguments)}){returns}"


def entry(code: str, said: str | None) -> str:
    """A line of a list: code, and the first paragraph of its docstring."""
    words = " ".join((said or "").partition("\n\n")[0].split())
    return f"- `{code}`" + (f": {words}" if words else "") + "\n"


def is_property(function: ast.FunctionDef) -> bool:
    return any(ast.unparse(decorator) == "property" for decorator in function.decorator_list)


def public_functions(body: list[ast.stmt]) -> list[ast.FunctionDef]:
    """Those of a module or class, also in an `if TYPE_CHECKING`."""
    found = []
    for node in body:
        if isinstance(node, ast.If):
            found += public_functions(node.body)
        elif isinstance(node, ast.FunctionDef) and node.name not in INSIDE:
            found += [] if node.name.startswith("_") else [node]
    return found


def fields(body: list[ast.stmt]) -> list[str]:
    """The fields of a dataclass, or what a constructor sets; a docstring may stand below one."""
    found = []
    for place, node in enumerate(body):
        target: ast.expr | None = node.target if isinstance(node, ast.AnnAssign) else None
        if isinstance(node, ast.Assign):
            target = node.targets[0]
        if isinstance(target, ast.Attribute) and not target.attr.startswith("_"):
            name = target.attr
        elif isinstance(target, ast.Name):
            name = target.id
        else:
            continue
        kind = ast.unparse(node.annotation) if isinstance(node, ast.AnnAssign) else ""
        kind = re.sub(r"^Final(?:\[(.*)\])?$", r"\1", kind)
        found.append(entry(f"{name}: {kind}" if kind else name, below(body, place)))
    return found


def below(body: list[ast.stmt], place: int) -> str | None:
    """The string under a field."""
    match body[place + 1 : place + 2]:
        case [ast.Expr(value=ast.Constant(value=str(text)))]:
            return text
    return None


def class_entries(name: str, file: str, said: str) -> str:
    found = next(n for n in tree(file).body if isinstance(n, ast.ClassDef) and n.name == name)
    head = " ".join(filter(None, [said, (ast.get_docstring(found) or "").partition("\n\n")[0]]))
    constructor = [n for n in found.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"]
    body = constructor[0].body if constructor else found.body
    lines = [] if name == "Match" else fields(body)  # its attributes are for the layers above
    for function in public_functions(found.body):
        code = function.name if is_property(function) else signature(function)
        if is_property(function) and function.returns:
            code = f"{function.name}: {ast.unparse(function.returns)}"
        lines.append(entry(code, ast.get_docstring(function)))
    listed = "\n" + "".join(lines) if lines else ""
    return f"## {name}\n\n`zashiki.{module(file)}.{name}`. {head}\n{listed}"


def module(file: str) -> str:
    return file.removesuffix(".py").replace("/", ".")


def python_page() -> str:
    front = public_functions(tree("__init__.py").body)
    functions = "".join(entry(signature(f), ast.get_docstring(f)) for f in front)
    classes = "\n".join(class_entries(name, *where) for name, where in CLASSES.items())
    return (
        f"{NOTE}\n# The front door for Python\n\n"
        "All that `import zashiki` offers, and the classes that it returns.\n\n"
        f"## zashiki\n\n{functions}\n{classes}"
    )


def laws_page() -> str:
    parts = [
        f"{NOTE}\n# The laws\n\n"
        "What is asked of every match of every game: `python -m zashiki.laws --all`. That none\n"
        "is empty is shown in `tests/test_laws_bite.py`, by a toy that breaks it.\n"
    ]
    for moment, title in MOMENTS.items():
        parts.append(f"\n## {title}\n\n")
        for law in LAWS:
            if law.moment is moment:
                said = " ".join((law.judge.__doc__ or "").split())
                parts.append(f"- *{law.name}* (`{law.judge.__module__}`)")
                parts.append(f": {said}\n" if said else "\n")
    return "".join(parts)


def socket_page() -> str:
    return f"{NOTE}{SOCKET}\n```typescript\n{typescript()}```\n"


def options_page() -> str:
    parts = [f"{NOTE}\n{OPTIONS}"]
    for command, settings in OPTIONS_OF.items():
        parts.append(f"\n## {command}\n\n{COLUMNS}")
        parts += map(option_row, options_of(settings).values())
    return "".join(parts)


def option_row(option: Option) -> str:
    flag = " ".join(filter(None, [option.flag, option.metavar]))
    names = ", ".join(f"`{name}`" for name in (flag, option.variable) if name)
    value = option.read.expected if isinstance(option.read, Reader) else ""
    return f"| {names} | {option.help} | {value} | {option.default_text} |\n"


def pages() -> dict[str, str]:
    """Each page by the name of its file."""
    return {
        "python.md": python_page(),
        "laws.md": laws_page(),
        "socket.md": socket_page(),
        "options.md": options_page(),
        "../../web/src/lib/wire.ts": f"{TYPES}{typescript()}",
    }


if __name__ == "__main__":
    for name, text in pages().items():
        (FOLDER / name).write_text(text, "utf-8", newline="\n")
