"""Every table fits every window: nothing scrolls, is cut, covered or out of reach, in any phase.

One game and one size by hand: `-k "red_town and 1366x650" --long`. As a table: see `fit`.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser.fit import LANGUAGES, SCENES, SIZES, Scene, Stage, named, table_of
from tests.server.server_process import ServerProcess

FEW = ((1280, 632), (360, 640))
"""The windows of `make test`: the smallest laptop and the smallest phone."""
READ = {"red-town": "ja", "kamiza-2014": "en", "kingdoms": "ja", "goofspiel": "en"}
"""In `make test`: one phase of each of these games, in this language."""


def cases() -> Iterator[Any]:
    """Yield the cases sorted by scene, so that a page is made once for all its windows."""
    for scene in SCENES:
        for language in LANGUAGES:
            for size in SIZES:
                is_few = not scene.long and size in FEW and READ.get(scene.game) == language
                yield pytest.param(
                    scene, language, size,
                    id=named(scene, language, size),
                    marks=() if is_few else (pytest.mark.long,),
                )  # fmt: skip


class Stages:
    """The page with the last scene, which the next window may need again."""

    def __init__(self, server: ServerProcess, browser: Browser) -> None:
        self.server, self.browser = server, browser
        self.last: Stage | None = None

    def at(self, scene: Scene, language: str) -> Stage:
        last = self.last
        if last is None or (last.scene, last.language) != (scene, language):
            self.close()
            self.last = Stage(self.server, self.browser, scene, language)
        assert self.last is not None
        return self.last

    def close(self) -> None:
        last, self.last = self.last, None
        if last:
            last.leave()


@pytest.fixture(scope="module")
def stages(server: ServerProcess, browser: Browser) -> Iterator[Stages]:
    made = Stages(server, browser)
    yield made
    made.close()


@pytest.mark.parametrize(("scene", "language", "size"), list(cases()))
def test_a_table_fits(stages: Stages, scene: Scene, language: str, size: tuple[int, int]) -> None:
    faults = stages.at(scene, language).faults(size)
    told = {(f"{scene.id}-{language}", f"{size[0]}x{size[1]}"): faults}
    assert not faults, f"\n{table_of(told)}"
