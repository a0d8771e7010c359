"""Write the pages of this folder and the client's types: `python docs/reference/generate.py`.

Signatures are read from the source, so that a page is the same on every Python, compiled or not.
"""

import argparse
import ast
import inspect
import json
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

from zashiki.cli import build_parser
from zashiki.cli.command_parser import CommandParser
from zashiki.laws import LAWS, Moment
from zashiki.server.app import described_api
from zashiki.server.protocol import error_codes, frames
from zashiki.server.protocol.schema import type_of, typescript
from zashiki.server.settings import (
    OperatorSettings,
    Option,
    Settings,
    StoreSettings,
    ValueReader,
    WorkerSettings,
    options_of,
)

FOLDER = Path(__file__).resolve().parent
SOURCE = FOLDER.parents[1] / "src" / "zashiki"
NOTE = "<!-- Written by docs/reference/generate.py: change the code instead. -->\n"
INSIDE = {"chance", "seats_of", "options_in", "check", "parse", "check_seats", "check_options"}
"""Names for the layers above, which are not a part of the public interface."""
CLASSES = {
    "Match": ("core/match.py", "The result of `start`, `replay` and `scenario`."),
    "Outcome": ("core/game.py", ""),
    "Fact": ("core/facts.py", ""),
    "Refusal": ("core/rulings.py", ""),
    "Refused": ("core/rulings.py", ""),
    "Malformed": ("core/rulings.py", ""),
    "GameSpec": ("core/spec.py", "The value of `zashiki.games()` for each game."),
    "Option": ("core/spec.py", ""),
    "Content": ("core/spec.py", ""),
}
HTTP = """\
# HTTP API

This page is for reading. To try requests out, open `/api/docs` at a running server. Programs read
the same description at `/schema/openapi.json`.
"""
ERROR_CODES = """\

## Error codes

A refusal is a `Fault`: a `code` for programs, a `text` for people and `details`. Codes stay the
same between releases, and texts may change. The codes of commands over sockets are on the page of
[the socket](socket.md).

| code | status | requests | meaning |
|---|---|---|---|
"""
SOCKET = """\
# Socket of a table

Matches are played over WebSocket at `/api/tables/{table_id}/socket`. Each message is one JSON
object. A server describes the same at `/api/schema/types.ts` and, as JSON Schema, at
`/api/schema/socket.json`.

1. Open the socket with a session: its cookie, or `Authorization: Bearer <token>`. A single-use
   ticket from `POST /api/tables/{table_id}/ticket` works too, as `?ticket=…`, within 30 seconds. A
   request without a session may watch. A refused client gets one `bye` with the reason.
2. Send `hello`. The server answers with `welcome` and then with `told`.
3. Send commands. Each has a `key` of your choice, and gets exactly one `answer` with that key.
   After a lost connection, send the same command with the same key again: it is carried out once.
4. Count the facts in `told`. They are numbered without a gap. After a lost connection, `have` in
   `hello` says how many the client has, and the server sends the rest.

`examples/own_bot.py` is a whole program.
"""
CLI = """\
# Command line

Every command has `--help` with the same text. Exit status: 0 success, 1 a check failed, 2 wrong
input or an output that cannot be written, 128 + N ended by signal N.
"""
OPTIONS = """\
# Configuration

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
DEPLOYMENT = {
    "`ZASHIKI_KEY`": "secret key of all servers, from which sessions follow: 64 hexadecimal digits",
    "`ZASHIKI_BOTS_TOKEN`": "token of bot workers: `deploy/secrets.sh token deploy/.env` prints it",
    "`POSTGRES_PASSWORD`": "password of the database: letters and digits only",
    "`PUBLIC_ORIGIN`": "address that people type: https, if it has a host name",
    "`PUBLIC_PORT`": "address and port on which nginx listens",
}
"""The variables of `deploy/.env`. A test compares them with `deploy/.env.example`."""
ELSEWHERE = {
    "ZASHIKI_COMPILE": "build: 1 compiles the rules to C, 0 does not",
    "ZASHIKI_RELEASE": "build: 1 refuses to build a package without the built client",
    "ZASHIKI_CLIENT": "build: folder of the built client",
    "ZASHIKI_SERVER": "development: server that `npm run dev` asks",
    "ZASHIKI_TOKEN": "`examples/own_bot.py`: token of the bot",
    "ZASHIKI_BROWSER": "tests: path of Chromium",
    "ZASHIKI_FIREFOX": "tests: path of Firefox",
    "ZASHIKI_EXPECT_COMPILED": "tests: 1 or 0 fails if the rules are not, or are, compiled",
    "ZASHIKI_TEST_STORE": "tests: `sqlite` or `postgresql`, the store of a server under test",
    "ZASHIKI_TELL_SHIFTS": "tests: file to which pages write how much they moved",
    "ZASHIKI_PICTURES": "tests: folder for pictures of the pages that a test visits",
    "ZASHIKI_CASES": "tests of the client: cases that a test in Python wrote",
    "ZASHIKI_RECORDS": "tests of the client: records that a test in Python wrote",
}
"""Variables that no command reads. A test compares them with those in the project's files."""
TYPES = "// Written by docs/reference/generate.py: change the structs of the wire instead.\n\n"
MOMENTS = {
    Moment.FORM: "Once per form: a game, its options and seats",
    Moment.STEP: "Before an action, and when the match is over",
    Moment.MATCH: "When a match is over",
}


