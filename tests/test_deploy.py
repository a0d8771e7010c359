"""The operator's files agree with the code: commands, variables, metrics, paths, pins."""

import os
import re
import shlex
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped,unused-ignore]

from deploy.try_image import DONE, LEFT_OUT, instructions
from zashiki.cli import build_parser
from zashiki.server.bots.worker_link import worker_token
from zashiki.server.http.history import MAX_RECORD_BYTES
from zashiki.server.ops.metrics import REGISTRY
from zashiki.server.ops.verification import TIMEOUT_SECONDS
from zashiki.server.protocol.workers import SOCKET
from zashiki.server.serve import MAX_CONNECTIONS, STOP_TIMEOUT_SECONDS
from zashiki.server.settings import TOKEN_VARIABLE, Settings, WorkerSettings, choose

ROOT = Path(__file__).resolve().parent.parent
DEPLOY = ROOT / "deploy"
GUIDE = ROOT / "docs" / "host" / "operate.md"
COMPOSE = DEPLOY / "compose.yaml"
NGINX = DEPLOY / "nginx.conf"
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))

FENCE = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
VARIABLE = re.compile(r"ZASHIKI_[A-Z_]+")
PUT_IN = re.compile(r"\$\{(\w+)(?:(:[-?])([^}]*))?\}")
"""A variable in compose.yaml, optionally with a default or an error text."""
VALUES = {"PUBLIC_ORIGIN": "https://play.example", "i": "8621"}


def compose() -> dict[str, Any]:
    read: dict[str, Any] = yaml.safe_load(COMPOSE.read_text("utf-8"))
    return read


def texts() -> dict[str, str]:
    """All files for operators, by path."""
    files = [
        path for path in DEPLOY.rglob("*")
        if path.is_file() and path.name != ".env" and path.parent.name != "__pycache__"
    ]  # fmt: skip
    found = [path for path in [*files, GUIDE] if "requirements" not in path.parts]
    return {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in sorted(found)}


# Commands ----------------------------------------------------------------------------------------


def shell_lines(text: str) -> Iterator[str]:
    """Each command in the guide's shell blocks."""
    for block in FENCE.findall(text):
        yield from block.replace("\\\n", " ").splitlines()


def settings(unit: Path, name: str) -> list[str]:
    lines = unit.read_text("utf-8").splitlines()
    return [line.partition("=")[2] for line in lines if line.startswith(f"{name}=")]


def command_lines() -> Iterator[tuple[str, list[str]]]:
    """Every command line of ours, with its source."""
    for name, service in compose()["services"].items():
        if service["image"] == "zashiki":
            yield f"compose.yaml: {name}", [PUT_IN.sub(put_in, word) for word in service["command"]]
    for unit in UNITS:
        (started,) = settings(unit, "ExecStart")
        program, *words = shlex.split(PUT_IN.sub(put_in, started.replace("%i", "8621")))
        assert program == "/opt/zashiki/bin/zashiki"
        yield unit.name, words
    for line in shell_lines(GUIDE.read_text("utf-8")):
        if line.startswith("zashiki "):
            yield "operate.md", shlex.split(line, comments=True)[1:]
    (started,) = re.findall(r"^CMD (\[.*\])$", (DEPLOY / "Dockerfile").read_text(), re.MULTILINE)
    yield "Dockerfile", yaml.safe_load(started)


def put_in(found: re.Match[str]) -> str:
    return VALUES[found[1]]


COMMANDS = list(command_lines())


@pytest.mark.parametrize("words", [words for _, words in COMMANDS], ids=[at for at, _ in COMMANDS])
def test_every_command_can_be_read(words: list[str]) -> None:
    chosen = build_parser().parse_args(words)
    choose(WorkerSettings if words[0] == "bots" else Settings, vars(chosen), {TOKEN_VARIABLE: "t"})
    assert chosen.run.__module__ == f"zashiki.cli.commands.{words[0]}"


