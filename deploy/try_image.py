"""Run the steps of deploy/Dockerfile in clean roots, on a machine without a Docker engine.

    python deploy/try_image.py FOLDER

It needs root, Debian's debootstrap and a network. Each stage becomes a folder below FOLDER, and
each RUN a command inside it (chroot). Debian's own Python 3.11 stands for the official image. The
server is started from the last stage, as its user. The script prints sizes and times.
"""

import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.request import ProxyHandler, build_opener

ROOT = Path(__file__).resolve().parent.parent
DOCKERFILE = ROOT / "deploy" / "Dockerfile"
CLIENT = ROOT / "src" / "zashiki" / "server" / "client"
SLIM = "python3,python-is-python3,ca-certificates"
BUILDS = ["python3-pip", "python3-venv", "python3-dev", "gcc", "libc6-dev"]
SHARED = ("/etc/resolv.conf", "/etc/ssl/certs/ca-certificates.crt")
OUTSIDE = {
    "PIP_BREAK_SYSTEM_PACKAGES": "1",  # Debian's Python asks for it, the image's does not
    "PIP_CERT": SHARED[1],
    "NODE_EXTRA_CA_CERTS": SHARED[1],
}
PATIENCE = 60.0
DONE = {"FROM", "COPY", "RUN", "ENV", "WORKDIR"}
LEFT_OUT = {"USER", "EXPOSE", "HEALTHCHECK", "ENTRYPOINT", "CMD"}
"""`start` does what these say."""


def instructions(text: str) -> Iterator[tuple[str, str]]:
    """Return the instructions of a Dockerfile, with continued lines joined."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    for line in "\n".join(lines).replace("\\\n", " ").splitlines():
        name, _, rest = line.strip().partition(" ")
        yield name, rest.strip()


def make_bases(folder: Path) -> dict[str, Path]:
    """Make the two roots that stand for the official images, unless they are there."""
    slim, full = folder / "base-slim", folder / "base-full"
    if not (slim / "made").exists():
        shutil.rmtree(slim, ignore_errors=True)
        command = ["debootstrap", "--variant=minbase", f"--include={SLIM}", "bookworm", str(slim)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        (slim / "made").touch()
    if not (full / "made").exists():
        copy_root(slim, full)
        (full / "made").unlink()
        share(full)
        words = "apt-get update -qq && apt-get install -qq --no-install-recommends "
        inside(full, words + " ".join(BUILDS), {"DEBIAN_FRONTEND": "noninteractive"})
        (full / "made").touch()
    return {"slim": slim, "full": full}


def copy_root(root: Path, copy: Path) -> None:
    shutil.rmtree(copy, ignore_errors=True)
    subprocess.run(["cp", "--archive", "--reflink=auto", str(root), str(copy)], check=True)


def share(root: Path) -> None:
    """Give a root this machine's name servers and certificates."""
    for name in SHARED:
        shutil.copy(name, root / name[1:])


def inside(root: Path, command: str, settings: dict[str, str], at: str = "/") -> None:
    """Run a shell command in the root; its output is shown if it fails."""
    path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    environment = {"PATH": path, "HOME": "/tmp", **OUTSIDE, **settings}
    words = ["chroot", str(root), "/bin/sh", "-ec", f"cd {shlex.quote(at)}; {command}"]
    done = subprocess.run(words, env=environment, check=False, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"try_image.py: RUN {command}\n{done.stdout}{done.stderr}")


def ignored(folder: str, names: list[str]) -> set[str]:
    """Keep out what .dockerignore keeps out: caches, extensions, the client built outside."""
    outside = {CLIENT.name} if Path(folder) == CLIENT.parent else set()
    return outside | set(shutil.ignore_patterns("__pycache__", "*.so", "*.egg-info")(folder, names))


class Stage:
    """One stage of the Dockerfile, as a root."""

    def __init__(self, root: Path, settings: dict[str, str], workdir: str) -> None:
        self.root, self.settings, self.workdir = root, settings, workdir

    def copy(self, rest: str, stages: dict[str, "Stage"]) -> None:
        """COPY, from the project or from another stage."""
        words = rest.split()
        source = ROOT
        if words[0].startswith("--from="):
            source = stages[words.pop(0).removeprefix("--from=")].root
        *names, target = words
        for name in names:
            self.copy_one(source / name.lstrip("/"), target)

    def copy_one(self, source: Path, target: str) -> None:
        place = self.root / os.path.join(self.workdir, target).lstrip("/")
        if source.is_dir():
            ignore = ignored if source.is_relative_to(ROOT / "src") else None
            shutil.copytree(source, place, symlinks=True, dirs_exist_ok=True, ignore=ignore)
        else:
            if target.endswith("/") or place.is_dir():
                place = place / source.name
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, place)

    def run(self, command: str) -> None:
        (self.root / self.workdir[1:]).mkdir(parents=True, exist_ok=True)
        inside(self.root, command, self.settings, self.workdir)


