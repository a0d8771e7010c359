"""Options of the server and of bot workers: each flag, variable, default, check and help, once."""

import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import MISSING, dataclass, field, fields
from ipaddress import ip_network
from math import inf
from pathlib import Path
from typing import Any, Generic, TypeVar
from urllib.parse import unquote, urlsplit

from zashiki.core.rulings import Malformed, quoted
from zashiki.server.system import System

STORE_VARIABLE = "ZASHIKI_STORE"
KEY_VARIABLE = "ZASHIKI_KEY"
TOKEN_VARIABLE = "ZASHIKI_BOTS_TOKEN"
SMTP_VARIABLE = "ZASHIKI_SMTP_URL"
SENDER_VARIABLE = "ZASHIKI_SMTP_FROM"
KEY_FILE = "secret.key"
SHARED_DRAIN_SECONDS = 5.0
"""Default of `--drain` if other servers may share the store."""

POSTGRES = re.compile(r"postgres(ql)?://")
ORIGIN = re.compile(r"(https?)://(\[[0-9a-f:.]+]|[a-z0-9._-]+)(?::([0-9]{1,5}))?/?", re.IGNORECASE)
MAIL_ADDRESS = re.compile(
    r"(?!.*=\?)[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z]{2,63}"
)
"""Without `=?`: in a header that begins an encoded word, which stands for another address."""
DEFAULT_PORTS = {"http": 80, "https": 443, "smtp": 587, "smtps": 465}

Value = TypeVar("Value")

# Kinds of values ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class ValueReader(Generic[Value]):
    """Reads one kind of value. It raises `Malformed` for any other text."""

    expected: str
    parse: Callable[[str], Value | None]
    """Returns None or raises `ValueError` for any other text."""
    is_secret: bool = False
    """True if errors must not repeat the text."""

    def __call__(self, text: str) -> Value:
        with suppress(ValueError):
            if (value := self.parse(text)) is not None:
                return value
        found = "nothing" if not text else "other text" if self.is_secret else quoted(text)
        raise Malformed(f"expected {self.expected}, found {found}")


def number(kind: type[int] | type[float], low: float, high: float) -> ValueReader[float]:
    noun = "whole number" if kind is int else "number"
    return ValueReader(
        f"a {noun} from {low} to {high}" if high < inf else f"a {noun} of {low} or more",
        lambda text: found if low <= (found := kind(text)) <= high else None,
    )


def matching(pattern: str) -> Callable[[str], str | None]:
    """Return a parser that returns the first group of a pattern."""
    return lambda text: (found := re.fullmatch(pattern, text, re.DOTALL)) and found[1]


def parse_key(text: str) -> bytes | None:
    return bytes.fromhex(text) if re.fullmatch(r"\s*[0-9a-fA-F]{64}\s*", text) else None


def parse_origin(text: str) -> str | None:
    """Return an origin as browsers write it: in lower case, without the default port."""
    found = ORIGIN.fullmatch(text)
    if found is None or (found[3] and not 0 < int(found[3]) < 65536):
        return None
    scheme, host = found[1].lower(), found[2].lower()
    port = int(found[3] or DEFAULT_PORTS[scheme])
    return f"{scheme}://{host}" if port == DEFAULT_PORTS[scheme] else f"{scheme}://{host}:{port}"


def parse_server(text: str) -> str | None:
    """Return the address of a server without blanks and slashes around it."""
    found = re.fullmatch(r"(?i)\s*((?:https?|wss?)://.*[^/\s])[/\s]*", text)
    return found[1] if found and urlsplit(found[1]).port != 0 else None


@dataclass(frozen=True)
class Relay:
    """The mail server that takes the server's messages."""

    host: str
    port: int
    is_tls: bool
    """True if the connection begins with TLS. Otherwise STARTTLS follows."""
    user: str = ""
    password: str = field(default="", repr=False)

    @property
    def is_here(self) -> bool:
        """True for a mail server on this machine, which may do without TLS."""
        return self.host in {"localhost", "127.0.0.1", "::1"}


def parse_relay(text: str) -> Relay | None:
    parts = urlsplit(text.strip())
    if parts.scheme not in {"smtp", "smtps"} or not parts.hostname or parts.path.strip("/"):
        return None
    port = parts.port or DEFAULT_PORTS[parts.scheme]
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    return Relay(parts.hostname, port, parts.scheme == "smtps", user, password)


def parse_mail_address(text: str) -> str | None:
    return text if len(text) <= 254 and MAIL_ADDRESS.fullmatch(text) else None