def tree(name: str) -> ast.Module:
    return ast.parse((SOURCE / name).read_text("utf-8"))


def signature(function: ast.FunctionDef) -> str:
    """Return a call: without self, defaults as in the source."""
    arguments = function.args
    if arguments.args and arguments.args[0].arg == "self":
        arguments.args = arguments.args[1:]
    returns = f" -> {ast.unparse(function.returns)}" if function.returns else ""
    return f"{function.name}({ast.unparse(arguments)}){returns}"


def entry(code: str, said: str | None) -> str:
    """Return a line of a list: code, and the first paragraph of its docstring."""
    words = " ".join((said or "").partition("\n\n")[0].split())
    return f"- `{code}`" + (f": {words}" if words else "") + "\n"


def is_property(function: ast.FunctionDef) -> bool:
    return any(ast.unparse(decorator) == "property" for decorator in function.decorator_list)


def public_functions(body: list[ast.stmt]) -> list[ast.FunctionDef]:
    """Return the public functions of a module or class, also in an `if TYPE_CHECKING`."""
    found = []
    for node in body:
        if isinstance(node, ast.If):
            found += public_functions(node.body)
        elif isinstance(node, ast.FunctionDef) and node.name not in INSIDE:
            found += [] if node.name.startswith("_") else [node]
    return found


def fields(body: list[ast.stmt]) -> list[str]:
    """Return the fields of a dataclass or constructor, with the docstrings below them."""
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
    """Return the string under a field."""
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
        f"{NOTE}\n# Python\n\n"
        "The functions of `import zashiki`, and the classes that they return. Names that are not\n"
        "on this page may change in any release.\n\n"
        f"## zashiki\n\n{functions}\n{classes}"
    )


def laws_page() -> str:
    parts = [
        f"{NOTE}\n# Laws\n\n"
        "Checks of every match of every game: `python -m zashiki.laws --all`. For each law a toy\n"
        "game in `tests/test_laws_bite.py` breaks it, and the check finds that.\n"
    ]
    for moment, title in MOMENTS.items():
        parts.append(f"\n## {title}\n\n")
        for law in LAWS:
            if law.moment is moment:
                said = " ".join((law.judge.__doc__ or "").split())
                parts.append(f"- *{law.name}* (`{law.judge.__module__}`)")
                parts.append(f": {said}\n" if said else "\n")
    return "".join(parts)


# HTTP and socket -------------------------------------------------------------------------------


