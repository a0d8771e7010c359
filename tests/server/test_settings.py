"""Options of the server: flag before variable before default, and errors that name their source."""

from pathlib import Path
from typing import Any

import pytest

import zashiki
from tests.commands import error, output
from zashiki.core.rulings import Malformed
from zashiki.server.settings import (
    KEY_VARIABLE,
    SENDER_VARIABLE,
    SMTP_VARIABLE,
    STORE_VARIABLE,
    TOKEN_VARIABLE,
    Relay,
    Settings,
    StoreSettings,
    WorkerSettings,
    choose,
    options_of,
    read_origin,
)

SECRET = "secret-word"


def serve(variables: dict[str, str] | None = None, **flags: Any) -> Settings:
    return choose(Settings, flags, variables or {})


def test_without_flags_and_variables_there_are_the_defaults() -> None:
    chosen = serve()
    assert chosen == Settings(system=chosen.system)
    assert choose(StoreSettings, {"quiet": True}, {}) == StoreSettings()


def test_flags_and_variables_are_read_with_their_types() -> None:
    key = "AB" * 32
    chosen = serve(
        {STORE_VARIABLE: "here.db", KEY_VARIABLE: f"{key}\n"},
        folder="data", port="0", bot_pace="0.5", drain="10", quiet=True, opens=False,
        origins=["https://A.example:443/", "http://b"], proxies=["10.0.0.0/24", "::1"],
    )  # fmt: skip
    assert (chosen.folder, chosen.port, chosen.bot_pace, chosen.drain) == (Path("data"), 0, 0.5, 10)
    assert (chosen.store, chosen.key) == ("here.db", bytes.fromhex(key))
    assert (chosen.quiet, chosen.opens) == (True, False)
    assert chosen.origins == {"https://a.example", "http://b"}
    assert chosen.proxies == ("10.0.0.0/24", "::1/128")


@pytest.mark.parametrize("store", ["", "here.db", "C:\\here.db", "postgresql://me:12@db/zashiki"])
def test_a_store_is_a_file_or_a_postgresql(store: str) -> None:
    assert serve({STORE_VARIABLE: store}).store == store


def test_a_flag_goes_before_a_variable() -> None:
    flags, variables = {"servers": ["http://a/"], "token": "flag"}, {TOKEN_VARIABLE: "variable"}
    assert choose(WorkerSettings, flags, variables).token == "flag"
    flags.pop("token")
    assert choose(WorkerSettings, flags, variables).token == "variable"
    with pytest.raises(Malformed, match=r"^ZASHIKI_BOTS_TOKEN: expected .*, found nothing$"):
        choose(WorkerSettings, flags, {})


def test_the_mail_server_is_an_address_with_user_and_password() -> None:
    sender = {SENDER_VARIABLE: "games@play.example"}
    chosen = serve({SMTP_VARIABLE: f"smtp://me:{SECRET}%40@mail.example", **sender})
    assert chosen.smtp == Relay("mail.example", 587, False, "me", f"{SECRET}@")
    assert SECRET not in repr(chosen)
    assert not chosen.smtp.is_here
    here = serve({SMTP_VARIABLE: "smtps://localhost:2525", **sender}).smtp
    assert here == Relay("localhost", 2525, True)
    assert here.is_here
    with pytest.raises(Malformed, match=r"^ZASHIKI_SMTP_FROM: expected a mail address"):
        serve({SENDER_VARIABLE: "games"})


@pytest.mark.parametrize(
    ("variables", "flags", "said"),
    [
        ({SMTP_VARIABLE: "smtp://a.b"}, {}, "ZASHIKI_SMTP_URL: expected ZASHIKI_SMTP_FROM too"),
        ({SENDER_VARIABLE: "a@b.de"}, {}, "ZASHIKI_SMTP_FROM: expected ZASHIKI_SMTP_URL too"),
        (
            {SMTP_VARIABLE: "smtp://a.b", SENDER_VARIABLE: "a@b.de"}, {},
            "ZASHIKI_SMTP_URL: expected --origin too, found none",
        ),
        ({}, {"webhooks": True}, "--webhooks: expected --origin too, found none"),
    ],
)  # fmt: skip
def test_options_of_digests_go_together(
    variables: dict[str, str], flags: dict[str, Any], said: str
) -> None:
    with pytest.raises(Malformed, match=f"^{said}"):
        serve(variables, **flags).check_digests()
    complete = {SMTP_VARIABLE: "smtp://a.b", SENDER_VARIABLE: "a@b.de"}
    chosen = serve(complete, webhooks=True, origins=["http://a", "https://b"])
    chosen.check_digests()
    assert chosen.public_address == "https://b"