read_origin = ValueReader("an origin like https://play.example, perhaps with a port", parse_origin)
read_proxy = ValueReader(
    "an IP address or a network", lambda text: str(ip_network(text, strict=False))
)
read_host = ValueReader("an address or a name to listen on", matching(r"([ -~]+)"))
read_server = ValueReader("an address like http://127.0.0.1:8620", parse_server)
read_series = ValueReader("1 to 40 letters, digits or hyphens", matching("([0-9A-Za-z-]{1,40})"))
read_token = ValueReader("the content of the server's worker.token", matching("([ -~]+)"), True)
read_key = ValueReader("64 hexadecimal digits", parse_key, True)
read_login = ValueReader("a login: 3 to 24 of a-z, 0-9, _ and -", matching("([a-z0-9_-]{3,24})"))
read_relay = ValueReader("smtp://user:password@host:port or smtps://…", parse_relay, True)
read_mail_address = ValueReader("a mail address like games@play.example", parse_mail_address)
read_store = ValueReader(
    "the path of a file or postgresql://user:password@host:port/name",
    matching(rf"({POSTGRES.pattern}.*|(?![A-Za-z][A-Za-z0-9+.-]+:)(?!.*://).*)"),  # C: is a drive
    True,
)


# Options -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Option:
    """The flag or variable that sets one field of a settings class."""

    flag: str
    """Empty for a secret: other users of a machine can list the arguments of its processes."""
    help: str
    read: Callable[[str], object] = str
    metavar: str | None = None
    variable: str = ""
    default_text: str = ""
    """The default in words, if the value of the field does not say it."""
    collect: Callable[[Iterable[Any]], object] | None = None
    """Container of the values of a flag that can be repeated."""
    is_required: bool = False


def option(default: Value, flag: str, help: str, *more: Any, **named: Any) -> Value:
    """Declare a field of a settings class, with its default and the fields of its `Option`."""
    named["is_required"] = default is MISSING
    if default and default is not MISSING:
        named.setdefault("default_text", str(default).removesuffix(".0"))
    made = Option(flag, help, *more, **named)
    declared: Value = field(default=default, metadata={"option": made})
    return declared


QUIET = ("--quiet", "log warnings and errors only", bool)
REQUIRED: Any = MISSING


@dataclass(frozen=True)
class FolderSettings:
    """The setting that names the data folder."""

    folder: Path = option(
        Path("zashiki-data"), "--data", "data folder: database, secret key, token of bot workers",
        Path, "DIR",
    )  # fmt: skip


def key_option() -> bytes | None:
    return option(
        None, "", "secret key: 64 hexadecimal digits, the same for all servers that share a store",
        read_key, variable=KEY_VARIABLE, default_text=f"{KEY_FILE} in the data folder",
    )  # fmt: skip


@dataclass(frozen=True)
class OperatorSettings(FolderSettings):
    """The settings of a command that talks to a running server as its operator."""

    key: bytes | None = key_option()
    server: str = option(
        "http://127.0.0.1:8620", "--server", "address of the server on this machine", read_server,
        "URL",
    )  # fmt: skip


@dataclass(frozen=True)
class StoreSettings(FolderSettings):
    """The settings that name a store."""

    store: str | None = option(
        None, "", "store: the path of a SQLite file, or postgresql://user:password@host:port/name, "
        "which several servers can share", read_store, variable=STORE_VARIABLE,
        default_text="zashiki.db in the data folder",
    )  # fmt: skip

    def check_folder(self) -> None:
        """Raise `Malformed` if the data folder or a folder above it is a file."""
        if any(path.is_file() for path in (self.folder, *self.folder.parents)):
            raise Malformed(f"--data {self.folder}: expected a folder, found a file")