def http_page() -> str:
    api = json.loads(json.dumps(described_api()).replace("#/components/schemas/", "#/$defs/"))
    parts = [f"{NOTE}\n{HTTP}\n{api['info']['description']}"]
    for tag in api["tags"]:
        parts.append(f"\n## {tag['name'].capitalize()}\n\n{tag['description']}\n")
        for path, operations in api["paths"].items():
            for method, operation in operations.items():
                if operation["tags"] == [tag["name"]]:
                    parts.append(operation_entry(f"{method.upper()} {path}", operation))
    parts.append("\n## Requests and answers\n")
    parts += [
        struct_entry(name, part) for name, part in sorted(api["components"]["schemas"].items())
    ]
    listed = [one for one in error_codes.ERROR_CODES if set(one.areas) != {error_codes.SOCKET}]
    return "".join([*parts, ERROR_CODES, *map(code_row, listed)])


def operation_entry(title: str, operation: Mapping[str, Any]) -> str:
    parts = [f"\n### `{title}`\n\n{operation['description']}\n"]
    named = operation.get("parameters", [])
    if named:
        parts.append("\n| parameter | in | type | meaning | example |\n|---|---|---|---|---|\n")
    for one in named:
        kind, example = cell(type_of(one["schema"])), json.dumps(one["example"], ensure_ascii=False)
        parts.append(
            f"| `{one['name']}`{'' if one['required'] else ' (optional)'} | {one['in']} | {kind} "
            f"| {one['description']} | `{example}` |\n"
        )
    parts.append("\n")
    if "requestBody" in operation:
        (content,) = operation["requestBody"]["content"].values()
        parts.append(f"- Request: {linked(content['schema'])}\n")
    if operation.get("security"):
        parts.append("- Needs a session" + (" of an operator" * is_for_operator(operation)) + ".\n")
    for status, answer in operation["responses"].items():
        if "$ref" not in answer:
            (content,) = answer["content"].values()
            parts.append(f"- {status}: {linked(content['schema'])}. {answer['description']}\n")
    refused = [status for status, answer in operation["responses"].items() if "$ref" in answer]
    parts.append(f"- Refused with {', '.join(refused)}: see [error codes](#error-codes).\n")
    return "".join(parts)


def is_for_operator(operation: Mapping[str, Any]) -> bool:
    return any("operatorKey" in one for one in operation["security"])


def struct_entry(name: str, part: Mapping[str, Any]) -> str:
    rows = []
    required = set(part.get("required", ()))
    for field, kind in part.get("properties", {}).items():
        default = "" if field in required or "default" not in kind else json.dumps(kind["default"])
        shown = f"`{default}`" if default else "" if field in required else "absent"
        rows.append(f"| `{field}` | {linked(kind)} | {cell(kind['description'])} | {shown} |\n")
    head = "\n| field | type | meaning | default |\n|---|---|---|---|\n" if rows else ""
    example = json.dumps(part["examples"][0], ensure_ascii=False, indent=2)
    described = " ".join(part["description"].split())
    return f"\n### {name}\n\n{described}\n{head}{''.join(rows)}\n```json\n{example}\n```\n"


def linked(schema: Mapping[str, Any]) -> str:
    """Return a type, with links to the structs in it."""
    return re.sub(
        r"(?<![\"\w])([A-Z][a-zA-Z]+)(?![\"\w&])",
        lambda one: f"[{one[1]}](#{one[1].lower()})",
        cell(type_of(schema)),
    )


