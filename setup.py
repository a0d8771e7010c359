"""The metadata is in pyproject.toml. This file adds the compiled modules to a wheel.

ZASHIKI_COMPILE=0 makes a pure wheel. ZASHIKI_COMPILE=1 makes a failure to compile an error.
Otherwise a wheel is compiled if mypyc and a C compiler are there, and pure if not. An editable
install is never compiled.

ZASHIKI_RELEASE=1 makes a missing built client an error. Otherwise it is a warning.
"""

import atexit
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT / "tools"))  # a PEP 517 build does not put it there

import compiled  # noqa: E402

WISH = os.environ.get("ZASHIKI_COMPILE", "")
IS_RELEASE = os.environ.get("ZASHIKI_RELEASE") == "1"
SCRATCH = Path(tempfile.mkdtemp(prefix="zashiki-"))
atexit.register(shutil.rmtree, SCRATCH, ignore_errors=True)
TREE = SCRATCH / "compiled"


def check_client() -> None:
    """Refuse a release without the built client: its server would have no pages."""
    if not {"sdist", "bdist_wheel"}.intersection(sys.argv):
        return
    if (ROOT / "src/zashiki/server/client/index.html").is_file():
        return
    missing = "src/zashiki/server/client/index.html: not found. Build it: make client"
    if IS_RELEASE:
        raise SystemExit(f"zashiki: no built client, and ZASHIKI_RELEASE=1: {missing}")
    print(f"zashiki: WARNING: no built client, the server has no pages: {missing}", file=sys.stderr)


def compile_for_wheel() -> list[str]:
    """Compile before setuptools starts, while the wheel can still become a pure one."""
    if WISH == "0" or "bdist_wheel" not in sys.argv:
        return []
    try:
        TREE.mkdir()
        compiled.build([compiled.ZASHIKI], TREE)
    except (compiled.CannotCompile, subprocess.CalledProcessError, OSError) as reason:
        failed = isinstance(reason, subprocess.CalledProcessError)
        why = "mypyc or the C compiler failed" if failed else reason
        if WISH == "1":
            sys.stderr.write(reason.stdout.decode(errors="replace") if failed else "")
            raise SystemExit(f"zashiki: not compiled, and ZASHIKI_COMPILE=1: {why}") from None
        print(f"zashiki: WARNING: a pure wheel, much slower: {why}", file=sys.stderr)
        return []
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    return [str(path.relative_to(TREE)) for path in TREE.rglob(f"*{suffix}")]


check_client()
EXTENSIONS = compile_for_wheel()


class PutExtensions(build_ext):
    """They are compiled already: put them where the wheel is gathered."""

    def run(self) -> None:
        for name in EXTENSIONS:
            target = Path(self.build_lib, name)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(TREE / name, target)


setup(
    ext_modules=[Extension(name, sources=[]) for name in EXTENSIONS],
    cmdclass={"build_ext": PutExtensions},
    # Without a compiler mypy is of no use, so nobody has to download it.
    setup_requires=[] if WISH == "0" or compiled.missing_tool() else ["mypy>=2.4"],
    # Not ./build: a module deleted since the last build would live on there and enter the wheel.
    options={"build": {"build_base": str(SCRATCH / "build")}},
)
