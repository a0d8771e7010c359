"""For every test: `--long`, `--regenerate-goldens`, `--store`, and what `refuses` demands."""

import os
import signal
from collections.abc import Iterator

import pytest

from zashiki.core.rulings import Refusal
from zashiki.games import catalogue

# pytest imports the packages around a test from the source tree unless they are imported already.
# Import the compiled ones first.
if os.environ.get("ZASHIKI_EXPECT_COMPILED") == "1":
    catalogue()

# Started in the background or by nohup, SIGINT or SIGHUP is ignored, and every process that a test
# starts would inherit that. With a handler or the default here, it has the default there.
signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="also run the tests marked long")
    parser.addoption(
        "--regenerate-goldens",
        action="store_true",
        help="write the golden records from what the code does now",
    )
    parser.addoption(
        "--store", choices=("sqlite", "postgres"), help="what the tests of the server run on"
    )


def pytest_configure(config: pytest.Config) -> None:
    if chosen := config.getoption("--store"):
        os.environ["ZASHIKI_TEST_STORE"] = chosen


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--long"):
        return
    long = [item for item in items if item.get_closest_marker("long")]
    if long:
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if item not in long]


@pytest.fixture(autouse=True)
def what_refuses_is_refused(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """A test marked `refuses(id)` fails unless a refusal by that rule was made while it ran."""
    expected = {mark.args[0] for mark in request.node.iter_markers("refuses")}
    if not expected:
        yield
        return
    made: set[str] = set()
    original = Refusal.__init__

    def watched(self: Refusal, ruling: str, *arguments: object, **named: object) -> None:
        made.add(ruling)
        original(self, ruling, *arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(Refusal, "__init__", watched)
    yield
    assert expected <= made, f"marked as refusing by {expected - made}, which did not happen"
