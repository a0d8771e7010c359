"""`zashiki lab balance`: its measurements, its resumption after a kill, and its output."""

import csv
import json
import math
import re
from html.parser import HTMLParser
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import zashiki
from tests.commands import was_killed
from zashiki.cli import main
from zashiki.core.rulings import Malformed
from zashiki.lab.balance import Plan, measure, opened, weighed
from zashiki.lab.balance.report import CARD_COLUMNS
from zashiki.lab.results import MATCHES, PLAN
from zashiki.lab.simulate import Plan as Simulation
from zashiki.lab.simulate import simulate, summarize

pytestmark = pytest.mark.compiled


def plan_of(matches: int = 8, bot: str = "greedy", seed: int = 3, **options: Any) -> Plan:
    return Plan.checked("kingdoms", bot, matches, seed, options)


def balance(*words: str) -> int:
    return main(["lab", "balance", "kingdoms", "--workers", "1", *words])


def lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / MATCHES).read_text("utf-8").splitlines()]


def without_times(folder: Path) -> list[dict[str, Any]]:
    """Return the matches by number, without fields that differ between runs."""
    for line in (found := sorted(lines(folder), key=lambda line: line["match"])):
        del line["seconds"], line["longest"]
    return found


# Measurements ------------------------------------------------------------------------------------


def test_the_matches_are_those_that_simulate_plays() -> None:
    plan = plan_of(30)
    with opened(None, plan) as results:
        found = weighed(plan, list(measure(plan, results)))
    usual = summarize(simulate(Simulation.checked("kingdoms", 2, ["greedy"], 30, 3)))
    assert found.cards == usual.cards
    assert usual.turns is not None
    assert found.turns[1] == usual.turns.median
    assert usual.draws is not None
    assert found.draws == usual.draws.rate
    wins = found.red.mean + found.draws.mean / 2
    assert wins == pytest.approx(usual.seats[0].win_rate.mean)


def test_the_result_does_not_depend_on_how_many_share_the_work(tmp_path: Path) -> None:
    for workers in (1, 2):
        plan = plan_of(9)
        with opened(tmp_path / str(workers), plan) as results:
            assert len(list(measure(plan, results, workers))) == 9
    assert without_times(tmp_path / "1") == without_times(tmp_path / "2")


def test_a_game_without_card_sets_cannot_be_measured() -> None:
    with pytest.raises(Malformed, match="kamiza-second has no card sets"):
        Plan.checked("kamiza-second", "random", 1, 0, {})


# Going on ----------------------------------------------------------------------------------------


def test_what_was_begun_is_gone_on_with_and_may_grow(tmp_path: Path) -> None:
    folder = tmp_path / "balance"
    assert balance("--bot", "greedy", "--matches", "4", "--out", str(folder)) == 0
    before = lines(folder)
    assert balance("--bot", "greedy", "--matches", "7", "--out", str(folder)) == 0
    assert lines(folder)[:4] == before
    assert [line["match"] for line in lines(folder)] == list(range(7))


def test_a_torn_line_is_played_again(tmp_path: Path) -> None:
    plan = plan_of(3)
    with opened(tmp_path, plan) as results:
        list(measure(plan, results))
    whole = without_times(tmp_path)
    path = tmp_path / MATCHES
    path.write_bytes(path.read_bytes()[:-9])
    with opened(tmp_path, plan) as results:
        assert [measured.match for measured in measure(plan, results)] == [2]
    assert without_times(tmp_path) == whole


def test_a_damaged_line_is_no_torn_one(tmp_path: Path) -> None:
    plan = plan_of(3)
    with opened(tmp_path, plan) as results:
        list(measure(plan, results))
    path = tmp_path / MATCHES
    path.write_bytes(b"{\n" + path.read_bytes())
    with pytest.raises(Malformed, match="line 1 is damaged"), opened(tmp_path, plan):
        pass


@pytest.mark.parametrize(
    "wrong",
    [
        {"match": 3}, {"match": -1}, {"match": 2.0},
        {"ranks": [1]}, {"ranks": [2, 2]}, {"ranks": [1, "2"]},
        {"scores": [1, "2"]}, {"scores": []}, {"scores": [1, math.inf]},
        {"turns": "9"}, {"turns": -1},
        {"uses": []}, {"uses": None}, {"uses": [[1, 2, 3]]}, {"uses": [[1, 2]] * 46},
        {"decisions": 0}, {"decisions": None}, {"seconds": "1"}, {"longest": -1},
    ],
)  # fmt: skip
def test_a_line_that_says_what_cannot_be_is_named(tmp_path: Path, wrong: dict[str, object]) -> None:
    plan = plan_of(3)
    uses = [[1, 1, 0]] * (2 * len(plan.cards))
    fake = {"ranks": [1, 2], "scores": [2, 1], "turns": 9, "uses": uses}
    times = {"decisions": 20, "seconds": 0.1, "longest": 0.1}
    whole = [{"match": match, **fake, **times} for match in range(3)]
    with opened(tmp_path, plan):
        pass
    for last in (whole[2], whole[2] | wrong):
        text = "".join(json.dumps(line) + "\n" for line in [*whole[:2], last])
        (tmp_path / MATCHES).write_text(text, "utf-8")
        if last is whole[2]:
            with opened(tmp_path, plan) as results:
                assert len(weighed(plan, list(results.in_order(3))).cards) > 0
    with pytest.raises(Malformed, match="line 3 is damaged"), opened(tmp_path, plan):
        pass