def test_commands_are_found_everywhere() -> None:
    places = {at.partition(":")[0] for at, _ in COMMANDS}
    assert places == {"compose.yaml", "operate.md", "Dockerfile", *(unit.name for unit in UNITS)}


# Names -------------------------------------------------------------------------------------------


def known_variables() -> set[str]:
    sources = [ROOT / "setup.py", *(ROOT / "src").rglob("*.py")]
    return {name for path in sources for name in VARIABLE.findall(path.read_text("utf-8"))}


@pytest.mark.parametrize("path", texts())
def test_every_variable_is_one_of_ours(path: str) -> None:
    assert set(VARIABLE.findall(texts()[path])) - known_variables() == set()


def test_compose_is_told_all_that_it_asks_for() -> None:
    asked = {name for name, *_ in PUT_IN.findall(COMPOSE.read_text("utf-8"))}
    told = re.findall(r"^(\w+)=", (DEPLOY / ".env.example").read_text("utf-8"), re.MULTILINE)
    assert asked == set(told)


def exposed() -> set[str]:
    """Return the metric names that Prometheus sees."""
    return {
        f"{metric.name}_total" if metric.type == "counter" else metric.name
        for metric in REGISTRY.collect()
    }


def test_the_guide_has_every_metric_and_no_other() -> None:
    table = [line for line in GUIDE.read_text("utf-8").splitlines() if line.startswith("| `")]
    named = set(re.findall(r"`((?:zashiki|process|python)_\w+)`", "\n".join(table)))
    elsewhere = set(re.findall(r"\bzashiki_\w+", GUIDE.read_text("utf-8")))
    assert named == exposed()
    assert elsewhere <= named


def test_the_guide_has_every_event_of_the_log() -> None:
    server = "\n".join(
        path.read_text("utf-8") for path in (ROOT / "src/zashiki/server").rglob("*.py")
    )
    written = set(re.findall(r'\blog\(\s*logging\.\w+,\s*"([a-z-]+)"', server))
    rows = re.findall(r"^\| (`[^|]+) \| (?:info|warning|error) \|", GUIDE.read_text(), re.MULTILINE)
    assert set(re.findall(r"`([a-z-]+)`", " ".join(rows))) == written


# The image ---------------------------------------------------------------------------------------


def copied() -> Iterator[str]:
    """Yield the files that the Dockerfile copies from the project."""
    for line in (DEPLOY / "Dockerfile").read_text("utf-8").splitlines():
        words = line.split()
        if words[:1] == ["COPY"] and not words[1].startswith("--from="):
            yield from words[1:-1]


def let_in() -> list[str]:
    lines = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    return [line[1:] for line in lines if line.startswith("!")]


def test_what_is_copied_is_there_and_let_in() -> None:
    sources = list(copied())
    assert sources
    for system in sources:
        assert (ROOT / system).exists()
        assert any(Path(system).is_relative_to(path) for path in let_in()), system


def test_nothing_is_let_in_that_is_not_copied() -> None:
    for path in let_in():
        assert any(Path(system).is_relative_to(path) for system in copied()), path


FAKE_DOCKER = """\
#!/bin/sh
for last; do :; done
case $last in *postgres*) [ -z "$FAIL" ] || exit 1 ;; esac
printf 'sha256:%s\\n' "$(printf '%s' "$last" | sha256sum | cut -d' ' -f1)"
"""