@pytest.mark.parametrize(
    ("variable", "text"),
    [
        (STORE_VARIABLE, f"mysql://me:{SECRET}@db/zashiki"),
        (STORE_VARIABLE, f'"postgresql://me:{SECRET}@db/zashiki"'),
        (STORE_VARIABLE, f" postgresql://me:{SECRET}@db/zashiki"),
        (STORE_VARIABLE, f"postgresql:{SECRET}"),
        (STORE_VARIABLE, f"POSTGRESQL://me:{SECRET}@db/zashiki"),
        (SMTP_VARIABLE, f"https://me:{SECRET}@mail.example"),
        (SMTP_VARIABLE, f"smtp://me:{SECRET}@"),
        (SMTP_VARIABLE, f"smtp://me:{SECRET}@mail.example/box"),
        (SMTP_VARIABLE, f"smtp://me:{SECRET}@mail.example:many"),
        (KEY_VARIABLE, ""),
        (KEY_VARIABLE, SECRET),
        (KEY_VARIABLE, "g" * 64),
        (KEY_VARIABLE, "１" * 64),
    ],
)
def test_a_wrong_variable_is_named_and_its_value_not_shown(variable: str, text: str) -> None:
    with pytest.raises(Malformed, match=rf"^{variable}: expected .*, found \w+") as caught:
        serve({variable: text})
    assert not text or text not in str(caught.value)
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("serve --port 65536", "--port: expected a whole number from 0 to 65535, found '65536'"),
        ("serve --port many", "--port: expected a whole number from 0 to 65535, found 'many'"),
        ("serve --bots 65", "--bots: expected a whole number from 0 to 64, found '65'"),
        ("serve --bot-pace nan", "--bot-pace: expected a number from 0 to 60, found 'nan'"),
        ("serve --requests 0", "--requests: expected a whole number from 1 to 10"),
        ("serve --connections 0.5", "--connections: expected a whole number from 1 to 10"),
        ("serve --drain 601", "--drain: expected a number from 0 to 600, found '601'"),
        ("serve --proxy nginx", "--proxy: expected an IP address or a network, found 'nginx'"),
        ("serve --origin a.example", "--origin: expected an origin like https://play.example"),
        ("bots --server a --token t", "--server: expected an address like http://127.0.0.1:8620"),
        ("bots --server http://a --token t --seats 0", "--seats: expected a whole number from 1"),
        (
            "bots --server http://a --token t --patience -1",
            "--patience: expected a number of 0 or more",
        ),
    ],
)
def test_a_wrong_flag_is_named_and_leads_to_the_help(words: str, said: str) -> None:
    told = error(*words.split())
    assert f"zashiki: {said}" in told
    assert told.endswith(f"(see zashiki {words.partition(' ')[0]} --help)\n")


@pytest.mark.parametrize(("command", "settings"), [("serve", Settings), ("bots", WorkerSettings)])
def test_the_help_has_every_option_with_its_default(command: str, settings: type) -> None:
    told = " ".join(output(command, "--help").split())
    for option in options_of(settings).values():
        assert option.flag or option.variable in told
        assert option.help in told.replace("X-Forwarded- For", "X-Forwarded-For")
        assert not option.default_text or f"(default: {option.default_text})" in told


def test_each_variable_is_written_in_one_module() -> None:
    (package,) = zashiki.__path__
    found = [path.name for path in Path(package).rglob("*.py") if "ZASHIKI_" in path.read_text()]
    assert found == ["settings.py"]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("https://play.example", "https://play.example"),
        ("https://play.example/", "https://play.example"),
        ("HTTPS://Play.Example:443/", "https://play.example"),
        ("http://127.0.0.1:8620", "http://127.0.0.1:8620"),
        ("http://[::1]:80", "http://[::1]"),
    ],
)
def test_an_origin_is_taken_as_browsers_say_it(written: str, meant: str) -> None:
    assert read_origin(written) == meant


@pytest.mark.parametrize(
    "written",
    [
        "", "play.example", "https://", "https://play.example/x", "https://play.example//",
        "ftp://play.example", "https://me@play.example", "https://play.example:0",
        "https://play.example:99999", "https://play.example?", "https://play.example\n", "null",
    ],
)  # fmt: skip
def test_what_is_no_origin_is_refused(written: str) -> None:
    with pytest.raises(Malformed, match=r"(?s)--origin: expected .* like https://play\.example"):
        serve(origins=[written])