def test_results_without_a_plan_are_refused(tmp_path: Path) -> None:
    plan = plan_of(3)
    with opened(tmp_path, plan) as results:
        list(measure(plan, results))
    (tmp_path / PLAN).unlink()
    with pytest.raises(Malformed, match=r"plan.json is missing"), opened(tmp_path, plan):
        pass


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (plan_of(bot="random"), "another measurement (bot 'greedy', not 'random')"),
        (plan_of(seed=4), "another measurement (seed 3, not 4)"),
        (plan_of(card_set="reconstructed"), "another measurement (options"),
        (plan_of(matches=2), "a longer measurement: expected at least its 8 matches, found 2"),
    ],
)
def test_another_plan_is_refused(tmp_path: Path, other: Plan, said: str) -> None:
    with opened(tmp_path, plan_of()):
        pass
    with (
        pytest.raises(Malformed, match="holds ") as fault,
        opened(tmp_path, other),
    ):
        pass
    assert said in str(fault.value)


def test_a_killed_measurement_goes_on(tmp_path: Path) -> None:
    folders = (tmp_path / f"killed-{number}" for number in count())
    folder = next(
        folder for folder in folders if was_killed(begun(folder, "2"), folder / MATCHES, 3)
    )
    kept = (folder / MATCHES).read_bytes()
    assert main(begun(folder, "1")) == main(begun(tmp_path / "whole", "1")) == 0
    assert (folder / MATCHES).read_bytes().startswith(kept[: kept.rindex(b"\n") + 1])
    assert without_times(folder) == without_times(tmp_path / "whole")


def begun(folder: Path, workers: str) -> list[str]:
    return ["lab", "balance", "kingdoms", "--bot", "greedy", "--matches", "150",
            "--workers", workers, "--out", str(folder)]  # fmt: skip


# Output ------------------------------------------------------------------------------------------


class Page(HTMLParser):
    """A page, which must close all its tags and fetch nothing from elsewhere."""

    EMPTY = ("meta", "line", "rect", "circle", "path", "br")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.words: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert not {"src", "href"} & {name for name, _ in attrs}
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.EMPTY:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def test_the_reports_have_every_condition_and_every_card(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "balance"
    assert balance("--bot", "greedy", "--matches", "20", "--seed", "s", "--out", str(folder)) == 0
    printed = " ".join(capsys.readouterr().out.split())
    page = " ".join(" ".join(Page((folder / "report.html").read_text("utf-8")).words).split())
    text = (folder / "report.md").read_text("utf-8")
    for said in (printed, page, text):
        assert "20 matches of greedy against itself, seed s" in said
        assert "Red wins 48 to 52 % of all matches" in said
        assert "Red wins, of decisive matches" in said
        for card in plan_of().cards:
            assert card in said
    assert "| at least 8,000 matches | 20 | **no** |" in text
    assert "RB 6.4 is not met" in page
    assert re.search(r"turns: median \d+", printed)
    assert (
        json.loads((folder / PLAN).read_text("utf-8"))["options"]["card_set"]["name"] == "balanced"
    )


def test_the_table_of_cards_has_a_row_each(tmp_path: Path) -> None:
    folder = tmp_path / "balance"
    assert balance("--bot", "greedy", "--matches", "6", "--out", str(folder)) == 0
    rows = list(csv.reader((folder / "cards.csv").read_text("utf-8").splitlines()))
    assert rows[0] == list(CARD_COLUMNS)
    assert [row[0] for row in rows[1:]] == plan_of().cards


def test_a_set_of_ones_own_is_read_from_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    source = Path(zashiki.__file__).parent / "games/kingdoms/cards/balanced.toml"
    text = source.read_text("utf-8").replace('name = "balanced"', 'name = "mine"', 1)
    Path("mine.toml").write_text(text, "utf-8")
    assert balance("--bot", "random", "--matches", "2", "--card-set", "mine.toml") == 0
    assert "the card set mine" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "lab: expected one of balance"),
        (("balance", "kamiza-second"), "kamiza-second has no card sets"),
        (("balance", "kingdoms", "--bot", "nobody"), "found 'nobody'"),
        (("balance", "kingdoms", "--card-set", "other"), "card_set='other'"),
        (("balance", "kingdoms", "--matches", "0"), "matches 0"),
        (("balance", "kingdoms", "--matches", "200000000"), "at most 10,000,000"),
    ],
)
def test_what_cannot_be_measured_is_said_in_a_line(
    words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lab", *words]) == 2
    assert said in capsys.readouterr().err