def build(folder: Path) -> Stage:
    """Do all that the Dockerfile says, and return its last stage."""
    bases = make_bases(folder)
    stages: dict[str, Stage] = {}
    stage = Stage(folder, {}, "/")
    for name, rest in instructions(DOCKERFILE.read_text("utf-8")):
        began = time.monotonic()
        if name not in DONE | LEFT_OUT:
            sys.exit(f"try_image.py: expected one of {sorted(DONE | LEFT_OUT)}, found {name}")
        if name == "FROM":
            base, _, alias = rest.partition(" AS ")
            stage = begin(folder / f"stage-{alias or 'last'}", base, stages, bases)
            stages[alias or "last"] = stage
        elif name == "COPY":
            stage.copy(rest, stages)
        elif name == "RUN":
            stage.run(rest)
        elif name == "ENV":
            pairs = re.findall(r"(\w+)=(\S+)", rest)
            known = {"PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", **stage.settings}
            stage.settings |= {key: value.replace("$PATH", known["PATH"]) for key, value in pairs}
        elif name == "WORKDIR":
            stage.workdir = rest
        print(f"{time.monotonic() - began:6.1f} s  {name} {rest[:80]}", flush=True)
    return stages["last"]


def begin(root: Path, base: str, stages: dict[str, Stage], bases: dict[str, Path]) -> Stage:
    """FROM: a copy of another stage, or of a base."""
    if base in stages:
        copy_root(stages[base].root, root)
        return Stage(root, dict(stages[base].settings), stages[base].workdir)
    copy_root(bases["slim" if "slim" in base else "full"], root)
    if "slim" not in base:
        share(root)
    return Stage(root, {}, "/")


def size(folder: Path) -> float:
    """Return megabytes on disk, as du counts them."""
    told = subprocess.run(
        ["du", "-s", "--block-size=1", str(folder)], check=True, capture_output=True, text=True
    )
    return int(told.stdout.split()[0]) / 1e6


def start(stage: Stage) -> tuple[float, float]:
    """Start the server as the image does; return seconds until it answers and a worker joined."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    words = ["serve", "--host", "127.0.0.1", "--port", str(port), "--data", "/data"]
    command = ["chroot", "--userspec=zashiki:zashiki", str(stage.root), "zashiki", *words]
    environment = {"HOME": "/data", **stage.settings}
    began = time.monotonic()
    server = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    try:
        address = f"http://127.0.0.1:{port}"
        answers = wait_for(f"{address}/health", '"status":"ok"', began)
        # /health says that bots are "ok" before they come: the server means to start its own.
        return answers, wait_for(f"{address}/metrics", "^zashiki_bot_workers [1-9]", began)
    finally:
        server.terminate()
        server.wait(PATIENCE)


def wait_for(address: str, word: str, began: float) -> float:
    """Return the seconds since the start at which this address answers with this word."""
    opener = build_opener(ProxyHandler({}))
    while time.monotonic() - began < PATIENCE:
        try:
            with opener.open(address, timeout=5) as answer:
                if re.search(word, answer.read().decode(), re.MULTILINE):
                    return time.monotonic() - began
        except OSError:
            pass
        time.sleep(0.05)
    sys.exit(f"try_image.py: no {word} at {address} within {PATIENCE:.0f} s")


def check_runtime(stage: Stage) -> None:
    """Refuse a last stage with a compiler, or with rules that are not compiled."""
    inside(stage.root, "! command -v cc gcc clang; ! python -c 'import mypy' 2> /dev/null", {})
    program = "from zashiki.core import dice; assert dice.__file__.endswith('.so'), dice.__file__"
    inside(stage.root, f'python -c "{program}"', stage.settings)


def main() -> int:
    if len(sys.argv) != 2 or os.geteuid() or not shutil.which("debootstrap"):
        print("usage: try_image.py FOLDER (as root, with debootstrap)", file=sys.stderr)
        return 2
    folder = Path(sys.argv[1]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    stage = build(folder)
    check_runtime(stage)
    answers, bots = start(stage)
    ours = size(stage.root / "opt" / "zashiki")
    print(f"image: {size(stage.root):.0f} MB on disk, of which /opt/zashiki {ours:.0f} MB")
    print(f"start: answers after {answers:.1f} s, bots after {bots:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