def pin_images(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the script on a copy of our files, with a fake docker that has a digest for every tag."""
    docker = folder / "docker"
    docker.write_text(FAKE_DOCKER)
    docker.chmod(0o700)
    path = f"{folder}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        [DEPLOY / "pin_images.sh", folder], capture_output=True, text=True, check=False,
        env={**os.environ, "PATH": path, "FAIL": "", **environment},
    )  # fmt: skip


@pytest.mark.skipif(not shutil.which("sha256sum"), reason="needs sha256sum")
def test_a_script_pins_images_by_digest(tmp_path: Path) -> None:
    names = ("Dockerfile", "compose.yaml")
    for name in names:
        shutil.copy(DEPLOY / name, tmp_path)
    failed = pin_images(tmp_path, FAIL="1")
    assert failed.returncode == 2
    assert "nothing was changed" in failed.stderr
    assert all((tmp_path / name).read_text() == (DEPLOY / name).read_text() for name in names)
    assert pin_images(tmp_path).returncode == 0
    once = [(tmp_path / name).read_text("utf-8") for name in names]
    for text in once:
        tagged = re.findall(r"^(?:FROM| +image:) +([\w.-]+:\S+)", text, re.MULTILINE)
        assert tagged
        for image in tagged:
            assert re.fullmatch(r"[\w.-]+:[\w.-]+@sha256:[0-9a-f]{64}", image), image
    assert re.sub(r"@sha256:\w+", "", "".join(once)) == re.sub(
        r"@sha256:\w+", "", "".join((DEPLOY / name).read_text("utf-8") for name in names)
    )
    assert pin_images(tmp_path).returncode == 0
    assert [(tmp_path / name).read_text("utf-8") for name in names] == once
    assert yaml.safe_load(once[1])["services"].keys() == compose()["services"].keys()


def test_images_are_pinned() -> None:
    dockerfile = (DEPLOY / "Dockerfile").read_text("utf-8")
    bases = set(re.findall(r"^FROM (\S+)", dockerfile, re.MULTILINE))
    stages = set(re.findall(r"^FROM \S+ AS (\S+)", dockerfile, re.MULTILINE))
    others = {service["image"] for service in compose()["services"].values()} - {"zashiki"}
    for image in (bases - stages) | others:
        assert re.search(r":\d+\.\d+(\.\d+)?-", image), image


def stages() -> dict[str, list[tuple[str, str]]]:
    """The instructions of the Dockerfile by stage; the last one is named "last"."""
    found: dict[str, list[tuple[str, str]]] = {}
    for name, rest in instructions((DEPLOY / "Dockerfile").read_text("utf-8")):
        if name == "FROM":
            stage = found.setdefault(rest.partition(" AS ")[2] or "last", [])
        stage.append((name, rest))
    return found


def test_the_image_has_the_wheel_of_a_release() -> None:
    """Compiled and with client and documentation inside; the last stage builds nothing."""
    assert list(stages()) == ["tools", "client", "docs", "wheel", "environment", "last"]
    for made in ("client", "docs"):
        assert any(rest.startswith(f"--from={made} ") for _, rest in stages()["wheel"])
    (built,) = [rest for name, rest in stages()["wheel"] if name == "RUN"]
    assert built.startswith("ZASHIKI_COMPILE=1 ZASHIKI_RELEASE=1 ")
    assert ("COPY", "--from=wheel /wheels /wheels") in stages()["environment"]
    (last,) = [rest for name, rest in stages()["last"] if name == "FROM"]
    assert "-slim-" in last
    assert not any("pip" in rest or "apt" in rest for _, rest in stages()["last"])


def test_the_script_without_docker_knows_every_instruction() -> None:
    used = {name for stage in stages().values() for name, _ in stage}
    assert used <= DONE | LEFT_OUT


def pins(path: Path) -> dict[str, tuple[str, frozenset[str]]]:
    """Return the pin and the hashes of each requirement, by name."""
    found = {}
    for block in re.split(r"\n(?=\S)", path.read_text("utf-8").strip()):
        pin = block.partition(" \\")[0]
        found[pin.partition("==")[0]] = pin, frozenset(re.findall(r"sha256:\w+", block))
    return found


@pytest.mark.parametrize("name", ["build", "server"])
def test_the_image_has_the_pins_of_the_tests(name: str) -> None:
    mine = pins(DEPLOY / "requirements" / f"{name}.txt")
    tested = pins(ROOT / "requirements" / "dev.txt")
    assert mine == {name: tested.get(name) for name in mine}
    assert all(hashes for _, hashes in mine.values())


def test_the_image_has_all_that_the_server_needs() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    needed = [*project["dependencies"], *project["optional-dependencies"]["server"]]
    names = {re.split(r"[^\w.-]", one)[0].replace("_", "-") for one in needed}
    assert names <= set(pins(DEPLOY / "requirements" / "server.txt"))


# Secrets -----------------------------------------------------------------------------------------


@pytest.mark.skipif(shutil.which("openssl") is None, reason="there is no openssl here")
def test_the_token_that_is_made_is_the_one_that_servers_take(tmp_path: Path) -> None:
    file = tmp_path / "env"
    script = DEPLOY / "secrets.sh"
    subprocess.run([script, "new", file], check=True)
    made = dict(line.split("=", 1) for line in file.read_text().splitlines())
    token = worker_token(bytes.fromhex(made["ZASHIKI_KEY"]))
    printed = subprocess.run([script, "token", file], check=True, capture_output=True, text=True)
    assert made["ZASHIKI_BOTS_TOKEN"] == printed.stdout.strip() == token
    renewed = subprocess.run([script, "token", file, "2"], check=True, capture_output=True)
    assert renewed.stdout.decode().strip() == worker_token(bytes.fromhex(made["ZASHIKI_KEY"]), "2")
    assert file.stat().st_mode & 0o077 == 0
    assert subprocess.run([script, "new", file], check=False, capture_output=True).returncode
    assert dict(line.split("=", 1) for line in file.read_text().splitlines()) == made


@pytest.mark.skipif(shutil.which("openssl") is None, reason="there is no openssl here")
@pytest.mark.parametrize("line", ["{}", "{} ", "ZASHIKI_KEY='{}'", 'ZASHIKI_KEY="{}"\t', "{}\r"])
def test_a_key_is_found_as_people_write_it(line: str, tmp_path: Path) -> None:
    key = "0123456789abcdef" * 4
    file = tmp_path / "env"
    file.write_text(f"# ours\n{line.format(key)}\n")
    printed = subprocess.run([DEPLOY / "secrets.sh", "token", file], check=True, stdout=-1)
    assert printed.stdout.decode().strip() == worker_token(bytes.fromhex(key))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["new", "there"], "there: exists already, choose a new name"),
        (["new", "nowhere/env"], "nowhere/env: found no folder nowhere: make it first"),
        (["token", "nowhere"], "nowhere: expected a file with a key, found no file"),
        (["token", "."], ".: expected a file, found a folder"),
        (["token", "there"], "there: expected a key of 64 hexadecimal digits, found none"),
    ],
)
@pytest.mark.skipif(shutil.which("openssl") is None, reason="there is no openssl here")
def test_secrets_that_cannot_be_made_or_read(words: list[str], said: str, tmp_path: Path) -> None:
    (tmp_path / "there").write_text("nothing\n")
    command = [str(DEPLOY / "secrets.sh"), *words]
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (2, f"secrets.sh: {said}\n")


def test_a_token_that_openssl_does_not_make_is_no_token(tmp_path: Path) -> None:
    broken = tmp_path / "openssl"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    (tmp_path / "key").write_text("0" * 64)
    settings = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    for words in (["token", "key"], ["new", "env"]):
        done = subprocess.run(
            [str(DEPLOY / "secrets.sh"), *words], check=False, capture_output=True, text=True,
            cwd=tmp_path, env=settings,
        )  # fmt: skip
        assert (done.returncode, done.stdout) == (2, "")
        assert "openssl does not make a" in done.stderr
    assert not (tmp_path / "env").exists()


# Stopping, and who is in front -------------------------------------------------------------------


def seconds_to_drain(words: list[str]) -> float:
    drain = choose(Settings, vars(build_parser().parse_args(words)), {}).drain
    assert drain is not None
    return drain


def test_who_stops_a_server_waits_for_it() -> None:
    for at, words in COMMANDS:
        if words[0] != "serve" or at in {"operate.md", "Dockerfile"}:
            continue
        if at.startswith("compose"):
            service = compose()["services"][at.rpartition(" ")[2]]
            patience = float(service["stop_grace_period"].removesuffix("s"))
        else:
            (waits,) = settings(DEPLOY / "systemd" / at, "TimeoutStopSec")
            patience = float(waits)
        assert patience > seconds_to_drain(words) + 2 * STOP_TIMEOUT_SECONDS


def test_bots_go_to_every_server_and_nginx_too() -> None:
    services = compose()["services"]
    commands = {name: service.get("command", [""]) for name, service in services.items()}
    servers = [name for name, command in commands.items() if command[0] == "serve"]
    assert len(servers) > 1
    bots = build_parser().parse_args(services["bots"]["command"])
    assert bots.servers == [f"http://{name}:8620" for name in servers]
    in_front = re.findall(r"^ +server (\w+):8620 ", NGINX.read_text("utf-8"), re.MULTILINE)
    assert in_front == servers
    addresses = [services[name]["networks"]["inside"]["ipv4_address"] for name in servers]
    hosts = [f"{name}:{address}" for name, address in zip(servers, addresses, strict=True)]
    assert services["nginx"]["extra_hosts"] == hosts


def test_nginx_keeps_to_itself_what_is_for_operators() -> None:
    text = NGINX.read_text("utf-8")
    for path in ("/metrics", "/status", "/status.css", SOCKET):
        assert f"location = {path} {{ return 404; }}" in text
    (most,) = re.findall(r"worker_connections (\d+);", text)
    assert int(most) >= 2 * MAX_CONNECTIONS


def test_nginx_leaves_records_room_and_time() -> None:
    """A server that nginx gives up on is sent nobody for a while, so a few hard records could keep
    people out."""
    (inside,) = re.findall(r"location = /api/verify \{(.*?)\}", NGINX.read_text("utf-8"), re.DOTALL)
    (size,) = re.findall(r"client_max_body_size (\d+)m;", inside)
    (seconds,) = re.findall(r"proxy_read_timeout (\d+)s;", inside)
    assert int(size) * 1024 * 1024 > MAX_RECORD_BYTES
    assert int(seconds) > TIMEOUT_SECONDS


def with_certificate(text: str, folder: Path) -> str:
    """Return the configuration with its TLS example, and make a self-signed certificate."""
    words = (
        "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=localhost"
    )
    files = ["-keyout", f"{folder}/privkey.pem", "-out", f"{folder}/fullchain.pem"]
    subprocess.run(["openssl", *words.split(), *files], check=True, capture_output=True)
    shown = re.sub(r"^( +)# (listen|ssl_|add_header)", r"\1\2", text, flags=re.MULTILINE)
    return shown.replace("listen 8080;", "").replace("/etc/nginx/tls/", f"{folder}/")


def on_its_own(text: str, folder: Path) -> str:
    """Return the configuration in a form that nginx can check here, without a server."""
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    places = " ".join(f"{kind}_temp_path {folder / kind};" for kind in kinds)
    text = text.replace("include /etc/nginx/mime.types;", places)
    text = text.replace("/run/nginx.pid", f"{folder}/nginx.pid")
    return re.sub(r"server [ab]:8620", "server 127.0.0.1:8620", text)


@pytest.mark.skipif(shutil.which("nginx") is None, reason="there is no nginx here")
@pytest.mark.skipif(shutil.which("openssl") is None, reason="there is no openssl here")
@pytest.mark.parametrize("is_secure", [False, True], ids=["plain", "tls"])
def test_nginx_takes_its_settings(tmp_path: Path, is_secure: bool) -> None:
    text = on_its_own(NGINX.read_text("utf-8"), tmp_path)
    if is_secure:
        text = with_certificate(text, tmp_path)
        assert "\n        listen 8443 ssl;" in text
    file = tmp_path / "nginx.conf"
    file.write_text(text)
    command = ["nginx", "-t", "-p", str(tmp_path), "-c", str(file), "-e", "stderr"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