@dataclass(frozen=True)
class Settings(StoreSettings):
    """The settings of a server."""

    key: bytes | None = key_option()
    host: str = option("127.0.0.1", "--host", "address to listen on", read_host)
    port: int = option(
        8620, "--port", "port to listen on, 0 for any free one", number(int, 0, 65535)
    )
    origins: frozenset[str] = option(
        frozenset(), "--origin", "allowed browser origin, such as https://play.example; repeatable",
        read_origin, "URL", default_text="the server's own address", collect=frozenset,
    )  # fmt: skip
    proxies: tuple[str, ...] = option(
        (), "--proxy", "address or network of a reverse proxy whose X-Forwarded-For is trusted; "
        "repeatable", read_proxy, "ADDRESS", default_text="none", collect=tuple,
    )  # fmt: skip
    operators: frozenset[str] = option(
        frozenset(), "--operator", "login of an account that may use the page /operator; "
        "repeatable", read_login, "LOGIN", default_text="none", collect=frozenset,
    )  # fmt: skip
    bots: int = option(1, "--bots", "number of local bot worker processes", number(int, 0, 64), "N")
    token_series: str = option(
        "", "--token-series", "name on which the bot workers' token depends: a new name renews the "
        "token without ending sessions", read_series, "NAME", default_text="none",
    )  # fmt: skip
    bot_pace: float = option(
        1.0, "--bot-pace", "typical bot thinking time at tables with people, in seconds",
        number(float, 0, 60), "SECONDS",
    )  # fmt: skip
    compiled: Path | None = option(
        None, "--compiled", "folder of compiled modules for local bot workers, used as soon as it "
        "exists", Path, "DIR", default_text="none",
    )  # fmt: skip
    requests: int = option(
        600, "--requests", "max requests per minute per IP; the limits of socket commands (twice "
        "as many per player), new tables, public tables, new guests and chat change with it",
        number(int, 1, 10**9), "N",
    )  # fmt: skip
    connections: int = option(
        1000, "--connections", "max open connections per IP", number(int, 1, 10**9), "N"
    )
    match_memory: int = option(
        512, "--match-memory", "max memory for tables, matches and their rules, in MB",
        number(int, 16, 10**6), "MB",
    )  # fmt: skip
    drain: float | None = option(
        None, "--drain", "time to move players to another server before stopping, in seconds",
        number(float, 0, 600), "SECONDS",
        default_text=f"{SHARED_DRAIN_SECONDS:g} with PostgreSQL, 0 with SQLite",
    )  # fmt: skip
    smtp: Relay | None = option(
        None, "", "mail server for daily digests: smtp://user:password@host:port (STARTTLS) or "
        "smtps://…; on this machine, TLS is optional", read_relay, variable=SMTP_VARIABLE,
        default_text="none: no mail is sent",
    )  # fmt: skip
    mail_sender: str | None = option(
        None, "", "address from which digests are sent", read_mail_address,
        variable=SENDER_VARIABLE, default_text="none",
    )  # fmt: skip
    webhooks: bool = option(
        False, "--webhooks", "let players have a daily digest posted to an https address of their "
        "own", bool,
    )  # fmt: skip
    quiet: bool = option(False, *QUIET)
    opens: bool = option(False, "--open", "open the server's address in a browser", bool)
    system: System = field(default_factory=System)
    calls_here: bool = False
    """For tests: browsers may be called at this machine, too, and without TLS."""
    address: str | None = None
    """URL at which local bot workers reach the server. None: it starts no workers."""

    @property
    def public_address(self) -> str | None:
        """The origin that messages link to: an https one if there is any."""
        return min(self.origins, key=lambda one: (not one.startswith("https:"), one), default=None)

    def check_digests(self) -> None:
        """Raise `Malformed` unless the options for digests make sense together."""
        if (self.smtp is None) != (self.mail_sender is None):
            set_, missing = (SMTP_VARIABLE, SENDER_VARIABLE)[:: 1 if self.smtp else -1]
            raise Malformed(f"{set_}: expected {missing} too, found nothing: set both or none")
        if (self.smtp or self.webhooks) and self.public_address is None:
            named = SMTP_VARIABLE if self.smtp else "--webhooks"
            raise Malformed(f"{named}: expected --origin too, found none: messages link to it")


@dataclass(frozen=True)
class WorkerSettings:
    """The settings of a bot worker."""

    servers: tuple[str, ...] = option(
        REQUIRED, "--server", "address of a server; repeatable", read_server, "URL", collect=tuple
    )
    token: str = option(
        REQUIRED, "--token", "token of bot workers: worker.token in the server's data folder",
        read_token, variable=TOKEN_VARIABLE, default_text=f"${TOKEN_VARIABLE}",
    )  # fmt: skip
    seats: int = option(
        200, "--seats", "max seats that the worker plays per server", number(int, 1, 10**9), "N"
    )
    patience: float = option(
        60.0, "--patience", "time without a server before the worker ends, in seconds",
        number(float, 0, inf), "SECONDS",
    )  # fmt: skip
    quiet: bool = option(False, *QUIET)


# From flags and variables to settings ------------------------------------------------------------


def options_of(settings: type) -> dict[str, Option]:
    """Return the options of a settings class by the names of their fields."""
    found = {one.name: one.metadata.get("option") for one in fields(settings)}
    return {name: option for name, option in found.items() if option is not None}


def choose(settings: type[Value], flags: Mapping[str, Any], variables: Mapping[str, str]) -> Value:
    """Make settings: a flag, by the name of its field, goes before a variable, then a default."""
    values = {}
    for name, option in options_of(settings).items():
        source, given = option.flag, flags.get(name)
        if given is None and option.variable:
            absent = "" if option.is_required else None
            source, given = option.variable, variables.get(option.variable, absent)
        try:
            if given is not None and option.collect is not None:
                values[name] = option.collect(map(option.read, given))
            elif given is not None:
                values[name] = option.read(given)
        except Malformed as fault:
            raise Malformed(f"{source}: {fault}") from None
    return settings(**values)