def cell(text: str) -> str:
    """Return a text as a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def code_row(one: error_codes.ErrorCode) -> str:
    statuses = ", ".join(map(str, one.statuses))
    return f"| `{one.code}` | {statuses} | {', '.join(one.areas)} | {one.meaning} |\n"


def socket_page() -> str:
    codes = [one for one in error_codes.ERROR_CODES if error_codes.SOCKET in one.areas]
    return "".join([
        f"{NOTE}{SOCKET}",
        "\n## Commands\n\n| `do` | struct | meaning |\n|---|---|---|\n",
        *map(frame_row, get_args(frames.Command)),
        "\n## News\n\n| `is` | struct | meaning |\n|---|---|---|\n",
        *map(frame_row, get_args(frames.News)),
        "\n## Codes of refusals\n\nIn `fault` of an `answer`, and in `bye`.\n\n",
        "| code | meaning |\n|---|---|\n",
        *(f"| `{one.code}` | {one.meaning} |\n" for one in codes),
        f"\n## Types\n\n```typescript\n{typescript()}```\n",
    ])  # fmt: skip


def frame_row(frame: type) -> str:
    words = (inspect.getdoc(frame) or "").partition("\n\n")[0]
    return f"| `{frame.__struct_config__.tag}` | `{frame.__name__}` | {cell(words)} |\n"  # type: ignore[attr-defined]


# Command line ----------------------------------------------------------------------------------


def cli_page() -> str:
    return "".join([f"{NOTE}\n{CLI}", *command_entries(build_parser())])


def command_entries(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Yield an entry for each command below a parser."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            helps = {one.dest: one.help or "" for one in action._choices_actions}
            for name, command in action.choices.items():
                if isinstance(command, CommandParser):
                    command.fill()
                yield command_entry(command, helps[name])
                yield from command_entries(command)


def command_entry(parser: argparse.ArgumentParser, help: str) -> str:
    listed = [
        action
        for action in parser._actions
        if not isinstance(action, argparse._HelpAction | argparse._SubParsersAction)
    ]
    rows = [f"| {names_of(action)} | {cell(help_of(action))} |\n" for action in listed]
    head = "\n| argument | meaning |\n|---|---|\n" if rows else ""
    epilog = f"\n```text\n{parser.epilog.strip()}\n```\n" if parser.epilog else ""
    first = "\n\n".join(map(in_markdown, (parser.description or help).strip().split("\n\n")))
    return f"\n## {parser.prog}\n\n{first}\n{head}{''.join(rows)}{epilog}"


def in_markdown(paragraph: str) -> str:
    """Return a paragraph of a description; if it is indented, as it is, because it is a list."""
    lines = paragraph.splitlines()
    if all(line.startswith("  ") for line in lines):
        return f"```text\n{textwrap.dedent(paragraph)}\n```"
    return " ".join(paragraph.split())


def names_of(action: argparse.Action) -> str:
    """Return an argument as it is typed."""
    value = action.metavar or (action.dest.upper() if action.nargs != 0 else "")
    value = " ".join(value) if isinstance(value, tuple) else str(value)
    if not action.option_strings:
        return f"`{value or action.dest}`"
    shown = f" {value}" if value and action.nargs != 0 else ""
    return ", ".join(f"`{name}{shown}`" for name in action.option_strings)


def help_of(action: argparse.Action) -> str:
    return (action.help or "") % {**vars(action), "prog": "zashiki"}


# Configuration ---------------------------------------------------------------------------------


def options_page() -> str:
    parts = [f"{NOTE}\n{OPTIONS}"]
    for command, settings in OPTIONS_OF.items():
        parts.append(f"\n## {command}\n\n{COLUMNS}")
        parts += map(option_row, options_of(settings).values())
    parts.append("\n## deploy/.env\n\nVariables of `deploy/compose.yaml`.\n\n")
    parts += table(DEPLOYMENT.items())
    parts.append("\n## Build, tests and examples\n\n")
    parts += table((f"`{name}`", meaning) for name, meaning in ELSEWHERE.items())
    return "".join(parts)


def table(rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    yield "| variable | meaning |\n|---|---|\n"
    yield from (f"| {name} | {meaning} |\n" for name, meaning in rows)


def option_row(option: Option) -> str:
    flag = " ".join(filter(None, [option.flag, option.metavar]))
    names = ", ".join(f"`{name}`" for name in (flag, option.variable) if name)
    value = option.read.expected if isinstance(option.read, ValueReader) else ""
    default = "off" if option.read is bool else option.default_text
    if option.is_required and not default:
        default = "none: it is required"
    return f"| {names} | {option.help} | {value} | {default} |\n"


def pages() -> dict[str, str]:
    """Return each page by the name of its file."""
    return {
        "http.md": http_page(),
        "cli.md": cli_page(),
        "python.md": python_page(),
        "laws.md": laws_page(),
        "socket.md": socket_page(),
        "options.md": options_page(),
        "../../web/src/shared/wire.ts": f"{TYPES}{typescript()}",
    }


if __name__ == "__main__":
    for name, text in pages().items():
        (FOLDER / name).write_text(text, "utf-8", newline="\n")
